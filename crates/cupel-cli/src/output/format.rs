//! Items in four forms.

use std::borrow::Cow;
use std::io::{self, Write};

use clap::ValueEnum;
use cupel::{ContextItem, ContextSource};

use crate::input::Candidates;
use crate::render::excerpt;

/// How to print items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One object per line, as you wrote it
    Jsonl,
    /// One array of objects, as you wrote them
    Json,
    /// The contents, with a blank line between them
    Text,
    /// The contents, each under a heading and between fences
    Markdown,
}

impl Format {
    /// What is written for the item that is the `number`th of a window, in formats for models to
    /// read. What is for programs to read has no such text.
    pub(crate) fn block(self, item: &ContextItem, number: usize) -> Option<String> {
        let content = item.content().trim_end_matches('\n');
        match self {
            Self::Jsonl | Self::Json => None,
            Self::Text => Some(format!("{content}\n")),
            Self::Markdown => {
                let fence = fence_for(content);
                let source = match item.source().as_str() {
                    // Whatever does not say where it came from came from the chat.
                    ContextSource::CHAT => String::new(),
                    source => format!(", {}", excerpt(source, usize::MAX)),
                };
                let kind = excerpt(item.kind().as_str(), usize::MAX);
                Some(format!("## {number}. {kind}{source}\n\n{fence}\n{content}\n{fence}\n"))
            }
        }
    }

    /// Writes a window of these candidates.
    pub(crate) fn write(
        self,
        out: &mut impl Write,
        candidates: &Candidates,
        window: &[ContextItem],
    ) -> io::Result<()> {
        match self {
            Self::Jsonl => {
                for item in window {
                    writeln!(out, "{}", one_line(&candidates.given_back(item)))?;
                }
            }
            Self::Json => {
                let mut before = "[\n  ";
                for item in window {
                    write!(out, "{before}{}", candidates.given_back(item))?;
                    before = ",\n  ";
                }
                out.write_all(if window.is_empty() { b"[]\n" } else { b"\n]\n" })?;
            }
            Self::Text | Self::Markdown => {
                for (at, item) in window.iter().enumerate() {
                    let blank = if at == 0 { "" } else { "\n" };
                    let block = self.block(item, at + 1);
                    write!(out, "{blank}{}", block.unwrap_or_default())?;
                }
            }
        }
        Ok(())
    }
}

/// An object on one line: as written, unless it spans lines, whose breaks and indentation go.
pub(crate) fn one_line(object: &str) -> Cow<'_, str> {
    if !object.contains(['\n', '\r']) {
        return Cow::Borrowed(object);
    }
    // A string cannot contain a line break, so every one stands between tokens.
    let lines = object.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty());
    let mut joined = String::with_capacity(object.len());
    for line in lines {
        if joined.ends_with(',') {
            joined.push(' ');
        }
        joined.push_str(line);
    }
    Cow::Owned(joined)
}

/// A fence that nothing in `content` closes.
fn fence_for(content: &str) -> String {
    let longest = content.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_on_one_line_stay_as_they_are() {
        let object = r#"{ "content":"a\nb" ,"tokens" : 1}"#;
        assert_eq!(one_line(object), object);
    }

    #[test]
    fn objects_over_several_lines_are_joined() {
        let object = "{\n  \"content\": \"a  b\",\r\n  \"tags\": [\n    \"x\",\n    \"y\"\n  ]\n}";
        assert_eq!(one_line(object), r#"{"content": "a  b", "tags": ["x", "y"]}"#);
    }

    #[test]
    fn fences_are_longer_than_what_they_enclose() {
        assert_eq!(fence_for("plain"), "```");
        assert_eq!(fence_for("a ```` b"), "`````");
    }
}
