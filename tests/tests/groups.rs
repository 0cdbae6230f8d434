//! Groups of tools and skills: what a model sees, and how it switches groups on and off.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

use agentscope_tool::prelude::*;
use agentscope_tool::{Skill, ToolGroup, ToolkitFault};
use serde_json::json;

/// Look something up.
#[tool(read_only)]
async fn look_up(
    /** What. */
    query: String,
) -> String {
    format!("found {query}")
}

/// Run a query.
#[tool]
async fn run_query() -> &'static str {
    "rows"
}

/// Say hello.
#[tool]
async fn hello() -> &'static str {
    "hello"
}

/// A tool of any name.
fn plain(name: &str) -> FunctionTool {
    let schema = json!({ "type": "object", "properties": {} });
    FunctionTool::with_schema(name, "Do something.", schema, |_, _| async { "done" }).build().unwrap()
}

fn web() -> ToolGroup {
    ToolGroup::new("web", "Search the web.").instructions("Cite what you find.").tool(LookUp)
}

fn db() -> ToolGroup {
    ToolGroup::new("db", "Ask the database.").tool(RunQuery)
}

fn toolkit() -> Toolkit {
    Toolkit::builder().tool(Hello).group(web()).group(db()).build().unwrap()
}

fn names(toolkit: &Toolkit, state: &AgentState) -> Vec<String> {
    toolkit.specs(state).iter().map(|spec| spec.name().to_owned()).collect()
}

async fn call(toolkit: &Toolkit, state: &AgentState, name: &str, input: &str) -> ToolResponse {
    toolkit.call(ToolCall::new("c", name, input), state).await
}

async fn reset(toolkit: &Toolkit, state: &AgentState, input: &str) -> ToolResponse {
    call(toolkit, state, "reset_tools", input).await
}

fn active(state: &AgentState) -> Vec<String> {
    state.read(|record| record.tool_context.activated_groups.clone())
}

#[tokio::test]
async fn a_model_sees_the_basic_tools_and_those_of_active_groups() {
    let (toolkit, state) = (toolkit(), AgentState::new());
    assert_eq!(names(&toolkit, &state), ["reset_tools", "hello"]);
    reset(&toolkit, &state, r#"{"db": true}"#).await;
    assert_eq!(names(&toolkit, &state), ["reset_tools", "hello", "run_query"]);
    assert_eq!(toolkit.schemas(&state).len(), 3);
    assert_eq!(names(&toolkit, &AgentState::new()).len(), 2, "another conversation has its own groups");
}

#[tokio::test]
async fn each_call_tells_the_whole_state() {
    let (toolkit, state) = (toolkit(), AgentState::new());
    let both = reset(&toolkit, &state, r#"{"db": true, "web": "true"}"#).await;
    assert_eq!(active(&state), ["db", "web"]);
    let one = reset(&toolkit, &state, r#"{"web": true, "db": false}"#).await;
    assert_eq!(active(&state), ["web"]);
    let none = reset(&toolkit, &state, "{}").await;
    assert!(active(&state).is_empty());
    let texts = [both, one, none].map(|response| response.text()).join("\n\n---\n\n");
    insta::assert_snapshot!("reset_tools_answers", texts);
}

#[tokio::test]
async fn what_is_not_a_group_changes_nothing() {
    let (toolkit, state) = (toolkit(), AgentState::new());
    reset(&toolkit, &state, r#"{"db": true}"#).await;
    let mut texts = Vec::new();
    for input in [r#"{"webb": true, "db": false}"#, r#"{"basic": false}"#, r#"{"web": 7}"#] {
        let response = reset(&toolkit, &state, input).await;
        assert_eq!(response.state, ToolResultState::Error, "{input}");
        assert_eq!(active(&state), ["db"], "{input}");
        texts.push(response.text());
    }
    insta::assert_snapshot!("reset_tools_errors", texts.join("\n"));
}

#[tokio::test]
async fn a_tool_of_an_inactive_group_says_which_group_to_activate() {
    let (toolkit, state) = (toolkit(), AgentState::new().with_permissions(PermissionMode::Bypass));
    for response in [
        call(&toolkit, &state, "run_query", "{}").await,
        toolkit.call_unchecked(ToolCall::new("c", "run_query", "{}"), &state).await,
    ] {
        assert_eq!(response.state, ToolResultState::Error);
        insta::assert_snapshot!("inactive_group", response.text());
    }
    let decision = toolkit.check(&ToolCall::new("c", "run_query", "{}"), &state).await;
    assert_eq!(decision.behavior, PermissionBehavior::Deny);

    reset(&toolkit, &state, r#"{"db": true}"#).await;
    assert_eq!(call(&toolkit, &state, "run_query", "{}").await.text(), "rows");
}

#[tokio::test]
async fn an_unknown_tool_is_compared_with_those_that_the_model_sees() {
    let response = call(&toolkit(), &AgentState::new(), "run_quer", "{}").await;
    assert!(!response.text().contains("run_query"), "{}", response.text());
}

#[tokio::test]
async fn groups_can_be_activated_in_every_mode() {
    for mode in [PermissionMode::Default, PermissionMode::Explore, PermissionMode::DontAsk] {
        let state = AgentState::new().with_permissions(mode);
        let response = reset(&toolkit(), &state, r#"{"web": true}"#).await;
        assert_eq!(response.state, ToolResultState::Success, "{mode:?}: {}", response.text());
    }
}

#[test]
fn the_schema_has_a_switch_for_each_group() {
    let spec = toolkit().spec("reset_tools").unwrap();
    insta::assert_json_snapshot!("reset_tools_schema", spec.input_schema());
    assert!(!spec.is_read_only() && spec.is_concurrency_safe());
    assert!(Toolkit::builder().tool(Hello).build().unwrap().spec("reset_tools").is_none());
}

#[test]
fn all_faults_of_groups_are_told_at_once() {
    let other = ToolGroup::new("web", "Again.").tool(Hello);
    let error = Toolkit::builder()
        .tool(Hello)
        .group(web())
        .group(other)
        .group(ToolGroup::new("basic", "Basic."))
        .group(ToolGroup::new("mute", " "))
        .group(ToolGroup::new("", "Nameless."))
        .build()
        .unwrap_err();
    insta::assert_snapshot!("group_faults", error);
}

#[test]
fn no_tool_takes_the_place_of_the_toolkits_own() {
    struct Shadow(ToolSpec);
    impl Tool for Shadow {
        fn spec(&self) -> &ToolSpec {
            &self.0
        }
        fn call(self: std::sync::Arc<Self>, _: ToolInput, _: ToolContext) -> ToolStream {
            ToolStream::once(async { "mine" })
        }
    }
    for name in ["reset_tools", "Skill"] {
        let tool = || Shadow(ToolSpec::builder(name, "Mine.").build());
        assert!(Toolkit::builder().tool(tool()).build().is_err());
        let toolkit = Toolkit::builder().group(web().skills(Skill::new("a", "A.", "a"))).build().unwrap();
        assert!(toolkit.add(tool()).is_err());
        assert!(toolkit.remove(name).is_none());
        assert!(toolkit.get(name).is_some());
    }
}

#[tokio::test]
async fn a_tool_can_be_added_to_a_group_later() {
    let (toolkit, state) = (toolkit(), AgentState::new());
    toolkit.add_to("db", plain("late")).unwrap();
    assert!(!names(&toolkit, &state).contains(&"late".to_owned()));
    reset(&toolkit, &state, r#"{"db": true}"#).await;
    assert!(names(&toolkit, &state).contains(&"late".to_owned()));

    toolkit.remove("late").unwrap();
    let unknown = toolkit.add_to("bd", plain("late")).unwrap_err();
    assert_eq!(unknown.faults, [ToolkitFault::UnknownGroup { group: "bd".into() }]);
    toolkit.add_to("basic", plain("late")).unwrap();
}

#[tokio::test]
async fn the_answer_can_be_worded_otherwise() {
    let builder = Toolkit::builder().group(web());
    let toolkit = builder.groups_text(|active| format!("{} on", active.len())).build().unwrap();
    assert_eq!(reset(&toolkit, &AgentState::new(), r#"{"web": true}"#).await.text(), "1 on");
}

#[tokio::test]
async fn skills_are_visible_with_their_group() {
    let pdf = Skill::new("pdf", "Fill in forms.", "Use qpdf.").in_dir("/skills/pdf");
    let sql = Skill::new("sql", "Write SQL.", "Use joins.");
    let toolkit = Toolkit::builder().group(db().skills(sql)).group(web()).build().unwrap();
    let state = AgentState::new();
    assert_eq!(toolkit.skill_instructions(&state).await, None);
    assert!(!names(&toolkit, &state).contains(&"Skill".to_owned()));

    reset(&toolkit, &state, r#"{"db": true}"#).await;
    assert!(toolkit.skill_instructions(&state).await.unwrap().contains("Write SQL."));
    assert_eq!(names(&toolkit, &state), ["Skill", "reset_tools", "run_query"]);
    assert_eq!(call(&toolkit, &state, "Skill", r#"{"skill": "sql"}"#).await.text(), "Use joins.");
    reset(&toolkit, &state, "{}").await;
    let response = call(&toolkit, &state, "Skill", r#"{"skill": "sql"}"#).await;
    assert_eq!(response.state, ToolResultState::Error);

    let always = Toolkit::builder().skills(pdf).build().unwrap();
    assert_eq!(names(&always, &state), ["Skill"]);
    let response = call(&always, &state, "Skill", r#"{"skill": "pfd"}"#).await;
    assert_eq!(response.text(), "There is no skill `pfd`. The skills are: `pdf`.");
}

#[tokio::test]
async fn the_later_of_two_skills_with_one_name_is_meant_and_the_list_can_be_worded_otherwise() {
    let skills = vec![Skill::new("a", "First.", "1"), Skill::new("a", "Second.", "2")];
    let toolkit = Toolkit::builder().skills(skills).skills_text(|skills| skills[0].description.clone());
    let toolkit = toolkit.build().unwrap();
    let state = AgentState::new();
    assert_eq!(toolkit.skill_instructions(&state).await.unwrap(), "Second.");
    assert_eq!(call(&toolkit, &state, "Skill", r#"{"skill": "a"}"#).await.text(), "2");
    assert_eq!(toolkit.spec("Skill").unwrap().input_schema()["required"], json!(["skill"]));
}
