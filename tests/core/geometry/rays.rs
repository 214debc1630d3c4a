//! Rays: exact results for every shape, watertight meshes; and the camera's line probe.

use glam::{DQuat, DVec3};
use hitstop::core::query::probe::{ProbeMode, STANDARD_PROBE, probe};
use hitstop::core::query::{ray_cast, ray_cast_triangle};
use hitstop::core::shape::{
    Capsule, Cone, Cylinder, Facing, Mesh, Plane, Pose, RoundedBox, Segment, Shape, SolidShape,
    Triangle,
};
use std::sync::Arc;

const fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

#[test]
fn rays_hit_every_shape_from_outside_and_from_inside() {
    let ball = Shape::Sphere { radius: 1.0 };
    let cuboid = Shape::Box {
        half_extents: DVec3::ONE,
    };
    let capsule = Shape::Capsule(Capsule {
        segment: Segment {
            a: at(0.0, -1.0, 0.0),
            b: at(0.0, 1.0, 0.0),
        },
        radius: 1.0,
    });
    let plane = Shape::Plane(Plane {
        normal: DVec3::X,
        offset: 1.0,
    });
    let (far, near, inside, past) = (
        at(5.0, 0.0, 0.0),
        at(3.0, 0.0, 0.0),
        DVec3::ZERO,
        at(-5.0, 0.0, 0.0),
    );
    type Expected = Option<(f64, bool, DVec3)>;
    let rows: [(&str, &Shape, DVec3, DVec3, Expected); 13] = [
        (
            "ball, through",
            &ball,
            far,
            past,
            Some((0.4, false, DVec3::X)),
        ),
        ("ball, ends before it", &ball, far, near, None),
        (
            "ball, ends on it",
            &ball,
            near,
            at(1.0, 0.0, 0.0),
            Some((1.0, false, DVec3::X)),
        ),
        (
            "ball, from inside",
            &ball,
            inside,
            near,
            Some((1.0 / 3.0, true, -DVec3::X)),
        ),
        ("ball, stays inside", &ball, inside, at(0.5, 0.0, 0.0), None),
        (
            "ball, tangent",
            &ball,
            at(5.0, 1.0, 0.0),
            at(-5.0, 1.0, 0.0),
            None,
        ),
        (
            "box, through",
            &cuboid,
            far,
            past,
            Some((0.4, false, DVec3::X)),
        ),
        (
            "box, from inside",
            &cuboid,
            inside,
            near,
            Some((1.0 / 3.0, true, -DVec3::X)),
        ),
        (
            "box, along its face",
            &cuboid,
            at(5.0, 1.0, 0.0),
            at(-5.0, 1.0, 0.0),
            None,
        ),
        (
            "capsule, through",
            &capsule,
            far,
            past,
            Some((0.4, false, DVec3::X)),
        ),
        (
            "capsule, its end",
            &capsule,
            at(0.0, 4.0, 0.0),
            at(0.0, 0.0, 0.0),
            Some((0.5, false, DVec3::Y)),
        ),
        (
            "plane, into it",
            &plane,
            far,
            past,
            Some((0.4, false, DVec3::X)),
        ),
        (
            "plane, out of it",
            &plane,
            inside,
            at(2.0, 0.0, 0.0),
            Some((0.5, true, -DVec3::X)),
        ),
    ];
    for (name, shape, a, b, expected) in rows {
        // The same in a rotated and moved world.
        let turned = Pose {
            position: at(3.0, -7.0, 11.0),
            rotation: DQuat::from_rotation_y(0.7) * DQuat::from_rotation_x(1.1),
        };
        for (pose, slack) in [(Pose::IDENTITY, 0.0), (turned, 1e-14)] {
            if slack > 0.0
                && matches!(
                    name,
                    "ball, ends on it" | "ball, tangent" | "box, along its face"
                )
            {
                continue; // Rounding decides there.
            }
            let ray = Segment {
                a: pose.point(a),
                b: pose.point(b),
            };
            let hit = ray_cast(&ray, shape, &pose);
            match (hit, expected) {
                (Some(hit), Some((fraction, back, normal))) => {
                    assert!(
                        (hit.fraction - fraction).abs() <= slack + 1e-15,
                        "{name}: {hit:?}"
                    );
                    assert_eq!(hit.back, back, "{name}");
                    assert!(
                        (hit.normal - pose.vector(normal)).length() <= slack * 10.0,
                        "{name}: {hit:?}"
                    );
                    assert!(
                        (ray.a + (ray.b - ray.a) * fraction - hit.point).length() <= 1e-13,
                        "{name}"
                    );
                }
                (None, None) => {}
                other => panic!("{name}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_triangle_is_hit_at_its_weights_in_every_order_of_its_vertices() {
    let [a, b, c] = [at(0.0, 0.0, 0.0), at(4.0, 0.0, 0.0), at(0.0, 4.0, 0.0)];
    let ray = Segment {
        a: at(1.0, 2.0, 1.0),
        b: at(1.0, 2.0, -3.0),
    };
    let weights_of = [(a, 0.25), (b, 0.25), (c, 0.5)];
    for order in [
        [0, 1, 2],
        [1, 2, 0],
        [2, 0, 1],
        [0, 2, 1],
        [2, 1, 0],
        [1, 0, 2],
    ] {
        let [p, q, r] = order.map(|i: usize| weights_of[i]);
        let triangle = Triangle {
            a: p.0,
            b: q.0,
            c: r.0,
            facing: Facing::Both,
        };
        let hit = ray_cast_triangle(&ray, &triangle, &mut ()).unwrap();
        assert_eq!(hit.fraction, 0.25);
        assert_eq!(hit.weights, at(p.1, q.1, r.1));
        assert_eq!(hit.normal, DVec3::Z, "toward where it came from");
        let wound_the_other_way = matches!(order, [0, 2, 1] | [2, 1, 0] | [1, 0, 2]);
        assert_eq!(hit.back, wound_the_other_way);
    }
    let triangle = Triangle {
        a,
        b,
        c,
        facing: Facing::Both,
    };
    for (name, from, to) in [
        (
            "beyond the long edge",
            at(3.0, 3.0, 1.0),
            at(3.0, 3.0, -1.0),
        ),
        ("ends above", at(1.0, 1.0, 2.0), at(1.0, 1.0, 1.0)),
        ("in the plane", at(-1.0, 1.0, 0.0), at(5.0, 1.0, 0.0)),
        ("no length", at(1.0, 1.0, 0.0), at(1.0, 1.0, 0.0)),
    ] {
        let ray = Segment { a: from, b: to };
        assert!(
            ray_cast_triangle(&ray, &triangle, &mut ()).is_none(),
            "{name}"
        );
    }
}

/// By hand: 10 m along x or y, through a cylinder of radius 0.5, a cone whose side is at 0.75 at half its height (normal (0.8, 0.6)),
/// and a box rounded by 0.25, whose edge along z is hit at 45 degrees.
#[test]
fn rays_hit_solids() {
    let (half_height, radius) = (1.0, 0.5);
    let cylinder = SolidShape::Cylinder(Cylinder {
        half_height,
        radius,
    });
    let cone = SolidShape::Cone(Cone {
        half_height,
        radius: 1.5,
    });
    let rounded = SolidShape::RoundedBox(RoundedBox {
        half_extents: DVec3::ONE,
        radius: 0.25,
    });
    let (right, up) = (at(5.0, 0.0, 0.0), at(0.0, 5.0, 0.0));
    let slant = at(1.0, 1.0, 0.0) / 2.0_f64.sqrt();
    let edge = at(1.0, 1.0, 0.0);
    let rows = [
        (&cylinder, right, -right, 0.45, DVec3::X),
        (&cylinder, up, -up, 0.4, DVec3::Y),
        (&cone, right, -right, 0.425, at(0.8, 0.6, 0.0)),
        (&cone, -up, up, 0.4, -DVec3::Y),
        (&rounded, right, -right, 0.375, DVec3::X),
        (&rounded, edge + slant * 1.25, edge, 0.8, slant),
    ];
    let turned = Pose {
        position: at(3.0, -7.0, 11.0),
        rotation: DQuat::from_rotation_y(0.7) * DQuat::from_rotation_x(1.1),
    };
    for (number, (solid, a, b, fraction, normal)) in rows.into_iter().enumerate() {
        let shape = Shape::Solid(solid.clone());
        for pose in [Pose::IDENTITY, turned] {
            let [a, b] = [a, b].map(|end| pose.point(end));
            let hit = ray_cast(&Segment { a, b }, &shape, &pose)
                .unwrap_or_else(|| panic!("row {number}"));
            let name = format!("row {number}: {hit:?}");
            assert!((hit.fraction - fraction).abs() < 1e-10, "{name}");
            assert!(
                hit.normal.distance(pose.vector(normal)) < 1e-5 && !hit.back,
                "{name}"
            );
            let out = ray_cast(
                &Segment {
                    a: pose.position,
                    b: a,
                },
                &shape,
                &pose,
            );
            assert!(out.is_some_and(|out| out.back), "{name}: {out:?}");
            let past = pose.vector(at(0.0, 0.0, 2.0));
            let past = Segment {
                a: a + past,
                b: b + past,
            };
            assert_eq!(ray_cast(&past, &shape, &pose), None, "{name}");
        }
    }
}

/// A closed, bumpy ball of 2 x 16 x 16 triangles; its vertices have no round coordinates.
fn bumpy_ball() -> Mesh {
    let (around, down) = (16u32, 16u32);
    let mut vertices = vec![at(0.0, 1.03, 0.0), at(0.0, -0.97, 0.0)];
    for ring in 1..down {
        for k in 0..around {
            let polar = std::f64::consts::PI * f64::from(ring) / f64::from(down);
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(around);
            let radius = 1.0 + 0.1 * (3.0 * angle).sin() * (5.0 * polar).cos();
            vertices.push(
                radius
                    * at(
                        polar.sin() * angle.cos(),
                        polar.cos(),
                        polar.sin() * angle.sin(),
                    ),
            );
        }
    }
    let vertex = |ring: u32, k: u32| match ring {
        0 => 0,
        ring if ring == down => 1,
        ring => 2 + (ring - 1) * around + k % around,
    };
    let mut triangles = Vec::new();
    for ring in 0..down {
        for k in 0..around {
            let [a, b, c, d] = [
                vertex(ring, k),
                vertex(ring, k + 1),
                vertex(ring + 1, k + 1),
                vertex(ring + 1, k),
            ];
            if a != b {
                triangles.push([a, b, c]);
            }
            if c != d {
                triangles.push([a, c, d]);
            }
        }
    }
    Mesh::new(vertices, triangles, Facing::Both).unwrap()
}

#[test]
fn no_ray_slips_between_the_triangles_of_a_closed_mesh() {
    let mesh = bumpy_ball();
    let mut targets = mesh.vertices().collect::<Vec<_>>();
    for [a, b, c] in mesh.triangles() {
        let [a, b, c] = [a, b, c].map(|i| mesh.vertex(i as usize));
        for share in [0.5, 0.25, 1.0 / 3.0, 0.1] {
            targets.extend([
                a + (b - a) * share,
                b + (c - b) * share,
                c + (a - c) * share,
            ]);
        }
    }
    let shape = Shape::Mesh(Arc::new(mesh));
    let mut rays = 0;
    // From inside, at edges and vertices: every one must hit.
    for from in [at(0.0, 0.0, 0.0), at(0.1, 0.2, -0.1), at(-0.3, 0.01, 0.2)] {
        for &target in &targets {
            let ray = Segment {
                a: from,
                b: from + (target - from) * 4.0,
            };
            assert!(ray_cast(&ray, &shape, &Pose::IDENTITY).is_some(), "{ray:?}");
            rays += 1;
        }
    }
    assert!(rays > 10_000, "{rays}");
}

/// A wall in the plane x = 0.
fn wall(x: f64) -> Triangle {
    Triangle {
        a: at(x, -9.0, -9.0),
        b: at(x, 18.0, -9.0),
        c: at(x, -9.0, 18.0),
        facing: Facing::Both,
    }
}

/// A mesh of 40 walls, one metre apart, listed up, down and mixed: a ray from either side hits the first, wherever it is in the mesh's tree.
#[test]
fn a_ray_hits_the_first_of_many_walls_in_any_order() {
    let count = 40_u32;
    for factor in [1, count - 1, 7] {
        let places: Vec<u32> = (0..count).map(|index| index * factor % count).collect();
        let walls = places.iter().map(|&place| wall(f64::from(place)));
        let vertices = walls.flat_map(|wall| [wall.a, wall.b, wall.c]).collect();
        let triangles = (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        let mesh = Mesh::new(vertices, triangles, Facing::Both).unwrap();
        let mesh = Shape::Mesh(Arc::new(mesh));
        for origin in [DVec3::ZERO, at(1e7, -2e7, 3e7)] {
            let ends = [at(-1.0, 0.0, 0.0), at(f64::from(count), 0.0, 0.0)];
            let [low, high] = ends.map(|end| origin + end);
            for (a, b, first) in [(low, high, 0), (high, low, count - 1)] {
                let hit = ray_cast(&Segment { a, b }, &mesh, &Pose::at(origin)).unwrap();
                let fraction = 1.0 / f64::from(count + 1);
                assert!((hit.fraction - fraction).abs() < 1e-15, "{hit:?}");
                let index = places.iter().position(|&place| place == first);
                assert_eq!(hit.triangle.map(|index| index as usize), index);
            }
        }
    }
}

#[test]
fn the_probe_pulls_the_camera_back_to_the_surface() {
    for mode in [ProbeMode::InOrder, ProbeMode::Deepest] {
        // The line along x extends to 0.5: from 0.2 in front it penetrates by 0.3; the diagonals by 0.2.
        for side in [1.0, -1.0] {
            let result = probe(
                at(side * 0.2, 0.0, 0.0),
                &STANDARD_PROBE,
                &[wall(0.0)],
                mode,
                &mut (),
            );
            assert!(
                (result.push - at(side * 0.3, 0.0, 0.0)).length() < 1e-15,
                "{result:?}"
            );
            assert_eq!(result.hits.len(), 1);
            assert_eq!(result.hits[0].line, 0);
            let expected = if side > 0.0 { 0.7 } else { 0.3 };
            assert!((result.hits[0].fraction - expected).abs() < 1e-15);
        }
        let clear = probe(
            at(0.5, 0.0, 0.0),
            &STANDARD_PROBE,
            &[wall(0.0)],
            mode,
            &mut (),
        );
        assert!(
            clear.hits.is_empty(),
            "an end that touches is clear: {clear:?}"
        );
    }
}

#[test]
fn in_order_depends_on_the_order_and_deepest_does_not() {
    // Two walls that both cross the camera's lines, at different depths.
    let walls = [wall(0.0), wall(-0.1)];
    let swapped = [walls[1], walls[0]];
    let camera = at(0.2, 0.0, 0.0);
    let run = |walls: &[Triangle], mode| probe(camera, &STANDARD_PROBE, walls, mode, &mut ());
    assert_eq!(run(&walls, ProbeMode::InOrder).hits.len(), 1);
    assert_eq!(run(&swapped, ProbeMode::InOrder).hits.len(), 2);
    let (one, other) = (
        run(&walls, ProbeMode::Deepest),
        run(&swapped, ProbeMode::Deepest),
    );
    assert_eq!(one.push, other.push);
    assert_eq!(one.hits.len(), 1);
}

#[test]
fn walls_too_close_for_the_probe_do_not_loop_forever() {
    let result = probe(
        DVec3::ZERO,
        &STANDARD_PROBE,
        &[wall(0.2), wall(-0.2)],
        ProbeMode::Deepest,
        &mut (),
    );
    assert!(!result.hits.is_empty());
    assert!(result.hits.len() <= hitstop::core::query::probe::MAX_PROBE_PUSHES);
    assert!(result.push.is_finite());
    for bad in [f64::NAN, f64::INFINITY] {
        let result = probe(
            at(bad, 0.0, 0.0),
            &STANDARD_PROBE,
            &[wall(0.2)],
            ProbeMode::Deepest,
            &mut (),
        );
        assert!(result.hits.is_empty() && result.push == DVec3::ZERO);
    }
}

/// A ray that begins in the plane of a triangle leaves it through its front from behind, or enters it from the front; along the plane it does neither.
#[test]
fn a_ray_from_the_plane_comes_from_the_side_it_leaves() {
    let triangle = Triangle {
        a: DVec3::new(-1.0, -1.0, 0.0),
        b: DVec3::new(1.0, -1.0, 0.0),
        c: DVec3::new(0.0, 2.0, 0.0),
        facing: Facing::Both,
    };
    for (to, expected) in [
        (DVec3::Z, Some(true)),
        (-DVec3::Z, Some(false)),
        (DVec3::X, None),
    ] {
        let way = Segment {
            a: DVec3::ZERO,
            b: to,
        };
        let hit = ray_cast_triangle(&way, &triangle, &mut ());
        assert_eq!(hit.map(|hit| hit.back), expected, "{to}");
        assert!(hit.is_none_or(|hit| hit.fraction == 0.0), "{hit:?}");
    }
}
