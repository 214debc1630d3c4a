//! What one picture holds: plain data that every renderer draws the same way.
//!
//! Positions are metres relative to the looking camera's target, taken in `f64` and then stored in `f32`, so that a level at
//! coordinates of 1e7 does not tremble. Colours are sRGB, 0 to 1, straight alpha.

use super::view::{Projection, View};
use egui::Color32;
use glam::{DVec3, Mat3, Vec3};

/// sRGB, 0 to 1, straight alpha.
pub type Rgba = [f32; 4];

/// A solid ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereInstance {
    /// Relative to the target.
    pub center: Vec3,
    /// Metres.
    pub radius: f32,
    /// Opaque.
    pub color: Rgba,
}

/// A solid box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxInstance {
    /// Relative to the target.
    pub center: Vec3,
    /// From the centre to the middle of each positive face.
    pub axes: [Vec3; 3],
    /// Opaque.
    pub color: Rgba,
}

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Relative to the target.
    pub position: Vec3,
    /// Unit; turned toward the eye when it points away. Zero: not lit.
    pub normal: Vec3,
    /// Shells are translucent, and denser at their rim when lit.
    pub color: Rgba,
}

/// A line of constant width on the screen; equal ends draw a disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Relative to the target.
    pub a: Vec3,
    /// Relative to the target.
    pub b: Vec3,
    /// Points of the screen.
    pub width: f32,
    /// At `a`.
    pub color_a: Rgba,
    /// At `b`.
    pub color_b: Rgba,
    /// Share of the alpha that is left where something stands in front, 0 to 1.
    pub occluded_alpha: f32,
}

/// Words in the picture; drawn by egui over it.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// World, metres.
    pub at: DVec3,
    /// Half the width and height of what stands there, points.
    pub half: [f32; 2],
    /// Where the words would like to be: a unit direction on the screen, right and down.
    pub toward: [f32; 2],
    /// What it says.
    pub text: String,
    /// Of the words.
    pub color: Color32,
    /// Who goes first.
    pub rank: Rank,
}

/// How important words are, most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// What happens at the playhead: the gap, the push that is being made.
    Now,
    /// The impact.
    Impact,
    /// Where something starts and ends.
    Ghost,
    /// What is selected.
    Selected,
    /// A push.
    Push,
    /// A name.
    Name,
}

/// The looking camera as renderers need it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraParams {
    /// Relative to the target.
    pub eye: Vec3,
    /// Rows are the view's right, up and backward directions.
    pub view_from_world: Mat3,
    /// Half of the picture's width and height: tangents in perspective, metres otherwise.
    pub half_size: [f32; 2],
    /// Far is small.
    pub perspective: bool,
    /// Metres: the near plane in perspective, the reach to both sides otherwise.
    pub depth: f32,
    /// Height of the picture in points; widths of lines are in the same.
    pub points: f32,
}

impl CameraParams {
    /// Of a view.
    pub fn of(view: &View) -> Self {
        let (half_height, perspective, depth) = match view.projection {
            Projection::Perspective { tangent } => (tangent, true, view.near()),
            Projection::Orthographic { half_height } => (half_height, false, half_height * 2000.0),
        };
        let wide = view.size.x / view.size.y;
        Self {
            eye: (view.eye - view.target).as_vec3(),
            view_from_world: view.axes().transpose().as_mat3(),
            half_size: [(half_height * wide) as f32, half_height as f32],
            perspective,
            depth: depth as f32,
            points: view.size.y as f32,
        }
    }

    /// View space: x right, y up, looking along -z.
    pub fn to_view(&self, position: Vec3) -> Vec3 {
        self.view_from_world * (position - self.eye)
    }
}

/// Everything in one picture.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawList {
    /// From where.
    pub lens: CameraParams,
    /// Behind everything: top and bottom.
    pub sky: [Rgba; 2],
    /// Share of the light that comes from a bright surrounding, 0 to 1: shadows are that much lighter.
    pub daylight: f32,
    /// Solid.
    pub balls: Vec<SphereInstance>,
    /// Solid.
    pub blocks: Vec<BoxInstance>,
    /// Solid triangles, three vertices each, seen from both sides.
    pub triangles: Vec<Vertex>,
    /// Translucent triangles, three vertices each, seen from the front (counter-clockwise) only.
    pub shells: Vec<Vertex>,
    /// Over the solids.
    pub lines: Vec<Line>,
}

impl DrawList {
    /// Nothing but the sky.
    pub fn empty(lens: CameraParams, sky: [Rgba; 2]) -> Self {
        Self {
            lens,
            sky,
            daylight: 0.0,
            balls: Vec::new(),
            blocks: Vec::new(),
            triangles: Vec::new(),
            shells: Vec::new(),
            lines: Vec::new(),
        }
    }
}

/// A theme's colour as renderers take it, with its alpha multiplied by `alpha`.
pub fn rgba(color: Color32, alpha: f32) -> Rgba {
    let [r, g, b, a] = color.to_srgba_unmultiplied();
    let part = |byte: u8| f32::from(byte) / 255.0;
    [part(r), part(g), part(b), part(a) * alpha]
}

/// Between two colours.
pub fn mix(from: Rgba, to: Rgba, share: f32) -> Rgba {
    std::array::from_fn(|i| from[i] + (to[i] - from[i]) * share)
}
