//! The providers' own SDKs as judges: their types read what we write.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use cupel_messages::{Format, Image, Options, Request, Shorten};
use serde_json::{Value, json};

use crate::generate::{self, Health};
use crate::recount::Characters;

/// Requests of all formats, sound and broken ones, cut to several budgets.
fn cut_requests() -> Vec<Value> {
    let options = Options::new().shorten(Shorten { over: 300, to: 120 });
    let mut cases = Vec::new();
    for seed in 0..60_u32 {
        let bytes: Vec<u8> = (0..60_u32)
            .map(|at| ((at + 997 * seed).wrapping_mul(2_654_435_761) >> 13) as u8)
            .collect();
        let health = if seed % 2 == 0 { Health::Sound } else { Health::Broken };
        for format in Format::ALL {
            let text = generate::request(format, health, &bytes);
            let request = Request::read_as(text, format).unwrap();
            let Ok(prepared) = request.prepare(&options, &Characters) else { continue };
            let (least, total) = (prepared.least().total(), prepared.total().total());
            for budget in [least, (least + total) / 2, total] {
                let Ok(fitted) = prepared.fit(budget) else { continue };
                let request: Value = serde_json::from_str(&fitted.text).unwrap();
                cases.push(json!({"format": format.name(), "request": request}));
            }
        }
    }
    cases
}

/// Requests of all formats, made by the builder.
fn built_requests() -> Vec<Value> {
    let built = |format: Format| {
        let shown = Request::builder(format).model("m").system("Be brief.").user("Look.");
        let shown = shown.image(Image::new("image/png", b"\x89PNG"));
        let shown = shown.image(Image::url("https://example.com/a.png")).assistant("Well.");
        let called = shown.call("c1", "f", json!({"q": 1})).call("c2", "g", json!({}));
        let request = called.result("c1", "1").result("c2", "").user("And?").build().unwrap();
        let request: Value = serde_json::from_str(request.text()).unwrap();
        json!({"format": format.name(), "request": request})
    };
    Format::ALL.into_iter().map(built).collect()
}

/// Past the test runner, which shows what tests print only when they fail.
fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: the providers' SDKs as judges: {why}");
}

#[test]
fn the_providers_sdks_read_what_we_write() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/judge");
    let spawned = Command::new(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut judge = match spawned {
        Ok(judge) => judge,
        Err(error) => {
            return skipped(&format!("scripts/judge cannot be started here: {error}"));
        }
    };
    let mut cases = cut_requests();
    assert!(cases.len() > 400, "{}", cases.len());
    cases.extend(built_requests());
    let lines: String = cases.iter().map(|case| format!("{case}\n")).collect();
    let mut input = judge.stdin.take().unwrap();
    // Fails when the judge gives up early; what it says then is looked at below.
    let writing = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = judge.wait_with_output().unwrap();
    let _ = writing.join();
    let (said, complained) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(3) {
        return skipped(&format!("the SDKs cannot be had: {complained}"));
    }
    assert!(output.status.success(), "{said}\n{complained}");
    println!("{said}");
}
