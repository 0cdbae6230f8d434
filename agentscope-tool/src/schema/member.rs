//! Looking up a member of an object.

use serde_json::{Map, Value};

/// The member of that name. In an object of few members, comparing their keys is faster than hashing the name.
pub(crate) fn member<'a>(members: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    const FEW: usize = 8;
    if members.len() <= FEW {
        return members.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
    }
    members.get(name)
}
