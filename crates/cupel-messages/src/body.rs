//! A request looked into once: its keys and its messages, so that nobody walks over all of its text again to find one.

use std::borrow::Cow;

use crate::Error;
use crate::json::{Entry, Json};

/// Where requests have their messages.
pub(crate) const MESSAGE_LISTS: [&str; 3] = ["messages", "input", "contents"];

/// A request, or a bare list of messages.
#[derive(Debug)]
pub(crate) struct Body<'a> {
    json: Json<'a>,
    entries: Vec<Entry<'a>>,
    /// The elements of the lists that there are, by key; of a bare list under no key.
    lists: Vec<(&'static str, Vec<Json<'a>>)>,
}

impl<'a> Body<'a> {
    pub(crate) fn parse(text: &'a str) -> Result<Self, Error> {
        let json = Json::parse(text)?;
        let mut body = Self { json, entries: json.entries(), lists: Vec::new() };
        if json.is_array() {
            body.lists.push(("", json.elements()));
        } else {
            let lists =
                MESSAGE_LISTS.iter().filter_map(|key| Some((*key, body.get(key)?.elements())));
            body.lists = lists.collect();
        }
        Ok(body)
    }

    pub(crate) fn json(&self) -> Json<'a> {
        self.json
    }

    pub(crate) fn is_list(&self) -> bool {
        self.json.is_array()
    }

    /// The value of `key`, unless that is null or missing; the last one if it is there twice.
    pub(crate) fn get(&self, key: &str) -> Option<Json<'a>> {
        let found = self.entries.iter().rev().find(|entry| entry.key == key)?;
        (!found.value.is_null()).then_some(found.value)
    }

    pub(crate) fn get_string(&self, key: &str) -> Option<Cow<'a, str>> {
        self.get(key)?.string()
    }

    /// The messages at `key`, or those of a bare list.
    pub(crate) fn messages(&self, key: &str) -> &[Json<'a>] {
        let list = self.lists.iter().find(|(own, _)| own.is_empty() || *own == key);
        list.map_or(&[], |(_, messages)| messages)
    }

    /// The path of that list.
    pub(crate) fn list_path(&self, key: &str) -> String {
        if self.is_list() { "$".to_owned() } else { format!("$.{key}") }
    }
}
