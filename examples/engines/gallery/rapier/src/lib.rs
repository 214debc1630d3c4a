//! What the programs of the gallery share: the command line, and the lines of a log.

use rapier3d::prelude::*;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

/// The arguments after the program's name: `record OUT.jsonl [--fixed]`, or `phases`.
pub enum Command {
    Record { path: String, fixed: bool },
    Phases,
}

impl Command {
    pub fn from_arguments() -> Result<Self, Box<dyn Error>> {
        let mut words: Vec<String> = std::env::args().skip(1).collect();
        let fixed = words.iter().any(|word| word == "--fixed");
        words.retain(|word| word != "--fixed");
        match words.as_slice() {
            [verb, path] if verb == "record" => Ok(Self::Record {
                path: path.clone(),
                fixed,
            }),
            [verb] if verb == "phases" => Ok(Self::Phases),
            _ => Err("usage: record OUT.jsonl [--fixed] | phases".into()),
        }
    }
}

/// Writes one JSON object a line.
pub struct Log(BufWriter<File>);

impl Log {
    pub fn create(path: &str) -> Result<Self, Box<dyn Error>> {
        Ok(Self(BufWriter::new(File::create(path)?)))
    }

    pub fn line(&mut self, json: &str) -> Result<(), Box<dyn Error>> {
        Ok(writeln!(self.0, "{json}")?)
    }

    /// The line of a frame: the state after a step. `more` is `""`, or further fields, each with a comma before it.
    pub fn frame(
        &mut self,
        frame: u32,
        bodies: &[String],
        more: &str,
    ) -> Result<(), Box<dyn Error>> {
        self.line(&format!(
            r#"{{"frame":{frame},"bodies":[{}]{more}}}"#,
            bodies.join(",")
        ))
    }
}

/// An entry of `bodies`. Rust prints an `f32` as the shortest text that is read back as the same number.
pub fn body_json(id: u32, body: &RigidBody) -> String {
    let q = body.rotation();
    format!(
        r#"{{"id":{id},"p":{},"q":{:?},"v":{},"w":{}}}"#,
        json(body.translation()),
        q.to_array(),
        json(body.linvel()),
        json(body.angvel()),
    )
}

pub fn json(vector: Vector) -> String {
    format!("{:?}", vector.to_array())
}

/// The engine's contact points up to 5 cm apart (these have a negative depth), as the field `contacts` of a frame.
pub fn contacts_json(world: &PhysicsWorld, id: impl Fn(ColliderHandle) -> u32) -> String {
    let mut points = Vec::new();
    for pair in world.contact_pairs() {
        let (a, b) = (id(pair.collider1), id(pair.collider2));
        let place = world.colliders[pair.collider1].position();
        for manifold in pair.manifolds() {
            // Rapier's normal points out of the first collider.
            let normal = (-manifold.data.normal).to_array();
            for point in manifold.points.iter().filter(|point| point.dist < 0.05) {
                let at = json(place.transform_point(point.local_p1));
                let depth = -point.dist;
                points.push(format!(
                    r#"{{"a":{a},"b":{b},"point":{at},"normal":{normal:?},"depth":{depth}}}"#
                ));
            }
        }
    }
    format!(r#","contacts":[{}]"#, points.join(","))
}
