//! The trees of numbers, texts and the like.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8, NonZeroU16, NonZeroU32,
    NonZeroU64, NonZeroU128, NonZeroUsize,
};
use std::path::{Path, PathBuf};

use super::{Constraint, Field, Kind, Literal, Node, NodeRef, Scalar, ToolType};

/// `type => scalar, constraints`.
macro_rules! scalar {
    ($($ty:ty => $scalar:ident $(, $constraint:expr)*;)*) => {$(
        impl ToolType for $ty {
            const NODE: NodeRef = {
                static NODE: Node = Node::scalar(&[Scalar::$scalar]).with(&[$($constraint),*]);
                NodeRef::of(&NODE)
            };
        }
    )*};
}
pub(super) use scalar;

use Constraint::{Format, MaxLength, Maximum, MinLength, Minimum, Not};
use Literal::Integer;

// As in schemars' `json_schema_impls`: bounds where they are small, formats for numbers in the words of OpenAPI.
scalar! {
    () => Null;
    bool => Boolean;
    f32 => Number, Format("float");
    f64 => Number, Format("double");
    i8 => Integer, Format("int8"), Minimum(Integer(i8::MIN as i128)), Maximum(Integer(i8::MAX as i128));
    i16 => Integer, Format("int16"), Minimum(Integer(i16::MIN as i128)), Maximum(Integer(i16::MAX as i128));
    i32 => Integer, Format("int32");
    i64 => Integer, Format("int64");
    i128 => Integer, Format("int128");
    isize => Integer, Format("int");
    u8 => Integer, Format("uint8"), Minimum(Integer(0)), Maximum(Integer(u8::MAX as i128));
    u16 => Integer, Format("uint16"), Minimum(Integer(0)), Maximum(Integer(u16::MAX as i128));
    u32 => Integer, Format("uint32"), Minimum(Integer(0));
    u64 => Integer, Format("uint64"), Minimum(Integer(0));
    u128 => Integer, Format("uint128"), Minimum(Integer(0));
    usize => Integer, Format("uint"), Minimum(Integer(0));
    NonZeroI8 => Integer, Format("int8"), Minimum(Integer(i8::MIN as i128)), Maximum(Integer(i8::MAX as i128)), Not(Integer(0));
    NonZeroI16 => Integer, Format("int16"), Minimum(Integer(i16::MIN as i128)), Maximum(Integer(i16::MAX as i128)), Not(Integer(0));
    NonZeroI32 => Integer, Format("int32"), Not(Integer(0));
    NonZeroI64 => Integer, Format("int64"), Not(Integer(0));
    NonZeroI128 => Integer, Format("int128"), Not(Integer(0));
    NonZeroIsize => Integer, Format("int"), Not(Integer(0));
    NonZeroU8 => Integer, Format("uint8"), Minimum(Integer(1)), Maximum(Integer(u8::MAX as i128));
    NonZeroU16 => Integer, Format("uint16"), Minimum(Integer(1)), Maximum(Integer(u16::MAX as i128));
    NonZeroU32 => Integer, Format("uint32"), Minimum(Integer(1));
    NonZeroU64 => Integer, Format("uint64"), Minimum(Integer(1));
    NonZeroU128 => Integer, Format("uint128"), Minimum(Integer(1));
    NonZeroUsize => Integer, Format("uint"), Minimum(Integer(1));
    str => String;
    String => String;
    char => String, MinLength(Integer(1)), MaxLength(Integer(1));
    Path => String;
    PathBuf => String;
    Ipv4Addr => String, Format("ipv4");
    Ipv6Addr => String, Format("ipv6");
    IpAddr => String, Format("ip");
    SocketAddr => String;
    SocketAddrV4 => String;
    SocketAddrV6 => String;
}

/// `type => name { key: type, … }`, a struct of the standard library.
macro_rules! record {
    ($ty:ty => $name:literal { $($key:literal: $field:ty),* }) => {
        impl ToolType for $ty {
            const NODE: NodeRef = {
                static NODE: Node = Node::named($name, Kind::Struct {
                    fields: &[$(Field::new($key, <$field as ToolType>::NODE)),*],
                    is_closed: false,
                });
                NodeRef::of(&NODE)
            };
        }
    };
}

record!(std::time::Duration => "Duration" { "secs": u64, "nanos": u32 });
record!(std::time::SystemTime => "SystemTime" { "secs_since_epoch": u64, "nanos_since_epoch": u32 });
