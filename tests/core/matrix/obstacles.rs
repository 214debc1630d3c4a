//! The obstacles of the matrix: the surface is the plane y = 0, from x = -25 to 25, and ends at z = 2.

use super::log::{World, array};
use serde_json::{Value, json};

/// Thickness of the solid ones, metres.
pub const THICKNESS: f64 = 0.2;
/// Half their width along z, metres; the border is at +z.
pub const BORDER: f64 = 2.0;
/// Length of a tile, a part or a cell along x, metres: seams are at odd x.
const TILE: f64 = 2.0;
const TILES: i32 = 25;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// From y = -[`THICKNESS`] to 0.
    Solid,
    /// A surface without a thickness.
    Sheet,
    /// Everything below y = 0.
    HalfSpace,
}

/// The side from which the surface exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facing {
    Both,
    Up,
    Down,
}

/// What stands beside each other along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seams {
    None,
    /// Triangles or parts of one object.
    Inside,
    /// Objects.
    Between,
}

pub struct Obstacle {
    pub name: &'static str,
    pub extent: Extent,
    pub facing: Facing,
    pub seams: Seams,
    shape: Value,
    /// Of a flat one: seen along x.
    across: Value,
    /// Height of the middle of an object.
    y: f64,
}

/// One place of an obstacle: turned by half a turn about y, then moved along z.
#[derive(Clone, Copy, Default)]
pub struct Place {
    pub turned: bool,
    pub z: f64,
}

impl Obstacle {
    fn new(name: &'static str, extent: Extent, shape: Value) -> Self {
        Self {
            name,
            extent,
            facing: Facing::Both,
            seams: Seams::None,
            shape,
            across: Value::Null,
            y: 0.0,
        }
    }

    fn facing(self, facing: Facing) -> Self {
        Self { facing, ..self }
    }

    fn seams(self, seams: Seams) -> Self {
        Self { seams, ..self }
    }

    fn across(self, across: Value) -> Self {
        Self { across, ..self }
    }

    fn at(self, y: f64) -> Self {
        Self { y, ..self }
    }

    /// The height of the far side below y = 0.
    pub fn thickness(&self) -> f64 {
        match self.extent {
            Extent::Solid => THICKNESS,
            Extent::Sheet => 0.0,
            Extent::HalfSpace => f64::INFINITY,
        }
    }

    pub fn is_sheet(&self) -> bool {
        self.extent == Extent::Sheet
    }

    /// Its objects, with identities from `first` on.
    pub fn objects(&self, world: World, first: usize, place: Place) -> Vec<Value> {
        if world.is_flat() {
            return self.flat_objects(world, first, place);
        }
        let sign = if place.turned { -1.0 } else { 1.0 };
        let rotation = if place.turned {
            [0.0, 1.0, 0.0, 0.0]
        } else {
            [0.0, 0.0, 0.0, 1.0]
        };
        let object = |(index, x): (usize, f64)| {
            let id = first + index;
            json!({"id": id, "name": format!("o{id}"), "shape": self.shape, "motion": "fixed",
                "position": array([sign * x, self.y, place.z]), "rotation": rotation.map(Value::from).to_vec()})
        };
        self.middles().into_iter().enumerate().map(object).collect()
    }

    /// What is turned by half a turn about y is the same there.
    fn flat_objects(&self, world: World, first: usize, place: Place) -> Vec<Value> {
        let shape = match world {
            World::Across => &self.across,
            World::Along | World::Space => &self.shape,
        };
        let object = |(index, x): (usize, f64)| {
            let id = first + index;
            json!({"id": id, "name": format!("o{id}"), "shape": shape, "motion": "fixed",
                "position": world.array([x, self.y, place.z])})
        };
        let middles = match world {
            // All stand behind one another.
            World::Across => vec![0.0],
            World::Along | World::Space => self.middles(),
        };
        middles.into_iter().enumerate().map(object).collect()
    }

    fn middles(&self) -> Vec<f64> {
        if self.seams == Seams::Between {
            (0..TILES).map(middle).collect()
        } else {
            vec![0.0]
        }
    }

    /// The names of the objects that reach from `low` to `high` along x, where the first has identity 1, with the part of the stretch over each.
    pub fn below(&self, low: f64, high: f64) -> Vec<(usize, [f64; 2])> {
        if self.seams != Seams::Between {
            return vec![(1, [low, high])];
        }
        let over = |(index, x): (usize, f64)| {
            let stretch = [low.max(x - TILE / 2.0), high.min(x + TILE / 2.0)];
            (stretch[0] <= stretch[1]).then_some((index + 1, stretch))
        };
        self.middles()
            .into_iter()
            .enumerate()
            .filter_map(over)
            .collect()
    }
}

fn middle(tile: i32) -> f64 {
    TILE * f64::from(tile - TILES / 2)
}

fn sheet(facing: &str, is_up: bool) -> Value {
    let ends = (0..=TILES).map(|column| middle(column) - TILE / 2.0);
    let vertices: Vec<Value> = ends
        .flat_map(|x| [-BORDER, BORDER].map(|z| array([x, 0.0, z])))
        .collect();
    let cell = |column: i32| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|corner| 2 * column + corner);
        // Counter-clockwise seen from +y.
        let up = [[a, b, c], [c, b, d]];
        up.map(|[a, b, c]| if is_up { [a, b, c] } else { [a, c, b] })
    };
    let triangles: Vec<[i32; 3]> = (0..TILES).flat_map(cell).collect();
    json!({"mesh": {"vertices": vertices, "triangles": triangles, "facing": facing}})
}

fn cuboid(half: [f64; 3], radius: f64) -> Value {
    let half = half.map(|extent| Value::from(extent - radius)).to_vec();
    json!({"box": {"half_extents": half, "radius": radius}})
}

fn corners(half: [f64; 2], height: f64) -> Vec<Value> {
    let signs = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
    let level = |y: f64| signs.map(|(x, z)| array([x * half[0], y, z * half[1]]));
    [level(-height), level(height)].concat()
}

fn hexagonal() -> Value {
    let mut points = corners([25.0, BORDER], THICKNESS / 2.0);
    let tips = [(-26.0, -1.0), (-26.0, 1.0), (26.0, -1.0), (26.0, 1.0)];
    points.extend(tips.map(|(x, y)| array([x, y * THICKNESS / 2.0, 0.0])));
    json!({"convex_hull": {"points": points}})
}

fn compound() -> Value {
    let part = |tile: i32| json!({"shape": cuboid([TILE / 2.0, THICKNESS / 2.0, BORDER], 0.0), "position": [middle(tile), 0.0, 0.0]});
    json!({"compound": (0..TILES).map(part).collect::<Vec<Value>>()})
}

/// The obstacles of flat levels.
pub fn flat_obstacles() -> Vec<Obstacle> {
    use Extent::{HalfSpace, Sheet, Solid};
    let high = THICKNESS / 2.0;
    let cuboid = |half: f64, radius: f64| json!({"box": {"half_extents": [half - radius, high - radius], "radius": radius}});
    let polygon = |half: f64| json!({"polygon": {"points": [[half, -high], [half, high], [-half, high], [-half, -high]]}});
    let chain = |facing: &str, ends: &[f64]| {
        let points: Vec<[f64; 2]> = ends.iter().map(|x| [*x, 0.0]).collect();
        json!({"chain": {"points": points, "facing": facing}})
    };
    let ends: Vec<f64> = (0..=TILES)
        .map(|column| middle(column) - TILE / 2.0)
        .collect();
    let short = [-BORDER, BORDER];
    let solid = |name, shape: Value, across: Value| {
        Obstacle::new(name, Solid, shape).across(across).at(-high)
    };
    let sheet =
        |name, shape: Value, across: Value| Obstacle::new(name, Sheet, shape).across(across);
    let parts =
        |tile: i32| json!({"shape": cuboid(TILE / 2.0, 0.0), "position": [middle(tile), 0.0]});
    let segment = |half: f64| json!({"segment": {"a": [-half, 0.0], "b": [half, 0.0]}});
    let plane = || json!({"plane": {"normal": [0.0, 1.0]}});
    vec![
        solid("flat box", cuboid(25.0, 0.0), cuboid(BORDER, 0.0)),
        solid("polygon", polygon(25.0), polygon(BORDER)),
        Obstacle::new("flat plane", HalfSpace, plane()).across(plane()),
        sheet("segment", segment(25.0), segment(BORDER)),
        sheet(
            "chain both sides",
            chain("both", &ends),
            chain("both", &short),
        )
        .seams(Seams::Inside),
        sheet(
            "chain from its front",
            chain("left", &ends),
            chain("left", &short),
        )
        .facing(Facing::Up)
        .seams(Seams::Inside),
        sheet(
            "chain from behind",
            chain("right", &ends),
            chain("right", &short),
        )
        .facing(Facing::Down)
        .seams(Seams::Inside),
        solid(
            "flat compound",
            json!({"compound": (0..TILES).map(parts).collect::<Vec<Value>>()}),
            json!({"compound": [{"shape": cuboid(BORDER, 0.0)}]}),
        )
        .seams(Seams::Inside),
        solid(
            "row of flat boxes",
            cuboid(TILE / 2.0, 0.0),
            cuboid(BORDER, 0.0),
        )
        .seams(Seams::Between),
        solid("row of polygons", polygon(TILE / 2.0), polygon(BORDER)).seams(Seams::Between),
        solid(
            "row of flat rounded boxes",
            cuboid(TILE / 2.0, 0.02),
            cuboid(BORDER, 0.02),
        )
        .seams(Seams::Between),
    ]
}

pub fn obstacles() -> Vec<Obstacle> {
    use Extent::{HalfSpace, Sheet, Solid};
    let middle = -THICKNESS / 2.0;
    let solid = |name, shape| Obstacle::new(name, Solid, shape).at(middle);
    let tile = [TILE / 2.0, THICKNESS / 2.0, BORDER];
    let heights = vec![vec![0.0; TILES as usize + 1]; 3];
    let triangle =
        json!({"a": [-60.0, 0.0, BORDER], "b": [60.0, 0.0, BORDER], "c": [0.0, 0.0, -100.0]});
    vec![
        solid("box", cuboid([25.0, THICKNESS / 2.0, BORDER], 0.0)),
        solid("hull", hexagonal()),
        Obstacle::new(
            "plane",
            HalfSpace,
            json!({"plane": {"normal": [0.0, 1.0, 0.0], "offset": 0.0}}),
        ),
        Obstacle::new("mesh both sides", Sheet, sheet("both", true)).seams(Seams::Inside),
        Obstacle::new("mesh front from the front", Sheet, sheet("front", true))
            .facing(Facing::Up)
            .seams(Seams::Inside),
        Obstacle::new("mesh front from behind", Sheet, sheet("front", false))
            .facing(Facing::Down)
            .seams(Seams::Inside),
        Obstacle::new(
            "height field",
            Sheet,
            json!({"height_field": {"heights": heights, "cell": [TILE, BORDER]}}),
        )
        .seams(Seams::Inside),
        solid("compound", compound()).seams(Seams::Inside),
        solid("row of boxes", cuboid(tile, 0.0)).seams(Seams::Between),
        solid(
            "row of hulls",
            json!({"convex_hull": {"points": corners([TILE / 2.0, BORDER], THICKNESS / 2.0)}}),
        )
        .seams(Seams::Between),
        solid("row of rounded boxes", cuboid(tile, 0.02)).seams(Seams::Between),
        Obstacle::new("triangle", Sheet, json!({"triangle": triangle})),
    ]
}
