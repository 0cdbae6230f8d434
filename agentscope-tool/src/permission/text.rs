//! The text form of rules: `Tool` and `Tool(content)`.

use super::pattern::PatternError;

/// A rule that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("rule `{rule}`, character {position}: {fault}")]
pub struct RuleError {
    /// The rule as it is written.
    pub rule: String,
    /// The character at which the fault shows, counted from 1.
    pub position: usize,
    /// What is wrong.
    pub fault: RuleFault,
}

/// What is wrong with a rule.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleFault {
    /// There is no tool name.
    #[error("the tool's name is missing: write `Tool` or `Tool(content)`")]
    NoToolName,
    /// A character that no tool name has.
    #[error("{character:?} cannot stand in a tool's name: write `Tool` or `Tool(content)`")]
    ToolName {
        /// The character.
        character: char,
    },
    /// The content is not closed.
    #[error("the `)` at the end is missing")]
    Unclosed,
    /// Something follows the content.
    #[error("nothing may follow the `)`")]
    Trailing,
    /// The content is empty.
    #[error("the content is empty: write `{tool}` to match every call")]
    EmptyContent {
        /// The tool's name.
        tool: String,
    },
    /// The content is a path pattern that is not valid.
    #[error("{0}")]
    Pattern(PatternError),
    /// A rule has no such behaviour.
    #[error("a rule allows, denies or asks; `passthrough` is for decisions only")]
    Passthrough,
}

/// The tool's name and the content. The content ends at the last `)`, so it may hold any characters.
pub(super) fn split(text: &str) -> Result<(&str, Option<&str>), RuleError> {
    let error = |byte: usize, fault| RuleError {
        rule: text.to_owned(),
        position: text.get(..byte).unwrap_or(text).chars().count() + 1,
        fault,
    };
    let start = text.len() - text.trim_start().len();
    let end = text.trim_end().len();
    let name_end = text.find('(').unwrap_or(end).max(start);
    let name = &text[start..name_end];
    if let Some((offset, character)) = name.char_indices().find(|(_, character)| !is_name_character(*character)) {
        return Err(error(start + offset, RuleFault::ToolName { character }));
    }
    if name.is_empty() {
        return Err(error(start, RuleFault::NoToolName));
    }
    if name_end == end {
        return Ok((name, None));
    }
    let open = name_end + 1;
    let Some(close) = text[open..end].rfind(')').map(|offset| open + offset) else {
        return Err(error(end, RuleFault::Unclosed));
    };
    if close + 1 != end {
        return Err(error(close + 1, RuleFault::Trailing));
    }
    let content = &text[open..close];
    if content.trim().is_empty() {
        return Err(error(open, RuleFault::EmptyContent { tool: name.to_owned() }));
    }
    Ok((name, Some(content)))
}

/// Wider than the names that providers take, since rules may name tools of any origin.
fn is_name_character(character: char) -> bool {
    !(character.is_whitespace() || character.is_control() || matches!(character, '(' | ')' | ',' | '`' | '"' | '\''))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::permission::{PermissionBehavior, PermissionRule};

    fn fault(text: &str) -> String {
        PermissionRule::allow(text).unwrap_err().to_string()
    }

    #[test]
    fn a_content_may_hold_parentheses_and_line_breaks() {
        for content in ["echo (a)", ")", "((", "a\nb", " x ", "日本 (語)"] {
            let rule = PermissionRule::allow(&format!(" Bash({content}) ")).unwrap();
            assert_eq!(rule.content(), Some(content));
            assert_eq!(rule.to_string(), format!("Bash({content})"));
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        insta::assert_snapshot!(
            ["", "  ", "(x)", "Bash(", "Bash(x", "Bash(x) y", "Bash()", "Bash( )", "Bash npm", "Edit(a/[b)", "日本 x", "Edit(é/**x)"]
                .map(fault)
                .join("\n"),
            @r"
        rule ``, character 1: the tool's name is missing: write `Tool` or `Tool(content)`
        rule `  `, character 3: the tool's name is missing: write `Tool` or `Tool(content)`
        rule `(x)`, character 1: the tool's name is missing: write `Tool` or `Tool(content)`
        rule `Bash(`, character 6: the `)` at the end is missing
        rule `Bash(x`, character 7: the `)` at the end is missing
        rule `Bash(x) y`, character 8: nothing may follow the `)`
        rule `Bash()`, character 6: the content is empty: write `Bash` to match every call
        rule `Bash( )`, character 6: the content is empty: write `Bash` to match every call
        rule `Bash npm`, character 5: ' ' cannot stand in a tool's name: write `Tool` or `Tool(content)`
        rule `Edit(a/[b)`, character 8: `[` is never closed; add its `]`, or write `[[]` if a name holds it
        rule `日本 x`, character 3: ' ' cannot stand in a tool's name: write `Tool` or `Tool(content)`
        rule `Edit(é/**x)`, character 8: `**` stands for whole components only; write `*x` within one name or `**/x` across names
        "
        );
    }

    proptest! {
        #[test]
        fn a_rule_that_is_printed_reads_as_the_same_rule(name in "[A-Za-z_][A-Za-z0-9_.-]{0,20}", content in proptest::option::of(any::<String>())) {
            let mut rule = PermissionRule::whole_tool(format!("t{name}"), PermissionBehavior::Deny);
            if let Some(content) = content.filter(|content| !content.trim().is_empty()) {
                rule = rule.with_content(content);
            }
            prop_assert_eq!(PermissionRule::deny(&rule.to_string()).unwrap(), rule);
        }

        #[test]
        fn any_text_is_a_rule_or_an_error(text in any::<String>()) {
            if let Ok(rule) = PermissionRule::ask(&text) {
                prop_assert_eq!(rule.to_string(), text.trim());
            }
        }
    }
}
