//! The pixels of one tile: four samples each for depth and colour, then their mean.

use super::super::super::draw_list::Rgba;
use super::super::light;
use super::TILE;
use super::setup::{Area, Bin, Scene, ScreenBall, ScreenLine, ScreenTriangle};
use glam::{Vec2, Vec3};

/// Where the four samples of a pixel lie (a rotated grid), in pixels from its corner.
const SAMPLES: [[f32; 2]; 4] = [
    [0.375, 0.125],
    [0.875, 0.375],
    [0.125, 0.625],
    [0.625, 0.875],
];
/// The same in 1/256 pixels.
const SUBSAMPLES: [[i64; 2]; 4] = [[96, 32], [224, 96], [32, 160], [160, 224]];
/// Ordered dither for the sky (Bayer, 4 by 4), in half steps of a byte: smooth gradients show no bands.
const DITHER: [[f32; 4]; 4] = [
    [-0.47, 0.03, -0.34, 0.16],
    [0.28, -0.22, 0.41, -0.09],
    [-0.28, 0.22, -0.41, 0.09],
    [0.47, -0.03, 0.34, -0.16],
];

/// A tile while it is drawn.
struct Tile<'s> {
    scene: &'s Scene<'s>,
    left: i32,
    top: i32,
    /// Nearest so far by sample; 0 is infinitely far.
    depth: Vec<[f32; 4]>,
    color: Vec<[[u8; 4]; 4]>,
}

/// Draws what is in the bin; rows of `TILE` pixels, four bytes each.
pub fn draw(scene: &Scene<'_>, bin: &Bin, left: usize, top: usize) -> Vec<u8> {
    let mut tile = Tile {
        scene,
        left: left as i32,
        top: top as i32,
        depth: vec![[-1.0; 4]; TILE * TILE],
        color: Vec::with_capacity(TILE * TILE),
    };
    tile.sky();
    for &ball in &bin.balls {
        tile.ball(&scene.balls[ball as usize]);
    }
    for &solid in &bin.solids {
        tile.triangle(&scene.solids[solid as usize], false);
    }
    for &shell in &bin.shells {
        tile.triangle(&scene.shells[shell as usize], true);
    }
    for &line in &bin.lines {
        tile.line(&scene.lines[line as usize]);
    }
    tile.resolve()
}

fn byte(part: f32) -> u8 {
    (part * 255.0 + 0.5) as u8
}

fn bytes(color: [f32; 3]) -> [u8; 4] {
    // Written out, here and below: a closure per part is not always inlined.
    [byte(color[0]), byte(color[1]), byte(color[2]), 255]
}

fn blend(under: [u8; 4], color: [f32; 3], alpha: f32) -> [u8; 4] {
    let part = |i: usize| {
        let base = f32::from(under[i]);
        (base + (color[i] * 255.0 - base) * alpha + 0.5) as u8
    };
    [part(0), part(1), part(2), 255]
}

impl Tile<'_> {
    fn sky(&mut self) {
        let [above, below] = self.scene.picture.sky;
        let height = self.scene.height as f32;
        for y in 0..TILE {
            let share = (self.top as f32 + y as f32 + 0.5) / height;
            for x in 0..TILE {
                let noise = DITHER[y % 4][x % 4] / 255.0;
                let part = |i: usize| above[i] + (below[i] - above[i]) * share + noise;
                let color = [part(0), part(1), part(2)];
                self.color.push([bytes(color); 4]);
            }
        }
    }

    /// The part of an area inside this tile, relative to it.
    fn cut(&self, area: &Area) -> (usize, usize, usize, usize) {
        let tile = TILE as i32;
        (
            (area.left - self.left).clamp(0, tile) as usize,
            (area.top - self.top).clamp(0, tile) as usize,
            (area.right - self.left).clamp(0, tile) as usize,
            (area.bottom - self.top).clamp(0, tile) as usize,
        )
    }

    /// Ray-cast. The discriminant is taken in its perpendicular form, `r^2 |d|^2 - |d x m|^2`, which does not cancel.
    ///
    /// In perspective rays start at the eye and differ in direction; otherwise they start side by side.
    fn ball(&mut self, ball: &ScreenBall) {
        let (left, top, right, bottom) = self.cut(&ball.area);
        let lens = &self.scene.picture.lens;
        let square = ball.radius * ball.radius;
        let inverse = 1.0 / ball.radius;
        let step = Vec2::new(
            lens.half_size[0] * 2.0 / self.scene.width as f32,
            lens.half_size[1] * -2.0 / self.scene.height as f32,
        );
        let corner = Vec2::new(-lens.half_size[0], lens.half_size[1]);
        let across = |x: f32, y: f32| corner + step * Vec2::new(x, y);
        let center = ball.center;
        // With d = (u, v, -1): d x m = (v mz + my, -mx - u mz, u my - v mx).
        let root = |place: Vec2| {
            if lens.perspective {
                let x = place.y * center.z + center.y;
                let y = center.x + place.x * center.z;
                let z = place.x * center.y - place.y * center.x;
                square * (place.length_squared() + 1.0) - (x * x + y * y + z * z)
            } else {
                square - (center.truncate() - place).length_squared()
            }
        };
        for y in top..bottom {
            for x in left..right {
                let (px, py) = ((self.left + x as i32) as f32, (self.top + y as i32) as f32);
                let mut mask = [false; 4];
                for (hit, [sx, sy]) in mask.iter_mut().zip(SAMPLES) {
                    *hit = root(across(px + sx, py + sy)) > 0.0;
                }
                if mask == [false; 4] {
                    continue;
                }
                let place = across(px + 0.5, py + 0.5);
                let (from, along) = if lens.perspective {
                    (Vec3::ZERO, place.extend(-1.0))
                } else {
                    (place.extend(0.0), Vec3::NEG_Z)
                };
                let square = along.length_squared();
                let share = (along.dot(center - from) - root(place).max(0.0).sqrt()) / square;
                if lens.perspective && share <= lens.depth {
                    continue;
                }
                let point = from + along * share;
                let depth = self.scene.depth(point.z);
                let at = y * TILE + x;
                let nearest = self.depth[at];
                for (hit, nearest) in mask.iter_mut().zip(nearest) {
                    *hit &= depth > nearest;
                }
                if mask == [false; 4] {
                    continue;
                }
                let normal = (point - center) * inverse;
                let to_eye = along * (-1.0 / square.sqrt());
                let color = bytes(light::shade(
                    self.scene.light,
                    ball.color,
                    normal,
                    to_eye,
                    self.scene.up,
                ));
                for (sample, hit) in mask.into_iter().enumerate() {
                    if hit {
                        self.depth[at][sample] = depth;
                        self.color[at][sample] = color;
                    }
                }
            }
        }
    }

    /// Exact edges: a sample on a shared edge belongs to one triangle only (top-left rule).
    fn triangle(&mut self, triangle: &ScreenTriangle, shell: bool) {
        let (left, top, right, bottom) = self.cut(&triangle.area);
        let [a, b, c] = triangle.corners;
        let edges = [(b, c), (c, a), (a, b)].map(|(from, to)| Edge::new(from, to));
        let whole = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let depth = Slope::new(triangle, &edges, whole, self.left, self.top);
        for y in top..bottom {
            let py = i64::from(self.top + y as i32) * 256;
            for x in left..right {
                let px = i64::from(self.left + x as i32) * 256;
                let corner = [
                    edges[0].at(px, py),
                    edges[1].at(px, py),
                    edges[2].at(px, py),
                ];
                if (0..3).any(|i| corner[i] + edges[i].most < 0) {
                    continue;
                }
                let mut mask = [true; 4];
                if (0..3).any(|i| corner[i] + edges[i].least < 0) {
                    for (inside, [sx, sy]) in mask.iter_mut().zip(SUBSAMPLES) {
                        *inside = (0..3).all(|i| {
                            corner[i] + edges[i].x * sx + edges[i].y * sy + edges[i].bias >= 0
                        });
                    }
                }
                let at = y * TILE + x;
                let depths = depth.samples(x as f32, y as f32);
                let nearest = self.depth[at];
                for sample in 0..4 {
                    mask[sample] &= depths[sample] > nearest[sample];
                }
                if mask == [false; 4] {
                    continue;
                }
                let color = if triangle.flat {
                    triangle.colors[0]
                } else {
                    let scale = 1.0 / whole as f32;
                    let weight =
                        |i: usize| (corner[i] + (edges[i].x + edges[i].y) * 128) as f32 * scale;
                    let share = [weight(0), weight(1), weight(2)];
                    blend_corners(&triangle.colors, share)
                };
                let rgb = [color[0], color[1], color[2]];
                let solid = bytes(rgb);
                for sample in 0..4 {
                    if !mask[sample] {
                        continue;
                    }
                    let under = &mut self.color[at][sample];
                    if shell {
                        *under = blend(*under, rgb, color[3]);
                    } else {
                        *under = solid;
                        self.depth[at][sample] = depths[sample];
                    }
                }
            }
        }
    }

    /// Coverage by the distance to the line; the alpha of what lies behind something is reduced to the line's share.
    fn line(&mut self, line: &ScreenLine) {
        let along = line.b - line.a;
        let length = along.length();
        let unit = if length > 1e-3 {
            along / length
        } else {
            Vec2::ZERO
        };
        let half = line.width * 0.5;
        let steep = along.y.abs() > along.x.abs();
        let area = self.cut(&line.area);
        let (from, to) = if steep {
            (area.1, area.3)
        } else {
            (area.0, area.2)
        };
        let (low, high) = if steep {
            (area.0, area.2)
        } else {
            (area.1, area.3)
        };
        let origin = Vec2::new(self.left as f32, self.top as f32);
        let start = line.a - origin;
        let (slope, main, side, reach) = if length <= 1e-3 {
            (0.0, start.x, start.y, half + 1.0)
        } else if steep {
            (
                along.x / along.y,
                start.y,
                start.x,
                (half + 1.0) * length / along.y.abs(),
            )
        } else {
            (
                along.y / along.x,
                start.x,
                start.y,
                (half + 1.0) * length / along.x.abs(),
            )
        };
        for step in from..to {
            let middle = side + (step as f32 + 0.5 - main) * slope;
            let first = (middle - reach).floor().clamp(low as f32, high as f32) as usize;
            let last = (middle + reach).ceil().clamp(low as f32, high as f32) as usize;
            for other in first..last {
                let (x, y) = if steep { (other, step) } else { (step, other) };
                let off = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) - start;
                self.line_pixel(line, y * TILE + x, off, unit, length, half);
            }
        }
    }

    fn line_pixel(
        &mut self,
        line: &ScreenLine,
        at: usize,
        off: Vec2,
        unit: Vec2,
        length: f32,
        half: f32,
    ) {
        let (coverage, share) = if unit == Vec2::ZERO {
            ((half + 0.5 - off.length()).clamp(0.0, 1.0), 0.0)
        } else {
            let run = off.dot(unit);
            let ends = (run + 0.5).min(length - run + 0.5).clamp(0.0, 1.0);
            let across = (half + 0.5 - off.perp_dot(unit).abs()).clamp(0.0, 1.0);
            (ends * across, (run / length).clamp(0.0, 1.0))
        };
        if coverage <= 0.0 {
            return;
        }
        let depth = line.depth[0] + (line.depth[1] - line.depth[0]) * share;
        let part = |i: usize| line.colors[0][i] + (line.colors[1][i] - line.colors[0][i]) * share;
        let color: Rgba = [part(0), part(1), part(2), part(3)];
        let alpha = color[3] * coverage;
        for sample in 0..4 {
            let alpha = if depth > self.depth[at][sample] {
                alpha
            } else {
                alpha * line.occluded_alpha
            };
            if alpha > 0.0 {
                let under = &mut self.color[at][sample];
                *under = blend(*under, [color[0], color[1], color[2]], alpha);
            }
        }
    }

    fn resolve(&self) -> Vec<u8> {
        let mut out = vec![255; TILE * TILE * 4];
        for (pixel, samples) in out.chunks_exact_mut(4).zip(&self.color) {
            for (part, byte) in pixel[..3].iter_mut().enumerate() {
                let sum: u16 = samples.iter().map(|sample| u16::from(sample[part])).sum();
                *byte = ((sum + 2) / 4) as u8;
            }
        }
        out
    }
}

fn blend_corners(colors: &[Rgba; 3], share: [f32; 3]) -> Rgba {
    let part = |i: usize| {
        (colors[0][i] * share[0] + colors[1][i] * share[1] + colors[2][i] * share[2])
            .clamp(0.0, 1.0)
    };
    [part(0), part(1), part(2), part(3)]
}

/// Depth over a triangle: linear on the screen, from a tile's corner.
struct Slope {
    origin: f32,
    x: f32,
    y: f32,
}

impl Slope {
    fn new(triangle: &ScreenTriangle, edges: &[Edge; 3], whole: i64, left: i32, top: i32) -> Self {
        let sum = |weight: [i64; 3]| {
            let terms = (0..3).map(|i| f64::from(triangle.depth[i]) * weight[i] as f64);
            terms.sum::<f64>() / whole as f64
        };
        let (px, py) = (i64::from(left) * 256, i64::from(top) * 256);
        Self {
            origin: sum(edges.map(|edge| edge.at(px, py))) as f32,
            x: sum(edges.map(|edge| edge.x * 256)) as f32,
            y: sum(edges.map(|edge| edge.y * 256)) as f32,
        }
    }

    /// At the samples of a pixel of the tile.
    fn samples(&self, x: f32, y: f32) -> [f32; 4] {
        let mut depths = [self.origin + self.x * x + self.y * y; 4];
        for (depth, [sx, sy]) in depths.iter_mut().zip(SAMPLES) {
            *depth += self.x * sx + self.y * sy;
        }
        depths
    }
}

/// Twice the signed area to an edge, as a linear function of a place in 1/256 pixels.
#[derive(Clone, Copy)]
struct Edge {
    x: i64,
    y: i64,
    origin: [i64; 2],
    /// -1 where a sample exactly on the edge belongs to the neighbour.
    bias: i64,
    /// Bounds of what a pixel's samples add to its corner's value, with the bias.
    least: i64,
    most: i64,
}

impl Edge {
    fn new(from: [i64; 2], to: [i64; 2]) -> Self {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let top_left = dy < 0 || (dy == 0 && dx > 0);
        let bias = if top_left { 0 } else { -1 };
        let adds = SUBSAMPLES.map(|[x, y]| y * dx - x * dy + bias);
        Self {
            x: -dy,
            y: dx,
            origin: from,
            bias,
            least: adds.into_iter().fold(i64::MAX, i64::min),
            most: adds.into_iter().fold(i64::MIN, i64::max),
        }
    }

    fn at(&self, x: i64, y: i64) -> i64 {
        (x - self.origin[0]) * self.x + (y - self.origin[1]) * self.y
    }
}
