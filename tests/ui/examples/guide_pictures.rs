//! Makes the pictures of docs/guide.md and of the README: the real window, driven by its commands, drawn by wgpu without a display.
//!
//! `cargo run --example guide_pictures` writes them to docs/pictures/; another folder may be given.

use egui::{ColorImage, Vec2, vec2};
use hitstop::app::apply::apply;
use hitstop::app::command::Command;
use hitstop::app::dock::Pane;
use hitstop::app::model::JobKind;
use hitstop::app::view_state::Switch;
use hitstop::app::viewport::export::{CapturedImage, Clip};
use hitstop::core::diagnose::what_if::Parameter;
use std::error::Error;
use std::path::{Path, PathBuf};
use window::{Window, session};

#[path = "../../core/guide_log.rs"]
mod guide_log;
#[path = "pictures/window.rs"]
mod window;

const SIZE: Vec2 = vec2(1280.0, 800.0);
/// Without the empty rows at its end.
fn trimmed(image: &ColorImage) -> ColorImage {
    let [width, height] = image.size;
    let margin = 16.min(width / 4);
    let empty = |y: usize| {
        let row = &image.pixels[y * width + margin..(y + 1) * width - margin];
        row.iter().all(|pixel| pixel == &row[0])
    };
    let last = (0..height.saturating_sub(margin))
        .rev()
        .find(|&y| !empty(y));
    let kept = last.map_or(height, |last| (last + margin).min(height));
    image.region_by_pixels([0, 0], [width, kept])
}

/// Pictures are no larger than this, bytes.
const LARGEST: usize = 150 * 1024;
/// The movie is no larger than this, bytes.
const LARGEST_MOVIE: usize = 512 * 1024;

fn write(folder: &Path, name: &str, image: &ColorImage) -> Result<(), Box<dyn Error>> {
    window::write(&folder.join(name), image, None, LARGEST)
}

fn main() -> Result<(), Box<dyn Error>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    let folder = std::env::args_os().nth(1).map_or(own, PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    let work = tempfile::tempdir()?;
    let level = work.path().join("level.jsonl");
    std::fs::write(&level, guide_log::log(1))?;

    // Open: the first finding is selected, at the time of impact.
    let mut window = Window::open(level.clone(), SIZE);
    window.answered();
    write(&folder, "guide-finding.png", &window.picture())?;
    over_time(&folder, &mut window)?;

    // Inside the frame, before the impact.
    let before = Command::Seek {
        frame: 4,
        fraction: 0.125,
    };
    window.does(&[before]);
    write(
        &folder,
        "guide-inside.png",
        &window.picture_of(Pane::Viewport),
    )?;
    write(&folder, "guide-gap.png", &window.picture_of(Pane::GapPlot))?;

    // What if: taller, so that all of it is visible.
    let mut tall = Window::open(level, vec2(SIZE.x, 3400.0));
    tall.answered();
    let panel = tall.picture_of(Pane::Inspector);
    let pane = tall.model().dock.rect(Pane::Inspector);
    let pane = pane.ok_or("the inspector is open")?;
    let row = |name: &str| {
        let top = tall.top(name).map(|top| top - pane.top());
        let top = top.ok_or_else(|| format!("the inspector has no part {name}"));
        top.map(|top| top.clamp(0.0, panel.height() as f32) as usize)
    };
    let (from, to) = (row("What if")?, row("Pair in this frame")?);
    let high = to.saturating_sub(from).max(1);
    let part = panel.region_by_pixels([0, from], [panel.width(), high]);
    write(&folder, "guide-what-if.png", &part)?;

    // The same finding with other numbers.
    tall.does(&[Command::TogglePane(Pane::WhatIf)]);
    tall.wait(|model| {
        let state = session(model)
            .derived
            .what_if
            .as_ref()
            .and_then(|what_if| what_if.ready());
        state.is_some()
    });
    let live = trimmed(&tall.picture_of(Pane::WhatIf));
    write(&folder, "guide-try.png", &live)?;

    // The explanation: every step of the pair's test.
    tall.does(&[Command::TogglePane(Pane::Explain)]);
    write(
        &folder,
        "guide-why.png",
        &trimmed(&tall.picture_of(Pane::Explain)),
    )?;

    // The frame as a scene of its own, which expects the finding.
    let scene = work.path().join("bug.ron");
    window.does(&[Command::SaveFrameTo(scene.clone())]);
    window.wait(|model| !model.is_saving_excerpt());
    let mut saved = Window::open(scene, SIZE);
    write(
        &folder,
        "guide-scene.png",
        &saved.picture_of(Pane::Findings),
    )?;

    // Fixed.
    let fixed = work.path().join("fixed.jsonl");
    std::fs::write(&fixed, guide_log::log(5))?;
    compared(&folder, &mut tall, &fixed)?;
    let mut window = Window::open(fixed, SIZE);
    let there = Command::Seek {
        frame: 4,
        fraction: 0.5,
    };
    window.does(&[Command::SelectPair(0, 2), there, Command::FrameSelection]);
    write(&folder, "guide-fixed.png", &window.picture())?;
    drop((window, tall, saved));
    camera(&folder)?;
    many_findings(&folder, work.path())?;
    questions(&folder, work.path())?;
    of_readme(&folder)?;
    movie(&folder)
}

/// The plots of the pair, and its lanes under them.
fn over_time(folder: &Path, window: &mut Window) -> Result<(), Box<dyn Error>> {
    window.does(&[Command::TogglePane(Pane::Plots)]);
    window.wait(|model| session(model).derived.histories.progress().is_none());
    write(folder, "guide-plots.png", &window.picture_of(Pane::Plots))?;
    let lanes = window.picture_of(Pane::Timeline);
    write(folder, "guide-lanes.png", &lanes)?;
    window.does(&[Command::TogglePane(Pane::GapPlot)]);
    Ok(())
}

/// The log compared with the fixed one.
fn compared(folder: &Path, window: &mut Window, fixed: &Path) -> Result<(), Box<dyn Error>> {
    window.harness.set_size(SIZE);
    let there = Command::Seek {
        frame: 6,
        fraction: 0.0,
    };
    window.does(&[Command::CompareWith(fixed.to_owned()), there]);
    window.wait(|model| {
        session(model).compare.result().is_some() && session(model).compare.curve().is_some()
    });
    window.does(&[Command::FrameAll]);
    write(folder, "guide-compare.png", &window.picture())
}

/// The file of a bundled scene.
fn scene(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../scenes")
        .join(name)
}

/// The explanation of a camera that went through a wall.
fn camera(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut window = Window::open(scene("camera_corridor_fast.ron"), vec2(SIZE.x, 1600.0));
    window.does(&[Command::TogglePane(Pane::Explain)]);
    let why = trimmed(&window.picture_of(Pane::Explain));
    write(folder, "guide-camera.png", &why)
}

/// Balls that fall at 30 m/s onto two thin roofs and a floor, at 30 frames a second.
fn rain() -> String {
    let fixed = |id: usize, name: &str, at: [f64; 3], half: [f64; 3]| {
        format!(
            r#"{{"id": {id}, "name": "{name}", "motion": "fixed", "shape": {{"box": {{"half_extents": {half:?}}}}}, "position": {at:?}}}"#
        )
    };
    let mut objects = vec![
        fixed(0, "floor", [0.0, -0.1, 0.0], [12.0, 0.1, 12.0]),
        fixed(1, "tin roof", [-5.0, 4.0, 0.0], [4.0, 0.02, 6.0]),
        fixed(2, "shed roof", [6.0, 3.0, 2.0], [3.0, 0.1, 4.0]),
    ];
    // Points of a low-discrepancy sequence.
    let place = |index: usize, step: f64| 22.0 * (index as f64 * step).fract() - 11.0;
    let balls: Vec<_> = (0..300)
        .map(|index| {
            let height = 6.0 + 47.3 * (index as f64 * 0.38).fract();
            (place(index, 0.7549), height, place(index, 0.5698))
        })
        .collect();
    let ball = |index| {
        format!(
            r#"{{"id": {}, "name": "drop {index}", "shape": {{"sphere": {{"radius": 0.15}}}}}}"#,
            index + 3
        )
    };
    objects.extend((0..balls.len()).map(ball));
    let mut lines = vec![format!(
        r#"{{"hitstop": 1, "dt": {}, "objects": [{}]}}"#,
        1.0 / 30.0,
        objects.join(", ")
    )];
    for frame in 0..60 {
        let fallen = f64::from(frame);
        let pose = |(index, &(x, y, z)): (usize, &(f64, f64, f64))| {
            format!(
                r#"{{"id": {}, "p": [{x:.3}, {:.4}, {z:.3}]}}"#,
                index + 3,
                y - fallen
            )
        };
        let bodies: Vec<_> = balls.iter().enumerate().map(pose).collect();
        lines.push(format!(
            r#"{{"frame": {frame}, "bodies": [{}]}}"#,
            bodies.join(", ")
        ));
    }
    lines.join("\n")
}

/// The window on a level with many findings, and its heat map.
fn many_findings(folder: &Path, work: &Path) -> Result<(), Box<dyn Error>> {
    let level = work.join("rain.jsonl");
    std::fs::write(&level, rain())?;
    let mut window = Window::open(level, SIZE);
    window.wait(|model| !session(model).derived.level_fixes.is_empty());
    let there = Command::Seek {
        frame: 20,
        fraction: 0.0,
    };
    window.does(&[
        there,
        Command::Toggle(Switch::HeatMap),
        Command::SelectMany(vec![0, 1, 2], false),
        Command::FrameSelection,
    ]);
    window.does(&[Command::SelectNothing]);
    write(folder, "guide-findings.png", &window.picture())
}

/// A character that walks at 3 m/s to a kerb of 0.35 m; its controller climbs 0.3 m.
fn walk() -> String {
    let fixed = |id: usize, name: &str, at: [f64; 3], half: [f64; 3]| {
        format!(
            r#"{{"id": {id}, "name": "{name}", "motion": "fixed", "shape": {{"box": {{"half_extents": {half:?}}}}}, "position": {at:?}}}"#
        )
    };
    let objects = [
        fixed(0, "path", [0.0, -0.1, 0.0], [4.0, 0.1, 2.0]),
        fixed(1, "kerb", [3.0, 0.175, 0.0], [1.0, 0.175, 2.0]),
        r#"{"id": 2, "name": "player", "motion": "kinematic", "shape": {"capsule": {"half_height": 0.6, "radius": 0.3}}}"#.to_owned(),
    ];
    let mut text = format!(
        r#"{{"hitstop": 1, "dt": 0.025, "gravity": [0, -9.81, 0], "objects": [{}]}}"#,
        objects.join(", ")
    );
    let place = |frame: f64| (-0.5 + 0.075 * frame).min(1.69);
    for frame in 0..50_u32 {
        let (from, to) = (place(f64::from(frame) - 1.0), place(f64::from(frame)));
        let (is_stopped, made) = (
            to == 1.69,
            format!(r#""from": [{from}, 0.91, 0], "wish": [0.075, 0, 0], "to": [{to}, 0.91, 0]"#),
        );
        let hit = match is_stopped {
            true => r#"{"id": 1, "normal": [-1, 0, 0], "point": [2, 0.33, 0]}"#,
            false => "null",
        };
        let limits =
            r#""grounded": true, "max_slope": 45, "max_step": 0.3, "snap": 0.2, "skin": 0.01"#;
        let ground = format!(
            r#"{{"kind": "ray", "tag": "ground", "id": 2, "from": [{to}, 0.91, 0], "to": [{to}, -0.2, 0], "hit": {{"id": 0, "fraction": {}}}}}"#,
            0.91 / 1.11
        );
        let state = if is_stopped { "blocked" } else { "walking" };
        text += &format!(
            r#"
{{"frame": {frame}, "bodies": [{{"id": 2, "p": [{to}, 0.91, 0]}}], "queries": [{ground}], "values": [{{"name": "state", "id": 2, "text": "{state}"}}, {{"name": "tick", "value": {frame}}}], "moves": [{{"id": 2, {made}, {limits}, "sweeps": [{{"kind": "slide", {made}, "hit": {hit}}}, {{"kind": "snap", "from": [{to}, 0.91, 0], "to": [{to}, 0.91, 0], "hit": {{"id": 0, "normal": [0, 1, 0]}}}}]}}]}}"#
        );
    }
    text
}

/// What the everyday questions lead to: why it stopped, why it is here, and where a server and its client part.
fn questions(folder: &Path, work: &Path) -> Result<(), Box<dyn Error>> {
    let log = work.join("walk.jsonl");
    std::fs::write(&log, walk())?;
    let mut window = Window::open(log, SIZE);
    window.does(&[
        Command::ShowPane(Pane::EngineLog),
        Command::FilterEngineLog("-ray".to_owned()),
    ]);
    window.wait(|model| {
        let list = session(model).derived.engine_log.list();
        list.is_some_and(|list| list.rows.len() == 3)
    });
    window.does(&[Command::ShowEngineLogRow(2), Command::FrameSelection]);
    write(folder, "guide-moves.png", &window.picture())?;

    let mut window = Window::open(scene("recordings/warehouse.jsonl"), SIZE);
    let document = window.model().document();
    let id = document.and_then(|document| document.replay().object_named("bullet 120 m/s"));
    let id = id.ok_or("the level has the bullet")?;
    window.does(&[Command::Explain(id, 179)]);
    window.wait(|model| session(model).derived.motion.of(id).is_some());
    write(
        folder,
        "guide-here.png",
        &trimmed(&window.picture_of(Pane::Explain)),
    )?;
    logged(folder, work)?;
    moved(folder, work)
}

/// A car that drives at 10 m/s over a gap of 1.5 m in a road, and a barrel that falls into it. One ray of a wheel misses the road, which is there.
fn drive() -> String {
    let road = |id: usize, name: &str, x: f64, half: f64| {
        format!(
            r#"{{"id": {id}, "name": "{name}", "motion": "fixed", "layer": 2, "shape": {{"box": {{"half_extents": [{half}, 0.2, 3]}}}}, "position": [{x}, -0.2, 0]}}"#
        )
    };
    let objects = [
        road(0, "road", -3.0, 6.0),
        road(1, "far road", 10.5, 6.0),
        r#"{"id": 2, "name": "car", "layer": 1, "shape": {"box": {"half_extents": [0.9, 0.3, 0.6]}}}"#.to_owned(),
        r#"{"id": 3, "name": "barrel", "layer": 1, "shape": {"sphere": {"radius": 0.3}}}"#
            .to_owned(),
    ];
    let mut text = format!(
        r#"{{"hitstop": 1, "dt": 0.02, "gravity": [0, -9.81, 0], "objects": [{}]}}"#,
        objects.join(", ")
    );
    for frame in 0..90_u32 {
        let x = -6.0 + 0.2 * f64::from(frame);
        let fallen = f64::from(frame.saturating_sub(9)) * 0.02;
        let barrel = 0.3 - 0.5 * 9.81 * fallen * fallen;
        let wheel = |name: &str, at: f64| {
            let x = x + at;
            let is_over = (-9.0..=3.0).contains(&x).then_some(0);
            let under = is_over.or((4.5..=16.5).contains(&x).then_some(1));
            // Once, the engine lost the road below the rear wheel.
            let under = under.filter(|_| !(name == "wheel rear" && frame == 30));
            let hit = under.map_or("null".to_owned(), |id| {
                format!(r#"{{"id": {id}, "fraction": 0.8}}"#)
            });
            format!(
                r#"{{"kind": "ray", "tag": "{name}", "id": 2, "from": [{x:.2}, 0.4, 0], "to": [{x:.2}, -0.1, 0], "mask": 2, "hit": {hit}}}"#
            )
        };
        let sight = format!(
            r#"{{"kind": "ray", "tag": "sight", "id": 2, "from": [{x:.2}, 0.4, 0], "to": [{:.2}, 0.1, 0], "mask": 2, "hit": null}}"#,
            x + 12.0
        );
        let mut queries = vec![wheel("wheel front", 0.7), wheel("wheel rear", -0.7)];
        queries.extend((frame == 2).then_some(sight));
        let lost = !(-9.0..=3.0).contains(&(x + 0.7)) && x + 0.7 < 4.5;
        let state = if lost {
            "front wheel in the air"
        } else {
            "driving"
        };
        let said = match (frame, lost) {
            (0, _) => r#", "log": ["level loaded"]"#,
            (49, _) => {
                r#", "log": [{"text": "landed hard: 3.1 kN at the front axle", "id": 2, "level": "warning"}]"#
            }
            (31, _) => r#", "log": [{"text": "no traction", "id": 2, "level": "warning"}]"#,
            _ => "",
        };
        text += &format!(
            r#"
{{"frame": {frame}, "bodies": [{{"id": 2, "p": [{x:.2}, 0.35, 0]}}, {{"id": 3, "p": [3.75, {barrel:.4}, 0]}}], "queries": [{}], "values": [{{"name": "state", "id": 2, "text": "{state}"}}, {{"name": "throttle", "value": {:.2}}}]{said}}}"#,
            queries.join(", "),
            if lost { 0.4 } else { 0.85 }
        );
    }
    text
}

/// What the engine log answers: what a ray hit, why one hit nothing, when the ground was lost, what the game said, in which state it was.
fn logged(folder: &Path, work: &Path) -> Result<(), Box<dyn Error>> {
    let log = work.join("drive.jsonl");
    std::fs::write(&log, drive())?;
    let mut window = Window::open(log, vec2(SIZE.x, 900.0));
    let unchecked = window.picture_of(Pane::Findings);
    write(folder, "guide-outside.png", &trimmed(&unchecked))?;
    window.does(&[Command::ShowPane(Pane::EngineLog)]);
    let rows = |window: &mut Window, filter: &str| {
        let wanted = filter.to_owned();
        window.does(&[Command::FilterEngineLog(wanted)]);
        window.wait(|model| !model.jobs.is_running(JobKind::EngineLog));
        let list = session(window.model()).derived.engine_log.list();
        list.map_or_else(Vec::new, |list| list.rows.clone())
    };
    let pictures = [
        ("guide-ray.png", "\"wheel rear\"", 29),
        ("guide-ray-miss.png", "sight", 2),
        ("guide-wheel.png", "wheel nothing", 42),
        ("guide-said.png", "warning", 31),
        ("guide-state.png", "state", 42),
    ];
    for (name, filter, state) in pictures {
        let listed = rows(&mut window, filter);
        let row = listed.iter().position(|row| row.state == state);
        let row = row.ok_or_else(|| format!("there is no row of {filter} in frame {state}"))?;
        window.does(&[Command::ShowEngineLogRow(row)]);
        let lane = window.picture_of(Pane::Timeline);
        let panel = trimmed(&window.picture_of(Pane::EngineLog));
        let image = match name {
            "guide-said.png" => stacked(&panel, &lane),
            _ => panel,
        };
        write(folder, name, &image)?;
    }
    Ok(())
}

/// One picture above another, on the colour of the first one's corner.
fn stacked(above: &ColorImage, below: &ColorImage) -> ColorImage {
    let width = above.width().max(below.width());
    let size = [width, above.height() + below.height()];
    let mut image = ColorImage::filled(size, above[(0, 0)]);
    for (part, top) in [(above, 0), (below, above.height())] {
        for (y, row) in part.pixels.chunks(part.width()).enumerate() {
            let at = (top + y) * width;
            image.pixels[at..at + row.len()].copy_from_slice(row);
        }
    }
    image
}

/// A cart that rolls at 2 m/s against a crate, which hits a ball, each with its logged contact.
fn pushes() -> String {
    let object = |id: usize, name: &str, shape: &str| {
        format!(r#"{{"id": {id}, "name": "{name}", "shape": {shape}}}"#)
    };
    let cube = r#"{"box": {"half_extents": [0.5, 0.5, 0.5]}}"#;
    let objects = [
        object(0, "cart", cube),
        object(1, "crate", cube),
        object(2, "ball", r#"{"sphere": {"radius": 0.5}}"#),
    ];
    let mut text = format!(
        r#"{{"hitstop": 1, "dt": 0.05, "gravity": [0, 0, 0], "objects": [{}]}}"#,
        objects.join(", ")
    );
    // The first frame in which each moves, its place before and its speed from then on.
    let moves = [(0, -2.0, 2.0), (10, 0.0, 1.5), (30, 2.5, 1.2)];
    for frame in 0..50_u32 {
        let body = |(id, (from, at, speed)): (usize, &(u32, f64, f64))| {
            // The cart stops at the crate.
            let until = if id == 0 { frame.min(10) } else { frame };
            let moved = f64::from(until.saturating_sub(*from)) * 0.05 * speed;
            let now = match frame {
                _ if frame < *from || id == 0 && frame >= 10 => 0.0,
                _ => *speed,
            };
            format!(
                r#"{{"id": {id}, "p": [{:.3}, 0, 0], "v": [{now}, 0, 0]}}"#,
                at + moved
            )
        };
        let bodies: Vec<String> = moves.iter().enumerate().map(body).collect();
        let contact = |a: usize, x: f64| {
            format!(
                r#"[{{"a": {a}, "b": {}, "point": [{x}, 0, 0], "normal": [1, 0, 0], "depth": 0}}]"#,
                a - 1
            )
        };
        let contacts = match frame {
            10 => contact(1, -0.5),
            30 => contact(2, 2.0),
            _ => "[]".to_owned(),
        };
        text += &format!(
            "\n{{\"frame\": {frame}, \"bodies\": [{}], \"contacts\": {contacts}}}",
            bodies.join(", ")
        );
    }
    text
}

/// Who pushed an object, and since when it moves so.
fn moved(folder: &Path, work: &Path) -> Result<(), Box<dyn Error>> {
    let log = work.join("pushes.jsonl");
    std::fs::write(&log, pushes())?;
    let mut window = Window::open(log, vec2(SIZE.x, 1000.0));
    let last = window.model().playback.frames() - 1;
    let there = Command::Seek {
        frame: last,
        fraction: 1.0,
    };
    // The ball was pushed by the crate; a click there explains the crate.
    let (crate_, before) = (1, 30);
    window.does(&[
        there.clone(),
        Command::Select(Some(2)),
        Command::Explain(crate_, before),
    ]);
    window.wait(|model| session(model).derived.motion.of(crate_).is_some());
    let why = trimmed(&window.picture_of(Pane::Explain));
    write(folder, "guide-pushed.png", &why)?;
    window.does(&[
        Command::Select(Some(2)),
        there,
        Command::ShowPane(Pane::Inspector),
    ]);
    window.wait(|model| !model.jobs.is_running(JobKind::LastChange));
    let pane = window.model().dock.rect(Pane::Inspector);
    let top = pane.zip(window.top("last change"));
    let (pane, top) = top.ok_or("the inspector has the last change")?;
    let panel = window.picture_of(Pane::Inspector);
    let at = (top - pane.top()).max(0.0) as usize;
    let from = at.saturating_sub(150);
    let high = (at + 40).min(panel.height()) - from;
    let part = panel.region_by_pixels([0, from], [panel.width(), high]);
    write(folder, "guide-since.png", &part)
}

/// The first minute as a movie: the ball passes, a click on the finding, its frame opens, and the fix is tried.
fn movie(folder: &Path) -> Result<(), Box<dyn Error>> {
    let size = vec2(1080.0, 676.0);
    let mut window = Window::open(scene("recordings/warehouse.jsonl"), size);
    window.answered();
    let mut movie = Clip::default();
    let mut show = |image, hundredths| movie.add(&CapturedImage { image, hundredths });
    let at = |frame: u32, fraction: f64| Command::Seek { frame, fraction };
    window.does(&[Command::SelectNothing, at(0, 0.0), Command::FrameAll]);
    show(window.picture(), 80)?;
    for frame in 1..8 {
        window.does(&[at(frame, 0.0)]);
        show(window.picture(), 12)?;
    }
    show(window.picture(), 60)?;
    // The view glides there.
    apply(window.model(), Command::SelectFinding(0));
    for _ in 0..10 {
        for _ in 0..3 {
            window.harness.step();
        }
        show(window.picture(), 5)?;
    }
    window.does(&[]);
    show(window.picture(), 80)?;
    for step in 0..=16 {
        window.does(&[at(4, f64::from(step) / 16.0)]);
        show(window.picture(), 10)?;
    }
    window.does(&[Command::SelectFinding(0)]);
    show(window.picture(), 50)?;
    window.does(&[Command::TryFix(Parameter::Substeps, 17.0)]);
    window.answered();
    show(window.picture(), 220)?;
    let bytes = movie.finish()?;
    println!("tunnel.gif: {} KB", bytes.len() / 1024);
    if bytes.len() > LARGEST_MOVIE {
        return Err(format!("tunnel.gif is larger than {} KB", LARGEST_MOVIE / 1024).into());
    }
    Ok(std::fs::write(folder.join("tunnel.gif"), bytes)?)
}

/// The window on two levels, in the dark and in the light theme.
fn of_readme(folder: &Path) -> Result<(), Box<dyn Error>> {
    let pictures = [
        ("walls.png", "wall_row.ron", "dark"),
        ("crossing.png", "crossing_shots.ron", "light"),
    ];
    for (name, level, theme) in pictures {
        let mut window = Window::in_theme(theme, scene(level), SIZE);
        window.answered();
        write(folder, name, &window.picture())?;
    }
    Ok(())
}
