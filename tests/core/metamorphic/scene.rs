//! A fuzzed level, and its text as a log.

use super::array;
use super::solid::Solid;
use glam::{DQuat, DVec3};
use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub struct Thing {
    pub id: usize,
    pub name: String,
    pub solid: Solid,
    /// Its pose, if it is fixed.
    pub fixed: Option<(DVec3, DQuat)>,
    /// The body that it is a part of.
    pub body: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub struct Moving {
    pub id: usize,
    pub p: DVec3,
    pub q: DQuat,
    pub v: DVec3,
    pub w: DVec3,
}

#[derive(Clone, Debug)]
pub struct Contact {
    pub ids: [usize; 2],
    pub point: DVec3,
    pub normal: DVec3,
    pub depth: f64,
}

#[derive(Clone, Debug, Default)]
pub struct Line {
    pub bodies: Vec<Moving>,
    pub contacts: Vec<Contact>,
    pub pushes: Vec<(usize, DVec3)>,
}

#[derive(Clone, Debug)]
pub struct Scene {
    pub dt: f64,
    pub up: &'static str,
    pub length: f64,
    pub gravity: DVec3,
    pub things: Vec<Thing>,
    pub lines: Vec<Line>,
    pub has_velocities: bool,
    pub has_contacts: bool,
}

impl Scene {
    pub fn text(&self) -> String {
        let things: Vec<Value> = self.things.iter().map(Thing::json).collect();
        let header = json!({"hitstop": 1, "dt": self.dt, "up": self.up, "length": self.length,
            "gravity": array(self.gravity), "objects": things});
        let lines = self
            .lines
            .iter()
            .enumerate()
            .map(|(number, line)| self.line(number, line));
        let lines: Vec<String> = std::iter::once(header)
            .chain(lines)
            .map(|line| line.to_string())
            .collect();
        lines.join("\n") + "\n"
    }

    fn line(&self, number: usize, line: &Line) -> Value {
        let body = |body: &Moving| {
            let mut value = json!({"id": body.id, "p": array(body.p), "q": body.q.to_array()});
            if self.has_velocities {
                value["v"] = array(body.v);
                value["w"] = array(body.w);
            }
            value
        };
        let mut value = json!({"frame": number, "bodies": line.bodies.iter().map(body).collect::<Vec<Value>>()});
        if self.has_contacts {
            let contact = |contact: &Contact| {
                json!({"a": contact.ids[0], "b": contact.ids[1], "point": array(contact.point),
                    "normal": array(contact.normal), "depth": contact.depth})
            };
            value["contacts"] = line.contacts.iter().map(contact).collect();
            let push = |(id, push): &(usize, DVec3)| json!({"id": id, "push": array(*push)});
            value["pushes"] = line.pushes.iter().map(push).collect();
        }
        value
    }
}

impl Thing {
    fn json(&self) -> Value {
        let mut value = json!({"id": self.id, "name": self.name, "shape": self.solid.json()});
        if let Some((at, turned)) = self.fixed {
            value["motion"] = json!("fixed");
            value["position"] = array(at);
            value["rotation"] = json!(turned.to_array());
        }
        if let Some(body) = self.body {
            value["body"] = json!(body);
        }
        value
    }
}
