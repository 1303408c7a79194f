//! What a run is to find the evidence for.

use super::passage::check_vector;
use crate::CupelError;

/// What the window is to answer: a question, the last message, the next step of an agent.
///
/// A run is given one through its [context](crate::RunContext::with_query); scorers that judge relevance ask for it there.
///
/// ```
/// use cupel::{Query, RunContext};
///
/// let query = Query::new("When does the reminder job run?").with_vector([0.6, 0.8])?;
/// let context = RunContext::new().with_query(query);
/// assert_eq!(context.query().map(|query| query.vector()), Some(&[0.6, 0.8][..]));
/// # Ok::<(), cupel::CupelError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    text: String,
    vector: Vec<f32>,
}

impl Query {
    /// A query in words.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), vector: Vec::new() }
    }

    /// The same with its embedding, to be compared with [those of the items](crate::ContextItem::vector): by the same
    /// model and so of the same length.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn with_vector(mut self, vector: impl Into<Vec<f32>>) -> Result<Self, CupelError> {
        self.vector = vector.into();
        check_vector(&self.vector)?;
        Ok(self)
    }

    /// The words.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The embedding; empty without one.
    pub fn vector(&self) -> &[f32] {
        &self.vector
    }
}

impl<T: Into<String>> From<T> for Query {
    fn from(text: T) -> Self {
        Self::new(text)
    }
}
