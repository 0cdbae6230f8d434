//! Several writers of one file: nobody's work is lost.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use agentscope_tool::backend::{
    Backend, BackendError, ByteRange, Bytes, Command, Execution, FileStream, Stat, WriteOptions, Written,
};
use agentscope_tool::prelude::*;
use agentscope_tool::testing::MemoryBackend;
use agentscope_tool_builtins::{Edit, Read, Write};
use proptest::prelude::*;
use serde_json::{Value, json};

const PATH: &str = "/w/a.txt";

async fn call(tool: impl Tool + 'static, state: &AgentState, input: Value) -> ToolResponse {
    let cx = ToolContext::builder().agent_state(state).build();
    tool.invoke(input, cx).response().await
}

/// An environment in which somebody else writes to the file right before this process does.
#[derive(Debug)]
struct Busy {
    files: MemoryBackend,
    interferes: AtomicBool,
}

#[async_trait]
impl Backend for Busy {
    async fn exec(&self, command: Command) -> Result<Execution, BackendError> {
        self.files.exec(command).await
    }

    async fn write(&self, path: &str, content: Bytes, options: WriteOptions) -> Result<Written, BackendError> {
        if self.interferes.swap(false, Ordering::SeqCst) {
            self.files.write(path, "theirs\n".into(), WriteOptions::new()).await?;
        }
        self.files.write(path, content, options).await
    }

    async fn read_stream(&self, path: &str, range: ByteRange) -> Result<FileStream, BackendError> {
        self.files.read_stream(path, range).await
    }

    async fn stat(&self, path: &str) -> Result<Stat, BackendError> {
        self.files.stat(path).await
    }

    async fn canonicalize_all(&self, paths: &[String]) -> Vec<Result<String, BackendError>> {
        self.files.canonicalize_all(paths).await
    }
}

#[tokio::test]
async fn a_change_between_reading_and_writing_is_a_conflict() {
    for there in [true, false] {
        for tool in ["Edit", "Write"] {
            let files = MemoryBackend::new().dir("/w");
            let files = if there { files.file(PATH, "mine\n") } else { files };
            let busy = Arc::new(Busy { files: files.clone(), interferes: AtomicBool::new(true) });
            let backend: Arc<dyn Backend> = Arc::clone(&busy) as _;
            let state = AgentState::new();
            call(Read::on(Arc::clone(&backend)), &state, json!({ "file_path": PATH })).await;
            let response = match tool {
                "Edit" if !there => continue,
                "Edit" => {
                    let input = json!({ "file_path": PATH, "old_string": "mine", "new_string": "new" });
                    call(Edit::on(backend), &state, input).await
                }
                _ => call(Write::on(backend), &state, json!({ "file_path": PATH, "content": "new\n" })).await,
            };
            assert_eq!(response.state, ToolResultState::Error);
            assert!(response.text().contains("changed by somebody else"), "{}", response.text());
            assert_eq!(files.read(PATH, 100).await.unwrap().bytes, "theirs\n");
        }
    }
}

/// What one of several calls that run together does.
#[derive(Clone, Debug)]
enum Change {
    Replace(String, String),
    ReplaceAll(String, String),
    Write(String),
}

impl Change {
    /// The text afterwards; nothing when the call is refused.
    fn apply(&self, text: &str) -> Option<String> {
        match self {
            Self::Write(content) => Some(content.clone()),
            Self::Replace(old, new) | Self::ReplaceAll(old, new) if old == new || !text.contains(old.as_str()) => None,
            Self::ReplaceAll(old, new) => Some(text.replace(old, new)),
            Self::Replace(old, new) => {
                let at = text.find(old.as_str())?;
                let again = text[at + 1..].contains(old.as_str());
                (!again).then(|| text.replacen(old, new, 1))
            }
        }
    }

    async fn call(&self, backend: Arc<dyn Backend>, state: &AgentState) -> bool {
        let input = |old: &str, new: &str, all: bool| json!({ "file_path": PATH, "old_string": old, "new_string": new, "replace_all": all });
        let response = match self {
            Self::Replace(old, new) => call(Edit::on(backend), state, input(old, new, false)).await,
            Self::ReplaceAll(old, new) => call(Edit::on(backend), state, input(old, new, true)).await,
            Self::Write(content) => {
                call(Write::on(backend), state, json!({ "file_path": PATH, "content": content })).await
            }
        };
        response.state == ToolResultState::Success
    }
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => ("[abc]{1,2}", "[abc]{0,3}").prop_map(|(old, new)| Change::Replace(old, new)),
        2 => ("[abc]{1,2}", "[abc]{0,3}").prop_map(|(old, new)| Change::ReplaceAll(old, new)),
        1 => "[abc]{1,5}".prop_map(Change::Write),
    ]
}

/// Every text, with which calls succeeded, that some order of the changes leads to.
fn outcomes(text: &str, changes: &[Change]) -> BTreeSet<(String, Vec<bool>)> {
    fn go(text: &str, changes: &[Change], done: &mut Vec<Option<bool>>, found: &mut BTreeSet<(String, Vec<bool>)>) {
        if done.iter().all(Option::is_some) {
            found.insert((text.into(), done.iter().flatten().copied().collect()));
            return;
        }
        for index in 0..changes.len() {
            if done[index].is_none() {
                let after = changes[index].apply(text);
                done[index] = Some(after.is_some());
                go(after.as_deref().unwrap_or(text), changes, done, found);
                done[index] = None;
            }
        }
    }
    let mut found = BTreeSet::new();
    go(text, changes, &mut vec![None; changes.len()], &mut found);
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn calls_that_run_together_have_the_effect_of_some_order(
        text in "[abc]{1,8}",
        changes in proptest::collection::vec(change(), 2..6),
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
        let (after, succeeded) = runtime.block_on(async {
            let files = MemoryBackend::new().file(PATH, text.clone());
            let backend: Arc<dyn Backend> = Arc::new(files.clone());
            let state = AgentState::new();
            call(Read::on(Arc::clone(&backend)), &state, json!({ "file_path": PATH })).await;
            let calls: Vec<_> = changes
                .iter()
                .cloned()
                .map(|change| {
                    let (backend, state) = (Arc::clone(&backend), state.clone());
                    tokio::spawn(async move { change.call(backend, &state).await })
                })
                .collect();
            let mut succeeded = Vec::new();
            for call in calls {
                succeeded.push(call.await.unwrap());
            }
            let after = files.read(PATH, 1000).await.unwrap().bytes;
            (String::from_utf8(after.to_vec()).unwrap(), succeeded)
        });
        let outcomes = outcomes(&text, &changes);
        prop_assert!(outcomes.contains(&(after.clone(), succeeded.clone())), "{:?} {:?}", after, succeeded);
    }
}
