//! Kinds: any name, compared without ASCII case.

use std::collections::HashMap;

use cupel::{
    ContextBudget, ContextItem, ContextKind, CountQuotaEntry, CountQuotaSlice, CupelError,
    GreedySlice, KindScorer, ParseContextKindError, QuotaEntry, QuotaSlice, ScarcityBehavior,
};

use crate::shorthand::{assert_says, budget, contents, greedy, named, scores};

/// Whitespace of ASCII and beyond it.
pub(crate) const BLANK: [&str; 13] = [
    "",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\u{b}\u{c}",
    "\u{85}",
    "\u{a0}",
    "\u{1680}",
    "\u{2003}",
    "\u{2028}\u{2029}",
    "\u{202f}\u{205f}",
    " \u{3000}\t",
];

fn kind(name: &str) -> ContextKind {
    ContextKind::new(name).unwrap()
}

fn of_kind(name: &str, kind: ContextKind) -> ContextItem {
    named(name).kind(kind).build().unwrap()
}

/// Rule [ContextKind]: five names are well known, Message is the default
#[test]
fn five_kinds_are_well_known() {
    assert_eq!(ContextKind::message().as_str(), "Message");
    assert_eq!(ContextKind::document().as_str(), "Document");
    assert_eq!(ContextKind::tool_output().as_str(), "ToolOutput");
    assert_eq!(ContextKind::memory().as_str(), "Memory");
    assert_eq!(ContextKind::system_prompt().as_str(), "SystemPrompt");
}

/// Rule [ContextKind]: five names are well known, Message is the default
#[test]
fn the_default_kind_is_message() {
    assert_eq!(ContextKind::default().as_str(), "Message");
}

/// Rule [ContextKind]: arbitrary names are supported
#[test]
fn any_name_is_a_kind() {
    for name in ["Scratchpad", "x", "a b", " Message ", "メモ", "🦀", "0"] {
        assert_eq!(kind(name).as_str(), name);
    }
}

/// Rule [ContextKind]: comparison folds ASCII case, and nothing else
#[test]
fn a_kind_is_one_kind_in_any_ascii_case() {
    for spelling in ["Message", "message", "MESSAGE", "mEsSaGe"] {
        assert_eq!(kind(spelling), ContextKind::message());
    }
    assert_eq!(kind("scratchPAD"), kind("ScratchPad"));
}

/// Rule [ContextKind]: comparison folds ASCII case, and nothing else
#[test]
fn kinds_differ_by_anything_but_ascii_case() {
    assert_ne!(kind("Message "), ContextKind::message());
    assert_ne!(kind("Messages"), ContextKind::message());
    assert_ne!(kind("ÄRGER"), kind("ärger"));
    assert_ne!(kind("\u{212a}ind"), kind("kind")); // the Kelvin sign lower-cases to k
    assert_ne!(kind("stra\u{df}e"), kind("STRASSE"));
}

/// Rule [ContextKind]: the spelling is kept
#[test]
fn a_kind_keeps_its_spelling() {
    assert_eq!(kind("tOOLoUTPUT").as_str(), "tOOLoUTPUT");
    assert_eq!(kind("tOOLoUTPUT").to_string(), "tOOLoUTPUT");
}

/// Rule [ContextKind]: the same everywhere kinds are compared
#[test]
fn a_map_by_kind_finds_any_spelling() {
    let map = HashMap::from([(kind("Memory"), 1), (kind("custom"), 2)]);
    assert_eq!(map[&kind("MEMORY")], 1);
    assert_eq!(map[&kind("Custom")], 2);
    assert_eq!(map.get(&kind("Customs")), None);
}

/// Rule [ContextKind]: the same everywhere kinds are compared
#[test]
fn scoring_by_kind_ignores_case() {
    let scorer = KindScorer::new(HashMap::from([(kind("NOTE"), 0.7)])).unwrap();
    let items = [of_kind("a", kind("note")), of_kind("b", kind("Note"))];
    assert_eq!(scores(&scorer, &items), [0.7, 0.7]);
}

/// Rule [ContextKind]: the same everywhere kinds are compared
#[test]
fn quotas_by_kind_ignore_case() {
    // Both spellings are one kind, which may have half of 40 tokens: two items of ten.
    let items = [
        of_kind("a", kind("note")),
        of_kind("b", kind("NOTE")),
        of_kind("c", kind("Note")),
        of_kind("d", ContextKind::message()),
    ];
    let half = QuotaEntry::new(kind("nOTE"), 0.0, 50.0).unwrap();
    let slicer = QuotaSlice::new(vec![half], GreedySlice).unwrap();
    let pipeline = greedy().slicer(slicer).build().unwrap();
    assert_eq!(contents(&pipeline.run(&items, &budget(40)).unwrap()), ["a", "b", "d"]);

    let two = CountQuotaEntry::new(kind("nOTE"), 0, 2).unwrap();
    let slicer = CountQuotaSlice::new(vec![two], GreedySlice, ScarcityBehavior::Throw).unwrap();
    let pipeline = greedy().slicer(slicer).build().unwrap();
    assert_eq!(contents(&pipeline.run(&items, &budget(40)).unwrap()), ["a", "b", "d"]);
}

/// Rule [ContextKind]: the same everywhere kinds are compared
#[test]
fn reserved_slots_by_kind_ignore_case() {
    let budget = ContextBudget::builder(10).reserve(kind("NOTE"), 3).build().unwrap();
    assert_eq!(budget.reserved_slots()[&kind("note")], 3);
}

/// Rule [ContextKind]: blank names are refused
#[test]
fn a_blank_kind_is_refused() {
    for name in BLANK {
        let error = ContextKind::new(name).unwrap_err();
        assert_eq!(error, CupelError::EmptyKind, "{name:?}");
        assert_says(&error, &["kind is blank", "not whitespace"]);
    }
}

/// Rule [ContextKind]: blank names are refused
#[test]
fn a_blank_kind_is_refused_by_every_conversion() {
    for name in BLANK {
        let converted: ParseContextKindError = ContextKind::try_from(name).unwrap_err();
        assert_says(&converted, &["kind is blank", "not whitespace"]);
        assert_eq!(name.parse::<ContextKind>().unwrap_err(), converted);
    }
}

/// Rule [ContextKind]: arbitrary names are supported
#[test]
fn an_invisible_character_that_is_no_whitespace_is_a_name() {
    for name in ["\u{200b}", "\u{feff}", "\0"] {
        assert_eq!(kind(name).as_str(), name);
    }
}
