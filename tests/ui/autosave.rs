//! No file and no change is lost: autosaves, files that other programs change, and files that can no longer be read.

use super::window::*;
use hitstop::core::edit::EditableScene;
use hitstop::core::shape::Shape;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const SCENE: &str = "Scene(version: 1, name: \"kept\", dt: 0.0625, frames: 2, objects: [
    (name: \"ball\", shape: Sphere(radius: 0.5))])";

const UNREADABLE: &str = "Scene(version: 1, this is no scene";

/// The text with another radius.
fn radius(text: &str, metres: &str) -> String {
    text.replace("radius: 0.5", &format!("radius: {metres}"))
}

fn autosave(folder: &TempDir, kept: &Value) -> PathBuf {
    let recovery = folder.path().join("recovery");
    fs::create_dir(&recovery).unwrap();
    let place = recovery.join("3.json");
    fs::write(&place, kept.to_string()).unwrap();
    place
}

/// A window that offers this autosave when it opens.
fn with_autosave(kept: impl FnOnce(&Path) -> Value) -> (Window, PathBuf) {
    let mut place = PathBuf::new();
    let window = Window::open(|folder| {
        place = autosave(folder, &kept(folder.path()));
        None
    });
    assert!(window.has("Recover"));
    (window, place)
}

/// The same for changes to `scene.ron` that are no scene, in a folder with one file; also the bytes of the autosave.
fn with_unreadable_autosave(existing: &str) -> (Window, PathBuf, Vec<u8>) {
    let (window, place) = with_autosave(|folder| {
        fs::write(folder.join(existing), SCENE).unwrap();
        json!({"file": folder.join("scene.ron"), "bundled": null, "text": UNREADABLE})
    });
    let before = fs::read(&place).unwrap();
    (window, place, before)
}

impl Window {
    fn path(&self) -> PathBuf {
        self.folder.path().join("scene.ron")
    }

    fn shows(&self, text: &str) -> bool {
        let mut found = self.harness.query_all_by_label_contains(text);
        found.next().is_some()
    }

    fn until_shown(&mut self, text: &str) {
        self.until(text, |model| {
            let mut shown = model.messages.shown().iter();
            shown.any(|message| message.text().contains(text))
        });
        assert!(self.shows(text), "{text} is on the screen");
    }

    fn until_text(&mut self, text: &str) {
        self.until(text, |model| {
            let shown = model.scene_doc().and_then(EditableScene::text);
            shown.is_some_and(|shown| **shown == *text)
        });
    }

    fn save(&mut self) {
        self.keys(Modifiers::COMMAND, Key::S);
        self.until("it is saved or the prompt is shown", |model| {
            !model.is_saving()
        });
    }
}

/// A path relative to the working directory, in a folder that lives as long as the first.
fn relative_file() -> (TempDir, PathBuf) {
    let target = Path::new("../../target");
    fs::create_dir_all(target).unwrap();
    let folder = tempfile::tempdir_in(target).unwrap();
    let name = folder.path().file_name().unwrap();
    let file = target.join(name).join("a.ron");
    (folder, file)
}

#[test]
fn an_autosave_names_its_file_by_an_absolute_path() {
    let (_folder, relative) = relative_file();
    assert!(relative.is_relative());
    fs::write(&relative, SCENE).unwrap();
    let opened = relative.clone();
    let mut window = Window::open(|_| Some(Source::File(opened)));
    window.until_text(SCENE);
    window.apply(Command::EditText(radius(SCENE, "0.75")));
    let own = window.folder.path().join("recovery/0.json");
    window.until("it is kept", |_| own.exists());
    let kept: Value = serde_json::from_str(&fs::read_to_string(own).unwrap()).unwrap();
    let wanted = std::env::current_dir().unwrap().join(&relative);
    assert_eq!(kept["file"], wanted.to_str().unwrap());
}

#[test]
fn an_autosave_with_a_relative_path_never_overwrites_a_file() {
    let (_folder, relative) = relative_file();
    let other = SCENE.replace("kept", "another");
    fs::write(&relative, &other).unwrap();
    let text = radius(SCENE, "0.75");
    let kept = json!({"file": relative, "bundled": null, "text": text});
    let (mut window, place) = with_autosave(|_| kept);
    assert!(window.shows("Its folder is not known"));
    window.click("Recover");
    window.until_text(&text);
    let source = &window.model().document().unwrap().source;
    assert!(
        matches!(source, Source::New(_)),
        "saving asks where: {source:?}"
    );
    assert!(window.model().has_unsaved());
    let path = window.path();
    window.apply(Command::SaveTo(path.clone()));
    window.until("it is saved", |model| !model.has_unsaved());
    assert_eq!(fs::read_to_string(path).unwrap(), text);
    assert_eq!(fs::read_to_string(&relative).unwrap(), other);
    window.until("the autosave is not needed any more", |_| !place.exists());
}

#[test]
fn an_autosave_is_recovered_with_its_meshes_when_its_file_is_gone() {
    let text = "Scene(version: 1, name: \"room\", dt: 0.0625, frames: 2, objects: [
        (name: \"wall\", shape: Mesh(file: \"wall.obj\"), motion: Fixed)])";
    let (mut window, place) = with_autosave(|folder| {
        fs::write(
            folder.join("wall.obj"),
            "v 0 0 0\nv 3 0 0\nv 0 1 0\nf 1 2 3\n",
        )
        .unwrap();
        json!({"file": folder.join("scene.ron"), "bundled": null, "text": text})
    });
    window.click("Recover");
    window.until_text(text);
    let own = window.folder.path().join("recovery/0.json");
    assert!(
        place.exists() || own.exists(),
        "the text is in one file at least"
    );
    let Shape::Mesh(mesh) = &window.scene().objects[0].shape else {
        panic!("a mesh")
    };
    assert_eq!(mesh.vertex(1).x, 3.0);
    assert!(window.model().has_unsaved());
    window.until_shown("deleted or renamed");
    window.save();
    assert_eq!(fs::read_to_string(window.path()).unwrap(), text);
    window.until("the autosave is not needed any more", |_| !place.exists());
}

#[test]
fn an_unreadable_autosave_is_kept_and_applied_to_no_other_level() {
    let (mut window, place, before) = with_unreadable_autosave("other.ron");
    window.click("Recover");
    window.until_shown("the autosaved changes cannot be opened");
    let other = window.folder.path().join("other.ron");
    window.apply(Command::Open(other.clone()));
    window.until("the other level is open", |model| {
        model.scene_doc().is_some()
    });
    let scene_doc = window.model().scene_doc().unwrap();
    assert!(scene_doc.draft.is_none());
    assert_eq!(window.text(), SCENE);
    assert_eq!(fs::read(&place).unwrap(), before);
}

#[test]
fn an_autosaved_text_that_does_not_match_its_file_is_kept() {
    let (mut window, place, before) = with_unreadable_autosave("scene.ron");
    window.click("Recover");
    window.until_shown("shown in the text panel only");
    let draft = window.model().scene_doc().unwrap().draft.as_ref();
    assert_eq!(draft.unwrap().0, UNREADABLE);
    assert_eq!(fs::read(&place).unwrap(), before);
}

#[test]
fn a_failed_autosave_is_shown_once_and_tried_again() {
    let mut window = Window::with(SCENE);
    let recovery = window.folder.path().join("recovery");
    let own = recovery.join("0.json");
    // A folder with the path of the autosave: writing it fails.
    fs::create_dir(&own).unwrap();
    window.apply(Command::EditText(radius(SCENE, "0.75")));
    window.until_shown("not autosaved");
    let shown = |model: &Model| {
        let shown = model.messages.shown().iter();
        let times = shown.filter(|one| one.text().contains("not autosaved"));
        times.map(|one| one.times).sum::<u32>()
    };
    let begun = Instant::now();
    window.until("it was tried again", |_| begun.elapsed() > 3 * AUTOSAVE);
    assert_eq!(shown(window.model()), 1);
    fs::remove_dir(&own).unwrap();
    window.until("it is kept", |_| own.is_file());
    window.until("the message is gone", |model| shown(model) == 0);
}

#[test]
fn a_missing_autosave_folder_is_shown_and_tried_again() {
    let mut window = Window::open(|folder| {
        write(folder, "recovery", "a file where the folder should be");
        Some(Source::File(write(folder, "scene.ron", SCENE)))
    });
    window.until_text(SCENE);
    window.apply(Command::EditText(radius(SCENE, "0.75")));
    window.until_shown("not autosaved");
    let recovery = window.folder.path().join("recovery");
    fs::remove_file(&recovery).unwrap();
    window.until("it is kept", |_| recovery.join("0.json").exists());
    window.until("the message is gone", |model| {
        model.messages.shown().is_empty()
    });
}

#[test]
fn a_file_written_in_two_steps_is_no_conflict() {
    let mut window = Window::with(SCENE);
    let (path, wanted) = (window.path(), radius(SCENE, "0.75"));
    fs::write(&path, &wanted[..60]).unwrap();
    window.until_shown("scene.ron");
    assert!(!window.model().has_unsaved());
    assert_eq!(window.text(), SCENE);
    fs::write(&path, &wanted).unwrap();
    window.until_text(&wanted);
    assert!(window.model().prompt.is_none() && !window.model().has_unsaved());
    assert!(
        window.model().messages.shown().is_empty(),
        "the error is old"
    );
}

#[test]
fn a_file_that_another_program_changed_is_not_overwritten_without_confirmation() {
    let mut window = Window::with(SCENE);
    let path = window.path();
    let (mine, theirs) = (radius(SCENE, "0.75"), radius(SCENE, "0.25"));
    window.apply(Command::EditText(mine.clone()));
    fs::write(&path, &theirs).unwrap();
    window.until("the prompt is shown", |model| model.prompt.is_some());
    window.click("Keep my changes");
    assert_eq!(window.text(), mine);
    let on_disk = || fs::read_to_string(&path).unwrap();
    for answer in ["Cancel", "Overwrite the file"] {
        window.save();
        assert!(window.shows("Overwrite the changes of another program"));
        assert_eq!(on_disk(), theirs);
        assert!(window.model().has_unsaved());
        window.click(answer);
    }
    window.until("it is saved", |model| !model.is_saving());
    assert_eq!(on_disk(), mine);
    assert!(!window.model().has_unsaved());

    // A file that cannot be read as a scene is not overwritten without confirmation either.
    fs::write(&path, "unfinished").unwrap();
    window.until_shown("scene.ron");
    window.save();
    window.click("Cancel");
    assert_eq!(on_disk(), "unfinished");
    // While no other program writes the file, saving shows no prompt.
    fs::write(&path, &mine).unwrap();
    window.until("the message is gone", |model| {
        model.messages.shown().is_empty()
    });
    window.apply(Command::EditText(theirs.clone()));
    window.save();
    assert_eq!(on_disk(), theirs);
}

#[test]
fn a_change_just_before_a_save_is_found_by_the_save() {
    let mut window = Window::with(SCENE);
    let path = window.path();
    window.until("the first look is over", |model| model.session.is_some());
    window.apply(Command::EditText(radius(SCENE, "0.75")));
    let theirs = radius(SCENE, "0.25");
    fs::write(&path, &theirs).unwrap();
    window.apply(Command::Save);
    window.until("the prompt is shown", |model| model.prompt.is_some());
    assert_eq!(fs::read_to_string(&path).unwrap(), theirs);
}

#[cfg(unix)]
#[test]
fn a_file_replaced_by_a_device_is_not_read() {
    let mut window = Window::with(SCENE);
    let path = window.path();
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    window.until_shown("this is a device, not a file");
    assert_eq!(window.text(), SCENE);
    window.key(Key::F5);
    window.until("the file is refused", |model| model.loading().is_none());
    assert_eq!(window.text(), SCENE);
}

#[test]
fn a_deleted_file_is_shown_and_saving_writes_it_again() {
    let mut window = Window::with(SCENE);
    let path = window.path();
    fs::remove_file(&path).unwrap();
    window.until_shown("the file was deleted or renamed");
    assert!(window.shows("save the scene to write the file again"));
    assert!(window.model().has_unsaved(), "closing asks first");
    window.save();
    assert_eq!(fs::read_to_string(&path).unwrap(), SCENE);
    assert!(!window.model().has_unsaved());
    assert!(!window.shows("deleted or renamed"));

    // Its discarded changes were asked about again and again.
    fs::remove_file(&path).unwrap();
    window.until_shown("the file was deleted or renamed");
    window.keys(Modifiers::COMMAND, Key::W);
    window.click("Discard the changes");
    assert!(window.model().session.is_none());
    fs::write(&path, SCENE).unwrap();
    window.apply(Command::Open(path.clone()));
    window.until_text(SCENE);

    // A file that reappears is the saved one again.
    fs::remove_file(&path).unwrap();
    window.until_shown("the file was deleted or renamed");
    fs::write(&path, SCENE).unwrap();
    window.until("it is back", |model| !model.has_unsaved());
    assert!(!window.shows("deleted or renamed"));
}
