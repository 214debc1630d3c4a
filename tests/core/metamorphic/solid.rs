//! Shapes of the fuzzed levels: their text, their extent, and the same shape rotated, mirrored or scaled.

use super::array;
use glam::{DMat3, DQuat, DVec3};
use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub enum Solid {
    Sphere(f64),
    Box {
        half: DVec3,
        radius: f64,
    },
    Capsule {
        half_height: f64,
        radius: f64,
    },
    Cylinder {
        half_height: f64,
        radius: f64,
    },
    Cone {
        half_height: f64,
        radius: f64,
    },
    Hull(Vec<DVec3>),
    Compound(Vec<(Solid, DVec3, DQuat)>),
    Mesh(Sheet),
    HeightField(Field),
    Triangle {
        corners: [DVec3; 3],
        front: bool,
    },
    /// Solid below, through the origin.
    Plane(DVec3),
}

#[derive(Clone, Debug)]
pub struct Sheet {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[usize; 3]>,
    /// It exists from its front only.
    pub front: bool,
}

/// Rows along z, columns along x.
#[derive(Clone, Debug)]
pub struct Field {
    pub heights: Vec<Vec<f64>>,
    pub cell: [f64; 2],
    /// Which diagonal splits a cell.
    pub anti: bool,
}

pub fn facing(front: bool) -> &'static str {
    if front { "front" } else { "both" }
}

/// The eight corners of a box.
pub fn corners(half: DVec3) -> Vec<DVec3> {
    let sign = |index: i32, bit: i32| if index & bit == 0 { -1.0 } else { 1.0 };
    let corner = |index| half * DVec3::new(sign(index, 1), sign(index, 2), sign(index, 4));
    (0..8).map(corner).collect()
}

impl Solid {
    pub fn json(&self) -> Value {
        let round =
            |half_height: f64, radius: f64| json!({"half_height": half_height, "radius": radius});
        match self {
            Self::Sphere(radius) => json!({"sphere": {"radius": radius}}),
            Self::Box { half, radius } => {
                json!({"box": {"half_extents": array(*half), "radius": radius}})
            }
            Self::Capsule {
                half_height,
                radius,
            } => json!({"capsule": round(*half_height, *radius)}),
            Self::Cylinder {
                half_height,
                radius,
            } => json!({"cylinder": round(*half_height, *radius)}),
            Self::Cone {
                half_height,
                radius,
            } => json!({"cone": round(*half_height, *radius)}),
            Self::Hull(points) => json!({"convex_hull": {"points": arrays(points)}}),
            Self::Compound(parts) => {
                let part = |(solid, at, turned): &(Self, DVec3, DQuat)| json!({"shape": solid.json(), "position": array(*at), "rotation": turned.to_array()});
                json!({"compound": parts.iter().map(part).collect::<Vec<Value>>()})
            }
            Self::Mesh(sheet) => {
                json!({"mesh": {"vertices": arrays(&sheet.vertices), "triangles": sheet.triangles, "facing": facing(sheet.front)}})
            }
            Self::HeightField(Field {
                heights,
                cell,
                anti,
            }) => {
                let diagonal = if *anti { "anti" } else { "main" };
                json!({"height_field": {"heights": heights, "cell": cell, "diagonal": diagonal}})
            }
            Self::Triangle {
                corners: [a, b, c],
                front,
            } => {
                json!({"triangle": {"a": array(*a), "b": array(*b), "c": array(*c), "facing": facing(*front)}})
            }
            Self::Plane(normal) => json!({"plane": {"normal": array(*normal), "offset": 0.0}}),
        }
    }

    /// How far it extends from its origin along a unit direction.
    pub fn extent(&self, along: DVec3) -> f64 {
        let most = |points: &[DVec3]| {
            points
                .iter()
                .map(|point| point.dot(along))
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let rim = along.x.hypot(along.z);
        match self {
            Self::Sphere(radius) => *radius,
            Self::Box { half, radius } => half.dot(along.abs()) + radius,
            Self::Capsule {
                half_height,
                radius,
            } => half_height * along.y.abs() + radius,
            Self::Cylinder {
                half_height,
                radius,
            } => half_height * along.y.abs() + radius * rim,
            Self::Cone {
                half_height,
                radius,
            } => (half_height * along.y).max(radius * rim - half_height * along.y),
            Self::Hull(points) => most(points),
            Self::Compound(parts) => {
                let of = |(solid, at, turned): &(Self, DVec3, DQuat)| {
                    at.dot(along) + solid.extent(turned.inverse() * along)
                };
                parts.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
            }
            Self::Mesh(sheet) => most(&sheet.vertices),
            Self::Triangle { corners, .. } => most(corners),
            Self::HeightField(_) | Self::Plane(_) => f64::INFINITY,
        }
    }

    /// With its local axes mapped: a permutation of the axes that keeps up, or a reflection in x.
    pub fn mapped(&self, map: DMat3) -> Self {
        let swaps = map.determinant() < 0.0;
        match self {
            Self::Box { half, radius } => Self::Box {
                half: (map * *half).abs(),
                radius: *radius,
            },
            Self::Hull(points) => Self::Hull(points.iter().map(|point| map * *point).collect()),
            Self::Compound(parts) => {
                let part = |(solid, at, turned): &(Self, DVec3, DQuat)| {
                    (solid.mapped(map), map * *at, conjugated(map, *turned))
                };
                Self::Compound(parts.iter().map(part).collect())
            }
            Self::Mesh(sheet) => Self::Mesh(Sheet {
                vertices: sheet.vertices.iter().map(|vertex| map * *vertex).collect(),
                triangles: sheet
                    .triangles
                    .iter()
                    .map(|[a, b, c]| if swaps { [*a, *c, *b] } else { [*a, *b, *c] })
                    .collect(),
                front: sheet.front,
            }),
            Self::HeightField(field) => {
                let rows = field
                    .heights
                    .iter()
                    .map(|row| row.iter().rev().copied().collect());
                if swaps {
                    Self::HeightField(Field {
                        heights: rows.collect(),
                        cell: field.cell,
                        anti: !field.anti,
                    })
                } else {
                    self.clone()
                }
            }
            Self::Triangle { corners, front } => {
                let [a, b, c] = corners.map(|corner| map * corner);
                Self::Triangle {
                    corners: if swaps { [a, c, b] } else { [a, b, c] },
                    front: *front,
                }
            }
            Self::Plane(normal) => Self::Plane(map * *normal),
            Self::Sphere(_) | Self::Capsule { .. } | Self::Cylinder { .. } | Self::Cone { .. } => {
                self.clone()
            }
        }
    }

    /// With every length multiplied.
    pub fn scaled(&self, by: f64) -> Self {
        let all = |points: &[DVec3]| points.iter().map(|point| *point * by).collect();
        match self {
            Self::Sphere(radius) => Self::Sphere(radius * by),
            Self::Box { half, radius } => Self::Box {
                half: *half * by,
                radius: radius * by,
            },
            Self::Capsule {
                half_height,
                radius,
            } => Self::Capsule {
                half_height: half_height * by,
                radius: radius * by,
            },
            Self::Cylinder {
                half_height,
                radius,
            } => Self::Cylinder {
                half_height: half_height * by,
                radius: radius * by,
            },
            Self::Cone {
                half_height,
                radius,
            } => Self::Cone {
                half_height: half_height * by,
                radius: radius * by,
            },
            Self::Hull(points) => Self::Hull(all(points)),
            Self::Compound(parts) => Self::Compound(
                parts
                    .iter()
                    .map(|(solid, at, turned)| (solid.scaled(by), *at * by, *turned))
                    .collect(),
            ),
            Self::Mesh(sheet) => Self::Mesh(Sheet {
                vertices: all(&sheet.vertices),
                ..sheet.clone()
            }),
            Self::HeightField(field) => Self::HeightField(Field {
                heights: field
                    .heights
                    .iter()
                    .map(|row| row.iter().map(|height| height * by).collect())
                    .collect(),
                cell: field.cell.map(|side| side * by),
                anti: field.anti,
            }),
            Self::Triangle { corners, front } => Self::Triangle {
                corners: corners.map(|corner| corner * by),
                front: *front,
            },
            Self::Plane(normal) => Self::Plane(*normal),
        }
    }
}

/// A rotation in mapped axes.
pub fn conjugated(map: DMat3, turned: DQuat) -> DQuat {
    DQuat::from_mat3(&(map * DMat3::from_quat(turned) * map.transpose()))
}

fn arrays(points: &[DVec3]) -> Vec<Value> {
    points.iter().map(|point| array(*point)).collect()
}
