//! Writes CSV: one body per row, and lists what is lost.

use super::headings::Column;
use super::json::short;
use crate::core::escape::escaped_with;
use crate::core::number;
use crate::core::problem::Problem;
use crate::core::replay::{Body, RecordedFrame, Recording};
use crate::core::scene::Movement;
use crate::core::schema::{Axis, angle_of};
use crate::core::shape::Shape;
use std::io::{self, Write};

/// Writes every body of every frame, in metres with Y up, and names what is lost.
pub(super) fn write(recording: &Recording, output: &mut dyn Write) -> io::Result<Vec<Problem>> {
    let mut rows = csv::Writer::from_writer(output);
    let is_flat = recording.units.units.flat;
    let columns = || Column::ALL.into_iter().filter(|(it, _)| it.is_in(is_flat));
    rows.write_record(columns().map(|(_, name)| name))?;
    for ((index, frame), time) in recording.frames.iter().enumerate().zip(times(recording)) {
        let mut written = Ok(());
        recording.visit_bodies(index, |body| {
            if written.is_ok() {
                let cells = row(recording, frame, time, body);
                let shown = columns().map(|(column, _)| &cells[column as usize]);
                written = rows.write_record(shown);
            }
        });
        written?;
    }
    rows.flush()?;
    Ok(losses(recording))
}

/// Time of each frame, seconds: as logged, else by the frame before it and its `dt`.
fn times(recording: &Recording) -> Vec<f64> {
    let mut times = Vec::with_capacity(recording.frames.len());
    // Summed from the last frame with a time, to avoid accumulated rounding.
    let (mut from, mut steps, mut dt) = (0.0, 0_u32, 0.0);
    for (index, frame) in recording.frames.iter().enumerate() {
        let last = from + f64::from(steps) * dt;
        if let Some(time) = frame.time {
            (from, steps, dt) = (time, 0, frame.dt);
        } else if index == 0 {
            (from, steps, dt) = (0.0, 0, frame.dt);
        } else if frame.dt == dt {
            steps += 1;
        } else {
            (from, steps, dt) = (last, 1, frame.dt);
        }
        times.push(from + f64::from(steps) * dt);
    }
    times
}

/// It would end the row.
fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

fn row(
    recording: &Recording,
    frame: &RecordedFrame,
    time: f64,
    body: &Body,
) -> [String; Column::ALL.len()] {
    let object = &recording.objects[body.object as usize];
    let mut cells = [const { String::new() }; Column::ALL.len()];
    let mut put = |column: Column, text: String| cells[column as usize] = text;
    put(Column::Frame, frame.number.to_string());
    put(Column::Time, short(time));
    let escape = |c: char| c.escape_default().to_string();
    let name = escaped_with(&object.name, is_break, escape);
    put(Column::Name, name.into_owned());
    let position = [Column::Px, Column::Py, Column::Pz];
    let rotation = [Column::Qx, Column::Qy, Column::Qz, Column::Qw];
    for (column, value) in position.into_iter().zip(body.pose.position.to_array()) {
        put(column, short(value));
    }
    for (column, value) in rotation.into_iter().zip(body.pose.rotation.to_array()) {
        put(column, short(value));
    }
    put(Column::Angle, short(angle_of(body.pose.rotation)));
    if let Some(spin) = body.spin {
        put(Column::W, short(spin.z));
    }
    let velocity = body.velocity.into_iter().flat_map(|v| v.to_array());
    for (column, value) in [Column::Vx, Column::Vy, Column::Vz]
        .into_iter()
        .zip(velocity)
    {
        put(column, short(value));
    }
    let spin = body.spin.into_iter().flat_map(|w| w.to_array());
    for (column, value) in [Column::Wx, Column::Wy, Column::Wz].into_iter().zip(spin) {
        put(column, short(value));
    }
    if let Shape::Sphere { radius } = object.shape {
        put(Column::Radius, short(radius));
    }
    if body.teleported {
        put(Column::Teleported, "true".into());
    }
    if body.asleep {
        put(Column::Asleep, "true".into());
    }
    if let Some(island) = body.island {
        put(Column::Island, island.to_string());
    }
    cells
}

/// What a CSV of this recording loses.
fn losses(recording: &Recording) -> Vec<Problem> {
    let mut losses = Vec::new();
    let mut lose = |count: usize, one: &str, many: &str| {
        if count > 0 {
            losses.push(number::count_of(count, one, many));
        }
    };
    let objects = |wanted: &dyn Fn(&crate::core::scene::Object) -> bool| {
        recording
            .objects
            .iter()
            .filter(|object| wanted(object))
            .count()
    };
    lose(
        objects(&|object| !matches!(object.shape, Shape::Sphere { .. })),
        "shape other than a sphere",
        "shapes other than spheres",
    );
    lose(
        objects(&|object| object.movement != Movement::Velocity),
        "object that is fixed or kinematic",
        "objects that are fixed or kinematic",
    );
    lose(
        objects(&|object| {
            object.mass != 1.0
                || object.layer != 1
                || object.mask != u32::MAX
                || object.sensor
                || object.character
                || object.one_way.is_some()
                || object.ccd.is_some()
                || object.scale.is_some()
                || object.color.is_some()
                || !object.tags.is_empty()
        }),
        "object with a mass, layer, mask, sensor, character, one_way, ccd, scale, color or tags",
        "objects with a mass, layer, mask, sensor, character, one_way, ccd, scale, color or tags",
    );
    lose(
        objects(&|object| object.name.contains(is_break)),
        "name with line breaks, which are written as \\n",
        "names with line breaks, which are written as \\n",
    );
    lose(
        objects(&|object| object.body.is_some() || !object.ignores.is_empty()),
        "object that is part of a body, or on the ignore list",
        "objects that are parts of a body, or on the ignore list",
    );
    lose(recording.joints.len(), "joint", "joints");
    lose(
        recording.substeps.len(),
        "number of substeps",
        "numbers of substeps",
    );
    let totals = recording.data.totals();
    lose(totals.contacts, "contact", "contacts");
    lose(totals.pushes, "push", "pushes");
    lose(totals.queries, "query", "queries");
    lose(
        totals.notes,
        "line, value or mark",
        "lines, values and marks",
    );
    let cameras = recording
        .frames
        .iter()
        .filter(|frame| frame.camera.is_some());
    lose(
        cameras.count(),
        "frame with a camera",
        "frames with a camera",
    );
    let is_empty = |frame: &usize| {
        let mut is_empty = true;
        recording.visit_bodies(*frame, |_| is_empty = false);
        is_empty
    };
    let empty = (0..recording.frames.len()).filter(is_empty);
    lose(
        empty.count(),
        "frame without a body",
        "frames without a body",
    );
    if recording.gravity.is_some() {
        losses.push("the gravity".to_owned());
    }
    let units = recording.units;
    if units.metres() != 1.0 {
        let unit = units.unit("m");
        losses.push(format!("the unit {unit}: all is written in metres"));
    }
    if units.units.up != Axis::Y || units.mirrored.is_some() {
        losses.push("the axes: all is written with y up, right-handed".to_owned());
    }
    let help = "a scene that names the CSV can give the rest; JSON Lines keeps all";
    let problem = |what| Problem::new(&recording.name, format!("CSV does not keep: {what}"), help);
    losses.into_iter().map(problem).collect()
}
