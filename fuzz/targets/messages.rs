//! Any bytes as a request to a model, found out by looking and as each format: what is read is counted, judged and cut, the
//! same every time; what comes out is read again, fits, and is refused for nothing that can be mended.
#![no_main]

use cupel_messages::{
    CurrentTurn, Error, Estimate, Format, Granularity, Options, Request, Rule, Severity, Shorten,
    validate,
};
use libfuzzer_sys::fuzz_target;

/// What nobody but the caller can mend.
const LEFT_ALONE: [Rule; 4] =
    [Rule::Empty, Rule::CacheBreakpoints, Rule::TooManyMessages, Rule::ServerToolSplit];

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(request) = Request::read(text) {
        assert_eq!(request.text(), text);
        let read_as = Request::read_as(text, request.format());
        assert_eq!(read_as.as_ref(), Ok(&request), "found out is not said");
    }
    for format in Format::ALL {
        if let Ok(request) = Request::read_as(text, format) {
            check(&request, &Options::new());
            let options = Options::new()
                .granularity(Granularity::Unit)
                .current_turn(CurrentTurn::Rounds)
                .shorten(Shorten { over: 20, to: 10 });
            check(&request, &options);
        }
    }
});

fn check(request: &Request, options: &Options) {
    validate(request);
    let prepared = match request.prepare(options, &Estimate) {
        Ok(prepared) => prepared,
        Err(Error::AnsweredTwice { .. } | Error::NoUserMessage { .. }) => return,
        Err(error) => panic!("{error}"),
    };
    let (least, total) = (prepared.least().total(), prepared.total().total());
    for budget in [0, least, least / 2 + total / 2, total] {
        let fitted = match prepared.fit(budget) {
            Ok(fitted) => fitted,
            Err(Error::BudgetTooSmall { needed, .. }) => {
                assert!(
                    budget < needed && budget < least,
                    "{budget} of {needed}, {least} is the least"
                );
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        assert!(fitted.tokens.total() <= budget);
        let again = Request::read_as(fitted.text.as_str(), request.format())
            .expect("what was written can be read");
        for problem in validate(&again) {
            let mended =
                problem.severity == Severity::Unfinished || LEFT_ALONE.contains(&problem.rule);
            assert!(mended, "{problem}\n{}", fitted.text);
        }
        assert_eq!(prepared.fit(budget).expect("it was cut before").text, fitted.text);
    }
}
