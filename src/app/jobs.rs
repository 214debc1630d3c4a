//! Background jobs: progress, cancellation, and one inbox for the results of all of them.

use crate::core::progress::Progress;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time after an urgent job in which other jobs still give way, as a user who scrubs needs the next one soon.
const REST: Duration = Duration::from_millis(150);
/// Longest time for which a job gives way at once.
const LONGEST_PAUSE: Duration = Duration::from_millis(500);
/// Time between two looks at whether a job may go on.
const PAUSE: Duration = Duration::from_millis(1);

/// A function that requests another pass of the window.
pub type RequestRepaint = Arc<dyn Fn() + Send + Sync>;

type Work<K, T> = Box<dyn FnOnce(&JobContext<K, T>) -> T + Send>;

/// The jobs that run, at most one of each kind `K`. Their results `T` arrive in one inbox; those of a job that was dropped or
/// replaced never do.
pub struct Jobs<K, T> {
    running: Vec<Running<K>>,
    started: u64,
    urgent: Arc<UrgentJobs>,
    outbox: Sender<Message<K, T>>,
    inbox: Receiver<Message<K, T>>,
    request_repaint: RequestRepaint,
}

/// A result of a job.
#[derive(Debug)]
pub struct Delivery<K, T> {
    /// The kind of the job.
    pub kind: K,
    /// The result; an error is the text of a panic.
    pub result: Result<T, String>,
    /// The job was cancelled.
    pub cancelled: bool,
    /// The job has ended.
    pub is_last: bool,
}

struct Running<K> {
    kind: K,
    id: u64,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    done: AtomicU64,
    total: AtomicU64,
    cancelled: AtomicBool,
}

struct Message<K, T> {
    kind: K,
    id: u64,
    result: Result<T, String>,
    is_last: bool,
}

/// The context of a running job on its own thread, for progress, cancellation and partial results.
pub struct JobContext<K, T> {
    kind: K,
    id: u64,
    state: Arc<State>,
    urgent: Arc<UrgentJobs>,
    outbox: Sender<Message<K, T>>,
    request_repaint: RequestRepaint,
}

/// The urgent jobs.
#[derive(Default)]
struct UrgentJobs {
    running: AtomicUsize,
    /// When the last one ended.
    ended: Mutex<Option<Instant>>,
}

impl UrgentJobs {
    fn ended(&self) -> MutexGuard<'_, Option<Instant>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true while one runs, and shortly after.
    fn are_near(&self) -> bool {
        self.running.load(Ordering::Relaxed) > 0
            || self.ended().is_some_and(|at| at.elapsed() < REST)
    }
}

/// Counts an urgent job while it runs.
struct Urgent(Arc<UrgentJobs>);

impl Urgent {
    fn new(jobs: &Arc<UrgentJobs>) -> Self {
        jobs.running.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(jobs))
    }
}

impl Drop for Urgent {
    fn drop(&mut self) {
        *self.0.ended() = Some(Instant::now());
        self.0.running.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<K, T> JobContext<K, T> {
    /// Waits while urgent jobs run and until no more come, but not for long. Call it where no lock is held, and not on a thread of
    /// a pool that urgent jobs use.
    pub fn give_way(&self) {
        let begun = Instant::now();
        while self.urgent.are_near() && begun.elapsed() < LONGEST_PAUSE {
            std::thread::sleep(PAUSE);
        }
    }
}

impl<K: Copy, T> JobContext<K, T> {
    /// Sends a partial result.
    pub fn send(&self, part: impl Into<T>) {
        self.deliver(Ok(part.into()), false);
    }

    fn deliver(&self, result: Result<T, String>, is_last: bool) {
        // It fails only when the window was closed.
        let _ = self.outbox.send(Message {
            kind: self.kind,
            id: self.id,
            result,
            is_last,
        });
        (self.request_repaint)();
    }
}

impl<K: Sync + Send, T: Send> Progress for JobContext<K, T> {
    fn report(&self, done: u64, total: u64) {
        self.state.done.store(done, Ordering::Relaxed);
        self.state.total.store(total, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.state.cancelled.load(Ordering::Relaxed)
    }
}

impl<K, T> Jobs<K, T>
where
    K: Copy + Eq + Send + Sync + 'static,
    T: Send + 'static,
{
    /// No jobs; `request_repaint` is called when a result is in the inbox.
    pub fn new(request_repaint: RequestRepaint) -> Self {
        let (outbox, inbox) = mpsc::channel();
        Self {
            running: Vec::new(),
            started: 0,
            urgent: Arc::default(),
            outbox,
            inbox,
            request_repaint,
        }
    }

    /// Starts a job on its own thread and drops a running job of the same kind.
    pub fn start<R: Into<T>>(
        &mut self,
        kind: K,
        work: impl FnOnce(&JobContext<K, T>) -> R + Send + 'static,
    ) {
        self.start_boxed(kind, Box::new(|job| work(job).into()));
    }

    /// [`Jobs::start`], compiled once and not for each job.
    fn start_boxed(&mut self, kind: K, work: Work<K, T>) {
        self.drop(kind);
        self.started += 1;
        let id = self.started;
        let state = Arc::new(State::default());
        let context = JobContext {
            kind,
            id,
            state: Arc::clone(&state),
            urgent: Arc::clone(&self.urgent),
            outbox: self.outbox.clone(),
            request_repaint: Arc::clone(&self.request_repaint),
        };
        self.running.push(Running { kind, id, state });
        std::thread::spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(|| work(&context))).map_err(panic_text);
            context.deliver(result, true);
        });
    }

    /// Starts a job whose result the user waits for: others give way to it.
    pub fn start_urgent<R: Into<T>>(
        &mut self,
        kind: K,
        work: impl FnOnce(&JobContext<K, T>) -> R + Send + 'static,
    ) {
        let urgent = Urgent::new(&self.urgent);
        self.start(kind, move |job| {
            let _urgent = urgent;
            work(job)
        });
    }

    /// The next result in the inbox.
    pub fn receive(&mut self) -> Option<Delivery<K, T>> {
        loop {
            let Message {
                kind,
                id,
                result,
                is_last,
            } = self.inbox.try_recv().ok()?;
            let Some(index) = self.running.iter().position(|running| running.id == id) else {
                continue;
            };
            let cancelled = self.running[index].state.cancelled.load(Ordering::Relaxed);
            if is_last {
                self.running.swap_remove(index);
            }
            return Some(Delivery {
                kind,
                result,
                cancelled,
                is_last,
            });
        }
    }

    /// Returns true while a job of this kind runs.
    pub fn is_running(&self, kind: K) -> bool {
        self.running_of(kind).is_some()
    }

    fn running_of(&self, kind: K) -> Option<&Running<K>> {
        self.running.iter().find(|running| running.kind == kind)
    }

    /// Returns true while a job of one of these kinds runs.
    pub fn is_any_running<const N: usize>(&self, kinds: [K; N]) -> bool {
        kinds.into_iter().any(|kind| self.is_running(kind))
    }

    /// The progress of a running job, 0 to 1; `Some(None)` while it is unknown.
    pub fn progress(&self, kind: K) -> Option<Option<f32>> {
        let (done, total) = self.counts(kind)?;
        Some((total > 0).then(|| (done as f64 / total as f64).min(1.0) as f32))
    }

    /// What is done of a running job, and of how much; 0 of 0 while that is unknown.
    pub fn counts(&self, kind: K) -> Option<(u64, u64)> {
        let state = &self.running_of(kind)?.state;
        let total = state.total.load(Ordering::Relaxed);
        Some((state.done.load(Ordering::Relaxed), total))
    }

    /// Cancels a job; its result so far still arrives.
    pub fn cancel(&self, kind: K) {
        if let Some(running) = self.running_of(kind) {
            running.state.cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Stops a job; no more of its results arrive.
    pub fn drop(&mut self, kind: K) {
        self.drop_where(|one| one == kind);
    }

    /// Stops the jobs of some kinds; no more of their results arrive.
    pub fn drop_where(&mut self, is_dropped: impl Fn(K) -> bool) {
        self.running.retain(|running| {
            let dropped = is_dropped(running.kind);
            if dropped {
                running.state.cancelled.store(true, Ordering::Relaxed);
            }
            !dropped
        });
    }

    /// A function that requests another pass of the window.
    pub fn request_repaint(&self) -> RequestRepaint {
        Arc::clone(&self.request_repaint)
    }
}

impl<K, T> Drop for Jobs<K, T> {
    fn drop(&mut self) {
        for running in &self.running {
            running.state.cancelled.store(true, Ordering::Relaxed);
        }
    }
}

/// The text of a panic.
pub(super) fn panic_text(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("an unknown error")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs() -> Jobs<u8, &'static str> {
        Jobs::new(Arc::new(|| ()))
    }

    fn wait(jobs: &mut Jobs<u8, &'static str>) -> Delivery<u8, &'static str> {
        loop {
            if let Some(delivery) = jobs.receive() {
                return delivery;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn results_arrive_in_order_with_progress() {
        let mut jobs = jobs();
        let (go, gone) = mpsc::channel::<()>();
        jobs.start(1, move |job| {
            job.report(3, 4);
            job.send("part");
            gone.recv().unwrap();
            "whole"
        });
        let part = wait(&mut jobs);
        assert_eq!((part.result, part.is_last), (Ok("part"), false));
        assert_eq!(jobs.progress(1), Some(Some(0.75)));
        go.send(()).unwrap();
        let whole = wait(&mut jobs);
        assert_eq!((whole.result, whole.is_last), (Ok("whole"), true));
        assert!(!jobs.is_running(1) && jobs.progress(1).is_none());
    }

    #[test]
    fn a_cancelled_job_delivers_and_a_dropped_one_does_not() {
        let mut jobs = jobs();
        let until_cancelled = |job: &JobContext<u8, &'static str>| {
            while !job.cancelled() {
                std::thread::yield_now();
            }
            "stopped"
        };
        jobs.start(1, until_cancelled);
        assert_eq!(jobs.progress(1), Some(None));
        jobs.cancel(1);
        let stopped = wait(&mut jobs);
        assert_eq!((stopped.result, stopped.cancelled), (Ok("stopped"), true));
        jobs.start(1, until_cancelled);
        jobs.start(2, until_cancelled);
        // The first is replaced, the second dropped.
        jobs.start(1, |_| "new");
        jobs.drop(2);
        jobs.start(3, |_| "last");
        let mut got = [wait(&mut jobs), wait(&mut jobs)].map(|one| (one.kind, one.result));
        got.sort_by_key(|(kind, _)| *kind);
        assert_eq!(got, [(1, Ok("new")), (3, Ok("last"))]);
        assert!(jobs.receive().is_none());
    }

    #[test]
    fn jobs_give_way_to_an_urgent_one() {
        let mut jobs = jobs();
        let (go, gone) = mpsc::channel::<()>();
        jobs.start_urgent(1, move |_| {
            gone.recv().unwrap();
            "urgent"
        });
        jobs.start(2, |job| {
            let begun = Instant::now();
            job.give_way();
            assert!(begun.elapsed() >= LONGEST_PAUSE);
            job.send("waited");
            while job.urgent.are_near() {
                job.give_way();
            }
            "other"
        });
        assert_eq!(wait(&mut jobs).result, Ok("waited"));
        go.send(()).unwrap();
        let mut got = [wait(&mut jobs), wait(&mut jobs)].map(|one| (one.kind, one.result));
        got.sort_by_key(|(kind, _)| *kind);
        assert_eq!(got, [(1, Ok("urgent")), (2, Ok("other"))]);
        assert!(!jobs.urgent.are_near());
    }

    #[test]
    fn a_panic_is_an_error_with_its_text() {
        let mut jobs = jobs();
        jobs.start(1, |_| -> &'static str { panic!("a wheel came off") });
        assert_eq!(wait(&mut jobs).result, Err("a wheel came off".to_owned()));
    }
}
