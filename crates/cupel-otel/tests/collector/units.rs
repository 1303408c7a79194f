//! Groups and shorter forms, as far as a run has any.

use cupel::{ContextItem, ContextKind, ItemVariant};
use cupel_otel::CupelVerbosity;

use crate::problem::{budget, item, pipeline};
use crate::recording::Recording;

fn member(content: &str, tokens: i64, group: &str, relevance: f64) -> cupel::ContextItemBuilder {
    ContextItem::builder(content, tokens)
        .kind(ContextKind::tool_output())
        .future_relevance_hint(relevance)
        .group(group)
}

/// A call with its giant output, which gets shorter, and one that is left out.
fn transcript() -> Vec<ContextItem> {
    vec![
        member("call a", 10, "a", 0.5).build().unwrap(),
        member("output a", 400, "a", 0.9).variant(ItemVariant::new("a", 40)).build().unwrap(),
        item("question", 20, ContextKind::message(), 1.0),
        member("call b", 10, "b", 0.1).build().unwrap(),
        member("output b", 600, "b", 0.1).build().unwrap(),
    ]
}

fn place_and_slice(verbosity: CupelVerbosity) -> String {
    let recording = Recording::new();
    let mut collector = recording.collector(verbosity);
    pipeline().run_traced(&transcript(), &budget(100), &mut collector).unwrap();
    recording.tree().split_once("  cupel.stage.slice").unwrap().1.to_owned()
}

#[test]
fn exclusions_tell_their_group_and_what_all_of_it_costs() {
    assert_eq!(
        place_and_slice(CupelVerbosity::StageAndExclusions),
        r#" cupel.stage.name="slice" cupel.stage.item_count_in=5 cupel.stage.item_count_out=3 cupel.exclusion.count=2
    * cupel.exclusion cupel.exclusion.reason="BudgetExceeded" cupel.exclusion.item_kind="ToolOutput" cupel.exclusion.item_tokens=10 cupel.exclusion.item_group="b" cupel.exclusion.unit_tokens=610
    * cupel.exclusion cupel.exclusion.reason="BudgetExceeded" cupel.exclusion.item_kind="ToolOutput" cupel.exclusion.item_tokens=600 cupel.exclusion.item_group="b" cupel.exclusion.unit_tokens=610
  cupel.stage.place cupel.stage.name="place" cupel.stage.item_count_in=3 cupel.stage.item_count_out=3 cupel.exclusion.count=0 cupel.group.count=1 cupel.shortened.count=1 cupel.shortened.tokens_saved=360
"#
    );
}

#[test]
fn items_of_the_window_tell_their_group_and_form() {
    let told = place_and_slice(CupelVerbosity::Full);
    let events: Vec<_> = told.lines().filter(|line| line.contains("cupel.item.included")).collect();
    assert_eq!(events.len(), 3, "{told}");
    let of_group: Vec<_> =
        events.iter().filter(|line| line.contains(r#"cupel.item.group="a""#)).collect();
    assert_eq!(of_group.len(), 2, "{told}");
    assert!(of_group[0].contains("cupel.item.tokens=10") && !of_group[0].contains("form"));
    assert!(of_group[1].contains("cupel.item.tokens=40"));
    assert!(of_group[1].ends_with("cupel.item.form=1 cupel.item.tokens_saved=360"), "{told}");
}

#[test]
fn stages_alone_tell_nothing_of_groups() {
    let told = place_and_slice(CupelVerbosity::StageOnly);
    assert!(!told.contains("group") && !told.contains("shortened"), "{told}");
}
