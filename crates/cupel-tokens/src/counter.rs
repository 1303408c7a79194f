//! What can count tokens.

use std::fmt::Debug;
use std::sync::Arc;

use crate::{Basis, Count};

/// Something that knows how many tokens a text is. One method is enough.
///
/// ```
/// use cupel_tokens::Counter;
///
/// #[derive(Debug)]
/// struct Words;
///
/// impl Counter for Words {
///     fn count(&self, text: &str) -> i64 {
///         text.split_whitespace().count() as i64
///     }
/// }
///
/// let counter: Box<dyn Counter> = Box::new(Words);
/// assert_eq!(counter.count("as many as these"), 4);
/// assert_eq!(counter.count_up_to("as many as these", 3), None);
/// ```
pub trait Counter: Debug + Send + Sync {
    /// How many tokens `text` is. Never negative, and the same every time.
    fn count(&self, text: &str) -> i64;

    /// The same number if it is at most `limit`, else `None`.
    ///
    /// The counters of this crate stop as soon as they know.
    fn count_up_to(&self, text: &str, limit: i64) -> Option<i64> {
        Some(self.count(text)).filter(|tokens| *tokens <= limit)
    }

    /// What the numbers are based on.
    fn basis(&self) -> Basis {
        Basis::Custom
    }

    /// The number together with what it is based on.
    fn counted(&self, text: &str) -> Count {
        Count { tokens: self.count(text), basis: self.basis() }
    }
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<C: Counter + ?Sized> Counter for $pointer {
            fn count(&self, text: &str) -> i64 {
                (**self).count(text)
            }

            fn count_up_to(&self, text: &str, limit: i64) -> Option<i64> {
                (**self).count_up_to(text, limit)
            }

            fn basis(&self) -> Basis {
                (**self).basis()
            }
        }
    )+};
}

forward!(&C, Box<C>, Arc<C>);
