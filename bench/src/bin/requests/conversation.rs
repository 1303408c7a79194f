//! A conversation with an agent that works on this repository: what people say is from its documents, what tools
//! return from its sources.

use serde_json::{Value, json};

use crate::dice::Dice;
use crate::repository::corpus;

/// Where conversations take their words from.
pub(crate) struct Texts {
    prose: String,
    code: String,
}

impl Texts {
    pub(crate) fn of_this_repository() -> Self {
        let code = corpus(&["crates"], &["rs"]);
        Self { prose: corpus(&["docs"], &["md"]), code }
    }

    /// A conversation of so many messages, the last one the user's; another for each `seed`.
    pub(crate) fn conversation(&self, messages: usize, seed: u64) -> Vec<Value> {
        let mut talk = Talk { texts: self, dice: Dice(seed), messages: Vec::new(), calls: 0 };
        talk.say("system", 1_500..2_500);
        // A turn has 12 messages at most.
        while talk.messages.len() + 12 < messages {
            talk.turn();
        }
        while talk.messages.len() < messages {
            let users = (messages - talk.messages.len()) % 2 == 1;
            talk.say(if users { "user" } else { "assistant" }, 100..1_200);
        }
        talk.messages
    }

    /// What the user says next.
    pub(crate) fn one_more(&self, seed: u64) -> Value {
        let text = excerpt(&self.prose, 200, &mut Dice(seed ^ 0xadd));
        json!({"role": "user", "content": text})
    }
}

/// A request with these messages.
pub(crate) fn request(messages: &[Value]) -> String {
    let tool = |name: &str, parameter: &str| {
        json!({"type": "function", "function": {
            "name": name,
            "description": "Works on the files of the repository that the user has open.",
            "parameters": {"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]},
        }})
    };
    let tools = [tool("read_file", "path"), tool("search", "query"), tool("edit_file", "path")];
    json!({"model": "gpt-4o", "tools": tools, "messages": messages}).to_string()
}

struct Talk<'a> {
    texts: &'a Texts,
    dice: Dice,
    messages: Vec<Value>,
    calls: usize,
}

impl Talk<'_> {
    fn say(&mut self, role: &str, bytes: std::ops::Range<usize>) {
        let bytes = self.dice.within(bytes);
        let text = excerpt(&self.texts.prose, bytes, &mut self.dice);
        self.messages.push(json!({"role": role, "content": text}));
    }

    /// A question, up to three tool rounds, an answer.
    fn turn(&mut self) {
        self.say("user", 60..600);
        for _ in 0..self.dice.within(0..4) {
            self.round();
        }
        self.say("assistant", 200..1_800);
    }

    /// One call or two at once, and what they return.
    fn round(&mut self) {
        let count = self.dice.within(1..3);
        let calls: Vec<Value> = (0..count).map(|_| self.call()).collect();
        let ids: Vec<Value> = calls.iter().map(|call| call["id"].clone()).collect();
        self.messages.push(json!({"role": "assistant", "content": null, "tool_calls": calls}));
        for id in ids {
            let bytes = match self.dice.within(0..25) {
                0 => self.dice.within(8_000..16_000),
                _ => self.dice.within(100..3_000),
            };
            let text = excerpt(&self.texts.code, bytes, &mut self.dice);
            self.messages.push(json!({"role": "tool", "tool_call_id": id, "content": text}));
        }
    }

    fn call(&mut self) -> Value {
        self.calls += 1;
        let (name, arguments) = match self.dice.within(0..5) {
            0 => {
                let text = excerpt(&self.texts.code, 600, &mut self.dice);
                ("edit_file", json!({"path": "src/lib.rs", "with": text}))
            }
            1 | 2 => ("search", json!({"query": excerpt(&self.texts.prose, 40, &mut self.dice)})),
            _ => ("read_file", json!({"path": format!("crates/cupel/src/part_{}.rs", self.calls)})),
        };
        let id = format!("call_{:024x}", self.calls);
        json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments.to_string()}})
    }
}

/// About so many bytes of a text, from anywhere in it.
fn excerpt(text: &str, bytes: usize, dice: &mut Dice) -> String {
    let start = text.floor_char_boundary(dice.within(0..text.len() - bytes));
    let end = text.floor_char_boundary(start + bytes);
    text[start..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cupel_messages::{Request, validate};

    #[test]
    fn conversations_are_valid_as_long_as_asked_for_and_the_same_every_time() {
        let texts = Texts::of_this_repository();
        for (messages, seed) in [(1, 0), (2, 1), (100, 2), (101, 3), (1_000, 4)] {
            let conversation = texts.conversation(messages, seed);
            assert_eq!(conversation.len(), messages);
            let text = request(&conversation);
            assert_eq!(text, request(&texts.conversation(messages, seed)));
            assert!(validate(&Request::read(text).unwrap()).is_empty());
        }
    }
}
