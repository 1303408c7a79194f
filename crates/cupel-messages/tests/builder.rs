//! Requests made in Rust: whatever is built is valid, and what makes no sense is refused by name.

use cupel_messages::{
    Error, Estimate, Format, Image, Options, PartKind, Request, RequestBuilder, Role, Severity,
    validate,
};
use serde_json::{Value, json};

fn json_of(request: &Request) -> Value {
    serde_json::from_str(request.text()).unwrap()
}

fn problem(builder: &RequestBuilder) -> String {
    match builder.build() {
        Err(error @ Error::Unbuildable { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

fn shop(format: Format) -> RequestBuilder {
    Request::builder(format)
        .model("a-model")
        .system("You help customers.")
        .system("Be brief.")
        .tool("orders", "Looks up an order.", json!({"type": "object"}))
        .user("Is it ready?")
        .image(Image::base64("image/png", "iVBORw0K"))
        .assistant("Let me look.")
        .call("c1", "orders", json!({"id": 4711}))
        .call("c2", "orders", json!({"id": 4712}))
        .result("c2", "ready")
        .result("c1", "waiting")
        .assistant("One of them.")
        .user("Which?")
}

#[test]
fn openai_chat_is_spelled_as_openai_spells_it() {
    let call = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "orders", "arguments": arguments}});
    let expected = json!({
        "model": "a-model",
        "tools": [{"type": "function", "function": {"name": "orders", "description": "Looks up an order.", "parameters": {"type": "object"}}}],
        "messages": [
            {"role": "system", "content": "You help customers.\n\nBe brief."},
            {"role": "user", "content": [
                {"type": "text", "text": "Is it ready?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0K"}}]},
            {"role": "assistant", "content": "Let me look.", "tool_calls": [call("c1", "{\"id\":4711}"), call("c2", "{\"id\":4712}")]},
            {"role": "tool", "tool_call_id": "c2", "content": "ready"},
            {"role": "tool", "tool_call_id": "c1", "content": "waiting"},
            {"role": "assistant", "content": "One of them."},
            {"role": "user", "content": "Which?"},
        ],
    });
    assert_eq!(json_of(&shop(Format::OpenAiChat).build().unwrap()), expected);
}

#[test]
fn openai_responses_is_spelled_as_openai_spells_it() {
    let expected = json!({
        "model": "a-model",
        "max_output_tokens": 9,
        "instructions": "You help customers.\n\nBe brief.",
        "tools": [{"type": "function", "name": "orders", "description": "Looks up an order.", "parameters": {"type": "object"}}],
        "input": [
            {"role": "user", "content": [
                {"type": "input_text", "text": "Is it ready?"},
                {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,iVBORw0K"}]},
            {"role": "assistant", "content": "Let me look."},
            {"type": "function_call", "call_id": "c1", "name": "orders", "arguments": "{\"id\":4711}"},
            {"type": "function_call", "call_id": "c2", "name": "orders", "arguments": "{\"id\":4712}"},
            {"type": "function_call_output", "call_id": "c2", "output": "ready"},
            {"type": "function_call_output", "call_id": "c1", "output": "waiting"},
            {"role": "assistant", "content": "One of them."},
            {"role": "user", "content": "Which?"},
        ],
    });
    assert_eq!(json_of(&shop(Format::OpenAiResponses).max_tokens(9).build().unwrap()), expected);
}

#[test]
fn anthropic_is_spelled_as_anthropic_spells_it() {
    let expected = json!({
        "model": "a-model",
        "max_tokens": 4096,
        "system": "You help customers.\n\nBe brief.",
        "tools": [{"name": "orders", "description": "Looks up an order.", "input_schema": {"type": "object"}}],
        "messages": [
            {"role": "user", "content": [
                {"type": "text", "text": "Is it ready?"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0K"}}]},
            {"role": "assistant", "content": [
                {"type": "text", "text": "Let me look."},
                {"type": "tool_use", "id": "c1", "name": "orders", "input": {"id": 4711}},
                {"type": "tool_use", "id": "c2", "name": "orders", "input": {"id": 4712}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c2", "content": "ready"},
                {"type": "tool_result", "tool_use_id": "c1", "content": "waiting"}]},
            {"role": "assistant", "content": [{"type": "text", "text": "One of them."}]},
            {"role": "user", "content": "Which?"},
        ],
    });
    assert_eq!(json_of(&shop(Format::Anthropic).build().unwrap()), expected);
}

#[test]
fn gemini_is_spelled_as_google_spells_it() {
    let call = |id: &str, order: i64| json!({"functionCall": {"id": id, "name": "orders", "args": {"id": order}}});
    let response = |id: &str, output: &str| json!({"functionResponse": {"id": id, "name": "orders", "response": {"output": output}}});
    let expected = json!({
        "model": "a-model",
        "generationConfig": {"maxOutputTokens": 9},
        "systemInstruction": {"parts": [{"text": "You help customers.\n\nBe brief."}]},
        "tools": [{"functionDeclarations": [{"name": "orders", "description": "Looks up an order.", "parametersJsonSchema": {"type": "object"}}]}],
        "contents": [
            {"role": "user", "parts": [{"text": "Is it ready?"}, {"inlineData": {"mimeType": "image/png", "data": "iVBORw0K"}}]},
            {"role": "model", "parts": [{"text": "Let me look."}, call("c1", 4711), call("c2", 4712)]},
            {"role": "user", "parts": [response("c2", "ready"), response("c1", "waiting")]},
            {"role": "model", "parts": [{"text": "One of them."}]},
            {"role": "user", "parts": [{"text": "Which?"}]},
        ],
    });
    assert_eq!(json_of(&shop(Format::Gemini).max_tokens(9).build().unwrap()), expected);
}

#[test]
fn a_link_is_an_image_for_every_provider() {
    for format in Format::ALL {
        let shown = Request::builder(format).image(Image::url("https://example.com/a.png"));
        let request = shown.build().unwrap();
        let part = &request.messages()[0].parts()[0];
        assert!(matches!(part.kind(), PartKind::Media(cupel_messages::Media::Image)), "{format}");
    }
}

#[test]
fn results_and_what_the_user_says_behind_them_are_one_message_where_roles_alternate() {
    for format in Format::ALL {
        let builder = Request::builder(format).user("Go.").call("c1", "f", json!({}));
        let request = builder.result("c1", "done").user("And?").build().unwrap();
        assert!(validate(&request).is_empty(), "{}", request.text());
    }
}

#[test]
fn the_newest_gemini_models_get_the_signature_that_stands_for_a_lost_one() {
    let signatures = |model: &str| {
        let builder = Request::builder(Format::Gemini).model(model).user("Go.");
        let builder = builder.call("c1", "f", json!({})).call("c2", "f", json!({}));
        let request = builder.result("c1", "1").result("c2", "2").build().unwrap();
        assert!(validate(&request).is_empty(), "{model}");
        request.text().matches("thoughtSignature").count()
    };
    assert_eq!([signatures("gemini-2.5-pro"), signatures("gemini-3-pro")], [0, 1]);
}

#[test]
fn a_call_at_the_end_waits_for_its_result() {
    for format in Format::ALL {
        let builder = Request::builder(format).user("Go.").call("c1", "f", json!({}));
        let mut request = builder.build().unwrap();
        let waits = validate(&request);
        assert!(waits.iter().all(|problem| problem.severity == Severity::Unfinished), "{waits:?}");
        // The result is pushed as the next message, or the builder goes on.
        if format == Format::OpenAiChat {
            request.push(r#"{"role": "tool", "tool_call_id": "c1", "content": "1"}"#).unwrap();
            assert!(validate(&request).is_empty());
        }
        assert!(validate(&builder.result("c1", "1").build().unwrap()).is_empty());
    }
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let start = || Request::builder(Format::Anthropic).user("Go.");
    let called = || start().call("c1", "f", json!({}));
    let cases = [
        (
            start().result("c9", "1"),
            r#"result("c9"): nothing called "c9" before it; add call("c9", ..)"#,
        ),
        (
            called().result("c9", "1"),
            r#"result("c9"): nothing called "c9" before it; "c1" waits for a result"#,
        ),
        (
            called().result("c1", "1").result("c1", "1"),
            r#"result("c1"): this call has a result already"#,
        ),
        (
            called().user("Well?"),
            r#"user("Well?"): the call "c1" has no result yet; add result("c1", ..) before it"#,
        ),
        (
            called().call("c2", "f", json!({})).result("c2", "1").assistant("Done."),
            r#"assistant("Done."): the call "c1" has no result yet; add result("c1", ..) before it"#,
        ),
        (
            called().call("c1", "g", json!({})),
            r#"call("c1", "g"): a call before it has the same id; give each its own"#,
        ),
        (
            start().call("c1", "f", 7),
            r#"call("c1", "f"): its arguments are 7, which is no object; give a map or a struct"#,
        ),
        (
            start().tool("f", "", "x"),
            r#"tool("f"): its parameters are "x", which is no object; give a map or a struct"#,
        ),
        (start().set("messages", 1), r#"set("messages"): the request has that key already"#),
        (start().set("a", 1).set("a", 2), r#"set("a"): the request has that key already"#),
        (
            Request::builder(Format::Anthropic),
            "build(): there is no message; add one with user(..)",
        ),
        (
            Request::builder(Format::Anthropic).user(" ").assistant("Hello."),
            r#"assistant("Hello."): Anthropic wants the user to speak first; begin with user(..)"#,
        ),
        (
            Request::builder(Format::Gemini).call("c1", "f", json!({})),
            r#"call("c1", "f"): Gemini wants the user to speak first; begin with user(..)"#,
        ),
    ];
    for (builder, expected) in cases {
        assert_eq!(problem(&builder), expected);
    }
}

#[test]
fn what_is_built_is_cut_like_any_other_request() {
    for format in Format::ALL {
        let mut builder = Request::builder(format).system("Be brief.");
        for turn in 0..20 {
            let id = format!("c{turn}");
            builder = builder.user(format!("Question {turn}?")).call(&id, "f", json!({"q": turn}));
            builder = builder.result(&id, "x ".repeat(200)).assistant("Answer.");
        }
        let request = builder.user("And now?").build().unwrap();
        let half = request.count(&Estimate).total() / 2;
        let fitted = request.fit(half, &Options::new(), &Estimate).unwrap();
        assert!(fitted.tokens.total() <= half && fitted.repairs.is_empty());
        assert!(validate(&Request::read(fitted.text).unwrap()).is_empty());
    }
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    /// A tool round: what the model says before it, how many calls, and which result comes first.
    type Round = (String, usize, usize);

    fn words() -> impl Strategy<Value = String> {
        prop_oneof![
            Just(String::new()),
            Just(" \n".to_owned()),
            "\\PC{1,12}",
            Just("a \"b\"\n\u{0}".to_owned())
        ]
    }

    fn round() -> impl Strategy<Value = Round> {
        (words(), 1..4_usize, 0..4_usize)
    }

    /// A conversation in an order that makes sense.
    fn talk(
        format: Format,
        model: &str,
        turns: &[(bool, Vec<Round>, String, bool)],
    ) -> RequestBuilder {
        let mut builder = Request::builder(format).model(model).tool("f", "d", json!({}));
        let mut serial = 0;
        for (shows, rounds, answer, interrupts) in turns {
            builder = builder.user("Go on.");
            if *shows {
                builder = builder.image(Image::new("image/png", b"\x89PNG"));
            }
            for (before, calls, first) in rounds {
                builder = builder.assistant(before);
                let mut ids: Vec<_> =
                    (0..*calls).map(|nth| format!("call {}", serial + nth)).collect();
                serial += calls;
                for id in &ids {
                    builder = builder.call(id, "f", json!({"q": id}));
                }
                ids.rotate_left(first % calls);
                for id in ids {
                    builder = builder.result(id, before);
                }
            }
            builder = builder.assistant(answer);
            if *interrupts {
                builder = builder.assistant("And:").assistant(answer);
            }
        }
        builder.user("Well?")
    }

    proptest! {
        #[test]
        fn whatever_is_built_in_a_sensible_order_is_valid(
            model in prop::sample::select(vec!["gpt-5", "claude-opus-5-5", "gemini-2.5-pro", "gemini-3-pro"]),
            system in any::<bool>(),
            turns in prop::collection::vec((any::<bool>(), prop::collection::vec(round(), 0..3), words(), any::<bool>()), 0..5),
        ) {
            for format in Format::ALL {
                let mut builder = talk(format, model, &turns);
                if system {
                    builder = builder.system("Be brief.");
                }
                let request = builder.build().unwrap();
                prop_assert_eq!(validate(&request), Vec::new(), "{}", request.text());
                prop_assert_eq!(request.model(), Some(model));
                let last = request.messages().last().unwrap();
                let words = last.words();
                prop_assert!(matches!(last.role(), Role::User | Role::Tool) && words.ends_with("Well?"));
                // Nothing is left to mend, and nothing changes where everything fits.
                let fitted = request.fit(i64::MAX, &Options::new(), &Estimate).unwrap();
                prop_assert!(fitted.is_unchanged());
                prop_assert_eq!(&fitted.text, request.text());
            }
        }

        #[test]
        fn a_result_that_nothing_called_is_refused_wherever_it_stands(
            at in 0..4_usize,
            turns in prop::collection::vec((any::<bool>(), prop::collection::vec(round(), 0..3), words(), any::<bool>()), 4),
        ) {
            for format in Format::ALL {
                let mut builder = talk(format, "m", &turns[..at]);
                builder = builder.result("nobody's", "1");
                let refused = problem(&builder);
                prop_assert!(refused.starts_with("result(\"nobody's\"): nothing called \"nobody's\""), "{}", refused);
            }
        }
    }
}
