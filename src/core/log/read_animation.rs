//! Reads a glTF file with animated nodes as a recording.

use super::builder::Builder;
use super::read_options::ReadOptions;
use crate::core::import::read_animated;
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::replay::{Body, Recording};
use crate::core::scene::{Folder, Movement, Object};
use crate::core::shape::Facing;
use std::collections::{BTreeSet, HashMap};

/// Limit of the poses of all objects in all frames.
pub(super) const MAX_POSES: usize = 100_000_000;

/// Reads the animation of a glTF file of a folder: a state for each of its keys, or 60 a second. `None` for a file without one.
///
/// # Errors
/// When it is not a glTF file, has too many frames, or the reading is cancelled.
pub fn read_animation(
    folder: &dyn Folder,
    path: &str,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Option<Recording>, Problems> {
    let shown = folder.shown(path);
    let problem = |what: String, help: &str| Problem::new(shown.clone(), what, help);
    let read =
        read_animated(folder, path, options.animation.as_deref()).map_err(|found| Problem {
            file: if found.file == path {
                shown.clone()
            } else {
                found.file
            },
            ..found
        })?;
    let Some((geometry, animation)) = read else {
        return Ok(None);
    };
    let mut builder = Builder::new(&shown, Some(animation.dt));
    builder.recording.name.clone_from(&geometry.name);
    if let Some(notice) = geometry.unmarked(geometry.usual(), &shown) {
        builder.notice(notice);
    }
    let moved_by = |node| animation.moved_by(node);
    let mut moving = Vec::new();
    let objects = geometry.moved_objects(geometry.usual(), Facing::Both, &moved_by);
    // Where bodies have a motion, colliders without one are not moved by the simulation.
    let has_motions = objects
        .iter()
        .any(|(object, _)| object.movement != Movement::Fixed);
    let driven = if has_motions {
        Movement::Kinematic
    } else {
        Movement::Velocity
    };
    let nodes: BTreeSet<usize> = objects.iter().filter_map(|(_, node)| *node).collect();
    for (mut object, node) in objects {
        let is_moved = node.is_some_and(|node| moved_by(node).is_some());
        // Parts of one model do not collide: those that move, and what they hang on.
        let model = match node {
            Some(node) if is_moved => animation.model(node, |node| nodes.contains(&node)),
            other => other,
        };
        let node = node.filter(|_| is_moved);
        if object.movement == Movement::Fixed {
            object.body = object.body.or(model.map(|model| format!("node {model}")));
            if is_moved {
                object.movement = driven.clone();
            }
        }
        let (is_fixed, rest) = (object.movement == Movement::Fixed, object.pose);
        let (id, _) = builder.add_object(object);
        if !is_fixed {
            moving.push((id, rest, node));
        }
    }
    share_bodies(&mut builder.recording.objects);
    let states = animation.states();
    if states.saturating_mul(moving.len() + animation.moving_nodes()) > MAX_POSES {
        let objects = moving.len().max(animation.moving_nodes());
        let what = format!("{states} frames of {objects} moving nodes are too many");
        return Err(problem(what, "export a shorter part, or fewer objects").into());
    }
    for notice in geometry
        .notices
        .into_iter()
        .chain(animation.notices.iter().cloned())
    {
        builder.notice(Problem {
            file: shown.clone(),
            ..notice
        });
    }
    let mut nodes = animation.rest();
    for state in 0..states {
        progress.report(state as u64, states as u64);
        if progress.cancelled() {
            return Err(problem("reading was cancelled".to_owned(), "").into());
        }
        animation.advance(&mut nodes, state);
        moving.retain(|(id, rest, node)| {
            let moved = match node {
                Some(node) => animation.moved(&nodes, *node, rest),
                None => Some((*rest, false)),
            };
            if let Some((pose, teleported)) = moved {
                builder.data.bodies.push(Body {
                    teleported,
                    ..Body::new(*id, pose)
                });
            } else {
                let name = &builder.recording.objects[*id as usize].name;
                let what = format!(
                    "\"{name}\" is left out from frame {state} on: it is stretched, or too far away"
                );
                builder.notice(problem(what, "apply the scale to the mesh"));
            }
            moved.is_some()
        });
        // Each object has one body.
        let _ = builder.add_frame(state as u64, (None, None), None);
    }
    builder.finish("export it with its objects").map(Some)
}

/// Removes the names of bodies that have a single object.
fn share_bodies(objects: &mut [Object]) {
    let mut counts: HashMap<String, u32> = HashMap::new();
    for body in objects.iter().filter_map(|object| object.body.clone()) {
        *counts.entry(body).or_default() += 1;
    }
    for object in objects {
        object.body = object.body.take().filter(|body| counts[body] > 1);
    }
}
