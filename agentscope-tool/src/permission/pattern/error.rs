//! Why a path pattern is refused.

/// Why a path pattern is refused: where, what is wrong there, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct PatternError {
    position: usize,
    problem: Problem,
}

impl PatternError {
    pub(super) fn new(position: usize, problem: Problem) -> Self {
        PatternError { position, problem }
    }

    /// Where the fault is, in bytes from the start of the pattern.
    pub fn position(&self) -> usize {
        self.position
    }
}

/// What is wrong at a place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Problem {
    #[error("the pattern is empty; write a path, or `/**` for every path")]
    Empty,
    #[error("the control character {0:?} is in no pattern; write `?` for it, or remove it")]
    Control(char),
    #[error("only one's own home directory is known by `~`; write the absolute path, or `./~` for a name with a `~`")]
    OtherHome,
    #[error("`**` stands for whole components only; write {instead}")]
    PartOfComponent { instead: String },
    #[error("`..` cannot follow a wildcard; write the path without it")]
    ParentOfWildcard,
    #[error("`{open}` is never closed; add its `{close}`, or write `[{open}]` if a name holds it")]
    Unclosed { open: char, close: char },
    #[error("a `/` cannot be inside of `{open}` and `{close}`; write one rule for each path")]
    SeparatorInside { open: char, close: char },
    #[error("`{{` needs at least two alternatives, like `{{a,b}}`; write `[{{]` if a name holds it")]
    OneAlternative,
    #[error("classes by name such as `[:alpha:]` are unknown; write a range like `a-z`, or `\\[` for a bracket")]
    NamedClass,
    #[error("the range `{from}-{to}` is empty; write `{to}-{from}`")]
    EmptyRange { from: char, to: char },
    #[error("`\\` escapes nothing here; write `\\\\` if a name holds it")]
    NothingEscaped,
    #[error("the pattern has more than {limit} components from its first wildcard on; split it into several rules")]
    TooDeep { limit: usize },
    #[error("the component is too large; split it into several rules")]
    TooLarge,
}
