//! Presets of lines for a camera's probe. Each line is an offset: it extends from `+offset` to `-offset` around the camera.
//! Offsets are along the world's axes; the caller rotates them for a rotated camera.

use glam::DVec3;
use std::f64::consts::PI;

/// Two lines, along Z and along X, extending `reach` metres to either side of the camera.
pub fn t_probe(reach: f64) -> Vec<DVec3> {
    vec![DVec3::Z * reach, DVec3::X * reach]
}

/// The four diagonals and the three axes of a cube with edges of 2 `half`, metres.
pub fn box_probe(half: f64) -> Vec<DVec3> {
    let corner = |x: f64, y: f64| DVec3::new(x, y, 1.0) * half;
    vec![
        corner(1.0, 1.0),
        corner(1.0, -1.0),
        corner(-1.0, 1.0),
        corner(-1.0, -1.0),
        DVec3::X * half,
        DVec3::Y * half,
        DVec3::Z * half,
    ]
}

/// `count` spokes of length `reach` (metres), spread evenly over a half ball; each line also extends to the other side.
///
/// Equal steps in height and the golden angle around (Gonzalez 2010, Measurement of areas on a sphere using Fibonacci lattices).
pub fn spoke_probe(count: usize, reach: f64) -> Vec<DVec3> {
    let golden = PI * (3.0 - 5.0_f64.sqrt());
    (0..count)
        .map(|index| {
            let height = (index as f64 + 0.5) / count as f64;
            let out = (1.0 - height * height).sqrt();
            let (sine, cosine) = (golden * index as f64).sin_cos();
            DVec3::new(out * cosine, height, out * sine) * reach
        })
        .collect()
}

/// The four corners of a near plane `near` metres ahead along -Z, each line also extending behind the camera. `fov`: vertical,
/// radians; `aspect`: width over height.
pub fn near_plane_probe(near: f64, fov: f64, aspect: f64) -> Vec<DVec3> {
    let high = near * (0.5 * fov).tan();
    let wide = high * aspect;
    [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)]
        .map(|(x, y)| DVec3::new(x * wide, y * high, -near))
        .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spokes_have_equal_length_and_are_distinct() {
        let spokes = spoke_probe(32, 0.5);
        for (index, one) in spokes.iter().enumerate() {
            assert!((one.length() - 0.5).abs() < 1e-15 && one.y > 0.0);
            for other in &spokes[..index] {
                assert!(one.distance(*other) > 0.05, "{one} {other}");
            }
        }
        assert!(spoke_probe(0, 1.0).is_empty());
    }

    /// Near 0.1 m, 60 degrees, 16:9: the corners are 0.154494 m away.
    #[test]
    fn near_plane_corners_are_at_the_analytic_distance() {
        let lines = near_plane_probe(0.1, 60_f64.to_radians(), 16.0 / 9.0);
        assert_eq!(lines.len(), 4);
        for line in lines {
            assert!((line.length() - 0.154_494).abs() < 5e-7);
            assert_eq!(line.z, -0.1);
        }
    }

    #[test]
    fn box_probe_ends_at_the_corners() {
        let lines = box_probe(0.5);
        assert_eq!(lines.len(), 7);
        assert!((lines[0].length() - 0.75_f64.sqrt()).abs() < 1e-15);
        assert_eq!(t_probe(0.5), [DVec3::Z * 0.5, DVec3::X * 0.5]);
    }
}
