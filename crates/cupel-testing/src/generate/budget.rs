use cupel::{ContextBudget, ContextKind};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// Budgets of every size, from none at all to the limit of `i64`, with and without output reserve,
/// reserved slots and safety margin.
///
/// They know nothing of the candidates; see [`problems`](super::problems) for budgets that bind.
pub fn budgets() -> impl Strategy<Value = ContextBudget> {
    shapes_of(absolute_sizes()).prop_map(|shape| shape.budget(std::iter::empty()))
}

/// A budget in proportions.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    size: Size,
    target_percent: i64,
    reserve_percent: i64,
    slot_percents: Vec<(ContextKind, i64)>,
    margin: f64,
}

/// What `maxTokens` is.
#[derive(Debug, Clone)]
enum Size {
    Tokens(i64),
    PercentOfCandidates(i64),
}

impl Shape {
    /// The budget of this shape for candidates with these token counts.
    pub(super) fn budget(&self, candidate_tokens: impl Iterator<Item = i64>) -> ContextBudget {
        let max = match self.size {
            Size::Tokens(tokens) => tokens,
            Size::PercentOfCandidates(percent) => {
                let needed: i128 =
                    candidate_tokens.filter(|&tokens| tokens > 0).map(i128::from).sum();
                i64::try_from(needed * i128::from(percent) / 100).unwrap_or(i64::MAX)
            }
        };
        let share = |percent: i64| {
            let tokens = i128::from(max) * i128::from(percent) / 100;
            i64::try_from(tokens).expect("at most all of the maximum")
        };
        let slots =
            self.slot_percents.iter().map(|(kind, percent)| (kind.clone(), share(*percent)));
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

/// Shapes of budgets, four in five cut to the candidates.
pub(super) fn shapes() -> impl Strategy<Value = Shape> {
    shapes_of(prop_oneof![
        4 => (20_i64..=110).prop_map(Size::PercentOfCandidates).boxed(),
        1 => absolute_sizes().boxed(),
    ])
}

fn shapes_of(sizes: impl Strategy<Value = Size>) -> impl Strategy<Value = Shape> {
    let target_percents = prop_oneof![3 => Just(100_i64), 3 => 40_i64..=100, 1 => 0_i64..=100];
    let reserve_percents = prop_oneof![6 => Just(0_i64), 3 => 1_i64..=30, 1 => 0_i64..=100];
    let margins = prop_oneof![
        6 => Just(0.0),
        2 => select(vec![-0.0, 1e-15, 10.0, 33.3, 50.0, 99.9, 100.0]),
        1 => 0.0..=100.0,
    ];
    (sizes, target_percents, reserve_percents, slot_percents(), margins).prop_map(
        |(size, target_percent, reserve_percent, slot_percents, margin)| Shape {
            size,
            target_percent,
            reserve_percent,
            slot_percents,
            margin,
        },
    )
}

/// Sizes are either small enough for a knapsack table or so large that none is ever built.
fn absolute_sizes() -> impl Strategy<Value = Size> {
    let huge = [1_000_000_000_000, (1 << 53) + 3, i64::MAX / 2, i64::MAX - 1, i64::MAX];
    prop_oneof![
        1 => Just(0_i64),
        2 => 1_i64..=5,
        3 => 1_i64..=200,
        3 => 200_i64..=10_000,
        2 => select(huge.to_vec()),
    ]
    .prop_map(Size::Tokens)
}

fn slot_percents() -> impl Strategy<Value = Vec<(ContextKind, i64)>> {
    let kinds = vec![ContextKind::message(), ContextKind::document(), ContextKind::memory()];
    let slots = (subsequence(kinds, 1..=2), vec(prop_oneof![5 => 0_i64..=20, 1 => 0_i64..=100], 2));
    prop_oneof![
        3 => Just(Vec::new()),
        1 => slots.prop_map(|(kinds, percents)| kinds.into_iter().zip(percents).collect()),
    ]
}
