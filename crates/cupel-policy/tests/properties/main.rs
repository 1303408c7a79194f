//! Properties of reading and writing: nothing is lost, nothing panics, both readers agree.

mod agreement;
mod comments;
mod every_strategy;
mod generate;
mod never_panics;
mod non_finite;
mod round_trip;
