//! The best of many passages for a question: ours, tantivy, and what Python programs use, in turns on the same data.
//!
//! ```console
//! $ cargo run --release --manifest-path bench/Cargo.toml --bin relevance
//! ```

#[path = "../../dice.rs"]
mod dice;
mod floor;
mod growth;
mod memory;
mod ours;
mod passages;
mod peer;
#[path = "../../python.rs"]
mod python;
#[path = "../../corpus.rs"]
mod repository;
mod table;
mod theirs;
#[path = "../../timing.rs"]
#[allow(dead_code, reason = "shared with a program that uses all of it")]
mod timing;
mod turn;

use std::process::ExitCode;

use clap::Parser;

use crate::passages::{Texts, items};
use crate::peer::Peers;
use crate::table::Size;
use crate::turn::Field;

/// How many passages everybody gives.
const TOP: usize = 100;

/// How many questions a kept index is asked in a turn.
const QUESTIONS: usize = 16;

/// Times finding the best 100 of many passages for a question, beside tantivy, bm25s and rank_bm25.
///
/// Installs the latter two into a virtual environment first, which needs Python 3 and the network once.
#[derive(Parser, Debug)]
#[command(name = "relevance", version = None::<&str>)]
struct Args {
    /// Leave Python out
    #[arg(long)]
    alone: bool,

    /// Numbers of passages
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "NUMBERS",
        default_value = "1000,10000",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    sizes: Vec<u32>,

    /// How many words a passage has
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..10_000))]
    words: u32,

    /// How many turns everybody takes, each with other questions
    #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u64).range(1..))]
    turns: u64,

    /// Leave out how time grows, which is measured on up to 100,000 passages
    #[arg(long)]
    no_growth: bool,
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
    let mut peers = if args.alone { None } else { Some(Peers::start()?) };
    let mut sizes = Vec::new();
    for &size in &args.sizes {
        sizes.push(size_of(&texts, size as usize, args, peers.as_mut())?);
    }
    table::print(&sizes);
    if !args.no_growth {
        growth::print(&texts, args.turns.min(7));
    }
    Ok(())
}

fn size_of(
    texts: &Texts,
    passages: usize,
    args: &Args,
    mut peers: Option<&mut Peers>,
) -> Result<Size, String> {
    let texts_of_passages = texts.passages(passages, args.words as usize);
    let items = items(&texts_of_passages, false);
    let kept_bytes = memory::kept(|| ours::indexed(&items));
    drop(items);
    if let Some(peers) = peers.as_mut() {
        peers.index(&texts_of_passages)?;
    }
    let field = Field::of(&texts_of_passages)?;
    let turn = |number| {
        let questions = texts.questions(QUESTIONS, number);
        field.turn(number, &questions, peers.as_deref_mut())
    };
    Ok(Size {
        passages,
        text_bytes: texts_of_passages.iter().map(String::len).sum(),
        kept_bytes,
        tantivy_bytes: field.tantivy_bytes() as usize,
        turns: (0..args.turns).map(turn).collect::<Result<_, _>>()?,
    })
}
