//! What tools may use beside their arguments: the agent's state, and the application's own values by type.

mod agent;
mod extensions;
mod read_files;
mod record;

pub use agent::AgentState;
pub use extensions::{Extensions, State};
pub use read_files::FileVersion;
pub use record::{CachedFile, ReplyContext, StateRecord, Summary, Task, TaskState, TasksContext, ToolRecord};
