//! The event of a pair over one interval: what a passage through the obstacle leads to.
//!
//! One procedure for all shapes. A rotation is part of the motion, a surface is tested from both sides, and a mesh is the triangle that
//! is hit. The *mover* is the object whose centre gives the side, and the *surface entered* is the plane of the first touch or, where
//! that is on an edge or corner of the obstacle, the face that the mover's centre comes to.

use super::event::{Approach, JudgeStats, PairEvent, Turned};
use super::one_sided::{came_from_front, from_behind};
use super::pair::Pair;
use super::rotating_pair::{self, SideView};
use super::{detected_interval, overlap_depth};
use crate::core::diagnose::kind::Kind;
use crate::core::query::turning::sweep_turning;
use crate::core::query::{self, Contact, Feature, Impact, SweepOutcome};
use crate::core::shape::{Mesh, Pose, Segment, Shape, SolidShape};
use crate::core::tolerance::{FAR_SIDE_COSINE, SAME_SHARE};
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
    /// Unit, toward the mover.
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
    let Some((mesh, is_movers)) = pair.mesh() else {
        return passage(impact).event(pair, stats);
    };
    let mut touched = Vec::new();
    for index in triangles_along(pair, mesh, is_movers) {
        let triangle = Shape::Triangle(mesh.triangle(index));
        let alone = pair.with_shape(is_movers, &triangle);
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
            let alone = pair.with_shape(is_movers, &triangle);
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
fn triangles_along(pair: &Pair<'_>, mesh: &Mesh, is_movers: bool) -> Vec<u32> {
    let (mover, obstacle) = (&pair.mover, &pair.obstacle);
    let (other, carried) = match is_movers {
        true => (obstacle, &mover.motion),
        false => (mover, &obstacle.motion),
    };
    let mut found = Vec::new();
    let from = carried.start.point_to_local(other.motion.start.position);
    let way = other.motion.displacement() - carried.displacement();
    let to = from + carried.start.vector_to_local(way);
    if let Some(reach) = other.shape.reach() {
        mesh.for_each_along(from, to, reach * (1.0 + SAME_SHARE), &mut |index, _| {
            found.push(index);
        });
    }
    found.sort_unstable();
    found
}

/// The passage of a pair that rotates, on its way to an overlap deeper than the slop.
fn turning_passage(pair: &Pair<'_>, held_misses: bool) -> Option<Passage> {
    let rate = pair.travel().length() + rotating_pair::rims(pair)?;
    // From apart to apart the depth is at most half of the travel, and a crossing takes more.
    if rate <= 2.0 * pair.slop {
        return None;
    }
    let (mover, obstacle) = (&pair.mover, &pair.obstacle);
    let (a, b) = (mover.turning(), obstacle.turning());
    let hit = sweep_turning(mover.shape, &a, obstacle.shape, &b, pair.slop, &mut ())?;
    let Contact {
        point,
        normal,
        feature_b,
        triangle,
        ..
    } = hit.contact;
    Some(Passage {
        fraction: hit.fraction,
        point,
        normal,
        feature: obstacle_feature(pair, feature_b),
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

/// The touched feature of the obstacle; a capsule is round everywhere.
fn obstacle_feature(pair: &Pair<'_>, feature: Feature) -> Feature {
    match pair.obstacle.shape {
        Shape::Capsule(_) => Feature::Round,
        shape if shape.as_stadium().is_some() => Feature::Round,
        _ => feature,
    }
}

/// Whether the radius of a rounded box is most of its size: it has no edges, but round sides.
fn is_mostly_round(shape: &Shape) -> bool {
    match shape {
        Shape::Solid(SolidShape::RoundedBox(rounded)) => {
            rounded.radius > 0.5 * shape.inner_radius()
        }
        _ => false,
    }
}

impl Passage {
    fn straight(pair: &Pair<'_>, impact: &Impact, rotation_ignored: bool) -> Self {
        Self {
            fraction: impact.fraction,
            point: impact.point,
            normal: impact.normal,
            feature: obstacle_feature(pair, impact.feature_b),
            triangle: impact.triangle,
            exit: None,
            deep: false,
            turned: None,
            rotation_ignored,
        }
    }

    /// From a touch when the interval begins.
    fn touching(pair: &Pair<'_>, touch: &Contact) -> Self {
        let turns = rotating_pair::turns(pair) && rotating_pair::rims(pair).is_some();
        Self {
            fraction: 0.0,
            point: touch.point,
            normal: touch.normal,
            feature: obstacle_feature(pair, touch.feature_b),
            triangle: touch.triangle,
            exit: None,
            deep: false,
            turned: turns.then(|| rotating_pair::turned_at(pair, false, 0.0, touch.point)),
            rotation_ignored: false,
        }
    }

    /// On the face that the mover's centre comes to, where the first touch is on an edge or corner.
    fn onto_face(self, pair: &Pair<'_>) -> Self {
        let is_edge = matches!(self.feature, Feature::Edge(_) | Feature::Vertex(_));
        let is_edge = is_edge && !is_mostly_round(pair.obstacle.shape);
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
        // One that only touches is out of it.
        if let Some(end) = end.filter(|end| end.depth > SAME_SHARE * pair.slop) {
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
        match (passes, end) {
            (true, _) => Some(this.into_event(Kind::Tunnels, None)),
            (false, None) => Some(this.into_event(Kind::Clips, None)),
            // It comes to rest on the obstacle.
            (false, Some(_)) => None,
        }
    }

    /// The pair from the side of the mover, and of one that turns from that of the obstacle, which is entered at the `touch`.
    fn views<'r>(&self, pair: &Pair<'r>, touch: (DVec3, DVec3)) -> Vec<SideView<'r>> {
        let first = SideView::of_mover(pair, self.fraction, (self.point, self.normal));
        let of_obstacle = || SideView::of_obstacle(pair, self.fraction, touch);
        let other = self.turned.and_then(|_| of_obstacle());
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

/// Whether a mover that ends clear of the obstacle has passed the surface entered (a point and a normal toward the mover, as they are at a
/// fraction of the interval): its centre ends behind, and a centre crosses the other object, or goes between two parts of it that
/// are closer together than the mover is wide. Beside the obstacle it cuts a corner. A `round` surface has no beside.
pub fn passes(pair: &Pair<'_>, fraction: f64, surface: (DVec3, DVec3), round: bool) -> bool {
    let views = rotating_pair::side_views(pair, fraction, surface);
    let is_far = views.first().is_some_and(|view| view.far);
    is_far && (round || is_flanked(pair) || views.iter().any(SideView::crosses))
}

/// Whether the obstacle is on both sides of the mover's centre where that comes nearest to it, within the mover's inner radius.
fn is_flanked(pair: &Pair<'_>) -> bool {
    let nearest = |from: Shape| {
        let obstacle = pair.obstacle.shape.placed(&Pose::IDENTITY);
        query::gap(&from.placed(&Pose::IDENTITY), &obstacle)
    };
    let path = rotating_pair::center_path(pair).into_iter();
    let gaps = path.filter_map(|step| nearest(Shape::Segment(step)));
    let closest = gaps.min_by(|one, other| one.distance.total_cmp(&other.distance));
    let opposite = closest.and_then(|gap| {
        let away = (gap.point_a - gap.point_b).try_normalize()?;
        let at = gap.point_a + away * pair.mover.shape.inner_radius();
        nearest(Shape::Segment(Segment { a: at, b: at }))
    });
    opposite.is_some_and(|gap| gap.distance <= pair.slop)
}

/// The face of the obstacle that the mover's centre comes to in the interval, or would if the motion went on: a point of it and its normal
/// toward the mover, as they are at a fraction of the interval. `None` where it passes beside the obstacle.
pub fn face_ahead(pair: &Pair<'_>, fraction: f64) -> Option<(DVec3, DVec3)> {
    let obstacle = &pair.obstacle;
    let mut path = rotating_pair::center_path(pair);
    let last = *path.last()?;
    let onward = (last.b - last.a).try_normalize()?;
    let reach = last.b.length() + obstacle.shape.reach().unwrap_or(0.0);
    path.push(Segment {
        a: last.b,
        b: last.b + onward * (2.0 * reach),
    });
    let hit = path
        .iter()
        .find_map(|segment| query::ray_cast(segment, obstacle.shape, &Pose::IDENTITY))?;
    let pose = obstacle.turning().pose(fraction);
    Some((pose.point(hit.point), pose.vector(hit.normal)))
}

/// When the mover first touches the obstacle on its way to an overlap deeper than the slop, and the surface that it enters: a point and a normal
/// toward the mover, as they are then. `None` behind a one-sided surface.
pub fn surface_entered(pair: &Pair<'_>) -> Option<(f64, (DVec3, DVec3))> {
    if pair.is_one_sided() && !came_from_front(pair) {
        return None;
    }
    let touch = pair.contact_at(|motion| motion.start);
    if let Some(touch) = touch.filter(|touch| !touch.fallback) {
        return Some((0.0, (touch.point, touch.normal)));
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

/// The event of a pair that touches or overlaps when the interval begins: the centre passes the surface through which it came in, or the push
/// reverses.
fn from_contact(pair: &Pair<'_>, depth: f64, stats: &mut JudgeStats) -> Option<PairEvent> {
    let turns = rotating_pair::turns(pair);
    let swing = rotating_pair::rims(pair).filter(|_| turns);
    let reach = pair.travel().length() + depth + swing.unwrap_or(0.0);
    // Resting contact ends here: no centre moves so far.
    if pair.sensor || reach < pair.mover.shape.inner_radius() {
        return None;
    }
    let start = pair.contact_at(|motion| motion.start)?;
    if start.fallback && pair.entered.is_none() {
        return undefined_direction(pair);
    }
    if start.depth <= pair.slop {
        let passage = Passage::touching(pair, &start);
        return passage
            .event(pair, stats)
            .filter(|event| event.kind != Kind::Clips);
    }
    let (point, normal) = pair.entry_or(&start);
    let beyond = |pair: &Pair<'_>| passes_from(pair, (point, normal), &start);
    let end = beyond(pair)?;
    let turned = swing.is_some() && beyond(&pair.with_rotation_held()).is_none();
    Some(PairEvent {
        point,
        normal,
        end,
        turned: turned.then(|| rotating_pair::turned_at(pair, true, 0.0, start.point)),
        ..PairEvent::overlapping(Kind::Sinks, start)
    })
}

/// The event of two that can be pushed, of which the overlap at the start has no direction.
pub fn undefined_direction(pair: &Pair<'_>) -> Option<PairEvent> {
    if !pair.is_pushable() || pair.sensor {
        return None;
    }
    let start = pair.contact_at(|motion| motion.start)?;
    let counts = start.fallback && start.depth > pair.slop;
    counts.then_some(PairEvent::overlapping(Kind::BadNumber, start))
}

/// Whether the mover, which begins in an overlap, ends beyond a surface through which it came in: a point of the obstacle and a normal, at the
/// start. With the overlap whose push points out on the far side; `Some(None)` where it is clear of the obstacle.
fn passes_from(pair: &Pair<'_>, plane: (DVec3, DVec3), start: &Contact) -> Option<Option<Contact>> {
    let views = match rotating_pair::turns(pair) {
        true => rotating_pair::side_views(pair, 0.0, plane),
        false => SideView::of_mover(pair, 0.0, plane).into_iter().collect(),
    };
    let first = views.first()?;
    // An overlap past the middle at the start is not a new event.
    let was_past = !start.fallback && start.normal.dot(plane.1) < -FAR_SIDE_COSINE;
    match pair
        .overlap_at_end()
        .filter(|end| end.depth > SAME_SHARE * pair.slop)
    {
        Some(end) => {
            let proven = !end.fallback && !was_past;
            // Around a body that rolls the centre of the other moves without coming in.
            let onward = match (pair.entered, rotating_pair::turns(pair)) {
                (None, true) => first.leads_on(&end),
                (None, false) => first.far && first.points_out_behind(&end),
                (Some(_), _) => {
                    first.points_out_behind(&end) && rotating_pair::went_through(pair, &views)
                }
            };
            (proven && onward).then_some(Some(end))
        }
        None => {
            let mut views = rotating_pair::side_views(pair, 0.0, plane).into_iter();
            let leaves = first.far && !was_past && views.any(|view| view.leaves_behind());
            leaves.then_some(None)
        }
    }
}
