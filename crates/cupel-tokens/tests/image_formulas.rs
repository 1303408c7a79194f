//! What providers say that images of some size cost.

use std::time::Duration;

use cupel_tokens::Model;
use cupel_tokens::image::{self, ASSUMED_SIZE, Detail, Size};

fn tokens(model: &str, width: u32, height: u32, detail: Detail) -> i64 {
    let model = Model::by_name(model).unwrap();
    image::tokens(model, Some(Size { width, height }), detail).unwrap().tokens
}

fn high(model: &str, width: u32, height: u32) -> i64 {
    tokens(model, width, height, Detail::High)
}

#[test]
fn claude_counts_cells_of_28_pixels_within_its_limits() {
    assert_eq!(high("claude-sonnet-4-5", 1000, 1000), 1296);
    assert_eq!(high("claude-sonnet-4-5", 1920, 1080), 1560);
    assert_eq!(high("claude-opus-4-7", 1920, 1080), 2691);
    assert_eq!(high("claude-sonnet-4-5", 1080, 1920), 1560);
    assert_eq!(high("claude-sonnet-4-5", 28, 28), 1);
    assert_eq!(high("claude-sonnet-4-5", 29, 28), 2);
    // The longest side decides alone: 1,568 x 16 pixels.
    assert_eq!(high("claude-sonnet-4-5", 98_000, 1_000), 56);
}

#[test]
fn claude_never_asks_for_more_than_its_limit_and_nearly_for_that() {
    for (model, most) in [("claude-sonnet-4-5", 1568), ("claude-sonnet-5.5", 4784)] {
        for (width, height) in [(10_000, 10_000), (4000, 3000), (3000, 4000), (7919, 5003)] {
            let tokens = high(model, width, height);
            assert!(tokens <= most && tokens > most * 9 / 10, "{model} {width}x{height}: {tokens}");
        }
    }
}

#[test]
fn openai_counts_tiles_of_512_pixels() {
    assert_eq!(high("gpt-4o", 1024, 1024), 765);
    assert_eq!(high("gpt-4o", 2048, 4096), 1105);
    assert_eq!(high("gpt-4.1", 512, 512), 255);
    assert_eq!(high("gpt-5", 1024, 1024), 70 + 4 * 140);
    assert_eq!(high("gpt-5.1", 1024, 1024), 630);
    assert_eq!(high("gpt-4o-mini", 1024, 1024), 2833 + 4 * 5667);
    assert_eq!(high("o1", 1024, 1024), 75 + 4 * 150);
    assert_eq!(high("o3", 1024, 1024), 675);
}

#[test]
fn openai_low_detail_is_the_base_alone() {
    for (model, base) in [("gpt-4o", 85), ("gpt-5", 70), ("gpt-4o-mini", 2833), ("o3", 75)] {
        assert_eq!(tokens(model, 4096, 8192, Detail::Low), base, "{model}");
    }
}

#[test]
fn openai_counts_patches_of_32_pixels_times_a_factor() {
    // 1,024 patches; the factors are 1.62, 2.46, 1.72, 1.2 and 1.5.
    assert_eq!(high("gpt-4.1-mini", 1024, 1024), 1659);
    assert_eq!(high("gpt-4.1-nano", 1024, 1024), 2520);
    assert_eq!(high("o4-mini", 1024, 1024), 1762);
    assert_eq!(high("gpt-5-mini", 1024, 1024), 1229);
    assert_eq!(high("gpt-5-nano", 1024, 1024), 1536);
    assert_eq!(high("gpt-5.2", 1024, 1024), 1229);
    assert_eq!(high("gpt-5.6", 1024, 1024), 1229);
}

#[test]
fn openai_scales_down_what_has_too_many_patches() {
    // 1,800 x 2,400 comes down to 33 x 44 patches.
    assert_eq!(high("gpt-5-mini", 1800, 2400), (1452 * 12_i64).div_euclid(10) + 1);
    assert_eq!(high("gpt-5-mini", 2400, 1800), 1743);
    assert_eq!(high("gpt-5-nano", 100, 1_000_000), 96);
    // Newer models take more, and most of all if the original is asked for.
    let newer = |detail| tokens("gpt-5.6", 3200, 3200, detail);
    assert_eq!([Detail::High, Detail::Original].map(newer), [3000, 12_000]);
    assert_eq!(tokens("gpt-5.6", 3200, 3200, Detail::Low), 308);
}

#[test]
fn gemini_counts_tiles_or_goes_by_media_resolution() {
    assert_eq!(high("gemini-2.5-flash", 384, 384), 258);
    assert_eq!(high("gemini-2.5-flash", 385, 384), 258);
    assert_eq!(high("gemini-2.5-flash", 769, 768), 2 * 258);
    assert_eq!(high("gemini-2.5-flash", 1920, 1080), 6 * 258);
    let three = |detail| tokens("gemini-3-pro", 4000, 4000, detail);
    let details = [Detail::Low, Detail::Medium, Detail::High, Detail::Auto];
    assert_eq!(details.map(three), [280, 560, 1120, 1120]);
}

#[test]
fn sound_and_video_cost_by_the_second() {
    let gemini = Model::by_name("gemini-2.5-pro").unwrap();
    assert_eq!(gemini.audio_tokens(Duration::from_secs(60)), Some(1920));
    assert_eq!(gemini.video_tokens(Duration::from_secs(10)), Some(2630));
    assert_eq!(gemini.audio_tokens(Duration::from_millis(1)), Some(32));
    assert_eq!(gemini.video_tokens(Duration::MAX), Some(i64::MAX));
    assert_eq!(Model::by_name("claude-opus-4-7").unwrap().audio_tokens(Duration::MAX), None);
}

#[test]
fn an_unknown_size_is_assumed_and_said_to_be() {
    let model = Model::by_name("gpt-4o").unwrap();
    let unknown = image::tokens(model, None, Detail::Auto).unwrap();
    assert!(unknown.is_assumed);
    assert_eq!(unknown.size, ASSUMED_SIZE);
    let known = image::tokens(model, Some(ASSUMED_SIZE), Detail::Auto).unwrap();
    assert_eq!((known.tokens, known.is_assumed), (unknown.tokens, false));
    let blind = Model::by_name("gpt-3.5-turbo").unwrap();
    assert_eq!(image::tokens(blind, None, Detail::Auto), None);
}

#[test]
fn details_go_by_either_providers_name() {
    let names = ["low", "MEDIA_RESOLUTION_MEDIUM", "High", "auto", "original", "enormous"];
    use Detail::{Auto, High, Low, Medium, Original};
    let expected = [Some(Low), Some(Medium), Some(High), Some(Auto), Some(Original), None];
    assert_eq!(names.map(Detail::by_name), expected);
}

#[test]
fn no_size_overflows() {
    let models = ["gpt-4o", "gpt-5-nano", "gpt-5.6", "claude-sonnet-5.5", "gemini-2.5-pro"];
    for model in models {
        for detail in [Detail::Low, Detail::High, Detail::Original] {
            for (width, height) in [(0, 0), (1, u32::MAX), (u32::MAX, 1), (u32::MAX, u32::MAX)] {
                assert!(tokens(model, width, height, detail) > 0, "{model} {width}x{height}");
            }
        }
    }
}
