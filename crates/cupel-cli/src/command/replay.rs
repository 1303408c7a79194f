//! `cupel replay`: what would a recorded conversation have cost?

mod read;

use std::io::Write;

use cupel_messages::Options;
use cupel_policy::Preset;
use cupel_session::replay::Strategy;
use cupel_session::{Price, Settings};
use cupel_tokens::CachedCounter;

use crate::args::ReplayArgs;
use crate::failure::{Complaint, Failure, Outcome, note};
use crate::html::replay_page;
use crate::messages::{meter_parts, room};
use crate::output::{Sink, replay_json};
use crate::plan::Plan;
use crate::render::replay_text;
use crate::replayed::{Replayed, Run};

/// What is played unless strategies are given.
const USUAL: [&str; 3] = ["sliding-window", "halve", "session"];

pub(crate) fn run(args: &ReplayArgs) -> Outcome {
    let budget = args.budget.to_budget()?;
    let options = args.options();
    let strategies = strategies(args, &options)?;
    let (name, replay) = read::replay(args)?;
    let Some(last) = replay.turns().last().cloned() else {
        let complaint = Complaint::new("there is no turn in it").at(name);
        let remedy = "give a transcript in which a model answers, or requests line by line";
        return Err(Failure::bad_input(complaint.remedy(remedy)));
    };
    let mut price = Price::of(last.format(), last.model());
    if let Some((read, write)) = args.prices {
        price = Price { read, write, ..price };
    }
    let (model, counter) = meter_parts(&last, args.tokenizer);
    let counter = CachedCounter::new(counter);
    let meter = cupel_messages::ModelMeter::with_counter(model, counter);
    let replay = replay.with_price(price);
    let play = |(label, strategy): &(String, Strategy)| {
        let outcomes = replay.play(strategy, room(&budget), &options, &meter);
        if let Some(why) = &outcomes.stopped {
            note(&format!("{label} stopped: {why}"));
        }
        Run { label: label.clone(), outcomes }
    };
    let replayed = Replayed {
        name,
        model: last.model().unwrap_or("a model that is not named").to_owned(),
        budget: room(&budget),
        turns: replay.turns().len(),
        price,
        prices_as_of: args.prices.is_none().then(Price::date),
        runs: strategies.iter().map(play).collect(),
    };
    if let Some(path) = &args.html {
        let mut page = Sink::open(Some(path))?;
        page.write_all(replay_page(&replayed).as_bytes())?;
        page.finish()?;
    }
    let mut out = args.output.open()?;
    if args.json {
        let json = replay_json(&replayed);
        serde_json::to_writer_pretty(&mut out, &json).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        let text = replay_text(&replayed, out.width());
        out.write_styled(&text)?;
    }
    out.finish()
}

fn strategies(args: &ReplayArgs, options: &Options) -> Outcome<Vec<(String, Strategy)>> {
    let usual = USUAL.map(str::to_owned).to_vec();
    let mut names = if args.strategies.is_empty() { usual } else { args.strategies.clone() };
    if args.all_policies {
        names.extend(Preset::ALL.iter().map(|preset| preset.name().to_owned()));
    }
    let mut strategies: Vec<(String, Strategy)> = Vec::with_capacity(names.len());
    for name in names {
        let strategy = strategy(&name, args, options)?;
        if !strategies.iter().any(|(label, _)| *label == strategy.0) {
            strategies.push(strategy);
        }
    }
    Ok(strategies)
}

fn strategy(name: &str, args: &ReplayArgs, options: &Options) -> Outcome<(String, Strategy)> {
    let own = || Box::new(options.clone());
    let strategy = match name {
        "sliding-window" => Strategy::SlidingWindow,
        "halve" => Strategy::HalveByAge,
        "session" => Strategy::Session(Settings::default(), own()),
        _ => match name.strip_prefix("session:") {
            Some(marks) => Strategy::Session(settings(marks)?, own()),
            None => {
                let plan = Plan::load(name, args.lenient)?;
                let options = options.clone().policy(plan.pipeline.policy().clone());
                return Ok((plan.label, Strategy::EveryTurn(Box::new(options))));
            }
        },
    };
    Ok((name.to_owned(), strategy))
}

/// Marks as `0.9/0.4`.
fn settings(marks: &str) -> Outcome<Settings> {
    let wrong = |problem: String| {
        let remedy = "say session:HIGH/LOW with shares of the budget, as session:0.9/0.4";
        Failure::bad_input(Complaint::new(problem).remedy(remedy))
    };
    let parsed = marks.split_once('/').and_then(|(high, low)| {
        Some((high.trim().parse::<f64>().ok()?, low.trim().parse::<f64>().ok()?))
    });
    let (high, low) = parsed.ok_or_else(|| wrong(format!("no marks: {marks:?}")))?;
    let least_freed = Settings::default().least_freed.min((high - low).max(0.0));
    let settings = Settings { high, low, least_freed, ..Settings::default() };
    settings.check().map_err(|error| wrong(error.to_string()))?;
    Ok(settings)
}
