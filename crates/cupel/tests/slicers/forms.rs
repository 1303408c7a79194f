//! The best packing of items in several forms, against all that could have been packed.

use cupel::{
    Candidate, ContextItem, ItemVariant, KnapsackSlice, RunContext, ScoredItem, Selection, Slicer,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::fixtures::budget;

/// What a packing is worth: every score to four decimal places, rounded down.
fn value(score: f64) -> i64 {
    (score * 10_000.0) as i64
}

/// The forms of an item, the whole first: what each costs and is worth of the score.
fn forms(item: &ContextItem) -> Vec<(i64, f64)> {
    let worth =
        |it: &ItemVariant| it.worth().unwrap_or((it.tokens() as f64 / item.tokens() as f64).sqrt());
    let shorter = item.variants().iter().map(|it| (it.tokens(), worth(it)));
    std::iter::once((item.tokens(), 1.0)).chain(shorter).collect()
}

/// The greatest value of all choices, each item in one of its forms or not at all.
fn best_value(items: &[ScoredItem], buckets: i64, bucket_size: i64) -> i64 {
    let Some((first, rest)) = items.split_first() else { return 0 };
    let mut best = best_value(rest, buckets, bucket_size);
    for (tokens, worth) in forms(&first.item) {
        let weight = (tokens + bucket_size - 1) / bucket_size;
        if weight <= buckets {
            let own = value(first.score * worth);
            best = best.max(own + best_value(rest, buckets - weight, bucket_size));
        }
    }
    best
}

fn chosen(items: &[ScoredItem], selection: &Selection) -> Vec<(i64, i64)> {
    let form =
        |at: usize| selection.shortened.iter().find(|it| it.position == at).map_or(0, |it| it.form);
    let chosen = |&at: &usize| {
        let (tokens, worth) = forms(&items[at].item)[form(at)];
        (tokens, value(items[at].score * worth))
    };
    selection.kept.iter().map(chosen).collect()
}

/// Up to six items of up to twelve tokens, in up to four forms, with ties.
fn problems() -> impl Strategy<Value = Vec<ScoredItem>> {
    let worth = prop::option::of(prop::sample::select(vec![0.0, 0.25, 0.5, 0.9, 1.0]));
    let item = (0_i64..=12, 0_i32..=4, vec((0_i64..12, worth), 0..=3));
    vec(item, 0..=6).prop_map(|drafts| {
        let scored = |(tokens, quarters, mut shorter): (i64, i32, Vec<(i64, Option<f64>)>)| {
            shorter.sort_by_key(|(tokens, _)| std::cmp::Reverse(*tokens));
            shorter.dedup_by_key(|(tokens, _)| *tokens);
            let shorter = shorter.into_iter().filter(|(shorter, _)| *shorter < tokens);
            let variant = |(tokens, worth): (i64, Option<f64>)| {
                let variant = ItemVariant::new("in short", tokens);
                worth.map_or(variant.clone(), |worth| variant.with_worth(worth))
            };
            let builder = ContextItem::builder("whole", tokens).variants(shorter.map(variant));
            ScoredItem { item: builder.build().unwrap(), score: f64::from(quarters) / 4.0 }
        };
        drafts.into_iter().map(scored).collect()
    })
}

mod properties {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]

        #[test]
        fn no_choice_of_forms_is_worth_more(
            items in problems(),
            target in 1_i64..=40,
            bucket_size in 1_i64..=5,
        ) {
            let knapsack = KnapsackSlice::new(bucket_size)?;
            let candidates = Candidate::all_of(&items);
            let context = RunContext::default();
            let selection = knapsack.select(&candidates, &budget(target), &context)?;
            let chosen = chosen(&items, &selection);
            let tokens: i64 = chosen.iter().map(|(tokens, _)| tokens).sum();
            prop_assert!(tokens <= target, "{tokens} of {target}");
            let value: i64 = chosen.iter().map(|(_, value)| value).sum();
            let best = best_value(&items, target / bucket_size, bucket_size);
            prop_assert_eq!(value, best, "{:?}", selection);
        }
    }
}

#[test]
fn a_form_is_a_row_of_the_table() {
    let item = ContextItem::builder("whole", 1_000)
        .variants((0..1_000).rev().map(|tokens| ItemVariant::new("in short", tokens)));
    let scored = [ScoredItem { item: item.build().unwrap(), score: 0.5 }];
    let knapsack = KnapsackSlice::new(1).unwrap();
    let refused = knapsack.slice(&scored, &budget(100_000)).unwrap_err().to_string();
    assert!(refused.contains("1001"), "{refused}");
    let adaptive = KnapsackSlice::adaptive().slice(&scored, &budget(100_000)).unwrap();
    assert!(adaptive[0].is_same_instance(&scored[0].item));
}
