//! Meshes of more than one wall, and contacts that were detected but not held.

use super::*;

/// A square floor at y = 0 and a wall at x = 0 of one mesh, each of two triangles; their fronts face up and toward -x.
fn room(facing: Facing) -> Object {
    let vertices = vec![
        DVec3::new(-9.0, 0.0, -9.0),
        DVec3::new(-9.0, 0.0, 9.0),
        DVec3::new(9.0, 0.0, 9.0),
        DVec3::new(9.0, 0.0, -9.0),
        DVec3::new(0.0, 0.0, -9.0),
        DVec3::new(0.0, 0.0, 9.0),
        DVec3::new(0.0, 5.0, 9.0),
        DVec3::new(0.0, 5.0, -9.0),
    ];
    let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let mesh = Mesh::new(vertices, triangles, facing).unwrap();
    fixed("room", Shape::Mesh(Arc::new(mesh)), [0.0; 3])
}

/// A ball that rolls on a floor through a wall of the same mesh: the floor must not hide the wall, at the start or at the end.
#[test]
fn a_floor_does_not_hide_the_wall_of_its_mesh() {
    for facing in [Facing::Both, Facing::Front] {
        for (from, to) in [(0.199, 0.199), (0.199, 0.5), (0.5, 0.199)] {
            // The room may as well move past the ball.
            for (moves, sign) in [(0, 1.0), (1, -1.0)] {
                let mut room = room(facing);
                room.movement = Movement::Kinematic;
                let mut objects = vec![ball("ball", 0.2, [-1.0, from, 0.1], [0.0; 3]), room];
                objects[moves].velocity = sign * DVec3::new(2.0, to - from, 0.0) / DT;
                let report = report(scene(1, objects));
                let found = single(&report);
                assert_eq!(found.kind, Kind::Tunnels, "{facing:?} from {from} to {to}");
                close(found.fraction, 0.4, 1e-9);
                assert_eq!((found.a.as_str(), found.b.as_str()), ("ball", "room"));
                close(found.normal[0], -1.0, 1e-9);
                // A front detects a ball only while its centre is in front of it.
                let detected = if facing == Facing::Both { 0.4 } else { 0.2 };
                close(evidence(found, "limit_seen"), detected, 1e-9);
                let missed = 1.0 - detected / 2.0;
                close(evidence(found, "missed_share"), missed, 1e-9);
                if facing == Facing::Both {
                    let phases = evidence(found, "phases");
                    close(evidence(found, "phase_missed_share"), missed, 1.0 / phases);
                    // Of the 0.4 m along which it is detected, it is pushed back from the first 0.2 m.
                    let wrong = evidence(found, "phase_wrong_side_share");
                    close(wrong, 0.1, 1.0 / phases);
                }
            }
        }
    }
}

/// A mesh of a floor at y = -0.2 and two walls at some x.
fn walls(places: [f64; 2]) -> Object {
    let wall = |x: f64| [[-9.0, -9.0], [-9.0, 9.0], [18.0, 0.0]].map(|[y, z]| DVec3::new(x, y, z));
    let floor = [[-9.0, -9.0], [0.0, 18.0], [9.0, -9.0]].map(|[x, z]| DVec3::new(x, -0.2, z));
    let vertices = [floor, wall(places[0]), wall(places[1])].concat();
    let triangles = vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]];
    let mesh = Mesh::new(vertices, triangles, Facing::Both).unwrap();
    fixed("walls", Shape::Mesh(Arc::new(mesh)), [0.0; 3])
}

/// Of two walls of a mesh that a ball passes in one frame it hits the nearer one first, in either order of their triangles.
#[test]
fn the_nearer_wall_of_a_mesh_is_hit_first() {
    for places in [[0.0, 0.5], [0.5, 0.0]] {
        let objects = vec![
            ball("ball", 0.2, [-1.0, -0.001, 0.0], [2.0 / DT, 0.0, 0.0]),
            walls(places),
        ];
        let report = report(scene(1, objects));
        let found = single(&report);
        assert_eq!(found.kind, Kind::Tunnels);
        close(found.fraction, 0.4, 1e-9);
        close(found.point[0], 0.0, 1e-9);
    }
}

/// A ball that is 0.15 m deep in a floor, and 0.1 m and 0.08 m in two walls of its mesh, goes through both walls: as deep as in the first, in either
/// order of their triangles.
#[test]
fn the_deeper_of_two_walls_of_a_mesh_gives_the_depth() {
    let depths = [[0.0, 0.02], [0.02, 0.0]].map(|places| {
        let mut walls = walls(places);
        walls.pose.position.y = 0.15;
        let deep = ball("ball", 0.2, [-0.1, 0.0, 0.0], [1.0 / DT, 0.0, 0.0]);
        let log = Log::new(vec![deep, walls])
            .frame(DT, &[at([-0.1, 0.0, 0.0]), at([0.0, 0.15, 0.0])])
            .frame(DT, &[at([0.9, 0.0, 0.0]), at([0.0, 0.15, 0.0])]);
        let report = report_of(log.replay());
        let passes = report
            .findings
            .iter()
            .find(|found| found.kind == Kind::Sinks);
        evidence(passes.expect("it leaves behind the walls"), "depth")
    });
    for depth in depths {
        close(depth, 0.1, 1e-9);
    }
}

/// From the far side the same wall of a one-sided mesh is passed from behind.
#[test]
fn a_floor_does_not_hide_the_back_of_a_wall() {
    let rolling = ball("ball", 0.2, [1.0, 0.199, 0.1], [-2.0 / DT, 0.0, 0.0]);
    let report = report(scene(1, vec![rolling, room(Facing::Front)]));
    let found = single(&report);
    assert_eq!((found.kind, found.cause), (Kind::Tunnels, Cause::Facing));
    assert_eq!(found.fixes, []);
}

/// The clean neighbour: a floor of many small triangles, rolled over fast and slow, a little deep or just touching.
#[test]
fn rolling_over_internal_edges_is_no_finding() {
    let side = 24;
    let mut vertices = Vec::new();
    for z in 0..=side {
        for x in 0..=side {
            vertices.push(DVec3::new(f64::from(x), 0.0, f64::from(z)) * 0.25);
        }
    }
    let mut triangles = Vec::new();
    for z in 0..side as u32 {
        for x in 0..side as u32 {
            let row = side as u32 + 1;
            let at = z * row + x;
            triangles.push([at, at + row, at + 1]);
            triangles.push([at + 1, at + row, at + row + 1]);
        }
    }
    for facing in [Facing::Both, Facing::Front] {
        let mesh = Mesh::new(vertices.clone(), triangles.clone(), facing).unwrap();
        let floor = fixed("floor", Shape::Mesh(Arc::new(mesh)), [0.0; 3]);
        for step in [0.03, 0.25, 0.9, 3.7] {
            for height in [0.2, 0.199, 0.1999] {
                let mut rolling = ball("ball", 0.2, [0.4, height, 0.3], [0.0; 3]);
                rolling.velocity = DVec3::new(step, 0.0, 0.31 * step) / DT;
                let frames = (4.0 / step) as u32;
                let report = report(scene(frames, vec![rolling, floor.clone()]));
                assert_eq!(
                    report.findings,
                    [],
                    "{facing:?}, {step} m a frame at {height}"
                );
            }
        }
    }
}

/// At rest for three states, then falls through a thin floor in one frame.
fn let_through(floor: Object, end: [f64; 3]) -> Report {
    let objects = vec![ball("ball", 0.2, [0.0; 3], [0.0; 3]), floor];
    let mut log = Log::new(objects);
    for y in [0.2, 0.199, 0.199] {
        log = log.frame(DT, &[at([0.0, y, 0.1]), at([0.0; 3])]);
    }
    let log = log.frame(DT, &[at(end), at([0.0; 3])]);
    report_of(log.replay())
}

#[test]
fn a_ball_that_rests_and_falls_through_sinks() {
    let mesh = Mesh::new(
        vec![
            DVec3::new(-3.0, 0.0, -3.0),
            DVec3::new(0.0, 0.0, 9.0),
            DVec3::new(3.0, 0.0, -3.0),
        ],
        vec![[0, 1, 2]],
        Facing::Front,
    );
    let mesh = Shape::Mesh(Arc::new(mesh.unwrap()));
    for floor in [thin_floor_at_origin(), fixed("floor", mesh, [0.0; 3])] {
        let report = let_through(floor, [0.0, -0.6, 0.1]);
        let found = single(&report);
        assert_eq!((found.kind, found.cause), (Kind::Sinks, Cause::LetThrough));
        assert_eq!((found.frame, found.a.as_str()), (2, "ball"));
        assert_eq!(found.also, []);
        close(evidence(found, "frames_in_contact"), 3.0, 0.0);
        close(evidence(found, "displacement"), 0.799, 1e-9);
        assert!(
            found.text.contains("the response let it through"),
            "{}",
            found.text
        );
    }
}

/// A touch in one state is not yet a contact. The value of its fix, by hand: 0.8 m a frame, and a push-out leads back up to radius and
/// half the thickness, 0.21 m.
#[test]
fn fixes_of_a_ball_that_passes_from_a_touch() {
    let mut falling = ball("ball", 0.2, [0.0, 0.2, 0.1], [0.0, -0.8 / DT, 0.0]);
    falling.mass = 2.0;
    let report = report(scene(
        1,
        vec![falling, wall("floor", [3.0, 0.01, 3.0], [0.0, -0.01, 0.0])],
    ));
    let found = single(&report);
    assert_eq!((found.kind, found.cause), (Kind::Tunnels, Cause::TooFast));
    close(fix(found, "substeps"), 4.0, 0.0);
    close(fix(found, "max_speed"), SAFE * 0.21 / DT, 1e-9);
}

#[test]
fn leaving_on_its_own_side_is_no_sinking() {
    let y = |height: f64| [0.0, height, 0.1];
    for end in [y(0.6), y(0.2), y(0.19), [5.0, -0.1, 0.1], [30.0, -0.6, 0.1]] {
        assert_eq!(
            let_through(thin_floor_at_origin(), end).findings,
            [],
            "ends at {end:?}"
        );
    }
}

/// Its top is at y = 0, its origin at the centre of the top.
fn thin_floor_at_origin() -> Object {
    let vertices: Vec<DVec3> = (0..8)
        .map(|corner: i32| {
            let side = |bit: i32| f64::from((corner >> bit & 1) * 2 - 1);
            DVec3::new(3.0 * side(0), 0.01 * side(1) - 0.01, 3.0 * side(2))
        })
        .collect();
    let triangles = vec![
        [0, 4, 6],
        [0, 6, 2],
        [1, 3, 7],
        [1, 7, 5],
        [0, 1, 5],
        [0, 5, 4],
        [2, 6, 7],
        [2, 7, 3],
        [0, 2, 3],
        [0, 3, 1],
        [4, 5, 7],
        [4, 7, 6],
    ];
    let mesh = Mesh::new(vertices, triangles, Facing::Both).unwrap();
    fixed("floor", Shape::Mesh(Arc::new(mesh)), [0.0; 3])
}

/// Up through a one-sided platform, and down onto it: it is passed from behind, and then hit.
#[test]
fn a_one_sided_platform_passed_from_below_is_no_sinking() {
    let vertices = vec![
        DVec3::new(-3.0, 1.0, -3.0),
        DVec3::new(0.0, 1.0, 9.0),
        DVec3::new(3.0, 1.0, -3.0),
    ];
    let mesh = Mesh::new(vertices, vec![[0, 1, 2]], Facing::Front).unwrap();
    let platform = fixed("platform", Shape::Mesh(Arc::new(mesh)), [0.0; 3]);
    let jumping = ball("ball", 0.2, [0.0, 0.2, 0.1], [0.0, 6.0, 0.0]);
    let report = report(Scene {
        gravity: DVec3::new(0.0, -9.81, 0.0),
        response: Response::Slide,
        ..scene(90, vec![jumping, platform])
    });
    let found = single(&report);
    assert_eq!((found.kind, found.cause), (Kind::Tunnels, Cause::Facing));
}

/// An upright capsule, 0.7 m long, falls through a floor of triangles with edges of 1 m in frames of 0.25 m. At the middle of an edge
/// the shortest push out of a triangle is sideways, by its radius of 0.15 m. Its centre passes from 0.14 to -0.11, after one state in contact.
#[test]
fn a_long_body_sinks_through_a_floor_of_small_triangles() {
    let body = r#"{"id":0,"name":"body","shape":{"capsule":{"half_height":0.2,"radius":0.15}}}"#;
    let falls_at = |x: f64, heights: &[f64]| {
        let floor = r#"{"id":1,"name":"floor","motion":"fixed","shape":{"mesh":{"vertices":[[-1,0,-1],[-1,0,0],[-1,0,1],[0,0,-1],[0,0,0],[0,0,1],[1,0,-1],[1,0,0],[1,0,1]],"triangles":[[0,1,4],[0,4,3],[1,2,5],[1,5,4],[3,4,7],[3,7,6],[4,5,8],[4,8,7]]}}}"#;
        let line = |y: &f64| format!(r#""bodies":[{{"id":0,"p":[{x},{y},0.4]}}]"#);
        let lines: Vec<String> = heights.iter().map(line).collect();
        diagnosed(&opened("log.jsonl", log_of("", &[body, floor], &lines)))
    };
    let falls = |heights: &[f64]| falls_at(0.01, heights);
    let passed = falls(&[0.64, 0.39, 0.14, -0.11, -0.36, -0.61]);
    let found = single(&passed);
    assert_eq!((found.kind, found.frame), (Kind::WrongSide, 2));
    assert_eq!(found.cause, Cause::WrongSide);
    assert_eq!(found.normal, [0.0, 1.0, 0.0]);
    // After two states in contact.
    let sinks = falls(&[0.64, 0.39, 0.34, 0.14, -0.11, -0.36]);
    let found = single(&sinks);
    assert_eq!((found.kind, found.frame), (Kind::Sinks, 3));
    // Clear of the floor at the end of a frame.
    let through = falls(&[0.64, 0.39, 0.14, -0.36, -0.61]);
    let found = single(&through);
    assert_eq!((found.kind, found.frame), (Kind::Sinks, 2));
    // Clear of it at the start of one.
    let deep = falls(&[0.64, 0.39, -0.11, -0.36]);
    let found = single(&deep);
    assert_eq!((found.kind, found.frame), (Kind::WrongSide, 1));
    // The floor ends there, and a push would lead out beside it; its centre passes all the same, and later it is clear.
    let beside = falls_at(0.99, &[0.64, 0.39, 0.14, -0.11, -0.36]);
    let found = single(&beside);
    assert_eq!((found.kind, found.frame), (Kind::Sinks, 3));
    // Its centre falls beside the floor.
    let past = falls_at(1.01, &[0.64, 0.39, 0.14, -0.11, -0.36]);
    assert_eq!(past.findings, []);
    // It comes back before its centre passes.
    let held = falls(&[0.64, 0.39, 0.14, 0.04, 0.29, 0.54]);
    assert_eq!(held.findings, []);
}

/// Balls of 0.2 m that pass a plate of 0.1 m in one frame and end on its far side: touching it, and 2 mm deep, which an overlap test detects.
/// Of one that comes to rest in front of it there is nothing to report.
#[test]
fn a_body_that_ends_touching_the_far_side_of_a_plate_has_passed_it() {
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.2}}}"#;
    let boxed = r#"{"box":{"half_extents":[0.05,1,1]}}"#;
    let hull = r#"{"convex_hull":{"points":[[-0.05,-1,-1],[-0.05,-1,1],[-0.05,1,-1],[-0.05,1,1],[0.05,-1,-1],[0.05,-1,1],[0.05,1,-1],[0.05,1,1]]}}"#;
    for shape in [boxed, hull] {
        let plate = format!(r#"{{"id":1,"name":"plate","motion":"fixed","shape":{shape}}}"#);
        let ends_at = |x: f64| {
            let line = |x: f64| format!(r#""bodies":[{{"id":0,"p":[{x},0.1,0]}}]"#);
            let lines = [-2.0, -1.0, x].map(line);
            let log = log_of("", &[ball, &plate], &lines);
            diagnosed(&opened("log.jsonl", log))
        };
        for (end, kind) in [(0.25, Kind::Tunnels), (0.248, Kind::WrongSide)] {
            let report = ends_at(end);
            let found = single(&report);
            assert_eq!((found.kind, found.frame), (kind, 1), "{shape} {end}");
        }
        assert_eq!(ends_at(-0.2495).findings, [], "{shape}");
    }
}

/// A ball of 0.1 m goes through a hole of 0.14 m between a sheet and a strip of 0.02 m, 0.05 m from its middle: the hole ends at the edge that faces
/// the strip, not at the other border of the strip.
#[test]
fn a_hole_is_as_wide_as_from_edge_to_facing_edge() {
    let band = |from: f64, to: f64| {
        [[from, -9.0], [to, -9.0], [to, 9.0], [from, 9.0]].map(|[x, y]| DVec3::new(x, y, 0.0))
    };
    let vertices = [band(-0.07, -0.05), band(0.09, 9.0)].concat();
    let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let mesh = Mesh::new(vertices, triangles, Facing::Both).unwrap();
    let objects = vec![
        ball("ball", 0.1, [0.0, 0.0, 1.0], [0.0, 0.0, -2.0 / DT]),
        fixed("sheet", Shape::Mesh(Arc::new(mesh)), [0.0; 3]),
    ];
    let report = report(scene(1, objects));
    let found = single(&report);
    assert_eq!(found.kind, Kind::Tunnels);
    assert!(causes(found).contains(&Cause::Gap), "{found:?}");
    close(fix(found, "weld_distance"), 0.14, 1e-9);
}

/// A bar of half 1.5 and 0.05 m, tilted by a slope of 1/4, falls by 0.129 m onto a floor with its end first. The triangles below its end begin 0.32 m
/// before it. Up, the way out is as long as the lowest corner is deep; down, across the bar, it is 0.05 m and what its axis is above where
/// they begin. The first is longer from 0.0887 m past the touch on, with the centre far above the floor. When the axis comes down to where they
/// begin, the triangles before them are deeper, which push up.
#[test]
fn a_bar_is_pushed_down_by_the_end_of_a_floor_below_its_centre() {
    let (sine, cosine) = (0.25 / 1.0625_f64.sqrt(), 1.0 / 1.0625_f64.sqrt());
    let half_height = 1.5 * sine + 0.05 * cosine;
    let border = 1.5 * cosine - 0.32;
    let corner = |x: f64, z: f64| DVec3::new(x, 0.0, z);
    let row = [-2.0, border, 2.0].map(|x| [corner(x, -1.0), corner(x, 1.0)]);
    let triangles = vec![[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4]];
    let mesh = Mesh::new(row.concat(), triangles, Facing::Both).unwrap();
    let floor = fixed("floor", Shape::Mesh(Arc::new(mesh)), [0.0; 3]);
    // The axis is 0.02 m above where they begin when the frame ends.
    let (from, end) = (half_height + 0.02, 1.5 * sine - 0.06);
    let fall = from - end;
    let mut bar = ball("bar", 1.0, [0.0, from, 0.0], [0.0, -fall / DT, 0.0]);
    let half_extents = DVec3::new(1.5, 0.05, 0.05);
    bar.shape = Shape::Box { half_extents };
    bar.pose.rotation = glam::DQuat::from_rotation_z(-0.25_f64.atan());
    let report = report(scene(1, vec![bar, floor]));
    let found = single(&report);
    let kinds = (found.kind, found.cause);
    assert_eq!(kinds, (Kind::WrongSide, Cause::WrongSide));
    close(evidence(found, "push"), 0.02 * cosine + 0.05, 1e-9);
    let above = (0.03 + 0.05 * cosine) / (1.0 + cosine);
    let up_to = 0.08 + 0.05 * cosine - above;
    close(evidence(found, "limit_side"), up_to, 1e-6);
    let wrong = evidence(found, "phase_wrong_side_share");
    close(wrong, above / fall, 1.0 / 64.0);
    let says =
        "with its centre still in front: the shortest push, 0.0694 m, points out on the far side";
    assert!(found.text.contains(says), "{}", found.text);
}
