//! One page to look at, complete in itself.

mod data;
mod steps;

pub(crate) use data::PageData;

/// The page: template, styles, script and data in one file.
pub(crate) fn page(data: &PageData<'_>) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string(data)?;
    // The data goes in last: whatever it contains is not looked at for placeholders.
    Ok(include_str!("page.html")
        .replace("{{title}}", &escaped(&format!("{} · cupel", data.title)))
        .replace("{{css}}", include_str!("page.css"))
        .replace("{{js}}", include_str!("page.js"))
        .replacen("{{data}}", &inert(&json), 1))
}

/// JSON that cannot end the script element it stands in.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Text that is nothing but text, in HTML and in a template.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('{', "&#123;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_content_can_leave_its_script_element() {
        let json = inert(r#"{"a": "</script><script>alert(1)</script><!--"}"#);
        assert!(!json.contains('<'));
        let back: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(back["a"], "</script><script>alert(1)</script><!--");
    }
}
