//! Policies that mean harm: each is refused, or is harmless, in time and memory that its size
//! explains, on a small stack, and with a message somebody can read.
#![allow(unsafe_code, reason = "an allocator that counts cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::thread;

use cupel::ContextItem;
use cupel_policy::{
    Loader, MAX_DEPTH, MAX_POLICY_BYTES, MAX_PROBLEMS, MAX_STEP_WINDOWS, PolicyError, PolicyFile,
    respond,
};

thread_local! {
    // Constant and without a destructor, so that reading it never allocates.
    static LIVE_AND_PEAK: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator, whose guarantees hold; the
// counting beside it neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (live, peak) = LIVE_AND_PEAK.get();
        let live = live + layout.size() as isize;
        LIVE_AND_PEAK.set((live, peak.max(live)));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let (live, peak) = LIVE_AND_PEAK.get();
        LIVE_AND_PEAK.set((live - layout.size() as isize, peak));
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How much memory `work` takes at most on this thread.
fn peak_of<T>(work: impl FnOnce() -> T) -> (T, usize) {
    LIVE_AND_PEAK.set((0, 0));
    let result = work();
    (result, LIVE_AND_PEAK.get().1.unsigned_abs())
}

fn refused(json: &str) -> PolicyError {
    PolicyFile::from_json(json).expect_err("a hostile policy")
}

/// The refusal, in a few lines.
fn told(json: &str) -> String {
    let told = refused(json).to_string();
    assert!(told.len() < 1_000, "a message of {} bytes", told.len());
    told
}

fn scorer(json: &str) -> String {
    format!(r#"{{"scorers": [{json}]}}"#)
}

fn steps(windows: &str) -> String {
    let curve = format!(r#"{{"type": "step", "windows": [{windows}]}}"#);
    scorer(&format!(r#"{{"type": "decay", "weight": 1, "curve": {curve}}}"#))
}

fn nested(depth: usize) -> String {
    let open = r#"{"type": "scaled", "weight": 1, "innerScorer": "#.repeat(depth);
    let close = "}".repeat(depth);
    scorer(&format!(r#"{open}{{"type": "recency", "weight": 1}}{close}"#))
}

#[test]
fn deep_json_is_refused_on_a_small_stack() {
    let work = || {
        for open in ["[", r#"{"a":"#, r#"{"scorers":["#, r#"[{"innerScorer":"#] {
            let told = told(&open.repeat(200_000));
            assert!(told.contains("nested more than 128 levels deep"), "{told}");
        }
    };
    thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap().join().unwrap();
}

#[test]
fn scorers_are_nested_as_deep_as_the_format_allows_and_no_deeper() {
    // The file, its list of scorers and the innermost one take a level each.
    let deepest = MAX_DEPTH - 3;
    let work = move || {
        let policy = Loader::new().load(&nested(deepest)).unwrap();
        let item = ContextItem::builder("a", 1).build().unwrap();
        let budget = cupel::ContextBudget::builder(1).build().unwrap();
        let window = cupel::Pipeline::from(policy).run(&[item], &budget).unwrap();
        assert_eq!(window.len(), 1);
        assert!(told(&nested(deepest + 1)).contains("nested more than 128 levels deep"));
    };
    thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn numbers_beyond_their_range_are_refused_however_long_they_are() {
    let weight = |number: &str| scorer(&format!(r#"{{"type": "recency", "weight": {number}}}"#));
    let digits = "9".repeat(1_000_000);
    for number in ["1e400", "-1e400", &format!("1e{digits}"), &digits, &format!("-{digits}")] {
        assert!(told(&weight(number)).contains("out of range"));
    }
    let nothing = [format!("0.{}1", "0".repeat(1_000_000)), format!("1e-{digits}")];
    for number in nothing {
        assert!(told(&weight(&number)).contains("greater than 0"));
    }
    assert!(PolicyFile::from_json(&weight(&format!("1.{digits}"))).is_ok());

    let bucket = |number: &str| {
        let one = r#"{"scorers": [{"type": "recency", "weight": 1}], "slicerType": "knapsack""#;
        format!("{one}, \"knapsackBucketSize\": {number}}}")
    };
    assert!(PolicyFile::from_json(&bucket(&i64::MAX.to_string())).is_ok());
    for number in ["9223372036854775808", &"9".repeat(300), "-9223372036854775809"] {
        assert!(told(&bucket(number)).contains("at most 64 bits"));
    }
}

#[test]
fn values_that_are_not_finite_are_refused_by_the_strategies_and_files_do_not_have_them() {
    let slicer = |settings: &str| {
        let recency = r#"{"type": "recency", "weight": 1}"#;
        format!(r#"{{"scorers": [{recency}], "slicerType": {settings}}}"#)
    };
    for (json, code, path) in [
        (scorer(r#"{"type": "recency", "weight": NaN}"#), "ScorerConfig", "$.scorers[0].weight"),
        (scorer(r#"{"type": "recency", "weight": Infinity}"#), "ScorerConfig", "$.scorers"),
        (
            scorer(r#"{"type": "kind", "weight": 1, "kindWeights": {"Message": Infinity}}"#),
            "ScorerConfig",
            "$.scorers[0]",
        ),
        (
            slicer(r#"{"type": "rank", "sizeExponent": NaN}"#),
            "SlicerConfig",
            "$.slicerType.sizeExponent",
        ),
        (
            slicer(r#"{"type": "rank", "sizeFloor": -Infinity}"#),
            "InvalidRequest",
            "$.slicerType.sizeFloor",
        ),
    ] {
        let error = Loader::new().parse_values(&json).unwrap_err();
        assert_eq!((error.code(), error.problems()[0].path()), (code, path), "{error}");
        assert!(told(&json).contains("not JSON"), "{json}");
    }
}

#[test]
fn step_curves_have_a_thousand_windows_at_most() {
    let windows = |count: usize| {
        let window = |at: usize| format!(r#"{{"maxAgeSeconds": {}, "score": 0.5}}"#, at + 1);
        steps(&(0..count).map(window).collect::<Vec<_>>().join(","))
    };
    assert!(PolicyFile::from_json(&windows(MAX_STEP_WINDOWS)).is_ok());
    let error = refused(&windows(MAX_STEP_WINDOWS + 1));
    assert_eq!((error.problems().len(), error.more()), (1, 0));
    assert!(error.to_string().contains("1001 windows are more than a file may have (1000)"));
}

#[test]
fn as_many_windows_as_a_file_can_hold_are_refused_once() {
    let millions = steps(&"{},".repeat((MAX_POLICY_BYTES - 200) / 3)).replace(",]", "]");
    assert!(millions.len() <= MAX_POLICY_BYTES);
    let (error, peak) = peak_of(|| refused(&millions));
    assert_eq!(error.problems().len() + error.more(), 1);
    let multiple = peak as f64 / millions.len() as f64;
    println!("{multiple:.1} times its size in memory");
    assert!(multiple < 64.0, "{multiple} times its size in memory");
}

#[test]
fn longer_files_are_refused_before_they_are_read() {
    let endless = steps(&r#"{"maxAgeSeconds": 1, "score": 1},"#.repeat(MAX_POLICY_BYTES / 30));
    let (told, peak) = peak_of(|| told(&endless));
    assert!(told.contains("more than a policy file may have (4194304)"), "{told}");
    assert!(peak < 10_000, "{peak} bytes to refuse {}", endless.len());
}

#[test]
fn long_names_are_refused_in_short_messages() {
    let long = "x".repeat(2_000_000);
    for hostile in [
        format!(r#"{{"{long}": 1, "scorers": [{{"type": "recency", "weight": 1}}]}}"#),
        scorer(&format!(r#"{{"type": "{long}", "weight": 1}}"#)),
        scorer(&format!(r#"{{"type": "recency", "weight": 1, "{long}": {{}}}}"#)),
        scorer(&format!(r#"{{"type": "recency", "weight": "{long}"}}"#)),
        format!(r#"{{"scorers": [{{"type": "recency", "weight": 1}}], "placerType": "{long}"}}"#),
        format!("\"{long}\""),
        long.clone(),
    ] {
        told(&hostile);
    }
    let described =
        format!(r#"{{"name": "{long}", "scorers": [{{"type":"recency","weight":1}}]}}"#);
    assert_eq!(
        PolicyFile::from_json(&described).unwrap().name.map(|name| name.len()),
        Some(2_000_000)
    );
}

#[test]
fn keys_given_a_hundred_thousand_times_are_counted_not_listed() {
    let names = r#""name": "x", "#.repeat(100_000);
    let error = refused(&format!(r#"{{{names}"scorers": [{{"type": "recency", "weight": 1}}]}}"#));
    assert_eq!((error.problems().len(), error.more()), (MAX_PROBLEMS, 99_999 - MAX_PROBLEMS));
    let weights = r#""a": 1, "#.repeat(100_000);
    let error = refused(&scorer(&format!(
        r#"{{"type": "kind", "weight": 1, "kindWeights": {{{weights}"b": 1}}}}"#
    )));
    assert_eq!((error.problems().len(), error.more()), (MAX_PROBLEMS, 99_999 - MAX_PROBLEMS));
}

#[test]
fn a_hundred_thousand_kinds_and_scorers_are_merely_many() {
    let weights: Vec<_> = (0..100_000).map(|at| format!("\"kind {at}\": {at}")).collect();
    let kinds =
        format!(r#"{{"type": "kind", "weight": 1, "kindWeights": {{{}}}}}"#, weights.join(","));
    assert!(Loader::new().load(&scorer(&kinds)).is_ok());
    let scorers = vec![r#"{"type": "recency", "weight": 1}"#; 100_000].join(",");
    assert!(Loader::new().load(&scorer(&scorers)).is_ok());
}

#[test]
fn names_that_look_like_references_lead_nowhere() {
    for hostile in [
        r##"{"$ref": "#"}"##.to_owned(),
        scorer(r##"{"$ref": "#/scorers/0"}"##),
        scorer(r#"{"type": "scaled", "weight": 1, "innerScorer": "scaled"}"#),
        scorer(r#"{"type": "scaled", "weight": 1, "innerScorer": {"type": "$", "weight": 1}}"#),
        r#""./self.json""#.to_owned(),
        r#""../../etc/passwd""#.to_owned(),
    ] {
        told(&hostile);
    }
}

#[test]
fn requests_of_nothing_but_small_values_take_a_bounded_multiple_of_their_size() {
    let request = format!("{{\"items\": [{}0]}}", "0,".repeat(1 << 20));
    let (response, peak) = peak_of(|| respond(request.as_bytes()));
    assert!(response.error().is_some());
    let multiple = peak as f64 / request.len() as f64;
    println!("{multiple:.1} times its size in memory");
    assert!(multiple < 64.0, "{multiple} times its size in memory");
}
