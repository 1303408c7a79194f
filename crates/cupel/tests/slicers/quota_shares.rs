//! QuotaSlice: how the budget is shared out.

use cupel::{GreedySlice, QuotaEntry, QuotaSlice, ScoredItem, Slicer};

use crate::fixtures::custom::TakeAll;
use crate::fixtures::spies::spy_slicer;
use crate::fixtures::{budget, kind, scored_kinds, sliced};

fn entry(of: &str, require: f64, cap: f64) -> QuotaEntry {
    QuotaEntry::new(kind(of), require, cap).unwrap()
}

/// First content of each kind that gets tokens, with its share.
fn shares(entries: Vec<QuotaEntry>, candidates: &[ScoredItem], target: i64) -> Vec<(String, i64)> {
    let (inner, seen) = spy_slicer(TakeAll);
    let slicer = QuotaSlice::new(entries, inner).unwrap();
    slicer.slice(candidates, &budget(target)).unwrap();
    let share = |call: &crate::fixtures::spies::SliceCall| {
        (call.contents()[0].to_owned(), call.budget.target_tokens())
    };
    seen.calls().iter().map(share).collect()
}

#[track_caller]
fn assert_shares(
    entries: Vec<QuotaEntry>,
    candidates: &[ScoredItem],
    target: i64,
    expected: &[(&str, i64)],
) {
    let expected: Vec<_> = expected.iter().map(|&(it, share)| (it.to_owned(), share)).collect();
    assert_eq!(shares(entries, candidates, target), expected);
}

fn greedy(entries: Vec<QuotaEntry>) -> QuotaSlice {
    QuotaSlice::new(entries, GreedySlice).unwrap()
}

/// Rule [QuotaSlice]: no quotas: proportional shares
#[test]
fn without_quotas_kinds_share_in_proportion_to_their_tokens() {
    let candidates =
        scored_kinds(&[("A", "a", 60, 0.9), ("B", "b", 80, 0.8), ("A", "more a", 60, 0.7)]);
    assert_shares(Vec::new(), &candidates, 100, &[("a", 60), ("b", 40)]);
}

/// Rule [QuotaSlice]: require = 100 %: everything for that kind
#[test]
fn a_kind_that_requires_everything_leaves_nothing_for_others() {
    let candidates =
        scored_kinds(&[("B", "b", 10, 0.9), ("A", "a", 10, 0.1), ("B", "free b", 0, 0.9)]);
    let everything = || vec![entry("A", 100.0, 100.0)];
    assert_shares(everything(), &candidates, 1000, &[("a", 1000)]);
    assert_eq!(sliced(&greedy(everything()), &candidates, 1000), ["a"]);
}

/// Rule [QuotaSlice]: cap = 0 %: nothing for that kind
#[test]
fn a_cap_of_zero_excludes_a_kind() {
    let candidates =
        scored_kinds(&[("A", "a", 10, 0.9), ("A", "free a", 0, 0.9), ("B", "b", 10, 0.1)]);
    let none = || vec![entry("A", 0.0, 0.0)];
    assert_shares(none(), &candidates, 1000, &[("b", 1000)]);
    assert_eq!(sliced(&greedy(none()), &candidates, 1000), ["b"]);
}

/// Rule [QuotaSlice]: candidates without tokens: what the kind requires, no proportional share
#[test]
fn a_kind_of_items_that_cost_nothing_gets_what_it_requires_and_no_more() {
    let candidates = scored_kinds(&[("Free", "free", 0, 0.9), ("B", "b", 10, 0.1)]);
    let entries = || vec![entry("Free", 10.0, 100.0)];
    assert_shares(entries(), &candidates, 1000, &[("free", 100), ("b", 900)]);
    assert_eq!(sliced(&greedy(entries()), &candidates, 1000), ["free", "b"]);
}

/// Rule [QuotaSlice]: candidates without tokens: what the kind requires, no proportional share
#[test]
fn a_kind_of_items_that_cost_nothing_and_requires_nothing_gets_no_share() {
    let candidates = scored_kinds(&[("Free", "free", 0, 0.9), ("B", "b", 10, 0.1)]);
    assert_shares(Vec::new(), &candidates, 1000, &[("b", 1000)]);
    assert_eq!(sliced(&greedy(Vec::new()), &candidates, 1000), ["b"]);
    let only_free = scored_kinds(&[("Free", "free", 0, 0.9)]);
    assert_shares(Vec::new(), &only_free, 1000, &[]);
}

/// Rule [QuotaSlice]: no candidates of a kind: what it requires stays unused
#[test]
fn what_an_absent_kind_requires_stays_unused() {
    let candidates = scored_kinds(&[("B", "b", 50, 0.9)]);
    assert_shares(vec![entry("A", 40.0, 100.0)], &candidates, 100, &[("b", 60)]);
}

/// Rule [QuotaSlice]: unconfigured kinds: require 0 %, cap 100 %
#[test]
fn an_unconfigured_kind_requires_nothing_and_may_have_everything() {
    let candidates = scored_kinds(&[("A", "a", 100, 0.9), ("B", "b", 300, 0.8)]);
    // 750 are unassigned; B's part is three quarters of them.
    assert_shares(
        vec![entry("A", 25.0, 100.0)],
        &candidates,
        1000,
        &[("a", 250 + 187), ("b", 562)],
    );
    let only_b = scored_kinds(&[("B", "b", 300, 0.8)]);
    assert_shares(vec![entry("A", 0.0, 10.0)], &only_b, 1000, &[("b", 1000)]);
}

/// Rule [QuotaSlice]: percentages and proportions round down
#[test]
fn percentages_and_proportions_round_down() {
    // 33 % of 1000 is 330 each; of the other 340, 113.3 and 226.7. One token stays unallocated.
    let candidates = scored_kinds(&[("A", "a", 100, 0.9), ("B", "b", 200, 0.8)]);
    let thirds = vec![entry("A", 33.0, 100.0), entry("B", 33.0, 100.0)];
    assert_shares(thirds, &candidates, 1000, &[("a", 330 + 113), ("b", 330 + 226)]);
    // 33.3 % of 10 is 3.33, 25 % of 10 is 2.5.
    let small = vec![entry("A", 33.3, 33.3), entry("B", 0.0, 25.0)];
    assert_shares(small, &candidates, 10, &[("a", 3), ("b", 2)]);
}

/// Rule [QuotaSlice]: a share is the requirement plus a proportion, at most the cap
#[test]
fn a_share_stops_at_the_cap() {
    let candidates = scored_kinds(&[("A", "a", 900, 0.9), ("B", "b", 100, 0.8)]);
    assert_shares(vec![entry("A", 20.0, 30.0)], &candidates, 1000, &[("a", 300), ("b", 80)]);
}

/// Rule [QuotaSlice]: a share is the requirement plus a proportion, at most the cap
#[test]
fn what_a_cap_cuts_off_is_not_shared_out_again() {
    // A's proportion is 900 and its cap 100; B still gets its own proportion only.
    let candidates = scored_kinds(&[("A", "a", 900, 0.9), ("B", "b", 100, 0.8)]);
    assert_shares(vec![entry("A", 0.0, 10.0)], &candidates, 1000, &[("a", 100), ("b", 100)]);
}

/// Rule [QuotaSlice]: a kind whose cap is its requirement takes no part in the proportions
#[test]
fn a_kind_at_its_cap_has_no_part_in_the_distribution() {
    // A requires exactly its cap, so its 900 tokens do not thin out B's proportion.
    let candidates = scored_kinds(&[("A", "a", 900, 0.9), ("B", "b", 100, 0.8)]);
    assert_shares(vec![entry("A", 10.0, 10.0)], &candidates, 1000, &[("a", 100), ("b", 900)]);
}

/// Rule [QuotaSlice]: proportions follow the tokens of the candidates there are
#[test]
fn proportions_follow_the_candidates_there_are() {
    let entries = || vec![entry("A", 0.0, 100.0), entry("B", 0.0, 100.0)];
    let few = scored_kinds(&[("A", "a", 10, 0.9), ("B", "b", 990, 0.8)]);
    assert_shares(entries(), &few, 100, &[("a", 1), ("b", 99)]);
    let many = scored_kinds(&[("A", "a", 495, 0.9), ("A", "a2", 495, 0.8), ("B", "b", 10, 0.1)]);
    assert_shares(entries(), &many, 100, &[("a", 99), ("b", 1)]);
}

/// Rule [QuotaSlice]: a kind without budget is not sliced
#[test]
fn a_share_of_zero_is_not_sliced() {
    // A's proportion of 10 tokens is 10 * 1 / 1000, which is less than one.
    let candidates = scored_kinds(&[("A", "a", 1, 0.9), ("B", "b", 999, 0.8)]);
    assert_shares(Vec::new(), &candidates, 10, &[("b", 9)]);
}

/// Rule [QuotaSlice]: shares are exact at the end of the range (ours)
#[test]
fn shares_are_exact_at_the_end_of_the_range() {
    const MAX: i64 = i64::MAX;
    let one = scored_kinds(&[("A", "a", MAX, 0.9), ("A", "a2", MAX, 0.8)]);
    assert_shares(vec![entry("A", 100.0, 100.0)], &one, MAX, &[("a", MAX)]);
    assert_shares(Vec::new(), &one, MAX, &[("a", MAX)]);
    let two = scored_kinds(&[("A", "a", MAX, 0.9), ("B", "b", MAX, 0.8)]);
    assert_shares(Vec::new(), &two, MAX, &[("a", MAX / 2), ("b", MAX / 2)]);
    // A double cannot tell 2^53 + 1 from 2^53; a proportion of it can.
    let odd = (1 << 53) + 1;
    assert_shares(Vec::new(), &one, odd, &[("a", odd)]);
}
