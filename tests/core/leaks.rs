//! Leaks: places with a known limit, and a program of its own that shoots at random.

use crate::common::levels::opened;
use crate::common::random::Random;
use glam::DVec3;
use hitstop::core::diagnose::Kind;
use hitstop::core::leaks::{Leaks, Mover, Options, Reachability, find};
use hitstop::core::level::Level;
use hitstop::core::scene::UserUnits;

const DT: f64 = 1.0 / 60.0;

fn level(objects: &str) -> Level {
    let text = format!(
        "(version: 1, name: \"room\", dt: 0.016666666666666666, frames: 1, objects: [{objects}])"
    );
    opened("room.ron", text)
}

fn wall(name: &str, at: [f64; 3], half: [f64; 3]) -> String {
    format!(
        "(name: {name:?}, shape: Box(half_extents: ({}, {}, {})), position: ({}, {}, {}), motion: Fixed),",
        half[0], half[1], half[2], at[0], at[1], at[2]
    )
}

fn options(mover: &str, start: Option<DVec3>) -> Options {
    Options {
        movers: vec![Mover::parse(mover, UserUnits::default()).unwrap()],
        dt: Some(DT),
        substeps: 1,
        trials: 4_000,
        seed: 7,
        start,
    }
}

fn leaks(level: &Level, mover: &str) -> Leaks {
    find(level, &options(mover, None), &()).unwrap().unwrap()
}

fn close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-6 * expected,
        "{found} is not {expected}"
    );
}

/// A ball of 0.1 m and a wall of 0.04 m: an overlap test detects 0.24 m, and half of it is held.
#[test]
fn a_wall_holds_up_to_half_of_its_thickness_and_the_radius() {
    let level = level(&wall("thin", [0.0; 3], [0.02, 2.0, 2.0]));
    let found = leaks(&level, "ball: sphere 0.1, up to 30 m/s");
    let [place] = &found.places[..] else {
        panic!("{:?}", found.places);
    };
    close(place.holds, 0.12 / DT);
    close(place.detects, 0.24 / DT);
    assert_eq!(place.faces.len(), 2);
    assert_eq!(place.finding.kind, Kind::Tunnels);
    assert_eq!(found.unconfirmed, 0);
    // At half of the speed it is detected, and pushed out on the far side; at a quarter it is held.
    let found = leaks(&level, "ball: sphere 0.1, up to 14 m/s");
    assert_eq!(found.places[0].finding.kind, Kind::WrongSide);
    close(found.places[0].holds, 0.12 / DT);
    let found = leaks(&level, "ball: sphere 0.1, up to 7 m/s");
    assert!(found.places.is_empty() && found.level.is_none());
    close(found.holds(0), 7.0);
}

/// Substeps divide the step.
#[test]
fn substeps_hold_a_multiple_of_the_speed() {
    let level = level(&wall("thin", [0.0; 3], [0.02, 2.0, 2.0]));
    let four = Options {
        substeps: 4,
        ..options("ball: sphere 0.1, up to 60 m/s", None)
    };
    let found = find(&level, &four, &()).unwrap().unwrap();
    close(found.places[0].holds, 4.0 * 0.12 / DT);
}

/// A gap that is narrower than the ball, between two bars of 0.02 m: the ball touches their edges along 0.02 + 2 sqrt(0.1^2 - 0.05^2) m.
#[test]
fn a_gap_narrower_than_the_mover_leaks_before_the_bars_do() {
    let bars = [-1.0, 1.0].map(|side| {
        let name = if side < 0.0 { "left" } else { "right" };
        wall(name, [0.0, 0.0, side * 1.05], [0.01, 3.0, 1.0])
    });
    let found = leaks(&level(&bars.concat()), "ball: sphere 0.1, up to 60 m/s");
    let way = 0.02 + 2.0 * (0.1_f64 * 0.1 - 0.05 * 0.05).sqrt();
    let weakest = found
        .places
        .iter()
        .map(|place| place.detects)
        .fold(f64::INFINITY, f64::min);
    assert!(weakest >= way / DT * (1.0 - 1e-6), "{weakest}");
    assert!(weakest <= way / DT * 1.02, "{weakest}");
}

/// A room in a thick shell with one thin wall, and a thin screen in it that one can walk round.
#[test]
fn what_leads_out_comes_before_what_one_can_walk_round() {
    let room = [
        wall("floor", [0.0, -1.5, 0.0], [4.0, 0.5, 4.0]),
        wall("roof", [0.0, 3.5, 0.0], [4.0, 0.5, 4.0]),
        wall("back", [-3.5, 1.0, 0.0], [0.5, 2.0, 4.0]),
        wall("thin", [3.05, 1.0, 0.0], [0.05, 2.0, 4.0]),
        wall("left", [0.0, 1.0, -3.5], [3.0, 2.0, 0.5]),
        wall("right", [0.0, 1.0, 3.5], [3.0, 2.0, 0.5]),
        wall("screen", [0.0, 0.0, 0.0], [0.02, 1.0, 1.0]),
    ];
    let level = level(&room.concat());
    let mover = "ball: sphere 0.2, up to 30 m/s";
    let inside = options(mover, Some(DVec3::new(-2.0, 1.0, 0.0)));
    let found = find(&level, &inside, &()).unwrap().unwrap();
    let of = |name: &str| {
        let place = found.places.iter().find(|place| place.object == name);
        place
            .unwrap_or_else(|| panic!("{name} is not listed"))
            .reach
    };
    assert_eq!(found.places[0].object, "thin");
    assert_eq!(of("thin"), Some(Reachability::LeadsOut));
    assert_eq!(of("screen"), Some(Reachability::Reached));
    // The screen holds less, and would come first without a start.
    assert_eq!(leaks(&level, mover).places[0].object, "screen");
    let blocked = options(mover, Some(DVec3::ZERO));
    let error = find(&level, &blocked, &()).unwrap_err();
    assert!(error.contains("not free at the start"), "{error}");
}

/// A one-sided sheet of two triangles, of which one faces down: nothing tests it from above.
#[test]
fn a_triangle_that_faces_the_other_way_holds_nothing() {
    let sheet = "(name: \"sheet\", shape: Mesh(vertices: [(-2, 0, -2), (2, 0, -2), (2, 0, 2), (-2, 0, 2), (6, 0, -2), (6, 0, 2)], \
        triangles: [(0, 2, 1), (0, 3, 2), (1, 2, 5), (1, 4, 5)], facing: Front), motion: Fixed),";
    let found = leaks(&level(sheet), "ball: sphere 0.2, up to 5 m/s");
    let [place] = &found.places[..] else {
        panic!("{:?}", found.places);
    };
    assert_eq!((place.holds, &place.faces[..]), (0.0, &[3][..]));
    assert_eq!(place.finding.cause.id(), "C08");
    let notes = found.meshes.concat();
    assert!(
        notes.contains("1 triangle that faces the other way"),
        "{notes}"
    );
}

/// Walls of a room as this test sees them: boxes, and the distance of a point to each by clamping.
struct Room(Vec<(String, DVec3, DVec3)>);

impl Room {
    fn gap(&self, center: DVec3) -> f64 {
        let gaps = self.0.iter().map(|(_, at, half)| {
            let nearest = center.clamp(*at - *half, *at + *half);
            nearest.distance(center)
        });
        gaps.fold(f64::INFINITY, f64::min)
    }

    /// Whether a way has points in a wall.
    fn goes_through(&self, wall: &str, from: DVec3, to: DVec3) -> bool {
        let (_, at, half) = self.0.iter().find(|(name, ..)| name == wall).unwrap();
        let mut points = (0..=1000).map(|step| from.lerp(to, f64::from(step) / 1000.0));
        points.any(|point| (point - *at).abs().cmple(*half).all())
    }

    /// The first wall whose middle plane a way crosses within its other extents.
    fn passed(&self, from: DVec3, to: DVec3) -> Option<&str> {
        let crossed = self.0.iter().filter_map(|(name, at, half)| {
            let thin = (0..3).min_by(|a, b| half[*a].total_cmp(&half[*b]))?;
            let share = (at[thin] - from[thin]) / (to[thin] - from[thin]);
            let on = from.lerp(to, share);
            let within =
                (0..3).all(|axis| axis == thin || (on[axis] - at[axis]).abs() <= half[axis]);
            ((0.0..=1.0).contains(&share) && within).then_some((share, &**name))
        });
        let first = crossed.min_by(|one, other| one.0.total_cmp(&other.0));
        first.map(|(_, name)| name)
    }
}

/// 10,000 random shots in a room of six walls, three of them thin: every one that passes goes through a listed place, not slower than it detects.
/// And each listed place has a shot that passes.
#[test]
fn random_shots_pass_only_where_a_place_is_listed() {
    let walls = [
        ("floor", [0.0, -0.5, 0.0], [6.0, 0.5, 6.0]),
        ("roof", [0.0, 4.03, 0.0], [6.0, 0.03, 6.0]),
        ("west", [-5.05, 2.0, 0.0], [0.05, 2.0, 6.0]),
        ("east", [5.4, 2.0, 0.0], [0.4, 2.0, 6.0]),
        ("north", [0.0, 2.0, -5.01], [5.0, 2.0, 0.01]),
        ("south", [0.0, 2.0, 5.5], [5.0, 2.0, 0.5]),
    ];
    let text: Vec<String> = walls
        .iter()
        .map(|(name, at, half)| wall(name, *at, *half))
        .collect();
    let level = level(&text.concat());
    let (radius, top) = (0.15, 120.0);
    let found = leaks(&level, "ball: sphere 0.15, up to 120 m/s");
    let room = Room(
        walls
            .iter()
            .map(|(name, at, half)| (String::from(*name), DVec3::from(*at), DVec3::from(*half)))
            .collect(),
    );
    let mut random = Random(11);
    let mut between = |low: f64, high: f64| random.range(low, high);
    let mut passed = 0;
    for _ in 0..10_000 {
        let mut at = DVec3::new(between(-4.7, 4.7), between(0.2, 3.7), between(-4.7, 4.7));
        let direction = DVec3::new(between(-1.0, 1.0), between(-1.0, 1.0), between(-1.0, 1.0));
        let Some(direction) = direction.try_normalize() else {
            continue;
        };
        let speed = between(1.0, top);
        let step = direction * speed * DT;
        loop {
            let next = at + step;
            let crosses = room.passed(at, next);
            if room.gap(next) <= radius {
                break;
            }
            if let Some(name) = crosses {
                passed += 1;
                let place = found.places.iter().filter(|place| place.object == name);
                let weakest = place
                    .map(|place| place.detects)
                    .fold(f64::INFINITY, f64::min);
                assert!(weakest < speed, "{name} at {speed} m/s: {weakest}");
                break;
            }
            at = next;
        }
    }
    assert!(passed > 1_000, "{passed}");
    let replay = &found.level.as_ref().unwrap().replay;
    let ball = replay.object_named("ball").unwrap();
    for place in &found.places {
        let [from, to] = [place.frame, place.frame + 1]
            .map(|state| replay.body(state, ball).unwrap().pose.position);
        let passes = place.finding.kind == Kind::Tunnels;
        assert!(room.gap(from) > radius, "{place:?}");
        assert_eq!(room.gap(to) > radius, passes, "{place:?}");
        assert!(place.shot > if passes { place.detects } else { place.holds });
        assert!(room.goes_through(&place.object, from, to), "{place:?}");
        close(from.distance(to) / DT, place.shot);
    }
}

#[test]
fn a_mover_is_read_from_a_line_or_said_to_be_wrong() {
    let units = UserUnits::default();
    let player = Mover::parse("player: capsule 0.3 0.9, up to 12 m/s", units).unwrap();
    assert_eq!((&*player.name, player.speed), ("player", 12.0));
    assert_eq!(
        player,
        Mover::parse(" player:capsule 0.3 0.9,12", units).unwrap()
    );
    for (text, says) in [
        ("capsule 0.3 0.9, 12", "no name"),
        ("a: capsule 0.3 0.9", "no speed"),
        ("a: capsule 0.3, 12", "capsule with 1 measures"),
        ("a: egg 1, 12", "no shape is called egg"),
        ("a: sphere -1, 12", "a measure is not a number above 0"),
        ("a: sphere 1, NaN", "the speed is not a number above 0"),
        ("a: , 12", "no shape"),
    ] {
        let error = Mover::parse(text, units).unwrap_err();
        assert!(error.starts_with(says), "{text}: {error}");
    }
}

/// A square hole of 0.19 m in a thin wall of four boxes, for a ball of 0.2 m: at its middle the ball touches the four edges along
/// 0.02 + 2 sqrt(0.1^2 - 0.095^2) m. A slow ball is tried there, too.
#[test]
fn the_middle_of_a_hole_is_found() {
    let boxes = [
        wall("left", [0.0, 0.0, -1.095], [0.01, 2.0, 1.0]),
        wall("right", [0.0, 0.0, 1.095], [0.01, 2.0, 1.0]),
        wall("below", [0.0, -1.095, 0.0], [0.01, 1.0, 0.095]),
        wall("above", [0.0, 1.095, 0.0], [0.01, 1.0, 0.095]),
    ];
    let way = 0.02 + 2.0 * (0.1_f64 * 0.1 - 0.095 * 0.095).sqrt();
    let found = leaks(&level(&boxes.concat()), "ball: sphere 0.1, up to 6 m/s");
    let least = found
        .places
        .iter()
        .map(|place| place.detects)
        .fold(f64::INFINITY, f64::min);
    assert!(
        least < 1.02 * way / DT && least > way / DT * (1.0 - 1e-6),
        "{least}"
    );
}

/// A thick slab that stands free: shots that graze its ends do not stand for those through its middle.
#[test]
fn a_thick_slab_holds_up_to_half_of_its_thickness_and_the_radius() {
    let found = leaks(
        &level(&wall("slab", [0.0; 3], [0.25, 1.0, 1.0])),
        "ball: sphere 0.1, up to 31 m/s",
    );
    assert_eq!(found.places[0].object, "slab");
    assert!(
        (found.places[0].holds - 0.35 / DT).abs() < 0.05 * 0.35 / DT,
        "{}",
        found.places[0].holds
    );
}

/// Of a one-sided wall that faces away nothing stops what comes from the start.
#[test]
fn the_back_of_a_one_sided_wall_is_shot_at_where_the_mover_comes_from_there() {
    let sheet = "(name: \"pane\", shape: Mesh(vertices: [(0, -2, -2), (0, 2, -2), (0, 2, 2), (0, -2, 2)], \
        triangles: [(0, 1, 2), (0, 2, 3)], facing: Front), motion: Fixed),";
    let (front, back) = (DVec3::new(1.0, 0.0, 0.0), DVec3::new(-1.0, 0.0, 0.0));
    let level = level(sheet);
    let holds = |start: DVec3| {
        let asked = options("ball: sphere 0.2, up to 5 m/s", Some(start));
        let found = find(&level, &asked, &()).unwrap().unwrap();
        found.holds(0)
    };
    let mut both = [holds(front), holds(back)];
    both.sort_by(f64::total_cmp);
    assert_eq!(both[0], 0.0);
    let found = leaks(&level, "ball: sphere 0.2, up to 5 m/s");
    assert!(found.places.is_empty());
    assert!(
        found.left_out.concat().contains("1 one-sided object"),
        "{:?}",
        found.left_out
    );
}
