//! The one place where a command becomes a change.

use super::authoring::{BookmarkChange, Change};
use super::command::Command;
use super::dialogs::{Dialog, PlotsAs};
use super::dock::{Dock, Pane};
use super::jobs::{Job, Source};
use super::model::compare::{Against, Compare};
use super::model::document::Document;
use super::model::find::Outcome;
use super::model::playback::{Direction, Playback};
use super::model::probe::Probe;
use super::model::{Effect, Field, HINTS, Model, what_if};
use super::selection::Selection;
use super::text;
use super::view_state::Layers;
use crate::core::diagnose::{Kind, expected_finding};
use crate::core::replay::ObjectId;
use crate::core::replay::search::Way;
use egui::ThemePreference;

/// Carries out a command. Every one has its arm here: a new one does not compile without.
pub fn apply(model: &mut Model, command: Command) {
    let Some(command) = model.guarded(command) else {
        return;
    };
    match command {
        Command::OpenDialog => model.effects.push(Effect::Ask(Dialog::Open)),
        Command::Open(path) => model.open(Source::File(path)),
        Command::ImportDialog => model.effects.push(Effect::Ask(Dialog::Import)),
        Command::Import(path) => model.start_import(path),
        Command::ChooseImport(wanted, facing) => model.choose_import(wanted, facing),
        Command::TakeImport(take) => model.end_import(take),
        Command::OpenBundled(name) => model.open(Source::Bundled(name)),
        Command::New(template) => model.open(Source::New(template)),
        Command::Save => model.save(),
        Command::SaveAs => model.save_as(),
        Command::SaveTo(path) => model.save_to(path),
        Command::Reply(reply) => model.reply(reply),
        Command::CheckAgain => check_again(model),
        Command::ExportDialog(what) => {
            if model.document.is_some() {
                let dialog = Dialog::View(what, picture_name(model));
                model.effects.push(Effect::Ask(dialog));
            }
        }
        Command::Export(what, path) => model.effects.push(Effect::Export(what, path)),
        Command::StopJob => stop_job(model),
        Command::CloseLevel => close_level(model),
        Command::Quit => model.effects.push(Effect::Quit),

        Command::Undo => model.undo(),
        Command::Redo => model.redo(),
        Command::GoInHistory(done) => model.go_in_history(done),
        Command::Edit(change) => model.edit(change),
        Command::EditText(text) => model.edit_text(text),
        Command::AddShape(shape) => model.add_shape(shape),
        Command::Duplicate => on_selected(model, Change::Duplicate),
        Command::Delete => on_selected(model, Change::Remove),
        Command::CopyObjects => model.copy_objects(),
        Command::PasteObjects(text) => model.paste_objects(&text),
        Command::SelectAll => {
            let objects = model
                .document
                .as_ref()
                .map_or(0, |document| document.replay().objects().len());
            select(model, |selected| selected.set(0..objects as u32));
        }

        Command::UseTool(tool) => model.settings.tools.tool = tool,
        Command::ToggleLocal => {
            model.settings.tools.local = !model.settings.tools.local;
            model.save_settings();
        }
        Command::SnapTo(snap) => {
            model.settings.tools.toggle_snap(snap);
            model.save_settings();
        }
        Command::GridStep(metres) => {
            model.settings.tools.set_step(metres);
            model.save_settings();
        }
        Command::PutTouching => model.put_touching(),
        Command::AskTag(asked) => model.look.tagging = asked && model.authored().is_some(),
        Command::Tag(tag) => model.tag(&tag),
        Command::SelectTag(tag) => {
            let objects = model.tagged(&[tag]);
            select(model, |selected| selected.set(objects));
        }
        Command::SelectTagged => {
            let objects = model.tagged(&model.tags_of_selection());
            if !objects.is_empty() {
                select(model, |selected| selected.set(objects));
            }
        }
        Command::SetKeyframe => model.set_keyframe(),

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
        Command::SetLoop(from, to) => in_time(model, |time| time.set_loop(from, to)),
        Command::NextImpact => model.find_impact(Way::Forward),
        Command::PreviousImpact => model.find_impact(Way::Backward),
        Command::FitTime => model.time.fit(),
        Command::ZoomTimeIn => zoom_time(model, true),
        Command::ZoomTimeOut => zoom_time(model, false),
        Command::ShowTime { from, span } => {
            let frames = model.playback.frames();
            model.time.show(from, span, frames);
        }
        Command::PointAtTime(position) => model.time.pointed = position,
        Command::AddBookmark => model.add_bookmark(false),
        Command::AddBookmarkWithNote => model.add_bookmark(true),
        Command::NextBookmark => model.step_bookmark(true),
        Command::PreviousBookmark => model.step_bookmark(false),
        Command::ReplaceBookmark(old, new) => {
            model.change_bookmarks(BookmarkChange::Replace(old, new));
        }
        Command::RemoveBookmark(old) => model.change_bookmarks(BookmarkChange::Remove(old)),
        Command::FocusFrameField => {
            model.show_pane(Pane::Timeline);
            model.effects.push(Effect::Focus(Field::Frame));
        }

        Command::NextFinding => step_finding(model, 1),
        Command::PreviousFinding => step_finding(model, -1),
        Command::CopyFinding => copy_finding(model),
        Command::MakeScene => {
            if let Some(document) = &model.document {
                let dialog = Dialog::Frame(document.folder());
                model.effects.push(Effect::Ask(dialog));
            }
        }
        Command::SaveScene(path) => model.save_scene(path),
        Command::ExpectFinding => {
            if let Some(wanted) = model.selected_finding().map(expected_finding) {
                model.expect(wanted);
            }
        }
        Command::Expect(wanted) => model.expect(wanted),
        Command::TryValues(values) => {
            if let Some(what_if) = &mut model.what_if {
                what_if.set(values);
            }
        }
        Command::ResetWhatIf => {
            if let Some(what_if) = &mut model.what_if {
                what_if.reset();
            }
        }
        Command::MapPhases(phases) => {
            if let Some(what_if) = &mut model.what_if {
                what_if.map_phases(phases);
            }
        }
        Command::CopyWhatIf => copy_what_if(model),
        Command::SelectFinding(index) => {
            model.touched = true;
            model.go_to_finding(index);
        }
        Command::ShowKind(kind, show) => show_kind(model, kind, show),

        Command::ProbeLines(lines) => edit_probe(model, |probe| probe.set_lines(lines)),
        Command::ProbePreset(preset) => edit_probe(model, |probe| probe.preset(preset)),
        Command::ProbeActs(mode) => edit_probe(model, |probe| probe.set_mode(mode)),
        Command::PointAtLine(line) => edit_probe(model, |probe| probe.pointed = line),
        Command::ShuffleProbe => {
            edit_probe(model, Probe::shuffle);
            model.show_pane(Pane::Camera);
        }
        Command::ResetProbe => edit_probe(model, Probe::reset),
        Command::CopyProbe => {
            if let (Some(probe), Some(document)) = (&model.probe, &model.document) {
                let text = probe.as_ron(document.replay());
                model.effects.push(Effect::Copy(text));
            }
        }
        Command::ToggleWalk => toggle_walk(model),
        Command::Stride(stride) => model.stride(&stride),
        Command::SaveWalkAs => {
            if let (Some(_), Some(document)) = (&model.walk, &model.document) {
                let dialog = Dialog::Walk(document.folder());
                model.effects.push(Effect::Ask(dialog));
            }
        }
        Command::SaveWalk(path) => model.save_walk(path),

        Command::OpenFind => model.open_find(),
        Command::FindNext => model.find(Way::Forward),
        Command::FindPrevious => model.find(Way::Backward),
        Command::StopFind => model.find.stop(),
        Command::SetQuery(query) => {
            model.find.query = query;
            model.find.outcome = Outcome::None;
        }
        Command::Plot(quantity, true) => {
            model.plotted.quantities.insert(quantity);
        }
        Command::Plot(quantity, false) => {
            model.plotted.quantities.remove(&quantity);
        }
        Command::ExportCsv => ask_where_to_plot(model, PlotsAs::Csv),
        Command::ExportPng => ask_where_to_plot(model, PlotsAs::Png),
        Command::SaveCsv(path) => model.save_plots_as_csv(path),
        Command::SavePng(path) => {
            model.show_pane(Pane::Plots);
            model.effects.push(Effect::SavePlots(path));
        }

        Command::TogglePin => model.toggle_pin_of_selection(),
        Command::UnpinAll => model.unpin_all(),
        Command::PinSubject(subject) => model.toggle_pin(subject),

        Command::CompareDetection => model.compare_with(Against::OtherDetection),
        Command::CompareFile => {
            if model.document.is_some() {
                model.effects.push(Effect::Ask(Dialog::Compare));
            }
        }
        Command::CompareWith(path) => model.compare_with(Against::File(path)),
        Command::CompareRunBefore => model.compare_with(Against::RunBefore),
        Command::StopComparing => model.compare.stop(),
        Command::SelectDifference(index) => {
            model.touched = true;
            model.go_to_difference(index);
        }
        Command::CompareBy(settings) => model.compare_by(settings),

        Command::SelectNothing if model.walking().is_some() => end_walk(model),
        Command::SelectNothing if model.look.palette => model.look.palette = false,
        Command::SelectNothing if model.look.tagging => model.look.tagging = false,
        Command::SelectNothing if model.look.cheat_sheet => model.look.cheat_sheet = false,
        Command::SelectNothing if model.look.hint.is_some() => model.look.hint = None,
        Command::SelectNothing | Command::Select(None) => select(model, Selection::clear),
        Command::Select(Some(object)) => select(model, |selected| selected.set([object])),
        Command::SelectMany(objects, more) => select(model, |selected| {
            let before = if more {
                selected.objects().to_vec()
            } else {
                Vec::new()
            };
            selected.set(before.into_iter().chain(objects));
        }),
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
        Command::ShowHints => model.look.hint = Some(0),
        Command::Hint(number) => model.look.hint = number.filter(|number| *number < HINTS),
        Command::DismissMessage(id) => model.messages.dismiss(id),
        Command::DismissAllMessages => model.messages.dismiss_all(),
        Command::ClearLog => model.messages.clear_log(),
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

/// Changes the selected objects, if there are any.
fn on_selected(model: &mut Model, change: impl FnOnce(Vec<ObjectId>) -> Change) {
    let selected = model.selection.objects().to_vec();
    if !selected.is_empty() {
        model.edit(change(selected));
    }
}

/// Reads the file again; a scene with changes that no file holds is only looked through again.
fn check_again(model: &mut Model) {
    if model.has_unsaved() {
        model.follow_again();
        return;
    }
    if let Some(document) = &model.document {
        let source = document.source.clone();
        model.compare.check_again();
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
    model.compare.stop_work();
    model.stop_export();
}

fn close_level(model: &mut Model) {
    model.document = None;
    model.compare = Compare::default();
    model.loading = None;
    model.diagnosing = None;
    model.finding = None;
    model.forget_worked_out();
    model.probe = None;
    model.walk = None;
    model.selection.clear();
    model.find.clear();
    model.playback.pause();
}

fn ask_where_to_plot(model: &mut Model, plots: PlotsAs) {
    let folder = model.document.as_ref().and_then(Document::folder);
    let dialog = Dialog::Plots(plots, folder);
    model.effects.push(Effect::Ask(dialog));
}

/// What a picture of the view is called: the level and the moment.
fn picture_name(model: &Model) -> String {
    let title = model.document.as_ref().map(Document::title);
    let frame = model.playback.playhead().frame;
    format!("{} frame {frame}", title.unwrap_or_default())
}

fn copy_finding(model: &mut Model) {
    if let Some(finding) = model.selected_finding() {
        let text = text::finding(finding);
        model.effects.push(Effect::Copy(text));
    }
}

fn copy_what_if(model: &mut Model) {
    let bench = model.what_if.as_ref().and_then(|what_if| what_if.bench());
    if let Some((bench, finding)) = bench.zip(model.selected_finding()) {
        let title = format!("{} and {}, frame {}", finding.a, finding.b, finding.frame);
        let text = what_if::as_text(&title, bench);
        model.effects.push(Effect::Copy(text));
    }
}

fn edit_probe(model: &mut Model, edit: impl FnOnce(&mut Probe)) {
    if let Some(probe) = &mut model.probe {
        edit(probe);
    }
}

/// From the level's camera, else from where it is looked at; or the end of it.
fn toggle_walk(model: &mut Model) {
    if model.walking().is_some() {
        end_walk(model);
        return;
    }
    let Some(document) = &model.document else {
        return;
    };
    let camera = document.frame().camera;
    match camera.map(|(motion, _)| motion.start) {
        Some(pose) if pose.is_finite() => model.start_walk(pose),
        _ => model.effects.push(Effect::WalkFromView),
    }
}

fn end_walk(model: &mut Model) {
    if let Some(walk) = &mut model.walk {
        walk.end();
    }
    // What it found, and how to save it.
    model.show_pane(Pane::Camera);
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

fn zoom_time(model: &mut Model, closer: bool) {
    let (around, frames) = (
        model.playback.playhead().position(),
        model.playback.frames(),
    );
    model.time.zoom(closer, around, frames);
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

fn phase_fractions(document: &Option<Document>) -> Vec<f64> {
    let phases = document.as_ref().map(|document| &document.frame().phases);
    phases
        .into_iter()
        .flatten()
        .map(|phase| phase.fraction())
        .collect()
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
