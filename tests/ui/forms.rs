//! Fields of forms that are not a number: bookmarks, tables, marks, import of mesh files.

use super::window::*;
use hitstop::core::scene::{CameraMovement, Expectation, MeshSource, Movement, Probe};
use hitstop::core::shape::Shape;

#[test]
fn fields_that_affect_the_selected_finding_are_marked() {
    let mut window = Window::with(BULLET);
    assert!(window.model().selected_finding().is_some());
    for field in [
        "velocity",
        "radius",
        "half extents",
        "frame length",
        "detection",
    ] {
        assert!(window.has(&format!("{field} matters")), "{field}");
    }
    assert!(!window.has("gravity matters") && !window.has("rotation matters"));
    window.choose("detection", "sweep");
    window.looked_through();
    assert!(
        window.model().document().unwrap().findings().is_empty(),
        "the sweep sees it"
    );
    assert!(!window.has("Relevant fields"));
}

#[test]
fn numbers_are_parsed_with_units_and_invalid_ones_reported() {
    let mut window = Window::bullet();
    window.key(Key::Escape);
    window.click_row("bullet");
    window.fill("radius", "25 cm");
    assert_eq!(
        window.scene().objects[0].shape,
        Shape::Sphere { radius: 0.25 }
    );
    let before = window.text().to_owned();
    for (field, typed, why) in [
        ("radius", "-1", "-1 cannot be: it must be above 0"),
        (
            "position x",
            "4oo",
            "“4oo” is not a number: write 3.5, 400/60 or 2*pi",
        ),
    ] {
        window.fill(field, typed);
        assert!(window.has(why), "{field}: {typed}");
        assert_eq!(window.text(), before);
    }
    window.fill("velocity x", "36 km/h");
    assert!(!window.has("“4oo” is not a number: write 3.5, 400/60 or 2*pi"));
    assert_eq!(window.scene().objects[0].velocity.x, 10.0);
    window.key(Key::Escape);
    window.fill("frames", "2.5");
    assert!(window.has("2.5 is not a whole number"));
    window.fill("frames", "4*10");
    window.fill("frame length", "50 Hz");
    assert_eq!((window.scene().frames, window.scene().dt), (40, 0.02));
}

#[test]
fn bookmarks_probe_lines_and_camera_keyframes_are_edited() {
    let mut window = Window::bullet();
    window.click("Bookmark the playhead");
    window.fill("bookmark 1 frame", "3");
    window.fill("bookmark 1 note", "it is past");
    let bookmark = &window.scene().bookmarks[0];
    assert_eq!((bookmark.frame, bookmark.note.as_str()), (3, "it is past"));
    window.click("Has camera");
    window.choose("probe", "its own lines");
    window.click("Add a line");
    window.fill("line 6 z", "-2");
    let Probe::Lines(lines) = &window.scene().camera.as_ref().unwrap().probe else {
        panic!("{:?}", window.scene().camera);
    };
    assert_eq!((lines.len(), lines[5].z), (6, -2.0));
    window.choose("camera motion", "keyframes");
    window.fill("key 0 rotation y", "90/2");
    window.fill("key 0 x", "7");
    let CameraMovement::Keyframes(frames) = &window.scene().camera.as_ref().unwrap().movement
    else {
        panic!("{:?}", window.scene().camera);
    };
    let turn = glam::DQuat::from_rotation_y(std::f64::consts::FRAC_PI_4);
    assert!(frames[0].rotation.abs_diff_eq(turn, 1e-12));
    assert_eq!(frames[0].position.x, 7.0);
    window.click("Remove bookmark 1");
    assert!(window.scene().bookmarks.is_empty());
}

#[test]
fn a_renamed_object_is_renamed_everywhere() {
    let text = BULLET.trim_end_matches(')').to_owned()
        + r#"expect: [Hit(a: "bullet", b: "paper", frame: 1, fraction: 0.421875), Finds(kind: Tunnels, b: "bullet"),
        Push(object: "paper", against: "bullet", frame: 1, is: (0, 0, 0), expected_to_fail: "known")])"#;
    let mut window = Window::with(&text);
    window.key(Key::Escape);
    window.click_row("bullet");
    window.apply(Command::TogglePin);
    window.settle();
    window.fill("name", "shell");
    assert!(!window.text().contains("\"bullet\""), "{}", window.text());
    let claims: Vec<&Expectation> = window
        .scene()
        .expect
        .iter()
        .map(|one| &one.expectation)
        .collect();
    assert!(matches!(claims[0], Expectation::Hit { a, b, .. } if a == "shell" && b == "paper"));
    assert!(matches!(claims[1], Expectation::Finds { b: Some(b), .. } if b == "shell"));
    assert!(matches!(claims[2], Expectation::Push { against: Some(one), .. } if one == "shell"));
    assert_eq!(window.model().selection.objects(), [0]);
    let pinned = window.session().pins.list();
    assert_eq!(pinned, [hitstop::core::replay::Subject::Object(0)]);
}

#[test]
fn an_expectation_is_marked_expected_to_fail_with_its_reason() {
    let mut window = Window::bullet();
    window.click("Expect…");
    window.click("That two never touch");
    window.looked_through();
    window.click("expectation 1 is expected to fail");
    window.fill("expectation 1 reason", "no sweep yet");
    window.looked_through();
    let expected = &window.scene().expect[0];
    assert_eq!(expected.expected_to_fail.as_deref(), Some("no sweep yet"));
    assert!(window.text().contains("expected_to_fail: \"no sweep yet\""));
    window.click("Remove expectation 1");
    assert!(window.scene().expect.is_empty());
}

/// Two objects: a triangle, and a square of two.
const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\no wedge\nf 1 2 3\no side\nf 2 3 4 1\n";

#[test]
fn a_mesh_file_becomes_objects_or_one_mesh() {
    let mut window = Window::bullet();
    let path = write(&window.folder, "parts.obj", OBJ);
    window.apply(Command::Import(path.clone()));
    window.until("it is read", |model| model.import().is_some());
    assert!(window.has("As one mesh: 1 object, 3 triangles"));
    assert!(window.has("As an object for each part: 2 objects, 3 triangles"));
    window.click("Import");
    let names: Vec<&str> = window
        .scene()
        .objects
        .iter()
        .skip(3)
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["wedge", "side"]);
    assert_eq!(
        window.model().selection.objects(),
        [3, 4],
        "they are selected"
    );
    assert_eq!(window.scene().objects[3].movement, Movement::Fixed);
    window.undo();
    assert_eq!(window.scene().objects.len(), 3);

    window.apply(Command::Import(path));
    window.until("it is read", |model| model.import().is_some());
    window.click("As one mesh: 1 object, 3 triangles");
    window.click("Solid from the front only");
    window.click("Import");
    let object = &window.scene().objects[3];
    assert_eq!(
        object.mesh,
        Some(MeshSource::File("parts.obj".into())),
        "it lies in the scene's folder"
    );
    assert!(
        window
            .text()
            .contains("Mesh(file: \"parts.obj\", facing: Front)"),
        "{}",
        window.text()
    );

    window.apply(Command::Import("nothing.obj".into()));
    window.until("the message is shown", |model| {
        !model.messages.shown().is_empty()
    });
    assert!(window.model().import().is_none());
}

#[test]
fn a_mesh_file_in_other_units_has_another_size_and_enter_imports_it() {
    let mut window = Window::bullet();
    let path = write(&window.folder, "parts.obj", OBJ);
    window.apply(Command::Import(path));
    window.until("it is read", |model| model.import().is_some());
    assert!(window.has("Size: 1 m wide, 1 m high, 1 m deep"));
    let centimetres = |model: &Model| model.import().is_some_and(|one| one.units.length == 0.01);
    window.click("Unit cm");
    window.until("it is read in centimetres", centimetres);
    assert!(window.has("Size: 0.01 m wide, 0.01 m high, 0.01 m deep"));
    window.click("Z up");
    window.until("it is read with Z up", |model| {
        let import = model.import();
        import.is_some_and(|one| one.units.up == hitstop::core::scene::Axis::Z)
    });
    window.click("As one mesh: 1 object, 3 triangles");
    window.key(Key::Escape);
    assert!(window.model().import().is_none());
    let path = window.folder.path().join("parts.obj");
    window.apply(Command::Import(path));
    window.until("it is read", |model| model.import().is_some());
    window.key(Key::Enter);
    assert_eq!(window.scene().objects.len(), 5);
}

#[test]
fn a_mesh_file_on_the_start_page_begins_a_scene() {
    let mut window = Window::start_page();
    let path = write(&window.folder, "parts.obj", OBJ);
    window.apply(Command::Import(path));
    window.until("the import is offered", |model| model.import().is_some());
    window.click("Import");
    assert_eq!(window.scene().objects.len(), 2);
}

/// A number with more digits than fit into the field, and one that is out of the range of its field.
#[test]
fn focusing_a_number_does_not_change_it() {
    let text = BULLET
        .replace("dt: 0.0625", "dt: 0.016666666666666666")
        .replace("radius: 0.5", "radius: 0.30000000000000004");
    let mut window = Window::with(&text);
    window.key(Key::Escape);
    for field in ["frame length", "frames"] {
        window.look_at(field);
    }
    window.click_row("bullet");
    for field in ["radius", "velocity x", "position x", "rotation y"] {
        window.look_at(field);
    }
    assert_eq!(window.text(), text);
    assert!(!window.model().has_unsaved());
    // A line of the probe beyond the range of its field, and finer than it is shown.
    let lines = vec![glam::DVec3::new(2000.0, 1.0 / 3.0, 0.1 + 0.2)];
    window.keys(Modifiers::ALT, Key::Num9);
    window.apply(Command::SetProbeLines(lines.clone()));
    window.settle();
    for field in ["Line 1 start x", "Line 1 start y", "Line 1 start z"] {
        window.look_at(field);
    }
    assert_eq!(window.session().probe.lines(), lines);
}

#[test]
fn every_prompt_has_its_action_rightmost_and_cancel_before_it() {
    let order = |window: &Window, [out, take]: [&str; 2]| {
        let (out, take) = (window.rect(out), window.rect(take));
        assert!(out.right() < take.left(), "{out} {take}");
        assert_eq!(out.center().y, take.center().y);
    };
    let mut window = Window::bullet();
    let path = write(&window.folder, "parts.obj", OBJ);
    window.apply(Command::Import(path));
    window.until("it is read", |model| model.import().is_some());
    order(&window, ["Cancel", "Import"]);
    window.click("Cancel");
    assert!(window.model().import().is_none());
    window.click_row("bullet");
    window.key(Key::Delete);
    window.keys(Modifiers::COMMAND, Key::W);
    order(&window, ["Cancel", "Save the changes"]);
    order(&window, ["Discard the changes", "Save the changes"]);
    order(&window, ["Cancel", "Discard the changes"]);
}

/// A number is shown with fewer digits than it has; typing replaces all of them.
#[test]
fn typing_replaces_the_whole_number() {
    let text = BULLET
        .replace("dt: 0.0625", "dt: 0.016666666666666666")
        .replace("radius: 0.5", "radius: 0.30000000000000004");
    let mut window = Window::with(&text);
    window.key(Key::Escape);
    let replace = |window: &mut Window, field: &str, typed: &str| {
        window.click_into(field);
        window.harness.event(egui::Event::Text(typed.to_owned()));
        window.settle();
        window.key(Key::Enter);
    };
    replace(&mut window, "frame length", "0.02");
    assert_eq!(window.scene().dt, 0.02);
    window.apply(Command::Seek {
        frame: 7,
        fraction: 1.0 / 3.0,
    });
    window.settle();
    replace(&mut window, "Fraction", "0.5");
    assert_eq!(window.moment(), (7, 0.5));
    window.click_row("bullet");
    replace(&mut window, "radius", "0.4");
    assert_eq!(
        window.scene().objects[0].shape,
        Shape::Sphere { radius: 0.4 }
    );
}

#[test]
fn escape_restores_a_text_and_its_undo_ends_at_the_object() {
    let mut window = Window::bullet();
    window.click_row("bullet");
    window.fill("name", "shell");
    window.click_row("paper");
    let typed = |window: &mut Window, keys: &[(Modifiers, Key)]| {
        let name = window
            .harness
            .get_by_role_and_label(Role::TextInput, "name");
        name.click();
        window.settle();
        for &(modifiers, key) in keys {
            window.keys(modifiers, key);
        }
    };
    typed(&mut window, &[(Modifiers::COMMAND, Key::A)]);
    let name = window
        .harness
        .get_by_role_and_label(Role::TextInput, "name");
    name.type_text("card");
    window.settle();
    window.key(Key::Escape);
    assert_eq!(window.scene().objects[1].name, "paper", "it was cancelled");
    // The same file, opened again: the field takes the place of the renamed object's.
    window.apply(Command::Save);
    window.until("it is saved", |model| !model.has_unsaved());
    let other = BULLET.replace("\"bullet\"", "\"pellet\"");
    let path = write(&window.folder, "other.ron", &other);
    window.apply(Command::Open(path));
    window.until("the other is open", |model| {
        let scene = model.scene_doc().map(|one| &one.scene);
        scene.is_some_and(|scene| scene.objects[0].name == "pellet")
    });
    window.click_row("pellet");
    let back = (Modifiers::COMMAND, Key::Z);
    typed(&mut window, &[back, back, back]);
    window.key(Key::Enter);
    assert_eq!(window.scene().objects[0].name, "pellet");
}

#[test]
fn escape_restores_a_filter() {
    let mut window = Window::bullet();
    let filter = |window: &mut Window, text: &str| {
        let field = window.harness.get_by_label("Filter objects");
        field.focus();
        field.type_text(text);
        window.settle();
    };
    filter(&mut window, "pap");
    assert!(
        window
            .harness
            .query_by_role_and_label(Role::ListItem, "bullet")
            .is_none()
    );
    window.key(Key::Escape);
    assert!(
        window
            .harness
            .query_by_role_and_label(Role::ListItem, "bullet")
            .is_some()
    );
}

#[test]
fn the_error_of_a_number_covers_no_field_and_ends_with_the_next_operation() {
    let mut window = Window::bullet();
    window.click_row("bullet");
    window.fill("radius", "1/0");
    let why = "“1/0” is not a number: write 3.5, 400/60 or 2*pi";
    let error = window.rect(why);
    for field in [
        "radius",
        "position x",
        "position y",
        "position z",
        "velocity x",
    ] {
        let field = window
            .harness
            .query_all_by_label(field)
            .last()
            .unwrap()
            .rect();
        assert!(!field.intersects(error), "{field:?} lies under {error:?}");
    }
    let next = window
        .harness
        .get_by(|node| node.role() != Role::Label && node.label().as_deref() == Some("position x"));
    next.click();
    window.settle();
    assert!(!window.has(why));
}

#[test]
fn a_compound_is_edited_part_by_part() {
    let mut window = Window::bullet();
    window.click_row("bullet");
    window.choose("shape", "compound");
    window.fill("part 0 radius", "0.3");
    window.fill("part 1 position x", "1");
    window.click("Add a part");
    window.choose("part 3 shape", "cylinder");
    window.fill("part 3 half height", "2");
    window.click("Remove part 1");
    let scene = window.scene();
    let Shape::Compound(compound) = &scene.objects[0].shape else {
        panic!("{:?}", scene.objects[0].shape);
    };
    let kinds: Vec<_> = compound
        .parts()
        .iter()
        .map(|part| part.shape.kind_name())
        .collect();
    assert_eq!(kinds, ["Sphere", "Box", "Cylinder"]);
    assert_eq!(compound.parts()[0].shape, Shape::Sphere { radius: 0.3 });
    let text = window.text();
    assert!(
        text.contains("Compound([") && text.contains("half_height: 2.0"),
        "{text}"
    );
}

/// A change of the scene's own fields dropped its ignored pairs.
#[test]
fn bodies_and_ignored_pairs_have_forms() {
    let mut window = Window::bullet();
    window.click_row("bullet");
    window.click("More fields");
    window.fill("body", "rifle");
    assert_eq!(window.scene().objects[0].body.as_deref(), Some("rifle"));
    window.key(Key::Escape);
    window.click("Ignored pairs");
    window.click("Add a pair");
    let pair = [("bullet".to_owned(), "paper".to_owned())];
    assert_eq!(window.scene().ignore, pair);
    window.fill("frames", "7");
    assert_eq!(
        (window.scene().frames, &window.scene().ignore[..]),
        (7, &pair[..])
    );
    window.click("Remove pair 1");
    assert!(window.scene().ignore.is_empty());
}
