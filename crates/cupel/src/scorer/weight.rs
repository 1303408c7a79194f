//! Rules that weights and scores share.

use crate::CupelError;

/// A weight of a map: zero or more, and finite.
pub(super) fn non_negative(weight: f64, of: &str) -> Result<(), CupelError> {
    if weight >= 0.0 && weight.is_finite() {
        return Ok(());
    }
    Err(CupelError::ScorerConfig(format!(
        "the weight of {of} ({weight}) must be finite and at least 0"
    )))
}

/// A weight of a composite, or a boost: more than zero, and finite.
pub(super) fn positive(weight: f64, of: &str) -> Result<(), CupelError> {
    if weight > 0.0 && weight.is_finite() {
        return Ok(());
    }
    Err(CupelError::ScorerConfig(format!("{of} ({weight}) must be finite and greater than 0")))
}

/// A sum of finite weights, which may still overflow.
pub(super) fn finite_total(total: f64, of: &str) -> Result<f64, CupelError> {
    if total.is_finite() {
        return Ok(total);
    }
    Err(CupelError::ScorerConfig(format!(
        "the sum of {of} ({total}) must be finite; scale the weights down"
    )))
}

/// A configured score: in `[0, 1]`.
pub(super) fn unit_interval(score: f64, of: &str) -> Result<(), CupelError> {
    if (0.0..=1.0).contains(&score) {
        return Ok(());
    }
    Err(CupelError::ScorerConfig(format!("{of} ({score}) must be between 0 and 1")))
}
