//! What shapes, queries, bounds and the broad phase answer: against arithmetic without rounding, against answers known from
//! elsewhere, and against what must hold for every pair.

mod bad_numbers;
mod capsules;
mod compounds;
mod corners_and_rotations;
mod exact;
mod known_answers;
mod pairs;
mod polytopes;
mod published_faults;
mod rays;
mod search;
mod sphere_trees;
mod traces;
mod two_boxes;
mod watertight;
