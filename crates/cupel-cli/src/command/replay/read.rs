//! Reading what is to be replayed.

use cupel_eval::import::uses;
use cupel_messages::{Format, Request, Role};
use cupel_session::replay::{Evidence, Replay};
use serde_json::value::RawValue;

use crate::failure::{Complaint, Failure, Outcome};
use crate::input::Source;
use crate::messages::read_request;

/// A transcript, or requests line by line, with what later steps use of earlier messages.
pub(super) fn replay(source: &Source, provider: Option<Format>) -> Outcome<Replay> {
    let text = source.read()?;
    let values: Result<Vec<&RawValue>, _> =
        serde_json::Deserializer::from_str(text.trim_start_matches('\u{feff}'))
            .into_iter()
            .collect();
    let lines = match values {
        Ok(values) if values.len() > 1 => values,
        // One value, or what the reader of requests will complain about.
        _ => {
            let request = read_request(&text, source, provider)?;
            return transcript(&request, source);
        }
    };
    // Lines that are single messages are one transcript.
    let is_message = |value: &&RawValue| {
        let keys: serde_json::Value = serde_json::from_str(value.get()).unwrap_or_default();
        let whole = ["messages", "input", "contents"];
        keys.is_object() && !whole.iter().any(|key| keys.get(key).is_some())
    };
    if lines.iter().all(is_message) {
        let messages: Vec<_> = lines.iter().map(|line| line.get()).collect();
        let request = read_request(&format!("[{}]", messages.join(",")), source, provider)?;
        return transcript(&request, source);
    }
    let mut requests: Vec<Request> = Vec::with_capacity(lines.len());
    for line in lines {
        requests.push(read_request(line.get(), source, provider)?);
    }
    let formats: Vec<_> = requests.iter().map(|request| request.format()).collect();
    if let Some(at) = formats.windows(2).position(|pair| pair[0] != pair[1]) {
        let problem = format!(
            "request {} is {}, request {} {}",
            at + 1,
            formats[at],
            at + 2,
            formats[at + 1]
        );
        let complaint = Complaint::new(problem).at(source.name());
        return Err(Failure::bad_input(
            complaint.remedy("replay the requests of one conversation"),
        ));
    }
    let evidence = requests.last().map(evidence).unwrap_or_default();
    Ok(Replay::requests(requests).with_evidence(evidence))
}

fn transcript(request: &Request, source: &Source) -> Outcome<Replay> {
    let replay = Replay::transcript(request)
        .map_err(|error| Failure::bad_input(Complaint::new(error.to_string()).at(source.name())))?;
    Ok(replay.with_evidence(evidence(request)))
}

/// Tool results that a later step uses.
fn evidence(request: &Request) -> Vec<Evidence> {
    let messages = request.messages();
    let used = uses(messages).into_iter().filter(|it| messages[it.message].role() == Role::Tool);
    // A run of the model's messages is one step, in answer to one request.
    let step = |mut at: usize| {
        while at > 0 && messages[at - 1].role() == Role::Assistant {
            at -= 1;
        }
        at
    };
    let used =
        used.map(|it| Evidence { step: step(it.step), message: it.message, values: it.values });
    used.filter(|it| it.message < it.step).collect()
}
