//! Our errors in the vectors' terms.

use std::collections::BTreeMap;

use cupel::CupelError;

use crate::engine::{Phase, Refusal};

pub(super) fn at_construction(error: CupelError) -> Refusal {
    refusal(Phase::Construction, error)
}

pub(super) fn at_run(error: CupelError) -> Refusal {
    refusal(Phase::Run, error)
}

fn refusal(phase: Phase, error: CupelError) -> Refusal {
    let (variant, fields) = match &error {
        CupelError::EmptyContent => ("EmptyContent", vec![]),
        CupelError::EmptyKind => ("EmptyKind", vec![]),
        CupelError::EmptySource => ("EmptySource", vec![]),
        CupelError::EmptyGroup => ("EmptyGroup", vec![]),
        CupelError::EmptyDocument => ("EmptyDocument", vec![]),
        CupelError::InvalidSimilarity { .. } => ("InvalidSimilarity", vec![]),
        CupelError::InvalidVector(_) => ("InvalidVector", vec![]),
        CupelError::MissingQuery { .. } => ("MissingQuery", vec![]),
        CupelError::InvalidVariants(_) => ("InvalidVariants", vec![]),
        CupelError::TimestampOutOfRange { .. } => ("TimestampOutOfRange", vec![]),
        CupelError::InvalidBudget(_) => ("InvalidBudget", vec![]),
        CupelError::PinnedExceedsBudget { pinned_tokens, available } => (
            "PinnedExceedsBudget",
            vec![("pinned_tokens", *pinned_tokens), ("available", *available)],
        ),
        CupelError::Overflow { merged_tokens, target_tokens } => {
            ("Overflow", vec![("merged_tokens", *merged_tokens), ("target_tokens", *target_tokens)])
        }
        CupelError::PipelineConfig(_) => ("PipelineConfig", vec![]),
        CupelError::ScorerConfig(_) => ("ScorerConfig", vec![]),
        CupelError::SlicerConfig(_) => ("SlicerConfig", vec![]),
        CupelError::CycleDetected => ("CycleDetected", vec![]),
        CupelError::TableTooLarge { candidates, capacity, cells } => (
            "TableTooLarge",
            vec![
                ("candidates", clamped(*candidates as u64)),
                ("capacity", clamped(*capacity as u64)),
                ("cells", clamped(*cells)),
            ],
        ),
        CupelError::ContractViolation { .. } => ("ContractViolation", vec![]),
        CupelError::TooManyCandidates { .. } => ("TooManyCandidates", vec![]),
        _ => ("Unknown", vec![]),
    };
    let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value));
    Refusal {
        phase,
        variant: variant.to_owned(),
        message: Some(carried(&error)),
        fields: BTreeMap::from_iter(fields),
    }
}

/// Reported numbers beyond 64 bits are clamped.
fn clamped(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The text without what `Display` puts before it.
fn carried(error: &CupelError) -> String {
    match error {
        CupelError::InvalidVariants(text)
        | CupelError::InvalidVector(text)
        | CupelError::InvalidBudget(text)
        | CupelError::PipelineConfig(text)
        | CupelError::ScorerConfig(text)
        | CupelError::SlicerConfig(text) => text.clone(),
        other => other.to_string(),
    }
}
