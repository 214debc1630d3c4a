//! The window without a display or a renderer, and the input of the user.

use super::fonts::remove_outlines;
use eframe::egui_wgpu::{RenderState, RendererOptions};
pub use eframe::wgpu;
pub use egui::accesskit::Role;
pub use egui::{Key, Modifiers, Rect, ThemePreference, pos2, vec2};
pub use egui_kittest::Harness;
use egui_kittest::kittest::NodeT as _;
pub use egui_kittest::kittest::Queryable as _;
use egui_kittest::wgpu::{WgpuTestRenderer, create_render_state, default_wgpu_setup};
pub use hitstop::app::apply::apply;
pub use hitstop::app::command::Command;
pub use hitstop::app::dock::Pane;
pub use hitstop::app::entry::TABLE;
pub use hitstop::app::files::Settings;
pub use hitstop::app::model::playback::Inside;
pub use hitstop::app::model::what_if_search::SearchState;
pub use hitstop::app::model::{JobKind, Model, Session};
pub use hitstop::app::source::Source;
pub use hitstop::app::view_options::{ColorBy, CompareView, MeshView};
pub use hitstop::app::view_state::{GroupBy, Layer, Show, Side, SortBy, Switch};
use hitstop::app::viewport::{DeviceError, Viewports};
pub use hitstop::app::{App, setup};
pub use hitstop::core::diagnose::{Options, Report, diagnose};
use hitstop::core::file::CacheFolder;
pub use hitstop::core::level;
use std::io::Write as _;
pub use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex};
pub use std::time::{Duration, Instant};
pub use tempfile::TempDir;

/// A ball through a sheet of paper in frame 1: clear at both ends, a hit in between.
///
/// Radii and distances are sums of powers of two. The ball travels 8 m a frame from x = -12; it touches at x = -0.625, after
/// 11.375 m: frame 1, fraction 0.421875.
pub const BULLET: &str = r#"Scene(
    version: 1,
    name: "Bullet",
    notes: "A bullet and a sheet of paper.",
    dt: 0.0625,
    frames: 40,
    detection: Overlap,
    response: Push,
    objects: [
        (name: "bullet", shape: Sphere(radius: 0.5), position: (-12.0, 0.0, 0.0), velocity: (128.0, 0.0, 0.0)),
        (name: "paper", shape: Box(half_extents: (0.125, 2.0, 2.0)), motion: Fixed),
        (name: "bystander", shape: Box(half_extents: (1.0, 1.0, 1.0)), position: (0.0, 0.0, 30.0), motion: Fixed),
    ],
)"#;

pub const IMPACT: f64 = 0.421875;

/// How long changes stand before they are autosaved.
pub const AUTOSAVE: Duration = Duration::from_millis(300);

/// The report of the open level, once it is checked.
pub fn report(model: &Model) -> Option<&Report> {
    model.document()?.report.as_deref()
}

/// The open level.
pub fn session(model: &Model) -> &Session {
    model.session.as_ref().expect("a level is open")
}

/// The state of the harness: the app starts with the first pass, when there is a context for it.
pub struct Held {
    app: Option<App>,
    start: Option<(Settings, Option<Source>)>,
}

impl Held {
    /// Closes the window as the desktop does.
    pub fn close(&mut self) {
        eframe::App::on_exit(self.app.as_mut().unwrap());
    }
}

/// The context of the window, without hinting: hinting the glyphs takes a seventh of the time of these tests.
fn setup_unhinted(ctx: &egui::Context) {
    setup(ctx);
    ctx.all_styles_mut(|style| style.visuals.text_options.font_hinting = false);
}

/// How a window under test is opened.
pub struct Looks {
    /// For a user who has not seen the hints.
    pub is_new: bool,
    /// Where it is drawn.
    pub device: Option<RenderState>,
    /// `dark` or `light`; `None` for that of the settings.
    pub theme: Option<&'static str>,
    /// Pixels of a point.
    pub scale: f32,
    /// In points.
    pub size: egui::Vec2,
    /// With the outlines of its glyphs.
    pub has_glyphs: bool,
}

impl Default for Looks {
    fn default() -> Self {
        Self {
            is_new: false,
            device: None,
            theme: None,
            scale: 1.0,
            size: vec2(1400.0, 900.0),
            has_glyphs: false,
        }
    }
}

/// The window under test, and the folder of its files.
pub struct Window {
    pub harness: Harness<'static, Held>,
    pub folder: TempDir,
    repaints: Repaints,
}

/// The time of the next pass that the window requested.
#[derive(Clone)]
struct Repaints(Arc<(Mutex<Option<Instant>>, Condvar)>);

impl Repaints {
    /// The requests of a context from now on.
    fn of(ctx: &egui::Context) -> Self {
        let repaints = Self(Arc::default());
        let requested = repaints.clone();
        ctx.set_request_repaint_callback(move |info| {
            let (next, changed) = &*requested.0;
            let mut next = next.lock().unwrap();
            let at = Instant::now() + info.delay.min(LONGEST_PAUSE);
            *next = Some(next.map_or(at, |other| other.min(at)));
            changed.notify_all();
        });
        repaints
    }

    /// Waits until a pass is due, as the window of the desktop does.
    fn wait(&self) {
        let (next, changed) = &*self.0;
        let longest = Instant::now() + LONGEST_PAUSE;
        let mut next = next.lock().unwrap();
        loop {
            let now = Instant::now();
            let until = next.unwrap_or(longest).min(longest);
            if until <= now {
                break;
            }
            next = changed.wait_timeout(next, until - now).unwrap().0;
        }
        *next = None;
    }
}

/// The longest time between two passes of a window that is waited for.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

impl Window {
    pub fn open(source: impl FnOnce(&TempDir) -> Option<Source>) -> Self {
        Self::of(Looks::default(), source)
    }

    pub fn of(looks: Looks, source: impl FnOnce(&TempDir) -> Option<Source>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // First, as it may leave settings there.
        let source = source(&folder);
        let mut settings = Settings::at(folder.path().join("settings.json"));
        settings.hints_seen |= !looks.is_new;
        settings.theme = looks.theme.map(str::to_owned).or(settings.theme);
        settings.autosave_after = Some(AUTOSAVE);
        let received = folder.path().join("received");
        settings.received = Some(CacheFolder::new(received, 1 << 20));
        let start = Some((settings, source));
        let held = Held { app: None, start };
        let (state, has_glyphs) = (looks.device, looks.has_glyphs);
        let builder = match &state {
            Some(state) => {
                Harness::builder().renderer(WgpuTestRenderer::from_render_state(state.clone()))
            }
            None => Harness::builder(),
        };
        let harness = builder
            .with_size(looks.size)
            .with_pixels_per_point(looks.scale)
            .with_max_steps(3)
            .with_context_setup(setup_unhinted)
            .build_ui_state(
                move |ui, held: &mut Held| {
                    if let Some((settings, source)) = held.start.take() {
                        if !has_glyphs {
                            remove_outlines(ui.ctx());
                        }
                        let viewport = state
                            .as_ref()
                            .map(|state| Viewports::new(state, ui.ctx(), DeviceError::default()));
                        let viewport = viewport.unwrap_or_default();
                        held.app = Some(App::new(ui.ctx(), settings, source, viewport));
                    }
                    if let Some(app) = &mut held.app {
                        app.ui(ui);
                    }
                },
                held,
            );
        let repaints = Repaints::of(&harness.ctx);
        Self {
            harness,
            folder,
            repaints,
        }
    }

    /// With the start page.
    pub fn start_page() -> Self {
        let mut window = Self::open(|_| None);
        window.until("the bundled levels are listed", |model| {
            !model.bundle.is_empty()
        });
        window
    }

    /// With a scene of this text, checked.
    pub fn with(text: &str) -> Self {
        Self::open(scene_file(text)).checked()
    }

    /// The same on the first run.
    pub fn of_newcomer(text: &str) -> Self {
        let looks = Looks {
            is_new: true,
            ..Looks::default()
        };
        Self::of(looks, scene_file(text)).checked()
    }

    /// The same, drawn by wgpu; `None`, and said so, where there is no graphics adapter. With HITSTOP_REQUIRE_GPU that is a failure.
    pub fn drawn(text: &str) -> Option<Self> {
        Some(Self::drawn_on(render_state()?, text))
    }

    /// The same, drawn on a device.
    pub fn drawn_on(state: RenderState, text: &str) -> Self {
        let looks = Looks {
            device: Some(state),
            ..Looks::default()
        };
        Self::of(looks, scene_file(text)).checked()
    }

    pub fn checked(mut self) -> Self {
        self.until("the level is checked", |model| report(model).is_some());
        self
    }

    /// The bullet at the start of frame 0, nothing selected.
    pub fn bullet() -> Self {
        let mut window = Self::with(BULLET);
        window.key(Key::Escape);
        window.key(Key::Home);
        window
    }

    fn app(&self) -> Option<&App> {
        self.harness.state().app.as_ref()
    }

    /// The colour behind what the window draws.
    pub fn clear_color(&self) -> egui::Color32 {
        let visuals = &self.harness.ctx.global_style().visuals;
        let clear = eframe::App::clear_color(self.app().unwrap(), visuals);
        let [r, g, b, _] = clear.map(|part| (part * 255.0).round() as u8);
        egui::Color32::from_rgb(r, g, b)
    }

    pub fn model(&self) -> &Model {
        &self.app().unwrap().model
    }

    /// The settings as the next run reads them.
    pub fn saved_settings(&mut self) -> Settings {
        self.until("the settings are saved", Model::settings_are_saved);
        Settings::at(self.folder.path().join("settings.json"))
    }

    /// The open level.
    pub fn session(&self) -> &Session {
        session(self.model())
    }

    pub fn model_mut(&mut self) -> &mut Model {
        &mut self.harness.state_mut().app.as_mut().unwrap().model
    }

    /// The result of a dialog of the system.
    pub fn apply(&mut self, command: Command) {
        let app = self.harness.state_mut().app.as_mut().unwrap();
        apply(&mut app.model, command);
    }

    pub fn until(&mut self, what: &str, is: impl Fn(&Model) -> bool) {
        let begun = Instant::now();
        while !is(self.model()) {
            let waited = begun.elapsed();
            assert!(
                waited < Duration::from_secs(60),
                "waited for: {what}; messages: {:?}",
                self.model().messages.shown(),
            );
            self.repaints.wait();
            self.harness.step();
        }
        self.settle();
    }

    /// Passes until no repaint is requested, at most four, until the frame at the playhead is shown, and until the text is
    /// that of the scene.
    pub fn settle(&mut self) {
        self.harness.run_ok();
        let begun = Instant::now();
        let is_busy = |app: &App| {
            let model = &app.model;
            if model.scene_doc().is_some_and(|one| one.text().is_none()) {
                return true;
            }
            // Otherwise there is always a next frame.
            let stands = model.playback.playing().is_none() && model.exporting().is_none();
            stands && model.is_stepping()
        };
        while self.app().is_some_and(is_busy) {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "a frame is stepped, a text rewritten"
            );
            self.repaints.wait();
            self.harness.run_ok();
        }
    }

    pub fn key(&mut self, key: Key) {
        self.press(Modifiers::NONE, key);
        self.settle();
    }

    pub fn keys(&mut self, modifiers: Modifiers, key: Key) {
        self.press(modifiers, key);
        self.settle();
    }

    /// Presses and releases a key within one pass, as a keyboard does at 60 passes a second.
    pub fn press(&mut self, modifiers: Modifiers, key: Key) {
        let event = |pressed| egui::Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers,
        };
        let changed = egui::Event::ModifiersChanged;
        let events = &mut self.harness.input_mut().events;
        events.extend([changed(modifiers), event(true), event(false)]);
        self.harness.step();
        let events = &mut self.harness.input_mut().events;
        events.push(changed(Modifiers::NONE));
    }

    /// Clicks a node as assistive technology does: wherever it is, also while a panel scrolls or grows.
    pub fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click_accesskit();
        self.settle();
    }

    /// Clicks a row of the list of objects.
    pub fn click_row(&mut self, name: &str) {
        let row = self.harness.get_by_role_and_label(Role::ListItem, name);
        row.click_accesskit();
        self.settle();
    }

    /// Clicks a line of a menu that is open.
    pub fn click_item(&mut self, name: &str) {
        let item = self.harness.get_by_role_and_label(Role::MenuItem, name);
        item.click_accesskit();
        self.settle();
    }

    /// Clicks into a field of a number, and leaves it.
    pub fn look_at(&mut self, name: &str) {
        self.click_into(name);
        self.key(Key::Enter);
    }

    /// Clicks into a field of a number as the pointer does.
    pub fn click_into(&mut self, name: &str) {
        let field = |window: &Self| {
            let field = window.harness.get_by_role_and_label(Role::SpinButton, name);
            field.scroll_to_me();
            field.rect()
        };
        field(self);
        self.settle();
        let at = field(self).center();
        self.harness.hover_at(at);
        self.harness.drag_at(at);
        self.harness.drop_at(at);
        self.settle();
        let focused = self.harness.ctx.memory(|memory| memory.focused());
        assert!(focused.is_some(), "{name} is typed in");
    }

    pub fn has(&self, label: &str) -> bool {
        self.harness.query_all_by_label(label).next().is_some()
    }

    /// The texts that assistive technology reads.
    pub fn texts(&self) -> Vec<String> {
        let nodes = self.harness.query_all_by(|node| !node.is_hidden());
        nodes
            .flat_map(|node| {
                let node = node.accesskit_node();
                [node.label(), node.value(), node.description()]
            })
            .flatten()
            .collect()
    }

    pub fn rect(&self, label: &str) -> Rect {
        self.harness.get_by_label(label).rect()
    }

    /// Presses at one fraction of a node's width and releases at another.
    pub fn drag(&mut self, label: &str, from: f32, to: f32) {
        let rect = self.rect(label);
        let at = |share: f32| pos2(rect.left() + share * rect.width(), rect.center().y);
        self.harness.hover_at(at(from));
        self.harness.drag_at(at(from));
        self.settle();
        self.harness.hover_at(at(to));
        self.settle();
        self.harness.drop_at(at(to));
        self.settle();
    }

    pub fn moment(&self) -> (u32, f64) {
        let playhead = self.model().playback.playhead();
        (playhead.frame, playhead.fraction)
    }
}

/// A graphics device; `None` where there is none.
pub fn render_state() -> Option<RenderState> {
    let setup = default_wgpu_setup();
    let instance = pollster::block_on(setup.new_instance());
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    if adapters.is_empty() {
        assert!(
            std::env::var_os("HITSTOP_REQUIRE_GPU").is_none(),
            "no graphics adapter: install a Vulkan or OpenGL driver such as mesa-vulkan-drivers"
        );
        // Not by a macro: the test harness would hide it.
        let _ = writeln!(
            std::io::stderr(),
            "no graphics adapter: this image test is skipped"
        );
        return None;
    }
    Some(create_render_state(setup, RendererOptions::PREDICTABLE))
}

pub fn scene_file(text: &str) -> impl FnOnce(&TempDir) -> Option<Source> {
    move |folder| Some(Source::File(write(folder, "scene.ron", text)))
}

pub fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}
