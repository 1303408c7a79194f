//! Slicers that return what they may not, alone and inside another.

use cupel::{
    Candidate, ContextBudget, ContextItem, CountQuotaEntry, CountQuotaSlice, CupelError,
    ExclusionReason, QuotaSlice, Refusal, RunContext, ScarcityBehavior, ScoredItem, Selection,
    Slicer,
};

use crate::fixtures::custom::{SelectBy, SliceBy};
use crate::fixtures::{assert_names, budget, contents, hinted, hinted_kind, item, kind, plain};

/// The slicer itself, and inside each slicer that asks another.
fn nestings<S: Slicer + 'static>(slicer: impl Fn() -> S) -> Vec<(&'static str, Box<dyn Slicer>)> {
    vec![
        ("alone", Box::new(slicer())),
        ("in a quota", Box::new(in_a_quota(slicer()))),
        ("in counts", Box::new(in_counts(slicer()))),
        ("in counts in a quota", Box::new(in_a_quota(in_counts(slicer())))),
        ("in a quota in counts", Box::new(in_counts(in_a_quota(slicer())))),
    ]
}

fn in_a_quota(inner: impl Slicer + 'static) -> QuotaSlice {
    QuotaSlice::new(Vec::new(), inner).unwrap()
}

/// With room for one more tool than is required.
fn in_counts(inner: impl Slicer + 'static) -> CountQuotaSlice {
    let entry = CountQuotaEntry::new(kind("Tool"), 1, 2).unwrap();
    CountQuotaSlice::new([entry], inner, ScarcityBehavior::Degrade).unwrap()
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
    let pipeline = plain().slicer(SelectBy(|_| vec![0, 0])).build().unwrap();
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
            _: &RunContext,
        ) -> Result<Selection, CupelError> {
            let mut selection = Selection::nothing();
            selection.refused.push(Refusal::new(99, ExclusionReason::Unknown));
            Ok(selection)
        }

        fn name(&self) -> &str {
            "Refusing"
        }
    }
    assert_broken(|| Refusing, "Refusing", &["position 99"]);
}

/// Rule [Slicers]: so does one that names positions there are not, or one twice (ours)
#[test]
fn an_order_of_trial_that_does_not_name_each_candidate_once_breaks_the_contract() {
    /// Claims to try candidates in this order, however many there are.
    struct Trying(Vec<usize>);
    impl Slicer for Trying {
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
            _: &RunContext,
        ) -> Result<Selection, CupelError> {
            let mut selection = Selection::nothing();
            selection.trial = Some(self.0.clone());
            Ok(selection)
        }

        fn name(&self) -> &str {
            "Trying"
        }
    }
    for order in [vec![0], vec![0, 0], vec![0; 4], vec![0, 1, 2, 99]] {
        assert_broken(|| Trying(order.clone()), "Trying", &["order of trial"]);
    }
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
    let pipeline = plain().slicer(Inventive).build().unwrap();
    let error = pipeline.run(&candidates(), &budget(100)).unwrap_err();
    assert_names(&error, &["Inventive", "\"invented\""]);
}

/// Rule [Slicers]: one that creates, rebuilds or repeats an item fails the run
#[test]
fn a_handle_given_twice_may_be_returned_twice() {
    let twin = hinted("twin", 10, 0.5);
    let both =
        SliceBy(|sorted: &[ScoredItem]| vec![sorted[1].item.clone(), sorted[0].item.clone()]);
    let pipeline = plain().slicer(both).deduplication(false).build().unwrap();
    let window = pipeline.run(&[twin.clone(), twin], &budget(100)).unwrap();
    assert_eq!(contents(&window), ["twin", "twin"]);
}

/// Rule [Slicers]: one that creates, rebuilds or repeats an item fails the run
#[test]
fn a_handle_given_twice_may_not_be_returned_three_times() {
    let twin = hinted("twin", 10, 0.5);
    let thrice = SliceBy(|sorted: &[ScoredItem]| vec![sorted[0].item.clone(); 3]);
    let pipeline = plain().slicer(thrice).deduplication(false).build().unwrap();
    let error = pipeline.run(&[twin.clone(), twin], &budget(100)).unwrap_err();
    assert_names(&error, &["slicer SliceBy", "more often than it was given", "\"twin\""]);
}
