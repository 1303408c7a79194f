//! Sources: any name, compared without ASCII case.

use std::collections::HashMap;

use cupel::{ContextSource, CupelError, ParseContextSourceError};

use crate::kind::BLANK;
use crate::shorthand::assert_says;

fn source(name: &str) -> ContextSource {
    ContextSource::new(name).unwrap()
}

/// Rule [ContextSource]: three names are well known, Chat is the default
#[test]
fn three_sources_are_well_known() {
    assert_eq!(ContextSource::chat().as_str(), "Chat");
    assert_eq!(ContextSource::tool().as_str(), "Tool");
    assert_eq!(ContextSource::rag().as_str(), "Rag");
}

/// Rule [ContextSource]: three names are well known, Chat is the default
#[test]
fn the_default_source_is_chat() {
    assert_eq!(ContextSource::default().as_str(), "Chat");
}

/// Rule [ContextSource]: arbitrary names are supported
#[test]
fn any_name_is_a_source() {
    for name in ["Crawler", "x", "a b", "検索", "0"] {
        assert_eq!(source(name).as_str(), name);
        assert_eq!(source(name).to_string(), name);
    }
}

/// Rule [ContextSource]: comparison folds ASCII case
#[test]
fn a_source_is_one_source_in_any_ascii_case() {
    for spelling in ["Chat", "chat", "CHAT"] {
        assert_eq!(source(spelling), ContextSource::chat());
    }
    assert_ne!(source("É"), source("é"));
    assert_eq!(HashMap::from([(source("Crawler"), 1)])[&source("CRAWLER")], 1);
}

/// Rule [ContextSource]: blank names are refused
#[test]
fn a_blank_source_is_refused() {
    for name in BLANK {
        let error = ContextSource::new(name).unwrap_err();
        assert_eq!(error, CupelError::EmptySource, "{name:?}");
        assert_says(&error, &["source is blank", "not whitespace"]);
    }
}

/// Rule [ContextSource]: blank names are refused
#[test]
fn a_blank_source_is_refused_by_every_conversion() {
    for name in BLANK {
        let converted: ParseContextSourceError = ContextSource::try_from(name).unwrap_err();
        assert_says(&converted, &["source is blank", "not whitespace"]);
        assert_eq!(name.parse::<ContextSource>().unwrap_err(), converted);
    }
}
