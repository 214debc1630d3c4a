//! Writes streams of OmniPVD, command by command.

use std::collections::HashMap;

/// Scene, and the object of `PxPhysics`.
pub const SCENE: u64 = 1;
const PHYSICS: u64 = 2;

pub const SIMULATION: u8 = 1;
pub const TRIGGER: u8 = 4;

const FLAGS: [(&str, &str, u32); 8] = [
    ("PxShapeFlag", "eSIMULATION_SHAPE", 1),
    ("PxShapeFlag", "eTRIGGER_SHAPE", 4),
    ("PxRigidBodyFlag", "eKINEMATIC", 1),
    ("PxRigidBodyFlag", "eENABLE_CCD", 4),
    ("PxSceneFlag", "eENABLE_CCD", 2),
    ("PxActorFlag", "eDISABLE_SIMULATION", 8),
    ("PxConstraintFlag", "eCOLLISION_ENABLED", 8),
    ("PxArticulationFlag", "eDISABLE_SELF_COLLISION", 2),
];

/// A stream under construction. Classes and attributes are registered before their first use.
#[derive(Clone)]
pub struct Stream {
    pub bytes: Vec<u8>,
    minor: u32,
    names: HashMap<String, u32>,
    /// The next geometry.
    next: u64,
}

impl Stream {
    /// Of a version `0.minor.0`, with no object but `PxPhysics` and a scene.
    pub fn new(minor: u32, gravity: [f32; 3], units_per_metre: f32) -> Self {
        let mut stream = Self {
            bytes: Vec::new(),
            minor,
            names: HashMap::new(),
            next: 1000,
        };
        stream.words(&[0, minor, 0]);
        for (class, flag, bits) in FLAGS {
            let class = stream.class(class);
            stream.bytes.push(3);
            stream.words(&[class, 500]);
            stream.bytes.extend(12_u16.to_le_bytes());
            stream.words(&[bits]);
            stream.text(flag);
        }
        stream.create(PHYSICS, "PxPhysics");
        stream.floats(
            PHYSICS,
            "PxPhysics.tolerancesScale",
            &[units_per_metre, 10.0],
        );
        stream.create(SCENE, "PxScene");
        stream.floats(SCENE, "PxScene.gravity", &gravity);
        stream.attribute("PxScene.pairsActors");
        stream
    }

    /// In metres, Y up.
    pub fn metres() -> Self {
        Self::new(4, [0.0, -10.0, 0.0], 1.0)
    }

    fn words(&mut self, words: &[u32]) {
        words
            .iter()
            .for_each(|word| self.bytes.extend(word.to_le_bytes()));
    }

    fn text(&mut self, text: &str) {
        self.bytes.extend((text.len() as u16).to_le_bytes());
        self.bytes.extend(text.as_bytes());
    }

    fn class(&mut self, name: &str) -> u32 {
        if let Some(handle) = self.names.get(name) {
            return *handle;
        }
        let handle = self.names.len() as u32 + 1;
        self.names.insert(name.to_owned(), handle);
        self.bytes.push(1);
        self.words(&[handle]);
        if self.minor >= 3 {
            self.words(&[0]);
        }
        self.text(name);
        handle
    }

    /// `name` is `Class.attribute`.
    pub fn attribute(&mut self, name: &str) -> u32 {
        if let Some(handle) = self.names.get(name) {
            return *handle;
        }
        let (class, attribute) = name.split_once('.').expect("Class.attribute");
        let class = self.class(class);
        let handle = self.names.len() as u32 + 1;
        self.names.insert(name.to_owned(), handle);
        self.bytes.push(3);
        self.words(&[class, handle]);
        self.bytes.extend(8_u16.to_le_bytes());
        self.words(&[1]);
        self.text(attribute);
        handle
    }

    pub fn create(&mut self, object: u64, class: &str) {
        let class = self.class(class);
        self.bytes.push(9);
        self.handles(&[1]);
        self.words(&[class]);
        self.handles(&[object]);
        self.text("");
    }

    pub fn destroy(&mut self, object: u64) {
        self.bytes.push(10);
        self.handles(&[1, object]);
    }

    fn handles(&mut self, handles: &[u64]) {
        handles
            .iter()
            .for_each(|handle| self.bytes.extend(handle.to_le_bytes()));
    }

    /// Sets an attribute (6), adds to a list (7) or removes from it (8).
    pub fn value(&mut self, code: u8, object: u64, name: &str, value: &[u8]) {
        self.announce(code, object, name, value.len() as u32);
        self.bytes.extend(value);
    }

    /// The same without the value.
    pub fn announce(&mut self, code: u8, object: u64, name: &str, length: u32) {
        let attribute = self.attribute(name);
        self.bytes.push(code);
        self.handles(&[1, object]);
        self.bytes.push(1);
        self.words(&[attribute, length]);
    }

    pub fn set(&mut self, object: u64, name: &str, value: &[u8]) {
        self.value(6, object, name, value);
    }

    pub fn floats(&mut self, object: u64, name: &str, floats: &[f32]) {
        let bytes: Vec<u8> = floats
            .iter()
            .flat_map(|float| float.to_le_bytes())
            .collect();
        self.set(object, name, &bytes);
    }

    pub fn wholes(&mut self, object: u64, name: &str, wholes: &[u32]) {
        let bytes: Vec<u8> = wholes
            .iter()
            .flat_map(|whole| whole.to_le_bytes())
            .collect();
        self.set(object, name, &bytes);
    }

    pub fn objects(&mut self, object: u64, name: &str, handles: &[u64]) {
        let bytes: Vec<u8> = handles
            .iter()
            .flat_map(|handle| handle.to_le_bytes())
            .collect();
        self.set(object, name, &bytes);
    }

    pub fn add(&mut self, object: u64, name: &str, member: u64) {
        self.value(7, object, name, &member.to_le_bytes());
    }

    pub fn remove(&mut self, object: u64, name: &str, member: u64) {
        self.value(8, object, name, &member.to_le_bytes());
    }

    pub fn text_of(&mut self, object: u64, name: &str, text: &str) {
        self.set(object, name, &[text.as_bytes(), &[0]].concat());
    }

    /// A new geometry of a class, with floats of it.
    pub fn geometry(&mut self, class: &str, floats: &[(&str, &[f32])]) -> u64 {
        let handle = self.next;
        self.next += 1;
        self.create(handle, class);
        for (name, floats) in floats {
            self.floats(handle, &format!("{class}.{name}"), floats);
        }
        handle
    }

    pub fn sphere(&mut self, radius: f32) -> u64 {
        self.geometry("PxSphereGeometry", &[("radius", &[radius])])
    }

    pub fn shape(&mut self, shape: u64, geometry: u64, flags: u8) {
        self.create(shape, "PxShape");
        self.objects(shape, "PxShape.geom", &[geometry]);
        self.set(shape, "PxShape.shapeFlags", &[flags]);
        self.floats(shape, "PxShape.localPose", &at([0.0; 3]));
    }

    /// An actor of the scene.
    pub fn actor(&mut self, actor: u64, class: &str, position: [f32; 3], shapes: &[u64]) {
        self.create(actor, class);
        self.text_of(actor, "PxActor.name", &format!("actor {actor}"));
        self.place(actor, position);
        for shape in shapes {
            self.add(actor, "PxRigidActor.shapes", *shape);
        }
        self.add(SCENE, "PxScene.actors", actor);
    }

    pub fn place(&mut self, actor: u64, position: [f32; 3]) {
        self.floats(actor, "PxRigidActor.globalPose", &at(position));
    }

    /// A ball `actor` with the shape `actor + 1`.
    pub fn ball(&mut self, actor: u64, class: &str, position: [f32; 3], radius: f32) {
        let geometry = self.sphere(radius);
        self.shape(actor + 1, geometry, SIMULATION);
        self.actor(actor, class, position, &[actor + 1]);
    }

    pub fn begin_step(&mut self, dt: f32) {
        self.frame(11, SCENE);
        self.floats(SCENE, "PxScene.elapsedTime", &[dt]);
    }

    pub fn end_step(&mut self) {
        self.frame(12, SCENE);
        // What the program does between two steps is a frame, too.
        self.frame(11, SCENE);
        self.frame(12, SCENE);
    }

    /// A step of a tenth of a second after which bodies are at these places.
    pub fn step(&mut self, places: &[(u64, [f32; 3])]) {
        self.begin_step(0.1);
        for (actor, position) in places {
            self.place(*actor, *position);
        }
        self.end_step();
    }

    fn frame(&mut self, code: u8, scene: u64) {
        self.bytes.push(code);
        self.handles(&[scene, 1]);
    }

    /// A contact of two shapes, each the one of its actor.
    pub fn contact(
        &mut self,
        [a, b]: [u64; 2],
        point: [f32; 3],
        normal: [f32; 3],
        separation: f32,
    ) {
        self.objects(SCENE, "PxScene.pairsActors", &[a, b]);
        self.wholes(SCENE, "PxScene.pairsContactCounts", &[1]);
        self.floats(SCENE, "PxScene.pairsContactPoints", &point);
        self.floats(SCENE, "PxScene.pairsContactNormals", &normal);
        self.floats(SCENE, "PxScene.pairsContactSeparations", &[separation]);
        self.objects(SCENE, "PxScene.pairsContactShapes", &[a + 1, b + 1]);
    }
}

/// A pose that is not rotated.
pub fn at([x, y, z]: [f32; 3]) -> [f32; 7] {
    [0.0, 0.0, 0.0, 1.0, x, y, z]
}
