//! `cupel schema`: the formats, for editors and validators.

use std::io::Write;

use cupel_policy::schema;

use crate::args::SchemaArgs;
use crate::failure::{Complaint, Failure, Outcome};
use crate::messages;
use crate::output::Sink;

pub(crate) fn run(args: &SchemaArgs) -> Outcome {
    let batch = ("batch", messages::batch_schema());
    let schemas: Vec<_> = schema::all().into_iter().chain([batch]).collect();
    let mut out = Sink::open(None)?;
    match &args.name {
        None => {
            for (name, _) in &schemas {
                writeln!(out, "{name}")?;
            }
        }
        Some(wanted) => {
            let found = schemas.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            let (_, schema) = found.ok_or_else(|| {
                let names: Vec<_> = schemas.iter().map(|(name, _)| *name).collect();
                Failure::bad_input(
                    Complaint::new(format!("no format is called {wanted:?}"))
                        .remedy(format!("there are {}", names.join(", "))),
                )
            })?;
            serde_json::to_writer_pretty(&mut out, schema).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
    }
    out.finish()
}
