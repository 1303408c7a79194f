//! An explanation for programs.

use std::io::{self, Write};

use cupel::{Certainty, ContextBudget, ContextItem, Obstacle, Query, SelectionReport, Shortened};
use cupel_policy::PolicyFile;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::breakdown::Part;
use crate::input::Candidates;
use crate::plan::Plan;
use crate::remedies::Remedies;
use crate::verdict::{Verdict, position};

/// Everything there is to say about a run.
pub(crate) struct Explained<'a> {
    pub(crate) input: &'a str,
    pub(crate) plan: &'a Plan,
    pub(crate) candidates: &'a Candidates,
    pub(crate) budget: &'a ContextBudget,
    pub(crate) report: &'a SelectionReport,
    pub(crate) remedies: &'a Remedies,
    pub(crate) verdicts: &'a [Verdict],
    /// What the score of each candidate is made of.
    pub(crate) parts: &'a [Vec<Part>],
}

/// Our own words in camelCase, and the specification's report within, as it is.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
    input: &'a str,
    policy: &'a str,
    policy_file: &'a PolicyFile,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'a str>,
    budget: &'a ContextBudget,
    window_tokens: i64,
    total_tokens: i64,
    /// The window in its order, by number.
    window: Vec<usize>,
    /// The candidates in the order of the input.
    items: Vec<Item<'a>>,
    report: &'a SelectionReport,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Item<'a> {
    /// Its place in the input, from 1.
    item: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    included: bool,
    reason: &'static str,
    kind: String,
    /// In the form that is in the window; whole, if it is left out.
    tokens: i64,
    /// What it stays together with.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    /// All members of its group, and their tokens together, if there are others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unit: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit_tokens: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shortened: Option<Form>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score_per_token: Option<f64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    scores: &'a [Part],
    #[serde(skip_serializing_if = "Option::is_none")]
    room_at_its_turn: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beaten_by: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_let_it_in: Option<Remedy>,
    /// If it has shorter forms and is not in the window whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    to_let_it_in_whole: Option<Remedy>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    obstacles: Vec<Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Remedy {
    additional_tokens: i64,
    /// Whether less would not do.
    exact: bool,
    /// The shorter form that it would be in, from 1; 0 is whole.
    form: usize,
    displaced: Vec<usize>,
}

/// The shorter form that an item is in, of how many.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Form {
    form: usize,
    forms: usize,
    tokens_saved: i64,
}

impl From<Shortened> for Form {
    fn from(shortened: Shortened) -> Self {
        let Shortened { form, forms, tokens_saved, .. } = shortened;
        Self { form, forms, tokens_saved }
    }
}

impl Explained<'_> {
    /// Writes it as one indented object.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let included = &self.report.included;
        let used: i128 = included.iter().map(|it| i128::from(it.item.tokens())).sum();
        let told = Told {
            input: self.input,
            policy: &self.plan.label,
            policy_file: &self.plan.policy,
            query: self.plan.pipeline.context().query().map(Query::text),
            budget: self.budget,
            window_tokens: self.budget.window_tokens(),
            total_tokens: i64::try_from(used).unwrap_or(i64::MAX),
            window: included.iter().map(|it| position(it.index) + 1).collect(),
            items: self.items(),
            report: self.report,
        };
        serde_json::to_writer_pretty(&mut *out, &told)?;
        writeln!(out)
    }

    fn number(&self, item: &ContextItem) -> usize {
        self.candidates.position(item) + 1
    }

    fn items(&self) -> Vec<Item<'_>> {
        // What each costs in its form, by place: a unit's tokens are those that its members have.
        let mut tokens = vec![0; self.candidates.items().len()];
        let included = self.report.included.iter().map(|it| (it.index, it.item.tokens()));
        let excluded = self.report.excluded.iter().map(|it| (it.index, it.item.tokens()));
        included.chain(excluded).for_each(|(index, cost)| tokens[position(index)] = cost);

        let included = self.report.included.iter().map(|it| Item {
            included: true,
            shortened: it.shortened.map(Form::from),
            ..self.item(position(it.index), it.reason.name(), &tokens)
        });
        let excluded = self.report.excluded.iter();
        let excluded = excluded.map(|it| self.item(position(it.index), it.reason.name(), &tokens));
        let mut items: Vec<_> = included.chain(excluded).collect();
        items.sort_by_key(|item| item.item);
        items
    }

    /// The item at `position`, left out unless said otherwise.
    fn item(&self, position: usize, reason: &'static str, tokens: &[i64]) -> Item<'_> {
        let (item, verdict) = (&self.candidates.items()[position], self.verdicts[position]);
        let counterfactual = self.remedies.counterfactual(position);
        let remedy = counterfactual.and_then(|it| it.remedy.as_ref());
        let obstacles = counterfactual.iter().flat_map(|it| &it.obstacles);
        let unit = self.candidates.units().members(position);
        let together: i128 = unit.iter().map(|member| i128::from(tokens[*member])).sum();
        Item {
            item: position + 1,
            id: id_of(self.candidates.object(position)),
            included: false,
            reason,
            kind: item.kind().to_string(),
            tokens: tokens[position],
            group: item.group(),
            unit: unit.iter().map(|member| member + 1).collect(),
            unit_tokens: (!unit.is_empty()).then(|| i64::try_from(together).unwrap_or(i64::MAX)),
            shortened: None,
            score: verdict.score,
            score_per_token: verdict.per_token,
            scores: &self.parts[position],
            room_at_its_turn: verdict.room,
            beaten_by: verdict.beaten_by.map(|position| position + 1),
            to_let_it_in: remedy.map(|it| self.remedy(it)),
            to_let_it_in_whole: self.remedies.whole(position).map(|it| self.remedy(it)),
            obstacles: obstacles.filter_map(|it| self.obstacle(it)).collect(),
        }
    }

    fn remedy(&self, remedy: &cupel::Remedy) -> Remedy {
        Remedy {
            additional_tokens: remedy.additional_tokens,
            exact: remedy.certainty == Certainty::Smallest,
            form: remedy.form,
            displaced: remedy.displaced.iter().map(|item| self.number(item)).collect(),
        }
    }

    fn obstacle(&self, obstacle: &Obstacle) -> Option<Value> {
        Some(match obstacle {
            Obstacle::NegativeTokens { tokens } => {
                json!({ "type": "negativeTokens", "tokens": tokens })
            }
            Obstacle::DuplicateOf { kept } => {
                json!({ "type": "duplicateOf", "item": self.number(kept) })
            }
            Obstacle::NearDuplicateOf { kept, overlap } => {
                json!({ "type": "nearDuplicateOf", "item": self.number(kept), "overlap": overlap })
            }
            Obstacle::KindCap { kind, cap } => {
                json!({ "type": "kindCap", "kind": kind, "cap": cap })
            }
            Obstacle::PinnedItems { tokens, first } => {
                json!({ "type": "pinnedItems", "tokens": tokens, "item": self.number(first) })
            }
            Obstacle::NotChosen { tried_up_to } => {
                json!({ "type": "notChosen", "triedUpTo": tried_up_to })
            }
            Obstacle::NotTestable { additional_tokens, error } => json!({
                "type": "notTestable",
                "additionalTokens": additional_tokens,
                "error": error.to_string(),
            }),
            _ => return None,
        })
    }
}

/// The caller's own name for an item, if it has one.
pub(crate) fn id_of(object: &str) -> Option<Value> {
    #[derive(Deserialize)]
    struct Named {
        id: Option<Value>,
    }

    serde_json::from_str::<Named>(object).ok()?.id
}
