//! Writing the report, the findings or the recording of the level to a file, in the background, by the code of the command line.

use super::job::{JobDone, JobKind};
use super::messages::Operation;
use super::{Model, Session};
use crate::app::command::arguments::Output;
use crate::convert::{Part, convert_level};
use crate::core::problem::{Problem, Problems};
use crate::report::{FindingsFormat, html, replay_page, write_findings};
use crate::save::{save_atomic, save_stream};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Model {
    /// Starts writing an output of the level.
    pub(in crate::app) fn write_output(&mut self, output: Output, path: PathBuf) {
        let Some(Session {
            document, derived, ..
        }) = &self.session
        else {
            return;
        };
        let leaks = derived.leaks.found().map(Arc::clone);
        let (level, source) = (document.level.clone(), document.source.clone());
        let of_level = document.report.clone().unwrap_or_default();
        let is_level = matches!(output, Output::Recording | Output::Shots);
        if !is_level && !document.is_diagnosed() {
            return self.refuse(&source.name(), "the level is not diagnosed yet");
        }
        let (from, to) = self.playback.loop_bounds();
        let first = from.floor() as u32;
        let frames = first..=first.max((to.ceil() as u32).saturating_sub(1));
        self.jobs.start(JobKind::WriteOutput, move |job| {
            let mut of_level = (*of_level).clone();
            of_level.file = source.name();
            // As of `check`, which lists them where they are asked for.
            of_level.margins = None;
            let written = match output {
                Output::Report => {
                    of_level.add_level_fixes(&level.replay, job);
                    let saved = save_atomic(&path, html(&level, &of_level).as_bytes());
                    saved.map(|()| Vec::new()).map_err(Problems::from)
                }
                Output::ReplayPage => {
                    of_level.add_level_fixes(&level.replay, job);
                    let page = replay_page(&level, &of_level, frames);
                    page.map_err(Problems::from).and_then(|page| {
                        save_atomic(&path, page.html.as_bytes())?;
                        let name = path.display().to_string();
                        let note = |what| Problem::new(name.clone(), what, "");
                        Ok(page.left_out.into_iter().map(note).collect())
                    })
                }
                Output::Findings => FindingsFormat::of_path(&path)
                    .and_then(|format| {
                        save_stream(&path, |out| {
                            write_findings(&level, of_level, format, out, job)
                        })
                    })
                    .map(|()| Vec::new())
                    .map_err(Problems::from),
                Output::Recording => {
                    let written = convert_level(&level, &path, &Part::Whole, job);
                    written.map(|written| written.notices)
                }
                Output::Shots => {
                    let shots = leaks.as_ref().and_then(|found| found.level.as_ref());
                    let written = shots.map(|shots| convert_level(shots, &path, &Part::Whole, job));
                    written.map_or(Ok(Vec::new()), |written| Ok(written?.notices))
                }
            };
            JobDone::WriteOutput(output, path, written)
        });
    }

    pub(super) fn take_output(
        &mut self,
        output: Output,
        path: &Path,
        outcome: Result<Vec<Problem>, Problems>,
    ) {
        match outcome {
            Ok(notices) => {
                self.messages.succeeded(Operation::Export);
                let what = match output {
                    Output::Report => "the report is saved",
                    Output::ReplayPage => "the replay page is saved",
                    Output::Findings => "the findings are saved",
                    Output::Recording => "the recording is converted",
                    Output::Shots => "the shots are saved",
                };
                let is_level = matches!(output, Output::Recording | Output::Shots);
                self.show_warnings(notices);
                // The latest message, as only the latest few are shown.
                self.messages.saved(path, what, is_level);
            }
            Err(problems) => {
                for problem in problems.0 {
                    self.messages.failed(Operation::Export, problem);
                }
            }
        }
    }
}
