//! Gemini.

use super::*;

const USER: &str = r#"{"role":"user","parts":[{"text":"0123456789"}]}"#;
const REPLY: &str = r#"{"role":"model","parts":[{"text":"abcdefghij"}]}"#;
const CALL: &str = r#"{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"f","args":{}}}]}"#;

#[test]
fn calls_without_ids_are_paired_in_their_order() {
    let one =
        r#"{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"1"}}}]}"#;
    let fitted = fit(&list(&[USER, CALL, one, REPLY]), LARGE, &Options::new());
    let message: serde_json::Value = serde_json::from_str(&fitted.text).unwrap();
    assert_eq!(message[2]["parts"].as_array().unwrap().len(), 2);
    assert_eq!(message[1], serde_json::from_str::<serde_json::Value>(CALL).unwrap());
}

#[test]
fn signed_contents_are_never_merged() {
    let signed = r#"{"role":"model","parts":[{"text":"a","thoughtSignature":"c2ln"}]}"#;
    let text = list(&[USER, signed, REPLY, USER]);
    assert_eq!(fit(&text, LARGE, &Options::new()).text, text);
    let merged = fit(&list(&[USER, REPLY, REPLY, USER]), LARGE, &Options::new());
    assert_eq!(merged.repairs.len(), 1);
}

#[test]
fn a_long_response_is_shortened_to_one_text() {
    let long = format!(
        r#"{{"role":"user","parts":[{{"functionResponse":{{"name":"f","response":{{"result":"{}"}}}}}}]}}"#,
        "word ".repeat(500)
    );
    let call = r#"{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}"#;
    let fitted = fit(&list(&[USER, call, &long]), 700, &Options::new());
    let message: serde_json::Value = serde_json::from_str(&fitted.text).unwrap();
    let output = message[2]["parts"][0]["functionResponse"]["response"]["output"].as_str().unwrap();
    assert!(output.contains("characters left out"), "{output}");
}
