//! Shapes and objects as scenes (RON) and logs (JSON) write them: one set of types, read and written by serde.
//!
//! A fault has the path to a value (`Check` collects them); its reader finds the value's position in the text.

mod check;
mod flat_shape;
mod object;
mod rotation;
mod shape;
mod shape_builder;
mod space;
mod units;
mod user_units;
mod value;

pub use check::{Check, Path, Step};
pub(crate) use flat_shape::is_flat;
pub use object::{BodyName, Keyframe, Motion, MotionWord, ObjectLine, ObjectText};
pub use rotation::{
    Rotation, Turn, angle_of, euler_from_rotation, looking_along, rotation_from_euler,
};
pub use shape::{MeshSource, ShapeText};
pub use space::{Scalar, Space};
pub use units::{Axis, LengthName, Units, shortest_inverse};
pub use user_units::UserUnits;
pub use value::{
    Bits, Color, Keyword, LogTurn, Number, Spin, Triple, Vec3, Word, camel, special_number,
};
