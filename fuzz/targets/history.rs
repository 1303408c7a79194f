//! Any history, sound or broken, in any format, at any budget: cut, it is valid, fits, and is in order; a sound one that
//! fits comes out byte for byte.
#![no_main]

#[path = "../../crates/cupel-messages/tests/histories/generate.rs"]
mod generate;
#[path = "../../crates/cupel-messages/tests/histories/recount.rs"]
mod recount;

use cupel_messages::{
    CurrentTurn, Dangling, Error, Format, Granularity, Options, Outcome, Request, Severity,
    Shorten, validate,
};
use generate::Health;
use libfuzzer_sys::fuzz_target;
use recount::{Characters, recount};

fuzz_target!(|bytes: &[u8]| {
    let [first, budget, history @ ..] = bytes else { return };
    let format = Format::ALL[usize::from(first & 3)];
    let health = if first & 4 == 0 { Health::Sound } else { Health::Broken };
    let mut options =
        Options::new().shorten((first & 8 == 0).then_some(Shorten { over: 200, to: 80 }));
    options =
        options.granularity(if first & 16 == 0 { Granularity::Turn } else { Granularity::Unit });
    options = options.current_turn(if first & 32 == 0 {
        CurrentTurn::Whole
    } else {
        CurrentTurn::Rounds
    });
    options = options.dangling(if first & 64 == 0 { Dangling::Answer } else { Dangling::Drop });

    let text = generate::request(format, health, history);
    let request = Request::read_as(text.as_str(), format).expect("generated requests are requests");
    let prepared = match request.prepare(&options, &Characters) {
        Ok(prepared) => prepared,
        Err(Error::NoUserMessage { .. }) if health == Health::Broken => return,
        Err(error) => panic!("{error}\n{text}"),
    };
    let (least, total) = (prepared.least().total(), prepared.total().total());
    let budget = least + (total - least).max(0) * i64::from(*budget) / 255;
    let fitted = prepared.fit(budget).expect("the least is enough");
    let tokens = recount(format, &fitted.text);
    assert!(tokens <= budget, "{tokens} of {budget}\n{text}\n\n{}", fitted.text);
    let out = Request::read_as(fitted.text.as_str(), format).expect("what was written can be read");
    let refused = validate(&out).into_iter().find(|problem| problem.severity == Severity::Invalid);
    assert!(refused.is_none(), "{refused:?}\n{text}\n\n{}", fitted.text);
    let mut rest = out.messages().iter();
    for kept in fitted.messages.iter().filter(|it| it.outcome == Outcome::Kept && !it.edited) {
        let json = request.messages()[kept.index].json();
        assert!(
            rest.any(|message| message.json() == json),
            "{}\n{text}\n\n{}",
            kept.path,
            fitted.text
        );
    }
    if health == Health::Sound && budget >= total && !text.contains("\"cupel\"") {
        assert_eq!(fitted.text, text);
    }
});
