//! Executes commands; the only place that changes the model.

use super::command::Command;
use super::dock::Pane;
use super::help_topics::HelpPage;
use super::model::messages::Severity;
use super::model::other_level::Against;
use super::model::playback::{Direction, Playback};
use super::model::probe::Probe;
use super::model::what_if::WhatIf;
use super::model::{Dialog, PlotsAs};
use super::model::{Effect, HINTS, JobKind, Model};
use super::selection::Selection;
use super::source::Source;
use crate::core::edit::{BookmarkEdit, Edit};
use crate::core::problem::Problem;
use crate::core::replay::ObjectId;
use crate::core::replay::search::SearchDirection;
use std::collections::BTreeSet;

mod camera;
mod file;
mod findings;
mod scene;
mod selection;
mod time;
mod view;

/// Executes a command. The match below is exhaustive; what takes more than one line is in a submodule.
pub fn apply(model: &mut Model, command: Command) {
    apply_one(model, command);
    apply_queued(model);
}

/// Executes the commands that the model has queued.
pub fn apply_queued(model: &mut Model) {
    while !model.queue.is_empty() {
        let command = model.queue.remove(0);
        apply_one(model, command);
    }
}

fn apply_one(model: &mut Model, command: Command) {
    if let Some(entry) = command.entry()
        && let Some(reason) = entry.unavailable(model)
    {
        let problem = Problem::new(entry.text, reason, "");
        return model.messages.add(Severity::Notice, problem);
    }
    if let Some(command) = model.confirm_unsaved(command) {
        carry_out(model, command);
    }
}

fn carry_out(model: &mut Model, command: Command) {
    match command {
        Command::OpenDialog => model.effects.push(Effect::OpenDialog(Dialog::Open)),
        Command::Open(path) => model.open(Source::File(path)),
        Command::OpenAndCompare(path, others) => model.open_and_compare(path, others),
        Command::RefuseFiles(count) => model.refuse_files(count),
        Command::ImportDialog => model.effects.push(Effect::OpenDialog(Dialog::Import)),
        Command::Import(path) => model.start_import(path),
        Command::SetImportOptions(wanted, facing) => model.choose_import(wanted, facing),
        Command::SetImportUnits(units) => model.set_import_units(units),
        Command::CloseImport(take) => model.end_import(take),
        Command::ChooseReadOptions => model.ask_again(),
        Command::SetReadOptions(options) => model.set_read_options(options),
        Command::CloseReadOptions(answered) => model.end_asking(answered),
        Command::ShowOpened => model.show_opened(),
        Command::OpenBundled(name) => model.open(Source::Bundled(name)),
        Command::ForgetRecent(path) => model.forget_recent(&path),
        Command::New(template) => model.open(Source::New(template)),
        Command::Save => model.save(),
        Command::SaveAs => model.save_as(),
        Command::SaveTo(path) => model.save_to(path),
        Command::Reply(reply) => model.reply(reply),
        Command::Listen => model.listen(),
        Command::Connect => {
            if !model.is_listening() {
                model.listen();
            }
            model.ui_state.help = Some(HelpPage::Connect.index());
        }
        Command::Reload => file::reload(model),
        Command::ExportDialog(what) => file::show_export_dialog(model, what),
        Command::Export(what, path) => model.effects.push(Effect::Export(what, path)),
        Command::OutputDialog(output) => file::show_output_dialog(model, output),
        Command::WriteOutput(output, path) => model.write_output(output, path),
        Command::StopJob => model.stop_shown_job(),
        Command::StopComparisonJob => model.stop_comparison_job(),
        Command::CloseLevel => model.close_level(),
        Command::Quit => model.effects.push(Effect::Quit),

        Command::Undo => model.undo(),
        Command::Redo => model.redo(),
        Command::GoInHistory(done) => model.go_in_history(done),
        Command::Edit(change) => model.edit(change),
        Command::EditText(text) => model.edit_text(text),
        Command::AddShape(shape) => model.add_shape(shape),
        Command::AddCamera => scene::add_camera(model),
        Command::Duplicate => scene::on_selected(model, Edit::Duplicate),
        Command::ShowArrayForm(order) => scene::show_array_form(model, order),
        Command::Delete => scene::on_selected(model, Edit::Remove),
        Command::CopyObjects => model.copy_objects(),
        Command::PasteObjects(text) => model.paste_objects(&text),
        Command::SelectAll => selection::all(model),

        Command::UseTool(tool) => model.settings.tools.tool = tool,
        Command::ToggleLocal => scene::change_tools(model, |tools| tools.local = !tools.local),
        Command::ToggleSnap(snap) => scene::change_tools(model, |tools| tools.toggle_snap(snap)),
        Command::GridStep(metres) => scene::change_tools(model, |tools| tools.set_step(metres)),
        Command::SnapToContact => model.snap_to_contact(),
        Command::ShowTagPrompt(shown) => model.ui_state.tagging = shown,
        Command::Tag(tag) => model.tag(&tag),
        Command::Rename => scene::rename(model),
        Command::SelectTag(tag) => selection::with_tag(model, tag),
        Command::SelectTagged => selection::with_same_tags(model),
        Command::SetKeyframe => model.set_keyframe(),

        Command::TogglePlay => time::change(model, Playback::toggle),
        Command::PlayForward => time::change(model, |time| time.play(Direction::Forward)),
        Command::PlayBackward => time::change(model, |time| time.play(Direction::Backward)),
        Command::Pause => time::change(model, Playback::pause),
        Command::NextFrame => time::change(model, |time| time.step_frames(1)),
        Command::PreviousFrame => time::change(model, |time| time.step_frames(-1)),
        Command::TenFramesForward => time::change(model, |time| time.step_frames(10)),
        Command::TenFramesBack => time::change(model, |time| time.step_frames(-10)),
        Command::NextPhase => time::change_phase(model, Playback::next_phase),
        Command::PreviousPhase => time::change_phase(model, Playback::previous_phase),
        Command::GoToStop(index) => time::go_to_stop(model, index),
        Command::GoToStart => time::change(model, |time| time.seek(0, 0.0)),
        Command::GoToEnd => time::change(model, |time| time.seek(time.frames(), 0.0)),
        Command::Seek { frame, fraction } => time::change(model, |time| time.seek(frame, fraction)),
        Command::SeekState(state) => time::change(model, |time| time.seek_state(state)),
        Command::Faster => time::change(model, Playback::faster),
        Command::Slower => time::change(model, Playback::slower),
        Command::SetSpeed(speed) => time::change(model, |time| time.set_speed(speed)),
        Command::ToggleHitstop => model.ui_state.hitstop = !model.ui_state.hitstop,
        Command::FreezeAt(event, on) => set_member(&mut model.ui_state.freeze_on, event, on),
        Command::ToggleLoop => time::change(model, Playback::toggle_loop),
        Command::LoopIn => time::change(model, Playback::loop_in),
        Command::LoopOut => time::change(model, Playback::loop_out),
        Command::ClearLoop => time::change(model, Playback::clear_loop),
        Command::SetLoop(from, to) => time::change(model, |time| time.set_loop(from, to)),
        Command::NextImpact => model.find_impact(SearchDirection::Forward),
        Command::PreviousImpact => model.find_impact(SearchDirection::Backward),
        Command::FitTime => model.time.fit(),
        Command::ZoomTimeIn => time::zoom(model, true),
        Command::ZoomTimeOut => time::zoom(model, false),
        Command::ShowTime { from, span } => time::show(model, from, span),
        Command::PointAtTime(position) => model.time.pointed = position,
        Command::AddBookmark => model.add_bookmark(false),
        Command::AddBookmarkWithNote => model.add_bookmark(true),
        Command::NextBookmark => model.step_bookmark(true),
        Command::PreviousBookmark => model.step_bookmark(false),
        Command::ReplaceBookmark(old, new) => {
            model.change_bookmarks(BookmarkEdit::Replace(old, new));
        }
        Command::RemoveBookmark(old) => model.change_bookmarks(BookmarkEdit::Remove(old)),
        Command::FocusFrameField => time::focus_frame_field(model),

        Command::NextFinding => findings::step(model, 1),
        Command::PreviousFinding => findings::step(model, -1),
        Command::CopyFinding => findings::copy(model),
        Command::SaveFrameAs => findings::show_scene_dialog(model),
        Command::SaveFrameTo(path) => model.save_scene(path),
        Command::ReproductionDialog(engine) => findings::show_reproduction_dialog(model, engine),
        Command::SaveReproduction(engine, path) => model.save_reproduction(engine, path),
        Command::FilterEngineLog(filter) => {
            if let Some(session) = &mut model.session {
                session.engine_log_filter = filter;
            }
            model.show_frame();
        }
        Command::ShowEngineLogRow(index) => model.show_engine_log_row(index),
        Command::SetLeaksForm(form) => {
            if let Some(session) = &mut model.session {
                session.leaks_form = form;
            }
        }
        Command::LookForLeaks => {
            view::show_pane(model, Pane::Leaks);
            model.look_for_leaks();
        }
        Command::ShowLeak(index) => model.show_leak(index),
        Command::TuneInBuild => model.ask_build_command(),
        Command::SetBuildCommand(command) => model.set_build_command(command),
        Command::CloseBuildCommand(runs) => model.end_build_command(runs),
        Command::StopTuning => model.jobs.cancel(JobKind::Tune),
        Command::ExpectFinding => findings::expect(model),
        Command::Expect(wanted) => model.expect(wanted),
        Command::SetWhatIfValues(values) => {
            findings::edit_what_if(model, |state| state.set(values))
        }
        Command::TryFix(parameter, value) => findings::try_fix(model, parameter, value),
        Command::ResetWhatIf => findings::edit_what_if(model, WhatIf::reset),
        Command::SetWhatIfPhases(phases) => {
            findings::edit_what_if(model, |state| state.map_phases(phases));
        }
        Command::CopyWhatIf => findings::copy_what_if(model),
        Command::JudgeCharacters(names) => model.judge_characters(names),
        Command::SelectFinding(index) => findings::select(model, index),
        Command::ListStaying(row) => findings::list_staying(model, row),
        Command::OnlyKind(kind) => findings::list_only(model, kind),
        Command::ShowKind(kind, show) => {
            set_member(&mut model.ui_state.findings.hidden_kinds, kind, !show);
        }
        Command::FilterFindings(text) => model.ui_state.findings.filter = text,
        Command::GroupFindings(group) => model.ui_state.findings.group = group,
        Command::SortFindings(sort) => model.ui_state.findings.sort = sort,

        Command::SetProbeLines(lines) => camera::edit_probe(model, |probe| probe.set_lines(lines)),
        Command::SetProbePreset(preset) => camera::edit_probe(model, |probe| probe.preset(preset)),
        Command::SetProbeMode(mode) => camera::edit_probe(model, |probe| probe.set_mode(mode)),
        Command::PointAtLine(line) => camera::edit_probe(model, |probe| probe.pointed = line),
        Command::ShuffleProbe => camera::shuffle(model),
        Command::ResetProbe => camera::edit_probe(model, Probe::reset),
        Command::CopyProbe => camera::copy_probe(model),
        Command::ToggleWalk => camera::toggle_walk(model),
        Command::WalkInput(stride) => model.advance_walk(&stride),
        Command::SaveWalkAs => camera::show_walk_dialog(model),
        Command::SaveWalk(path) => model.save_walk(path),

        Command::OpenFind => model.open_find(),
        Command::FindNext => model.find(SearchDirection::Forward),
        Command::FindPrevious => model.find(SearchDirection::Backward),
        Command::StopFind => model.jobs.cancel(JobKind::Find),
        Command::SetQuery(query) => time::set_query(model, query),
        Command::Plot(quantity, on) => set_member(&mut model.plotted.quantities, quantity, on),
        Command::ExportCsv => time::show_plots_dialog(model, PlotsAs::Csv),
        Command::ExportPng => time::show_plots_dialog(model, PlotsAs::Png),
        Command::SaveCsv(path) => model.save_plots_as_csv(path),
        Command::SavePairHistoryAs => time::show_plots_dialog(model, PlotsAs::PairHistory),
        Command::SavePairHistory(path) => model.save_pair_history(path),
        Command::SavePng(path) => time::save_plots_image(model, path),

        Command::TogglePin => model.toggle_pin_of_selection(),
        Command::UnpinAll => model.unpin_all(),
        Command::PinSubject(subject) => model.toggle_pin(subject),

        Command::CompareDetection => model.compare_with(Against::OtherDetection),
        Command::CompareFile => model.effects.push(Effect::OpenDialog(Dialog::Compare)),
        Command::CompareWith(path) => model.compare_with_file(path),
        Command::ShowTrack(index) => model.show_track(index),
        Command::CompareRunBefore => model.compare_with(Against::RunBefore),
        Command::CompareView(view) => model.layers.compare_view = view,
        Command::StopComparing => model.stop_comparing(),
        Command::SelectDifference(index) => model.go_to_difference(index),
        Command::SetCompareSettings(settings) => model.compare_with_settings(settings),

        Command::SelectNothing => selection::escape(model),
        Command::Select(None) => selection::change(model, Selection::clear),
        Command::Select(Some(object)) => {
            selection::change(model, |selected| selected.set([object]))
        }
        Command::SelectMany(objects, more) => selection::many(model, objects, more),
        Command::ToggleSelect(object) => {
            selection::change(model, |selected| selected.toggle(object))
        }
        Command::SelectPair(a, b) => selection::change(model, |selected| selected.set([a, b])),
        Command::WhyHere => {
            if let Some(&object) = model.selection.objects().last() {
                explain(model, object);
            }
        }
        Command::Explain(object, state) => {
            time::change(model, |time| time.seek(state, 0.0));
            explain(model, object);
        }
        Command::FocusFilter => selection::focus_filter(model),

        Command::PointAt(object) => selection::point_at(model, object),

        Command::FrameAll => model.effects.push(Effect::LookAtLevel { softly: true }),
        Command::FrameSelection => view::frame_selection(model),
        Command::ViewFrom(side) => model.effects.push(Effect::ViewFrom(side)),
        Command::ToggleOrthographic => model.effects.push(Effect::ToggleOrthographic),
        Command::ShowLayer(layer, show) => model.layers.set(layer, show),
        Command::SphereLevel(level) => model.layers.sphere_level = level,
        Command::ToggleSplitView => {
            view::change_layout(model, |layout| layout.split = !layout.split)
        }
        Command::SetDivider(at) => view::change_layout(model, |layout| layout.divider = at),
        Command::Toggle(switch) => model.layers.toggle(switch),
        Command::ToggleClip => view::toggle_clip(model),
        Command::SetClip(place) => model.layers.clip = Some(place.clamp(-1.0, 1.0)),
        Command::ColorBy(property) => model.layers.color_by = property,
        Command::MeshView(look) => model.layers.mesh_view = look,
        Command::LockSelected => view::lock_selected(model),
        Command::UnlockAll => view::unlock_all(model),
        Command::HideSelected => view::hide_selected(model),
        Command::IsolateSelected => view::isolate_selected(model),
        Command::ShowAllObjects => view::show_all_objects(model),
        Command::ToggleFollow => view::toggle_follow(model),
        Command::ResetLayers => model.layers.reset(),
        Command::TogglePane(pane) => view::toggle_pane(model, pane),
        Command::ShowPane(pane) => view::show_pane(model, pane),
        Command::TogglePanels => model.ui_state.panels_hidden = !model.ui_state.panels_hidden,
        Command::ResetPanels => view::reset_panels(model),
        Command::UseTheme(theme) => view::use_theme(model, theme),
        Command::ZoomIn => view::zoom(model, 0.1),
        Command::ZoomOut => view::zoom(model, -0.1),
        Command::ZoomReset => view::reset_zoom(model),
        Command::ToggleFullscreen => model.effects.push(Effect::Fullscreen),

        Command::TogglePalette => model.ui_state.palette = !model.ui_state.palette,
        Command::RememberChoice(text) => {
            model.settings.remember_choice(text);
            model.save_settings();
        }
        Command::ToggleCheatSheet => model.ui_state.cheat_sheet = !model.ui_state.cheat_sheet,
        Command::Help(page) => model.ui_state.help = Some(page.index()),
        Command::CloseHelp => model.ui_state.help = None,
        Command::ShowHints => model.ui_state.hint = Some(0),
        Command::ShowHint(number) => model.ui_state.hint = number.filter(|number| *number < HINTS),
        Command::DismissMessage(id) => model.messages.dismiss(id),
        Command::DismissAllMessages => model.messages.dismiss_all(),
        Command::ClearLog => model.messages.clear_log(),
        Command::CopyText(text) => model.effects.push(Effect::Copy(text)),
    }
}

/// Selects only this object, and shows why it is where it is at the playhead, also while a finding or a camera would be explained.
fn explain(model: &mut Model, object: ObjectId) {
    selection::change(model, |selected| selected.set([object]));
    view::show_pane(model, Pane::Explain);
    if let Some(session) = &mut model.session {
        session.derived.motion.ask(object);
    }
    model.show_frame();
}

/// Inserts an item into a set, or removes it.
fn set_member<T: Ord>(set: &mut BTreeSet<T>, item: T, is_member: bool) {
    if is_member {
        set.insert(item);
    } else {
        set.remove(&item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::files::Settings;
    use crate::app::view_state::{Layer, Layers, Show, Switch};
    use crate::core::diagnose::Kind;
    use std::sync::Arc;

    fn model() -> Model {
        Model::new(Settings::default(), Arc::new(|| {}))
    }

    #[test]
    fn every_command_of_the_table_works_without_a_level() {
        for entry in crate::app::entry::TABLE {
            carry_out(&mut model(), entry.command.clone());
        }
    }

    #[test]
    fn time_commands_move_the_playhead() {
        let mut model = model();
        model.playback = Playback::new(30);
        carry_out(&mut model, Command::NextFrame);
        carry_out(&mut model, Command::TenFramesForward);
        assert_eq!(model.playback.playhead().frame, 11);
        carry_out(
            &mut model,
            Command::Seek {
                frame: 3,
                fraction: 0.5,
            },
        );
        assert_eq!(model.playback.playhead().position(), 3.5);
        carry_out(&mut model, Command::TogglePlay);
        assert!(model.playback.playing().is_some());
    }

    #[test]
    fn zooming_in_and_out_restores_the_size() {
        let mut model = model();
        for _ in 0..3 {
            apply(&mut model, Command::ZoomIn);
        }
        for _ in 0..3 {
            apply(&mut model, Command::ZoomOut);
        }
        assert_eq!(model.ui_state.zoom, 1.0);
        for _ in 0..30 {
            apply(&mut model, Command::ZoomOut);
        }
        assert_eq!(model.ui_state.zoom, 0.5);
        apply(&mut model, Command::ZoomReset);
        assert_eq!(model.ui_state.zoom, 1.0);
    }

    #[test]
    fn layers_and_kinds_are_chosen_and_reset() {
        let mut model = model();
        carry_out(&mut model, Command::ShowLayer(Layer::Boxes, Show::All));
        assert_eq!(model.layers.get(Layer::Boxes), Show::All);
        carry_out(&mut model, Command::ResetLayers);
        assert_eq!(model.layers, Layers::default());
        // As without a graphics card.
        let shading = Switch::ContactShading;
        carry_out(&mut model, Command::Toggle(shading));
        carry_out(&mut model, Command::ResetLayers);
        assert!(!model.layers.has(shading));
        carry_out(&mut model, Command::ShowKind(Kind::Clips, false));
        assert!(model.ui_state.findings.hidden_kinds.contains(&Kind::Clips));
        carry_out(&mut model, Command::ShowKind(Kind::Clips, true));
        assert!(model.ui_state.findings.hidden_kinds.is_empty());
    }

    #[test]
    fn escape_closes_the_cheat_sheet_before_it_clears_the_selection() {
        let mut model = model();
        apply(&mut model, Command::Select(Some(2)));
        apply(&mut model, Command::ToggleCheatSheet);
        apply(&mut model, Command::SelectNothing);
        assert!(!model.ui_state.cheat_sheet);
        assert_eq!(model.selection.objects(), [2]);
        apply(&mut model, Command::SelectNothing);
        assert!(model.selection.objects().is_empty());
    }
}
