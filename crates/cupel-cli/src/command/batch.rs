//! `cupel batch`: a response for every request, line by line.

use std::io::Write;
use std::num::NonZero;

use cupel_policy::Loader;

use crate::args::BatchArgs;
use crate::batch::{Answers, Next, Progress, Responders};
use crate::failure::{Complaint, Failure, Outcome, report, watched};
use crate::input::Source;
use crate::parallel;
use crate::tokens::Tokenizer;

pub(crate) fn run(args: &BatchArgs) -> Outcome {
    let source = Source::new(args.file.as_deref());
    let loader = Loader::new().lenient(args.lenient);
    let tokenizer = args.tokenizer.map(Tokenizer::counter);
    let responders = Responders::new(loader, tokenizer, !args.no_timings, args.query.as_deref());
    let workers = args.jobs.map_or_else(parallel::cores, NonZero::get);
    let mut answers = Answers::start(source.open()?, args.max_line, responders, workers);

    let mut out = args.output.open()?;
    let mut progress = Progress::new(source.size());
    let mut flushed = false;
    loop {
        match answers.next(flushed).map_err(|error| source.unreadable(&error))? {
            Next::Answer(answer) => {
                writeln!(out, "{}", answer.json)?;
                flushed = false;
                progress.advance(answer.bytes, answer.error);
            }
            Next::Idle => {
                // Somebody may be waiting for these answers before asking on.
                out.flush()?;
                flushed = true;
            }
            Next::End => break,
        }
    }
    out.finish()?;
    progress.clear();
    if watched() || progress.failed > 0 {
        anstream::eprintln!("{}", progress.summary());
    }
    if let Some(error) = progress.first_error() {
        report_first(error);
    }
    if progress.failed > 0 { Err(Failure::AlreadyReported) } else { Ok(()) }
}

/// The first error where a person sees it: the others are in the output, each in its place.
fn report_first(error: &str) {
    let complaint = Complaint::new(format!("the first: {error}"));
    let no_tokens = error.contains("missing key \"tokens\"");
    let remedy = no_tokens
        .then_some("give every item its count, or have them counted with --tokenizer o200k_base");
    report(&Complaint { remedy: remedy.map(str::to_owned), ..complaint });
}
