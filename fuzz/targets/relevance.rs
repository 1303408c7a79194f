//! Any texts, queries and documents: a kept index scores as a fresh one to the bit, what scores are made of adds up to them, and
//! windows without repetitions fit and account for every candidate.
#![no_main]

use arbitrary::{Arbitrary, Result, Unstructured};
use cupel::{
    ContextBudget, ContextItem, InputOrderPlacer, Pipeline, RankSlice, RunContext, Scorer,
};
use cupel_relevance::{
    DistinctSlice, Index, NearDuplicateTreatment, NearDuplicates, RelevanceScorer,
};
use libfuzzer_sys::fuzz_target;

#[derive(Debug)]
struct Problem {
    items: Vec<Part>,
    queries: Vec<String>,
    threshold: u8,
    shingle_words: u8,
    leave_out: bool,
    budget: u16,
}

#[derive(Debug)]
struct Part {
    text: String,
    tokens: u8,
    document: Option<bool>,
    position: Option<i8>,
    similarity: Option<i8>,
}

impl<'a> Arbitrary<'a> for Problem {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            threshold: bytes.arbitrary()?,
            shingle_words: bytes.arbitrary()?,
            leave_out: bytes.arbitrary()?,
            budget: bytes.arbitrary()?,
            queries: bytes.arbitrary()?,
            items: bytes.arbitrary()?,
        })
    }
}

impl<'a> Arbitrary<'a> for Part {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            tokens: bytes.arbitrary()?,
            document: bytes.arbitrary()?,
            position: bytes.arbitrary()?,
            similarity: bytes.arbitrary()?,
            text: bytes.arbitrary()?,
        })
    }
}

impl Part {
    fn item(&self) -> Option<ContextItem> {
        let mut item = ContextItem::builder(self.text.as_str(), i64::from(self.tokens));
        if let Some(document) = self.document {
            item = item.document(if document { "a" } else { "b" });
        }
        if let Some(position) = self.position {
            item = item.position(i64::from(position));
        }
        if let Some(similarity) = self.similarity {
            item = item.similarity(f64::from(similarity));
        }
        // A text may be empty, which no item is.
        item.build().ok()
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(problem) = Problem::arbitrary(&mut Unstructured::new(bytes)) else { return };
    let items: Vec<_> = problem.items.iter().filter_map(Part::item).collect();
    let kept = RelevanceScorer::new().with_index(Index::new());
    for (at, query) in problem.queries.iter().enumerate() {
        // Items come and go.
        let some = &items[at.min(items.len())..];
        let context = RunContext::new().with_query(query.as_str());
        let fresh = RelevanceScorer::new().score_batch(some, &context).expect("a query is given");
        let again = kept.score_batch(some, &context).expect("a query is given");
        assert!(fresh.iter().zip(&again).all(|(a, b)| a.to_bits() == b.to_bits()));
        assert!(fresh.iter().all(|score| (0.0..=1.0 + 1e-9).contains(score)), "{fresh:?}");
        for breakdown in kept.breakdown(some, &context).expect("a query is given") {
            let sum: f64 = breakdown.parts[0].details.iter().map(|it| it.added).sum();
            assert!((sum - fresh[breakdown.index]).abs() < 1e-9, "{sum} of {breakdown:?}");
        }
    }
    let mut near_duplicates = NearDuplicates::default();
    near_duplicates.threshold = f64::from(problem.threshold.max(1)) / 255.0;
    near_duplicates.shingle_words = usize::from(problem.shingle_words.max(1));
    if problem.leave_out {
        near_duplicates.treatment = NearDuplicateTreatment::LeaveOut;
    }
    let slicer = DistinctSlice::new(RankSlice::default(), near_duplicates).expect("valid settings");
    let query = problem.queries.first().map_or("", String::as_str);
    let pipeline =
        Pipeline::builder().scorer(RelevanceScorer::new()).slicer(slicer).placer(InputOrderPlacer);
    let pipeline = pipeline.deduplication(false).build().expect("a whole pipeline");
    let asked = pipeline.in_context(RunContext::new().with_query(query));
    let budget = ContextBudget::builder(i64::from(problem.budget)).build().expect("a valid budget");
    let report = asked.dry_run(&items, &budget).expect("nothing is pinned");
    assert_eq!(report.included.len() + report.excluded.len(), items.len());
    let used: i64 = report.included.iter().map(|it| it.item.tokens()).sum();
    assert!(used <= i64::from(problem.budget));
});
