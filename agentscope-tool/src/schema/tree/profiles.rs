//! Sets of profiles.

use crate::schema::Profile;

/// A set of [`Profile`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profiles(u32);

impl Profiles {
    /// No profile.
    pub const NONE: Self = Self(0);
    /// The profiles that a tool is checked against when it names none: those of [`Profile::DEFAULT`].
    pub const DEFAULT: Self = Self::of(Profile::DEFAULT);
    /// All profiles: what `portable` stands for.
    pub const PORTABLE: Self = Self::of(Profile::ALL);

    /// The set of some profiles.
    #[must_use]
    pub const fn of(profiles: &[Profile]) -> Self {
        let mut set = Self::NONE;
        let mut index = 0;
        while index < profiles.len() {
            set = set.and(profiles[index]);
            index += 1;
        }
        set
    }

    /// The set of the one profile of this name; the empty set if there is none.
    #[doc(hidden)]
    #[must_use]
    pub const fn named(name: &str) -> Self {
        let mut index = 0;
        while index < Profile::ALL.len() {
            if is_same(Profile::ALL[index].name(), name) {
                return Self::NONE.and(Profile::ALL[index]);
            }
            index += 1;
        }
        Self::NONE
    }

    /// With one more.
    #[must_use]
    pub const fn and(self, profile: Profile) -> Self {
        Self(self.0 | 1 << profile as u32)
    }

    /// Those of either.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those of both.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those that are not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether one is in the set.
    #[must_use]
    pub const fn contains(self, profile: Profile) -> bool {
        self.0 & 1 << profile as u32 != 0
    }

    /// Whether there is one and no other.
    #[must_use]
    pub const fn is_one(self) -> bool {
        self.0.is_power_of_two()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Whether two texts are the same.
pub(super) const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    // From the end, where names differ.
    let mut index = one.len();
    while index > 0 {
        index -= 1;
        if one[index] != other[index] {
            return false;
        }
    }
    true
}
