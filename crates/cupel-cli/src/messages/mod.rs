//! Requests to language models: read as they are, cut, given back.
//!
//! What is items goes the way of [`crate::input`]; what is a request goes through here. Every command
//! that takes either reads a [`Given`] and asks which it is.

mod batch;
mod chat;
mod detect;
mod explained;
mod schema;
mod shown;

pub(crate) use batch::{MessageResponder, item_turn};
pub(crate) use chat::{Chat, Cut, meter, meter_parts, read_request, room};
pub(crate) use detect::is_request;
pub(crate) use explained::{parts_json, report_json};
pub(crate) use schema::batch as batch_schema;
pub(crate) use shown::{
    REFUSED, TURN_LEFT_OUT, calls, label, mended, reason, shown, summary, units, why_briefly,
};

use cupel_policy::Preset;

use crate::advice;
use crate::failure::Complaint;
use crate::input::{Candidates, ItemLines};
use crate::plan::Plan;

/// What the policy is called that requests are cut by unless one is asked for.
pub(crate) const USUAL_POLICY: &str = Preset::RecentFirst.name();

/// That the policy does not read the query that was given, if so.
pub(crate) fn query_ignored(asked_for: Option<&Plan>) -> Option<Complaint> {
    match asked_for {
        Some(plan) => advice::query_ignored(plan),
        None => Some(advice::unread_query(USUAL_POLICY)),
    }
}

/// What a command was given.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of them in a run")]
pub(crate) enum Given {
    Items(Candidates),
    Chat(Chat),
}

/// The same, where JSON Lines are not read yet.
pub(crate) enum Opened {
    Items(Candidates),
    Lines(ItemLines),
    Chat(Chat),
}
