//! What shapes, queries, bounds and the broad phase answer: against arithmetic without rounding, against answers known from
//! elsewhere, and against what must hold for every pair.

mod bad_numbers;
mod batch;
mod capsules;
mod corners_and_turns;
mod exact;
mod known_answers;
mod polytopes;
mod properties;
mod published_faults;
mod queries;
mod rays;
mod search;
mod sphere_trees;
mod traces;
mod traces_of_places;
mod two_boxes;
mod watertight;
