//! A value as JSON again.

use super::{Member, Value};

impl Value<'_> {
    /// The value on one line, its numbers as they were written.
    pub(crate) fn to_json(&self) -> String {
        let mut json = String::new();
        self.write(&mut json);
        json
    }

    /// As deep as reading allows, which is [`MAX_DEPTH`](super::MAX_DEPTH).
    fn write(&self, json: &mut String) {
        match self {
            Self::Null => json.push_str("null"),
            Self::Bool(value) => json.push_str(if *value { "true" } else { "false" }),
            Self::Number(text) => json.push_str(text),
            Self::NonFinite(_) => json.push_str("null"), // what is written again was JSON, which has none
            Self::String(text) => quote(text, json),
            Self::Array(elements) => {
                json.push('[');
                for (at, element) in elements.iter().enumerate() {
                    json.push_str(if at > 0 { "," } else { "" });
                    element.value.write(json);
                }
                json.push(']');
            }
            Self::Object(members) => {
                json.push('{');
                for (at, Member { key, value, .. }) in members.iter().enumerate() {
                    json.push_str(if at > 0 { "," } else { "" });
                    quote(key, json);
                    json.push(':');
                    value.value.write(json);
                }
                json.push('}');
            }
        }
    }
}

fn quote(text: &str, json: &mut String) {
    json.push_str(&serde_json::to_string(text).expect("a string can be written"));
}

#[cfg(test)]
mod tests {
    use crate::json::{Dialect, parse};

    #[test]
    fn what_is_written_is_what_was_read() {
        let text = r#"{"a":[1.50e+3,-0,null,true,false],"b\n\"":{"c":"é\\ \u0007"},"d":[],"e":{}}"#;
        let written = parse(text, Dialect::Json).unwrap().value.to_json();
        assert_eq!(written, text);
    }
}
