//! Any text as an item: what is read is written and read again as the same, and the engine's reader
//! and the one that says where a problem is agree about it.
#![no_main]

use cupel::ContextItem;
use cupel_fuzz::{agree, read};
use cupel_policy::Loader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let engine = read::<ContextItem>(text);
    // Only the reader for files skips a byte order mark.
    if !text.starts_with('\u{feff}') {
        agree(&engine, &Loader::new().parse_item(text));
    }
});
