//! Levels of small cells: an obstacle and what flies, rolls and rests about it, one frame after the other.

use super::geometry::Form;
use super::truth::Place;
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// Frames of a level.
pub const FRAMES: usize = 10;

/// Metres between two cells; nothing reaches from one to the next.
const APART: f64 = 1000.0;

/// SplitMix64: the same levels on every machine.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In [0, 1).
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    /// As often in one power of ten as in the next.
    pub fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        (self.between(low.ln(), high.ln())).exp()
    }

    pub fn of(&mut self, count: usize) -> usize {
        (self.share() * count as f64) as usize
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.of(count) == 0
    }

    pub fn direction(&mut self) -> DVec3 {
        let height = self.between(-1.0, 1.0);
        let around = self.between(0.0, TAU);
        let wide = (1.0 - height * height).sqrt();
        DVec3::new(wide * around.cos(), height, wide * around.sin())
    }

    pub fn turn(&mut self) -> DQuat {
        let axis = self.direction();
        DQuat::from_axis_angle(axis.normalize(), self.between(0.0, TAU))
    }
}

/// What takes part.
#[derive(Clone, Debug)]
pub struct Thing {
    pub form: Form,
    pub turn: DQuat,
    /// It only reports what it touches.
    pub sensor: bool,
    /// Nothing pushes it.
    pub fixed: bool,
    /// Where it is at every frame's start and after the last.
    pub places: Vec<DVec3>,
    /// How far it turns every frame, world axis times radians.
    pub spin: DVec3,
    /// Metres per second, where it is stepped.
    pub velocity: DVec3,
    /// The first state it is in, and one it was put into.
    pub appears: usize,
    pub put: Option<usize>,
}

impl Thing {
    fn new(form: Form, turn: DQuat) -> Self {
        Self {
            form,
            turn,
            sensor: false,
            fixed: false,
            places: vec![DVec3::ZERO; FRAMES + 1],
            spin: DVec3::ZERO,
            velocity: DVec3::ZERO,
            appears: 0,
            put: None,
        }
    }

    fn ball(radius: f64) -> Self {
        Self::new(Form::Ball(radius), DQuat::IDENTITY)
    }

    pub fn place(&self, state: usize) -> Place {
        let spun = DQuat::from_scaled_axis(self.spin * state as f64);
        let turn = match self.spin {
            DVec3::ZERO => self.turn,
            _ => (spun * self.turn).normalize(),
        };
        Place {
            at: self.places[state],
            turn,
        }
    }

    /// Did it travel to this state from the one before?
    pub fn travels_to(&self, state: usize) -> bool {
        state > self.appears && self.put != Some(state)
    }
}

/// Things that can meet.
pub type Cell = Vec<Thing>;

/// A level that is written down, place by place.
pub fn level(chance: &mut Chance, cells: usize) -> Vec<Cell> {
    let cell = |chance: &mut Chance| match chance.of(12) {
        0..=2 => about(chance, wall),
        3..=5 => about(chance, sheet),
        6 => about(chance, |chance| Thing::new(Form::Ground, chance.turn())),
        7 | 8 => flock(chance),
        9 | 10 => quiet(chance),
        _ => grazing(chance),
    };
    in_a_row((0..cells).map(|_| cell(chance)).collect())
}

/// Each so far from the next that nothing reaches over.
pub fn in_a_row(mut cells: Vec<Cell>) -> Vec<Cell> {
    for (number, cell) in cells.iter_mut().enumerate() {
        let at = DVec3::new(number as f64 * APART, 0.0, 0.0);
        for place in cell.iter_mut().flat_map(|thing| &mut thing.places) {
            *place += at;
        }
    }
    cells
}

/// A level in which most things turn as they go, from a little to most of a half turn a frame.
pub fn turning(chance: &mut Chance, cells: usize) -> Vec<Cell> {
    let cell = |chance: &mut Chance| {
        let two_sided = |chance: &mut Chance| loop {
            let sheet = sheet(chance);
            if !sheet.form.is_one_sided() {
                return sheet;
            }
        };
        let mut cell = match chance.of(3) {
            0 => about(chance, wall),
            1 => about(chance, two_sided),
            _ => about(chance, |chance| body(chance, false)),
        };
        for thing in &mut cell {
            thing.spin = chance.direction() * chance.magnitude(0.02, 2.5);
        }
        cell
    };
    in_a_row((0..cells).map(|_| cell(chance)).collect())
}

/// A level that is stepped: things are given a place and a velocity.
pub fn flights(chance: &mut Chance, cells: usize, dt: f64) -> Vec<Cell> {
    let cell = |chance: &mut Chance| {
        let mut cell = match chance.of(5) {
            0 | 1 => vec![wall(chance)],
            2 | 3 => vec![sheet(chance)],
            _ => Vec::new(),
        };
        for obstacle in &mut cell {
            obstacle.fixed = !chance.one_in(4) || obstacle.form.is_one_sided();
            if !obstacle.fixed {
                obstacle.velocity = chance.direction() * chance.magnitude(0.01, 1.0) / dt;
            }
        }
        let only_balls = cell.iter().any(|thing| thing.form.is_one_sided());
        for _ in 0..2 {
            let mut body = body(chance, only_balls);
            let size = cell.first().map_or(0.5, |thing| thing.form.bound()) + body.form.bound();
            // There within some frames, and past the middle by less than its size.
            let away = chance.direction() * size * chance.magnitude(1.05, 20.0);
            let aim = chance.direction() * chance.between(0.0, 0.7 * size);
            body.places = vec![away; FRAMES + 1];
            body.velocity = (aim - away) / (dt * chance.between(0.4, 4.0));
            cell.push(body);
        }
        cell
    };
    in_a_row((0..cells).map(|_| cell(chance)).collect())
}

/// Something that flies: mostly balls, of 2 cm to 1 m. What a one-sided surface is to a box is not said; only balls meet it.
pub fn body(chance: &mut Chance, only_balls: bool) -> Thing {
    let size = chance.magnitude(0.02, 1.0);
    if only_balls {
        return Thing::ball(size);
    }
    let slim = chance.between(0.5, 3.0);
    match chance.of(10) {
        0 => {
            let flat = DVec3::new(1.0, chance.between(0.3, 1.0), chance.between(0.3, 1.0));
            Thing::new(Form::Box(size * flat), chance.turn())
        }
        1 => Thing::new(Form::Box(DVec3::splat(size)), DQuat::IDENTITY),
        2 => Thing::new(Form::Capsule(size * slim, size), chance.turn()),
        3 => Thing::new(Form::Cylinder(size * slim, size), chance.turn()),
        4 => Thing::new(Form::Cone(size * slim, size), chance.turn()),
        5 => {
            let half = DVec3::new(1.0, slim, chance.between(0.0, 1.0));
            let radius = chance.between(0.1, 1.0);
            Thing::new(
                Form::Rounded(0.5 * size * half, size * radius),
                chance.turn(),
            )
        }
        _ => Thing::ball(size),
    }
}

/// From paper to a block, some of them round.
pub fn wall(chance: &mut Chance) -> Thing {
    let thick = chance.magnitude(0.001, 1.0);
    let half = DVec3::new(thick, chance.between(0.5, 3.0), chance.between(0.5, 3.0));
    let form = match chance.of(9) {
        0 => Form::Cylinder(half.x, half.y),
        1 => Form::Cylinder(half.y, half.x),
        2 => Form::Cone(half.x, half.y),
        3 => Form::Cone(half.y, half.x),
        4 => Form::Rounded(half - 0.5 * half.x, 0.5 * half.x),
        _ => Form::Box(half),
    };
    let turn = match chance.of(2) {
        0 => DQuat::IDENTITY,
        _ => chance.turn(),
    };
    Thing::new(form, turn)
}

/// A triangle, a closed mesh, terrain, a height field, or two skins with nothing between.
pub fn sheet(chance: &mut Chance) -> Thing {
    let list = match chance.of(5) {
        0 => {
            let corner = |chance: &mut Chance| 2.0 * chance.direction();
            let [a, b, c] = [corner(chance), corner(chance), corner(chance)];
            // About its middle.
            let middle = (a + b + c) / 3.0;
            vec![[a - middle, b - middle, c - middle]]
        }
        1 => closed_box(DVec3::new(
            chance.magnitude(0.01, 1.5),
            chance.between(0.5, 2.0),
            chance.between(0.5, 2.0),
        )),
        2 => terrain(chance),
        4 => return Thing::new(height_field(chance), chance.turn()),
        _ => {
            let apart = chance.magnitude(0.01, 1.0);
            let skin = |x: f64| {
                let at = |y: f64, z: f64| DVec3::new(x, y, z);
                [
                    [at(-2.0, -2.0), at(2.0, -2.0), at(2.0, 2.0)],
                    [at(-2.0, -2.0), at(2.0, 2.0), at(-2.0, 2.0)],
                ]
            };
            [skin(0.0), skin(apart)].concat()
        }
    };
    let one_sided = chance.of(4) == 0;
    Thing::new(Form::Sheet(list, one_sided), chance.turn())
}

/// Twelve triangles, wound outward.
fn closed_box(half: DVec3) -> Vec<[DVec3; 3]> {
    let mut list = Vec::new();
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let corner = |a: f64, b: f64| {
                let mut at = DVec3::ZERO;
                at[axis] = sign * half[axis];
                at[u] = sign * a * half[u];
                at[v] = b * half[v];
                at
            };
            let quad = [
                corner(-1.0, -1.0),
                corner(1.0, -1.0),
                corner(1.0, 1.0),
                corner(-1.0, 1.0),
            ];
            list.push([quad[0], quad[1], quad[2]]);
            list.push([quad[0], quad[2], quad[3]]);
        }
    }
    list
}

fn terrain(chance: &mut Chance) -> Vec<[DVec3; 3]> {
    let side = 5;
    let rough = chance.between(0.0, 0.5);
    let heights: Vec<f64> = (0..side * side).map(|_| rough * chance.share()).collect();
    let at = |x: usize, z: usize| DVec3::new(x as f64 - 2.0, heights[x * side + z], z as f64 - 2.0);
    let mut list = Vec::new();
    for x in 0..side - 1 {
        for z in 0..side - 1 {
            list.push([at(x, z), at(x, z + 1), at(x + 1, z)]);
            list.push([at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)]);
        }
    }
    list
}

fn height_field(chance: &mut Chance) -> Form {
    let rough = chance.between(0.0, 0.5);
    let row = |columns: usize, chance: &mut Chance| {
        (0..columns).map(|_| rough * chance.share()).collect()
    };
    let (rows, columns) = (2 + chance.of(3), 2 + chance.of(3));
    let rows = (0..rows).map(|_| row(columns, chance)).collect();
    Form::Field(rows, [chance.between(0.5, 1.5), chance.between(0.5, 1.5)])
}

/// One or two bodies that cross about an obstacle, which may move as well.
fn about(chance: &mut Chance, obstacle: impl Fn(&mut Chance) -> Thing) -> Cell {
    let mut obstacle = obstacle(chance);
    // What the sides of a one-sided triangle are that flies at a ball is not said.
    let flies = obstacle.form.bound().is_finite()
        && !(obstacle.form.is_body() && obstacle.form.is_one_sided());
    if flies && chance.one_in(3) {
        for place in &mut obstacle.places {
            *place = chance.direction() * chance.magnitude(0.01, 2.0);
        }
    } else {
        obstacle.fixed = chance.one_in(2);
    }
    obstacle.sensor = chance.one_in(12);
    let reach = if obstacle.form.bound().is_finite() {
        obstacle.form.bound()
    } else {
        2.0
    };
    let only_balls = obstacle.form.is_one_sided();
    let mut cell = vec![obstacle];
    for _ in 0..1 + chance.of(2) {
        let mut body = body(chance, only_balls);
        body.places = crossing(chance, reach * 0.6 + body.form.bound());
        come_and_go(chance, &mut body);
        cell.push(body);
    }
    cell
}

/// Some appear late, some are put where they are.
fn come_and_go(chance: &mut Chance, thing: &mut Thing) {
    if chance.one_in(6) {
        thing.appears = 1 + chance.of(FRAMES - 2);
    }
    if chance.one_in(6) {
        thing.put = Some(1 + chance.of(FRAMES - 1)).filter(|state| *state > thing.appears);
    }
}

/// Places about the origin: far and near, on all sides, so that most ways cross it and some end in it.
fn crossing(chance: &mut Chance, size: f64) -> Vec<DVec3> {
    let mut side = chance.direction();
    (0..=FRAMES)
        .map(|_| {
            // To the other side more often than not, and never quite through the middle.
            side = (-side + chance.direction() * chance.between(0.0, 1.5)).normalize();
            let off = chance.direction() * chance.between(0.0, 0.5 * size);
            side * size * chance.magnitude(0.3, 30.0) + off
        })
        .collect()
}

/// Three bodies that all move.
fn flock(chance: &mut Chance) -> Cell {
    let mut cell: Cell = (0..3).map(|_| body(chance, false)).collect();
    let size = cell.iter().map(|thing| thing.form.bound()).sum::<f64>() / 3.0;
    for thing in &mut cell {
        thing.places = crossing(chance, size);
        come_and_go(chance, thing);
    }
    cell
}

/// What must not be reported: resting, rolling over the seams of a mesh, sliding along a floor, hopping on it.
fn quiet(chance: &mut Chance) -> Cell {
    let radius = chance.magnitude(0.05, 1.0);
    let (wide, thick) = (50.0, chance.magnitude(0.01, 1.0));
    let floor = match chance.of(6) {
        0 => Form::Box(DVec3::new(wide, thick, wide)),
        1 => Form::Ground,
        3 => Form::Cylinder(thick, wide),
        4 => Form::Rounded(DVec3::new(wide, 0.5 * thick, wide), 0.5 * thick),
        5 => Form::Field(vec![vec![0.0; 4]; 3], [0.6 * wide, wide]),
        _ => Form::Sheet(strips(), chance.one_in(2)),
    };
    let top = match &floor {
        Form::Box(_) | Form::Cylinder(..) | Form::Rounded(..) => thick,
        _ => 0.0,
    };
    let half = DVec3::splat(radius);
    let form = match chance.of(9) {
        _ if floor.is_one_sided() => Form::Ball(radius),
        0 | 1 => Form::Box(half),
        2 => Form::Cylinder(radius, radius),
        3 => Form::Cone(radius, radius),
        4 => Form::Rounded(0.75 * half, 0.25 * radius),
        _ => Form::Ball(radius),
    };
    let mut rests = Thing::new(form, DQuat::IDENTITY);
    // A solver leaves a little overlap; less than a fiftieth is no finding.
    let sag = [0.0, 0.0, 0.005, 0.015][chance.of(4)] * radius;
    let speed = [0.0, 0.01, 0.3, 3.0][chance.of(4)];
    let lift = [0.0, 0.0, 0.0, 1e-4, 0.1][chance.of(5)];
    let way = DVec3::new(chance.between(-1.0, 1.0), 0.0, chance.between(-1.0, 1.0));
    for (frame, place) in rests.places.iter_mut().enumerate() {
        let hop = lift * ((frame * 7) % 3) as f64;
        *place = way * speed * frame as f64 + DVec3::Y * (top + radius - sag + hop);
    }
    vec![Thing::new(floor, DQuat::IDENTITY), rests]
}

/// A floor a hundred metres wide.
fn strips() -> Vec<[DVec3; 3]> {
    let at = |x: f64, z: f64| DVec3::new(x, 0.0, z);
    let mut list = Vec::new();
    for number in -10..10 {
        let (low, high) = (f64::from(number) * 5.0, f64::from(number + 1) * 5.0);
        list.push([at(low, -50.0), at(low, 50.0), at(high, -50.0)]);
        list.push([at(high, -50.0), at(low, 50.0), at(high, 50.0)]);
    }
    list
}

/// Ways that pass an edge or a ball at exactly its radius, a hair beside it, or cut it.
fn grazing(chance: &mut Chance) -> Cell {
    let radius = 0.25 * (1 + chance.of(4)) as f64;
    let hairs = [
        0.0, 1e-12, 1e-6, 1e-4, 1e-2, -1e-12, -1e-6, -1e-3, -0.02, -0.05, -0.1, -0.2,
    ];
    let hair = hairs[chance.of(hairs.len())];
    let triangle = || {
        let at = |x: f64, z: f64| DVec3::new(x, 0.0, z);
        vec![[at(-1.0, -1.0), at(-1.0, 2.0), at(2.0, -1.0)]] // its middle is the origin
    };
    let (form, apart) = match chance.of(5) {
        0 => (Form::Ball(0.5), 0.5 + radius),
        1 => (Form::Box(DVec3::new(1.0, 0.5, 1.0)), 0.5 + radius),
        3 => (Form::Cylinder(0.5, 1.0), 0.5 + radius),
        4 => (
            Form::Rounded(DVec3::new(0.75, 0.25, 0.75), 0.25),
            0.5 + radius,
        ),
        _ => (Form::Sheet(triangle(), false), radius),
    };
    let step = 0.5 * (1 + chance.of(12)) as f64;
    let mut ball = Thing::ball(radius);
    for (frame, place) in ball.places.iter_mut().enumerate() {
        *place = DVec3::new(step * (frame as f64 - 4.75), apart + hair, 0.0);
    }
    vec![Thing::new(form, DQuat::IDENTITY), ball]
}
