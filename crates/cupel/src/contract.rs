//! Holding custom strategies to what they promised.

use crate::{ContextItem, CupelError};

/// Reports that a strategy broke its contract.
pub(crate) fn violation(family: &'static str, strategy: &str, problem: String) -> CupelError {
    CupelError::ContractViolation { family, strategy: strategy.to_owned(), problem }
}

/// Finds, for each returned item, the position at which that instance was given, or the whole of which it is a
/// shorter form.
///
/// A handle given several times is matched in the order given. `Err` describes the first returned
/// item that was not given, or not that often.
pub(crate) fn match_instances<'a>(
    given: impl Iterator<Item = &'a ContextItem>,
    returned: &[ContextItem],
) -> Result<Vec<usize>, String> {
    let mut by_instance: Vec<(usize, usize)> =
        given.enumerate().map(|(position, item)| (item.instance(), position)).collect();
    by_instance.sort_unstable();
    let mut used = vec![0usize; by_instance.len()];

    returned
        .iter()
        .map(|item| {
            let instance = item.whole().instance();
            let first = by_instance.partition_point(|(given, _)| *given < instance);
            let is_item = |at: usize| by_instance.get(at).is_some_and(|(it, _)| *it == instance);
            if !is_item(first) {
                return Err(format!("returned an item it was not given: {}", describe(item)));
            }
            let at = first + used[first];
            if !is_item(at) {
                return Err(format!(
                    "returned an item more often than it was given: {}",
                    describe(item)
                ));
            }
            used[first] += 1;
            Ok(by_instance[at].1)
        })
        .collect()
}

/// An item in a few words, for a message.
pub(crate) fn describe(item: &ContextItem) -> String {
    const SHOWN: usize = 40;
    let content = item.content();
    let mut shown: String = content.chars().take(SHOWN).collect();
    if shown.len() < content.len() {
        shown.push('…');
    }
    format!("{shown:?} ({}, {} tokens)", item.kind(), item.tokens())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(content: &str) -> ContextItem {
        ContextItem::builder(content, 1).build().unwrap()
    }

    #[test]
    fn a_handle_given_twice_may_be_returned_twice_and_no_more() {
        let (a, b) = (item("a"), item("b"));
        let given = [a.clone(), b.clone(), a.clone()];
        let matched = |returned: &[ContextItem]| match_instances(given.iter(), returned);

        assert_eq!(matched(&[a.clone(), b, a.clone()]), Ok(vec![0, 1, 2]));
        let problem = matched(&[a.clone(), a.clone(), a.clone()]).unwrap_err();
        assert!(problem.contains("more often") && problem.contains("\"a\""), "{problem}");
    }

    #[test]
    fn an_equal_item_is_not_the_given_one() {
        let problem = match_instances([item("a")].iter(), &[item("a")]).unwrap_err();
        assert!(problem.contains("not given"), "{problem}");
    }
}
