//! What pages of results share: head, title and foot, without a script.

use super::escaped;

/// A page of results.
pub(super) struct Report<'a> {
    /// The command that made it.
    pub(super) command: &'a str,
    /// Styles beside those of every page.
    pub(super) css: &'a [&'a str],
    pub(super) title: &'a str,
    pub(super) about: &'a str,
    /// Sections, in HTML.
    pub(super) main: String,
    /// What else a reader should know, below.
    pub(super) note: &'a str,
}

impl Report<'_> {
    /// The page, complete in itself.
    pub(super) fn page(&self) -> String {
        let css = [include_str!("page.css"), include_str!("eval.css"), &self.css.concat()].concat();
        // What the caller wrote goes in last and escaped: nothing in it is looked at for placeholders.
        include_str!("report.html")
            .replace("{{command}}", self.command)
            .replace("{{css}}", &css)
            .replace("{{note}}", self.note)
            .replace("{{title}}", &escaped(self.title))
            .replace("{{about}}", &escaped(self.about))
            .replace("{{main}}", &self.main)
    }
}
