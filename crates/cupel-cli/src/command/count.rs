//! `cupel count`: how many tokens things are.

use std::io::Write;

use crate::args::CountArgs;
use crate::failure::{Outcome, note, watched};
use crate::input::{Candidates, Source, object};
use crate::output::one_line;
use crate::parallel;
use crate::render::{count, grouped};
use crate::tokens::Tokenizer;

pub(crate) fn run(args: &CountArgs) -> Outcome {
    let source = Source::new(args.file.as_deref());
    if args.text {
        let text = source.read()?;
        let mut out = args.output.open()?;
        writeln!(out, "{}", args.tokenizer.count(&text))?;
        out.finish()?;
        if is_worth_saying(args.tokenizer) {
            note(&format!("counted with {}", args.tokenizer.name()));
        }
        return Ok(());
    }
    let candidates = Candidates::read(&source, Some(args.tokenizer))?;
    let items = candidates.items();
    let counts = match args.recount {
        true => parallel::map(items, |item| args.tokenizer.count(item.content())),
        false => items.iter().map(|item| item.tokens()).collect(),
    };
    let count_of = |content: &str, tokens| match args.recount {
        true => args.tokenizer.count(content),
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
    if is_worth_saying(args.tokenizer) {
        let counted = match args.recount {
            true => items.len(),
            false => (0..items.len()).filter(|at| candidates.was_counted(*at)).count(),
        };
        note(&format!(
            "{} items, {} tokens; {} counted with {}",
            count(items.len()),
            grouped(total),
            count(counted),
            args.tokenizer.name()
        ));
    }
    Ok(())
}

/// People are told what was counted with. An estimate is never passed off as a count.
fn is_worth_saying(tokenizer: Tokenizer) -> bool {
    watched() || tokenizer.is_estimate()
}
