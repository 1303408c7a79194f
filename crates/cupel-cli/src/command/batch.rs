//! `cupel batch`: a response for every request, line by line.

use std::io::Write;
use std::num::NonZero;

use cupel_policy::{Loader, Responder};

use crate::args::BatchArgs;
use crate::batch::{Answers, Next, Progress};
use crate::failure::{Failure, Outcome, watched};
use crate::input::Source;
use crate::parallel;

pub(crate) fn run(args: &BatchArgs) -> Outcome {
    let source = Source::new(args.file.as_deref());
    let loader = Loader::new().lenient(args.lenient);
    let responder = Responder::new().loader(loader).timings(!args.no_timings);
    let workers = args.jobs.map_or_else(parallel::cores, NonZero::get);
    let answers = Answers::start(source.open()?, args.max_line, responder, workers);

    let mut out = args.output.open()?;
    let mut progress = Progress::new(source.size());
    let mut flushed = false;
    loop {
        match answers.next(flushed).map_err(|error| source.unreadable(&error))? {
            Next::Answer(answer) => {
                writeln!(out, "{}", answer.json)?;
                flushed = false;
                progress.advance(answer.bytes, answer.failed);
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
    if progress.failed > 0 || watched() {
        anstream::eprintln!("{}", progress.summary());
    }
    if progress.failed > 0 { Err(Failure::AlreadyReported) } else { Ok(()) }
}
