//! What retrieval knows of an item: the text it is a part of, and how close it is to the query.

use crate::CupelError;

/// Set on few items, so an item holds it behind one pointer.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Passage {
    pub(super) document: Option<String>,
    pub(super) position: Option<i64>,
    pub(super) similarity: Option<f64>,
    pub(super) vector: Vec<f32>,
}

impl Passage {
    /// Only where it stands, which is all that a unit shares with its first member.
    pub(super) fn place(&self) -> Self {
        Self { document: self.document.clone(), position: self.position, ..Self::default() }
    }

    pub(super) fn check(&self) -> Result<(), CupelError> {
        if self.document.as_ref().is_some_and(|document| document.trim().is_empty()) {
            return Err(CupelError::EmptyDocument);
        }
        match self.similarity {
            Some(similarity) if !similarity.is_finite() => {
                Err(CupelError::InvalidSimilarity { similarity: similarity.to_string() })
            }
            _ => check_vector(&self.vector),
        }
    }
}

/// Whether a vector can be compared with another.
pub(super) fn check_vector(vector: &[f32]) -> Result<(), CupelError> {
    match vector.iter().position(|number| !number.is_finite()) {
        None => Ok(()),
        Some(at) => Err(CupelError::InvalidVector(format!(
            "its number {} is {}; embeddings are made of finite numbers",
            at + 1,
            vector[at]
        ))),
    }
}
