//! The path of the `agentscope-tool` crate in the user's crate.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::Path;

/// `crate = path` if the user wrote it; else the name that the user's `Cargo.toml` gives the crate.
pub(crate) fn path(chosen: Option<&Path>, span: Span) -> TokenStream {
    if let Some(path) = chosen {
        return path.to_token_stream();
    }
    match crate_name("agentscope-tool") {
        // Inside of the crate's own package the name works too: its tests and examples see it as a dependency,
        // and the library itself says `extern crate self as agentscope_tool`.
        Ok(FoundCrate::Itself) | Err(_) => quote_spanned!(span=> ::agentscope_tool),
        Ok(FoundCrate::Name(name)) => {
            let name = Ident::new(&name, span);
            quote_spanned!(span=> ::#name)
        }
    }
}
