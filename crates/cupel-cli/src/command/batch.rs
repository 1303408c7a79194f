//! `cupel batch`: a response for every request, line by line.

use std::io::Write;
use std::num::NonZero;

use cupel::Query;
use cupel_policy::{Loader, Responder};
use cupel_tokens::UnknownName;

use crate::args::BatchArgs;
use crate::batch::{Answers, Next, Progress, Responders};
use crate::failure::{Complaint, Failure, Outcome, report, watched};
use crate::input::Source;
use crate::messages::{MessageResponder, item_turn};
use crate::parallel;
use crate::tokens::Tokenizer;

pub(crate) fn run(args: &BatchArgs) -> Outcome {
    let source = Source::new(args.file.as_deref());
    let loader = Loader::new().lenient(args.lenient);
    let tokenizer = args.tokenizer.map(Tokenizer::key);
    let mut responder = Responder::new()
        .loader(loader.clone())
        .timings(!args.no_timings)
        .pass_through(true)
        .sessions(item_turn)
        .count_with(tokenizer.as_deref(), count);
    if let Some(query) = &args.query {
        responder = responder.query(query.as_str());
    }
    let messages = MessageResponder {
        loader,
        tokenizer: args.tokenizer,
        timings: !args.no_timings,
        query: args.query.as_deref().map(Query::new),
    };
    let responders = Responders { items: responder, messages };
    let workers = args.jobs.map_or_else(parallel::cores, NonZero::get);
    let answers = Answers::start(source.open()?, args.max_line, responders, workers);

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

/// How many tokens each content is, for the model or with the vocabulary of that name.
fn count(name: &str, contents: &[&str]) -> Result<Vec<i64>, String> {
    let tokenizer: Tokenizer = name.parse().map_err(|unknown: UnknownName| unknown.to_string())?;
    Ok(contents.iter().map(|content| tokenizer.count(content)).collect())
}
