//! What the window is to answer, by the same rules as the engine's own reader, but with the place of
//! each problem.

use cupel::Query;

use crate::error::ProblemKind;
use crate::json::{Node, Path, Value};
use crate::read::{Context, Fields, string, vector};

/// Reads a query: a text, or an object with the text and its embedding.
pub(super) fn query(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<Query> {
    match &node.value {
        Value::String(text) => Some(Query::new(&**text)),
        Value::Object(_) => {
            let mut fields = Fields::of(node, path, "a query object", context)?;
            let text = fields.required_also_called("text", &["query", "content"], context, string);
            let vector = fields.optional("vector", context, vector);
            fields.finish(context);
            let query = Query::new(text?).with_vector(vector.unwrap_or_default());
            context.accepted(node, path, query)
        }
        other => {
            let expected = "a query: a string, or an object with \"text\" and \"vector\"";
            context.problem(node, path, ProblemKind::wrong_type(expected, other));
            None
        }
    }
}
