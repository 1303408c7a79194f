//! Sessions over items: whatever comes and goes, windows fit, groups stay whole, and what is below the mark begins with
//! what was there before.

use std::collections::BTreeMap;

use cupel::{ContextItem, ContextKind, ItemVariant};
use cupel_policy::Preset;
use cupel_session::{Action, Cause, Error, ItemTurn, Price, Session, Settings, State, ZONE_KEY};
use proptest::prelude::*;

#[derive(Debug, Clone)]
struct Candidate {
    content: u16,
    tokens: i64,
    group: Option<u8>,
    pinned: bool,
    zone: Option<&'static str>,
    shorter: bool,
}

impl Candidate {
    fn item(&self) -> ContextItem {
        let mut item = ContextItem::builder(format!("content {}", self.content), self.tokens)
            .pinned(self.pinned)
            .kind(ContextKind::document());
        if let Some(group) = self.group {
            item = item.group(format!("group {group}"));
        }
        if let Some(zone) = self.zone {
            item = item.metadata_entry(ZONE_KEY, zone);
        }
        if self.shorter && self.tokens > 4 {
            item =
                item.variant(ItemVariant::new(format!("short {}", self.content), self.tokens / 4));
        }
        item.build().unwrap()
    }
}

fn candidates() -> impl Strategy<Value = Candidate> {
    let zone = prop::sample::select(vec![None, None, None, None, Some("fixed"), Some("tail")]);
    let group = prop::option::weighted(0.3, 0..4_u8);
    let pinned = prop::bool::weighted(0.1);
    (0..200_u16, 0..40_i64, group, pinned, zone, any::<bool>()).prop_map(
        |(content, tokens, group, pinned, zone, shorter)| Candidate {
            // One content, one count.
            content: content / 40 * 40 + tokens as u16,
            tokens,
            group: group.filter(|_| zone.is_none()),
            pinned: pinned && zone.is_none(),
            zone,
            shorter,
        },
    )
}

/// What happens between two turns.
#[derive(Debug, Clone)]
enum Step {
    Come(Vec<Candidate>),
    Go(prop::sample::Index),
    Pin(prop::sample::Index),
    Edit(prop::sample::Index),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => prop::collection::vec(candidates(), 1..5).prop_map(Step::Come),
        1 => any::<prop::sample::Index>().prop_map(Step::Go),
        1 => any::<prop::sample::Index>().prop_map(Step::Pin),
        1 => any::<prop::sample::Index>().prop_map(Step::Edit),
    ];
    prop::collection::vec(step, 1..40)
}

/// A window as a cache sees it: contents in order.
fn contents(turn: &ItemTurn) -> Vec<(String, i64)> {
    turn.window.iter().map(|item| (item.content().to_owned(), item.tokens())).collect()
}

fn judge(turn: &ItemTurn, items: &[ContextItem], before: &[(String, i64)], budget: i64) {
    let report = &turn.report;
    let now = contents(turn);
    let tokens: i64 = now.iter().map(|(_, tokens)| tokens).sum();
    assert_eq!(tokens, report.tokens);
    assert!(tokens <= budget, "{report:?}");
    // The bill: what both begin with is read, the rest is written.
    let same = before.iter().zip(&now).take_while(|(one, other)| one == other);
    let read: i64 = same.map(|(_, (_, tokens))| tokens).sum();
    assert_eq!(
        (report.costs.read, report.costs.written, report.costs.plain),
        (read, tokens - read, 0)
    );
    assert_eq!(report.costs.thousandths, read * 100 + (tokens - read) * 1_250);
    // Groups are in or out whole, and what is pinned is in.
    let mut groups: BTreeMap<&str, [bool; 2]> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        let is_in = turn.indices.contains(&at);
        assert!(is_in || !item.pinned(), "{item:?} is out");
        if let Some(group) = item.group() {
            groups.entry(group).or_default()[usize::from(is_in)] = true;
        }
    }
    assert!(groups.values().all(|seen| *seen != [true, true]), "{groups:?}");
    let begins =
        before.len() <= now.len() && before.iter().zip(&now).all(|(one, other)| one == other);
    assert_eq!(report.prefix.is_whole(), begins, "{report:?}\n{before:?}\n{now:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn whatever_comes_and_goes_windows_fit_and_are_billed_exactly(
        steps in steps(),
        budget in 40..400_i64,
        preset in prop::sample::select(vec![Preset::Chat, Preset::ToolUse, Preset::LongRunning]),
    ) {
        let mut session = Session::new(budget).with_policy(preset.policy());
        let mut all: Vec<Candidate> = Vec::new();
        let mut before = Vec::new();
        for step in steps {
            match step {
                Step::Come(more) => all.extend(more),
                Step::Go(at) if !all.is_empty() => { all.remove(at.index(all.len())); }
                Step::Pin(at) if !all.is_empty() => {
                    let at = at.index(all.len());
                    all[at].pinned = all[at].zone.is_none();
                }
                Step::Edit(at) if !all.is_empty() => {
                    let at = at.index(all.len());
                    all[at].content += 40;
                }
                _ => {}
            }
            let items: Vec<ContextItem> = all.iter().map(Candidate::item).collect();
            let carried = State::read(&serde_json::to_string(session.state()).unwrap()).unwrap();
            prop_assert_eq!(&carried, session.state());
            let mut again = Session::resume(budget, carried).unwrap().with_policy(preset.policy());
            let turn = match session.next_items(&items) {
                Ok(turn) => turn,
                Err(Error::Engine(_)) => {
                    prop_assert_eq!(again.state(), session.state());
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            let other = again.next_items(&items).unwrap();
            prop_assert_eq!(contents(&turn), contents(&other));
            prop_assert_eq!(again.state(), session.state());
            judge(&turn, &items, &before, budget);
            before = contents(&turn);
            // What is for one turn only goes with it.
            all.retain(|it| it.zone != Some("tail"));
        }
    }
}

fn item(content: &str, tokens: i64) -> ContextItem {
    ContextItem::builder(content, tokens).build().unwrap()
}

fn named(turn: &ItemTurn) -> Vec<&str> {
    turn.window.iter().map(ContextItem::content).collect()
}

#[test]
fn new_items_come_behind_those_that_are_there_whatever_the_order_of_candidates() {
    let mut session = Session::new(100);
    session.next_items(&[item("a", 10), item("b", 10)]).unwrap();
    let turn = session.next_items(&[item("c", 10), item("b", 10), item("a", 10)]).unwrap();
    assert_eq!(named(&turn), ["a", "b", "c"]);
    assert!(turn.report.prefix.is_whole());
}

#[test]
fn what_is_pinned_later_comes_back_behind_the_history_and_breaks_nothing() {
    let mut session = Session::new(100).with_price(Price::PLAIN_PREFIX);
    let mut items: Vec<_> = (0..9).map(|at| item(&format!("item {at}"), 10)).collect();
    let turn = session.next_items(&items).unwrap();
    assert!(matches!(turn.report.action, Action::Cut(_)));
    let out = (0..9).find(|at| !turn.indices.contains(at)).unwrap();
    items[out] = ContextItem::builder(format!("item {out}"), 10).pinned(true).build().unwrap();
    let turn = session.next_items(&items).unwrap();
    assert!(turn.report.prefix.is_whole());
    assert_eq!(turn.window.last().unwrap().content(), format!("item {out}"));
}

#[test]
fn the_tail_is_last_and_its_going_is_no_surprise() {
    let mut session = Session::new(100);
    let tail = |content: &str| {
        ContextItem::builder(content, 5).metadata_entry(ZONE_KEY, "tail").build().unwrap()
    };
    session.next_items(&[tail("today it rains"), item("a", 10)]).unwrap();
    let turn = session.next_items(&[tail("now it snows"), item("a", 10), item("b", 10)]).unwrap();
    assert_eq!(named(&turn), ["a", "b", "now it snows"]);
    assert_eq!(turn.report.prefix.first_change.unwrap().cause, Cause::Tail);
}

#[test]
fn what_disappears_is_named_as_the_cause() {
    let mut session = Session::new(100);
    session.next_items(&[item("a", 10), item("b", 10)]).unwrap();
    let turn = session.next_items(&[item("b", 10)]).unwrap();
    assert_eq!(turn.report.prefix.first_change.unwrap().cause, Cause::Disappeared);
}

#[test]
fn what_must_stay_over_the_mark_is_said_once() {
    let mut session = Session::new(100).with_settings(Settings::default()).unwrap();
    let pinned = ContextItem::builder("pinned", 85).pinned(true).build().unwrap();
    let notes: Vec<usize> = (0..4)
        .map(|turn| {
            let mut items = vec![pinned.clone()];
            items.extend((0..turn).map(|at| item(&format!("item {at}"), 1)));
            session.next_items(&items).unwrap().report.notes.len()
        })
        .collect();
    assert_eq!(notes, [1, 0, 0, 0]);
}

#[test]
fn a_session_is_over_requests_or_over_items() {
    let mut session = Session::new(100);
    session.next_items(&[item("a", 10)]).unwrap();
    let request = cupel_messages::Request::read(r#"[{"role":"user","content":"hi"}]"#).unwrap();
    let refused = session.next(&request, &cupel_messages::Estimate).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "this session is one over items, and a request came; keep a session for each"
    );
}
