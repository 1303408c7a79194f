//! Inputs made to be expensive or odd: bounded work, no panic, sensible scores.
//!
//! Sizes are those of the names in optimised builds, and smaller in others, where they would take minutes:
//!
//! ```console
//! $ cargo test --profile bench -p cupel-relevance --test hostile
//! ```
//!
//! How work grows is told by a ratio: of two inputs one is four times the other, and work that grew with the square would take sixteen
//! times as long.

use std::time::{Duration, Instant};

use cupel::{
    ContextBudget, ContextItem, InputOrderPlacer, Pipeline, RankSlice, ReflexiveScorer, RunContext,
    Scorer,
};
use cupel_relevance::{DistinctSlice, Index, NearDuplicates, RelevanceScorer};

/// The size of a case: as named, or as much less as unoptimised code is slower.
const fn size(named: usize) -> usize {
    if cfg!(debug_assertions) { named / 50 } else { named }
}

fn item(text: impl Into<String>) -> ContextItem {
    ContextItem::builder(text.into(), 10).build().expect("a valid item")
}

fn scores(items: &[ContextItem], query: &str) -> Vec<f64> {
    let scores = RelevanceScorer::new().score_batch(items, &RunContext::new().with_query(query));
    let scores = scores.expect("a query is given");
    assert_eq!(scores.len(), items.len());
    assert!(scores.iter().all(|score| (0.0..=1.0 + 1e-9).contains(score)), "not from 0 to 1");
    scores
}

/// How long this thread was on a processor, where the system tells, so that others on the machine do not count.
fn clock(since: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

fn time(work: impl FnOnce()) -> f64 {
    let since = Instant::now();
    let before = clock(since);
    work();
    (clock(since) - before).as_secs_f64()
}

/// Work on four times as much takes about four times as long; a square would take sixteen. The least of three ratios: what else
/// the machine does only ever disturbs.
fn grows_in_proportion(what: &str, mut work: impl FnMut(usize), small: usize) {
    let ratios = (0..3).map(|_| {
        let less = time(|| work(small));
        time(|| work(small * 4)) / less.max(1e-9)
    });
    let ratio = ratios.fold(f64::INFINITY, f64::min);
    assert!(ratio < 10.0, "{what}: {ratio:.1} times the work for four times the input");
}

/// Different words, as many as asked for.
fn words(count: usize) -> String {
    (0..count).map(|number| format!("word{number} ")).collect()
}

#[test]
fn a_query_of_a_megabyte() {
    let query = words(size(1_000_000) / 8);
    let items: Vec<_> =
        (0..50).map(|at| item(format!("word{at} word{} and more", at * 7))).collect();
    assert!(scores(&items, &query).iter().any(|score| *score > 0.9));
    assert!(
        scores(&items, &"reminder ".repeat(size(1_000_000) / 9)).iter().all(|score| *score == 0.0)
    );
}

/// A query whose every word is in every item: the terms that weigh least are left out, and scores stay finite.
#[test]
fn a_query_of_more_terms_than_count() {
    let text = words(2_000);
    let items: Vec<_> = (0..20).map(|at| item(format!("{text} own{at}"))).collect();
    let scored = scores(&items, &format!("{text} own3"));
    let best = (0..20).max_by(|a, b| scored[*a].total_cmp(&scored[*b]));
    assert_eq!(best, Some(3), "the rare word is not left out: {scored:?}");
}

#[test]
fn a_passage_of_a_hundred_megabytes() {
    let sentence = "The reminder job runs at half past two and writes to the log. ";
    let long = item(sentence.repeat(size(100_000_000) / sentence.len()));
    let items = [long, item("The coffee machine is on the second floor."), item("reminder job")];
    let scored = scores(&items, "When does the reminder job run?");
    assert!(scored[0] > 0.0 && scored[1] == 0.0 && scored[2] > 0.0, "{scored:?}");
    // The same with an index, which numbers all words and not only those of the query.
    let kept = RelevanceScorer::new().with_index(Index::new());
    let context = RunContext::new().with_query("When does the reminder job run?");
    assert_eq!(kept.score_batch(&items, &context).expect("a query is given"), scored);
}

#[test]
fn a_passage_of_nothing_but_different_words() {
    let items = [item(words(size(10_000_000) / 10)), item("word7")];
    let scored = scores(&items, "word7");
    assert!(scored[1] > scored[0] && scored[0] > 0.0, "{scored:?}");
}

/// A word of letters only, which is one term.
fn name(number: usize) -> String {
    let digits = number.to_string().into_bytes().into_iter();
    format!("q{}k", digits.map(|digit| char::from(digit - b'0' + b'a')).collect::<String>())
}

#[test]
fn a_million_one_word_passages() {
    const WORDS: usize = 5_000;
    let items: Vec<_> = (0..size(1_000_000)).map(|at| item(name(at % WORDS))).collect();
    let scored = scores(&items, &format!("{} {} nowhere", name(7), name(WORDS - 1)));
    let found = scored.iter().filter(|score| **score > 0.0).count();
    assert_eq!(found, items.len() / WORDS * 2);
}

#[test]
fn a_million_parts_of_one_document() {
    let part = |at: usize| {
        let word = if at.is_multiple_of(1_000) { "needle" } else { "hay" };
        ContextItem::builder(word, 10)
            .document("d")
            .position(at as i64)
            .build()
            .expect("a valid item")
    };
    let items: Vec<_> = (0..size(1_000_000)).map(part).collect();
    let scored = scores(&items, "needle");
    assert!(
        scored[0] > scored[1] && scored[1] > scored[20] && scored[20] > 0.0,
        "neighbours decay"
    );
}

/// Names of documents and words that differ in their last letters only.
#[test]
fn keys_that_are_easily_confused() {
    let long = "x".repeat(200);
    let part = |at: usize| {
        let item = ContextItem::builder(format!("{long}{at}"), 10)
            .document(format!("{long}{}", at / 2))
            .position(0);
        item.build().expect("a valid item")
    };
    let items: Vec<_> = (0..size(200_000)).map(part).collect();
    let scored = scores(&items, &format!("{long}17"));
    let best = (0..items.len()).max_by(|a, b| scored[*a].total_cmp(&scored[*b]));
    assert_eq!(best, Some(17));
}

fn distinct_window(items: &[ContextItem], tokens: i64) -> usize {
    let slicer = DistinctSlice::new(RankSlice::default(), NearDuplicates::default());
    let pipeline = Pipeline::builder()
        .scorer(ReflexiveScorer)
        .slicer(slicer.expect("valid settings"))
        .placer(InputOrderPlacer)
        .deduplication(false)
        .build()
        .expect("a whole pipeline");
    let budget = ContextBudget::builder(tokens).build().expect("a valid budget");
    let report = pipeline.dry_run(items, &budget).expect("a run");
    assert_eq!(report.included.len() + report.excluded.len(), items.len());
    report.included.len()
}

#[test]
fn texts_of_one_repeated_shingle() {
    let again = "again and again and again and ".repeat(size(100_000));
    let items: Vec<_> =
        (0..20).map(|at| item(format!("{again}{}", "again ".repeat(at % 3)))).collect();
    assert_eq!(distinct_window(&items, 100), 10);
}

#[test]
fn many_texts_that_all_share_a_header() {
    let header = "this header of twelve words stands above each and every one ";
    let items: Vec<_> = (0..size(200_000))
        .map(|at| {
            item(format!("{header} own{at} words{at} only{at} here{at} so{at} new{at} far{at}"))
        })
        .collect();
    assert_eq!(distinct_window(&items, 10 * items.len() as i64), items.len());
}

/// Each repeats the one before a little, so that repetitions of repetitions would chain.
#[test]
fn a_long_chain_of_texts_that_overlap() {
    let text = |at: usize| (at..at + 12).map(|word| format!("w{word} ")).collect::<String>();
    let items: Vec<_> = (0..size(100_000)).map(|at| item(text(at))).collect();
    let chosen = distinct_window(&items, 10 * items.len() as i64 / 2);
    assert_eq!(chosen, items.len() / 2);
}

#[test]
fn work_grows_in_proportion() {
    let query = "reminder job log word7 word8 word9";
    let of_text = |size: usize| {
        let items = [item(format!("{} reminder job", "some words of a text ".repeat(size)))];
        scores(&items, query);
    };
    grows_in_proportion("text", of_text, size(400_000).max(20_000));
    let of_items = |count: usize| {
        let items: Vec<_> =
            (0..count).map(|at| item(format!("word{} reminder {at}", at % 50))).collect();
        scores(&items, query);
    };
    grows_in_proportion("items", of_items, size(50_000).max(4_000));
    let of_query = |count: usize| {
        let items: Vec<_> = (0..200).map(|at| item(format!("word{at} reminder"))).collect();
        scores(&items, &words(count));
    };
    grows_in_proportion("query", of_query, size(100_000).max(10_000));
    let of_shingles = |count: usize| {
        let items: Vec<_> = (0..count)
            .map(|at| item(format!("a header that all of them have w{at} x{at} y{at} z{at}")))
            .collect();
        distinct_window(&items, 10 * count as i64);
    };
    grows_in_proportion("texts that share shingles", of_shingles, size(20_000).max(1_000));
}

#[test]
fn odd_characters_are_words_like_others_or_none() {
    let odd = [
        "\u{200b}\u{200b}\u{200b}",
        "\u{301}\u{301}\u{301}\u{301}",
        "rem\u{200b}inder",
        "re\u{301}minder",
        "\u{feff}reminder",
        "\u{202e}rednimer",
        "ﷺ ﷽",
        "Ĳssel ǅ İstanbul ẞ",
        "𝓇𝑒𝓂𝒾𝓃𝒹𝑒𝓇",
        "ａｂｃ",
        "日本語とEnglishとРусскийと한국어とไทย",
        "👩‍👩‍👧‍👦🏳️‍🌈",
        "\u{0}\u{1}\u{7f}",
        "____",
        "١٢٣",
        "e\u{301}e\u{301}e\u{301}",
    ];
    let items: Vec<_> = odd.iter().map(|text| item(*text)).collect();
    for query in odd {
        let scored = scores(&items, query);
        let breakdown =
            RelevanceScorer::new().breakdown(&items, &RunContext::new().with_query(query));
        let breakdown = breakdown.expect("a query is given");
        assert!(breakdown.iter().zip(&scored).all(|(it, score)| it.score == *score), "{query:?}");
    }
    // What is invisible in a word, or another way to write it, does not hide it.
    for query in ["rem\u{200b}inder", "\u{feff}reminder", "𝓇𝑒𝓂𝒾𝓃𝒹𝑒𝓇"] {
        let scored = scores(&[item("the reminder"), item("coffee")], query);
        assert!(scored[0] > 0.9 && scored[1] == 0.0, "{query:?}: {scored:?}");
    }
    // Mixed scripts are found by each of their parts.
    let mixed = [item("日本語とEnglishとРусский"), item("coffee")];
    for query in ["日本語", "English", "русский"] {
        assert!(scores(&mixed, query)[0] > 0.9, "{query}");
    }
}

/// A letter with a hundred thousand accents is one word, and too long to be found.
#[test]
fn a_word_without_end() {
    let items = [
        item(format!("a{}", "\u{301}".repeat(size(10_000_000)))),
        item("x".repeat(size(100_000_000))),
        item("aB".repeat(size(10_000_000))),
        item("図".repeat(size(5_000_000))),
        item("needle"),
    ];
    let scored = scores(&items, "needle 図図");
    assert!(
        scored[4] > 0.0 && scored[3] > 0.0 && scored[..3].iter().all(|score| *score == 0.0),
        "{scored:?}"
    );
}
