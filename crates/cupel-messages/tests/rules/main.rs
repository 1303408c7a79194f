//! The grammar, rule by rule: what stays together, what must stay, what is mended, and how.

mod anthropic;
mod chat;
mod gemini;
mod responses;

use cupel_messages::{
    CurrentTurn, Dangling, Estimate, Fitted, Format, Granularity, Meter, Options, Outcome, Pin,
    RepairKind, Request, Severity, Shorten, Why, validate,
};

/// A token a character, and nothing else: budgets can be worked out by hand.
struct Characters;

impl Meter for Characters {
    fn text(&self, text: &str) -> i64 {
        text.chars().count() as i64
    }

    fn per_message(&self) -> i64 {
        0
    }

    fn per_request(&self) -> i64 {
        0
    }
}

fn list(messages: &[&str]) -> String {
    format!("[{}]", messages.join(","))
}

#[track_caller]
fn fit(text: &str, budget: i64, options: &Options) -> Fitted {
    let request = Request::read(text).unwrap();
    let fitted = request.fit(budget, options, &Characters).unwrap();
    let problems = validate(&Request::read_as(fitted.text.as_str(), request.format()).unwrap());
    let refused: Vec<_> =
        problems.iter().filter(|problem| problem.severity == Severity::Invalid).collect();
    assert!(refused.is_empty(), "{refused:?}\n{}", fitted.text);
    fitted
}

fn outcomes(fitted: &Fitted) -> Vec<bool> {
    fitted.messages.iter().map(|message| message.sent > 0).collect()
}

fn repairs(fitted: &Fitted) -> Vec<(Option<usize>, RepairKind)> {
    fitted.repairs.iter().map(|repair| (repair.message, repair.kind.clone())).collect()
}

const LARGE: i64 = 100_000;

#[test]
fn reports_are_data() {
    let text = list(&[
        r#"{"role":"user","content":"0123456789"}"#,
        r#"{"role":"tool","tool_call_id":"x","content":"1"}"#,
        r#"{"role":"user","content":"0123456789"}"#,
    ]);
    let told = serde_json::to_value(fit(&text, 10, &Options::new())).unwrap();
    assert_eq!(
        told,
        serde_json::json!({
            "budget": 10,
            "counted_by": "a custom counter",
            "tokens": {"system": 0, "tools": 0, "messages": 10, "media": 0, "request": 0, "total": 10},
            "tokens_before": {"system": 0, "tools": 0, "messages": 21, "media": 0, "request": 0, "total": 21},
            "messages": [
                {"index": 0, "path": "$[0]", "role": "user", "turn": 1, "unit": 0, "tokens": 10, "sent": 0, "outcome": "left_out",
                 "edited": false, "reason": "BudgetExceeded", "why": "BudgetExceeded: 10 tokens requested, 0 available", "score": 1.0},
                {"index": 1, "path": "$[1]", "role": "tool", "turn": 1, "unit": 1, "tokens": 1, "sent": 0, "outcome": "dropped",
                 "edited": false, "reason": "Refused", "why": "the provider would refuse it"},
                {"index": 2, "path": "$[2]", "role": "user", "turn": 2, "unit": 2, "tokens": 10, "sent": 10, "outcome": "kept",
                 "edited": false, "reason": "Pinned", "why": "the current turn stays"},
            ],
            "repairs": [
                {"message": 1, "path": "$[1]", "repair": "OrphanDropped", "id": "x",
                 "text": "$[1]: an answer to \"x\", which nothing here called, was dropped"},
            ],
        })
    );
    let problems = serde_json::to_value(validate(&Request::read(text).unwrap())).unwrap();
    assert_eq!(problems[0]["rule"], "AnswerWithoutCall");
    assert_eq!(problems[0]["severity"], "invalid");
}

#[test]
fn a_policy_that_proceeds_past_its_budget_is_refused() {
    use cupel::{
        CupelError, GreedySlice, InputOrderPlacer, OverflowStrategy, PolicyBuilder,
        ReflexiveScorer, Slicer,
    };

    /// Takes everything.
    struct All;
    impl Slicer for All {
        fn slice(
            &self,
            sorted: &[cupel::ScoredItem],
            _budget: &cupel::ContextBudget,
        ) -> Result<Vec<cupel::ContextItem>, CupelError> {
            Ok(sorted.iter().map(|scored| scored.item.clone()).collect())
        }
    }
    let policy = |all: bool| {
        let builder = PolicyBuilder::new().scorer(ReflexiveScorer).placer(InputOrderPlacer);
        let builder = if all { builder.slicer(All) } else { builder.slicer(GreedySlice) };
        builder.overflow_strategy(OverflowStrategy::Proceed).build().unwrap()
    };
    let message = r#"{"role":"user","content":"0123456789"}"#;
    let request = Request::read(list(&[message, message, message])).unwrap();
    let error = request.fit(20, &Options::new().policy(policy(true)), &Characters).unwrap_err();
    assert!(error.to_string().starts_with("Selected items require 30 tokens"), "{error}");
    assert!(request.fit(20, &Options::new().policy(policy(false)), &Characters).is_ok());
}

#[test]
fn formats_are_found_by_looking() {
    for (text, format) in [
        (r#"{"messages":[{"role":"user","content":"?"}]}"#, Format::OpenAiChat),
        (
            r#"{"model":"claude-opus-4-6","messages":[{"role":"user","content":"?"}]}"#,
            Format::Anthropic,
        ),
        (r#"{"messages":[{"role":"user","content":"?"}],"system":"s"}"#, Format::Anthropic),
        (
            r#"{"messages":[{"role":"user","content":"?"}],"tools":[{"name":"f","input_schema":{}}]}"#,
            Format::Anthropic,
        ),
        (
            r#"[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"x"}}]}]"#,
            Format::Anthropic,
        ),
        (
            r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}]"#,
            Format::OpenAiChat,
        ),
        (
            r#"{"model":"claude-opus-4-6","messages":[{"role":"system","content":"s"}]}"#,
            Format::OpenAiChat,
        ),
        (r#"{"input":[]}"#, Format::OpenAiResponses),
        (
            r#"[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}]"#,
            Format::OpenAiResponses,
        ),
        (
            r#"[{"role":"user","content":[{"type":"input_text","text":"?"}]}]"#,
            Format::OpenAiResponses,
        ),
        (r#"{"contents":[]}"#, Format::Gemini),
        (r#"[{"parts":[{"text":"?"}]}]"#, Format::Gemini),
    ] {
        assert_eq!(Request::read(text).unwrap().format(), format, "{text}");
    }
}

#[test]
fn the_sample_transcripts_are_accepted_and_cut() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data");
    for (name, format) in [
        ("library-agent.openai.json", Format::OpenAiChat),
        ("library-agent.anthropic.json", Format::Anthropic),
    ] {
        let text = std::fs::read_to_string(data.join(name)).unwrap();
        let request = Request::read(text).unwrap();
        assert_eq!(request.format(), format);
        assert_eq!(validate(&request), []);
        let fitted = request.fit(3_000, &Options::new(), &Estimate).unwrap();
        assert!(fitted.tokens.total() <= 3_000 && fitted.before.total() > 8_000);
        let log = fitted.messages.iter().find(|message| message.tokens > 4_000).unwrap();
        assert!(matches!(log.outcome, Outcome::Shortened { .. }), "{log:?}");
    }
}
