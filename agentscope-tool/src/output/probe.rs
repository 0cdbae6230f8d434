//! Finds the output schema of a tool's return type at compile time, if it has one.
//!
//! Rust has no specialisation; a method that one trait gives to `OutputProbe<R>` and another to `&OutputProbe<R>` is
//! picked by method resolution, which tries the value before the reference.

use std::marker::PhantomData;

use schemars::JsonSchema;

use super::convert::Json;
use crate::tool::SpecBuilder;

/// Stands for the return type `R` of a tool.
#[derive(Clone, Copy, Debug)]
pub struct OutputProbe<R>(PhantomData<fn() -> R>);

impl<R> OutputProbe<R> {
    /// A probe for `R`.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only generated code makes probes")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// For return types that say what they give: `Json<T>` and `Result<Json<T>, E>`, with `T: JsonSchema`.
pub trait DescribeOutput {
    /// Adds the schema of `T` as the output schema.
    fn describe(self, builder: SpecBuilder) -> SpecBuilder;
}

/// For every other return type.
pub trait NoOutput {
    /// Leaves the builder as it is.
    fn describe(self, builder: SpecBuilder) -> SpecBuilder;
}

impl<T: JsonSchema> DescribeOutput for OutputProbe<Json<T>> {
    fn describe(self, builder: SpecBuilder) -> SpecBuilder {
        builder.output::<T>()
    }
}

impl<T: JsonSchema, E> DescribeOutput for OutputProbe<Result<Json<T>, E>> {
    fn describe(self, builder: SpecBuilder) -> SpecBuilder {
        builder.output::<T>()
    }
}

impl<R> NoOutput for &OutputProbe<R> {
    fn describe(self, builder: SpecBuilder) -> SpecBuilder {
        builder
    }
}
