//! How connected an item is to its peers.

use cupel::{ContextItem, FrequencyScorer, Scorer};

use crate::shorthand::{plain, score_all, scores, tagged};

/// `items` and so many others that share no tag with anything.
///
/// Long lists are scored through an index, short ones by comparing every pair.
fn among_strangers(items: &[ContextItem], strangers: usize) -> Vec<ContextItem> {
    let tags: Vec<String> = (0..strangers).map(|n| format!("only on {n}")).collect();
    let strangers = tags.iter().map(|tag| tagged(tag, &[tag]));
    items.iter().cloned().chain(strangers).collect()
}

/// Rule [FrequencyScorer]: no tags: 0
#[test]
fn an_item_without_tags_scores_zero() {
    let items = [plain("untagged"), tagged("a", &["x"]), tagged("b", &["x"])];
    assert_eq!(scores(&FrequencyScorer, &items)[0], 0.0);
}

/// Rule [FrequencyScorer]: at most one item: 0
#[test]
fn an_item_alone_scores_zero() {
    assert_eq!(scores(&FrequencyScorer, &[tagged("a", &["x"])]), [0.0]);
}

/// Rule [FrequencyScorer]: at most one item: 0
#[test]
fn an_item_scored_among_nobody_scores_zero() {
    assert_eq!(FrequencyScorer.score(&tagged("a", &["x"]), &[]), 0.0);
    assert!(score_all(&FrequencyScorer, &[]).is_empty());
}

/// Rule [FrequencyScorer]: no peer shares a tag: 0
#[test]
fn an_item_no_peer_shares_a_tag_with_scores_zero() {
    let items = [tagged("a", &["x"]), tagged("b", &["y"]), tagged("c", &["y", "z"])];
    assert_eq!(scores(&FrequencyScorer, &items), [0.0, 0.5, 0.5]);
}

/// Rule [FrequencyScorer]: every peer shares a tag: 1
#[test]
fn an_item_every_peer_shares_a_tag_with_scores_one() {
    let items = [tagged("hub", &["x", "y"]), tagged("a", &["x"]), tagged("b", &["y"])];
    assert_eq!(scores(&FrequencyScorer, &items), [1.0, 0.5, 0.5]);
}

/// Rule [FrequencyScorer]: a peer matches once, however many tags it shares
#[test]
fn several_common_tags_make_one_match() {
    let items = [tagged("a", &["x", "y", "z"]), tagged("b", &["z", "y", "x", "x"]), plain("c")];
    assert_eq!(scores(&FrequencyScorer, &items), [0.5, 0.5, 0.0]);
}

/// Rule [FrequencyScorer]: a tagless peer does not match, and the denominator is not reduced for it
#[test]
fn a_peer_without_tags_does_not_match_but_counts_in_the_denominator() {
    let items = [tagged("a", &["x"]), tagged("b", &["x"]), plain("c"), plain("d"), plain("e")];
    assert_eq!(scores(&FrequencyScorer, &items), [0.25, 0.25, 0.0, 0.0, 0.0]);
}

/// Rule [FrequencyScorer]: tags compare without ASCII case
#[test]
fn tags_match_in_any_ascii_case() {
    let items = [tagged("a", &["Important"]), tagged("b", &["important"])];
    assert_eq!(scores(&FrequencyScorer, &items), [1.0, 1.0]);
    // One of twenty peers, through the index: the third spelling differs beyond ASCII.
    let folded = [tagged("a", &["É!A"]), tagged("b", &["É!a"]), tagged("c", &["é!a"])];
    let scores = scores(&FrequencyScorer, &among_strangers(&folded, 18));
    assert_eq!(scores[..3], [0.05, 0.05, 0.0]);
}

/// Rule [FrequencyScorer]: tags compare without ASCII case
#[test]
fn tags_differ_beyond_ascii_case() {
    let items =
        [tagged("a", &["É"]), tagged("b", &["é"]), tagged("c", &["\u{212a}"]), tagged("d", &["k"])];
    assert_eq!(scores(&FrequencyScorer, &items), [0.0; 4]);
}

/// Rule [FrequencyScorer]: self-exclusion is by instance, not by value
#[test]
fn an_equal_item_is_a_peer() {
    let (one, other) = (tagged("same", &["x"]), tagged("same", &["x"]));
    assert_eq!(one, other);
    assert_eq!(scores(&FrequencyScorer, &[one, other]), [1.0, 1.0]);
}

/// Rule [FrequencyScorer]: a repeated instance is skipped each time, the denominator stays
#[test]
fn the_same_instance_is_no_peer_however_often_it_is_given() {
    let twice = tagged("twice", &["x"]);
    let items = [twice.clone(), twice, tagged("other", &["x"])];
    assert_eq!(scores(&FrequencyScorer, &items), [0.5, 0.5, 1.0]);
}

/// Rule [FrequencyScorer]: self-exclusion is by instance, not by value
#[test]
fn a_handle_of_an_item_is_the_item() {
    let item = tagged("item", &["x"]);
    let list = [item.clone(), tagged("peer", &["x"])];
    assert_eq!(FrequencyScorer.score(&item, &list), 1.0);
}

/// Rule [FrequencyScorer]: long lists are scored by the same rules (ours)
#[test]
fn a_long_list_is_scored_like_a_short_one() {
    let twice = tagged("twice", &["a"]);
    let items = [
        twice.clone(),
        twice,
        tagged("equal", &["A"]),
        tagged("three tags", &["a", "b", "c"]),
        tagged("seven tags", &["b", "d", "e", "f", "g", "h", "i"]),
        tagged("seven others", &["I", "j", "k", "l", "m", "n", "o"]),
        plain("untagged"),
    ];
    let long = among_strangers(&items, 34); // forty peers each
    let scores = scores(&FrequencyScorer, &long);
    assert_eq!(scores[..7], [0.05, 0.05, 0.075, 0.1, 0.05, 0.025, 0.0]);
    assert!(scores[7..].iter().all(|score| *score == 0.0));
}
