//! The trees of wrappers, lists, maps, tuples and of other generic types of the standard library.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::marker::PhantomData;
use std::num::Wrapping;
use std::ops::{Bound, Range, RangeInclusive};
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};

use super::{Constraint, Field, Kind, Literal, Node, NodeRef, Shape, Tagging, ToolType, Variant};

impl<T: ToolType> ToolType for Option<T> {
    const NODE: NodeRef = NodeRef::of(const { &Node::new("", Kind::Optional(T::NODE)) });
}

/// Types that are what the type inside of them is.
macro_rules! wrappers {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> ToolType for $ty {
            const NODE: NodeRef = T::NODE;
        }
    )*};
}

wrappers! {
    [T: ToolType + ?Sized] &T;
    [T: ToolType + ?Sized] Box<T>;
    [T: ToolType + ?Sized] Rc<T>;
    [T: ToolType + ?Sized] Arc<T>;
    [T: ToolType + ?Sized] Mutex<T>;
    [T: ToolType + ?Sized] RwLock<T>;
    [T: ToolType + ?Sized] Cell<T>;
    [T: ToolType + ?Sized] RefCell<T>;
    [T: ToolType + ?Sized + ToOwned] Cow<'_, T>;
    [T: ToolType] Wrapping<T>;
    [T: ToolType] Reverse<T>;
}

impl<T: ?Sized> ToolType for PhantomData<T> {
    const NODE: NodeRef = <()>::NODE;
}

/// Lists and sets.
macro_rules! lists {
    ($($set:literal [$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> ToolType for $ty {
            const NODE: NodeRef = NodeRef::of(const { &Node::new("", Kind::List { items: Some(T::NODE), is_set: $set }) });
        }
    )*};
}
pub(super) use lists;

lists! {
    false [T: ToolType] [T];
    false [T: ToolType] Vec<T>;
    false [T: ToolType] VecDeque<T>;
    false [T: ToolType] LinkedList<T>;
    false [T: ToolType] BinaryHeap<T>;
    true [T: ToolType] BTreeSet<T>;
    true [T: ToolType, H] HashSet<T, H>;
}

impl<T: ToolType, const N: usize> ToolType for [T; N] {
    const NODE: NodeRef = NodeRef::of(
        const {
            // schemars does not look at the items of an array that has none.
            let items = if N == 0 { None } else { Some(T::NODE) };
            let all: &'static [Constraint] = const {
                &[
                    Constraint::MaxLength(Literal::Integer(N as i128)),
                    Constraint::MinLength(Literal::Integer(N as i128)),
                ]
            };
            let constraints = if N == 0 { all.split_at(1).0 } else { all };
            &Node::new("", Kind::List { items, is_set: false }).with(constraints)
        },
    );
}

/// Maps.
macro_rules! maps {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> ToolType for $ty {
            const NODE: NodeRef = NodeRef::of(const { &Node::new("", Kind::Map { key: K::NODE, value: V::NODE }) });
        }
    )*};
}
pub(super) use maps;

maps! {
    [K: ToolType, V: ToolType] BTreeMap<K, V>;
    [K: ToolType, V: ToolType, H] HashMap<K, V, H>;
}

macro_rules! tuples {
    ($(($($name:ident)+))+) => {$(
        impl<$($name: ToolType),+> ToolType for ($($name,)+) {
            const NODE: NodeRef = NodeRef::of(const {
                &Node::new("", Kind::Tuple(const { &[$(Field::new("", $name::NODE)),+] }))
            });
        }
    )+};
}

tuples! {
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E F)
    (A B C D E F G)
    (A B C D E F G H)
    (A B C D E F G H I)
    (A B C D E F G H I J)
    (A B C D E F G H I J K)
    (A B C D E F G H I J K L)
}

impl<T: ToolType> ToolType for Range<T> {
    const NODE: NodeRef = NodeRef::of(
        const {
            &Node::named(
                "Range",
                Kind::Struct {
                    fields: const { &[Field::new("start", T::NODE), Field::new("end", T::NODE)] },
                    is_closed: false,
                },
            )
        },
    );
}

impl<T: ToolType> ToolType for RangeInclusive<T> {
    const NODE: NodeRef = Range::<T>::NODE;
}

impl<T: ToolType, E: ToolType> ToolType for Result<T, E> {
    const NODE: NodeRef = NodeRef::of(
        const {
            &Node::named(
                "Result",
                Kind::Enum {
                    tagging: Tagging::OpenExternal,
                    variants: const {
                        &[
                            Variant::new("Ok", Shape::Newtype(const { &Field::new("", T::NODE) })),
                            Variant::new("Err", Shape::Newtype(const { &Field::new("", E::NODE) })),
                        ]
                    },
                    is_closed: false,
                },
            )
        },
    );
}

impl<T: ToolType> ToolType for Bound<T> {
    const NODE: NodeRef = NodeRef::of(
        const {
            &Node::named(
                "Bound",
                Kind::Enum {
                    tagging: Tagging::OpenExternal,
                    variants: const {
                        &[
                            Variant::new("Included", Shape::Newtype(const { &Field::new("", T::NODE) })),
                            Variant::new("Excluded", Shape::Newtype(const { &Field::new("", T::NODE) })),
                            Variant::new("Unbounded", Shape::Unit),
                        ]
                    },
                    is_closed: false,
                },
            )
        },
    );
}
