//! The text of a scene edited along with the scene: it reads back as the edited scene, and the comments of its author stay.

use crate::common::random::{Random, rounds};
use glam::DVec3;
use hitstop::core::edit::flatten;
use hitstop::core::query::probe::ProbeMode;
use hitstop::core::scene::{
    self, Axis, Bookmark, CameraMovement, DiskFolder, Expectation, Expected, Keyframe,
    MemoryFolder, MeshSource, Movement, Object, Probe, Response, Scene, Units,
};
use hitstop::core::shape::{Facing, Mesh, Shape};
use std::path::Path;

/// SplitMix64.
struct Dice(Random);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0.bits()
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn number(&mut self) -> f64 {
        (self.below(4001) as f64 - 2000.0) / 64.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }
}

fn folder() -> DiskFolder {
    DiskFolder {
        root: Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes"),
    }
}

fn bundled() -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = std::fs::read_dir(folder().root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "ron"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path.display().to_string(), text)
        })
        .collect();
    found.sort();
    assert!(found.len() > 50);
    found
}

fn read(text: &str, name: &str) -> Scene {
    scene::parse(text, name, &folder()).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// The comments of a text, by a scanner other than the one under test, which supports plain strings and no nested comments.
fn comments(text: &str) -> Vec<String> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            found.push(rest[..length].trim_end().to_owned());
            length
        } else if rest.starts_with("/*") {
            let length = rest.find("*/").unwrap() + 2;
            found.push(rest[..length].to_owned());
            length
        } else if c == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.unwrap() + 2
        } else {
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    found.sort();
    found
}

/// A text with numbered comments between its tokens.
fn decorated(text: &str, dice: &mut Dice) -> String {
    let (mut out, mut rest, mut number) = (String::new(), text, 0);
    while let Some(c) = rest.chars().next() {
        let length = if c == '"' {
            rest[1..].find('"').unwrap() + 2
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap()
        } else {
            c.len_utf8()
        };
        let (sign, after) = rest.split_at(length);
        out.push_str(sign);
        if matches!(c, '(' | ',' | '[' | '"' | ')' | ']') && dice.below(4) == 0 {
            number += 1;
            match dice.below(3) {
                0 => out.push_str(&format!(" /* {number} ) */")),
                1 => out.push_str(&format!(" // {number} \"[\n")),
                _ => out.push_str(&format!("\n    // {number}, (\n    ")),
            }
        }
        rest = after;
    }
    out
}

fn rename(scene: &mut Scene, index: usize, name: &str) {
    let was = std::mem::replace(&mut scene.objects[index].name, name.to_owned());
    let swap = |text: &mut String| {
        if *text == was {
            name.clone_into(text);
        }
    };
    for (a, b) in &mut scene.ignore {
        [a, b].into_iter().for_each(swap);
    }
    scene.objects.rebuild(|objects| {
        let ignored = objects.iter_mut().flat_map(|object| &mut object.ignores);
        ignored.for_each(swap);
    });
    for expected in &mut scene.expect {
        match &mut expected.expectation {
            Expectation::Hit { a, b, .. }
            | Expectation::Touches { a, b }
            | Expectation::NeverTouches { a, b } => [a, b].into_iter().for_each(swap),
            Expectation::Finds { a, b, .. } => a.iter_mut().chain(b).for_each(swap),
            Expectation::Position { object, .. } => swap(object),
            Expectation::Push {
                object, against, ..
            } => std::iter::once(object).chain(against).for_each(swap),
            Expectation::NoFindings { .. }
            | Expectation::Margin { .. }
            | Expectation::CameraPush { .. } => {}
        }
    }
}

/// An edit that removes nothing; its name.
fn edit(scene: &mut Scene, dice: &mut Dice) -> &'static str {
    let count = scene.objects.len();
    let at = dice.below(count.max(1));
    let kind = match count {
        0 => dice.below(6),
        _ => dice.below(25),
    };
    match kind {
        23 => return expectation(scene, dice),
        24 if !scene.bookmarks.is_empty() => {
            let place = dice.below(scene.bookmarks.len());
            scene.bookmarks[place].fraction = dice.below(64) as f64 / 64.0;
            scene.bookmarks[place].note = "another, // note".into();
            return "bookmark";
        }
        0 => {
            scene.notes = ["", "Other \"notes\".\n// no comment"][dice.below(2)].to_owned();
            return "notes";
        }
        1 => {
            scene.gravity = [DVec3::ZERO, DVec3::NEG_Y * 9.81][dice.below(2)];
            return "gravity";
        }
        2 => {
            let bounce = Response::Bounce {
                restitution: dice.below(65) as f64 / 64.0,
            };
            scene.response = [bounce, Response::Push, Response::Stop][dice.below(3)];
            return "response";
        }
        3 => {
            let mark = Bookmark {
                frame: 0,
                fraction: 0.25,
                note: "here, // there".into(),
            };
            let place = dice.below(scene.bookmarks.len() + 1);
            scene.bookmarks.insert(place, mark);
            return "bookmark";
        }
        4 => {
            let expectation = Expectation::NoFindings {
                kind: Some("Sinks".into()),
            };
            let place = dice.below(scene.expect.len() + 1);
            scene.expect.insert(place, expectation.into());
            return "expect";
        }
        5 => {
            if let Some(camera) = &mut scene.camera {
                match dice.below(4) {
                    0 => {
                        (camera.pose.position, camera.fov) = (camera.pose.position + DVec3::X, 1.25)
                    }
                    1 => camera.probe = Probe::Lines(vec![dice.vector(), dice.vector()]),
                    2 => camera.probe_mode = ProbeMode::Deepest,
                    _ => camera.movement = CameraMovement::Keyframes(keyframes(dice)),
                }
            }
            return "camera";
        }
        6 => {
            let new = Object::new("entirely new", Shape::Sphere { radius: 0.5 }, dice.vector());
            let free = scene.objects.iter().all(|other| other.name != new.name);
            if free {
                let at = dice.below(count + 1);
                scene.objects.rebuild(|objects| objects.insert(at, new));
            }
            return "insert";
        }
        7 => {
            let to = dice.below(count);
            scene.objects.rebuild(|objects| {
                let object = objects.remove(at);
                objects.insert(to, object);
            });
            return "reorder";
        }
        8 => {
            let name = "another \"name\"";
            if scene.objects.iter().all(|other| other.name != name) {
                rename(scene, at, name);
            }
            return "rename";
        }
        _ => {}
    }
    let object = &mut scene.objects[at];
    match kind {
        9 => object.velocity = dice.vector(),
        10 => object.velocity = DVec3::ZERO,
        11 => object.mass = 1.0 + dice.below(9) as f64 * 0.125,
        12 => object.color = [None, Some([1, 2, 3])][dice.below(2)],
        13 => object.tags = [vec![], vec!["a, b".into(), "c".into()]][dice.below(2)].clone(),
        14 => {
            object.movement =
                [Movement::Fixed, Movement::Velocity, Movement::Kinematic][dice.below(3)].clone();
        }
        15 => {
            object.shape = Shape::Box {
                half_extents: DVec3::ONE + dice.vector().abs(),
            };
            object.mesh = None;
        }
        16 => {
            (object.layer, object.mask) = (1 << dice.below(32), [1, u32::MAX][dice.below(2)]);
        }
        17 => object.spin = dice.vector(),
        18 => object.ccd = [None, Some(true)][dice.below(2)],
        20 => object.movement = Movement::Keyframes(keyframes(dice)),
        21 => {
            // As many as the mesh has: a removed vertex takes its comments along.
            let (count, triangles) = match &object.shape {
                Shape::Mesh(mesh) => (mesh.vertices().len(), mesh.triangles().collect()),
                _ => (4, vec![[0, 1, 2], [1, 3, 2]]),
            };
            let points = (0..count).map(|_| dice.vector()).collect();
            let side = [Facing::Both, Facing::Front][dice.below(2)];
            object.shape = Shape::Mesh(Mesh::new(points, triangles, side).unwrap().into());
            object.mesh = Some(MeshSource::Inline);
        }
        22 => {
            // As in the table of vertices: a mesh file is embedded into the scene, and one corner moved.
            if let Shape::Mesh(mesh) = &object.shape {
                let mut vertices: Vec<DVec3> = mesh.vertices().collect();
                vertices[0] += DVec3::Y * 0.25;
                let mesh = Mesh::new(vertices, mesh.triangles().collect(), mesh.facing());
                object.shape = Shape::Mesh(mesh.unwrap().into());
                object.mesh = Some(MeshSource::Inline);
            }
        }
        _ => {
            let axis = dice.below(3);
            object.pose.position[axis] = dice.number();
            let turned = DVec3::Y * dice.below(72) as f64 * 5.0;
            object.pose.rotation = scene::rotation_from_euler(turned);
        }
    }
    "object"
}

fn keyframes(dice: &mut Dice) -> Vec<Keyframe> {
    let frames = (0..1 + dice.below(3) as u32).map(|frame| Keyframe {
        frame,
        position: dice.vector(),
        rotation: scene::rotation_from_euler(DVec3::Y * 15.0 * f64::from(frame)),
    });
    frames.collect()
}

/// Any form of an expectation in place of another, or with a reason for its failure.
fn expectation(scene: &mut Scene, dice: &mut Dice) -> &'static str {
    let [a, b] = [0, 1].map(|index| scene.objects.get(index).map(|one| one.name.clone()));
    let (Some(object), mut is, tolerance) = (a.clone(), dice.vector(), 0.125) else {
        return "no expectation";
    };
    if scene.units.flat {
        is.z = 0.0;
    }
    let frame = 0;
    let fraction = dice.below(65) as f64 / 64.0;
    let expectation = match (dice.below(7), b.clone()) {
        (0, Some(b)) => Expectation::Hit {
            a: object,
            b,
            frame,
            fraction,
            tolerance,
        },
        (1, Some(b)) => Expectation::Touches { a: object, b },
        (2, Some(b)) => Expectation::NeverTouches { a: object, b },
        (3, against) => Expectation::Push {
            object,
            against,
            frame,
            is,
            tolerance,
        },
        (4, b) => Expectation::Finds {
            kind: "Clips".into(),
            cause: [None, Some("C18".into())][dice.below(2)].clone(),
            a,
            b,
            frame: [None, Some(0)][dice.below(2)],
        },
        (5, _) => Expectation::NoFindings { kind: None },
        _ => Expectation::Position {
            object,
            frame,
            is,
            tolerance,
        },
    };
    let why = [None, Some("a \"known\" // fault".to_owned())][dice.below(2)].clone();
    let expected = Expected {
        expectation,
        expected_to_fail: why,
    };
    let place = dice.below(scene.expect.len() + 1);
    match scene.expect.get_mut(place) {
        Some(one) => *one = expected,
        None => scene.expect.push(expected),
    }
    "expectation"
}

#[test]
fn an_unchanged_scene_keeps_its_bytes() {
    for (name, text) in bundled() {
        let scene = read(&text, &name);
        assert_eq!(scene::edit_text(&text, &scene, &scene), text, "{name}");
        let windows = format!("\u{FEFF}{}", text.replace('\n', "\r\n"));
        let scene = read(&windows, &name);
        assert_eq!(
            scene::edit_text(&windows, &scene, &scene),
            windows,
            "{name}"
        );
    }
}

/// A camera that is moved gets a rotation in place of its `look_at`, whose comments stay.
#[test]
fn comments_in_a_replaced_look_at_stay() {
    let text = "Scene(version: 1, name: \"camera\", dt: 0.1, frames: 1, objects: [], camera: (position: (0, 0, 0), look_at: (0.0, /* up */ 1.0, -1.0)))";
    let old = read(text, "camera.ron");
    let mut new = old.clone();
    new.camera.as_mut().unwrap().pose.position.x = 1.0;
    let out = scene::edit_text(text, &old, &new);
    assert!(out.contains("/* up */ rotation:"), "{out}");
}

/// As an edit in the window keeps an object of a flat level.
fn in_plane(object: &mut Object) {
    if object.shape.flattened().is_none() {
        (object.shape, object.mesh) = (Shape::circle(0.5), None);
    }
    flatten(object);
}

#[test]
fn any_edit_round_trips_and_keeps_every_comment() {
    for (index, (name, plain)) in bundled().into_iter().enumerate() {
        for round in 0..rounds(30) {
            let mut dice = Dice(Random((index as u64) << 16 | round));
            let mut text = match round % 3 {
                0 => plain.clone(),
                1 => plain.replace('\n', "\r\n"),
                _ => decorated(&plain, &mut dice),
            };
            let mut old = read(&text, &name);
            for _ in 0..1 + dice.below(3) {
                let mut new = old.clone();
                let what = edit(&mut new, &mut dice);
                if new.units.flat {
                    new.objects
                        .rebuild(|objects| objects.iter_mut().for_each(in_plane));
                }
                let out = scene::edit_text(&text, &old, &new);
                let context =
                    || format!("{name}, round {round}: {what}\n{text}\n--- became ---\n{out}");
                let got = scene::parse(&out, &name, &folder())
                    .unwrap_or_else(|problems| panic!("{problems}\n{}", context()));
                assert!(got == new, "{}", context());
                assert_eq!(comments(&out), comments(&text), "{}", context());
                assert_eq!(scene::edit_text(&out, &got, &new), out, "{}", context());
                if round % 3 == 1 {
                    let breaks = out.matches("\r\n").count();
                    assert_eq!(out.matches('\n').count(), breaks, "{}", context());
                }
                (text, old) = (out, got);
            }
        }
    }
}

#[test]
fn an_edit_keeps_other_lines() {
    for (index, (name, text)) in bundled().into_iter().enumerate() {
        let old = read(&text, &name);
        if old.objects.is_empty() {
            continue;
        }
        let mut dice = Dice(Random(index as u64));
        let mut new = old.clone();
        let at = dice.below(old.objects.len());
        new.objects[at].mass += 0.5;
        let out = scene::edit_text(&text, &old, &new);
        let (was, is): (Vec<&str>, Vec<&str>) = (text.lines().collect(), out.lines().collect());
        let changed = was.iter().filter(|line| !is.contains(line)).count();
        assert!(changed <= 1, "{name}\n{out}");
    }
}

const TWO: &str = r#"Scene(
    version: 1, name: "two", dt: 0.5, frames: 2,
    objects: [ // all of them
        // About everything.

        // About a.
        (name: "a", shape: Sphere(radius: 1)), // a too
        // About b.
        (name: "b", shape: Sphere(radius: 1), position: (5, 0, 0)),
        // The end.
    ],
    expect: [NoFindings, Touches(a: "a", b: "b")],
)"#;

/// The text of [`TWO`] after an edit.
fn two(edit: impl FnOnce(&mut Scene)) -> String {
    let old = read(TWO, "two.ron");
    let mut new = old.clone();
    edit(&mut new);
    let (text, scene) = scene::edited(TWO, "two.ron", &MemoryFolder::default(), &old, &new)
        .unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(scene, new, "{text}");
    text
}

#[test]
fn a_removed_entry_takes_its_own_comments_and_no_others() {
    let without_a = two(|scene| {
        scene.objects.rebuild(|objects| drop(objects.remove(0)));
        scene.expect.pop();
    });
    let wanted = TWO
        .replace("\n        // About a.\n", "\n")
        .replace(
            "\n        (name: \"a\", shape: Sphere(radius: 1)), // a too",
            "",
        )
        .replace("NoFindings, Touches(a: \"a\", b: \"b\")", "NoFindings,")
        .replace("// About everything.\n\n", "// About everything.\n");
    assert_eq!(without_a, wanted);
    let without_b = two(|scene| {
        scene.objects.rebuild(|objects| drop(objects.pop()));
        scene.expect.pop();
    });
    let line = "        // About b.\n        (name: \"b\", shape: Sphere(radius: 1), position: (5, 0, 0)),\n";
    let wanted = TWO
        .replace(line, "")
        .replace("NoFindings, Touches(a: \"a\", b: \"b\")", "NoFindings,");
    assert_eq!(without_b, wanted);
}

#[test]
fn fields_are_added_and_removed_at_the_position_of_the_writer() {
    let text = two(|scene| scene.response = Response::Stop);
    assert_eq!(
        text,
        TWO.replace("frames: 2,", "frames: 2, response: Stop,")
    );
    let text = two(|scene| scene.objects[1].pose.position = DVec3::ZERO);
    assert_eq!(text, TWO.replace(", position: (5, 0, 0)", ""));
    let text = two(|scene| scene.objects[1].pose.position.y = 0.25);
    assert_eq!(text, TWO.replace("(5, 0, 0)", "(5, 0.25, 0)"));
    let text = two(|scene| scene.objects[0].velocity = DVec3::X);
    let sphere = "(name: \"a\", shape: Sphere(radius: 1)";
    assert_eq!(
        text,
        TWO.replace(sphere, &format!("{sphere}, velocity: (1.0, 0.0, 0.0)"))
    );
    let text = two(|scene| {
        scene.bookmarks.push(Bookmark {
            frame: 1,
            fraction: 0.0,
            note: String::new(),
        });
    });
    let list = "    bookmarks: [\n        (frame: 1),\n    ],\n    expect";
    assert_eq!(text, TWO.replace("    expect", list));
    let text = two(|scene| {
        let shape = Shape::Sphere { radius: 0.5 };
        scene.objects.push(Object::new("c", shape, DVec3::X));
    });
    let fresh = "(5, 0, 0)),\n        (name: \"c\", shape: Sphere(radius: 0.5), position: (1.0, 0.0, 0.0)),";
    assert_eq!(text, TWO.replace("(5, 0, 0)),", fresh));
}

#[test]
fn other_units_convert_every_length() {
    let centimetres = two(|scene| {
        scene.units = Units {
            length: 0.25,
            up: Axis::Z,
            ..Units::default()
        };
    });
    assert!(
        centimetres.contains("units: (length: 0.25, up: Z)"),
        "{centimetres}"
    );
    assert!(centimetres.contains("radius: 4.0"), "{centimetres}");
    assert!(centimetres.contains("position: (20.0"), "{centimetres}");
    assert_eq!(comments(&centimetres), comments(TWO));
}

#[test]
fn an_invalid_scene_is_refused_with_its_position() {
    let old = read(TWO, "two.ron");
    let mut new = old.clone();
    new.objects[1].shape = Shape::Sphere { radius: -1.0 };
    let folder = MemoryFolder::default();
    let problems = scene::edited(TWO, "two.ron", &folder, &old, &new).unwrap_err();
    let line = 1 + TWO
        .lines()
        .position(|line| line.contains("\"b\", shape"))
        .unwrap();
    assert_eq!(problems.0[0].at.unwrap().line, line, "{problems}");
}

#[test]
fn pasted_text_is_parsed_or_reported_at_its_own_position() {
    let read = |text: &str| scene::parse_objects(text, Units::default(), &MemoryFolder::default());
    let ball = "(name: \"a\", shape: Sphere(radius: 1))";
    for text in [
        ball.to_owned(),
        format!("// two\n{ball},\n{}", ball.replace("\"a\"", "\"b\"")),
        format!("[{ball}]"),
        format!("// all\n\nScene(version: 1, name: \"x\", dt: 1, frames: 1, objects: [{ball}])"),
    ] {
        assert_eq!(read(&text).unwrap()[0].name, "a", "{text}");
    }
    for text in [
        "a line of a letter",
        "",
        "((",
        "42",
        "{\"json\": 1}",
        "// nothing",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
    let what = &read("a line of a letter").unwrap_err().0[0].what;
    assert!(what.contains("not an object"), "{what}");
    let wrong = read("(name: \"a\", shape: Sphere(radius: x))").unwrap_err();
    let place = wrong.0[0].at.unwrap();
    assert_eq!((place.line, place.column), (1, 35));
    let wrong = read("[\n(name: \"a\", shape: Sphere(raduis: 1))]").unwrap_err();
    assert_eq!(wrong.0[0].at.unwrap().line, 2);
}
