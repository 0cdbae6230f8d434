//! A place for the specs of a generic tool type.

use std::any::TypeId;
use std::sync::{OnceLock, RwLock};

use super::ToolSpec;

/// A `static` in which each instance of a generic tool type has its spec.
///
/// A `static` inside a generic `impl` is one for all instances, so the first one's spec lies in the cell itself and
/// the others' in a list. Those are never freed; there are as many as the program has types.
#[derive(Debug, Default)]
pub struct SpecCell {
    first: OnceLock<(TypeId, ToolSpec)>,
    others: RwLock<Vec<(TypeId, &'static ToolSpec)>>,
}

impl SpecCell {
    /// An empty cell.
    #[must_use]
    pub const fn new() -> Self {
        Self { first: OnceLock::new(), others: RwLock::new(Vec::new()) }
    }

    /// The spec of `T`, made by `init` if it is asked for the first time.
    pub fn get<T: ?Sized + 'static>(&'static self, init: impl Fn() -> ToolSpec) -> &'static ToolSpec {
        let id = TypeId::of::<T>();
        let (first, spec) = self.first.get_or_init(|| (id, init()));
        if *first == id {
            return spec;
        }
        let find =
            |specs: &[(TypeId, &'static ToolSpec)]| specs.iter().find(|(of, _)| *of == id).map(|(_, spec)| *spec);
        if let Some(spec) = find(&self.others.read().unwrap_or_else(|poisoned| poisoned.into_inner())) {
            return spec;
        }
        // Made outside of the lock: making a spec runs the user's code.
        let made = init();
        let mut others = self.others.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        find(&others).unwrap_or_else(|| {
            let spec: &'static ToolSpec = Box::leak(Box::new(made));
            others.push((id, spec));
            spec
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_its_own_spec_and_keeps_it() {
        static CELL: SpecCell = SpecCell::new();
        let get = |name: &'static str| move || ToolSpec::builder(name, "d").no_params().build();
        let first = CELL.get::<u8>(get("a"));
        let second = CELL.get::<u16>(get("b"));
        assert_eq!((first.name(), second.name()), ("a", "b"));
        assert!(std::ptr::eq(second, CELL.get::<u16>(get("c"))));
        assert!(std::ptr::eq(first, CELL.get::<u8>(get("c"))));
    }
}
