//! How many instructions a turn takes that only puts new messages behind what was sent: counted by valgrind, and held to be
//! the same for late turns as for early ones.
//!
//! ```console
//! $ cargo bench -p cupel-session --bench turns
//! ```
//!
//! This program starts itself under valgrind with so many turns; what the turns between two such runs take is their
//! difference.

use std::process::{Command, ExitCode, Stdio};

use cupel_messages::{Estimate, Request};
use cupel_session::{Conversation, Session, Settings};

/// Late turns may take so many times the instructions of early ones: memory that grows is moved now and then.
const LIMIT: f64 = 1.15;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if let [how, turns] = args.as_slice() {
        play(how, turns.parse().expect("a number of turns"));
        return ExitCode::SUCCESS;
    }
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("SKIPPED: valgrind not found, so no instruction was counted");
        return ExitCode::SUCCESS;
    }
    println!("instructions a turn          turns 10 to 60   turns 350 to 400");
    let mut failed = false;
    for (how, is_held) in [("held", true), ("held, breakpoints", true), ("state each turn", false)]
    {
        let mean =
            |from: usize, to: usize| (count(how, to) - count(how, from)) / (to - from) as f64;
        let (early, late) = (mean(10, 60), mean(350, 400));
        println!("{how:<28} {early:>14.0}   {late:>16.0}   {:.2}x", late / early);
        failed |= is_held && late > early * LIMIT;
    }
    if failed {
        println!("a turn that only appends costs more the longer its history is");
    }
    ExitCode::from(u8::from(failed))
}

/// A conversation of so many turns of the same size.
fn play(how: &str, turns: usize) {
    let start = r#"{"model":"claude-sonnet-4-5","max_tokens":9,"system":"Be brief.","messages":[{"role":"user","content":"Go on."}]}"#;
    let request = Request::read(start).expect("a request");
    let settings = Settings { breakpoints: how == "held, breakpoints", ..Settings::default() };
    let session = Session::new(100_000_000).with_settings(settings).expect("marks that make sense");
    let words = "the build fails when the cache is cold ".repeat(12);
    let message = |turn: usize| {
        let id = format!("call_{turn:06}");
        let call = format!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"look","input":{{"at":1}}}}]}}"#
        );
        let answer = format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"{words}"}}]}}"#
        );
        [call, answer]
    };
    if how == "state each turn" {
        let (mut session, mut request) = (session, request);
        for turn in 0..turns {
            session.next(&request, &Estimate).expect("a turn");
            message(turn).iter().for_each(|it| request.push(it).expect("a message"));
        }
        return;
    }
    let mut conversation = Conversation::new(session, request);
    for turn in 0..turns {
        let report = conversation.next(&Estimate).expect("a turn");
        assert!(report.prefix.is_whole());
        message(turn).iter().for_each(|it| conversation.push(it).expect("a message"));
    }
}

/// How many instructions that takes.
fn count(how: &str, turns: usize) -> f64 {
    let own = std::env::current_exe().expect("this program");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(own)
        .args([how, &turns.to_string()])
        .output()
        .expect("valgrind starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let counted = said.lines().find_map(|line| line.split("Collected : ").nth(1));
    counted.and_then(|count| count.trim().parse().ok()).expect("a count")
}
