//! Data about a pair, or the camera and an object, for the window and the report.

#[cfg(feature = "gui")]
pub mod camera_view;
pub mod drawing;
pub mod gap_curve;
pub mod lengths;
pub mod pair_view;
