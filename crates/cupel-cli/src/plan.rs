//! Which policy to run.

use std::path::Path;

use cupel::{Pipeline, RunContext};
use cupel_policy::{Loader, MAX_POLICY_BYTES, PolicyFile, Preset, Problem, UnknownPreset};

use crate::failure::{Complaint, Failure, Outcome, warn};
use crate::input::{Place, Source};

/// A pipeline, and what to call its policy.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) label: String,
    /// The policy as data, for whoever explains it.
    pub(crate) policy: PolicyFile,
    pub(crate) pipeline: Pipeline,
}

impl Plan {
    /// The preset of that name, the policy that is written out, or else the policy file at that path.
    pub(crate) fn load(name: &str, lenient: bool) -> Outcome<Self> {
        if let Some(preset) = Preset::from_name(name) {
            let (label, policy) = (preset.name().to_owned(), preset.policy_file());
            return Ok(Self { label, policy, pipeline: preset.policy().into() });
        }
        let source = if name.trim_start().starts_with('{') {
            Source::Text("policy", name.to_owned())
        } else if looks_like_a_file(name) {
            Source::new(Some(Path::new(name)))
        } else {
            return Err(unknown(name));
        };
        let text = source.read_at_most(MAX_POLICY_BYTES)?;
        let loader = Loader::new().lenient(lenient);
        let parsed = loader.parse(&text).map_err(|error| {
            let mut complaints: Vec<_> =
                error.problems().iter().map(|problem| complaint(problem, &source)).collect();
            if error.more() > 0 {
                complaints.push(Complaint::new(format!("and {} more problems", error.more())));
            }
            Failure::BadInput(complaints)
        })?;
        for warning in &parsed.warnings {
            warn(&complaint(warning, &source));
        }
        let label = parsed.policy.name.clone().unwrap_or_else(|| source.short_name());
        let pipeline = loader.build(&parsed.policy).map_err(Failure::from)?.into();
        Ok(Self { label, policy: parsed.policy, pipeline })
    }
}

impl Plan {
    /// The same, to answer `query` if there is one.
    pub(crate) fn asking(mut self, query: Option<&str>) -> Self {
        if let Some(query) = query {
            self.pipeline = self.pipeline.in_context(RunContext::new().with_query(query));
        }
        self
    }
}

/// The label, with a number behind it if others have it already.
pub(crate) fn own_label(label: String, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{label} ({number})"));
    let mut labels = std::iter::once(label.clone()).chain(numbered);
    labels.find(|label| !is_taken(label)).unwrap_or(label)
}

fn looks_like_a_file(name: &str) -> bool {
    name == "-" || name.contains(['/', '\\', '.']) || Path::new(name).exists()
}

fn unknown(name: &str) -> Failure {
    let problem = match name.parse::<Preset>() {
        Err(error @ UnknownPreset { .. }) => error.to_string(),
        Ok(_) => format!("no policy is called {name:?}"),
    };
    Failure::bad_input(
        Complaint::new(problem).remedy("give one of these names, or the path of a policy file"),
    )
}

fn complaint(problem: &Problem, source: &Source) -> Complaint {
    let path = problem.path().trim_start_matches('$').trim_start_matches('.');
    let told = match path {
        "" => problem.kind().to_string(),
        path => format!("{path}: {}", problem.kind()),
    };
    Complaint::new(told)
        .at(Place::of(problem).within(&source.name()))
        .remedy("cupel presets NAME prints a policy to compare with, cupel schema policy its rules")
}
