//! The lines of a set, as importers write them.

use serde::Serialize;

/// One line of a set.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Line {
    /// Candidates under a name.
    Pool(PoolLine),
    /// Something asked of them.
    Question(QuestionLine),
}

impl Line {
    /// The line as JSON, without its end.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts and whole numbers can always be written")
    }
}

/// Candidates under a name.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct PoolLine {
    /// Their name.
    pub pool: String,
    /// The candidates.
    pub items: Vec<ItemLine>,
}

/// A candidate, with as much of what an item can say as importers know.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ItemLine {
    /// What questions call it; no other item of the pool has it.
    pub id: String,
    /// Its text.
    pub content: String,
    /// What sort of thing it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The text that it is a part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// Where it stands there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
    /// The first of its characters in the document, for gold that is characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<usize>,
    /// The end of its characters in the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
    /// When it was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// What it stays together with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Shorter forms of it, the longest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<VariantLine>,
}

/// A shorter form of a candidate.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct VariantLine {
    /// Its text.
    pub content: String,
}

/// Something asked of a pool.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct QuestionLine {
    /// What is asked.
    pub question: String,
    /// The pool's name.
    pub pool: String,
    /// What results call it.
    pub id: String,
    /// Only what stands before this item of the pool is a candidate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What the answer needs.
    pub gold: Vec<GoldEntry>,
}

/// A part of what an answer needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum GoldEntry {
    /// An item, by its id.
    Item(String),
    /// An item, of which a shorter form does as well if it has certain texts.
    Said {
        /// The item's id.
        item: String,
        /// What a shorter form must have, in whatever case.
        says: Vec<String>,
    },
    /// Characters of a document.
    Characters {
        /// The document.
        document: String,
        /// The first of them.
        start: usize,
        /// The first after them.
        end: usize,
    },
}
