//! The event of a pair over one interval: what a passage through the obstacle leads to.
//!
//! One procedure for all shapes. A rotation is part of the motion, a surface is tested from both sides, and a mesh is the triangle that
//! is hit. The *mover* is the object whose centre gives the side, and the *surface entered* is the plane of the first touch or, where
//! that is on an edge or corner of the obstacle, the face that the mover's centre comes to.

use super::pair::{Approach, JudgeStats, Pair, PairEvent, Turned};
use super::rotating_pair::{self, SideView};
use super::{detected_interval, overlap_depth};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::shape_metrics::{height_over, inner_radius};
use crate::core::query::turning::sweep_turning;
use crate::core::query::{self, Contact, Feature, Impact, SweepOutcome};
use crate::core::shape::{Mesh, Pose, Segment, Shape, SolidShape};
use crate::core::tolerance::SAME_SHARE;
use glam::DVec3;

/// The event of two shapes as wholes, if any.
pub fn judge(pair: &Pair<'_>, stats: &mut JudgeStats) -> Option<PairEvent> {
    let mut event = passage(pair, stats)?;
    if let Some(turned) = &mut event.turned {
        let held = || passage(&pair.with_rotation_held(), &mut JudgeStats::default());
        turned.held_misses = turned.held_misses || held().is_none();
    }
    Some(event)
}

fn passage(pair: &Pair<'_>, stats: &mut JudgeStats) -> Option<PairEvent> {
    stats.sweeps += 1;
    let sweep = pair.sweep();
    let turns = sweep.rotation_ignored && rotating_pair::rims(pair).is_some();
    if let SweepOutcome::Overlapping { depth } = sweep.outcome {
        stats.start_depth = stats.start_depth.max(depth);
    }
    if let Some(found) = from_behind(pair) {
        return found;
    }
    match sweep.outcome {
        SweepOutcome::Overlapping { depth } => from_contact(pair, depth, stats),
        SweepOutcome::Hits(impact) => {
            // Nothing can be deeper than the travel.
            if pair.travel().length() <= pair.slop && !turns {
                return None;
            }
            match pair.contact_at(|motion| motion.start) {
                Some(contact) => from_contact(pair, contact.depth, stats),
                None if turns => turning_passage(pair, false)?.event(pair, stats),
                None => first_passage(pair, &impact, sweep.rotation_ignored, stats),
            }
        }
        _ if turns => turning_passage(pair, true)?.event(pair, stats),
        _ => None,
    }
}

/// A passage through the obstacle that begins apart.
struct Passage {
    /// The first touch, fraction of the interval.
    fraction: f64,
    /// On the obstacle, world.
    point: DVec3,
    /// Unit, from `b` toward `a`.
    normal: DVec3,
    /// The part of the obstacle that is touched.
    feature: Feature,
    triangle: Option<u32>,
    /// When they are apart again; `None` where they overlap until the end, or the exit is not found.
    exit: Option<f64>,
    /// Known to be deeper than the slop on the way.
    deep: bool,
    turned: Option<Turned>,
    /// A shape rotates, and was swept without its rotation.
    rotation_ignored: bool,
}

/// The event of a straight motion from its first touch on. Of a mesh it is that of the first triangle that the mover comes deeper into than
/// the slop.
fn first_passage(
    pair: &Pair<'_>,
    impact: &Impact,
    rotation_ignored: bool,
    stats: &mut JudgeStats,
) -> Option<PairEvent> {
    let passage = |impact| Passage::straight(pair, impact, rotation_ignored);
    let (mesh, mesh_is_a) = match (pair.shape_a, pair.shape_b) {
        (_, Shape::Mesh(mesh)) => (mesh, false),
        (Shape::Mesh(mesh), _) => (mesh, true),
        _ => return passage(impact).event(pair, stats),
    };
    let mut touched = Vec::new();
    for index in triangles_along(pair, mesh, mesh_is_a) {
        let triangle = Shape::Triangle(mesh.triangle(index));
        let alone = pair.with_shape(mesh_is_a, &triangle);
        let sweep = alone.sweep();
        if let Some(impact) = sweep.outcome.impact() {
            touched.push(Impact {
                triangle: Some(index),
                ..*impact
            });
        }
    }
    stats.sweeps += touched.len() as u64;
    touched.sort_by(|one, other| {
        let by_time = one.fraction.total_cmp(&other.fraction);
        by_time.then(one.triangle.cmp(&other.triangle))
    });
    let is_deep = |impact: &&Impact| {
        let triangle = impact.triangle.map(|index| mesh.triangle(index));
        triangle.is_some_and(|triangle| {
            let triangle = Shape::Triangle(triangle);
            let alone = pair.with_shape(mesh_is_a, &triangle);
            let detected = detected_interval::share(&alone, impact.fraction, None);
            let until = detected.map_or(1.0, |detected| impact.fraction + detected);
            overlap_depth::exceeds(&alone, (impact.fraction, until), pair.slop)
        })
    };
    let impact = touched.iter().find(is_deep)?;
    Passage {
        deep: true,
        ..passage(impact)
    }
    .event(pair, stats)
}

/// The triangles of a mesh that the other object may touch on its straight way, without its rotation; ascending.
fn triangles_along(pair: &Pair<'_>, mesh: &Mesh, mesh_is_a: bool) -> Vec<u32> {
    let (shape, motion, carried) = match mesh_is_a {
        true => (pair.shape_b, &pair.motion_b, &pair.motion_a),
        false => (pair.shape_a, &pair.motion_a, &pair.motion_b),
    };
    let mut found = Vec::new();
    let from = carried.start.point_to_local(motion.start.position);
    let way = motion.displacement() - carried.displacement();
    let to = from + carried.start.vector_to_local(way);
    if let Some(reach) = shape.reach() {
        mesh.for_each_along(from, to, reach * (1.0 + SAME_SHARE), &mut |index, _| {
            found.push(index);
        });
    }
    found.sort_unstable();
    found
}

/// The passage of a pair that rotates, on its way to an overlap deeper than the slop.
fn turning_passage(pair: &Pair<'_>, held_misses: bool) -> Option<Passage> {
    let (a, b) = pair.turnings();
    let (rim_a, rim_b) = rotating_pair::rims(pair)?;
    let rate = pair.travel().length() + rim_a + rim_b;
    // From apart to apart the depth is at most half of the travel, and a crossing takes more.
    if rate <= 2.0 * pair.slop {
        return None;
    }
    let hit = sweep_turning(pair.shape_a, &a, pair.shape_b, &b, pair.slop, &mut ())?;
    let Contact {
        point,
        normal,
        feature_a,
        feature_b,
        triangle,
        ..
    } = hit.contact;
    Some(Passage {
        fraction: hit.fraction,
        point,
        normal,
        feature: obstacle_feature(pair, [feature_a, feature_b]),
        triangle,
        exit: hit.exit,
        deep: true,
        turned: Some(rotating_pair::turned_at(
            pair,
            held_misses,
            hit.fraction,
            point,
        )),
        rotation_ignored: false,
    })
}

/// The feature of the obstacle, of both; a capsule is round everywhere.
fn obstacle_feature(pair: &Pair<'_>, [feature_a, feature_b]: [Feature; 2]) -> Feature {
    match (pair.obstacle_shape().0, pair.mover_is_a()) {
        (Shape::Capsule(_), _) => Feature::Round,
        (_, true) => feature_b,
        (_, false) => feature_a,
    }
}

/// Whether the radius of a rounded box is most of its size: it has no edges, but round sides.
fn is_mostly_round(shape: &Shape) -> bool {
    match shape {
        Shape::Solid(SolidShape::RoundedBox(rounded)) => rounded.radius > 0.5 * inner_radius(shape),
        _ => false,
    }
}

impl Passage {
    fn straight(pair: &Pair<'_>, impact: &Impact, rotation_ignored: bool) -> Self {
        Self {
            fraction: impact.fraction,
            point: impact.point,
            normal: impact.normal,
            feature: obstacle_feature(pair, [impact.feature_a, impact.feature_b]),
            triangle: impact.triangle,
            exit: None,
            deep: false,
            turned: None,
            rotation_ignored,
        }
    }

    /// From a touch when the interval begins.
    fn touching(pair: &Pair<'_>, touch: &Contact) -> Self {
        let (point, normal) = on_obstacle(pair, touch);
        let turns = rotating_pair::turns(pair) && rotating_pair::rims(pair).is_some();
        Self {
            fraction: 0.0,
            point,
            normal,
            feature: obstacle_feature(pair, [touch.feature_a, touch.feature_b]),
            triangle: touch.triangle,
            exit: None,
            deep: false,
            turned: turns.then(|| rotating_pair::turned_at(pair, false, 0.0, point)),
            rotation_ignored: false,
        }
    }

    /// On the face that the mover's centre comes to, where the first touch is on an edge or corner.
    fn onto_face(self, pair: &Pair<'_>) -> Self {
        let is_edge = matches!(self.feature, Feature::Edge(_) | Feature::Vertex(_));
        let is_edge = is_edge && !is_mostly_round(pair.obstacle_shape().0);
        let face = is_edge.then(|| face_ahead(pair, self.fraction)).flatten();
        let (point, normal) = face.unwrap_or((self.point, self.normal));
        Self {
            point,
            normal,
            ..self
        }
    }

    /// What it leads to, if that is an event.
    fn event(self, pair: &Pair<'_>, stats: &mut JudgeStats) -> Option<PairEvent> {
        let touch = (self.point, self.normal);
        let mut this = self.onto_face(pair);
        let views = this.views(pair, touch);
        let first = views.first()?;
        let end = pair.overlap_at_end();
        if this.turned.is_none() && end.is_none() {
            let detected = detected_interval::share(pair, this.fraction, this.triangle);
            this.exit = detected.map(|detected| this.fraction + detected);
        }
        let until = this.exit.unwrap_or(1.0);
        let is_deep = this.deep || end.is_some_and(|end| end.depth > pair.slop);
        if !is_deep && !overlap_depth::exceeds(pair, (this.fraction, until), pair.slop) {
            return None;
        }
        if let Some(end) = end {
            let wrong = match this.turned {
                Some(_) => views.iter().any(|view| view.leads_on(&end)),
                None => first.points_out_behind(&end),
            };
            let counts = wrong && !pair.sensor;
            return counts.then(|| this.into_event(Kind::WrongSide, Some(end)));
        }
        let surface = (this.point, this.normal);
        let passes = match this.turned {
            Some(_) => views.iter().any(SideView::passes),
            None => passes(pair, this.fraction, surface, this.feature == Feature::Round),
        };
        // The centre's path is proof; for a cut that only the starting rotation makes there is none.
        let proven = !this.rotation_ignored || passes && first.passes();
        stats.unproven += u64::from(!proven);
        if !proven {
            return None;
        }
        let kind = if passes { Kind::Tunnels } else { Kind::Clips };
        Some(this.into_event(kind, None))
    }

    /// The pair from the side of the mover, and of one that turns from that of the obstacle, which is entered at the `touch`.
    fn views<'r>(&self, pair: &Pair<'r>, touch: (DVec3, DVec3)) -> Vec<SideView<'r>> {
        let view = |plane, mover_is_a| SideView::new(pair, self.fraction, plane, mover_is_a);
        let first = view((self.point, self.normal), pair.mover_is_a());
        let turns = self.turned.is_some();
        let other = turns.then(|| view(touch, !pair.mover_is_a())).flatten();
        first.into_iter().chain(other).collect()
    }

    fn into_event(self, kind: Kind, end: Option<Contact>) -> PairEvent {
        let detected = self
            .exit
            .map(|exit| (exit.min(1.0) - self.fraction).max(0.0));
        let approach = Approach::Apart {
            detected: detected.filter(|_| end.is_none()),
        };
        PairEvent {
            end,
            triangle: self.triangle,
            turned: self.turned,
            round: self.feature == Feature::Round,
            ..PairEvent::new(kind, self.fraction, (self.point, self.normal), approach)
        }
    }
}

/// Whether a mover that ends clear of the obstacle has passed the surface entered (a point and a normal from `b` toward `a`, as they are at a
/// fraction of the interval): its centre ends behind, and a centre crosses the other object, or goes between two parts of it that
/// are closer together than the mover is wide. Beside the obstacle it cuts a corner. A `round` surface has no beside.
pub fn passes(pair: &Pair<'_>, fraction: f64, surface: (DVec3, DVec3), round: bool) -> bool {
    let views = rotating_pair::side_views(pair, fraction, surface);
    let is_far = views.first().is_some_and(|view| view.far);
    is_far && (round || is_flanked(pair) || views.iter().any(SideView::crosses))
}

/// Whether the obstacle is on both sides of the mover's centre where that comes nearest to it, within the mover's inner radius.
fn is_flanked(pair: &Pair<'_>) -> bool {
    let mover_is_a = pair.mover_is_a();
    let (body, obstacle) = match mover_is_a {
        true => (pair.shape_a, pair.shape_b),
        false => (pair.shape_b, pair.shape_a),
    };
    let nearest = |from: Shape| {
        let obstacle = obstacle.placed(&Pose::IDENTITY);
        query::gap(&from.placed(&Pose::IDENTITY), &obstacle)
    };
    let path = rotating_pair::center_path(pair, mover_is_a).into_iter();
    let gaps = path.filter_map(|step| nearest(Shape::Segment(step)));
    let closest = gaps.min_by(|one, other| one.distance.total_cmp(&other.distance));
    let opposite = closest.and_then(|gap| {
        let away = (gap.point_a - gap.point_b).try_normalize()?;
        let at = gap.point_a + away * inner_radius(body);
        nearest(Shape::Segment(Segment { a: at, b: at }))
    });
    opposite.is_some_and(|gap| gap.distance <= pair.slop)
}

/// The face of the obstacle that the mover's centre comes to in the interval, or would if the motion went on: a point of it and its normal
/// from `b` toward `a`, as they are at a fraction of the interval. `None` where it passes beside the obstacle.
pub fn face_ahead(pair: &Pair<'_>, fraction: f64) -> Option<(DVec3, DVec3)> {
    let mover_is_a = pair.mover_is_a();
    let (shape, motion) = match mover_is_a {
        true => (pair.shape_b, pair.turnings().1),
        false => (pair.shape_a, pair.turnings().0),
    };
    let mut path = rotating_pair::center_path(pair, mover_is_a);
    let last = *path.last()?;
    let onward = (last.b - last.a).try_normalize()?;
    let reach = last.b.length() + shape.reach().unwrap_or(0.0);
    path.push(Segment {
        a: last.b,
        b: last.b + onward * (2.0 * reach),
    });
    let hit = path
        .iter()
        .find_map(|segment| query::ray_cast(segment, shape, &Pose::IDENTITY))?;
    let pose = motion.pose(fraction);
    let toward_mover = pose.vector(hit.normal);
    let normal = if mover_is_a {
        toward_mover
    } else {
        -toward_mover
    };
    Some((pose.point(hit.point), normal))
}

/// When the mover first touches the obstacle on its way to an overlap deeper than the slop, and the surface that it enters: a point and a normal
/// from `b` toward `a`, as they are then. `None` behind a one-sided surface.
pub fn surface_entered(pair: &Pair<'_>) -> Option<(f64, (DVec3, DVec3))> {
    let is_one_sided = pair.one_sided.contains(&true);
    if is_one_sided && !came_from_front(pair, pair.mover_is_a()) {
        return None;
    }
    let touch = pair.contact_at(|motion| motion.start);
    if let Some(touch) = touch.filter(|touch| !touch.fallback) {
        return Some((0.0, on_obstacle(pair, &touch)));
    }
    let sweep = pair.sweep();
    let turns = sweep.rotation_ignored && rotating_pair::rims(pair).is_some();
    let passage = match turns {
        true => turning_passage(pair, false)?,
        false => Passage::straight(pair, sweep.outcome.impact()?, false),
    };
    let passage = passage.onto_face(pair);
    Some((passage.fraction, (passage.point, passage.normal)))
}

/// The point of the obstacle and the normal of a contact.
fn on_obstacle(pair: &Pair<'_>, contact: &Contact) -> (DVec3, DVec3) {
    let point = match pair.mover_is_a() {
        true => contact.point,
        false => contact.point - contact.push(),
    };
    (point, contact.normal)
}

/// The event of a pair that touches or overlaps when the interval begins: the centre passes the surface through which it came in, or the push
/// reverses.
fn from_contact(pair: &Pair<'_>, depth: f64, stats: &mut JudgeStats) -> Option<PairEvent> {
    let turns = rotating_pair::turns(pair);
    let swing = rotating_pair::rims(pair).filter(|_| turns);
    let reach = pair.travel().length() + depth + swing.map_or(0.0, |(a, b)| a + b);
    let body = if pair.mover_is_a() {
        pair.shape_a
    } else {
        pair.shape_b
    };
    // Resting contact ends here: no centre moves so far.
    if pair.sensor || reach < inner_radius(body) {
        return None;
    }
    let start = pair.contact_at(|motion| motion.start)?;
    let (point, normal) = pair.entry_or(&start);
    let touches = start.depth <= pair.slop;
    let undefined = start.fallback && pair.entered.is_none();
    if undefined && pair.is_pushable() {
        return undefined_direction(pair);
    }
    let known = pair.entered.map(|entry| (entry.point, entry.normal));
    let surface = known.unwrap_or(on_obstacle(pair, &start));
    if touches && !undefined {
        let passage = Passage::touching(pair, &start);
        return passage
            .event(pair, stats)
            .filter(|event| event.kind != Kind::Clips);
    }
    let found = passes_from(pair, surface, &start, undefined)?;
    let (kind, end) = match (found, touches) {
        (Onward::Pushed(end), true) => (Kind::WrongSide, Some(end)),
        (Onward::Pushed(end), false) => (Kind::Sinks, Some(end)),
        (Onward::Left, true) => (Kind::Tunnels, None),
        (Onward::Left, false) => (Kind::Sinks, None),
    };
    let detected = || match turns {
        true => None,
        false => detected_interval::share(pair, 0.0, start.triangle),
    };
    let turned = swing.is_some() && {
        passes_from(&pair.with_rotation_held(), surface, &start, undefined).is_none()
    };
    Some(PairEvent {
        point,
        normal,
        approach: match kind {
            Kind::Tunnels => Approach::Apart {
                detected: detected(),
            },
            _ if touches => Approach::Apart { detected: None },
            _ => Approach::Overlap(start),
        },
        end,
        turned: turned.then(|| rotating_pair::turned_at(pair, true, 0.0, start.point)),
        ..PairEvent::overlapping(kind, start)
    })
}

/// The event of two that can be pushed, of which the overlap at the start has no direction.
pub fn undefined_direction(pair: &Pair<'_>) -> Option<PairEvent> {
    let start = pair.contact_at(|motion| motion.start)?;
    let gives_way = pair.is_pushable();
    let counts = gives_way && start.fallback && start.depth > pair.slop && !pair.sensor;
    counts.then_some(PairEvent::overlapping(Kind::BadNumber, start))
}

/// How a mover that began in contact ends on the far side.
enum Onward {
    /// In an overlap whose push points out on the far side.
    Pushed(Contact),
    /// Clear of the obstacle.
    Left,
}

/// Whether the mover ends beyond a surface through which it came in: a point of the obstacle and a normal, at the start.
fn passes_from(
    pair: &Pair<'_>,
    plane: (DVec3, DVec3),
    start: &Contact,
    undefined: bool,
) -> Option<Onward> {
    let views = match rotating_pair::turns(pair) {
        true => rotating_pair::side_views(pair, 0.0, plane),
        false => {
            let first = pair.mover_is_a();
            SideView::new(pair, 0.0, plane, first).into_iter().collect()
        }
    };
    let first = views.first()?;
    // An overlap past the middle at the start is not a new event.
    let was_past = !start.fallback && start.normal.dot(plane.1) < 0.0;
    match pair.overlap_at_end() {
        Some(end) => {
            let proven = !end.fallback && !undefined && !was_past;
            // Around a body that rolls the centre of the other moves without coming in.
            let onward = match (pair.entered, rotating_pair::turns(pair)) {
                (None, true) => first.leads_on(&end),
                (None, false) => first.far && first.points_out_behind(&end),
                (Some(_), _) => {
                    first.points_out_behind(&end) && rotating_pair::went_through(pair, &views)
                }
            };
            (proven && onward).then_some(Onward::Pushed(end))
        }
        None => {
            let mut views = rotating_pair::side_views(pair, 0.0, plane).into_iter();
            let leaves = !undefined && !was_past && views.any(|view| view.leaves_behind());
            let leaves = leaves && first.far;
            leaves.then_some(Onward::Left)
        }
    }
}

/// The event of a mover whose centre comes through a one-sided surface from behind, at any speed: a one-sided test detects nothing before, and
/// pushes out of the front afterwards. `Some(None)` where nothing else of the interval counts either.
#[expect(clippy::option_option, reason = "whether it is decided, and how")]
fn from_behind(pair: &Pair<'_>) -> Option<Option<PairEvent>> {
    let mover_is_a = pair.mover_is_a();
    let [a_is_one_sided, b_is_one_sided] = pair.one_sided;
    let is_one_sided = if mover_is_a {
        b_is_one_sided
    } else {
        a_is_one_sided
    };
    if !is_one_sided {
        return None;
    }
    let (shape, obstacle) = match mover_is_a {
        true => (pair.shape_b, pair.turnings().1),
        false => (pair.shape_a, pair.turnings().0),
    };
    let path = rotating_pair::center_path(pair, mover_is_a);
    let segments = path.len() as f64;
    let crossing = path.iter().zip(0..).find_map(|(segment, number)| {
        let hit = query::ray_cast(segment, shape, &Pose::IDENTITY)?;
        Some((hit, (f64::from(number) + hit.fraction) / segments))
    });
    let event = |hit: &query::RayHit, crossed: f64| {
        let touch = pair.sweep().outcome.impact().map(|impact| impact.fraction);
        let fraction = touch.filter(|_| pair.contact_at(|motion| motion.start).is_none());
        let fraction = fraction.unwrap_or(crossed);
        let pose = obstacle.pose(fraction);
        let toward_mover = pose.vector(hit.normal);
        let normal = if mover_is_a {
            toward_mover
        } else {
            -toward_mover
        };
        let place = (pose.point(hit.point), normal);
        PairEvent {
            end: pair.contact_at_end(),
            triangle: hit.triangle,
            ..PairEvent::new(Kind::Tunnels, fraction, place, Approach::Behind)
        }
    };
    match crossing {
        Some((hit, crossed)) if hit.back => Some(Some(event(&hit, crossed))),
        Some(_) => None,
        // Beside or behind the surface: from behind there is nothing to touch.
        None => (!came_from_front(pair, mover_is_a)).then_some(None),
    }
}

/// Whether the mover came in through the front of a one-sided surface, or its centre begins in front of the part that is nearest to it.
fn came_from_front(pair: &Pair<'_>, mover_is_a: bool) -> bool {
    let (shape, surface, sign) = match mover_is_a {
        true => (pair.shape_b, &pair.motion_b.start, 1.0),
        false => (pair.shape_a, &pair.motion_a.start, -1.0),
    };
    let before = pair.entered.map(|entry| {
        let ahead = entry.point + entry.normal * (sign * pair.slop);
        surface.point_to_local(ahead)
    });
    let path = rotating_pair::center_path(pair, mover_is_a);
    let from = before.or_else(|| path.first().map(|start| start.a));
    let height = from.and_then(|from| height_over(shape, from));
    height.is_none_or(|height| height > 0.0)
}
