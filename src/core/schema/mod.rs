//! Shapes and objects as scenes (RON) and logs (JSON) write them: one set of types, read and written by serde.
//!
//! A fault has the path to a value (`Check` collects them); its reader finds the value's position in the text.

mod angle;
mod check;
mod flat_shape;
mod object;
mod other_names;
mod rotation;
mod shape;
mod shape_builder;
mod space;
mod units;
mod user_units;
mod value;
mod vector;

pub use angle::angle_of;
pub use check::{Check, Path, Step};
pub(crate) use flat_shape::is_flat;
pub use object::{BodyName, Keyframe, Motion, MotionWord, ObjectLine, ObjectText};
pub use other_names::{did_you_mean, meant};
pub use rotation::{Rotation, Turn, euler_from_rotation, looking_along, rotation_from_euler};
pub use shape::{MeshSource, ShapeText};
pub use space::{Scalar, Space};
pub use units::{Axis, LengthName, Units, shortest_inverse};
pub use user_units::UserUnits;
pub use value::{Bits, Color, Keyword, Triple, Word, camel};
pub use vector::{LogTurn, Number, Spin, Vec3, special_number};
