//! Texts of many items.

use std::fmt;
use std::ops::Range;

use cupel::ContextItem;

use crate::error::ProblemKind;
use crate::json::{self, Dialect, Path};
use crate::read::{Context, Slip};
use crate::request::{Counts, ItemRules, ReadItem, Uncounted, item_by};
use crate::{Loader, PolicyError};

/// Reads items from a JSON array or from JSON Lines, whichever a text is.
///
/// ```
/// use cupel_policy::ItemReader;
///
/// let text = "{\"id\": 7, \"content\": \"hello\", \"timstamp\": \"2025-01-01\"}\n";
/// assert!(ItemReader::new().read(text).is_err());
///
/// let count = |contents: &[&str]| contents.iter().map(|it| it.len() as i64).collect();
/// let read = ItemReader::new().keep_unknown_keys().count_with(&count).read(text)?;
/// assert_eq!(read.items[0].tokens(), 5);
/// assert_eq!(&text[read.objects[0].clone()], text.trim());
/// assert_eq!(read.slips[0].problem.path(), "$.timstamp");
/// # Ok::<(), cupel_policy::PolicyError>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct ItemReader<'c> {
    keep_unknown_keys: bool,
    take_non_finite: bool,
    count: Option<&'c Count<'c>>,
}

type Count<'c> = dyn Fn(&[&str]) -> Vec<i64> + 'c;

/// Items as read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Items {
    /// The items, in the order of the text.
    pub items: Vec<ContextItem>,
    /// Where in the text the object of each item stands.
    pub objects: Vec<Range<usize>>,
    /// Whether each item says its own token count.
    pub have_counts: Vec<bool>,
    /// Keys that were kept and look like slips of the pen, up to [`MAX_PROBLEMS`](crate::MAX_PROBLEMS).
    pub slips: Vec<Slip>,
}

impl<'c> ItemReader<'c> {
    /// As strict as a request: unknown keys are refused, and every item says its token count.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps unknown keys, which stay in the text. Those that look like slips of known ones are
    /// listed.
    pub fn keep_unknown_keys(self) -> Self {
        Self { keep_unknown_keys: true, ..self }
    }

    /// Takes `NaN`, `Infinity` and `-Infinity` as numbers, for programs that write as text the values they hold. What
    /// means nothing as such a number is refused by the item.
    pub fn take_non_finite(self) -> Self {
        Self { take_non_finite: true, ..self }
    }

    /// Counts the tokens of items and variants that do not say their own: all at once, so that cores can share
    /// the work. `count` gives a number for every content.
    pub fn count_with(self, count: &'c Count<'c>) -> Self {
        Self { count: Some(count), ..self }
    }

    /// Reads all of `text`. A path is that within an item; lines and columns are those of `text`.
    ///
    /// # Errors
    /// With every problem, up to a line that ends in the middle of an item: what follows it is
    /// probably the rest.
    pub fn read(&self, text: &str) -> Result<Items, PolicyError> {
        self.read_values(text, json::values(text, self.dialect()))
    }

    /// Reads all of `text` as JSON Lines, also where it begins like an array: what a part of a
    /// larger text is read with.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_lines(&self, text: &str) -> Result<Items, PolicyError> {
        self.read_values(text, json::lines(text, self.dialect()))
    }

    fn read_values<'t>(
        &self,
        text: &'t str,
        values: impl Iterator<Item = json::Read<'t>>,
    ) -> Result<Items, PolicyError> {
        let loader = Loader::new();
        let mut context = Context::new(loader.parts());
        let mut read = Items::default();
        let counts = if self.count.is_some() { Counts::Later } else { Counts::Own };
        let mut uncounted = Vec::new();
        for value in values {
            match value {
                Ok((node, end)) => {
                    let item = item_by(self.rules(counts), &node, &Path::ROOT, &mut context);
                    if let Some(ReadItem { item, uncounted: missing, .. }) = item {
                        let has_count = missing.as_ref().is_none_or(|missing| !missing.own);
                        uncounted.extend(missing.map(|missing| (read.items.len(), missing)));
                        read.items.push(item);
                        read.objects.push(node.at..end);
                        read.have_counts.push(has_count);
                    }
                }
                Err(error) => {
                    let is_cut_off = error.ended;
                    context.problems.add(error.at, &Path::ROOT, error.into());
                    if is_cut_off {
                        break;
                    }
                }
            }
        }
        if context.problems.count() == 0 {
            self.count_missing(text, &uncounted, &mut read, &mut context);
        }
        if context.problems.count() > 0 {
            return Err(context.problems.into_error(text));
        }
        read.slips = context.slips.locate(text);
        Ok(read)
    }

    /// Counts what the `uncounted` items and their variants do not say.
    fn count_missing(
        &self,
        text: &str,
        uncounted: &[(usize, Box<Uncounted>)],
        read: &mut Items,
        context: &mut Context<'_>,
    ) {
        let Some(count) = self.count else { return };
        let mut contents = Vec::new();
        for (at, missing) in uncounted {
            contents.extend(missing.contents(&read.items[*at]));
        }
        let counts = count(&contents);
        if counts.len() != contents.len() {
            let (given, asked) = (counts.len(), contents.len());
            let message = format!("{given} counts were given for {asked} contents");
            context.problems.add(0, &Path::ROOT, ProblemKind::Other { message });
            return;
        }
        // An item cannot be changed, but it can be read again.
        let mut again = Context::new(context.parts());
        let mut counts = counts.as_slice();
        for (at, missing) in uncounted {
            let given;
            (given, counts) = counts.split_at(missing.contents(&read.items[*at]).count());
            let (object, _) = json::value_at(text, read.objects[*at].clone(), self.dialect())
                .expect("it was parsed as a part of the text");
            let rules = self.rules(Counts::Given(given));
            if let Some(counted) = item_by(rules, &object, &Path::ROOT, &mut again) {
                read.items[*at] = counted.item;
            }
        }
        if again.problems.count() > 0 {
            context.problems = again.problems;
        }
    }

    fn dialect(&self) -> Dialect {
        if self.take_non_finite { Dialect::JsonWithNonFinite } else { Dialect::Json }
    }

    fn rules<'r>(&self, counts: Counts<'r>) -> ItemRules<'r> {
        ItemRules { keep_unknown_keys: self.keep_unknown_keys, counts, own_keys: false }
    }
}

impl fmt::Debug for ItemReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ItemReader")
            .field("keep_unknown_keys", &self.keep_unknown_keys)
            .field("take_non_finite", &self.take_non_finite)
            .field("counts", &self.count.is_some())
            .finish()
    }
}
