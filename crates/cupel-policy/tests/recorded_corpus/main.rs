//! What twenty thousand requests were answered is what they are answered.
//!
//! A rewrite must not change a byte of any response, refusals included. The responses themselves would be
//! tens of megabytes, so a digest of each hundred is kept. Where a response is meant to change, look at the
//! ones that do, then record anew:
//!
//! ```console
//! $ RECORD_CORPUS=1 cargo test -p cupel-policy --test recorded_corpus
//! ```

mod random;
mod request;

use std::path::PathBuf;

use cupel_policy::Responder;

use random::Random;

const REQUESTS: usize = 20_000;
const BLOCK: usize = 100;

/// The digests of the responses, one block a line.
fn digests() -> String {
    let responder = Responder::new().timings(false);
    let mut random = Random::new(1);
    let mut lines = String::new();
    for _ in 0..REQUESTS / BLOCK {
        let mut digest = Digest::default();
        for _ in 0..BLOCK {
            let response = responder.respond(&request::request(&mut random));
            digest.add(response.to_json().as_bytes());
        }
        lines += &format!("{:016x}\n", digest.0);
    }
    lines
}

/// FNV-1a: a change by accident does not go unnoticed, and it is the same everywhere.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(b"\n") {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[test]
fn responses_are_what_they_were() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/recorded_corpus/digests.txt");
    let digests = digests();
    if std::env::var_os("RECORD_CORPUS").is_some() {
        std::fs::write(&path, &digests).unwrap();
    }
    let recorded = std::fs::read_to_string(&path).unwrap();
    assert_eq!(recorded.lines().count(), digests.lines().count());
    for (block, (recorded, digest)) in recorded.lines().zip(digests.lines()).enumerate() {
        let (first, last) = (block * BLOCK, block * BLOCK + BLOCK - 1);
        assert_eq!(recorded, digest, "a response to one of the requests {first} to {last} changed");
    }
}

#[test]
fn most_requests_are_answered_and_some_refused() {
    let responder = Responder::new();
    let mut random = Random::new(1);
    let answered =
        (0..1_000).filter(|_| responder.respond(&request::request(&mut random)).error().is_none());
    assert!((400..900).contains(&answered.count()));
}

/// Writes the requests, one to a line, to the file that `CORPUS_REQUESTS` names: for bindings, whose answers must be the same.
#[test]
#[ignore = "writes a file for others to read"]
fn requests_are_written_where_asked() {
    let Some(path) = std::env::var_os("CORPUS_REQUESTS") else { return };
    let mut random = Random::new(1);
    let mut lines = Vec::new();
    for _ in 0..REQUESTS {
        let request = request::request(&mut random);
        // A batch has no answer for a line without anything on it.
        if !request.trim_ascii().is_empty() {
            lines.extend_from_slice(&request);
            lines.push(b'\n');
        }
    }
    std::fs::write(path, lines).unwrap();
}
