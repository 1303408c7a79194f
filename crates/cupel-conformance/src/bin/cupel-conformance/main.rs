//! Checks an implementation of Cupel against conformance vectors.

mod args;

use std::io::{self, Write};
use std::process::ExitCode;

use args::{Args, Command, HELP, Options};
use cupel_conformance::engine::Engine;
use cupel_conformance::external::External;
use cupel_conformance::native::Native;
use cupel_conformance::render::{JsonReport, write_checked, write_summary};
use cupel_conformance::vector::Vector;
use cupel_conformance::{Checked, Level, Source, Summary, built_in, in_folder, run};

const FAILED: u8 = 1;
const UNUSABLE: u8 = 2;

fn main() -> ExitCode {
    let out = &mut io::stdout().lock();
    match Args::parse(std::env::args_os()).and_then(|args| execute(args, out)) {
        Ok(code) => code,
        Err(problem) => {
            eprintln!("cupel-conformance: {problem}");
            ExitCode::from(UNUSABLE)
        }
    }
}

fn execute(args: Args, out: &mut impl Write) -> Result<ExitCode, String> {
    let Args { command, options } = args;
    let code = match command {
        Command::Help => write!(out, "{HELP}").map(|()| ExitCode::SUCCESS),
        Command::Version => writeln!(out, "cupel-conformance {}", env!("CARGO_PKG_VERSION"))
            .map(|()| ExitCode::SUCCESS),
        Command::List => list(&chosen(&options)?, out).map(|()| ExitCode::SUCCESS),
        Command::Run => {
            let vectors = chosen(&options)?;
            let mut engine: Box<dyn Engine> = match options.engine_command {
                Some(command) => Box::new(External::start(command, options.timeout)?),
                None => Box::new(Native),
            };
            let show = Show { json: options.json, whole_suite: options.filter.is_none() };
            check(engine.as_mut(), vectors, show, out).map(|summary| exit_code(&summary))
        }
    };
    match code {
        // Whoever reads has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::from(FAILED)),
        code => code.map_err(|error| error.to_string()),
    }
}

fn exit_code(summary: &Summary) -> ExitCode {
    if summary.failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(FAILED) }
}

/// The vectors that the options leave, of which there must be at least one.
fn chosen(options: &Options) -> Result<Vec<Source>, String> {
    let mut vectors = Vec::new();
    for folder in &options.folders {
        let found = in_folder(folder).map_err(|error| error.to_string())?;
        if found.is_empty() {
            return Err(format!("there are no vectors (*.toml) in {}", folder.display()));
        }
        vectors.extend(found);
    }
    if options.folders.is_empty() {
        vectors.extend(built_in());
    }
    vectors.retain(|vector| vector.level.is_none_or(|level| level <= options.level));
    if let Some(text) = &options.filter {
        vectors.retain(|vector| matches(vector, &text.to_lowercase()));
    }
    if vectors.is_empty() {
        return Err("no vector is left to run; see --level and --filter".to_owned());
    }
    Ok(vectors)
}

fn matches(vector: &Source, text: &str) -> bool {
    let name = || Vector::parse(&vector.text).map(|read| read.vector.name.to_lowercase());
    vector.path.to_lowercase().contains(text) || name().is_ok_and(|name| name.contains(text))
}

fn list(vectors: &[Source], out: &mut impl Write) -> io::Result<()> {
    for source in vectors {
        let level = source.level.map_or("-", Level::as_str);
        match Vector::parse(&source.text) {
            Ok(read) => writeln!(out, "{level}\t{}\t{}", source.path, read.vector.name)?,
            Err(error) => writeln!(out, "{level}\t{}\tunreadable: {error}", source.path)?,
        }
    }
    Ok(())
}

/// How a run is shown.
#[derive(Clone, Copy)]
struct Show {
    json: bool,
    whole_suite: bool,
}

fn check(
    engine: &mut dyn Engine,
    vectors: Vec<Source>,
    show: Show,
    out: &mut impl Write,
) -> io::Result<Summary> {
    let mut checked: Vec<Checked> = Vec::new();
    let mut written = Ok(());
    let summary = run(engine, vectors, |vector| {
        if show.json {
            checked.push(vector.clone());
        } else if written.is_ok() {
            written = write_checked(out, vector);
        }
    });
    written?;
    if show.json {
        serde_json::to_writer_pretty(&mut *out, &JsonReport::new(&summary, &checked))?;
        writeln!(out)?;
    } else {
        write_summary(out, &summary, show.whole_suite)?;
    }
    Ok(summary)
}
