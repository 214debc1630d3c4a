//! The text of a log of one body and an obstacle.

use super::motions::State;
use super::movers::Mover;
use serde_json::{Value, json};

/// Seconds of a frame.
pub const DT: f64 = 1.0 / 60.0;

/// What a log has, each with all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    Positions,
    Velocities,
    Contacts,
    Pushes,
}

impl Detail {
    pub const ALL: [Self; 4] = [
        Self::Positions,
        Self::Velocities,
        Self::Contacts,
        Self::Pushes,
    ];
}

/// Of what a log is: of space, or of one of its planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum World {
    Space,
    /// The plane of x and y.
    Along,
    /// The plane of z and y.
    Across,
}

impl World {
    pub fn is_flat(self) -> bool {
        self != Self::Space
    }

    /// Of a point in space.
    pub fn array(self, [x, y, z]: [f64; 3]) -> Value {
        Value::from(match self {
            Self::Space => vec![x, y, z],
            Self::Along => vec![x, y],
            Self::Across => vec![z, y],
        })
    }
}

pub fn array(numbers: [f64; 3]) -> Value {
    World::Space.array(numbers)
}

pub fn text(
    world: World,
    mover: &Mover,
    obstacles: Vec<Value>,
    states: &[State],
    detail: Detail,
) -> String {
    let mut objects = vec![json!({"id": 0, "name": "mover", "shape": mover.shape})];
    objects.extend(obstacles);
    let gravity = world.array([0.0, -9.81, 0.0]);
    let mut header = json!({"hitstop": 1, "dt": DT, "gravity": gravity, "objects": objects});
    if world.is_flat() {
        header["flat"] = json!(true);
    }
    let lines = states
        .iter()
        .enumerate()
        .map(|(number, state)| line(world, number, state, detail));
    let lines: Vec<String> = [header]
        .into_iter()
        .chain(lines)
        .map(|line| line.to_string())
        .collect();
    lines.join("\n") + "\n"
}

fn line(world: World, number: usize, state: &State, detail: Detail) -> Value {
    let array = |numbers: [f64; 3]| world.array(numbers);
    let mut body = json!({"id": 0, "p": array(state.p)});
    let half = 0.5 * state.turn * number as f64;
    let (turned, spin) = match world.is_flat() {
        true => (json!(2.0 * half), json!(state.turn / DT)),
        false => (
            json!([0.0, half.sin(), 0.0, half.cos()]),
            json!([0.0, state.turn / DT, 0.0]),
        ),
    };
    if state.turn != 0.0 {
        body["q"] = turned;
    }
    if detail >= Detail::Velocities {
        body["v"] = array(state.v);
        if state.turn != 0.0 {
            body["w"] = spin;
        }
    }
    let mut line = json!({"frame": number, "bodies": [body]});
    if detail >= Detail::Contacts {
        let contact = |contact: &super::motions::Contact| json!({"a": 0, "b": contact.other, "point": array(contact.point), "normal": array(contact.normal), "depth": contact.depth});
        line["contacts"] = state.contacts.iter().map(contact).collect();
    }
    if detail >= Detail::Pushes {
        line["pushes"] = state
            .push
            .iter()
            .map(|push| json!({"id": 0, "push": array(*push)}))
            .collect();
    }
    line
}
