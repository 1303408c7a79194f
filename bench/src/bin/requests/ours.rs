//! What is timed on our side.

use std::hint::black_box;
use std::sync::Mutex;

use cupel::{ContextBudget, Pipeline};
use cupel_messages::{Fitted, Meter, ModelMeter, Options, Request};
use cupel_tokens::{CachedCounter, Counter, Model};
use serde_json::Value;

use crate::conversation::request;
use crate::timing::clock;

pub(crate) const MODEL: &str = "gpt-4o";

/// Seconds on the processor of one call and of its parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub(crate) whole: f64,
    pub(crate) reading: f64,
    pub(crate) counting: f64,
    pub(crate) selecting: f64,
}

impl Call {
    /// What is left of the whole: mending, pairing, shortening, candidates, selecting, writing, the report.
    pub(crate) fn beyond(&self) -> f64 {
        self.whole - self.reading - self.counting
    }
}

/// Text in, half of its tokens out, as text.
pub(crate) fn call(text: &str, budget: i64) -> Call {
    let meter = ModelMeter::by_name(MODEL).expect("it is known");
    // Untimed first, so that memory and caches are the same for the whole and for its parts.
    cut(text, budget, &meter);
    let whole = seconds(|| cut(text, budget, &meter));
    let reading = seconds(|| Request::read(text));

    let listed = Listing { meter: &meter, texts: Mutex::default() };
    cut(text, budget, &listed);
    let texts = listed.texts.into_inner().expect("nobody panicked");
    let counting = seconds(|| texts.iter().map(|text| meter.text(text)).sum::<i64>());

    let (request, options) = (Request::read(text).expect("it is valid"), Options::new());
    let prepared = request.prepare(&options, &meter).expect("it is valid");
    let items = prepared.items().expect("they are valid");
    let room = budget - prepared.fixed().total();
    let room = ContextBudget::builder(room).build().expect("it is positive");
    let pipeline = Pipeline::from(prepared.policy().clone());
    let selecting = seconds(|| pipeline.dry_run(&items, &room).expect("it fits"));
    Call { whole, reading, counting, selecting }
}

/// Seconds of a first call and of the next one, after one more message, when counts are remembered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Again {
    pub(crate) first: f64,
    /// The whole text again, with one more message.
    pub(crate) text: f64,
    /// The message put to a request that was kept.
    pub(crate) kept: f64,
}

pub(crate) fn again(messages: &[Value], one_more: &Value, budget: i64) -> Again {
    let model = Model::by_name(MODEL).expect("it is known");
    let meter = ModelMeter::with_counter(*model, CachedCounter::new(*model));
    let (text, message) = (request(messages), one_more.to_string());
    let longer = request(&[messages, std::slice::from_ref(one_more)].concat());
    let first = seconds(|| cut(&text, budget, &meter));
    let mut request = Request::read(text).expect("it is valid");
    let kept = seconds(|| {
        request.push(&message).expect("it is valid");
        request.fit(budget, &Options::new(), &meter).expect("half of it is enough")
    });
    assert_eq!(request.text(), longer);
    let text = seconds(|| cut(&longer, budget, &meter));
    Again { first, text, kept }
}

pub(crate) fn tokens(text: &str) -> i64 {
    let model = Model::by_name(MODEL).expect("it is known");
    let meter = ModelMeter::with_counter(*model, *model);
    Request::read(text).expect("it is valid").count(&meter).total()
}

/// The request is given back as well: giving up its memory belongs to no part, and so not to the whole.
fn cut(text: &str, budget: i64, meter: &dyn Meter) -> (Request, Fitted) {
    let request = Request::read(text).expect("it is valid");
    let fitted = request.fit(budget, &Options::new(), meter).expect("half of it is enough");
    (request, fitted)
}

fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let start = clock();
    let result = black_box(work());
    let spent = clock() - start;
    drop(result);
    spent.as_secs_f64()
}

/// Writes down what is counted.
struct Listing<'a, C> {
    meter: &'a ModelMeter<C>,
    texts: Mutex<Vec<String>>,
}

impl<C: Counter> Meter for Listing<'_, C> {
    fn text(&self, text: &str) -> i64 {
        self.texts.lock().expect("nobody panicked").push(text.to_owned());
        self.meter.text(text)
    }

    fn per_message(&self) -> i64 {
        self.meter.per_message()
    }

    fn per_name(&self) -> i64 {
        self.meter.per_name()
    }

    fn per_request(&self) -> i64 {
        self.meter.per_request()
    }

    fn with_tools(&self) -> i64 {
        self.meter.with_tools()
    }
}
