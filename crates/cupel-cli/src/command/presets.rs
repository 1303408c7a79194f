//! `cupel presets`: ready-made policies.

use std::io::Write;

use cupel_policy::Preset;

use crate::args::PresetsArgs;
use crate::failure::{Complaint, Failure, Outcome};
use crate::output::Sink;
use crate::render::{Palette, wrapped};

pub(crate) fn run(args: &PresetsArgs) -> Outcome {
    let mut out = Sink::open(None)?;
    match &args.name {
        None => {
            let strong = Palette::PEOPLE.strong;
            for preset in Preset::ALL {
                let (name, told) = (preset.name(), wrapped(preset.when_to_use(), out.width(), 13));
                out.write_styled(&format!("{strong}{name:<13}{strong:#}{told}\n"))?;
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
