//! Diagnosis of levels: every cause with its numbers, every pair explained, every expectation of every scene.

mod cause_limits;
mod causes;
mod compare;
mod cut_floors;
mod diagnose;
mod engine_settings;
mod evidence;
mod expectations;
mod explain;
mod explain_ends;
mod finding_order;
mod growth;
mod level_fixes;
mod log_check;
mod margins;

mod outside;
mod piles;
mod place_and_side;
mod report_parts;
mod rotating;
pub mod scenes;
mod what_if;
mod what_if_session;
