//! `cupel replay`: what would a recorded conversation have cost?

mod read;

use std::io::Write;

use cupel_messages::{Format, Options};
use cupel_policy::Preset;
use cupel_session::replay::Strategy;
use cupel_session::{Price, Settings};
use cupel_tokens::CachedCounter;

use crate::args::ReplayArgs;
use crate::failure::{Complaint, Failure, Outcome, note};
use crate::html::replay_page;
use crate::input::Source;
use crate::messages::{meter_parts, room};
use crate::output::{Sink, replay_json};
use crate::plan::{Plan, own_label};
use crate::render::replay_text;
use crate::replayed::{Replayed, Run};
use crate::tokens::Tokenizer;

/// What is played unless strategies are given.
const USUAL: [&str; 3] = ["sliding-window", "halve", "session"];

pub(crate) fn run(args: &ReplayArgs) -> Outcome {
    let replayed = Replayer::new(args)?.replay(&Source::new(args.file.as_deref()))?;
    for run in &replayed.runs {
        if let Some(why) = &run.outcomes.stopped {
            note(&format!("{} stopped: {why}", run.label));
        }
    }
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

/// Whoever replays conversations as the arguments say, one or many.
#[derive(Debug)]
pub(crate) struct Replayer {
    budget: i64,
    options: Options,
    strategies: Vec<(String, Strategy)>,
    /// What reading and writing cost, if not what the table says.
    prices: Option<(i64, i64)>,
    tokenizer: Option<Tokenizer>,
    provider: Option<Format>,
}

impl Replayer {
    pub(crate) fn new(args: &ReplayArgs) -> Outcome<Self> {
        let budget = room(&args.budget.to_budget()?);
        let options = args.options();
        let strategies = strategies(args, &options)?;
        let (prices, tokenizer, provider) = (args.prices, args.tokenizer, args.provider.provider);
        Ok(Self { budget, options, strategies, prices, tokenizer, provider })
    }

    pub(crate) fn replay(&self, source: &Source) -> Outcome<Replayed> {
        let (name, replay) = (source.short_name(), read::replay(source, self.provider)?);
        let Some(last) = replay.turns().last().cloned() else {
            let complaint = Complaint::new("there is no turn in it").at(name);
            let remedy = "give a transcript in which a model answers, or requests line by line";
            return Err(Failure::bad_input(complaint.remedy(remedy)));
        };
        let mut price = Price::of(last.format(), last.model());
        if let Some((read, write)) = self.prices {
            price = Price { read, write, ..price };
        }
        let (model, counter) = meter_parts(&last, self.tokenizer);
        let counter = CachedCounter::new(counter);
        let meter = cupel_messages::ModelMeter::with_counter(model, counter);
        let replay = replay.with_price(price);
        let play = |(label, strategy): &(String, Strategy)| Run {
            label: label.clone(),
            outcomes: replay.play(strategy, self.budget, &self.options, &meter),
        };
        Ok(Replayed {
            name,
            model: last.model().unwrap_or("a model that is not named").to_owned(),
            budget: self.budget,
            turns: replay.turns().len(),
            price,
            prices_as_of: self.prices.is_none().then(Price::date),
            runs: self.strategies.iter().map(play).collect(),
        })
    }
}

/// The strategies, each under a label of its own.
fn strategies(args: &ReplayArgs, options: &Options) -> Outcome<Vec<(String, Strategy)>> {
    let usual = USUAL.map(str::to_owned).to_vec();
    let mut names = if args.strategies.is_empty() { usual } else { args.strategies.clone() };
    if args.all_policies {
        let presets = Preset::ALL.iter().map(|preset| preset.name().to_owned());
        let others: Vec<_> = presets.filter(|preset| !names.contains(preset)).collect();
        names.extend(others);
    }
    let mut strategies: Vec<(String, Strategy)> = Vec::with_capacity(names.len());
    for name in names {
        let (label, strategy) = strategy(&name, args, options)?;
        let label = own_label(label, |taken| strategies.iter().any(|(other, _)| other == taken));
        strategies.push((label, strategy));
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
