//! The window's icon: a ball at its time of impact with a thin wall.

use super::theme::{Palette, Surfaces};
use egui::{Color32, IconData};

const SIZE: u32 = 64;

/// The icon, 64 pixels square.
pub fn icon() -> IconData {
    let mut rgba = Vec::with_capacity((SIZE * SIZE * 4) as usize);
    for y in 0..SIZE {
        for x in 0..SIZE {
            // Four samples per pixel, for smooth edges.
            let mut sum = [0_u32; 4];
            for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
                let color = color_at(f64::from(x) + dx, f64::from(y) + dy).to_array();
                for (sum, part) in sum.iter_mut().zip(color) {
                    *sum += u32::from(part);
                }
            }
            rgba.extend(sum.map(|part| (part / 4) as u8));
        }
    }
    IconData {
        rgba,
        width: SIZE,
        height: SIZE,
    }
}

fn color_at(x: f64, y: f64) -> Color32 {
    let palette = Palette::DARK;
    let distance = |cx: f64, cy: f64| (x - cx).hypot(y - cy);
    // A rounded square.
    let (dx, dy) = ((x - 32.0).abs() - 20.0, (y - 32.0).abs() - 20.0);
    if dx.max(0.0).hypot(dy.max(0.0)) > 12.0 {
        return Color32::TRANSPARENT;
    }
    if (38.0..42.0).contains(&x) && (10.0..54.0).contains(&y) {
        palette.fixed
    } else if distance(27.0, 32.0) < 11.0 {
        palette.ghost_impact
    } else if (distance(52.0, 32.0) - 6.0).abs() < 1.3 {
        palette.ghost_end
    } else if (y - 32.0).abs() < 1.3 && x < 54.0 {
        palette.velocity
    } else {
        Surfaces::DARK.sunken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icon_has_all_pixels_and_round_corners() {
        let icon = icon();
        assert_eq!(icon.rgba.len(), (icon.width * icon.height * 4) as usize);
        assert_eq!(icon.rgba[3], 0, "the corner is transparent");
        let middle = ((32 * icon.width + 27) * 4) as usize;
        let [r, g, b, a] = Palette::DARK.ghost_impact.to_array();
        assert_eq!(icon.rgba[middle..middle + 4], [r, g, b, a]);
    }
}
