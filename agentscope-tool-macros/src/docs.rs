//! Turns doc comments into descriptions: the text without its `# Arguments`, `# Errors`, … sections, which are for
//! the function's human callers, and the entries of the `# Arguments` list.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{Attribute, Expr, Lit, LitStr, Meta, spanned::Spanned};

/// Sections for human callers; no part of a description.
const SECTIONS: &[&str] = &[
    "argument",
    "arguments",
    "error",
    "errors",
    "example",
    "examples",
    "panic",
    "panics",
    "parameters",
    "return",
    "returns",
    "safety",
];

/// Sections that list the arguments.
const ARGUMENT_SECTIONS: [&str; 3] = ["argument", "arguments", "parameters"];

/// A doc comment, taken apart.
#[derive(Default)]
pub(crate) struct Docs {
    /// What the model reads.
    pub(crate) description: Text,
    /// The list under `# Arguments`.
    pub(crate) arguments: Vec<Entry>,
}

/// One line of an `# Arguments` list.
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The line of the comment that names the argument.
    pub(crate) span: Span,
}

/// A description: known now, or partly when the user's crate is compiled (`#[doc = include_str!("…")]`).
#[derive(Default)]
pub(crate) struct Text(Vec<Part>);

enum Part {
    Literal(String),
    Expr(Expr),
}

impl Text {
    /// Whether the text is known to be blank.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|part| matches!(part, Part::Literal(text) if text.trim().is_empty()))
    }

    /// An expression of type `&'static str`; `std` is the path of the standard library.
    pub(crate) fn to_expr(&self, span: Span, std: &TokenStream) -> TokenStream {
        if let [Part::Literal(text)] = self.0.as_slice() {
            return LitStr::new(text, span).into_token_stream();
        }
        if self.0.is_empty() {
            return LitStr::new("", span).into_token_stream();
        }
        let parts = self.0.iter().map(|part| match part {
            Part::Literal(text) => LitStr::new(text, span).into_token_stream(),
            Part::Expr(expr) => expr.to_token_stream(),
        });
        quote_spanned!(span=> #std::primitive::str::trim(#std::concat!(#(#parts),*)))
    }
}

struct Line {
    text: String,
    expr: Option<Expr>,
    span: Span,
}

/// Reads the doc attributes among `attrs`.
pub(crate) fn read(attrs: &[Attribute]) -> Docs {
    let mut lines = lines(attrs);
    unindent(&mut lines);
    let mut docs = Docs::default();
    let mut kept: Vec<Line> = Vec::new();
    let mut dropped: Option<Section> = None;
    let mut fence: Option<String> = None;
    for line in lines {
        if fence.is_none()
            && let Some((level, title)) = heading(&line.text)
        {
            if dropped.as_ref().is_some_and(|section| level <= section.level) {
                dropped = None;
            }
            if dropped.is_none() && SECTIONS.contains(&title.as_str()) {
                dropped = Some(Section { level, arguments: ARGUMENT_SECTIONS.contains(&title.as_str()), bullet: None });
                continue;
            }
        }
        toggle_fence(&mut fence, &line.text);
        match &mut dropped {
            Some(section) if section.arguments => section.argument_line(&line, &mut docs.arguments),
            Some(_) => {}
            None => kept.push(line),
        }
    }
    docs.description = assemble(kept);
    docs
}

/// Whether an attribute is (part of) a doc comment, `#[doc(hidden)]` and its like not included.
pub(crate) fn is_doc(attr: &Attribute) -> bool {
    attr.path().is_ident("doc") && matches!(attr.meta, Meta::NameValue(_))
}

fn lines(attrs: &[Attribute]) -> Vec<Line> {
    let mut lines = Vec::new();
    for attr in attrs.iter().filter(|attr| is_doc(attr)) {
        let Meta::NameValue(meta) = &attr.meta else { continue };
        let span = meta.value.span();
        match literal(&meta.value) {
            Some(text) => lines.extend(comment_lines(&text).into_iter().map(|text| Line { text, expr: None, span })),
            None => lines.push(Line { text: String::new(), expr: Some(meta.value.clone()), span }),
        }
    }
    lines
}

fn literal(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(expr) => match &expr.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        // A literal that came through `macro_rules!`.
        Expr::Group(group) => literal(&group.expr),
        _ => None,
    }
}

/// The lines of one comment. `/** … */` is one literal whose lines may each start with a decorating `*`.
fn comment_lines(text: &str) -> Vec<String> {
    if !text.contains('\n') {
        return vec![text.trim_end().to_owned()];
    }
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim();
    let rest: Vec<&str> = lines.map(str::trim_end).collect();
    let filled = || rest.iter().filter(|line| !line.is_empty());
    let starred = filled().next().is_some() && filled().all(|line| line.trim_start().starts_with('*'));
    let rest: Vec<&str> =
        rest.iter().map(|line| if starred { line.trim_start().trim_start_matches('*') } else { line }).collect();
    // The first line starts right after the opening, so that its own indentation says nothing about the others'.
    let margin = rest.iter().filter(|line| !line.is_empty()).map(|line| indentation(line)).min().unwrap_or(0);
    let rest = rest.iter().map(|line| line.chars().skip(margin).collect::<String>());
    std::iter::once(first.to_owned()).chain(rest).map(|line| format!(" {line}").trim_end().to_owned()).collect()
}

/// Takes away the indentation that all lines share, so that lists and code keep their shape.
fn unindent(lines: &mut [Line]) {
    let indented = |line: &&Line| !line.text.trim().is_empty();
    let margin = lines.iter().filter(indented).map(|line| indentation(&line.text)).min().unwrap_or(0);
    for line in lines {
        line.text = line.text.chars().skip(margin).collect();
    }
}

fn indentation(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).count()
}

/// The level and the lower-case title of a Markdown heading.
fn heading(line: &str) -> Option<(usize, String)> {
    if indentation(line) > 3 {
        return None;
    }
    let line = line.trim();
    let level = line.chars().take_while(|c| *c == '#').count();
    let title = line.trim_start_matches('#');
    (level > 0 && level <= 6 && title.starts_with(' '))
        .then(|| (level, title.trim().trim_end_matches(['#', ':']).trim().to_lowercase()))
}

fn toggle_fence(fence: &mut Option<String>, line: &str) {
    let line = line.trim();
    let mark: String = line.chars().take_while(|c| *c == '`' || *c == '~').collect();
    match fence {
        Some(open) if mark.starts_with(open.as_str()) && line == mark => *fence = None,
        None if mark.len() >= 3 => *fence = Some(mark),
        _ => {}
    }
}

/// Joins the lines that are kept: blank lines at both ends go, and several in a row become one, outside of code.
fn assemble(lines: Vec<Line>) -> Text {
    let mut parts: Vec<Part> = Vec::new();
    let mut text = String::new();
    let mut fence = None;
    let mut blank = true;
    for line in lines {
        if let Some(expr) = line.expr {
            parts.push(Part::Literal(std::mem::take(&mut text)));
            parts.push(Part::Expr(expr));
            text.push('\n');
            blank = false;
            continue;
        }
        let is_blank = line.text.trim().is_empty();
        if is_blank && blank && fence.is_none() {
            continue;
        }
        blank = is_blank;
        toggle_fence(&mut fence, &line.text);
        text.push_str(&line.text);
        text.push('\n');
    }
    let end = text.trim_end().len();
    text.truncate(end);
    parts.push(Part::Literal(text));
    if parts.len() == 1 {
        for part in &mut parts {
            if let Part::Literal(text) = part {
                *text = text.trim().to_owned();
            }
        }
    }
    parts.retain(|part| !matches!(part, Part::Literal(text) if text.is_empty()));
    Text(parts)
}

/// A section that is being left out.
struct Section {
    level: usize,
    arguments: bool,
    /// The indentation of the list's bullets, once one was seen.
    bullet: Option<usize>,
}

impl Section {
    fn argument_line(&mut self, line: &Line, entries: &mut Vec<Entry>) {
        let indent = indentation(&line.text);
        let text = line.text.trim();
        let item = text.strip_prefix(['*', '-', '+']).filter(|rest| rest.starts_with(' ')).map(str::trim);
        match (item, self.bullet) {
            (Some(item), bullet) if bullet.is_none_or(|bullet| indent <= bullet) => {
                self.bullet = Some(indent);
                if let Some((name, text)) = entry(item) {
                    entries.push(Entry { name, text, span: line.span });
                } else {
                    // Prose between the entries must not run into the one before.
                    self.bullet = None;
                }
            }
            (_, Some(_)) if !text.is_empty() => {
                if let Some(last) = entries.last_mut() {
                    if !last.text.is_empty() {
                        last.text.push(if item.is_some() { '\n' } else { ' ' });
                    }
                    last.text.push_str(text);
                }
            }
            _ => {}
        }
    }
}

/// `` `name` - text ``, `name: text`, `` `name` (kind) - text `` or `` `name` text ``.
fn entry(item: &str) -> Option<(String, String)> {
    let (name, rest, quoted) = match item.strip_prefix('`') {
        Some(quoted) => {
            let (name, rest) = quoted.split_once('`')?;
            (name, rest.trim_start(), true)
        }
        None => {
            let end = item.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
            let (name, rest) = item.split_at(end);
            (name, rest.trim_start(), false)
        }
    };
    let name = name.split(':').next().unwrap_or(name).trim().trim_start_matches("r#");
    let mut rest = rest;
    if quoted
        && rest.starts_with('(')
        && let Some(end) = rest.find(')')
    {
        rest = rest.get(end + 1..).unwrap_or_default().trim_start();
    }
    let text = ["---", "--", "-", "–", "—", ":"].iter().find_map(|mark| rest.strip_prefix(mark));
    if name.is_empty() || (!quoted && text.is_none()) {
        return None;
    }
    Some((name.to_owned(), text.unwrap_or(rest).trim().to_owned()))
}

#[cfg(test)]
mod tests;
