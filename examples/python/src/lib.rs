//! The compiled part of the Python module `hitstop`.

use hitstop_core::cli::check::report_of;
use hitstop_core::report::findings_table::{Values, table};
use hitstop_core::cli::{PROGRAM_FILE, parse_frames};
use hitstop_core::core::diagnose::{Options, Report};
use hitstop_core::core::problem::Problems;
use hitstop_core::core::progress::Progress;
use hitstop_core::core::scene::Detection;
use hitstop_core::program;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

pyo3::create_exception!(hitstop, Error, PyValueError, "A file that cannot be used.");

/// Time between two looks for Ctrl+C.
const SIGNALS: Duration = Duration::from_millis(20);

/// Cancels the work once it is set.
struct Cancel(AtomicBool);

impl Progress for Cancel {
    fn report(&self, _done: u64, _total: u64) {}

    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Judges a recording or a scene, and returns its findings as a dict of columns.
///
/// `frames` limits it to some frames, "10..20"; `detection` is "overlap" or "sweep", for scenes; `build` is the version of the recorded program.
#[pyfunction]
#[pyo3(signature = (path, *, frames=None, detection=None, build=None))]
fn check<'py>(
    py: Python<'py>,
    path: PathBuf,
    frames: Option<&str>,
    detection: Option<&str>,
    build: Option<String>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = Options {
        frames: frames.map(parse_frames).transpose().map_err(PyValueError::new_err)?,
        detection: detection.map(parse_detection).transpose()?,
        ..Options::default()
    };
    let mut report = judge(py, &path, &options)?;
    report.build = build.or(report.build);
    let columns = PyDict::new(py);
    for (name, values) in py.detach(|| table(&report))? {
        match values {
            Values::Texts(all) => columns.set_item(name, all)?,
            Values::Wholes(all) => columns.set_item(name, all)?,
            Values::Numbers(all) => columns.set_item(name, all)?,
            Values::Flags(all) => columns.set_item(name, all)?,
        }
    }
    Ok(columns)
}

fn parse_detection(text: &str) -> PyResult<Detection> {
    match text {
        "overlap" => Ok(Detection::Overlap),
        "sweep" => Ok(Detection::Sweep),
        _ => Err(PyValueError::new_err("detection is \"overlap\" or \"sweep\"")),
    }
}

/// The report of a file, made on another thread while this one looks for signals.
fn judge(py: Python<'_>, path: &Path, options: &Options) -> PyResult<Report> {
    let cancel = Cancel(AtomicBool::new(false));
    let outcome: Result<Option<Report>, Problems> = py.detach(|| {
        thread::scope(|scope| {
            let work = scope.spawn(|| report_of(path, options, &cancel));
            while !work.is_finished() {
                thread::park_timeout(SIGNALS);
                if let Err(signal) = Python::attach(|py| py.check_signals()) {
                    cancel.0.store(true, Ordering::Relaxed);
                    return Err(signal);
                }
            }
            Ok(work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    })?;
    match outcome {
        Ok(Some(report)) => Ok(report),
        Ok(None) => unreachable!("it is cancelled by a signal alone"),
        Err(problems) => Err(Error::new_err(problems.to_string())),
    }
}

/// Runs the program, and returns its exit status. `file` is that of this module.
#[pyfunction]
fn run(py: Python<'_>, arguments: Vec<OsString>, file: PathBuf) -> PyResult<u8> {
    py.detach(|| {
        let _ = PROGRAM_FILE.set(file);
        let status = program::run(&arguments);
        // Rust does so at the end of its own programs alone.
        io::stdout().flush()?;
        Ok(status as u8)
    })
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Error", module.py().get_type::<Error>())?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(run, module)?)
}
