//! Broken, hostile and careless input: every result is an error with a position, and nothing panics.

mod scenes {
    use crate::common::{random::Random, rounds};
    use hitstop::core::problem::{Place, Problem, Problems};
    use hitstop::core::scene::{self, DiskFolder, Folder, MemoryFolder, Scene};

    /// The example of the file format's documentation.
    const EXAMPLE: &str = r##"Scene(
    version: 1,
    name: "Bullet through paper",
    notes: "Free text; shown when the scene opens.",
    units: (length: 1.0, up: Y),             // metres per unit; X | Y | Z
    dt: 0.016666666666666666,                // seconds per frame
    frames: 60,                              // length of the timeline
    gravity: (0.0, 0.0, 0.0),
    detection: Overlap,                      // Overlap (at frame ends) | Sweep (continuous)
    response: Push,                          // Ignore | Push | Slide | Stop | Bounce(restitution: 1.0)
    objects: [
        (name: "bullet", shape: Sphere(radius: 0.05), position: (-5.0, 1.0, 0.0), velocity: (400.0, 0.0, 0.0)),
        (name: "paper", shape: Box(half_extents: (0.005, 1.0, 1.0)), position: (0.0, 1.0, 0.0), motion: Fixed),
        (name: "room", shape: Mesh(file: "meshes/room.obj", facing: Front), motion: Fixed),
        (name: "lift", shape: Box(half_extents: (1.0, 0.1, 1.0)), rotation: Euler(y: 45.0),
         motion: Keyframes([(frame: 0, position: (0.0, 0.0, 0.0)), (frame: 60, position: (0.0, 3.0, 0.0))])),
    ],
    camera: (position: (0.0, 1.6, 8.0), look_at: (0.0, 1.0, 0.0), motion: Velocity((0.0, 0.0, -2.0)),
             probe: Standard, near: 0.1, fov: 60.0, aspect: 1.7777),
    bookmarks: [(frame: 12, fraction: 0.4, note: "clips the corner")],
    expect: [
        Hit(a: "bullet", b: "paper", frame: 0, fraction: 0.7417, tolerance: 1e-4),
        Finds(kind: Tunnels, cause: C01, a: "bullet", b: "paper", frame: 0),
        Position(object: "bullet", frame: 1, is: (1.6667, 1.0, 0.0), tolerance: 1e-3),
        NoFindings, NoFindings(), NoFindings(kind: Clips), /* bare, too */ NoFindings // and last
    ],
)
"##;

    const ROOM: &str = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n";

    fn folder_with(room: &[u8]) -> MemoryFolder {
        let mut folder = MemoryFolder::default();
        folder
            .files
            .insert("meshes/room.obj".to_owned(), room.to_vec());
        folder
    }

    fn parse(text: &str) -> Result<Scene, Problems> {
        scene::parse(text, "test.ron", &folder_with(ROOM.as_bytes()))
    }

    fn problems(text: &str) -> Vec<Problem> {
        match parse(text) {
            Ok(_) => panic!("accepted: {text}"),
            Err(Problems(problems)) => problems,
        }
    }

    /// Removes the `¦` from a text, and returns its position.
    fn marked(text: &str) -> (String, Place) {
        let before = text.split('¦').next().unwrap();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
        (text.replace('¦', ""), Place { line, column })
    }

    /// In the example the first text is replaced by the second; the first problem must be at the `¦` and contain the third.
    #[track_caller]
    fn all_wrong(table: &[(&str, &str, &str)]) {
        let mut faults = Vec::new();
        for (from, to, expected) in table {
            assert!(EXAMPLE.contains(from), "not in the example: {from}");
            let (text, place) = marked(&EXAMPLE.replacen(from, to, 1));
            let first = &problems(&text)[0];
            let message = first.to_string();
            if !message.contains(expected) || first.at != Some(place) || first.file != "test.ron" {
                faults.push(format!(
                    "{to}\n  wanted {place:?} {expected}\n  got    {message}"
                ));
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn the_documented_example_round_trips() {
        let scene = parse(EXAMPLE).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(scene.objects.len(), 4);
        assert_eq!(scene.expect.len(), 7);
        let text = scene::write(&scene);
        let again = parse(&text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        assert_eq!(again, scene, "{text}");
        assert_eq!(scene::write(&again), text);
    }

    #[test]
    fn syntax_errors_have_a_position() {
        all_wrong(&[
            ("Scene(", "¦Scen(", "begins with `Scene(`"),
            ("radius: 0.05", "¦raduis: 0.05", "did you mean `radius`?"),
            (
                "Sphere(radius: 0.05)",
                "¦Sphre(radius: 0.05)",
                "did you mean `Sphere`?",
            ),
            ("Sphere(radius: 0.05)", "¦Sphere()", "`radius`"),
            ("velocity:", "¦velocty:", "did you mean `velocity`?"),
            (
                "    frames: 60,",
                "    ¦frame: 60,",
                "did you mean `frames`?",
            ),
            (
                "detection: Overlap",
                "detection: ¦Sweeps",
                "did you mean `Sweep`?",
            ),
            ("radius: 0.05", "radius: ¦wide", "a number was expected"),
            (
                "(0.0, 1.0, 0.0), motion",
                "¦(0.0, 1.0), motion",
                "two numbers are a point of a flat level",
            ),
            (
                "(0.0, 1.0, 0.0), motion",
                "(0.0, 1.0, 0.0, 5.0¦), motion",
                "three numbers",
            ),
            (
                "[(frame: 12",
                "[(frame: ¦twelve",
                "a whole number was expected",
            ),
            (
                "[(frame: 12",
                "[(frame: -¦12",
                "(write one from 0 to 4294967295",
            ),
            (
                "frames: 60",
                "frames: -¦2",
                "(write one from 0 to 4294967295",
            ),
            (
                "    frames: 60,",
                "    ¦60,",
                "(write a field as `name: value`",
            ),
            ("name: \"paper\"", "name: ¦paper", "double quotes"),
            (
                "name: \"bullet\", ",
                "name: \"bullet\" ¦",
                "(write `,` after the value that comes before it",
            ),
            ("frames: 60", "frames: 60¦x", "`60x` is not a number"),
            ("cause: C01", "cause: ¦\"C01\"", "without quotes"),
            (
                "name: \"paper\", ",
                "name: \"paper\", ¦name: \"x\", ",
                "twice",
            ),
            (
                "// and last\n    ],\n)\n",
                "// and last\n    ],\n¦",
                "too early",
            ),
            ("/* bare", "¦/* /* bare", "comment"),
            ("near: 0.1", "¦neer: 0.1", "did you mean `near`?"),
            (
                "(frame: 60, position",
                "(frame: 60, ¦positon",
                "did you mean `position`?",
            ),
        ]);
    }

    #[test]
    fn a_mask_of_minus_one_is_all_bits() {
        for (written, wanted) in [
            ("-1", u32::MAX),
            ("-5", !4),
            ("0xff", 255),
            ("4294967295", u32::MAX),
        ] {
            let text = EXAMPLE.replacen(
                "radius: 0.05)",
                &format!("radius: 0.05), mask: {written}"),
                1,
            );
            let scene = parse(&text).unwrap_or_else(|problems| panic!("{problems}"));
            assert_eq!(scene.objects[0].mask, wanted, "{written}");
        }
        all_wrong(&[(
            "radius: 0.05)",
            "radius: 0.05), mask: 4294967296¦",
            "expected 32 bits: 0 to 4294967295, or -1 for all",
        )]);
    }

    #[test]
    fn invalid_values_have_a_position() {
        all_wrong(&[
            ("version: 1", "version: ¦2, novelty: 7", "version 2"),
            ("Scene(\n    version: 1,", "¦Scene(\n", "has no version"),
            ("name: \"Bullet through paper\"", "name: ¦\" \"", "no name"),
            ("length: 1.0", "length: ¦0.0", "above zero"),
            ("length: 1.0", "length: ¦NaN", "not a number"),
            ("dt: 0.016666666666666666", "dt: ¦0", "above zero"),
            ("dt: 0.016666666666666666", "dt: ¦-1", "above zero"),
            ("dt: 0.016666666666666666", "dt: ¦inf", "infinite"),
            ("frames: 60", "frames: ¦0", "frames must be 1"),
            ("frames: 60", "frames: ¦4000000000", "frames must be 1"),
            ("gravity: (0.0, 0.0", "gravity: (0.0, ¦NaN", "y of gravity"),
            (
                "gravity: (0.0, 0.0, 0.0)",
                "gravity: (z: 0, y: ¦-inf, x: 0)",
                "y of gravity",
            ),
            (
                "response: Push",
                "response: Bounce(restitution: ¦1.5)",
                "restitution",
            ),
            (
                "radius: 0.05",
                "radius: ¦-0.05",
                "radius must be above zero",
            ),
            ("radius: 0.05", "radius: ¦0", "radius must be above zero"),
            ("half_extents: (0.005", "half_extents: ¦(-0.005", "negative"),
            (
                "half_extents: (0.005, 1.0, 1.0)",
                "half_extents: ¦[0, 0, 0]",
                "all zero",
            ),
            ("(-5.0, 1.0, 0.0)", "(¦1e300, 1.0, 0.0)", "too large"),
            ("name: \"paper\"", "name: ¦\"bullet\"", "object in line 12"),
            ("name: \"paper\"", "name: ¦\"\"", "no name"),
            ("name: \"paper\"", "name: ¦\"camera\"", "camera"),
            ("Euler(y: 45.0)", "¦Quat(0, 0, 0, 0)", "zero quaternion"),
            ("Euler(y: 45.0)", "Quat(0, ¦NaN, 0, 0)", "not a number"),
            ("Euler(y: 45.0)", "Euler(y: ¦inf)", "infinite"),
            ("motion: Fixed)", "motion: Fixed, mass: ¦0)", "mass"),
            (
                "frame: 60, position",
                "frame: ¦0, position",
                "two keyframes at frame 0",
            ),
            (
                "(frame: 0, position: (0.0, 0.0, 0.0)), (frame: 60",
                "(frame: 90, position: (0.0, 0.0, 0.0)), (frame: ¦60",
                "frame 60 comes after frame 90",
            ),
            (
                "Keyframes([(frame: 0, position: (0.0, 0.0, 0.0))",
                "Keyframes([¦(frame: 0)",
                "position",
            ),
            (
                "shape: Sphere(radius: 0.05)",
                "shape: Plane(normal: ¦(0, 0, 0))",
                "zero",
            ),
            (
                "Mesh(file: \"meshes/room.obj\"",
                "Mesh(file: ¦\"meshes/rom.obj\"",
                "did you mean `meshes/room.obj`?",
            ),
            (
                "Mesh(file: \"meshes/room.obj\"",
                "Mesh(file: ¦\"/etc/passwd\"",
                "absolute",
            ),
            (
                "Mesh(file: \"meshes/room.obj\"",
                "Mesh(file: ¦\"../room.obj\"",
                "leaves",
            ),
            (
                "Mesh(file: \"meshes/room.obj\"",
                "Mesh(file: ¦\"room.fbx\"",
                "ending in .obj, .gltf or .glb",
            ),
            (
                "Mesh(file: \"meshes/room.obj\"",
                "¦Mesh(vertices: []",
                "a mesh is a file, or",
            ),
            (
                "file: \"meshes/room.obj\"",
                "vertices: [(0,0,0), (1,0,0)], triangles: [¦[0, 1, 2]]",
                "uses vertex 2",
            ),
            (
                "file: \"meshes/room.obj\"",
                "vertices: [(0,0,0)], triangles: ¦[]",
                "no triangle",
            ),
            (
                "look_at: (0.0, 1.0, 0.0)",
                "look_at: ¦(0.0, 1.6, 8.0)",
                "its own position",
            ),
            (
                "look_at: (0.0",
                "rotation: Euler(x: 5), look_at: ¦(0.0",
                "both",
            ),
            ("near: 0.1", "near: ¦0", "near plane"),
            ("fov: 60.0", "fov: ¦180", "below 180"),
            ("aspect: 1.7777", "aspect: ¦-1", "aspect"),
            (
                "probe: Standard",
                "probe: Lines([(1, 0, 0), (0, ¦inf, 0)])",
                "infinite",
            ),
            (
                "motion: Velocity((0.0, 0.0",
                "motion: Velocity((0.0, ¦NaN",
                "not a number",
            ),
            ("frame: 12", "frame: ¦61", "past the timeline"),
            ("fraction: 0.4", "fraction: ¦1.4", "within 0 to 1"),
            (
                "Hit(a: \"bullet\"",
                "Hit(a: ¦\"bulet\"",
                "did you mean `bullet`?",
            ),
            ("b: \"paper\", frame", "b: ¦\"bullet\", frame", "itself"),
            (
                "frame: 0, fraction",
                "frame: ¦60, fraction",
                "past the timeline",
            ),
            ("fraction: 0.7417", "fraction: ¦1.0", "below 1"),
            ("tolerance: 1e-4", "tolerance: ¦-1e-4", "negative"),
            ("kind: Tunnels", "kind: ¦Tunels", "did you mean `Tunnels`?"),
            ("kind: Clips", "kind: ¦Clops", "did you mean `Clips`?"),
            ("frames: 60", "frames: 60¦x", "`60x` is not a number"),
            ("cause: C01", "cause: ¦C26", "C01 to C25"),
            ("frames: 60", "frames: 60¦x", "`60x` is not a number"),
            ("cause: C01", "cause: ¦C1", "C01 to C25"),
            ("is: (1.6667", "is: (¦NaN", "not a number"),
            ("frame: 1, is", "frame: ¦61, is", "past the timeline"),
            (
                "NoFindings,",
                "Push(object: ¦\"nobody\", frame: 0, is: (0, 0, 0)),",
                "no object `nobody`",
            ),
        ]);
    }

    #[test]
    fn all_errors_are_reported_in_the_order_of_the_text() {
        let text = EXAMPLE
            .replace("radius: 0.05", "radius: -1")
            .replace("half_extents: (0.005", "half_extends: (0.005")
            .replace("dt: 0.01", "dt: -0.01")
            .replace("fraction: 0.7417", "fraction: 3")
            .replace("kind: Clips", "kind: Clops");
        let problems = problems(&text);
        let lines: Vec<_> = problems.iter().map(|p| p.at.unwrap().line).collect();
        assert_eq!(lines, [6, 12, 13, 22, 25], "{problems:#?}");
    }

    #[test]
    fn an_error_in_a_mesh_file_has_its_line() {
        let cases = [
            ("v 0 0 0\nv 1 0\n", 2, "three numbers"),
            ("v 0 0 0\nv a b c\n", 2, "`a` is not a number"),
            (
                "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n",
                5,
                "vertex 4, there are 3",
            ),
            ("v 0 0 0\nf 0 1 1\n", 2, "`0` does not name a vertex"),
            ("v 0 0 0\nf -2 1 1\n", 2, "does not name a vertex"),
            ("v 0 0 0\nf 1 1\n", 2, "three vertices"),
            ("v 0 0 0\nv nan 0 0\n", 2, "not finite"),
            ("v 0 0 0 0\n", 1, "not finite"),
            ("v 0 0 0\nv 1 0 0 x\n", 2, "`x` is not a number"),
            ("# a \\\r\nv 0 0 0\r\nv 1 \\\r\n 0\r\n", 3, "three numbers"),
            ("v 0 0 0\nvt x\nf\n", 3, "three vertices"),
            ("v 0 0 0\nf 1 1/1/1/1 1\n", 2, "`1/1/1/1` does not name"),
            ("v 0 0 0\nf 1 -1 1.5\n", 2, "`1.5` does not name a vertex"),
            ("v 0 0 0\nf 1 1 //1\n", 2, "`//1` does not name a vertex"),
            (
                "v 0 0 0\nf 1 1 9223372036854775807\n",
                2,
                "vertex 9223372036854775807",
            ),
            ("v 0 0 0\nf 1 1 -9223372036854775808\n", 2, "does not name"),
            ("v 1e15 0 0\nv 0 1.1e15 0\nf 1 1 1", 2, "too far away"),
        ];
        for (obj, line, expected) in cases {
            let result = scene::parse(EXAMPLE, "test.ron", &folder_with(obj.as_bytes()));
            let Problems(problems) = result.unwrap_err();
            assert_eq!(problems.len(), 1, "{obj}");
            assert_eq!(problems[0].file, "meshes/room.obj", "{obj}");
            assert_eq!(problems[0].at.map(|at| at.line), Some(line), "{obj}");
            assert!(
                problems[0].what.contains(expected),
                "{obj}: {}",
                problems[0]
            );
        }
        for empty in ["", "# nothing\n", "v 0 0 0\n", "v 0 0 0\nv 1 0 0\nl 1 2\n"] {
            let result = scene::parse(EXAMPLE, "test.ron", &folder_with(empty.as_bytes()));
            let Problems(problems) = result.unwrap_err();
            assert!(problems[0].what.contains("has no face"), "{}", problems[0]);
            assert_eq!(problems[0].file, "test.ron");
            assert_eq!(problems[0].at.map(|at| at.line), Some(14));
        }
    }

    #[test]
    fn hostile_texts_are_refused_quickly() {
        let deep = "(".repeat(1_000_000);
        let comments = format!("{}1{}", "/*".repeat(200_000), "*/".repeat(200_000));
        let lists = format!("Scene(version: 1, objects: {}", "[".repeat(500_000));
        let many = format!(
            "Scene(version: 1, name: \"x\", dt: 1, frames: 1, objects: [{}])",
            "(nam: 1),".repeat(20_000)
        );
        let nan = format!(
            "Scene(version: 1, name: \"x\", dt: 1, frames: 1, objects: [(name: \"m\", shape: Mesh(vertices: [{}], triangles: []))])",
            "(NaN, 0, 0),".repeat(20_000)
        );
        for text in [deep, comments, lists, many, nan, "\u{FEFF}".to_owned()] {
            let problems = problems(&text);
            assert!(!problems.is_empty() && problems.len() <= 201);
            assert!(problems.iter().all(|problem| problem.at.is_some()));
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_outside_of_the_folder_is_read() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("level");
        std::fs::create_dir_all(inner.join("meshes")).unwrap();
        std::fs::write(outer.path().join("secret.obj"), ROOM).unwrap();
        std::fs::write(inner.join("meshes/room.obj"), ROOM).unwrap();
        std::os::unix::fs::symlink("../secret.obj", inner.join("out.obj")).unwrap();
        std::os::unix::fs::symlink("meshes/room.obj", inner.join("in.obj")).unwrap();
        let folder = DiskFolder {
            root: inner.clone(),
        };
        for good in ["meshes/room.obj", "./meshes//room.obj", "in.obj"] {
            assert_eq!(folder.read(good).unwrap(), ROOM.as_bytes(), "{good}");
        }
        let absolute = inner.join("meshes/room.obj");
        let absolute = absolute.to_str().unwrap();
        let refused = [
            "../secret.obj",
            "meshes/../../secret.obj",
            "out.obj",
            absolute,
        ];
        for bad in refused
            .into_iter()
            .chain(["", "meshes", "none.obj", "a\\b", "C:/x", "a\0b"])
        {
            let problem = folder.read(bad).unwrap_err();
            assert!(!problem.what.is_empty(), "{bad}");
        }
        assert!(
            folder
                .read("out.obj")
                .unwrap_err()
                .what
                .contains("leads out")
        );
    }

    /// Picks positions and tokens.
    struct Dice(Random);

    impl Dice {
        fn below(&mut self, sides: usize) -> usize {
            self.0.index(sides)
        }
    }

    /// Tokens of the scene format.
    const PIECES: [&str; 40] = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "\"",
        "'",
        "\\",
        "/*",
        "*/",
        "//",
        "\n",
        "\r\n",
        "#",
        "#![enable(",
        "unwrap_variant_newtypes)]",
        "r#\"",
        "\"#",
        "b'",
        "Some(",
        "None",
        "NaN",
        "-inf",
        "1e999",
        "-0.0",
        "..",
        "..=",
        "_",
        "Mesh(",
        "Keyframes([",
        "NoFindings",
        "é",
        "\u{200E}",
        "\u{FEFF}",
        "0x",
        "\u{0}",
        "99999999999999999999",
    ];

    fn mutated(text: &str, dice: &mut Dice) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=dice.below(3) {
            let at = dice.below(bytes.len().max(1)).min(bytes.len());
            let to = (at + dice.below(30)).min(bytes.len());
            match dice.below(6) {
                0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
                1 => bytes.truncate(at),
                2 => drop(bytes.drain(at..to)),
                3 => {
                    let copy = bytes[at..to].to_vec();
                    let other = dice.below(bytes.len() + 1);
                    drop(bytes.splice(other..other, copy));
                }
                _ => {
                    let piece = PIECES[dice.below(PIECES.len())];
                    drop(bytes.splice(at..at, piece.bytes()));
                }
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Parsing ends with a scene that can be written and read, or with problems whose positions are inside the text.
    fn survives(text: &str, room: &[u8], seed: u64) {
        let folder = folder_with(room);
        match scene::parse(text, "test.ron", &folder) {
            Ok(scene) => {
                let written = scene::write(&scene);
                let again = scene::parse(&written, "again.ron", &folder);
                assert_eq!(
                    again.as_ref(),
                    Ok(&scene),
                    "seed {seed}\n{written}\nfrom\n{text}"
                );
            }
            Err(Problems(problems)) => {
                assert!(!problems.is_empty(), "seed {seed}");
                for problem in problems {
                    assert!(!problem.what.is_empty(), "seed {seed}: {text}");
                    let at = problem
                        .at
                        .unwrap_or_else(|| panic!("seed {seed}: {problem}"));
                    let file = match problem.file.as_str() {
                        "test.ron" => text.to_owned(),
                        _ => String::from_utf8_lossy(room).into_owned(),
                    };
                    let line = file.split('\n').nth(at.line - 1);
                    let line = line.unwrap_or_else(|| panic!("seed {seed}: {problem}"));
                    assert!(
                        at.column <= line.chars().count() + 1,
                        "seed {seed}: {problem}"
                    );
                }
            }
        }
    }

    #[test]
    fn mutated_scenes_never_panic() {
        for seed in 0..rounds(4_000) {
            let text = mutated(EXAMPLE, &mut Dice(Random(seed)));
            survives(&text, ROOM.as_bytes(), seed);
        }
    }

    #[test]
    fn random_tokens_never_panic() {
        for seed in 0..rounds(5_000) {
            let mut dice = Dice(Random(seed));
            let count = dice.below(40);
            let text: String = (0..count)
                .map(|_| PIECES[dice.below(PIECES.len())])
                .collect();
            survives(&text, ROOM.as_bytes(), seed);
            survives(&format!("Scene(version: 1, objects: [{text}"), b"", seed);
        }
    }

    #[test]
    fn mutated_meshes_never_panic() {
        let room = "v 0 0 0\nv 1 0 0 1.0\nv 1 0 1 1 1 1\nv 0 0 1\nv 0.5 0 0.5\nvn 0 1 0\no a\nf 1//1 2//1 3//1 4//1 -1//1\nf 1 \\\n 2 3\nusemtl b\nf 4 3 2\n";
        let scene = r#"Scene(version: 1, name: "mesh", dt: 1, frames: 1,
            objects: [(name: "room", shape: Mesh(file: "meshes/room.obj"))])"#;
        for seed in 0..rounds(5_000) {
            let room = mutated(room, &mut Dice(Random(seed)));
            survives(scene, room.as_bytes(), seed);
        }
    }
}
