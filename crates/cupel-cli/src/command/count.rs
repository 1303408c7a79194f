//! `cupel count`: how many tokens things are.

mod messages;

use std::io::Write;

use crate::args::CountArgs;
use crate::failure::{Complaint, Failure, Outcome, note, warn, watched};
use crate::input::{Candidates, Source, object};
use crate::messages::{Chat, is_request};
use crate::output::one_line;
use crate::parallel;
use crate::render::{count, grouped};
use crate::tokens::Tokenizer;

pub(crate) fn run(args: &CountArgs) -> Outcome {
    let source = Source::new(args.file.as_deref());
    let tokenizer = args.tokenizer.unwrap_or_default();
    let text = source.read()?;
    if args.text {
        let mut out = args.output.open()?;
        writeln!(out, "{}", tokenizer.count(&text))?;
        out.finish()?;
        if is_worth_saying(tokenizer) {
            note(&format!("counted with {}", tokenizer.name()));
        }
        return Ok(());
    }
    let provider = args.provider.provider;
    if provider.is_some() || is_request(text.as_bytes()) {
        if args.fill || args.recount {
            let problem = "--fill and --recount are for items, but this is a request to a model";
            return Err(Failure::bad_input(Complaint::new(problem).remedy("leave them out")));
        }
        return messages::run(args, &Chat::read(&text, &source, provider, args.tokenizer)?);
    }
    if args.json {
        let problem = "--json is for the parts of a request, but this is a list of items";
        let remedy = "leave it out: the count of items is one number";
        return Err(Failure::bad_input(Complaint::new(problem).remedy(remedy)));
    }
    let candidates = Candidates::parse(text, &source.name(), Some(tokenizer), warn)?;
    let items = candidates.items();
    let counts = match args.recount {
        true => parallel::map(items, |item| tokenizer.count(item.content())),
        false => items.iter().map(|item| item.tokens()).collect(),
    };
    let count_of = |content: &str, tokens| match args.recount {
        true => tokenizer.count(content),
        false => tokens,
    };
    let total: i128 = counts.iter().map(|tokens| i128::from(*tokens)).sum();

    let mut out = args.output.open()?;
    if args.fill {
        for (position, tokens) in counts.iter().enumerate() {
            let object = one_line(candidates.object(position));
            let variants: Vec<_> = items[position]
                .variants()
                .iter()
                .map(|form| count_of(form.content(), form.tokens()))
                .collect();
            let filled = object::with_counts(&object, *tokens, &variants, args.recount);
            writeln!(out, "{filled}")?;
        }
    } else {
        writeln!(out, "{total}")?;
    }
    out.finish()?;
    if is_worth_saying(tokenizer) {
        let counted = match args.recount {
            true => items.len(),
            false => (0..items.len()).filter(|at| candidates.was_counted(*at)).count(),
        };
        note(&format!(
            "{} items, {} tokens; {} counted with {}",
            count(items.len()),
            grouped(total),
            count(counted),
            tokenizer.name()
        ));
    }
    Ok(())
}

/// People are told what was counted with. An estimate is never passed off as a count.
fn is_worth_saying(tokenizer: Tokenizer) -> bool {
    watched() || tokenizer.is_estimate()
}
