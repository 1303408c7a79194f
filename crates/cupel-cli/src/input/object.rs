//! An object that the caller wrote, with a few values changed and everything else as it was.

use std::borrow::Cow;
use std::fmt;

use cupel::ContextItem;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The object of an item with one of its shorter forms in place of the whole.
pub(crate) fn in_form(object: &str, form: &ContextItem) -> String {
    let Ok(Entries(mut entries)) = serde_json::from_str(object) else { return object.to_owned() };
    entries.retain(|(key, _)| key != "variants" && key != "original_tokens");
    set(&mut entries, "content", serde_json::Value::from(form.content()).to_string());
    set(&mut entries, "tokens", form.tokens().to_string());
    if let Some(tokens) = form.original_tokens() {
        set(&mut entries, "originalTokens", tokens.to_string());
    }
    written(&entries)
}

/// The object of an item on one line with these counts for it and its variants where it does not say them, or
/// in place of those it says.
pub(crate) fn with_counts(object: &str, tokens: i64, variants: &[i64], replace: bool) -> String {
    #[derive(serde::Deserialize)]
    struct Forms<'t> {
        #[serde(borrow)]
        variants: Option<Vec<&'t RawValue>>,
    }

    let mut text = object.to_owned();
    let forms = serde_json::from_str::<Forms<'_>>(object).ok();
    let forms = forms.and_then(|it| it.variants).unwrap_or_default();
    // The last first, so that the others stay where they are.
    for (form, tokens) in forms.iter().zip(variants).rev() {
        let start = form.get().as_ptr().addr() - object.as_ptr().addr();
        let counted = with_count(form.get(), *tokens, replace);
        text.replace_range(start..start + form.get().len(), &counted);
    }
    with_count(&text, tokens, replace).into_owned()
}

/// The object with that count, otherwise as it was.
fn with_count(object: &str, tokens: i64, replace: bool) -> Cow<'_, str> {
    #[derive(serde::Deserialize)]
    struct Count<'t> {
        #[serde(borrow)]
        tokens: &'t RawValue,
    }

    if let Ok(Count { tokens: old }) = serde_json::from_str(object) {
        if !replace {
            return object.into();
        }
        let start = old.get().as_ptr().addr() - object.as_ptr().addr();
        let (before, after) = (&object[..start], &object[start + old.get().len()..]);
        return format!("{before}{tokens}{after}").into();
    }
    // An item has content, so there is something to put a comma after.
    let open = object.strip_suffix('}').unwrap_or(object).trim_end();
    format!("{open}, \"tokens\": {tokens}}}").into()
}

/// The keys of an object, each with its value as it was written, in their order.
struct Entries(Vec<(String, String)>);

fn set(entries: &mut Vec<(String, String)>, key: &str, value: String) {
    match entries.iter_mut().find(|(known, _)| known == key) {
        Some((_, old)) => *old = value,
        None => entries.push((key.to_owned(), value)),
    }
}

fn written(entries: &[(String, String)]) -> String {
    let entry = |(key, value): &(String, String)| {
        format!("{}: {value}", serde_json::Value::from(key.as_str()))
    };
    format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
                    entries.push((key, value.get().to_owned()));
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_added_or_replaced_in_its_place() {
        let fill = |object| with_counts(object, 3, &[], true);
        assert_eq!(fill(r#"{"content": "a" }"#), r#"{"content": "a", "tokens": 3}"#);
        let replaced = fill(r#"{"tokens" : 12,"content":"a"}"#);
        assert_eq!(replaced, r#"{"tokens" : 3,"content":"a"}"#);
        let nested = fill(r#"{"content":"a","metadata":{"b":"}"}}"#);
        assert_eq!(nested, r#"{"content":"a","metadata":{"b":"}"}, "tokens": 3}"#);
        assert_eq!(with_counts(&replaced, 9, &[], false), replaced);
    }

    #[test]
    fn variants_get_their_counts_too() {
        let object =
            r#"{"variants":[{"content":"ab"},{"tokens":1,"content":"a"}],"content":"abc"}"#;
        let kept = with_counts(object, 3, &[2, 9], false);
        assert_eq!(
            kept,
            r#"{"variants":[{"content":"ab", "tokens": 2},{"tokens":1,"content":"a"}],"content":"abc", "tokens": 3}"#
        );
        let replaced = with_counts(object, 3, &[2, 9], true);
        assert!(replaced.contains(r#"{"tokens":9,"content":"a"}"#), "{replaced}");
    }

    #[test]
    fn a_form_keeps_the_callers_own_keys_and_their_numbers() {
        let form = ContextItem::builder("l \"", 2).original_tokens(9).build().unwrap();
        let object = r#"{"z":1.50,"content":"long","ids":[12345678901234567890123],"tokens":9,"variants":[{"content":"l","tokens":2}],"a":null}"#;
        assert_eq!(
            in_form(object, &form),
            r#"{"z": 1.50, "content": "l \"", "ids": [12345678901234567890123], "tokens": 2, "a": null, "originalTokens": 9}"#
        );
    }
}
