//! A settings file as a JSON value, and where in the text each of its values is.

mod json;
#[cfg(feature = "toml")]
mod toml;

use std::collections::HashMap;

use serde_json::Value;

pub(super) use json::json;
#[cfg(feature = "toml")]
pub(super) use toml::toml;

/// A parsed file.
pub(super) struct Document {
    pub(super) value: Value,
    places: HashMap<String, usize>,
}

impl Document {
    /// The byte at which the value at `path` begins, or the nearest value around it that is there.
    pub(super) fn offset(&self, path: &str) -> usize {
        let mut path = path;
        loop {
            if let Some(offset) = self.places.get(path) {
                return *offset;
            }
            match path.rfind(['.', '[']) {
                Some(end) => path = &path[..end],
                None => return 0,
            }
        }
    }
}

/// What is wrong with a text, and the byte at which it shows.
pub(super) struct SyntaxFault {
    pub(super) offset: usize,
    pub(super) message: String,
}
