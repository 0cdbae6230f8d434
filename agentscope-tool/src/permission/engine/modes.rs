//! The order of evaluation, one function for each mode.

use super::evaluation::{Evaluation, ToolSays};
use crate::permission::context::{PermissionMode, ReadOnlyPolicy};
use crate::permission::decision::PermissionDecision;

impl Evaluation<'_> {
    pub(super) async fn decide(self, mode: PermissionMode) -> PermissionDecision {
        match mode {
            PermissionMode::Default => self.in_default().await,
            PermissionMode::AcceptEdits => self.in_accept_edits().await,
            PermissionMode::Explore => self.in_explore().await,
            PermissionMode::Bypass => self.in_bypass().await,
            PermissionMode::DontAsk => self.in_dont_ask().await,
        }
    }

    async fn in_default(mut self) -> PermissionDecision {
        if let Some(hit) = self.deny_rule() {
            return self.deny_by(hit);
        }
        if let Some(hit) = self.ask_rule() {
            return self.ask_by(hit);
        }
        if self.is_read_only(self.policy()).await {
            return self.allow_read_only();
        }
        match self.tool_says().await {
            ToolSays::Decides(said) => return self.end_as_said(said),
            ToolSays::SafetyAsk(said) => return self.ask_as_said(said),
            ToolSays::GoOn => {}
        }
        if let Some(rules) = self.allow_rules() {
            return self.allow_by(rules);
        }
        self.ask_by_mode()
    }

    async fn in_accept_edits(mut self) -> PermissionDecision {
        if let Some(hit) = self.deny_rule() {
            return self.deny_by(hit);
        }
        if let Some(hit) = self.ask_rule() {
            return self.ask_by(hit);
        }
        if self.is_read_only(ReadOnlyPolicy::Always).await {
            return self.allow_read_only();
        }
        match self.tool_says().await {
            ToolSays::Decides(said) => return self.end_as_said(said),
            ToolSays::SafetyAsk(said) => return self.ask_as_said(said),
            ToolSays::GoOn => {}
        }
        if let Some(rules) = self.allow_rules() {
            return self.allow_by(rules);
        }
        self.ask_by_mode()
    }

    async fn in_explore(mut self) -> PermissionDecision {
        if let Some(hit) = self.deny_rule() {
            return self.deny_by(hit);
        }
        if let Some(hit) = self.ask_rule() {
            return self.ask_by(hit);
        }
        if self.is_read_only(ReadOnlyPolicy::Always).await {
            return self.allow_read_only();
        }
        self.deny_by_mode("`explore` runs only calls that just read")
    }

    async fn in_bypass(mut self) -> PermissionDecision {
        if let Some(hit) = self.deny_rule() {
            return self.deny_by(hit);
        }
        if let Some(hit) = self.ask_rule() {
            return self.ask_by(hit);
        }
        if self.is_read_only(ReadOnlyPolicy::Always).await {
            return self.allow_read_only();
        }
        match self.tool_says().await {
            ToolSays::Decides(said) => return self.end_as_said(said),
            ToolSays::SafetyAsk(_) | ToolSays::GoOn => {}
        }
        if let Some(rules) = self.allow_rules() {
            return self.allow_by(rules);
        }
        self.allow_by_mode("`bypass` runs what no rule denies or asks about")
    }

    async fn in_dont_ask(mut self) -> PermissionDecision {
        if let Some(hit) = self.deny_rule() {
            return self.deny_by(hit);
        }
        if let Some(hit) = self.ask_rule() {
            return self.ask_by(hit).denied_for_want_of_an_answer();
        }
        if self.is_read_only(self.policy()).await {
            return self.allow_read_only();
        }
        match self.tool_says().await {
            ToolSays::Decides(said) => return self.end_as_said(said),
            ToolSays::SafetyAsk(said) => return self.ask_as_said(said).denied_for_want_of_an_answer(),
            ToolSays::GoOn => {}
        }
        if let Some(rules) = self.allow_rules() {
            return self.allow_by(rules);
        }
        self.ask_by_mode().denied_for_want_of_an_answer()
    }
}
