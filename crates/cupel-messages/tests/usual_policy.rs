//! The policy that requests are cut by has a name.

use cupel_messages::{Estimate, Options, Request, default_policy};
use cupel_policy::Preset;

/// A conversation with tool rounds, long and short messages, at every budget.
#[test]
fn the_usual_policy_is_the_preset_recent_first() {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/library-agent.openai.json");
    let request = Request::read(std::fs::read_to_string(path).unwrap()).unwrap();
    let all = request.count(&Estimate).total();
    let by_name = Options::new().policy(Preset::RecentFirst.policy());
    let by_function = Options::new().policy(default_policy().unwrap());
    let mut windows = std::collections::BTreeSet::new();
    for fortieth in 2..=40 {
        let text =
            |options: &Options| request.fit(all * fortieth / 40, options, &Estimate).unwrap().text;
        let usual = text(&Options::new());
        assert_eq!(text(&by_name), usual, "{fortieth} fortieths");
        assert_eq!(text(&by_function), usual, "{fortieth} fortieths");
        windows.insert(usual);
    }
    assert!(windows.len() > 10, "the budgets hardly differ: {}", windows.len());
}
