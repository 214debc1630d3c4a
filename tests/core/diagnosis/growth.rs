//! Inputs of many objects and many lines: the work grows with them and not with their square. Each test counts the findings, and stops
//! at a time limit that only quadratic work exceeds, many times over.

use crate::common::levels::{diagnosed, log_of, opened};
use crate::common::random::{is_full, rounds};
use hitstop::core::diagnose::{Cause, Kind, Report};
use hitstop::core::level;
use hitstop::core::scene::MemoryFolder;
use std::time::{Duration, Instant};

/// Far above the time that the work takes on a busy machine, far below that of quadratic work; of all samples ten times the work, and a
/// hundred times its square.
fn hang() -> Duration {
    Duration::from_secs(if is_full() { 300 } else { 60 })
}

/// Enough that quadratic work in all samples exceeds [`hang`].
fn balls() -> usize {
    rounds(20_000)
}

/// Two states of balls of 0.1 m, each 3 m from the next along x, with a velocity along x in the second state.
fn row_of_balls(speed: f64, more: &str) -> Report {
    let objects: Vec<String> = (0..balls())
        .map(|id| format!(r#"{{"id":{id},"name":"b{id}","shape":{{"sphere":{{"radius":0.1}}}}}}"#))
        .collect();
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    let state = |speed: f64| {
        let bodies: Vec<String> = (0..balls())
            .map(|id| format!(r#"{{"id":{id},"p":[{},0,0],"v":[{speed},0,0]}}"#, id * 3))
            .collect();
        format!("\"bodies\":[{}]", bodies.join(","))
    };
    let frames = [state(0.0), state(speed) + more];
    let level = opened("x.jsonl", log_of("", &objects, &frames));
    let begun = Instant::now();
    let report = diagnosed(&level);
    assert!(begun.elapsed() < hang(), "{:?}", begun.elapsed());
    report
}

/// A list in a log's line, with one entry for each number.
fn listed(name: &str, each: impl Iterator<Item = String>) -> String {
    format!(",\"{name}\":[{}]", each.collect::<Vec<_>>().join(","))
}

/// Balls 2.8 m apart, of which the first of every two is kicked by a contact with the second.
#[test]
fn as_many_ghost_contacts_as_bodies() {
    let contact = |pair: usize| {
        let (a, b) = (2 * pair, 2 * pair + 1);
        format!(
            r#"{{"a":{a},"b":{b},"point":[{},0,0],"normal":[1,0,0],"depth":0.01}}"#,
            3 * a
        )
    };
    let report = row_of_balls(1.0, &listed("contacts", (0..balls() / 2).map(contact)));
    assert_eq!(report.findings.len(), balls() / 2);
    assert!(report.findings.iter().all(|one| one.cause == Cause::Ghost));
}

/// Each ball is pushed by 0.5 m, with the next ball 2.8 m away.
#[test]
fn as_many_pushes_out_of_nothing_as_bodies() {
    let push = |id: usize| format!(r#"{{"id":{id},"push":[0,0.5,0]}}"#);
    let report = row_of_balls(0.0, &listed("pushes", (0..balls()).map(push)));
    let pushed: Vec<_> = report
        .findings
        .iter()
        .filter(|one| one.kind == Kind::Phantom)
        .collect();
    // The nearest is reported, the first of two: each two neighbours are one pair, and a pair is one finding.
    assert_eq!(pushed.len(), balls() - 1);
    for finding in pushed {
        let (a, b) = (finding.object_a.unwrap(), finding.object_b.unwrap());
        assert_eq!(a.abs_diff(b), 1, "{}", finding.text);
    }
}

/// Each ray goes straight down through one ball, and is logged as a miss.
#[test]
fn as_many_wrong_rays_as_bodies() {
    let ray = |id: usize| {
        let x = 3 * id;
        format!(r#"{{"kind":"ray","from":[{x},5,0],"to":[{x},-5,0],"hit":null}}"#)
    };
    let report = row_of_balls(0.0, &listed("queries", (0..balls()).map(ray)));
    let mut missed: Vec<_> = report
        .findings
        .iter()
        .filter_map(|one| one.object_b)
        .collect();
    missed.sort_unstable();
    missed.dedup();
    assert_eq!(missed.len(), balls());
    assert!(
        report
            .findings
            .iter()
            .all(|one| one.cause == Cause::OwnQuery)
    );
}

/// Rays along the row of balls: each passes through all of them, and misses the first one.
#[test]
fn many_wrong_rays_through_all_bodies() {
    let ray = |id: usize| {
        let height = id as f64 * 1e-5;
        format!(r#"{{"kind":"ray","from":[-1,{height},0],"to":[70000,{height},0],"hit":null}}"#)
    };
    let report = row_of_balls(0.0, &listed("queries", (0..rounds(2_000)).map(ray)));
    assert!(!report.findings.is_empty());
    for finding in &report.findings {
        assert_eq!(finding.object_b, Some(0), "{}", finding.text);
    }
}

/// Triangles that are separate objects, in a floor, and a ball that is pushed straight up off the centre of each.
#[test]
fn as_many_pushes_off_a_floor_of_triangles_as_triangles() {
    let mut objects: Vec<String> = (0..balls())
        .map(|id| format!(r#"{{"id":{id},"name":"b{id}","shape":{{"sphere":{{"radius":0.1}}}}}}"#))
        .collect();
    objects.extend((0..balls()).map(|index| {
        let x = 3 * index;
        format!(
            r#"{{"id":{},"name":"t{index}","motion":"fixed","shape":{{"triangle":{{"a":[{x},0,1],"b":[{},0,0],"c":[{x},0,-1]}}}}}}"#,
            balls() + index,
            x + 1
        )
    }));
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    let state = |height: f64| {
        let bodies: Vec<String> = (0..balls())
            .map(|id| {
                let x = 3.0 * id as f64 + 0.3;
                format!(r#"{{"id":{id},"p":[{x},{height},0],"v":[0,0,0]}}"#)
            })
            .collect();
        format!("\"bodies\":[{}]", bodies.join(","))
    };
    let pushes = (0..balls()).map(|id| format!(r#"{{"id":{id},"push":[0,0.02,0]}}"#));
    let frames = [state(0.1), state(0.1) + &listed("pushes", pushes)];
    let level = opened("x.jsonl", log_of("", &objects, &frames));
    let begun = Instant::now();
    let report = diagnosed(&level);
    assert!(begun.elapsed() < hang(), "{:?}", begun.elapsed());
    assert!(report.findings.is_empty(), "{:#?}", &report.findings[0]);
}

/// A scene of moving balls, over a recording that has none of them: each is listed in a notice.
#[test]
fn missing_recording_names_are_looked_up() {
    let count: usize = rounds(60_000);
    let logged: Vec<String> = (0..count)
        .map(|id| {
            format!(r#"{{"id":{id},"name":"logged {id}","shape":{{"sphere":{{"radius":0.1}}}}}}"#)
        })
        .collect();
    let logged: Vec<&str> = logged.iter().map(String::as_str).collect();
    let log = log_of("", &logged, &["\"bodies\":[]", "\"bodies\":[]"]);
    let objects: Vec<String> = (0..count)
        .map(|id| format!("(name: \"object {id}\", shape: Sphere(radius: 0.1))"))
        .collect();
    let scene = format!(
        "Scene(version: 1, name: \"x\", recording: \"x.jsonl\", objects: [{}])",
        objects.join(",")
    );
    let folder = MemoryFolder {
        files: [
            ("x.ron".to_owned(), scene.into_bytes()),
            ("x.jsonl".to_owned(), log.into_bytes()),
        ]
        .into(),
    };
    let begun = Instant::now();
    let level =
        level::open_in(&folder, "x.ron", &()).unwrap_or_else(|problems| panic!("{problems}"));
    assert!(begun.elapsed() < hang(), "{:?}", begun.elapsed());
    let lacking =
        |notice: &&hitstop::core::problem::Problem| notice.what.contains("has no poses of");
    assert_eq!(level.notices.iter().filter(lacking).count(), count);
}

/// Each misspelt name is compared with every existing name, up to a bound on that work.
#[test]
fn many_misspelt_names() {
    let objects: Vec<String> = (0..rounds(50_000))
        .map(|id| {
            format!("(name: \"object with a long name {id:06}\", shape: Sphere(radius: 0.1))")
        })
        .collect();
    let expect: Vec<String> = (0..100)
        .map(|id| format!("NeverTouches(a: \"objekt with a long name {id:06}\", b: \"object with a long name 000000\")"))
        .collect();
    let scene = format!(
        "Scene(version: 1, name: \"x\", dt: 0.1, frames: 1, objects: [{}], expect: [{}])",
        objects.join(","),
        expect.join(",")
    );
    let folder = MemoryFolder {
        files: [("x.ron".to_owned(), scene.into_bytes())].into(),
    };
    let begun = Instant::now();
    let problems = level::open_in(&folder, "x.ron", &()).expect_err("the names are wrong");
    assert!(begun.elapsed() < hang(), "{:?}", begun.elapsed());
    assert_eq!(problems.0.len(), 100);
    assert_eq!(
        problems.0[0].help,
        "did you mean `object with a long name 000000`?"
    );
    assert_eq!(
        problems.0[99].help,
        "did you mean `object with a long name 000099`?"
    );
}

/// One ball through a wall that contains the same triangle many times: eight times as many take about eight times as long, and not
/// sixty-four times. The faster of two runs each, so that other programs on the machine matter little.
#[test]
fn many_copies_of_one_triangle() {
    let often: usize = if is_full() { 80_000 } else { 4_000 };
    let fastest = |count| time_with_triangles(count).min(time_with_triangles(count));
    let (few, many) = (fastest(often / 8), fastest(often));
    assert!(many < few * 24, "{few:?}, {many:?}");
}

fn time_with_triangles(count: usize) -> Duration {
    let mesh = format!("v 0 0 0\nv 1 0 0\nv 0 0 1\n{}", "f 1 3 2\n".repeat(count));
    let scene = r#"Scene(version: 1, name: "t", dt: 0.016666666666666666, frames: 1, objects: [
        (name: "b", shape: Sphere(radius: 0.1), position: (0.2, 2.0, 0.2), velocity: (0.0, -240.0, 0.0)),
        (name: "w", shape: Mesh(file: "w.obj"), motion: Fixed)])"#;
    let folder = MemoryFolder {
        files: [
            ("x.ron".to_owned(), scene.as_bytes().to_vec()),
            ("w.obj".to_owned(), mesh.into_bytes()),
        ]
        .into(),
    };
    let level =
        level::open_in(&folder, "x.ron", &()).unwrap_or_else(|problems| panic!("{problems}"));
    let begun = Instant::now();
    let report = diagnosed(&level);
    let taken = begun.elapsed();
    assert_eq!(report.findings.len(), 1);
    assert_eq!(report.findings[0].kind, Kind::Tunnels);
    taken
}
