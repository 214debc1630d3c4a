//! A moment held fast: everything that its picture needs, without the window.

use super::super::draw_list_builder::DrawListBuilder;
use super::super::orbit::Orbit;
use super::super::renderer::software;
use super::super::{ViewportInput, hud, overlays};
use crate::app::paint::MeshPainter;
use crate::app::selection::Selection;
use crate::app::style;
use crate::app::theme::Palette;
use crate::app::view_state::{Layers, Playhead};
use crate::core::diagnose::Finding;
use crate::core::replay::{Frame, Replay};
use egui::{ColorImage, Context, LayerId, Rect, vec2};
use glam::DVec2;
use std::sync::Arc;

/// No side of a picture is longer than this, pixels.
const LONGEST: f64 = 4096.0;

/// What the viewport shows at a moment, and from where.
#[derive(Clone)]
pub struct Shot {
    /// The level.
    pub replay: Arc<Replay>,
    /// The frame at the playhead.
    pub frame: Arc<Frame>,
    /// When.
    pub playhead: Playhead,
    /// The phase that was stepped to, if one was.
    pub phase: Option<usize>,
    /// What is selected.
    pub selection: Selection,
    /// What is drawn, for whom.
    pub layers: Layers,
    /// The selected finding.
    pub finding: Option<Finding>,
    /// From where.
    pub orbit: Orbit,
    /// Points.
    pub size: DVec2,
    /// Pixels per point.
    pub scale: f64,
    /// In which colours.
    pub palette: &'static Palette,
}

impl Shot {
    /// Of a moment.
    pub fn of(
        input: &ViewportInput<'_>,
        orbit: Orbit,
        size: DVec2,
        scale: f64,
        palette: &'static Palette,
    ) -> Self {
        Self {
            replay: Arc::clone(input.replay),
            frame: Arc::clone(input.frame),
            playhead: input.playhead,
            phase: input.phase,
            selection: input.selection.clone(),
            layers: input.layers.clone(),
            finding: input.finding.cloned(),
            orbit,
            size,
            scale,
            palette,
        }
    }

    /// No wider than this many pixels.
    #[must_use]
    pub fn at_most(&self, wide: f64) -> Self {
        Self {
            scale: self.scale.min(wide / self.size.x.max(1.0)),
            ..self.clone()
        }
    }

    /// What draws it, again and again.
    pub fn stage(&self) -> Stage<'_> {
        let context = Context::default();
        style::install(&context);
        Stage {
            shot: self,
            context,
            painter: MeshPainter::default(),
            frame: Arc::clone(&self.frame),
        }
    }

    /// Pixels per point, such that no side gets too long.
    fn scale(&self) -> f64 {
        let longest = self.size.max_element().max(1.0);
        self.scale.clamp(0.05, 8.0).min(LONGEST / longest)
    }

    fn pixels(&self) -> [usize; 2] {
        let scale = self.scale();
        [self.size.x, self.size.y].map(|side| ((side * scale).round() as usize).max(1))
    }
}

/// Draws pictures of a [`Shot`] at any moment of its level.
pub struct Stage<'s> {
    shot: &'s Shot,
    context: Context,
    painter: MeshPainter,
    frame: Arc<Frame>,
}

impl Stage<'_> {
    /// The moment itself.
    pub fn still(mut self) -> ColorImage {
        let shot = self.shot;
        self.frame = Arc::clone(&shot.frame);
        self.draw(shot.playhead, shot.phase)
    }

    /// Another moment of the level, looked at from the same place.
    pub fn at(&mut self, playhead: Playhead) -> ColorImage {
        if self.frame.number != playhead.frame {
            self.frame = self.shot.replay.frame(playhead.frame);
        }
        self.draw(playhead, None)
    }

    fn draw(&mut self, playhead: Playhead, phase: Option<usize>) -> ColorImage {
        let shot = self.shot;
        // What is only tried out, walked or compared belongs to the window, and is left out of pictures of the level.
        let input = ViewportInput {
            playhead,
            phase,
            finding: shot.finding.as_ref(),
            ..ViewportInput::of_level(&shot.replay, &self.frame, &shot.selection, &shot.layers)
        };
        let mut builder = DrawListBuilder::new(shot.orbit.view(shot.size), shot.palette);
        overlays::draw(&mut builder, &input, None);
        let [width, height] = shot.pixels();
        let bytes = software::render(&builder.picture, width, height);
        let mut image = ColorImage::from_rgba_premultiplied([width, height], &bytes);
        self.write(&builder, &mut image);
        image
    }

    /// The words over the picture, as the window writes them.
    fn write(&mut self, builder: &DrawListBuilder, image: &mut ColorImage) {
        let shot = self.shot;
        let scale = shot.scale() as f32;
        let size = vec2(shot.size.x as f32, shot.size.y as f32);
        let rect = Rect::from_min_size(egui::Pos2::ZERO, size);
        let mut input = egui::RawInput {
            screen_rect: Some(rect),
            ..egui::RawInput::default()
        };
        if let Some(viewport) = input.viewports.get_mut(&input.viewport_id) {
            viewport.native_pixels_per_point = Some(scale);
        }
        let mut output = self.context.run_ui(input, |ui| {
            let painter = ui.ctx().layer_painter(LayerId::background());
            let (labels, clear) = (&builder.labels, &builder.keep_clear);
            hud::labels(&painter, rect, &builder.view, labels, clear, shot.palette);
            hud::axes(&painter, rect, &builder.view, shot.palette);
        });
        self.painter.take(&output.textures_delta);
        // The toolkit watches over textures that nobody took.
        output.textures_delta.clear();
        let scale = output.pixels_per_point;
        let meshes = self.context.tessellate(output.shapes, scale);
        self.painter.draw(&meshes, scale, image);
    }
}
