//! Whatever conversation a session is over, in whatever steps it comes, whatever is edited in between: every request is
//! valid and within its budget, begins with the one before it unless it is said why not, and costs what a provider would say.

#[path = "../../../cupel-messages/tests/histories/generate.rs"]
mod generate;
mod judge;
mod play;
mod provider;

use cupel_messages::{CurrentTurn, Dangling, Format, Granularity, Options, Shorten};
use cupel_policy::Preset;
use cupel_session::Settings;
use generate::Health;
use play::{Game, Step};
use proptest::prelude::*;

fn formats() -> impl Strategy<Value = Format> {
    prop::sample::select(&Format::ALL[..])
}

fn options() -> impl Strategy<Value = Options> {
    let granularity =
        prop::option::of(prop::sample::select(vec![Granularity::Turn, Granularity::Unit]));
    let current = prop::sample::select(vec![CurrentTurn::Whole, CurrentTurn::Rounds]);
    let dangling = prop::sample::select(vec![Dangling::Answer, Dangling::Drop]);
    let shorten = prop::option::of(Just(Shorten { over: 300, to: 120 }));
    let preset = prop::option::of(prop::sample::select(&Preset::ALL[..]));
    (granularity, current, dangling, shorten, 0..2_usize, 0..3_usize, preset).prop_map(
        |(granularity, current, dangling, shorten, first, last, preset)| {
            let mut options =
                Options::new().current_turn(current).dangling(dangling).shorten(shorten);
            options = options.keep_first(first).keep_last(last);
            if let Some(granularity) = granularity {
                options = options.granularity(granularity);
            }
            if let Some(preset) = preset {
                options = options.policy(preset.policy()).query("What does the log say?");
            }
            options
        },
    )
}

fn settings() -> impl Strategy<Value = Settings> {
    let marks = prop::sample::select(vec![(0.8, 0.5), (0.9, 0.2), (1.0, 0.0), (0.6, 0.55)]);
    (marks, any::<bool>()).prop_map(|((high, low), breakpoints)| Settings {
        high,
        low,
        least_freed: 0.04,
        breakpoints,
    })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => (1..5_usize).prop_map(Step::Grow),
        1 => any::<prop::sample::Index>().prop_map(Step::Delete),
        1 => any::<prop::sample::Index>().prop_map(Step::Edit),
        1 => any::<prop::sample::Index>().prop_map(Step::Pin),
        1 => Just(Step::Remind),
        1 => Just(Step::Again),
    ];
    prop::collection::vec(step, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_edited_every_turn_is_valid_within_budget_and_billed_as_a_provider_would(
        format in formats(),
        broken in any::<bool>(),
        bytes in prop::collection::vec(any::<u8>(), 0..260),
        steps in steps(),
        share in 1..12_i64,
        options in options(),
        settings in settings(),
    ) {
        let health = if broken { Health::Broken } else { Health::Sound };
        let text = generate::request(format, health, &bytes);
        Game::new(format, &text, share, options, settings).play(&steps);
    }

    #[test]
    fn what_only_grows_begins_with_what_was_sent_before_unless_it_is_cut(
        format in formats(),
        bytes in prop::collection::vec(any::<u8>(), 0..260),
        share in 2..12_i64,
        settings in settings(),
    ) {
        let text = generate::request(format, Health::Sound, &bytes);
        let game = Game::new(format, &text, share, Options::new(), settings);
        game.play_by_user_turns();
    }

    #[test]
    fn a_conversation_that_is_held_sends_what_a_session_sends(
        format in formats(),
        broken in any::<bool>(),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        steps in prop::collection::vec(0..4_usize, 1..30),
        share in 2..14_i64,
        options in options(),
        settings in settings(),
    ) {
        let health = if broken { Health::Broken } else { Health::Sound };
        let text = generate::request(format, health, &bytes);
        Game::new(format, &text, share, options, settings).play_held(&steps);
    }
}
