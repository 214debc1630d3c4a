//! Diagnosis of the open level in the background: its threads, and how it gives way to urgent jobs.

use super::job::{JobContext, SessionDone};
use crate::core::diagnose::{self, Diagnosis, Report};
use crate::core::level::Level;
use crate::core::progress::Progress;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Time after which the first findings of a long diagnosis are shown, and least time to the next.
const PART_REPORT: Duration = Duration::from_millis(500);
/// The time between two reports is at least this many times that of making one.
const REST: u32 = 20;

/// Thread pool of the diagnosis: all cores but one, which the window needs. `None` if it cannot be created.
fn diagnosis_threads() -> Option<&'static ThreadPool> {
    static THREADS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let threads = THREADS.get_or_init(|| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let count = cores.saturating_sub(1).max(1);
        ThreadPoolBuilder::new().num_threads(count).build().ok()
    });
    threads.as_ref()
}

/// Runs a diagnosis on its threads.
pub(super) fn on_diagnosis_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match diagnosis_threads() {
        Some(threads) => threads.install(work),
        None => work(),
    }
}

/// The progress of a job that gives way to urgent ones.
pub(super) struct GivesWay<'j>(pub &'j JobContext);

impl Progress for GivesWay<'_> {
    fn report(&self, done: u64, total: u64) {
        self.0.report(done, total);
    }

    fn cancelled(&self) -> bool {
        self.0.give_way();
        self.0.cancelled()
    }
}

/// Diagnoses a level; `None` when stopped.
pub(super) fn diagnose(
    level: &Level,
    job: &JobContext,
    on_part: &mut (dyn FnMut(&Diagnosis) + Send),
) -> Option<Report> {
    on_diagnosis_threads(|| {
        let begun = Instant::now();
        let options = diagnose::Options {
            margins: true,
            ..diagnose::Options::default()
        };
        let report = diagnose::diagnose_in_parts(level, &options, &GivesWay(job), on_part)?;
        Some(Report {
            seconds: Some(begun.elapsed().as_secs_f64()),
            ..report
        })
    })
}

/// Sends the report so far now and then.
pub(super) fn part_reports<'j>(
    level: &'j Level,
    job: &'j JobContext,
) -> impl FnMut(&Diagnosis) + use<'j> {
    let mut due = Instant::now() + PART_REPORT;
    move |diagnosis| {
        let begun = Instant::now();
        if begun >= due {
            job.send(SessionDone::PartReport(
                diagnosis.report(&level.replay, &level.file),
            ));
            due = Instant::now() + PART_REPORT.max(begun.elapsed() * REST);
        }
    }
}
