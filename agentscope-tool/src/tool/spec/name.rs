//! The rule for tool names.

/// The names of the tools that toolkits provide themselves.
pub(crate) const RESERVED: [&str; 2] = ["Skill", "reset_tools"];

/// Whether the name is one that every provider accepts: `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`, the intersection of what
/// OpenAI, Anthropic, Bedrock and DeepSeek (letters, digits, `_`, `-`, at most 64) and Gemini (begins with a letter
/// or `_`) document.
pub(crate) fn is_legal(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
        && name.len() <= 64
}
