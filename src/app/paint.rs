//! The toolkit's meshes drawn to pixels without a window or a GPU: for pictures that are saved, and for those of the guide.
//!
//! Blending is that of the window's own renderers: bytes as they are (gamma space), premultiplied alpha. Only `+ - * /` are
//! used on the way to a byte, so that the same meshes give the same picture everywhere.

use egui::epaint::{ClippedPrimitive, Primitive, Vertex};
use egui::{Color32, ColorImage, ImageData, Mesh, Rect, TextureId, TexturesDelta};
use std::collections::BTreeMap;

/// Keeps the textures that meshes refer to, and draws meshes onto images.
#[derive(Default)]
pub struct MeshPainter {
    textures: BTreeMap<TextureId, ColorImage>,
}

impl MeshPainter {
    /// Takes the textures of a pass; goes before its meshes are drawn.
    pub fn take(&mut self, changes: &TexturesDelta) {
        // In any order: each texture is by itself.
        let mut changed: Vec<_> = changes.set.iter().collect();
        changed.sort_by_key(|(id, _)| **id);
        for (id, patches) in changed {
            for patch in patches {
                let ImageData::Color(image) = &patch.image;
                match patch.pos {
                    None => drop(self.textures.insert(*id, image.as_ref().clone())),
                    Some(at) => {
                        if let Some(texture) = self.textures.get_mut(id) {
                            copy(image, texture, at);
                        }
                    }
                }
            }
        }
    }

    /// Draws meshes, the first ones first, at so many pixels per point. What a graphics card would have to draw is left out.
    pub fn draw(&self, primitives: &[ClippedPrimitive], scale: f32, onto: &mut ColorImage) {
        for one in primitives {
            let Primitive::Mesh(mesh) = &one.primitive else {
                continue;
            };
            if let Some(texture) = self.textures.get(&mesh.texture_id) {
                draw_mesh(mesh, texture, one.clip_rect, scale, onto);
            }
        }
    }
}

fn copy(patch: &ColorImage, texture: &mut ColorImage, [left, top]: [usize; 2]) {
    let [width, height] = texture.size;
    if left + patch.size[0] > width || top + patch.size[1] > height {
        return;
    }
    for (row, pixels) in patch.pixels.chunks_exact(patch.size[0].max(1)).enumerate() {
        let at = (top + row) * width + left;
        texture.pixels[at..at + pixels.len()].copy_from_slice(pixels);
    }
}

/// Pixels from the first to before the last.
#[derive(Clone, Copy)]
struct Pixels {
    x: (usize, usize),
    y: (usize, usize),
}

impl Pixels {
    fn of(clip: Rect, scale: f32, size: [usize; 2]) -> Self {
        let part = |from: f32, to: f32, most: usize| {
            let pixel = |at: f32| (at * scale).round().clamp(0.0, most as f32) as usize;
            (pixel(from), pixel(to))
        };
        Self {
            x: part(clip.min.x, clip.max.x, size[0]),
            y: part(clip.min.y, clip.max.y, size[1]),
        }
    }
}

fn draw_mesh(mesh: &Mesh, texture: &ColorImage, clip: Rect, scale: f32, onto: &mut ColorImage) {
    let clip = Pixels::of(clip, scale, onto.size);
    for triangle in mesh.triangles() {
        let corners = triangle.map(|index| mesh.vertices.get(index as usize).copied());
        if let [Some(a), Some(b), Some(c)] = corners {
            let scaled = [a, b, c].map(|corner| Vertex {
                pos: corner.pos * scale,
                ..corner
            });
            draw_triangle(scaled, texture, clip, onto);
        }
    }
}

/// Every pixel whose middle is inside, each of two triangles' common edge once.
fn draw_triangle(
    [a, b, c]: [Vertex; 3],
    texture: &ColorImage,
    clip: Pixels,
    onto: &mut ColorImage,
) {
    let cross = |p: egui::Pos2, q: egui::Pos2, x: f32, y: f32| {
        (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x)
    };
    let area = cross(a.pos, b.pos, c.pos.x, c.pos.y);
    // Turned so that the inside is where all three edges are positive; neither a line nor a number that is none.
    let (b, c) = if area < 0.0 { (c, b) } else { (b, c) };
    let area = area.abs();
    if area.is_nan() || area < 1e-9 {
        return;
    }
    let first = |value: f32, least: usize| (value - 0.5).ceil().max(least as f32) as usize;
    let last = |value: f32, most: usize| ((value + 0.5).floor().max(0.0) as usize).min(most);
    let (left, right) = extent(a.pos.x, b.pos.x, c.pos.x);
    let (top, bottom) = extent(a.pos.y, b.pos.y, c.pos.y);
    // A middle on an edge belongs to the triangle that the edge is the top or the left of.
    let own = |p: egui::Pos2, q: egui::Pos2| {
        let (x, y) = (q.x - p.x, q.y - p.y);
        y < 0.0 || (y == 0.0 && x > 0.0)
    };
    let edges = [(b.pos, c.pos), (c.pos, a.pos), (a.pos, b.pos)].map(|(p, q)| (p, q, own(p, q)));
    let flat = a.uv == b.uv && b.uv == c.uv;
    let one = sample(texture, a.uv.x, a.uv.y);
    let width = onto.size[0];
    for y in first(top, clip.y.0)..last(bottom, clip.y.1) {
        for x in first(left, clip.x.0)..last(right, clip.x.1) {
            let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
            let weights = edges.map(|(p, q, own)| {
                let weight = cross(p, q, px, py);
                (weight > 0.0 || (weight == 0.0 && own)).then_some(weight / area)
            });
            let [Some(u), Some(v), Some(w)] = weights else {
                continue;
            };
            let mix = |pick: fn(&Vertex) -> f32| pick(&a) * u + pick(&b) * v + pick(&c) * w;
            let texel = if flat {
                one
            } else {
                sample(
                    texture,
                    mix(|corner| corner.uv.x),
                    mix(|corner| corner.uv.y),
                )
            };
            let color = |part: usize| {
                let [a, b, c] = [a, b, c].map(|corner| f32::from(corner.color[part]));
                (a * u + b * v + c * w) * texel[part] / 255.0
            };
            let source = [color(0), color(1), color(2), color(3)];
            blend(&mut onto.pixels[y * width + x], source);
        }
    }
}

fn extent(a: f32, b: f32, c: f32) -> (f32, f32) {
    (a.min(b).min(c), a.max(b).max(c))
}

/// Premultiplied, 0 to 255, over what is there.
fn blend(under: &mut Color32, over: [f32; 4]) {
    let rest = 1.0 - over[3] / 255.0;
    let parts = under.to_array();
    let mixed: [u8; 4] =
        std::array::from_fn(|part| (over[part] + f32::from(parts[part]) * rest + 0.5) as u8);
    let [r, g, b, a] = mixed;
    *under = Color32::from_rgba_premultiplied(r, g, b, a);
}

/// The texture's colour at a place (0 to 1 across and down), 0 to 255, between its four nearest texels.
fn sample(texture: &ColorImage, u: f32, v: f32) -> [f32; 4] {
    let [width, height] = texture.size;
    if width == 0 || height == 0 {
        return [0.0; 4];
    }
    let along = |share: f32, size: usize| {
        let at = (share * size as f32 - 0.5).clamp(0.0, (size - 1) as f32);
        let from = at as usize;
        (from, (from + 1).min(size - 1), at - from as f32)
    };
    let (x0, x1, right) = along(u, width);
    let (y0, y1, down) = along(v, height);
    let texel = |x: usize, y: usize| texture.pixels[y * width + x].to_array().map(f32::from);
    let (a, b, c, d) = (texel(x0, y0), texel(x1, y0), texel(x0, y1), texel(x1, y1));
    std::array::from_fn(|part| {
        let upper = a[part] + (b[part] - a[part]) * right;
        let lower = c[part] + (d[part] - c[part]) * right;
        upper + (lower - upper) * down
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{ImageData, TextureOptions, epaint::ImageDelta, pos2, vec2};
    use std::sync::Arc;

    fn painter(texels: ColorImage) -> MeshPainter {
        let mut changes = TexturesDelta::default();
        let image = ImageData::Color(Arc::new(texels));
        changes.push(
            TextureId::default(),
            ImageDelta::full(image, TextureOptions::LINEAR),
        );
        let mut painter = MeshPainter::default();
        painter.take(&changes);
        changes.clear();
        painter
    }

    fn draw(painter: &MeshPainter, mesh: Mesh, clip: Rect, scale: f32) -> ColorImage {
        let mut image = ColorImage::filled([20, 20], Color32::BLACK);
        let one = ClippedPrimitive {
            clip_rect: clip,
            primitive: Primitive::Mesh(mesh),
        };
        painter.draw(&[one], scale, &mut image);
        image
    }

    #[test]
    fn a_rectangle_covers_its_pixels_once_and_not_beyond_its_clip() {
        let painter = painter(ColorImage::filled([1, 1], Color32::WHITE));
        let mut mesh = Mesh::default();
        // Half of white over black, two triangles: their common edge must not be drawn twice.
        let half = Color32::from_rgba_premultiplied(100, 100, 100, 128);
        let rect = Rect::from_min_size(pos2(1.0, 2.0), vec2(6.0, 5.0));
        mesh.add_colored_rect(rect, half);
        let clip = Rect::from_min_max(pos2(0.0, 0.0), pos2(5.0, 100.0));
        let image = draw(&painter, mesh, clip, 2.0);
        for y in 0..20 {
            for x in 0..20 {
                let inside = (2..10).contains(&x) && (4..14).contains(&y);
                let wanted = if inside { [100; 3] } else { [0; 3] };
                let [r, g, b, _] = image.pixels[y * 20 + x].to_array();
                assert_eq!([r, g, b], wanted, "{x} {y}");
            }
        }
    }

    #[test]
    fn a_texture_is_shown_texel_by_texel_and_patched() {
        let mut texels = ColorImage::filled([4, 4], Color32::BLACK);
        texels.pixels[5] = Color32::RED;
        let mut painter = painter(texels);
        let mut changes = TexturesDelta::default();
        let patch = ImageData::Color(Arc::new(ColorImage::filled([1, 1], Color32::GREEN)));
        changes.push(
            TextureId::default(),
            ImageDelta::partial([3, 2], patch, TextureOptions::LINEAR),
        );
        painter.take(&changes);
        changes.clear();
        let mut mesh = Mesh::default();
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        let rect = Rect::from_min_size(pos2(10.0, 10.0), vec2(4.0, 4.0));
        mesh.add_rect_with_uv(rect, whole, Color32::WHITE);
        let image = draw(&painter, mesh, Rect::EVERYTHING, 1.0);
        assert_eq!(image.pixels[11 * 20 + 11], Color32::RED);
        assert_eq!(image.pixels[12 * 20 + 13], Color32::GREEN);
        assert_eq!(image.pixels[11 * 20 + 12], Color32::BLACK);
    }

    #[test]
    fn odd_meshes_are_harmless() {
        let painter = painter(ColorImage::filled([1, 1], Color32::WHITE));
        let mut mesh = Mesh::default();
        for x in [f32::NAN, f32::INFINITY, -1e30, 1e30] {
            mesh.colored_vertex(pos2(x, 3.0), Color32::WHITE);
        }
        for [a, b, c] in [[0, 1, 2], [1, 2, 3], [2, 3, 9], [3, 3, 3]] {
            mesh.indices.extend([a, b, c]);
        }
        assert_eq!(draw(&painter, mesh, Rect::EVERYTHING, 1.0).size, [20, 20]);
    }
}
