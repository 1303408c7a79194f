//! Counterfactuals in words.

use std::fmt;

use super::counterfactual::{Certainty, Counterfactual, Obstacle, Remedy};
use crate::contract;

impl fmt::Display for Counterfactual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.remedy {
            Some(remedy) => {
                write!(f, "{remedy}")?;
                if let Some(whole) = self.whole.as_ref().filter(|_| remedy.form > 0) {
                    write!(f, "; {} let it in whole", whole.additional_tokens)?;
                }
            }
            None if self.obstacles.iter().any(Obstacle::is_final) => {
                f.write_str("no budget lets it in")?;
            }
            None if self.obstacles.iter().any(Obstacle::is_repetition) => {
                f.write_str("no budget lets it in beside what it repeats")?;
            }
            None => f.write_str("no larger budget was found that lets it in")?,
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
        let (lets, pushes) = match self.additional_tokens {
            1 => ("token lets", "pushes"),
            _ => ("tokens let", "push"),
        };
        let shortened = if self.form > 0 { " shortened" } else { "" };
        write!(f, "{about}{} more {lets} it in{shortened}", self.additional_tokens)?;
        match self.displaced.as_slice() {
            [] => Ok(()),
            [one] => write!(f, " and {pushes} out {}", contract::describe(one)),
            many => write!(f, " and {pushes} out {} items", many.len()),
        }
    }
}

impl Obstacle {
    /// Whether no budget helps.
    fn is_final(&self) -> bool {
        matches!(self, Self::NegativeTokens { .. } | Self::DuplicateOf { .. })
    }

    fn is_repetition(&self) -> bool {
        matches!(self, Self::NearDuplicateOf { .. })
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NegativeTokens { tokens } => write!(f, "its token count is negative ({tokens})"),
            Self::DuplicateOf { kept } => write!(f, "it repeats {}", contract::describe(kept)),
            Self::NearDuplicateOf { kept, overlap } => {
                write!(f, "{:.0}% of it is in {}", overlap * 100.0, contract::describe(kept))
            }
            Self::KindCap { kind, cap } => write!(f, "{kind} items are capped at {cap}"),
            Self::PinnedItems { tokens, .. } => {
                write!(f, "without the pinned items, which take {tokens} tokens, it would be in")
            }
            Self::NotChosen { tried_up_to } => {
                write!(f, "increases of up to {tried_up_to} tokens were tried")
            }
            Self::NotTestable { additional_tokens, error } => {
                write!(f, "{additional_tokens} more tokens could not be tried: {error}")
            }
        }
    }
}
