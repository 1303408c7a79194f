use cupel::ContextBudget;
use cupel_policy::{BucketSize, Preset};

use super::*;

fn candidates(count: u32, mut of: impl FnMut(u32) -> (u32, u32)) -> Candidates {
    let line = |n: u32| {
        let (tokens, hint) = of(n);
        let hint = f64::from(hint) / 100.0;
        format!("{{\"content\":\"{n}\",\"tokens\":{tokens},\"futureRelevanceHint\":{hint}}}\n")
    };
    let text: String = (0..count).map(line).collect();
    Candidates::parse(text, "test", None, |_| {}).unwrap()
}

/// Takes items one by one, as the rule is told to people, and notes what is left at each turn.
fn by_hand(candidates: &Candidates, scores: &[f64], room: i64) -> Vec<(usize, i64, bool)> {
    let items = candidates.items();
    let mut order: Vec<_> = (0..items.len()).collect();
    order.sort_by(|a, b| {
        let per_token = |at: usize| scores[at] / items[at].tokens() as f64;
        let by = |a: f64, b: f64| b.partial_cmp(&a).unwrap();
        by(per_token(*a), per_token(*b)).then(by(scores[*a], scores[*b])).then(a.cmp(b))
    });
    let mut left = room;
    let turn = |at: usize| {
        let before = left;
        let fits = items[at].tokens() <= left;
        left -= if fits { items[at].tokens() } else { 0 };
        (at, before, fits)
    };
    order.into_iter().map(turn).collect()
}

#[test]
fn the_room_at_an_items_turn_is_what_taking_one_by_one_leaves() {
    let mut seed = 1_u32;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % below
    };
    let policy = Preset::Rag.policy_file();
    let pipeline: cupel::Pipeline = Preset::Rag.policy().into();
    for budget in [5, 40, 90, 200] {
        let candidates = candidates(60, |_| (1 + random(20), random(7) * 10));
        let limit = ContextBudget::builder(budget).build().unwrap();
        let report = pipeline.dry_run(candidates.items(), &limit).unwrap();
        let verdicts = verdicts(Rule::of(&policy), &candidates, &report);
        let scores: Vec<_> = verdicts.iter().map(|it| it.score.unwrap()).collect();
        let mut last = None;
        for (at, left, fits) in by_hand(&candidates, &scores, budget) {
            let verdict = verdicts[at];
            assert_eq!(verdict.room, (!fits).then_some(left), "item {at}, budget {budget}");
            assert_eq!(verdict.beaten_by, if fits { None } else { last }, "item {at}");
            let tokens = candidates.items()[at].tokens() as f64;
            assert_eq!(verdict.per_token, Some(scores[at] / tokens));
            last = if fits { Some(at) } else { last };
        }
    }
}

#[test]
fn a_knapsack_does_not_go_by_score_per_token() {
    let mut policy = Preset::Rag.policy_file();
    policy.slicer = SlicerConfig::Knapsack { bucket_size: BucketSize::Tokens(10) };
    let rule = Rule::of(&policy);
    assert_eq!(rule, Rule::Packing { bucket: BucketSize::Tokens(10), scope: Scope::Window });
    let pipeline: cupel::Pipeline = policy.policy().unwrap().into();
    let candidates = candidates(9, |n| (11, n));
    let limit = ContextBudget::builder(50).build().unwrap();
    let report = pipeline.dry_run(candidates.items(), &limit).unwrap();
    let verdicts = verdicts(rule, &candidates, &report);
    assert!(verdicts.iter().all(|it| (it.per_token, it.room, it.beaten_by) == (None, None, None)));
}
