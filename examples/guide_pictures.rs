//! Makes the pictures of docs/guide.md and of the README: the real window, driven by its commands, drawn by wgpu without a display.
//!
//! `cargo run --example guide_pictures` writes them to docs/pictures/; another folder may be given.

use eframe::App as _;
use eframe::egui_wgpu::RendererOptions;
use egui::{Color32, ColorImage, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use egui_kittest::wgpu::{WgpuTestRenderer, create_render_state, default_wgpu_setup};
use hitstop::app::apply::apply;
use hitstop::app::command::Command;
use hitstop::app::dock::Pane;
use hitstop::app::files::Settings;
use hitstop::app::model::what_if_search::SearchState;
use hitstop::app::model::{Model, Session};
use hitstop::app::source::Source;
use hitstop::app::viewport::{DeviceError, Viewport};
use hitstop::app::{App, setup};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[path = "../tests/core/guide_log.rs"]
mod guide_log;

const SIZE: Vec2 = vec2(1280.0, 800.0);
/// Number of passes after which animations have ended.
const PASSES: usize = 30;
/// Pictures are no larger than this, bytes.
const LARGEST: usize = 150 * 1024;

/// The window, without a display: it is there from its first pass on.
struct Window {
    harness: Harness<'static, Option<App>>,
}

impl Window {
    fn open(file: PathBuf, size: Vec2) -> Self {
        Self::in_theme("dark", file, size)
    }

    fn in_theme(theme: &'static str, file: PathBuf, size: Vec2) -> Self {
        let state = create_render_state(default_wgpu_setup(), RendererOptions::PREDICTABLE);
        let harness = Harness::builder()
            .renderer(WgpuTestRenderer::from_render_state(state.clone()))
            .with_size(size)
            .with_step_dt(1.0 / 30.0)
            .with_context_setup(setup)
            .build_ui_state(
                move |ui, app: &mut Option<App>| {
                    let open = || {
                        let mut settings = Settings::default();
                        settings.theme = Some(theme.to_owned());
                        settings.hints_seen = true;
                        let viewport = Viewport::new(&state, ui.ctx(), DeviceError::default());
                        App::new(
                            ui.ctx(),
                            settings,
                            Some(Source::File(file.clone())),
                            viewport,
                        )
                    };
                    app.get_or_insert_with(open).ui(ui);
                },
                None,
            );
        let mut window = Self { harness };
        window.wait(|model| {
            let report = model.document().map(|document| &document.report);
            report.is_some_and(Option::is_some)
        });
        window
    }

    fn model(&mut self) -> &mut Model {
        let app = self.harness.state_mut().as_mut();
        &mut app.expect("the first pass is over").model
    }

    /// Top of the lowest node with a label: a tab may have that of a part of the panel below it.
    fn top(&self, label: &str) -> Option<f32> {
        let nodes = self.harness.query_all_by_label(label);
        nodes.map(|node| node.rect().top()).max_by(f32::total_cmp)
    }

    /// Until a condition holds, and the view is at rest.
    fn wait(&mut self, is: impl Fn(&Model) -> bool) {
        let begun = Instant::now();
        while !is(self.model()) {
            assert!(
                begun.elapsed() < Duration::from_secs(120),
                "waited too long"
            );
            self.harness.step();
            std::thread::sleep(Duration::from_millis(5));
        }
        for _ in 0..PASSES {
            self.harness.step();
        }
    }

    fn does(&mut self, commands: &[Command]) {
        for command in commands {
            apply(self.model(), command.clone());
        }
        self.wait(|_| true);
    }

    fn answered(&mut self) {
        self.wait(|model| {
            let search = session(model).derived.what_if_search.as_ref();
            search.is_some_and(|search| matches!(search.state(), SearchState::Known(_)))
        });
    }

    fn picture(&mut self) -> ColorImage {
        let image = self.harness.render().expect("a picture");
        let size = [image.width() as usize, image.height() as usize];
        let mut image = ColorImage::from_rgba_premultiplied(size, image.as_raw());
        let app = self.harness.state().as_ref().expect("the window is open");
        let clear = app.clear_color(&self.harness.ctx.global_style().visuals);
        let [r, g, b, _] = clear.map(|part| (part * 255.0).round() as u8);
        for pixel in &mut image.pixels {
            *pixel = Color32::from_rgb(r, g, b).blend(*pixel);
        }
        image
    }

    /// Only the area of a panel.
    fn picture_of(&mut self, pane: Pane) -> ColorImage {
        let whole = self.picture();
        match self.model().dock.rect(pane) {
            Some(rect) => whole.region(&rect.expand(4.0), None),
            None => whole,
        }
    }
}

fn session(model: &Model) -> &Session {
    model.session.as_ref().expect("a level is open")
}

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

/// With 256 colours: half the size, and hardly a visible difference.
fn write(folder: &Path, name: &str, image: &ColorImage) -> Result<(), Box<dyn Error>> {
    let [width, height] = image.size;
    let mut rgba: Vec<u8> = image.pixels.iter().flat_map(Color32::to_array).collect();
    let reduced = gif::Frame::from_rgba_speed(width as u16, height as u16, &mut rgba, 3);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_palette(reduced.palette.ok_or("no palette")?);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&reduced.buffer)?;
    writer.finish()?;
    let path = folder.join(name);
    println!(
        "{}: {width} x {height}, {} KB",
        path.display(),
        bytes.len() / 1024
    );
    if bytes.len() > LARGEST {
        return Err(format!("{name} is larger than {} KB", LARGEST / 1024).into());
    }
    Ok(std::fs::write(path, bytes)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
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
    of_readme(&folder)
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
        .join("scenes")
        .join(name)
}

/// The explanation of a camera that went through a wall.
fn camera(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut window = Window::open(scene("camera_corridor_fast.ron"), vec2(SIZE.x, 1600.0));
    window.does(&[Command::TogglePane(Pane::Explain)]);
    let why = trimmed(&window.picture_of(Pane::Explain));
    write(folder, "guide-camera.png", &why)
}

/// The window on three levels, in the dark and in the light theme.
fn of_readme(folder: &Path) -> Result<(), Box<dyn Error>> {
    let pictures = [
        ("tunnel.png", "recordings/warehouse.jsonl", "dark"),
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
