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
fn a_unit_has_one_turn_with_the_tokens_of_all_and_the_best_score() {
    let line = |content: &str, tokens: u32, hint: f64, more: &str| {
        format!(
            "{{\"content\":\"{content}\",\"tokens\":{tokens},\"futureRelevanceHint\":{hint}{more}}}\n"
        )
    };
    let text = [
        line("call", 10, 0.1, ",\"group\":\"a\""),
        line("first", 30, 0.9, ""),
        line(
            "result",
            90,
            0.8,
            ",\"group\":\"a\",\"variants\":[{\"content\":\"r\",\"tokens\":50}]",
        ),
        line("last", 20, 0.1, ""),
    ];
    let candidates = Candidates::parse(text.concat(), "test", None, |_| {}).unwrap();
    let mut file = Preset::Rag.policy_file();
    file.scorers.truncate(1);
    let pipeline: cupel::Pipeline = file.policy().unwrap().into();
    let told = |budget| {
        let limit = ContextBudget::builder(budget).build().unwrap();
        let report = pipeline.dry_run(candidates.items(), &limit).unwrap();
        verdicts(Rule::of(&file), &candidates, &report)
    };
    // With 60 and more for the unit it is in, shortened; "last" comes after it and finds what that leaves.
    let [call, first, result, last] = <[Verdict; 4]>::try_from(told(95)).unwrap();
    assert_eq!((call.per_token, result.per_token), (Some(0.8 / 100.0), Some(0.8 / 100.0)));
    assert_eq!((call.score, result.score), (Some(0.1), Some(0.8)));
    assert_eq!((first.room, call.room), (None, None));
    assert_eq!(
        (last.room, last.beaten_by),
        (Some(5), Some(0)),
        "the unit stands where its first member does"
    );
    let [call, _, result, last] = <[Verdict; 4]>::try_from(told(80)).unwrap();
    assert_eq!((call.room, call.beaten_by), (Some(50), Some(1)));
    assert_eq!((result.room, result.beaten_by), (Some(50), Some(1)));
    assert_eq!(last.room, None);
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
