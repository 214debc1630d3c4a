//! The motion of the nodes of a glTF file, as frames of a constant length.

use super::buffers::Buffers;
use super::document::Document;
use super::fault;
use super::track::{Clip, Track, check_keys};
use super::world::World;
use crate::core::problem::Problem;
use crate::core::shape::Pose;
use crate::core::tolerance::{DEFAULT_DT, MAX_MAGNITUDE};
use glam::{DMat3, DQuat, DVec3};
use std::collections::BTreeSet;

/// Share of a frame's length (no unit) by which times may differ and still be the same: keys are `f32`.
pub(super) const SAME_TIME: f64 = 0.01;

/// Limit of the states of an animation.
const MAX_STATES: usize = 1_000_000;

/// Relative difference (no unit) below which a value does not change, and a matrix is a rotation: values are `f32`.
pub(super) const SAME: f64 = 1e-5;

/// The motion of the nodes of a file.
#[derive(Clone, Debug)]
pub struct Animation {
    /// Seconds per frame.
    pub dt: f64,
    /// What is left out of it.
    pub notices: Vec<Problem>,
    /// Seconds of each state, in the file's own time.
    times: Vec<f64>,
    nodes: Vec<MovingNode>,
    /// Those that move, a parent before its children.
    order: Vec<usize>,
}

/// The nodes in a state.
pub struct NodeState {
    worlds: Vec<World>,
    /// By node: its value has jumped since the state before.
    jumped: Vec<bool>,
}

#[derive(Clone, Debug)]
struct MovingNode {
    parent: Option<usize>,
    local: World,
    world: World,
    translation: Option<Track>,
    rotation: Option<Track>,
    /// The nearest node with a track, itself or above.
    moved_by: Option<usize>,
}

/// The motion of a document, that of all animations or of the named one; `None` where no node moves.
///
/// # Errors
/// When no animation has the name, a channel refers to what is not there, its numbers are no motion, or there are too many frames.
pub(super) fn animation(
    mut buffers: Buffers<'_>,
    wanted: Option<&str>,
) -> Result<Option<Animation>, Problem> {
    let (document, path) = (buffers.document, buffers.path);
    let names = clip_names(document);
    if let Some(wanted) = wanted.filter(|wanted| !names.iter().any(|name| name == wanted)) {
        let what = format!("the file has no animation `{wanted}`");
        let help = match names.is_empty() {
            true => "it has none".to_owned(),
            false => format!("its animations are: {}", names.join(", ")),
        };
        return Err(Problem::new(path, what, help));
    }
    let choose = format!("choose one with --animation NAME: {}", names.join(", "));
    let (mut nodes, mut order) = hierarchy(document);
    let mut left_out: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut pointers: BTreeSet<&str> = BTreeSet::new();
    let mut keys = 0;
    let mut still: Option<Track> = None;
    for (number, clip) in document.animations.iter().enumerate() {
        if wanted.is_some_and(|wanted| wanted != names[number]) {
            continue;
        }
        for channel in &clip.channels {
            let (index, property) = match channel.target.property() {
                Ok(Some(found)) => found,
                Ok(None) => continue,
                Err(pointer) => {
                    pointers.insert(pointer);
                    continue;
                }
            };
            let clip = Clip {
                number,
                samplers: &clip.samplers,
            };
            let missing = || {
                fault(
                    path,
                    format!("animation {number} moves node {index}, which is not there"),
                )
            };
            let node = document.nodes.get(index).ok_or_else(missing)?;
            let scale = node.scale.unwrap_or([1.0; 3]);
            let at_rest = nodes[index].local.pose;
            let (parts, rest) = match property {
                "translation" => (3, at_rest.position.extend(0.0).to_array()),
                "rotation" => (4, at_rest.rotation.to_array()),
                "scale" => (3, DVec3::from_array(scale).extend(0.0).to_array()),
                _ => {
                    left_out.insert(("morph targets are not animated", "bake them into meshes"));
                    continue;
                }
            };
            let track = clip.track(&mut buffers, channel, parts, &mut keys)?;
            // Exporters write keys for what stays still, too: they only have the times of frames.
            if track.is_constant(rest) {
                let is_finest = still
                    .as_ref()
                    .is_none_or(|one| one.times.len() < track.times.len());
                still = if is_finest { Some(track) } else { still };
                continue;
            }
            let slot = match property {
                "translation" => &mut nodes[index].translation,
                "rotation" => &mut nodes[index].rotation,
                _ => {
                    left_out.insert((
                        "animated scales are left out",
                        "apply the scale to the mesh",
                    ));
                    continue;
                }
            };
            if slot.is_some() {
                left_out.insert((
                    "several animations move the same node; the first is taken",
                    &choose,
                ));
                continue;
            }
            if node.matrix.is_some() {
                let what = format!("node {index} has an animation and a matrix");
                return Err(fault(path, what));
            }
            *slot = Some(track);
        }
    }
    for &index in &order {
        let node = &nodes[index];
        let has_track = node.translation.is_some() || node.rotation.is_some();
        let above = node.parent.and_then(|parent| nodes[parent].moved_by);
        nodes[index].moved_by = if has_track { Some(index) } else { above };
    }
    order.retain(|&index| nodes[index].moved_by.is_some());
    let notice = |(what, help): (&str, &str)| Problem::new(path, what, help);
    let others = pointers.first().map(|first| {
        let more = match pointers.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        let what = format!("animated values that are not read: {first}{more}");
        let help = "translations and rotations of nodes are read";
        Problem::new(path, what, help)
    });
    if order.is_empty() {
        // What is left out of it is why.
        let cause = others.or_else(|| left_out.into_iter().map(notice).next());
        return cause.map_or(Ok(None), |cause| {
            let what = format!("no node has an animation that is read: {}", cause.what);
            Err(Problem { what, ..cause })
        });
    }
    let tracks = || {
        let moving = nodes
            .iter()
            .flat_map(|node| [&node.translation, &node.rotation]);
        moving.chain([&still]).flatten()
    };
    // The baked one, where others have a few keys.
    let Some(main) = tracks().max_by_key(|track| track.times.len()) else {
        return Ok(None);
    };
    let dt = main.frame_length().unwrap_or_else(|| {
        left_out.insert((
            "the keys give no length of a frame; 60 frames a second are taken",
            "bake the animation: a key for every frame of the simulation",
        ));
        DEFAULT_DT
    });
    let times = state_times(path, dt, main.times[0], tracks())?;
    Ok(Some(Animation {
        dt,
        notices: left_out.into_iter().map(notice).chain(others).collect(),
        times,
        nodes,
        order,
    }))
}

/// An animation of a file, to choose one.
#[derive(Clone, Debug, PartialEq)]
pub struct AnimationClip {
    /// Its name, or its number from 0.
    pub name: String,
    /// From its first key to its last, seconds.
    pub seconds: f64,
}

/// The animations of a document, and whether each moves other nodes than the rest: then they are parts of one motion.
///
/// # Errors
/// When the times of their keys cannot be read.
pub(super) fn clips(mut buffers: Buffers<'_>) -> Result<(Vec<AnimationClip>, bool), Problem> {
    let document = buffers.document;
    let mut moved: BTreeSet<(usize, &str)> = BTreeSet::new();
    let (mut clips, mut are_parts, mut keys) = (Vec::new(), true, 0_u64);
    for (clip, name) in document.animations.iter().zip(clip_names(document)) {
        let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
        for sampler in &clip.samplers {
            let accessor = document.accessors.get(sampler.input);
            keys = accessor.map_or(keys, |accessor| accessor.count.saturating_add(keys));
            check_keys(buffers.path, keys)?;
            for time in buffers.numbers(sampler.input, "SCALAR", 1)? {
                (from, to) = (from.min(time), to.max(time));
            }
        }
        let targets = clip
            .channels
            .iter()
            .map(|channel| channel.target.property());
        let own: BTreeSet<(usize, &str)> = targets.filter_map(|it| it.ok()?).collect();
        are_parts &= moved.is_disjoint(&own);
        moved.extend(own);
        let seconds = (to - from).max(0.0);
        clips.push(AnimationClip { name, seconds });
    }
    Ok((clips, are_parts))
}

/// The names of the animations, or their numbers.
fn clip_names(document: &Document) -> Vec<String> {
    let clips = document.animations.iter().enumerate();
    let name = |(number, clip): (usize, &super::document::Clip)| match clip.name.as_deref() {
        None | Some("") => number.to_string(),
        Some(name) => name.to_owned(),
    };
    clips.map(name).collect()
}

/// The nodes at rest, and their order from the roots down.
fn hierarchy(document: &Document) -> (Vec<MovingNode>, Vec<usize>) {
    let still = |node| MovingNode {
        parent: None,
        local: World::of(node),
        world: World::ORIGIN,
        translation: None,
        rotation: None,
        moved_by: None,
    };
    let mut nodes: Vec<_> = document.nodes.iter().map(still).collect();
    for (parent, node) in document.nodes.iter().enumerate() {
        for &child in &node.children {
            if let Some(child) = nodes.get_mut(child) {
                child.parent = Some(parent);
            }
        }
    }
    let roots = (0..nodes.len()).filter(|&index| nodes[index].parent.is_none());
    let mut open: Vec<usize> = roots.collect();
    let mut order = Vec::with_capacity(nodes.len());
    let mut seen = vec![false; nodes.len()];
    while let Some(index) = open.pop() {
        // Nodes outside the scene may stand in two others.
        if std::mem::replace(&mut seen[index], true) {
            continue;
        }
        nodes[index].world = match nodes[index].parent {
            Some(parent) => nodes[parent].world.then(&nodes[index].local),
            None => nodes[index].local,
        };
        order.push(index);
        let children = document.nodes[index].children.iter();
        open.extend(children.filter(|&&child| {
            nodes
                .get(child)
                .is_some_and(|node| node.parent == Some(index))
        }));
    }
    (nodes, order)
}

/// The times of the states: from the first key to the last, at a key where one is near. One of them is `at`.
fn state_times<'t>(
    path: &str,
    dt: f64,
    at: f64,
    tracks: impl Iterator<Item = &'t Track>,
) -> Result<Vec<f64>, Problem> {
    let mut keys: Vec<f64> = tracks
        .flat_map(|track| track.times.iter().copied())
        .collect();
    keys.sort_by(f64::total_cmp);
    let (first, end) = (keys[0], keys[keys.len() - 1]);
    let whole = |span: f64| (span / dt - SAME_TIME).ceil().max(0.0);
    let begin = at - whole(at - first) * dt;
    let frames = whole(end - begin);
    if frames >= MAX_STATES as f64 {
        let what =
            format!("its animation takes {frames} frames of {dt} s; at most {MAX_STATES} are read");
        return Err(Problem::new(path, what, "export a shorter part"));
    }
    let near = |time: f64| {
        let next = keys.partition_point(|key| *key < time);
        let around = keys[next.saturating_sub(1)..keys.len().min(next + 1)].iter();
        let nearest = around.min_by(|a, b| (*a - time).abs().total_cmp(&(*b - time).abs()));
        nearest
            .copied()
            .filter(|key| (key - time).abs() <= SAME_TIME * dt)
    };
    let at = |index: usize| {
        let time = begin + index as f64 * dt;
        near(time).unwrap_or(time)
    };
    Ok((0..=frames as usize).map(at).collect())
}

impl Animation {
    /// Number of states: one more than frames.
    pub fn states(&self) -> usize {
        self.times.len()
    }

    /// Number of nodes that move.
    pub fn moving_nodes(&self) -> usize {
        self.order.len()
    }

    /// The nearest node with keys: the node itself, or one above it. Nodes with the same one move together.
    pub fn moved_by(&self, node: usize) -> Option<usize> {
        self.nodes.get(node)?.moved_by
    }

    /// The node of the model to which a moved node belongs: the topmost one with keys, the node itself or one above it. If that one only
    /// turns, like a wheel or a door, it hangs on the nearest node above it that `is_object`.
    pub fn model(&self, node: usize, is_object: impl Fn(usize) -> bool) -> Option<usize> {
        let mut top = self.moved_by(node)?;
        let parent = |node: usize| self.nodes[node].parent;
        while let Some(above) = parent(top).and_then(|parent| self.nodes[parent].moved_by) {
            top = above;
        }
        if self.nodes[top].translation.is_some() {
            return Some(top);
        }
        let mut above = std::iter::successors(parent(top), |&node| parent(node));
        Some(above.find(|&node| is_object(node)).unwrap_or(top))
    }

    /// The nodes at rest, to be [advanced](Self::advance).
    pub fn rest(&self) -> NodeState {
        NodeState {
            worlds: self.nodes.iter().map(|node| node.world).collect(),
            jumped: vec![false; self.nodes.len()],
        }
    }

    /// Moves the nodes to a state, from the one before or from rest.
    pub fn advance(&self, nodes: &mut NodeState, state: usize) {
        let time = self.times[state];
        let before = state.checked_sub(1).map(|before| self.times[before]);
        for &index in &self.order {
            let node = &self.nodes[index];
            let mut local = node.local;
            if let Some(track) = &node.translation {
                let [x, y, z, _] = track.value(time);
                local.pose.position = DVec3::new(x, y, z);
            }
            if let Some(track) = &node.rotation {
                local.pose.rotation = track.rotation(time);
            }
            let mut tracks = node.translation.iter().chain(&node.rotation);
            let jumps =
                before.is_some_and(|before| tracks.any(|track| track.jumps(before, time, self.dt)));
            let above = node.parent.is_some_and(|parent| nodes.jumped[parent]);
            nodes.jumped[index] = jumps || above;
            nodes.worlds[index] = match node.parent {
                Some(parent) => nodes.worlds[parent].then(&local),
                None => local,
            };
        }
    }

    /// The pose of what is at `rest` while the node is, and whether it has jumped there; `None` where the node's change is no rigid motion, or
    /// leads too far.
    pub fn moved(&self, nodes: &NodeState, node: usize, rest: &Pose) -> Option<(Pose, bool)> {
        let (from, to) = (&self.nodes[node].world, &nodes.worlds[node]);
        let turn = match (from.linear, to.linear) {
            (None, None) if is_near(from.scale, to.scale) => {
                to.pose.rotation * from.pose.rotation.conjugate()
            }
            _ => {
                let turn = to.matrix() * from.matrix().inverse();
                let square = turn.transpose() * turn - DMat3::IDENTITY;
                let is_rotation = square.to_cols_array().iter().all(|one| one.abs() < SAME)
                    && turn.determinant() > 0.0;
                is_rotation.then(|| DQuat::from_mat3(&turn))?
            }
        };
        let turn = turn.normalize();
        let position = to.pose.position + turn * (rest.position - from.pose.position);
        let rotation = (turn * rest.rotation).normalize();
        let is_in_reach = position.abs().max_element() <= MAX_MAGNITUDE && rotation.is_finite();
        is_in_reach.then_some((Pose { position, rotation }, nodes.jumped[node]))
    }
}

fn is_near(one: DVec3, other: DVec3) -> bool {
    (one - other).abs().max_element() <= SAME * one.abs().max_element()
}
