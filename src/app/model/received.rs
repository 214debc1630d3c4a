//! Recordings that were received from games, kept as files: the next one takes their place in the window.

use super::job::{JobDone, JobKind};
use super::messages::Severity;
use super::{Model, Session};
use crate::app::source::Source;
use crate::core::level::Level;
use crate::core::log::{self, Compression, Compressor, Format};
use crate::core::problem::Problem;
use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// The received recordings that are not kept yet, in the order of their ends.
pub(super) type Received = VecDeque<Level>;

impl Model {
    /// Keeps the shown recording if it was received.
    pub(super) fn keep_received(&mut self) {
        let document = self.session.as_ref().map(|session| &session.document);
        if let Some(document) = document
            && matches!(document.source, Source::Live(_))
        {
            self.received.push_back(document.level.clone());
        }
    }

    /// Keeps the one of a session that ends while it is received.
    pub(super) fn keep_cut_off(&mut self, session: &Session) {
        let is_received = matches!(session.document.source, Source::Live(_));
        if is_received && session.growing.is_some() {
            self.received.push_back(session.document.level.clone());
        }
    }

    /// Writes the next received recording to a file.
    pub(super) fn write_received(&mut self) {
        if self.jobs.is_running(JobKind::KeepReceived) {
            return;
        }
        let level = self.received.pop_front();
        let Some((level, folder)) = level.zip(self.settings.received.clone()) else {
            return;
        };
        self.jobs.start(JobKind::KeepReceived, move |_| {
            let since = SystemTime::now().duration_since(UNIX_EPOCH);
            let time = since.map_or(0, |since| since.as_millis());
            let name = format!("received-{time}.jsonl.zst");
            let kept = folder.write(&name, |output| {
                let Some(recording) = level.replay.recording() else {
                    return Ok(false);
                };
                let mut output = Compressor::new(output, Some(Compression::Zstd))?;
                log::write(Format::JsonLines, recording, &mut output)?;
                output.finish().map(|_| true)
            });
            JobDone::KeepReceived(kept.map(|kept| kept.then(|| folder.path(&name))))
        });
    }

    /// Adds the message about a received recording that was kept; `None` if it is too large for the folder.
    pub(super) fn take_received(&mut self, kept: io::Result<Option<PathBuf>>) {
        let what = match kept {
            Ok(Some(path)) => {
                self.settings.remember(&path);
                self.save_settings();
                let text = "the received recording is kept";
                return self.messages.saved(&path, text, true);
            }
            Ok(None) => "the received recording is too large to be kept".to_owned(),
            Err(error) => format!("the received recording could not be kept: {error}"),
        };
        let help = "save it before the next one is received";
        self.messages
            .add(Severity::Notice, Problem::new("", what, help));
    }
}
