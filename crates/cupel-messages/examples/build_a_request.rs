//! Makes one conversation in Rust and prints it as each provider wants it, cut to a part of its tokens.
//!
//! `cargo run -p cupel-messages --example build_a_request -- [PERCENT]`

use cupel_messages::{Format, ModelMeter, Options, Request, RequestBuilder, validate};
use serde::Serialize;
use serde_json::json;

#[derive(Serialize)]
struct Order {
    id: u32,
}

/// The same for every provider.
fn conversation(format: Format, model: &str) -> RequestBuilder {
    let parameters =
        json!({"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]});
    Request::builder(format)
        .model(model)
        .max_tokens(500)
        .system("You help customers of a bike shop.")
        .tool("orders", "Looks up an order.", parameters)
        .user("Are my bikes ready? They are 4711 and 4712.")
        .assistant("Let me look.")
        .call("c1", "orders", Order { id: 4711 })
        .call("c2", "orders", Order { id: 4712 })
        .result("c1", "waiting for a chain, since Tuesday")
        .result("c2", "ready")
        .assistant("4712 is. The other one waits for a chain.")
        .user("Then I will come on Friday.")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let percent: i64 = std::env::args().nth(1).map_or(Ok(85), |percent| percent.parse())?;
    let models = ["gpt-5", "gpt-5", "claude-opus-5-5", "gemini-3-pro"];
    for (format, model) in Format::ALL.into_iter().zip(models) {
        let request = conversation(format, model).build()?;
        assert!(validate(&request).is_empty());
        let meter = ModelMeter::of(&request);
        let budget = request.count(&meter).total() * percent / 100;
        let fitted = request.fit(budget, &Options::new(), &meter)?;
        println!(
            "{format}: {} of {} tokens\n{}\n",
            fitted.tokens.total(),
            fitted.before.total(),
            fitted.text
        );
    }

    let wrong = conversation(Format::OpenAiChat, "gpt-5").result("c3", "sold");
    if let Err(error) = wrong.build() {
        println!("{error}");
    }
    Ok(())
}
