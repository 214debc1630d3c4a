//! The core: each module uses only the modules above it in this table.
//!
//! | module | content |
//! |---|---|
//! | [`problem`], [`progress`] | errors with place and help; progress and cancellation |
//! | [`escape`] | escapes text from files for the terminal |
//! | [`mod@file`] | opens and reads files up to a size limit |
//! | [`mod@table`] | tables in Parquet (feature `parquet`) |
//! | `number` | formats numbers |
//! | `random` | seeded numbers |
//! | `tolerance` | every tolerance, with unit and reason |
//! | [`shape`] | spheres, boxes, hulls, meshes .., poses and motions |
//! | [`query`] | queries on two shapes: overlap, contact, distance, sweep, ray cast, probe |
//! | [`bounds`], [`broad_phase`] | bounding boxes and spheres; candidate pairs |
//! | `schema` | shapes and objects as scenes and logs write them |
//! | [`import`] | mesh files: OBJ, glTF |
//! | [`scene`] | scenes as text: parse, validate, write |
//! | [`replay`] | any frame of a stepped scene or a recording, and its phases |
//! | [`log`] | recordings of other programs: read, write, record |
//! | [`level`] | opens any file |
//! | [`diagnose`] | findings: what collision detection missed, the cause, and the values that fix it |
//! | [`explain_motion`] | why an object is where it is |
//! | [`explain_move`] | what a character's controller did, and what stopped it |
//! | [`explain_query`] | why a logged ray or sphere sweep met nothing |
//! | [`leaks`] | where a stated mover passes the fixed surfaces of a level |
//! | [`repro`] | a finding as a small log, and as code of an engine |
//! | [`fleet`] | counts over the reports of many files |
//! | [`edit`] | edits of a scene, and the undo history |

pub mod bounds;
pub mod broad_phase;
mod bytes;
pub mod diagnose;
pub mod edit;
pub mod escape;
pub mod explain_motion;
pub mod explain_move;
pub mod explain_query;
pub mod file;
pub mod fleet;
pub mod import;
pub mod leaks;
pub mod level;
pub mod live;
pub mod log;
pub(crate) mod number;
pub mod problem;
pub mod progress;
pub mod query;
pub(crate) mod random;
pub mod replay;
pub mod repro;
pub mod scene;
mod schema;
pub mod shape;
#[cfg(feature = "parquet")]
pub mod table;
pub(crate) mod tolerance;
