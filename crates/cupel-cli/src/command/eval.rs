//! `cupel eval`: is what answers need in the window?

mod read;

use std::io::Write;
use std::num::NonZero;

use cupel_eval::{Bootstrap, Contender, Evaluation, Question, Recalls, Set, Size};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::EvalArgs;
use crate::evaluation::{Measured, missed_questions};
use crate::failure::{Complaint, Failure, Outcome, watched};
use crate::html::eval_page;
use crate::input::Source;
use crate::output::{Sink, eval_json};
use crate::parallel;
use crate::plan::{Plan, own_label};
use crate::render::{eval_markdown, eval_text};
use crate::tokens::Tokenizer;

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
    let evaluator = Evaluator::new(args)?;
    let Evaluator { contenders, sizes, .. } = &evaluator;
    let missed_at = missed_at(args, sizes)?;
    let source = Source::new(args.file.as_deref());
    let (name, set) = (source.short_name(), read::set(args, &source)?);
    let set = match args.limit {
        Some(most) => set.sample(most.get(), args.seed),
        None => set,
    };
    let recalls = evaluator.watched(args, &set)?;
    let bootstrap = Bootstrap { seed: args.seed, ..Bootstrap::default() };
    let missed = match args.missed {
        Some(most) => missed_questions(&set, contenders, missed_at, most.get())?,
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
        let is_taken = |label: &str| contenders.iter().any(|other| other.label() == label);
        let label = own_label(contender.label().to_owned(), is_taken);
        contenders.push(contender.labelled(label));
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

/// Whoever measures sets as the arguments say, one or many.
#[derive(Debug)]
pub(crate) struct Evaluator {
    contenders: Vec<Contender>,
    sizes: Vec<Size>,
    tokenizer: Option<Tokenizer>,
}

impl Evaluator {
    pub(crate) fn new(args: &EvalArgs) -> Outcome<Self> {
        let contenders = contenders(&args.policies, args.lenient)?;
        let usual = || Size::USUAL.to_vec();
        let sizes = if args.budgets.is_empty() { usual() } else { args.budgets.clone() };
        Ok(Self { contenders, sizes, tokenizer: args.tokenizer })
    }

    /// What is measured on a small set, on one core.
    pub(crate) fn measure(&self, source: &Source) -> Outcome<(Set, Recalls)> {
        let set = read::lines(source, self.tokenizer)?;
        let recalls = self.recalls(&set, 1, |_| ())?;
        Ok((set, recalls))
    }

    /// What is measured on a set, on all cores, for whoever watches.
    fn watched(&self, args: &EvalArgs, set: &Set) -> Outcome<Recalls> {
        let target =
            if watched() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template(
            "{bar:10} {percent:>3}%  {pos} of {len} questions, {eta} left",
        )
        .expect("a template of known keys");
        let bar = ProgressBar::with_draw_target(Some(set.questions().len() as u64), target)
            .with_style(style);
        let threads = args.jobs.map_or_else(parallel::cores, NonZero::get);
        let recalls = self.recalls(set, threads, |_| bar.inc(1));
        bar.finish_and_clear();
        recalls
    }

    fn recalls(
        &self,
        set: &Set,
        threads: usize,
        done: impl Fn(&Question) + Sync,
    ) -> Outcome<Recalls> {
        let evaluation = Evaluation::new(set, &self.contenders, &self.sizes);
        evaluation.run(threads, done).map_err(|error| {
            let complaint = Complaint::new(error.to_string());
            Failure::Failed(
                complaint.remedy("measure at larger --budgets, or change the policy or the set"),
            )
        })
    }
}
