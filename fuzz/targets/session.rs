//! Any bytes as a state: read or refused, and the same after writing. Any conversation, sound or broken, in any format,
//! turn by turn, with messages deleted and pinned in between, from any state that can be read: every turn is valid and
//! fits, and the same from the state that was carried.
#![no_main]

#[path = "../../crates/cupel-messages/tests/histories/generate.rs"]
mod generate;
#[path = "../../crates/cupel-messages/tests/histories/recount.rs"]
mod recount;

use cupel_messages::{CurrentTurn, Format, Options, Request, Severity, Shorten, validate};
use cupel_session::{Error, Session, Settings, State};
use generate::Health;
use libfuzzer_sys::fuzz_target;
use recount::{Characters, recount};
use serde_json::{Value, json};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(state) = State::read(text)
    {
        let written = serde_json::to_string(&state).expect("a state is written");
        assert_eq!(State::read(&written).expect("what is written is read"), state);
        // Whatever it says, a turn follows or an error does.
        let request = Request::read(r#"[{"role":"user","content":"hi"}]"#).expect("a request");
        if let Ok(mut session) = Session::resume(100, state) {
            let _ = session.next(&request, &Characters);
        }
    }
    let [first, share, steps, rest @ ..] = bytes else { return };
    let (steps, history) = rest.split_at(usize::from(*steps).min(rest.len()) / 4);
    let format = Format::ALL[usize::from(first & 3)];
    let health = if first & 4 == 0 { Health::Sound } else { Health::Broken };
    let shorten = (first & 8 == 0).then_some(Shorten { over: 200, to: 80 });
    let options = Options::new().shorten(shorten).current_turn(if first & 16 == 0 {
        CurrentTurn::Whole
    } else {
        CurrentTurn::Rounds
    });
    let settings = Settings { breakpoints: first & 32 == 0, ..Settings::default() };

    let text = generate::request(format, health, history);
    let root: Value = serde_json::from_str(&text).expect("generated requests are JSON");
    let key = match format {
        Format::OpenAiResponses => "input",
        Format::Gemini => "contents",
        _ => "messages",
    };
    let list = if root.is_array() { &root } else { &root[key] };
    let all = list.as_array().expect("a list of messages").clone();
    let total =
        Request::read_as(text.as_str(), format).expect("a request").count(&Characters).total();
    let budget = total * i64::from(*share) / 200;
    let (mut messages, mut next) = (Vec::new(), 0);
    let mut state = State::new(settings);
    for step in steps {
        let at = usize::from(step >> 3) % messages.len().max(1);
        match step & 7 {
            0 if !messages.is_empty() => {
                messages.remove(at);
            }
            1 if !messages.is_empty() => {
                let message: &mut Value = &mut messages[at];
                message["cupel"] = json!({"pinned": true});
            }
            count => {
                let end = (next + usize::from(count)).min(all.len());
                messages.extend_from_slice(&all[next..end]);
                next = end;
            }
        }
        let body = if root.is_array() {
            Value::Array(messages.clone())
        } else {
            let mut body = root.clone();
            body[key] = Value::Array(messages.clone());
            body
        };
        let Ok(request) = Request::read_as(body.to_string(), format) else { continue };
        let session = Session::resume(budget, state.clone()).expect("its own state");
        let mut session = session.with_options(options.clone());
        let mut again = session.clone();
        let turn = match session.next(&request, &Characters) {
            Ok(turn) => turn,
            Err(Error::Request(_) | Error::Engine(_) | Error::NoMessages) => {
                assert_eq!(
                    session.state(),
                    &state,
                    "a turn that failed leaves the session as it was"
                );
                continue;
            }
            Err(error) => panic!("{error}\n{}", request.text()),
        };
        assert!(!messages.is_empty(), "nothing was said, and something is sent");
        let sent = &turn.request.text;
        assert_eq!(*sent, again.next(&request, &Characters).expect("the same").request.text);
        if !settings.breakpoints {
            assert_eq!(turn.report.tokens, recount(format, sent), "{sent}");
        }
        assert!(turn.report.tokens <= budget, "{} of {budget}\n{sent}", turn.report.tokens);
        let out = Request::read_as(sent.as_str(), format).expect("what was written can be read");
        let refused = validate(&out).into_iter().find(|it| it.severity == Severity::Invalid);
        assert!(refused.is_none(), "{refused:?}\n{}\n\n{sent}", request.text());
        state = session.into_state();
        let carried = serde_json::to_string(&state).expect("a state is written");
        assert_eq!(State::read(&carried).expect("what is written is read"), state);
    }
});
