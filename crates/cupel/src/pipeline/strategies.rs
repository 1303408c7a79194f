//! The strategies of a policy, each by itself: for whoever shows or tests one without a run.

use super::Policy;
use crate::{Placer, Scorer, Slicer};

impl Policy {
    /// How relevance is judged.
    pub fn scorer(&self) -> &dyn Scorer {
        &*self.scorer
    }

    /// How a choice is made.
    pub fn slicer(&self) -> &dyn Slicer {
        &*self.slicer
    }

    /// How what was chosen is arranged.
    pub fn placer(&self) -> &dyn Placer {
        &*self.placer
    }
}
