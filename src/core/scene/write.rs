//! Scene to text: defaults are left out, one item per line where it fits.

use super::layout::{Doc, brackets, float, lines, list, named, quoted, vector};
use super::raw;
use super::to_doc::doc;
use super::types::{
    Bookmark, Camera, CameraMovement, Detection, Expectation, Expected, Keyframe, Movement, Object,
    Probe, Response, Scene,
};
use crate::core::query::probe::ProbeMode;
use crate::core::schema::{
    self, Axis, Bits, Color, LengthName, Motion, ObjectText, Rotation, ShapeText, Turn, Units,
    shortest_inverse,
};
use crate::core::tolerance::{EXPECT_FRACTION, EXPECT_LENGTH};
use glam::{DQuat, DVec3};
use std::collections::HashSet;

/// See [`super::write`].
pub(super) fn write(scene: &Scene) -> String {
    let lists = Lists {
        objects: Some(objects(scene)),
        bookmarks: bookmarks(scene),
        expect: expectations(scene),
    };
    Doc::lines("Scene(", fields(scene, lists), ")").print()
}

/// The lists of a scene as documents; `None` is left out.
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

/// Objects alone, one per line.
pub(super) fn objects_text<'o>(
    objects: impl IntoIterator<Item = &'o Object>,
    units: Units,
) -> String {
    let lines = objects
        .into_iter()
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
    fields.field_unless(scene.notes.is_empty(), "notes", || quoted(&scene.notes));
    fields.field_unless(!units.flat, "flat", || "true".into());
    let plain = Units {
        flat: units.flat,
        ..Units::default()
    };
    fields.field_unless(units == plain, "units", || units_doc(units));
    fields.add("dt", float(scene.dt));
    fields.add("frames", scene.frames.to_string());
    fields.field_unless(scene.gravity == DVec3::ZERO, "gravity", || {
        vector(units.written(scene.gravity))
    });
    fields.field_unless(scene.detection == Detection::Overlap, "detection", || {
        "Sweep".into()
    });
    fields.field_unless(scene.response == Response::Push, "response", || {
        response(scene.response)
    });
    if let Some(engine) = &scene.engine.name {
        fields.add("engine", quoted(engine));
    }
    if let Some(version) = &scene.engine.version {
        fields.add("engine_version", quoted(version));
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
    let ignored = ignored_pairs(scene);
    fields.field_unless(ignored.is_empty(), "ignore", || doc(&ignored));
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

/// Without names that the scene does not have; a recording may have them.
fn ignored_pairs(scene: &Scene) -> Vec<&(String, String)> {
    let names: HashSet<&String> = scene.objects.iter().map(|object| &object.name).collect();
    let is_known = |(a, b): &&(String, String)| {
        scene.recording.is_some() || names.contains(a) && names.contains(b)
    };
    scene.ignore.iter().filter(is_known).collect()
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
    fn field_unless(&mut self, default: bool, name: &'static str, value: impl FnOnce() -> Doc) {
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
    let usual = units.name.map_or(1.0, LengthName::metres);
    fields.field_unless(units.length == usual, "length", || float(units.length));
    if let Some(name) = units.name {
        fields.add("name", doc(&name));
    }
    fields.field_unless(units.up == Axis::Y, "up", || {
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
    doc(&object_text(object, units))
}

fn object_text(object: &Object, units: Units) -> ObjectText {
    let pose = object.pose;
    let rests_at = match &object.movement {
        Movement::Keyframes(keyframes) => keyframes.first().map(|first| first.position),
        _ => Some(DVec3::ZERO),
    };
    let vector = |vector| units.written(vector);
    ObjectText {
        name: object.name.clone(),
        shape: ShapeText::new(&object.shape, object.mesh.as_ref(), units),
        position: (rests_at != Some(pose.position)).then(|| vector(pose.position)),
        rotation: (pose.rotation != DQuat::IDENTITY).then(|| Rotation::new(pose.rotation, units)),
        velocity: vector(object.velocity),
        spin: units.written_spin(object.spin),
        motion: match &object.movement {
            Movement::Velocity => Motion::Velocity,
            Movement::Kinematic => Motion::Kinematic,
            Movement::Fixed => Motion::Fixed,
            Movement::Keyframes(keys) => Motion::Keyframes(keyframes(keys, pose.rotation, units)),
        },
        mass: object.mass,
        layer: Bits(object.layer),
        mask: Bits(object.mask),
        body: object.body.clone(),
        sensor: object.sensor,
        character: object.character,
        one_way: object.one_way.map(|way| units.written_way(way)),
        ccd: object.ccd,
        scale: object.scale.map(|scale| units.written_scale(scale)),
        color: object.color.map(Color),
        tags: object.tags.clone(),
    }
}

/// As in a scene's text.
pub(super) fn rotation(rotation: DQuat, units: Units) -> Doc {
    doc(&Rotation::new(rotation, units))
}

fn keyframes(keyframes: &[Keyframe], usual: DQuat, units: Units) -> Vec<schema::Keyframe> {
    let written = keyframes.iter().map(|keyframe| schema::Keyframe {
        frame: keyframe.frame,
        position: Some(units.written(keyframe.position)),
        rotation: (keyframe.rotation != usual).then(|| Rotation::new(keyframe.rotation, units)),
    });
    written.collect()
}

/// A scene's camera by itself: `camera: (..)`.
pub(super) fn write_camera(camera: &Camera, units: Units) -> String {
    let doc = named("camera", self::camera(camera, units));
    doc.print()
}

fn camera(camera: &Camera, units: Units) -> Doc {
    let mut fields = Fields::new();
    fields.add("position", vector(units.written(camera.pose.position)));
    fields.field_unless(camera.pose.rotation == DQuat::IDENTITY, "rotation", || {
        rotation(camera.pose.rotation, units)
    });
    match &camera.movement {
        CameraMovement::Fixed => {}
        CameraMovement::Velocity(velocity) => {
            let velocity = vector(units.written(*velocity));
            fields.add("motion", brackets("Velocity", vec![velocity]));
        }
        CameraMovement::Keyframes(keyframes) => {
            fields.add(
                "motion",
                doc(&Motion::Keyframes(self::keyframes(
                    keyframes,
                    camera.pose.rotation,
                    units,
                ))),
            );
        }
    }
    match &camera.probe {
        Probe::Standard => {}
        Probe::Off => fields.add("probe", "Off"),
        Probe::Lines(lines) => {
            let lines = lines.iter().map(|line| vector(units.written(*line)));
            fields.add("probe", brackets("Lines", vec![list(lines.collect())]));
        }
    }
    fields.field_unless(
        camera.probe_mode == ProbeMode::InOrder,
        "probe_mode",
        || "Deepest".into(),
    );
    fields.field_unless(camera.near == raw::NEAR * units.length, "near", || {
        float(units.written_length(camera.near))
    });
    fields.field_unless(camera.fov == raw::FOV.to_radians(), "fov", || {
        float(shortest_inverse(
            camera.fov,
            camera.fov.to_degrees(),
            f64::to_radians,
        ))
    });
    fields.field_unless(camera.aspect == raw::ASPECT, "aspect", || {
        float(camera.aspect)
    });
    fields.close("")
}

pub(super) fn bookmark(bookmark: &Bookmark) -> Doc {
    let mut fields = Fields::new();
    fields.add("frame", bookmark.frame.to_string());
    fields.field_unless(bookmark.fraction == 0.0, "fraction", || {
        float(bookmark.fraction)
    });
    fields.field_unless(bookmark.note.is_empty(), "note", || quoted(&bookmark.note));
    fields.close("")
}

pub(super) fn expectation(expected: &Expected, units: Units) -> Doc {
    let mut fields = Fields::new();
    let is_and_tolerance = |fields: &mut Fields, is: &DVec3, tolerance: f64| {
        fields.add("is", vector(units.written(*is)));
        fields.field_unless(tolerance == EXPECT_LENGTH, "tolerance", || {
            float(units.written_length(tolerance))
        });
    };
    let name = match &expected.expectation {
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
            fields.field_unless(*tolerance == EXPECT_FRACTION, "tolerance", || {
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
        Expectation::Margin { below } => {
            fields.add("below", float(*below));
            "Margin"
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
