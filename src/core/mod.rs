//! The core: each room knows only the rooms above it.
//!
//! | room | holds |
//! |---|---|
//! | [`problem`], [`progress`] | an error a person can mend; progress and cancel of long work |
//! | [`escape`] | text from files, made safe to print |
//! | [`mod@file`] | files, opened and read up to a limit |
//! | [`number`] | numbers as people read them |
//! | [`tolerance`] | every small number, with its reason |
//! | [`shape`] | what exists: spheres, boxes, triangles, meshes, and where they stand |
//! | [`query`] | what can be asked of two of them: overlap, contact, gap, sweep, ray, probe |
//! | [`bounds`], [`broad_phase`] | cheap hulls, and the pairs worth a query |
//! | `schema` | shapes and objects as scenes and logs write them |
//! | [`scene`] | a level as text: parse, validate, write |
//! | [`import`] | mesh files: OBJ, glTF |
//! | [`replay`] | any frame of a stepped scene or a recording, and its inside |
//! | [`log`] | recordings of other programs, read and written |
//! | [`level`] | any file, opened |
//! | [`diagnose`] | what collision detection missed, why, and the numbers that mend it |

pub mod bounds;
pub mod broad_phase;
pub mod diagnose;
pub mod escape;
pub mod file;
pub mod import;
pub mod level;
pub mod log;
pub mod number;
pub mod problem;
pub mod progress;
pub mod query;
pub mod replay;
pub mod scene;
mod schema;
pub mod shape;
pub mod tolerance;
