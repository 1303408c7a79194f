//! Which crate to count tokens with: three that carry OpenAI's vocabularies, on the same texts.
//!
//! `cargo run --release --bin tokenizers` compares on the sources and documents of this repository, or on the
//! files that are named. Every crate runs in a process of its own, so that loading is seen cold and a crate that
//! falls over takes no other along.

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs, panic};

#[path = "../corpus.rs"]
mod repository;

const CRATES: [&str; 3] = ["tiktoken", "bpe-openai", "tiktoken-rs"];
const REPEATS: usize = 5;

fn counter(name: &str) -> fn(&str) -> usize {
    match name {
        "tiktoken" => {
            |text| tiktoken::get_encoding("o200k_base").expect("it is built in").count(text)
        }
        "bpe-openai" => |text| bpe_openai::o200k_base().count(text),
        "tiktoken-rs" => |text| tiktoken_rs::o200k_base_singleton().count_ordinary(text),
        _ => panic!("no crate called {name:?}; there are {CRATES:?}"),
    }
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.split_first() {
        Some((flag, rest)) if flag == "--only" => measure(&rest[0], &rest[1..]),
        _ => {
            println!(
                "{:<12} {:>9} {:>10} {:>10}  worst cases, 2 MB each unless said",
                "crate", "load", "first", "again"
            );
            for name in CRATES {
                let program = env::current_exe().expect("a program knows itself");
                let status = Command::new(program).args(["--only", name]).args(&arguments).status();
                assert!(status.is_ok_and(|it| it.success()), "{name} failed");
            }
        }
    }
}

fn measure(name: &str, files: &[String]) {
    let count = counter(name);
    let text = corpus(files);
    let load = time(|| count("x")).0;
    let (first, tokens) = time(|| count(&text));
    let again = (0..REPEATS).map(|_| time(|| count(&text)).0).min().unwrap_or_default();
    let speed = |it: Duration| text.len() as f64 / 1e6 / it.as_secs_f64();
    print!(
        "{name:<12} {:>6.0} ms {:>5.0} MB/s {:>5.0} MB/s ",
        load.as_secs_f64() * 1e3,
        speed(first),
        speed(again)
    );
    panic::set_hook(Box::new(|_| ()));
    for (case, text) in worst_cases() {
        let (spent, outcome) = time(|| panic::catch_unwind(|| count(&text)));
        match outcome {
            Ok(_) => print!(" {case} {:.1} ms;", spent.as_secs_f64() * 1e3),
            Err(_) => print!(" {case} PANICS;"),
        }
    }
    println!(" {tokens} tokens in {} bytes", text.len());
}

fn time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = black_box(work());
    (start.elapsed(), result)
}

fn worst_cases() -> [(&'static str, String); 5] {
    let mut state = 1_u64;
    let letters = (0..2_000_000).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        char::from(b'a' + ((state >> 33) % 26) as u8)
    });
    [
        ("20,000 a", "a".repeat(20_000)),
        ("a", "a".repeat(2_000_000)),
        ("spaces", " ".repeat(2_000_000)),
        ("random letters", letters.collect()),
        ("CJK", "上下文窗口是有限的".repeat(74_000)),
    ]
}

/// The named files, or else what this repository says and does.
fn corpus(files: &[String]) -> String {
    if !files.is_empty() {
        let read =
            |file| String::from_utf8_lossy(&fs::read(file).expect("a readable file")).into_owned();
        return files.iter().map(read).collect();
    }
    repository::corpus(&["docs", "crates"], &["md", "rs"])
}
