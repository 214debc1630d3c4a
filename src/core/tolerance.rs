//! Tolerances of the core: unit, reason, and what breaks if the value changes.

// Logs.

/// Squared length off 1 by less than this is a unit quaternion, kept bit for bit (a dimensionless number).
///
/// Normalising in `f64` ends within a few 1e-16, so that a second reading changes nothing; `f32` quaternions, off by 1e-7,
/// are normalised. Larger: boxes of `f32` logs are scaled by 1e-7. Smaller: reading twice is not reading once.
pub const UNIT_QUATERNION: f64 = 1e-12;

/// Seconds per frame where a log gives neither dt nor time: 60 frames a second.
pub const DEFAULT_DT: f64 = 1.0 / 60.0;

// Replay: stepping a scene.

/// Depth up to which the stepped world leaves an overlap alone, metres (plus [`ROUNDING_STEPS`] roundings of the coordinates).
///
/// A push lands on the surface up to rounding; without a slop the leftover of 1e-16 m would be pushed again, every round of
/// every frame. Larger, and resting objects visibly sink; a nanometre is far below any contact a level means.
pub const OVERLAP_SLOP: f64 = 1e-9;

/// Gap up to which a history counts two objects as in contact, metres (plus [`ROUNDING_STEPS`] roundings of the coordinates).
///
/// Pushes leave an overlap of [`OVERLAP_SLOP`] and sweeps a gap of [`SWEEP_SKIN`]: what rests is in contact, and not in and out of it
/// with every frame. Larger than a micrometre, and what only comes near would count.
pub const TOUCHING: f64 = 4e-9;

/// Stretches of a history no farther apart than this are one, frames.
///
/// A ball at rest leaves the floor by [`SWEEP_SKIN`] and is back within a ten-thousandth of a frame; a bounce that anybody could see
/// takes longer.
pub const SPAN_JOIN: f64 = 1e-4;

/// Gap that the sweeping stepper keeps when it halts objects before an impact, metres (plus [`ROUNDING_STEPS`] roundings of
/// the coordinates).
///
/// It absorbs the rounding of everything that happens until the next impact, so that sliding along a surface never turns
/// into an overlap. Zero, and a ball at rest on a floor overlaps it by an ulp after a few frames; larger than a micrometre,
/// and positions differ from the analytic ones in the digits people compare.
pub const SWEEP_SKIN: f64 = 1e-9;

/// Longest way back along its path that [`SWEEP_SKIN`] may take an object, metres.
///
/// At a grazing impact a skin along the normal is a long way along the path; halting that early would answer with the
/// normal of another place.
pub const SKIN_PATH: f64 = 1e-6;

/// How many roundings (units of 2^-52 of the largest coordinate) a pose may carry after a frame's arithmetic.
pub const ROUNDING_STEPS: f64 = 16.0;

/// Closing rate, as a share of the two speeds, that counts as rounding and not as an approach.
///
/// Removing a normal component leaves a few units of 2^-53; taking that for an approach would give one impact after
/// another at the same instant. Over a million frames it cannot use up [`SWEEP_SKIN`].
pub const ROUNDING_APPROACH: f64 = 8.0 * f64::EPSILON;

/// How much larger than an object its box is in which its neighbours are remembered, as a share of its size.
///
/// Changes the time taken and nothing else: smaller, and neighbours are looked for more often; larger, and there are more.
pub const NEAR_SHARE: f64 = 0.1;

/// Impacts in one frame of a small level after which whatever meets next is halted until the frame's end.
pub const IMPACTS_BASE: usize = 4096;

/// What each object adds to [`IMPACTS_BASE`].
///
/// A heap of ten thousand balls that never comes to rest would otherwise take 64 impacts of each of them, seconds a frame.
pub const IMPACTS_SHARE: usize = 4;

// Scenes: limits against input that is broken or hostile, and tolerances that a scene leaves out.

/// Bytes of a scene's text. A scene is written by people; long recordings and large meshes are files beside it.
pub const MAX_SCENE_BYTES: usize = 64 << 20;

/// Bytes of a file beside a scene: meshes of some millions of triangles fit.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// Triangles that one mesh file may come to, all copies of its parts counted: a small file can name one part a million times.
pub const MAX_MESH_TRIANGLES: usize = 4_000_000;

/// Heights of one height field, which takes ten bytes each: 4,096 x 4,096 cells.
pub const MAX_FIELD_HEIGHTS: usize = 4_097 * 4_097;

/// Corners of a concave face of a mesh that is cut.
///
/// Cutting takes milliseconds up to here, but the cube of the corners where a face crosses itself everywhere: ten thousand
/// took half a minute. Convex faces are not cut and may have any number.
pub const MAX_CUT_CORNERS: usize = 1_000;

/// Objects of one scene; each takes half a kilobyte, and a level of this size is a mesh.
pub const MAX_SCENE_OBJECTS: usize = 250_000;

/// Metres, metres per second and the like: beyond it the squares of squares that tests form leave the range of `f64`.
pub const MAX_MAGNITUDE: f64 = 1e15;

/// Problems listed for one file; what follows them is usually their echo.
pub const MAX_PROBLEMS: usize = 200;

/// Frame fraction: how far a `Hit` may be off when the scene does not say. Well above the rounding of a sweep.
pub const EXPECT_FRACTION: f64 = 1e-6;

/// Metres: how far a position or push may be off when the scene does not say.
pub const EXPECT_LENGTH: f64 = 1e-6;

// Shapes.

/// Share of a solid's size, or of its volume, by which parts may leave a gap or stick out and still be one convex solid (no unit).
///
/// Corners written as `f32` are off by 1e-7. Larger, and real dents are filled; smaller, and a box cut in two is two boxes.
pub const CONVEX_SHARE: f64 = 1e-6;

/// Radius, as a share of the inner radius, below which a rounded box is judged as a sharp one (no unit).
///
/// Ten times smaller than the overlap that is not a finding.
pub const SHARP_SHARE: f64 = 2e-3;

// Queries.

/// Units in the last place of the largest coordinate that enters a query: the error bound of a distance.
///
/// Some ten roundings lie between a pose and a distance. Shapes nearer to touching than this touch, and a swept pair that comes no
/// deeper grazes. Smaller, and rounding decides verdicts; larger, and shapes that are just apart touch.
pub const BOUND_ULPS: f64 = 8.0;

/// Share of a pair's distance and displacement to which the least distance over a motion is found (no unit).
pub const APPROACH_SHARE: f64 = 1e-13;

/// Share of a hull's size within which points lie on one line, in one plane, or on one face (no unit).
///
/// Points written as `f32` are off a common plane by 1e-7, and make small faces; larger, and thin hulls are refused.
pub const HULL_FLATNESS: f64 = 1e-9;

/// Height over longest edge (no unit), below which a triangle acts as its longest edge.
///
/// The cross product of the edges is then rounding only, and so is its direction. Larger, and real slivers lose their face.
pub const DEGENERATE_TRIANGLE: f64 = 1e-13;

/// Metres; queries refuse numbers beyond it, as their fourth powers overflow.
pub const LARGEST_NUMBER: f64 = 1e75;

/// The squares of a quaternion's length between which it is taken for a rotation.
pub const ROTATION: std::ops::RangeInclusive<f64> = 0.25..=4.0;

/// Square of a length (square metres), below or above (its inverse) which a vector is scaled before it is measured, as squaring it under- or overflows.
pub const SMALLEST_SQUARE: f64 = 1e-280;

/// Share of the speed; where a path meets a surface more steeply than this, one Newton step refines the time of impact.
///
/// Flatter than this the step divides rounding by almost nothing and makes the answer worse.
pub const STEEP_ENOUGH: f64 = 1e-3;

/// Share of all lengths by which an early-out must find a pair apart to skip its test (no unit).
///
/// Far more than its rounding; smaller only saves tests that are nearly touching, and far smaller loses touches.
pub const EARLY_OUT_SHARE: f64 = 1e-9;

/// Sine of a triangle's angle below which an early-out does not use its plane.
///
/// The direction of the plane is good to 1e-12 at this sine, well within [`EARLY_OUT_SHARE`].
pub const EARLY_OUT_SINE: f64 = 1e-4;

/// Share of the sizes of two shapes within which their axes or centres are one (no unit): the error bound of shapes at the origin.
///
/// Smaller, and the direction of a push out of a coaxial shape is rounding; larger, and a direction that is defined is taken for undefined.
pub const ON_AXIS: f64 = BOUND_ULPS * f64::EPSILON;

/// Share of the squared distance that an iteration of the closest points must gain to go on (no unit): its rounding.
pub const CLOSEST_POINTS_GAIN: f64 = 4.0 * f64::EPSILON;

/// Share of the size of a Minkowski difference by which a support point must lie beyond a face of the expanding polytope to replace it
/// (no unit): some roundings. Smaller, and faces without area are built; larger, and depths are off by as much.
pub const POLYTOPE_GAIN: f64 = 1e-14;

/// As [`POLYTOPE_GAIN`]: how far a vertex must lie beyond a face that is replaced with its neighbour. Larger leaves dents, smaller holes.
pub const POLYTOPE_BEYOND: f64 = 1e-15;

/// Share of the size within which vertices of the first tetrahedron are one point, or on one line (no unit). Smaller, and its faces have
/// no normal.
pub const POLYTOPE_LINE: f64 = 1e-12;

/// Error bounds within which the direction between two sharp shapes may be rounding, so that a sweep uses the direction before.
///
/// At this distance the direction is good to 1e-3.
pub const DIRECTION_BOUNDS: f64 = 1e3;

/// Share of the time in which shapes pass each other after which a sweep that arrived first looks for an overlap (no unit).
///
/// It looks earlier where the depth along the normal could be told from a touch earlier, and again at four times this, and so on: smaller
/// costs tests.
pub const FIRST_LOOK_AHEAD: f64 = 1e-6;

// Sweeps of shapes that turn

/// Share of the motion (no unit) to which it is cut where an overlap may still hide.
///
/// Shorter overlaps than this may be missed: of a blade whose tip swings 10 m in a frame, a millimetre. Smaller, and turning
/// bodies that slide along something cost more; larger, and thin things are passed unseen.
pub const TURNING_LEAF: f64 = 1e-4;

/// Share of an overlap (no unit) that a parting after it must last to be found surely.
///
/// Larger, and a body that bounces while it turns is one overlap; smaller, and bodies that slide along each other cost more.
pub const PARTING_SHARE: f64 = 1.0 / 32.0;

/// Radians by which a turn known from a spin may lead past the pose at the motion's end and still be near the one that happened.
///
/// Logs of `f32` are off by 1e-6, integrators that add quaternions and normalise by about the cube of the turn's half.
/// Larger, and the spin of another frame is believed; smaller, and turns by more than a half are taken for the shortest arc.
pub const TURN_AGREES: f64 = 0.02;

// Diagnosis

/// Overlap that is no finding, as a share of the smaller body's inner radius (no unit).
///
/// Engines leave bodies at rest in overlap on purpose (skins and penetration slops of 0.1 to 2 % of a body), and a path given
/// by its ends sags by about as much where a body rolls over an edge. Smaller, and resting piles are reported; larger, and
/// real initial overlaps are not.
pub const SLOP_SHARE: f64 = 0.02;

/// Cosine below which a push counts as leading to the other side rather than sideways (no unit).
///
/// The side faces of a turned box are square to the face that was hit only up to rounding; an exact 0 would call a push out
/// of the side a push out of the back.
pub const FAR_SIDE_COSINE: f64 = 1e-3;

/// How far beyond the end of one triangle's contact the next one of a mesh is looked for, as a share of the frame (no unit).
///
/// Above rounding, far below any contact's length. Larger, and gaps between triangles are bridged.
pub const SEEN_STEP: f64 = 1e-9;

/// Share of an overlap that a contact pushes out in one frame (no unit): the usual one of Box2D, Bullet and Jolt.
///
/// Larger, and bumps of bodies that are deep in the surface are not found; smaller, and the push out of a deep contact counts as a bump.
pub const PUSH_OUT: f64 = 0.2;

/// Seconds for which a body is deeper than the slop in a solid that nothing pushes, from which on it stays inside.
///
/// Engines push a body out within some tenths of a second. Smaller, and slow push-outs are reported; larger, and short logs have no finding.
pub const STAYS_INSIDE: f64 = 0.5;

/// Depth, as a share of the mover's inner radius, up to which a body that stays in a solid rests there (no unit).
///
/// Soft contacts hold rolling balls up to 7 % deep, and the lowest of a stack of plates 10.5 %. Smaller, and healthy recordings of them have findings; larger, and what a
/// lift that is moved by its position sinks into is none.
pub const STAYS_DEPTH: f64 = 0.11;

/// The same as a multiple of the slop (no unit).
///
/// An engine pushes out what is deeper than its own slop, which takes time: bodies rest and slide a third deeper. Smaller, and they have findings.
pub const STAYS_SLOP: f64 = 1.5;

/// The overlap that an engine which the log does not name may leave alone, metres: that of Jolt and PhysX, and rounding.
pub const UNNAMED_SLOP: f64 = 0.021;

/// The same for two bodies that can both be pushed.
///
/// A soft solver leaves boxes of a loaded stack 17 % deep in each other. Smaller, and such stacks have findings.
pub const STAYS_DEPTH_IN_BODY: f64 = 0.5;

/// Width of a gap between two solids, as a share of the slop, that is none (no unit).
///
/// Tiles side by side touch to rounding. Larger, and narrow gaps are closed; smaller, and the rounding of a rotated level opens them.
pub const SKIN_SHARE: f64 = 1e-3;

/// Findings that an object has in one frame, from which on a pair of two such objects is counted and not judged.
///
/// Bodies that all cross in one frame are n (n - 1) / 2 findings; with this they are at most so many times n. Smaller, and pairs
/// of a usual level are left out.
pub const FINDINGS_PER_OBJECT: u32 = 64;

/// Findings of a frame, from which on its other pairs are counted and not judged.
///
/// It bounds the memory: a finding takes some 5 kB until its frame is merged. Smaller, and what `check` writes is not all of a bad frame.
pub const FINDINGS_PER_FRAME: usize = 32_768;

/// Frames for which a contact is followed back before it let a body through.
///
/// A number for people, not a limit of what is found; each look back at a stepped scene may cost a step.
pub const CONTACT_FRAMES: u32 = 32;

/// Cosine of the angle up to which a push leads clearly to the other side, or against another one (no unit): 60 degrees.
///
/// Smaller, and a push out beside a plate is one through it; larger, and tilted surfaces have none.
pub const BACK_COSINE: f64 = 0.5;

/// Share of the largest coordinate below which positions of a log are rounding (no unit).
///
/// Some roundings of an `f32`: engines that compute in it place bodies and contacts no better. Smaller, and bodies that rest far
/// from the origin count as apart; larger, and a level a kilometre wide hides gaps of more than a millimetre.
pub const LOG_ROUNDING: f64 = 8.0 * f32::EPSILON as f64;

/// Metres by which an engine's ray or sweep may be off before it is wrong, at most [`QUERY_SLOP_SHARE`] of the bodies' size.
///
/// Engines that sweep step by step stop this far short (Box2D's slop is 0.005 m). Smaller, and their good answers are findings.
pub const QUERY_SLOP: f64 = 0.005;

/// Share of the smaller of ball and object that caps [`QUERY_SLOP`] (no unit), so that small levels are judged too.
pub const QUERY_SLOP_SHARE: f64 = 0.1;

/// Cosine of the angle to the exact normal below which a logged one is another normal: 15 degrees (no unit).
///
/// A ball of which 2 % may sink into an edge meets it up to 12 degrees off. Larger cosine, and good answers at rims are findings.
pub const NORMAL_COSINE: f64 = 0.966;

/// Relative difference below which two times of impact, or a closed form and the exact geometry, count as equal (no unit).
pub const SAME_SHARE: f64 = 1e-9;

/// Share of a limit by which suggested values stay below it (no unit).
///
/// At the limit itself rounding decides: a body that is pushed back until it touches and then moves by exactly the limit ends with its
/// centre in the middle of the obstacle, in every starting phase. A thousandth covers the rounding of `f32` engines and of three printed
/// digits. Smaller, and suggested values let bodies through; larger, and they cost substeps.
pub const SAFE_SHARE: f64 = 1e-3;

// ---- Convex bodies on separating axes ----

/// Radians, as a sine: a part within this angle of being square to the contact normal belongs to the touching feature.
///
/// Logs hold `f32` rotations, good to about 1e-7. Smaller, and a box at rest would stand on one corner; it only names
/// features and places the contact point, so it never decides whether there is a contact.
pub const FEATURE_ANGLE: f64 = 1e-6;

// ---- Cheap hulls ----

/// A swept box is larger by this share of its largest coordinate on every side.
///
/// No unit; about 45 roundings. Turning and moving a point to a fraction rounds a handful of times; smaller, and a shape
/// may stick out of its box and its pair be lost; larger only costs candidates.
pub const SWEPT_BOX_MARGIN: f64 = 1e-14;

/// A sphere around points is larger by this share of its radius.
///
/// No unit; a few roundings. Smaller, and the point that carries the sphere may be found outside it.
pub const SPHERE_MARGIN: f64 = 2e-15;

/// Up to so many points a mesh gets its smallest sphere, beyond it Ritter's.
///
/// The smallest costs a pass over the points, and some ten more where all are near its surface: 100,000 points take a
/// millisecond or two once.
pub const SMALLEST_SPHERE_POINTS: usize = 100_000;

/// A point whose distance from a sphere's centre, found as the sum of two others, is within this share of the radius is inside.
///
/// No unit. Points, both centres and the point that all are measured from are within four radii of each other, so that each
/// of a dozen differences, squares and roots is off by 4 of its roundings at most: 1e-14 of the radius in all. Smaller only
/// costs looks.
pub const SURELY_INSIDE: f64 = 1.0 - 1e-9;

/// Points of which the smallest sphere is sought first, at least.
///
/// Changes the time taken and, up to rounding, nothing else: fewer, and more points are outside their sphere.
pub const SMALLEST_SPHERE_SAMPLE: usize = 512;

/// Pivots after which the smallest sphere found so far is taken.
///
/// Some ten are needed; rounding among points on one sphere could make it go on for ever.
pub const SMALLEST_SPHERE_PIVOTS: usize = 200;

// ---- Axes of convex bodies ----

/// Two axes whose sine is at most this are one; two such edges span no axis.
///
/// No unit. A cross product of unit vectors is good to about 1e-16, so its direction at this sine is good to 1e-6; what is
/// left out differs from an axis that is tested by at most this share of the bodies' size. Larger, and touching bodies that
/// are just apart would count as touching; smaller, and noise would be tested as an axis.
pub const PARALLEL_SINE: f64 = 1e-10;

/// Sine between two edges from which on the direction of their cross product is accurate to [`EDGE_ROUNDING`].
///
/// Smaller needs a larger [`EDGE_ROUNDING`]; larger sends more pairs of boxes to the test of each axis by itself.
pub const CLEAR_SINE: f64 = 1e-3;

/// Share of all lengths by which an overlap along the cross product of two edges is rounded when all axes of two boxes are computed at once
/// (no unit). Larger only sends more pairs to the test of each axis by itself.
pub const EDGE_ROUNDING: f64 = 1e-12;

/// An edge axis must be shorter than the best face by this share of both bodies' size to be the push.
///
/// No unit. Rotations rounded to `f64` and integrated for a while tilt a resting box by 1e-12 to 1e-10, which makes an edge
/// axis shorter by as much; smaller, and the normal of a box at rest jumps between face and edge. Larger, and a push may be
/// longer than it need be by that much.
pub const FACE_PREFERENCE: f64 = 1e-9;

// ---- Sweeps of convex bodies ----

/// A displacement along an axis of at most this share of the whole is none.
///
/// No unit; some roundings of one. The product of a displacement with an axis square to it is rounding alone; taken for
/// motion, it would open or close a touching pair at a random time.
pub const STANDSTILL: f64 = 1e-15;

/// A point outside the smallest sphere by this share of its radius is held for one on it.
///
/// No unit. Spheres through four points that nearly lie in a plane lose some digits; smaller, and rounding keeps the search
/// from ending; larger, and the sphere is larger than the smallest by as much.
pub const SPHERE_PIVOT_SLACK: f64 = 1e-11;

/// Share of the largest coordinate by which a node of a tree of spheres is larger in a swept test (no unit).
///
/// A triangle's corner lies on its node's sphere; rounding must not let a path that meets the corner pass the sphere.
/// Smaller, and grazing hits at corners are lost; larger only costs tests.
pub const SPHERE_TREE_MARGIN: f64 = 1e-13;

// ---- What if ----

/// A bisection ends when what is enough and what is not differ by this share of it (no unit).
///
/// Far below what anybody types into a program. Smaller, and the rounding of a contact decides.
pub const WHAT_IF_SHARE: f64 = 1e-12;

// ---- The camera's probe ----
