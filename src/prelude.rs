//! The types to record a log, open it, diagnose it, and query two shapes: `use hitstop::prelude::*`.
//!
//! Functions stay in their modules: [`level::open`], [`diagnose::diagnose`], [`query::sweep`].

pub use crate::core::diagnose::{self, Cause, Finding, Kind, Report};
pub use crate::core::level::{self, Level};
pub use crate::core::log::{
    Compression, Compressor, Header, LiveOutput, RecordError, Recorder, RingRecorder, Scalar,
    Snapshot,
};
pub use crate::core::problem::{Problem, Problems};
pub use crate::core::query::{
    self, ClosestApproach, Contact, Gap, Impact, RayHit, Sweep, SweepOutcome,
};
pub use crate::core::replay::{
    Body, LoggedCamera, LoggedContact, LoggedHit, LoggedMove, LoggedNote, LoggedPush, LoggedQuery,
    MoveHit, MoveSweep, NoteKind, NoteLevel, NoteMark, NoteValue, QueryKind, SweptShape,
};
pub use crate::core::scene::{Axis, Engine, Movement, Object, Units};
pub use crate::core::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cylinder, Diagonal, Facing, HeightField,
    Mesh, Motion, Plane, Pose, RoundedBox, Segment, Shape, SolidShape, Triangle,
};
pub use glam::{DQuat, DVec3};
