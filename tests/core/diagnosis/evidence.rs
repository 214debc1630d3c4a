//! Every number of a finding, computed by hand, for every cause.

use crate::common::findings::{SAFE, headline};
use crate::common::levels::{
    add_frame, ball as ball_at, change_frames, diagnosed, fixed, level_of, recording_of,
};
use glam::DVec3;
use hitstop::core::diagnose::{Cause, Finding, Fix, Key, Kind, Report};
use hitstop::core::query::probe::ProbeMode;
use hitstop::core::replay::{Body, LoggedContact, LoggedHit, LoggedPush, LoggedQuery};
use hitstop::core::replay::{QueryKind, Recording, Replay};
use hitstop::core::scene::{Camera, CameraMovement, Engine, Movement, Object, Probe};
use hitstop::core::scene::{Response, Scene};
use hitstop::core::shape::{Facing, Mesh, Pose, Shape, Triangle};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A sixteenth of a second, so that most numbers are short.
const DT: f64 = 0.0625;

/// Roundings of an `f32` that positions in a log may be off by, as a share of the largest coordinate.
const ROUNDING: f64 = 8.0 * f32::EPSILON as f64;

/// Number of checked causes and values.
#[derive(Default)]
struct Checked {
    causes: BTreeSet<&'static str>,
    keys: BTreeSet<Key>,
}

/// Every cause is checked, and every value: one that a finding has and that is not in its table here fails.
#[test]
fn the_evidence_of_every_cause_equals_values_computed_by_hand() {
    let mut checked = Checked::default();
    let all: [fn(&mut Checked); 25] = [
        c01, c02, c03, c04, c05, c06, c07, c08, c09, c10, c11, c12, c13, c14, c15, c16, c17, c18,
        c19, c20, c21, c22, c23, c24, c25,
    ];
    for (cause, check) in Cause::ALL.into_iter().zip(all) {
        checked.causes.clear();
        check(&mut checked);
        assert!(checked.causes.contains(cause.id()), "{}", cause.id());
    }
    // Those of a pile are in `piles`.
    checked.keys.extend([Key::Bodies, Key::Extent]);
    let unchecked = Key::ALL.iter().filter(|key| !checked.keys.contains(key));
    let unchecked: Vec<&Key> = unchecked.collect();
    assert!(unchecked.is_empty(), "{unchecked:?}");
}

/// The entries of a table: "speed 64, dt 0.0625".
fn entries(table: &str) -> impl Iterator<Item = &str> {
    table.split(", ").filter(|entry| !entry.is_empty())
}

fn near(got: f64, by_hand: &str) -> bool {
    let want: f64 = by_hand.parse().unwrap();
    (got - want).abs() <= 1e-9 * want.abs().max(1.0)
}

impl Checked {
    /// Compares a finding with tables: "Tunnels C02 C01", kind, cause and the other causes; "speed 64, dt 0.0625", all of its evidence;
    /// "substeps 8|4, max_speed 8|16 m/s", all of its fixes: the value that holds, the one that only detects, the unit.
    #[track_caller]
    fn check(&mut self, found: &Finding, what: &str, evidence: &str, fixes: &str) {
        let causes = [found.cause].into_iter().chain(found.also.iter().copied());
        let causes: Vec<&str> = causes.map(Cause::id).collect();
        assert_eq!(format!("{} {}", found.kind.name(), causes.join(" ")), what);
        self.causes.extend(causes);
        let named = [&found.a, &found.b].map(|name| !["", "camera", "query"].contains(&&**name));
        let numbered = [found.object_a, found.object_b].map(|id| id.is_some());
        assert_eq!(numbered, named, "{found:#?}");
        for (key, got) in &found.evidence {
            let name = key.name();
            let hand = entries(evidence).find_map(|entry| entry.strip_prefix(&format!("{name} ")));
            let hand = hand.unwrap_or_else(|| panic!("{name} = {got} is not in the table"));
            assert!(near(*got, hand), "{name}: got {got}, by hand {hand}");
            self.keys.insert(*key);
        }
        assert_eq!(
            found.evidence.len(),
            entries(evidence).count(),
            "{found:#?}"
        );
        let with = |fix| std::iter::successors(Some(fix), |fix: &&Fix| fix.with.as_deref());
        let all: Vec<&Fix> = found.fixes.iter().flat_map(with).collect();
        for fix in &all {
            let name = format!("{} ", fix.what.name());
            let hand = entries(fixes).find_map(|entry| entry.strip_prefix(&name));
            let hand = hand.unwrap_or_else(|| panic!("{fix:?} is not in the table"));
            let (values, unit) = hand.split_once(' ').unwrap_or((hand, ""));
            let got = [fix.holds, fix.detects].into_iter().flatten();
            let all_near = got
                .clone()
                .zip(values.split('|'))
                .all(|(got, hand)| near(got, hand));
            let count = values.split('|').count();
            assert!(
                fix.holds.is_some() && all_near && count == got.count(),
                "{fix:?}: by hand {hand}"
            );
            assert_eq!(fix.what.unit(), unit);
        }
        assert_eq!(all.len(), entries(fixes).count(), "{:?}", found.fixes);
    }
}

/// The lengths of a motion through an obstacle, metres, and the values that follow from them.
#[derive(Clone, Copy)]
struct Passing {
    /// Along the normal: the motion, the part of it that an overlap test detects, the part of that which is pushed back.
    d: f64,
    detected: f64,
    side: f64,
    travel: f64,
    dt: f64,
    width: (&'static str, f64),
    thickness: f64,
    /// Of 64 starting phases, those missed, and those pushed to the wrong side.
    phases: Option<(f64, f64)>,
}

/// A ball of 0.25 m at 64 m/s through half a metre: 4 m a frame. Detected over 0.5 + 0.5 = 1 m, pushed back over 0.25 + 0.25.
/// It ends 1/32 m and some sixteenths past the touch: up to 3 31/32 by phase, 48 beyond 1 m, 8 in (0.5, 1].
const USUAL: Passing = Passing {
    d: 4.0,
    detected: 1.0,
    side: 0.5,
    travel: 4.0,
    dt: DT,
    width: ("radius", 0.25),
    thickness: 0.5,
    phases: Some((48.0, 8.0)),
};

impl Passing {
    /// Through a surface without thickness.
    fn sheet(d: f64, detected: f64, side: f64, missed: f64, wrong: f64) -> Self {
        let phases = Some((missed, wrong));
        Self {
            d,
            detected,
            side,
            thickness: 0.0,
            phases,
            ..USUAL
        }
    }

    /// From contact, which has no phases.
    fn from_touch(d: f64) -> Self {
        Self {
            d,
            travel: d,
            phases: None,
            ..USUAL
        }
    }

    fn and(&self, rest: &str) -> String {
        let Self {
            d,
            detected,
            side,
            travel,
            dt,
            width,
            thickness,
            phases,
        } = self;
        let phases = phases.map_or_else(String::new, |(missed, wrong)| {
            let (missed, wrong) = (missed / 64.0, wrong / 64.0);
            format!("phases 64, phase_missed_share {missed}, phase_wrong_side_share {wrong}, ")
        });
        format!(
            "displacement {d}, limit_seen {detected}, limit_side {side}, missed_share {}, wrong_side_share {}, travel {travel}, \
             speed {}, {} {}, thickness {thickness}, dt {dt}, {phases}{rest}",
            1.0 - detected / d,
            (detected - side) / d,
            travel / dt,
            width.0,
            width.1,
        )
    }

    /// Steps as long as the limits.
    fn steps(&self, speed: &str, rest: &str) -> String {
        let [held, detected] = [self.side, self.detected].map(|limit| SAFE * limit / self.d);
        let (v, dt) = (self.travel / self.dt, self.dt);
        format!(
            "substeps {}|{}, {speed} {}|{} m/s, max_dt {}|{} s, {rest}",
            held.recip().ceil(),
            detected.recip().ceil(),
            v * held,
            v * detected,
            dt * held,
            dt * detected
        )
    }

    /// The same, and bodies as large as `d`: held with half the thickness and the radius, detected with both in full.
    fn fixes(&self, rest: &str) -> String {
        let (d, radius, thick) = (self.d / SAFE, self.width.1, self.thickness);
        let (held, detected) = (2.0 * (d - radius), d - 2.0 * radius);
        let radii = format!("{}|{}", d - thick / 2.0, (d - thick) / 2.0);
        let sizes = format!("min_thickness {held}|{detected} m, min_radius {radii} m, {rest}");
        self.steps("max_speed", &sizes)
    }
}

fn ball(name: &str, radius: f64, x: f64, speed: f64) -> Object {
    ball_at(name, radius, [x, 0.0, 0.0], [speed, 0.0, 0.0])
}

fn slab(half: f64, x: f64) -> Object {
    let half_extents = DVec3::new(half, 50.0, 50.0);
    fixed("wall", Shape::Box { half_extents }, [x, 0.0, 0.0])
}

/// The values of the usual event: 2 1/32 m to the touch.
fn usual() -> [Object; 2] {
    [ball("ball", 0.25, -2.53125, 64.0), slab(0.25, 0.0)]
}

fn mesh(facing: Facing, vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Object {
    let vertices = vertices.iter().map(|at| DVec3::from_array(*at)).collect();
    let mesh = Mesh::new(vertices, triangles.to_vec(), facing).unwrap();
    fixed("wall", Shape::Mesh(Arc::new(mesh)), DVec3::ZERO)
}

/// One frame of objects.
fn once(objects: impl Into<Vec<Object>>) -> Scene {
    Scene {
        dt: DT,
        frames: 1,
        ..Scene::new("numbers", objects.into())
    }
}

fn report(scene: Scene) -> Report {
    diagnosed(&level_of(Replay::stepped(Arc::new(scene))))
}

#[track_caller]
fn one(report: &Report) -> Finding {
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    report.findings[0].clone()
}

/// The only finding of a stepped scene.
#[track_caller]
fn only(scene: Scene) -> Finding {
    one(&report(scene))
}

/// The finding of a cause in one frame with push-out.
#[track_caller]
fn pushed(objects: Vec<Object>, cause: &str) -> Finding {
    let response = Response::Push;
    headed(
        &report(Scene {
            response,
            ..once(objects)
        }),
        cause,
    )
}

#[track_caller]
fn headed(report: &Report, cause: &str) -> Finding {
    headline(report, Cause::from_id(cause).unwrap()).clone()
}

/// A log in which the first object moves along x, state by state: the seconds that lead to it, its position, and its speed if the
/// log has speeds. The other objects stay at their positions.
fn log(
    objects: Vec<Object>,
    states: impl IntoIterator<Item = (f64, f64, Option<f64>)>,
) -> Recording {
    let mut log = recording_of(DT, objects);
    for (dt, x, speed) in states {
        let bodies = (0..).zip(log.objects.clone()).map(|(id, object)| {
            let mut body = Body::new(id, object.pose);
            body.velocity = speed.map(|_| DVec3::ZERO);
            if id == 0 {
                body.pose.position.x = x;
                body.velocity = speed.map(|speed| DVec3::new(speed, 0.0, 0.0));
            }
            body
        });
        add_frame(&mut log, dt, bodies);
    }
    log
}

fn at(x: f64) -> (f64, f64, Option<f64>) {
    (DT, x, None)
}

fn fast(x: f64, speed: f64) -> (f64, f64, Option<f64>) {
    (DT, x, Some(speed))
}

/// A ball and a wall, one state for each position of the ball.
fn log_of_positions(wall: f64, xs: &[f64]) -> Recording {
    log(
        vec![ball("ball", 0.25, 0.0, 0.0), slab(0.25, wall)],
        xs.iter().map(|x| at(*x)),
    )
}

fn log_report(log: Recording) -> Report {
    diagnosed(&level_of(Replay::recorded(
        Arc::new(once([])),
        Arc::new(log),
    )))
}

/// An entry of a log's line besides its bodies.
enum LogEntry {
    Contact(LoggedContact),
    Push(LoggedPush),
    Query(LoggedQuery),
}

/// The finding of a cause, where every state after the first has the same entry.
#[track_caller]
fn finding_of_log(mut log: Recording, entry: LogEntry, cause: &str) -> Finding {
    change_frames(&mut log, |index, data| match &entry {
        _ if index == 0 => {}
        LogEntry::Contact(contact) => data.contacts.push(*contact),
        LogEntry::Push(push) => data.pushes.push(*push),
        LogEntry::Query(query) => data.queries.push(query.clone()),
    });
    headed(&log_report(log), cause)
}

fn contact(b: u32, normal: [f64; 3], depth: f64) -> LogEntry {
    LogEntry::Contact(LoggedContact {
        a: 0,
        b,
        point: DVec3::ZERO,
        normal: normal.into(),
        depth,
    })
}

fn push(push: impl Into<DVec3>) -> LogEntry {
    let push = push.into();
    LogEntry::Push(LoggedPush { object: 0, push })
}

fn c01(it: &mut Checked) {
    let found = only(Scene {
        frames: 2,
        ..once(usual())
    });
    assert_eq!(found.fraction, 2.03125 / 4.0);
    assert_eq!(found.time, 2.03125 / 64.0);
    assert_eq!(found.point, [-0.25, 0.0, 0.0]);
    assert_eq!(found.normal, [-1.0, 0.0, 0.0]);
    let fixes = format!(
        "substeps 9|5, max_speed {}|{} m/s, max_dt {}|{} s, min_thickness {}|{} m, min_radius {}|{} m",
        8.0 * SAFE,
        16.0 * SAFE,
        0.5 / 64.0 * SAFE,
        1.0 / 64.0 * SAFE,
        2.0 * (4.0 / SAFE - 0.25),
        4.0 / SAFE - 0.5,
        4.0 / SAFE - 0.25,
        (4.0 / SAFE - 0.5) / 2.0
    );
    it.check(&found, "Tunnels C01", &USUAL.and(""), &fixes);
    // The same twice in one frame of two substeps.
    let mut twice = log(usual().into(), [-2.53125, 5.46875].map(at));
    twice.frames[1].dt = 2.0 * DT;
    twice.substeps = vec![(1, 2)];
    let found = one(&log_report(twice));
    let long = |text: &str| text.replace(&format!("dt {DT}"), &format!("dt {}", 2.0 * DT));
    let fixes = USUAL.fixes("").replace("substeps 9|5", "substeps 17|9");
    let fixes = fixes.replace(
        &format!("max_dt {}|{}", DT * SAFE / 8.0, DT * SAFE / 4.0),
        &format!("max_dt {}|{}", DT * SAFE / 4.0, DT * SAFE / 2.0),
    );
    it.check(
        &found,
        "Tunnels C01",
        &long(&USUAL.and("substeps 2")),
        &fixes,
    );
}

/// Two balls of 0.5 m head on, 3 m a frame each, 2 m to the touch. Against the other at rest at its start each touches after
/// 2 m of 3; at its end, never.
fn c02(it: &mut Checked) {
    let found = only(once([
        ball("left", 0.5, -1.5, 48.0),
        ball("right", 0.5, 1.5, -48.0),
    ]));
    assert!((found.fraction - 1.0 / 3.0).abs() < 1e-15);
    // Frame ends past the touch, by phase.
    let ends = (0..64).map(|number| (-2.0 + 6.0 * f64::from(number) / 64.0_f64).rem_euclid(6.0));
    let missed = ends.clone().filter(|past| *past > 2.0).count();
    // At 1 m the centres coincide, and no push leads back.
    let wrong = ends.filter(|past| (1.0..=2.0).contains(past)).count();
    let passing = Passing {
        d: 6.0,
        detected: 2.0,
        side: 1.0,
        travel: 6.0,
        width: ("radius", 0.5),
        thickness: 1.0,
        phases: Some((missed as f64, wrong as f64)),
        ..USUAL
    };
    let alone = format!(
        "travel_a 3, travel_b 3, alone_misses 2, alone_fraction_a {}, alone_fraction_b {}",
        2.0 / 3.0,
        2.0 / 3.0
    );
    // 6 - 1 / 2, and (6 - 1) / 2.
    let d = 6.0 / SAFE;
    let radii = format!("min_radius {}|{} m", d - 0.5, (d - 1.0) / 2.0);
    let fixes = passing.steps("max_closing_speed", &radii);
    it.check(&found, "Tunnels C02 C01", &passing.and(&alone), &fixes);
}

/// A paddle of half a metre moves at 60 m/s toward a ball at -4 m/s: 3.75 of 4 m are the paddle's. Alone it hits the ball at its start and
/// at its end; the ball alone, 2 m away and then behind, never.
fn c03(it: &mut Checked) {
    let mut paddle = slab(0.25, -2.53125);
    paddle.name = "paddle".into();
    paddle.movement = Movement::Kinematic;
    paddle.velocity.x = 60.0;
    let found = only(once([ball("ball", 0.25, 0.0, -4.0), paddle]));
    assert_eq!(
        (found.a.as_str(), found.fraction),
        ("paddle", 2.03125 / 4.0)
    );
    let passing = Passing {
        width: ("half_width", 0.25),
        ..USUAL
    };
    let rest = format!(
        "obstacle_share {}, travel_a 3.75, travel_b 0.25, alone_misses 2, \
        alone_fraction_a {}",
        60.0 / 64.0,
        2.03125 / 3.75
    );
    let d = 4.0 / SAFE;
    let radii = format!("min_radius {}|{} m", d - 0.25, (d - 0.5) / 2.0);
    let fixes = passing.steps("max_closing_speed", &radii);
    it.check(&found, "Tunnels C03 C02 C01", &passing.and(&rest), &fixes);
}

/// A blade of half (1.5, 0.1, 0.02) rotates by a radian; a ball of 0.1 m is 1 m from the hub, half a radian ahead. They touch where the
/// ball's centre is 0.02 + 0.1 off the blade's middle plane, asin(0.12) before that; the point is then sqrt(1 - 0.12^2) out along
/// the blade and 0.02 off its plane. Along the normal it moves as far as it is out.
fn c04(it: &mut Checked) {
    let half_extents = DVec3::new(1.5, 0.1, 0.02);
    let mut blade = Object::new("blade", Shape::Box { half_extents }, DVec3::ZERO);
    blade.movement = Movement::Kinematic;
    blade.spin.y = 16.0;
    let (sine, cosine) = 0.5_f64.sin_cos();
    let found = only(once([
        blade,
        ball_at("ball", 0.1, [cosine, 0.0, -sine], [0.0; 3]),
    ]));
    let (half, out) = (0.12_f64.asin(), (1.0 - 0.12_f64 * 0.12).sqrt());
    assert!((found.fraction - (0.5 - half)).abs() < 1e-9);
    assert!(found.text.contains("turns by 57.3°"), "{}", found.text);
    let extent = 1.5_f64.hypot(0.02);
    // What holds there must hold at the rim, which moves by the extent across the axis.
    let rim = out / extent;
    let passing = Passing {
        d: out,
        // From asin(0.12) before to asin(0.12) behind; less than the 0.04 + 0.2 of a slab.
        detected: 2.0 * half * out * rim,
        // The push-out changes sides where the ball's centre is in the blade's middle plane; less than the 0.12 of a slab.
        side: half * out * rim,
        travel: out.hypot(0.02),
        width: ("radius", 0.1),
        thickness: 0.04,
        phases: None,
        ..USUAL
    };
    let rest = format!("turn 1, reach {extent}, swing {extent}");
    // A frame of asin(0.12) is held at the ball, one of twice that is detected; at the rim 12.6 and 6.3 in a radian.
    let held = SAFE * half * rim;
    let spin = format!("max_spin {}|{} rad/s", 16.0 * held, 32.0 * held);
    let fixes = format!(
        "substeps 13|7, {spin}, max_dt {}|{} s",
        DT * held,
        2.0 * DT * held
    );
    it.check(&found, "Tunnels C04 C01", &passing.and(&rest), &fixes);
}

/// Ends 25/32 m past the touch: the push-out through the back is 1 m less that.
fn c05(it: &mut Checked) {
    let found = only(once([ball("ball", 0.25, -3.71875, 64.0), slab(0.25, 0.0)]));
    assert_eq!(found.fraction, 3.21875 / 4.0);
    let evidence = USUAL.and("push 0.21875, push_cosine -1");
    it.check(&found, "WrongSide C05", &evidence, &USUAL.fixes(""));
}

fn c06(it: &mut Checked) {
    // Ends 1/16 m past the middle of the wall and is pushed out of its back, to 0.5. There it is past the middle of a sheet from 27/64 to
    // 29/64, which pushes it on, to 29/64 + 1/4. Before the pushes it was 27/64 - (1/16 + 1/4) from the sheet.
    let start = ball("ball", 0.25, -3.9375, 64.0);
    let mut sheet = slab(0.015625, 0.4375);
    sheet.name = "sheet".into();
    let found = pushed(vec![start.clone(), slab(0.25, 0.0), sheet], "C06");
    assert_eq!(found.b, "sheet");
    let (way, clearance) = (0.453125 + 0.25 - 0.0625, 0.421875 - 0.3125);
    let fixes = |clearance| format!("max_push {clearance} m");
    it.check(
        &found,
        "Tunnels C06",
        &format!("push {way}, room {clearance}"),
        &fixes(clearance),
    );
    // A sheet that is one mesh with the floor that the ball penetrates by 1/64 m all the time. It ends past the sheet at 7/16, and is
    // pushed on by it to 7/16 + 1/4, 5/8 m on; it hit the sheet after 7/16 - 5/16. The floor's push-out is part of it.
    let (floor, sheet) = (-0.25 + 0.015625, 0.4375);
    let floor = [(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)].map(|(x, z)| [x, floor, z]);
    let sheet = [(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)].map(|(y, z)| [sheet, y, z]);
    let faces = [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7]];
    let mut walls = mesh(Facing::Both, &[floor, sheet].concat(), &faces);
    walls.name = "room".into();
    let found = pushed(vec![start, slab(0.25, 0.0), walls], "C06");
    assert_eq!(found.b, "room");
    let way = 0.625_f64.hypot(0.015625);
    let clearance = way * (0.125 / 0.625);
    it.check(
        &found,
        "Tunnels C06",
        &format!("push {way}, room {clearance}"),
        &fixes(clearance),
    );
    // A logged push of 1.25 m into a wall that begins at 1.25: the ball has 1 m of clearance, and is 0.25 m deep after it.
    let found = finding_of_log(
        log_of_positions(1.5, &[0.0, 1.25]),
        push([1.25, 0.0, 0.0]),
        "C06",
    );
    let evidence = "push 1.25, room 1, depth_after 0.25";
    it.check(&found, "Phantom C06", evidence, &fixes(1.0));
}

/// In contact with the wall for five states while its speed grows from 32 to 64 m/s; then 4 m on, out behind the wall.
fn c07(it: &mut Checked) {
    let states = [32.0, 40.0, 48.0, 56.0, 64.0].map(|speed| fast(-0.5, speed));
    let objects = vec![ball("ball", 0.25, 0.0, 0.0), slab(0.25, 0.0)];
    let found = one(&log_report(log(
        objects,
        states.into_iter().chain([fast(3.5, 64.0)]),
    )));
    assert_eq!(found.frame, 4);
    let passing = Passing::from_touch(4.0);
    let rest =
        "blocked_frames 4, hidden_speed 64, hidden_speed_before 32, depth 0, frames_in_contact 5";
    let fixes = passing.steps("max_speed", "speed_on_contact 0 m/s");
    it.check(&found, "Sinks C07 C21", &passing.and(rest), &fixes);
}

/// From behind a front that faces +x, beside a triangle that is wound the other way: it is never detected on the way in, at
/// no phase, and no smaller step helps. Ends in front of it within the radius are detected, and pushed on: 0.25 < past <= 0.5 of 4 m.
fn c08(it: &mut Checked) {
    let corners = [(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)].map(|(y, z)| [0.0, y, z]);
    let wall = mesh(Facing::Front, &corners, &[[0, 1, 2], [0, 3, 2]]);
    let found = only(once([
        ball_at("ball", 0.25, [-2.28125, 3.0, -3.0], [64.0, 0.0, 0.0]),
        wall,
    ]));
    let passing = Passing::sheet(4.0, 0.0, 0.0, 60.0, 4.0);
    it.check(
        &found,
        "Tunnels C08",
        &passing.and("flipped_neighbours 1"),
        "",
    );
}

fn c09(it: &mut Checked) {
    let halves = |h: f64, faces: &[[u32; 3]]| {
        let half = |z: f64, w: f64| [(-9.0, z), (9.0, z), (9.0, w), (-9.0, w)];
        let corners = [half(-9.0, -h), half(h, 9.0)].concat();
        let corners: Vec<[f64; 3]> = corners.into_iter().map(|(y, z)| [0.0, y, z]).collect();
        mesh(Facing::Both, &corners, faces)
    };
    let faces = [
        [0, 1, 2],
        [0, 2, 3],
        [4, 5, 6],
        [4, 6, 7],
        [3, 2, 5],
        [3, 5, 4],
    ];
    // Two halves of a wall with 0.14 m between them. The ball's centre goes between; it touches both edges when it is
    // sqrt(0.25^2 - 0.07^2) = 0.24 m before them, along a normal that has 0.24 / 0.25 of the path in it; ends 1.03125 m past that. It is
    // detected for 0.48 m, and pushed back until the centre is in the plane of the contact, the radius along the normal.
    let mover = ball("ball", 0.25, -0.24 + 1.03125 - 4.0, 64.0);
    let found = only(once([mover, halves(0.07, &faces[..4])]));
    // 1/32 m past the touch and every sixteenth after it: 8 up to 0.48, 4 of them up to 0.25 / 0.96.
    let passing = Passing::sheet(4.0 * 0.96, 0.48 * 0.96, 0.25, 56.0, 4.0);
    let evidence = passing.and("gap_width 0.14, boundary_edges 8");
    let fixes = passing.steps("max_speed", "weld_distance 0.14 m");
    it.check(&found, "Tunnels C09 C01", &evidence, &fixes);
    // 0.2 mm apart, and a strip of two thin triangles between them, beside whose diagonal the ball's centre passes. The height of each is
    // twice the area over the longest side. Free are two edges along each border in y, the two borders in z, and the strip's short ends.
    let (h, diagonal) = (0.0001, 18.0_f64.hypot(0.0002));
    let mover = ball_at(
        "ball",
        0.25,
        [-0.25 + 1.03125 - 4.0, 3.0, 0.0],
        [64.0, 0.0, 0.0],
    );
    let found = only(once([mover, halves(h, &faces)]));
    let passing = Passing::sheet(4.0, 0.5, 0.25, 56.0, 4.0);
    let evidence = passing.and(&format!(
        "sliver_height {}, boundary_edges 8",
        18.0 * 2.0 * h / diagonal
    ));
    let d = 4.0 / SAFE;
    let (held, detected) = (2.0 * (d - 0.25), d - 0.5);
    let fixes = format!(
        "weld_distance {} m, min_thickness {held}|{detected} m",
        2.0 * h
    );
    it.check(
        &found,
        "Tunnels C09 C01",
        &evidence,
        &passing.steps("max_speed", &fixes),
    );
    // 1/16 m deep in two states, then behind the wall; the lines' only contact is of the ball with another wall.
    let with_other = |xs: &[f64]| {
        let mut other = slab(0.25, 90.0);
        other.name = "other".into();
        let objects = vec![ball("ball", 0.25, 0.0, 0.0), slab(0.25, 0.0), other];
        let mut log = log(objects, xs.iter().map(|x| at(*x)));
        log.has_bits = true;
        log
    };
    let of_other = || contact(2, [-1.0, 0.0, 0.0], -1.0);
    let found = finding_of_log(with_other(&[-0.4375, -0.4375, 1.5625]), of_other(), "C09");
    let passing = Passing::from_touch(2.0);
    let evidence = passing
        .and("depth 0.0625, frames_in_contact 2, unreported_depth 0.0625, logged_contacts 2");
    it.check(
        &found,
        "Sinks C09 C21",
        &evidence,
        &passing.steps("max_speed", ""),
    );
    // 1/8, 1/4 and 1/8 m deep, after being apart.
    let found = finding_of_log(
        with_other(&[-0.75, -0.375, -0.25, -0.375, -0.75]),
        of_other(),
        "C09",
    );
    assert_eq!(found.frame, 2);
    let evidence = "unreported_depth 0.25, logged_contacts 4";
    it.check(&found, "Phantom C09", evidence, "");
}

fn c10(it: &mut Checked) {
    let edge =
        |tilt, depth, sideways| format!("tilt {tilt}, bend 0, depth {depth}, sideways {sideways}");
    // Two halves of a floor along x = 0, the right one first. The ball of 0.5 m ends at (-0.12, 0.35): 0.37 m from the edge, of which 0.12
    // sideways; 0.13 deep.
    let half = |name: &str, side: f64| {
        let triangle = Triangle {
            a: DVec3::new(0.0, 0.0, 9.0 * side),
            b: DVec3::new(9.0 * side, 0.0, 0.0),
            c: DVec3::new(0.0, 0.0, -9.0 * side),
            facing: Facing::Both,
        };
        fixed(name, Shape::Triangle(triangle), DVec3::ZERO)
    };
    let mover = ball_at("ball", 0.5, [-0.12, 0.6, 0.0], [0.0, -4.0, 0.0]);
    let found = pushed(vec![mover, half("right", 1.0), half("left", -1.0)], "C10");
    let evidence = edge((0.12_f64 / 0.35).atan(), 0.13, 0.13 * 0.12 / 0.37);
    it.check(&found, "Phantom C10", &evidence, "");
    // A contact in a log, on the diagonal of a flat floor, with a normal of 3, 4, 5 off its own, that stops the ball; 1/32 m deep.
    let corners = [(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)].map(|(x, z)| [x, 0.0, z]);
    let floor = mesh(Facing::Both, &corners, &[[0, 2, 1], [0, 3, 2]]);
    let mover = ball_at("ball", 0.25, [0.0, 0.21875, 0.0], [0.0; 3]);
    let mut level = log(vec![mover, floor], [fast(0.0, 4.0), fast(0.0, 0.0)]);
    change_frames(&mut level, |_, data| {
        data.bodies[0].pose.position.y = 0.21875;
    });
    let found = finding_of_log(level, contact(1, [-0.6, 0.8, 0.0], 0.03125), "C10");
    let tilt = 0.6_f64.asin();
    let evidence = format!("tilt {tilt}, bend 0, logged_depth 0.03125, speed_change 2.4");
    it.check(&found, "Phantom C10", &evidence, "");
    // A push in a log, which has a direction and no point. From the edge to the centre of a ball of 0.25 m at (-0.06, 0.175) it is
    // 0.185 m, tilted by 12 to 35: pushed off it by 0.065 m.
    let corners = [(0.0, 9.0), (9.0, 0.0), (0.0, -9.0), (-9.0, 0.0)].map(|(x, z)| [x, 0.0, z]);
    let floor = mesh(Facing::Both, &corners, &[[0, 1, 2], [2, 3, 0]]);
    let mut level = log(vec![ball("ball", 0.25, 0.0, 0.0), floor], [at(0.0); 2]);
    let (length, way) = (0.065, DVec3::new(-12.0, 35.0, 0.0) / 37.0);
    let places = [
        DVec3::new(-0.06, 0.5, 0.0),
        DVec3::new(-0.06, 0.175, 0.0) + way * length,
    ];
    change_frames(&mut level, |index, data| {
        data.bodies[0].pose.position = places[index];
    });
    let found = finding_of_log(level, push(way * length), "C10");
    let evidence = edge((12.0_f64 / 35.0).atan(), length, length * 12.0 / 37.0);
    it.check(&found, "Phantom C10", &evidence, "");
}

fn c11(it: &mut Checked) {
    // A contact with a depth of 1/8 m that stops the ball from 4 m/s, half a metre before a wall at 4; the path of the next frame
    // would be half of that. 2 % of the radius is allowed, and the rounding of an f32 at 4 m.
    let objects = vec![ball("ball", 0.25, 0.0, 0.0), slab(0.25, 4.0)];
    let level = log(objects, [fast(3.0, 4.0), fast(3.0, 0.0)]);
    let found = finding_of_log(level, contact(1, [-1.0, 0.0, 0.0], 0.125), "C11");
    let evidence = format!(
        "logged_depth 0.125, exact_gap 0.25, tolerance {}, speed_change 4",
        0.02 * 0.25 + ROUNDING * 4.0
    );
    it.check(&found, "Phantom C11", &evidence, "max_margin 0.25 m");
    // Pushed from 0 to -1: from 3.5 m before the wall to 4.5.
    let found = finding_of_log(
        log_of_positions(4.0, &[0.0, -1.0]),
        push([-1.0, 0.0, 0.0]),
        "C11",
    );
    it.check(&found, "Phantom C11", "push 1, exact_gap 3.5", "");
}

/// 0.1 m deep in a slab, closing at 0.5 m/s; a fiftieth of 0.25 m is allowed.
fn c12(it: &mut Checked) {
    let found = only(once([ball("ball", 0.25, -0.4, 0.5), slab(0.25, 0.0)]));
    let evidence = "depth 0.1, allowed_depth 0.005, closing_speed 0.5";
    it.check(&found, "StartsInside C12", evidence, "separation 0.1 m");
}

/// 4 m in a frame whose logged 16 m/s explain 1 m; and driven by position, at the 64 m/s that it would take: neither that nor substeps
/// help alone, so that they are one fix.
fn c13(it: &mut Checked) {
    let moved = |speed: f64| {
        let objects = vec![ball("ball", 0.25, 0.0, 0.0), slab(0.25, 2.53125)];
        one(&log_report(log(
            objects,
            [0.0, 4.0, 4.0].map(|x| fast(x, speed)),
        )))
    };
    let evidence = |speed: f64, explained: f64| {
        let rest = format!("logged_speed {speed}, explained {explained}");
        USUAL.and(&format!("{rest}, unexplained {}", 4.0 - explained))
    };
    let jumped = moved(16.0);
    it.check(
        &jumped,
        "Tunnels C13 C01",
        &evidence(16.0, 1.0),
        &USUAL.fixes(""),
    );
    let driven = moved(0.0);
    assert_eq!(driven.fixes.len(), 1, "{:?}", driven.fixes);
    let fixes = "drive_speed 64 m/s, substeps 9|5";
    it.check(&driven, "Tunnels C13 C01", &evidence(0.0, 0.0), fixes);
}

/// 16 m/s: 1 m a frame at the median, exactly the detection limit; 4 m in the one frame of a quarter of a second.
fn c14(it: &mut Checked) {
    let states = [-4.53125, -3.53125, -2.53125, 1.46875, 2.46875, 3.46875].map(|x| fast(x, 16.0));
    let mut level = log(vec![ball("ball", 0.25, 0.0, 16.0), slab(0.25, 0.0)], states);
    level.frames[3].dt = 0.25;
    let found = one(&log_report(level));
    assert_eq!((found.frame, found.fraction), (2, 2.03125 / 4.0));
    assert_eq!(found.time, 2.0 * DT + 2.03125 / 16.0);
    let passing = Passing { dt: 0.25, ..USUAL };
    let evidence = passing.and(&format!("median_dt {DT}, median_displacement 1"));
    it.check(&found, "Tunnels C14 C01", &evidence, &passing.fixes(""));
}

/// Commanded 128 m/s it moves at 64 m/s, in every frame.
fn c15(it: &mut Checked) {
    let xs = [-10.53125, -6.53125, -2.53125, 1.46875, 5.46875];
    let found = one(&log_report(log(usual().into(), xs.map(|x| fast(x, 128.0)))));
    assert_eq!(found.frame, 2);
    let evidence = USUAL.and("commanded_speed 128, capped_speed 64");
    let fixes = USUAL.fixes("speed_cap 128 m/s");
    it.check(&found, "Tunnels C01 C15", &evidence, &fixes);
}

/// A ball of 1/128 m and a plate as thick as it, with a slop of 1/16 m: it sinks by 1/1024 m a frame,
/// until its centre has passed the middle. A scale that mirrors is beside another cause; a large margin alone is none.
fn c16(it: &mut Checked) {
    let radius = 0.0078125;
    let plate = slab(0.5 * radius, 0.0);
    let step = radius / 8.0;
    let start = -1.5 * radius - 0.5 * step;
    let xs = (0..15).map(|k| at(start + step * f64::from(k)));
    let mut level = log(vec![ball("ball", radius, 0.0, 0.0), plate], xs);
    level.engine.margin = Some(0.0625);
    let found = one(&log_report(level));
    assert_eq!((found.kind, found.cause), (Kind::Sinks, Cause::Units));
    let fix = &found.fixes[0];
    assert_eq!(
        (fix.what.name(), fix.holds),
        ("max_margin", Some(0.5 * radius))
    );
    let depth = found.value(Key::Depth).unwrap();
    assert!(depth > radius && found.value(Key::InnerRadius) == Some(radius));
    it.causes.insert(found.cause.id());
    it.keys.extend([Key::Margin, Key::InnerRadius]);
    let [mut mover, wall] = usual();
    mover.scale = Some(DVec3::new(1.0, -2.0, 1.0));
    let evidence = USUAL.and("scale_x 1, scale_y -2, scale_z 1");
    it.check(
        &only(once([mover, wall])),
        "Tunnels C01 C16",
        &evidence,
        &USUAL.fixes(""),
    );
    let engine = Engine {
        margin: Some(0.01),
        ..Engine::default()
    };
    let found = only(Scene {
        engine,
        ..once(usual())
    });
    it.check(&found, "Tunnels C01", &USUAL.and(""), &USUAL.fixes(""));
}

/// The usual wall at 2^20 m. Before it the numbers of f32 are 1/16 apart, behind it 1/8: the ball from 111/32 m before it is rounded to 3.5 m
/// before it (a tie goes to the even one), and from 17/32 m behind it to half a metre, in contact. A hundredth of 0.25 m is more than
/// 2^-9, the spacing below 2^15. The positions of a box of the ball's width are rounded alike.
fn c17(it: &mut Checked) {
    let far = 1_048_576.0;
    // Half a metre a frame where neighbouring numbers are 1/8 m apart, four a step; a step of more than eight of them is not lost in rounding.
    let stands = |speed: f64| {
        log_report(log(
            vec![ball("ball", 0.25, 0.0, 0.0)],
            [fast(far, speed), fast(far, speed)],
        ))
    };
    it.check(
        &one(&stands(8.0)),
        "BadNumber C17",
        &format!("coordinate {far}, f32_step 0.125, own_step 0.5"),
        "max_coordinate 32768 m",
    );
    assert_eq!(stands(17.0).findings, []);
    let ball = ball("ball", 0.25, far - 3.46875, 64.0);
    let half_extents = DVec3::splat(0.25);
    let cube = Object {
        shape: Shape::Box { half_extents },
        ..ball.clone()
    };
    for (mover, width) in [(ball, "radius"), (cube, "half_width")] {
        let found = only(once([mover, slab(0.25, far)]));
        let passing = Passing {
            width: (width, 0.25),
            ..USUAL
        };
        let evidence = passing.and(&format!(
            "coordinate {}, f32_step 0.125, f32_gap_start {}, f32_gap_end 0, \
            near_gap_start {}, near_gap_end 0.03125",
            far + 0.53125,
            3.5 - 0.5,
            3.46875 - 0.5
        ));
        let fixes = passing.fixes("max_coordinate 32768 m");
        it.check(&found, "Tunnels C17 C01", &evidence, &fixes);
    }
}

/// The ball is in bit 0 and its mask has bit 1; the wall is in bit 1 and its mask has bit 1: it needs bits 0 and 1, 3.
fn c18(it: &mut Checked) {
    let [mut mover, mut wall] = usual();
    (mover.layer, mover.mask) = (1, 2);
    (wall.layer, wall.mask) = (2, 2);
    let bits = "layer_a 1, mask_a 2, layer_b 2, mask_b 2";
    it.check(
        &only(once([mover, wall])),
        "Tunnels C18 C01",
        &USUAL.and(bits),
        "mask 3",
    );
    // Without bits: two states 1/16 m deep, and the lines' only contact is of the ball with another wall.
    let mut other = slab(0.25, 90.0);
    other.name = "other".into();
    let objects = vec![ball("ball", 0.25, 0.0, 0.0), slab(0.25, 0.0), other];
    let states = [-0.4375, -0.4375, 1.5625].map(at);
    let found = finding_of_log(
        log(objects, states),
        contact(2, [-1.0, 0.0, 0.0], -1.0),
        "C18",
    );
    let passing = Passing::from_touch(2.0);
    let evidence = passing
        .and("unreported_depth 0.0625, logged_contacts 2, depth 0.0625, frames_in_contact 2");
    it.check(&found, "Sinks C18 C21", &evidence, "");
    // Gravity of 16 m/s² toward the wall adds 1 m/s in 1/16 s: it falls on where it is 1/32, 7/32 and 15/32 m deep.
    let (mut x, mut states) = (-0.65625, Vec::new());
    for speed in [0.0, 1.0, 2.0, 3.0, 4.0, 5.0] {
        x += speed * DT;
        states.push(fast(x, speed));
    }
    let mut level = log(vec![ball("ball", 0.25, 0.0, 0.0), slab(0.25, 0.0)], states);
    level.gravity = Some(DVec3::X * 16.0);
    let found = one(&log_report(level));
    assert_eq!((found.kind, found.cause), (Kind::Sinks, Cause::Bits));
    assert_eq!(found.value(Key::FreeStates), Some(3.0), "{found:#?}");
    assert_eq!(found.value(Key::UnreportedDepth), Some(0.46875));
    it.keys.insert(Key::FreeStates);
}

/// Swept from 17 inner radii on, 4.25 m, where it moves 4; and switched off.
fn c19(it: &mut Checked) {
    let [mut mover, wall] = usual();
    mover.ccd = Some(true);
    let engine = Engine {
        ccd_threshold: Some(17.0),
        ..Engine::default()
    };
    let found = only(Scene {
        engine,
        ..once([mover.clone(), wall.clone()])
    });
    let evidence = USUAL.and("own_step 4, ccd_threshold 4.25");
    let fixes = USUAL.fixes("max_ccd_threshold 4 m");
    it.check(&found, "Tunnels C19 C01", &evidence, &fixes);
    mover.ccd = Some(false);
    let found = only(once([mover, wall]));
    it.check(
        &found,
        "Tunnels C01 C19",
        &USUAL.and("ccd 0"),
        &USUAL.fixes(""),
    );
}

/// A trigger pushes nothing, so that there is no side, and holding it takes no more than detecting it.
fn c20(it: &mut Checked) {
    let [mover, mut trigger] = usual();
    trigger.sensor = true;
    let evidence = USUAL.and("");
    let no_side: Vec<&str> = entries(&evidence)
        .filter(|entry| !entry.contains("side"))
        .collect();
    let evidence = no_side.join(", ");
    let d = 4.0 / SAFE - 0.5;
    let fixes = Passing {
        side: USUAL.detected,
        ..USUAL
    }
    .steps(
        "max_speed",
        &format!("min_thickness {0}|{0} m, min_radius {1}|{1} m", d, d / 2.0),
    );
    it.check(
        &only(once([mover, trigger])),
        "Tunnels C20 C01",
        &evidence,
        &fixes,
    );
}

/// In contact, 1/16 m deep, in two states, then through half a metre of wall in one step of 2 m.
fn c21(it: &mut Checked) {
    let report = log_report(log_of_positions(0.0, &[-0.4375, -0.4375, 1.5625]));
    let passing = Passing::from_touch(2.0);
    let evidence = passing.and("depth 0.0625, frames_in_contact 2");
    let found = headed(&report, "C21");
    it.check(
        &found,
        "Sinks C21",
        &evidence,
        &passing.steps("max_speed", ""),
    );
}

/// A wall from -0.25 to 0.25, queried from -4 to 4, the ball of the level out of the way: hit after 3.75 of 8 m by a ray, after 3.5 by a
/// ball of 0.25 m. Allowed are 5 mm, and the rounding of an f32 at the largest coordinate.
fn c22(it: &mut Checked) {
    let asked = |kind, z: f64, hit: Option<(f64, Option<DVec3>)>| {
        let mut level = log_of_positions(0.0, &[0.0, 0.0]);
        change_frames(&mut level, |_, data| {
            data.bodies[0].pose.position.y = 90.0;
        });
        let query = LoggedQuery {
            kind,
            object: None,
            from: DVec3::new(-4.0, 0.0, z),
            to: DVec3::new(4.0, 0.0, z),
            radius: if kind == QueryKind::Sweep { 0.25 } else { 0.0 },
            shape: None,
            mask: None,
            tag: None,
            hit: hit.map(|(fraction, normal)| LoggedHit {
                object: 1,
                fraction,
                normal,
            }),
        };
        finding_of_log(level, LogEntry::Query(query), "C22")
    };
    let tolerance = 0.005 + ROUNDING * 4.0;
    // Of two unit vectors of 3, 4, 5.
    let (tilted, angle) = (DVec3::new(-0.8, 0.6, 0.0), 0.6_f64.asin().to_degrees());
    let table = [
        (
            asked(QueryKind::Sweep, 0.0, None),
            format!(
                "exact_fraction {}, tolerance_fraction {}",
                3.5 / 8.0,
                tolerance / 8.0
            ),
        ),
        // Past the wall's side, which is 50 m away: from 50.75 on 0.5 m are clear of a ball of 0.25 m.
        (
            asked(QueryKind::Sweep, 50.75, Some((0.5, None))),
            format!(
                "logged_fraction 0.5, exact_gap 0.5, tolerance {}",
                0.005 + ROUNDING * 4.0_f64.hypot(50.75)
            ),
        ),
        // 1 m too late.
        (
            asked(QueryKind::Ray, 0.0, Some((4.75 / 8.0, None))),
            format!(
                "logged_fraction {}, exact_fraction {}, off_by 1, tolerance_fraction {}",
                4.75 / 8.0,
                3.75 / 8.0,
                tolerance / 8.0
            ),
        ),
        (
            asked(QueryKind::Ray, 0.0, Some((3.75 / 8.0, Some(tilted)))),
            format!(
                "exact_fraction {}, normal_angle_degrees {angle}",
                3.75 / 8.0
            ),
        ),
    ];
    for (found, evidence) in table {
        // The right normal, where the query's is wrong.
        let is_tilted = evidence.contains("angle");
        let normal = if is_tilted {
            [-1.0, 0.0, 0.0]
        } else {
            [0.0; 3]
        };
        assert_eq!(found.normal, normal);
        let evidence = format!("{evidence}, query_length 8");
        it.check(&found, "Phantom C22", &evidence, "");
    }
    // A contact: touching the wall, whose normal is -x; it gives the ball 1 m/s along y.
    let mut level = log_of_positions(0.0, &[-0.5, -0.5]);
    change_frames(&mut level, |index, data| {
        data.bodies[0].velocity = Some(DVec3::Y * index as f64);
    });
    let found = finding_of_log(level, contact(1, tilted.into(), 0.0), "C22");
    let evidence = format!("normal_angle_degrees {angle}, logged_depth 0, speed_change 1");
    it.check(&found, "Phantom C22", &evidence, "");
    // A push: 1/8 m deep in the wall, and pushed 2 m along it, which does not reduce the depth.
    let mut level = log_of_positions(0.0, &[-0.375, -0.375]);
    change_frames(&mut level, |index, data| {
        data.bodies[0].pose.position.y = 2.0 * index as f64;
    });
    let found = finding_of_log(level, push([0.0, 2.0, 0.0]), "C22");
    let evidence = "push 2, exact_gap 0, exact_depth 0.125";
    it.check(&found, "Phantom C22", evidence, "");
}

/// 4 m past a probe of half a metre to each side: nine substeps, just below 8 m/s; it touches, behind the camera, in steps of a metre. Corner of
/// the near plane: 0.1 sqrt(1 + (1 + (16/9)^2) / 3).
fn c23(it: &mut Checked) {
    let walked = |speed: f64, probe: Probe| {
        let camera = Camera {
            pose: Pose::IDENTITY,
            movement: CameraMovement::Velocity(DVec3::new(0.0, 0.0, -speed)),
            probe,
            probe_mode: ProbeMode::InOrder,
            near: 0.1,
            fov: 60_f64.to_radians(),
            aspect: 16.0 / 9.0,
        };
        let corners = [[-9.0, -9.0, -3.0], [9.0, -9.0, -3.0], [0.0, 18.0, -3.0]];
        let end = mesh(Facing::Both, &corners, &[[0, 1, 2]]);
        only(Scene {
            camera: Some(camera),
            ..once([end])
        })
    };
    let corner = 0.1 * (1.0 + (1.0 + (16.0_f64 / 9.0).powi(2)) / 3.0).sqrt();
    let radius = format!("camera_radius {corner} m");
    let evidence = |extent| format!("displacement 4, probe_reach {extent}, dt {DT}");
    let steps = format!(
        "substeps 9|5, max_speed {}|{} m/s, {radius}",
        8.0 * SAFE,
        16.0 * SAFE
    );
    let found = walked(64.0, Probe::Standard);
    it.check(&found, "CameraCrosses C01 C23", &evidence(0.5), &steps);
    let found = walked(64.0, Probe::Off);
    it.check(&found, "CameraCrosses C23", &evidence(0.0), &radius);
    // 2.95 m on, 5 cm before the wall: a corner of the near plane, 0.1 m ahead, is past it.
    let found = walked(2.95 / DT, Probe::Off);
    let evidence = format!("distance 0.05, near_plane_reach {corner}");
    it.check(&found, "CameraCrosses C23", &evidence, &radius);
}

/// A coordinate that is NaN from state 1 on; two balls of 0.25 m in one place, half a metre deep.
fn c24(it: &mut Checked) {
    let level = log(vec![ball("ball", 0.25, 0.0, 0.0)], [at(0.0), at(f64::NAN)]);
    it.check(&one(&log_report(level)), "BadNumber C24", "state 1", "");
    let mut still = ball("two", 0.25, 0.0, 0.0);
    still.movement = Movement::Fixed;
    let report = log_report(log(
        vec![ball("one", 0.25, 0.0, 0.0), still],
        [-2.0, 0.0, -0.25].map(at),
    ));
    let bad = |found: &&Finding| found.kind == Kind::BadNumber;
    let found = report
        .findings
        .iter()
        .find(bad)
        .expect("their centres coincide");
    it.check(found, "BadNumber C24", "depth 0.5", "separation 0.5 m");
}

/// 1/32 m past the middle of the wall, 0.25 + 0.25 - 1/32 deep; a quarter deep in the next state, and out of it in the third.
fn c25(it: &mut Checked) {
    let found = one(&log_report(log_of_positions(
        0.0,
        &[-3.96875, 0.03125, -0.25, -0.75],
    )));
    assert_eq!((found.frame, found.last_frame), (0, 0));
    let evidence = USUAL.and("resolved_frames 3, deepest 0.46875, push 0.46875, push_cosine -1");
    it.check(&found, "WrongSide C25 C05", &evidence, &USUAL.fixes(""));
}
