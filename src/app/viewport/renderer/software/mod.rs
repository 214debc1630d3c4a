//! The rasteriser for machines without a GPU, and for pictures without a display: the same bytes everywhere.
//!
//! Balls are ray-cast, boxes and meshes are triangles with exact (integer) edges, lines are distances to a segment. Each
//! pixel has four samples for depth and colour; tiles are drawn side by side. Only `+ - * /` and the square root are used
//! on the way to a byte, so that no machine's mathematics library shows.

mod setup;
mod tile;

use super::super::draw_list::DrawList;
use rayon::prelude::*;
use setup::Scene;

/// Edge of a tile, pixels.
const TILE: usize = 64;

/// Draws a picture of `width` by `height` pixels: rows from the top, four bytes (red, green, blue, 255) a pixel.
pub fn render(picture: &DrawList, width: usize, height: usize) -> Vec<u8> {
    if width == 0 || height == 0 {
        return Vec::new();
    }
    let scene = Scene::new(picture, width, height);
    let columns = width.div_ceil(TILE);
    let rows = height.div_ceil(TILE);
    let bins = scene.bins(columns, rows);
    let tiles: Vec<Vec<u8>> = bins
        .par_iter()
        .enumerate()
        .map(|(index, bin)| tile::draw(&scene, bin, index % columns * TILE, index / columns * TILE))
        .collect();
    let mut bytes = vec![255; width * height * 4];
    for (index, tile) in tiles.iter().enumerate() {
        let (left, top) = (index % columns * TILE, index / columns * TILE);
        let wide = TILE.min(width - left) * 4;
        for y in 0..TILE.min(height - top) {
            let to = ((top + y) * width + left) * 4;
            let from = y * TILE * 4;
            bytes[to..to + wide].copy_from_slice(&tile[from..from + wide]);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::super::super::draw_list::{
        BoxInstance, CameraParams, DrawList, Line, SphereInstance, Vertex,
    };
    use super::render;
    use glam::{Mat3, Vec3};

    const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
    const BLUE: [f32; 4] = [0.0, 0.0, 1.0, 1.0];
    const BLACK: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

    /// Looks along -z from z = 10; 10 metres away the picture is 20 metres high.
    fn lens(perspective: bool) -> CameraParams {
        CameraParams {
            eye: Vec3::new(0.0, 0.0, 10.0),
            view_from_world: Mat3::IDENTITY,
            half_size: if perspective {
                [1.0, 1.0]
            } else {
                [10.0, 10.0]
            },
            perspective,
            depth: if perspective { 0.01 } else { 2e4 },
            points: 400.0,
        }
    }

    fn picture(perspective: bool) -> DrawList {
        DrawList::empty(lens(perspective), [BLACK, BLACK])
    }

    fn ball(center: Vec3, radius: f32, color: [f32; 4]) -> SphereInstance {
        SphereInstance {
            center,
            radius,
            color,
        }
    }

    fn pixel(bytes: &[u8], width: usize, x: usize, y: usize) -> [u8; 3] {
        let at = (y * width + x) * 4;
        [bytes[at], bytes[at + 1], bytes[at + 2]]
    }

    /// A crowd with everything in it, from a small generator.
    fn crowd() -> DrawList {
        let mut seed = 7_u32;
        let mut next = move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 24) as f32 * 2.0 - 1.0
        };
        let mut picture = picture(true);
        for _ in 0..300 {
            let mut point = || Vec3::new(next() * 8.0, next() * 8.0, next() * 8.0);
            let (p, q, r) = (point(), point(), point());
            picture.balls.push(ball(p, 0.4, RED));
            picture.blocks.push(BoxInstance {
                center: q,
                axes: [Vec3::X * 0.3, Vec3::Y * 0.3, Vec3::Z * 0.3],
                color: BLUE,
            });
            picture.lines.push(Line {
                a: p,
                b: r,
                width: 1.5,
                color_a: [0.2, 0.9, 0.3, 0.7],
                color_b: BLUE,
                occluded_alpha: 0.2,
            });
            for position in [p, q, r] {
                picture.shells.push(Vertex {
                    position,
                    normal: Vec3::ZERO,
                    color: [0.5, 0.5, 0.9, 0.3],
                });
            }
        }
        picture
    }

    #[test]
    fn silhouette_of_a_ball_covers_its_disc() {
        // Orthographic: the silhouette is a disc of the ball's radius. 2 metres are 40 pixels here.
        let mut picture = picture(false);
        picture
            .balls
            .push(ball(Vec3::new(0.37, -0.21, 0.0), 2.0, RED));
        let bytes = render(&picture, 400, 400);
        // Lit red is never 0 in its red part, the sky is: count by how much of the full colour the rim pixels hold.
        let inside = bytes.chunks(4).filter(|pixel| pixel[0] > 0).count() as f64;
        let area = std::f64::consts::PI * 40.0 * 40.0;
        // Every touched pixel counts whole: about half a pixel too much along the rim, 2 pi 40 / 2 = 126.
        assert!((inside - area - 126.0).abs() < area * 0.01, "{inside}");
    }

    #[test]
    fn perspective_silhouette_is_the_tangent_cone() {
        // On the axis: tangent of the cone is r / sqrt(d^2 - r^2) = 6 / 8, half the picture's height is tangent 1.
        let mut picture = picture(true);
        picture.balls.push(ball(Vec3::ZERO, 6.0, RED));
        let bytes = render(&picture, 400, 400);
        let row: Vec<usize> = (0..400)
            .filter(|&x| pixel(&bytes, 400, x, 200)[0] > 0)
            .collect();
        assert!((row[0] as f64 - 50.0).abs() <= 1.0, "{}", row[0]);
        assert!((row[row.len() - 1] as f64 - 349.0).abs() <= 1.0);
    }

    #[test]
    fn nearer_hides_farther_in_any_order() {
        for perspective in [true, false] {
            let near = ball(Vec3::new(0.0, 0.0, 3.0), 1.0, RED);
            let far = ball(Vec3::new(0.0, 0.0, -3.0), 2.0, BLUE);
            for balls in [vec![near, far], vec![far, near]] {
                let mut picture = picture(perspective);
                picture.balls = balls;
                let bytes = render(&picture, 400, 400);
                let [r, _, b] = pixel(&bytes, 400, 200, 200);
                assert!(r > b, "{perspective}");
            }
        }
    }

    #[test]
    fn a_box_hides_what_is_inside_and_is_cut_by_what_pokes_out() {
        let mut picture = picture(false);
        picture.blocks.push(BoxInstance {
            center: Vec3::ZERO,
            axes: [Vec3::X * 2.0, Vec3::Y * 2.0, Vec3::Z * 2.0],
            color: BLUE,
        });
        picture
            .balls
            .push(ball(Vec3::new(-1.0, 0.0, 0.0), 0.5, RED));
        picture.balls.push(ball(Vec3::new(1.0, 0.0, 1.9), 0.5, RED));
        let bytes = render(&picture, 400, 400);
        let [hidden, _, over] = pixel(&bytes, 400, 180, 200);
        assert!(over > hidden);
        let [seen, _, under] = pixel(&bytes, 400, 220, 200);
        assert!(seen > under);
        // 4 by 4 metres are 80 by 80 pixels.
        let filled = bytes
            .chunks(4)
            .filter(|pixel| pixel[0] > 0 || pixel[2] > 0)
            .count();
        assert_eq!(filled, 6400);
    }

    #[test]
    fn a_line_covers_length_times_width() {
        let mut picture = picture(false);
        picture.lines.push(Line {
            a: Vec3::new(-4.0, -1.0, 0.0),
            b: Vec3::new(4.0, 1.0, 0.0),
            width: 5.0,
            color_a: [1.0; 4],
            color_b: [1.0; 4],
            occluded_alpha: 0.0,
        });
        let bytes = render(&picture, 400, 400);
        let covered: f64 = bytes
            .chunks(4)
            .map(|pixel| f64::from(pixel[0]) / 255.0)
            .sum();
        let exact = (160.0_f64.powi(2) + 40.0_f64.powi(2)).sqrt() * 5.0;
        assert!((covered - exact).abs() < exact * 0.02, "{covered} {exact}");
    }

    #[test]
    fn the_same_bytes_with_one_thread_and_four() {
        let picture = crowd();
        let with = |threads| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("a pool of threads")
                .install(|| render(&picture, 333, 257))
        };
        assert_eq!(with(1), with(4));
    }

    #[test]
    fn a_shared_edge_of_two_shells_is_drawn_once() {
        let mut picture = picture(false);
        let corner = |x: f32, y: f32| Vertex {
            position: Vec3::new(x, y, 0.0),
            normal: Vec3::ZERO,
            color: [1.0, 1.0, 1.0, 0.5],
        };
        let (a, b, c, d) = (
            corner(-5.3, -4.1),
            corner(6.2, -5.7),
            corner(4.9, 5.5),
            corner(-6.6, 3.8),
        );
        picture.shells.extend([a, b, c, a, c, d]);
        let bytes = render(&picture, 400, 400);
        let most = bytes.chunks(4).map(|pixel| pixel[0]).max();
        assert!(most <= Some(129), "{most:?}");
        for step in 1..20 {
            let (x, y) = (step as f32 / 20.0, step as f32 / 20.0);
            let at = (-5.3 + x * 10.2, -4.1 + y * 9.6);
            let (px, py) = (200.0 + at.0 * 20.0, 200.0 - at.1 * 20.0);
            let [seen, ..] = pixel(&bytes, 400, px as usize, py as usize);
            assert!((126..=129).contains(&seen), "{seen} on the diagonal");
        }
    }

    #[test]
    fn odd_input_is_harmless() {
        let mut picture = crowd();
        picture.balls.push(ball(Vec3::NAN, 1.0, RED));
        picture.balls.push(ball(Vec3::ZERO, f32::INFINITY, RED));
        picture
            .balls
            .push(ball(Vec3::new(0.0, 0.0, 10.0), 5.0, RED));
        picture.blocks.push(BoxInstance {
            center: Vec3::ZERO,
            axes: [Vec3::X * 1e30, Vec3::Y * 1e9, Vec3::ZERO],
            color: RED,
        });
        picture.lines.push(Line {
            a: Vec3::NAN,
            b: Vec3::splat(1e30),
            width: f32::NAN,
            color_a: RED,
            color_b: RED,
            occluded_alpha: 1.0,
        });
        for (width, height) in [(0, 5), (1, 1), (65, 63)] {
            assert_eq!(render(&picture, width, height).len(), width * height * 4);
        }
        picture.lens.eye = Vec3::NAN;
        assert_eq!(render(&picture, 10, 10).len(), 400);
    }
}
