//! Kinds of files by their endings.

use crate::core::log::{Format, ReadOptions};
use crate::core::problem::Problem;
use std::path::Path;

/// Type of a file by its extension.
#[derive(Clone, Copy)]
pub(super) enum Ending {
    Scene,
    /// A glTF file, of which the animation is stepped.
    Animation,
    /// A mesh file, of which the objects stay where they are.
    Mesh,
    Log(Format),
}

impl Ending {
    /// # Errors
    /// When it is not one of these, with what to do instead.
    pub fn of(path: &Path) -> Result<Self, Problem> {
        if let Some(format) = Format::of_path(path) {
            return Ok(Self::Log(format));
        }
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_deref().and_then(|ending| ending.to_str()) {
            Some("ron") => return Ok(Self::Scene),
            Some("gltf" | "glb") => return Ok(Self::Animation),
            Some("obj") => return Ok(Self::Mesh),
            _ => {}
        }
        let what = match ending {
            Some(ref ending) => format!("unsupported file format .{}", ending.display()),
            None => "a file without an extension is not supported".to_string(),
        };
        let help = match ending.as_deref().and_then(|ending| ending.to_str()) {
            Some("fbx" | "usd" | "usda" | "usdc" | "usdz" | "blend" | "dae" | "abc") => {
                "export it as glTF (.glb), with a key for every frame where it moves"
            }
            Some("stl" | "ply" | "3ds") => {
                "export it as .obj, which is opened as it is; --unit and --up name its units"
            }
            Some("urdf" | "sdf" | "xml" | "mjcf" | "bullet") => {
                "record the run of its simulator: docs/record.md has recorders for MuJoCo and PyBullet"
            }
            Some("pvd" | "pxd2" | "repx") => {
                "record the run with OmniPVD of PhysX 5 (.ovd), or with the C++ header: docs/record.md"
            }
            Some("b2rec" | "b3rec") => {
                "make a log of it: docs/record.md has a program for recordings of Box2D and Box3D"
            }
            Some(
                "mcap" | "bag" | "db3" | "rrd" | "npz" | "npy" | "h5" | "hdf5" | "mat" | "xlsx"
                | "ods",
            ) => {
                "write the poses as a table, .csv or .parquet: time,name,px,py,pz, and qx,qy,qz,qw where bodies turn"
            }
            Some("json") => {
                "rename a log in JSON Lines to .jsonl; write other data as a log: docs/log-format.md"
            }
            Some("zip" | "7z" | "tar" | "tgz" | "xz" | "bz2" | "rar") => "unpack it",
            Some("gz" | "zst") => {
                "decompress it: only logs are read compressed (.jsonl.gz, .jsonl.zst)"
            }
            Some("tscn" | "scn" | "tres" | "unity" | "prefab" | "uasset" | "umap") => {
                "record the run of the game, which has the shapes, too: docs/record.md has recorders for Godot and Unity, and a C++ header"
            }
            Some("txt" | "tsv" | "log" | "dat") => "rename a table to .csv",
            _ => {
                "open a scene (.ron), a log (.jsonl, .csv, .parquet, .ovd, also compressed: .gz, .zst), an animation (.gltf, .glb) or a mesh (.obj)"
            }
        };
        Err(Problem::new(path.display().to_string(), what, help))
    }

    /// The notice of options that say nothing about such a file; the log of a scene has its own.
    pub fn unused(self, options: &ReadOptions, file: &str) -> Option<Problem> {
        let used: &[&str] = match self {
            Self::Scene | Self::Log(Format::JsonLines) => &[],
            Self::Mesh | Self::Log(Format::Ovd) => &["--unit", "--up"],
            Self::Log(_) => &["--columns", "--unit", "--up"],
            Self::Animation => &["--animation"],
        };
        let unused = options.unused(used);
        let what = format!("{} says nothing about this file", unused.join(", "));
        let help = "--columns is for tables (.csv, .parquet), --unit and --up for tables, .ovd and .obj, --animation for .gltf and .glb";
        (!unused.is_empty()).then(|| Problem::new(file, what, help))
    }

    /// The problem of a file of another kind than its ending says, of which these are the first bytes.
    pub fn other(self, start: &[u8], file: &str) -> Option<Problem> {
        let is_own = |ending: &str| match self {
            Self::Scene => ending == "ron",
            Self::Mesh => false,
            Self::Animation => ending == "glb",
            Self::Log(format) => Format::of_path(Path::new(&format!("a.{ending}"))) == Some(format),
        };
        let (_, kind, ending) = STARTS.iter().find(|(begin, ..)| start.starts_with(begin))?;
        let what = format!("this is {kind}, which its ending does not say");
        (!is_own(ending)).then(|| Problem::new(file, what, format!("rename it to .{ending}")))
    }
}

/// How files begin that have a begin of their own.
const STARTS: [(&[u8], &str, &str); 4] = [
    (b"PAR1", "a Parquet file", "parquet"),
    (b"glTF", "a binary glTF file", "glb"),
    (b"{\"hitstop\"", "a log in JSON Lines", "jsonl"),
    (b"Scene(", "a scene", "ron"),
];
