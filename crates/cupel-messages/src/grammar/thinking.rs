//! Which reasoning does a cut invalidate?
//!
//! On newer Claude models a thinking block is bound to everything sent before it: once something earlier is dropped or
//! changed, every later one is refused. Taking all of them out from there on is always accepted.

/// Whether thinking of this model is bound to what comes before it. A model we cannot tell is taken to bind: taking
/// thinking out is always valid, leaving it in is not.
pub(crate) fn is_bound(model: Option<&str>) -> bool {
    let Some(model) = model.map(str::to_ascii_lowercase) else { return true };
    let Some(name) = model.split("claude").nth(1) else { return true };
    let words = || name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    // Dates have eight digits, versions one or two.
    let mut numbers =
        words().filter(|word| word.len() <= 2).filter_map(|word| word.parse::<u32>().ok());
    let Some(major) = numbers.next() else { return true };
    let version = (major, numbers.next().unwrap_or(0));
    let family =
        words().find(|word| matches!(*word, "opus" | "sonnet" | "haiku" | "fable" | "instant"));
    match family {
        Some("fable") => version >= (5, 1),
        Some(_) => version >= (5, 5),
        // The oldest names have a version and no family; a family of a later day is taken to be like the newest.
        None => version >= (4, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::is_bound;

    #[test]
    fn newer_models_bind_their_thinking() {
        for model in [
            "claude-fable-5-1",
            "claude-fable-5-2-20260801",
            "claude-opus-5-5",
            "claude-sonnet-5.5",
            "anthropic/claude-haiku-5.5",
            "us.anthropic.claude-opus-6-v1:0",
            "claude-saga-5-9",
            "claude-sonnet-latest",
            "some-alias",
        ] {
            assert!(is_bound(Some(model)), "{model}");
        }
        assert!(is_bound(None));
    }

    #[test]
    fn older_models_do_not() {
        for model in [
            "claude-opus-4-6",
            "claude-sonnet-4-5-20250929",
            "claude-3-7-sonnet-20250219",
            "claude-fable-5",
            "claude-opus-5-1",
            "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
            "claude-opus-4-20250514",
            "claude-2.1",
        ] {
            assert!(!is_bound(Some(model)), "{model}");
        }
    }
}
