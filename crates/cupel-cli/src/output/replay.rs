//! A replay as JSON.

use serde_json::{Value, json};

use crate::replayed::{Replayed, Run};

pub(crate) fn replay_json(replayed: &Replayed) -> Value {
    let run = |run: &Run| {
        json!({
            "strategy": run.label,
            "cost": run.outcomes.cost(),
            "timesCheaper": replayed.cheaper(run),
            "shareRead": run.outcomes.share_read(),
            "cuts": run.outcomes.cuts(),
            "evidenceKept": run.outcomes.evidence_kept(),
            "stopped": run.outcomes.stopped,
            "turns": run.outcomes.turns,
        })
    };
    json!({
        "name": replayed.name,
        "model": replayed.model,
        "budget": replayed.budget,
        "turns": replayed.turns,
        "prices": replayed.price,
        "pricesAsOf": replayed.prices_as_of,
        "strategies": replayed.runs.iter().map(run).collect::<Vec<_>>(),
    })
}
