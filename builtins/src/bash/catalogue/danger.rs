//! Commands that do damage which no rule should be able to allow, seen in the argv and never in a text.

use std::borrow::Cow;

use super::Danger;
use super::effect::{Change, How};
use super::words;
use crate::bash::{Part, Tilde, Unknown, Word};

/// What is dangerous about `program` with `args`, if anything.
pub(super) fn judge(program: &str, args: &[Word]) -> Option<Danger> {
    match program {
        "rm" | "rmdir" | "unlink" | "shred" | "srm" | "mv" => removes(program, args),
        "cp" | "rsync" | "ditto" if overwrites(args) => Some(Danger::OverwritesTree),
        "chmod" | "chown" | "chgrp" | "setfacl" => rights(program, args),
        "dd" => args.iter().any(dd_target).then_some(Danger::WritesDevice),
        "tee" | "cp" | "truncate" | "ln" | "install" | "wipefs" | "badblocks" => {
            let device = args.last().is_some_and(is_device) || program != "cp" && args.iter().any(is_device);
            device.then_some(Danger::WritesDevice)
        }
        "kill" => kills_everything(args).then_some(Danger::KillsEverything),
        "crontab" => {
            let removes = |word: &Word| {
                word.literal()
                    .is_some_and(|text| text.starts_with('-') && !text.starts_with("--") && text.contains('r'))
            };
            args.iter().any(removes).then_some(Danger::RemovesSchedule)
        }
        "systemctl" | "init" | "telinit" => {
            let stops = |word: &Word| {
                matches!(word.literal(), Some("poweroff" | "reboot" | "halt" | "kexec" | "emergency" | "rescue"))
                    || program != "systemctl" && matches!(word.literal(), Some("0" | "6"))
            };
            operands(args).next().is_some_and(stops).then_some(Danger::StopsMachine)
        }
        _ if program.starts_with("mkfs.") => Some(Danger::WritesDevice),
        _ => None,
    }
}

fn removes(program: &str, args: &[Word]) -> Option<Danger> {
    let paths: Vec<&Word> = operands(args).collect();
    // What `mv` moves is all but the last; `mv -t` is taken as if it moved all of them.
    let gone: &[&Word] = match paths.as_slice() {
        [sources @ .., _target] if program == "mv" && !sources.is_empty() => sources,
        all => all,
    };
    if program == "shred" {
        return gone.iter().any(|word| is_device(word)).then_some(Danger::WritesDevice);
    }
    let all = |word: &&&Word| match program {
        // What is moved is still there, and `rmdir` leaves what is not empty.
        "mv" | "rmdir" => !word.has_glob() && is_vital(word),
        _ => is_vital(word) || is_everything(word),
    };
    gone.iter().any(|word| all(&word)).then_some(Danger::RemovesTree)
}

/// Whether all of one directory is laid over one that is not to be overwritten as a whole.
fn overwrites(args: &[Word]) -> bool {
    let paths: Vec<&Word> = operands(args).collect();
    let Some((target, sources)) = paths.split_last() else { return false };
    let whole = |word: &&Word| {
        let text = match word.parts().last() {
            Some(Part::Text(text)) => text.as_str(),
            _ => return false,
        };
        text.ends_with("/.") || text.ends_with("/./") || text.ends_with("/..")
    };
    is_vital(target) && sources.iter().any(whole)
}

fn rights(program: &str, args: &[Word]) -> Option<Danger> {
    let recursive = args
        .iter()
        .filter_map(Word::literal)
        .any(|text| text == "--recursive" || text.starts_with('-') && !text.starts_with("--") && text.contains('R'));
    if recursive && operands(args).any(|word| is_vital(word) || is_everything(word)) {
        return Some(Danger::ChangesTree);
    }
    let open = program == "chmod"
        && operands(args).next().is_some_and(|mode| opens_to_all(mode.literal().unwrap_or_default()));
    open.then_some(Danger::OpensRights)
}

/// Whether a mode lets others write.
fn opens_to_all(mode: &str) -> bool {
    if !mode.is_empty() && mode.bytes().all(|b| b.is_ascii_digit()) {
        return mode.bytes().last().is_some_and(|digit| matches!(digit, b'2' | b'3' | b'6' | b'7'));
    }
    mode.split(',').any(|clause| {
        let Some(at) = clause.find(['+', '=']) else { return false };
        let (who, rights) = clause.split_at(at);
        // Without `a` or `o` the umask keeps the others out.
        who.contains(['a', 'o']) && rights.contains('w')
    })
}

fn dd_target(word: &Word) -> bool {
    word.literal_prefix().starts_with("of=") && is_device(&words::behind(word, 3))
}

/// Whether a path is a device that keeps data.
pub(super) fn is_device(word: &Word) -> bool {
    let Some(path) = clean(word.literal_prefix()) else { return false };
    let Some(name) = path.strip_prefix("/dev/") else { return false };
    !matches!(name, "null" | "stdout" | "stderr" | "tty" | "zero" | "full" | "stdin")
        && !name.starts_with("fd/")
        && !name.starts_with("shm/")
        && !name.starts_with("pts/")
}

fn kills_everything(args: &[Word]) -> bool {
    args.iter().skip(1).any(|word| word.literal() == Some("-1"))
        || matches!(args, [only] if only.literal() == Some("-1"))
}

/// The words that are no options.
fn operands(args: &[Word]) -> impl Iterator<Item = &Word> {
    let mut options = true;
    args.iter().filter(move |word| {
        if options && word.literal() == Some("--") {
            options = false;
            return false;
        }
        !options || !word.literal_prefix().starts_with('-') || word.literal() == Some("-")
    })
}

/// Whether a path is the root, a directory right below it, one of the system's or users', a home, or the working directory or what holds it.
pub(super) fn is_vital(word: &Word) -> bool {
    if let [Part::Unknown { what, .. }, rest @ ..] = word.parts() {
        let home = match what {
            Unknown::Tilde(Tilde::Home | Tilde::User(_) | Tilde::Remembered(_)) => true,
            Unknown::Variable(name) => matches!(name.as_str(), "HOME" | "PWD" | "OLDPWD"),
            _ => false,
        };
        return home
            && match rest {
                [] => true,
                [Part::Text(text)] => text.split('/').all(|name| matches!(name, "" | "." | "..")),
                // `~/*`
                [Part::Text(text), Part::Glob(glob)] => {
                    text.split('/').all(|name| matches!(name, "" | "." | "..")) && is_star(glob)
                }
                _ => false,
            };
    }
    let (text, starred) = match word.parts() {
        [Part::Text(text)] => (text.as_str(), false),
        [Part::Text(text), Part::Glob(glob)] if text.ends_with('/') && is_star(glob) => (text.as_str(), true),
        _ => return false,
    };
    match clean(text) {
        Some(path) => {
            let depth = path.split('/').filter(|name| !name.is_empty()).count();
            // Everything in `/tmp` may go, but not `/tmp` itself; so with anything deeper.
            let of_users = ["/home/", "/Users/", "/usr/", "/boot/"].iter().any(|parent| path.starts_with(parent));
            depth == 0 || depth == 1 && (!starred || path != "/tmp") || depth == 2 && of_users
        }
        // Relative: only `.`, `..` and their like.
        None => !text.is_empty() && text.split('/').all(|name| matches!(name, "" | "." | "..")),
    }
}

/// `*`, `.*`, `.[!.]*`: everything in the working directory.
fn is_everything(word: &Word) -> bool {
    match word.parts() {
        [Part::Glob(glob)] => is_star(glob),
        [Part::Text(text), Part::Glob(glob)] => {
            text == "." && (is_star(glob) || glob.starts_with("[!") || glob.starts_with("[^") || glob.starts_with('?'))
        }
        _ => false,
    }
}

fn is_star(glob: &str) -> bool {
    !glob.is_empty() && glob.chars().all(|c| matches!(c, '*' | '?'))
}

/// An absolute path without `.`, `..` and doubled slashes; none for a relative one.
fn clean(path: &str) -> Option<String> {
    if !path.starts_with('/') {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    Some(format!("/{}", names.join("/")))
}

/// What a program that changes files might write, when its options are not all understood: every operand, and every value
/// behind `=` or a short option.
pub(super) fn possible_writes(args: &[Word]) -> Vec<Change<'_>> {
    let mut writes = Vec::new();
    for word in args {
        let prefix = word.literal_prefix();
        let path = match prefix.split_once('=') {
            Some((name, _)) => words::behind(word, name.len() + 1),
            None if prefix.starts_with("--") => continue,
            None if prefix.starts_with('-') && prefix.len() > 2 => words::behind(word, 2),
            None if prefix.starts_with('-') => continue,
            None => Cow::Borrowed(word),
        };
        writes.push(Change { path, how: How::Write });
    }
    writes
}
