//! The one place where a command becomes a change.

use super::command::Command;
use super::dock::{Dock, Pane};
use super::jobs::{Job, Source};
use super::model::playback::{Direction, Playback};
use super::model::{Effect, Field, Model};
use super::selection::Selection;
use super::text;
use super::view_state::Layers;
use crate::core::diagnose::{Finding, Kind, expected_finding};
use egui::ThemePreference;
use std::fmt::Write as _;

/// Carries out a command. Every one has its arm here: a new one does not compile without.
pub fn apply(model: &mut Model, command: Command) {
    match command {
        Command::OpenDialog => model.effects.push(Effect::OpenDialog),
        Command::Open(path) => model.open(Source::File(path)),
        Command::OpenBundled(name) => model.open(Source::Bundled(name)),
        Command::CheckAgain => check_again(model),
        Command::StopJob => stop_job(model),
        Command::CloseLevel => close_level(model),
        Command::Quit => model.effects.push(Effect::Quit),

        Command::TogglePlay => in_time(model, Playback::toggle),
        Command::PlayForward => in_time(model, |time| time.play(Direction::Forward)),
        Command::PlayBackward => in_time(model, |time| time.play(Direction::Backward)),
        Command::Pause => in_time(model, Playback::pause),
        Command::NextFrame => in_time(model, |time| time.step_frames(1)),
        Command::PreviousFrame => in_time(model, |time| time.step_frames(-1)),
        Command::TenFramesForward => in_time(model, |time| time.step_frames(10)),
        Command::TenFramesBack => in_time(model, |time| time.step_frames(-10)),
        Command::NextPhase => in_phases(model, Playback::next_phase),
        Command::PreviousPhase => in_phases(model, Playback::previous_phase),
        Command::GoToPhase(index) => in_phases(model, |time, phases| {
            if let Some(&fraction) = phases.get(index) {
                time.go_to_phase(index, fraction);
            }
        }),
        Command::GoToStart => in_time(model, |time| time.seek(0, 0.0)),
        Command::GoToEnd => in_time(model, |time| time.seek(time.frames(), 0.0)),
        Command::Seek { frame, fraction } => in_time(model, |time| time.seek(frame, fraction)),
        Command::Faster => in_time(model, Playback::faster),
        Command::Slower => in_time(model, Playback::slower),
        Command::SetSpeed(speed) => in_time(model, |time| time.set_speed(speed)),
        Command::ToggleHitstop => model.look.hitstop = !model.look.hitstop,
        Command::HoldAt(hold, true) => {
            model.look.holds.insert(hold);
        }
        Command::HoldAt(hold, false) => {
            model.look.holds.remove(&hold);
        }
        Command::ToggleLoop => in_time(model, Playback::toggle_loop),
        Command::LoopIn => in_time(model, Playback::loop_in),
        Command::LoopOut => in_time(model, Playback::loop_out),
        Command::ClearLoop => in_time(model, Playback::clear_loop),
        Command::FocusFrameField => {
            model.show_pane(Pane::Timeline);
            model.effects.push(Effect::Focus(Field::Frame));
        }

        Command::NextFinding => step_finding(model, 1),
        Command::PreviousFinding => step_finding(model, -1),
        Command::CopyFinding => copy_finding(model),
        Command::MakeScene => {
            if let Some(document) = &model.document {
                model.effects.push(Effect::SceneDialog(document.folder()));
            }
        }
        Command::SaveScene(path) => model.save_scene(path),
        Command::ExpectFinding => {
            if let Some(wanted) = model.selected_finding().map(expected_finding) {
                model.expect(wanted);
            }
        }
        Command::Expect(wanted) => model.expect(wanted),
        Command::SelectFinding(index) => {
            model.touched = true;
            model.go_to_finding(index);
        }
        Command::ShowKind(kind, show) => show_kind(model, kind, show),

        Command::SelectNothing if model.look.palette => model.look.palette = false,
        Command::SelectNothing if model.look.cheat_sheet => model.look.cheat_sheet = false,
        Command::SelectNothing | Command::Select(None) => select(model, Selection::clear),
        Command::Select(Some(object)) => select(model, |selected| selected.set([object])),
        Command::ToggleSelect(object) => select(model, |selected| selected.toggle(object)),
        Command::SelectPair(a, b) => select(model, |selected| selected.set([a, b])),
        Command::FocusFilter => {
            model.show_pane(Pane::Outliner);
            model.effects.push(Effect::Focus(Field::Filter));
        }

        Command::PointAt(object) => model.pointed = object,

        Command::FrameAll => model.effects.push(Effect::LookAtLevel { softly: true }),
        Command::FrameSelection => model.effects.push(match model.finding {
            Some(_) => Effect::LookAtFinding,
            None => Effect::LookAtSelection,
        }),
        Command::ShowLayer(layer, show) => model.layers.set(layer, show),
        Command::ResetLayers => model.layers = Layers::default(),
        Command::TogglePane(pane) => {
            model.look.bare = false;
            model.dock.toggle(pane);
            model.save_panels();
        }
        Command::TogglePanels => model.look.bare = !model.look.bare,
        Command::ResetPanels => {
            model.dock = Dock::default();
            model.save_panels();
        }
        Command::UseTheme(theme) => use_theme(model, theme),
        Command::ZoomIn => zoom(model, 0.1),
        Command::ZoomOut => zoom(model, -0.1),
        Command::ZoomReset => {
            let back = 1.0 - model.look.zoom;
            zoom(model, back);
        }
        Command::ToggleFullscreen => model.effects.push(Effect::Fullscreen),

        Command::TogglePalette => model.look.palette = !model.look.palette,
        Command::ToggleCheatSheet => model.look.cheat_sheet = !model.look.cheat_sheet,
        Command::DismissMessage(id) => model.messages.dismiss(id),
        Command::DismissAllMessages => model.messages.dismiss_all(),
        Command::CopyText(text) => model.effects.push(Effect::Copy(text)),
    }
}

/// Moves the playhead, or changes how it moves.
fn in_time(model: &mut Model, change: impl FnOnce(&mut Playback)) {
    change(&mut model.playback);
    model.touched = true;
    model.show_frame();
}

/// The same, by the moments of the frame's phases.
fn in_phases(model: &mut Model, change: impl FnOnce(&mut Playback, &[f64])) {
    let phases = phase_fractions(&model.document);
    in_time(model, |time| change(time, &phases));
}

fn check_again(model: &mut Model) {
    if let Some(document) = &model.document {
        let source = document.source.clone();
        model.open(source);
    }
}

fn stop_job(model: &mut Model) {
    if let Some((_, job)) = &model.loading {
        job.stop();
    }
    if let Some(job) = &model.diagnosing {
        Job::stop(job);
    }
}

fn close_level(model: &mut Model) {
    model.document = None;
    model.loading = None;
    model.diagnosing = None;
    model.finding = None;
    model.selection.clear();
    model.pair = None;
    model.playback.pause();
}

fn copy_finding(model: &mut Model) {
    if let Some(finding) = model.selected_finding() {
        let text = finding_as_text(finding);
        model.effects.push(Effect::Copy(text));
    }
}

fn show_kind(model: &mut Model, kind: Kind, show: bool) {
    if show {
        model.look.hidden_kinds.remove(&kind);
    } else {
        model.look.hidden_kinds.insert(kind);
    }
}

fn use_theme(model: &mut Model, theme: ThemePreference) {
    model.look.theme = theme;
    model.settings.theme = match theme {
        ThemePreference::Dark => Some("dark".into()),
        ThemePreference::Light => Some("light".into()),
        ThemePreference::System => None,
    };
    model.save_settings();
}

/// Changes the selection; a finding whose pair is no longer selected is let go.
fn select(model: &mut Model, change: impl FnOnce(&mut Selection)) {
    change(&mut model.selection);
    model.touched = true;
    let of_finding = model.selected_finding().map(|finding| {
        let mut objects = [finding.object_a, finding.object_b].into_iter().flatten();
        objects.all(|object| model.selection.contains(object))
    });
    if of_finding != Some(true) || model.selection.objects().is_empty() {
        model.finding = None;
    }
    model.show_frame();
}

fn zoom(model: &mut Model, by: f32) {
    // Whole tenths, so that in and out come back to where they were.
    let zoom = ((model.look.zoom + by) * 10.0).round() / 10.0;
    model.look.zoom = zoom.clamp(0.5, 3.0);
    model.settings.zoom = Some(model.look.zoom);
    model.save_settings();
}

/// The next finding of a kind that is listed, around the ends.
fn step_finding(model: &mut Model, by: isize) {
    let Some(document) = &model.document else {
        return;
    };
    let listed: Vec<usize> = document
        .findings()
        .iter()
        .enumerate()
        .filter(|(_, finding)| !model.look.hidden_kinds.contains(&finding.kind))
        .map(|(index, _)| index)
        .collect();
    if listed.is_empty() {
        return;
    }
    let here = model
        .finding
        .and_then(|index| listed.iter().position(|&listed| listed == index));
    let next = match here {
        Some(here) => (here as isize + by).rem_euclid(listed.len() as isize) as usize,
        None if by > 0 => 0,
        None => listed.len() - 1,
    };
    model.touched = true;
    model.go_to_finding(listed[next]);
}

fn phase_fractions(document: &Option<super::model::document::Document>) -> Vec<f64> {
    let phases = document.as_ref().map(|document| &document.frame().phases);
    phases
        .into_iter()
        .flatten()
        .map(|phase| phase.fraction())
        .collect()
}

/// A finding with its numbers, to paste into a report.
pub fn finding_as_text(finding: &Finding) -> String {
    let mut text = format!(
        "{} ({} {}): {} -> {}, frame {}, fraction {:.4}, {} s\n{}\n",
        finding.kind.name(),
        finding.cause.id(),
        finding.cause.title(),
        finding.a,
        finding.b,
        finding.frame,
        finding.fraction,
        text::number(finding.time),
        finding.text,
    );
    for (name, value) in &finding.evidence {
        let value = text::evidence(name, *value);
        let _ = writeln!(text, "  {}: {value}", text::words(name));
    }
    for fix in &finding.fixes {
        let _ = writeln!(
            text,
            "  fix: {} = {}",
            text::words(fix.what),
            text::with_unit(fix.value, fix.unit)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::files::Settings;
    use crate::app::view_state::{Layer, Show};
    use std::sync::Arc;

    fn model() -> Model {
        Model::new(Settings::default(), Arc::new(|| {}))
    }

    #[test]
    fn every_command_of_the_table_works_without_a_level() {
        for entry in crate::app::command::TABLE {
            apply(&mut model(), entry.command.clone());
        }
    }

    #[test]
    fn time_commands_move_the_playhead() {
        let mut model = model();
        model.playback = Playback::new(30);
        apply(&mut model, Command::NextFrame);
        apply(&mut model, Command::TenFramesForward);
        assert_eq!(model.playback.playhead().frame, 11);
        apply(
            &mut model,
            Command::Seek {
                frame: 3,
                fraction: 0.5,
            },
        );
        assert_eq!(model.playback.playhead().position(), 3.5);
        apply(&mut model, Command::TogglePlay);
        assert!(model.playback.playing().is_some());
    }

    #[test]
    fn zooming_in_and_out_comes_back() {
        let mut model = model();
        for _ in 0..3 {
            apply(&mut model, Command::ZoomIn);
        }
        for _ in 0..3 {
            apply(&mut model, Command::ZoomOut);
        }
        assert_eq!(model.look.zoom, 1.0);
        for _ in 0..30 {
            apply(&mut model, Command::ZoomOut);
        }
        assert_eq!(model.look.zoom, 0.5);
        apply(&mut model, Command::ZoomReset);
        assert_eq!(model.look.zoom, 1.0);
    }

    #[test]
    fn layers_and_kinds_are_chosen_and_reset() {
        let mut model = model();
        apply(&mut model, Command::ShowLayer(Layer::Boxes, Show::All));
        assert_eq!(model.layers.get(Layer::Boxes), Show::All);
        apply(&mut model, Command::ResetLayers);
        assert_eq!(model.layers, Layers::default());
        apply(&mut model, Command::ShowKind(Kind::Clips, false));
        assert!(model.look.hidden_kinds.contains(&Kind::Clips));
        apply(&mut model, Command::ShowKind(Kind::Clips, true));
        assert!(model.look.hidden_kinds.is_empty());
    }

    #[test]
    fn escape_closes_the_cheat_sheet_before_it_clears_the_selection() {
        let mut model = model();
        apply(&mut model, Command::Select(Some(2)));
        apply(&mut model, Command::ToggleCheatSheet);
        apply(&mut model, Command::SelectNothing);
        assert!(!model.look.cheat_sheet);
        assert_eq!(model.selection.objects(), [2]);
        apply(&mut model, Command::SelectNothing);
        assert!(model.selection.objects().is_empty());
    }
}
