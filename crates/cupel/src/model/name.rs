//! The open, ASCII-case-insensitive names behind kinds and sources.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::hash::AnyCase;

/// A name that remembers its spelling and compares without regard to ASCII case.
#[derive(Clone)]
pub(super) struct Name {
    text: Text,
    /// Case-folded hash, so that unequal names are told apart without reading them. Its last bit
    /// says whether the name is well known.
    folded: u64,
}

const WELL_KNOWN: u64 = 1;

#[derive(Clone)]
enum Text {
    WellKnown(&'static str),
    Custom(Arc<str>),
}

impl Name {
    pub(super) const fn well_known(text: &'static str) -> Self {
        Self { text: Text::WellKnown(text), folded: fold(text.as_bytes()) | WELL_KNOWN }
    }

    /// `None` when `text` is blank. A well-known spelling shares its static text.
    pub(super) fn new(text: String, well_known: &[&'static str]) -> Option<Self> {
        if text.trim().is_empty() {
            return None;
        }
        if let Some(known) = well_known.iter().find(|known| **known == text) {
            return Some(Self::well_known(known));
        }
        Some(Self { folded: fold(text.as_bytes()) & !WELL_KNOWN, text: Text::Custom(text.into()) })
    }

    pub(super) fn fold(&self) -> u64 {
        self.folded
    }

    pub(super) fn as_str(&self) -> &str {
        match &self.text {
            Text::WellKnown(text) => text,
            Text::Custom(text) => text,
        }
    }
}

/// FNV-1a over the lower-cased bytes. Only ever a quick "no": equality reads the text as well.
const fn fold(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i].to_ascii_lowercase() as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        (self.folded ^ other.folded) & !WELL_KNOWN == 0
            && self.as_str().eq_ignore_ascii_case(other.as_str())
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{WELL_KNOWN, fold};
    use crate::{ContextKind, ContextSource};

    #[test]
    fn well_known_names_of_a_type_differ_in_their_folds() {
        for names in [ContextKind::WELL_KNOWN, ContextSource::WELL_KNOWN] {
            let folds: HashSet<u64> =
                names.iter().map(|name| fold(name.as_bytes()) | WELL_KNOWN).collect();
            assert_eq!(folds.len(), names.len());
        }
    }
}
