//! Recordings that are kept once they were read.

use hitstop::core::file::CacheFolder;
use hitstop::core::level::{KeptLog, Level, ReadOptions, open};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn cache(folder: &TempDir, limit: u64) -> CacheFolder {
    CacheFolder::new(folder.path().join("cache"), limit)
}

fn files(folder: &TempDir) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.path().join("cache")).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// A bundled recording in the folder.
fn copy(folder: &TempDir, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    let bundled = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/recordings");
    fs::copy(bundled.join(name), &path).unwrap();
    path
}

fn read(path: &Path) -> (KeptLog, Level) {
    (
        KeptLog::of(path, &ReadOptions::default()).unwrap(),
        open(path, &()).unwrap(),
    )
}

#[test]
fn every_bundled_recording_is_the_same_when_it_is_opened_again() {
    let folder = TempDir::new().unwrap();
    let cache = cache(&folder, u64::MAX);
    let bundled = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/recordings");
    for entry in fs::read_dir(bundled).unwrap() {
        let path = entry.unwrap().path();
        // Animations are small, and not kept.
        if path.extension().is_some_and(|ending| ending == "gltf") {
            continue;
        }
        let (log, level) = read(&path);
        assert!(log.reopen(&cache).is_none());
        assert!(log.keep(&level, &cache, &()).unwrap(), "{}", path.display());
        let again = log.reopen(&cache).unwrap();
        assert!(again.replay.recording() == level.replay.recording());
        assert_eq!(again.replay.objects(), level.replay.objects());
        for frame in [0, again.replay.frames() / 2, again.replay.frames()] {
            let ids = 0..again.replay.objects().len() as u32;
            // Its frames are in a file, those of the other in memory.
            let bodies: Vec<_> = ids.clone().map(|id| again.replay.body(frame, id)).collect();
            let known = ids
                .map(|id| level.replay.body(frame, id))
                .collect::<Vec<_>>();
            assert_eq!(format!("{bodies:?}"), format!("{known:?}"));
            let state = level.replay.state(frame);
            let of_state: Vec<_> = (0..bodies.len() as u32)
                .map(|id| state.body(id).copied())
                .collect();
            assert_eq!(format!("{bodies:?}"), format!("{of_state:?}"));
        }
        assert_eq!(again.notices, level.notices);
        assert_eq!(again.file, level.file);
    }
}

#[test]
fn a_recording_that_was_changed_is_read_again() {
    let folder = TempDir::new().unwrap();
    let cache = cache(&folder, u64::MAX);
    let path = copy(&folder, "units.jsonl");
    let (log, level) = read(&path);
    assert!(log.keep(&level, &cache, &()).unwrap());
    let mut text = fs::read_to_string(&path).unwrap();
    text.truncate(text.trim_end().rfind('\n').unwrap());
    fs::write(&path, text).unwrap();
    let (log, shorter) = read(&path);
    assert!(log.reopen(&cache).is_none());
    assert!(log.keep(&shorter, &cache, &()).unwrap());
    let again = log.reopen(&cache).unwrap();
    assert!(again.replay.recording() == shorter.replay.recording());
    assert_eq!(files(&folder).len(), 1, "the older state is replaced");
}

#[test]
fn a_damaged_file_is_not_used() {
    let folder = TempDir::new().unwrap();
    let cache = cache(&folder, u64::MAX);
    let path = copy(&folder, "rapier_blade.jsonl");
    let (log, level) = read(&path);
    assert!(log.keep(&level, &cache, &()).unwrap());
    let [kept] = &files(&folder)[..] else {
        panic!("one file");
    };
    let bytes = fs::read(kept).unwrap();
    for length in [0, 4, 8, bytes.len() / 2, bytes.len() - 1] {
        fs::write(kept, &bytes[..length]).unwrap();
        assert!(log.reopen(&cache).is_none(), "{length}");
        fs::write(kept, &bytes[bytes.len() - length..]).unwrap();
        assert!(log.reopen(&cache).is_none(), "the last {length}");
    }
}

#[test]
fn the_files_used_least_lately_are_removed_beyond_the_limit() {
    let folder = TempDir::new().unwrap();
    let names = [
        "speed_clamp.jsonl",
        "tilted_contact.jsonl",
        "dt_spike.jsonl",
    ];
    let levels = names.map(|name| read(&copy(&folder, name)));
    let all = cache(&folder, u64::MAX);
    for (log, level) in &levels {
        assert!(log.keep(level, &all, &()).unwrap());
    }
    let size = |path: &PathBuf| path.metadata().unwrap().len();
    let limit: u64 = files(&folder).iter().map(size).sum();
    for file in files(&folder) {
        let old = std::time::SystemTime::UNIX_EPOCH;
        let file = File::options().append(true).open(file).unwrap();
        file.set_modified(old).unwrap();
    }
    // Used now, unlike the others.
    assert!(levels[1].0.reopen(&all).is_some());
    let (log, level) = &levels[0];
    let tight = cache(&folder, limit - 1);
    assert!(log.keep(level, &tight, &()).unwrap());
    let known = levels.each_ref().map(|(log, _)| log.reopen(&all).is_some());
    assert_eq!(known, [true, true, false]);
    let none = cache(&folder, 1);
    assert!(!log.keep(level, &none, &()).unwrap());
    assert_eq!(files(&folder).len(), 0, "nothing is left half written");
}
