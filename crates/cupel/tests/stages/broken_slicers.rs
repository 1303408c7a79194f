//! Slicers that return what they may not, alone and inside another.

use cupel::{
    Candidate, ContextBudget, ContextItem, CountQuotaEntry, CountQuotaSlice, CupelError,
    ExclusionReason, QuotaSlice, Refusal, ScarcityBehavior, ScoredItem, Scratch, Selection, Slicer,
};

use crate::fixtures::custom::{SelectBy, SliceBy};
use crate::fixtures::{assert_names, budget, contents, hinted, hinted_kind, item, kind, plain};

/// The slicer itself, and inside each slicer that asks another.
fn nestings<S: Slicer + 'static>(slicer: impl Fn() -> S) -> Vec<(&'static str, Box<dyn Slicer>)> {
    let quota = |inner| Box::new(QuotaSlice::new(Vec::new(), inner).unwrap());
    let counts = |inner| {
        // Room for one more tool than is required.
        let entries = vec![CountQuotaEntry::new(kind("Tool"), 1, 2).unwrap()];
        Box::new(CountQuotaSlice::new(entries, inner, ScarcityBehavior::Degrade).unwrap())
    };
    vec![
        ("alone", Box::new(slicer())),
        ("in a quota", quota(Box::new(slicer()))),
        ("in counts", counts(Box::new(slicer()))),
        ("in counts in a quota", quota(counts(Box::new(slicer())))),
        ("in a quota in counts", counts(quota(Box::new(slicer())))),
    ]
}

/// Four candidates; with one tool committed, two tools and a message are left.
fn candidates() -> [ContextItem; 4] {
    [
        hinted_kind("Tool", "committed", 10, 0.9),
        hinted_kind("Tool", "first tool", 10, 0.8),
        hinted_kind("Tool", "second tool", 10, 0.7),
        hinted("message", 10, 0.6),
    ]
}

/// Every nesting fails the run as a breach by the slicer of that name, naming `parts`.
#[track_caller]
fn assert_broken<S: Slicer + 'static>(slicer: impl Fn() -> S, name: &str, parts: &[&str]) {
    for (nesting, slicer) in nestings(slicer) {
        let pipeline = plain().slicer(slicer).build().unwrap();
        let error = pipeline.run(&candidates(), &budget(1000)).unwrap_err();
        let CupelError::ContractViolation { family, strategy, .. } = &error else {
            panic!("{nesting}: {error:?}")
        };
        assert_eq!((*family, strategy.as_str()), ("slicer", name), "{nesting}: {error}");
        assert_names(&error, &["slicer", name]);
        assert_names(&error, parts);
    }
}

/// Rule [Slicers]: one that creates, rebuilds or repeats an item fails the run
#[test]
fn an_item_it_was_not_given_breaks_the_contract() {
    let foreign = || SliceBy(|_: &[ScoredItem]| vec![item("from elsewhere", 7)]);
    assert_broken(foreign, "SliceBy", &["not given", "from elsewhere", "7 tokens"]);
}

/// Rule [Slicers]: one that creates, rebuilds or repeats an item fails the run
#[test]
fn an_item_rebuilt_from_equal_fields_is_not_the_item_given() {
    let rebuilt = || {
        SliceBy(|sorted: &[ScoredItem]| {
            let given = &sorted[0].item;
            let builder = ContextItem::builder(given.content(), given.tokens());
            let hint = given.future_relevance_hint().unwrap();
            let equal = builder.kind(given.kind().clone()).future_relevance_hint(hint).build();
            assert_eq!(equal.as_ref().unwrap(), given);
            vec![equal.unwrap()]
        })
    };
    assert_broken(rebuilt, "SliceBy", &["not given", "Tool"]);
}

/// Rule [Slicers]: one that creates, rebuilds or repeats an item fails the run
#[test]
fn an_item_returned_twice_breaks_the_contract() {
    let twice =
        || SliceBy(|sorted: &[ScoredItem]| vec![sorted[0].item.clone(), sorted[0].item.clone()]);
    assert_broken(twice, "SliceBy", &["more often than it was given", "Tool"]);
}

/// Rule [Slicers]: so does one that names positions there are not, or one twice (ours)
#[test]
fn a_position_beyond_the_candidates_breaks_the_contract() {
    assert_broken(|| SelectBy(|_| vec![0, 99]), "SelectBy", &["position 99"]);
    assert_broken(|| SelectBy(|candidates| vec![candidates]), "SelectBy", &["position"]);
    assert_broken(|| SelectBy(|_| vec![usize::MAX]), "SelectBy", &["position"]);
}

/// Rule [Slicers]: so does one that names positions there are not, or one twice (ours)
#[test]
fn a_position_named_twice_breaks_the_contract() {
    let pipeline = plain().slicer(Box::new(SelectBy(|_| vec![0, 0]))).build().unwrap();
    let error = pipeline.run(&candidates(), &budget(1000)).unwrap_err();
    let is_breach = matches!(error, CupelError::ContractViolation { family: "slicer", .. });
    assert!(is_breach, "{error:?}");
    assert_names(&error, &["slicer SelectBy", "more than once", "\"committed\""]);
}

#[test]
fn a_position_named_twice_inside_another_slicer_breaks_the_contract() {
    assert_broken(|| SelectBy(|_| vec![0, 0]), "SelectBy", &["more than once", "Tool"]);
}

/// Rule [Slicers]: so does one that names positions there are not, or one twice (ours)
#[test]
fn a_refused_position_beyond_the_candidates_breaks_the_contract() {
    /// Refuses a candidate that there is not.
    struct Refusing;
    impl Slicer for Refusing {
        fn slice(
            &self,
            _: &[ScoredItem],
            _: &ContextBudget,
        ) -> Result<Vec<ContextItem>, CupelError> {
            Ok(Vec::new())
        }

        fn select(
            &self,
            _: &[Candidate<'_>],
            _: &ContextBudget,
            _: &mut Scratch,
        ) -> Result<Selection, CupelError> {
            let refusal = Refusal { position: 99, reason: ExclusionReason::Unknown.into() };
            Ok(Selection { refused: vec![refusal], ..Selection::nothing() })
        }

        fn name(&self) -> &str {
            "Refusing"
        }
    }
    assert_broken(|| Refusing, "Refusing", &["position 99"]);
}

/// Rule [Slicers]: the failure names the slicer (ours)
#[test]
fn a_slicer_is_named_by_its_type_unless_it_says_otherwise() {
    struct Inventive;
    impl Slicer for Inventive {
        fn slice(
            &self,
            _: &[ScoredItem],
            _: &ContextBudget,
        ) -> Result<Vec<ContextItem>, CupelError> {
            Ok(vec![item("invented", 1)])
        }
    }
    let pipeline = plain().slicer(Box::new(Inventive)).build().unwrap();
    let error = pipeline.run(&candidates(), &budget(100)).unwrap_err();
    assert_names(&error, &["Inventive", "\"invented\""]);
}

/// Rule [Slicers]: one that creates, rebuilds or repeats an item fails the run
#[test]
fn a_handle_given_twice_may_be_returned_twice() {
    let twin = hinted("twin", 10, 0.5);
    let both =
        SliceBy(|sorted: &[ScoredItem]| vec![sorted[1].item.clone(), sorted[0].item.clone()]);
    let pipeline = plain().slicer(Box::new(both)).deduplication(false).build().unwrap();
    let window = pipeline.run(&[twin.clone(), twin], &budget(100)).unwrap();
    assert_eq!(contents(&window), ["twin", "twin"]);
}

/// Rule [Slicers]: one that creates, rebuilds or repeats an item fails the run
#[test]
fn a_handle_given_twice_may_not_be_returned_three_times() {
    let twin = hinted("twin", 10, 0.5);
    let thrice = SliceBy(|sorted: &[ScoredItem]| vec![sorted[0].item.clone(); 3]);
    let pipeline = plain().slicer(Box::new(thrice)).deduplication(false).build().unwrap();
    let error = pipeline.run(&[twin.clone(), twin], &budget(100)).unwrap_err();
    assert_names(&error, &["slicer SliceBy", "more often than it was given", "\"twin\""]);
}
