//! Any text as a set to measure with, and as each file that importers read: what is refused has a place and a remedy, what is
//! imported is a set, and recalls are shares.
#![no_main]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use cupel_eval::import::Source;
use cupel_eval::{Bootstrap, Contender, Evaluation, Set, SetError, SetReader, Size};
use libfuzzer_sys::fuzz_target;

/// A folder of this process, in memory where the system has such.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let shared = Path::new("/dev/shm");
    let parent = if shared.is_dir() { shared.to_owned() } else { std::env::temp_dir() };
    let folder = parent.join(format!("cupel-fuzz-eval-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("corpora")).expect("a folder");
    std::fs::write(folder.join("corpora/a.md"), "One paragraph.\n\nAnother one, with värde.\n")
        .expect("a file");
    folder
});

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Set::parse(text) {
        Ok(set) => check(&set),
        Err(error) => {
            let lines = text.lines().count().max(1);
            assert!((1..=lines).contains(&error.line) && error.column > 0, "{error}");
            assert!(!error.problem.is_empty() && !error.remedy.is_empty(), "{error}");
        }
    }
    let file = FOLDER.join("questions_df.csv");
    std::fs::write(&file, text).expect("a file");
    for source in Source::ALL {
        match source.read(&file) {
            Ok(imported) => {
                let mut reader = SetReader::new();
                let lines: Result<(), SetError> =
                    imported.lines.iter().try_for_each(|line| reader.line(&line.to_json()));
                lines.unwrap_or_else(|error| panic!("{}: {error}", source.name()));
                // All questions may have been left out.
                if let Ok(set) = reader.finish() {
                    check(&set);
                }
            }
            Err(error) => assert!(!error.place.is_empty() && !error.remedy.is_empty(), "{error}"),
        }
    }
});

fn check(set: &Set) {
    let contenders = [Contender::last_n(), Contender::ceiling()];
    let sizes = [Size::Tokens(1), Size::Thousandths(300), Size::Tokens(i64::MAX)];
    let recalls =
        Evaluation::new(set, &contenders, &sizes).run(1, |_| {}).expect("baselines refuse nothing");
    for question in 0..recalls.questions() {
        for (contender, size) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
            let recall = recalls.recall(question, contender, size);
            assert!((0.0..=1.0).contains(&recall), "{recall}");
        }
        // Characters that no item holds cannot be found; items can.
        assert_eq!(recalls.recall(question, 0, 2), recalls.recall(question, 1, 2));
    }
    let summary = recalls.summary(&Bootstrap { resamples: 10, seed: 1 });
    assert_eq!(summary.questions, set.questions().len());
}
