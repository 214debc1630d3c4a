//! What docs/causes.md has of a cause beside the texts of the program: its limit as a formula, settings of engines, what does not help, and a level.

use super::engine_table::{self as table, Column};
use hitstop::core::diagnose::engines;
use std::fmt::Write as _;

/// The symbols of the limits.
pub const SYMBOLS: &str = "In the limits, `s` is the travel of the mover in a frame relative to the obstacle, along the normal of the contact; `r` is half of the mover's width along it, of a \
    ball the radius; `t` is the thickness of the obstacle, 0 of a single triangle; `v` is a speed and `dt` the time of a frame. Values of findings are a thousandth \
    below the limit. The words are in the [glossary](glossary.md). Settings are those of [engines.md](engines.md), which has more engines; Chaos is that of Unreal. The levels are in `scenes/` of a \
    checkout, and in the window below each cause.";

/// The engines that the pages name, by the titles of their rows.
const NAMED: [&str; 12] = [
    "avian 0.8",
    "Box2D 3",
    "Box3D",
    "Chaos",
    "Godot",
    "Godot with Jolt",
    "Jolt",
    "MuJoCo 4",
    "PhysX",
    "PyBullet",
    "rapier 0.35",
    "Unity",
];

/// What engines call it.
enum InEngines {
    /// A column of the table of engines.
    Table(Column),
    Text(&'static str),
    Nothing,
}

/// The page of a cause. An empty text is left out.
pub struct Page {
    pub id: &'static str,
    limit: &'static str,
    in_engines: InEngines,
    no_help: &'static str,
    /// A file of `scenes/` that shows it.
    pub level: &'static str,
    /// A similar one without the fault.
    pub twin: &'static str,
}

impl Page {
    /// The lines before the suggested fixes.
    pub fn limit(&self) -> String {
        line("Limit", self.limit)
    }

    /// The lines after the suggested fixes.
    pub fn rest(&self) -> String {
        let mut text = match &self.in_engines {
            InEngines::Nothing => String::new(),
            InEngines::Text(text) => line("In engines", text),
            InEngines::Table(column) => {
                let all = format!(" ([all](engines.md#{})).", column.section());
                line(
                    "In engines",
                    &(column.lead().to_owned() + &named(*column) + &all),
                )
            }
        };
        text += &line("Does not help", self.no_help);
        write!(text, "- **Open a level.** `hitstop scenes/{}`", self.level).unwrap();
        match self.twin {
            "" => text += ".\n",
            twin => writeln!(text, "; without the fault: `hitstop scenes/{twin}`.").unwrap(),
        }
        text
    }
}

fn line(name: &str, text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!("- **{name}.** {text}\n"),
    }
}

/// The cells of a column, each with the engines that have it.
fn named(column: Column) -> String {
    let mut cells: Vec<(String, String)> = Vec::new();
    for row in engines::table() {
        let (title, cell) = (row.title(), table::cell(row, column));
        if !NAMED.contains(&title.as_str()) || cell.is_empty() {
            continue;
        }
        match cells.iter_mut().find(|(known, _)| *known == cell) {
            Some((_, titles)) => *titles += &format!(", {title}"),
            None => cells.push((cell, title)),
        }
    }
    let cells = cells
        .iter()
        .map(|(cell, titles)| format!("{titles}: {cell}"));
    cells.collect::<Vec<_>>().join("; ")
}

/// In the order of the causes.
pub const PAGES: [Page; 25] = [
    Page {
        id: "C01",
        limit: "Detected up to `s = t + 2 r`, held up to `s = t / 2 + r`. So at most `v = s / dt`, and at least `v dt / s` substeps, rounded up.",
        in_engines: InEngines::Table(Column::Fixed),
        no_help: "More solver iterations, stiffer contacts, another mass: there is no contact to solve. Substeps that only solve.",
        level: "bullet_through_paper.ron",
        twin: "bullet_swept.ron",
    },
    Page {
        id: "C02",
        limit: "That of C01, with `s` of the relative motion: the difference of both velocities along the normal, times `dt`.",
        in_engines: InEngines::Table(Column::BothMove),
        no_help: "Continuous detection on both bodies, in an engine that sweeps each against the other at rest: rapier passes in 59 of 64 phases with it and without it.",
        level: "crossing_shots.ron",
        twin: "",
    },
    Page {
        id: "C03",
        limit: "That of C01, with `s` of the obstacle.",
        in_engines: InEngines::Table(Column::Kinematic),
        no_help: "Continuous detection on the slow body, where the engine decides by the travel of that body: it hardly moves.",
        level: "fast_paddle.ron",
        twin: "slow_paddle.ron",
    },
    Page {
        id: "C04",
        limit: "A point at the distance `l` from the axis travels `s = l w dt` in a frame, with the spin `w` in radians per second; the limits are those of C01 for the part that hits.",
        in_engines: InEngines::Table(Column::Rotation),
        no_help: "A sweep of the translation: the centre of a body that turns in place does not travel.",
        level: "spinning_blade.ron",
        twin: "spinning_blade_small_steps.ron",
    },
    Page {
        id: "C05",
        limit: "Held up to `s = t / 2 + r`; for a single triangle up to `s = r`.",
        in_engines: InEngines::Table(Column::SmallerSteps),
        no_help: "Stiffer contacts, more iterations: they push it out faster, on the far side.",
        level: "past_the_middle.ron",
        twin: "past_the_middle_swept.ron",
    },
    Page {
        id: "C06",
        limit: "A push-out is safe up to the free distance behind the body, which is the *max push* of the finding.",
        in_engines: InEngines::Nothing,
        no_help: "Continuous detection of the motion: the push-out is not a part of it.",
        level: "pushed_into_the_next_wall.ron",
        twin: "",
    },
    Page {
        id: "C07",
        limit: "With an acceleration `g` the hidden speed grows by `g dt` a frame, and the body breaks through once it is above `(t / 2 + r) / dt`. From rest that takes `(t / 2 + r) / (g dt^2)` frames.",
        in_engines: InEngines::Nothing,
        no_help: "A limit of the speed above `(t / 2 + r) / dt`. A thicker floor only delays it.",
        level: "hidden_speed.ron",
        twin: "hidden_speed_removed.ron",
    },
    Page {
        id: "C08",
        limit: "",
        in_engines: InEngines::Table(Column::OneSided),
        no_help: "Continuous detection, substeps, a lower speed: the face is not tested from that side at any speed.",
        level: "back_face.ron",
        twin: "back_face_two_sided.ron",
    },
    Page {
        id: "C09",
        limit: "Corners closer to each other than the *weld distance* of the finding are one. Boxes of the broad phase have to cover the whole motion of a frame: `v dt` longer than the body.",
        in_engines: InEngines::Nothing,
        no_help: "A ray along the path, or a sweep of the centre: it goes through the same gap.",
        level: "open_seam.ron",
        twin: "",
    },
    Page {
        id: "C10",
        limit: "",
        in_engines: InEngines::Text(
            "rapier: `FIX_INTERNAL_EDGES` of a mesh; Jolt: `mEnhancedInternalEdgeRemoval` of a body; both are off by default. Box2D 3: one chain in place of segments or boxes. matter, planck: one body in place of the tiles.",
        ),
        no_help: "Continuous detection: the contact is found, and has the wrong normal.",
        level: "internal_edge.ron",
        twin: "internal_edge_merged.ron",
    },
    Page {
        id: "C11",
        limit: "A margin below the least distance of the pair in the frame, which is the *max margin* of the finding.",
        in_engines: InEngines::Table(Column::Margin),
        no_help: "More iterations, stiffer contacts: they solve a contact that should not exist.",
        level: "speculative_ghost.ron",
        twin: "speculative_ghost_clean.ron",
    },
    Page {
        id: "C12",
        limit: "Apart by the *separation* of the finding, along its normal.",
        in_engines: InEngines::Nothing,
        no_help: "Continuous detection, substeps: nothing enters, so that nothing can be swept.",
        level: "starts_inside.ron",
        twin: "starts_in_its_skin.ron",
    },
    Page {
        id: "C13",
        limit: "The velocity of a body that is moved by `d` in a frame is `d / dt`. Substeps are those of C01 for it.",
        in_engines: InEngines::Text(
            "Calls that give a body the velocity to a pose, as the manuals have them: Unity: `Rigidbody.MovePosition` of a kinematic body; Godot: `AnimatableBody3D`; Jolt: `BodyInterface::MoveKinematic`; PhysX: `setKinematicTarget` in place of `setGlobalPose`; Box2D 3: \
             `b2Body_SetTargetTransform`; Box3D: `b3Body_SetTargetTransform`; rapier: `set_next_kinematic_position`. MuJoCo, PyBullet: a heavy body with a set velocity, as a `mocap` body and one without mass have none.",
        ),
        no_help: "Continuous detection: rapier, Jolt and PhysX let such a paddle pass in 64 of 64 phases with it.",
        level: "driven_by_position.ron",
        twin: "",
    },
    Page {
        id: "C14",
        limit: "A frame of at most `dt = (t / 2 + r) / v`.",
        in_engines: InEngines::Table(Column::SmallerSteps),
        no_help: "A higher usual rate, where the long frame stays one step.",
        level: "dt_spike.ron",
        twin: "dt_steady.ron",
    },
    Page {
        id: "C15",
        limit: "A body travels at most the limit times `dt` in a step, whatever its velocity is.",
        in_engines: InEngines::Table(Column::SpeedCap),
        no_help: "A higher velocity or force: each step is cut.",
        level: "speed_clamp.ron",
        twin: "",
    },
    Page {
        id: "C16",
        limit: "An inner radius above the overlap that the engine leaves alone.",
        in_engines: InEngines::Table(Column::Rests),
        no_help: "Substeps, stiffer contacts: that overlap is left alone at each step.",
        level: "units.ron",
        twin: "units_clean.ron",
    },
    Page {
        id: "C17",
        limit: "From `2^n` to `2^(n + 1)` metres, neighbouring numbers are `2^(n - 23)` metres apart, which has to stay below `r / 100`: for a ball of 0.1 m up to 16,384 m.",
        in_engines: InEngines::Text(
            "Builds with positions in double precision: Jolt with `JPH_DOUBLE_PRECISION`, Box3D with `BOX3D_DOUBLE_PRECISION`, Box2D 3 with `BOX2D_DOUBLE_PRECISION`. MuJoCo and PyBullet compute in it.",
        ),
        no_help: "Substeps: the motion of a step gets shorter, the spacing of the numbers does not.",
        level: "far_from_origin.ron",
        twin: "",
    },
    Page {
        id: "C18",
        limit: "By the rule of the log, a pair is tested if `a.layer & b.mask` and `b.layer & a.mask` are both not 0.",
        in_engines: InEngines::Table(Column::Mask),
        no_help: "Continuous detection, substeps, a lower speed: the pair is not tested at any speed.",
        level: "masks.ron",
        twin: "masks_clean.ron",
    },
    Page {
        id: "C19",
        limit: "Some engines sweep a body only from a travel of `k` times its own size in a step on.",
        in_engines: InEngines::Table(Column::Threshold),
        no_help: "A larger or thicker obstacle: the threshold is about the body that is swept.",
        level: "ccd_threshold.ron",
        twin: "",
    },
    Page {
        id: "C20",
        limit: "Detected up to `s = t + 2 r`. A sensor does not push, so that this is the only limit.",
        in_engines: InEngines::Table(Column::Sensors),
        no_help: "Continuous detection in an engine whose sweeps leave sensors out.",
        level: "sensor.ron",
        twin: "sensor_clean.ron",
    },
    Page {
        id: "C21",
        limit: "A push-out leads back up to `s = t / 2 + r` a frame.",
        in_engines: InEngines::Table(Column::Stiffer),
        no_help: "Continuous detection: there is a contact. In MuJoCo substeps alone, as a contact gives way for a time and not for a number of steps.",
        level: "let_through.ron",
        twin: "lifted_off.ron",
    },
    Page {
        id: "C22",
        limit: "A hit may be off by 5 mm along its path, for a thin sweep by less.",
        in_engines: InEngines::Text(
            "`hitstop convert LOG case.ron --finding N` makes a scene that expects the exact hit. `hitstop repro LOG --finding N --for ENGINE` writes a program for the report, where the finding shows in the motion.",
        ),
        no_help: "Continuous detection, substeps: the query is not a part of the step.",
        level: "own_query.ron",
        twin: "own_query_clean.ron",
    },
    Page {
        id: "C23",
        limit: "A sphere around the camera holds the near plane if its radius is at least `near sqrt(1 + tan(fov / 2)^2 (1 + aspect^2))`, with the vertical field of view: 0.154 m for 0.1 m, 60° and 16:9.",
        in_engines: InEngines::Nothing,
        no_help: "One ray from the pivot: it has no width, and the near plane has.",
        level: "camera_without_a_probe.ron",
        twin: "camera_corridor.ron",
    },
    Page {
        id: "C24",
        limit: "",
        in_engines: InEngines::Nothing,
        no_help: "Replacing the value where it shows: it was made earlier, and what was computed from it stays wrong.",
        level: "coincident.ron",
        twin: "",
    },
    Page {
        id: "C25",
        limit: "",
        in_engines: InEngines::Nothing,
        no_help: "",
        level: "late_but_returned.ron",
        twin: "",
    },
];
