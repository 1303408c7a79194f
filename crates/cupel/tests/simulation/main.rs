//! Simulation, sensitivity and analytics, against versions that really run the pipeline again.
//!
//! | module | asks |
//! |---|---|
//! | [`marginal`] | which items would a smaller budget lose? |
//! | [`min_budget`] | with which budget would an item get in? |
//! | [`counterfactuals`] | which exclusions are answered, in which order, in which words? |
//! | [`remedies`] | does a remedy work, does less not work, what does it push out? |
//! | [`obstacles`] | what stands in an item's way apart from the size of the budget? |
//! | [`sensitivity`] | what would other policies have done? |
//! | [`analytics`] | how full, how diverse is a window? |
//! | [`broken_strategies`] | what if a strategy breaks its contract, or overflows, at a budget that is tried? |
//! | [`guards`] | which questions are refused, and how? |
//! | [`units`] | what of units, and of shorter forms? |
//! | [`extremes`] | does anything overflow, hang or score twice? |
//! | [`reach`] | do the generated problems get into every corner? |
//!
//! [`small`] makes problems of few tokens, for which every budget can be tried, and [`naive`] tries
//! them. [`by_hand`] is for the others.

mod analytics;
mod broken_strategies;
mod by_hand;
mod counterfactuals;
mod extremes;
mod guards;
mod marginal;
mod min_budget;
mod naive;
mod obstacles;
mod reach;
mod remedies;
mod sensitivity;
mod small;
mod units;
