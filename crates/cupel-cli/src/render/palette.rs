//! Colours, by what they mean.

use anstyle::{AnsiColor, Style};
use cupel::ContextKind;

/// Styles by meaning.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Palette {
    pub(crate) strong: Style,
    pub(crate) dim: Style,
    pub(crate) error: Style,
    pub(crate) warning: Style,
    pub(crate) good: Style,
    pub(crate) bad: Style,
}

impl Palette {
    pub(crate) const PEOPLE: Self = Self {
        strong: Style::new().bold(),
        dim: Style::new().dimmed(),
        error: AnsiColor::Red.on_default().bold(),
        warning: AnsiColor::Yellow.on_default().bold(),
        good: AnsiColor::Green.on_default(),
        bad: AnsiColor::Red.on_default(),
    };

    /// The style of a kind: one each for the well-known ones, one for all others.
    pub(crate) fn kind(kind: &ContextKind) -> Style {
        let known = [
            (ContextKind::SYSTEM_PROMPT, AnsiColor::Magenta),
            (ContextKind::MESSAGE, AnsiColor::Cyan),
            (ContextKind::DOCUMENT, AnsiColor::Green),
            (ContextKind::TOOL_OUTPUT, AnsiColor::Yellow),
            (ContextKind::MEMORY, AnsiColor::Blue),
        ];
        let found = known.into_iter().find(|(name, _)| kind == *name);
        found.map_or_else(Style::new, |(_, color)| color.on_default())
    }
}

/// Takes the user's word on colours; without one, terminals get them unless `NO_COLOR` is set.
pub(crate) fn choose_colors(choice: clap::ColorChoice) {
    match choice {
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}
