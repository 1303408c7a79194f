//! `cupel check`: would the provider take it?

use std::fmt::Write as _;
use std::io::Write;

use cupel_messages::{Problem, Severity, validate};
use serde_json::json;

use crate::args::CheckArgs;
use crate::failure::{Failure, Outcome, watched};
use crate::input::Source;
use crate::messages::read_request;
use crate::render::{Palette, columns_of, plural, visible, wrapped};

pub(crate) fn run(args: &CheckArgs) -> Outcome {
    let source = Source::new(args.file.as_deref());
    let request = read_request(&source.read()?, &source, args.provider.provider)?;
    let problems = validate(&request);
    let is_valid = problems.is_empty();

    let mut out = args.output.open()?;
    if args.json {
        let told = json!({
            "valid": is_valid,
            "format": request.format().name(),
            "messages": request.messages().len(),
            "problems": problems.iter().map(to_json).collect::<Vec<_>>(),
        });
        serde_json::to_writer_pretty(&mut out, &told).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        let text: String = problems.iter().map(|it| told(it, out.width())).collect();
        out.write_styled(&text)?;
    }
    out.finish()?;
    if watched() && !args.json {
        let messages = plural(request.messages().len(), "message");
        let found = match problems.len() {
            0 => "nothing wrong".to_owned(),
            number => plural(number, "problem"),
        };
        anstream::eprintln!("{} request, {messages}: {found}", request.format());
    }
    if is_valid { Ok(()) } else { Err(Failure::AlreadyReported) }
}

fn rule(problem: &Problem) -> String {
    format!("{:?}", problem.rule)
}

fn severity(problem: &Problem) -> &'static str {
    match problem.severity {
        Severity::Invalid => "invalid",
        Severity::Unfinished => "unfinished",
    }
}

fn to_json(problem: &Problem) -> serde_json::Value {
    json!({
        "message": problem.message + 1,
        "path": problem.path,
        "rule": rule(problem),
        "severity": severity(problem),
        "text": problem.text,
        "providerSays": problem.provider_says,
    })
}

/// Where, which rule, what is wrong, and what the provider would say.
fn told(problem: &Problem, width: usize) -> String {
    let Palette { strong, dim, warning, bad, .. } = Palette::PEOPLE;
    let style = if problem.severity == Severity::Invalid { bad } else { warning };
    let mut lines = String::new();
    let mut add = |line: &str, indent: usize| {
        let fits = columns_of(line) <= width;
        let line = if fits { line.to_owned() } else { wrapped(line, width, indent) };
        _ = writeln!(lines, "{line}");
    };
    add(
        &format!(
            "{strong}{}{strong:#}: {style}{}{style:#} {dim}({}){dim:#}",
            visible(&problem.path),
            visible(&problem.text),
            rule(problem)
        ),
        4,
    );
    add(&format!("  {dim}the provider says:{dim:#} {}", visible(&problem.provider_says)), 4);
    lines
}
