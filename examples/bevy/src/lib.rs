//! Records a Bevy app as a Hitstop log: add the plugin of the engine, and every collider is in the log, with contacts.
//!
//! ```text
//! app.add_plugins(hitstop_bevy::avian::RecordPlugin::new("run.jsonl.zst"));
//! ```

#[cfg(feature = "avian")]
pub mod avian;
mod log;
#[cfg(feature = "rapier")]
pub mod rapier;
