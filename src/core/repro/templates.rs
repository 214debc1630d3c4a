//! The engines of which there is a template: one file each, in `templates/`, in the language of minijinja.

use crate::core::diagnose::engines;
use crate::core::scene::Engine as LevelEngine;

/// An engine whose program can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    /// As the command line names it, and the table of engines.
    pub name: &'static str,
    /// For flat levels.
    pub flat: bool,
    /// The template's file.
    pub file: &'static str,
    /// How a program is run, as a sentence.
    pub run: &'static str,
    /// Its setting against contacts with internal edges of a mesh.
    pub edges: Option<&'static str>,
    /// The template.
    pub template: &'static str,
}

impl Engine {
    /// The ending of the program's file.
    pub fn ending(&self) -> &'static str {
        self.file.rsplit('.').next().unwrap_or_default()
    }
}

macro_rules! engines {
    ($($name:literal $space:ident $file:literal $run:literal $edges:expr;)*) => {
        &[$(Engine {
            name: $name,
            flat: stringify!($space).as_bytes()[0] == b'f',
            file: $file,
            run: $run,
            edges: $edges,
            template: include_str!(concat!("templates/", $file)),
        }),*]
    };
}

/// All of them.
pub const ENGINES: &[Engine] = engines! {
    "rapier" solid "rapier.rs" "Run: cargo add rapier3d, then this file as src/main.rs." Some("`TriMeshFlags::FIX_INTERNAL_EDGES` of the mesh");
    "avian" solid "avian.rs" "Run with Rust 1.97.1 or newer: cargo add bevy@0.20 --no-default-features --features std, cargo add avian3d@0.8 --no-default-features --features 3d,parry-f32,xpbd_joints, then this file as src/main.rs." None;
    "bullet" solid "bullet.cpp" "Build it with Bullet: c++ FILE $(pkg-config --cflags --libs bullet)." None;
    "pybullet" solid "pybullet.py" "Run: pip install pybullet, then python FILE." None;
    "mujoco" solid "mujoco.py" "Run: pip install mujoco, then python FILE." None;
    "matter" flat "matter.mjs" "Run: npm install matter-js, then node FILE." None;
    "box2d" flat "box2d.c" "Build it with Box2D 3: cc FILE -lbox2d -lm." None;
    "box3d" solid "box3d.c" "Build it with Box3D: cc FILE -lbox3d -lm." None;
    "jolt" solid "jolt.cpp" "Build it with Jolt 5: c++ -std=c++17 FILE -lJolt -pthread." None;
    "planck" flat "planck.mjs" "Run: npm install planck, then node FILE." None;
    "cannon" solid "cannon.mjs" "Run: npm install cannon-es, then node FILE." None;
    "rapier.js" solid "rapier3d.mjs" "Run: npm install @dimforge/rapier3d-compat, then node FILE." Some("`TriMeshFlags.FIX_INTERNAL_EDGES` of the mesh");
    "rapier.js" flat "rapier2d.mjs" "Run: npm install @dimforge/rapier2d-compat, then node FILE." None;
};

/// Those for flat levels, or the others.
pub fn engines_for(flat: bool) -> impl Iterator<Item = &'static Engine> {
    ENGINES.iter().filter(move |engine| engine.flat == flat)
}

/// The template of an engine by its name on the command line, or by any name of it in logs.
pub fn engine_of(name: &str, flat: bool) -> Option<&'static Engine> {
    let row = |name: &str| {
        engines::preset(&LevelEngine {
            name: Some(name.to_owned()),
            ..LevelEngine::default()
        })
    };
    let of_space = || engines_for(flat);
    let wanted = row(name).map(|row| &row.name);
    of_space().find(|engine| engine.name == name).or_else(|| {
        of_space()
            .find(|engine| wanted.is_some() && row(engine.name).map(|row| &row.name) == wanted)
    })
}
