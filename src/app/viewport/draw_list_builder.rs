//! What overlays draw with: lines, translucent bodies and labels in world space. What is not finite is left out.

use super::draw_list::{
    CapsuleInstance, DrawList, Label, Line, MeshInstance, Rank, Rgba, Translucent, bytes, rgba,
};
use super::geometry::{self, Form, Geometry, GeometryCache};
use super::outline::aabb_corners;
use super::overlays::Reading;
use super::view::View;
use crate::app::theme::Palette;
use crate::core::shape::{Placed, Plane, Pose, Shape};
use egui::{Color32, Pos2, Rect, Vec2};
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Length of a dash, points.
const DASH: f32 = 6.0;
/// Words may cover what takes up more of the picture's width or height than this.
const LARGE: f32 = 0.3;

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub struct LineStyle {
    /// Its colour.
    pub color: Color32,
    /// 0 to 1.
    pub alpha: f32,
    /// Points of the screen.
    pub width: f32,
    /// Share of the alpha that is left behind a surface.
    pub occluded_alpha: f32,
    /// Length of a dash and of the gap after it, points of the screen; 0 for a solid line.
    pub dash: f32,
}

impl LineStyle {
    /// Opaque, hidden by surfaces.
    pub fn new(color: Color32, width: f32) -> Self {
        Self {
            color,
            alpha: 1.0,
            width,
            occluded_alpha: 0.0,
            dash: 0.0,
        }
    }

    /// With another alpha.
    #[must_use]
    pub fn alpha(self, alpha: f32) -> Self {
        Self { alpha, ..self }
    }

    /// Still faintly seen behind a surface.
    #[must_use]
    pub fn through(self, occluded_alpha: f32) -> Self {
        Self {
            occluded_alpha,
            ..self
        }
    }
}

/// A draw list while it is filled.
pub struct DrawListBuilder {
    /// From where it is seen.
    pub view: View,
    /// In which colours.
    pub palette: &'static Palette,
    /// So far.
    pub list: DrawList,
    /// What positions in the list are relative to.
    origin: DVec3,
    /// So far.
    pub labels: Vec<Label>,
    /// What words must not cover, points from the picture's corner.
    pub keep_clear: Vec<Rect>,
    /// Of the shapes met so far.
    pub geometries: GeometryCache,
    /// Of the ruler, where it is on.
    pub reading: Option<Reading>,
}

impl DrawListBuilder {
    /// An empty one.
    pub fn new(view: View, origin: DVec3, palette: &'static Palette) -> Self {
        Self {
            view,
            palette,
            list: DrawList::default(),
            origin,
            labels: Vec::new(),
            keep_clear: Vec::new(),
            geometries: GeometryCache::default(),
            reading: None,
        }
    }

    fn local(&self, world: DVec3) -> [f32; 3] {
        (world - self.origin).as_vec3().to_array()
    }

    /// Points of the screen that a length at a place covers.
    pub fn points(&self, at: DVec3, metres: f64) -> f64 {
        metres / self.view.metres_per_point(at)
    }

    /// A translucent capsule; a sphere where its ends are equal.
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

    /// A translucent shape that has a geometry; seen from its front only, unless it is a mesh, which may be open.
    pub fn translucent_shape(&mut self, shape: &Shape, pose: &Pose, color: Rgba) {
        if let Some((geometry, scale)) = self.geometries.shape(shape) {
            let (center, axes) = geometry::placed(&geometry, scale, pose);
            let double_sided = matches!(shape, Shape::Mesh(_));
            self.translucent(geometry, (center, axes), color, double_sided);
        }
    }

    /// A translucent triangle, seen from both sides.
    pub fn double_sided_triangle(&mut self, [a, b, c]: [DVec3; 3], color: Rgba) {
        let (u, v) = (b - a, c - a);
        let geometry = self.geometries.form(Form::Triangle);
        self.translucent(geometry, (a, [u, v, u.cross(v)]), color, true);
    }

    /// A translucent parallelogram, seen from both sides; corners in order around it.
    pub fn double_sided_quad(&mut self, corners: [DVec3; 4], color: Rgba) {
        self.quad(corners, color, true);
    }

    /// A translucent parallelogram, seen from its front (counter-clockwise) only; corners in order around it.
    pub fn front_quad(&mut self, corners: [DVec3; 4], color: Rgba) {
        self.quad(corners, color, false);
    }

    fn quad(&mut self, [a, b, c, d]: [DVec3; 4], color: Rgba, double_sided: bool) {
        let (u, v) = ((b - a) * 0.5, (d - a) * 0.5);
        let geometry = self.geometries.form(Form::Quad);
        let place = ((a + c) * 0.5, [u, v, u.cross(v)]);
        self.translucent(geometry, place, color, double_sided);
    }

    fn translucent(
        &mut self,
        geometry: Arc<Geometry>,
        place: (DVec3, [DVec3; 3]),
        color: Rgba,
        double_sided: bool,
    ) {
        if let Some(instance) = self.instance(place, color) {
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

    /// A line.
    pub fn line(&mut self, a: DVec3, b: DVec3, style: LineStyle) {
        self.fading_line(a, b, style, 1.0, 1.0);
    }

    /// A line whose alpha is multiplied by one factor at `a` and another at `b`.
    pub fn fading_line(&mut self, a: DVec3, b: DVec3, style: LineStyle, at_a: f32, at_b: f32) {
        if !(a.is_finite() && b.is_finite()) {
            return;
        }
        let faded = |share: f32| bytes(rgba(style.color, style.alpha * share));
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

    /// A dashed line.
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

    /// A disc of constant size on the screen.
    pub fn point(&mut self, at: DVec3, style: LineStyle) {
        self.line(at, at, style);
    }

    /// A closed line through some points.
    pub fn loop_line(&mut self, points: &[DVec3], style: LineStyle) {
        for (index, &point) in points.iter().enumerate() {
            self.line(point, points[(index + 1) % points.len()], style);
        }
    }

    /// A circle around `center` in the plane of two orthogonal unit directions.
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

    /// The rim of a ball as it is seen from here.
    pub fn rim(&mut self, center: DVec3, radius: f64, style: LineStyle) {
        let Some((middle, u, v, size)) = self.rim_circle(center, radius) else {
            return;
        };
        self.circle(middle, u, v, size, style);
    }

    /// The circle in which the eye's tangents touch a ball: centre, two directions, radius. `None` from inside.
    fn rim_circle(&self, center: DVec3, radius: f64) -> Option<(DVec3, DVec3, DVec3, f64)> {
        let axes = self.view.axes();
        match self.view.projection {
            super::view::Projection::Orthographic { .. } => {
                Some((center, axes.x_axis, axes.y_axis, radius))
            }
            super::view::Projection::Perspective { .. } => {
                let away = self.view.eye - center;
                let distance = away.length();
                if distance.is_nan() || distance <= radius * 1.0001 {
                    return None;
                }
                let toward = away / distance;
                let (u, v) = toward.any_orthonormal_pair();
                let along = radius * radius / distance;
                let size = radius * (1.0 - (radius / distance).powi(2)).max(0.0).sqrt();
                Some((center + toward * along, u, v, size))
            }
        }
    }

    /// The twelve edges between eight corners, whose bits choose the positive sides.
    pub fn box_edges(&mut self, corners: &[DVec3; 8], style: LineStyle) {
        for index in 0..8 {
            for bit in 0..3 {
                if index >> bit & 1 == 0 {
                    self.line(corners[index], corners[index | 1 << bit], style);
                }
            }
        }
    }

    /// An arrow whose head has a constant size on the screen (smaller on short arrows).
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
        let place = (base + half, [v * radius, half, u * radius]);
        let head = self.geometries.form(Form::ArrowHead);
        if let Some(instance) = self.instance(place, rgba(style.color, 1.0)) {
            self.list.add_mesh(&head, instance);
        }
        if style.occluded_alpha > 0.0 {
            // What is hidden of the head shows as a faint stroke.
            let ghost = LineStyle {
                alpha: style.alpha * style.occluded_alpha,
                occluded_alpha: 1.0,
                ..style
            };
            self.line(base, to, ghost);
        }
    }

    /// Words beside a place, on the side of `toward` (right and down on the screen; upward when it is zero).
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

    /// Words beside something that covers half so many points in width and height around a place.
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

    /// The direction of a world displacement on the screen, right and down; zero when it has none.
    pub fn heading(&self, at: DVec3, way: DVec3) -> DVec2 {
        let step = way.try_normalize().unwrap_or(DVec3::ZERO) * self.view.metres_per_point(at);
        let ends = (self.view.project(at - step), self.view.project(at + step));
        match ends {
            (Some(from), Some(to)) => (to - from).normalize_or_zero(),
            _ => DVec2::ZERO,
        }
    }

    /// The rectangle of the screen that a shape covers; `None` where a part of it is behind the eye, and for planes.
    pub fn cover(&self, placed: &Placed<'_>) -> Option<Rect> {
        if let Placed::Sphere(sphere) = placed {
            let at = self.view.project(sphere.center)?;
            let side = self.points(sphere.center, sphere.radius) as f32 * 2.0;
            let at = Pos2::new(at.x as f32, at.y as f32);
            return Some(Rect::from_center_size(at, Vec2::splat(side)));
        }
        let bounds = placed.aabb()?;
        let mut rect = Rect::NOTHING;
        for corner in aabb_corners(&bounds) {
            let at = self.view.project(corner)?;
            rect.extend_with(Pos2::new(at.x as f32, at.y as f32));
        }
        Some(rect)
    }

    /// No words over this shape, unless it fills so much of the picture that they would have nowhere to go.
    pub fn keep_clear_of(&mut self, placed: &Placed<'_>) {
        let Some(rect) = self.cover(placed) else {
            return;
        };
        let (wide, high) = (self.view.size.x as f32, self.view.size.y as f32);
        if rect.width() < wide * LARGE && rect.height() < high * LARGE {
            self.keep_clear.push(rect);
        }
    }
}

/// A square patch of a plane around a place: corners in order.
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
