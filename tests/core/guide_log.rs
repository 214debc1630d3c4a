//! The log of docs/guide.md.

use std::fmt::Write as _;

/// The engine of the guide, and its log: two balls, a wall, and an overlap test after each step.
pub fn log(substeps: u32) -> String {
    let dt = 1.0 / 60.0;
    let mut balls = [(-3.0_f64, 40.0, -0.4), (-1.0, 6.0, 0.4)];
    let mut text = format!(
        r#"{{"hitstop": 1, "name": "Shooting range", "dt": {dt}, "objects": [{{"id": 0, "name": "fast ball", "shape": {{"sphere": {{"radius": 0.1}}}}}}, {{"id": 1, "name": "slow ball", "shape": {{"sphere": {{"radius": 0.1}}}}}}, {{"id": 2, "name": "wall", "shape": {{"box": {{"half_extents": [0.05, 1, 1]}}}}, "motion": "fixed", "position": [0, 1, 0]}}]}}"#
    );
    for frame in 0..24 {
        let bodies: Vec<String> = (0..)
            .zip(&balls)
            .map(|(id, (x, v, z))| {
                format!(r#"{{"id": {id}, "p": [{x:?}, 1, {z:?}], "v": [{v:?}, 0, 0]}}"#)
            })
            .collect();
        let bodies = bodies.join(", ");
        let _ = write!(text, "\n{{\"frame\": {frame}, \"bodies\": [{bodies}]}}");
        for (x, v, _) in &mut balls {
            for _ in 0..substeps {
                *x += *v * dt / f64::from(substeps);
                if x.abs() < 0.1 + 0.05 {
                    (*x, *v) = (-0.15, -*v);
                }
            }
        }
    }
    text
}
