//! A request looked into once: its keys and its messages, so that nobody walks over all of its text again to find one.

use std::borrow::Cow;

use crate::Error;
use crate::json::{Json, Object};

/// Where requests have their messages.
pub(crate) const MESSAGE_LISTS: [&str; 3] = ["messages", "input", "contents"];

/// A request, or a bare list of messages.
#[derive(Debug)]
pub(crate) struct Body<'a> {
    root: Object<'a>,
    /// The elements of the lists that there are, by key; of a bare list under no key.
    lists: Vec<(&'static str, Vec<Object<'a>>)>,
}

impl<'a> Body<'a> {
    pub(crate) fn parse(text: &'a str) -> Result<Self, Error> {
        let json = Json::parse(text)?;
        let root = Object::of(json);
        let messages = |list: Json<'a>| list.elements().into_iter().map(Object::of).collect();
        let lists = if json.is_array() {
            vec![("", messages(json))]
        } else {
            let lists =
                MESSAGE_LISTS.iter().filter_map(|key| Some((*key, messages(root.get(key)?))));
            lists.collect()
        };
        Ok(Self { root, lists })
    }

    pub(crate) fn json(&self) -> Json<'a> {
        *self.root
    }

    pub(crate) fn is_list(&self) -> bool {
        self.root.is_array()
    }

    /// The value of `key`, unless that is null or missing; the last one if it is there twice.
    pub(crate) fn get(&self, key: &str) -> Option<Json<'a>> {
        self.root.get(key)
    }

    pub(crate) fn get_string(&self, key: &str) -> Option<Cow<'a, str>> {
        self.root.get_string(key)
    }

    /// The messages at `key`, or those of a bare list.
    pub(crate) fn messages(&self, key: &str) -> &[Object<'a>] {
        let list = self.lists.iter().find(|(own, _)| own.is_empty() || *own == key);
        list.map_or(&[], |(_, messages)| messages)
    }

    /// The path of that list.
    pub(crate) fn list_path(&self, key: &str) -> String {
        if self.is_list() { "$".to_owned() } else { format!("$.{key}") }
    }
}
