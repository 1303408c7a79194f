//! Requests: full of ties, duplicates, zeroes and extremes, and some of them damaged.

use serde_json::{Map, Value, json};

use crate::random::Random;

const KINDS: [&str; 7] =
    ["Message", "Document", "ToolOutput", "memory", "SystemPrompt", "Note", "TOOLOUTPUT"];
const TAGS: [&str; 7] = ["a", "A", "b", "urgent", "a longer tag", "Urgent", "ünï"];
const TIMES: [&str; 9] = [
    "2025-06-01T09:00:00Z",
    "2025-06-01T09:00:00.000000001Z",
    "2025-06-01T11:00:00+02:00",
    "2025-05-31T00:00:00Z",
    "2024-02-29T23:59:59.5Z",
    "1969-12-31T23:59:59Z",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "1700-01-01T00:00:00.25Z",
];
const PRESETS: [&str; 7] =
    ["chat", "codeReview", "rag", "documentQa", "toolUse", "longRunning", "debugging"];

/// One line of a batch.
pub(crate) fn request(random: &mut Random) -> Vec<u8> {
    let request = json!({
        "items": items(random),
        "budget": budget(random),
        "policy": policy(random),
    });
    let mut bytes = request.to_string().into_bytes();
    if random.one_in(16) {
        damage(&mut bytes, random);
    }
    bytes
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len() as u64) as usize;
    match random.below(3) {
        0 => bytes.truncate(at),
        1 => bytes[at] = *random.pick(b"\"{}[]:,0e-.x\xff "),
        _ => drop(bytes.remove(at)),
    }
}

fn items(random: &mut Random) -> Vec<Value> {
    let most = *random.pick(&[3, 8, 24, 40, 150]);
    let count = random.below(most + 1);
    // Fewer different texts than items: duplicates.
    let texts = 1 + random.below(2 * most);
    (0..count).map(|_| item(random, texts)).collect()
}

fn item(random: &mut Random, texts: u64) -> Value {
    let mut item = Map::new();
    let mut set = |key: &str, value: Value| drop(item.insert(key.to_owned(), value));
    set("content", content(random.below(texts)).into());
    set("tokens", tokens(random).into());
    if !random.one_in(4) {
        set("kind", (*random.pick(&KINDS)).into());
    }
    if random.one_in(5) {
        set("source", (*random.pick(&["Tool", "rag", "elsewhere"])).into());
    }
    if random.one_in(2) {
        let priority = match random.below(12) {
            0 => i64::MAX - random.below(2) as i64,
            1 => i64::MIN + random.below(2) as i64,
            2 => (1 << 53) + random.below(3) as i64,
            _ => random.below(5) as i64 - 1,
        };
        set("priority", priority.into());
    }
    if random.one_in(2) {
        let tags: Vec<_> = (0..random.below(9)).map(|_| *random.pick(&TAGS)).collect();
        set("tags", json!(tags));
    }
    if random.one_in(4) {
        let trust = *random.pick(&["0.5", "1", "2", "-1", "NaN", "no number"]);
        set("metadata", json!({ "cupel:trust": trust, "team": *random.pick(&["red", "blue"]) }));
    }
    if !random.one_in(3) {
        set("timestamp", (*random.pick(&TIMES)).into());
    }
    if !random.one_in(3) {
        set("futureRelevanceHint", hint(random));
    }
    if random.one_in(12) {
        set("pinned", true.into());
    }
    if random.one_in(12) {
        set("originalTokens", tokens(random).into());
    }
    Value::Object(item)
}

fn content(number: u64) -> String {
    match number % 5 {
        0 => format!("text {number}"),
        1 => format!("{number} {}", "a sentence that goes on. ".repeat(number as usize % 9)),
        // Alike at head, middle and tail.
        2 => format!("{}{number:04}{}", "x".repeat(40), "x".repeat(40)),
        3 => format!("«{number}» 漢字 🙂"),
        _ => format!("line\n\t\"{number}\""),
    }
}

fn tokens(random: &mut Random) -> i64 {
    match random.below(40) {
        0 => -1,
        1 => i64::MAX,
        2 => i64::MAX / 2,
        3..7 => 0,
        _ => random.below(60) as i64,
    }
}

fn hint(random: &mut Random) -> Value {
    match random.below(12) {
        0 => "NaN".into(),
        1 => "-Infinity".into(),
        2 => "Infinity".into(),
        3 => json!(-0.0),
        4 => json!(1.5),
        _ => json!(random.below(11) as f64 / 10.0),
    }
}

fn budget(random: &mut Random) -> Value {
    let max = match random.below(10) {
        0 => 0,
        1 => i64::MAX,
        _ => random.below(1500) as i64,
    };
    let target = if random.one_in(2) { max } else { max / 2 };
    let mut budget = json!({ "maxTokens": max, "targetTokens": target });
    if random.one_in(3) {
        budget["outputReserve"] = (max / *random.pick(&[1, 3, 10])).into();
    }
    if random.one_in(4) {
        budget["reservedSlots"] = json!({ "Memory": random.below(100), "Note": random.below(30) });
    }
    if random.one_in(4) {
        budget["estimationSafetyMarginPercent"] = json!(random.below(205) as f64 / 2.0);
    }
    budget
}

fn policy(random: &mut Random) -> Value {
    if random.one_in(4) {
        return (*random.pick(&PRESETS)).into();
    }
    let scorers: Vec<_> = (0..1 + random.below(3)).map(|_| scorer(random, 3)).collect();
    let mut policy = json!({ "scorers": scorers });
    match random.below(3) {
        0 => {
            policy["slicerType"] = "knapsack".into();
            policy["knapsackBucketSize"] = (*random.pick(&[1, 7, 100])).into();
        }
        1 => policy["slicerType"] = "greedy".into(),
        _ => {}
    }
    if random.one_in(3) {
        policy["quotas"] = json!([
            { "kind": "ToolOutput", "minPercent": random.below(60), "maxPercent": 60 + random.below(41) },
            { "kind": "Message", "maxPercent": random.below(101) },
        ]);
    }
    if random.one_in(3) {
        let required = random.below(3);
        policy["countQuotas"] = json!([
            { "kind": "Note", "requireCount": required, "capCount": required + random.below(3) },
            { "kind": "message", "capCount": random.below(4) },
            { "kind": "Document", "requireCount": random.below(2) },
        ]);
        policy["scarcityBehavior"] = (*random.pick(&["degrade", "degrade", "throw"])).into();
    }
    if random.one_in(2) {
        policy["placerType"] = "uShaped".into();
    }
    if random.one_in(4) {
        policy["deduplicationEnabled"] = false.into();
    }
    policy["overflowStrategy"] = (*random.pick(&["throw", "truncate", "proceed"])).into();
    policy
}

fn scorer(random: &mut Random, depth: u64) -> Value {
    let kinds = if depth == 0 { 9 } else { 11 };
    let mut scorer = match random.below(kinds) {
        0 => json!({ "type": "recency" }),
        1 => json!({ "type": "priority" }),
        2 => json!({ "type": "frequency" }),
        3 => json!({ "type": "reflexive" }),
        4 if random.one_in(2) => json!({ "type": "kind" }),
        4 => json!({ "type": "kind", "kindWeights": { "Note": 2, "MESSAGE": 0.3 } }),
        5 => json!({
            "type": "tag",
            "tagWeights": { "a": 1, "urgent": 2.5, "ünï": 0.1 },
            "tagComparison": *random.pick(&["ordinal", "asciiCaseInsensitive"]),
        }),
        6 => json!({ "type": "metadataTrust", "defaultScore": 0.25 }),
        7 => json!({ "type": "metadataKey", "key": "team", "value": "red", "boost": 1.5 }),
        8 => json!({ "type": "decay", "referenceTime": TIMES[0], "curve": curve(random) }),
        9 => json!({ "type": "scaled", "innerScorer": scorer(random, depth - 1) }),
        _ => {
            let children: Vec<_> =
                (0..1 + random.below(2)).map(|_| scorer(random, depth - 1)).collect();
            json!({ "type": "composite", "scorers": children })
        }
    };
    scorer["weight"] = json!(*random.pick(&[1.0, 3.0, 0.3, 2.0]));
    scorer
}

fn curve(random: &mut Random) -> Value {
    match random.below(3) {
        0 => json!({ "type": "exponential", "halfLifeSeconds": 86400 }),
        1 => json!({ "type": "window", "maxAgeSeconds": 3600.5 }),
        _ => json!({
            "type": "step",
            "windows": [
                { "maxAgeSeconds": 0.5, "score": 1 },
                { "maxAgeSeconds": 3600, "score": 0.5 },
                { "maxAgeSeconds": 1e9, "score": 0.1 },
            ],
        }),
    }
}
