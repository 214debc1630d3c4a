//! Which mutant is switched on. Only in the copy that `.ci/mutants` builds.

use std::fs::File;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const UNKNOWN: u32 = u32::MAX;
const RECORD: u32 = u32::MAX - 1;

static ACTIVE: AtomicU32 = AtomicU32::new(UNKNOWN);
static SEEN: [AtomicU32; 2048] = [const { AtomicU32::new(0) }; 2048];
static REACHED: OnceLock<File> = OnceLock::new();

/// Whether this mutant is the one that HITSTOP_MUTANT names.
#[inline]
pub fn is(number: u32) -> bool {
    let active = ACTIVE.load(Relaxed);
    if active < RECORD { active == number } else { is_at_first(active, number) }
}

#[cold]
fn is_at_first(active: u32, number: u32) -> bool {
    if active == UNKNOWN {
        let wanted = std::env::var("HITSTOP_MUTANT").unwrap_or_default();
        ACTIVE.store(if wanted == "record" { RECORD } else { wanted.parse().unwrap_or(0) }, Relaxed);
        return is(number);
    }
    // Recording: each number is written once, to HITSTOP_REACHED.
    let bit = 1 << (number % 32);
    if SEEN[number as usize / 32].fetch_or(bit, Relaxed) & bit == 0 {
        let mut file = REACHED.get_or_init(|| {
            let path = std::env::var("HITSTOP_REACHED").expect("a file to write to");
            File::options().create(true).append(true).open(path).expect("a file to write to")
        });
        file.write_all(format!("{number}\n").as_bytes()).expect("written");
    }
    false
}
