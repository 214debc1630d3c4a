//! A scene to text, as a person would write it: what is default is left out, one thing a line where it fits.

use super::layout::{Doc, brackets, float, lines, list, named, quoted, vector};
use super::raw;
use super::rotation::short_euler;
use super::types::{
    Axis, Bookmark, Camera, CameraMovement, Detection, Expectation, Expected, Keyframe, MeshSource,
    Movement, Object, Probe, Response, Scene, Units,
};
use super::units::shortest_inverse;
use crate::core::query::probe::ProbeMode;
use crate::core::shape::{Facing, Mesh, Shape};
use crate::core::tolerance::{EXPECT_FRACTION, EXPECT_LENGTH};
use glam::{DQuat, DVec3};

/// See [`super::write`].
pub(super) fn write(scene: &Scene) -> String {
    let lists = Lists {
        objects: Some(objects(scene)),
        bookmarks: bookmarks(scene),
        expect: expectations(scene),
    };
    Doc::lines("Scene(", fields(scene, lists), ")").print()
}

/// The lists of a scene, to be printed among its fields; one that is `None` is left out.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) objects: Option<Doc>,
    pub(super) bookmarks: Option<Doc>,
    pub(super) expect: Option<Doc>,
}

pub(super) fn objects(scene: &Scene) -> Doc {
    let objects = scene.objects.iter();
    let objects = objects.map(|object| self::object(object, scene.units));
    lines(objects.collect())
}

/// Objects alone, one a line.
pub(super) fn objects_text(objects: &[Object], units: Units) -> String {
    let lines = objects
        .iter()
        .map(|object| self::object(object, units).print_at(0, 0) + ",\n");
    lines.collect()
}

/// `None` where there are none.
pub(super) fn bookmarks(scene: &Scene) -> Option<Doc> {
    let docs = || scene.bookmarks.iter().map(bookmark).collect();
    (!scene.bookmarks.is_empty()).then(|| lines(docs()))
}

/// `None` where there are none.
pub(super) fn expectations(scene: &Scene) -> Option<Doc> {
    let expect = scene.expect.iter();
    let docs = || expect.map(|one| expectation(one, scene.units)).collect();
    (!scene.expect.is_empty()).then(|| lines(docs()))
}

/// The fields of a scene, in order.
pub(super) fn fields(scene: &Scene, lists: Lists) -> Vec<Doc> {
    let units = scene.units;
    let mut fields = Fields::new();
    fields.add("version", "1");
    fields.add("name", quoted(&scene.name));
    fields.unless(scene.notes.is_empty(), "notes", || quoted(&scene.notes));
    fields.unless(units == Units::default(), "units", || units_doc(units));
    fields.add("dt", float(scene.dt));
    fields.add("frames", scene.frames.to_string());
    fields.unless(scene.gravity == DVec3::ZERO, "gravity", || {
        vector(units.written_vector(scene.gravity))
    });
    fields.unless(scene.detection == Detection::Overlap, "detection", || {
        "Sweep".into()
    });
    fields.unless(scene.response == Response::Push, "response", || {
        response(scene.response)
    });
    if let Some(engine) = &scene.engine.name {
        fields.add("engine", quoted(engine));
    }
    if let Some(threshold) = scene.engine.ccd_threshold {
        fields.add("ccd_threshold", float(threshold));
    }
    if let Some(margin) = scene.engine.margin {
        fields.add("margin", float(units.written_length(margin)));
    }
    if let Some(objects) = lists.objects {
        fields.add("objects", objects);
    }
    if let Some(camera) = &scene.camera {
        fields.add("camera", self::camera(camera, units));
    }
    if let Some(recording) = &scene.recording {
        fields.add("recording", quoted(recording));
    }
    if let Some(bookmarks) = lists.bookmarks {
        fields.add("bookmarks", bookmarks);
    }
    if let Some(expect) = lists.expect {
        fields.add("expect", expect);
    }
    fields.0
}

/// Fields of a struct, in order.
struct Fields(Vec<Doc>);

impl Fields {
    fn new() -> Self {
        Self(Vec::new())
    }

    fn add(&mut self, name: &'static str, value: impl Into<Doc>) {
        self.0.push(named(name, value.into()));
    }

    /// Left out when it is the default.
    fn unless(&mut self, default: bool, name: &'static str, value: impl FnOnce() -> Doc) {
        if !default {
            self.add(name, value());
        }
    }

    fn close(self, name: &'static str) -> Doc {
        brackets(name, self.0)
    }
}

fn units_doc(units: Units) -> Doc {
    let mut fields = Fields::new();
    fields.unless(units.length == 1.0, "length", || float(units.length));
    fields.unless(units.up == Axis::Y, "up", || {
        format!("{:?}", units.up).into()
    });
    fields.close("")
}

fn response(response: Response) -> Doc {
    match response {
        Response::Bounce { restitution } => {
            let mut fields = Fields::new();
            fields.add("restitution", float(restitution));
            fields.close("Bounce")
        }
        other => format!("{other:?}").into(),
    }
}

pub(super) fn object(object: &Object, units: Units) -> Doc {
    let mut fields = Fields::new();
    fields.add("name", quoted(&object.name));
    fields.add("shape", shape(object, units));
    let rests_at = match &object.movement {
        Movement::Keyframes(keyframes) => keyframes.first().map(|first| first.position),
        _ => Some(DVec3::ZERO),
    };
    fields.unless(rests_at == Some(object.pose.position), "position", || {
        vector(units.written_vector(object.pose.position))
    });
    fields.unless(object.pose.rotation == DQuat::IDENTITY, "rotation", || {
        rotation(object.pose.rotation, units)
    });
    fields.unless(object.velocity == DVec3::ZERO, "velocity", || {
        vector(units.written_vector(object.velocity))
    });
    fields.unless(object.spin == DVec3::ZERO, "spin", || {
        vector(units.written_direction(object.spin))
    });
    match &object.movement {
        Movement::Velocity => {}
        Movement::Kinematic => fields.add("motion", "Kinematic"),
        Movement::Fixed => fields.add("motion", "Fixed"),
        Movement::Keyframes(keyframes) => {
            fields.add(
                "motion",
                self::keyframes(keyframes, object.pose.rotation, units),
            );
        }
    }
    fields.unless(object.mass == 1.0, "mass", || float(object.mass));
    fields.unless(object.layer == 1, "layer", || bits(object.layer));
    fields.unless(object.mask == u32::MAX, "mask", || bits(object.mask));
    fields.unless(!object.sensor, "sensor", || "true".into());
    if let Some(ccd) = object.ccd {
        fields.add("ccd", ccd.to_string());
    }
    if let Some(scale) = object.scale {
        fields.add("scale", vector(scale));
    }
    if let Some([r, g, b]) = object.color {
        fields.add("color", format!("({r}, {g}, {b})"));
    }
    fields.unless(object.tags.is_empty(), "tags", || {
        list(object.tags.iter().map(|tag| quoted(tag)).collect())
    });
    fields.close("")
}

fn bits(bits: u32) -> Doc {
    match bits {
        0..10 => bits.to_string().into(),
        _ => format!("0x{bits:X}").into(),
    }
}

fn shape(object: &Object, units: Units) -> Doc {
    let point = |point: DVec3| vector(units.written_vector(point));
    let length = |length: f64| float(units.written_length(length));
    let mut fields = Fields::new();
    match &object.shape {
        Shape::Sphere { radius } => fields.add("radius", length(*radius)),
        Shape::Box { half_extents } => {
            fields.add("half_extents", vector(units.written_extents(*half_extents)));
        }
        Shape::Segment(segment) => {
            fields.add("a", point(segment.a));
            fields.add("b", point(segment.b));
        }
        Shape::Capsule(capsule) => {
            fields.add("a", point(capsule.segment.a));
            fields.add("b", point(capsule.segment.b));
            fields.add("radius", length(capsule.radius));
        }
        Shape::Solid(_) => {}
        Shape::Triangle(triangle) => {
            fields.add("a", point(triangle.a));
            fields.add("b", point(triangle.b));
            fields.add("c", point(triangle.c));
            facing(&mut fields, triangle.facing);
        }
        Shape::Plane(plane) => {
            fields.add("normal", vector(units.written_direction(plane.normal)));
            fields.unless(plane.offset == 0.0, "offset", || length(plane.offset));
        }
        Shape::Mesh(mesh) => {
            match &object.mesh {
                Some(MeshSource::File(file)) => fields.add("file", quoted(file)),
                _ => inline_mesh(&mut fields, mesh, units),
            }
            facing(&mut fields, mesh.facing());
        }
    }
    fields.close(object.shape.kind_name())
}

fn facing(fields: &mut Fields, facing: Facing) {
    fields.unless(facing == Facing::Both, "facing", || "Front".into());
}

fn inline_mesh(fields: &mut Fields, mesh: &Mesh, units: Units) {
    let vertices = mesh.vertices().iter();
    let vertices = vertices.map(|vertex| vector(units.written_vector(*vertex)));
    fields.add("vertices", list(vertices.collect()));
    let triangles = mesh.triangles().iter();
    let triangles = triangles.map(|[a, b, c]| format!("({a}, {b}, {c})").into());
    fields.add("triangles", list(triangles.collect()));
}

/// Short angles where they give exactly this rotation, else the quaternion.
pub(super) fn rotation(rotation: DQuat, units: Units) -> Doc {
    let written = units.written_rotation(rotation);
    if let Some(angles) = short_euler(written) {
        let mut fields = Fields::new();
        fields.unless(angles.x == 0.0, "x", || float(angles.x));
        fields.unless(angles.y == 0.0, "y", || float(angles.y));
        fields.unless(angles.z == 0.0, "z", || float(angles.z));
        return fields.close("Euler");
    }
    let parts = written.to_array().map(|part| float(part + 0.0));
    brackets("Quat", parts.into())
}

fn keyframes(keyframes: &[Keyframe], usual: DQuat, units: Units) -> Doc {
    let keyframes = keyframes.iter().map(|keyframe| {
        let mut fields = Fields::new();
        fields.add("frame", keyframe.frame.to_string());
        fields.add("position", vector(units.written_vector(keyframe.position)));
        fields.unless(keyframe.rotation == usual, "rotation", || {
            rotation(keyframe.rotation, units)
        });
        fields.close("")
    });
    brackets("Keyframes", vec![list(keyframes.collect())])
}

/// A scene's camera by itself: `camera: (..)`.
pub(super) fn write_camera(camera: &Camera, units: Units) -> String {
    let doc = named("camera", self::camera(camera, units));
    doc.print()
}

fn camera(camera: &Camera, units: Units) -> Doc {
    let mut fields = Fields::new();
    fields.add(
        "position",
        vector(units.written_vector(camera.pose.position)),
    );
    fields.unless(camera.pose.rotation == DQuat::IDENTITY, "rotation", || {
        rotation(camera.pose.rotation, units)
    });
    match &camera.movement {
        CameraMovement::Fixed => {}
        CameraMovement::Velocity(velocity) => {
            let velocity = vector(units.written_vector(*velocity));
            fields.add("motion", brackets("Velocity", vec![velocity]));
        }
        CameraMovement::Keyframes(keyframes) => {
            fields.add(
                "motion",
                self::keyframes(keyframes, camera.pose.rotation, units),
            );
        }
    }
    match &camera.probe {
        Probe::Standard => {}
        Probe::Off => fields.add("probe", "Off"),
        Probe::Lines(lines) => {
            let lines = lines.iter().map(|line| vector(units.written_vector(*line)));
            fields.add("probe", brackets("Lines", vec![list(lines.collect())]));
        }
    }
    fields.unless(
        camera.probe_mode == ProbeMode::InOrder,
        "probe_mode",
        || "Deepest".into(),
    );
    fields.unless(camera.near == raw::NEAR * units.length, "near", || {
        float(units.written_length(camera.near))
    });
    fields.unless(camera.fov == raw::FOV.to_radians(), "fov", || {
        float(shortest_inverse(
            camera.fov,
            camera.fov.to_degrees(),
            f64::to_radians,
        ))
    });
    fields.unless(camera.aspect == raw::ASPECT, "aspect", || {
        float(camera.aspect)
    });
    fields.close("")
}

pub(super) fn bookmark(bookmark: &Bookmark) -> Doc {
    let mut fields = Fields::new();
    fields.add("frame", bookmark.frame.to_string());
    fields.unless(bookmark.fraction == 0.0, "fraction", || {
        float(bookmark.fraction)
    });
    fields.unless(bookmark.note.is_empty(), "note", || quoted(&bookmark.note));
    fields.close("")
}

pub(super) fn expectation(expected: &Expected, units: Units) -> Doc {
    let mut fields = Fields::new();
    let is_and_tolerance = |fields: &mut Fields, is: &DVec3, tolerance: f64| {
        fields.add("is", vector(units.written_vector(*is)));
        fields.unless(tolerance == EXPECT_LENGTH, "tolerance", || {
            float(units.written_length(tolerance))
        });
    };
    let name = match &expected.claim {
        Expectation::Hit {
            a,
            b,
            frame,
            fraction,
            tolerance,
        } => {
            fields.add("a", quoted(a));
            fields.add("b", quoted(b));
            fields.add("frame", frame.to_string());
            fields.add("fraction", float(*fraction));
            fields.unless(*tolerance == EXPECT_FRACTION, "tolerance", || {
                float(*tolerance)
            });
            "Hit"
        }
        Expectation::Finds {
            kind,
            cause,
            a,
            b,
            frame,
        } => {
            fields.add("kind", kind.clone());
            let mut given = |name, value: Option<Doc>| {
                if let Some(value) = value {
                    fields.add(name, value);
                }
            };
            given("cause", cause.clone().map(Doc::from));
            given("a", a.as_deref().map(quoted));
            given("b", b.as_deref().map(quoted));
            given("frame", frame.map(|frame| frame.to_string().into()));
            "Finds"
        }
        Expectation::NoFindings { kind: None } if expected.expected_to_fail.is_none() => {
            return "NoFindings".into();
        }
        Expectation::NoFindings { kind } => {
            if let Some(kind) = kind {
                fields.add("kind", kind.clone());
            }
            "NoFindings"
        }
        Expectation::Position {
            object,
            frame,
            is,
            tolerance,
        } => {
            fields.add("object", quoted(object));
            fields.add("frame", frame.to_string());
            is_and_tolerance(&mut fields, is, *tolerance);
            "Position"
        }
        Expectation::Push {
            object,
            against,
            frame,
            is,
            tolerance,
        } => {
            fields.add("object", quoted(object));
            if let Some(against) = against {
                fields.add("against", quoted(against));
            }
            fields.add("frame", frame.to_string());
            is_and_tolerance(&mut fields, is, *tolerance);
            "Push"
        }
        Expectation::CameraPush {
            frame,
            is,
            tolerance,
        } => {
            fields.add("frame", frame.to_string());
            is_and_tolerance(&mut fields, is, *tolerance);
            "CameraPush"
        }
        Expectation::Touches { a, b } => {
            fields.add("a", quoted(a));
            fields.add("b", quoted(b));
            "Touches"
        }
        Expectation::NeverTouches { a, b } => {
            fields.add("a", quoted(a));
            fields.add("b", quoted(b));
            "NeverTouches"
        }
    };
    if let Some(why) = &expected.expected_to_fail {
        fields.add("expected_to_fail", quoted(why));
    }
    fields.close(name)
}
