//! In which order?
//!
//! | placer | order |
//! |---|---|
//! | [`ChronologicalPlacer`] | oldest first, items without a timestamp last |
//! | [`UShapedPlacer`] | best at both ends, worst in the middle |
//! | [`InputOrderPlacer`] | as in the input, what conversations need |
//! | [`ReadingOrderPlacer`] | parts of one document together, in its order; the best documents first, or at both ends |
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
mod input_order;
mod reading_order;
mod u_shaped;

pub use chronological::ChronologicalPlacer;
pub use input_order::InputOrderPlacer;
pub use reading_order::ReadingOrderPlacer;
pub use u_shaped::UShapedPlacer;

use std::sync::Arc;

use crate::{Candidate, ContextItem, CupelError, RunContext, ScoredItem, contract};

/// Arranges the chosen items.
pub trait Placer: Send + Sync {
    /// The same items in their final order. `items` holds pinned ones first, at score 1, then the
    /// others best score first.
    fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem>;

    /// The same order as positions: what the pipeline calls.
    ///
    /// The default asks [`place`](Self::place) and matches its answer by instance. An override
    /// must give the same order, each position once.
    ///
    /// # Errors
    /// When the placer cannot do its work in this run.
    fn arrange(
        &self,
        items: &[Candidate<'_>],
        _context: &RunContext,
    ) -> Result<Vec<usize>, CupelError> {
        let placed = self.place(&Candidate::to_scored(items));
        contract::match_instances(items.iter().map(Candidate::item), &placed)
            .map_err(|problem| contract::violation("placer", self.name(), problem))
    }

    /// Whether the window is in the order of the run's input, whatever is in it.
    ///
    /// Only then may the members of a [unit](ContextItem::group) stand apart, with what the input had between them.
    fn keeps_input_order(&self) -> bool {
        false
    }

    /// What to call this placer in messages; its type name unless overridden.
    fn name(&self) -> &str {
        std::any::type_name::<Self>()
    }
}

/// [`Placer::place`] for a placer that implements [`Placer::arrange`] and never fails.
fn place_by_arranging(placer: &impl Placer, items: &[ScoredItem]) -> Vec<ContextItem> {
    let order = placer.arrange(&Candidate::all_of(items), &RunContext::default());
    order.unwrap_or_default().into_iter().map(|at| items[at].item.clone()).collect()
}

/// [`Placer::arrange`], held to naming every position once.
pub(crate) fn arrange_checked(
    placer: &dyn Placer,
    items: &[Candidate<'_>],
    context: &RunContext,
) -> Result<Vec<usize>, CupelError> {
    let order = placer.arrange(items, context)?;
    let mut is_missing = vec![true; items.len()];
    let names_each_once = order.len() == items.len()
        && order.iter().all(|&at| is_missing.get_mut(at).is_some_and(std::mem::take));
    if names_each_once {
        return Ok(order);
    }
    Err(contract::violation("placer", placer.name(), misplacement(&order, items)))
}

/// What is wrong with an `order` that does not name every position once.
fn misplacement(order: &[usize], items: &[Candidate<'_>]) -> String {
    let count = format!("returned {} of {} items", order.len(), items.len());
    let mut is_missing = vec![true; items.len()];
    for &at in order {
        match is_missing.get_mut(at) {
            Some(is_missing) if *is_missing => *is_missing = false,
            Some(_) => {
                let item = contract::describe(items[at].item());
                return format!("{count}, one of them more than once: {item}");
            }
            None => return format!("named position {at} of {} items", items.len()),
        }
    }
    let missing = items.iter().zip(is_missing).find(|(_, is_missing)| *is_missing);
    let item = missing.map(|(it, _)| contract::describe(it.item())).unwrap_or_default();
    format!("{count}; the first missing one is {item}")
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
                context: &RunContext,
            ) -> Result<Vec<usize>, CupelError> {
                (**self).arrange(items, context)
            }

            fn keeps_input_order(&self) -> bool {
                (**self).keeps_input_order()
            }

            fn name(&self) -> &str {
                (**self).name()
            }
        }
    )+};
}

forward!(Box, Arc);
