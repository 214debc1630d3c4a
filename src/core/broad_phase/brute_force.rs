//! The oracle: every pair is tested.

use super::Entry;

/// The same answer as [`super::candidate_pairs`] by testing every pair: the oracle, and good enough for a handful.
pub fn brute_force(entries: &[Entry]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (j, second) in entries.iter().enumerate() {
        for (i, first) in entries[..j].iter().enumerate() {
            if first.meets(second) {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::super::super::shape::Aabb;
    use super::*;
    use glam::DVec3;

    fn cube(x: f64, moves: bool) -> Entry {
        Entry {
            bounds: Some(Aabb {
                min: DVec3::new(x, 0.0, 0.0),
                max: DVec3::new(x + 1.0, 1.0, 1.0),
            }),
            moves,
        }
    }

    const PLANE: Entry = Entry {
        bounds: None,
        moves: false,
    };

    #[test]
    fn touching_counts_and_two_that_rest_do_not() {
        let entries = [
            cube(0.0, true),
            cube(1.0, false),
            cube(1.5, false),
            cube(9.0, true),
        ];
        assert_eq!(brute_force(&entries), [(0, 1)]);
    }

    #[test]
    fn the_unbounded_meet_all_that_move_and_are_finite() {
        let entries = [
            PLANE,
            cube(5.0, true),
            cube(90.0, false),
            PLANE,
            cube(f64::NAN, true),
        ];
        assert_eq!(brute_force(&entries), [(0, 1), (1, 3)]);
    }
}
