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

pub fn array(numbers: [f64; 3]) -> Value {
    Value::from(numbers.to_vec())
}

pub fn text(mover: &Mover, obstacles: Vec<Value>, states: &[State], detail: Detail) -> String {
    let mut objects = vec![json!({"id": 0, "name": "mover", "shape": mover.shape})];
    objects.extend(obstacles);
    let header = json!({"hitstop": 1, "dt": DT, "gravity": [0.0, -9.81, 0.0], "objects": objects});
    let lines = states
        .iter()
        .enumerate()
        .map(|(number, state)| line(number, state, detail));
    let lines: Vec<String> = [header]
        .into_iter()
        .chain(lines)
        .map(|line| line.to_string())
        .collect();
    lines.join("\n") + "\n"
}

fn line(number: usize, state: &State, detail: Detail) -> Value {
    let mut body = json!({"id": 0, "p": array(state.p)});
    if state.turn != 0.0 {
        let half = 0.5 * state.turn * number as f64;
        body["q"] = json!([0.0, half.sin(), 0.0, half.cos()]);
    }
    if detail >= Detail::Velocities {
        body["v"] = array(state.v);
        if state.turn != 0.0 {
            body["w"] = json!([0.0, state.turn / DT, 0.0]);
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
