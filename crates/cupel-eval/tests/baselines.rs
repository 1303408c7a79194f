//! `last-n` and `ceiling` against their definitions, read literally.

use cupel_eval::{Contender, Set};
use proptest::prelude::*;
use serde_json::{Value, json};

#[derive(Debug, Clone)]
struct Item {
    tokens: i64,
    group: Option<u8>,
    pinned: bool,
    is_gold: bool,
    /// The tokens of a shorter form that is as good.
    shorter: Option<i64>,
}

fn item() -> impl Strategy<Value = Item> {
    let group = prop::option::weighted(0.4, 0_u8..3);
    let shorter = prop::option::weighted(0.3, 0_i64..10);
    (0_i64..20, group, prop::bool::weighted(0.1), any::<bool>(), shorter).prop_map(
        |(tokens, group, pinned, is_gold, shorter)| Item {
            tokens,
            // What is pinned stays by itself.
            group: group.filter(|_| !pinned),
            pinned,
            is_gold,
            shorter: shorter.filter(|shorter| *shorter < tokens),
        },
    )
}

fn set(items: &[Item]) -> Set {
    let line = |(id, it): (usize, &Item)| {
        let mut line = json!({ "id": id, "content": format!("value{id} and more"), "tokens": it.tokens, "pinned": it.pinned });
        if let Some(group) = it.group {
            line["group"] = json!(group.to_string());
        }
        if let Some(tokens) = it.shorter {
            line["variants"] = json!([{ "content": format!("value{id}"), "tokens": tokens }]);
        }
        line
    };
    let items_lines: Vec<Value> = items.iter().enumerate().map(line).collect();
    let gold: Vec<Value> = (0..items.len())
        .filter(|at| items[*at].is_gold)
        .map(|at| json!({ "item": at, "says": [format!("value{at}")] }))
        .collect();
    let pool = json!({ "pool": "p", "items": items_lines });
    Set::parse(&format!("{pool}\n{}", json!({ "question": "?", "pool": "p", "gold": gold })))
        .unwrap()
}

fn pinned_tokens(items: &[Item]) -> i64 {
    items.iter().filter(|it| it.pinned).map(|it| it.tokens).sum()
}

/// The most newest items that fit beside the pinned ones.
fn literal_last_n(items: &[Item], tokens: i64) -> Vec<bool> {
    let others: Vec<usize> = (0..items.len()).filter(|at| !items[*at].pinned).collect();
    let cost = |newest: usize| {
        others[others.len() - newest..].iter().map(|at| items[*at].tokens).sum::<i64>()
    };
    let newest =
        (0..=others.len()).rev().find(|newest| cost(*newest) + pinned_tokens(items) <= tokens);
    // Where pinned items are too many, they are there, and nothing else is.
    let kept = &others[others.len() - newest.unwrap_or(0)..];
    (0..items.len()).map(|at| items[at].pinned || kept.contains(&at)).collect()
}

/// The greatest recall of any choice of units: all of them are tried.
fn literal_ceiling(items: &[Item], tokens: i64) -> f64 {
    let unit = |at: usize| match items[at].group {
        Some(group) => {
            (0..items.len()).filter(|other| items[*other].group == Some(group)).collect()
        }
        None => vec![at],
    };
    let units: Vec<Vec<usize>> = (0..items.len())
        .filter(|at| !items[*at].pinned)
        .map(unit)
        .enumerate()
        .filter(|(at, members)| {
            let first = (0..items.len()).filter(|it| !items[*it].pinned).nth(*at);
            first == Some(members[0])
        })
        .map(|(_, members)| members)
        .collect();
    let cost = |members: &[usize]| {
        members
            .iter()
            .map(|at| items[*at].shorter.unwrap_or(i64::MAX).min(items[*at].tokens))
            .sum::<i64>()
    };
    let gold = |members: &[usize]| members.iter().filter(|at| items[**at].is_gold).count();
    let pinned: Vec<usize> = (0..items.len()).filter(|at| items[*at].pinned).collect();
    let best = (0..1_u32 << units.len())
        .filter_map(|chosen| {
            let chosen = || {
                units
                    .iter()
                    .enumerate()
                    .filter(move |(at, _)| chosen >> at & 1 == 1)
                    .map(|(_, it)| it)
            };
            let is_empty = chosen().next().is_none();
            let fits = pinned_tokens(items) + chosen().map(|it| cost(it)).sum::<i64>() <= tokens;
            (fits || is_empty).then(|| chosen().map(|it| gold(it)).sum::<usize>())
        })
        .max()
        .unwrap_or(0);
    (best + gold(&pinned)) as f64 / items.iter().filter(|it| it.is_gold).count() as f64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn last_n_keeps_the_most_newest_items_that_fit(items in prop::collection::vec(item(), 1..10), tokens in 1_i64..120) {
        prop_assume!(items.iter().any(|it| it.is_gold));
        let set = set(&items);
        let held = Contender::last_n().window(&set, &set.questions()[0], tokens).unwrap();
        let held: Vec<bool> = (0..items.len()).map(|at| held.form(at) == Some(0)).collect();
        prop_assert_eq!(held, literal_last_n(&items, tokens));
    }

    #[test]
    fn the_ceiling_is_the_best_of_all_choices(items in prop::collection::vec(item(), 1..10), tokens in 1_i64..120) {
        prop_assume!(items.iter().any(|it| it.is_gold));
        let set = set(&items);
        let question = &set.questions()[0];
        let held = Contender::ceiling().window(&set, question, tokens).unwrap();
        let recall = question.gold().recall(|at| held.form(at));
        prop_assert!((recall - literal_ceiling(&items, tokens)).abs() < 1e-12);
    }
}

#[test]
fn an_item_that_says_the_same_as_one_in_the_window_is_there() {
    let pool = r#"{"pool": "p", "items": [{"id": "a", "content": "same", "tokens": 5}, {"id": "b", "content": "same", "tokens": 5}]}"#;
    let set =
        Set::parse(&format!("{pool}\n{}", r#"{"question": "?", "pool": "p", "gold": ["a"]}"#))
            .unwrap();
    let held = Contender::last_n().window(&set, &set.questions()[0], 5).unwrap();
    assert_eq!((held.form(0), held.form(1)), (Some(0), Some(0)));
}
