//! Tests of the playhead.

use super::stops::Stop;
use super::*;

const DT: f64 = 1.0 / 64.0;

fn at(playback: &Playback) -> (u32, f64) {
    let Playhead { frame, fraction } = playback.playhead();
    (frame, fraction)
}

#[test]
fn plays_in_level_time() {
    let mut playback = Playback::new(60);
    playback.toggle();
    assert!(playback.advance(2.5 * DT, |_| DT, &[]));
    assert_eq!(at(&playback), (2, 0.5));
    playback.set_speed(0.5);
    assert!(playback.advance(DT, |_| DT, &[]));
    assert_eq!(at(&playback), (3, 0.0));
}

#[test]
fn each_frame_has_its_own_length() {
    let mut playback = Playback::new(3);
    playback.toggle();
    // Frame 0 lasts 1 s, frame 1 lasts 4 s.
    playback.advance(2.0, |frame| if frame == 1 { 4.0 } else { 1.0 }, &[]);
    assert_eq!(at(&playback), (1, 0.25));
}

#[test]
fn stops_at_the_end_and_restarts() {
    let mut playback = Playback::new(4);
    playback.toggle();
    assert!(!playback.advance(10.0, |_| DT, &[]));
    assert_eq!(at(&playback), (3, 1.0));
    assert_eq!(playback.playing(), None);
    playback.toggle();
    assert_eq!(at(&playback), (0, 0.0));
}

#[test]
fn plays_backward_to_the_start() {
    let mut playback = Playback::new(4);
    playback.seek(2, 0.5);
    playback.play(Direction::Backward);
    assert!(playback.advance(DT, |_| DT, &[]));
    assert_eq!(at(&playback), (1, 0.5));
    assert!(!playback.advance(2.0 * DT, |_| DT, &[]));
    assert_eq!(at(&playback), (0, 0.0));
}

#[test]
fn loops_over_the_whole_level_and_over_a_part() {
    let mut playback = Playback::new(4);
    playback.toggle_loop();
    playback.toggle();
    assert!(playback.advance(5.5 * DT, |_| DT, &[]));
    assert_eq!(at(&playback), (1, 0.5));

    playback.seek(1, 0.25);
    playback.loop_in();
    playback.seek(2, 0.25);
    playback.loop_out();
    assert_eq!(playback.loop_bounds(), (1.25, 2.25));
    playback.seek(1, 0.5);
    playback.toggle();
    assert!(playback.advance(1.0 * DT, |_| DT, &[]));
    assert_eq!(at(&playback), (1, 0.5));
}

#[test]
fn an_inverted_loop_is_widened() {
    let mut playback = Playback::new(10);
    playback.seek(2, 0.0);
    playback.loop_out();
    playback.seek(5, 0.0);
    playback.loop_in();
    assert_eq!(playback.loop_bounds(), (5.0, 10.0));
}

#[test]
fn frames_without_length_do_not_hang() {
    let mut playback = Playback::new(4);
    playback.toggle_loop();
    playback.toggle();
    assert!(playback.advance(1.0, |_| 0.0, &[]));
    playback.seek(0, 0.0);
    playback.toggle();
    assert!(playback.advance(0.1, |_| f64::NAN, &[]));
}

#[test]
fn steps_frames_in_both_directions() {
    let mut playback = Playback::new(5);
    playback.step_frames(1);
    assert_eq!(at(&playback), (1, 0.0));
    playback.seek(1, 0.4);
    playback.step_frames(1);
    assert_eq!(at(&playback), (2, 0.0));
    playback.seek(2, 0.4);
    playback.step_frames(-1);
    assert_eq!(at(&playback), (2, 0.0), "first to the start of the frame");
    playback.step_frames(-1);
    assert_eq!(at(&playback), (1, 0.0));
    playback.step_frames(-10);
    assert_eq!(at(&playback), (0, 0.0));
    playback.step_frames(10);
    assert_eq!(at(&playback), (4, 1.0), "the end");
}

/// The stops of phases at these fractions.
fn at_fractions(fractions: &[f64]) -> Vec<Stop> {
    let numbered = fractions.iter().enumerate();
    let stops = numbered.map(|(index, &fraction)| Stop {
        inside: Inside::Phase(index),
        fraction,
    });
    stops.collect()
}

#[test]
fn every_phase_is_stepped_to_forward_and_back() {
    // Start, candidates and sweep share a fraction, as pushes and the end do.
    let stops = at_fractions(&[0.0, 0.0, 0.0, 0.75, 1.0, 1.0]);
    let mut playback = Playback::new(2);
    let all: Vec<(u32, Stop)> = (0..2)
        .flat_map(|frame| stops.iter().map(move |stop| (frame, *stop)))
        .collect();
    // At the start of the level the playhead is at the first one.
    for (frame, stop) in &all[1..] {
        playback.next_phase(&stops);
        assert_eq!(at(&playback), (*frame, stop.fraction));
        assert_eq!(playback.inside(), stop.inside);
    }
    playback.next_phase(&stops);
    assert_eq!(at(&playback), (1, 1.0), "the end of the level");
    for (frame, stop) in all.iter().rev().skip(1) {
        playback.previous_phase(&stops);
        assert_eq!(at(&playback), (*frame, stop.fraction));
        assert_eq!(
            playback.stop(&stops),
            stops.iter().position(|one| one == stop)
        );
    }
    playback.previous_phase(&stops);
    assert_eq!(at(&playback), (0, 0.0), "the start of the level");
}

#[test]
fn a_free_playhead_steps_to_the_neighbouring_phases() {
    let stops = at_fractions(&[0.0, 0.25, 0.75, 1.0, 1.0]);
    let mut playback = Playback::new(2);
    playback.seek(0, 0.5);
    assert_eq!(playback.stop(&stops), None);
    playback.next_phase(&stops);
    assert_eq!(at(&playback), (0, 0.75));
    playback.seek(0, 0.5);
    playback.previous_phase(&stops);
    assert_eq!(at(&playback), (0, 0.25));
    playback.seek(0, 0.75);
    assert_eq!(playback.stop(&stops), Some(2), "exactly there");
    playback.seek(0, 1.0);
    assert_eq!(
        playback.stop(&stops),
        Some(4),
        "the end is after the pushes"
    );
    playback.next_phase(&stops);
    assert_eq!(at(&playback), (1, 0.0));
}

#[test]
fn seeking_stays_inside_the_level() {
    let mut playback = Playback::new(3);
    playback.seek(99, 0.3);
    assert_eq!(at(&playback), (2, 1.0));
    playback.seek(1, 7.0);
    assert_eq!(at(&playback), (1, 1.0));
    playback.seek(1, f64::NAN);
    assert_eq!(at(&playback), (1, 0.0));
    assert_eq!(Playback::new(0).frames(), 1);
}

#[test]
fn speeds_are_clamped() {
    let mut playback = Playback::new(3);
    playback.faster();
    assert_eq!(playback.speed(), 2.0);
    for _ in 0..20 {
        playback.slower();
    }
    assert_eq!(playback.speed(), 0.01);
    playback.set_speed(100.0);
    assert_eq!(playback.speed(), 4.0);
    playback.set_speed(f64::NAN);
    assert_eq!(playback.speed(), 4.0);
}

#[test]
fn playback_freezes_at_stops() {
    let mut playback = Playback::new(10);
    playback.toggle();
    let stops = [2.5, 2.75];
    let (ramp, width) = ramp(1.0);
    let until = (2.5 - width) * DT + ramp;
    assert!(playback.advance(until - 1e-6, |_| DT, &stops));
    assert!(!playback.is_frozen());
    assert!(playback.advance(1e-6 + 1e-9, |_| DT, &stops));
    assert_eq!(at(&playback), (2, 0.5));
    assert!(playback.is_frozen());
    assert!(playback.advance(run::HITSTOP * 0.5, |_| DT, &stops));
    assert_eq!(at(&playback), (2, 0.5));
    // The rest of the wait, and half a second: the next stop, exactly.
    playback.advance(run::HITSTOP * 0.5 + 0.5, |_| DT, &stops);
    assert_eq!(at(&playback), (2, 0.75));
    assert!(playback.is_frozen());
    playback.pause();
    assert!(!playback.is_frozen());
    playback.play(Direction::Backward);
    assert!(playback.advance(ramp, |_| DT, &stops));
    assert_eq!(at(&playback), (2, 0.5), "backward, too");
}

/// Real seconds of slow motion before a freeze, and its way in frames: the slowdown rises as a power of 64 times the speed, so that the mean is
/// (64 - 1) / ln 64 at speed 1.
fn ramp(speed: f64) -> (f64, f64) {
    let slowdown: f64 = 64.0 * speed;
    let mean = (slowdown - 1.0) / slowdown.ln();
    let width = (0.3 * speed / DT / mean).min(1.0);
    (width * DT / speed * mean, width)
}

/// Half a frame before the freeze the speed is an eighth, and so half a frame after it.
#[test]
fn slow_motion_falls_and_rises_by_the_same_factor_for_each_part_of_the_way() {
    let (ramp, width) = ramp(1.0);
    assert_eq!(width, 1.0);
    let speed_after = |seconds: f64| {
        let mut playback = Playback::new(100);
        playback.toggle();
        playback.advance(seconds, |_| DT, &[10.0]);
        let before = playback.playhead().position();
        playback.advance(1e-6, |_| DT, &[10.0]);
        let moved = playback.playhead().position() - before;
        (before, moved * DT / 1e-6)
    };
    let near = |(at, speed): (f64, f64), wanted: (f64, f64)| {
        assert!((at - wanted.0).abs() < 1e-3, "{at} {wanted:?}");
        assert!((speed / wanted.1 - 1.0).abs() < 1e-3, "{speed} {wanted:?}");
    };
    near(speed_after(5.0 * DT), (5.0, 1.0));
    // Half of the way has the slowdowns from 1 to 8: 7 of 63 parts of the time.
    near(speed_after(9.0 * DT + ramp * 7.0 / 63.0), (9.5, 1.0 / 8.0));
    let frozen = 9.0 * DT + ramp + run::HITSTOP;
    assert_eq!(speed_after(frozen - 0.1), (10.0, 0.0));
    near(speed_after(frozen + ramp * 56.0 / 63.0), (10.5, 1.0 / 8.0));
    near(speed_after(frozen + ramp + 5.0 * DT), (16.0, 1.0));
}

#[test]
fn slow_updates_keep_the_time() {
    let stops = [3.25, 40.5];
    let after = |passes: u32| {
        let mut playback = Playback::new(100_000);
        playback.set_speed(0.5);
        playback.toggle();
        for _ in 0..passes {
            playback.advance(6.0 / f64::from(passes), |_| DT, &stops);
        }
        playback.playhead().position()
    };
    // Two stops of the six seconds with slow motion on both sides, half of the rest in level time.
    let (ramp, width) = ramp(0.5);
    let wanted = (6.0 - 2.0 * run::HITSTOP - 4.0 * ramp) * 0.5 / DT + 4.0 * width;
    for passes in [360, 60, 6, 1] {
        assert!((after(passes) - wanted).abs() < 1e-6, "{passes} passes");
    }
}

/// A stop in every frame: four freezes, then one in two seconds of playback.
#[test]
fn playback_goes_on_where_stops_are_many() {
    let stops: Vec<f64> = (1..10_000).map(f64::from).collect();
    let mut playback = Playback::new(10_000);
    playback.toggle();
    for _ in 0..600 {
        playback.advance(1.0 / 60.0, |_| DT, &stops);
    }
    let played = playback.playhead().position() * DT;
    // Ten seconds: four freezes, and of the rest one in two seconds of playback; each has slow motion before and after it.
    let each = run::HITSTOP + 2.0 * ramp(1.0).0;
    let wanted = (10.0 - 4.0 * each) * run::PER_FREEZE / (run::PER_FREEZE + each);
    assert!((played - wanted).abs() < each, "{played} {wanted}");
}
