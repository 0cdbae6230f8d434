//! The keys of `#[tool(…)]` on functions and methods, of `#[spec(…)]` beside `#[derive(Tool)]`, and of the
//! attributes that take few of them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::{Expr, ExprPath, LitStr, Path};

use super::{
    entries::{Entry, Flag, Seen, Value, unknown_key},
    profiles::Profiles,
};
use crate::errors::Errors;

/// Where keys are written; each place has its own set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// `#[tool]` on a free function.
    Function,
    /// `#[tool]` on a method inside of `#[toolset]`.
    Method,
    /// `#[spec]` beside `#[derive(Tool)]`.
    Derive,
    /// `#[toolset]`.
    Toolset,
    /// `#[args]` beside `#[derive(ToolArgs)]`.
    Args,
    /// `#[tool_args]`.
    ToolArgs,
}

impl Place {
    fn attribute(self) -> &'static str {
        match self {
            Self::Function | Self::Method => "`#[tool]`",
            Self::Derive => "`#[spec]`",
            Self::Toolset => "`#[toolset]`",
            Self::Args => "`#[args]`",
            Self::ToolArgs => "`#[tool_args]`",
        }
    }

    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Function => &[
                "name",
                "description",
                "title",
                "read_only",
                "concurrency_safe",
                "external",
                "destructive",
                "idempotent",
                "open_world",
                "blocking",
                "permission",
                "undocumented",
                "profiles",
                "struct",
                "crate",
            ],
            Self::Method => &[
                "name",
                "description",
                "title",
                "read_only",
                "concurrency_safe",
                "destructive",
                "idempotent",
                "open_world",
                "blocking",
                "permission",
                "undocumented",
                "profiles",
            ],
            Self::Derive => &[
                "name",
                "description",
                "title",
                "read_only",
                "concurrency_safe",
                "external",
                "destructive",
                "idempotent",
                "open_world",
                "state_injected",
                "profiles",
                "crate",
            ],
            Self::Toolset => &["crate"],
            Self::Args | Self::ToolArgs => &["undocumented", "profiles", "crate"],
        }
    }

    /// What to do instead of a key that exists, but not here.
    fn misplaced(self, key: &str) -> Option<&'static str> {
        Some(match (self, key) {
            (Self::Function | Self::Method, "state_injected") => {
                "`state_injected` follows from a `#[state]` parameter of type `&AgentState`: remove the key and add the parameter"
            }
            (Self::Method, "external") => {
                "a method of a toolset cannot be `external`: write a function with `#[tool(external)]` outside of the block"
            }
            (Self::Method, "struct") => "a method of a toolset has no type of its own: remove `struct`",
            (Self::Method, "crate") => "`crate` holds for the whole toolset: write it as `#[toolset(crate = …)]`",
            (Self::Derive, "struct") => {
                "`struct` names the type made for a function, and a derived tool is its own type: remove it"
            }
            (Self::Derive, "blocking") => {
                "`blocking` is for functions marked `#[tool]`: remove it and call `tokio::task::spawn_blocking` in the tool's `call`"
            }
            (Self::Derive, "permission") => {
                "`permission` is for functions and methods marked `#[tool]`: remove it and write `check_permissions` in the `impl` of the tool's body"
            }
            (Self::Derive, "undocumented") => {
                "`undocumented` is about arguments, and a tool always needs a description: write `#[tool_args(undocumented)]` above the arguments' type"
            }
            (Self::Toolset, key) if Self::Method.keys().contains(&key) => {
                "this key belongs to one tool: write it in the `#[tool]` of the method"
            }
            _ => return None,
        })
    }
}

/// What the keys say.
#[derive(Default)]
pub(crate) struct Flags {
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) title: Option<Expr>,
    pub(crate) read_only: Option<Flag>,
    pub(crate) concurrency_safe: Option<Flag>,
    pub(crate) external: Option<Flag>,
    pub(crate) destructive: Option<Flag>,
    pub(crate) idempotent: Option<Flag>,
    pub(crate) open_world: Option<Flag>,
    pub(crate) state_injected: Option<Flag>,
    pub(crate) blocking: Option<Flag>,
    pub(crate) undocumented: Option<Flag>,
    /// The provider profiles that the arguments are checked against.
    pub(crate) profiles: Option<Profiles>,
    /// The function that is the tool's own say in permissions.
    pub(crate) permission: Option<ExprPath>,
    pub(crate) type_name: Option<Ident>,
    pub(crate) krate: Option<Path>,
    /// A `description` key was there but faulty: it must not be reported as missing too.
    pub(crate) has_description_key: bool,
    /// An `external` key was there but faulty: a missing body must not be reported too.
    pub(crate) has_faulty_external: bool,
}

impl Flags {
    /// Reads the entries of an attribute.
    pub(crate) fn read(entries: Vec<Entry>, place: Place, errors: &mut Errors) -> Self {
        let mut flags = Self::default();
        let mut seen = Seen::default();
        for entry in entries {
            flags.take(entry, place, &mut seen, errors);
        }
        flags
    }

    fn take(&mut self, entry: Entry, place: Place, seen: &mut Seen, errors: &mut Errors) {
        let key = entry.key.to_string();
        if !place.keys().contains(&key.as_str()) {
            let meant = match place.misplaced(&key) {
                Some(message) => {
                    errors.at(&entry.key, message);
                    Some(key.as_str())
                }
                None => unknown_key(&entry.key, place.attribute(), place.keys(), errors),
            };
            self.suppose(meant, &entry.key);
            return;
        }
        if !seen.first(&entry.key, errors) {
            return;
        }
        match key.as_str() {
            "name" => self.name = entry.text(errors),
            "description" => {
                self.has_description_key = true;
                self.description = entry.text_expr(errors);
            }
            "title" => self.title = entry.text_expr(errors),
            "read_only" => self.read_only = entry.flag(errors),
            "concurrency_safe" => self.concurrency_safe = entry.flag(errors),
            "external" => self.external = entry.flag(errors),
            "destructive" => self.destructive = entry.flag(errors),
            "idempotent" => self.idempotent = entry.flag(errors),
            "open_world" => self.open_world = entry.flag(errors),
            "state_injected" => self.state_injected = entry.flag(errors),
            "blocking" => self.blocking = entry.flag(errors),
            "undocumented" => self.undocumented = entry.flag(errors),
            "profiles" => self.profiles = Profiles::read(entry, errors),
            "permission" => {
                let example = if place == Place::Method { "Self::may_run" } else { "may_run" };
                self.permission = entry.function(example, errors);
            }
            "struct" => self.type_name = type_name(entry, errors),
            "crate" => self.krate = entry.path("::agentscope_tool", errors),
            _ => {}
        }
    }

    /// Lets no fault follow from a key that was misspelt or misplaced.
    fn suppose(&mut self, meant: Option<&str>, key: &Ident) {
        match meant {
            Some("description") => self.has_description_key = true,
            Some("external") => self.has_faulty_external = true,
            Some("undocumented") => self.undocumented = Some(Flag { key: key.clone(), value: true }),
            _ => {}
        }
    }

    /// The set of profiles that the arguments are checked against, as an expression.
    pub(crate) fn profiles(&self, span: Span) -> TokenStream {
        match &self.profiles {
            Some(profiles) => profiles.to_expr(span),
            None => quote_spanned!(span=> __p::tree::Profiles::DEFAULT),
        }
    }

    /// Where profiles are named.
    pub(crate) fn profiles_key(&self) -> Option<&Ident> {
        self.profiles.as_ref().map(Profiles::key)
    }

    /// The profiles as they were written.
    pub(crate) fn named_profiles(&self) -> Option<&[Ident]> {
        self.profiles.as_ref().map(Profiles::names)
    }

    pub(crate) fn is_external(&self) -> bool {
        is_on(self.external.as_ref())
    }

    pub(crate) fn is_blocking(&self) -> bool {
        is_on(self.blocking.as_ref())
    }

    pub(crate) fn is_undocumented(&self) -> bool {
        is_on(self.undocumented.as_ref())
    }

    /// The flags that go into the spec as they are: the builder's method and the value.
    pub(crate) fn spec_flags(&self) -> impl Iterator<Item = (&'static str, bool)> {
        [
            ("read_only", &self.read_only),
            ("concurrency_safe", &self.concurrency_safe),
            ("external", &self.external),
            ("state_injected", &self.state_injected),
            ("destructive", &self.destructive),
            ("idempotent", &self.idempotent),
            ("open_world", &self.open_world),
        ]
        .into_iter()
        .filter_map(|(method, flag)| flag.as_ref().map(|flag| (method, flag.value)))
        // What the function of `permission` looks at has to be what runs.
        .chain(self.permission.iter().map(|_| ("fill_defaults", true)))
    }
}

fn is_on(flag: Option<&Flag>) -> bool {
    flag.is_some_and(|flag| flag.value)
}

fn type_name(entry: Entry, errors: &mut Errors) -> Option<Ident> {
    if let Value::Expr(Expr::Path(path)) = &entry.value
        && let Some(ident) = path.path.get_ident()
        && path.qself.is_none()
    {
        return Some(ident.clone());
    }
    match entry.value {
        Value::Expr(value) => {
            errors.at(value, "`struct` must be the name of a type that does not exist yet: write `struct = MyTool`")
        }
        Value::Broken => {}
        Value::Flag | Value::List(_) => {
            errors.at(&entry.key, "`struct` needs the name of a type that does not exist yet: write `struct = MyTool`")
        }
    }
    None
}
