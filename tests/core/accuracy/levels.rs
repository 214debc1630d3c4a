//! Levels of small cells: an obstacle, and objects that fly, roll and rest about it.

use super::geometry::TestShape;
use super::truth::{SLOP, TestPose, size_of};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// Frames of a level.
pub const FRAMES: usize = 10;

/// Width of the tiles of a floor, metres.
const TILE: f64 = 5.0;

/// Radius of the largest ball inside a cone of the height and width of 2, and less than that of the other bodies that rest.
const INNER: f64 = 0.6;

/// Metres between two cells; nothing extends from one to the next.
const APART: f64 = 1000.0;

/// SplitMix64: the same levels on every machine.
pub struct LevelRandom(u64);

impl LevelRandom {
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
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.fraction()
    }

    /// Uniform in the logarithm.
    pub fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        (self.between(low.ln(), high.ln())).exp()
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.fraction() * count as f64) as usize
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn direction(&mut self) -> DVec3 {
        let height = self.between(-1.0, 1.0);
        let around = self.between(0.0, TAU);
        let wide = (1.0 - height * height).sqrt();
        DVec3::new(wide * around.cos(), height, wide * around.sin())
    }

    pub fn rotation(&mut self) -> DQuat {
        let axis = self.direction();
        DQuat::from_axis_angle(axis.normalize(), self.between(0.0, TAU))
    }
}

/// An object of a level.
#[derive(Clone, Debug)]
pub struct TestObject {
    pub shape: TestShape,
    pub rotation: DQuat,
    /// Reports overlaps, but does not push.
    pub sensor: bool,
    /// Cannot be pushed.
    pub fixed: bool,
    /// Position at the start of every frame and after the last.
    pub positions: Vec<DVec3>,
    /// Rotation per frame, world axis times radians.
    pub spin: DVec3,
    /// Metres per second, if it is stepped.
    pub velocity: DVec3,
    /// The first state it exists in, and the state it teleports to.
    pub appears: usize,
    pub put: Option<usize>,
}

impl TestObject {
    fn new(shape: TestShape, rotation: DQuat) -> Self {
        Self {
            shape,
            rotation,
            sensor: false,
            fixed: false,
            positions: vec![DVec3::ZERO; FRAMES + 1],
            spin: DVec3::ZERO,
            velocity: DVec3::ZERO,
            appears: 0,
            put: None,
        }
    }

    fn ball(radius: f64) -> Self {
        Self::new(TestShape::Sphere(radius), DQuat::IDENTITY)
    }

    pub fn pose(&self, state: usize) -> TestPose {
        let spun = DQuat::from_scaled_axis(self.spin * state as f64);
        let rotation = match self.spin {
            DVec3::ZERO => self.rotation,
            _ => (spun * self.rotation).normalize(),
        };
        TestPose {
            at: self.positions[state],
            rotation,
        }
    }

    /// Whether it moved to this state from the one before.
    pub fn travels_to(&self, state: usize) -> bool {
        state > self.appears && self.put != Some(state)
    }
}

/// Objects that can collide.
pub type Cell = Vec<TestObject>;

/// A level recorded as positions.
pub fn level(random: &mut LevelRandom, cells: usize) -> Vec<Cell> {
    let cell = |random: &mut LevelRandom| match random.below(12) {
        0..=2 => about(random, wall),
        3..=5 => about(random, surface),
        6 => about(random, |random| {
            TestObject::new(TestShape::HalfSpace, random.rotation())
        }),
        7 | 8 => flock(random),
        9 | 10 => quiet(random),
        _ => grazing(random),
    };
    in_a_row((0..cells).map(|_| cell(random)).collect())
}

/// Cells so far apart that nothing extends from one to the next.
pub fn in_a_row(mut cells: Vec<Cell>) -> Vec<Cell> {
    for (number, cell) in cells.iter_mut().enumerate() {
        let at = DVec3::new(number as f64 * APART, 0.0, 0.0);
        for position in cell.iter_mut().flat_map(|object| &mut object.positions) {
            *position += at;
        }
    }
    cells
}

/// A level in which most objects rotate, by 0.02 to 2.5 radians per frame.
pub fn rotating(random: &mut LevelRandom, cells: usize) -> Vec<Cell> {
    let cell = |random: &mut LevelRandom| {
        let mut cell = match random.below(3) {
            0 => about(random, wall),
            1 => about(random, surface),
            _ => about(random, body),
        };
        for object in &mut cell {
            object.spin = random.direction() * random.magnitude(0.02, 2.5);
        }
        cell
    };
    in_a_row((0..cells).map(|_| cell(random)).collect())
}

/// A level of rows of tiles: bodies that slide over them, and bodies that cross them.
pub fn tiled(random: &mut LevelRandom, cells: usize) -> Vec<Cell> {
    let cell = |random: &mut LevelRandom| match random.below(2) {
        0 => sliding(random),
        _ => {
            let mut cell = about(random, divided);
            cell[0] = TestObject {
                positions: vec![DVec3::ZERO; FRAMES + 1],
                fixed: true,
                sensor: false,
                ..cell[0].clone()
            };
            cell
        }
    };
    in_a_row((0..cells).map(|_| cell(random)).collect())
}

/// Tiles side by side, at least as long as they are thick.
fn divided(random: &mut LevelRandom) -> TestObject {
    let thick = random.magnitude(0.02, 0.5);
    let (long, wide) = (random.between(thick, 1.5), random.between(0.5, 2.0));
    let count = 2 + random.below(5);
    let half = DVec3::new(long * count as f64, thick, wide);
    let rotation = match random.below(2) {
        0 => DQuat::IDENTITY,
        _ => random.rotation(),
    };
    TestObject::new(TestShape::Row(half, count), rotation)
}

/// A body that slides over the seams of a row, with the penetration that a solver leaves.
fn sliding(random: &mut LevelRandom) -> Cell {
    let row = TestObject {
        fixed: true,
        ..divided(random)
    };
    let TestShape::Row(half, _) = row.shape else {
        unreachable!("it is a row");
    };
    let mut body = body(random);
    let hull = body.shape.hulls(body.rotation).remove(0);
    let low = hull.least(DVec3::Y) - hull.radius;
    let centre = body.rotation * body.shape.centre();
    let slop = SLOP * size_of([&row.shape, &body.shape]);
    let depth = [0.0, 0.25, 0.5, 0.95][random.below(4)] * slop;
    let step = DVec3::new(1.0, 0.0, random.between(-0.2, 0.2)) * random.magnitude(0.01, 2.0);
    let start = DVec3::new(
        -half.x,
        half.y - low - depth,
        random.between(-0.5, 0.5) * half.z,
    );
    let start = start - 4.0 * step.with_z(0.0) * random.fraction();
    body.rotation = row.rotation * body.rotation;
    for (state, position) in body.positions.iter_mut().enumerate() {
        *position = row.rotation * (start + step * state as f64 - centre);
    }
    vec![row, body]
}

/// A level that is stepped: objects have a position and a velocity.
pub fn flights(random: &mut LevelRandom, cells: usize, dt: f64) -> Vec<Cell> {
    let cell = |random: &mut LevelRandom| {
        let mut cell = match random.below(5) {
            0 | 1 => vec![wall(random)],
            2 | 3 => vec![surface(random)],
            _ => Vec::new(),
        };
        for obstacle in &mut cell {
            obstacle.fixed = !random.one_in(4);
            if !obstacle.fixed {
                obstacle.velocity = random.direction() * random.magnitude(0.01, 1.0) / dt;
            }
        }
        for _ in 0..2 {
            let mut body = body(random);
            let size = cell.first().map_or(0.5, |object| object.shape.bound()) + body.shape.bound();
            // Arrives within some frames, and passes the centre by less than its size.
            let away = random.direction() * size * random.magnitude(1.05, 20.0);
            let aim = random.direction() * random.between(0.0, 0.7 * size);
            body.positions = vec![away; FRAMES + 1];
            body.velocity = (aim - away) / (dt * random.between(0.4, 4.0));
            cell.push(body);
        }
        cell
    };
    in_a_row((0..cells).map(|_| cell(random)).collect())
}

/// A flying object: mostly balls, of 2 cm to 1 m.
pub fn body(random: &mut LevelRandom) -> TestObject {
    let size = random.magnitude(0.02, 1.0);
    let slim = random.between(0.5, 3.0);
    match random.below(10) {
        0 => {
            let flat = DVec3::new(1.0, random.between(0.3, 1.0), random.between(0.3, 1.0));
            TestObject::new(TestShape::Box(size * flat), random.rotation())
        }
        1 => TestObject::new(TestShape::Box(DVec3::splat(size)), DQuat::IDENTITY),
        2 => TestObject::new(TestShape::Capsule(size * slim, size), random.rotation()),
        3 => TestObject::new(TestShape::Cylinder(size * slim, size), random.rotation()),
        4 => TestObject::new(TestShape::Cone(size * slim, size), random.rotation()),
        5 => {
            let half = DVec3::new(1.0, slim, random.between(0.0, 1.0));
            let radius = random.between(0.1, 1.0);
            TestObject::new(
                TestShape::RoundedBox(0.5 * size * half, size * radius),
                random.rotation(),
            )
        }
        _ => TestObject::ball(size),
    }
}

/// From a sheet of paper to a block, some of them round.
pub fn wall(random: &mut LevelRandom) -> TestObject {
    let thick = random.magnitude(0.001, 1.0);
    let half = DVec3::new(thick, random.between(0.5, 3.0), random.between(0.5, 3.0));
    let shape = match random.below(9) {
        0 => TestShape::Cylinder(half.x, half.y),
        1 => TestShape::Cylinder(half.y, half.x),
        2 => TestShape::Cone(half.x, half.y),
        3 => TestShape::Cone(half.y, half.x),
        4 => TestShape::RoundedBox(half - 0.5 * half.x, 0.5 * half.x),
        _ => TestShape::Box(half),
    };
    let rotation = match random.below(2) {
        0 => DQuat::IDENTITY,
        _ => random.rotation(),
    };
    TestObject::new(shape, rotation)
}

/// A triangle, a closed mesh, terrain, a height field, or two parallel skins.
pub fn surface(random: &mut LevelRandom) -> TestObject {
    let list = match random.below(5) {
        0 => {
            let corner = |random: &mut LevelRandom| 2.0 * random.direction();
            let [a, b, c] = [corner(random), corner(random), corner(random)];
            // Relative to its centre.
            let centre = (a + b + c) / 3.0;
            vec![[a - centre, b - centre, c - centre]]
        }
        1 => {
            let thick = random.magnitude(0.01, 1.5);
            let half = DVec3::new(thick, random.between(0.5, 2.0), random.between(0.5, 2.0));
            let shell = TestShape::Shell(half, random.below(4) == 0);
            return TestObject::new(shell, random.rotation());
        }
        2 => terrain(random),
        4 => return TestObject::new(height_field(random), random.rotation()),
        _ => {
            let apart = random.magnitude(0.01, 1.0);
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
    let one_sided = random.below(4) == 0;
    TestObject::new(TestShape::Triangles(list, one_sided), random.rotation())
}

fn terrain(random: &mut LevelRandom) -> Vec<[DVec3; 3]> {
    let side = 5;
    let rough = random.between(0.0, 0.5);
    let heights: Vec<f64> = (0..side * side)
        .map(|_| rough * random.fraction())
        .collect();
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

fn height_field(random: &mut LevelRandom) -> TestShape {
    let rough = random.between(0.0, 0.5);
    let row = |columns: usize, random: &mut LevelRandom| {
        (0..columns).map(|_| rough * random.fraction()).collect()
    };
    let (rows, columns) = (2 + random.below(3), 2 + random.below(3));
    let rows = (0..rows).map(|_| row(columns, random)).collect();
    TestShape::HeightField(rows, [random.between(0.5, 1.5), random.between(0.5, 1.5)])
}

/// One or two bodies that cross an obstacle, which may move as well.
fn about(random: &mut LevelRandom, obstacle: impl Fn(&mut LevelRandom) -> TestObject) -> Cell {
    let mut obstacle = obstacle(random);
    if obstacle.shape.bound().is_finite() && random.one_in(3) {
        for position in &mut obstacle.positions {
            *position = random.direction() * random.magnitude(0.01, 2.0);
        }
    } else {
        obstacle.fixed = random.one_in(2);
    }
    obstacle.sensor = random.one_in(12);
    let extent = if obstacle.shape.bound().is_finite() {
        obstacle.shape.bound()
    } else {
        2.0
    };
    let mut cell = vec![obstacle];
    for _ in 0..1 + random.below(2) {
        let mut body = body(random);
        body.positions = crossing(random, extent * 0.6 + body.shape.bound());
        come_and_go(random, &mut body);
        cell.push(body);
    }
    cell
}

/// Some appear late, some teleport.
fn come_and_go(random: &mut LevelRandom, object: &mut TestObject) {
    if random.one_in(6) {
        object.appears = 1 + random.below(FRAMES - 2);
    }
    if random.one_in(6) {
        object.put = Some(1 + random.below(FRAMES - 1)).filter(|state| *state > object.appears);
    }
}

/// Positions about the origin: far and near, on all sides, so that most paths cross it and some end in it.
fn crossing(random: &mut LevelRandom, size: f64) -> Vec<DVec3> {
    let mut side = random.direction();
    (0..=FRAMES)
        .map(|_| {
            // To the other side more often than not, and never exactly through the centre.
            side = (-side + random.direction() * random.between(0.0, 1.5)).normalize();
            let off = random.direction() * random.between(0.0, 0.5 * size);
            side * size * random.magnitude(0.3, 30.0) + off
        })
        .collect()
}

/// Three moving bodies.
fn flock(random: &mut LevelRandom) -> Cell {
    let mut cell: Cell = (0..3).map(|_| body(random)).collect();
    let size = cell.iter().map(|object| object.shape.bound()).sum::<f64>() / 3.0;
    for object in &mut cell {
        object.positions = crossing(random, size);
        come_and_go(random, object);
    }
    cell
}

/// Without findings: resting, rolling over the seams of a mesh, sliding along a floor, hopping on it.
fn quiet(random: &mut LevelRandom) -> Cell {
    let radius = random.magnitude(0.05, 1.0);
    let (wide, thick) = (50.0, random.magnitude(0.01, 1.0));
    let is_tiled = random.one_in(4);
    let floor = match random.below(6) {
        _ if is_tiled => tile(random, thick),
        0 => TestShape::Box(DVec3::new(wide, thick, wide)),
        1 => TestShape::HalfSpace,
        3 => TestShape::Cylinder(thick, wide),
        4 => TestShape::RoundedBox(DVec3::new(wide, 0.5 * thick, wide), 0.5 * thick),
        5 => TestShape::HeightField(vec![vec![0.0; 4]; 3], [0.6 * wide, wide]),
        _ => TestShape::Triangles(strips(), random.one_in(2)),
    };
    let top = match &floor {
        TestShape::Box(_) | TestShape::Cylinder(..) | TestShape::RoundedBox(..) => thick,
        _ => 0.0,
    };
    let half = DVec3::splat(radius);
    let shape = match random.below(9) {
        0 | 1 => TestShape::Box(half),
        2 => TestShape::Cylinder(radius, radius),
        3 => TestShape::Cone(radius, radius),
        4 => TestShape::RoundedBox(0.75 * half, 0.25 * radius),
        _ => TestShape::Sphere(radius),
    };
    let mut resting = TestObject::new(shape, DQuat::IDENTITY);
    // A solver leaves a little penetration; less than a fiftieth is no finding.
    let deepest = if is_tiled { radius.min(thick) } else { radius };
    let sag = [0.0, 0.0, 0.005, 0.015][random.below(4)] * INNER * deepest;
    let speed = [0.0, 0.01, 0.3, 3.0][random.below(4)];
    let lift = [0.0, 0.0, 0.0, 1e-4, 0.1][random.below(5)];
    let path = DVec3::new(random.between(-1.0, 1.0), 0.0, random.between(-1.0, 1.0));
    for (frame, position) in resting.positions.iter_mut().enumerate() {
        let hop = lift * ((frame * 7) % 3) as f64;
        *position = path * speed * frame as f64 + DVec3::Y * (top + radius - sag + hop);
    }
    let mut cell = if is_tiled {
        row(&floor)
    } else {
        vec![TestObject::new(floor, DQuat::IDENTITY)]
    };
    cell.push(resting);
    cell
}

/// A tile of a floor, [`TILE`] metres wide, with its top at `thick`.
fn tile(random: &mut LevelRandom, thick: f64) -> TestShape {
    let half = DVec3::new(0.5 * TILE, thick, 50.0);
    match random.below(2) {
        0 => TestShape::Box(half),
        _ => TestShape::RoundedBox(half - 0.5 * thick, 0.5 * thick),
    }
}

/// Fixed tiles without gaps, beside each other along x.
fn row(tile: &TestShape) -> Cell {
    let place = |number: i32| {
        let mut object = TestObject::new(tile.clone(), DQuat::IDENTITY);
        object.fixed = true;
        object.positions = vec![DVec3::X * TILE * f64::from(number); FRAMES + 1];
        object
    };
    (-8..=8).map(place).collect()
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

/// Paths that pass an edge or a ball at exactly its radius, just beside it, or cut it.
fn grazing(random: &mut LevelRandom) -> Cell {
    let radius = 0.25 * (1 + random.below(4)) as f64;
    let hairs = [
        0.0, 1e-12, 1e-6, 1e-4, 1e-2, -1e-12, -1e-6, -1e-3, -0.02, -0.05, -0.1, -0.2,
    ];
    let hair = hairs[random.below(hairs.len())];
    let triangle = || {
        let at = |x: f64, z: f64| DVec3::new(x, 0.0, z);
        vec![[at(-1.0, -1.0), at(-1.0, 2.0), at(2.0, -1.0)]] // its centre is the origin
    };
    let (shape, apart) = match random.below(5) {
        0 => (TestShape::Sphere(0.5), 0.5 + radius),
        1 => (TestShape::Box(DVec3::new(1.0, 0.5, 1.0)), 0.5 + radius),
        3 => (TestShape::Cylinder(0.5, 1.0), 0.5 + radius),
        4 => (
            TestShape::RoundedBox(DVec3::new(0.75, 0.25, 0.75), 0.25),
            0.5 + radius,
        ),
        _ => (TestShape::Triangles(triangle(), false), radius),
    };
    let step = 0.5 * (1 + random.below(12)) as f64;
    let mut ball = TestObject::ball(radius);
    for (frame, position) in ball.positions.iter_mut().enumerate() {
        *position = DVec3::new(step * (frame as f64 - 4.75), apart + hair, 0.0);
    }
    vec![TestObject::new(shape, DQuat::IDENTITY), ball]
}
