//! The handling of the results of jobs.

use super::job::{JobDone, JobKind, SessionDone};
use super::messages::Severity;
use super::{Model, Session};
use crate::core::problem::Problem;

impl Model {
    /// Handles all results in the inbox.
    pub(super) fn take_results(&mut self) {
        while let Some(delivery) = self.jobs.receive() {
            match delivery.result {
                Ok(done) => self.on_job(done, delivery.cancelled),
                Err(panic) => self.on_panic(delivery.kind, panic),
            }
        }
    }

    /// Handles a result. Results of a session arrive only while it is open.
    fn on_job(&mut self, done: JobDone, cancelled: bool) {
        match done {
            JobDone::ListBundled(Ok(entries)) => self.bundle = entries,
            JobDone::ListBundled(Err(problems)) => self.show_errors(problems),
            JobDone::CheckRecent(found) => self.recent = found,
            JobDone::Part(source, part) => self.take_part(source, part),
            JobDone::Open(source, loaded) => self.take_level(source, loaded, cancelled),
            JobDone::Ask(path, choice) => self.ask(path, *choice),
            JobDone::Keep(source, Err(error)) if !cancelled => {
                let what = format!("this recording could not be kept: {error}");
                let help = "it is read again the next time; make room on the disk";
                self.messages
                    .add(Severity::Notice, Problem::new(source.name(), what, help));
            }
            JobDone::Keep(..) => {}
            JobDone::KeepReceived(kept) => self.take_received(kept),
            JobDone::Notice(problem) => self.messages.add(Severity::Notice, problem),
            JobDone::Diagnose(report) => self.take_report(report),
            JobDone::RewriteText(rewrite, rewritten) => self.take_rewritten(&rewrite, rewritten),
            JobDone::Save(outcome) => self.take_written(outcome),
            JobDone::CheckFile(path, found) => self.take_file_check(path, found),
            JobDone::CheckMeshes(found) => self.take_mesh_check(found),
            JobDone::Autosave(text, outcome) => self.take_autosave(text, outcome),
            JobDone::SaveSettings(outcome) => {
                if let Err(problem) = outcome {
                    self.messages.add(Severity::Notice, problem);
                }
            }
            JobDone::SaveExcerpt(what, path, outcome) => self.take_excerpt(what, &path, outcome),
            JobDone::TuneStep(what) => self.take_tune_step(what),
            JobDone::Tune(outcome) => self.take_tuned(outcome),
            JobDone::SaveWalk(outcome) => self.take_walk(outcome),
            JobDone::SaveView(path, outcome) => self.take_export(&path, outcome),
            JobDone::SavePlots(path, outcome) => self.take_plots(&path, outcome),
            JobDone::WriteOutput(output, path, outcome) => {
                self.take_output(output, &path, outcome);
            }
            JobDone::JudgeTour(cause, lacks) => self.take_tour(cause, lacks),
            JobDone::DrawCause(cause, film) => drop(self.cause_films.insert(cause, film)),
            JobDone::Import(outcome) => self.take_import(outcome),
            JobDone::Find(search, found) => self.take_found(search, found, cancelled),
            JobDone::OpenOther(other) => self.take_other(other, cancelled),
            JobDone::OfSession(done) => {
                if let Some(session) = &mut self.session {
                    session.on_job(done);
                }
            }
        }
    }

    /// Reports a job that panicked.
    fn on_panic(&mut self, kind: JobKind, panic: String) {
        if kind == JobKind::Autosave {
            return self.autosave_failed(&Problem::new("", panic, ""));
        }
        if kind == JobKind::Open {
            self.stop_growing();
        }
        if kind == JobKind::RewriteText {
            self.rewrite_failed();
        }
        if kind == JobKind::Tune {
            self.tuning_failed();
        }
        if kind == JobKind::OpenOther {
            self.stop_comparing();
        }
        let session = self.session.as_mut();
        if session.is_some_and(|session| session.on_panic(kind, &panic)) {
            return;
        }
        let document = self.document();
        let subject = document.map_or_else(String::new, |document| document.source.name());
        self.internal_error(&subject, &panic);
    }
}

impl Session {
    /// Stores a result.
    fn on_job(&mut self, done: SessionDone) {
        let derived = &mut self.derived;
        match done {
            SessionDone::Frame(stepped) => self.document.frames.take(stepped),
            SessionDone::OtherFrame(stepped) => self.compare.take_frame(stepped),
            SessionDone::Compare(found) => self.compare.take_result(found),
            SessionDone::CompareTrack(found) => self.compare.take_track(found),
            SessionDone::DiagnoseOther(report) => self.compare.take_report(report),
            SessionDone::Growth(subject, points) => self.compare.take_growth(subject, points),
            SessionDone::Candidates(of, frame, candidates) => {
                derived.candidates.take(of, frame, candidates);
            }
            SessionDone::ExplainMotion(at, found) => derived.motion.take(at, found),
            SessionDone::LastChange(at, found) => derived.motion.take_change(at, found),
            SessionDone::EngineLog(key, found) => derived.engine_log.take(key, found),
            SessionDone::GamePicture(file, picture) => derived.game_picture.take(file, picture),
            SessionDone::Leaks(found) => derived.leaks.take(found),
            SessionDone::Unswept(of, impacts) => derived.unswept.take(of, impacts),
            SessionDone::History(part) => derived.histories.take(part),
            SessionDone::PartReport(report) => self.take_part_report(report),
            SessionDone::LevelFixes(found) => derived.level_fixes = found.unwrap_or_default(),
            SessionDone::SearchWhatIf(found) => {
                if let Some(search) = &mut derived.what_if_search {
                    search.take(found);
                }
            }
            SessionDone::PrepareWhatIf(session) => {
                if let Some(what_if) = &mut derived.what_if {
                    what_if.prepared(session);
                }
            }
            SessionDone::MapWhatIf(map) => {
                if let Some(what_if) = &mut derived.what_if {
                    what_if.mapped(map);
                }
            }
        }
    }

    /// Stores that a job failed, so that it is not started again at once; returns true if its panel shows the error.
    fn on_panic(&mut self, kind: JobKind, panic: &str) -> bool {
        let derived = &mut self.derived;
        match kind {
            JobKind::Frame => self.document.frames.failed(),
            JobKind::OtherFrame => self.compare.frame_failed(),
            JobKind::CompareTrack => self.compare.take_track(Err("internal error".to_owned())),
            JobKind::History(_) => derived.histories.failed(),
            JobKind::Candidates => derived.candidates.failed(),
            JobKind::ExplainMotion | JobKind::LastChange => derived.motion.failed(kind),
            JobKind::EngineLog => derived.engine_log.failed(),
            JobKind::GamePicture => derived.game_picture.failed(),
            JobKind::Unswept => derived.unswept.failed(),
            JobKind::SearchWhatIf => {
                if let Some(search) = &mut derived.what_if_search {
                    search.failed(panic.to_owned());
                }
                return true;
            }
            JobKind::PrepareWhatIf | JobKind::MapWhatIf => {
                if let Some(what_if) = &mut derived.what_if {
                    what_if.failed(panic.to_owned());
                }
                return true;
            }
            _ => {}
        }
        false
    }
}
