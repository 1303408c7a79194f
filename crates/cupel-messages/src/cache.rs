//! What a provider's prompt cache sees: the parts of a request in the order in which it reads them, and the marks that
//! say how far to keep them.

use crate::json::{Json, Splices, compact, quoted, within};
use crate::model::{HINTS_KEY, Message, PartKind, Role};
use crate::provider::Fixed;
use crate::{Format, Meter, Request};

/// The keys by which a part is marked; what a request says under them is not part of the prompt.
const MARKS: [&str; 2] = ["cache_control", "prompt_cache_breakpoint"];

/// A part of a request as a prompt cache sees it: tools, then instructions, then messages, part by part where the provider
/// makes parts of them.
///
/// Two requests share a prefix as far as the hashes of their blocks are equal. Marks, our own key, layout, and whether a
/// text stands by itself or in a list of one do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Block {
    /// What it says, as a number.
    pub hash: u64,
    /// What it costs.
    pub tokens: i64,
    /// The message it is in; nothing for tools and instructions.
    pub message: Option<usize>,
    /// Which part of the message, or of the list of tools or instructions, it ends with.
    pub part: usize,
    /// Whether it is marked already.
    pub marked: bool,
    /// Whether it can be.
    pub markable: bool,
    /// Whether it is tools or instructions, wherever these stand.
    pub instructs: bool,
    /// Whether the user or a tool says it, or whoever runs the model: where OpenAI places breakpoints of its own.
    pub asks: bool,
}

impl Request {
    /// The request as a prompt cache sees it. Their tokens and [`Meter::per_request`] are what the request costs.
    pub fn blocks(&self, meter: &dyn Meter) -> Vec<Block> {
        let mut blocks = self.fixed_blocks(meter);
        for message in 0..self.messages().len() {
            blocks.extend(self.message_blocks(message, meter));
        }
        blocks
    }

    /// The blocks of tools and instructions.
    pub fn fixed_blocks(&self, meter: &dyn Meter) -> Vec<Block> {
        let counting = self.counting(meter);
        let mut fixed: Vec<_> = self.fixed().collect();
        fixed.sort_by_key(|(fixed, _)| *fixed == Fixed::System);
        let mut with_tools = meter.with_tools().max(0);
        let blocks = fixed.into_iter().map(|(fixed, value)| {
            let mut tokens = counting.fixed(fixed, value).total();
            if fixed == Fixed::Tools && tokens > 0 {
                tokens = tokens.saturating_add(std::mem::take(&mut with_tools));
            }
            let last = value.elements().last().copied();
            let marked = last.is_some_and(is_marked);
            let markable = self.format() == Format::Anthropic
                && match last {
                    Some(last) => last.is_object(),
                    None => value.is_string() && value.text() != "\"\"",
                };
            let hash = fingerprint(&canonical(value, &["", "content"]));
            let part = usize::from(fixed == Fixed::System);
            Block {
                hash,
                tokens,
                message: None,
                part,
                marked,
                markable,
                instructs: true,
                asks: true,
            }
        });
        blocks.collect()
    }

    /// The blocks of a message; none if there is no such message.
    pub fn message_blocks(&self, index: usize, meter: &dyn Meter) -> Vec<Block> {
        let Some(message) = self.messages().get(index) else { return Vec::new() };
        let counting = self.counting(meter);
        let in_parts = matches!(self.format(), Format::Anthropic | Format::Gemini);
        let (asks, instructs) = (message.role != Role::Assistant, message.role == Role::System);
        let elements = message.elements();
        let speaker = match message.role {
            Role::Tool => Role::User,
            role => role,
        };
        if !in_parts || elements.is_empty() {
            // A text by itself is a list of one.
            let text = message.content.clone().map(|content| Json::trusted(&message.text[content]));
            let text = text.filter(|text| in_parts && text.is_string());
            let hash = text.map(|text| fingerprint(&format!("{speaker}:{}", text_spoken(text))));
            let block = Block {
                hash: hash.unwrap_or_else(|| message.fingerprint()),
                tokens: counting.message(message).total(),
                message: Some(index),
                part: elements.len().saturating_sub(1),
                marked: elements.iter().any(|element| is_marked(*element)),
                markable: self.can_mark(message, elements.len().saturating_sub(1)),
                instructs,
                asks,
            };
            return vec![block];
        }
        let mut beside = counting.beside_words(message).max(0);
        let blocks = elements.iter().enumerate().map(|(part, element)| {
            let all = counting.parts(message, |at| at == part).total();
            let tokens = all - counting.beside_words(message).max(0) + std::mem::take(&mut beside);
            let text = format!("{speaker}:{}", spoken(*element));
            Block {
                hash: fingerprint(&text),
                tokens,
                message: Some(index),
                part,
                marked: is_marked(*element),
                markable: self.can_mark(message, part),
                instructs,
                asks,
            }
        });
        blocks.collect()
    }

    /// How many marks there are already, wherever they stand.
    pub fn marks(&self) -> usize {
        let fixed = self.fixed().map(|(_, value)| marks_in(value));
        let messages = self
            .messages()
            .iter()
            .map(|message| message.elements().into_iter().map(marks_in).sum::<usize>());
        fixed.sum::<usize>() + messages.sum::<usize>()
    }

    /// Whether a part of a message may carry a mark.
    fn can_mark(&self, message: &Message, part: usize) -> bool {
        let Some(content) = message.content.clone() else { return false };
        let content = Json::trusted(&message.text[content]);
        let says = |json: Json<'_>| json.is_string() && json.text() != "\"\"";
        match self.format() {
            Format::Anthropic => {
                if content.is_string() {
                    return says(content);
                }
                match message.parts.get(part).map(|part| &part.kind) {
                    Some(PartKind::Text) => {
                        let elements = message.elements();
                        let text = elements.get(part).and_then(|element| element.get("text"));
                        text.is_some_and(says)
                    }
                    Some(kind) => {
                        !matches!(kind, PartKind::Thinking | PartKind::Opaque | PartKind::Summary)
                    }
                    None => false,
                }
            }
            Format::OpenAiChat | Format::OpenAiResponses => {
                let takes = matches!(
                    message.parts.last().map(|part| &part.kind),
                    Some(PartKind::Text | PartKind::Media(_) | PartKind::Answer(_))
                );
                let in_list = message.elements().last().is_some_and(|last| last.is_object());
                message.role != Role::Assistant && takes && (says(content) || in_list)
            }
            Format::Gemini => false,
        }
    }

    /// The request with marks on these blocks, numbered as [`blocks`](Self::blocks) has them, and with a key that tells
    /// OpenAI which requests belong together. Blocks that are marked, or cannot be, stay as they are; so does a key.
    pub fn marked(&self, blocks: &[Block], marks: &[usize], key: Option<&str>) -> String {
        let mut splices = Splices::default();
        let own = match self.format() {
            Format::Anthropic => r#""cache_control":{"type":"ephemeral"}"#,
            _ => r#""prompt_cache_breakpoint":{"mode":"explicit"}"#,
        };
        let marks = marks.iter().filter_map(|mark| blocks.get(*mark));
        for block in marks.filter(|block| block.markable && !block.marked) {
            let (value, spelled) = match block.message {
                Some(index) => {
                    let Some(message) = self.messages().get(index) else { continue };
                    let Some(content) = message.content.clone() else { continue };
                    let start = self.start_of(index);
                    let value = &self.text()[start + content.start..start + content.end];
                    let role_type = match (self.format(), message.role) {
                        (Format::OpenAiResponses, _) => "input_text",
                        _ => "text",
                    };
                    (Json::trusted(value), role_type)
                }
                None => {
                    let system = block.part == 1;
                    let found = self.fixed().find(|(fixed, _)| (*fixed == Fixed::System) == system);
                    let Some((_, value)) = found else { continue };
                    (value, "text")
                }
            };
            let part = block.message.map(|_| block.part);
            put_mark(self.text(), value, part, spelled, own, &mut splices);
        }
        let openai = matches!(self.format(), Format::OpenAiChat | Format::OpenAiResponses);
        let body = Json::trusted(self.text().trim());
        if let Some(key) = key.filter(|_| openai && body.is_object())
            && body.get("prompt_cache_key").is_none()
            && !body.entries().is_empty()
        {
            let at = within(self.text(), body.text()).start + 1;
            splices.replace(at..at, format!("\"prompt_cache_key\":{},", quoted(key)));
        }
        if splices.is_empty() { self.text().to_owned() } else { splices.apply(self.text()) }
    }
}

/// Puts a mark into an element of a list, or makes a list of a string to mark it.
fn put_mark(
    text: &str,
    value: Json<'_>,
    part: Option<usize>,
    spelled: &str,
    own: &str,
    splices: &mut Splices,
) {
    if value.is_string() {
        let list = format!(r#"[{{"type":"{spelled}","text":{},{own}}}]"#, value.text());
        splices.replace(within(text, value.text()), list);
        return;
    }
    let elements = value.elements();
    let element = part.map_or(elements.last(), |part| elements.get(part));
    if let Some(element) = element.filter(|element| element.is_object()) {
        let comma = if element.entries().is_empty() { "" } else { "," };
        let end = within(text, element.text()).end - 1;
        splices.replace(end..end, format!("{comma}{own}"));
    }
}

impl Message {
    /// The elements of its content, if that is a list.
    pub(crate) fn elements(&self) -> Vec<Json<'_>> {
        let content = self.content.clone().map(|content| Json::trusted(&self.text[content]));
        content.map_or(Vec::new(), Json::elements)
    }

    /// What it says, as a number: the same however it is laid out or marked for a cache, and whatever it says to us.
    pub fn fingerprint(&self) -> u64 {
        let json = Json::trusted(&self.text);
        if !json.is_object() {
            return fingerprint(&compact(json));
        }
        let mut hash = Fnv::new();
        for entry in json.entries().iter().filter(|entry| entry.key != HINTS_KEY) {
            if MARKS.contains(&&*entry.key) {
                continue;
            }
            hash.write(&entry.key);
            let is_content = self
                .content
                .as_ref()
                .is_some_and(|content| within(&self.text, entry.value.text()) == *content);
            if is_content && entry.value.is_array() {
                let elements = entry.value.elements();
                elements.iter().for_each(|element| hash.write(&spoken(*element)));
            } else if is_content && entry.value.is_string() {
                hash.write(&text_spoken(entry.value));
            } else {
                hash.write(&compact(entry.value));
            }
        }
        hash.0
    }
}

/// What an element says: of a text only its words, so that a text by itself and one in a list are the same.
fn spoken(element: Json<'_>) -> String {
    let is_text = |kind: &str| matches!(kind, "text" | "input_text" | "output_text");
    let entries = element.entries();
    let rest = entries.iter().filter(|entry| !MARKS.contains(&&*entry.key));
    let plain = rest.clone().all(|entry| matches!(&*entry.key, "type" | "text"));
    match element.get("text") {
        Some(text) if plain && element.get_string("type").is_none_or(|kind| is_text(&kind)) => {
            text_spoken(text)
        }
        _ => canonical(element, &["", "content"]),
    }
}

fn text_spoken(text: Json<'_>) -> String {
    format!("text {}", text.text())
}

/// A value without layout and without marks, on itself and on the elements of the lists under `content`.
fn canonical(value: Json<'_>, under: &[&str]) -> String {
    let text = compact(value).into_owned();
    if !MARKS.iter().any(|mark| text.contains(mark)) {
        return text;
    }
    without_marks(Json::trusted(&text), under.len())
}

fn without_marks(value: Json<'_>, levels: usize) -> String {
    if levels == 0 {
        return value.text().to_owned();
    }
    if value.is_array() {
        let elements: Vec<_> =
            value.elements().into_iter().map(|element| without_marks(element, levels)).collect();
        return format!("[{}]", elements.join(","));
    }
    if !value.is_object() {
        return value.text().to_owned();
    }
    let entries = value.entries();
    let kept = entries.iter().filter(|entry| !MARKS.contains(&&*entry.key)).map(|entry| {
        let value = if entry.key == "content" {
            without_marks(entry.value, levels - 1)
        } else {
            entry.value.text().to_owned()
        };
        format!("{}:{value}", quoted(&entry.key))
    });
    format!("{{{}}}", kept.collect::<Vec<_>>().join(","))
}

fn is_marked(element: Json<'_>) -> bool {
    MARKS.iter().any(|mark| element.get(mark).is_some())
}

/// Marks on a value, on its elements, and on those of its content.
fn marks_in(value: Json<'_>) -> usize {
    if value.is_array() {
        return value.elements().into_iter().map(marks_in).sum();
    }
    if !value.is_object() {
        return 0;
    }
    usize::from(is_marked(value)) + value.get("content").map_or(0, marks_in)
}

/// A text as a number: FNV-1a, the same on every platform and in every version.
pub fn fingerprint(text: &str) -> u64 {
    let mut hash = Fnv::new();
    hash.write(text);
    hash.0
}

struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Takes a text, and that it ends there.
    fn write(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
