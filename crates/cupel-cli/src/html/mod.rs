//! One page to look at, complete in itself.

mod data;
mod eval;
mod messages;
mod plain;
mod replay;
mod report;
mod steps;
mod visible;

pub(crate) use data::PageData;
pub(crate) use eval::eval_page;
pub(crate) use messages::message_page;
pub(crate) use replay::replay_page;

/// The script, by what its parts are about; later ones use earlier ones.
const SCRIPT: [&str; 5] = [
    include_str!("script/base.js"),
    include_str!("script/kinds.js"),
    include_str!("script/lists.js"),
    include_str!("script/picture.js"),
    include_str!("script/page.js"),
];

/// The page: template, styles, script and data in one file.
pub(crate) fn page(data: &PageData<'_>) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string(data)?;
    let [used, of_limit, kept, of_candidates] = plain::figures(data);
    // The data goes in last: whatever it contains is not looked at for placeholders.
    Ok(include_str!("page.html")
        .replace("{{css}}", include_str!("page.css"))
        .replace("{{js}}", &SCRIPT.concat())
        .replace("{{title}}", &escaped(&data.title))
        .replace("{{subtitle}}", &plain::subtitle(data))
        .replace("{{rule}}", plain::rule(data))
        .replace("{{by}}", if data.per_token { "by-token" } else { "" })
        .replace("{{used}}", &used)
        .replace("{{of-limit}}", &of_limit)
        .replace("{{kept}}", &kept)
        .replace("{{of-candidates}}", &of_candidates)
        .replace("{{digits}}", &data.items.len().to_string().len().max(3).to_string())
        .replace("{{window}}", &plain::window(data))
        .replace("{{left-out}}", &plain::left_out(data))
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
