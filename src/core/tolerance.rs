//! Tolerances of the core: unit, reason, and what breaks if the value changes.

// Logs.

/// Squared length off 1 by less than this is a unit quaternion, kept bit for bit (a dimensionless number).
///
/// Normalising in `f64` ends within a few 1e-16, so that a second reading changes nothing; `f32` quaternions, off by 1e-7,
/// are normalised. Larger: boxes of `f32` logs are scaled by 1e-7. Smaller: reading twice is not reading once.
pub const UNIT_QUATERNION: f64 = 1e-12;

/// Length off 1 by more than this share is no rounding but a mistake, and is said (dimensionless).
///
/// `f16` and four printed digits stay below it.
pub const QUATERNION_LENGTH_SUSPECT: f64 = 0.01;

/// Times of a log that differ from its stated dt by less than this share are that dt, printed with few digits
/// (dimensionless). A real change of dt below it changes a computed velocity by the same share and no more.
pub const LOG_TIME_JITTER: f64 = 0.01;

/// Seconds per frame where a log gives neither dt nor time: 60 frames a second.
pub const DEFAULT_DT: f64 = 1.0 / 60.0;

/// Metres: the radius of a CSV's body where neither a scene nor a column gives one. Announced, never silent.
pub const DEFAULT_RADIUS: f64 = 0.5;

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

/// Frames of gravity: a bounce with restitution below 1 that closes slower than this many of them comes to rest.
///
/// One frame's fall is the closing speed of something that lies still, so without it nothing ever lies still; at 2 the
/// highest bounce given up is two frames of fall high.
pub const REST_FRAMES: f64 = 2.0;

/// Rounds over all contacts that `Detection::Overlap` makes in a frame.
///
/// As games do: a few, and what is left is pushed in the next frame. More makes stacks stiffer and hides what a real
/// game would show.
pub const OVERLAP_ROUNDS: u32 = 4;

/// Rounds that `Detection::Sweep` makes at a frame's start to take apart what overlaps already.
///
/// A tight rack of balls needs one round for each layer a push has to cross.
pub const DEPENETRATION_ROUNDS: u32 = 32;

/// How much larger than an object its box is in which its neighbours are remembered, as a share of its size.
///
/// Changes the time taken and nothing else: smaller, and neighbours are looked for more often; larger, and there are more.
pub const NEAR_SHARE: f64 = 0.1;

/// Impacts of one object in one frame after which the sweeping stepper halts it until the frame's end.
///
/// A ball that rattles between two walls of a wedge has infinitely many; a rack of fifteen balls has about ten each.
pub const IMPACTS_PER_OBJECT: u32 = 64;

/// Impacts in one frame of a small level after which whatever meets next is halted until the frame's end.
pub const IMPACTS_BASE: usize = 4096;

/// What each object adds to [`IMPACTS_BASE`].
///
/// A heap of ten thousand balls that never comes to rest would otherwise take 64 impacts of each of them, seconds a frame.
pub const IMPACTS_SHARE: usize = 4;

/// Pushes of one frame that are listed with all their numbers, at least; the further ones are counted.
///
/// Some 30 MB. A heap that rests has three or four contacts a body, each pushed in every round; only piles come here.
pub const PUSHES_BASE: usize = 65_536;

/// Pushes of one frame that are listed, besides, for each object.
pub const PUSHES_SHARE: usize = 32;

/// Cosine above which an impact counts as being straight against a support: then the support's stiffness is passed on.
pub const SUPPORT_COSINE: f64 = 0.999;

/// Memory that a player spends on remembered states, bytes.
pub const STATE_MEMORY: usize = 192 << 20;

// Scenes: limits against input that is broken or hostile, and tolerances that a scene leaves out.

/// Bytes of a scene's text. A scene is written by people; long recordings and large meshes are files beside it.
pub const MAX_SCENE_BYTES: usize = 64 << 20;

/// Bytes of a file beside a scene: meshes of some millions of triangles fit.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// Triangles that one mesh file may come to, all copies of its parts counted: a small file can name one part a million times.
pub const MAX_MESH_TRIANGLES: usize = 4_000_000;

/// How far from square two axes of a node's matrix may be and still be turned and scaled, not sheared.
///
/// No unit, the cosine between them. Engines write matrices as `f32`, whose products round to some 1e-7.
pub const SQUARE_COSINE: f64 = 1e-6;

/// Corners of a concave face of a mesh that is cut.
///
/// Cutting takes milliseconds up to here, but the cube of the corners where a face crosses itself everywhere: ten thousand
/// took half a minute. Convex faces are not cut and may have any number.
pub const MAX_CUT_CORNERS: usize = 1_000;

/// A face is cut well when its triangles have its area to this share of it.
///
/// No unit. Areas of thousands of triangles round to 1e-12; larger, and a face could miss a triangle that a ball fits
/// through.
pub const CUT_SHARE: f64 = 1e-9;

/// Brackets in brackets. The deepest scene needs 8; more only costs stack.
pub const MAX_SCENE_NESTING: usize = 64;

/// Objects of one scene; each takes half a kilobyte, and a level of this size is a mesh.
pub const MAX_SCENE_OBJECTS: usize = 250_000;

/// Frames of a scene's timeline: two days at 60 a second. Larger numbers are slips, and would cost hours.
pub const MAX_SCENE_FRAMES: u32 = 10_000_000;

/// Metres, metres per second and the like: beyond it the squares of squares that tests form leave the range of `f64`.
pub const MAX_MAGNITUDE: f64 = 1e15;

/// Problems listed for one file; what follows them is usually their echo.
pub const MAX_PROBLEMS: usize = 200;

/// Letters that are looked at, and pairs of letters that are compared, to suggest names for mistyped ones in one scene.
///
/// About a second. Names that are little alike cost their letters alone: of 50,000 names of 30 letters some 250 mistyped ones get
/// a suggestion, more than are listed.
pub const SPELLING_WORK: usize = 400_000_000;

/// Frame fraction: how far a `Hit` may be off when the scene does not say. Well above the rounding of a sweep.
pub const EXPECT_FRACTION: f64 = 1e-6;

/// Metres: how far a position or push may be off when the scene does not say.
pub const EXPECT_LENGTH: f64 = 1e-6;

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

/// Square of a length (square metres), below or above (its inverse) which a vector is scaled before it is measured, as squaring it under- or overflows.
pub const SMALLEST_SQUARE: f64 = 1e-280;

/// Share of the speed; where a path meets a surface more steeply than this, one Newton step refines the time of impact.
///
/// Flatter than this the step divides rounding by almost nothing and makes the answer worse.
pub const STEEP_ENOUGH: f64 = 1e-3;

// Sweeps of shapes that turn

/// Share of the motion (no unit) to which it is cut where an overlap may still hide.
///
/// Shorter overlaps than this may be missed: of a blade whose tip swings 10 m in a frame, a millimetre. Smaller, and turning
/// bodies that slide along something cost more; larger, and thin things are passed unseen.
pub const TURNING_LEAF: f64 = 1e-4;

/// How near, as a share of the depth that is looked for, an approach comes before it is settled by halving (no unit).
///
/// Changes the time taken and nothing else.
pub const TURNING_NEAR: f64 = 1e-2;

/// Steps of an approach before it is settled by halving. A head-on one takes some ten.
pub const TURNING_STEPS: u32 = 256;

/// Radians by which a turn told by a spin may lead past the pose at the motion's end and still be the one that happened.
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

/// Moments at which the depth of a cut corner is looked at first (a count).
///
/// One is enough between two convex shapes; a mesh shows a triangle at a time. Fewer, and a deep cut between two shallow ones of a mesh
/// is not reported; more only costs time.
pub const DEPTH_SAMPLES: u32 = 16;

/// How often the stretch around the deepest of those moments is cut to two thirds (a count).
///
/// 40 times leave less than a ten-millionth of it, over which a depth changes by less than the slop it is held against.
pub const DEPTH_THIRDS: u32 = 40;

/// Corners of one mesh, each cut less deep than is reported, after which a stretch is looked at no further (a count).
///
/// Fewer, and a deep cut after many shallow ones is not reported; more only costs time on rough ground.
pub const CORNERS_FOLLOWED: u32 = 64;

/// Cosine below which a push counts as leading to the other side rather than sideways (no unit).
///
/// The side faces of a turned box are square to the face that was hit only up to rounding; an exact 0 would call a push out
/// of the side a push out of the back.
pub const FAR_SIDE_COSINE: f64 = 1e-3;

/// How far beyond the end of one triangle's contact the next one of a mesh is looked for, as a share of the frame (no unit).
///
/// Above rounding, far below any contact's length. Larger, and gaps between triangles are bridged.
pub const SEEN_STEP: f64 = 1e-9;

/// Where the ray that measures a mesh's thickness starts behind the surface, as a share of the mesh's diagonal (no unit).
///
/// It must leave the triangle that was hit behind it. Walls thinner than this count as sheets.
pub const THICKNESS_RAY_SKIP: f64 = 1e-9;

/// Frames in a row in which a blocked body's velocity into the surface grows, from which on it counts as hidden.
///
/// One or two are the ripple of any solver; three are a response that never takes it away.
pub const HIDDEN_FRAMES: u32 = 3;

/// Growth of a velocity from frame to frame, as a share of it, that is no rounding (no unit).
///
/// Above the 1e-7 of a log in `f32`; gravity adds more than this for the first hundred thousand frames.
pub const HIDDEN_GROWTH: f64 = 1e-5;

/// Sideways part of a push over an edge that is not there, as a share of the smaller body's inner radius, that is no finding (no
/// unit). Below it nobody sees the stumble.
pub const PHANTOM_SHARE: f64 = 1e-3;

/// Distance of neighbouring `f32` numbers, as a share of a ball's radius, above which `f32` is asked (no unit).
///
/// Below a hundredth the answers differ only where they are within rounding anyway.
pub const SINGLE_SHARE: f64 = 0.01;

/// Height of a triangle, as a share of its longest edge and of the body's inner radius, below which it is a sliver that engines may
/// drop (no unit).
pub const SLIVER_SHARE: f64 = 1e-3;

/// Cosine above which two open edges run side by side (no unit): within 18 degrees, as the two sides of a crack do.
pub const SEAM_COSINE: f64 = 0.95;

/// Cosine of 5 degrees: faces that are bent less are one flat surface, and a normal that is turned less is theirs (no unit).
///
/// The limit of the published advice on internal edges; terrain is bent more, floors of many triangles less.
pub const FLAT_COSINE: f64 = 0.996_194_698_091_745_5;

/// Findings that say the same (kind, cause and other object) from which on they are listed as one group.
///
/// A number for people: below it every row fits on one screen. The findings themselves stay complete.
pub const GROUP_LEAST: usize = 6;

/// Overlapping partners from which on a body may be part of a pile, which is reported as one.
///
/// Fewer bodies than this and one more have at most 136 pairs, each of which is a finding of its own. In a heap a body has some
/// twelve neighbours. Larger, and a few bodies in one place are thousands of findings; smaller, and findings are hidden.
pub const PILE_PARTNERS: u32 = 16;

/// Names of a pile's members that are written out.
pub const PILE_NAMES: usize = 3;

/// Findings that an object has in one frame, from which on a pair of two such objects is counted and not judged.
///
/// Bodies that all cross in one frame are n (n - 1) / 2 findings; with this they are at most so many times n. Smaller, and pairs
/// of a usual level are left out.
pub const FINDINGS_PER_OBJECT: u32 = 64;

/// Frames for which a contact is followed back before it let a body through.
///
/// A number for people, not a limit of what is found; each look back at a stepped scene may cost a step.
pub const CONTACT_FRAMES: u32 = 32;

/// How far a path with one corner leaves its chord at most, as a share of the change of the step at the corner (no unit).
///
/// Exact: with the corner at the share t it is t (1 - t) of the change. Smaller, and bends that matter are taken for straight.
pub const BEND_REACH: f64 = 0.25;

/// How far apart the way forward from a frame's start and the way back from its end may be at the corner, as a share of the
/// change of the step there (no unit).
///
/// Gravity and drag inside the frame, and logs whose velocities are half a step off, leave some of it. Larger, and velocities
/// that do not explain the travel bend it all the same; smaller, and honest bounces count as crossings.
pub const BEND_MISFIT: f64 = 0.25;

/// A travel this many times what the speed explains was not travelled but set (no unit).
///
/// Integrators and bounces within a frame stay below 1; 2 leaves room for logs whose velocities lag a frame behind.
pub const TELEPORT_RATIO: f64 = 2.0;

/// Share of the largest coordinate below which positions of a log are rounding (no unit).
///
/// Some roundings of an `f32`: engines that compute in it place bodies and contacts no better. Smaller, and bodies that rest far
/// from the origin count as apart; larger, and a level a kilometre wide hides gaps of more than a millimetre.
pub const LOG_ROUNDING: f64 = 8.0 * f32::EPSILON as f64;

/// Metres: distance up to which a logged contact that changed nothing is an engine's margin and no finding, where the log names
/// none.
///
/// PhysX and Jolt look 0.02 m ahead by default, Box2D and Unity less. Smaller, and good logs of their contacts are full of findings.
pub const CONTACT_MARGIN: f64 = 0.02;

/// Share of the speed and of a frame's fall above which a change of a speed counts as one (no unit).
///
/// Drag, damping and velocities half a step off change a speed by a few percent. Larger, and a ghost that takes little is missed.
pub const EFFECT_SHARE: f64 = 0.1;

/// Cosine to a contact's normal above which a change of speed is that contact's (no unit).
///
/// Friction turns it by some degrees; steering turns it anywhere.
pub const EFFECT_ALONG: f64 = 0.9;

/// Share of a push by which it must lessen an overlap that it leaves, to count as a push out of it (no unit).
///
/// A push square to the way out lessens nothing but by curvature. Larger, and the partial pushes of soft solvers are called ghosts.
pub const PUSH_SHARE: f64 = 0.1;

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

/// Share of its velocity below which a body's speed by positions counts as held back (no unit).
///
/// Drag, gravity and velocities half a step off explain a few percent. Smaller, and mild caps are missed.
pub const CLAMP_SHARE: f64 = 0.95;

/// Relative difference below which two speeds of a body are the same cap (no unit): positions in `f32` give three digits.
pub const CLAMP_SAME: f64 = 0.01;

/// Frames in a row at one speed that make it a cap; fewer may be chance.
pub const CLAMP_FRAMES: u32 = 3;

/// Cosine between a body's velocity and its travel above which it goes where it is told (no unit): 2.6 degrees. What slides along
/// something it is pressed against turns off by more.
pub const CLAMP_STRAIGHT: f64 = 0.999;

/// Metres per second squared, at sea level.
pub const EARTH_GRAVITY: f64 = 9.81;

/// Relative difference below which a gravity is the Earth's (no unit): 9.8, 9.81 and 10 are all written.
pub const GRAVITY_SHARE: f64 = 0.03;

/// Metres: a level whose middle body is larger, under the Earth's gravity in metres, is in another unit.
///
/// Engines are tuned for bodies of 0.1 to 10 m; ships are larger, but not the middle one of most levels.
pub const LARGE_BODIES: f64 = 20.0;

/// Metres: a level whose middle body is smaller, under the Earth's gravity in metres, is in another unit.
pub const SMALL_BODIES: f64 = 0.001;

/// Relative difference above which a scale is uneven (no unit); editors round to three digits.
pub const SCALE_EVEN: f64 = 0.001;

/// Relative difference below which two times of impact, or a closed form and the exact geometry, count as equal (no unit).
pub const SAME_SHARE: f64 = 1e-9;

/// Relative velocity along the normal below which an overlapping pair counts as resting, in pair sizes per second (1/s).
///
/// Slower, a body takes more than a hundred seconds to travel its own size.
pub const RESTING_RATE: f64 = 0.01;
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

/// Halvings of a step after which no step is short enough.
///
/// A step of 2^-40 of a frame is none; only what has no thickness at all needs it.
pub const WHAT_IF_HALVINGS: u32 = 40;

/// Doublings over which a shape grows: from 2^-24 of a frame's way to 2^23 of it.
pub const WHAT_IF_GROWTHS: i32 = 48;

/// Steps of one object that all replays of a finding with a changed number may take; beyond it the geometry alone answers.
///
/// About a second. Larger, and a question about a large level takes minutes.
pub const WHAT_IF_STEPS: u32 = 200_000;

/// Share of a step by which the steps of two replays may differ and still be the same but for how they were written.
///
/// `0.0166667` in a log stands for 1/60 (2e-6 off); `0.0167` does not, and would be a frame off after 500 frames. Larger, and two
/// clocks drift apart unseen; smaller, and a log that rounds its dt is compared by time with poses between frames.
pub const SAME_STEP: f64 = 1e-5;

/// Share of a frame within which a moment is a state of another replay and not a moment between two of its states.
///
/// Times are sums or products of many steps, with their rounding. Larger, and a state stands for a moment that it is not; smaller,
/// and states of the same instant are compared with poses between frames, which have other bits.
pub const SAME_INSTANT: f64 = 1e-6;

/// How much shorter and longer than recorded a step may be made while trying values, as shares of it (no unit).
///
/// Wide enough for a limit to lie inside; narrower bounds hide where it stops, wider ones make a slider coarse.
pub const TRIAL_RANGE: (f64, f64) = (1e-5, 4.0);

/// Most substeps that can be tried.
pub const TRIAL_SUBSTEPS: u32 = 10_000;

/// How far past the touch the way of a trial is followed to find where the two part: so many times the slab's own way through,
/// and at most so many recorded steps. Before the touch it begins at this share of that (no units).
///
/// Shorter, and what is wider than its slab is cut short; longer, and the fractions lose digits. Farther back it may lead
/// through something else.
pub const TRIAL_REACH: (f64, f64, f64) = (2.0, 1e6, 1e-3);

// ---- The camera's probe ----

/// Most bodies that a recorded walk may hold: its steps times the objects that move.
///
/// About 200 MB of log. More, and a walk through a large level fills memory before it is saved.
pub const WALK_BODIES: usize = 2_000_000;
