//! `cupel man`: the manual, made from the same words as the help.

use std::io::Write;
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::args::{Cli, ManArgs};
use crate::failure::{Complaint, Failure, Outcome};
use crate::output::Sink;

pub(crate) fn run(args: &ManArgs) -> Outcome {
    let mut command = Cli::command();
    command.build();
    match &args.folder {
        None => page(command, None),
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|error| refused(folder, &error))?;
            for sub in command.get_subcommands().filter(|it| !it.is_hide_set()) {
                page(sub.clone(), Some(&folder.join(format!("cupel-{}.1", sub.get_name()))))?;
            }
            page(command, Some(&folder.join("cupel.1")))
        }
    }
}

fn refused(folder: &Path, error: &std::io::Error) -> Failure {
    let complaint = Complaint::new(format!("the folder cannot be created: {error}"));
    let remedy = "name a folder that you may write to";
    Failure::bad_input(complaint.at(folder.display().to_string()).remedy(remedy))
}

fn page(command: Command, path: Option<&Path>) -> Outcome {
    let mut text = Vec::new();
    Man::new(command).render(&mut text)?;
    let mut out = Sink::open(path)?;
    out.write_all(&text)?;
    out.finish()
}
