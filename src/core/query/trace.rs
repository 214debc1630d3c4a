//! Tracing: an argument of every query, over the same algorithm that answers.

use crate::core::shape::Feature;
use glam::DVec3;

/// Receives each step of a query. The empty sink `()` costs nothing.
pub trait Trace {
    /// One step, with the numbers it was decided on.
    fn step(&mut self, step: Step);

    /// False for a sink that drops everything: a query then skips work that only serves the trace; the answer stays the same.
    #[inline(always)]
    fn is_enabled(&self) -> bool {
        true
    }
}

impl Trace for () {
    #[inline(always)]
    fn step(&mut self, _step: Step) {}

    #[inline(always)]
    fn is_enabled(&self) -> bool {
        false
    }
}

/// Keeps every step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps(pub Vec<Step>);

impl Trace for Steps {
    fn step(&mut self, step: Step) {
        self.0.push(step);
    }
}

/// What the chosen triangle or part of a composite shape is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The first to be hit.
    Earliest,
    /// The deepest overlap.
    Deepest,
    /// The nearest.
    Nearest,
}

/// Why a sweep skipped a node of a tree of bounding spheres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SkipReason {
    /// The swept bounding sphere misses the node's sphere.
    Misses {
        /// Metres.
        by: f64,
    },
    /// The swept bounding sphere touches the node's sphere only after the hit.
    AfterHit {
        /// Fraction of that touch.
        fraction: f64,
        /// Fraction of the hit; 0 for an overlap at the start.
        hit: f64,
    },
}

/// One step of a query. Lengths are metres, fractions are of the motion or the segment, directions are unit and in world space
/// unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// A number is not finite, or beyond 1e75: no answer.
    BadNumber,

    // Distance and contact.
    /// The part of the second shape that is nearest, and its distance from the first shape's core.
    Nearest {
        /// Of the second shape.
        feature: Feature,
        /// Negative inside.
        distance: f64,
    },
    /// Signed distance of a centre from a triangle's plane, positive in front.
    PlaneDistance {
        /// Metres.
        distance: f64,
    },
    /// The triangle has no area: it acts as its longest edge.
    DegenerateTriangle,
    /// The centre lies behind a one-sided triangle, which does not collide from there.
    BehindOneSided,
    /// By how much a centre lies beyond the faces of a box, axis by axis, in the box's frame; negative between them.
    BeyondFaces {
        /// Metres.
        by: DVec3,
        /// The radius it is compared with.
        radius: f64,
    },
    /// The closest points of two segments, as fractions along each.
    ClosestOfSegments {
        /// Along the first.
        s: f64,
        /// Along the second.
        t: f64,
        /// Metres.
        distance: f64,
    },
    /// The closest points of two cores, found from support points (Gilbert, Johnson, Keerthi).
    ClosestPoints {
        /// Support points computed.
        iterations: u32,
        /// Between the cores, metres.
        distance: f64,
        /// From the second toward the first.
        normal: DVec3,
    },
    /// The cores overlap: the least translation that separates them (expanding polytope).
    Penetration {
        /// Faces of the Minkowski difference that were built.
        faces: u32,
        /// Metres.
        depth: f64,
        /// From the second toward the first.
        normal: DVec3,
    },
    /// Radii added to the cores.
    Radii {
        /// Their sum.
        sum: f64,
    },
    /// Overlap along a face normal or edge axis of two flat shapes; negative when apart.
    Axis {
        /// Cross product of two edges, else a face's normal.
        edges: bool,
        /// Toward the first shape.
        axis: DVec3,
        /// Metres.
        overlap: f64,
    },
    /// An axis separates the shapes.
    SeparatingAxis {
        /// Toward the first shape.
        axis: DVec3,
        /// Metres.
        gap: f64,
    },
    /// The axis of least overlap.
    LeastOverlap {
        /// Toward the first shape.
        axis: DVec3,
        /// Metres.
        depth: f64,
    },
    /// The geometry gives no direction: a fixed one was taken.
    FallbackNormal {
        /// The direction taken.
        normal: DVec3,
    },
    /// The answer: apart.
    Separated {
        /// Metres, > 0.
        distance: f64,
    },
    /// The answer: touching, as the distance is within its error bound.
    Touching {
        /// Metres, either sign.
        distance: f64,
        /// Metres.
        bound: f64,
    },
    /// The answer: overlapping.
    Overlapping {
        /// Metres, > 0.
        depth: f64,
    },
    /// Two planes have no distance.
    TwoPlanes,

    // Sweeps.
    /// The start of a sweep.
    Start {
        /// Distance at the start; negative when overlapping.
        gap: f64,
        /// Metres by which the motion brings the shapes together along the normal; negative when it parts them.
        approach: f64,
        /// Error bound, metres.
        bound: f64,
    },
    /// The squared gap of two spheres is `a t^2 + 2 b t + c`.
    Parabola {
        /// Square metres.
        a: f64,
        /// Square metres.
        b: f64,
        /// Square metres.
        c: f64,
        /// Distance at the start, metres.
        gap: f64,
        /// Metres.
        radii: f64,
    },
    /// `b^2 - a c` of the parabola, in its perpendicular form.
    Discriminant {
        /// To the fourth power of metres.
        value: f64,
    },
    /// Conservative advancement: until this fraction the shapes cannot touch.
    Advance {
        /// Where the distance was measured.
        fraction: f64,
        /// Metres there.
        distance: f64,
        /// Metres by which the whole motion closes along the normal there.
        approach: f64,
    },
    /// Along an axis the moving shapes overlap from one fraction to another.
    SweptAxis {
        /// Cross product of two edges, else a face's normal.
        edges: bool,
        /// Either sign.
        axis: DVec3,
        /// Fraction.
        begin: f64,
        /// Fraction.
        end: f64,
    },
    /// What would touch a one-sided triangle is behind it by then, or moves away from its front.
    FallsBehindOneSided {
        /// Fraction at which it would touch.
        fraction: f64,
    },
    /// Not closing at the start.
    Receding {
        /// Metres by which the motion brings them together; <= 0.
        approach: f64,
    },
    /// Closing, but apart or only touching at the end.
    Later {
        /// Fraction before which nothing can happen; >= 1.
        fraction: f64,
    },
    /// They pass each other by.
    PassesBy {
        /// A fraction from which on they part.
        fraction: f64,
    },
    /// They touch without overlapping, within the error bound.
    Grazes {
        /// Fraction.
        fraction: f64,
    },
    /// They hit.
    Hits {
        /// Fraction.
        fraction: f64,
    },
    /// The part of the second shape that is hit.
    HitsFeature {
        /// Of the second shape.
        feature: Feature,
    },
    /// The least distance over a motion.
    ClosestApproach {
        /// Metres, >= 0.
        distance: f64,
        /// Fraction.
        fraction: f64,
    },

    // Composite shapes.
    /// Parts of a mesh or compound that were near enough to be tested.
    PartsTested {
        /// How many.
        count: u32,
    },
    /// The part that decides.
    Part {
        /// Its index.
        index: u32,
        /// The kind of shape it is.
        kind: &'static str,
        /// Why it was chosen.
        role: Role,
    },
    /// How much of a mesh's tree of bounding spheres a sweep tested.
    SphereTree {
        /// Spheres tested.
        spheres: u32,
        /// Triangles tested.
        triangles: u32,
        /// Triangles of the mesh.
        of: u32,
    },
    /// A node of the tree that was skipped with everything below it.
    SkippedSphere {
        /// 0 for the root.
        level: u32,
        /// Triangles of the mesh that it holds.
        triangles: u32,
        /// Why.
        reason: SkipReason,
    },
    /// Nodes of the tree that were skipped as well, below those listed.
    MoreSkippedSpheres {
        /// How many.
        spheres: u32,
        /// Triangles of the mesh that they hold.
        triangles: u32,
    },

    // Turning shapes.
    /// Nothing bounds how fast the gap changes.
    NoBoundOnTheGap,
    /// How fast the gap can change at most.
    FastestGap {
        /// Metres over the motion.
        rate: f64,
        /// The overlap that is looked for, metres.
        depth: f64,
    },
    /// At no time a deeper overlap.
    NeverDeeper {
        /// Metres.
        depth: f64,
        /// Fraction; overlaps shorter than this may be missed.
        shortest: f64,
    },
    /// A fraction at which they overlap by more.
    DeeperAt {
        /// Fraction.
        fraction: f64,
    },
    /// The first touch before that.
    FirstTouch {
        /// Fraction.
        fraction: f64,
    },
    /// Where they part.
    PartsAt {
        /// Fraction.
        fraction: f64,
    },
    /// They overlap until the motion ends.
    OverlapsUntilTheEnd,

    // Segments against surfaces.
    /// Signed distances of a segment's ends from a plane, times a length; positive in front.
    PlaneDistances {
        /// Of the start.
        from: f64,
        /// Of the end.
        to: f64,
    },
    /// Both ends are on one side.
    NoCrossing,
    /// Volumes of the segment and the edges opposite a, b, c; of one sign when it goes through.
    EdgeSigns {
        /// Cubic metres.
        volumes: DVec3,
    },
    /// The signs differ.
    Outside,
    /// Signed distance at the segment's start from a solid's surface.
    RayStart {
        /// Negative inside.
        distance: f64,
    },
    /// The segment stays inside.
    StaysInside,
    /// The segment meets no surface.
    RayPasses,
    /// A segment has no surface to meet.
    NoSurface,
    /// The segment meets a surface.
    RayHit {
        /// Fraction of the segment.
        fraction: f64,
        /// From behind, or from inside.
        back: bool,
    },

    // The camera's probe.
    /// The camera's displacement and the length of its probe.
    CameraPath {
        /// Metres.
        length: f64,
        /// Metres.
        reach: f64,
    },
    /// The camera's path goes through a triangle.
    PathGoesThrough {
        /// Its index.
        triangle: u32,
    },
    /// The camera's path goes through no triangle.
    PathIsFree,
    /// A sphere around the camera hits a triangle.
    SphereHits {
        /// Its index.
        triangle: u32,
        /// Metres.
        radius: f64,
    },
    /// A sphere around the camera hits nothing.
    SphereIsFree {
        /// Metres.
        radius: f64,
    },
    /// Lines and triangles that are tested against each other.
    LinesTested {
        /// Lines.
        lines: u32,
        /// Triangles.
        triangles: u32,
    },
    /// A line crosses a triangle.
    LineCrosses {
        /// Its index.
        line: u32,
        /// Its index.
        triangle: u32,
    },
    /// The push that a line asks for.
    LinePush {
        /// The line's end is pulled back, else its start.
        end: bool,
        /// Metres.
        push: DVec3,
    },
    /// No line crosses anything.
    NothingCrosses,
    /// Lines still cross after this many pushes.
    GivesUp {
        /// Pushes.
        pushes: u32,
    },
    /// The sum of a probe's pushes.
    ProbeEnds {
        /// How many.
        pushes: u32,
        /// Metres.
        push: DVec3,
    },

    // The ruler.
    /// From one point to the other.
    Differences {
        /// Metres.
        along: DVec3,
    },
    /// Straight distance.
    Distance {
        /// Metres.
        distance: f64,
    },
    /// Lengths in the planes of two axes.
    InPlanes {
        /// Metres.
        xy: f64,
        /// Metres.
        yz: f64,
        /// Metres.
        zx: f64,
    },
}
