//! What commands may read beside what the table says.

use std::borrow::Cow;

use crate::bash::Word;

/// Whether `program` with `args` looks into whatever lies below its paths, and whether it takes the current directory when
/// no path is given.
pub(super) fn below(program: &str, args: &[Word]) -> (bool, bool) {
    match program {
        "rg" | "ag" | "ack" | "ugrep" | "ug" => (true, true),
        "rgrep" => (true, true),
        "grep" | "egrep" | "fgrep" | "zgrep" => {
            let recursive = has(args, "rR", &["--recursive", "--dereference-recursive", "--directories=recurse"]);
            (recursive, recursive)
        }
        "git" => {
            let greps = args.iter().any(|word| word.literal() == Some("grep"));
            (greps, greps)
        }
        "diff" | "cp" | "scp" | "gzip" | "gunzip" | "xz" | "zstd" => {
            (has(args, "rRa", &["--recursive", "--archive"]), false)
        }
        "tar" | "zip" | "rsync" | "7z" | "tokei" | "cloc" | "scc" => (true, false),
        _ => (false, false),
    }
}

/// What a command that is not known may take for files, so that a rule about one of those is about the command, too: its
/// operands, and what stands behind `=` and `@`. Not more than a few, and no messages.
pub(super) fn possible(args: &[Word]) -> impl Iterator<Item = Cow<'_, Word>> {
    const MOST: usize = 16;
    args.iter().filter_map(possible_file).take(MOST)
}

fn possible_file(word: &Word) -> Option<Cow<'_, Word>> {
    let text = word.literal().filter(|text| text.len() < 4096 && !text.contains(['\n', '\0']))?;
    let value = match text.split_once('=') {
        Some((name, value)) if name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) => value,
        _ if text.starts_with('-') => return None,
        _ => text,
    };
    let path = value.strip_prefix('@').unwrap_or(value);
    match path.len() {
        0 => None,
        length if length == text.len() => Some(Cow::Borrowed(word)),
        _ => Some(Cow::Owned(Word::text(path))),
    }
}

/// Whether one of the options is there, by a letter, alone or in a bundle, or by a name that may be cut.
fn has(args: &[Word], letters: &str, names: &[&str]) -> bool {
    args.iter().map(Word::literal_prefix).any(|text| match text.strip_prefix("--") {
        Some("") => false,
        Some(_) => names.iter().any(|name| name.starts_with(text)),
        None => text.strip_prefix('-').is_some_and(|bundle| bundle.contains(|c| letters.contains(c))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_is_not_known_may_read_what_it_is_given() {
        let files = |text: &str| {
            let args: Vec<Word> = text.split(' ').map(Word::text).collect();
            possible(&args).map(|word| word.literal().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(files("-v .env --file=a/b -d @c if=d -x=@e -- f =g"), ".env a/b c d e f g");
        assert_eq!(files(&"x ".repeat(99)).len(), 31);
    }

    #[test]
    fn what_searches_a_tree_reads_what_is_below() {
        let judge = |text: &str| {
            let argv: Vec<Word> = text.split(' ').map(Word::text).collect();
            below(text.split(' ').next().unwrap(), &argv[1..])
        };
        assert_eq!(judge("rg x"), (true, true));
        assert_eq!(judge("grep -nri x src"), (true, true));
        assert_eq!(judge("grep --recurs x src"), (true, true));
        assert_eq!(judge("grep -n x f"), (false, false));
        assert_eq!(judge("git grep x"), (true, true));
        assert_eq!(judge("git log"), (false, false));
        assert_eq!(judge("cp -a x y"), (true, false));
        assert_eq!(judge("cp x y"), (false, false));
    }
}
