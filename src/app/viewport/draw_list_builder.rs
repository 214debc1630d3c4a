//! Fills draw lists with lines, translucent bodies and labels in world space. Skips input that is not finite.

use super::draw_list::{
    CapsuleInstance, DrawList, Label, Line, MeshInstance, Rank, Rgba, Translucent, bytes, rgba,
};
use super::geometry::{self, Form, Geometry, GeometryCache};
use super::section::CutPlane;
use super::view::View;
use crate::app::theme::Palette;
use crate::core::scene::UserUnits;
use crate::core::shape::{Placed, Plane, Pose, Segment, Shape};
use egui::{Color32, Pos2, Rect, Vec2};
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Length of a dash, points.
const DASH: f32 = 6.0;
/// Labels may cover a shape that fills more than this fraction of the viewport's width or height.
const LARGE: f32 = 0.3;

/// Colour, width and pattern of a line.
#[derive(Clone, Copy, Debug)]
pub struct LineStyle {
    /// Colour.
    pub color: Color32,
    /// Factor on the colour's alpha, 0 to 1.
    pub alpha: f32,
    /// Width, points of the screen.
    pub width: f32,
    /// Factor on the alpha where a surface is in front, 0 to 1; negative also hides the line behind a surface at its depth.
    pub occluded_alpha: f32,
    /// Length of a dash and of the gap after it, points of the screen; 0 for a solid line.
    pub dash: f32,
}

impl LineStyle {
    /// An opaque solid line that surfaces hide.
    pub fn new(color: Color32, width: f32) -> Self {
        Self {
            color,
            alpha: 1.0,
            width,
            occluded_alpha: 0.0,
            dash: 0.0,
        }
    }

    /// The same style with another alpha.
    #[must_use]
    pub fn alpha(self, alpha: f32) -> Self {
        Self { alpha, ..self }
    }

    /// The same style with another width.
    #[must_use]
    pub fn width(self, width: f32) -> Self {
        Self { width, ..self }
    }

    /// The same style, visible behind surfaces at a fraction of the alpha.
    #[must_use]
    pub fn occluded(self, occluded_alpha: f32) -> Self {
        Self {
            occluded_alpha,
            ..self
        }
    }
}

/// A draw list and the labels of a view, and the state needed to fill them.
pub struct DrawListBuilder {
    /// The view.
    pub view: View,
    /// Colours of the theme.
    pub palette: &'static Palette,
    /// The list being filled.
    pub list: DrawList,
    /// Origin of the positions in the list, world, metres.
    origin: DVec3,
    /// The labels.
    pub labels: Vec<Label>,
    /// Rows of the legend, with their colours.
    pub legend: Vec<(Color32, String)>,
    /// Areas that labels must not cover, points from the viewport's corner.
    pub keep_clear: Vec<Rect>,
    /// The plane that cuts off the next lines.
    pub cut: Option<CutPlane>,
    /// Geometries of the drawn shapes.
    pub geometries: GeometryCache,
    /// Units and axes of the labels.
    pub units: UserUnits,
}

impl DrawListBuilder {
    /// An empty builder.
    pub fn new(view: View, origin: DVec3, palette: &'static Palette) -> Self {
        Self {
            view,
            palette,
            list: DrawList::default(),
            origin,
            labels: Vec::new(),
            legend: Vec::new(),
            keep_clear: Vec::new(),
            cut: None,
            geometries: GeometryCache::default(),
            units: UserUnits::default(),
        }
    }

    fn local(&self, world: DVec3) -> [f32; 3] {
        (world - self.origin).as_vec3().to_array()
    }

    /// Length on the screen, points, of a length in metres at a world point.
    pub fn points(&self, at: DVec3, metres: f64) -> f64 {
        metres / self.view.metres_per_point(at)
    }

    /// Adds a translucent capsule; a sphere where its ends are equal.
    pub fn translucent_capsule(&mut self, a: DVec3, b: DVec3, radius: f64, color: Rgba) {
        if a.is_finite() && b.is_finite() && radius.is_finite() {
            let capsule = CapsuleInstance {
                a: self.local(a),
                radius: radius as f32,
                b: self.local(b),
                color: bytes(color),
            };
            self.list.translucent.push(Translucent::Capsule(capsule));
        }
    }

    /// Adds a translucent shape that has a geometry. Meshes, which may be open, are double-sided; other shapes show front faces only.
    pub fn translucent_shape(&mut self, shape: &Shape, pose: &Pose, color: Rgba) {
        if let Some((geometry, scale)) = self.geometries.shape(shape) {
            let (center, axes) = geometry::instance_transform(&geometry, scale, pose);
            let double_sided = matches!(shape, Shape::Mesh(_));
            self.translucent(geometry, (center, axes), color, double_sided);
        }
    }

    /// Adds a translucent, double-sided triangle.
    pub fn double_sided_triangle(&mut self, [a, b, c]: [DVec3; 3], color: Rgba) {
        let (u, v) = (b - a, c - a);
        let geometry = self.geometries.form(Form::Triangle);
        self.translucent(geometry, (a, [u, v, u.cross(v)]), color, true);
    }

    /// Adds a translucent, double-sided parallelogram; corners in order around it.
    pub fn double_sided_quad(&mut self, corners: [DVec3; 4], color: Rgba) {
        self.quad(corners, color, true);
    }

    /// Adds a translucent parallelogram that shows only its front (counter-clockwise); corners in order around it.
    pub fn front_quad(&mut self, corners: [DVec3; 4], color: Rgba) {
        self.quad(corners, color, false);
    }

    fn quad(&mut self, [a, b, c, d]: [DVec3; 4], color: Rgba, double_sided: bool) {
        let (u, v) = ((b - a) * 0.5, (d - a) * 0.5);
        let geometry = self.geometries.form(Form::Quad);
        let transform = ((a + c) * 0.5, [u, v, u.cross(v)]);
        self.translucent(geometry, transform, color, double_sided);
    }

    fn translucent(
        &mut self,
        geometry: Arc<Geometry>,
        transform: (DVec3, [DVec3; 3]),
        color: Rgba,
        double_sided: bool,
    ) {
        if let Some(instance) = self.instance(transform, color) {
            self.list.translucent.push(Translucent::Mesh {
                geometry,
                instance,
                double_sided,
            });
        }
    }

    fn instance(&self, (center, axes): (DVec3, [DVec3; 3]), color: Rgba) -> Option<MeshInstance> {
        let finite = center.is_finite() && axes.iter().all(|axis| axis.is_finite());
        finite.then(|| MeshInstance {
            center: self.local(center),
            axes: axes.map(|axis| axis.as_vec3().to_array()),
            color: bytes(color),
        })
    }

    /// Adds a line.
    pub fn line(&mut self, a: DVec3, b: DVec3, style: LineStyle) {
        self.fading_line(a, b, style, 1.0, 1.0);
    }

    /// Adds a line whose alpha is multiplied by `at_a` at `a` and by `at_b` at `b`.
    pub fn fading_line(&mut self, a: DVec3, b: DVec3, style: LineStyle, at_a: f32, at_b: f32) {
        if !(a.is_finite() && b.is_finite()) {
            return;
        }
        let (a, b) = match &self.cut {
            None => (a, b),
            Some(cut) => match cut.behind(&Segment { a, b }) {
                Some(rest) => (rest.a, rest.b),
                None => return,
            },
        };
        let faded = |factor: f32| bytes(rgba(style.color, style.alpha * factor));
        let line = Line {
            a: self.local(a),
            width: style.width,
            b: self.local(b),
            occluded_alpha: style.occluded_alpha,
            color_a: faded(at_a),
            color_b: faded(at_b),
            dash: style.dash,
        };
        self.list.lines.push(line);
    }

    /// Adds a dashed line.
    pub fn dashes(&mut self, a: DVec3, b: DVec3, style: LineStyle) {
        self.line(
            a,
            b,
            LineStyle {
                dash: DASH,
                ..style
            },
        );
    }

    /// Adds a disc of constant size on the screen.
    pub fn point(&mut self, at: DVec3, style: LineStyle) {
        self.line(at, at, style);
    }

    /// Adds a closed line through some points.
    pub fn loop_line(&mut self, points: &[DVec3], style: LineStyle) {
        for (index, &point) in points.iter().enumerate() {
            self.line(point, points[(index + 1) % points.len()], style);
        }
    }

    /// Adds a circle around `center` in the plane of two orthogonal unit directions.
    pub fn circle(&mut self, center: DVec3, u: DVec3, v: DVec3, radius: f64, style: LineStyle) {
        let size = self.points(center, radius).clamp(0.0, 1e4);
        let count = ((size.sqrt() * 5.0) as usize).clamp(12, 96);
        let points: Vec<DVec3> = (0..count)
            .map(|step| {
                let angle = TAU * step as f64 / count as f64;
                center + (u * angle.cos() + v * angle.sin()) * radius
            })
            .collect();
        self.loop_line(&points, style);
    }

    /// Adds the silhouette of a sphere in this view.
    pub fn silhouette(&mut self, center: DVec3, radius: f64, style: LineStyle) {
        let Some((center, u, v, radius)) = self.silhouette_circle(center, radius) else {
            return;
        };
        self.circle(center, u, v, radius, style);
    }

    /// The circle in which the eye's tangents touch a sphere: centre, two directions, radius. `None` from inside.
    fn silhouette_circle(&self, center: DVec3, radius: f64) -> Option<(DVec3, DVec3, DVec3, f64)> {
        let axes = self.view.axes();
        match self.view.projection {
            super::view::Projection::Orthographic { .. } => {
                Some((center, axes.x_axis, axes.y_axis, radius))
            }
            super::view::Projection::Perspective { .. } => {
                let to_eye = self.view.eye - center;
                let distance = to_eye.length();
                if distance.is_nan() || distance <= radius * 1.0001 {
                    return None;
                }
                let toward = to_eye / distance;
                let (u, v) = toward.any_orthonormal_pair();
                let along = radius * radius / distance;
                let size = radius * (1.0 - (radius / distance).powi(2)).max(0.0).sqrt();
                Some((center + toward * along, u, v, size))
            }
        }
    }

    /// Adds the twelve edges between eight corners, whose bits choose the positive sides.
    pub fn box_edges(&mut self, corners: &[DVec3; 8], style: LineStyle) {
        for index in 0..8 {
            for bit in 0..3 {
                if index >> bit & 1 == 0 {
                    self.line(corners[index], corners[index | 1 << bit], style);
                }
            }
        }
    }

    /// Adds an arrow whose head has a constant size on the screen (smaller on short arrows).
    pub fn arrow(&mut self, from: DVec3, to: DVec3, style: LineStyle) {
        let length = (to - from).length();
        let Some(along) = (to - from).try_normalize() else {
            return;
        };
        let head = (self.view.metres_per_point(to) * (7.0 + f64::from(style.width) * 3.0))
            .min(length * 0.7);
        let base = to - along * head;
        self.line(from, base, style);
        let (u, v) = along.any_orthonormal_pair();
        let (radius, half) = (head * 0.36, along * head * 0.5);
        // Right-handed, with the tip along y.
        let transform = (base + half, [v * radius, half, u * radius]);
        let head = self.geometries.form(Form::ArrowHead);
        if let Some(instance) = self.instance(transform, rgba(style.color, 1.0)) {
            self.list.add_mesh(&head, instance);
        }
        if style.occluded_alpha > 0.0 {
            // The hidden part of the head shows as a faint line.
            let faint = LineStyle {
                alpha: style.alpha * style.occluded_alpha,
                occluded_alpha: 1.0,
                ..style
            };
            self.line(base, to, faint);
        }
    }

    /// Adds a label beside a point, on the side of `toward` (right and down on the screen; upward when it is zero).
    pub fn label(
        &mut self,
        at: DVec3,
        toward: DVec2,
        text: impl Into<String>,
        color: Color32,
        rank: Rank,
    ) {
        self.label_around((at, [3.0, 3.0]), toward, text, color, rank);
    }

    /// Adds a label beside an object around a point, which covers `half` the width and height in points.
    pub fn label_around(
        &mut self,
        (at, half): (DVec3, [f32; 2]),
        toward: DVec2,
        text: impl Into<String>,
        color: Color32,
        rank: Rank,
    ) {
        let toward = toward.try_normalize().unwrap_or(DVec2::NEG_Y);
        if at.is_finite() {
            self.labels.push(Label {
                at,
                half,
                toward: [toward.x as f32, toward.y as f32],
                text: text.into(),
                color,
                rank,
            });
        }
    }

    /// The direction of a world displacement on the screen, unit, right and down; zero when it has none.
    pub fn screen_direction(&self, at: DVec3, displacement: DVec3) -> DVec2 {
        let step =
            displacement.try_normalize().unwrap_or(DVec3::ZERO) * self.view.metres_per_point(at);
        let ends = (self.view.project(at - step), self.view.project(at + step));
        match ends {
            (Some(from), Some(to)) => (to - from).normalize_or_zero(),
            _ => DVec2::ZERO,
        }
    }

    /// The bounding rectangle of a shape on the screen; `None` where a part of it is behind the eye, and for planes.
    pub fn screen_bounds(&self, placed: &Placed<'_>) -> Option<Rect> {
        if let Placed::Sphere(sphere) = placed {
            let at = self.view.project(sphere.center)?;
            let side = self.points(sphere.center, sphere.radius) as f32 * 2.0;
            let at = Pos2::new(at.x as f32, at.y as f32);
            return Some(Rect::from_center_size(at, Vec2::splat(side)));
        }
        let bounds = placed.aabb()?;
        let mut rect = Rect::NOTHING;
        for corner in bounds.corners() {
            let at = self.view.project(corner)?;
            rect.extend_with(Pos2::new(at.x as f32, at.y as f32));
        }
        Some(rect)
    }

    /// Keeps labels off this shape, unless it fills so much of the viewport that no space is left for them.
    pub fn keep_clear_of(&mut self, placed: &Placed<'_>) {
        let Some(rect) = self.screen_bounds(placed) else {
            return;
        };
        let (width, height) = (self.view.size.x as f32, self.view.size.y as f32);
        if rect.width() < width * LARGE && rect.height() < height * LARGE {
            self.keep_clear.push(rect);
        }
    }
}

/// A square patch of a plane around a point: corners in order.
pub fn plane_patch(plane: &Plane, around: DVec3, half: f64) -> Option<[DVec3; 4]> {
    let normal = plane.normal.try_normalize()?;
    let center = around - normal * plane.distance(around);
    // Along the world's axes where the plane allows it, so that a floor lines up with the grid.
    let helper = if normal.x.abs() < 0.9 {
        DVec3::X
    } else {
        DVec3::Z
    };
    let u = (helper - normal * normal.dot(helper)).try_normalize()?;
    let v = normal.cross(u);
    let corners = [u + v, v - u, -u - v, u - v].map(|side| center + side * half);
    corners
        .iter()
        .all(|corner| corner.is_finite())
        .then_some(corners)
}
