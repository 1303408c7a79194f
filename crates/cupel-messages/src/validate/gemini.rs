//! Gemini: contents with calls are followed by one content with as many responses, and stand right behind the user's
//! content or responses.

use serde_json::Value;

use super::{Judge, Rule, elements};

const COUNT: &str = "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
const CALL_PLACE: &str = "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
const RESPONSE_PLACE: &str =
    "Please ensure that function response turn comes immediately after a function call turn.";
const ALTERNATE: &str = "Please ensure that multiturn requests alternate between user and model.";
const SIGNATURE: &str = "Function call is missing a thought_signature in functionCall parts.";

pub(super) fn judge(judge: &mut Judge<'_>) {
    let list = judge.list;
    if list.is_empty() {
        return judge.refuse_empty("GenerateContentRequest.contents: contents is not specified");
    }
    for at in 0..list.len() {
        let (calls, responses) = (named(&list[at], CALL), named(&list[at], RESPONSE));
        let before = at.checked_sub(1).map(|before| &list[before]);
        if !calls.is_empty() {
            call_turn(judge, at, before, &calls);
        }
        if !responses.is_empty() {
            response_turn(judge, at, before, &responses);
        }
        if let Some(before) = before {
            let twice = is_model(before) == is_model(&list[at]);
            if twice && !signed(before) && !signed(&list[at]) {
                let text = "two contents of one role in a row";
                judge.refuse(at, ".role", Rule::RolesAlternate, text, ALTERNATE);
            }
        }
    }
    signatures(judge);
}

fn call_turn(judge: &mut Judge<'_>, at: usize, before: Option<&Value>, calls: &[Function<'_>]) {
    let list = judge.list;
    match before {
        None => judge.refuse(at, "", Rule::UserFirst, "the first content is a call", CALL_PLACE),
        Some(before) if is_model(before) => {
            judge.refuse(
                at,
                "",
                Rule::CallPlace,
                "a call behind another content of the model",
                CALL_PLACE,
            );
        }
        Some(_) => {}
    }
    let responses = list.get(at + 1).map_or(Vec::new(), |next| named(next, RESPONSE));
    for call in without_partner(calls, &responses) {
        let inside = format!(".parts[{}]", call.place);
        if at + 1 == list.len() || (at + 2 == list.len() && only_responses(&list[at + 1])) {
            let text = format!(
                "the call of \"{}\" waits for its response, which must come before the request is sent",
                call.name
            );
            judge.remind(at, &inside, Rule::CallWithoutAnswer, text, COUNT);
        } else {
            let text = format!("the call of \"{}\" has no response in the next content", call.name);
            judge.refuse(at, &inside, Rule::CallWithoutAnswer, text, COUNT);
        }
    }
}

fn response_turn(
    judge: &mut Judge<'_>,
    at: usize,
    before: Option<&Value>,
    responses: &[Function<'_>],
) {
    let asked = before.map_or(Vec::new(), |before| named(before, CALL));
    let alone = without_partner(responses, &asked);
    for (nth, response) in responses.iter().enumerate() {
        let inside = format!(".parts[{}]", response.place);
        if !alone.iter().any(|it| it.place == response.place) {
            // It has its call.
        } else if response.id.is_some() && asked.iter().any(|call| call.id == response.id) {
            let text =
                format!("the call \"{}\" has a response already", response.id.unwrap_or_default());
            judge.refuse(at, &inside, Rule::AnsweredTwice, text, COUNT);
        } else {
            let text =
                format!("the content before this response does not call \"{}\"", response.name);
            let says = if asked.is_empty() { RESPONSE_PLACE } else { COUNT };
            judge.refuse(at, &inside, Rule::AnswerWithoutCall, text, says);
        }
        if response.place != nth {
            let text = "something stands before this response in its content";
            judge.refuse(at, &inside, Rule::AnswersFirst, text, RESPONSE_PLACE);
        }
    }
}

/// From version 3 on, each step of the current turn starts with a signed call.
fn signatures(judge: &mut Judge<'_>) {
    let model = judge.body["model"].as_str().unwrap_or_default();
    let major = model
        .split("gemini-")
        .nth(1)
        .and_then(|rest| rest.split(['.', '-']).next()?.parse::<u32>().ok());
    if major.is_none_or(|major| major < 3) {
        return;
    }
    let list = judge.list;
    let asks = |content: &Value| !is_model(content) && named(content, RESPONSE).is_empty();
    let turn = list.iter().rposition(asks).unwrap_or(0);
    for (at, content) in list.iter().enumerate().skip(turn) {
        let calls = named(content, CALL);
        let Some(first) = calls.first() else { continue };
        let part = &elements(&content["parts"])[first.place];
        if part["thoughtSignature"].is_null() && part["thought_signature"].is_null() {
            let text = "the first call of this step has no signature; where it is lost, \"skip_thought_signature_validator\" stands for it";
            judge.remind(at, &format!(".parts[{}]", first.place), Rule::Signature, text, SIGNATURE);
        }
    }
}

const CALL: [&str; 2] = ["functionCall", "function_call"];
const RESPONSE: [&str; 2] = ["functionResponse", "function_response"];

/// A call or a response.
#[derive(Clone)]
struct Function<'a> {
    place: usize,
    id: Option<&'a str>,
    name: &'a str,
}

/// Those of `ones` that have no partner among `others`: by id first, then, where one of two has no id, by name.
fn without_partner<'a>(ones: &[Function<'a>], others: &[Function<'a>]) -> Vec<Function<'a>> {
    let (mut ones, mut others) = (ones.to_vec(), others.to_vec());
    for by_id in [true, false] {
        ones.retain(|one| {
            let partner = others.iter().position(|other| match (one.id, other.id) {
                (Some(one), Some(other)) => by_id && one == other,
                _ => !by_id && one.name == other.name,
            });
            partner.map(|partner| others.remove(partner)).is_none()
        });
    }
    ones
}

fn named<'a>(content: &'a Value, keys: [&str; 2]) -> Vec<Function<'a>> {
    let parts = elements(&content["parts"]).iter().enumerate();
    let found = parts.filter_map(|(place, part)| {
        let body = keys.iter().map(|key| &part[*key]).find(|body| !body.is_null())?;
        Some(Function {
            place,
            id: body["id"].as_str(),
            name: body["name"].as_str().unwrap_or_default(),
        })
    });
    found.collect()
}

fn only_responses(content: &Value) -> bool {
    !is_model(content) && named(content, RESPONSE).len() == elements(&content["parts"]).len()
}

fn is_model(content: &Value) -> bool {
    content["role"] == "model"
}

fn signed(content: &Value) -> bool {
    let carries =
        |part: &Value| !part["thoughtSignature"].is_null() || !part["thought_signature"].is_null();
    elements(&content["parts"]).iter().any(carries)
}
