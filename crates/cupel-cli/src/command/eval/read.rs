//! Reads what is to be measured on.

use std::path::Path;

use cupel_eval::import::{Imported, Source as Publisher};
use cupel_eval::{Set, SetError, SetReader};
use cupel_policy::ProblemKind;

use crate::args::EvalArgs;
use crate::failure::{Complaint, Failure, Outcome, note, warn};
use crate::input::{LONGEST_LINE, Lines, Source, Text};
use crate::parallel;
use crate::tokens::Tokenizer;

/// The set, as it is or imported.
pub(super) fn set(args: &EvalArgs, source: &Source) -> Outcome<Set> {
    let Some(publisher) = args.import else { return lines(source, args.tokenizer) };
    let imported = import(publisher, args)?;
    read(source, args.tokenizer, |reader| {
        let lines = imported.lines.iter().try_for_each(|line| reader.line(&line.to_json()));
        lines.map_err(|error| complaint(&error, &format!("{}, imported", source.name())))
    })
}

/// A set as its lines are.
pub(super) fn lines(source: &Source, tokenizer: Option<Tokenizer>) -> Outcome<Set> {
    read(source, tokenizer, |reader| read_lines(reader, source))
}

fn read(
    source: &Source,
    tokenizer: Option<Tokenizer>,
    lines: impl FnOnce(&mut SetReader<'_>) -> Outcome,
) -> Outcome<Set> {
    let count = |contents: &[&str]| match tokenizer {
        Some(tokenizer) => parallel::map(contents, |it| tokenizer.count(it)),
        None => contents.iter().map(|it| cupel_eval::estimated_tokens(it)).collect(),
    };
    let mut reader = SetReader::counting_with(&count);
    lines(&mut reader)?;
    // Nobody watches what is said of one row among many.
    if !matches!(source, Source::Text(..)) {
        warn_of_slips(&reader, &source.name());
    }
    reader.finish().map_err(|error| complaint(&error, &source.name()))
}

/// A publisher's set.
pub(super) fn import(publisher: Publisher, args: &EvalArgs) -> Outcome<Imported> {
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    let imported = publisher.read_with(path, &args.import_options()).map_err(|error| {
        Failure::bad_input(Complaint::new(error.problem).at(error.place).remedy(error.remedy))
    })?;
    imported.notes.iter().for_each(|it| note(it));
    Ok(imported)
}

fn read_lines(reader: &mut SetReader<'_>, source: &Source) -> Outcome {
    let mut lines = Lines::new(source.open()?, LONGEST_LINE);
    while let Some(line) = lines.next().map_err(|error| source.unreadable(&error))? {
        let text = match line.text {
            Text::Whole(bytes) => source.text(bytes, line.number - 1)?,
            Text::LongerThan(longest) => {
                let told = format!("this line is longer than {longest} bytes");
                let place = format!("{}:{}:1", source.name(), line.number);
                let remedy = "split the pool; each pool and each question has a line of its own";
                return Err(Failure::bad_input(Complaint::new(told).at(place).remedy(remedy)));
            }
        };
        reader.line(&text).map_err(|error| complaint(&error, &source.name()))?;
    }
    Ok(())
}

fn complaint(error: &SetError, name: &str) -> Failure {
    let place = format!("{name}:{}:{}", error.line, error.column);
    Failure::bad_input(Complaint::new(&error.problem).at(place).remedy(&error.remedy))
}

fn warn_of_slips(reader: &SetReader<'_>, name: &str) {
    for (line, slip) in reader.slips().iter().take(10) {
        if let ProblemKind::UnknownKey { key, suggestion: Some(meant), .. } = slip.problem.kind() {
            let problem = format!("an item has the key {key:?}; did you mean {meant:?}?");
            let complaint = Complaint::new(problem).at(format!("{name}:{line}"));
            warn(&complaint.remedy("it has no effect on the selection"));
        }
    }
}
