//! Budgets, most of them cut to the candidates, so that they bind.

use arbitrary::{Arbitrary, Result, Unstructured};
use cupel::{ContextBudget, ContextItem, ContextKind};

use super::{one_of_or_any, some_of};

const MARGINS: [f64; 8] = [0.0, -0.0, 10.0, 1e-15, 33.3, 50.0, 99.9, 100.0];

const HUGE: [i64; 5] = [1_000_000_000_000, (1 << 53) + 3, i64::MAX / 2, i64::MAX - 1, i64::MAX];

const LARGE: i64 = 100_000;

/// A budget in proportions.
#[derive(Debug)]
pub(super) struct Shape {
    size: Size,
    target_percent: i64,
    reserve_percent: i64,
    slots: Vec<(ContextKind, i64)>,
    margin: f64,
}

#[derive(Debug)]
enum Size {
    Tokens(i64),
    PercentOfCandidates(i64),
}

impl<'a> Arbitrary<'a> for Shape {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let size = match bytes.int_in_range(0..=7_u8)? {
            0..=4 => Size::PercentOfCandidates(bytes.int_in_range(0..=127)?),
            5 => Size::Tokens(bytes.arbitrary::<u8>()?.into()),
            6 => Size::Tokens(bytes.int_in_range(0..=10_000)?),
            _ => Size::Tokens(*bytes.choose(&HUGE)?),
        };
        let percent = |bytes: &mut Unstructured<'a>, usual: i64| match bytes.arbitrary()? {
            true => bytes.int_in_range(0..=100),
            false => Ok(usual),
        };
        let target_percent = percent(bytes, 100)?;
        let reserve_percent = percent(bytes, 0)?;
        let kinds = if bytes.ratio(1, 4)? {
            some_of(bytes, &[ContextKind::message(), ContextKind::document()])?
        } else {
            Vec::new()
        };
        let slots = kinds.into_iter().map(|kind| Ok((kind, bytes.int_in_range(0..=100)?)));
        let slots = slots.collect::<Result<_>>()?;
        let margin: f64 = one_of_or_any(bytes, &MARGINS)?;
        let margin = if (0.0..=100.0).contains(&margin) { margin } else { 0.0 };
        Ok(Self { size, target_percent, reserve_percent, slots, margin })
    }
}

impl Shape {
    /// The budget of this shape for these candidates.
    pub(super) fn budget(&self, items: &[ContextItem]) -> ContextBudget {
        let needed: i128 =
            items.iter().map(ContextItem::tokens).filter(|it| *it > 0).map(i128::from).sum();
        let max = match self.size {
            Size::Tokens(tokens) => tokens,
            Size::PercentOfCandidates(percent) => {
                i64::try_from(needed * i128::from(percent) / 100).unwrap_or(i64::MAX)
            }
        };
        // Small enough for a knapsack table that the oracle fills in no time, or too large for any.
        let max = if (LARGE..HUGE[0]).contains(&max) { LARGE } else { max };
        let share = |percent: i64| {
            let tokens = i128::from(max) * i128::from(percent) / 100;
            i64::try_from(tokens).expect("at most all of the maximum")
        };
        let slots = self.slots.iter().map(|(kind, percent)| (kind.clone(), share(*percent)));
        ContextBudget::new(
            max,
            share(self.target_percent),
            share(self.reserve_percent),
            slots,
            self.margin,
        )
        .expect("percentages of the maximum respect every rule")
    }
}
