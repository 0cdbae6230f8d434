//! A tool as a provider is told of it.
//!
//! [`ToolSpec::render`](crate::ToolSpec::render) writes the definition of one tool, [`Toolkit::render`](crate::Toolkit::render) those of all
//! that a conversation sees. The schema is the natural form where the provider takes it, else the [portable](super::portable()) one.

mod counts;
mod envelope;
mod error;
mod keywords;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub(crate) use counts::Counts;
pub use envelope::Api;
pub use error::{ProfileError, ProfileFault};

use super::profile::{Form, Profile};
use super::{gemini_parameters, portable};

/// The schema in the form that the profile takes; nothing where the arguments have to be left out.
pub(crate) fn schema(natural: &Value, profile: Profile) -> Result<Option<Value>, Vec<ProfileFault>> {
    let rules = profile.rules();
    let found = keywords::refused(natural, &rules);
    let rendered = match rules.form {
        Form::NaturalOrPortable if found.is_empty() => return Ok(Some(natural.clone())),
        Form::NaturalOrPortable => match portable(natural) {
            // A name is not mended by another form.
            Ok(_) if found.iter().any(ProfileFault::is_about_a_name) => return Err(found),
            Ok(schema) => Some(schema),
            // The natural form has what is refused, and there is no other one.
            Err(_) => return Err(found),
        },
        Form::Portable => Some(portable(natural).map_err(|fault| vec![ProfileFault::of_form(&fault)])?),
        Form::Gemini => gemini_parameters(natural).map_err(|fault| vec![ProfileFault::of_form(&fault)])?,
    };
    let faults = rendered.as_ref().map(|schema| Counts::of(schema).beyond(&rules)).unwrap_or_default();
    if faults.is_empty() { Ok(rendered) } else { Err(faults) }
}
