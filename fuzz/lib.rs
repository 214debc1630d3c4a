//! The use that each fuzz target makes of its bytes. A refused input is fine; an accepted input is diagnosed, explained, drawn
//! as a page, written and read again. A panic, a hang, too much memory or a file that does not survive the round trip is a bug.

use hitstop::core::diagnose::{Options, SceneSelection, diagnose, explain, minimal_scene, what_if};
use hitstop::core::import::read_geometry;
use hitstop::core::level::{Level, open_in};
use hitstop::core::log::{self, Format};
use hitstop::core::scene::{self, MemoryFolder};
use hitstop::core::shape::{Facing, Shape};
use std::path::Path;
use std::sync::OnceLock;

mod pair;

pub use pair::pair;

/// Levels with more objects or triangles are only read, so that the fuzzer spends its time on many inputs.
const MAX_OBJECTS: usize = 60;
const MAX_TRIANGLES: usize = 500;
/// Limit for a mesh file that is diagnosed: its structure matters here, not its size.
const MAX_TRIANGLES_OF_A_FILE: usize = 30;
/// Frames that are diagnosed.
const FRAMES: u32 = 5;

/// The files that a fuzzed scene may name.
fn folder() -> MemoryFolder {
    static FOLDER: OnceLock<MemoryFolder> = OnceLock::new();
    FOLDER.get_or_init(bundled_files).clone()
}

fn bundled_files() -> MemoryFolder {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes");
    let mut folder = MemoryFolder::default();
    for name in ["meshes/room.obj"] {
        let bytes = std::fs::read(scenes.join(name)).expect("a bundled mesh");
        folder.files.insert(name.into(), bytes);
    }
    folder
}

/// A scene text: parsed, written, parsed again, then used.
pub fn scene(data: &[u8]) {
    let mut folder = folder();
    folder.files.insert("a.ron".into(), data.to_vec());
    let Ok(level) = open_in(&folder, "a.ron", &()) else {
        return;
    };
    let text = scene::write(level.replay.scene());
    match scene::parse(&text, "again.ron", &folder) {
        Ok(again) => assert!(
            text == scene::write(&again),
            "the round trip changes the text"
        ),
        Err(problems) => panic!("the written scene is refused: {:?}", problems.0.first()),
    }
    use_level(&level, &folder, true);
}

/// A log: read, written in all formats, read again, then used. `ending` is `jsonl`, `jsonl.gz`, `jsonl.zst`, `parquet`, `csv` or `ovd`.
pub fn log(data: &[u8], ending: &str) {
    let mut folder = folder();
    let name = format!("a.{ending}");
    folder.files.insert(name.clone(), data.to_vec());
    let Ok(level) = open_in(&folder, &name, &()) else {
        return;
    };
    if let Some(recording) = level.replay.recording() {
        for (name, format) in [("again.jsonl", Format::JsonLines), ("again.parquet", Format::Parquet)] {
            let mut bytes = Vec::new();
            log::write(format, recording, &mut bytes).expect("memory takes every byte");
            folder.files.insert(name.into(), bytes);
            if let Err(problems) = open_in(&folder, name, &()) {
                panic!("the written {name} is refused: {:?}", problems.0.first());
            }
        }
        log::write(Format::Csv, recording, &mut Vec::new()).expect("memory takes every byte");
    }
    use_level(&level, &folder, true);
}

/// A mesh file in a scene with a fast ball and a fast box. `ending` is `obj`, `gltf` or `glb`.
pub fn geometry(data: &[u8], ending: &str) {
    let mut folder = folder();
    let name = format!("m.{ending}");
    folder.files.insert(name.clone(), data.to_vec());
    // With animated nodes it is a recording.
    if let Ok(level) = open_in(&folder, &name, &()) {
        use_level(&level, &folder, false);
    }
    let Ok(geometry) = read_geometry(&folder, &name, Default::default()) else {
        return;
    };
    if geometry
        .one_mesh(Facing::Both)
        .is_ok_and(|mesh| mesh.count() > MAX_TRIANGLES_OF_A_FILE)
    {
        return;
    }
    let text = format!(
        "Scene(version: 1, name: \"m\", dt: 0.016666666666666666, frames: 2, objects: [
            (name: \"m\", shape: Mesh(file: \"{name}\"), motion: Fixed),
            (name: \"ball\", shape: Sphere(radius: 0.1), position: (0.0, 2.0, 0.0), velocity: (0.0, -240.0, 0.0)),
            (name: \"box\", shape: Box(half_extents: (0.1, 0.1, 0.1)), position: (-5.0, 0.5, 0.1), velocity: (600.0, 10.0, 3.0))])"
    );
    folder.files.insert("a.ron".into(), text.into_bytes());
    if let Ok(level) = open_in(&folder, "a.ron", &()) {
        use_level(&level, &folder, false);
    }
}

/// With what-if searches, which take seconds on meshes, or without.
fn use_level(level: &Level, folder: &MemoryFolder, searches: bool) {
    let objects = level.replay.objects();
    let triangles = |shape: &Shape| match shape {
        Shape::Mesh(mesh) => mesh.count(),
        _ => 0,
    };
    let total: usize = objects.iter().map(|object| triangles(&object.shape)).sum();
    if objects.len() > MAX_OBJECTS || total > MAX_TRIANGLES {
        return;
    }
    let last = (FRAMES - 1).min(level.replay.frames().saturating_sub(1));
    let options = Options {
        frames: Some(0..=last),
        ..Options::default()
    };
    let Some(report) = diagnose(level, &options, &()) else {
        return;
    };
    let _page = hitstop::report::html(level, &report);
    let _hash = level.replay.state_hash(last);
    for finding in report.findings.iter().take(2) {
        let frame = level.replay.frame(finding.frame);
        if let (Some(a), Some(b)) = (finding.object_a, finding.object_b) {
            let _explanation = explain::explain(&level.replay, &frame, a, b);
        }
        if searches {
            let _changes = what_if::what_if(&level.replay, finding, &());
        }
        if let Ok((scene, _)) = minimal_scene(level, finding.frame, SceneSelection::Finding(finding), &()) {
            must_parse(&scene::write(&scene), folder);
        }
    }
    if let Ok((scene, _)) = minimal_scene(level, 0, SceneSelection::Neighbourhood, &()) {
        must_parse(&scene::write(&scene), folder);
    }
}

fn must_parse(text: &str, folder: &MemoryFolder) {
    if let Err(problems) = scene::parse(text, "minimal.ron", folder) {
        panic!("the minimal scene is refused: {:?}", problems.0.first());
    }
}

/// Writes the bundled recordings of at most 64 KiB as Parquet into the corpus of that target. A panic of the crate that decodes them is an error of the
/// file, which the reader catches: it ends the target no more than the program.
pub fn prepare_tables() {
    let fault = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_decoder = panic.location().is_some_and(|at| at.file().contains("/parquet-"));
        if !is_decoder {
            fault(panic);
        }
    }));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let recordings = root.join("../scenes/recordings").read_dir().expect("the recordings");
    for path in recordings.flatten().map(|entry| entry.path()) {
        let is_small = path.metadata().is_ok_and(|metadata| metadata.len() < 1 << 16);
        let level = hitstop::core::level::open(&path, &()).ok().filter(|_| is_small);
        if let Some(recording) = level.as_ref().and_then(|level| level.replay.recording()) {
            let name = path.with_extension("parquet");
            let to = root.join("corpus/parquet").join(name.file_name().unwrap_or_default());
            let mut file = std::fs::File::create(to).expect("the folder is there");
            log::write(Format::Parquet, recording, &mut file).expect("it can be written");
        }
    }
}
