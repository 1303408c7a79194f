//! Requests of a provider cut to half of their tokens: ours, and what Python programs use, in turns on the same data.
//!
//! ```console
//! $ cargo run --release --manifest-path bench/Cargo.toml --bin requests
//! ```

mod conversation;
#[path = "../../dice.rs"]
mod dice;
mod ours;
mod peer;
#[path = "../../python.rs"]
mod python;
#[path = "../../corpus.rs"]
mod repository;
#[path = "../../timing.rs"]
#[allow(dead_code, reason = "shared with a program that uses all of it")]
mod timing;

use std::process::ExitCode;

use clap::Parser;

use crate::conversation::{Texts, request};
use crate::ours::{Again, Call};
use crate::peer::{Peer, Trimmed};
use crate::timing::Quartiles;

/// Times reading, counting, cutting to half and writing a request, beside LangChain's `trim_messages` with tiktoken.
///
/// Installs langchain-core and tiktoken into a virtual environment first, which needs Python 3 and the network once.
#[derive(Parser, Debug)]
#[command(name = "requests", version = None::<&str>)]
struct Args {
    /// Leave Python out
    #[arg(long)]
    alone: bool,

    /// Numbers of messages, 20 at least: with fewer, what must stay can be more than half
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "NUMBERS",
        default_value = "100,1000",
        value_parser = clap::value_parser!(u32).range(20..)
    )]
    sizes: Vec<u32>,

    /// How many turns everybody takes, each on another conversation
    #[arg(long, default_value_t = 21)]
    turns: u64,
}

/// One turn of everybody.
struct Turn {
    tokens: i64,
    call: Call,
    again: Again,
    theirs: Option<Trimmed>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match measure(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn measure(args: &Args) -> Result<(), String> {
    let texts = Texts::of_this_repository();
    let mut peer = if args.alone { None } else { Some(Peer::start()?) };
    // The vocabulary is loaded once in a program's life.
    ours::tokens(&request(&texts.conversation(10, 0)));
    let mut sizes = Vec::new();
    for &size in &args.sizes {
        let turns =
            (0..args.turns.max(1)).map(|seed| turn(&texts, size as usize, seed, peer.as_mut()));
        sizes.push((size, turns.collect::<Result<Vec<_>, _>>()?));
    }
    print(&sizes);
    Ok(())
}

fn turn(texts: &Texts, size: usize, seed: u64, peer: Option<&mut Peer>) -> Result<Turn, String> {
    let messages = texts.conversation(size, seed);
    let text = request(&messages);

    let tokens = ours::tokens(&text);
    let budget = tokens / 2;
    let call = ours::call(&text, budget);
    let again = ours::again(&messages, &texts.one_more(seed), budget);
    let theirs = peer.map(|peer| peer.trim(&text, budget)).transpose()?;
    if let Some(theirs) =
        theirs.filter(|theirs| theirs.tokens.abs_diff(tokens) * 50 > tokens as u64)
    {
        return Err(format!(
            "counts differ by more than 2 %: ours {tokens}, theirs {}",
            theirs.tokens
        ));
    }
    Ok(Turn { tokens, call, again, theirs })
}

fn print(sizes: &[(u32, Vec<Turn>)]) {
    let head: Vec<String> = sizes.iter().map(|(size, _)| format!("{size} messages")).collect();
    println!("| median of {} turns | {} |", sizes[0].1.len(), head.join(" | "));
    println!("|---|{}", "---|".repeat(sizes.len()));
    let row = |name: &str, cell: &dyn Fn(&[Turn]) -> String| {
        let cells: Vec<String> = sizes.iter().map(|(_, turns)| cell(turns)).collect();
        println!("| {name} | {} |", cells.join(" | "));
    };
    let milliseconds = |of: fn(&Turn) -> f64| {
        move |turns: &[Turn]| format!("{:.2} ms", Quartiles::of(turns.iter().map(of)).median * 1e3)
    };
    let ratio = |of: fn(&Turn) -> f64| {
        move |turns: &[Turn]| {
            let Quartiles { lower, median, upper } = Quartiles::of(turns.iter().map(of));
            format!("{median:.1} x ({lower:.1} to {upper:.1})")
        }
    };
    let share = |of: fn(&Turn) -> f64| {
        move |turns: &[Turn]| format!("{:.1} %", Quartiles::of(turns.iter().map(of)).median * 100.0)
    };
    row("tokens", &|turns| {
        format!("{:.0}", Quartiles::of(turns.iter().map(|it| it.tokens as f64)).median)
    });
    row("ours", &milliseconds(|it| it.call.whole));
    row("of it reading JSON", &share(|it| it.call.reading / it.call.whole));
    row("of it counting", &share(|it| it.call.counting / it.call.whole));
    row("of it all beyond that, writing included", &share(|it| it.call.beyond() / it.call.whole));
    row("of that selecting", &share(|it| it.call.selecting / it.call.whole));
    row("ours, remembering counts: first call", &milliseconds(|it| it.again.first));
    row("second call, one more message, all text read again", &milliseconds(|it| it.again.text));
    row("first call to that", &ratio(|it| it.again.first / it.again.text));
    row("second call, message put to the kept request", &milliseconds(|it| it.again.kept));
    row("first call to that", &ratio(|it| it.again.first / it.again.kept));
    if sizes.iter().all(|(_, turns)| turns.iter().all(|it| it.theirs.is_some())) {
        let theirs = |it: &Turn| it.theirs.map_or(f64::NAN, |theirs| theirs.plain);
        let remembering = |it: &Turn| it.theirs.map_or(f64::NAN, |theirs| theirs.remembering);
        row("`trim_messages`", &milliseconds(theirs));
        row(
            "`trim_messages` to ours",
            &ratio(|it| it.theirs.map_or(f64::NAN, |peer| peer.plain / it.call.whole)),
        );
        row("`trim_messages` that counts each message once", &milliseconds(remembering));
        row(
            "that to ours",
            &ratio(|it| it.theirs.map_or(f64::NAN, |peer| peer.remembering / it.call.whole)),
        );
    }
}
