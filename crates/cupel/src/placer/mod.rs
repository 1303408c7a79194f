//! In which order?
//!
//! | placer | order |
//! |---|---|
//! | [`ChronologicalPlacer`] | oldest first, items without a timestamp last |
//! | [`UShapedPlacer`] | best at both ends, worst in the middle |
//!
//! A placer of your own returns exactly the items it was given, rearranged; anything else is
//! reported as a broken contract.
//!
//! ```
//! use cupel::{ContextItem, Placer, ScoredItem};
//!
//! /// Groups items by kind.
//! struct ByKind;
//!
//! impl Placer for ByKind {
//!     fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
//!         let mut placed: Vec<_> = items.iter().map(|scored| scored.item.clone()).collect();
//!         placed.sort_by(|a, b| a.kind().as_str().cmp(b.kind().as_str()));
//!         placed
//!     }
//! }
//! ```

mod chronological;
mod u_shaped;

pub use chronological::ChronologicalPlacer;
pub use u_shaped::UShapedPlacer;

use std::sync::Arc;

use crate::{Candidate, ContextItem, CupelError, ScoredItem, Scratch, contract};

/// Arranges the chosen items.
pub trait Placer: Send + Sync {
    /// The same items in their final order. `items` holds pinned ones first, at score 1, then the
    /// others best score first.
    fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem>;

    /// The same order as positions: what the pipeline calls.
    ///
    /// The default asks [`place`](Self::place) and matches its answer by instance. An override
    /// must give the same order, each position once.
    fn arrange(
        &self,
        items: &[Candidate<'_>],
        _scratch: &mut Scratch,
    ) -> Result<Vec<usize>, CupelError> {
        let placed = self.place(&Candidate::to_scored(items));
        let broken = |problem| contract::violation("placer", self.name(), problem);
        let arranged = contract::match_instances(items.iter().map(Candidate::item), &placed)
            .map_err(broken)?;
        if arranged.len() < items.len() {
            let mut missing = vec![true; items.len()];
            for at in arranged {
                missing[at] = false;
            }
            let first = items.iter().zip(missing).find(|(_, missing)| *missing);
            let first = first.map(|(item, _)| contract::describe(item.item())).unwrap_or_default();
            return Err(broken(format!(
                "returned {} of {} items; the first missing one is {first}",
                placed.len(),
                items.len()
            )));
        }
        Ok(arranged)
    }

    /// What to call this placer in messages; its type name unless overridden.
    fn name(&self) -> &str {
        std::any::type_name::<Self>()
    }
}

/// [`Placer::place`] for a placer whose order is a pure function of the candidates.
fn place_by(
    items: &[ScoredItem],
    order: impl FnOnce(&[Candidate<'_>], &mut Scratch) -> Vec<usize>,
) -> Vec<ContextItem> {
    let order = order(&Candidate::all_of(items), &mut Scratch::new());
    order.into_iter().map(|at| items[at].item.clone()).collect()
}

macro_rules! forward {
    ($($pointer:ident),+) => {$(
        impl<P: Placer + ?Sized> Placer for $pointer<P> {
            fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
                (**self).place(items)
            }

            fn arrange(
                &self,
                items: &[Candidate<'_>],
                scratch: &mut Scratch,
            ) -> Result<Vec<usize>, CupelError> {
                (**self).arrange(items, scratch)
            }

            fn name(&self) -> &str {
                (**self).name()
            }
        }
    )+};
}

forward!(Box, Arc);
