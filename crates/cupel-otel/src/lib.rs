#![doc = include_str!("../README.md")]
#![deny(clippy::unwrap_used)]

mod clock;
mod metrics;
mod names;
#[cfg(feature = "session")]
mod session;
mod spans;
mod trace;
mod verbosity;

pub use metrics::CupelOtelMetricsCollector;
pub use names::exclusion_reason_name;
#[cfg(feature = "session")]
pub use session::{CupelOtelSessionMetrics, session_attributes};
pub use trace::CupelOtelTraceCollector;
pub use verbosity::CupelVerbosity;

use cupel::PipelineStage;
use opentelemetry::InstrumentationScope;

/// The name under which Cupel's spans and metrics are found.
pub const SOURCE_NAME: &str = "cupel";

/// A run whose last stage is done has succeeded: nothing in it can fail any more.
const LAST_STAGE: PipelineStage = PipelineStage::Place;

fn scope() -> InstrumentationScope {
    InstrumentationScope::builder(SOURCE_NAME).with_version(env!("CARGO_PKG_VERSION")).build()
}
