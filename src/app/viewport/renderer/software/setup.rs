//! From the picture to the screen: everything transformed, clipped, lit by vertex, and sorted into tiles.

use super::super::super::draw_list::{
    BoxInstance, CameraParams, DrawList, Line, Rgba, SphereInstance, Vertex,
};
use super::super::light;
use super::TILE;
use glam::{Vec2, Vec3};
use rayon::prelude::*;

/// Pixels are cut into 256 by 256 for exact edges.
const SUBPIXELS: f32 = 256.0;
/// Triangles are clipped this many half pictures away from the middle, so that integers cannot overflow.
const GUARD: f32 = 8.0;
/// Lines come forward by this share of their depth, so that an edge wins over its own face.
const LINE_BIAS: f32 = 1.0015;
/// Things prepared by one piece of work.
const CHUNK: usize = 512;
/// Parts smaller than this in pixels are drawn at this radius: they dim instead of flickering.
const LEAST_RADIUS: f32 = 0.6;

/// A rectangle of pixels, upper ends excluded.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

/// A ball in view space.
#[derive(Clone, Copy, Debug)]
pub struct ScreenBall {
    pub center: Vec3,
    pub radius: f32,
    pub color: [f32; 3],
    pub area: Area,
}

/// A triangle on the screen. `depth` grows toward the eye and is linear on the screen.
#[derive(Clone, Copy, Debug)]
pub struct ScreenTriangle {
    /// Counter-clockwise with y down; in 1/256 pixels.
    pub corners: [[i64; 2]; 3],
    pub depth: [f32; 3],
    pub colors: [Rgba; 3],
    /// One colour all over.
    pub flat: bool,
    pub area: Area,
}

/// A line in pixels.
#[derive(Clone, Copy, Debug)]
pub struct ScreenLine {
    pub a: Vec2,
    pub b: Vec2,
    pub depth: [f32; 2],
    pub colors: [Rgba; 2],
    pub width: f32,
    pub occluded_alpha: f32,
    pub area: Area,
}

/// What touches one tile, by number.
#[derive(Clone, Debug, Default)]
pub struct Bin {
    pub balls: Vec<u32>,
    pub solids: Vec<u32>,
    pub shells: Vec<u32>,
    pub lines: Vec<u32>,
}

/// A picture, ready for its pixels.
pub struct Scene<'p> {
    pub picture: &'p DrawList,
    pub width: usize,
    pub height: usize,
    /// The world's up in view space.
    pub up: Vec3,
    /// Of the light.
    pub light: [f32; 4],
    pub balls: Vec<ScreenBall>,
    pub solids: Vec<ScreenTriangle>,
    pub shells: Vec<ScreenTriangle>,
    pub lines: Vec<ScreenLine>,
}

/// The faces of a box: corners by the bits of their signs, counter-clockwise from outside; axis and sign of the normal.
const FACES: [([usize; 4], usize, f32); 6] = [
    ([1, 3, 7, 5], 0, 1.0),
    ([0, 4, 6, 2], 0, -1.0),
    ([2, 6, 7, 3], 1, 1.0),
    ([0, 1, 5, 4], 1, -1.0),
    ([4, 5, 7, 6], 2, 1.0),
    ([0, 2, 3, 1], 2, -1.0),
];

/// Where something is on the way to the screen: view space, one colour.
#[derive(Clone, Copy)]
struct Corner {
    position: Vec3,
    color: Rgba,
}

impl<'p> Scene<'p> {
    pub fn new(picture: &'p DrawList, width: usize, height: usize) -> Self {
        let mut scene = Self {
            picture,
            width,
            height,
            up: picture.lens.view_from_world * Vec3::Y,
            light: light::parts(picture.daylight),
            balls: Vec::new(),
            solids: Vec::new(),
            shells: Vec::new(),
            lines: Vec::new(),
        };
        scene.balls = picture
            .balls
            .par_iter()
            .filter_map(|ball| scene.ball(ball))
            .collect();
        scene.solids = scene.all_solids();
        scene.shells = scene.all_shells();
        let points = (height as f32 / picture.lens.points).clamp(0.25, 8.0);
        scene.lines = picture
            .lines
            .par_iter()
            .filter_map(|line| scene.line(line, points))
            .collect();
        scene
    }

    fn lens(&self) -> &CameraParams {
        &self.picture.lens
    }

    /// View space to pixels.
    pub fn pixel(&self, view: Vec3) -> Vec2 {
        let lens = self.lens();
        let depth = if lens.perspective { -view.z } else { 1.0 };
        let [half_width, half_height] = lens.half_size;
        Vec2::new(
            (view.x / (half_width * depth) + 1.0) * 0.5 * self.width as f32,
            (1.0 - view.y / (half_height * depth)) * 0.5 * self.height as f32,
        )
    }

    /// Grows toward the eye; linear on the screen, so that planes stay planes. `z` is in view space, negative ahead.
    #[inline]
    pub fn depth(&self, z: f32) -> f32 {
        let lens = self.lens();
        if lens.perspective {
            lens.depth / -z
        } else {
            0.5 + z / (2.0 * lens.depth)
        }
    }

    fn area(&self, low: Vec2, high: Vec2) -> Option<Area> {
        let area = Area {
            left: (low.x.floor().max(0.0)) as i32,
            top: (low.y.floor().max(0.0)) as i32,
            right: (high.x.ceil() + 1.0).min(self.width as f32) as i32,
            bottom: (high.y.ceil() + 1.0).min(self.height as f32) as i32,
        };
        (area.left < area.right && area.top < area.bottom).then_some(area)
    }

    fn ball(&self, ball: &SphereInstance) -> Option<ScreenBall> {
        let lens = self.lens();
        let center = lens.to_view(ball.center);
        let mut radius = ball.radius;
        if !(center.is_finite() && radius.is_finite() && radius >= 0.0) {
            return None;
        }
        let away = if lens.perspective { -center.z } else { 1.0 };
        let near = if lens.perspective {
            lens.depth
        } else {
            -lens.depth
        };
        if -center.z + radius <= near
            || (lens.perspective && center.length_squared() <= radius * radius)
        {
            return None;
        }
        let pixel = 2.0 * lens.half_size[1] * away.max(near) / self.height as f32;
        radius = radius.max(pixel * LEAST_RADIUS);
        let area = if lens.perspective {
            let (left, right) = cone(center.x, -center.z, radius, lens.half_size[0]);
            let (bottom, top) = cone(center.y, -center.z, radius, lens.half_size[1]);
            let half = Vec2::new(self.width as f32, self.height as f32) * 0.5;
            self.area(
                Vec2::new(1.0 + left, 1.0 - top) * half,
                Vec2::new(1.0 + right, 1.0 - bottom) * half,
            )?
        } else {
            self.area(
                self.pixel(center + Vec3::new(-radius, radius, 0.0)),
                self.pixel(center + Vec3::new(radius, -radius, 0.0)),
            )?
        };
        let [r, g, b, _] = ball.color;
        Some(ScreenBall {
            center,
            radius,
            color: [r, g, b],
            area,
        })
    }

    fn to_eye(&self, view: Vec3) -> Vec3 {
        if self.lens().perspective {
            view * (-1.0 / view.length().max(1e-30))
        } else {
            Vec3::Z
        }
    }

    /// Lights one corner; `None` when something is not finite.
    fn corner(&self, vertex: &Vertex, shell: bool) -> Option<Corner> {
        let lens = self.lens();
        let position = lens.to_view(vertex.position);
        if !position.is_finite() {
            return None;
        }
        let mut color = vertex.color;
        if vertex.normal != Vec3::ZERO {
            let to_eye = self.to_eye(position);
            let normal = lens.view_from_world * vertex.normal;
            let normal = if normal.dot(to_eye) < 0.0 {
                -normal
            } else {
                normal
            };
            let [r, g, b] = light::shade(
                self.light,
                [color[0], color[1], color[2]],
                normal,
                to_eye,
                self.up,
            );
            let alpha = if shell {
                light::shell_alpha(color[3], normal, to_eye)
            } else {
                1.0
            };
            color = [r, g, b, alpha];
        }
        Some(Corner { position, color })
    }

    fn all_solids(&self) -> Vec<ScreenTriangle> {
        let mut solids = self.all_triangles(&self.picture.triangles, false);
        let blocks = self.picture.blocks.par_chunks(CHUNK).map(|blocks| {
            let mut out = Vec::with_capacity(blocks.len() * 6);
            for block in blocks {
                self.block(block, &mut out);
            }
            out
        });
        solids.extend(blocks.flatten_iter().collect::<Vec<_>>());
        solids
    }

    fn all_triangles(&self, vertices: &[Vertex], shell: bool) -> Vec<ScreenTriangle> {
        let chunks = vertices.par_chunks(CHUNK * 3).map(|vertices| {
            let mut out = Vec::with_capacity(vertices.len() / 3);
            for corners in vertices.chunks_exact(3) {
                self.triangle(corners, shell, &mut out);
            }
            out
        });
        chunks.flatten_iter().collect()
    }

    /// The faces of a box that are turned toward the eye.
    fn block(&self, block: &BoxInstance, out: &mut Vec<ScreenTriangle>) {
        let lens = self.lens();
        let corner = |index: usize| {
            let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
            block.center
                + block.axes[0] * side(0)
                + block.axes[1] * side(1)
                + block.axes[2] * side(2)
        };
        for (indices, axis, sign) in FACES {
            let outward = block.axes[axis] * sign;
            let normal = outward.try_normalize().unwrap_or_else(|| {
                let [u, v] = [block.axes[(axis + 1) % 3], block.axes[(axis + 2) % 3]];
                (u.cross(v) * sign).normalize_or_zero()
            });
            let toward = if lens.perspective {
                lens.eye - (block.center + outward)
            } else {
                lens.view_from_world.transpose() * Vec3::Z
            };
            if normal.dot(toward) <= 0.0 {
                continue;
            }
            let [a, b, c, d] = indices.map(|index| Vertex {
                position: corner(index),
                normal,
                color: block.color,
            });
            self.triangle(&[a, b, c], false, out);
            self.triangle(&[a, c, d], false, out);
        }
    }

    /// Translucent triangles, farthest first.
    fn all_shells(&self) -> Vec<ScreenTriangle> {
        let mut shells = self.all_triangles(&self.picture.shells, true);
        shells.sort_by(|a, b| {
            let middle = |triangle: &ScreenTriangle| triangle.depth.iter().sum::<f32>();
            middle(a).total_cmp(&middle(b))
        });
        shells
    }

    /// A triangle clipped to what can be seen: nothing, itself, or a fan.
    fn triangle(&self, vertices: &[Vertex], shell: bool, out: &mut Vec<ScreenTriangle>) {
        let [Some(a), Some(b), Some(c)] = [0, 1, 2].map(|i| self.corner(&vertices[i], shell))
        else {
            return;
        };
        let lens = *self.lens();
        let [wide, high] = lens.half_size.map(|half| half * GUARD);
        let away = |p: Vec3| if lens.perspective { -p.z } else { 1.0 };
        let near = if lens.perspective {
            lens.depth
        } else {
            -lens.depth
        };
        let inside = |p: Vec3| {
            let away = away(p);
            -p.z >= near && p.x.abs() <= wide * away && p.y.abs() <= high * away
        };
        if [a, b, c].iter().all(|corner| inside(corner.position)) {
            out.extend(self.fan(a, b, c, shell));
            return;
        }
        let mut polygon = vec![a, b, c];
        clip(&mut polygon, |p| -p.z - near);
        clip(&mut polygon, |p| wide * away(p) - p.x);
        clip(&mut polygon, |p| wide * away(p) + p.x);
        clip(&mut polygon, |p| high * away(p) - p.y);
        clip(&mut polygon, |p| high * away(p) + p.y);
        out.extend(
            (2..polygon.len())
                .filter_map(|last| self.fan(polygon[0], polygon[last - 1], polygon[last], shell)),
        );
    }

    fn fan(&self, a: Corner, b: Corner, c: Corner, shell: bool) -> Option<ScreenTriangle> {
        let points = [a, b, c].map(|corner| self.pixel(corner.position));
        if !points.iter().all(|point| point.is_finite()) {
            return None;
        }
        let area = self.area(
            points[0].min(points[1]).min(points[2]),
            points[0].max(points[1]).max(points[2]),
        )?;
        let mut corners = points.map(|point| {
            [
                (point.x * SUBPIXELS).round() as i64,
                (point.y * SUBPIXELS).round() as i64,
            ]
        });
        let mut depth = [a, b, c].map(|corner| self.depth(corner.position.z));
        let mut colors = [a.color, b.color, c.color];
        let [p, q, r] = corners;
        // Twice the area; with y down, a triangle that faces the eye turns clockwise here and comes out negative.
        let turn = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
        if turn == 0 || (shell && turn > 0) {
            return None;
        }
        if turn < 0 {
            corners.swap(1, 2);
            depth.swap(1, 2);
            colors.swap(1, 2);
        }
        Some(ScreenTriangle {
            corners,
            depth,
            colors,
            flat: colors[0] == colors[1] && colors[1] == colors[2],
            area,
        })
    }

    fn line(&self, line: &Line, points: f32) -> Option<ScreenLine> {
        let lens = self.lens();
        let (mut a, mut b) = (lens.to_view(line.a), lens.to_view(line.b));
        if !(a.is_finite() && b.is_finite() && line.width.is_finite()) {
            return None;
        }
        let mut colors = [line.color_a, line.color_b];
        if lens.perspective {
            let near = -lens.depth * 1.01;
            if a.z > near && b.z > near {
                return None;
            }
            let cut = |inside: Vec3, out: Vec3| {
                inside + (out - inside) * ((near - inside.z) / (out.z - inside.z))
            };
            if a.z > near {
                a = cut(b, a);
                colors[0] = colors[1];
            } else if b.z > near {
                b = cut(a, b);
                colors[1] = colors[0];
            }
        }
        let nearer = |z: f32| {
            if lens.perspective {
                self.depth(z) * LINE_BIAS
            } else {
                self.depth(z + lens.half_size[1] * (LINE_BIAS - 1.0) * 2.0)
            }
        };
        let (p, q) = (self.pixel(a), self.pixel(b));
        if !(p.is_finite() && q.is_finite()) {
            return None;
        }
        let width = (line.width * points).max(0.5);
        let reach = Vec2::splat(width * 0.5 + 1.0);
        Some(ScreenLine {
            a: p,
            b: q,
            depth: [nearer(a.z), nearer(b.z)],
            colors,
            width,
            occluded_alpha: line.occluded_alpha,
            area: self.area(p.min(q) - reach, p.max(q) + reach)?,
        })
    }

    /// Numbers of what touches each tile, in drawing order.
    pub fn bins(&self, columns: usize, rows: usize) -> Vec<Bin> {
        let mut bins = vec![Bin::default(); columns * rows];
        let mut put = |area: &Area, add: &mut dyn FnMut(&mut Bin)| {
            let tile = TILE as i32;
            for row in area.top / tile..=(area.bottom - 1) / tile {
                for column in area.left / tile..=(area.right - 1) / tile {
                    add(&mut bins[row as usize * columns + column as usize]);
                }
            }
        };
        for (number, ball) in self.balls.iter().enumerate() {
            put(&ball.area, &mut |bin| bin.balls.push(number as u32));
        }
        for (number, solid) in self.solids.iter().enumerate() {
            put(&solid.area, &mut |bin| bin.solids.push(number as u32));
        }
        for (number, shell) in self.shells.iter().enumerate() {
            put(&shell.area, &mut |bin| bin.shells.push(number as u32));
        }
        for (number, line) in self.lines.iter().enumerate() {
            put(&line.area, &mut |bin| bin.lines.push(number as u32));
        }
        bins
    }
}

/// The silhouette of a ball along one axis of the picture, as shares of the half size: the two tangents from the eye.
///
/// Lengyel, Mathematics for 3D Game Programming and Computer Graphics, on bounding a light's sphere: with the centre at
/// (x, z) the tangent slopes are (x z -+ r sqrt(x^2 + z^2 - r^2)) / (z^2 - r^2), when the ball is wholly ahead.
fn cone(x: f32, z: f32, radius: f32, half: f32) -> (f32, f32) {
    let ahead = z * z - radius * radius;
    if z <= radius || ahead <= 0.0 {
        return (-1.0, 1.0);
    }
    let root = radius * (x * x + ahead).max(0.0).sqrt();
    let slope = |sign: f32| ((x * z + sign * root) / (ahead * half)).clamp(-1.1, 1.1);
    (slope(-1.0), slope(1.0))
}

/// Keeps the part of a polygon where a linear function is not negative (Sutherland and Hodgman).
fn clip(polygon: &mut Vec<Corner>, inside: impl Fn(Vec3) -> f32) {
    if polygon.iter().all(|corner| inside(corner.position) >= 0.0) {
        return;
    }
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (index, &corner) in polygon.iter().enumerate() {
        let next = polygon[(index + 1) % polygon.len()];
        let (here, there) = (inside(corner.position), inside(next.position));
        if here >= 0.0 {
            kept.push(corner);
        }
        if (here >= 0.0) != (there >= 0.0) {
            let share = here / (here - there);
            kept.push(Corner {
                position: corner.position + (next.position - corner.position) * share,
                color: std::array::from_fn(|i| {
                    corner.color[i] + (next.color[i] - corner.color[i]) * share
                }),
            });
        }
    }
    *polygon = kept;
}
