//! What overlays draw with: world-space strokes, shells and labels that become a [`DrawList`]. What is not finite is left out.

use super::draw_list::{
    BoxInstance, CameraParams, DrawList, Label, Line, Rank, Rgba, SphereInstance, Vertex, mix, rgba,
};
use super::outline::{Edges, aabb_corners};
use super::overlays::Reading;
use super::view::View;
use crate::app::theme::Palette;
use crate::core::shape::{Obb, Placed, Plane};
use egui::{Color32, Pos2, Rect, Vec2};
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

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
}

impl LineStyle {
    /// Opaque, hidden by surfaces.
    pub fn new(color: Color32, width: f32) -> Self {
        Self {
            color,
            alpha: 1.0,
            width,
            occluded_alpha: 0.0,
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

    fn rgba(&self) -> Rgba {
        rgba(self.color, self.alpha)
    }
}

/// A picture while it is drawn.
pub struct DrawListBuilder {
    /// From where.
    pub view: View,
    /// In which colours.
    pub palette: &'static Palette,
    /// So far.
    pub picture: DrawList,
    /// So far.
    pub labels: Vec<Label>,
    /// What words must not cover, points from the picture's corner.
    pub keep_clear: Vec<Rect>,
    /// Of the meshes met so far.
    pub edges: Edges,
    /// Of the ruler, where it is on.
    pub reading: Option<Reading>,
}

impl DrawListBuilder {
    /// An empty one.
    pub fn new(view: View, palette: &'static Palette) -> Self {
        let sky = [rgba(palette.sky_top, 1.0), rgba(palette.sky_bottom, 1.0)];
        Self {
            view,
            palette,
            picture: DrawList {
                daylight: palette.daylight,
                ..DrawList::empty(CameraParams::of(&view), sky)
            },
            labels: Vec::new(),
            keep_clear: Vec::new(),
            edges: Edges::default(),
            reading: None,
        }
    }

    fn local(&self, world: DVec3) -> glam::Vec3 {
        (world - self.view.target).as_vec3()
    }

    /// Points of the screen that a length at a place covers.
    pub fn points(&self, at: DVec3, metres: f64) -> f64 {
        metres / self.view.metres_per_point(at)
    }

    /// A solid ball.
    pub fn ball(&mut self, center: DVec3, radius: f64, color: Rgba) {
        if center.is_finite() && radius.is_finite() {
            let center = self.local(center);
            self.picture.balls.push(SphereInstance {
                center,
                radius: radius as f32,
                color,
            });
        }
    }

    /// A solid box.
    pub fn block(&mut self, obb: &Obb, color: Rgba) {
        if obb.center.is_finite() && obb.half_extents.is_finite() && obb.rotation.is_finite() {
            let axes = obb.axes();
            let center = self.local(obb.center);
            self.picture.blocks.push(BoxInstance {
                center,
                axes: [
                    (axes.x_axis * obb.half_extents.x).as_vec3(),
                    (axes.y_axis * obb.half_extents.y).as_vec3(),
                    (axes.z_axis * obb.half_extents.z).as_vec3(),
                ],
                color,
            });
        }
    }

    /// A solid triangle, lit on both sides.
    pub fn triangle(&mut self, corners: [DVec3; 3], color: Rgba) {
        let [a, b, c] = corners;
        if let Some(normal) = (b - a).cross(c - a).try_normalize() {
            self.triangle_with(corners, [normal; 3], color, false);
        }
    }

    /// A translucent triangle, not lit, seen from both sides.
    pub fn pane(&mut self, corners: [DVec3; 3], color: Rgba) {
        let [a, b, c] = corners;
        self.triangle_with([a, b, c], [DVec3::ZERO; 3], color, true);
        self.triangle_with([a, c, b], [DVec3::ZERO; 3], color, true);
    }

    /// A translucent flat quad, not lit, seen from both sides; corners in order around it.
    pub fn pane_quad(&mut self, [a, b, c, d]: [DVec3; 4], color: Rgba) {
        self.pane([a, b, c], color);
        self.pane([a, c, d], color);
    }

    /// A translucent quad seen from its front (counter-clockwise) only.
    pub fn shell_quad(&mut self, [a, b, c, d]: [DVec3; 4], color: Rgba) {
        self.triangle_with([a, b, c], [DVec3::ZERO; 3], color, true);
        self.triangle_with([a, c, d], [DVec3::ZERO; 3], color, true);
    }

    fn triangle_with(
        &mut self,
        corners: [DVec3; 3],
        normals: [DVec3; 3],
        color: Rgba,
        shell: bool,
    ) {
        if !corners.iter().chain(&normals).all(|part| part.is_finite()) {
            return;
        }
        let vertices: [Vertex; 3] = std::array::from_fn(|i| Vertex {
            position: self.local(corners[i]),
            normal: normals[i].as_vec3(),
            color,
        });
        if shell {
            self.picture.shells.extend(vertices);
        } else {
            self.picture.triangles.extend(vertices);
        }
    }

    /// Everything within a radius of a segment (a ball when its ends are equal), solid or as a shell.
    pub fn capsule(&mut self, a: DVec3, b: DVec3, radius: f64, color: Rgba, shell: bool) {
        if !(a.is_finite() && b.is_finite() && radius.is_finite()) {
            return;
        }
        let size = self.points((a + b) * 0.5, radius).clamp(0.0, 1e4);
        let around = ((size.sqrt() * 4.0) as usize).clamp(8, 40) / 4 * 4;
        let axis = (b - a).try_normalize().unwrap_or(DVec3::Y);
        let u = axis.any_orthonormal_vector();
        let v = axis.cross(u);
        let half = around / 4;
        // Rings from the far cap of `a` to the far cap of `b`: latitudes of two half balls, the equator twice.
        let mut rings = Vec::with_capacity(2 * half + 2);
        for step in 0..=half {
            let angle = TAU * 0.25 * (step as f64 / half as f64 - 1.0);
            rings.push((a, angle));
        }
        for step in 0..=half {
            rings.push((b, TAU * 0.25 * step as f64 / half as f64));
        }
        let at = |(center, latitude): (DVec3, f64), step: usize| {
            let longitude = TAU * step as f64 / around as f64;
            let normal = axis * latitude.sin()
                + (u * longitude.cos() + v * longitude.sin()) * latitude.cos();
            (center + normal * radius, normal)
        };
        for pair in rings.windows(2) {
            if pair[0] == pair[1] || (a == b && pair[0].1 == pair[1].1) {
                continue;
            }
            for step in 0..around {
                let [p, q, r, s] = [
                    at(pair[0], step),
                    at(pair[0], step + 1),
                    at(pair[1], step + 1),
                    at(pair[1], step),
                ];
                self.triangle_with([p.0, q.0, r.0], [p.1, q.1, r.1], color, shell);
                self.triangle_with([p.0, r.0, s.0], [p.1, r.1, s.1], color, shell);
            }
        }
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
        let color = style.rgba();
        let faded = |share: f32| [color[0], color[1], color[2], color[3] * share];
        let line = Line {
            a: self.local(a),
            b: self.local(b),
            width: style.width,
            color_a: faded(at_a),
            color_b: faded(at_b),
            occluded_alpha: style.occluded_alpha,
        };
        self.picture.lines.push(line);
    }

    /// A dashed line; dashes of about six points, at most two hundred.
    pub fn dashes(&mut self, a: DVec3, b: DVec3, style: LineStyle) {
        let length = self.points((a + b) * 0.5, (b - a).length());
        if !length.is_finite() {
            return;
        }
        let count = (length / 6.0).clamp(1.0, 400.0) as usize;
        for dash in (0..count).step_by(2) {
            let at = |step: usize| a.lerp(b, step as f64 / count as f64);
            self.line(at(dash), at(dash + 1), style);
        }
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
        let radius = head * 0.36;
        let count = 12;
        let at = |step: usize| {
            let angle = TAU * step as f64 / count as f64;
            u * angle.cos() + v * angle.sin()
        };
        let color = style.rgba();
        for step in 0..count {
            let (p, q) = (at(step), at(step + 1));
            let [here, there] = [p, q].map(|out| base + out * radius);
            let normal = (p + q) * 0.5 + along * 0.36;
            self.triangle_with([here, there, to], [p, q, normal], color, false);
            self.triangle_with([base, there, here], [-along; 3], color, false);
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

    /// A theme's colour, moved toward the background.
    pub fn subdued(&self, color: Color32, share: f32) -> Rgba {
        let middle = mix(self.picture.sky[0], self.picture.sky[1], 0.5);
        mix(rgba(color, 1.0), middle, share)
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
}
