//! The application's values, found by type.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A value of the application that a tool gets injected: `#[state] db: State<Database>`.
///
/// It is a shared pointer: cheap to clone, and free to outlive the call, which a stream of results needs.
#[derive(Debug)]
pub struct State<T: ?Sized>(pub Arc<T>);

impl<T: ?Sized> Clone for State<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Values by type, one of each.
///
/// A value given as `T`, as `Arc<T>` or as [`State<T>`] is found as `T`; so an `Arc<dyn Trait>` is found as `dyn Trait`.
///
/// ```
/// use std::sync::Arc;
/// use agentscope_tool::Extensions;
///
/// let mut extensions = Extensions::new();
/// extensions.insert(String::from("a value"));
/// extensions.insert(Arc::<str>::from("keyed by str, not by Arc"));
/// assert_eq!(extensions.get::<String>().map(|value| value.as_str()), Some("a value"));
/// assert_eq!(extensions.get::<str>().map(|value| &**value), Some("keyed by str, not by Arc"));
/// ```
#[derive(Default)]
pub struct Extensions {
    /// Under the id of `T`: an `Arc<T>`, with the type's name.
    values: HashMap<TypeId, (&'static str, Box<dyn Any + Send + Sync>)>,
}

impl Extensions {
    /// No values.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Adds a value, and says whether there was one of the same type, which is dropped.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) -> bool {
        self.values.insert(TypeId::of::<T>(), (type_name::<T>(), Box::new(Arc::new(value)))).is_some()
    }

    /// The value of type `T`, shared. One given as `T` comes before one given as `Arc<T>` or `State<T>`.
    #[must_use]
    pub fn get<T: ?Sized + Send + Sync + 'static>(&self) -> Option<&Arc<T>> {
        self.entry::<Arc<T>>(TypeId::of::<T>())
            .or_else(|| self.entry::<Arc<Arc<T>>>(TypeId::of::<Arc<T>>()).map(|shared| &**shared))
            .or_else(|| self.entry::<Arc<State<T>>>(TypeId::of::<State<T>>()).map(|state| &state.0))
    }

    fn entry<E: 'static>(&self, key: TypeId) -> Option<&E> {
        self.values.get(&key).and_then(|(_, value)| value.downcast_ref())
    }
}

impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.values.values().map(|(name, _)| name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    trait Speak: Send + Sync {
        fn speak(&self) -> &'static str;
    }

    struct Cat;

    impl Speak for Cat {
        fn speak(&self) -> &'static str {
            "meow"
        }
    }

    #[test]
    fn a_trait_object_is_found_by_its_trait() {
        let mut extensions = Extensions::new();
        extensions.insert(Arc::new(Cat) as Arc<dyn Speak>);
        assert_eq!(extensions.get::<dyn Speak>().map(|cat| cat.speak()), Some("meow"));
        assert!(extensions.get::<Cat>().is_none());
    }

    #[test]
    fn a_state_is_found_by_what_it_holds() {
        let mut extensions = Extensions::new();
        extensions.insert(State(Arc::new(7_u8)));
        assert_eq!(extensions.get::<u8>().map(|value| **value), Some(7));
    }

    #[test]
    fn a_value_replaces_the_earlier_one_of_its_type() {
        let mut extensions = Extensions::new();
        assert!(!extensions.insert(1_u8));
        assert!(extensions.insert(2_u8));
        assert_eq!(extensions.get::<u8>().map(|value| **value), Some(2));
    }
}
