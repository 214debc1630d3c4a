//! The real window, driven by its commands and drawn by wgpu without a display, and the pictures of it.

use eframe::App as _;
use eframe::egui_wgpu::RendererOptions;
use egui::{Color32, ColorImage, Vec2};
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
use hitstop::app::viewport::{DeviceError, Viewports};
use hitstop::app::{App, setup};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Number of passes after which animations have ended.
const PASSES: usize = 30;
/// The window, without a display: it is there from its first pass on.
pub struct Window {
    pub harness: Harness<'static, Option<App>>,
}

impl Window {
    pub fn open(file: PathBuf, size: Vec2) -> Self {
        Self::in_theme("dark", file, size)
    }

    pub fn in_theme(theme: &'static str, file: PathBuf, size: Vec2) -> Self {
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
                        let viewport = Viewports::new(&state, ui.ctx(), DeviceError::default());
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

    pub fn model(&mut self) -> &mut Model {
        let app = self.harness.state_mut().as_mut();
        &mut app.expect("the first pass is over").model
    }

    /// Top of the lowest node with a label: a tab may have that of a part of the panel below it.
    pub fn top(&self, label: &str) -> Option<f32> {
        let nodes = self.harness.query_all_by_label(label);
        nodes.map(|node| node.rect().top()).max_by(f32::total_cmp)
    }

    /// Until a condition holds, and the view is at rest.
    pub fn wait(&mut self, is: impl Fn(&Model) -> bool) {
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

    pub fn does(&mut self, commands: &[Command]) {
        for command in commands {
            apply(self.model(), command.clone());
        }
        self.wait(|_| true);
    }

    pub fn answered(&mut self) {
        self.wait(|model| {
            let search = session(model).derived.what_if_search.as_ref();
            search.is_some_and(|search| matches!(search.state(), SearchState::Known(_)))
        });
    }

    pub fn picture(&mut self) -> ColorImage {
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
    pub fn picture_of(&mut self, pane: Pane) -> ColorImage {
        let whole = self.picture();
        match self.model().dock.rect(pane) {
            Some(rect) => whole.region(&rect.expand(4.0), None),
            None => whole,
        }
    }
}

pub fn session(model: &Model) -> &Session {
    model.session.as_ref().expect("a level is open")
}

/// Writes a picture with 256 colours, half the size with hardly a visible difference, and a text in it, if any.
pub fn write(
    path: &Path,
    image: &ColorImage,
    text: Option<(&str, String)>,
    largest: usize,
) -> Result<(), Box<dyn Error>> {
    let [width, height] = image.size;
    let mut rgba: Vec<u8> = image.pixels.iter().flat_map(Color32::to_array).collect();
    let reduced = gif::Frame::from_rgba_speed(width as u16, height as u16, &mut rgba, 3);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_palette(reduced.palette.ok_or("no palette")?);
    if let Some((keyword, text)) = text {
        encoder.add_text_chunk(keyword.to_owned(), text)?;
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&reduced.buffer)?;
    writer.finish()?;
    let size = format!("{width} x {height}, {} KB", bytes.len() / 1024);
    println!("{}: {size}", path.display());
    if bytes.len() > largest {
        return Err(format!("{} is larger than {} KB", path.display(), largest / 1024).into());
    }
    Ok(std::fs::write(path, bytes)?)
}
