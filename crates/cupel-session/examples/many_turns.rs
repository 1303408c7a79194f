//! An agent at work for thirty turns: what is sent, what is read from the cache, when something is cut, and what it costs.
//!
//! `cargo run -p cupel-session --example many_turns`

use cupel_messages::{Estimate, Request};
use cupel_session::{Action, Conversation, Price, Session, Settings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Request::read(
        r#"{"model": "claude-sonnet-4-5", "max_tokens": 500, "system": "You find out why builds fail.", "messages": [
            {"role": "user", "content": "The nightly build is red again. Find out why."}]}"#,
    )?;
    let price = Price { minimum: 0, ..Price::of(start.format(), start.model()) };
    let session = Session::new(3_000)
        .with_settings(Settings { breakpoints: true, ..Settings::default() })?
        .with_price(price);
    let mut conversation = Conversation::new(session, start);
    println!("turn  tokens   read  written  plain    cost  what happened");
    let (mut cost, mut whole) = (0.0, 0.0);
    for turn in 1..=30 {
        let report = conversation.next(&Estimate)?;
        let told = match &report.action {
            Action::Cut(cut) => {
                let payback = cut.payback_turns.unwrap_or_default();
                format!(
                    "cut {} messages, {} tokens; pays back in {payback:.1} turns",
                    cut.dropped, cut.freed
                )
            }
            Action::Held { .. } => "a cut would free too little".to_owned(),
            _ => String::new(),
        };
        let costs = report.costs;
        println!(
            "{turn:>4}  {:>6} {:>6}  {:>7}  {:>5}  {:>6.0}  {told}",
            report.tokens,
            costs.read,
            costs.written,
            costs.plain,
            costs.cost()
        );
        (cost, whole) = (cost + costs.cost(), whole + report.tokens as f64);
        // conversation.text() would be sent here; this is what comes back.
        conversation.push(&format!(
            r#"{{"role": "assistant", "content": [{{"type": "tool_use", "id": "c{turn}", "name": "log", "input": {{"page": {turn}}}}}]}}"#
        ))?;
        let log = format!("page {turn}: the cache was cold and the worker waited for its lock. ")
            .repeat(6);
        conversation.push(&format!(
            r#"{{"role": "user", "content": [{{"type": "tool_result", "tool_use_id": "c{turn}", "content": "{log}"}}]}}"#
        ))?;
    }
    println!("\n{cost:.0} in plain tokens; {whole:.0} without a cache");
    Ok(())
}
