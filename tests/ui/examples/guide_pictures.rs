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
use logs::{drive, pushes, rain, walk};
use std::error::Error;
use std::path::{Path, PathBuf};
use window::{Window, session};

#[path = "../../core/guide_log.rs"]
mod guide_log;
#[path = "pictures/logs.rs"]
mod logs;
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
        // The list follows the playhead, and not a row that is chosen.
        window.does(&[Command::SeekState(state)]);
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
    let high = (at + 28).min(panel.height()) - from;
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
