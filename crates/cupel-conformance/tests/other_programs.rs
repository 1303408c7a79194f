//! Engines in other programs: the loop end to end, and all the ways it can break.

use std::time::Duration;

use cupel_conformance::engine::{Answer, Engine, PlaceTask, Placed, PlacerSpec, Reply, Unanswered};
use cupel_conformance::external::{DEFAULT_TIMEOUT, External, serve};
use cupel_conformance::native::Native;
use cupel_conformance::{Verdict, built_in, run};

const RESPONDER: &str = env!("CARGO_BIN_EXE_cupel-conformance-responder");

#[test]
fn our_engine_in_another_program_passes_every_vector_on_the_same_paths() {
    let verdicts = |engine: &mut dyn Engine| {
        let mut verdicts: Vec<Verdict> = Vec::new();
        run(engine, built_in(), |checked| verdicts.push(checked.verdict.clone()));
        verdicts
    };
    let mut external = External::start(vec![RESPONDER.to_owned()], DEFAULT_TIMEOUT).unwrap();
    assert_eq!(external.name(), "cupel");
    let verdicts_outside = verdicts(&mut external);
    assert!(verdicts_outside.iter().all(|it| matches!(it, Verdict::Passed(_))));
    assert_eq!(verdicts_outside, verdicts(&mut Native));
}

/// The examples of PROTOCOL.md are what the responder says.
#[test]
fn the_documented_exchange_is_the_real_one() {
    let page = include_str!("../PROTOCOL.md");
    let blocks = |kind: &str| -> Vec<serde_json::Value> {
        let opening = format!("```json {kind}\n");
        let blocks = page.split(&opening).skip(1);
        let json = blocks.map(|block| block.split("```").next().unwrap());
        json.map(|json| serde_json::from_str(json).unwrap()).collect()
    };
    let requests = blocks("request");
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let mut output = Vec::new();
    serve(&mut Native, lines.as_bytes(), &mut output).unwrap();
    let responses: Vec<serde_json::Value> = String::from_utf8(output)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(requests.len() >= 4);
    assert_eq!(responses, blocks("response"));
}

#[test]
fn a_question_about_items_that_are_not_there_is_refused() {
    let item = r#"{"content":"a","tokens":1,"kind":"Message","source":"Chat","tags":[],"pinned":false,"metadata":{}}"#;
    let score = |items: &str, list: &str, wanted: &str| {
        let task = format!(
            r#"{{"scorer":{{"type":"recency"}},"items":[{items}],"list":{list},"wanted":{wanted}}}"#
        );
        (r#""score""#, task)
    };
    let place = |scores: &str| {
        let task = format!(r#"{{"placer":"u-shaped","items":[{item}],"scores":{scores}}}"#);
        (r#""place""#, task)
    };
    let answer = |(operation, task): (&str, String)| {
        let line = format!(r#"{{"id":7,"operation":{operation},"task":{task}}}"#);
        serve(&mut Native, line.as_bytes(), &mut Vec::new()).map_err(|error| error.to_string())
    };

    assert_eq!(answer(score(item, "[0]", "[0]")), Ok(()));
    assert_eq!(answer(place("[0.5]")), Ok(()));
    for nonsense in [
        score(item, "[1]", "[0]"),
        score(item, "[0]", "[1]"),
        score(r#"{"same_as":0}"#, "[0]", "[0]"),
        score(&format!(r#"{{"same_as":1}},{item}"#), "[0]", "[0]"),
        place("[]"),
    ] {
        let told = answer(nonsense).unwrap_err();
        assert!(told.starts_with("request 7 makes no sense: "), "{told}");
    }
}

const QUESTION: PlaceTask =
    PlaceTask { placer: PlacerSpec::Chronological, items: Vec::new(), scores: Vec::new() };

const WELCOME: &str = r#"read -r line; echo '{"id":0,"protocol":1,"engine":"sh"}'"#;

/// A shell script as an engine.
fn script(script: &str, timeout: Duration) -> Result<External, String> {
    External::start(vec!["sh".to_owned(), "-c".to_owned(), script.to_owned()], timeout)
}

/// What a program that greets and then does `rest` makes of one question.
fn asked(rest: &str) -> Reply<Placed> {
    script(&format!("{WELCOME}; {rest}"), Duration::from_millis(500)).unwrap().place(&QUESTION)
}

fn breakdown(rest: &str) -> String {
    match asked(rest) {
        Err(Unanswered::Broken(reason)) => reason,
        other => panic!("{rest:?} gives {other:?}"),
    }
}

#[cfg(unix)]
mod scripts {
    use super::*;

    #[test]
    fn a_right_answer_is_understood() {
        let answer =
            r#"read -r line; echo '{"id":1,"answers":[{"path":"p","result":{"order":[]}}]}'"#;
        let expected = Answer::new("p", Ok(Placed { order: Vec::new() }));
        assert_eq!(asked(answer), Ok(vec![expected]));
        let refusal = r#"read -r line; echo '{"id":1,"not_supported":"not yet"}'"#;
        assert_eq!(asked(refusal), Err(Unanswered::NotSupported("not yet".to_owned())));
    }

    #[test]
    fn silence_ends_with_the_timeout() {
        assert_eq!(breakdown("sleep 20"), "the program did not answer within 500ms");
    }

    #[test]
    fn an_early_end_is_told_with_its_status() {
        assert_eq!(
            breakdown("read -r line; exit 3"),
            "the program ended without an answer: exit status: 3"
        );
    }

    #[test]
    fn anything_but_the_response_asked_for_is_shown() {
        let reason = breakdown("read -r line; echo hello there");
        assert!(reason.starts_with("the program's answer is wrong: "), "{reason}");
        assert!(reason.ends_with("\nhello there"), "{reason}");
        assert_eq!(
            breakdown(r#"read -r line; echo '{"id":7,"not_supported":"x"}'"#),
            "the program answered request 7 when asked 1"
        );
        assert_eq!(
            breakdown(r#"read -r line; echo '{"id":1}'"#),
            "the response must have one of answers, not_supported and broken"
        );
        assert_eq!(
            breakdown(r#"read -r line; echo '{"id":1,"answers":[{"path":"p"}]}'"#),
            "answer \"p\" needs either a result or an error"
        );
        assert_eq!(breakdown(r#"read -r line; echo '{"id":1,"broken":"my fault"}'"#), "my fault");
    }

    #[test]
    fn no_answers_at_all_fail_a_vector() {
        let mut engine = script(
            &format!(r#"{WELCOME}; read -r line; echo '{{"id":1,"answers":[]}}'"#),
            DEFAULT_TIMEOUT,
        )
        .unwrap();
        let vectors = built_in().filter(|it| it.path.contains("required/placing")).take(1);
        let summary = run(&mut engine, vectors, |_| {});
        assert_eq!((summary.passed, summary.failed), (0, 1));
    }

    #[test]
    fn a_program_that_broke_down_is_started_anew_for_the_next_question() {
        // Greets under whatever number it is asked, then ends at the first question.
        let greet = r#"read -r line; id=${line#*:}; id=${id%%,*}; echo "{\"id\":$id,\"protocol\":1,\"engine\":\"sh\"}""#;
        let mut engine =
            script(&format!("{greet}; read -r line; exit 1"), DEFAULT_TIMEOUT).unwrap();
        for _ in 0..5 {
            let Err(Unanswered::Broken(reason)) = engine.place(&QUESTION) else { panic!() };
            assert_eq!(reason, "the program ended without an answer: exit status: 1");
        }
    }

    #[test]
    fn after_three_timeouts_in_a_row_it_is_left_alone() {
        let greet = r#"read -r line; id=${line#*:}; id=${id%%,*}; echo "{\"id\":$id,\"protocol\":1,\"engine\":\"sh\"}""#;
        let timeout = Duration::from_millis(300);
        let mut engine = script(&format!("{greet}; sleep 20"), timeout).unwrap();
        let reasons: Vec<String> = (0..4)
            .map(|_| match engine.place(&QUESTION) {
                Err(Unanswered::Broken(reason)) => reason,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(reasons[2], "the program did not answer within 300ms");
        assert_eq!(reasons[3], "not asked: the program let 3 questions in a row time out");
    }

    #[test]
    fn a_program_that_cannot_be_greeted_is_refused_at_once() {
        let refused = |text: &str| script(text, Duration::from_millis(500)).unwrap_err();
        let other = r#"read -r line; echo '{"id":0,"protocol":2,"engine":"sh"}'; cat"#;
        assert!(refused(other).ends_with("speaks version 2 of the protocol, not 1"));
        assert_eq!(refused("sleep 20"), "the program did not answer within 500ms");
        assert!(refused("exit 0").starts_with("the program ended without an answer: "));
        let missing = External::start(vec!["no-such-program".to_owned()], DEFAULT_TIMEOUT);
        assert!(missing.unwrap_err().starts_with("no-such-program cannot be started: "));
    }
}
