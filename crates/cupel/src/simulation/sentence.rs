//! Counterfactuals in words.

use std::fmt;

use super::counterfactual::{Certainty, Counterfactual, Obstacle, Remedy};
use crate::contract;

impl fmt::Display for Counterfactual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.remedy {
            None => f.write_str("no larger budget lets it in")?,
            Some(remedy) => write!(f, "{remedy}")?,
        }
        for obstacle in &self.obstacles {
            write!(f, "; {obstacle}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = match self.certainty {
            Certainty::Smallest => "",
            Certainty::Tested => "at most ",
        };
        write!(f, "{about}{} more tokens let it in", self.additional_tokens)?;
        match self.displaced.as_slice() {
            [] => Ok(()),
            [one] => write!(f, " and push out {}", contract::describe(one)),
            many => write!(f, " and push out {} items", many.len()),
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NegativeTokens { tokens } => write!(f, "its token count is negative ({tokens})"),
            Self::DuplicateOf { kept } => {
                write!(f, "it repeats {}", contract::describe(kept))
            }
            Self::KindCap { kind, cap } => write!(f, "the cap of {cap} {kind} items is reached"),
            Self::PinnedItems { tokens, .. } => {
                write!(f, "pinned items take {tokens} tokens, without which it would fit")
            }
            Self::NotChosen { tried_up_to } => {
                write!(f, "no budget up to {tried_up_to} tokens larger chooses it")
            }
            Self::NotTestable { additional_tokens, error } => {
                write!(f, "{additional_tokens} more tokens could not be tried: {error}")
            }
        }
    }
}
