//! Findings of a level: what collision detection missed, the cause, the evidence, and the values that fix it.
//!
//! Frames are judged in parallel and independently: swept boxes give the candidate pairs, the passages of a pair (`judge`), what its
//! neighbours change (`judge::solids`) and the overlaps before the frame (`judge::contact_history`) give the kind, and each cause is
//! tested. Then events that continue over frames are merged, findings are sorted, and the scene's expectations are checked.
//!
//! Resting and rolling contact is not a finding. A passage less deep than the slop is not reported: 2 % of the smaller body, or
//! more where the margin, the skin of the engine or the spacing of the recorded numbers is wider.

mod cause;
mod causes;
mod detect;
mod diagnosis;
mod evidence;
mod facts;
mod finding;
mod fix;
mod judge;
mod kind;
mod level_facts;
mod minimal_scene;
mod report;
mod shape_metrics;
pub mod what_if;

pub use cause::{Cause, Family};
pub use causes::{Help, RelevantFields, SceneField};
pub(in crate::core) use detect::margins::is_swept_against;
pub use diagnosis::{Diagnosis, Options, diagnose, diagnose_in_parts, with_detection};
pub use evidence::{Evidence, Key};
pub use facts::phase_sweep;
pub use finding::{Finding, Pile, PileState, Reason, Source};
pub use fix::{Fix, Quantity};
pub use kind::Kind;
pub use level_facts::engines;
pub(in crate::core) use level_facts::gravity;
pub use minimal_scene::{SceneSelection, inline_meshes, minimal_scene};
pub(in crate::core) use minimal_scene::{spin, swept};
pub use report::content::{ExpectationResult, Group, NotJudged, Report, SCHEMA, Verdict};
pub use report::expect::{
    expectation_text, expected_finding, expected_hit, expected_position, expected_push,
};
pub use report::explain;
pub use report::finding_list::{FindingList, LISTED};
pub use report::group::group_of_each;
pub use report::level_fix::LevelFix;
pub use report::level_fixes::{
    causes_that_stay, level_fixes, name_pattern, stay_with_each, text_of_staying,
};
pub use report::margins::{Margin, Margins};
pub use report::outside::{Outside, sentence as outside_sentence};
pub use report::same_findings::{Changes, Identity, NEAR_FRAMES, same_findings};
pub(in crate::core) use shape_metrics::half_width;
