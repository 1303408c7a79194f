//! Whatever history goes in, at whatever budget: what comes out is valid, within budget, in order, and every message that
//! nobody touched is what it was, byte for byte.

mod generate;
mod recount;
mod sdk;

use cupel_messages::{
    CurrentTurn, Dangling, Error, Fitted, Format, Granularity, Options, Outcome, Request, Severity,
    Shorten, validate,
};
use cupel_policy::Preset;
use generate::Health;
use proptest::prelude::*;
use recount::{Characters, recount};

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
    (granularity, current, dangling, shorten, 0..3_usize, 0..3_usize, any::<bool>(), preset)
        .prop_map(|(granularity, current, dangling, shorten, first, last, pin, preset)| {
            let mut options =
                Options::new().current_turn(current).dangling(dangling).shorten(shorten);
            options = options.keep_first(first).keep_last(last);
            if let Some(granularity) = granularity {
                options = options.granularity(granularity);
            }
            if let Some(preset) = preset {
                options = options.policy(preset.policy());
            }
            if pin { options.pin("LOG SAY") } else { options }
        })
}

/// Budgets from nothing to more than all.
fn budgets(least: i64, total: i64) -> Vec<i64> {
    let mut budgets =
        vec![-1, 0, least - 1, least, least + 1, total - 1, total, total + 1, i64::MAX];
    budgets.extend((1..8).map(|eighth| least + (total - least).max(0) * eighth / 8));
    budgets
}

fn refused(text: &str, format: Format) -> Vec<String> {
    let problems = validate(&Request::read_as(text, format).unwrap());
    let refused = problems.into_iter().filter(|problem| problem.severity == Severity::Invalid);
    refused.map(|problem| format!("{:?} {problem}", problem.rule)).collect()
}

fn check(request: &Request, fitted: &Fitted, budget: i64, options: &Options) {
    let format = request.format();
    let text = &fitted.text;
    assert_eq!(
        refused(text, format),
        Vec::<String>::new(),
        "\nbudget {budget}\n{}\n\n{text}",
        request.text()
    );
    let tokens = recount(format, text);
    assert!(
        tokens <= budget,
        "{tokens} tokens in a budget of {budget}\n{}\n\n{text}",
        request.text()
    );
    assert_eq!(fitted.tokens.total(), tokens, "\n{}\n\n{text}", request.text());

    // Untouched messages, in order, byte for byte.
    let out = Request::read_as(text.as_str(), format).unwrap();
    let mut rest = out.messages().iter();
    for report in
        fitted.messages.iter().filter(|report| report.outcome == Outcome::Kept && !report.edited)
    {
        let json = request.messages()[report.index].json();
        assert!(
            rest.any(|message| message.json() == json),
            "{} is not where it was\n{text}",
            report.path
        );
    }
    // Every message that is sent says which one it stands for, and whether it is as it was.
    assert_eq!(fitted.sent.len(), out.messages().len());
    for (sent, message) in fitted.sent.iter().zip(out.messages()) {
        assert_eq!(text[sent.range.clone()], *message.json());
        let origin = sent.origin.map(|origin| request.messages()[origin].json());
        assert_eq!(origin != Some(message.json()), sent.edited, "{origin:?}\n{text}");
    }
    assert!(!text.contains("\"cupel\""), "{text}");
    if fitted.is_unchanged() {
        assert_eq!(text, request.text());
    }

    // What fits and is sound stays as it is.
    let again = out.fit(budget, options, &Characters).unwrap();
    assert_eq!(again.text, *text);
}

fn run(format: Format, health: Health, bytes: &[u8], options: &Options) {
    let text = generate::request(format, health, bytes);
    let request = Request::read_as(text.as_str(), format).unwrap();
    if health == Health::Sound {
        assert_eq!(
            refused(&text, format),
            Vec::<String>::new(),
            "the generator made a bad one\n{text}"
        );
    }
    let prepared = match request.prepare(options, &Characters) {
        Ok(prepared) => prepared,
        Err(Error::NoUserMessage { .. }) if health == Health::Broken => return,
        Err(error) => panic!("{error}\n{text}"),
    };
    let (least, total) = (prepared.least().total(), prepared.total().total());
    for budget in budgets(least, total) {
        match prepared.fit(budget) {
            Ok(fitted) => {
                assert!(
                    budget >= least.min(total),
                    "{budget} tokens should not do, {least} should\n{text}"
                );
                check(&request, &fitted, budget, options);
                assert_eq!(request.fit(budget, options, &Characters).unwrap().text, fitted.text);
                if health == Health::Sound && budget >= total {
                    let hinted = text.contains("\"cupel\"");
                    assert!(fitted.repairs.is_empty(), "{:?}\n{text}", fitted.repairs);
                    assert!(hinted || fitted.text == text);
                }
            }
            Err(Error::BudgetTooSmall { needed, .. }) => {
                assert!(
                    budget < least && needed > budget,
                    "{budget} of {needed} should do, {least} is the least\n{text}"
                );
            }
            Err(error) => panic!("{error}\n{text}"),
        }
    }
}

proptest! {
    #[test]
    fn sound_histories_come_out_sound(
        format in formats(), bytes in prop::collection::vec(any::<u8>(), 0..120), options in options(),
    ) {
        run(format, Health::Sound, &bytes, &options);
    }

    #[test]
    fn broken_histories_come_out_sound(
        format in formats(), bytes in prop::collection::vec(any::<u8>(), 0..120), options in options(),
    ) {
        run(format, Health::Broken, &bytes, &options);
    }
}

#[test]
fn long_histories_come_out_sound_at_every_size() {
    for format in Format::ALL {
        // A pattern that is not a period of the generator's choices.
        let bytes: Vec<u8> =
            (0..12_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let text = generate::request(format, Health::Sound, &bytes);
        let request = Request::read_as(text.as_str(), format).unwrap();
        let options = Options::new();
        let prepared = request.prepare(&options, &Characters).unwrap();
        assert!(request.messages().len() > 1_000, "{}", request.messages().len());
        let (least, total) = (prepared.least().total(), prepared.total().total());
        for budget in [least, least + (total - least) / 3, total - 1] {
            check(&request, &prepared.fit(budget).unwrap(), budget, &options);
        }
    }
}

/// A property that is never tested holds, too: what the generator must have reached.
#[test]
fn generated_histories_reach_every_repair_and_outcome() {
    let mut reached = std::collections::BTreeSet::new();
    let note = |what: String, reached: &mut std::collections::BTreeSet<String>| {
        let name = what.split([' ', '(']).next().unwrap().to_owned();
        reached.insert(name);
    };
    for seed in 0..200_u32 {
        let bytes: Vec<u8> = (0..80_u32)
            .map(|at| ((at + 997 * seed).wrapping_mul(2_654_435_761) >> 13) as u8)
            .collect();
        for format in Format::ALL {
            let text = generate::request(format, Health::Broken, &bytes);
            let request = Request::read_as(text.as_str(), format).unwrap();
            for problem in validate(&request) {
                note(format!("{:?}", problem.rule), &mut reached);
            }
            let dangling = if seed % 4 == 0 { Dangling::Drop } else { Dangling::Answer };
            let granularity = if seed % 2 == 0 { Granularity::Unit } else { Granularity::Turn };
            let options = Options::new()
                .shorten(Shorten { over: 300, to: 120 })
                .dangling(dangling)
                .granularity(granularity);
            let Ok(prepared) = request.prepare(&options, &Characters) else { continue };
            let (least, total) = (prepared.least().total(), prepared.total().total());
            for budget in budgets(least, total) {
                let Ok(fitted) = prepared.fit(budget) else { continue };
                for repair in &fitted.repairs {
                    note(format!("{:?}", repair.kind), &mut reached);
                }
                for message in &fitted.messages {
                    note(format!("{:?}", message.outcome), &mut reached);
                    note(format!("{:?}", message.why), &mut reached);
                }
            }
        }
    }
    let expected = [
        "AnswerWithoutCall",
        "Answered",
        "CallDropped",
        "CallPlace",
        "CallWithoutAnswer",
        "Dropped",
        "Excluded",
        "Fits",
        "Kept",
        "LeadingDropped",
        "LeftOut",
        "Merged",
        "OrphanDropped",
        "Pinned",
        "ReasoningAlone",
        "ReasoningDropped",
        "Refused",
        "RolesAlternate",
        "Scored",
        "Shortened",
        "SystemDropped",
        "SystemPlace",
        "ThinkingStripped",
        "TurnLeftOut",
        "UserFirst",
        "WordsBeforeCallDropped",
    ];
    let missing: Vec<_> = expected.iter().filter(|name| !reached.contains(**name)).collect();
    assert!(missing.is_empty(), "never reached: {missing:?}; reached: {reached:?}");
}

/// Words that become one message with the call behind them are dropped with it.
#[test]
fn words_before_a_call_do_not_stay_without_it() {
    let call = |name: &str, signature: &str| {
        format!(
            r#"{{"role":"model","parts":[{{"functionCall":{{"name":"{name}","args":{{}}}}{signature}}}]}}"#
        )
    };
    let response = |name: &str| {
        format!(
            r#"{{"role":"user","parts":[{{"functionResponse":{{"name":"{name}","response":{{"output":"{}"}}}}}}]}}"#,
            "x".repeat(99)
        )
    };
    let text = [
        r#"{"role":"user","parts":[{"text":"Go."}]}"#.to_owned(),
        r#"{"role":"model","parts":[{"text":"Let me look."}]}"#.to_owned(),
        call("one", ""),
        response("one"),
        call("two", r#","thoughtSignature":"c2ln""#),
        response("two"),
    ];
    let request = Request::read(format!("[{}]", text.join(","))).unwrap();
    let options = Options::new().current_turn(CurrentTurn::Rounds).shorten(None);
    let prepared = request.prepare(&options, &Characters).unwrap();
    for budget in prepared.least().total()..=prepared.total().total() {
        check(&request, &prepared.fit(budget).unwrap(), budget, &options);
    }
}
