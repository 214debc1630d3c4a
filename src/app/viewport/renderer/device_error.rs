//! Failures of the graphics device and of the window's surface.

use eframe::egui_wgpu::SurfaceErrorAction;
use eframe::wgpu::{CurrentSurfaceTexture, DeviceLostReason};
use egui::{Context, ViewportCommand};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// Number of failures of the surface, without a drawn frame in between, from which on it is not used any more.
const SURFACE_FAILURES: u32 = 20;

/// The first error of the graphics device, if any. It causes the later ones, which are not kept.
#[derive(Clone, Debug, Default)]
pub struct DeviceError(Arc<State>);

#[derive(Debug, Default)]
struct State {
    message: OnceLock<String>,
    surface_failures: AtomicU32,
}

impl DeviceError {
    /// The message.
    pub fn get(&self) -> Option<&str> {
        self.0.message.get().map(String::as_str)
    }

    /// Stores an error after which drawing continues.
    pub(super) fn set(&self, message: String) {
        // Fails if one is set already.
        let _ = self.0.message.set(message);
    }

    /// Handles the loss of the device: nothing can be drawn any more, and the window closes.
    pub(super) fn on_lost(&self, ctx: &Context, reason: DeviceLostReason, message: &str) {
        // Closing the window destroys the device, which is no error.
        if reason != DeviceLostReason::Destroyed {
            self.set(format!("the graphics device was lost: {message}"));
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
    }

    /// Called when a frame is drawn into the surface.
    pub(super) fn frame_drawn(&self) {
        self.0.surface_failures.store(0, Ordering::Relaxed);
    }

    /// What to do about a frame that cannot be drawn into the surface. After several in a row the window closes.
    pub fn on_surface_failure(
        &self,
        ctx: &Context,
        status: &CurrentSurfaceTexture,
    ) -> SurfaceErrorAction {
        let action = match status {
            CurrentSurfaceTexture::Outdated => return SurfaceErrorAction::Reconfigure,
            CurrentSurfaceTexture::Lost => SurfaceErrorAction::RecreateSurface,
            CurrentSurfaceTexture::Validation => SurfaceErrorAction::Reconfigure,
            // The window is hidden, or the display is busy.
            _ => return SurfaceErrorAction::SkipFrame,
        };
        let failures = self.0.surface_failures.fetch_add(1, Ordering::Relaxed) + 1;
        if failures < SURFACE_FAILURES {
            return action;
        }
        self.set("the window cannot be drawn into: its surface was lost".to_owned());
        ctx.send_viewport_cmd(ViewportCommand::Close);
        SurfaceErrorAction::SkipFrame
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{RawInput, ViewportId};

    /// Whether a pass that does this closes the window.
    fn closes(mut act: impl FnMut(&Context)) -> bool {
        let mut output = Context::default().run_ui(RawInput::default(), |ui| act(ui.ctx()));
        output.textures_delta.clear();
        let commands = &output.viewport_output[&ViewportId::ROOT].commands;
        commands.contains(&ViewportCommand::Close)
    }

    #[test]
    fn a_lost_device_closes_the_window_with_a_message() {
        let error = DeviceError::default();
        assert!(!closes(|ctx| {
            error.on_lost(ctx, DeviceLostReason::Destroyed, "closed");
        }));
        assert_eq!(error.get(), None);
        assert!(closes(|ctx| {
            error.on_lost(ctx, DeviceLostReason::Unknown, "it was unplugged");
        }));
        let message = "the graphics device was lost: it was unplugged";
        assert_eq!(error.get(), Some(message));
        error.set("a later error".to_owned());
        assert_eq!(error.get(), Some(message));
    }

    #[test]
    fn a_surface_that_fails_again_and_again_closes_the_window() {
        let error = DeviceError::default();
        let lost = |ctx: &Context| error.on_surface_failure(ctx, &CurrentSurfaceTexture::Lost);
        for _ in 0..3 {
            for _ in 1..SURFACE_FAILURES {
                assert!(!closes(|ctx| {
                    assert!(matches!(lost(ctx), SurfaceErrorAction::RecreateSurface));
                }));
            }
            // A hidden window or one of another size is no failure.
            for status in [
                CurrentSurfaceTexture::Occluded,
                CurrentSurfaceTexture::Timeout,
                CurrentSurfaceTexture::Outdated,
            ] {
                assert!(!closes(|ctx| {
                    error.on_surface_failure(ctx, &status);
                }));
            }
            error.frame_drawn();
        }
        assert_eq!(error.get(), None);
        assert!(closes(|ctx| (0..SURFACE_FAILURES).for_each(|_| {
            lost(ctx);
        })));
        assert!(
            error
                .get()
                .is_some_and(|message| message.contains("surface"))
        );
    }
}
