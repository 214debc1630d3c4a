//! The log of a small game, which the tests of the command line and of the window tune.

use std::fmt::Write as _;

/// A ball at 40 m/s that passes a wall between frames 3 and 4, or stops at it.
pub fn log(passes: bool) -> String {
    let mut text = String::from(
        r#"{"hitstop":1,"name":"game","dt":0.016666666666666666,"objects":[{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}},{"id":1,"name":"wall","shape":{"box":{"half_extents":[0.05,2,2]}},"motion":"fixed"}]}"#,
    );
    text.push('\n');
    for frame in 0..8 {
        let x = -2.3 + f64::from(frame) * 2.0 / 3.0;
        let x = if passes { x } else { x.min(-0.15) };
        writeln!(
            text,
            r#"{{"frame":{frame},"bodies":[{{"id":0,"p":[{x:.4},0,0]}}]}}"#
        )
        .unwrap();
    }
    text
}
