//! The report of a level: findings merged over frames, in groups, explained, with expectations, minimal scenes and fixes of the level.

pub(in crate::core::diagnose) mod content;
pub(in crate::core::diagnose) mod expect;
pub mod explain;
pub(in crate::core::diagnose) mod finding_list;
pub(in crate::core::diagnose) mod group;
pub(in crate::core::diagnose) mod level_fix;
pub(in crate::core::diagnose) mod level_fixes;
pub(in crate::core::diagnose) mod margins;
pub(in crate::core::diagnose) mod merge;
pub(in crate::core::diagnose) mod not_judged;
pub(in crate::core::diagnose) mod outside;
pub(in crate::core::diagnose) mod platforms;
pub(in crate::core::diagnose) mod same_findings;
