//! The page in a real browser: it renders, filters, moves with the slider, and nothing goes wrong.
//!
//! Needs Debian's chromium. `scripts/chromium.sh` installs it if it is absent and may be installed;
//! where it cannot be, each test says so and is skipped.

mod driver;

use serde_json::{Value, json};

use driver::{Browser, eval_page, page, page_of};

const CHAT: [&str; 5] =
    ["examples/data/support-chat.jsonl", "--budget", "1500", "--output-reserve", "300"];

/// Items of `kinds` kinds, each of a few tokens.
fn many(items: usize, kinds: usize) -> Vec<Value> {
    let item = |at: usize| {
        json!({
            "id": format!("rec-{at}"), "kind": format!("Kind {}", at % kinds), "tokens": 3 + at % 5,
            "content": format!("Item {at} of many"), "priority": at % 10,
            "timestamp": format!("2026-01-01T{:02}:{:02}:00Z", at / 60 % 24, at % 60),
        })
    };
    (0..items).map(item).collect()
}

#[test]
fn the_page_renders_filters_and_moves_with_the_slider() {
    let Some(browser) = Browser::find() else { return };
    let page = page(&CHAT);
    for width in [1400, 380] {
        let report = browser.run(&page, width, include_str!("controls.js"));
        let number = |state: &str, what: &str| report[state][what].as_u64().unwrap();

        assert_eq!((number("start", "in"), number("start", "out")), (41, 21));
        assert_eq!(number("start", "segments"), 41);
        assert_eq!(report["start"]["used"], "1,191");
        assert_eq!(report["start"]["changeShown"], false);

        // The last item repeats another, which is in the window.
        assert_eq!((number("searched", "in"), number("searched", "out")), (1, 1));
        assert_eq!((number("searchedInVain", "in"), number("searchedInVain", "out")), (0, 0));
        assert_eq!((number("searchedId", "in"), number("searchedId", "out")), (1, 0));
        assert_eq!(report["oneKind"]["kind"], "SystemPrompt");
        assert_eq!((number("oneKind", "in"), number("oneKind", "out")), (1, 0));
        assert_eq!((number("oneReason", "in"), number("oneReason", "out")), (0, 19));

        assert!(report["steps"].as_u64().unwrap() >= 35);
        assert_eq!((number("smallest", "in"), number("smallest", "segments")), (1, 1));
        assert_eq!((number("largest", "in"), number("largest", "out")), (60, 2));
        assert_eq!(number("largest", "entered"), 19);
        assert_eq!(report["largest"]["changeShown"], true);
        assert_eq!(report["largest"]["spoken"], "3,158 tokens, 60 of 62 items in the window");
        assert_eq!(report["end"], report["start"]);

        assert_eq!(report["markIsAtThumb"], true);
        assert_eq!(report["themeSwitched"], true);
        assert_eq!(report["revealed"], 1);
        for state in ["start", "smallest", "largest", "end"] {
            assert_eq!(
                report[state]["overflow"], 0,
                "nothing sticks out at {width} pixels, {state}"
            );
        }
    }
}

#[test]
fn a_window_placed_in_a_u_is_a_page_too() {
    let Some(browser) = Browser::find() else { return };
    let page = page(&["examples/data/rag-candidates.json", "--budget", "500", "--policy", "rag"]);
    let report = browser.run(&page, 380, include_str!("controls.js"));
    assert_eq!(report["smallest"]["in"], 2, "the two pinned items");
    assert!(report["largest"]["in"].as_u64() > report["start"]["in"].as_u64());
    assert_eq!(report["largest"]["overflow"], 0);
}

#[test]
fn the_page_of_a_request_renders_and_moves_with_the_slider() {
    let Some(browser) = Browser::find() else { return };
    let agent = "examples/data/library-agent.openai.json";
    let page = page(&[agent, "--budget", "3600", "--output-reserve", "500"]);
    for width in [1400, 380] {
        let report = browser.run(&page, width, include_str!("controls.js"));
        // Tools and what a request costs by itself are in the window beside the messages.
        assert_eq!((&report["start"]["in"], &report["start"]["out"]), (&json!(54), &json!(9)));
        assert_eq!(report["start"]["used"], "3,083");
        assert_eq!((&report["largest"]["in"], &report["largest"]["out"]), (&json!(63), &json!(0)));
        assert_eq!(report["end"], report["start"]);
        for state in ["start", "smallest", "largest"] {
            assert_eq!(report[state]["overflow"], 0, "{state} at {width}");
        }
    }
}

#[test]
fn every_item_of_a_large_window_is_seen_in_the_strip() {
    let Some(browser) = Browser::find() else { return };
    let page = page_of(&many(2000, 3), &["--budget", "12000"]);
    let report = browser.run(&page, 1400, include_str!("strip.js"));
    assert_eq!(report["items"], 2000, "more than there are pixels");
    assert!(report["items"].as_u64() > report["width"].as_u64());
    assert_eq!(report["blank"], 0, "every column of pixels has the colour of a kind");
    assert_eq!(report["colours"], 3);
    assert_eq!(report["oneFoundIsSeen"], true, "a single match among 2,000 stands out");
}

#[test]
fn ninety_thousand_items_are_one_page() {
    let Some(browser) = Browser::find() else { return };
    let page = page_of(&many(90_000, 5), &["--budget", "40000"]);
    assert!(page.len() < 40_000_000, "{} bytes", page.len());
    let report = browser.run(&page, 1400, include_str!("controls.js"));
    assert_eq!((&report["start"]["in"], &report["start"]["out"]), (&json!(300), &json!(299)));
    assert_eq!(report["largest"]["segments"], 90_000);
    assert_eq!(report["revealed"], 1);
}

#[test]
fn the_keyboard_reaches_everything_in_few_steps() {
    let Some(browser) = Browser::find() else { return };
    let page = page_of(&many(2000, 3), &["--budget", "6000"]);
    let report = browser.run(&page, 1400, include_str!("keyboard.js"));
    // The theme, the slider, the strip, the search, four filters, two lists and their ends.
    assert_eq!(report["tabStops"], 12, "{report:#}");
    assert_eq!(report["strip"]["first"], 1);
    assert_eq!(report["strip"]["afterRight"], 2);
    assert_eq!(report["strip"]["afterEnd"], report["strip"]["items"]);
    assert_eq!(report["strip"]["described"], true);
    assert_eq!(report["strip"]["enterOpens"], true);
    assert_eq!(report["list"]["afterDown"], 1);
    assert_eq!(report["list"]["afterEnd"], 299);
    assert_eq!(report["list"]["stops"], 1);
    assert_eq!(report["focusAfterMore"], 300, "on the first of the new rows");
    assert_eq!(report["focusAfterChip"], true);
    assert_eq!(report["focusAfterReset"], "budget");
}

#[test]
fn texts_and_colours_stand_out_in_both_themes() {
    let Some(browser) = Browser::find() else { return };
    let report = browser.run(&page(&CHAT), 1400, include_str!("contrast.js"));
    for theme in ["light", "dark"] {
        let (seen, worst) = (&report[theme], &report[theme]["worst"]);
        assert!(seen["texts"].as_u64() > Some(300), "{seen}");
        assert!(worst["ratio"].as_f64() >= Some(4.5), "{theme}: {worst}");
        assert!(seen["placeholder"].as_f64() >= Some(4.5), "{theme}: {seen}");
        assert!(seen["faintestKind"].as_f64() >= Some(3.0), "{theme}: {seen}");
        // In OKLab, where black and white are 1 apart, for people who lack one kind of cone, too.
        assert!(seen["closestKinds"].as_f64() >= Some(0.08), "{theme}: {seen}");
    }
}

#[test]
fn fifty_one_kinds_besides_the_well_known_all_look_different() {
    let Some(browser) = Browser::find() else { return };
    let page = page_of(&many(400, 51), &["--budget", "1000"]);
    let looks = "() => {
        document.querySelector('#kinds .chip:not([data-value])').click();
        const dots = [...document.querySelectorAll('#kinds .dot')].map(dot => getComputedStyle(dot));
        return { kinds: dots.length, looks: new Set(dots.map(it => it.backgroundColor + it.backgroundImage)).size };
    }";
    assert_eq!(browser.run(&page, 1400, looks), json!({ "errors": [], "kinds": 51, "looks": 51 }));
}

#[test]
fn characters_that_reorder_text_are_shown_and_do_not() {
    let Some(browser) = Browser::find() else { return };
    let override_ = "pay \u{202e}001$\u{2066} now\u{7}";
    let item = json!({
        "id": override_, "kind": override_, "content": override_, "tags": [override_], "tokens": 3
    });
    let page = page_of(&[item, json!({ "content": "שלום (world)", "tokens": 3 })], &["-b", "9"]);
    let looks = "() => {
        document.querySelectorAll('details').forEach(it => it.open = true);
        return settled().then(() => ({
            unseen: /[\\u0000-\\u0008\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.innerText),
            shown: document.querySelector('#item-1 .text').textContent,
            direction: ['#item-1', '#item-2'].map(it => getComputedStyle(document.querySelector(it + ' .text')).direction),
            isolated: [...document.querySelectorAll('.text[dir], .k:not(.heads .k), dd, pre')].every(it => getComputedStyle(it).unicodeBidi !== 'normal'),
        }));
    }";
    let report = browser.run(&page, 1400, looks);
    assert_eq!(report["unseen"], false);
    assert_eq!(report["shown"], "pay <U+202E>001$<U+2066> now␇");
    assert_eq!(report["direction"], json!(["ltr", "rtl"]));
    assert_eq!(report["isolated"], true);
}

#[test]
fn numbers_have_headings_and_bars_a_scale() {
    let Some(browser) = Browser::find() else { return };
    let looks = "() => {
        const right = (of, what) => document.querySelector(of + ' ' + what).getBoundingClientRect();
        const above = what => Math.abs(right('.heads', what).left - right('#in .row', what).left) < 1;
        return {
            heads: [...document.querySelector('.heads').children].map(it => it.textContent),
            aligned: ['.n', '.t', '.s', '.p', '.k'].every(above),
            scales: ['scale', 'in-count', 'out-count'].map(id => document.getElementById(id).textContent.includes('best') && document.getElementById(id).textContent.includes('0.85')),
        };
    }";
    for width in [1400, 380] {
        let report = browser.run(&page(&CHAT), width, looks);
        assert_eq!(
            report["heads"],
            json!(["item", "tokens", "score", "per 1k", "kind", "content"])
        );
        assert_eq!(report["aligned"], true, "at {width} pixels");
        assert_eq!(report["scales"], json!([true, true, true]));
    }
}

#[test]
fn an_opened_item_tells_what_each_scorer_contributed() {
    let Some(browser) = Browser::find() else { return };
    let looks = "() => {
        const item = document.querySelector('#item-59');
        item.open = true;
        return settled().then(() => ({
            parts: [...item.querySelectorAll('.parts tr')].map(line => [...line.children].slice(0, 4).map(it => it.textContent)),
        }));
    }";
    let report = browser.run(&page(&CHAT), 1400, looks);
    assert_eq!(
        report["parts"],
        json!([
            ["scorer", "gave", "× weight", "= adds"],
            ["recency", "0.933", "0.75", "0.7"],
            ["kind", "0.6", "0.25", "0.15"],
        ])
    );
}

const AGENT: [&str; 5] = [
    "examples/data/archive-agent.jsonl",
    "--budget",
    "700",
    "--policy",
    "examples/policies/agent-turns.json",
];

#[test]
fn what_stays_together_is_joined_and_found_by_its_group() {
    let Some(browser) = Browser::find() else { return };
    let looks = "async () => {
        const units = () => [...document.querySelectorAll('.unit')].map(unit => ({
            label: unit.querySelector('.label').textContent,
            rows: [...unit.querySelectorAll('.row')].map(row => row.id),
        }));
        const touching = [...document.querySelectorAll('.unit')].every(unit => {
            const boxes = [...unit.querySelectorAll('.row')].map(row => row.getBoundingClientRect());
            return boxes.slice(1).every((box, at) => box.top <= boxes[at].bottom && box.left === boxes[at].left);
        });
        const aligned = new Set([...document.querySelectorAll('#in .row')].map(row => row.getBoundingClientRect().left)).size;
        const all = units();
        const search = document.getElementById('search');
        search.value = 'CALL_05';
        search.dispatchEvent(new Event('input'));
        await settled();
        const found = units();
        return { all, found, touching, aligned, overflow: document.documentElement.scrollWidth - innerWidth };
    }";
    for width in [1400, 380] {
        let report = browser.run(&page(&AGENT), width, looks);
        let units = report["all"].as_array().unwrap();
        assert_eq!(units.len(), 8, "{report:#}");
        assert!(units.iter().all(|unit| unit["rows"].as_array().unwrap().len() == 2));
        assert_eq!(
            report["found"],
            json!([{ "label": "together: call_05, 2 items, 40 tokens", "rows": ["item-12", "item-13"] }])
        );
        assert_eq!((&report["touching"], &report["aligned"]), (&json!(true), &json!(1)));
        assert!(report["overflow"].as_i64() <= Some(0), "{report:#}");
    }
}

#[test]
fn what_is_shortened_is_marked_and_all_its_forms_can_be_read() {
    let Some(browser) = Browser::find() else { return };
    let looks = "async () => {
        const row = document.getElementById('item-19');
        row.open = true;
        await settled();
        const forms = () => [...row.querySelectorAll('.forms button')].map(it => [it.textContent, it.getAttribute('aria-pressed')]);
        const shown = () => row.querySelector('pre').textContent.slice(0, 20);
        const before = [forms(), shown()];
        row.querySelector('.forms button').click();
        return {
            tokens: row.querySelector('.t').firstChild.textContent, mark: row.querySelector('.short').textContent,
            why: row.querySelector('.why').textContent, before, after: [forms(), shown()],
            used: document.getElementById('used').textContent,
        };
    }";
    let report = browser.run(&page(&AGENT), 1400, looks);
    let (is, of) = ("form 1 of 1, 48 tokens", "whole, 976 tokens");
    assert_eq!((&report["tokens"], &report["mark"]), (&json!("48"), &json!("shortened 1/1, −928")));
    let why = report["why"].as_str().unwrap();
    assert!(why.contains("more tokens would bring it back whole"), "{why}");
    assert_eq!(report["before"], json!([[[of, "false"], [is, "true"]], "entries has 40 index"]));
    assert_eq!(report["after"], json!([[[of, "true"], [is, "false"]], "-- entries, 31 colum"]));
}

#[test]
fn the_sample_with_groups_and_forms_stands_out_in_both_themes() {
    let Some(browser) = Browser::find() else { return };
    let report = browser.run(&page(&AGENT), 1400, include_str!("contrast.js"));
    for theme in ["light", "dark"] {
        assert!(report[theme]["worst"]["ratio"].as_f64() >= Some(4.5), "{theme}: {report:#}");
    }
    let mut small = AGENT;
    small[2] = "400";
    let plain = browser.look_without_script(&page(&small), 380, include_str!("plain.js"));
    assert_eq!((&plain["in"], &plain["out"]), (&json!(17), &json!(8)));
    assert_eq!((&plain["deadControls"], &plain["overflow"]), (&json!(0), &json!(0)));
    let remedy = plain["remedy"].as_str().unwrap();
    assert!(remedy.contains("would let both of its group in, shortened"), "{remedy}");
}

#[test]
fn without_javascript_there_is_a_list_to_read() {
    let Some(browser) = Browser::find() else { return };
    let report = browser.look_without_script(&page(&CHAT), 380, include_str!("plain.js"));
    assert_eq!((&report["in"], &report["out"]), (&json!(41), &json!(21)));
    assert_eq!(report["second"], "#4 23 0.20 8.70 Memory");
    assert_eq!(report["reasons"], json!(["Did not fit", "Repeats something kept"]));
    assert_eq!(
        report["remedy"],
        "60 tokens left at its turn; 133 more tokens would let it in, pushing out #17"
    );
    assert_eq!(report["contentOpens"], true);
    assert_eq!(report["deadControls"], 0, "nothing that would need the script is shown");
    assert_eq!(report["overflow"], 0);
}

#[test]
fn the_page_of_a_measurement_has_a_curve_for_each_policy_and_fits_every_width() {
    let Some(browser) = Browser::find() else { return };
    let set = ["examples/eval/library.jsonl", "--budgets", "250,500,1000", "--missed=3"];
    let page = eval_page(&set);
    let look = "page => ({
        curves: [...page.querySelectorAll('svg polyline, svg path')].filter(it => it.getBoundingClientRect().width > 100).length,
        names: [...page.querySelectorAll('svg text')].map(it => it.textContent).filter(it => /^(answer|rag|last-n|ceiling) /.test(it)).length,
        rows: page.querySelector('table.numbers').tBodies[0].rows.length,
        missed: page.querySelectorAll('.question').length,
        overflow: page.documentElement.scrollWidth - page.documentElement.clientWidth,
    })";
    for width in [1400, 380] {
        let seen = browser.look_without_script(&page, width, look);
        assert!(seen["curves"].as_u64() >= Some(4), "{seen}");
        assert_eq!(
            (&seen["names"], &seen["rows"], &seen["missed"]),
            (&json!(4), &json!(4), &json!(3))
        );
        assert_eq!(seen["overflow"], 0, "at {width}: {seen}");
    }
}
