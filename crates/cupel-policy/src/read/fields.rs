//! An object, field by field.

use super::{Context, Spelled, is_slip, suggestion};
use crate::error::ProblemKind;
use crate::json::{Member, Node, Path, Value};

/// An object whose keys are known: each may be spelled in camelCase or snake_case, none may be
/// given twice, and what nobody asked for is a problem.
pub(crate) struct Fields<'n> {
    node: &'n Node<'n>,
    path: Path<'n>,
    members: &'n [Member<'n>],
    known: Vec<&'static str>,
}

impl<'n> Fields<'n> {
    /// The fields of `node`, which should be `expected`, an object.
    pub(crate) fn of(
        node: &'n Node<'n>,
        path: &Path<'n>,
        expected: &str,
        context: &mut Context<'_>,
    ) -> Option<Self> {
        match &node.value {
            Value::Object(members) => {
                Some(Self { node, path: *path, members, known: Vec::with_capacity(24) })
            }
            other => {
                context.problem(node, path, ProblemKind::wrong_type(expected, other));
                None
            }
        }
    }

    /// The value of `key`, absent or `null` being the same.
    pub(crate) fn optional<T>(
        &mut self,
        key: &'static str,
        context: &mut Context<'_>,
        read: impl FnOnce(&Node<'_>, &Path<'_>, &mut Context<'_>) -> Option<T>,
    ) -> Option<T> {
        let member = self.take(key, context)?;
        match &member.value.value {
            Value::Null => None,
            _ => read(&member.value, &self.path.key(&member.key), context),
        }
    }

    /// The value of `key`, which must be there.
    pub(crate) fn required<T>(
        &mut self,
        key: &'static str,
        context: &mut Context<'_>,
        read: impl FnOnce(&Node<'_>, &Path<'_>, &mut Context<'_>) -> Option<T>,
    ) -> Option<T> {
        self.required_also_called(key, &[], context, read)
    }

    /// The same for a key that others call by other names.
    pub(crate) fn required_also_called<T>(
        &mut self,
        key: &'static str,
        other_names: &[&str],
        context: &mut Context<'_>,
        read: impl FnOnce(&Node<'_>, &Path<'_>, &mut Context<'_>) -> Option<T>,
    ) -> Option<T> {
        if let Some(member) = self.take(key, context) {
            return read(&member.value, &self.path.key(&member.key), context);
        }
        context.problems.add_with(self.node.at, &self.path, || {
            let keys = || self.members.iter().map(|member| &*member.key);
            let other = keys().find(|other| is_slip(other, key));
            let other = other.or_else(|| keys().find(|other| other_names.contains(other)));
            ProblemKind::MissingKey { key: key.to_owned(), suggestion: other.map(str::to_owned) }
        });
        None
    }

    /// Says that `key`, if given, belongs elsewhere.
    pub(crate) fn misplaced(
        &mut self,
        key: &'static str,
        belongs_to: &str,
        context: &mut Context<'_>,
    ) {
        let path = self.path;
        if let Some(member) = self.take(key, context).filter(|it| it.value.value != Value::Null) {
            let (key, belongs_to) = (member.key.to_string(), belongs_to.to_owned());
            let kind = ProblemKind::MisplacedKey { key, belongs_to };
            context.problems.add(member.at, &path.key(&member.key), kind);
        }
    }

    /// Whether `key` has a value.
    pub(crate) fn has(&self, key: &'static str) -> bool {
        self.find(key).is_some_and(|member| member.value.value != Value::Null)
    }

    /// Where `key` stands.
    pub(crate) fn position(&self, key: &'static str) -> Option<usize> {
        self.find(key).map(|member| member.at)
    }

    /// Where the value of `key` stands.
    pub(crate) fn position_of_value(&self, key: &'static str) -> Option<usize> {
        self.find(key).map(|member| member.value.at)
    }

    fn find(&self, key: &'static str) -> Option<&'n Member<'n>> {
        self.members.iter().find(|member| Spelled(key).is_key(&member.key))
    }

    /// The member of that key, marked as known; further ones are problems.
    fn take(&mut self, key: &'static str, context: &mut Context<'_>) -> Option<&'n Member<'n>> {
        self.known.push(key);
        let mut spelled = self.members.iter().filter(|member| Spelled(key).is_key(&member.key));
        let first = spelled.next()?;
        for again in spelled {
            let (key, first) = (again.key.to_string(), first.key.to_string());
            let kind = ProblemKind::DuplicateKey { key, first };
            context.problems.add(again.at, &self.path.key(&again.key), kind);
        }
        Some(first)
    }

    /// Members that nobody asked for.
    pub(crate) fn rest(&self) -> impl Iterator<Item = &'n Member<'n>> + '_ {
        let unknown =
            |member: &&Member<'_>| !self.known.iter().any(|key| Spelled(key).is_key(&member.key));
        self.members.iter().filter(unknown)
    }

    /// Keeps the members that nobody asked for, and notes those that look like a slip.
    pub(crate) fn finish_keeping(self, context: &mut Context<'_>) {
        for member in self.rest() {
            context.slips.note(member, &self.path, &self.known);
        }
    }

    /// Reports the members that nobody asked for.
    pub(crate) fn finish(self, context: &mut Context<'_>) {
        self.finish_knowing(|_| None, context);
    }

    /// The same, where `belongs_to` knows some of them from elsewhere.
    pub(crate) fn finish_knowing(
        self,
        belongs_to: impl Fn(&str) -> Option<String>,
        context: &mut Context<'_>,
    ) {
        for member in self.rest() {
            let path = self.path.key(&member.key);
            let key = member.key.to_string();
            if let Some(belongs_to) = belongs_to(&key) {
                if member.value.value != Value::Null {
                    let kind = ProblemKind::MisplacedKey { key, belongs_to };
                    context.problems.add(member.at, &path, kind);
                }
                continue;
            }
            let found = if context.lenient { &mut context.warnings } else { &mut context.problems };
            found.add_with(member.at, &path, || ProblemKind::UnknownKey {
                suggestion: suggestion(&key, self.known.iter().copied()),
                allowed: self.known.iter().map(|known| (*known).to_owned()).collect(),
                key,
            });
        }
    }
}
