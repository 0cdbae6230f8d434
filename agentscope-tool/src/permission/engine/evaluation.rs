//! The steps that every mode is made of. Each asks one thing and writes into the trace what it found.

use std::borrow::Cow;
use std::sync::Arc;

use crate::args::Excerpt;
use crate::permission::context::{PermissionContext, PermissionMode, ReadOnlyPolicy};
use crate::permission::decision::PermissionDecision;
use crate::permission::footprint::{Footprint, How, Protected};
use crate::permission::rule::{PermissionBehavior, PermissionRule, READ_TOOLS, WRITE_TOOLS};
use crate::permission::trace::{PermissionStep, PermissionTrace, TraceStep};
use crate::tool::{Tool, ToolInput};

/// One call on its way through the steps.
pub(super) struct Evaluation<'a> {
    context: PermissionContext,
    tool: &'a dyn Tool,
    input: &'a ToolInput,
    footprint: Arc<Footprint>,
    trace: Vec<TraceStep>,
    /// Why the tool itself would ask, for whoever is asked in the end.
    tool_asks: Option<String>,
    updated_input: Option<serde_json::Map<String, serde_json::Value>>,
}

/// A rule that decides, and the part of the call that it is about.
pub(super) struct Hit {
    rule: PermissionRule,
    part: Option<String>,
    note: Cow<'static, str>,
}

/// A rule that allows all of a call, or the part that the others leave.
pub(super) struct Covering {
    rule: PermissionRule,
    others: Vec<PermissionRule>,
}

/// What a tool says of a call, as far as it matters for the next step.
pub(super) enum ToolSays {
    /// It allows or denies.
    Decides(PermissionDecision),
    SafetyAsk(PermissionDecision),
    /// An ask that is no safety check, or no opinion.
    GoOn,
}

impl<'a> Evaluation<'a> {
    pub(super) async fn begin(context: &PermissionContext, tool: &'a dyn Tool, input: &'a ToolInput) -> Self {
        let footprint = Arc::new(tool.footprint(input).await.resolved(context, tool.name()).await);
        Self {
            context: context.for_call(Arc::clone(&footprint)),
            tool,
            input,
            footprint,
            trace: Vec::with_capacity(6),
            tool_asks: None,
            updated_input: None,
        }
    }

    pub(super) fn policy(&self) -> ReadOnlyPolicy {
        self.context.read_only_policy()
    }

    /// A rule that denies the call or a part of it.
    pub(super) fn deny_rule(&mut self) -> Option<Hit> {
        let hit = self.rule_that_hits(PermissionBehavior::Deny);
        if hit.is_none() {
            self.note(PermissionStep::DenyRules, "none hits");
        }
        hit
    }

    /// A rule that asks about the call or a part of it; also one that would deny it or ask if what is not known of the
    /// call is what the rule speaks about.
    pub(super) fn ask_rule(&mut self) -> Option<Hit> {
        let hit = self.rule_that_hits(PermissionBehavior::Ask).or_else(|| self.rule_that_might_hit());
        if hit.is_none() {
            self.note(PermissionStep::AskRules, "none hits");
        }
        hit
    }

    fn rule_that_hits(&self, behavior: PermissionBehavior) -> Option<Hit> {
        let name = self.tool.name();
        let own = self.context.rules_of(behavior, name).iter().find(|rule| self.matches(rule));
        if let Some(rule) = own {
            return Some(Hit { rule: rule.clone(), part: self.part_of(rule), note: "hits".into() });
        }
        let others = self.footprint.path_tools(name).flat_map(|tool| self.context.rules_of(behavior, tool));
        let (rule, path) = others.filter_map(|rule| Some((rule, self.footprint.hit_by(rule)?))).next()?;
        Some(Hit {
            rule: rule.clone(),
            part: Some(path.resolved().to_owned()),
            note: "speaks about paths, and hits".into(),
        })
    }

    fn rule_that_might_hit(&self) -> Option<Hit> {
        // Of what is wholly unknown, the tool's own rules might speak as well as those about paths.
        let (what, own, tools) = match (self.footprint.unknown(), self.footprint.unknown_reads()) {
            (Some(what), _) => (what, Some(self.tool.name()), [&READ_TOOLS[..], &WRITE_TOOLS[..]]),
            (None, Some(what)) => (what, None, [&READ_TOOLS[..], &[]]),
            (None, None) => return None,
        };
        let might_hit = |behavior| {
            let tools = own.into_iter().chain(tools.into_iter().flatten().copied());
            tools.flat_map(|tool| self.context.rules_of(behavior, tool)).find(|rule| rule.content().is_some()).cloned()
        };
        let rule = might_hit(PermissionBehavior::Deny).or_else(|| might_hit(PermissionBehavior::Ask))?;
        let would = if rule.behavior() == PermissionBehavior::Deny { "deny" } else { "ask about" };
        Some(Hit { rule, part: None, note: format!("might {would} what is not known of the call: {what}").into() })
    }

    /// The tool's own rules are matched by the tool; one without content matches every call, whatever the tool thinks.
    pub(super) fn matches(&self, rule: &PermissionRule) -> bool {
        rule.content().is_none() || self.tool.match_rule(rule, self.input, &self.footprint)
    }

    /// The part of the call that a rule with a content hits, if the tool tells the parts apart.
    fn part_of(&self, rule: &PermissionRule) -> Option<String> {
        rule.content()?;
        let parts = self.footprint.parts();
        let all = parts.len();
        let hit: Vec<_> = parts.into_iter().filter(|(_, part)| self.tool.match_rule(rule, self.input, part)).collect();
        if hit.len() == all && all > 1 { None } else { hit.into_iter().next().map(|(words, _)| words) }
    }

    /// Whether the call only reads and that is enough for it to run.
    pub(super) async fn is_read_only(&mut self, policy: ReadOnlyPolicy) -> bool {
        let says = self.tool.check_read_only(self.input).await;
        match (says, policy) {
            (true, _) if self.footprint.writes_any() || self.footprint.unknown().is_some() => {
                self.note(PermissionStep::ReadOnly, "the tool says so, but what it touches says otherwise");
            }
            (false, _) => self.note(PermissionStep::ReadOnly, "the call does more than read"),
            (true, ReadOnlyPolicy::ByMode) => {
                self.note(PermissionStep::ReadOnly, "the call only reads, which this mode does not allow by itself");
            }
            (true, ReadOnlyPolicy::Always) => return true,
        }
        false
    }

    /// What the tool says. A call that writes to a protected path is a matter of safety unless the tool denies it.
    pub(super) async fn tool_says(&mut self) -> ToolSays {
        let said = self.tool.check_permissions(self.input, &self.context).await;
        self.updated_input.clone_from(&said.updated_input);
        if said.behavior == PermissionBehavior::Deny {
            return ToolSays::Decides(said);
        }
        if let Some(ask) = self.protected_path() {
            return ToolSays::SafetyAsk(ask);
        }
        match said.behavior {
            PermissionBehavior::Allow => ToolSays::Decides(said),
            PermissionBehavior::Ask if said.bypass_immune => {
                if self.context.mode() == PermissionMode::Bypass {
                    let note = format!("asks as a safety check, which `bypass` skips: {}", said.message);
                    self.note(PermissionStep::Tool, note);
                }
                ToolSays::SafetyAsk(said)
            }
            PermissionBehavior::Ask => {
                self.note(
                    PermissionStep::Tool,
                    if said.message.is_empty() { "asks".into() } else { format!("asks: {}", said.message) },
                );
                self.tool_asks = Some(said.message).filter(|message| !message.is_empty());
                ToolSays::GoOn
            }
            PermissionBehavior::Passthrough | PermissionBehavior::Deny => {
                self.note(PermissionStep::Tool, "has no opinion");
                ToolSays::GoOn
            }
        }
    }

    fn protected_path(&mut self) -> Option<PermissionDecision> {
        let Protected { entry, path, how } = self.footprint.protected_by(self.context.protected_paths())?;
        let shown = path.resolved().escape_debug().to_string();
        let shown = Excerpt::new(&shown);
        let (message, protects) = match how {
            How::Is => (format!("writes to `{shown}`, which is protected"), format!("`{entry}` protects")),
            How::LeadsAnywhere => (
                format!("writes to `{shown}`, and where that leads is not known, so it may be protected"),
                format!("`{entry}` might protect where it leads:"),
            ),
            How::MayHold => (
                format!("writes anything below `{shown}`, also what is protected there, such as `{entry}`"),
                format!("`{entry}` might protect something below"),
            ),
        };
        let ask = PermissionDecision::ask(message).because(format!("protected path: {entry}")).bypass_immune();
        let skips = if self.context.mode() == PermissionMode::Bypass { "`bypass` skips that " } else { "" };
        let mut step = TraceStep::new(PermissionStep::ProtectedPaths, None, format!("{skips}{protects}"));
        step.part = Some(path.resolved().to_owned());
        self.trace.push(step);
        Some(ask)
    }

    /// The rules that allow all of the call: one of them, or several of which each allows a part.
    pub(super) fn allow_rules(&mut self) -> Option<Covering> {
        let rules = self.context.rules_of(PermissionBehavior::Allow, self.tool.name());
        let covering = match rules.iter().find(|rule| rule.content().is_none()) {
            Some(rule) => vec![rule.clone()],
            None if rules.is_empty() => Vec::new(),
            None => self.tool.rules_that_cover(rules, self.input, &self.footprint),
        };
        let mut covering = covering.into_iter();
        match covering.next() {
            Some(rule) => Some(Covering { rule, others: covering.collect() }),
            None => {
                self.note(PermissionStep::AllowRules, "none covers the call");
                None
            }
        }
    }

    pub(super) fn deny_by(self, hit: Hit) -> PermissionDecision {
        let message = format!("`{}` is denied by the rule `{}`", self.tool.name(), hit.rule);
        self.end_by(PermissionStep::DenyRules, PermissionBehavior::Deny, message, hit)
    }

    pub(super) fn ask_by(self, hit: Hit) -> PermissionDecision {
        let suggestions = self.suggestions();
        let name = self.tool.name();
        let message = match hit.rule.behavior() {
            PermissionBehavior::Deny => {
                format!("`{name}` might do what the rule `{}` denies, so it has to be confirmed", hit.rule)
            }
            _ => format!("the rule `{}` wants `{name}` to be confirmed", hit.rule),
        };
        let mut decision = self.end_by(PermissionStep::AskRules, PermissionBehavior::Ask, message, hit);
        decision.suggested_rules = Some(suggestions);
        decision
    }

    pub(super) fn allow_by(self, Covering { rule, others }: Covering) -> PermissionDecision {
        let name = self.tool.name();
        let (message, note) = match &others[..] {
            [] => (format!("`{name}` is allowed by the rule `{rule}`"), Cow::Borrowed("covers the call")),
            others => {
                let others: Vec<_> = others.iter().map(|rule| format!("`{rule}`")).collect();
                let others = others.join(", ");
                (
                    format!("`{name}` is allowed by the rules `{rule}`, {others}"),
                    format!("covers the call together with {others}").into(),
                )
            }
        };
        let hit = Hit { rule, part: None, note };
        self.end_by(PermissionStep::AllowRules, PermissionBehavior::Allow, message, hit)
    }

    pub(super) fn allow_read_only(self) -> PermissionDecision {
        let message = format!("this call of `{}` only reads", self.tool.name());
        let step = TraceStep::new(PermissionStep::ReadOnly, Some(PermissionBehavior::Allow), "the call only reads");
        self.end(PermissionDecision::allow(message).because("read-only"), step)
    }

    pub(super) fn ask_as_said(self, said: PermissionDecision) -> PermissionDecision {
        let suggestions = self.suggestions();
        let mut decision = self.end_as_said(said);
        decision.suggested_rules.get_or_insert(suggestions);
        decision
    }

    pub(super) fn end_as_said(mut self, mut said: PermissionDecision) -> PermissionDecision {
        if said.message.is_empty() {
            said.message = format!("`{}` itself says {}", self.tool.name(), said.behavior);
        }
        if said.decision_reason.is_none() {
            said.decision_reason = Some("the tool's own check".into());
        }
        let decided = Some(said.behavior);
        // The step that found a protected path has said so already, and decides.
        if let Some(step) = self.trace.pop_if(|step| step.step == PermissionStep::ProtectedPaths) {
            return self.end(said, TraceStep { decided, ..step });
        }
        let kind = if said.bypass_immune { "a safety check: " } else { "" };
        let step = TraceStep::new(PermissionStep::Tool, decided, format!("{kind}{}", said.message));
        self.end(said, step)
    }

    pub(super) fn ask_by_mode(mut self) -> PermissionDecision {
        let suggestions = self.suggestions();
        let mode = self.context.mode();
        let asks = self.tool_asks.take();
        let message = asks.unwrap_or_else(|| format!("`{}` needs a permission that no rule gives", self.tool.name()));
        let note = "nothing allows the call, so somebody has to be asked";
        let step = TraceStep::new(PermissionStep::Mode, Some(PermissionBehavior::Ask), note);
        let mut decision = self.end(PermissionDecision::ask(message).because(format!("mode: {mode}")), step);
        decision.suggested_rules = Some(suggestions);
        decision
    }

    pub(super) fn allow_by_mode(self, note: &'static str) -> PermissionDecision {
        self.end_by_mode(PermissionBehavior::Allow, note)
    }

    pub(super) fn deny_by_mode(self, note: &'static str) -> PermissionDecision {
        self.end_by_mode(PermissionBehavior::Deny, note)
    }

    fn end_by_mode(self, behavior: PermissionBehavior, note: &'static str) -> PermissionDecision {
        let done = if behavior == PermissionBehavior::Allow { "may run" } else { "may not run" };
        let message = format!("`{}` {done}: {note}", self.tool.name());
        let reason = format!("mode: {}", self.context.mode());
        let step = TraceStep::new(PermissionStep::Mode, Some(behavior), note);
        self.end(PermissionDecision::new(behavior, message).because(reason), step)
    }

    fn end_by(
        self,
        step: PermissionStep,
        behavior: PermissionBehavior,
        mut message: String,
        hit: Hit,
    ) -> PermissionDecision {
        if let Some(part) = &hit.part {
            message.push_str(&format!(", which hits `{}`", Excerpt::new(&part.escape_debug().to_string())));
        }
        if let Some(reason) = hit.rule.reason() {
            message.push_str(&format!(": {reason}"));
        }
        let reason = format!("rule: {}", hit.rule);
        let mut step = TraceStep::new(step, Some(behavior), hit.note);
        step.part = hit.part;
        step.rule = Some(hit.rule);
        self.end(PermissionDecision::new(behavior, message).because(reason), step)
    }

    fn end(mut self, mut decision: PermissionDecision, step: TraceStep) -> PermissionDecision {
        self.trace.push(step);
        decision.trace = PermissionTrace(self.trace);
        decision.updated_input = self.updated_input.filter(|_| decision.behavior != PermissionBehavior::Deny);
        decision
    }

    /// What the tool suggests, as far as it would really settle this call: each rule alone, or all of them together with
    /// those that are there.
    fn suggestions(&self) -> Vec<PermissionRule> {
        let mut suggestions = self.tool.generate_suggestions(self.input, &self.footprint);
        let name = self.tool.name();
        suggestions.retain(|rule| {
            rule.behavior() == PermissionBehavior::Allow && rule.tool_name() == name && rule.check().is_ok()
        });
        let (alone, parts): (Vec<_>, Vec<_>) = suggestions.into_iter().partition(|rule| self.matches(rule));
        if !alone.is_empty() || parts.is_empty() {
            return alone;
        }
        let own = self.context.rules_of(PermissionBehavior::Allow, name);
        let all: Vec<_> = own.iter().chain(&parts).cloned().collect();
        if self.tool.rules_that_cover(&all, self.input, &self.footprint).is_empty() {
            tracing::debug!(tool = name, ?parts, "left out suggested rules that would not allow the call");
            return Vec::new();
        }
        parts
    }

    fn note(&mut self, step: PermissionStep, note: impl Into<Cow<'static, str>>) {
        self.trace.push(TraceStep::new(step, None, note));
    }
}

impl PermissionDecision {
    /// What becomes of an ask when nobody is there to answer. The suggestions stay: they are what a rule could say.
    pub(super) fn denied_for_want_of_an_answer(mut self) -> Self {
        if self.behavior == PermissionBehavior::Ask {
            self.behavior = PermissionBehavior::Deny;
            self.message.push_str("; nobody is there to ask, so the call is denied");
            self.bypass_immune = false;
            self.updated_input = None;
            let note = "`dont_ask` denies what would have to be asked about";
            // Where it was the mode that asked, it is the mode's one step that it denies.
            self.trace.0.pop_if(|step| step.step == PermissionStep::Mode);
            self.trace.0.push(TraceStep::new(PermissionStep::Mode, Some(PermissionBehavior::Deny), note));
        }
        self
    }
}
