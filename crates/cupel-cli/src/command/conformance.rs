//! `cupel conformance`: whether this very program does what the specification says.

use std::io::Write;

use cupel_conformance::native::Native;
use cupel_conformance::render::{JsonReport, write_checked, write_summary};
use cupel_conformance::{Source, built_in, in_folder, run as check};

use crate::args::ConformanceArgs;
use crate::failure::{Complaint, Failure, Outcome};

pub(crate) fn run(args: &ConformanceArgs) -> Outcome {
    let vectors = vectors(args)?;
    let mut checked = Vec::with_capacity(vectors.len());
    let summary = check(&mut Native, vectors, |vector| checked.push(vector.clone()));

    let mut out = args.output.open()?;
    if args.json {
        let report = JsonReport::new(&summary, &checked);
        serde_json::to_writer_pretty(&mut out, &report).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        for vector in &checked {
            write_checked(&mut out, vector)?;
        }
        write_summary(&mut out, &summary, args.folder.is_none())?;
    }
    out.finish()?;
    if summary.failed > 0 { Err(Failure::AlreadyReported) } else { Ok(()) }
}

fn vectors(args: &ConformanceArgs) -> Outcome<Vec<Source>> {
    let Some(folder) = &args.folder else { return Ok(built_in().collect()) };
    let remedy = "give a folder of vectors, or none for the built-in suite";
    let found = in_folder(folder)
        .map_err(|error| Failure::bad_input(Complaint::new(error.to_string()).remedy(remedy)))?;
    if found.is_empty() {
        let complaint = Complaint::new("there are no vectors (*.toml) here");
        return Err(Failure::bad_input(complaint.at(folder.display().to_string()).remedy(remedy)));
    }
    Ok(found)
}
