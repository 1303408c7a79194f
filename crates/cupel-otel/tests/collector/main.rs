//! What a run looks like from the other side of OpenTelemetry.

mod agreement;
mod composition;
mod failure;
mod metrics;
mod parentage;
mod problem;
mod recording;
mod sampling;
mod tiers;
mod times;
mod units;
