//! `cupel count`: how many tokens things are.

use std::io::Write;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::args::CountArgs;
use crate::failure::{Outcome, note, watched};
use crate::input::{Candidates, Source};
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
    let total: i128 = counts.iter().map(|tokens| i128::from(*tokens)).sum();

    let mut out = args.output.open()?;
    if args.fill {
        for (position, tokens) in counts.iter().enumerate() {
            let object = one_line(candidates.object(position));
            let keep = !args.recount && !candidates.was_counted(position);
            writeln!(
                out,
                "{}",
                if keep { object.into_owned() } else { with_count(&object, *tokens) }
            )?;
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

/// The object with that count, otherwise as it was.
fn with_count(object: &str, tokens: i64) -> String {
    #[derive(Deserialize)]
    struct Count<'t> {
        #[serde(borrow)]
        tokens: &'t RawValue,
    }

    if let Ok(Count { tokens: old }) = serde_json::from_str(object) {
        let start = old.get().as_ptr().addr() - object.as_ptr().addr();
        let (before, after) = (&object[..start], &object[start + old.get().len()..]);
        return format!("{before}{tokens}{after}");
    }
    // An item has content, so there is something to put a comma after.
    let open = object.strip_suffix('}').unwrap_or(object).trim_end();
    format!("{open}, \"tokens\": {tokens}}}")
}

#[cfg(test)]
mod tests {
    use super::with_count;

    #[test]
    fn a_count_is_added_or_replaced_in_its_place() {
        assert_eq!(with_count(r#"{"content": "a" }"#, 3), r#"{"content": "a", "tokens": 3}"#);
        let replaced = with_count(r#"{"tokens" : 12,"content":"a"}"#, 3);
        assert_eq!(replaced, r#"{"tokens" : 3,"content":"a"}"#);
        let nested = with_count(r#"{"content":"a","metadata":{"b":"}"}}"#, 3);
        assert_eq!(nested, r#"{"content":"a","metadata":{"b":"}"}, "tokens": 3}"#);
    }
}
