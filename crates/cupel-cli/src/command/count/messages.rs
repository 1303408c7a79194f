//! What a request costs, part by part.

use std::io::Write;

use cupel_messages::{Role, Tokens};
use serde_json::json;

use crate::args::CountArgs;
use crate::failure::Outcome;
use crate::messages::{Chat, parts_json};
use crate::render::{Palette, count, grouped, left, right};

/// Roles in the order of the table; system messages are part of the system.
const ROLES: [Role; 3] = [Role::User, Role::Assistant, Role::Tool];

/// One line of the table.
struct Row {
    part: String,
    messages: Option<usize>,
    tokens: i64,
}

pub(super) fn run(args: &CountArgs, chat: &Chat) -> Outcome {
    let each = chat.request.count_messages(chat.meter());
    let total = chat.request.count(chat.meter());
    let of_role = |role: Role| {
        let messages = chat.request.messages().iter().zip(&each);
        let own: Vec<_> =
            messages.filter(|(it, _)| it.role() == role).map(|(_, tokens)| tokens).collect();
        (own.len(), own.iter().map(|tokens| tokens.messages).fold(0, i64::saturating_add))
    };
    let mut out = args.output.open()?;
    if args.json {
        let roles = ROLES.iter().map(|role| {
            let (messages, tokens) = of_role(*role);
            (role.to_string(), json!({ "messages": messages, "tokens": tokens }))
        });
        let mut told = parts_json(&total);
        told["roles"] = roles.collect::<serde_json::Map<_, _>>().into();
        told["format"] = chat.request.format().name().into();
        told["model"] = chat.request.model().into();
        told["countedWith"] = chat.basis().to_string().into();
        told["estimate"] = chat.basis().is_estimate().into();
        serde_json::to_writer_pretty(&mut out, &told).map_err(std::io::Error::from)?;
        writeln!(out)?;
        return out.finish();
    }
    let text = table(&rows(&total, of_role), chat);
    out.write_styled(&text)?;
    out.finish()
}

fn rows(total: &Tokens, of_role: impl Fn(Role) -> (usize, i64)) -> Vec<Row> {
    let part = |part: &str, tokens| Row { part: part.to_owned(), messages: None, tokens };
    let mut rows = vec![part("system", total.system), part("tools", total.tools)];
    let mut messages = part("messages", total.messages);
    messages.messages = Some(ROLES.iter().map(|role| of_role(*role).0).sum());
    rows.push(messages);
    for role in ROLES {
        let (messages, tokens) = of_role(role);
        rows.push(Row { part: format!("  {role}"), messages: Some(messages), tokens });
    }
    rows.push(part("images and files", total.media));
    rows.push(part("request", total.request));
    rows.retain(|row| row.tokens > 0 || row.messages.is_none_or(|messages| messages > 0));
    rows.push(part("total", total.total()));
    rows
}

fn table(rows: &[Row], chat: &Chat) -> String {
    let Palette { strong, dim, .. } = Palette::PEOPLE;
    let widest = rows.iter().map(|row| row.part.len()).max().unwrap_or(0);
    let tokens: Vec<_> = rows.iter().map(|row| grouped(row.tokens)).collect();
    let digits = tokens.iter().map(String::len).max().unwrap_or(0).max("tokens".len());
    let heading = format!("{}  {}  messages", left("part", widest), right("tokens", digits));
    let mut text = format!("{dim}{heading}{dim:#}\n");
    for (row, tokens) in rows.iter().zip(&tokens) {
        let messages = row.messages.map(count).unwrap_or_default();
        let messages = if messages.is_empty() { messages } else { right(&messages, 10) };
        let line = format!("{}  {}{messages}", left(&row.part, widest), right(tokens, digits));
        let is_total = row.part == "total";
        text += &if is_total { format!("{strong}{line}{strong:#}\n") } else { format!("{line}\n") };
    }
    let basis = chat.basis();
    let sort = if basis.is_estimate() { "" } else { "exact for text, " };
    text + &format!("{dim}{sort}{basis}; {} request{dim:#}\n", chat.request.format())
}
