//! The open, ASCII-case-insensitive names behind kinds and sources.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::any_case::AnyCase;

/// A name that remembers its spelling and compares without regard to ASCII case.
#[derive(Clone)]
#[repr(C)] // what is compared first stands first
pub(super) struct Name {
    /// For a well-known name, however spelled, its index among those. For any other a case-folded
    /// hash with [`HASHED`] set, so that unequal names are told apart without reading them.
    folded: u64,
    text: Text,
}

/// No list of well-known names is so long.
const HASHED: u64 = 1 << 63;

#[derive(Clone)]
enum Text {
    Static(&'static str),
    Shared(Arc<str>),
}

impl Name {
    /// One of the well-known names.
    pub(super) const fn well_known(names: &[&'static str], index: usize) -> Self {
        Self { text: Text::Static(names[index]), folded: index as u64 }
    }

    /// `None` when `text` is blank. A well-known spelling shares its static text.
    pub(super) fn new(text: String, well_known: &[&'static str]) -> Option<Self> {
        if text.trim().is_empty() {
            return None;
        }
        let index = well_known.iter().position(|known| known.eq_ignore_ascii_case(&text));
        match index {
            Some(index) if well_known[index] == text => Some(Self::well_known(well_known, index)),
            Some(index) => Some(Self { text: Text::Shared(text.into()), folded: index as u64 }),
            None => Some(Self { folded: fold(&text) | HASHED, text: Text::Shared(text.into()) }),
        }
    }

    /// Its index among the well-known names, if it is one of them, however spelled.
    pub(super) fn well_known_index(&self) -> Option<usize> {
        (self.folded < HASHED).then_some(self.folded as usize)
    }

    pub(super) fn as_str(&self) -> &str {
        match &self.text {
            Text::Static(text) => text,
            Text::Shared(text) => text,
        }
    }
}

/// FNV-1a over the lower-cased bytes. Only ever a quick "no": equality reads the text as well.
fn fold(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.folded == other.folded
            && (self.folded < HASHED || self.as_str().eq_ignore_ascii_case(other.as_str()))
    }
}

impl Eq for Name {}

impl Hash for Name {
    /// Hashes the folded text, not the cached fold: that one has no seed, and names chosen to
    /// collide in it would degrade every map keyed by name.
    fn hash<H: Hasher>(&self, state: &mut H) {
        AnyCase(self.as_str()).hash(state);
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Gives a newtype over [`Name`] the constructors and conversions that kinds and sources share.
macro_rules! name_type {
    ($type:ident, $parse_error:ident, $blank:ident, $what:literal, [$($known:ident),+]) => {
        impl $type {
            pub(crate) const WELL_KNOWN: &[&'static str] = &[$(Self::$known),+];

            #[doc = concat!("Any ", $what, " by name; blank names are refused.")]
            pub fn new(name: impl Into<String>) -> Result<Self, CupelError> {
                Name::new(name.into(), Self::WELL_KNOWN).map(Self).ok_or(CupelError::$blank)
            }

            /// The name as it was spelled.
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }

        #[doc = concat!("A blank string is not a ", $what, ".")]
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $parse_error(());

        impl std::fmt::Display for $parse_error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&CupelError::$blank, f)
            }
        }

        impl std::error::Error for $parse_error {}

        impl TryFrom<&str> for $type {
            type Error = $parse_error;

            fn try_from(name: &str) -> Result<Self, Self::Error> {
                Self::new(name).map_err(|_| $parse_error(()))
            }
        }

        impl std::str::FromStr for $type {
            type Err = $parse_error;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                Self::try_from(name)
            }
        }

        impl PartialEq<str> for $type {
            fn eq(&self, name: &str) -> bool {
                self.as_str().eq_ignore_ascii_case(name)
            }
        }
    };
}

pub(super) use name_type;
