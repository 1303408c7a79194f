//! Comments and trailing commas change nothing about a policy.

use cupel_policy::PolicyFile;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::generate::policy_files;

/// Strings, literals and punctuation, without what stands between them.
pub(crate) fn tokens(json: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = json.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => string_length(rest),
            '{' | '}' | '[' | ']' | ',' | ':' => 1,
            _ => rest.find(['}', ']', ',', ' ', '\n']).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

fn string_length(text: &str) -> usize {
    let mut escaped = true; // the opening quote does not close it
    let is_end = |(_, char): &(usize, char)| {
        let ends = *char == '"' && !escaped;
        escaped = *char == '\\' && !escaped;
        ends
    };
    text.char_indices().find(is_end).map_or(text.len(), |(at, _)| at + 1)
}

/// What may stand between two tokens.
fn blanks() -> impl Strategy<Value = String> {
    let one = prop_oneof![
        select(vec![
            "",
            " ",
            "\r\n",
            "//\n",
            "// , } \" /*\r\n",
            "/**/",
            "/***/",
            "/* ]\n// \" */"
        ])
        .prop_map(str::to_owned),
        "//[^\r\n]{0,8}\n",
        "/\\*[^*]{0,8}\\*/",
    ];
    vec(one, 0..3).prop_map(|blanks| blanks.concat())
}

proptest! {
    #[test]
    fn are_read_as_if_they_were_not_there(
        file in policy_files(),
        blanks in vec(blanks(), 1..40),
        trails in vec(any::<bool>(), 1..10),
    ) {
        let canonical = file.to_json().unwrap();
        let (mut blanks, mut trails) = (blanks.iter().cycle(), trails.iter().cycle());
        let mut text = String::new();
        let mut before = "";
        for token in tokens(&canonical) {
            let closes = matches!(token, "]" | "}") && !matches!(before, "[" | "{");
            if closes && *trails.next().unwrap() {
                text += ",";
                text += blanks.next().unwrap();
            }
            text += token;
            text += blanks.next().unwrap();
            before = token;
        }
        let read = PolicyFile::from_json(&text);
        let read = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
        prop_assert_eq!(&read, &file);
        prop_assert_eq!(read.to_json().unwrap(), canonical);
    }
}
