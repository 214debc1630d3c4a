//! Changes of a level after which the same has to be said.

use super::levels::{Ground, rotation, triangulated};
use super::scene::{Contact, Line, Moving, Scene, Thing};
use super::solid::{Sheet, Solid, conjugated, corners};
use super::writings::{alone, closed, halves, tiny_radius};
use crate::common::random::Random;
use glam::{DMat3, DQuat, DVec3};

/// What may differ after a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    /// Nothing but rounding.
    All,
    /// The same, but for numbers of a shape that only one of the two ways to write it has.
    ButOfShape,
    /// What the log claims: at 1e5 m its numbers may be rounded by more than a contact is off.
    ButOfLog,
    /// The frame: an event moves to a half of it, and an overlap in its middle makes another kind.
    Events,
}

pub struct Change {
    pub name: &'static str,
    pub ground: Ground,
    pub same: Same,
    pub apply: fn(&mut Scene, &mut Random),
}

pub fn all() -> Vec<Change> {
    [written(), surfaces(), placed(), listed()]
        .into_iter()
        .flatten()
        .collect()
}

fn of(ground: Ground) -> impl Fn(&'static str, fn(&mut Scene, &mut Random)) -> Change {
    same_of(ground, Same::All)
}

fn same_of(
    ground: Ground,
    same: Same,
) -> impl Fn(&'static str, fn(&mut Scene, &mut Random)) -> Change {
    move |name, apply| Change {
        name,
        ground,
        same,
        apply,
    }
}

/// The same solid in other words.
fn written() -> Vec<Change> {
    let change = same_of(Ground::Cuboid, Same::ButOfShape);
    vec![
        change("box as hull", |scene, _| {
            boxes(scene, |half| Solid::Hull(corners(half)))
        }),
        change("box as rounded box", |scene, _| boxes(scene, tiny_radius)),
        change("box as compound of one", |scene, _| boxes(scene, alone)),
        change("box as compound of two halves", |scene, _| {
            boxes(scene, halves)
        }),
        change("box as closed mesh", |scene, _| {
            ground(scene, |half| Solid::Mesh(closed(half, false)))
        }),
        change("box as closed one-sided mesh", |scene, _| {
            ground(scene, |half| Solid::Mesh(closed(half, true)))
        }),
        change("box as two objects of one body", |scene, _| {
            two_objects(scene)
        }),
        change("bodies as compounds of one", |scene, _| {
            for thing in &mut scene.things[1..] {
                thing.solid =
                    Solid::Compound(vec![(thing.solid.clone(), DVec3::ZERO, DQuat::IDENTITY)]);
            }
        }),
    ]
}

fn surfaces() -> Vec<Change> {
    vec![
        same_of(Ground::Triangle, Same::ButOfShape)("triangle as mesh", |scene, _| {
            if let Solid::Triangle { corners, front } = &scene.things[0].solid {
                let sheet = Sheet {
                    vertices: corners.to_vec(),
                    triangles: vec![[0, 1, 2]],
                    front: *front,
                };
                scene.things[0].solid = Solid::Mesh(sheet);
            }
        }),
        same_of(Ground::Field, Same::ButOfShape)("height field as mesh", |scene, _| {
            if let Solid::HeightField(field) = &scene.things[0].solid {
                scene.things[0].solid = Solid::Mesh(triangulated(field, false));
            }
        }),
    ]
}

const GROUNDS: [Ground; 4] = [
    Ground::Cuboid,
    Ground::Triangle,
    Ground::Field,
    Ground::Other,
];

/// Elsewhere, or in other units.
fn placed() -> Vec<Change> {
    let each = |ground: Ground| {
        let change = of(ground);
        let mut changes = vec![
            change("rotated", |scene, random| {
                let turned = rotation(random);
                moved(scene, turned, DVec3::ZERO);
            }),
            Change {
                same: Same::ButOfLog,
                ..change("moved far", |scene, random| {
                    let by = random.point(1e5);
                    moved(scene, DQuat::IDENTITY, by);
                })
            },
            change("mirrored", |scene, _| {
                mapped(scene, DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)));
            }),
            change("in centimetres", |scene, _| scaled(scene, 0.01)),
            change("in units of a kilometre", |scene, _| scaled(scene, 1000.0)),
            Change {
                same: Same::Events,
                ..change("with frames split in two", |scene, _| split(scene))
            },
        ];
        if ground != Ground::Field {
            // The rows of a height field are along fixed axes.
            changes.push(change("with z up", |scene, _| {
                up(scene, "z", [DVec3::Y, DVec3::Z, DVec3::X])
            }));
            changes.push(change("with x up", |scene, _| {
                up(scene, "x", [DVec3::Z, DVec3::X, DVec3::Y])
            }));
        }
        changes
    };
    GROUNDS.into_iter().flat_map(each).collect()
}

/// Listed in another order, or with others that are far away.
fn listed() -> Vec<Change> {
    let each = |ground: Ground| {
        let change = of(ground);
        vec![
            change("with objects in another order", |scene, random| {
                shuffle(&mut scene.things, random);
                scene
                    .lines
                    .iter_mut()
                    .for_each(|line| shuffle(&mut line.bodies, random));
            }),
            change("with other ids", |scene, random| {
                let mut ids: Vec<usize> =
                    (0..scene.things.len()).map(|index| 7 * index + 3).collect();
                shuffle(&mut ids, random);
                renumbered(scene, &ids);
            }),
            change("with contacts in another order", |scene, random| {
                for line in &mut scene.lines {
                    shuffle(&mut line.contacts, random);
                    for contact in &mut line.contacts {
                        contact.ids.reverse();
                        contact.normal = -contact.normal;
                    }
                }
            }),
            change("with far objects", |scene, random| {
                for number in 0..3 {
                    let id = 100 + number;
                    let pose = (far_above(scene, random), rotation(random));
                    let solid = Solid::Box {
                        half: DVec3::splat(1.0),
                        radius: 0.0,
                    };
                    scene.things.push(Thing {
                        id,
                        name: format!("far {number}"),
                        solid,
                        fixed: Some(pose),
                        body: None,
                    });
                }
            }),
            change("with a far body", |scene, random| {
                let (p, v) = (far_above(scene, random), random.direction());
                let solid = Solid::Sphere(0.5);
                scene.things.push(Thing {
                    id: 100,
                    name: "far".to_owned(),
                    solid,
                    fixed: None,
                    body: None,
                });
                for (number, line) in scene.lines.iter_mut().enumerate() {
                    let p = p + v * scene.dt * number as f64;
                    line.bodies.push(Moving {
                        id: 100,
                        p,
                        q: DQuat::IDENTITY,
                        v,
                        w: DVec3::ZERO,
                    });
                }
            }),
        ]
    };
    GROUNDS.into_iter().flat_map(each).collect()
}

/// A place 10 km in front of the obstacle, as a plane has no other far places.
fn far_above(scene: &Scene, random: &mut Random) -> DVec3 {
    let (at, turned) = scene.things[0].fixed.unwrap_or_default();
    at + turned * (DVec3::Y + 0.5 * random.direction()) * 1e4
}

/// Writes every box in another way.
fn boxes(scene: &mut Scene, write: fn(DVec3) -> Solid) {
    for thing in &mut scene.things {
        if let Solid::Box { half, radius: 0.0 } = thing.solid {
            thing.solid = write(half);
        }
    }
}

/// Writes the obstacle in another way.
fn ground(scene: &mut Scene, write: fn(DVec3) -> Solid) {
    if let Solid::Box { half, .. } = scene.things[0].solid {
        scene.things[0].solid = write(half);
    }
}

fn two_objects(scene: &mut Scene) {
    let ground = &scene.things[0];
    let (Solid::Box { half, .. }, Some((at, turned))) = (&ground.solid, ground.fixed) else {
        return;
    };
    let by = DVec3::X * 0.5 * half.x;
    let part = |id: usize, by: DVec3, half: DVec3| Thing {
        id,
        name: format!("ground#{id}"),
        solid: Solid::Box { half, radius: 0.0 },
        fixed: Some((at + turned * by, turned)),
        body: Some("ground"),
    };
    let other = scene.things.len();
    let parts = [part(0, -by, *half - by), part(other, by, *half - by)];
    let [first, second] = parts;
    scene.things[0] = first;
    scene.things.push(second);
    // Each contact is with the half that it is on.
    let is_second = |point: DVec3| (turned.inverse() * (point - at)).x > 0.0;
    for contact in scene.lines.iter_mut().flat_map(|line| &mut line.contacts) {
        if is_second(contact.point) {
            contact.ids[1] = other;
        }
    }
}

/// Every pose turned, then moved.
fn moved(scene: &mut Scene, turned: DQuat, by: DVec3) {
    scene.gravity = turned * scene.gravity;
    for thing in &mut scene.things {
        thing.fixed = thing
            .fixed
            .map(|(at, rotation)| (turned * at + by, (turned * rotation).normalize()));
    }
    for line in &mut scene.lines {
        for body in &mut line.bodies {
            *body = Moving {
                p: turned * body.p + by,
                q: (turned * body.q).normalize(),
                v: turned * body.v,
                w: turned * body.w,
                ..*body
            };
        }
        for contact in &mut line.contacts {
            *contact = Contact {
                point: turned * contact.point + by,
                normal: turned * contact.normal,
                ..*contact
            };
        }
        line.pushes
            .iter_mut()
            .for_each(|(_, push)| *push = turned * *push);
    }
}

/// All axes mapped, those of the shapes too.
fn mapped(scene: &mut Scene, map: DMat3) {
    let axial = map * map.determinant();
    scene.gravity = map * scene.gravity;
    for thing in &mut scene.things {
        thing.solid = thing.solid.mapped(map);
        thing.fixed = thing
            .fixed
            .map(|(at, turned)| (map * at, conjugated(map, turned)));
    }
    for line in &mut scene.lines {
        for body in &mut line.bodies {
            *body = Moving {
                p: map * body.p,
                q: conjugated(map, body.q),
                v: map * body.v,
                w: axial * body.w,
                ..*body
            };
        }
        for contact in &mut line.contacts {
            *contact = Contact {
                point: map * contact.point,
                normal: map * contact.normal,
                ..*contact
            };
        }
        line.pushes
            .iter_mut()
            .for_each(|(_, push)| *push = map * *push);
    }
}

/// With another axis up; `axes` are what x, y and z become.
fn up(scene: &mut Scene, up: &'static str, axes: [DVec3; 3]) {
    mapped(scene, DMat3::from_cols(axes[0], axes[1], axes[2]));
    scene.up = up;
}

/// Written in units of so many metres.
fn scaled(scene: &mut Scene, length: f64) {
    let by = 1.0 / length;
    scene.length = length;
    scene.gravity *= by;
    for thing in &mut scene.things {
        thing.solid = thing.solid.scaled(by);
        thing.fixed = thing.fixed.map(|(at, turned)| (at * by, turned));
    }
    for line in &mut scene.lines {
        for body in &mut line.bodies {
            body.p *= by;
            body.v *= by;
        }
        for contact in &mut line.contacts {
            contact.point *= by;
            contact.depth *= by;
        }
        line.pushes.iter_mut().for_each(|(_, push)| *push *= by);
    }
}

/// A line in the middle of each frame.
fn split(scene: &mut Scene) {
    let before = std::mem::take(&mut scene.lines);
    scene.dt *= 0.5;
    for (index, line) in before.iter().enumerate() {
        if let Some(start) = index.checked_sub(1).map(|index| &before[index]) {
            let middle = |(from, to): (&Moving, &Moving)| Moving {
                p: from.p.midpoint(to.p),
                q: from.q.slerp(to.q, 0.5),
                ..to.clone()
            };
            let bodies = start.bodies.iter().zip(&line.bodies).map(middle).collect();
            // An overlap at the end of the frame was there in its middle only if it was at the start.
            let contacts = start
                .contacts
                .iter()
                .filter(|contact| line.contacts.iter().any(|other| other.ids == contact.ids));
            scene.lines.push(Line {
                bodies,
                contacts: contacts.cloned().collect(),
                pushes: Vec::new(),
            });
        }
        scene.lines.push(line.clone());
    }
}

fn renumbered(scene: &mut Scene, ids: &[usize]) {
    for thing in &mut scene.things {
        thing.id = ids[thing.id];
    }
    for line in &mut scene.lines {
        line.bodies
            .iter_mut()
            .for_each(|body| body.id = ids[body.id]);
        line.contacts
            .iter_mut()
            .for_each(|contact| contact.ids = contact.ids.map(|id| ids[id]));
        line.pushes.iter_mut().for_each(|(id, _)| *id = ids[*id]);
    }
}

fn shuffle<T>(all: &mut [T], random: &mut Random) {
    for index in (1..all.len()).rev() {
        all.swap(index, random.index(index + 1));
    }
}
