//! What is passed, failed and skipped, and what is said about it.

use cupel_conformance::engine::*;
use cupel_conformance::native::Native;
use cupel_conformance::render::{write_checked, write_summary};
use cupel_conformance::{Checked, Failure, Source, Verdict, built_in, run, run_one};

fn built_in_vector(path: &str) -> Source {
    built_in().find(|source| source.path == path).unwrap()
}

fn vector(text: &str) -> Source {
    Source { path: "my.toml".to_owned(), level: None, suite: None, text: text.to_owned() }
}

fn text_of(checked: &Checked) -> String {
    let mut out = Vec::new();
    write_checked(&mut out, checked).unwrap();
    String::from_utf8(out).unwrap()
}

/// Our engine with something done to each answer of a kind.
struct Altered<F>(F);

impl<F: FnMut(&mut Answer<Ran>)> Engine for Altered<F> {
    fn name(&self) -> String {
        "altered".to_owned()
    }

    fn run(&mut self, task: &RunTask) -> Reply<Ran> {
        let mut answers = Native.run(task)?;
        answers.iter_mut().for_each(&mut self.0);
        Ok(answers)
    }
}

const EVERY_REASON: &str = "extended/diagnostics/every-item-has-a-reason.toml";

#[test]
fn one_path_that_differs_is_named() {
    let mut engine = Altered(|answer: &mut Answer<Ran>| {
        if answer.path == "dry_run" {
            answer.outcome.as_mut().unwrap().output.reverse();
        }
    });
    let checked = run_one(&mut engine, built_in_vector(EVERY_REASON));
    let expected = format!(
        "FAILED  {EVERY_REASON}
  Diagnostics: every candidate is included or excluded, with score, reason and totals
  outcome, as of the first path by dry_run
    expected [\"rule\", \"a\" (item 2), \"b\"]
      actual [\"b\", \"a\" (item 2), \"rule\"]
  output by dry_run
    expected [\"rule\" (item 1), \"a\" (item 2), \"b\" (item 3)]
      actual [\"b\", \"a\" (item 2), \"rule\"]
"
    );
    assert_eq!(text_of(&checked), expected);
}

#[test]
fn paths_that_differ_alike_are_named_together() {
    let mut engine = Altered(|answer: &mut Answer<Ran>| {
        if let Some(report) = &mut answer.outcome.as_mut().unwrap().report {
            report.total_candidates = Some(7);
        }
    });
    let checked = run_one(&mut engine, built_in_vector(EVERY_REASON));
    let Verdict::Failed(Failure::Differs(differences)) = checked.verdict else { panic!() };
    assert_eq!(differences.len(), 1);
    assert_eq!(differences[0].what, "total_candidates");
    assert_eq!((&*differences[0].expected, &*differences[0].actual), ("6", "7"));
    assert_eq!(differences[0].paths.len(), 6); // all but the plain run
}

/// Rule [Running the suite]: what an engine does not tell is skipped, not passed (ours)
#[test]
fn what_no_path_tells_is_skipped_not_passed() {
    let mut engine = Altered(|answer: &mut Answer<Ran>| {
        if let Some(report) = &mut answer.outcome.as_mut().unwrap().report {
            report.excluded = None;
        }
    });
    let checked = run_one(&mut engine, built_in_vector(EVERY_REASON));
    let reason = "what the engine tells is right, but it does not tell: excluded";
    assert_eq!(checked.verdict, Verdict::Skipped(reason.to_owned()));
}

#[test]
fn what_one_path_tells_is_enough() {
    let mut engine = Altered(|answer: &mut Answer<Ran>| {
        if answer.path != "dry_run" {
            answer.outcome.as_mut().unwrap().report = None;
        }
    });
    let checked = run_one(&mut engine, built_in_vector(EVERY_REASON));
    assert!(matches!(checked.verdict, Verdict::Passed(_)), "{checked:?}");
}

#[test]
fn a_position_that_does_not_exist_is_a_difference_not_a_crash() {
    let mut engine = Altered(|answer: &mut Answer<Ran>| {
        answer.outcome.as_mut().unwrap().output.push(99);
    });
    let checked = run_one(&mut engine, built_in_vector(EVERY_REASON));
    assert!(text_of(&checked).contains("position 99 of 6 items"), "{}", text_of(&checked));
}

/// Rule [Running the suite]: an engine that panics fails the vector at hand only (ours)
#[test]
fn an_engine_that_panics_fails_the_vector_at_hand_only() {
    let mut calls = 0;
    let mut engine = Altered(|_: &mut Answer<Ran>| {
        calls += 1;
        assert!(calls != 1, "no such luck");
    });
    let vectors = [built_in_vector(EVERY_REASON), built_in_vector(EVERY_REASON)];
    let mut shown = Vec::new();
    let summary = run(&mut engine, vectors, |checked| shown.push(text_of(checked)));
    assert_eq!((summary.passed, summary.failed), (1, 1));
    assert!(shown[0].contains("the engine panicked: no such luck"), "{}", shown[0]);
}

#[test]
fn tasks_an_engine_does_not_know_are_skipped_with_the_reason() {
    let mut engine = Altered(|_: &mut Answer<Ran>| {});
    let checked =
        run_one(&mut engine, built_in_vector("required/scoring/recency-ranks-by-age.toml"));
    let skipped = "skipped required/scoring/recency-ranks-by-age.toml: \
                   the engine does not support scoring on its own\n";
    assert_eq!(text_of(&checked), skipped);
}

const SCORING: &str = "
[test]
name = \"A third\"
stage = \"scoring\"
scorer = \"reflexive\"
[[items]]
content = \"a\"
tokens = 1
futureRelevanceHint = 0.333333333333
[[expected]]
content = \"a\"
score_approx = 0.33333333333333
";

/// Rule [Vector format]: scores are compared within score_epsilon, 1e-9 unless given
#[test]
fn scores_are_compared_with_the_vectors_epsilon_and_1e_9_without_one() {
    let verdict = |text: &str| run_one(&mut Native, vector(text)).verdict;
    assert!(matches!(verdict(SCORING), Verdict::Passed(_)));
    let with = |epsilon: &str| format!("{SCORING}[tolerance]\nscore_epsilon = {epsilon}\n");
    assert!(matches!(verdict(&with("1e-12")), Verdict::Passed(_)));
    assert!(matches!(verdict(&with("1e-13")), Verdict::Failed(_)));
    // Closer than nothing is impossible, even for equal scores.
    let exact = SCORING.replace("333333333333\n", "3\n").replace("33333333333333\n", "33\n");
    assert!(matches!(
        verdict(&format!("{exact}[tolerance]\nscore_epsilon = 0.0")),
        Verdict::Failed(_)
    ));
}

/// Rule [Running the suite]: a vector that asserts nothing is not passed (ours)
#[test]
fn a_vector_that_asserts_nothing_is_not_passed() {
    let text = "test = { name = \"x\", stage = \"slicing\", slicer = \"greedy\" }\nbudget = { target_tokens = 1 }";
    let checked = run_one(&mut Native, vector(text));
    assert_eq!(checked.verdict, Verdict::Skipped("the vector asserts nothing".to_owned()));
}

/// Rule [Running the suite]: a selection is compared as a multiset of contents
#[test]
fn selecting_an_item_more_often_than_it_was_given_is_caught() {
    struct Twice;
    impl Engine for Twice {
        fn name(&self) -> String {
            "twice".to_owned()
        }

        fn slice(&mut self, task: &SliceTask) -> Reply<Selected> {
            let mut answers = Native.slice(task)?;
            for answer in &mut answers {
                let selected = &mut answer.outcome.as_mut().unwrap().selected;
                selected.extend(selected.clone());
            }
            Ok(answers)
        }
    }
    let greedy = built_in_vector("required/slicing/greedy-fills-by-density.toml");
    let checked = run_one(&mut Twice, greedy);
    assert!(text_of(&checked).contains("is selected by slice, select\n    expected at most 1"));
}

/// Rule [Vector format]: a file that cannot be read fails, with line and column (ours)
#[test]
fn unreadable_vectors_fail_with_line_and_column() {
    let broken =
        |from: &str, to: &str| text_of(&run_one(&mut Native, vector(&SCORING.replace(from, to))));
    assert_eq!(
        broken("tokens = 1", "tokens = \"one\""),
        "FAILED  my.toml, line 8, column 10: invalid type: string \"one\", expected i64\n"
    );
    assert_eq!(
        broken("\"reflexive\"", "\"horoscope\"").split(", expected").next(),
        Some("FAILED  my.toml, line 5, column 10: unknown scorer \"horoscope\"")
    );
    assert_eq!(
        broken("scorer = \"reflexive\"", ""),
        "FAILED  my.toml, line 2, column 1: test.scorer is missing; vectors of this stage need it\n"
    );
    assert_eq!(
        broken("content = \"a\"\nscore", "content = \"b\"\nscore"),
        "FAILED  my.toml, line 10, column 1: there is no such item to expect a score of\n"
    );
    assert_eq!(
        broken("[[items]]", "[[items]"),
        "FAILED  my.toml, line 6, column 9: unclosed array table, expected `]`\n"
    );
}

/// Rule [Vector format]: unknown fields are ignored
#[test]
fn unknown_fields_are_ignored_with_a_warning() {
    let text = SCORING.replace("tokens = 1", "tokens = 1\ncolour = \"red\"");
    let checked = run_one(&mut Native, vector(&text));
    assert!(matches!(checked.verdict, Verdict::Passed(_)));
    let warning = "warning: my.toml: unknown field items.0.colour is ignored\n";
    assert_eq!(text_of(&checked), warning);
}

/// Rule [Vector format]: names of enumerations are read in any case (ours)
#[test]
fn names_of_enumerations_are_read_in_any_case() {
    let text =
        SCORING.replace("\"scoring\"", "\"Scoring\"").replace("\"reflexive\"", "\"REFLEXIVE\"");
    assert!(matches!(run_one(&mut Native, vector(&text)).verdict, Verdict::Passed(_)));
}

/// Rule [Running the suite]: all required vectors: Cupel Conformant; all optional ones too: Cupel Fully Conformant
#[test]
fn a_summary_closes_with_the_counts_alone_and_states_what_was_earned() {
    let shown = |level: &str, whole| {
        let vectors = built_in().filter(|it| it.path.starts_with(level));
        let summary = run(&mut Native, vectors, |_| {});
        let mut out = Vec::new();
        write_summary(&mut out, &summary, whole).unwrap();
        String::from_utf8(out).unwrap()
    };
    let required = shown("required", true);
    assert!(
        required.ends_with("\nCupel Conformant\n28 passed, 0 failed, 0 skipped\n"),
        "{required}"
    );
    assert!(!shown("required", false).contains("Conformant"));
    assert!(!shown("optional", true).contains("Conformant"));
}
