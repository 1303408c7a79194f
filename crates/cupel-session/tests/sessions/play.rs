//! Conversations played turn by turn, with accidents.

use cupel_messages::{Error as MessageError, Format, Options, Request};
use cupel_session::{
    Action, Cache, Cause, Conversation, Error, Price, Session, Settings, State, Turn,
};
use serde_json::{Value, json};

use crate::judge::{BoundThinking, refused};
use crate::provider::{Bill, Caching, Characters, Tariff, bill, seen};

/// What happens between two requests.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// So many messages more.
    Grow(usize),
    /// A message is deleted.
    Delete(proptest::sample::Index),
    /// What a message says is changed.
    Edit(proptest::sample::Index),
    /// A message is pinned.
    Pin(proptest::sample::Index),
    /// A reminder comes with this turn only.
    Remind,
    /// The same again.
    Again,
}

pub(crate) struct Game {
    format: Format,
    root: Value,
    all: Vec<Value>,
    session: Session,
    options: Options,
    budget: i64,
    price: Price,
    tariff: Tariff,
    binds: bool,
}

impl Game {
    pub(crate) fn new(
        format: Format,
        text: &str,
        share: i64,
        options: Options,
        settings: Settings,
    ) -> Self {
        let root: Value = serde_json::from_str(text).unwrap();
        let all = list(&root, format).as_array().unwrap().clone();
        let total = Request::read_as(text, format).unwrap().count(&Characters).total();
        let budget = total * share / 10;
        let (cache, caching, minimum) = match format {
            Format::OpenAiChat => (Cache::LastQuestion, Caching::Breakpoints, 40),
            Format::OpenAiResponses => (Cache::AnyPrefix, Caching::Anything, 0),
            Format::Anthropic => (Cache::Marked, Caching::LookBack, 30),
            Format::Gemini => (Cache::AnyPrefix, Caching::Anything, 100),
        };
        let price = Price { cache, minimum, ..Price::PLAIN_PREFIX };
        let tariff = Tariff { caching, minimum, read: price.read, write: price.write };
        let session = session(budget, &options, price, State::new(settings));
        let model = root["model"].as_str();
        let binds = format == Format::Anthropic && model != Some("claude-sonnet-4-5");
        Self { format, root, all, session, options, budget, price, tariff, binds }
    }

    fn request(&self, messages: &[Value]) -> Request {
        let list = Value::Array(messages.to_vec());
        let body = if self.root.is_array() {
            list
        } else {
            let mut body = self.root.clone();
            *list_mut(&mut body, self.format) = list;
            body
        };
        Request::read_as(body.to_string(), self.format).unwrap()
    }

    /// Plays all steps, judging every turn.
    pub(crate) fn play(mut self, steps: &[Step]) {
        let (mut messages, mut next): (Vec<Value>, usize) = (Vec::new(), 0);
        let mut before: Option<String> = None;
        let mut thinking = BoundThinking::default();
        for step in steps {
            let mut reminder = None;
            match step {
                Step::Grow(count) => {
                    let end = (next + count).min(self.all.len());
                    messages.extend_from_slice(&self.all[next..end]);
                    next = end;
                }
                Step::Delete(at) if !messages.is_empty() => {
                    messages.remove(at.index(messages.len()));
                }
                Step::Edit(at) if !messages.is_empty() => {
                    let at = at.index(messages.len());
                    edit(&mut messages[at], self.format);
                }
                Step::Pin(at) if !messages.is_empty() => {
                    let at = at.index(messages.len());
                    messages[at]["cupel"] = json!({"pinned": true});
                }
                Step::Remind => reminder = Some(user("Remember to be kind.", self.format)),
                _ => {}
            }
            let mut sent = messages.clone();
            sent.extend(reminder);
            let request = self.request(&sent);
            let Some(turn) = self.turn(&request) else { continue };
            self.judge(&request, &turn, before.as_deref());
            if self.binds {
                let text = &turn.request.text;
                if let Err(wrong) = thinking.check(self.format, text) {
                    panic!("{wrong}\n{}\n{text}", before.unwrap_or_default());
                }
            }
            before = Some(turn.request.text);
        }
    }

    /// A turn, and the same again from the state: byte for byte, and equal states after it.
    fn turn(&mut self, request: &Request) -> Option<Turn> {
        let carried = serde_json::to_string(self.session.state()).unwrap();
        let state = State::read(&carried).unwrap();
        assert_eq!(state, *self.session.state());
        let mut again = session(self.budget, &self.options, self.price, state);
        let turn = match self.session.next(request, &Characters) {
            Ok(turn) => turn,
            Err(Error::Request(MessageError::BudgetTooSmall { needed, .. })) => {
                assert!(needed > self.budget, "{needed} is within {}", self.budget);
                assert_eq!(serde_json::to_string(self.session.state()).unwrap(), carried);
                return None;
            }
            Err(Error::NoMessages) => {
                let text = request.text();
                assert_ne!(refused(text, self.format), Vec::<String>::new(), "{text}");
                assert_eq!(serde_json::to_string(self.session.state()).unwrap(), carried);
                return None;
            }
            Err(Error::Request(
                MessageError::NoUserMessage { .. } | MessageError::AnsweredTwice { .. },
            )) => {
                return None;
            }
            Err(error) => panic!("{error}\n{}", request.text()),
        };
        let other = again.next(request, &Characters).unwrap();
        assert_eq!(turn.request.text, other.request.text);
        assert_eq!(turn.report, other.report);
        assert_eq!(self.session.state(), again.state());
        Some(turn)
    }

    fn judge(&self, request: &Request, turn: &Turn, before: Option<&str>) {
        let (text, report) = (&turn.request.text, &turn.report);
        let told = || {
            format!(
                "{report:#?}\n{}\n\n{text}\n\nbefore: {}",
                request.text(),
                before.unwrap_or_default()
            )
        };
        assert_eq!(refused(text, self.format), Vec::<String>::new(), "{}", told());
        assert!(report.tokens <= self.budget, "{}", told());
        assert_eq!(report.tokens, turn.request.tokens.total());
        let bill = bill(self.format, before, text, self.tariff);
        let costs = report.costs;
        let ours = Bill {
            read: costs.read,
            written: costs.written,
            plain: costs.plain,
            thousandths: costs.thousandths,
        };
        assert_eq!(ours, bill, "{}", told());
        assert_eq!(costs.tokens(), report.tokens);
        let marks = seen(self.format, text).iter().filter(|block| block.marked).count();
        assert!(marks <= 4);
        assert!(self.session.state().settings().breakpoints || marks == 0);
        // What is no whole prefix says why, and what is says nothing.
        let kept = before.map(|before| begins_with(self.format, text, before));
        assert_eq!(report.prefix.is_whole(), kept.unwrap_or(true), "{}", told());
        if matches!(report.action, Action::Extended | Action::Held { .. }) {
            let cause = report.prefix.first_change.as_ref().map(|change| change.cause);
            assert_ne!(cause, Some(Cause::Cut), "{}", told());
        }
    }

    /// Plays a conversation that only grows, in steps, through a session and through a conversation that holds it: what they
    /// send and report is the same.
    pub(crate) fn play_held(mut self, steps: &[usize]) {
        let mut end = 1.min(self.all.len());
        let mut held = Conversation::new(self.session.clone(), self.request(&self.all[..end]));
        for step in steps {
            let request = self.request(&self.all[..end]);
            match (self.session.next(&request, &Characters), held.next(&Characters)) {
                (Ok(turn), Ok(report)) => {
                    assert_eq!(turn.report, report, "{}", request.text());
                    assert_eq!(self.session.state(), held.session().state());
                    assert_eq!(turn.request.text, held.text());
                }
                (Err(one), Err(other)) => assert_eq!(one, other),
                (one, other) => panic!("{one:?}\n{other:?}"),
            }
            let next = (end + step).min(self.all.len());
            for message in &self.all[end..next] {
                held.push(&message.to_string()).unwrap();
            }
            end = next;
        }
    }

    /// Plays a conversation that only grows, a turn of the user at a time.
    pub(crate) fn play_by_user_turns(mut self) {
        let is_user = |message: &Value| {
            let answers = message["content"][0]["type"] == "tool_result"
                || message["parts"][0]["functionResponse"].is_object();
            message["role"] == "user" && !answers
        };
        let ends: Vec<usize> = (1..=self.all.len())
            .filter(|end| *end == self.all.len() || is_user(&self.all[*end]))
            .collect();
        let mut before: Option<String> = None;
        let mut after_cut: Option<(i64, i64)> = None;
        let settings = *self.session.state().settings();
        for end in ends {
            let request = self.request(&self.all[..end]);
            let Some(turn) = self.turn(&request) else { return };
            self.judge(&request, &turn, before.as_deref());
            let report = &turn.report;
            match &report.action {
                Action::Cut(cut) => {
                    // No thrash: what came since the last cut is what this one must free, or the budget forced it.
                    let least = (self.budget as f64 * settings.least_freed) as i64;
                    assert!(cut.forced || cut.freed >= least, "{report:?}");
                    if let Some((low, after)) = after_cut.filter(|_| !cut.forced) {
                        let came = report.tokens + cut.freed - after;
                        assert!(came >= report.high_water - low, "{came} came\n{report:?}");
                    }
                    after_cut = Some((report.low_water, report.tokens));
                }
                _ => assert!(
                    report.prefix.is_whole(),
                    "{report:?}\n{}\n\n{}",
                    turn.request.text,
                    before.unwrap_or_default()
                ),
            }
            before = Some(turn.request.text);
        }
    }
}

fn session(budget: i64, options: &Options, price: Price, state: State) -> Session {
    Session::resume(budget, state).unwrap().with_options(options.clone()).with_price(price)
}

fn begins_with(format: Format, text: &str, before: &str) -> bool {
    let (now, before) = (seen(format, text), seen(format, before));
    before.len() <= now.len() && before.iter().zip(&now).all(|(one, other)| one.what == other.what)
}

fn key(format: Format) -> &'static str {
    match format {
        Format::OpenAiResponses => "input",
        Format::Gemini => "contents",
        _ => "messages",
    }
}

fn list(root: &Value, format: Format) -> &Value {
    if root.is_array() { root } else { &root[key(format)] }
}

fn list_mut(root: &mut Value, format: Format) -> &mut Value {
    &mut root[key(format)]
}

fn user(words: &str, format: Format) -> Value {
    let cupel = json!({"volatile": true});
    match format {
        Format::Gemini => json!({"role": "user", "parts": [{"text": words}], "cupel": cupel}),
        _ => json!({"role": "user", "content": words, "cupel": cupel}),
    }
}

/// Changes what a message says, whoever says it.
fn edit(message: &mut Value, format: Format) {
    for key in ["content", "output"] {
        if message[key].is_string() {
            message[key] = json!("Something else altogether.");
            return;
        }
    }
    let parts = if format == Format::Gemini { "parts" } else { "content" };
    if let Some(part) = message[parts].as_array_mut().and_then(|parts| parts.last_mut())
        && part["text"].is_string()
    {
        part["text"] = json!("Something else altogether.");
    }
}
