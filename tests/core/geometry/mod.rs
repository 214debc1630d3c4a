//! Shapes, queries, bounds and the broad phase: against arithmetic without rounding, against results known from
//! other sources, and against properties of every pair.

mod bad_numbers;
mod capsules;
mod compounds;
mod corners_and_rotations;
mod exact;
mod height_fields;
mod in_plane;
mod known_answers;
mod pairs;
mod polytopes;
mod probes_and_rulers;
mod published_faults;
mod rays;
mod search;
mod segment_ends;
mod sphere_trees;
mod traces;
mod turning;
mod two_boxes;
mod undefined_directions;
mod watertight;
mod wide_and_far;
