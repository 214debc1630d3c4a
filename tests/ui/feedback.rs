//! Messages, hints on the first run, images and clips.

use super::window::*;
use egui_kittest::kittest::NodeT as _;
use hitstop::app::command::arguments::Export;
use hitstop::app::model::messages::Severity;
use hitstop::core::problem::Problem;

fn contains(window: &Window, text: &str) -> bool {
    window.harness.query_all_by_label_contains(text).count() > 0
}

fn messages(window: &Window) -> Vec<String> {
    let texts = window.model().messages.log().iter();
    texts.map(|message| message.problem.what.clone()).collect()
}

#[test]
fn notifications_fade_and_stay_in_the_log() {
    let mut window = Window::with(BULLET);
    window.click("Copy finding as text");
    assert!(window.has("copied"));
    assert!(window.model().messages.shown()[0].severity == Severity::Done);
    // Steps of the harness are a quarter of a second.
    for _ in 0..40 {
        window.harness.step();
    }
    assert!(window.model().messages.shown().is_empty());
    assert!(!window.has("copied"), "its time has passed");
    window.keys(Modifiers::ALT, Key::Num0);
    assert!(window.model().shows(Pane::Messages));
    assert!(window.has("done: copied"));
    let texts = messages(&window);
    assert!(
        texts[0].starts_with("opened: 3 objects, 40 frames"),
        "{texts:?}"
    );
    assert!(texts[1].starts_with("checked: 1 finding"), "{texts:?}");
}

#[test]
fn an_error_stays_until_it_is_dismissed() {
    let mut window = Window::bullet();
    window.apply(Command::SaveFrameTo(
        window.folder.path().join("gone/frame.ron"),
    ));
    window.until("the scene is not saved", |model| !model.is_saving_excerpt());
    for _ in 0..100 {
        window.harness.step();
    }
    let what = window.model().messages.shown()[0].problem.what.clone();
    assert!(window.has(&what));
    assert!(window.has("1 error"), "the status bar counts it");
    window.click(&format!("Dismiss: {what}"));
    assert!(!window.has("1 error") && !window.has(&format!("Dismiss: {what}")));
    assert!(messages(&window).contains(&what), "the log keeps it");
}

#[test]
fn the_log_is_filtered_by_kind_and_by_text_and_unfolds_a_message() {
    let mut window = Window::bullet();
    for number in 0..300 {
        let problem = Problem::new("level.jsonl", format!("line {number} is odd"), "fix it");
        let messages = &mut window.model_mut().messages;
        messages.add(Severity::Notice, problem);
    }
    window.keys(Modifiers::ALT, Key::Num0);
    window.model_mut().messages.dismiss_all();
    window.settle();
    let rows = |window: &Window| {
        let rows = window.harness.query_all_by(|node| {
            let label = node.label().unwrap_or_default();
            node.role() == Role::ListItem && label.contains("is odd")
        });
        rows.count()
    };
    assert!(
        contains(&window, "line 299 is odd"),
        "the latest is in sight"
    );
    assert!(
        (1..40).contains(&rows(&window)),
        "only what is seen is made"
    );
    window.click("List messages: Notice");
    assert_eq!(rows(&window), 0);
    window.click("List messages: Notice");
    let field = window.harness.get_by_label("Filter messages");
    field.focus();
    field.type_text("LINE 17 is");
    window.settle();
    assert_eq!(rows(&window), 1);
    window.click("notice: level.jsonl: line 17 is odd (fix it)");
    assert!(window.has("Copy this message") && window.has("fix it"));
}

#[test]
fn first_run_shows_three_hints_once() {
    let mut window = Window::of_newcomer(BULLET);
    for (title, next) in [
        ("Start with a finding", "Next hint"),
        ("Look inside the frame", "Next hint"),
        ("Find anything", "Got it"),
    ] {
        assert!(window.has(title), "{title}");
        window.click(next);
        assert!(!window.has(title), "{title}");
    }
    assert_eq!(window.model().ui_state.hint, None);
    window.click("Help");
    window.click("Show hints");
    assert!(window.has("Start with a finding"));
    window.key(Key::Escape);
    assert!(!window.has("Start with a finding"));

    let kept = window.saved_settings();
    assert!(kept.hints_seen, "the next run shows none");
    let known = Window::with(BULLET);
    assert_eq!(known.model().ui_state.hint, None);
}

#[test]
fn hints_can_be_skipped_at_once() {
    let mut window = Window::of_newcomer(BULLET);
    window.click("No more hints");
    assert_eq!(window.model().ui_state.hint, None);
}

/// A PNG's width and height, from its header.
fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

/// Number of images in a GIF: one graphic control block each.
fn gif_images(bytes: &[u8]) -> usize {
    assert_eq!(&bytes[..6], b"GIF89a");
    let controls = bytes
        .windows(8)
        .filter(|block| block[..3] == [0x21, 0xF9, 0x04] && block[7] == 0);
    controls.count()
}

fn export(window: &mut Window, what: Export, name: &str) -> PathBuf {
    let path = window.folder.path().join(name);
    window.apply(Command::Export(what, path.clone()));
    window.harness.step();
    window.until("it is saved", |model| model.exporting().is_none());
    path
}

#[test]
fn the_viewport_is_saved_as_an_image_of_its_size() {
    let Some(mut window) = Window::drawn(BULLET) else {
        return;
    };
    // A small image is drawn faster.
    window.key(Key::F6);
    window.harness.set_size(vec2(240.0, 180.0));
    window.settle();
    let path = export(&mut window, Export::Image, "view.png");
    let view = window.rect("Viewport");
    let wanted = (view.width().round() as u32, view.height().round() as u32);
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(png_size(&bytes), wanted);
    assert!(contains(&window, "Image saved"));

    // Images of one time are equal to the byte; those of two times differ.
    let again = export(&mut window, Export::Image, "again.png");
    assert!(std::fs::read(again).unwrap() == bytes);
    window.key(Key::Home);
    let other = export(&mut window, Export::Image, "other.png");
    assert!(std::fs::read(other).unwrap() != bytes);
}

#[test]
fn a_frame_is_saved_as_a_clip() {
    let Some(mut window) = Window::drawn(BULLET) else {
        return;
    };
    // A small image is drawn faster.
    window.key(Key::F6);
    window.harness.set_size(vec2(160.0, 120.0));
    window.settle();
    let path = export(&mut window, Export::Frame, "inside.gif");
    let bytes = std::fs::read(path).unwrap();
    // The start, 48 steps, and the time of impact between two of them (0.421875 is 20.25 of 48).
    assert_eq!(gif_images(&bytes), 50);
    assert!(contains(&window, "Clip saved: 50 images"));
}

/// The picture of the viewport's rectangle, whose corners are rounded to pixels.
#[test]
fn an_image_has_every_pixel_of_a_scaled_window() {
    let Some(mut window) = Window::drawn(BULLET) else {
        return;
    };
    window.key(Key::F6);
    window.harness.set_size(vec2(240.0, 180.0));
    window.settle();
    for scale in [1.25, 1.5] {
        let viewports = &mut window.harness.input_mut().viewports;
        let native = viewports.get_mut(&egui::ViewportId::ROOT).unwrap();
        native.native_pixels_per_point = Some(scale);
        window.settle();
        assert_eq!(window.harness.ctx.pixels_per_point(), scale);
        let path = export(&mut window, Export::Image, "view.png");
        let view = window.rect("Viewport");
        let round = |at: f32| (at * scale).round();
        let wanted = (
            (round(view.right()) - round(view.left())) as u32,
            (round(view.bottom()) - round(view.top())) as u32,
        );
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(png_size(&bytes), wanted, "{scale}");
    }
}

#[test]
fn a_clip_of_a_level_that_is_read_again_is_not_saved() {
    let Some(mut window) = Window::drawn(BULLET) else {
        return;
    };
    window.harness.set_size(vec2(720.0, 480.0));
    window.settle();
    let path = window.folder.path().join("loop.gif");
    window.apply(Command::Slower);
    window.apply(Command::Export(Export::Loop, path.clone()));
    window.settle();
    assert!(window.model().exporting().is_some());
    write(
        &window.folder,
        "scene.ron",
        &BULLET.replace("-12.0", "-11.0"),
    );
    window.apply(Command::Reload);
    window.until("it is stopped", |model| model.exporting().is_none());
    assert!(messages(&window).contains(&"stopped: nothing was saved".to_owned()));
    assert!(!path.exists());
    // The new level is shown, with its tools.
    let object = |model: &Model| {
        session(model).document.replay().objects()[0]
            .pose
            .position
            .x
    };
    window.until("it is read", |model| object(model) == -11.0);
    window.settle();
    assert!(window.has("Select tool"));
}

#[test]
fn a_cancelled_clip_leaves_no_file() {
    let Some(mut window) = Window::drawn(BULLET) else {
        return;
    };
    // A small image is drawn faster.
    window.harness.set_size(vec2(720.0, 480.0));
    window.settle();
    let path = window.folder.path().join("loop.gif");
    window.apply(Command::Slower);
    window.apply(Command::Export(Export::Loop, path.clone()));
    window.settle();
    assert!(window.model().exporting().is_some());
    assert!(contains(&window, "Saving the view"));
    window.apply(Command::Export(Export::Image, path.clone()));
    window.settle();
    assert!(messages(&window).contains(&"another image or clip is being saved".to_owned()));
    window.click("Stop");
    window.until("it is stopped", |model| model.exporting().is_none());
    assert!(messages(&window).contains(&"stopped: nothing was saved".to_owned()));
    assert!(!path.exists());
}

#[test]
fn an_unwritable_image_is_an_error() {
    let Some(mut window) = Window::drawn(BULLET) else {
        return;
    };
    // A small image is drawn faster.
    window.key(Key::F6);
    window.harness.set_size(vec2(240.0, 180.0));
    window.settle();
    export(&mut window, Export::Image, "gone/view.png");
    let shown = window.model().messages.shown();
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0].severity, Severity::Error);
    assert!(shown[0].problem.what.contains("folder"), "{shown:?}");
}

#[test]
fn the_view_menu_ends_inside_a_low_window_and_hints_wait_behind_the_keys() {
    let mut window = Window::of_newcomer(BULLET);
    assert!(window.has("Next hint"));
    window.apply(Command::ToggleCheatSheet);
    window.settle();
    assert!(!window.has("Next hint"));
    window.apply(Command::ToggleCheatSheet);
    window.settle();
    assert!(window.has("Next hint"));
    window.apply(Command::ShowHint(None));
    window.harness.set_size(vec2(800.0, 500.0));
    window.settle();
    let menus = window.harness.query_all_by_label("View");
    let menu = menus.min_by(|a, b| a.rect().top().total_cmp(&b.rect().top()));
    menu.expect("the menu").click();
    window.settle();
    let low = window.rect("Theme and size");
    window.harness.get_by_label("Theme and size").scroll_to_me();
    window.settle();
    window.settle();
    let seen = window.rect("Theme and size");
    assert!(
        seen.bottom() <= 500.0 && seen.bottom() < low.bottom(),
        "{low} {seen}"
    );
    window.key(Key::Escape);
    window.apply(Command::ToggleCheatSheet);
    window.settle();
    let named = window
        .harness
        .get_by_role_and_label(Role::Window, "Keyboard and mouse");
    let rect = named.rect();
    assert!(rect.left() >= 0.0 && rect.right() <= 800.0, "{rect}");
}

#[test]
fn an_empty_scene_is_viewed_from_near() {
    let far = BULLET.replace("(-12.0, 0.0, 0.0)", "(-12000.0, 0.0, 0.0)");
    let mut window = Window::with(&far);
    let view_value = |window: &Window| {
        let view = window.harness.get_by_label("Viewport");
        view.accesskit_node().value().unwrap_or_default()
    };
    let before = view_value(&window);
    window.keys(Modifiers::COMMAND, Key::N);
    window.until("it is new", |model| {
        model
            .scene_doc()
            .is_some_and(|one| one.scene.objects.is_empty())
    });
    let now = view_value(&window);
    assert_ne!(before, now);
    assert!(now.starts_with("looking at 0.000 0.000 0.000"), "{now}");
}

#[test]
fn the_plots_are_saved_as_an_image() {
    let Some(mut window) = Window::drawn(BULLET) else {
        return;
    };
    let path = window.folder.path().join("plots.png");
    window.apply(Command::TogglePane(Pane::Plots));
    window.settle();
    window.apply(Command::SavePng(path.clone()));
    window.harness.step();
    window.until("it is saved", |model| model.exporting().is_none());
    let (width, height) = png_size(&std::fs::read(path).unwrap());
    assert!(width > 200 && height > 60, "{width} by {height}");
}

#[test]
fn the_window_shows_the_level_on_a_graphics_device() {
    let Some(mut window) = Window::drawn(BULLET) else {
        return;
    };
    window.key(Key::F6);
    let image = window.harness.render().unwrap();
    let pixels = |image: &[u8]| {
        let mut colors: Vec<[u8; 3]> = image.chunks(4).map(|p| [p[0], p[1], p[2]]).collect();
        colors.sort_unstable();
        colors.dedup();
        colors
    };
    let shown = pixels(image.as_raw());
    // The selected pair's outline, and shaded bodies: many colours. Without the shapes there are fewer.
    window.model_mut().layers.set(Layer::Shapes, Show::None);
    window.settle();
    let hidden = pixels(window.harness.render().unwrap().as_raw());
    assert!(
        shown.len() > hidden.len() + 100,
        "{} {}",
        shown.len(),
        hidden.len()
    );
}

#[test]
fn a_failed_graphics_device_is_reported_and_the_window_stays_open() {
    let Some(state) = render_state() else {
        return;
    };
    let mut window = Window::drawn_on(state.clone(), BULLET);
    window.harness.render().unwrap();
    assert!(!contains(&window, "The graphics device failed"));
    // No buffer is so large.
    let _ = state.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::MAX / 8,
        usage: wgpu::BufferUsages::VERTEX,
        mapped_at_creation: false,
    });
    window.settle();
    assert!(contains(&window, "The graphics device failed"));
    window.key(Key::Home);
    assert_eq!(window.moment(), (0, 0.0));
}
