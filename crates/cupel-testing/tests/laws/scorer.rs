//! What a scorer may not do.

use std::sync::atomic::{AtomicUsize, Ordering};

use cupel::{ContextItem, ContextItemBuilder, CupelError, FrequencyScorer, RunContext, Scorer};
use cupel_testing::laws::{Law, check_scorer};

use crate::items;

/// A scorer from two functions, so that each offender is one line.
struct TestScorer<S, B> {
    single: S,
    batch: B,
}

impl<S, B> Scorer for TestScorer<S, B>
where
    S: Fn(&ContextItem) -> f64 + Send + Sync,
    B: Fn(&[ContextItem]) -> Vec<f64> + Send + Sync,
{
    fn score(&self, item: &ContextItem, _all: &[ContextItem]) -> f64 {
        (self.single)(item)
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        _context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        Ok((self.batch)(items))
    }

    fn name(&self) -> &str {
        "TestScorer"
    }
}

/// What a check of this scorer says, and of which law.
fn scorer_breaks(
    single: impl Fn(&ContextItem) -> f64 + Send + Sync,
    batch: impl Fn(&[ContextItem]) -> Vec<f64> + Send + Sync,
) -> (Law, String) {
    let broken = check_scorer(&TestScorer { single, batch }, &items()).unwrap_err();
    assert_eq!(broken.strategy(), "TestScorer");
    assert!(broken.to_string().ends_with(broken.finding()));
    (broken.law(), broken.to_string())
}

#[test]
fn a_batch_that_differs_from_single_scores_is_caught() {
    let single = |item: &ContextItem| item.tokens() as f64;
    let batch = |items: &[ContextItem]| items.iter().map(|it| it.tokens() as f64 + 0.5).collect();
    assert_eq!(
        scorer_breaks(single, batch),
        (
            Law::BatchEqualsSingle,
            "TestScorer breaks the law that scoring a batch equals scoring each item: it scored \
             \"alpha\" (Message, 4 tokens) 4.5 in a batch and 4.0 alone"
                .to_owned()
        )
    );
}

#[test]
fn a_batch_that_differs_in_the_sign_of_zero_is_caught() {
    let (law, message) = scorer_breaks(|_| 0.0, |items| vec![-0.0; items.len()]);
    assert_eq!(law, Law::BatchEqualsSingle);
    assert!(message.ends_with("-0.0 in a batch and 0.0 alone"), "{message}");
}

#[test]
fn a_batch_of_another_length_is_caught() {
    let (law, message) = scorer_breaks(|_| 0.5, |_| vec![0.5]);
    assert_eq!(law, Law::BatchEqualsSingle);
    assert!(message.ends_with("it gave 1 scores for 3 items"), "{message}");
}

#[test]
fn a_batch_that_is_refused_is_caught() {
    struct Unwilling;
    impl Scorer for Unwilling {
        fn score(&self, _item: &ContextItem, _all: &[ContextItem]) -> f64 {
            1.0
        }

        fn score_batch(
            &self,
            _items: &[ContextItem],
            _context: &RunContext,
        ) -> Result<Vec<f64>, CupelError> {
            Err(CupelError::ScorerConfig("not today".to_owned()))
        }
    }
    let broken = check_scorer(&Unwilling, &items()).unwrap_err();
    assert_eq!(broken.law(), Law::BatchEqualsSingle);
    assert!(broken.finding().ends_with("not today"), "{}", broken.finding());
}

#[test]
fn nan_scores_are_allowed_as_long_as_they_stay() {
    let nan = |_: &ContextItem| f64::NAN;
    check_scorer(
        &TestScorer { single: nan, batch: |it: &[_]| vec![-f64::NAN; it.len()] },
        &items(),
    )
    .unwrap();
}

#[test]
fn scores_that_change_with_every_pass_are_caught() {
    let passes = AtomicUsize::new(0);
    let single = |_: &ContextItem| 0.0;
    let batch =
        |items: &[ContextItem]| vec![passes.fetch_add(1, Ordering::Relaxed) as f64; items.len()];
    let (law, message) = scorer_breaks(single, batch);
    assert_eq!(law, Law::Deterministic);
    assert!(
        message.ends_with(
            "it scored \"alpha\" (Message, 4 tokens) 0.0 first and 1.0 given the same items again"
        ),
        "{message}"
    );
}

#[test]
fn scores_that_depend_on_addresses_are_caught() {
    let address = |item: &ContextItem| item.content().as_ptr().addr() as f64;
    let batch = |items: &[ContextItem]| items.iter().map(address).collect();
    let (law, message) = scorer_breaks(address, batch);
    assert_eq!(law, Law::Deterministic);
    assert!(message.ends_with("given equal items"), "{message}");
}

#[test]
fn scores_that_depend_on_the_order_of_metadata_are_caught() {
    /// Folds the values in whatever order they come.
    struct Unordered;
    impl Scorer for Unordered {
        fn score(&self, item: &ContextItem, _all: &[ContextItem]) -> f64 {
            item.metadata().values().fold(0.0, |sum, value| sum * 0.5 + value.len() as f64)
        }
    }
    let entries = |builder: ContextItemBuilder| {
        (0..40).fold(builder, |it, n| it.metadata_entry(n.to_string(), "x".repeat(n)))
    };
    let item = entries(ContextItem::builder("text", 1)).build().unwrap();
    let broken = check_scorer(&Unordered, &[item]).unwrap_err();
    assert_eq!(broken.law(), Law::Deterministic);
}

/// Frequency skips the item itself, by instance: equal input has to repeat what the input repeats.
#[test]
fn a_handle_given_twice_is_one_instance_in_equal_input_too() {
    let tagged = |content| ContextItem::builder(content, 1).tag("x").build().unwrap();
    let (twice, once) = (tagged("twice"), tagged("once"));
    check_scorer(&FrequencyScorer, &[twice.clone(), once, twice]).unwrap();
}
