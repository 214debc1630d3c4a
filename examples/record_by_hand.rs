//! Writes a log in ten lines, with the standard library only. Try it:
//!
//! ```text
//! cargo run --no-default-features --example record_by_hand > shot.jsonl && hitstop check shot.jsonl
//! ```

fn main() {
    let shot = r#"{"id": 0, "name": "shot", "shape": {"sphere": {"radius": 0.1}}}"#;
    let wall = r#"{"id": 1, "name": "wall", "shape": {"box": {"half_extents": [0.05, 2, 2]}}, "motion": "fixed"}"#;
    println!(r#"{{"hitstop": 1, "name": "by hand", "dt": 0.02, "objects": [{shot}, {wall}]}}"#);
    for frame in 0..10 {
        // 50 m/s: a metre a frame, and the wall and the ball together are 0.3 m thick.
        let x = -4.5 + f64::from(frame);
        let body = format!(r#"{{"id": 0, "p": [{x}, 0, 0], "v": [50, 0, 0]}}"#);
        println!(r#"{{"frame": {frame}, "bodies": [{body}]}}"#);
    }
}
