//! Pictures of the window, held against those in `tests/ui/pictures`: dark at scale 1, some also light at scale 1.5 on a small screen.
//!
//! Colours are rounded to sixteen levels, which makes the files small. A pixel fails where it is off by more than one of them (200 of
//! egui_kittest's squared, weighted distance), and a picture from 200 such pixels on, as processors round differently. They are those of Mesa's driver in software; on others the test is skipped.
//! `UPDATE_SNAPSHOTS=1 cargo test --test ui pictures` writes them anew: look at them.

use super::window::*;
use eframe::egui_wgpu::RenderState;
use egui_kittest::{SnapshotOptions, SnapshotResults, try_image_snapshot_options};
use hitstop::app::help_topics::HelpPage;
use hitstop::app::model::leaks::LeaksForm;
use hitstop::core::diagnose::Cause;
use hitstop::core::edit::Template;
use hitstop::core::replay::history::Quantity;

type Theme = (&'static str, f32, egui::Vec2);
const DARK: Theme = ("dark", 1.0, vec2(1200.0, 720.0));
const LIGHT: Theme = ("light", 1.5, vec2(800.0, 600.0));
/// The distance of colours that are one level apart in every channel is 129.
const LEVEL: u8 = 16;
/// Passes after which animations have ended.
const PASSES: usize = 40;

/// Jobs that a picture waits for.
const AWAITED: [JobKind; 19] = [
    JobKind::ListBundled,
    JobKind::CheckRecent,
    JobKind::Open,
    JobKind::Diagnose,
    JobKind::DiagnoseOther,
    JobKind::Frame,
    JobKind::OtherFrame,
    JobKind::Candidates,
    JobKind::ExplainMotion,
    JobKind::LastChange,
    JobKind::Leaks,
    JobKind::Unswept,
    JobKind::LevelFixes,
    JobKind::SearchWhatIf,
    JobKind::PrepareWhatIf,
    JobKind::MapWhatIf,
    JobKind::OpenOther,
    JobKind::Compare,
    JobKind::Growth,
];

fn is_quiet(model: &Model) -> bool {
    let histories = model.session.as_ref().map(|it| &it.derived.histories);
    !model.jobs.is_any_running(AWAITED)
        && model.diagnosing().is_none()
        && histories.is_none_or(|histories| histories.progress().is_none())
}

/// The device of the pictures; `None` on other drivers.
fn device() -> Option<RenderState> {
    let state = render_state()?;
    let is_it = state.adapter.get_info().name.contains("llvmpipe");
    is_it.then_some(state)
}

/// Opens a file of `scenes`, carries out commands, and compares the picture.
fn look(name: &str, file: &str, commands: &[Command]) {
    look_in(&[DARK], name, file, commands);
}

/// The same in both themes.
fn look_twice(name: &str, file: &str, commands: &[Command]) {
    look_in(&[DARK, LIGHT], name, file, commands);
}

fn look_in(themes: &[Theme], name: &str, file: &str, commands: &[Command]) {
    look_after((themes, name), file, |window| {
        for command in commands {
            window.apply(command.clone());
            window.settle();
        }
    });
}

fn look_after((themes, name): (&[Theme], &str), file: &str, prepare: impl Fn(&mut Window)) {
    let mut results = SnapshotResults::new();
    for &(theme, scale, size) in themes {
        let Some(state) = device() else { return };
        let looks = Looks {
            device: Some(state),
            theme: Some(theme),
            scale,
            size,
            has_glyphs: true,
            ..Looks::default()
        };
        let path = PathBuf::from("../../scenes").join(file);
        let source = (!file.is_empty()).then_some(Source::File(path));
        let mut window = Window::of(looks, |_| source);
        let opened = |model: &Model| file.is_empty() || report(model).is_some();
        window.until("it is open", |model| opened(model) && is_quiet(model));
        prepare(&mut window);
        window.until("all is computed", is_quiet);
        for _ in 0..PASSES {
            window.harness.step();
        }
        window.until("all is computed", is_quiet);
        let mut image = window.harness.render().expect("a picture");
        let clear = window.clear_color();
        for pixel in image.pixels_mut() {
            let [r, g, b, a] = pixel.0;
            let over = egui::Color32::from_rgba_premultiplied(r, g, b, a);
            pixel.0 = clear
                .blend(over)
                .to_array()
                .map(|part| part / LEVEL * LEVEL);
        }
        let options = SnapshotOptions::new()
            .threshold(200.0)
            .max_failed_pixels(200)
            .output_path("pictures");
        results.add(try_image_snapshot_options(
            &image,
            format!("{name}-{theme}"),
            &options,
        ));
    }
    results.unwrap();
}

const WAREHOUSE: &str = "recordings/warehouse.jsonl";

#[test]
fn the_start_page() {
    look_twice("start-page", "", &[]);
}

#[test]
fn a_finding() {
    look_twice("finding", WAREHOUSE, &[]);
}

#[test]
fn the_card_of_a_level() {
    look_twice(
        "level-card",
        WAREHOUSE,
        &[Command::SelectNothing, Command::GoToStart],
    );
}

#[test]
fn an_explanation() {
    look(
        "explanation",
        WAREHOUSE,
        &[Command::ShowPane(Pane::Explain)],
    );
}

#[test]
fn the_candidates() {
    look(
        "candidates",
        WAREHOUSE,
        &[Command::ShowPane(Pane::Candidates)],
    );
}

#[test]
fn a_what_if() {
    look_twice(
        "what-if",
        "bullet_through_paper.ron",
        &[Command::ShowPane(Pane::WhatIf)],
    );
}

#[test]
fn a_camera_and_its_probe() {
    look(
        "camera",
        "camera_corridor.ron",
        &[Command::ShowPane(Pane::Camera)],
    );
}

#[test]
fn a_comparison() {
    look_twice(
        "compare",
        "bullet_through_paper.ron",
        &[Command::CompareDetection],
    );
}

#[test]
fn an_edited_scene() {
    let commands = [Command::Select(Some(0)), Command::ShowPane(Pane::Text)];
    look_twice("object-form", "box_pair.ron", &commands);
}

#[test]
fn the_fields_of_a_scene() {
    look(
        "scene-form",
        "camera_corridor.ron",
        &[Command::SelectNothing],
    );
}

#[test]
fn plots() {
    let commands = [
        Command::ShowPane(Pane::Plots),
        Command::Plot(Quantity::Speed, true),
    ];
    look("plots", WAREHOUSE, &commands);
}

#[test]
fn the_frames_of_a_pair() {
    look(
        "pair-history",
        WAREHOUSE,
        &[Command::ShowPane(Pane::PairHistory)],
    );
}

#[test]
fn a_page_of_the_help() {
    look_after((&[DARK, LIGHT], "help"), WAREHOUSE, |window| {
        window.apply(Command::Help(HelpPage::Cause(Cause::ALL[0])));
        window.until("it is drawn", |model| {
            model.cause_film(Cause::ALL[0]).is_some()
        });
        // It moves until then.
        window.drag("Time in the frame", 0.3, 0.4);
    });
}

#[test]
fn the_palette() {
    look_after((&[DARK], "palette"), WAREHOUSE, |window| {
        window.apply(Command::TogglePalette);
        window.settle();
        window.harness.event(egui::Event::Text("frame".to_owned()));
        window.settle();
    });
}

#[test]
fn the_keys() {
    look("keys", WAREHOUSE, &[Command::ToggleCheatSheet]);
}

#[test]
fn two_viewports() {
    look(
        "two-viewports",
        "mesh_room.ron",
        &[Command::ToggleSplitView],
    );
}

#[test]
fn the_view_through_a_camera() {
    look(
        "through-camera",
        "camera_corridor.ron",
        &[Command::Toggle(Switch::ThroughCamera)],
    );
}

#[test]
fn a_flat_level() {
    look_twice("flat", "flat_pinball.ron", &[]);
}

#[test]
fn queries_of_a_log() {
    look("queries", "own_query.ron", &[]);
}

#[test]
fn a_heat_map() {
    look("heat-map", WAREHOUSE, &[Command::Toggle(Switch::HeatMap)]);
}

#[test]
fn colours_by_speed() {
    let commands = [
        Command::GoToStart,
        Command::SelectNothing,
        Command::ColorBy(ColorBy::Speed),
        Command::FrameAll,
    ];
    look("colours", "recordings/mujoco_humanoid.jsonl", &commands);
}

#[test]
fn colours_by_findings() {
    let commands = [
        Command::SelectNothing,
        Command::ColorBy(ColorBy::Findings),
        Command::FrameAll,
    ];
    look("by-findings", "mesh_room.ron", &commands);
}

#[test]
fn why_an_object_is_where_it_is() {
    let commands = [
        Command::Select(Some(6)),
        Command::GoToEnd,
        Command::ShowPane(Pane::Explain),
    ];
    look_twice("motion", WAREHOUSE, &commands);
}

#[test]
fn a_level_without_findings() {
    look_twice("margins", "warehouse_ccd.ron", &[Command::SelectNothing]);
}

#[test]
fn a_search() {
    look("find", WAREHOUSE, &[Command::OpenFind]);
}

#[test]
fn the_edits_of_a_scene() {
    let commands = [
        Command::Select(Some(0)),
        Command::Duplicate,
        Command::ShowPane(Pane::History),
    ];
    look("history", "box_pair.ron", &commands);
}

#[test]
fn a_question_about_unsaved_changes() {
    let commands = [
        Command::Select(Some(0)),
        Command::Duplicate,
        Command::CloseLevel,
    ];
    look_twice("unsaved", "box_pair.ron", &commands);
}

#[test]
fn a_cut() {
    look("cut", "mesh_room.ron", &[Command::ToggleClip]);
}

#[test]
fn pinned_objects_and_bookmarks() {
    let commands = [
        Command::Select(Some(2)),
        Command::TogglePin,
        Command::AddBookmark,
        Command::ShowPane(Pane::Bookmarks),
    ];
    look("pinned", WAREHOUSE, &commands);
}

#[test]
fn an_object_of_a_level_with_z_up() {
    let commands = [Command::Select(Some(3)), Command::ShowPane(Pane::Inspector)];
    look("z-up", "recordings/mujoco_humanoid.jsonl", &commands);
}

#[test]
fn a_new_scene() {
    let scene = Command::New(Template::Empty);
    look_twice("new-scene", "", &[scene]);
}

#[test]
fn leaks_of_a_mesh() {
    let form = LeaksForm {
        movers: "player: capsule 0.3 0.6, up to 60 m/s".to_owned(),
        trials: 200,
        ..LeaksForm::default()
    };
    let commands = [
        Command::SetLeaksForm(form),
        Command::LookForLeaks,
        Command::FrameAll,
    ];
    look_twice("leaks", "mesh_room.ron", &commands);
}
