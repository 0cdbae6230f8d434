//! The trees of types of other crates, behind features that are named after the crates.

#[allow(unused_imports)]
use super::{
    Constraint::{self, ExclusiveMaximum, Format, Minimum, Pattern},
    Field, Kind,
    Literal::{self, Integer, Text},
    Node, NodeRef, Scalar, Shape, Tagging, ToolType, Variant,
    collections::{lists, maps},
    scalars::scalar,
};

impl ToolType for serde_json::Value {
    const NODE: NodeRef = {
        static NODE: Node = Node::new("", Kind::Any);
        NodeRef::of(&NODE)
    };
}

impl ToolType for serde_json::Map<String, serde_json::Value> {
    const NODE: NodeRef = {
        static NODE: Node =
            Node::new("", Kind::Map { key: String::NODE, value: <serde_json::Value as ToolType>::NODE });
        NodeRef::of(&NODE)
    };
}

scalar! {
    serde_json::Number => Number;
}

#[cfg(feature = "indexmap")]
maps! {
    [K: ToolType, V: ToolType, H] indexmap::IndexMap<K, V, H>;
}
#[cfg(feature = "indexmap")]
lists! {
    true [T: ToolType, H] indexmap::IndexSet<T, H>;
}

#[cfg(feature = "uuid")]
scalar! {
    uuid::Uuid => String, Format("uuid");
}

#[cfg(feature = "url")]
scalar! {
    url::Url => String, Format("uri");
}

#[cfg(feature = "rust_decimal")]
impl ToolType for rust_decimal::Decimal {
    const NODE: NodeRef = {
        static NODE: Node =
            Node::scalar(&[Scalar::String, Scalar::Number]).with(&[Pattern(Text(r"^-?\d+(\.\d+)?([eE]\d+)?$"))]);
        NodeRef::of(&NODE)
    };
}

#[cfg(feature = "chrono")]
mod chrono_types {
    use super::*;

    scalar! {
        chrono::NaiveDate => String, Format("date");
        chrono::NaiveDateTime => String, Format("partial-date-time");
        chrono::NaiveTime => String, Format("partial-time");
    }

    impl<Tz: chrono::TimeZone> ToolType for chrono::DateTime<Tz> {
        const NODE: NodeRef = {
            static NODE: Node = Node::scalar(&[Scalar::String]).with(&[Format("date-time")]);
            NodeRef::of(&NODE)
        };
    }

    impl ToolType for chrono::Weekday {
        const NODE: NodeRef = {
            static NODE: Node = Node::new(
                "Weekday",
                Kind::Enum {
                    tagging: Tagging::External,
                    variants: &[
                        Variant::new("Mon", Shape::Unit),
                        Variant::new("Tue", Shape::Unit),
                        Variant::new("Wed", Shape::Unit),
                        Variant::new("Thu", Shape::Unit),
                        Variant::new("Fri", Shape::Unit),
                        Variant::new("Sat", Shape::Unit),
                        Variant::new("Sun", Shape::Unit),
                    ],
                    is_closed: false,
                },
            );
            NodeRef::of(&NODE)
        };
    }

    impl ToolType for chrono::TimeDelta {
        const NODE: NodeRef = {
            static NANOS: Node =
                Node::scalar(&[Scalar::Integer]).with(&[Minimum(Integer(0)), ExclusiveMaximum(Integer(1_000_000_000))]);
            static NODE: Node =
                Node::new("", Kind::Tuple(&[Field::new("", i64::NODE), Field::new("", NodeRef::of(&NANOS))]));
            NodeRef::of(&NODE)
        };
    }
}
