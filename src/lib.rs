//! Hitstop, the collision replay debugger.
//!
//! The library records logs, opens them, diagnoses what collision detection missed, and answers queries on two shapes.
//! Units are metres, seconds and radians; axes are right-handed, Y up.
//!
//! **Record** a log while the engine runs, with a [`Recorder`](core::log::Recorder):
//!
//! ```
//! use hitstop::prelude::*;
//!
//! let mut recorder = Recorder::new(Vec::new(), Header::default())?;
//! let ball = Object::new("ball", Shape::Sphere { radius: 0.1 }, DVec3::ZERO);
//! let ball = recorder.add_object(ball)?;
//! for step in 0..3 {
//!     let position = DVec3::new(0.5 * f64::from(step), 1.0, 0.0);
//!     recorder.frame(f64::from(step) / 60.0, &[Body::new(ball, Pose::at(position))])?;
//! }
//! let log: Vec<u8> = recorder.finish()?;
//! # assert_eq!(String::from_utf8(log)?.lines().count(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Open and diagnose** a log or a scene, with [`level::open`](core::level::open) and [`diagnose`](core::diagnose::diagnose):
//!
//! ```
//! use hitstop::prelude::*;
//!
//! let level = level::open("scenes/bullet_through_paper.ron".as_ref(), &())?;
//! let report = diagnose::diagnose(&level, &diagnose::Options::default(), &()).expect("not cancelled");
//! let finding = &report.findings[0];
//! assert_eq!((finding.kind, finding.cause), (Kind::Tunnels, Cause::TooFast));
//! # Ok::<(), Problems>(())
//! ```
//!
//! **Query** two shapes, with [`sweep`](core::query::sweep) or another function of [`core::query`]:
//!
//! ```
//! use hitstop::prelude::*;
//!
//! let (ball, wall) = (Shape::Sphere { radius: 0.1 }, Shape::Box { half_extents: DVec3::new(0.05, 2.0, 2.0) });
//! let path = Motion { start: Pose::at(DVec3::NEG_X), end: Pose::at(DVec3::X) };
//! let sweep = query::sweep(&ball, &path, &wall, &Motion::still(Pose::IDENTITY), &mut ());
//! let impact = sweep.outcome.impact().expect("the ball hits the wall");
//! assert!((impact.fraction - 0.425).abs() < 1e-12);
//! assert_eq!(impact.normal, DVec3::NEG_X);
//! ```
//!
//! | module | content |
//! |---|---|
//! | [`prelude`] | the types for the above |
//! | [`core`] | shapes, queries, scenes, logs, replay, diagnosis; independent of the window |
//! | [`convert`] | one file as another |
//! | [`report`] | the HTML report, and findings for other programs |
//! | [`bundled`] | the levels of `scenes/`, compiled in |
//! | [`cli`] | the command line |
//! | `app` | the window (feature `gui`) |
//! | [`program`] | the program: its window or a command |

pub mod bundled;
pub mod cli;
pub mod convert;
pub mod core;
pub mod interrupt;
pub mod prelude;
pub mod program;
pub mod report;
pub mod run;
mod save;
mod view;

#[cfg(feature = "gui")]
pub mod app;

// The unit tests share the seeded numbers of tests/, which name this crate from outside.
#[cfg(test)]
extern crate self as hitstop;
#[cfg(test)]
#[allow(dead_code, reason = "tests/ uses the rest")]
#[path = "../tests/core/common/random.rs"]
mod random;
