//! Shorter forms of long answers and documents.
//!
//! First the head and the tail with a line between them that says what is missing, cut where lines or JSON values
//! end, then a line in place of it all.

use std::borrow::Cow;

use crate::json::Json;
use crate::meter::Counting;
use crate::model::{Message, Part, PartKind, Piece};
use crate::provider::{Provider, read_message};
use crate::{Shorten, Tokens};

/// A message in a shorter form.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    pub(crate) message: Message,
    pub(crate) tokens: Tokens,
}

/// The shorter forms of a message, longest first, each with fewer tokens than the one before it and than the message.
pub(crate) fn forms(
    message: &Message,
    tokens: Tokens,
    shorten: Shorten,
    provider: &dyn Provider,
    counting: Counting<'_>,
) -> Vec<Form> {
    if tokens.total() <= shorten.over {
        return Vec::new();
    }
    let made_by_provider = [PartKind::Opaque, PartKind::Summary, PartKind::Thinking];
    if made_by_provider.iter().any(|kind| message.has(kind)) {
        return Vec::new();
    }
    let long: Vec<Long<'_>> = message
        .parts
        .iter()
        .filter_map(|part| Long::of(message, part, tokens, shorten, counting))
        .collect();
    if long.is_empty() {
        return Vec::new();
    }
    let to = shorten.to.max(1);
    let levels = [Some(to), Some(to / 4).filter(|few| *few >= 20), None];
    let mut forms: Vec<Form> = Vec::new();
    for (nth, level) in levels.into_iter().enumerate() {
        if nth == 1 && level.is_none() {
            continue;
        }
        let mut splices = crate::json::Splices::default();
        for part in &long {
            let text = level.map_or_else(|| part.placeholder(), |tokens| part.cut(tokens));
            splices.replace(part.body.clone(), part.spelled(provider, &text));
        }
        let Ok(message) = read_message(provider, &splices.apply(&message.text)) else { continue };
        let shorter = counting.message(&message);
        let longer = forms.last().map_or(tokens, |form| form.tokens);
        if shorter.total() < longer.total() {
            forms.push(Form { message, tokens: shorter });
        }
    }
    forms
}

/// A part that is long enough to be shortened.
struct Long<'a> {
    body: std::ops::Range<usize>,
    text: Cow<'a, str>,
    is_document: bool,
    media: usize,
    tokens: i64,
}

impl<'a> Long<'a> {
    fn of(
        message: &'a Message,
        part: &'a Part,
        whole: Tokens,
        shorten: Shorten,
        counting: Counting<'_>,
    ) -> Option<Self> {
        let is_document = match part.kind {
            PartKind::Answer(_) => false,
            PartKind::Document => true,
            _ => return None,
        };
        let body = part.body.clone()?;
        let pieces = part.pieces.iter();
        let media = pieces.filter(|piece| matches!(piece, Piece::Media(..))).count();
        let json = Json::trusted(&message.text[body.clone()]);
        let (text, tokens) = match (&message.parts[..], &part.pieces[..]) {
            // Where the message says nothing else, its words were counted with it.
            ([_], [Piece::Text(said)]) if json.is_string() => {
                let text = Cow::Borrowed(said.in_text(&message.text));
                (text, whole.messages - counting.beside_words(message))
            }
            _ => {
                let text = words(json);
                let tokens = counting.text(&text);
                (Cow::Owned(text), tokens)
            }
        };
        let long = tokens > shorten.over || (media > 0 && tokens.saturating_add(media as i64) > 0);
        long.then_some(Self { body, text, is_document, media, tokens })
    }

    fn spelled(&self, provider: &dyn Provider, text: &str) -> String {
        if self.is_document { crate::json::quoted(text) } else { provider.body(text) }
    }

    /// Head and tail in about so many tokens.
    fn cut(&self, tokens: i64) -> String {
        let share = tokens as f64 / self.tokens.max(1) as f64;
        let keep = (self.text.len() as f64 * share) as usize;
        let cut = if keep >= self.text.len() {
            self.text.clone().into_owned()
        } else {
            head_and_tail(&self.text, keep)
        };
        match self.media {
            0 => cut,
            media => {
                format!("{cut}\n[{} left out]", counted(media, "image or file", "images or files"))
            }
        }
    }

    /// A line in place of it all.
    fn placeholder(&self) -> String {
        let what = if self.is_document { "document" } else { "tool result" };
        let ends = memchr::memchr_iter(b'\n', self.text.as_bytes()).count();
        let lines = ends + usize::from(!self.text.is_empty() && !self.text.ends_with('\n'));
        let media = match self.media {
            0 => String::new(),
            media => format!(", {}", counted(media, "image or file", "images or files")),
        };
        format!(
            "[{what} left out: {}, {} tokens{media}]",
            counted(lines, "line", "lines"),
            grouped(self.tokens as usize)
        )
    }
}

/// The words of a body: a string, the texts among blocks, the one string in an object, or else the JSON itself.
fn words(body: Json<'_>) -> String {
    if let Some(text) = body.string() {
        return text.into_owned();
    }
    if body.is_array() {
        let texts: Vec<_> =
            body.elements().iter().filter_map(|block| block.get_string("text")).collect();
        return texts.join("\n");
    }
    match &body.entries()[..] {
        [only] if only.value.is_string() => only.value.string().unwrap_or_default().into_owned(),
        _ => body.text().to_owned(),
    }
}

/// The beginning and the end of a text, in about `keep` bytes, and between them what is missing.
pub(crate) fn head_and_tail(text: &str, keep: usize) -> String {
    let ends = Ends::of(text);
    let head = ends.last_before(keep * 2 / 3);
    let tail = ends.first_after(text.len() - keep / 3).max(head);
    let gone = &text[head..tail];
    let lines = memchr::memchr_iter(b'\n', gone.as_bytes()).count();
    let what = format!("{} characters", grouped(gone.chars().count()));
    let what = if lines > 1 { format!("{} lines, {what}", grouped(lines)) } else { what };
    let break_before =
        if text[..head].is_empty() || text[..head].ends_with('\n') { "" } else { "\n" };
    format!("{}{break_before}[... {what} left out ...]\n{}", &text[..head], &text[tail..])
}

/// Where a text can be cut.
struct Ends<'a> {
    text: &'a str,
    /// Behind the commas between JSON values, with how deep they stand; empty if the text is not JSON.
    commas: Vec<(usize, usize)>,
}

impl<'a> Ends<'a> {
    fn of(text: &'a str) -> Self {
        let is_json = text.trim_start().starts_with(['[', '{']) && Json::parse(text).is_ok();
        let commas =
            if is_json && text.lines().nth(8).is_none() { commas(text) } else { Vec::new() };
        Self { text, commas }
    }

    /// The best place to stop within the first `limit` bytes: not so early that much of it is wasted.
    fn last_before(&self, limit: usize) -> usize {
        let limit = floor(self.text, limit);
        let enough = limit / 2;
        let commas = self.commas.iter().filter(|(at, _)| (enough..=limit).contains(at));
        if let Some((at, _)) = commas.min_by_key(|(at, depth)| (*depth, usize::MAX - at)) {
            return *at;
        }
        let head = &self.text[..limit];
        let line = head.rfind('\n').map(|at| at + 1);
        let word = head.rfind(' ').map(|at| at + 1);
        [line, word].into_iter().flatten().find(|at| *at >= enough).unwrap_or(limit)
    }

    /// The best place to go on in what follows `start`.
    fn first_after(&self, start: usize) -> usize {
        let start = floor(self.text, start);
        let enough = start + (self.text.len() - start) / 2;
        let commas = self.commas.iter().filter(|(at, _)| (start..=enough).contains(at));
        if let Some((at, _)) = commas.min_by_key(|(at, depth)| (*depth, *at)) {
            return *at;
        }
        let tail = &self.text[start..];
        let line = tail.find('\n').map(|at| start + at + 1);
        let word = tail.find(' ').map(|at| start + at + 1);
        [line, word].into_iter().flatten().find(|at| *at <= enough).unwrap_or(start)
    }
}

/// Behind every comma of a JSON text that stands between values, with how deep it stands.
fn commas(json: &str) -> Vec<(usize, usize)> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    let mut commas = Vec::new();
    for (at, byte) in json.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => commas.push((at + 1, depth)),
            _ => {}
        }
    }
    commas
}

/// The last place at or before `at` that is not inside a character.
fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{} {many}", grouped(count)) }
}

/// `12,345`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Estimate, Options, Request};

    #[test]
    fn lines_stay_whole_and_what_is_missing_is_said() {
        let text: String = (1..=100).map(|line| format!("line {line}\n")).collect();
        let cut = head_and_tail(&text, 90);
        assert!(cut.starts_with("line 1\nline 2\n"), "{cut}");
        assert!(cut.ends_with("line 100\n"), "{cut}");
        let marker = cut.lines().find(|line| line.starts_with("[...")).unwrap();
        let kept: Vec<_> = cut.lines().filter(|line| line.starts_with("line")).collect();
        assert!(marker.starts_with(&format!("[... {} lines, ", 100 - kept.len())), "{marker}");
        assert!(kept.iter().all(|line| text.lines().any(|whole| whole == *line)), "{cut}");
    }

    #[test]
    fn json_on_one_line_is_cut_between_its_elements() {
        let rows: Vec<_> = (0..50).map(|row| format!(r#"{{"id":{row},"note":"a, b"}}"#)).collect();
        let cut = head_and_tail(&format!("[{}]", rows.join(",")), 200);
        let (head, rest) = cut.split_once('\n').unwrap();
        assert!(head.ends_with("},"), "{cut}");
        assert!(rest.split_once('\n').unwrap().1.starts_with("{\"id\""), "{cut}");
    }

    #[test]
    fn characters_stay_whole() {
        let text = "ありがとう".repeat(200);
        for keep in 0..40 {
            let cut = head_and_tail(&text, keep);
            assert!(cut.contains("characters left out"));
        }
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            [0, 12, 123, 1234, 1234567].map(grouped),
            ["0", "12", "123", "1,234", "1,234,567"]
        );
    }

    #[test]
    fn what_only_the_provider_understands_is_not_shortened() {
        let data = "x y ".repeat(4_000);
        let long = format!(
            r#"[{{"role":"assistant","tool_calls":[{{"id":"c","function":{{"name":"f","arguments":""}}}}]}},
            {{"role":"tool","tool_call_id":"c","content":[{{"type":"sealed","data":"{data}"}}]}}]"#
        );
        let request = Request::read(long).unwrap();
        let options = Options::new();
        assert!(request.prepare(&options, &Estimate).unwrap().forms(1).is_empty());
    }
}
