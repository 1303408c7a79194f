//! Every assertion: where it holds, where it does not, and what it says then, to the letter.

mod beyond;
mod both_forms;
mod exclusion;
mod inclusion;
mod ordering;
mod support;
mod total;
