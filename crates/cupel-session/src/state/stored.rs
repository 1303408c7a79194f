//! A state as it is written: hashes and standings packed into strings.

use cupel_messages::Standing;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Kind, STATE_VERSION, State, Unit};
use crate::{Error, Settings};

/// A state as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stored {
    version: u64,
    settings: Settings,
    kind: Kind,
    turns: u64,
    /// Hashes, eight bytes each, in base64.
    known: String,
    /// How each stands: `0` whole, `1` and up a shorter form, `s` without thinking, `x` out.
    standing: String,
    window: String,
    marks: Vec<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asked: Option<usize>,
    tail: usize,
    tokens: i64,
    grown: i64,
    turns_since_cut: u64,
    cuts: u64,
    warned: bool,
    model: String,
    key: String,
}

impl From<&State> for Stored {
    fn from(state: &State) -> Self {
        Self {
            version: STATE_VERSION,
            settings: state.settings,
            kind: state.kind,
            turns: state.turns,
            known: pack(state.units.iter().map(|unit| unit.hash)),
            standing: letters(&state.units),
            window: pack(state.window.iter().copied()),
            marks: state.marks.clone(),
            asked: state.asked,
            tail: state.tail,
            tokens: state.tokens,
            grown: state.grown,
            turns_since_cut: state.turns_since_cut,
            cuts: state.cuts,
            warned: state.warned,
            model: pack([state.model]),
            key: pack([state.key]),
        }
    }
}

impl Stored {
    pub(super) fn state(self) -> Result<State, Error> {
        let wrong = |what: &str| Error::State { problem: format!("its \"{what}\" is damaged") };
        self.settings.check()?;
        let known = unpack(&self.known).ok_or_else(|| wrong("known"))?;
        let standing = standings(&self.standing).ok_or_else(|| wrong("standing"))?;
        if known.len() != standing.len() {
            return Err(wrong("standing"));
        }
        let window = unpack(&self.window).ok_or_else(|| wrong("window"))?;
        let in_window = |at: &usize| *at < window.len();
        if !self.marks.iter().chain(&self.asked).all(in_window) || !self.marks.is_sorted() {
            return Err(wrong("marks"));
        }
        if self.tail > window.len() {
            return Err(wrong("tail"));
        }
        if self.tokens < 0 || self.grown < 0 {
            return Err(wrong("tokens"));
        }
        let one = |text: &str, what: &str| match unpack(text).as_deref() {
            Some([one]) => Ok(*one),
            _ => Err(wrong(what)),
        };
        let units = known.into_iter().zip(standing);
        Ok(State {
            settings: self.settings,
            kind: self.kind,
            turns: self.turns,
            units: units.map(|(hash, standing)| Unit { hash, standing }).collect(),
            marks: self.marks,
            asked: self.asked,
            tail: self.tail,
            tokens: self.tokens,
            grown: self.grown,
            turns_since_cut: self.turns_since_cut,
            cuts: self.cuts,
            warned: self.warned,
            model: one(&self.model, "model")?,
            key: one(&self.key, "key")?,
            window,
        })
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Stored::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Self::from_value(value).map_err(serde::de::Error::custom)
    }
}

fn letters(units: &[Unit]) -> String {
    let mut letters = String::with_capacity(units.len());
    for unit in units {
        match unit.standing {
            Standing::Out => letters.push('x'),
            Standing::In { form: 0, thinking: true } => letters.push('0'),
            Standing::In { form: 0, thinking: false } => letters.push('s'),
            // Shorter forms have no thinking.
            Standing::In { form, .. } => {
                match u32::try_from(form).ok().and_then(|form| char::from_digit(form, 10)) {
                    Some(digit) => letters.push(digit),
                    None => letters.push_str(&format!("({form})")),
                }
            }
        }
    }
    letters
}

fn standings(letters: &str) -> Option<Vec<Standing>> {
    let mut rest = letters;
    let mut standings = Vec::with_capacity(letters.len());
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        let form = match letter {
            'x' => {
                standings.push(Standing::Out);
                continue;
            }
            's' => {
                standings.push(Standing::In { form: 0, thinking: false });
                continue;
            }
            '(' => {
                let (form, after) = rest.split_once(')')?;
                rest = after;
                form.parse().ok()?
            }
            digit => digit.to_digit(10)? as usize,
        };
        standings.push(Standing::In { form, thinking: true });
    }
    Some(standings)
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Hashes in base64 (the alphabet for URLs, no padding).
fn pack(hashes: impl IntoIterator<Item = u64>) -> String {
    let bytes: Vec<u8> = hashes.into_iter().flat_map(u64::to_be_bytes).collect();
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word = three
            .iter()
            .enumerate()
            .fold(0_u32, |word, (at, byte)| word | u32::from(*byte) << (16 - 8 * at));
        for digit in 0..=three.len() {
            text.push(char::from(DIGITS[(word >> (18 - 6 * digit)) as usize & 63]));
        }
    }
    text
}

fn unpack(text: &str) -> Option<Vec<u64>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    for four in text.as_bytes().chunks(4) {
        if four.len() == 1 {
            return None;
        }
        let mut word = 0_u32;
        for (at, digit) in four.iter().enumerate() {
            let value = DIGITS.iter().position(|known| known == digit)?;
            word |= (value as u32) << (18 - 6 * at);
        }
        let whole = word.to_be_bytes();
        bytes.extend_from_slice(&whole[1..four.len()]);
    }
    let (hashes, rest) = bytes.as_chunks::<8>();
    rest.is_empty().then(|| hashes.iter().map(|hash| u64::from_be_bytes(*hash)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_packed_and_unpacked() {
        for count in 0..9_u64 {
            let hashes: Vec<u64> = (0..count).map(|at| (u64::MAX / (at + 1)) ^ at).collect();
            assert_eq!(unpack(&pack(hashes.iter().copied())), Some(hashes));
        }
        assert_eq!(unpack("A"), None);
        assert_eq!(unpack("AAAA"), None);
        assert_eq!(unpack("é?"), None);
    }

    #[test]
    fn every_standing_is_written_and_read() {
        let form = |form| Standing::In { form, thinking: true };
        let mut all: Vec<_> = [0, 1, 9, 10, 987].map(form).to_vec();
        all.extend([Standing::Out, Standing::In { form: 0, thinking: false }]);
        let units: Vec<_> =
            all.iter().map(|standing| Unit { hash: 1, standing: *standing }).collect();
        assert_eq!(letters(&units), "019(10)(987)xs");
        assert_eq!(standings(&letters(&units)), Some(all));
        for damaged in ["?", "(", "(x)", "(1", "é"] {
            assert_eq!(standings(damaged), None, "{damaged}");
        }
    }

    #[test]
    fn a_damaged_state_is_refused_and_says_where() {
        let state = serde_json::to_value(State::default()).unwrap();
        for (key, value, said) in [
            ("known", serde_json::json!("AAAAAAAAAAA"), "standing"),
            ("known", serde_json::json!("?"), "known"),
            ("marks", serde_json::json!([0]), "marks"),
            ("tail", serde_json::json!(1), "tail"),
            ("tokens", serde_json::json!(-1), "tokens"),
            ("more", serde_json::json!(1), "unknown field"),
            ("version", serde_json::json!("one"), "version"),
        ] {
            let mut damaged = state.clone();
            damaged[key] = value;
            let error = State::from_value(damaged).unwrap_err().to_string();
            assert!(error.contains(said), "{key}: {error}");
        }
        assert!(State::read("[]").is_err());
        assert!(State::read(r#"{"turns": 3}"#).unwrap_err().to_string().contains("no \"version\""));
        assert_eq!(State::read("{}").unwrap(), State::default());
        let started = State::read(r#"{"settings": {"high": 0.7}}"#).unwrap();
        assert_eq!(started.settings().high, 0.7);
        assert!(State::read(r#"{"settings": {"high": 7}}"#).is_err());
    }
}
