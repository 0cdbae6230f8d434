//! Variables that no program takes for more than a word.

/// Whether a shell variable of this name may be set without any program or the shell itself behaving in another way.
///
/// Names in lower case are the shell programmer's own by convention; those of proxies are the exception.
pub(crate) fn is_harmless_name(name: &str) -> bool {
    let mut characters = name.chars();
    let first = characters.next().is_some_and(|c| c.is_ascii_lowercase() || c == '_');
    first
        && characters.clone().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.chars().any(|c| c.is_ascii_lowercase())
        && !name.ends_with("_proxy")
        && !matches!(name, "auto_resume" | "histchars" | "path" | "cdpath" | "fpath" | "module_path")
}

/// Whether a program may get `name` with any known value in its environment and still only do what its arguments say.
pub(crate) fn is_harmless_for_programs(name: &str) -> bool {
    matches!(
        name,
        "LANG"
            | "LC_ALL"
            | "LC_COLLATE"
            | "LC_CTYPE"
            | "LC_MESSAGES"
            | "LC_MONETARY"
            | "LC_NUMERIC"
            | "LC_TIME"
            | "TZ"
            | "TERM"
            | "COLUMNS"
            | "LINES"
            | "NO_COLOR"
            | "CLICOLOR"
            | "CLICOLOR_FORCE"
            | "FORCE_COLOR"
            | "COLORTERM"
    )
}

/// Whether a rule for a command holds as well when the command gets `name` in its environment.
pub(crate) fn is_harmless_for_rules(name: &str) -> bool {
    is_harmless_for_programs(name)
        || matches!(
            name,
            "CI" | "NODE_ENV"
                | "RUST_BACKTRACE"
                | "RUST_LOG"
                | "DEBUG"
                | "VERBOSE"
                | "PYTHONUNBUFFERED"
                | "PYTHONDONTWRITEBYTECODE"
        )
}
