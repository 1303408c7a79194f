//! Errors.

use super::ledger::Account;
use crate::engine::{Phase, Refusal};
use crate::vector::ExpectedError;

/// Compares with an error that is expected.
pub(super) fn expected(
    account: &mut Account<'_>,
    expected: &ExpectedError,
    actual: Option<&Refusal>,
) {
    account.told("error", Some(()), Some(()));
    let Some(actual) = actual else {
        return account.differs("error", describe_expected(expected), "no error");
    };
    account.equal("error phase", phase(expected.phase), phase(actual.phase));
    if let Some(variant) = &expected.variant {
        account.equal("error variant", variant, &actual.variant);
    }
    for (name, value) in &expected.fields {
        match actual.fields.get(name) {
            Some(actual) => account.equal(format!("error field {name}"), value, actual),
            None => account.differs(format!("error field {name}"), value, "absent"),
        }
    }
    let message = actual.message.as_deref().unwrap_or_default();
    if let Some(expected) = &expected.message {
        account.equal("error message", format!("{expected:?}"), format!("{message:?}"));
    }
    for part in expected.message_contains.iter().filter(|part| !message.contains(*part)) {
        account.differs("error message", format!("containing {part:?}"), format!("{message:?}"));
    }
}

/// Reports an error where a result is expected.
pub(super) fn unexpected(account: &mut Account<'_>, actual: &Refusal) {
    account.told("result", Some(()), Some(()));
    account.differs("error", "no error", describe(actual));
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Construction => "when it is built",
        Phase::Run => "when it is run",
    }
}

fn describe_expected(expected: &ExpectedError) -> String {
    let variant = expected.variant.as_deref().unwrap_or("any error");
    format!("{variant} {}", phase(expected.phase))
}

/// The error in one line.
pub(super) fn describe(refusal: &Refusal) -> String {
    let mut text = format!("{} {}", refusal.variant, phase(refusal.phase));
    for (name, value) in &refusal.fields {
        text.push_str(&format!(", {name} {value}"));
    }
    if let Some(message) = &refusal.message {
        text.push_str(&format!(": {message}"));
    }
    text
}
