//! Ids and time stamps of blocks, made when they are first read so that a block that nobody looks at costs neither.

use std::fmt;
use std::sync::{Arc, OnceLock, RwLock};
use std::time::SystemTime;

use once_cell::race::OnceBox;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

type IdFactory = Arc<dyn Fn() -> String + Send + Sync>;
type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

static ID_FACTORY: RwLock<Option<IdFactory>> = RwLock::new(None);
static CLOCK: RwLock<Option<Clock>> = RwLock::new(None);

/// Replaces what makes the ids of blocks, chunks and responses in this process, for example to make a test
/// deterministic. The default makes 32 hexadecimal digits of a random UUID (version 4).
pub fn set_id_factory(factory: impl Fn() -> String + Send + Sync + 'static) {
    *ID_FACTORY.write().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(Arc::new(factory));
}

/// Replaces the clock that stamps blocks in this process, for example to make a test deterministic.
pub fn set_clock(clock: impl Fn() -> SystemTime + Send + Sync + 'static) {
    *CLOCK.write().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(Arc::new(clock));
}

pub(crate) fn new_id() -> String {
    let factory = ID_FACTORY.read().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
    match factory {
        Some(factory) => factory(),
        None => uuid::Uuid::new_v4().simple().to_string(),
    }
}

/// The id of a block, chunk or response: given, or made at random when it is first read.
///
/// Cloning an id that has not been read reads it, so that a copy never differs from its original.
pub struct BlockId(Id);

/// Of two words, since ids are moved far more often than they are made.
enum Id {
    Given(Box<str>),
    /// Of several threads that are the first to read it, each may make one; one of these is kept.
    Made(OnceBox<String>),
}

impl BlockId {
    /// An id that will be made when it is first read.
    #[must_use]
    pub const fn unset() -> Self {
        Self(Id::Made(OnceBox::new()))
    }

    fn of(id: impl Into<Box<str>>) -> Self {
        Self(Id::Given(id.into()))
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Id::Given(id) => id,
            Id::Made(id) => id.get_or_init(|| Box::new(new_id())),
        }
    }

    /// The id if it was given or has been read, else nothing: an id that nobody has seen matches no other.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        match &self.0 {
            Id::Given(id) => Some(id),
            Id::Made(id) => id.get().map(|id| id.as_str()),
        }
    }
}

impl Default for BlockId {
    fn default() -> Self {
        Self::unset()
    }
}

impl From<String> for BlockId {
    fn from(id: String) -> Self {
        Self::of(id)
    }
}

impl From<&str> for BlockId {
    fn from(id: &str) -> Self {
        Self::of(id)
    }
}

impl Clone for BlockId {
    fn clone(&self) -> Self {
        Self::of(self.as_str())
    }
}

impl PartialEq for BlockId {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || matches!((self.known(), other.known()), (Some(a), Some(b)) if a == b)
    }
}

impl fmt::Debug for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.known() {
            Some(id) => write!(f, "{id:?}"),
            None => f.write_str("unset"),
        }
    }
}

impl Serialize for BlockId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for BlockId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

/// When a block was made: the time at which that was first asked, unless it was given. Written as local ISO 8601 text
/// without an offset (`2026-11-30T21:36:38.123456`); a text that was read from JSON is kept as it came.
#[derive(Debug, PartialEq, Eq)]
pub struct Timestamp(Moment);

#[derive(Debug, PartialEq, Eq)]
enum Moment {
    At(OnceLock<SystemTime>),
    Text(Box<str>),
}

impl Timestamp {
    /// The time that the clock shows when the stamp is first read.
    #[must_use]
    pub const fn now() -> Self {
        Self(Moment::At(OnceLock::new()))
    }
}

fn clock_time() -> SystemTime {
    let clock = CLOCK.read().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
    clock.map_or_else(SystemTime::now, |clock| clock())
}

impl Default for Timestamp {
    fn default() -> Self {
        Self::now()
    }
}

/// A copy shows the time of its original, which is read for it.
impl Clone for Timestamp {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Moment::At(time) => Moment::At(OnceLock::from(*time.get_or_init(clock_time))),
            Moment::Text(text) => Moment::Text(text.clone()),
        })
    }
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        Self(Moment::At(OnceLock::from(time)))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Moment::Text(text) => f.write_str(text),
            Moment::At(time) => match jiff::ZonedDateTime::try_from(*time.get_or_init(clock_time)) {
                Ok(zoned) => write!(f, "{:.6}", zoned.datetime()),
                // A clock outside the years that a calendar covers.
                Err(_) => f.write_str("1970-01-01T00:00:00.000000"),
            },
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(Moment::Text(text.into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_no_larger_than_a_slice() {
        assert_eq!(size_of::<BlockId>(), size_of::<&str>());
    }
}
