//! What was measured, as a table in Markdown.

use crate::timing::Quartiles;
use crate::turn::{Asked, Turn};

/// What was measured on so many passages.
pub(crate) struct Size {
    pub(crate) passages: usize,
    pub(crate) text_bytes: usize,
    pub(crate) kept_bytes: usize,
    pub(crate) tantivy_bytes: usize,
    pub(crate) turns: Vec<Turn>,
}

type OfTurn<'a> = &'a dyn Fn(&Turn) -> f64;

pub(crate) fn print(sizes: &[Size]) {
    let head: Vec<_> = sizes.iter().map(|size| format!("{} passages", size.passages)).collect();
    println!("| median of {} turns | {} |", sizes[0].turns.len(), head.join(" | "));
    println!("|---|{}", "---|".repeat(sizes.len()));
    let row = |name: &str, cell: &dyn Fn(&Size) -> String| {
        let cells: Vec<_> = sizes.iter().map(cell).collect();
        println!("| {name} | {} |", cells.join(" | "));
    };
    let time = |name: &str, of: OfTurn| {
        row(name, &|size| {
            let seconds = Quartiles::of(size.turns.iter().map(of)).median;
            format!("{:.3} ms", seconds * 1e3)
        });
    };
    let ratio = |name: &str, of: OfTurn| {
        row(name, &|size| {
            let Quartiles { lower, median, upper } = Quartiles::of(size.turns.iter().map(of));
            format!("{median:.2} x ({lower:.2} to {upper:.2})")
        });
    };
    time("floor", &|it| it.floor);
    time("ours, cold", &|it| it.ours.cold);
    ratio("that to the floor", &|it| it.ours.cold / it.floor);
    time("ours, kept index", &|it| it.ours.kept);
    time("ours with documents, cold", &|it| it.in_documents.cold);
    ratio("that to the floor", &|it| it.in_documents.cold / it.floor);
    time("ours with documents, kept index", &|it| it.in_documents.kept);
    let peer = |name: &str, of: &dyn Fn(&Turn) -> &Asked| {
        time(&format!("{name}, cold"), &|it| of(it).cold);
        ratio("that to ours", &|it| of(it).cold / it.ours.cold);
        time(&format!("{name}, kept"), &|it| of(it).kept);
        ratio("that to ours", &|it| of(it).kept / it.ours.kept);
        ratio("that to ours with documents", &|it| of(it).kept / it.in_documents.kept);
        row(&format!("first 10 of {name} among our first 100"), &|size| {
            let shared = size.turns.iter().map(|it| f64::from(shared(of(it), &it.ours)));
            format!("{:.0}", Quartiles::of(shared).median)
        });
    };
    peer("tantivy", &|it| &it.tantivy);
    if sizes.iter().all(|size| size.turns.iter().all(|it| it.python.is_some())) {
        peer("bm25s", &|it| &it.python.as_ref().expect("all have it").bm25s);
        peer("rank_bm25", &|it| &it.python.as_ref().expect("all have it").rank_bm25);
    }
    let bytes = |name: &str, of: &dyn Fn(&Size) -> usize| {
        row(name, &|size| format!("{} bytes", of(size) / size.passages));
    };
    bytes("text per passage", &|it| it.text_bytes);
    bytes("our kept index per passage", &|it| it.kept_bytes);
    bytes("tantivy's index per passage", &|it| it.tantivy_bytes);
}

/// How many of the first ten of one are among all that the other gives.
fn shared(one: &Asked, other: &Asked) -> u32 {
    one.top.iter().take(10).filter(|at| other.top.contains(at)).count() as u32
}
