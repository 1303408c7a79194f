//! `cupel presets`: ready-made policies.

use std::io::Write;

use cupel_policy::{NearDuplicateTreatment, PolicyFile, Preset, SlicerConfig};

use crate::advice::shares;
use crate::args::PresetsArgs;
use crate::failure::{Complaint, Failure, Outcome};
use crate::output::Sink;
use crate::render::{Palette, wrapped};
use crate::verdict::Rule;

pub(crate) fn run(args: &PresetsArgs) -> Outcome {
    let mut out = Sink::open(None)?;
    match &args.name {
        None => {
            let Palette { strong, dim, .. } = Palette::PEOPLE;
            for preset in Preset::ALL {
                let (name, told) = (preset.name(), wrapped(preset.when_to_use(), out.width(), 13));
                let how = wrapped(&goes_by(&preset.policy_file()), out.width(), 13);
                out.write_styled(&format!("{strong}{name:<13}{strong:#}{told}\n"))?;
                out.write_styled(&format!("{:13}{dim}{how}{dim:#}\n", ""))?;
            }
        }
        Some(name) => {
            let preset: Preset = name.parse().map_err(|error| {
                let remedy = "cupel presets lists them all";
                Failure::bad_input(Complaint::new(format!("{error}")).remedy(remedy))
            })?;
            let file = preset.policy_file().to_json().map_err(std::io::Error::from)?;
            writeln!(out, "{file}")?;
        }
    }
    out.finish()
}

/// What a policy judges by and how it chooses, in a few words.
fn goes_by(policy: &PolicyFile) -> String {
    let parts: Vec<_> = shares(policy)
        .into_iter()
        .map(|(scorer, share)| format!("{scorer} {:.0}%", share * 100.0))
        .collect();
    let choice = match Rule::of(policy) {
        Rule::PerToken(_) => "best score per token first",
        Rule::Packing { .. } => "greatest total score that fits",
        Rule::Rank(_) => "best score first",
        Rule::Custom => "a choice of its own",
    };
    let repeats = match &policy.slicer {
        SlicerConfig::Distinct { near_duplicates, .. } => match near_duplicates.treatment {
            NearDuplicateTreatment::LeaveOut => ", repetitions left out",
            _ => ", repetitions last",
        },
        _ => "",
    };
    format!("{}; {choice}{repeats}", parts.join(", "))
}
