//! Simulation, sensitivity and analytics, against versions that really run the pipeline again.
//!
//! | module | asks |
//! |---|---|
//! | [`marginal`] | which items would a smaller budget lose? |
//! | [`min_budget`] | with which budget would an item get in? |
//! | [`counterfactuals`] | which exclusions are answered, in which order, in which words? |
//! | [`obstacles`] | what stands in an item's way apart from the size of the budget? |
//! | [`sensitivity`] | what would other policies have done? |
//! | [`analytics`] | how full, how diverse is a window? |
//! | [`guards`] | which questions are refused, and how? |
//!
//! [`small`] makes problems of few tokens, for which every budget can be tried, and [`naive`] tries
//! them.

mod analytics;
mod by_hand;
mod counterfactuals;
mod guards;
mod marginal;
mod min_budget;
mod naive;
mod obstacles;
mod sensitivity;
mod small;
