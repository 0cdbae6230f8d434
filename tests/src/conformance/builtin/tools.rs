//! The ready-made tools, by name.

use std::sync::Arc;

use agentscope_tool::{Backend, Tool};
use agentscope_tool_builtins::{Bash, Edit, Glob, Grep, Read, TaskCreate, TaskGet, TaskList, TaskUpdate, Write};

/// Makes a tool that acts on a backend; the flag says whether what it changes has to be read before.
type Make = fn(Arc<dyn Backend>, bool) -> Arc<dyn Tool>;

/// All of them. A new tool needs a line here, and its cases run.
const TOOLS: [(&str, Make); 10] = [
    ("Bash", |backend, _| Arc::new(Bash::on(backend).keep_cwd())),
    ("Edit", |backend, checked| {
        let edit = Edit::on(backend);
        Arc::new(if checked { edit } else { edit.without_read_check() })
    }),
    ("Glob", |backend, _| Arc::new(Glob::on(backend))),
    ("Grep", |backend, _| Arc::new(Grep::on(backend))),
    ("Read", |backend, _| Arc::new(Read::on(backend))),
    ("TaskCreate", |_, _| Arc::new(TaskCreate)),
    ("TaskGet", |_, _| Arc::new(TaskGet)),
    ("TaskList", |_, _| Arc::new(TaskList)),
    ("TaskUpdate", |_, _| Arc::new(TaskUpdate)),
    ("Write", |backend, checked| {
        let write = Write::on(backend);
        Arc::new(if checked { write } else { write.without_read_check() })
    }),
];

pub(in crate::conformance) fn is_known(name: &str) -> bool {
    TOOLS.iter().any(|(known, _)| *known == name)
}

/// The tool of that name.
pub(in crate::conformance) fn tool(name: &str, backend: &Arc<dyn Backend>, checked: bool) -> Option<Arc<dyn Tool>> {
    TOOLS.iter().find(|(known, _)| *known == name).map(|(_, make)| make(Arc::clone(backend), checked))
}

/// Every tool.
pub(super) fn all(backend: &Arc<dyn Backend>, checked: bool) -> impl Iterator<Item = Arc<dyn Tool>> {
    TOOLS.iter().map(move |(_, make)| make(Arc::clone(backend), checked))
}
