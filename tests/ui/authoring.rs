//! Scenes made and edited in the window: objects, fields, text, undo and redo, files.

use super::window::*;
use hitstop::core::scene::{DiskFolder, Expectation, Scene};

impl Window {
    pub fn scene(&self) -> &Scene {
        &self.model().scene_doc().unwrap().scene
    }

    pub fn text(&self) -> &str {
        let text = self.model().scene_doc().unwrap().text();
        text.expect("the text is up to date")
    }

    pub fn looked_through(&mut self) {
        self.until("the scene is looked through", |model| {
            model.diagnosing().is_none() && report(model).is_some()
        });
    }

    /// Focuses a field, and replaces its text.
    pub fn fill(&mut self, name: &str, text: &str) {
        fn field<'t>(window: &'t Window, name: &'t str) -> egui_kittest::Node<'t> {
            window.harness.get_by(move |node| {
                node.role() != Role::Label && node.label().as_deref() == Some(name)
            })
        }
        field(self, name).focus();
        self.harness.step();
        self.press(Modifiers::COMMAND, Key::A);
        let typed = egui::Event::Text(text.to_owned());
        self.harness.input_mut().events.push(typed);
        self.key(Key::Enter);
    }

    pub fn open_menu(&mut self, menu: &str) {
        let found = self.harness.query_all_by_label(menu);
        found
            .min_by(|a, b| a.rect().top().total_cmp(&b.rect().top()))
            .unwrap()
            .click_accesskit();
        self.settle();
    }

    pub fn menu(&mut self, menu: &str, item: &str) {
        self.open_menu(menu);
        self.harness
            .get_by_role_and_label(Role::MenuItem, item)
            .click_accesskit();
        self.settle();
    }

    pub fn undo(&mut self) {
        self.keys(Modifiers::COMMAND, Key::Z);
    }

    pub fn new_scene() -> Self {
        let mut window = Self::start_page();
        window.keys(Modifiers::COMMAND, Key::N);
        window.until("the new scene is open", |model| model.scene_doc().is_some());
        window
    }
}

/// An edit that takes the finding away while the explanation of the object names it.
#[test]
fn the_explanation_of_an_object_follows_the_latest_diagnosis() {
    let mut window = Window::bullet();
    window.click_row("bullet");
    window.keys(Modifiers::ALT, Key::Num4);
    window.key(Key::End);
    let names = |window: &Window| {
        let links = window.harness.query_all_by_label("finding 1");
        links.count()
    };
    window.until("it is explained", |model| {
        let derived = &session(model).derived;
        derived.motion.of(0).is_some() && !model.jobs.is_running(JobKind::ExplainMotion)
    });
    window.settle();
    assert_eq!(names(&window), 1);
    window.keys(Modifiers::ALT, Key::Num3);
    window.fill("velocity x", "4");
    window.keys(Modifiers::ALT, Key::Num4);
    window.looked_through();
    window.settle();
    assert!(report(window.model()).unwrap().findings.is_empty());
    assert_eq!(names(&window), 0);
}

#[test]
fn a_scene_of_two_objects_and_an_expectation_is_saved_and_check_passes() {
    let mut window = Window::new_scene();
    assert!(!window.model().has_unsaved(), "it was not changed yet");
    window.fill("frame length", "1/16");
    window.menu("Add", "Box");
    window.menu("Add", "Sphere");
    assert_eq!(
        window.model().selection.objects(),
        [1],
        "the new one is selected"
    );
    window.fill("position x", "-6/2 - 1");
    window.fill("velocity x", "48");
    let ball = &window.scene().objects[1];
    assert_eq!((ball.pose.position.x, ball.velocity.x), (-4.0, 48.0));
    // From -4 to -1 m, where it touches the box's face at -0.5 m with its radius: the end of frame 0, and 3 m more in the next.
    window.looked_through();
    window.key(Key::Escape);
    window.click_row("sphere");
    window.keys(Modifiers::COMMAND, Key::A);
    assert_eq!(window.model().selection.objects(), [0, 1]);
    window.key(Key::Escape);
    window.apply(Command::SelectPair(0, 1));
    window.settle();
    window.apply(Command::Select(None));
    window.settle();
    window.click("Expect no findings");
    assert_eq!(
        window.scene().expect[0].expectation,
        Expectation::NoFindings { kind: None }
    );
    window.looked_through();
    let path = window.folder.path().join("mine.ron");
    window.apply(Command::SaveTo(path.clone()));
    window.until("it is saved", |model| !model.is_saving());
    assert!(!window.model().has_unsaved());
    let level = level::open(&path, &()).unwrap();
    assert_eq!(level.replay.objects().len(), 2);
    let report = diagnose(&level, &Options::default(), &()).unwrap();
    assert_eq!(report.expectations.len(), 1);
}

const COMMENTED: &str = "    objects: [\n        // The fast one.\n";

fn commented() -> Window {
    let mut window = Window::with(&BULLET.replace("    objects: [\n", COMMENTED));
    window.key(Key::Escape);
    window.key(Key::Home);
    window
}

#[test]
fn every_change_is_undone_and_redone_and_an_unchanged_scene_keeps_its_bytes() {
    let mut window = commented();
    let original = window.text().to_owned();
    window.click_row("bullet");
    window.click("More fields");
    window.fill("name", "shell");
    window.fill("mass", "2");
    let changed = window.text().to_owned();
    assert!(
        changed.contains("// The fast one.\n        (name: \"shell\""),
        "{changed}"
    );
    assert!(changed.contains("mass: 2.0"), "{changed}");
    assert_eq!(window.model().selection.objects(), [0], "it stays selected");
    let history = &window.model().scene_doc().unwrap().history;
    assert_eq!(history.undoes(), Some("Mass of shell"));
    window.key(Key::Escape);
    window.undo();
    window.undo();
    assert_eq!(window.text(), original);
    assert!(!window.model().has_unsaved());
    window.keys(Modifiers::COMMAND, Key::Y);
    window.keys(Modifiers::COMMAND, Key::Y);
    assert_eq!(window.text(), changed);
}

#[test]
fn dragging_a_number_is_one_undo_step() {
    let mut window = commented();
    window.click_row("bullet");
    let rect = window.rect("position y");
    window.harness.drag_at(rect.center());
    window.settle();
    for step in 1..8 {
        window
            .harness
            .hover_at(rect.center() + vec2(step as f32 * 6.0, 0.0));
        window.settle();
    }
    window.harness.drop_at(rect.center() + vec2(50.0, 0.0));
    window.settle();
    assert!(window.scene().objects[0].pose.position.y > 0.1);
    let history = &window.model().scene_doc().unwrap().history;
    assert_eq!(history.names(), (vec!["Move bullet"], 1));
    window.undo();
    assert_eq!(window.scene().objects[0].pose.position.y, 0.0);
}

#[test]
fn findings_follow_a_change() {
    let mut window = commented();
    assert_eq!(window.model().document().unwrap().findings().len(), 1);
    window.click_row("bullet");
    // 1/4 m a frame: the ball is detected at the paper.
    window.fill("velocity x", "4");
    window.looked_through();
    assert_eq!(window.model().document().unwrap().findings().len(), 0);
    window.undo();
    window.looked_through();
    assert_eq!(window.model().document().unwrap().findings().len(), 1);
}

#[test]
fn objects_are_duplicated_deleted_copied_and_pasted() {
    let mut window = commented();
    window.click_row("paper");
    window.keys(Modifiers::COMMAND, Key::D);
    assert_eq!(window.scene().objects[3].name, "paper 2");
    assert_eq!(window.model().selection.objects(), [3]);
    window.key(Key::Delete);
    assert_eq!(window.scene().objects.len(), 3);
    window.click_row("bullet");
    window.harness.event(egui::Event::Copy);
    window.harness.step();
    let commands = &window.harness.output().platform_output.commands;
    let copied = |text: &String| text.starts_with("(name: \"bullet\"") && text.ends_with("),\n");
    assert!(
        commands
            .iter()
            .any(|command| matches!(command, egui::OutputCommand::CopyText(text) if copied(text))),
        "{commands:?}"
    );
    let text = "(name: \"bullet\", shape: Sphere(radius: 0.25)), // mine";
    window.harness.event(egui::Event::Paste(text.into()));
    window.settle();
    assert_eq!(window.scene().objects[3].name, "bullet 2");
    assert!(window.text().contains("// The fast one."));
    window.harness.event(egui::Event::Paste("no object".into()));
    window.settle();
    assert_eq!(window.scene().objects.len(), 4);
    assert!(!window.model().messages.shown().is_empty());
}

#[test]
fn text_and_viewport_follow_each_other() {
    let mut window = commented();
    window.keys(Modifiers::ALT, Key::T);
    let broken = window.text().replace("radius: 0.5", "raduis: 0.5");
    window.apply(Command::EditText(broken.clone()));
    window.settle();
    assert!(
        window
            .harness
            .query_all_by_label_contains("raduis is not a field")
            .count()
            > 0
    );
    let scene_doc = window.model().scene_doc().unwrap();
    assert_eq!(
        scene_doc.draft.as_ref().unwrap().0,
        broken,
        "what was typed stays"
    );
    let fixed = broken.replace("raduis: 0.5", "radius: 0.75");
    window.apply(Command::EditText(fixed.clone()));
    window.settle();
    assert_eq!(window.text(), fixed);
    let scene = window.model().document().unwrap().replay().scene();
    assert_eq!(**scene, *window.scene(), "the picture is stepped from it");
    window.click_row("bystander");
    window.fill("position z", "40");
    assert_eq!(
        window.text(),
        fixed.replace("(0.0, 0.0, 30.0)", "(0.0, 0.0, 40.0)")
    );
}

#[test]
fn an_error_in_the_text_does_not_interrupt_typing() {
    let mut window = commented();
    window.keys(Modifiers::ALT, Key::T);
    window.harness.get_by_label("The scene as text").focus();
    window.settle();
    let text = window.text().to_owned();
    for typed in ["x", "yz", " ("] {
        window.harness.event(egui::Event::Text(typed.into()));
        window.settle();
    }
    let scene_doc = window.model().scene_doc().unwrap();
    let (draft, problems) = scene_doc.draft.as_ref().unwrap();
    assert!(draft.contains("xyz (") && !problems.is_empty());
    assert_eq!(draft.replacen("xyz (", "", 1), text, "in one place");
}

#[test]
fn unsaved_changes_are_confirmed_before_they_are_lost() {
    let mut window = commented();
    window.click_row("bullet");
    window.click("More fields");
    window.fill("mass", "3");
    window.key(Key::Escape);
    window.keys(Modifiers::COMMAND, Key::W);
    assert!(window.model().session.is_some());
    window.click("Cancel");
    assert!(window.model().prompt.is_none() && window.model().has_unsaved());
    window.keys(Modifiers::COMMAND, Key::W);
    window.key(Key::Escape);
    assert!(window.model().prompt.is_none() && window.model().has_unsaved());
    window.keys(Modifiers::COMMAND, Key::W);
    window.settle();
    window.key(Key::Enter);
    window.until("it is saved and closed", |model| model.session.is_none());
    let path = window.folder.path().join("scene.ron");
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(
        saved.contains("mass: 3.0") && saved.contains("// The fast one."),
        "{saved}"
    );
    window.apply(Command::Open(path.clone()));
    window.until("it is open again", |model| model.scene_doc().is_some());
    window.click_row("bullet");
    window.fill("mass", "4");
    window.key(Key::Escape);
    window.keys(Modifiers::COMMAND, Key::W);
    window.click("Discard the changes");
    assert!(window.model().session.is_none());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), saved);
}

#[test]
fn a_recording_is_read_only_with_a_message() {
    let mut window = Window::start_page();
    window.apply(Command::OpenBundled("recordings/warehouse.jsonl".into()));
    window.until("it is open", |model| model.session.is_some());
    window.keys(Modifiers::COMMAND, Key::A);
    window.key(Key::Delete);
    let problem = &window.model().messages.shown()[0].problem;
    assert!(
        problem.what.starts_with("Recordings are read-only"),
        "{problem}"
    );
    assert!(
        problem.what.contains("Save frame as test scene"),
        "{problem}"
    );
}

#[test]
fn a_bundled_scene_is_saved_as_a_file_with_its_mesh() {
    let mut window = Window::start_page();
    window.apply(Command::OpenBundled("mesh_room.ron".into()));
    window.until("it is open", |model| model.scene_doc().is_some());
    let path = window.folder.path().join("room.ron");
    window.apply(Command::SaveTo(path.clone()));
    window.until("it is saved", |model| !model.is_saving());
    let text = std::fs::read_to_string(&path).unwrap();
    let folder = DiskFolder {
        root: window.folder.path().to_owned(),
    };
    let scene = hitstop::core::scene::parse(&text, "room.ron", &folder).unwrap();
    assert_eq!(&scene, window.scene(), "its mesh is in it now");
    assert_eq!(window.model().settings.recent[0], path);
}

#[test]
fn the_history_lists_changes_and_goes_back_to_one() {
    let mut window = commented();
    window.click_row("bullet");
    window.click("More fields");
    window.fill("mass", "3");
    window.fill("spin z", "2");
    window.keys(Modifiers::ALT, Key::H);
    window.click("As opened");
    assert_eq!(window.scene().objects[0].mass, 1.0);
    window.click("Mass of bullet");
    assert_eq!(window.scene().objects[0].mass, 3.0);
    assert_eq!(window.scene().objects[0].spin.z, 0.0);
    window.click("Spin of bullet");
    assert_eq!(window.scene().objects[0].spin.z, 2.0);
}

#[test]
fn a_file_changed_outside_is_reloaded_or_confirmed() {
    let mut window = commented();
    let path = window.folder.path().join("scene.ron");
    let original = window.text().to_owned();
    let other = original.replace("frames: 40", "frames: 41 /* by another hand */");
    std::fs::write(&path, &other).unwrap();
    window.until("it is read again", |model| {
        model
            .scene_doc()
            .is_some_and(|scene_doc| scene_doc.scene.frames == 41)
    });
    assert_eq!(window.text(), other);
    assert!(!window.model().has_unsaved());
    window.click_row("bullet");
    window.fill("velocity y", "1");
    std::fs::write(&path, &original).unwrap();
    window.until("the prompt is shown", |model| model.prompt.is_some());
    window.keys(Modifiers::COMMAND, Key::S);
    window.key(Key::Enter);
    assert!(
        window.model().prompt.is_some() && window.model().has_unsaved(),
        "no key answers the prompt by accident"
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), original);
    window.click("Keep my changes");
    assert!(window.model().has_unsaved());
    assert_eq!(window.scene().frames, 41);
    std::fs::write(&path, format!("{original} ")).unwrap();
    window.until("the prompt is shown again", |model| model.prompt.is_some());
    window.click("Use the file");
    assert_eq!(window.text(), format!("{original} "));
    assert!(!window.model().has_unsaved());
    window.undo();
    assert_eq!(
        window.scene().objects[0].velocity.y,
        1.0,
        "what was here can be had back"
    );
}

#[test]
fn unsaved_changes_survive_the_end_of_the_program() {
    let kept = r#"{"file": null, "bundled": "bullet_through_paper.ron", "text": TEXT}"#;
    let text = include_str!("../../scenes/bullet_through_paper.ron")
        .replace("radius: 0.05", "radius: 0.0625");
    let kept = kept.replace("TEXT", &format!("{text:?}"));
    let mut window = Window::open(|folder| {
        let place = folder.path().join("recovery");
        std::fs::create_dir(&place).unwrap();
        std::fs::write(place.join("3.json"), &kept).unwrap();
        None
    });
    assert!(window.model().prompt.is_some());
    window.click("Recover");
    window.until("they are back", |model| model.scene_doc().is_some());
    assert_eq!(window.text(), text);
    assert!(window.model().has_unsaved());
    // It stays in the autosave folder of this run until it is saved; until then the recovered file stays too.
    let left = window.folder.path().join("recovery/3.json");
    let own = window.folder.path().join("recovery/0.json");
    assert!(left.exists() || own.exists());
    window.until("it is kept", |_| own.exists());
    window.until("what was left is removed", |_| !left.exists());
    assert!(std::fs::read_to_string(&own).unwrap().contains("0.0625"));
    window.undo();
    window.until("there is nothing to keep", |_| !own.exists());
}

#[test]
fn an_expectation_of_a_recorded_scene_names_the_objects_of_its_log() {
    let mut window = Window::start_page();
    window.apply(Command::OpenBundled("warehouse_ccd.ron".into()));
    window.until("it is open", |model| model.scene_doc().is_some());
    window.settle();
    for field in [
        "expectation 2 a: bullet 120 m/s",
        "expectation 2 b: thin wall",
    ] {
        assert!(window.has(field), "{field}");
    }
}
