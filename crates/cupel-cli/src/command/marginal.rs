//! `cupel marginal`: what a smaller budget would lose.

use cupel::CupelError;

use crate::args::MarginalArgs;
use crate::failure::{Complaint, Failure, Outcome};
use crate::render::{grouped, item_table, plural};

pub(crate) fn run(args: &MarginalArgs) -> Outcome {
    let budget = args.budget.to_budget()?;
    let plan = args.policy.load()?;
    let candidates = args.input.read()?;
    let lost = match plan.pipeline.get_marginal_items(candidates.items(), &budget, args.slack) {
        Err(CupelError::PipelineConfig(_)) => return Err(shared_out()),
        lost => lost?,
    };
    let positions: Vec<_> = lost.iter().map(|item| candidates.position(item)).collect();

    let mut out = args.output.open()?;
    if let Some(format) = args.format {
        format.write(&mut out, &candidates, &lost)?;
    } else if lost.is_empty() {
        let slack = grouped(args.slack);
        out.write_styled(&format!("Nothing is lost with {slack} tokens less.\n"))?;
    } else {
        let tokens: i128 = lost.iter().map(|item| i128::from(item.tokens())).sum();
        out.write_styled(&format!(
            "With {} tokens less, {} of {} tokens would be lost\n",
            grouped(args.slack),
            plural(lost.len(), "item"),
            grouped(tokens),
        ))?;
        let table = item_table(&candidates, &positions, out.width());
        out.write_styled(&table)?;
    }
    out.finish()
}

fn shared_out() -> Failure {
    let problem = "the policy shares the budget out by quotas, where a smaller budget can also \
                   bring items in: what it would lose is not a part of what there is";
    let remedy =
        "run cupel select at both budgets and compare; or choose a --policy without quotas";
    Failure::bad_input(Complaint::new(problem).remedy(remedy))
}
