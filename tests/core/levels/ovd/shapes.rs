//! The shapes of PhysX.

use super::stream::{SIMULATION, Stream};
use super::{DYNAMIC, STATIC, close, notices, object, read};
use glam::DVec3;
use hitstop::core::shape::{Capsule, Facing, RoundedBox, Segment, Shape, SolidShape};

#[test]
fn every_shape_of_physx() {
    let mut stream = Stream::metres();
    let tetrahedron: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let mesh = |stream: &mut Stream, handle: u64, class: &str, tris: &[u32]| {
        stream.create(handle, class);
        stream.floats(handle, &format!("{class}.verts"), &tetrahedron);
        stream.wholes(handle, &format!("{class}.tris"), tris);
    };
    mesh(&mut stream, 900, "PxConvexMesh", &[]);
    mesh(&mut stream, 901, "PxTriangleMesh", &[1, 2, 0]);
    // A hole is a triangle with two equal corners.
    mesh(&mut stream, 902, "PxHeightField", &[0, 2, 1, 1, 1, 3]);
    let core = |stream: &mut Stream, core: u64, margin: f32| {
        let geometry = stream.geometry("PxConvexCoreGeometry", &[("margin", &[margin])]);
        stream.objects(geometry, "PxConvexCoreGeometry.core", &[core]);
        geometry
    };
    let of_mesh = |stream: &mut Stream, class: &str, name: &str, mesh: u64, scale: [f32; 3]| {
        let geometry = stream.geometry(class, &[("scale", &scale)]);
        stream.objects(geometry, &format!("{class}.{name}"), &[mesh]);
        geometry
    };
    let half = [1.0, 2.0, 3.0];
    let mut geometries = vec![
        stream.sphere(0.5),
        stream.geometry(
            "PxCapsuleGeometry",
            &[("radius", &[0.5]), ("halfHeight", &[2.0])],
        ),
        stream.geometry("PxBoxGeometry", &[("halfExtents", &half)]),
        stream.geometry("PxPlaneGeometry", &[]),
        of_mesh(
            &mut stream,
            "PxConvexMeshGeometry",
            "convexMesh",
            900,
            [2.0; 3],
        ),
        // Mirrored, so that the front is still outside.
        of_mesh(
            &mut stream,
            "PxTriangleMeshGeometry",
            "triangleMesh",
            901,
            [1.0, 1.0, -1.0],
        ),
        of_mesh(
            &mut stream,
            "PxHeightFieldGeometry",
            "heightField",
            902,
            [1.0, 0.5, 1.0],
        ),
    ];
    let cylinder: &[(&str, &[f32])] = &[("height", &[2.0]), ("radius", &[0.5])];
    for (class, values, margin) in [
        ("PxConvexCorePoint", &[][..], 0.25),
        ("PxConvexCoreSegment", &[("length", &[2.0][..])], 0.25),
        (
            "PxConvexCoreBox",
            &[("extents", &[2.0, 4.0, 6.0][..])],
            0.25,
        ),
        ("PxConvexCoreCylinder", cylinder, 0.0),
        ("PxConvexCoreCone", cylinder, 0.0),
        (
            "PxConvexCoreEllipsoid",
            &[("radii", &[1.0, 1.0, 2.0][..])],
            0.0,
        ),
    ] {
        let inner = stream.geometry(class, values);
        geometries.push(core(&mut stream, inner, margin));
    }
    let callbacks = "PxCustomGeometryExtCylinderCallbacks";
    let custom = stream.geometry(callbacks, &[("margin", &[0.0])]);
    stream.floats(custom, &format!("{callbacks}.height"), &[2.0]);
    stream.floats(custom, &format!("{callbacks}.radius"), &[0.5]);
    stream.wholes(custom, &format!("{callbacks}.axis"), &[2]);
    let geometry = stream.geometry("PxCustomGeometry", &[]);
    stream.objects(geometry, "PxCustomGeometry.callbacks", &[custom]);
    geometries.push(geometry);
    for (number, geometry) in (0..).zip(&geometries) {
        let actor = 100 + 2 * number;
        stream.shape(actor + 1, *geometry, SIMULATION);
        stream.actor(actor, STATIC, [0.0; 3], &[actor + 1]);
    }
    stream.step(&[]);
    let recording = read(&stream);
    let shape = |number: usize| {
        let object = object(&recording, &format!("actor {}", 100 + 2 * number));
        (&object.shape, object.pose.rotation)
    };
    let along_x = |half: f64, radius: f64| {
        let (a, b) = (DVec3::X * -half, DVec3::X * half);
        let segment = Segment { a, b };
        Shape::Capsule(Capsule { segment, radius })
    };
    let half_extents = DVec3::new(1.0, 2.0, 3.0);
    assert_eq!(*shape(0).0, Shape::Sphere { radius: 0.5 });
    assert_eq!(*shape(1).0, along_x(2.0, 0.5));
    assert_eq!(*shape(2).0, Shape::Box { half_extents });
    let Shape::Plane(plane) = shape(3).0 else {
        panic!("{:?}", shape(3));
    };
    assert_eq!((plane.normal, plane.offset), (DVec3::X, 0.0));
    let Shape::Solid(SolidShape::Hull(hull)) = shape(4).0 else {
        panic!("{:?}", shape(4));
    };
    let size = |points: &[DVec3]| points.iter().copied().reduce(DVec3::max);
    assert_eq!(size(hull.points()), Some(DVec3::splat(2.0)));
    let front = |shape: &Shape| {
        let Shape::Mesh(mesh) = shape else {
            panic!("{shape:?}");
        };
        let triangles: Vec<[u32; 3]> = mesh.triangles().collect();
        let [corners] = triangles[..] else {
            panic!("{triangles:?}");
        };
        let [a, b, c] = corners.map(|corner| mesh.vertex(corner as usize));
        (mesh.facing(), (b - a).cross(c - a))
    };
    assert_eq!(front(shape(5).0), (Facing::Front, DVec3::NEG_Z));
    assert_eq!(front(shape(6).0), (Facing::Both, DVec3::Z * -0.5));
    assert_eq!(*shape(7).0, Shape::Sphere { radius: 0.25 });
    assert_eq!(*shape(8).0, along_x(1.0, 0.25));
    let radius = 0.25;
    let rounded = SolidShape::RoundedBox(RoundedBox {
        half_extents,
        radius,
    });
    assert_eq!(*shape(9).0, Shape::Solid(rounded));
    // Along X in PhysX, but for the last, which is along Z.
    for (number, axis) in [(10, DVec3::X), (11, DVec3::X), (13, DVec3::Z)] {
        let (shape, rotation) = shape(number);
        close(rotation * DVec3::Y, axis);
        let size = match shape {
            Shape::Solid(SolidShape::Cylinder(it)) => (it.half_height, it.radius),
            Shape::Solid(SolidShape::Cone(it)) => (it.half_height, it.radius),
            other => panic!("{other:?}"),
        };
        assert_eq!(size, (1.0, 0.5), "{number}");
    }
    assert_eq!(
        notices(&recording),
        [
            "a mesh has an uneven scale, whose rotation is not in the recording: it is taken as along the mesh's axes: actor 110",
            "shapes are left out, a shape of the class PxConvexCoreEllipsoid is not read: actor 124",
        ]
    );
}

#[test]
fn rest_offsets_are_layers_and_contact_offsets_the_margin() {
    let mut stream = Stream::metres();
    for (actor, rest, contact) in [(10, 0.25, 0.5), (20, 0.0, 0.125), (30, -0.25, 0.0)] {
        stream.ball(actor, DYNAMIC, [actor as f32, 0.0, 0.0], 1.0);
        stream.floats(actor + 1, "PxShape.restOffset", &[rest]);
        stream.floats(actor + 1, "PxShape.contactOffset", &[contact]);
    }
    stream.begin_step(0.1);
    stream.contact([10, 20], [15.0, 0.0, 0.0], [-1.0, 0.0, 0.0], 0.125);
    stream.end_step();
    let recording = read(&stream);
    let radii = [1.25, 1.0, 0.75].map(|radius| Shape::Sphere { radius });
    let shapes: Vec<Shape> = recording
        .objects
        .iter()
        .map(|it| it.shape.clone())
        .collect();
    assert_eq!(shapes, radii);
    // The distances of the two largest from their layers: 0.25 m twice.
    assert_eq!(recording.engine.margin, Some(0.5));
    // The shapes are 0.125 m apart, and the layer of one is 0.25 m.
    assert_eq!(recording.data.at(1).contacts[0].depth, 0.125);
}

#[test]
fn a_rest_offset_below_zero_makes_a_box_smaller() {
    let mut stream = Stream::metres();
    let geometry = stream.geometry("PxBoxGeometry", &[("halfExtents", &[1.0, 2.0, 3.0])]);
    stream.shape(11, geometry, SIMULATION);
    stream.floats(11, "PxShape.restOffset", &[-0.25]);
    stream.actor(10, DYNAMIC, [0.0; 3], &[11]);
    stream.step(&[]);
    let half_extents = DVec3::new(0.75, 1.75, 2.75);
    assert_eq!(read(&stream).objects[0].shape, Shape::Box { half_extents });
}

/// A margin is a layer on all sides, but for the edges, which it would round.
#[test]
fn a_cylinder_with_a_margin_is_larger_and_has_a_notice() {
    for (margin, size) in [(0.0, (1.0, 0.5)), (0.25, (1.25, 0.75))] {
        let mut stream = Stream::metres();
        let values: &[(&str, &[f32])] = &[("height", &[2.0]), ("radius", &[0.5])];
        let core = stream.geometry("PxConvexCoreCylinder", values);
        let geometry = stream.geometry("PxConvexCoreGeometry", &[("margin", &[margin])]);
        stream.objects(geometry, "PxConvexCoreGeometry.core", &[core]);
        stream.shape(11, geometry, SIMULATION);
        stream.actor(10, DYNAMIC, [0.0; 3], &[11]);
        stream.step(&[]);
        let recording = read(&stream);
        let Shape::Solid(SolidShape::Cylinder(it)) = &recording.objects[0].shape else {
            panic!("{:?}", recording.objects);
        };
        assert_eq!((it.half_height, it.radius), size);
        let says = |what: &&str| what.contains("sharp edges");
        let count = notices(&recording).into_iter().filter(says).count();
        assert_eq!(count, usize::from(margin > 0.0));
    }
}
