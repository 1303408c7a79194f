//! Estimates are near what is known of the models they stand for.

use cupel_tokens::{Counter, Model};

const PROSE: &str = "The window is finite, so something has to stay outside. What stays outside, and \
    why, is the question that a selector answers; how well it does so decides what the model can know.";

fn gemini(text: &str) -> i64 {
    Model::by_name("gemini-2.5-pro").unwrap().count(text)
}

#[test]
fn gemini_is_near_four_characters_a_token_in_english() {
    let characters = PROSE.chars().count() as f64;
    let per_token = characters / gemini(PROSE) as f64;
    assert!((3.4..4.6).contains(&per_token), "{per_token}");
}

/// Counted with Gemma's vocabulary by `scripts/calibrate_gemini.py`.
#[test]
fn gemini_is_not_short_of_cjk() {
    for (text, real) in [
        ("上下文窗口是有限的，因此必须决定哪些内容可以放进去。每次选择都要说明理由。", 21),
        ("コンテキストの窓には限りがあるので、何を入れるかを決めなければなりません。", 16),
        ("컨텍스트 창에는 한계가 있으므로 무엇을 넣을지 결정해야 합니다.", 19),
    ] {
        let quarter = text.chars().count() as i64 / 4;
        assert!(quarter * 3 / 2 < real, "characters by four would do: {text}");
        assert!((real..=real * 9 / 4).contains(&gemini(text)), "{} for {real}", gemini(text));
    }
}

#[test]
fn claude_is_o200k_times_its_factor_rounded_up() {
    let exact = Model::by_name("gpt-4o").unwrap().count(PROSE);
    let count = |name| Model::by_name(name).unwrap().count(PROSE);
    assert_eq!(count("claude-sonnet-4-5"), (exact * 118 + 99) / 100);
    assert_eq!(count("claude-sonnet-5.5"), (exact * 153 + 99) / 100);
}

#[test]
fn a_limit_on_an_estimate_is_a_limit_on_its_number() {
    for name in ["claude-sonnet-4-5", "claude-sonnet-5.5", "gemini-3-pro", "gpt-4o"] {
        let model = Model::by_name(name).unwrap();
        let tokens = model.count(PROSE);
        assert_eq!(model.count_up_to(PROSE, tokens), Some(tokens), "{name}");
        assert_eq!(model.count_up_to(PROSE, tokens - 1), None, "{name}");
    }
}

#[test]
fn what_a_request_costs_besides_is_data() {
    let overhead = Model::by_name("gpt-4o").unwrap().overhead;
    assert_eq!((overhead.per_message, overhead.per_name, overhead.per_reply), (3, 1, 3));
}
