//! What is computed of an event: its limits, the phases of its frame, the values that detect it.

pub(in crate::core::diagnose) mod change;
pub(in crate::core::diagnose) mod engine_sweep;
pub(in crate::core::diagnose) mod event_metrics;
pub(in crate::core::diagnose) mod f32_recheck;
pub mod limits;
pub mod phase_sweep;
pub(in crate::core::diagnose) mod threshold_search;
