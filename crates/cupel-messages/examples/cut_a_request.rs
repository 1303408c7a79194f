//! Cuts a request to a budget and shows what became of every message.
//!
//! `cargo run -p cupel-messages --example cut_a_request -- [FILE] [BUDGET]`

use std::path::Path;

use cupel_messages::{ModelMeter, Options, Outcome, Request, validate};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data");
    let file = arguments.next().map_or_else(|| data.join("library-agent.openai.json"), Into::into);
    let budget = arguments.next().map_or(Ok(3_000), |budget| budget.parse())?;

    let request = Request::read(std::fs::read_to_string(file)?)?;
    let meter = ModelMeter::of(&request);
    println!(
        "{}, {} messages, {:?}",
        request.format(),
        request.messages().len(),
        request.count(&meter)
    );
    for problem in validate(&request) {
        println!("  {problem}");
    }

    let fitted = request.fit(budget, &Options::new(), &meter)?;
    for (report, message) in fitted.messages.iter().zip(request.messages()) {
        let outcome = match report.outcome {
            Outcome::Kept => "in".to_owned(),
            Outcome::Shortened { form, forms } => format!("{form}/{forms}"),
            Outcome::LeftOut => "out".to_owned(),
            _ => "dropped".to_owned(),
        };
        let words: String = message.words().replace('\n', " ").chars().take(60).collect();
        let score = report.score.map_or(String::new(), |score| format!("{score:.2}"));
        println!(
            "{:>3} {:>2} {:9} {:>6} {:>6} {outcome:>7} {score:>5} {words}\n{:>40}{}",
            report.index, report.turn, report.role, report.tokens, report.sent, "", report.why
        );
    }
    for repair in &fitted.repairs {
        println!("{repair}");
    }
    println!(
        "{} of {budget} tokens by {}: {:?}",
        fitted.tokens.total(),
        fitted.basis,
        fitted.tokens
    );
    Ok(())
}
