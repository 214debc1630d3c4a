//! A scene that is written reads back equal: for generated scenes, in metres exactly, in other units within rounding and then exactly.

use crate::common::random::Random;
use crate::common::rounds;
use glam::{DQuat, DVec2, DVec3};
use hitstop::core::query::probe::ProbeMode;
use hitstop::core::scene::{
    self, Axis, Bookmark, Camera, CameraMovement, Detection, DiskFolder, Engine, Expectation,
    Expected, Keyframe, LengthName, MemoryFolder, MeshSource, Movement, Object, Probe, Response,
    Scene, Units,
};
use hitstop::core::shape::{
    Capsule, ChainFacing, Facing, Mesh, Plane, Pose, Segment, Shape, Triangle,
};
use std::sync::Arc;

/// A small reproducible source of values (SplitMix64, Steele 2014).
struct Dice(Random);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0.bits()
    }

    fn below(&mut self, sides: u64) -> u64 {
        self.next() % sides
    }

    fn yes(&mut self) -> bool {
        self.below(2) == 0
    }

    /// 0 to 1, exclusive.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Short, long, tiny, huge, of either sign.
    fn number(&mut self) -> f64 {
        let sign = if self.yes() { 1.0 } else { -1.0 };
        sign * match self.below(5) {
            0 => 0.0,
            1 => self.below(100) as f64,
            2 => self.below(1000) as f64 / 8.0,
            3 => self.unit() * 1e-9,
            _ => self.unit() * 1e6,
        }
    }

    fn positive(&mut self) -> f64 {
        self.number().abs() + 0.125
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    fn direction(&mut self) -> DVec3 {
        let vector = self.vector() + DVec3::splat(0.25);
        vector.try_normalize().unwrap_or(DVec3::X)
    }

    fn rotation(&mut self) -> DQuat {
        match self.below(3) {
            0 => DQuat::IDENTITY,
            1 => {
                let mut angle = || self.below(72) as f64 * 5.0 - 180.0;
                scene::rotation_from_euler(DVec3::new(angle(), angle(), angle()))
            }
            _ => DQuat::from_axis_angle(self.direction(), self.unit() * 6.0),
        }
    }

    fn text(&mut self) -> String {
        const LETTERS: [char; 12] = [
            'a', 'Z', ' ', '"', '\\', '\n', '\r', '\t', 'é', '\u{1}', '💥', '/',
        ];
        let length = self.below(8);
        let mut letter = || LETTERS[self.below(LETTERS.len() as u64) as usize];
        (0..length).map(|_| letter()).collect()
    }

    fn keyframes(&mut self) -> Vec<Keyframe> {
        let mut frame = 0;
        let count = 1 + self.below(4);
        let mut keyframe = || {
            frame += 1 + self.below(9) as u32;
            Keyframe {
                frame,
                position: self.vector(),
                rotation: self.rotation(),
            }
        };
        (0..count).map(|_| keyframe()).collect()
    }

    fn shape(&mut self) -> (Shape, Option<MeshSource>) {
        let facing = if self.yes() {
            Facing::Both
        } else {
            Facing::Front
        };
        let shape = match self.below(7) {
            0 => Shape::Sphere {
                radius: self.positive(),
            },
            1 => Shape::Box {
                half_extents: self.vector().abs() + DVec3::X,
            },
            2 => Shape::Segment(self.segment()),
            3 => Shape::Capsule(Capsule {
                segment: self.segment(),
                radius: self.positive(),
            }),
            4 => Shape::Triangle(Triangle {
                a: self.vector(),
                b: self.vector(),
                c: self.vector(),
                facing,
            }),
            5 => Shape::Plane(Plane {
                normal: self.direction(),
                offset: self.number(),
            }),
            _ => {
                let vertices: Vec<_> = (0..30).map(|_| self.vector()).collect();
                let mut corner = || self.below(30) as u32;
                let triangles = (0..40).map(|_| [corner(), corner(), corner()]).collect();
                let mesh = Mesh::new(vertices, triangles, facing).unwrap();
                return (Shape::Mesh(Arc::new(mesh)), Some(MeshSource::Inline));
            }
        };
        (shape, None)
    }

    fn segment(&mut self) -> Segment {
        Segment {
            a: self.vector(),
            b: self.vector(),
        }
    }

    fn object(&mut self, name: String) -> Object {
        let (shape, mesh) = self.shape();
        let mut object = Object::new(name, shape, self.vector());
        object.mesh = mesh;
        object.pose.rotation = self.rotation();
        object.velocity = self.vector();
        object.spin = self.vector();
        object.movement = match self.below(4) {
            0 => Movement::Velocity,
            1 => Movement::Kinematic,
            2 => Movement::Fixed,
            _ => Movement::Keyframes(self.keyframes()),
        };
        if self.yes() {
            object.mass = self.positive();
            object.layer = self.next() as u32;
            object.mask = self.next() as u32;
            object.sensor = self.yes();
            object.character = self.yes();
            object.one_way = Some(self.vector().with_y(self.positive()));
            object.ccd = Some(self.yes());
            object.scale = Some(self.vector());
            object.color = Some([1, 2, 3].map(|_: u8| self.next() as u8));
            object.tags = vec![self.text(), self.text()];
        }
        object
    }

    fn camera(&mut self) -> Camera {
        Camera {
            pose: Pose {
                position: self.vector(),
                rotation: self.rotation(),
            },
            movement: match self.below(3) {
                0 => CameraMovement::Fixed,
                1 => CameraMovement::Velocity(self.vector()),
                _ => CameraMovement::Keyframes(self.keyframes()),
            },
            probe: match self.below(3) {
                0 => Probe::Standard,
                1 => Probe::Off,
                _ => Probe::Lines((0..self.below(4)).map(|_| DVec3::ONE).collect()),
            },
            probe_mode: if self.yes() {
                ProbeMode::InOrder
            } else {
                ProbeMode::Deepest
            },
            near: self.positive(),
            fov: (1.0 + self.unit() * 170.0).to_radians(),
            aspect: self.positive(),
        }
    }

    fn expected(&mut self, names: &[String]) -> Expected {
        let expectation = self.expectation(names);
        let expected_to_fail = (self.below(3) == 0).then(|| "bug \"7\", see the\nnotes".to_owned());
        Expected {
            expectation,
            expected_to_fail,
        }
    }

    fn expectation(&mut self, names: &[String]) -> Expectation {
        let a = names[0].clone();
        let b = names[1].clone();
        let frame = self.below(50) as u32;
        let tolerance = self.positive();
        let is = self.vector();
        match self.below(9) {
            8 => Expectation::Margin {
                below: self.unit().max(0.01),
            },
            0 => Expectation::Hit {
                a,
                b,
                frame,
                fraction: self.unit(),
                tolerance,
            },
            1 => Expectation::Finds {
                kind: "Tunnels".into(),
                cause: self.yes().then(|| "C21".into()),
                a: self.yes().then_some(a),
                b: self.yes().then_some(b),
                frame: self.yes().then_some(frame),
            },
            2 => Expectation::NoFindings {
                kind: self.yes().then(|| "Clips".into()),
            },
            3 => Expectation::Position {
                object: a,
                frame,
                is,
                tolerance,
            },
            4 => Expectation::Push {
                object: a,
                against: self.yes().then_some(b),
                frame,
                is,
                tolerance,
            },
            5 => Expectation::CameraPush {
                frame,
                is,
                tolerance,
            },
            6 => Expectation::Touches { a, b },
            _ => Expectation::NeverTouches { a, b },
        }
    }

    fn scene(&mut self, units: Units) -> Scene {
        let names: Vec<_> = (0..2 + self.below(4))
            .map(|index| format!("{index}{}", self.text()))
            .collect();
        let mut objects: Vec<_> = names.iter().map(|name| self.object(name.clone())).collect();
        let mut ignore = Vec::new();
        if self.yes() {
            objects[1].ignores.push(names[0].clone());
            ignore.push((names[1].clone(), names[0].clone()));
        }
        Scene {
            name: format!("n{}", self.text()),
            notes: self.text(),
            units,
            dt: self.positive(),
            frames: 50 + self.below(1000) as u32,
            gravity: self.vector(),
            detection: if self.yes() {
                Detection::Overlap
            } else {
                Detection::Sweep
            },
            response: match self.below(5) {
                0 => Response::Ignore,
                1 => Response::Push,
                2 => Response::Slide,
                3 => Response::Stop,
                _ => Response::Bounce {
                    restitution: self.unit(),
                },
            },
            engine: Engine {
                name: self.yes().then(|| self.text()),
                version: self.yes().then(|| self.text()),
                ccd_threshold: self.yes().then(|| self.positive()),
                margin: self.yes().then(|| self.positive()),
            },
            objects: objects.into(),
            ignore,
            camera: Some(self.camera()),
            recording: self.yes().then(|| "a/b.jsonl".into()),
            bookmarks: vec![Bookmark {
                frame: self.below(50) as u32,
                fraction: self.unit(),
                note: self.text(),
            }],
            expect: (0..6).map(|_| self.expected(&names)).collect(),
        }
    }
}

fn read(text: &str, seed: u64) -> Scene {
    scene::parse(text, "written.ron", &MemoryFolder::default())
        .unwrap_or_else(|problems| panic!("seed {seed}: {problems}\n{text}"))
}

impl Dice {
    /// A scene of a flat level: in the plane z = 0, turned about z.
    fn flat_scene(&mut self, up: Axis) -> Scene {
        let units = Units {
            flat: true,
            name: self.yes().then_some(LengthName::Px),
            up,
            ..Units::default()
        };
        let mut scene = self.scene(units);
        let in_plane = |vector: &mut DVec3| vector.z = 0.0;
        in_plane(&mut scene.gravity);
        scene.camera = None;
        scene.expect.clear();
        for index in 0..scene.objects.len() {
            let object = &mut scene.objects[index];
            (object.shape, object.mesh) = self.flat_shape();
            let turned = DQuat::from_rotation_z(self.number());
            object.pose.rotation = turned;
            in_plane(&mut object.pose.position);
            in_plane(&mut object.velocity);
            object.spin = DVec3::Z * object.spin.z;
            object.scale = object.scale.map(|scale| scale.with_z(1.0));
            object.one_way = object.one_way.map(|way| DVec3::new(way.x, 1.0, 0.0));
            if let Movement::Keyframes(keyframes) = &mut object.movement {
                keyframes.iter_mut().for_each(|keyframe| {
                    in_plane(&mut keyframe.position);
                    keyframe.rotation = turned;
                });
            }
        }
        scene
    }

    fn flat_shape(&mut self) -> (Shape, Option<MeshSource>) {
        let radius = self.positive();
        let mut point = || DVec2::new(self.unit() * 4.0, self.unit() * 4.0);
        let points = [point(), point(), point() + 4.0];
        let shape = match self.below(7) {
            0 => Shape::circle(radius),
            1 => Shape::rectangle(points[2], 0.0),
            2 => Shape::rectangle(points[2], radius),
            3 => Shape::stadium(-points[2].with_x(0.0), points[2].with_x(0.0), radius),
            4 => Shape::polygon(&points, 0.0).expect("a triangle").0,
            5 => Shape::polygon(&points, radius).expect("a triangle").0,
            _ => {
                let facing = [ChainFacing::Left, ChainFacing::Right, ChainFacing::Both];
                let facing = facing[self.below(3) as usize];
                let chain = Shape::chain(&points, self.yes(), facing);
                return (chain.expect("its points differ"), Some(MeshSource::Inline));
            }
        };
        (shape, None)
    }
}

#[test]
fn flat_scenes_round_trip_bit_for_bit() {
    for seed in 0..rounds(400) {
        let up = [Axis::Y, Axis::MinusY, Axis::X][seed as usize % 3];
        let mut scene = Dice(Random(seed)).flat_scene(up);
        // In metres.
        scene.units.length = 1.0;
        let text = scene::write(&scene);
        assert_eq!(read(&text, seed), scene, "seed {seed}\n{text}");
    }
}

#[test]
fn metres_round_trip_bit_for_bit() {
    for seed in 0..rounds(400) {
        let scene = Dice(Random(seed)).scene(Units::default());
        let text = scene::write(&scene);
        assert_eq!(read(&text, seed), scene, "seed {seed}\n{text}");
    }
}

#[test]
fn other_units_round_trip_within_rounding_and_then_exactly() {
    for seed in 0..rounds(400) {
        let length = [0.01, 0.3048, 1000.0, 1.0 / 3.0][seed as usize % 4];
        let up = [Axis::X, Axis::Y, Axis::Z][seed as usize % 3];
        let scene = Dice(Random(seed)).scene(Units {
            length,
            up,
            ..Units::default()
        });
        let text = scene::write(&scene);
        let again = read(&text, seed);
        for (got, wanted) in again.objects.iter().zip(&scene.objects) {
            let near = |a: DVec3, b: DVec3| {
                let off = (a - b).abs().max_element();
                assert!(
                    off <= 4.0 * f64::EPSILON * b.abs().max_element(),
                    "seed {seed}: {a} {b}"
                );
            };
            near(got.pose.position, wanted.pose.position);
            near(got.velocity, wanted.velocity);
            assert_eq!(got.spin, wanted.spin, "seed {seed}");
            assert_eq!(got.pose.rotation, wanted.pose.rotation, "seed {seed}");
        }
        let text = scene::write(&again);
        assert_eq!(read(&text, seed), again, "seed {seed}\n{text}");
    }
}

#[test]
fn centimetres_with_z_up_are_converted() {
    let text = r#"Scene(version: 1, name: "cm", units: (length: 0.01, up: Z), dt: 1, frames: 9, gravity: (0, 0, -981), objects: [
        (name: "a", shape: Box(half_extents: (100, 200, 300)), position: (100, 200, 300), rotation: Euler(z: 90)),
        (name: "floor", shape: Plane(normal: (0, 0, 2), offset: 50)),
    ], expect: [Position(object: "a", frame: 0, is: (100, 200, 300), tolerance: 10)])"#;
    let scene = read(text, 0);
    // Z up becomes Y up; +Y becomes -Z.
    assert!((scene.gravity - DVec3::new(0.0, -9.81, 0.0)).length() < 1e-15);
    let a = &scene.objects[0];
    assert_eq!(a.pose.position, DVec3::new(1.0, 3.0, -2.0));
    assert_eq!(
        a.shape,
        Shape::Box {
            half_extents: DVec3::new(1.0, 3.0, 2.0)
        }
    );
    // A quarter turn about the up axis rotates +X to the former +Y.
    assert!((a.pose.rotation * DVec3::X - DVec3::NEG_Z).length() < 1e-15);
    let Shape::Plane(plane) = scene.objects[1].shape else {
        panic!("the floor is a plane")
    };
    assert_eq!(plane.normal, DVec3::Y);
    assert_eq!(plane.offset, 0.5);
    let Expectation::Position { is, tolerance, .. } = &scene.expect[0].expectation else {
        panic!("a position is expected")
    };
    assert_eq!((*is, *tolerance), (DVec3::new(1.0, 3.0, -2.0), 0.1));
}

#[test]
fn every_notation_of_a_value_is_the_same_value() {
    let one = |object: &str| {
        let text = format!(
            "Scene(version: 1, name: \"f\", dt: 1, frames: 1, objects: [(name: \"o\", shape: {object})])"
        );
        read(&text, 0).objects[0].clone()
    };
    let plain = one(
        "Sphere(radius: 1), position: (1.0, 2.0, 3.0), color: (255, 128, 0), rotation: Quat(0, 0, 0, 1)",
    );
    for other in [
        "Sphere(radius: 1.0), position: [1, 2, 3], color: [255, 128, 0]",
        "Sphere(radius: 1), position: (z: 3, x: 1, y: 2,), color: \"#ff8000\", rotation: Euler()",
        "Sphere(radius: 0.1e1,), position: Some((1, 2, 3)), color: Some(\"#FF8000\"), rotation: Quat(0, 0, 0, 7)",
    ] {
        assert_eq!(one(other), plain, "{other}");
    }
}

/// Whole degrees come back as they were written, and not as a quaternion.
#[test]
fn angles_are_written_as_they_were_read() {
    for degrees in (-170..=170).step_by(10).filter(|degrees| *degrees != 0) {
        for (level, shape, rotation) in [
            ("flat: true, ", "Circle", format!("Angle({degrees}.0)")),
            ("", "Sphere", format!("Euler(y: {degrees}.0)")),
        ] {
            let text = format!(
                "Scene(version: 1, {level}name: \"f\", dt: 1, frames: 1, objects: [(name: \"o\", shape: {shape}(radius: 1), rotation: {rotation})])"
            );
            let again = scene::write(&read(&text, 0));
            assert!(again.contains(&rotation), "{rotation}: {again}");
        }
    }
}

#[test]
fn colours_points_and_spins_with_other_counts_of_numbers_are_refused() {
    for (level, field, is_right) in [
        ("", "color: (255, 128, 0)", true),
        ("", "color: (255, 128)", false),
        ("", "color: (255, 128, 0, 9)", false),
        ("", "color: \"#ff8\"", false),
        ("", "color: \"#ff80000\"", false),
        ("", "position: (x: 1, y: 2)", false),
        ("flat: true, ", "position: (x: 1, y: 2)", true),
        ("flat: true, ", "position: (x: 1, y: 2, z: 0)", true),
        ("flat: true, ", "spin: (x: 0, y: 0, z: 3)", true),
        ("flat: true, ", "spin: (x: 0, y: 0)", false),
    ] {
        let text = format!(
            "Scene(version: 1, {level}name: \"f\", dt: 1, frames: 1, objects: [(name: \"o\", shape: Sphere(radius: 1), {field})])"
        );
        let scene = scene::parse(&text, "f.ron", &MemoryFolder::default());
        assert_eq!(scene.is_ok(), is_right, "{level}{field}");
    }
}

#[test]
fn a_flat_compound_comes_back_with_its_parts() {
    let parts = "Compound([(shape: Circle(radius: 0.5), position: (0.0, 2.0)), (shape: Box(half_extents: (1.0, 0.25)), rotation: Angle(30.0))])";
    let text = format!(
        "Scene(version: 1, flat: true, name: \"f\", dt: 1, frames: 1, objects: [(name: \"o\", shape: {parts})])"
    );
    let scene = read(&text, 0);
    let again = scene::write(&scene);
    assert_eq!(read(&again, 0), scene, "{again}");
    assert_eq!(again.matches("rotation").count(), 1, "{again}");
}

#[test]
fn a_mesh_file_named_twice_is_one_mesh() {
    let mut folder = MemoryFolder::default();
    folder.files.insert(
        "m.obj".into(),
        b"v 0 0 0\nv 2 0 0\nv 0 0 2\nf 1 2 3\n".to_vec(),
    );
    let text = r#"Scene(version: 1, name: "m", dt: 1, frames: 1, objects: [
        (name: "a", shape: Mesh(file: "m.obj")), (name: "b", shape: Mesh(file: "m.obj")),
    ])"#;
    let scene = scene::parse(text, "m.ron", &folder).unwrap();
    let mesh = |index: usize| match &scene.objects[index].shape {
        Shape::Mesh(mesh) => mesh,
        other => panic!("{other:?}"),
    };
    assert!(Arc::ptr_eq(mesh(0), mesh(1)));
    assert_eq!(mesh(0).vertex(1), DVec3::new(2.0, 0.0, 0.0));
}

#[test]
fn every_bundled_scene_round_trips() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let folder = DiskFolder { root: root.clone() };
    let mut count = 0;
    for entry in std::fs::read_dir(&root).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "ron") {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.display().to_string();
            let scene = scene::parse(&text, &name, &folder).unwrap_or_else(|p| panic!("{p}"));
            let written = scene::write(&scene);
            assert_eq!(
                scene::parse(&written, &name, &folder),
                Ok(scene),
                "{written}"
            );
            count += 1;
        }
    }
    assert!(count >= 10);
}
