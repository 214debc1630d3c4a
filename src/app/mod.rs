//! The graphical interface. It reads the core and has no geometry of its own.
//!
//! [`App`] lays out the panels; a [`panel`] reads the [`model`] and pushes [`command::Command`]s; only [`apply`] executes them;
//! the [`viewport`] draws the level. Long work runs in the background ([`jobs`]).

pub mod apply;
pub mod authoring;
mod autosave_file;
mod axis_ticks;
pub mod build_command;
pub mod command;
mod context_menu;
pub mod dialogs;
pub mod dock;
mod docked_panels;
mod dropped;
mod edited_fields;
pub mod entry;
pub mod export;
mod expression;
pub mod files;
mod gestures;
pub mod help_topics;
mod icon;
mod image_file;
pub mod jobs;
mod keyboard_focus;
mod keys;
mod list_row;
mod logged_moves;
mod logged_values;
pub mod model;
mod number_field;
mod object_set;
pub mod panel;
mod screenshot;
pub mod selection;
pub mod source;
mod style;
#[cfg(test)]
mod test_levels;
pub mod text;
pub mod theme;
mod time_map;
pub mod view_options;
pub mod view_state;
pub mod viewport;
mod widget;
mod window;

pub use window::{App, setup};

use eframe::egui_wgpu::SurfaceErrorAction;
use files::Settings;
use source::Source;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use viewport::DeviceError;

/// The help for a missing or failed graphics device.
const DRIVER: &str = "help: install or update the graphics driver, for Vulkan or OpenGL; without a graphics card, a software driver \
    such as mesa-vulkan-drivers";

/// The help for a missing display.
const DISPLAY: &str = "help: start it in a desktop session. If this is one, a library of X11 or Wayland is missing: in Debian and Ubuntu install \
    libwayland-client0 libx11-6 libx11-xcb1 libxcb1 libxcursor1 libxi6 libxkbcommon-x11-0 libxkbcommon0; `hitstop check` needs no display";

/// Opens the window with a level, which it compares with a file, or with the start page, and returns when it is closed.
///
/// # Errors
/// If no window can be opened, with the system's message.
pub fn run(open: Option<Source>, compared: Vec<PathBuf>) -> Result<(), String> {
    let window = egui::ViewportBuilder::default()
        .with_title("Hitstop")
        .with_app_id("hitstop")
        .with_icon(icon::icon())
        .with_inner_size([1440.0, 900.0])
        .with_min_inner_size([720.0, 480.0]);
    let mut options = eframe::NativeOptions {
        viewport: window,
        renderer: eframe::Renderer::Wgpu,
        ..Default::default()
    };
    let error = DeviceError::default();
    let (of_window, of_surface) = (error.clone(), error.clone());
    let ctx = Arc::new(OnceLock::<egui::Context>::new());
    let ctx_of_surface = Arc::clone(&ctx);
    options.wgpu_options.on_surface_status = Arc::new(move |status| {
        // Nothing is drawn before it is set.
        ctx_of_surface
            .get()
            .map_or(SurfaceErrorAction::SkipFrame, |ctx| {
                of_surface.on_surface_failure(ctx, status)
            })
    });
    let create: eframe::AppCreator<'_> = Box::new(move |context| {
        setup(&context.egui_ctx);
        // Set once: the window is created once.
        let _ = ctx.set(context.egui_ctx.clone());
        let state = context.wgpu_render_state.as_ref();
        let state = state.ok_or("the window was opened without a graphics device")?;
        let mut app = App::new(
            &context.egui_ctx,
            Settings::for_user(),
            open,
            viewport::Viewports::new(state, &context.egui_ctx, of_window),
        );
        app.model.compare_opened(compared);
        let adapter = state.adapter.get_info();
        app.model.renderer = Some(format!("{}, {:?}", adapter.name, adapter.backend));
        Ok(Box::new(app))
    });
    // A missing system library panics instead of failing.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        eframe::run_native("Hitstop", options, create)
    }));
    let reason = match outcome {
        Ok(Ok(())) => match error.get() {
            None => return Ok(()),
            Some(what) => return Err(format!("The window had to be closed: {what}\n{DRIVER}")),
        },
        Ok(Err(eframe::Error::Wgpu(error))) => {
            format!("no graphics device could be used: {error}\n{DRIVER}")
        }
        Ok(Err(eframe::Error::WinitEventLoop(error))) => {
            // The part before it is the place in the library.
            let text = error.to_string();
            let what = text.rsplit(": ").next().unwrap_or(&text);
            format!("there is no display: {what}\n{DISPLAY}")
        }
        Ok(Err(error)) => error.to_string(),
        Err(panic) => jobs::panic_text(panic),
    };
    Err(format!("No window can be opened here: {reason}"))
}
