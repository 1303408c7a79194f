//! A conversation of 1,000 messages: counted, counted again with one more, and asked only whether it fits.

#![allow(missing_docs, reason = "nobody calls a bench")]

use cupel_tokens::{CachedCounter, Counter, Vocabulary};
use divan::{Bencher, black_box};

fn main() {
    Vocabulary::O200kBase.count("load it first");
    divan::main();
}

/// Between 30 and 1,500 bytes each, no two alike.
fn messages() -> Vec<String> {
    let words = ["window", "tokens", "selected", "because", "result", "of", "the", "tool", "call_"];
    let message = |turn: usize| {
        let word = |at: usize| format!("{}{}", words[(turn * 7 + at * at) % words.len()], at % 13);
        (0..5 + turn * 31 % 200).map(word).collect::<Vec<_>>().join(" ")
    };
    (0..1_000).map(message).collect()
}

fn total(counter: &impl Counter, messages: &[String]) -> i64 {
    messages.iter().map(|message| counter.count(message)).sum()
}

#[divan::bench]
fn counted(bencher: Bencher<'_, '_>) {
    let messages = messages();
    bencher.bench(|| total(&Vocabulary::O200kBase, black_box(&messages)));
}

#[divan::bench]
fn counted_again_with_one_more(bencher: Bencher<'_, '_>) {
    let messages = messages();
    let fresh = || {
        let counter = CachedCounter::new(Vocabulary::O200kBase);
        total(&counter, &messages[1..]);
        counter
    };
    bencher.with_inputs(fresh).bench_refs(|counter| total(counter, black_box(&messages)));
}

#[divan::bench]
fn asked_whether_it_fits_into_10_000(bencher: Bencher<'_, '_>) {
    let text = messages().join("\n");
    bencher.bench(|| Vocabulary::O200kBase.count_up_to(black_box(&text), 10_000));
}
