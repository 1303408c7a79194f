//! A counter that remembers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use cupel_tokens::{Basis, CachedCounter, Counter, Model, Vocabulary};

/// Counts bytes, and how many it was given.
#[derive(Debug, Default)]
struct Bytes {
    seen: AtomicUsize,
}

impl Counter for Bytes {
    fn count(&self, text: &str) -> i64 {
        self.seen.fetch_add(text.len(), Ordering::Relaxed);
        i64::try_from(text.len()).unwrap()
    }
}

fn message(turn: usize) -> String {
    format!("message {turn}: {}", "x".repeat(turn % 97))
}

#[test]
fn a_growing_conversation_costs_only_its_new_messages() {
    let bytes = Arc::new(Bytes::default());
    let counter = CachedCounter::new(Arc::clone(&bytes));
    for turns in 1..=100 {
        for turn in 0..turns {
            assert_eq!(counter.count(&message(turn)), message(turn).len() as i64);
        }
    }
    let once: usize = (0..100).map(|turn| message(turn).len()).sum();
    assert_eq!(bytes.seen.load(Ordering::Relaxed), once);
    assert_eq!(counter.statistics().misses, 100);
    assert_eq!(counter.statistics().hits, 100 * 101 / 2 - 100);
}

#[test]
fn memory_stays_within_its_bound_and_counts_stay_right() {
    let counter = CachedCounter::with_bytes(Bytes::default(), 10_000);
    for turn in 0..5_000 {
        assert_eq!(counter.count(&message(turn)), message(turn).len() as i64);
        assert!(counter.statistics().bytes <= 10_000);
    }
    assert!(counter.statistics().texts > 20);
}

#[test]
fn what_is_asked_for_again_and_again_is_not_forgotten() {
    let counter = CachedCounter::with_bytes(Vocabulary::O200kBase, 10_000);
    for turn in 0..2_000 {
        counter.count("the system prompt");
        counter.count(&message(turn));
    }
    assert_eq!(counter.statistics().misses, 2_001);
}

#[test]
fn a_text_larger_than_the_memory_is_counted_and_pushes_nothing_out() {
    let counter = CachedCounter::with_bytes(Bytes::default(), 1_000);
    counter.count("kept");
    assert_eq!(counter.count(&"x".repeat(5_000)), 5_000);
    counter.count("kept");
    assert_eq!((counter.statistics().hits, counter.statistics().texts), (1, 1));
    let forgetful = CachedCounter::with_bytes(Bytes::default(), 0);
    assert_eq!((forgetful.count("abc"), forgetful.count("abc")), (3, 3));
}

#[test]
fn limits_are_answered_from_memory_and_exact_answers_are_kept() {
    let counter = CachedCounter::new(Vocabulary::O200kBase);
    assert_eq!(counter.count_up_to("one two three four", 2), None);
    assert_eq!(counter.statistics().texts, 0);
    assert_eq!(counter.count_up_to("one two three four", 4), Some(4));
    assert_eq!(counter.count_up_to("one two three four", 3), None);
    assert_eq!(counter.count("one two three four"), 4);
    assert_eq!(counter.statistics().hits, 2);
}

#[test]
fn threads_share_it_and_agree() {
    let counter: Arc<dyn Counter> = Arc::new(CachedCounter::with_bytes(Bytes::default(), 5_000));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for turn in 0..2_000 {
                    let message = message(turn % 300);
                    assert_eq!(counter.count(&message), message.len() as i64);
                }
            });
        }
    });
}

#[test]
fn it_says_what_its_counter_is_based_on() {
    let claude = *Model::by_name("claude-opus-4-7").unwrap();
    let counter = CachedCounter::new(Box::new(claude) as Box<dyn Counter>);
    assert!(counter.basis().is_estimate());
    assert_eq!(counter.basis().to_string(), "an estimate, 1.53 x o200k_base");
    assert_eq!(Bytes::default().basis(), Basis::Custom);
}
