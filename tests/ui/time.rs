//! The playhead: playing, stepping, dragging, pausing.

use super::window::*;

#[test]
fn opening_goes_to_the_first_finding() {
    let window = Window::with(BULLET);
    let (frame, fraction) = window.moment();
    assert_eq!(frame, 1);
    assert!((fraction - IMPACT).abs() < 1e-9, "{fraction}");
    assert_eq!(window.model().finding(), Some(0));
    assert_eq!(window.model().selection.pair(), Some((0, 1)));
    assert!(window.has("Copy finding as text"));
}

#[test]
fn play_and_pause_by_key_and_by_button() {
    let mut window = Window::bullet();
    // A pass takes a quarter of a second here.
    window.apply(Command::SetSpeed(0.125));
    window.key(Key::Space);
    assert!(window.model().playback.playing().is_some());
    assert!(window.model().playback.playhead().position() > 0.0);
    window.key(Key::Space);
    assert_eq!(window.model().playback.playing(), None);
    window.click("Play or pause");
    assert!(window.model().playback.playing().is_some());
    window.click("Play or pause");
    assert_eq!(window.model().playback.playing(), None);
    // The button now has the focus: Space still plays, and only once.
    window.key(Key::Space);
    assert!(window.model().playback.playing().is_some());
}

#[test]
fn frames_are_stepped_by_keys() {
    let mut window = Window::bullet();
    window.key(Key::ArrowRight);
    assert_eq!(window.moment(), (1, 0.0));
    window.keys(Modifiers::SHIFT, Key::ArrowRight);
    assert_eq!(window.moment(), (11, 0.0));
    window.key(Key::Comma);
    assert_eq!(window.moment(), (10, 0.0));
    window.key(Key::End);
    assert_eq!(window.moment(), (39, 1.0));
    window.key(Key::Home);
    assert_eq!(window.moment(), (0, 0.0));
}

#[test]
fn every_phase_and_the_impact_are_stops_from_start_to_end() {
    let mut window = Window::bullet();
    window.key(Key::ArrowRight);
    let stops = [
        (0.0, "Start of the frame"),
        (0.0, "Broad phase: 1 candidate pair"),
        (0.0, "Sweep: 1 hit"),
        (IMPACT, "Impact at 0.4219: bullet hits paper"),
        (1.0, "Advance to 1.0000"),
        (1.0, "End of the frame"),
    ];
    for (index, (fraction, name)) in stops.into_iter().enumerate() {
        if index > 0 {
            window.keys(Modifiers::ALT, Key::Period);
        }
        assert_eq!(window.moment(), (1, fraction), "{name}");
        assert!(window.has(name), "{name} is shown");
    }
    window.keys(Modifiers::ALT, Key::Period);
    assert_eq!(window.moment(), (2, 0.0), "on to the next frame");
    window.keys(Modifiers::ALT, Key::Comma);
    assert_eq!(window.model().playback.inside(), Inside::Last);
    for (fraction, name) in stops.into_iter().rev() {
        assert_eq!(window.moment(), (1, fraction), "{name}, backward");
        assert!(window.has(name), "{name} is shown, backward");
        window.keys(Modifiers::ALT, Key::Comma);
    }
    assert_eq!(window.moment(), (0, 1.0));
    // The name is beside the playhead, in the strip.
    window.click("Phase 2: Sweep: no hits");
    let (name, strip) = (
        window.rect("Sweep: no hits"),
        window.rect("Inside the frame"),
    );
    assert!(strip.contains_rect(name), "{name:?} {strip:?}");
    assert!(name.left() - strip.left() < 80.0, "{name:?} {strip:?}");
}

/// A blade turns by one radian in the frame, and a ball hangs half a radian ahead, 1 m from the hub: the flank touches it asin(0.12)
/// before the middle. The camera moves from z = 20 to 18, through the face of a wall at 19.6.
const BLADE_AND_CAMERA: &str = r#"Scene(
    version: 1, name: "Blade and camera", dt: 0.016666666666666666, frames: 2, response: Push,
    objects: [
        (name: "blade", shape: Box(half_extents: (1.5, 0.1, 0.02)), spin: (0.0, 60.0, 0.0), motion: Kinematic),
        (name: "ball", shape: Sphere(radius: 0.1), position: (0.8775825618903728, 0.0, -0.479425538604203)),
        (name: "wall", shape: Box(half_extents: (1.0, 1.0, 0.1)), position: (0.0, 0.0, 19.5), motion: Fixed),
    ],
    camera: (position: (0.0, 0.0, 20.0), look_at: (0.0, 0.0, 0.0), motion: Velocity((0.0, 0.0, -120.0)), probe: Off),
)"#;

#[test]
fn impacts_by_rotation_and_of_the_camera_are_stops() {
    let mut window = Window::with(BLADE_AND_CAMERA);
    window.key(Key::Home);
    window.until("all impacts are known", |model| model.stops().len() == 7);
    let stops = [
        (0.0, "Sweep: no hits"),
        (0.2, "Impact at 0.2000: camera crosses wall"),
        (
            0.5 - 0.12_f64.asin(),
            "Impact at 0.3797: blade hits ball by rotation",
        ),
        (1.0, "Advance to 1.0000"),
    ];
    window.keys(Modifiers::ALT, Key::Period);
    for (fraction, name) in stops {
        window.keys(Modifiers::ALT, Key::Period);
        let (frame, at) = window.moment();
        assert_eq!(frame, 0, "{name}");
        assert!((at - fraction).abs() < 1e-9, "{name}: {at}");
        assert!(window.has(name), "{name} is shown");
    }
    window.keys(Modifiers::ALT, Key::Comma);
    assert!(window.has(stops[2].1), "backward");
    window.click("Phase 3: Impact at 0.2000: camera crosses wall");
    assert!((window.moment().1 - 0.2).abs() < 1e-9);
}

#[test]
fn playback_stops_at_a_finding() {
    let mut window = Window::bullet();
    window.apply(Command::SetSpeed(0.015625));
    window.key(Key::Space);
    let mut steps = 0;
    while !window.model().playback.is_frozen() {
        window.harness.step();
        steps += 1;
        assert!(steps < 1_000, "it is met");
    }
    assert_eq!(window.moment(), (1, IMPACT));
    window.harness.step();
    assert_eq!(window.moment(), (1, IMPACT), "time stands still");
    assert!(window.has("hitstop"));
    window.key(Key::Space);
    window.key(Key::Home);
    window.keys(Modifiers::COMMAND, Key::H);
    assert!(window.model().freeze_points().is_empty());
}

/// It stopped at every impact of any pair once, and got through five frames of a pile in ten seconds.
#[test]
fn playback_stops_at_impacts_of_the_selected_pair_alone() {
    let mut window = Window::with(&BULLET.replace("detection: Overlap", "detection: Sweep"));
    window.apply(Command::Seek {
        frame: 1,
        fraction: 0.0,
    });
    window.apply(Command::Select(None));
    window.settle();
    assert!(window.model().freeze_points().is_empty());
    window.apply(Command::SelectPair(1, 0));
    let [stop] = window.model().freeze_points()[..] else {
        panic!("one stop");
    };
    assert!((stop - 1.0 - IMPACT).abs() < 1e-6, "{stop}");
}

#[test]
fn the_gap_plot_shows_a_lens_on_the_overlap() {
    let mut window = Window::with(BULLET);
    let dragged = |window: &mut Window| {
        window.drag("Gap over the frame", 0.3, 0.8);
        let (frame, fraction) = window.moment();
        assert_eq!(frame, 1);
        fraction
    };
    assert!(window.has("Impact 0.4219") && window.has("Separation 0.5781"));
    // They touch at 0.421875 and separate 1.25 m of 8 later, at 0.578125. The margins are half as long: 0.34375 to 0.65625.
    let fraction = dragged(&mut window);
    assert!((fraction - 0.59375).abs() < 1e-3, "{fraction}");
    // To the end of the frame: 0.6875 to 1.
    window.drag("Lens on the frame", 0.5, 0.95);
    let fraction = dragged(&mut window);
    assert!((fraction - 0.9375).abs() < 1e-3, "{fraction}");
    window.click("Whole frame");
    let fraction = dragged(&mut window);
    assert!((fraction - 0.8).abs() < 0.02, "{fraction}");
    assert!(!window.has("Lens on the frame"));
    // Where nothing overlaps, the lens is the whole frame.
    window.click("Whole frame");
    assert!(window.has("Lens on the frame"));
    window.key(Key::Home);
    assert!(!window.has("Lens on the frame"));
}

#[test]
fn dragging_the_ruler_moves_through_time_and_inside_frames() {
    let mut window = Window::bullet();
    window.drag("Timeline", 0.5, 0.7503);
    let at = window.model().playback.playhead().position();
    assert!((29.9..30.4).contains(&at), "{at}");
    window.drag("Inside the frame", 0.2, 0.5);
    let (frame, fraction) = window.moment();
    assert_eq!(frame, at.floor() as u32);
    assert!((fraction - 0.5).abs() < 0.01, "{fraction}");
}

#[test]
fn focusing_a_time_field_does_not_move_the_playhead() {
    let mut window = Window::bullet();
    // A third is shown as 0.3333.
    let third = 1.0 / 3.0;
    window.apply(Command::Seek {
        frame: 7,
        fraction: third,
    });
    window.settle();
    for field in ["Fraction", "Time"] {
        window.look_at(field);
        assert_eq!(window.moment(), (7, third), "{field}");
    }
    window.fill("Fraction", "3/8");
    assert_eq!(window.moment(), (7, 0.375));
}

#[test]
fn keyframes_of_the_selection_are_marked_and_can_be_visited() {
    let mut window = Window::bullet();
    window.click_row("bullet");
    assert!(!window.has("Keyframe of bullet, frame 0"));
    for frame in [4, 20] {
        window.apply(Command::Seek {
            frame,
            fraction: 0.0,
        });
        window.settle();
        window.keys(Modifiers::SHIFT, Key::K);
    }
    let [first, second, third] = [0, 4, 20].map(|frame| {
        let mark = window.rect(&format!("Keyframe of bullet, frame {frame}"));
        mark.center().x
    });
    // As far apart as their frames.
    let frame = (third - first) / 20.0;
    assert!((second - first - 4.0 * frame).abs() < 0.5);
    window.click("Keyframe of bullet, frame 4");
    assert_eq!(window.moment(), (4, 0.0));
    window.click_row("paper");
    assert!(
        !window.has("Keyframe of bullet, frame 4"),
        "only of what is selected"
    );
}

#[test]
fn going_past_the_last_bookmark_shows_a_message() {
    let mut window = Window::bullet();
    let shows_message = |window: &Window, what: &str| {
        let last = window.model().messages.shown().last();
        assert_eq!(last.map(|last| last.problem.what.as_str()), Some(what));
        assert!(window.has(what));
    };
    window.key(Key::F4);
    shows_message(&window, "There are no bookmarks");
    window.key(Key::ArrowRight);
    window.key(Key::B);
    window.key(Key::F4);
    shows_message(&window, "no bookmark after frame 1 + 0.0000");
    window.keys(Modifiers::SHIFT, Key::F4);
    shows_message(&window, "no bookmark before frame 1 + 0.0000");
    assert_eq!(window.moment(), (1, 0.0), "it stays where it is");
}

#[test]
fn a_drag_within_one_pass_ends_where_it_is_released() {
    let mut window = Window::with(BULLET);
    for (what, share) in [
        ("Timeline", 0.5),
        ("Inside the frame", 0.75),
        ("Gap over the frame", 0.5),
    ] {
        let ends = [true, false].map(|quick| {
            window.apply(Command::Seek {
                frame: 1,
                fraction: 0.0,
            });
            window.settle();
            let rect = window.rect(what);
            let at = |share: f32| pos2(rect.left() + share * rect.width(), rect.bottom() - 30.0);
            let at = |share: f32| at(share).max(pos2(0.0, rect.top() + 9.0));
            window.harness.hover_at(at(0.3));
            window.harness.drag_at(at(0.3));
            window.settle();
            window.harness.hover_at(at(0.35));
            window.settle();
            if !quick {
                window.harness.hover_at(at(share));
                window.settle();
            }
            // The last movement and the release in one pass.
            let events = &mut window.harness.input_mut().events;
            events.push(egui::Event::PointerMoved(at(share)));
            events.push(egui::Event::PointerButton {
                pos: at(share),
                button: egui::PointerButton::Primary,
                pressed: false,
                modifiers: Modifiers::NONE,
            });
            window.settle();
            window.moment()
        });
        assert_eq!(ends[0], ends[1], "{what}");
        assert_ne!(ends[0], (1, 0.0), "{what}");
    }
}

#[test]
fn the_frame_to_go_to_is_typed_over_the_old_one() {
    let mut window = Window::with(BULLET);
    window.apply(Command::Seek {
        frame: 12,
        fraction: 0.0,
    });
    window.settle();
    window.keys(Modifiers::COMMAND, Key::G);
    let typed = egui::Event::Text("7".to_owned());
    window.harness.input_mut().events.push(typed);
    window.settle();
    window.key(Key::Enter);
    assert_eq!(window.moment(), (7, 0.0));
}
