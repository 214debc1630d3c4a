//! The text of the progress.

use crate::core::number::count;

/// `substeps 6..9: 40 of about 96 runs, 12 s left`.
pub(super) fn progress_text(now: &str, done: usize, expected: usize, elapsed: f64) -> String {
    let mut text = format!("{now}: {done} of about {}", count(expected, "run"));
    if let Some(each) = (done > 0).then(|| elapsed / done as f64) {
        let left = each * expected.saturating_sub(done) as f64;
        text += &format!(", {} left", time(left));
    }
    text
}

/// A time that was estimated: `12 s`, `3 min`, `2 h`.
fn time(seconds: f64) -> String {
    const MINUTE: f64 = 60.0;
    const HOUR: f64 = 3600.0;
    match seconds {
        _ if seconds < 2.0 * MINUTE => format!("{} s", seconds.ceil()),
        _ if seconds < 2.0 * HOUR => format!("{} min", (seconds / MINUTE).ceil()),
        _ => format!("{} h", (seconds / HOUR).ceil()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 30 s for 10 runs are 3 s for each of the 86 that are left: 258 s.
    #[test]
    fn the_time_left_is_that_of_the_runs_so_far() {
        let text =
            |done, expected, elapsed| progress_text("substeps 6..9", done, expected, elapsed);
        assert_eq!(text(0, 1, 5.0), "substeps 6..9: 0 of about 1 run");
        assert_eq!(
            text(10, 96, 30.0),
            "substeps 6..9: 10 of about 96 runs, 5 min left"
        );
        assert_eq!(
            text(95, 96, 9.5),
            "substeps 6..9: 95 of about 96 runs, 1 s left"
        );
        assert_eq!(
            text(1, 1001, 60.0),
            "substeps 6..9: 1 of about 1\u{a0}001 runs, 17 h left"
        );
        assert_eq!(
            text(3, 2, 1.0),
            "substeps 6..9: 3 of about 2 runs, 0 s left"
        );
    }
}
