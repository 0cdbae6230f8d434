//! The natural form of types of every kind.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{natural, normalise};
