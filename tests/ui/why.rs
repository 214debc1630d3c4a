//! Why an object is where it is: the commands that show it, and the links of the explanation.

use super::window::*;

/// Without gravity, ten frames a second: a cue rolls at 2 m/s onto a ball, which it touches at state 2, and gives it all of its speed.
const CUE: &str = r#"{"hitstop":1,"dt":0.1,"gravity":[0,0,0],"objects":[{"id":0,"name":"cue","shape":{"sphere":{"radius":0.5}}},{"id":1,"name":"ball","shape":{"sphere":{"radius":0.5}}}]}
{"frame":0,"bodies":[{"id":0,"p":[-1.4,0,0],"v":[2,0,0]},{"id":1,"p":[0,0,0],"v":[0,0,0]}]}
{"frame":1,"bodies":[{"id":0,"p":[-1.2,0,0],"v":[2,0,0]},{"id":1,"p":[0,0,0],"v":[0,0,0]}]}
{"frame":2,"bodies":[{"id":0,"p":[-1.0,0,0],"v":[2,0,0]},{"id":1,"p":[0,0,0],"v":[0,0,0]}]}
{"frame":3,"bodies":[{"id":0,"p":[-1.0,0,0],"v":[0,0,0]},{"id":1,"p":[0.2,0,0],"v":[2,0,0]}]}
{"frame":4,"bodies":[{"id":0,"p":[-1.0,0,0],"v":[0,0,0]},{"id":1,"p":[0.4,0,0],"v":[2,0,0]}]}
"#;

fn opened() -> Window {
    let mut window =
        Window::open(|folder| Some(Source::File(write(folder, "cue.jsonl", CUE)))).checked();
    window.key(Key::Escape);
    window
}

impl Window {
    fn until_explained(&mut self, title: &str) {
        let begun = Instant::now();
        while !self.has(title) {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "{title}: {:?}",
                self.texts()
            );
            self.settle();
        }
    }
}

#[test]
fn what_pushed_an_object_is_a_link_to_its_own_explanation() {
    let mut window = opened();
    window.apply(Command::Explain(1, 4));
    window.until_explained("Why ball is here, frame 4");
    assert_eq!(window.model().selection.objects(), [1]);
    window
        .harness
        .get_by_role_and_label(Role::Link, "cue")
        .click_accesskit();
    window.settle();
    window.until_explained("Why cue is here, frame 2");
    assert_eq!(window.model().selection.objects(), [0]);
    assert_eq!(window.model().playback.playhead().frame, 2);
    let flies = "moves on by 0.4 m, and nothing changes its velocity";
    assert!(window.has(flies), "{:?}", window.texts());
}

/// From the key and from the menu of an object, with the panel closed, and also while its finding or the level's camera would be explained.
#[test]
fn why_is_it_here_shows_the_explanation_of_the_object_at_the_playhead() {
    let mut window = opened();
    window.apply(Command::Seek {
        frame: 3,
        fraction: 0.0,
    });
    window.click_row("ball");
    assert!(!window.model().shows(Pane::Explain));
    window.key(Key::Y);
    window.until_explained("Why ball is here, frame 3");
    let hit = ": moves 0.2 m, its velocity changes by 2 m/s along (1, 0, 0)";
    assert!(window.has(hit), "{:?}", window.texts());
    let row = window.harness.get_by_role_and_label(Role::ListItem, "cue");
    row.click_secondary();
    window.settle();
    window.click_item("Why is it here?");
    window.until_explained("Why cue is here, frame 3");

    let mut window = Window::with(BULLET);
    window.until("the finding is selected", |model| {
        model.finding() == Some(0)
    });
    window.click_row("bullet");
    assert_eq!(window.model().finding(), Some(0));
    window.key(Key::Y);
    window.until_explained("Why bullet is here, frame 1");
}

/// One click from the values of the object to the frame in which it was hit.
#[test]
fn the_inspector_names_the_last_change_and_a_click_goes_there() {
    let mut window = opened();
    window.apply(Command::GoToEnd);
    window.click_row("ball");
    let change = "frame 2: in contact with cue";
    window.until_explained(change);
    window.click(change);
    assert_eq!(window.moment(), (2, 0.0));
    // Before the hit it rests.
    window.until_explained("none before");
}
