//! Shapes of PhysX as shapes of a log.

use super::objects::{Objects, grouped, numbers, wholes};
use crate::core::schema::{Keyword, Number, ShapeText, Triple, Vec3};
use crate::core::shape::Facing;
use crate::core::tolerance::MAX_MESH_TRIANGLES;
use glam::{DQuat, DVec3};

/// A shape, and how it lies in the space of PhysX's shape.
pub(super) struct Made {
    pub text: ShapeText<Number>,
    pub turn: DQuat,
    /// Its triangles and vertices.
    pub size: usize,
    /// What is not read of it.
    pub inexact: Option<&'static str>,
}

const NO_REST_OFFSET: &str = "a rest offset, which a mesh does not have in a log, is left out";
const NO_SCALE_ROTATION: &str = "a mesh has an uneven scale, whose rotation is not in the recording: it is taken as along the mesh's axes";

/// The shape of a geometry, with a layer of `rest` around it; cylinders and cones of a log are along its `up` axis. A mesh has at most `room`
/// triangles and vertices.
///
/// # Errors
/// Why there is none.
pub(super) fn shape_of(
    objects: &Objects,
    geometry: u64,
    (rest, up): (f64, DVec3),
    room: usize,
) -> Result<Made, String> {
    let Some(object) = objects.get(&geometry) else {
        return Err("its geometry is not in the recording".to_owned());
    };
    let number = |name| object.number(name).ok_or_else(|| lacks(name));
    let inner = |name| object.handle(name).and_then(|inner| objects.get(&inner));
    let plain = |text| Made {
        text,
        turn: DQuat::IDENTITY,
        size: 1,
        inexact: None,
    };
    Ok(match &*object.class {
        "PxSphereGeometry" => plain(sphere(number("radius")? + rest)),
        "PxCapsuleGeometry" => plain(capsule(number("halfHeight")?, number("radius")? + rest)),
        "PxBoxGeometry" => {
            let half = object.floats("halfExtents");
            plain(rounded_box(half.ok_or_else(|| lacks("halfExtents"))?, rest))
        }
        "PxPlaneGeometry" => plain(ShapeText::Plane {
            normal: DVec3::X.into(),
            offset: Number(rest),
        }),
        "PxConvexCoreGeometry" => {
            let margin = number("margin")? + rest;
            let core = inner("core").ok_or_else(|| lacks("core"))?;
            let number = |name| core.number(name).ok_or_else(|| lacks(name));
            match &*core.class {
                "PxConvexCorePoint" => plain(sphere(margin)),
                "PxConvexCoreSegment" => plain(capsule(number("length")? / 2.0, margin)),
                "PxConvexCoreBox" => {
                    let extents = core.floats("extents").ok_or_else(|| lacks("extents"))?;
                    plain(rounded_box(extents.map(|extent| extent / 2.0), margin))
                }
                "PxConvexCoreCylinder" => {
                    let text = cylinder(number("height")?, number("radius")?, margin);
                    along(DVec3::X, up, plain(text), margin)
                }
                "PxConvexCoreCone" if margin == 0.0 => {
                    let text = cone(number("height")?, number("radius")?);
                    along(DVec3::X, up, plain(text), margin)
                }
                "PxConvexCoreCone" => return Err("a cone with a margin is not read".to_owned()),
                other => return Err(not_read(other)),
            }
        }
        "PxCustomGeometry" => {
            let Some(custom) = inner("callbacks") else {
                return Err("a shape of the program's own code is not read".to_owned());
            };
            let number = |name| custom.number(name).ok_or_else(|| lacks(name));
            let margin = number("margin")? + rest;
            let axis = match wholes(custom.value("axis")).next() {
                Some(1) => DVec3::Y,
                Some(2) => DVec3::Z,
                _ => DVec3::X,
            };
            match &*custom.class {
                "PxCustomGeometryExtCylinderCallbacks" => {
                    let text = cylinder(number("height")?, number("radius")?, margin);
                    along(axis, up, plain(text), margin)
                }
                "PxCustomGeometryExtConeCallbacks" if margin == 0.0 => {
                    let text = cone(number("height")?, number("radius")?);
                    along(axis, up, plain(text), margin)
                }
                other => return Err(not_read(other)),
            }
        }
        class @ ("PxConvexMeshGeometry" | "PxTriangleMeshGeometry" | "PxHeightFieldGeometry") => {
            let name = match class {
                "PxConvexMeshGeometry" => "convexMesh",
                "PxTriangleMeshGeometry" => "triangleMesh",
                _ => "heightField",
            };
            let mesh = inner(name).ok_or_else(|| lacks(name))?;
            let (verts, tris) = (mesh.value("verts"), mesh.value("tris"));
            let size = verts.len() / 12 + tris.len() / 12;
            if size > room {
                return Err(format!(
                    "the meshes of all shapes together are too large: up to {MAX_MESH_TRIANGLES} triangles and vertices are read"
                ));
            }
            let scale = object.floats("scale").unwrap_or([1.0; 3]);
            let scale = DVec3::from_array(scale);
            let points = vertices(verts, scale);
            let is_even = scale.x == scale.y && scale.y == scale.z;
            let inexact = (!is_even && name != "heightField").then_some(NO_SCALE_ROTATION);
            if name == "convexMesh" {
                let radius = (rest > 0.0).then_some(Number(rest));
                let text = ShapeText::ConvexHull { points, radius };
                let inexact = inexact.or((rest < 0.0).then_some(NO_REST_OFFSET));
                return Ok(Made {
                    size,
                    inexact,
                    ..plain(text)
                });
            }
            let is_mirrored = scale.x * scale.y * scale.z < 0.0;
            let triangles = triangles(tris, is_mirrored);
            let facing = match name {
                "triangleMesh" => Facing::Front,
                _ => Facing::Both,
            };
            Made {
                size,
                inexact: inexact.or((rest != 0.0).then_some(NO_REST_OFFSET)),
                ..plain(ShapeText::Mesh {
                    file: None,
                    vertices: Some(points),
                    triangles: Some(triangles),
                    facing: Keyword::new(facing),
                })
            }
        }
        other => return Err(not_read(other)),
    })
}

fn lacks(name: &str) -> String {
    format!("its `{name}` is not in the recording")
}

fn not_read(class: &str) -> String {
    format!("a shape of the class {class} is not read")
}

fn sphere(radius: f64) -> ShapeText<Number> {
    ShapeText::Sphere {
        radius: Number(radius),
    }
}

fn capsule(half: f64, radius: f64) -> ShapeText<Number> {
    ShapeText::Capsule {
        a: Some((DVec3::X * -half).into()),
        b: Some((DVec3::X * half).into()),
        half_height: None,
        radius: Number(radius),
    }
}

/// A negative layer makes it smaller.
fn rounded_box(half: [f64; 3], layer: f64) -> ShapeText<Number> {
    let half = half.map(|half| Number(half + layer.min(0.0)));
    ShapeText::Box {
        half_extents: Vec3::deep(half),
        radius: (layer > 0.0).then_some(Number(layer)),
    }
}

fn cylinder(height: f64, radius: f64, layer: f64) -> ShapeText<Number> {
    ShapeText::Cylinder {
        half_height: Number(height / 2.0 + layer),
        radius: Number(radius + layer),
    }
}

fn cone(height: f64, radius: f64) -> ShapeText<Number> {
    ShapeText::Cone {
        half_height: Number(height / 2.0),
        radius: Number(radius),
    }
}

/// A shape along the up axis, turned to lie along another.
fn along(axis: DVec3, up: DVec3, made: Made, margin: f64) -> Made {
    const ROUND: &str = "a cylinder with a margin is taken with sharp edges";
    Made {
        turn: DQuat::from_rotation_arc(up, axis),
        inexact: (margin > 0.0).then_some(ROUND),
        ..made
    }
}

fn vertices(bytes: &[u8], scale: DVec3) -> Vec<Vec3<Number>> {
    let points = grouped(numbers(bytes)).map(DVec3::from_array);
    points.map(|point| (point * scale).into()).collect()
}

/// Without those of two equal corners, by which a height field marks its holes.
fn triangles(bytes: &[u8], is_mirrored: bool) -> Vec<Triple> {
    let solid = grouped(wholes(bytes)).filter(|[a, b, c]| a != b && b != c && c != a);
    solid
        .map(|[a, b, c]| match is_mirrored {
            true => Triple([a, c, b]),
            false => Triple([a, b, c]),
        })
        .collect()
}
