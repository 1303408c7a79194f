//! Closed sets of names, as vectors and the wire protocol spell them.

/// Declares an enumeration whose variants have names: written as given, read without regard to
/// ASCII case.
macro_rules! names {
    (
        $(#[$meta:meta])*
        $vis:vis $type:ident, $what:literal {
            $($(#[$doc:meta])* $variant:ident = $name:literal),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $type {
            $($(#[$doc])* $variant,)+
        }

        impl $type {
            /// All of them, in the order of their declaration.
            $vis const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name.
            $vis const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let known = Self::ALL.iter().find(|it| it.as_str().eq_ignore_ascii_case(text));
                known.copied().ok_or_else(|| {
                    let names: Vec<_> = Self::ALL.iter().map(|it| it.as_str()).collect();
                    format!("unknown {} {text:?}, expected {}", $what, names.join(", "))
                })
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use names;
