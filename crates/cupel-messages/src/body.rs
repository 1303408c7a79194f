//! A request looked into once: its keys and its messages, so that nobody walks over all of its text again to find one.

use std::borrow::Cow;

use crate::Error;
use crate::json::{Json, Object, Scan};

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
        let mut lists: Vec<(&str, Vec<Object<'_>>)> = Vec::new();
        let mut scan = Scan::of(json);
        if json.is_array() {
            lists.push(("", scan.objects()));
        }
        let entries = if json.is_object() {
            scan.entries(|scan, key| {
                let Some(list) = MESSAGE_LISTS.iter().find(|list| **list == key) else {
                    return scan.skip_value();
                };
                // Of two lists at one key the last one counts.
                lists.retain(|(known, _)| known != list);
                if scan.is_at_array() {
                    lists.push((list, scan.objects()));
                } else {
                    scan.skip_value();
                }
            })
        } else {
            Vec::new()
        };
        let root = Object::new(json, entries);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_walked_over_once_and_every_value_is_where_it_stands() {
        let body = Body::parse(
            r#" {"model" : "m", "messages": [ {"role":"user","content":[1,{"a":"]"}]} , 7, "x" ] ,"n":{"messages":[]} } "#,
        )
        .unwrap();
        let messages: Vec<_> = body.messages("messages").iter().map(|it| it.text()).collect();
        assert_eq!(messages, [r#"{"role":"user","content":[1,{"a":"]"}]}"#, "7", "\"x\""]);
        assert_eq!(body.messages("messages")[0].get("content").unwrap().text(), r#"[1,{"a":"]"}]"#);
        assert_eq!(body.get("n").unwrap().text(), r#"{"messages":[]}"#);
        assert_eq!(body.get_string("model").unwrap(), "m");
    }

    #[test]
    fn of_two_lists_at_one_key_the_last_one_counts() {
        let messages = |text| Body::parse(text).unwrap().messages("messages").len();
        assert_eq!(messages(r#"{"messages":[{}],"messages":[{},{}]}"#), 2);
        assert_eq!(messages(r#"{"messages":[{}],"messages":null}"#), 0);
    }
}
