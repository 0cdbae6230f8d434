//! What a call searches for: its arguments, checked and compiled.

use agentscope_tool::prelude::*;
use grep_regex::{ErrorKind, RegexMatcher, RegexMatcherBuilder};

use crate::search::filter::Filter;
use crate::search::page::Page;

/// More lines of context than any page holds.
const MAX_CONTEXT: usize = 10_000;
/// The most memory for a compiled pattern, and for what its search remembers in each thread, in bytes.
const MAX_PROGRAM: usize = 16 * 1024 * 1024;
const MAX_CACHE: usize = 32 * 1024 * 1024;

/// The arguments of [`Grep`](crate::Grep).
#[tool_args]
#[derive(Clone, Debug)]
pub struct GrepArgs {
    /// The regular expression, for example `fn \w+_test\(`.
    pub pattern: String,
    /// The directory or the file to search, absolute or as seen from the current directory, which is the default.
    pub path: Option<String>,
    /// What to show.
    #[serde(default)]
    pub output_mode: GrepOutput,
    /// Globs for the files to search, separated by commas, for example `*.{ts,tsx},!*.test.ts`. One without a slash means names in any
    /// directory; `!` leaves files out.
    pub glob: Option<String>,
    /// A type of files to search, by the names that ripgrep has for them, for example `rust`, `py` or `js`.
    #[serde(rename = "type")]
    pub file_type: Option<String>,
    /// How many lines to show after each match, in content mode.
    #[serde(rename = "-A")]
    pub after: Option<i64>,
    /// How many lines to show before each match, in content mode.
    #[serde(rename = "-B")]
    pub before: Option<i64>,
    /// How many lines to show before and after each match, in content mode, instead of `-A` and `-B`.
    #[serde(rename = "-C")]
    pub around: Option<i64>,
    /// The same as `-C`, which it overrides.
    pub context: Option<i64>,
    /// Whether to show line numbers, in content mode.
    #[serde(default = "yes")]
    pub n: bool,
    /// Whether upper and lower case are the same.
    #[serde(default)]
    pub i: bool,
    /// The same as `i`.
    #[serde(default)]
    pub case_insensitive: bool,
    /// Whether a match may go over several lines; `.` then matches the end of a line too.
    #[serde(default)]
    pub multiline: bool,
    /// How many results to show at most, which are matches in content mode and files otherwise: 250 by default, 0 for all.
    pub head_limit: Option<u64>,
    /// How many results to skip, to go on where an earlier search ended.
    #[serde(default)]
    pub offset: u64,
}

/// What [`Grep`](crate::Grep) shows.
#[tool_args(undocumented)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum GrepOutput {
    /// The lines that match.
    Content,
    /// The paths of the files in which something matches.
    #[default]
    FilesWithMatches,
    /// Those paths, each with the number of its matches.
    Count,
}

fn yes() -> bool {
    true
}

/// A search, compiled.
#[derive(Debug)]
pub(crate) struct Query {
    /// The absolute path of what is searched.
    pub(crate) base: String,
    /// The regular expression as it was written.
    pub(crate) pattern: String,
    pub(crate) matcher: RegexMatcher,
    /// Whether a match may hold the end of a line.
    pub(crate) multiline: bool,
    /// Whether `.` may match the end of a line.
    pub(crate) dot_all: bool,
    pub(crate) ignore_case: bool,
    pub(crate) mode: GrepOutput,
    /// How many lines of context; none but for content.
    pub(crate) before: usize,
    pub(crate) after: usize,
    /// Whether lines have numbers.
    pub(crate) numbers: bool,
    pub(crate) filter: Filter,
    pub(crate) page: Page,
}

impl Query {
    /// Checks and compiles the arguments.
    ///
    /// # Errors
    /// The first that is wrong, as a sentence.
    pub(crate) fn new(args: GrepArgs, base: String) -> Result<Self, String> {
        let lines = |name: &str, lines: Option<i64>| {
            let negative = format!("`{name}` is negative; give the number of context lines, or leave it out");
            lines
                .map(|lines| usize::try_from(lines).map(|lines| lines.min(MAX_CONTEXT)).map_err(|_| negative))
                .transpose()
        };
        let around = lines("context", args.context)?.or(lines("-C", args.around)?);
        let (after, before) = (lines("-A", args.after)?, lines("-B", args.before)?);
        let content = args.mode_is_content();
        let ignore_case = args.i || args.case_insensitive;
        let (matcher, multiline) = compile(&args.pattern, ignore_case, args.multiline)?;
        Ok(Self {
            filter: Filter::new(args.glob.as_deref(), args.file_type.as_deref(), &base)?,
            base,
            pattern: args.pattern,
            matcher,
            multiline,
            dot_all: args.multiline,
            ignore_case,
            mode: args.output_mode,
            before: around.or(before).filter(|_| content).unwrap_or(0),
            after: around.or(after).filter(|_| content).unwrap_or(0),
            numbers: args.n,
            page: Page::new(args.head_limit, args.offset),
        })
    }

    /// What a result is called, one and several.
    pub(crate) fn unit(&self) -> (&'static str, &'static str) {
        match self.mode {
            GrepOutput::Content => ("match", "matches"),
            GrepOutput::FilesWithMatches | GrepOutput::Count => ("file", "files"),
        }
    }
}

impl GrepArgs {
    fn mode_is_content(&self) -> bool {
        self.output_mode == GrepOutput::Content
    }
}

/// The matcher, and whether a match may go over several lines: that is also so if the pattern names the end of a line.
fn compile(pattern: &str, ignore_case: bool, multiline: bool) -> Result<(RegexMatcher, bool), String> {
    let mut builder = RegexMatcherBuilder::new();
    builder.multi_line(true).case_insensitive(ignore_case).crlf(true).size_limit(MAX_PROGRAM).dfa_size_limit(MAX_CACHE);
    if multiline {
        builder.dot_matches_new_line(true).line_terminator(None);
    }
    match builder.build(pattern) {
        Ok(matcher) => Ok((matcher, multiline)),
        Err(error) if matches!(error.kind(), ErrorKind::NotAllowed(_)) => {
            let matcher = builder.line_terminator(None).build(pattern).map_err(|error| invalid(pattern, &error))?;
            Ok((matcher, true))
        }
        Err(error) => Err(invalid(pattern, &error)),
    }
}

/// The error for the pattern as it was written, where that is at fault; grep's has it in a group of its own.
fn invalid(pattern: &str, error: &grep_regex::Error) -> String {
    let text = match regex::bytes::Regex::new(pattern) {
        Err(error @ regex::Error::Syntax(_)) => error.to_string(),
        _ => error.to_string(),
    };
    let text = text.strip_prefix("regex parse error:\n").unwrap_or(&text);
    format!("the pattern is not a valid regular expression:\n{text}")
}
