//! Conversations of agents, made up: tool rounds with results of all sizes, and steps that use values of earlier ones, most
//! of them recent, some of long ago.

use cupel_messages::Request;
use serde_json::{Value, json};

/// Who is at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agent {
    /// Works through tool rounds on few requests of its user; results are long.
    Coder,
    /// The same with results of about 2,000 tokens each, and 10,000 of tools and instructions.
    Reader,
    /// Talks to its user in turns, with a look-up or two in each; results are short.
    Desk,
}

/// A small generator of numbers: the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit.max(1)
    }
}

const WORDS: [&str; 24] = [
    "the", "build", "fails", "when", "cache", "is", "cold", "and", "queue", "waits", "for", "lock",
    "that", "nobody", "holds", "any", "more", "so", "worker", "retries", "until", "timeout",
    "expires", "again",
];

impl Agent {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Reader => "agent, results of 2k, Anthropic",
            Self::Coder => "agent, results of 0.1k to 8k, Anthropic",
            Self::Desk => "help desk, results of 0.5k, OpenAI",
        }
    }

    /// The tokens it may send in a turn: instructions and about fifty tool rounds, or half as much.
    pub(crate) fn windows(self) -> [i64; 2] {
        match self {
            Self::Reader => [50_000, 100_000],
            Self::Coder => [32_000, 64_000],
            Self::Desk => [16_000, 32_000],
        }
    }

    /// A conversation in which the model steps so often.
    pub(crate) fn conversation(self, steps: usize, seed: u64) -> Request {
        let mut dice = Dice(seed * 1_000 + steps as u64);
        let mut found: Vec<String> = Vec::new();
        let mut messages: Vec<Value> = Vec::new();
        for step in 0..steps {
            let asks = match self {
                Self::Coder | Self::Reader => step % 25 == 0,
                Self::Desk => step % 2 == 0,
            };
            if asks {
                let words = prose(&mut dice, 40);
                self.user(&mut messages, &format!("Please look into this: {words}."));
            }
            let used = used(&mut dice, &found);
            let last = match self {
                Self::Coder | Self::Reader => step % 25 == 24,
                Self::Desk => step % 2 == 1,
            } || step + 1 == steps;
            if last {
                self.reply(
                    &mut messages,
                    &format!("{} It comes down to {used}.", prose(&mut dice, 30)),
                );
                continue;
            }
            let id = format!("call_{step}");
            self.call(&mut messages, &id, &used);
            let length = match (self, dice.below(10)) {
                (Self::Reader, _) => 1_300 + dice.below(300),
                (Self::Coder, 0) => 3_000 + dice.below(3_000),
                (Self::Coder, 1..=4) => 600 + dice.below(900),
                (Self::Coder, _) => 100 + dice.below(300),
                (Self::Desk, 0) => 1_500,
                (Self::Desk, _) => 300 + dice.below(400),
            };
            let result = result(&mut dice, step, length, &mut found);
            self.answer(&mut messages, &id, &result);
        }
        let body = match self {
            Self::Coder | Self::Reader => {
                json!({"model": "claude-sonnet-4-5", "max_tokens": 1_000, "messages": messages,
                "system": prose(&mut dice, if matches!(self, Self::Reader) { 7_000 } else { 900 }), "tools": [{"name": "look", "description": prose(&mut dice, 300), "input_schema": {"type": "object"}}]})
            }
            Self::Desk => {
                messages.insert(0, json!({"role": "system", "content": prose(&mut dice, 900)}));
                json!({"model": "gpt-5.6", "messages": messages})
            }
        };
        Request::read(body.to_string()).expect("a request")
    }

    fn user(self, messages: &mut Vec<Value>, words: &str) {
        messages.push(json!({"role": "user", "content": words}));
    }

    fn reply(self, messages: &mut Vec<Value>, words: &str) {
        messages.push(json!({"role": "assistant", "content": words}));
    }

    fn call(self, messages: &mut Vec<Value>, id: &str, used: &str) {
        messages.push(match self {
            Self::Coder | Self::Reader => json!({"role": "assistant", "content": [
                {"type": "text", "text": "I look at that next."},
                {"type": "tool_use", "id": id, "name": "look", "input": {"at": used}}]}),
            Self::Desk => json!({"role": "assistant", "content": null, "tool_calls": [
                {"id": id, "type": "function", "function": {"name": "look", "arguments": json!({"at": used}).to_string()}}]}),
        });
    }

    fn answer(self, messages: &mut Vec<Value>, id: &str, result: &str) {
        messages.push(match self {
            Self::Coder | Self::Reader => json!({"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": id, "content": result}]}),
            Self::Desk => json!({"role": "tool", "tool_call_id": id, "content": result}),
        });
    }
}

/// What a step uses: something found lately, or a while ago, or at any time.
fn used(dice: &mut Dice, found: &[String]) -> String {
    if found.is_empty() {
        return "the beginning".to_owned();
    }
    let back = match dice.below(20) {
        0..=11 => dice.below(6),
        12..=16 => dice.below(60),
        _ => dice.below(found.len() as u64),
    };
    found[found.len() - 1 - (back as usize).min(found.len() - 1)].clone()
}

/// What a tool returned: lines of prose, and in the first and one further line a value that occurs nowhere else.
fn result(dice: &mut Dice, step: usize, words: u64, found: &mut Vec<String>) -> String {
    let lines = (words / 12).max(2);
    let marked = 1 + dice.below(lines - 1);
    let mut text = String::new();
    for line in 0..lines {
        if line == 0 || line == marked {
            let value = format!("src/part_{step}_{line}.rs");
            text.push_str(&format!("see {value}: "));
            found.push(value);
        }
        text.push_str(&prose(dice, 12));
        text.push('\n');
    }
    text
}

fn prose(dice: &mut Dice, words: u64) -> String {
    let word = |dice: &mut Dice| WORDS[dice.below(WORDS.len() as u64) as usize];
    (0..words).map(|_| word(dice)).collect::<Vec<_>>().join(" ")
}
