//! Means, intervals and comparisons against their definitions, read literally.

use cupel_eval::{Bootstrap, Contender, Estimate, Evaluation, Recalls, Set, Size};
use proptest::prelude::*;
use serde_json::json;

const SIZES: [Size; 3] = [Size::Tokens(2), Size::Tokens(4), Size::Tokens(6)];

/// Each question has evidence among eight items of one token each.
fn recalls(gold: &[Vec<usize>]) -> Recalls {
    let items: Vec<_> = (0..8)
        .map(|id| json!({ "id": id, "content": format!("text {id}"), "tokens": 1 }))
        .collect();
    let mut lines = vec![json!({ "pool": "p", "items": items }).to_string()];
    lines.extend(
        gold.iter().map(|gold| json!({ "question": "?", "pool": "p", "gold": gold }).to_string()),
    );
    let set = Set::parse(&lines.join("\n")).unwrap();
    let contenders =
        [Contender::last_n(), Contender::ceiling(), Contender::last_n().labelled("again")];
    Evaluation::new(&set, &contenders, &SIZES).run(2, |_| {}).unwrap()
}

/// The published generator, step by step.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((u128::from(z) * limit as u128) >> 64) as usize
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len() as f64
}

/// The mean of a number of each question, and the middle 95 % of the means of questions drawn with replacement.
fn literal(of_question: &[f64], bootstrap: &Bootstrap) -> Estimate {
    let mut draws = Draws(bootstrap.seed);
    let mut means: Vec<f64> = (0..bootstrap.resamples)
        .map(|_| mean((0..of_question.len()).map(|_| of_question[draws.below(of_question.len())])))
        .collect();
    means.sort_by(f64::total_cmp);
    let outside = means.len() * 25 / 1000;
    let all = mean(of_question.iter().copied());
    let mut estimate = any_estimate();
    (estimate.mean, estimate.low, estimate.high) =
        (all, means[outside], means[means.len() - 1 - outside]);
    estimate
}

/// Estimates cannot be made from outside, but changed.
fn any_estimate() -> Estimate {
    recalls(&[vec![0]]).summary(&Bootstrap { resamples: 1, seed: 0 }).contenders[0].overall
}

fn close(a: &Estimate, b: &Estimate) -> bool {
    [(a.mean, b.mean), (a.low, b.low), (a.high, b.high)].iter().all(|(a, b)| (a - b).abs() < 1e-12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn summaries_are_those_of_their_definition(
        gold in prop::collection::vec(prop::sample::subsequence((0..8).collect::<Vec<usize>>(), 1..5), 1..12),
        seed in any::<u64>(),
    ) {
        let recalls = recalls(&gold);
        let bootstrap = Bootstrap { resamples: 80, seed };
        let summary = recalls.summary(&bootstrap);
        let questions = 0..gold.len();
        for contender in 0..3 {
            for size in 0..SIZES.len() {
                let own: Vec<f64> = questions.clone().map(|it| recalls.recall(it, contender, size)).collect();
                prop_assert!(close(&summary.contenders[contender].by_size[size], &literal(&own, &bootstrap)));
            }
            let over_sizes = |question: usize, contender: usize| mean((0..SIZES.len()).map(|size| recalls.recall(question, contender, size)));
            let own: Vec<f64> = questions.clone().map(|it| over_sizes(it, contender)).collect();
            prop_assert!(close(&summary.contenders[contender].overall, &literal(&own, &bootstrap)));
            let Some(comparison) = contender.checked_sub(1).map(|at| &summary.comparisons[at]) else { continue };
            // Paired: the difference of each question, drawn as one.
            let differences: Vec<f64> = questions.clone().map(|it| over_sizes(it, contender) - over_sizes(it, 0)).collect();
            prop_assert!(close(&comparison.overall, &literal(&differences, &bootstrap)));
            prop_assert_eq!(comparison.better, differences.iter().filter(|it| **it > 0.0).count());
            prop_assert_eq!(comparison.worse, differences.iter().filter(|it| **it < 0.0).count());
        }
        let again = &summary.comparisons[1];
        prop_assert_eq!((again.overall.low, again.overall.high, again.better, again.worse), (0.0, 0.0, 0, 0));
    }
}

#[test]
fn how_many_threads_does_not_change_a_result() {
    let set = Set::parse(
        &std::fs::read_to_string(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../examples/eval/library.jsonl"
        ))
        .unwrap(),
    )
    .unwrap();
    let contenders = [Contender::last_n(), Contender::ceiling()];
    let run = |threads| Evaluation::new(&set, &contenders, &SIZES).run(threads, |_| {}).unwrap();
    assert_eq!(run(1), run(7));
}

#[test]
fn a_sample_is_of_the_size_asked_for_in_order_and_the_same_each_time() {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/eval/library.jsonl"
    ))
    .unwrap();
    let ids = |most, seed| -> Vec<String> {
        let set = Set::parse(&text).unwrap().sample(most, seed);
        set.questions().iter().map(|it| it.id().to_owned()).collect()
    };
    let all = ids(usize::MAX, 0);
    let some = ids(7, 1);
    assert_eq!(some.len(), 7);
    assert!(all.iter().filter(|id| some.contains(id)).eq(&some), "in their order");
    assert_eq!(some, ids(7, 1));
    assert_ne!(some, ids(7, 2));
}
