//! The engine's logged data compared with the exact result, and what else of a log changes diagnosis. Numbers by hand.

mod advice;
mod bad_contacts;
mod bumps;
mod contacts;
mod covered_faces;
mod far_out;
mod header;
mod internal_edges;
mod minimal_scenes;
mod missing_contacts;
mod moved_by_position;
mod pushes;
mod queries;
mod stuck;
mod substeps;
mod turning_contacts;
mod untested;

use crate::common::levels::{diagnosed, log_of, opened};
use hitstop::core::diagnose::{Finding, Kind, Options, Report, diagnose};
use hitstop::core::level;

/// A log of 60 frames a second: the header's other fields, its objects, and one line a frame.
fn report(header: &str, objects: &[&str], frames: &[&str]) -> Report {
    let level = opened("log.jsonl", log_of(header, objects, frames));
    assert!(level.notices.is_empty(), "{:?}", level.notices);
    diagnosed(&level)
}

fn phantoms(report: &Report) -> Vec<&Finding> {
    let phantom = |finding: &&Finding| finding.kind == Kind::Phantom;
    report.findings.iter().filter(phantom).collect()
}

#[track_caller]
fn close(got: f64, want: f64) {
    crate::common::findings::close(got, want, 1e-9);
}

const BALL: &str = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.5}}}"#;
const FLOOR: &str = r#"{"id":1,"name":"floor","motion":"fixed","shape":{"box":{"half_extents":[5,0.5,5]}},"position":[0,-0.5,0]}"#;

fn body(at: [f64; 3], v: Option<[f64; 3]>) -> String {
    let v = v.map_or(String::new(), |v| format!(",\"v\":{v:?}"));
    format!("{{\"id\":0,\"p\":{at:?}{v}}}")
}

fn frame(at: [f64; 3], v: Option<[f64; 3]>, more: &str) -> String {
    format!("\"bodies\":[{}]{more}", body(at, v))
}

fn contact(depth: f64) -> String {
    format!(r#","contacts":[{{"a":0,"b":1,"point":[0,0,0],"normal":[0,1,0],"depth":{depth}}}]"#)
}

fn bundled(name: &str) -> Report {
    let folder = hitstop::bundled::folder();
    let level = level::open_in(&folder, name, &()).unwrap_or_else(|problems| panic!("{problems}"));
    diagnose(&level, &Options::default(), &()).expect("not cancelled")
}
