//! Seeded levels: an obstacle, and one to three bodies that cross it, sink into it, slide over it or rest on it.

use super::scene::{Contact, Line, Moving, Scene, Thing};
use super::solid::{Field, Sheet, Solid, corners};
use crate::common::random::Random;
use glam::{DQuat, DVec3};

pub const DT: f64 = 1.0 / 60.0;

/// Metres between two bodies.
const APART: f64 = 3.0;

/// The obstacle of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// A box.
    Cuboid,
    Triangle,
    Field,
    /// A sheet of triangles, a plane, a cylinder, a hull.
    Other,
}

/// A level of a seed. The obstacle is the first thing; its surface is about the plane y = 0 in its own space.
pub fn level(random: &mut Random, ground: Ground) -> Scene {
    let thickness = random.range(0.02, 0.6);
    let (solid, middle) = obstacle(random, ground, thickness);
    let thickness = match solid {
        Solid::Plane(_) => f64::INFINITY,
        Solid::Triangle { .. } | Solid::HeightField(_) | Solid::Mesh(_) => 0.0,
        _ => thickness,
    };
    let pose = if random.below(2) == 0 {
        DQuat::IDENTITY
    } else {
        rotation(random)
    };
    let at = random.point(5.0);
    let mut things = vec![Thing {
        id: 0,
        name: "ground".to_owned(),
        solid,
        fixed: Some((at + pose * DVec3::Y * middle, pose)),
        body: None,
    }];
    let count = 2 + random.index(10);
    let mut lines = vec![Line::default(); count];
    let has_contacts = random.below(2) == 0;
    for index in 0..1 + random.index(3) {
        let id = things.len();
        let solid = body(random);
        let place = DVec3::new(APART * (index as f64 - 1.0), 0.0, 0.0);
        let path = path(random, &solid, thickness, count);
        for (line, state) in lines.iter_mut().zip(path) {
            let body = Moving {
                id,
                p: state.p + place,
                ..state
            };
            let contact = touched(&solid, &body, thickness).filter(|_| has_contacts);
            line.contacts
                .extend(contact.map(|contact| moved(contact, at, pose)));
            line.bodies.push(Moving {
                p: at + pose * body.p,
                q: pose * body.q,
                v: pose * body.v,
                w: pose * body.w,
                ..body
            });
        }
        things.push(Thing {
            id,
            name: format!("body {index}"),
            solid,
            fixed: None,
            body: None,
        });
    }
    Scene {
        dt: DT,
        up: "y",
        length: 1.0,
        gravity: DVec3::new(0.0, -9.81, 0.0),
        things,
        lines,
        has_velocities: random.below(4) != 0,
        has_contacts,
    }
}

pub fn rotation(random: &mut Random) -> DQuat {
    DQuat::from_axis_angle(random.direction(), random.range(0.0, std::f64::consts::TAU))
}

/// A shape, and the height of its origin above its middle surface.
fn obstacle(random: &mut Random, ground: Ground, thickness: f64) -> (Solid, f64) {
    let half = DVec3::new(6.0, 0.5 * thickness, 3.0);
    let solid = match ground {
        Ground::Cuboid => Solid::Box { half, radius: 0.0 },
        Ground::Triangle => {
            let corners = [
                DVec3::new(-9.0, 0.0, 4.0),
                DVec3::new(9.0, 0.0, 4.0),
                DVec3::new(0.0, 0.0, -9.0),
            ];
            return (
                Solid::Triangle {
                    corners,
                    front: random.below(2) == 0,
                },
                0.0,
            );
        }
        Ground::Field => return (Solid::HeightField(field(random)), 0.0),
        Ground::Other => match random.below(4) {
            0 => return (Solid::Plane(DVec3::Y), 0.0),
            1 => Solid::Cylinder {
                half_height: 0.5 * thickness,
                radius: 6.0,
            },
            2 => Solid::Hull(
                corners(half)
                    .into_iter()
                    .map(|corner| corner * DVec3::new(1.0 - corner.y, 1.0, 1.0))
                    .collect(),
            ),
            _ => return (Solid::Mesh(sheet(random)), 0.0),
        },
    };
    (solid, -0.5 * thickness)
}

fn field(random: &mut Random) -> Field {
    let is_flat = random.below(2) == 0;
    let mut height = || {
        if is_flat {
            0.0
        } else {
            random.range(-0.2, 0.2)
        }
    };
    let heights = (0..6).map(|_| (0..9).map(|_| height()).collect()).collect();
    Field {
        heights,
        cell: [1.5, 1.2],
        anti: random.below(2) == 0,
    }
}

/// The triangles of a height field.
pub fn triangulated(field: &Field, front: bool) -> Sheet {
    let (rows, columns) = (field.heights.len(), field.heights[0].len());
    let at = |row: usize, column: usize| {
        let x = (column as f64 - 0.5 * (columns - 1) as f64) * field.cell[0];
        let z = (row as f64 - 0.5 * (rows - 1) as f64) * field.cell[1];
        DVec3::new(x, field.heights[row][column], z)
    };
    let index = |row: usize, column: usize| row * columns + column;
    let cell = |row: usize, column: usize| {
        let [a, b, c, d] = [
            index(row, column),
            index(row, column + 1),
            index(row + 1, column),
            index(row + 1, column + 1),
        ];
        // Counter-clockwise seen from above.
        if field.anti {
            [[a, c, b], [b, c, d]]
        } else {
            [[a, c, d], [a, d, b]]
        }
    };
    let cells = (0..rows - 1).flat_map(|row| (0..columns - 1).map(move |column| (row, column)));
    Sheet {
        vertices: (0..rows)
            .flat_map(|row| (0..columns).map(move |column| (row, column)))
            .map(|(row, column)| at(row, column))
            .collect(),
        triangles: cells.flat_map(|(row, column)| cell(row, column)).collect(),
        front,
    }
}

fn sheet(random: &mut Random) -> Sheet {
    let field = field(random);
    triangulated(&field, random.below(2) == 0)
}

fn body(random: &mut Random) -> Solid {
    let size = random.range(0.05, 0.4);
    let (half_height, radius) = (size * random.range(0.5, 1.5), size);
    match random.below(8) {
        0 => Solid::Sphere(size),
        1 | 2 => Solid::Box {
            half: size * DVec3::new(random.range(0.5, 1.5), 1.0, random.range(0.5, 1.5)),
            radius: 0.0,
        },
        3 => Solid::Box {
            half: DVec3::splat(0.8 * size),
            radius: 0.2 * size,
        },
        4 => Solid::Capsule {
            half_height,
            radius,
        },
        5 => Solid::Cylinder {
            half_height,
            radius,
        },
        6 => Solid::Cone {
            half_height,
            radius,
        },
        _ => Solid::Hull((0..12).map(|_| random.direction() * size).collect()),
    }
}

/// What a body does, in the space of the obstacle.
fn path(random: &mut Random, solid: &Solid, thickness: f64, count: usize) -> Vec<Moving> {
    let (q, spin) = (
        rotation(random),
        random.direction() * [0.0, 0.3][random.index(2)] * random.unit(),
    );
    let foot = solid.extent(q.inverse() * -DVec3::Y);
    // Below a plane, everything is inside.
    let thickness = if thickness.is_finite() {
        thickness
    } else {
        0.1
    };
    let size = foot + 0.5 * thickness;
    let lateral = DVec3::new(random.range(-0.5, 0.5), 0.0, random.range(-1.5, 1.5));
    let sideways = DVec3::new(random.range(-1.0, 1.0), 0.0, random.range(-1.0, 1.0));
    let (start, step) = match random.below(6) {
        // Through it in one frame, or with an end inside.
        0 | 1 => {
            let step = size * random.range(1.5, 12.0);
            let reaches = random.range(0.1, count as f64 - 1.1);
            (
                DVec3::Y * step * reaches,
                sideways * 0.3 * step - DVec3::Y * step,
            )
        }
        // Slowly, for several states.
        2 => {
            let step = size * random.range(0.1, 0.7);
            (
                DVec3::Y * (foot + random.range(0.0, 1.0) * step),
                sideways * 0.3 * step - DVec3::Y * step,
            )
        }
        // Sliding.
        3 => {
            let depth = [0.0, 0.001, 0.01, 0.2][random.index(4)] * size;
            (DVec3::Y * (foot - depth), sideways * random.range(0.0, 0.4))
        }
        // Resting.
        4 => (
            DVec3::Y * (foot - [0.001, 0.01, 0.3][random.index(3)] * size),
            DVec3::ZERO,
        ),
        // From below.
        _ => {
            let step = size * random.range(0.3, 8.0);
            let reaches = random.range(0.1, count as f64 - 1.1);
            (
                -DVec3::Y * (step * reaches + thickness),
                sideways * 0.2 * step + DVec3::Y * step,
            )
        }
    };
    let state = |frame: usize| Moving {
        id: 0,
        p: lateral + start + step * frame as f64,
        q: (DQuat::from_scaled_axis(spin * frame as f64) * q).normalize(),
        v: step / DT,
        w: spin / DT,
    };
    (0..count).map(state).collect()
}

/// The contact of an engine that finds every overlap with an obstacle that reaches down to `-thickness`: the normal of the least push.
fn touched(solid: &Solid, body: &Moving, thickness: f64) -> Option<Contact> {
    let inward = body.q.inverse();
    let up = solid.extent(inward * -DVec3::Y) - body.p.y;
    let down = solid.extent(inward * DVec3::Y) + body.p.y + thickness;
    let normal = if up <= down { DVec3::Y } else { -DVec3::Y };
    let height = if up <= down { 0.0 } else { -thickness };
    (up > 0.0 && down > 0.0).then(|| Contact {
        ids: [body.id, 0],
        point: DVec3::new(body.p.x, height, body.p.z),
        normal,
        depth: up.min(down),
    })
}

fn moved(contact: Contact, at: DVec3, pose: DQuat) -> Contact {
    Contact {
        point: at + pose * contact.point,
        normal: pose * contact.normal,
        ..contact
    }
}
