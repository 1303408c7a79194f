//! `cupel eval`: is what answers need in the window?

mod read;

use std::io::Write;
use std::num::NonZero;

use cupel_eval::{Bootstrap, Contender, Evaluation, Set, Size};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::EvalArgs;
use crate::evaluation::{Measured, missed_questions};
use crate::failure::{Complaint, Failure, Outcome, watched};
use crate::html::eval_page;
use crate::output::{Sink, eval_json};
use crate::parallel;
use crate::plan::Plan;
use crate::render::{eval_markdown, eval_text};

/// What is measured unless policies are given.
const USUAL: [&str; 4] = ["answer", "rag", Contender::LAST_N, Contender::CEILING];

pub(crate) fn run(args: &EvalArgs) -> Outcome {
    if let (Some(source), Some(target)) = (args.import, &args.save) {
        let imported = read::import(source, args)?;
        let mut out = Sink::open(Some(target))?;
        for line in &imported.lines {
            writeln!(out, "{}", line.to_json())?;
        }
        return out.finish();
    }
    let contenders = contenders(&args.policies, args.lenient)?;
    let sizes = if args.budgets.is_empty() { Size::USUAL.to_vec() } else { args.budgets.clone() };
    let missed_at = missed_at(args, &sizes)?;
    let (name, set) = read::set(args)?;
    let set = match args.limit {
        Some(most) => set.sample(most.get(), args.seed),
        None => set,
    };
    let recalls = measure(args, &set, &contenders, &sizes)?;
    let bootstrap = Bootstrap { seed: args.seed, ..Bootstrap::default() };
    let missed = match args.missed {
        Some(most) => missed_questions(&set, &contenders, missed_at, most.get())?,
        None => Vec::new(),
    };
    let measured =
        Measured::new(name, args.tokenizer, &set, &recalls, bootstrap, missed_at, missed);

    if let Some(path) = &args.html {
        let mut page = Sink::open(Some(path))?;
        page.write_all(eval_page(&measured).as_bytes())?;
        page.finish()?;
    }
    let mut out = args.output.open()?;
    if args.json {
        let json = eval_json(&measured, &recalls);
        serde_json::to_writer_pretty(&mut out, &json).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else if args.markdown {
        write!(out, "{}", eval_markdown(&measured))?;
    } else {
        let text = eval_text(&measured, out.width());
        out.write_styled(&text)?;
    }
    out.finish()
}

/// The policies and baselines, each under a label of its own.
fn contenders(names: &[String], lenient: bool) -> Outcome<Vec<Contender>> {
    let usual = USUAL.map(str::to_owned);
    let names = if names.is_empty() { &usual } else { names };
    let mut contenders: Vec<Contender> = Vec::with_capacity(names.len());
    for name in names {
        let contender = match Contender::baseline(name) {
            Some(baseline) => baseline,
            None => {
                let plan = Plan::load(name, lenient)?;
                Contender::policy(plan.label, plan.pipeline)
            }
        };
        let (label, mut number) = (contender.label().to_owned(), 1);
        let mut unique = label.clone();
        while contenders.iter().any(|other| other.label() == unique) {
            number += 1;
            unique = format!("{label} ({number})");
        }
        contenders.push(contender.labelled(unique));
    }
    Ok(contenders)
}

/// The budget at which misses are shown.
fn missed_at(args: &EvalArgs, sizes: &[Size]) -> Outcome<Size> {
    match args.missed_at {
        None => Ok(sizes[sizes.len() / 2]),
        Some(size) if sizes.contains(&size) => Ok(size),
        Some(size) => {
            let all: Vec<_> = sizes.iter().map(Size::to_string).collect();
            let complaint = Complaint::new(format!("--missed-at {size} is none of the budgets"));
            Err(Failure::bad_input(
                complaint.remedy(format!("give one of {}, or add it to --budgets", all.join(", "))),
            ))
        }
    }
}

fn measure(
    args: &EvalArgs,
    set: &Set,
    contenders: &[Contender],
    sizes: &[Size],
) -> Outcome<cupel_eval::Recalls> {
    let target =
        if watched() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template(
        "{bar:10} {percent:>3}%  {pos} of {len} questions, {eta} left",
    )
    .expect("a template of known keys");
    let bar =
        ProgressBar::with_draw_target(Some(set.questions().len() as u64), target).with_style(style);
    let threads = args.jobs.map_or_else(parallel::cores, NonZero::get);
    let recalls = Evaluation::new(set, contenders, sizes).run(threads, |_| bar.inc(1));
    bar.finish_and_clear();
    recalls.map_err(|error| {
        let complaint = Complaint::new(error.to_string());
        Failure::Failed(
            complaint.remedy("measure at larger --budgets, or change the policy or the set"),
        )
    })
}
