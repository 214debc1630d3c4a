//! A scene's text changed where the scene changed: what is read is what was wanted, and what people wrote stays.

use glam::DVec3;
use hitstop::core::scene::{
    self, Axis, Bookmark, DiskFolder, Expectation, MemoryFolder, Movement, Object, Response, Scene,
    Units,
};
use hitstop::core::shape::Shape;
use std::path::Path;

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
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

/// The comments of a text: another scanner than the one under test, which knows plain strings and no nested comments.
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

/// A text with numbered comments between its signs.
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
    for expected in &mut scene.expect {
        match &mut expected.claim {
            Expectation::Hit { a, b, .. }
            | Expectation::Touches { a, b }
            | Expectation::NeverTouches { a, b } => [a, b].into_iter().for_each(swap),
            Expectation::Finds { a, b, .. } => a.iter_mut().chain(b).for_each(swap),
            Expectation::Position { object, .. } => swap(object),
            Expectation::Push {
                object, against, ..
            } => std::iter::once(object).chain(against).for_each(swap),
            Expectation::NoFindings { .. } | Expectation::CameraPush { .. } => {}
        }
    }
}

/// Something that a person could do, taking nothing away; its name.
fn edit(scene: &mut Scene, dice: &mut Dice) -> &'static str {
    let count = scene.objects.len();
    let at = dice.below(count.max(1));
    let kind = dice.below(if count == 0 { 6 } else { 20 });
    match kind {
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
            let claim = Expectation::NoFindings {
                kind: Some("Sinks".into()),
            };
            let place = dice.below(scene.expect.len() + 1);
            scene.expect.insert(place, claim.into());
            return "expect";
        }
        5 => {
            if let Some(camera) = &mut scene.camera {
                camera.pose.position += DVec3::X;
                camera.fov = 1.25;
            }
            return "camera";
        }
        6 => {
            let new = Object::new("entirely new", Shape::Sphere { radius: 0.5 }, dice.vector());
            let free = scene.objects.iter().all(|other| other.name != new.name);
            if free {
                scene.objects.insert(dice.below(count + 1), new);
            }
            return "insert";
        }
        7 => {
            let object = scene.objects.remove(at);
            scene.objects.insert(dice.below(count), object);
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
        _ => {
            let axis = dice.below(3);
            object.pose.position[axis] = dice.number();
            let turned = DVec3::Y * dice.below(72) as f64 * 5.0;
            object.pose.rotation = scene::rotation_from_euler(turned);
        }
    }
    "object"
}

#[test]
fn an_unchanged_scene_keeps_its_bytes() {
    for (name, text) in bundled() {
        let scene = read(&text, &name);
        assert_eq!(scene::rewrite(&text, &scene, &scene), text, "{name}");
        let windows = format!("\u{FEFF}{}", text.replace('\n', "\r\n"));
        let scene = read(&windows, &name);
        assert_eq!(scene::rewrite(&windows, &scene, &scene), windows, "{name}");
    }
}

#[test]
fn any_edit_reads_back_and_every_comment_survives() {
    for (index, (name, plain)) in bundled().into_iter().enumerate() {
        for round in 0..9 {
            let mut dice = Dice((index as u64) << 16 | round);
            let mut text = match round % 3 {
                0 => plain.clone(),
                1 => plain.replace('\n', "\r\n"),
                _ => decorated(&plain, &mut dice),
            };
            let mut old = read(&text, &name);
            for _ in 0..1 + dice.below(3) {
                let mut new = old.clone();
                let what = edit(&mut new, &mut dice);
                let out = scene::rewrite(&text, &old, &new);
                let says =
                    || format!("{name}, round {round}: {what}\n{text}\n--- became ---\n{out}");
                let got = scene::parse(&out, &name, &folder())
                    .unwrap_or_else(|problems| panic!("{problems}\n{}", says()));
                assert!(got == new, "{}", says());
                assert_eq!(comments(&out), comments(&text), "{}", says());
                assert_eq!(scene::rewrite(&out, &got, &new), out, "{}", says());
                if round % 3 == 1 {
                    let breaks = out.matches("\r\n").count();
                    assert_eq!(out.matches('\n').count(), breaks, "{}", says());
                }
                (text, old) = (out, got);
            }
        }
    }
}

#[test]
fn what_an_edit_does_not_touch_keeps_its_lines() {
    for (index, (name, text)) in bundled().into_iter().enumerate() {
        let old = read(&text, &name);
        if old.objects.is_empty() {
            continue;
        }
        let mut dice = Dice(index as u64);
        let mut new = old.clone();
        let at = dice.below(old.objects.len());
        new.objects[at].mass += 0.5;
        let out = scene::rewrite(&text, &old, &new);
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
        scene.objects.remove(0);
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
        scene.objects.pop();
        scene.expect.pop();
    });
    let line = "        // About b.\n        (name: \"b\", shape: Sphere(radius: 1), position: (5, 0, 0)),\n";
    let wanted = TWO
        .replace(line, "")
        .replace("NoFindings, Touches(a: \"a\", b: \"b\")", "NoFindings,");
    assert_eq!(without_b, wanted);
}

#[test]
fn fields_come_and_go_where_the_writer_puts_them() {
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
fn a_scene_that_is_wrong_is_refused_with_its_place() {
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
