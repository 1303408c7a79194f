//! What policies that judge relevance are asked.

use std::sync::{Arc, Mutex};

use cupel::{
    ContextItem, CupelError, InputOrderPlacer, Policy, PolicyBuilder, Query, RankSlice, RunContext,
    Scorer,
};
use cupel_messages::{Estimate, Options, Request};

/// Hears what runs are asked, and scores nothing.
#[derive(Debug, Default, Clone)]
struct Listener(Arc<Mutex<Vec<Option<Query>>>>);

impl Scorer for Listener {
    fn score(&self, _: &ContextItem, _: &[ContextItem]) -> f64 {
        0.0
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        self.0.lock().unwrap().push(context.query().cloned());
        Ok(vec![0.0; items.len()])
    }
}

fn policy(scorer: impl Scorer + 'static) -> Policy {
    let builder = PolicyBuilder::new().scorer(scorer).slicer(RankSlice::default());
    builder.placer(InputOrderPlacer).build().unwrap()
}

const OVER: &str = r#"[
    {"role": "user", "content": "Tell me all about the weather of last week, day by day, and of the week before."},
    {"role": "assistant", "content": "It rained."},
    {"role": "user", "content": "When does the job run?"}"#;

/// What a run over these messages is asked.
fn asked(messages: &str, options: Options) -> Option<Query> {
    let request = Request::read(messages).unwrap();
    let listener = Listener::default();
    let options = options.policy(policy(listener.clone()));
    let budget = request.prepare(&options, &Estimate).unwrap().total().total() - 1;
    request.fit(budget, &options, &Estimate).unwrap();
    let heard = listener.0.lock().unwrap();
    heard[0].clone()
}

#[test]
fn the_last_user_message_is_the_query() {
    let query = asked(&format!("{OVER}]"), Options::new()).unwrap();
    assert_eq!(query.text(), "When does the job run?");
}

#[test]
fn what_an_agent_said_after_it_belongs_to_the_query() {
    let working = r#",
        {"role": "assistant", "content": "I look at the timers first."},
        {"role": "assistant", "content": "Now the log."}]"#;
    let query = asked(&format!("{OVER}{working}"), Options::new()).unwrap();
    assert_eq!(query.text(), "When does the job run?\nNow the log.");
}

#[test]
fn the_caller_may_ask_otherwise() {
    let query = asked(&format!("{OVER}]"), Options::new().query("reminders")).unwrap();
    assert_eq!(query.text(), "reminders");
}

#[test]
fn for_a_policy_of_the_callers_own_messages_are_parts_of_one_document() {
    let request = Request::read(format!("{OVER}]")).unwrap();
    let options = Options::new().policy(policy(Listener::default()));
    let prepared = request.prepare(&options, &Estimate).unwrap();
    let items = prepared.items().unwrap();
    let places: Vec<_> = items.iter().map(ContextItem::position).collect();
    assert_eq!(places, [Some(0), Some(1), Some(2)]);
    assert!(items.iter().all(|item| item.document() == items[0].document()));
    assert!(items[0].document().is_some());

    let usual = Options::new();
    let prepared = request.prepare(&usual, &Estimate).unwrap();
    assert_eq!(prepared.items().unwrap()[0].document(), None);
}
