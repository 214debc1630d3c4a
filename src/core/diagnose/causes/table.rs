//! The table of causes: name, explanation, what a log needs for each, and how each is tested on a pair.
//!
//! A new cause is a variant, a row here, and a file with its test.

use super::fields::{OF_TRAVEL, RelevantFields, SHORTER, SceneField};
use super::{
    CauseInput, CauseMatch, bits, ccd, covered, dt_spike, facing, far_from_origin, fast_obstacle,
    gap, hidden_speed, pushed, rotation, sensor, set_angle, speed_clamp, swept_separately,
    teleport, too_fast, units, unresolved_contact, visual_only, wrong_side,
};
use crate::core::diagnose::cause::{Cause, Family, Needs};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::sync::LazyLock;

/// Explanation of a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Help {
    /// What happens, and why it goes wrong.
    pub meaning: &'static str,
    /// How to distinguish it from other causes.
    pub evidence: &'static str,
    /// How to fix it.
    pub fix: &'static str,
}

/// Tests a cause on an event of a pair; `None` where it does not apply.
type CauseCheck = fn(&CauseInput<'_>) -> Option<CauseMatch>;

/// A row of the table.
struct CauseInfo {
    cause: Cause,
    id: &'static str,
    title: &'static str,
    family: Family,
    /// What a log needs for this cause; `None`: what every log has.
    needs: Option<Needs>,
    /// Its tests on a pair, each with its rank; none for a cause that is not about pairs.
    checks: &'static [(u8, CauseCheck)],
    /// The fields that its findings depend on.
    fields: RelevantFields,
    help: Help,
}

impl Cause {
    /// Every cause, in the order of their identifiers.
    pub const ALL: [Self; CAUSES.len()] = {
        let mut all = [Self::TooFast; CAUSES.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = CAUSES[index].cause;
            assert!(
                all[index] as usize == index,
                "a row of the table is out of place"
            );
            index += 1;
        }
        all
    };

    fn info(self) -> &'static CauseInfo {
        &CAUSES[self as usize]
    }

    /// `C01` to `C25`.
    pub fn id(self) -> &'static str {
        self.info().id
    }

    /// By identifier, `C01` to `C25`.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.id() == id)
    }

    /// A short title.
    pub fn title(self) -> &'static str {
        self.info().title
    }

    /// The family of causes that it belongs to.
    pub fn family(self) -> Family {
        self.info().family
    }

    /// Its explanation.
    pub fn help(self) -> Help {
        self.info().help
    }

    /// The fields of a scene that its findings depend on, with reasons.
    pub fn relevant_fields(self) -> RelevantFields {
        self.info().fields
    }

    /// What a log needs for this cause, beyond what every log has.
    pub(in crate::core::diagnose) fn needs(self) -> Option<Needs> {
        self.info().needs
    }
}

/// The tests of all causes, in the order of their ranks.
pub(super) static RANKED: LazyLock<Vec<CauseCheck>> = LazyLock::new(|| {
    let mut ranked: Vec<(u8, CauseCheck)> = CAUSES
        .iter()
        .flat_map(|info| info.checks)
        .copied()
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, checks)| checks).collect()
});

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for Cause {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        Self::from_id(&id).ok_or_else(|| de::Error::custom(format!("`{id}` is not a cause")))
    }
}

/// By identifier.
const CAUSES: [CauseInfo; 25] = [
    CauseInfo {
        cause: Cause::TooFast,
        id: "C01",
        title: "too fast for too thin",
        family: Family::Missed,
        needs: None,
        checks: &[(17, too_fast::check)],
        fields: OF_TRAVEL,
        help: Help {
            meaning: "In one frame the mover travels farther than the obstacle's thickness plus its own, so it is clear of the obstacle at both ends of the frame.",
            evidence: "No overlap at the start or the end of the frame, while the sweep hits in between; the travel along the normal exceeds thickness plus diameter.",
            fix: "Sweep the mover (continuous detection), or keep speed, time step, thickness or radius within the limits of the finding. At the first value the response holds the mover; at the second an overlap test only detects it.",
        },
    },
    CauseInfo {
        cause: Cause::SweptAlone,
        id: "C02",
        title: "both move, each swept alone",
        family: Family::Missed,
        needs: None,
        checks: &[(16, swept_separately::check)],
        fields: OF_TRAVEL,
        help: Help {
            meaning: "Both bodies move, and each was swept as if the other stood still.",
            evidence: "The sweep of the relative motion hits; a sweep against the other body's start or end position misses, or gives another time. Not in an engine that sweeps the motion of both, nor where one of the two practically rests.",
            fix: "Sweep the relative motion, and let the broad-phase boxes cover the whole motion of both bodies.",
        },
    },
    CauseInfo {
        cause: Cause::FastObstacle,
        id: "C03",
        title: "slow body, fast obstacle",
        family: Family::Missed,
        needs: None,
        checks: &[(15, fast_obstacle::check)],
        fields: OF_TRAVEL,
        help: Help {
            meaning: "A fast obstacle hits a slow body; continuous detection on the slow body does not help.",
            evidence: "The obstacle contributes more than half of the displacement along the normal.",
            fix: "Sweep the obstacle, or limit its speed to the value in the finding.",
        },
    },
    CauseInfo {
        cause: Cause::Rotation,
        id: "C04",
        title: "rotation ignored",
        family: Family::Missed,
        needs: None,
        checks: &[(10, rotation::check)],
        fields: &[
            (
                SceneField::Spin,
                "rotating less in a frame, its ends sweep less",
            ),
            (SceneField::Rotation, "the rotation begins here"),
            (SceneField::Size, "the bounding radius of what rotates"),
            (SceneField::FrameLength, SHORTER),
        ],
        help: Help {
            meaning: "The body rotates during the frame, and only its translation was swept.",
            evidence: "The sweep without rotation misses, while poses in between overlap; the rotation moves the tip farther than the limits allow.",
            fix: "Use more substeps, or a sweep that follows the rotation.",
        },
    },
    CauseInfo {
        cause: Cause::WrongSide,
        id: "C05",
        title: "pushed out on the wrong side",
        family: Family::NotHeld,
        needs: None,
        checks: &[(11, wrong_side::check)],
        fields: &[
            (SceneField::Velocity, "slower, its centre stays on its side"),
            (SceneField::Size, "larger, its centre stays on its side"),
            (SceneField::FrameLength, SHORTER),
            (
                SceneField::Detection,
                "a sweep detects impacts within the frame",
            ),
        ],
        help: Help {
            meaning: "The overlap was detected at the end of the frame, but the mover's centre was already past the obstacle's centre, so the smallest push-out leads to the far side.",
            evidence: "Overlap at the end of the frame; the push-out points away from the side on which the mover started.",
            fix: "Keep the travel per frame below the radius plus half the thickness, or push along the normal of the sweep.",
        },
    },
    CauseInfo {
        cause: Cause::NextWall,
        id: "C06",
        title: "pushed into the next wall",
        family: Family::NotHeld,
        needs: None,
        checks: &[(2, pushed::check)],
        fields: &[
            (SceneField::Position, "the push depends on where it is"),
            (
                SceneField::Velocity,
                "the deeper it comes, the longer the push",
            ),
            (SceneField::Response, "what is done about a collision"),
        ],
        help: Help {
            meaning: "The push out of one surface moves the body into or through another, or another body pushes it there.",
            evidence: "After the push-out there is a new overlap, or the push-out itself crosses a surface; or a body that touches it on the other side moves toward the surface.",
            fix: "Repeat the push-outs until nothing overlaps, and sweep each correction; stop a body that pushes another against a wall.",
        },
    },
    CauseInfo {
        cause: Cause::HiddenSpeed,
        id: "C07",
        title: "hidden speed while blocked",
        family: Family::NotHeld,
        needs: Some(Needs::Velocities),
        checks: &[(6, hidden_speed::check)],
        fields: &[
            (SceneField::Velocity, "it grows while nothing moves"),
            (SceneField::Response, "what is done about a collision"),
        ],
        help: Help {
            meaning: "A blocked body keeps its velocity into the surface, gains speed each frame, and finally breaks through.",
            evidence: "In contact without moving along the normal, while the speed into the surface grows for at least three frames.",
            fix: "Remove the velocity along the normal on contact.",
        },
    },
    CauseInfo {
        cause: Cause::Facing,
        id: "C08",
        title: "back face or winding",
        family: Family::Surfaces,
        needs: None,
        checks: &[(9, facing::check)],
        fields: &[
            (
                SceneField::Facing,
                "from behind, a front-only surface has no contact",
            ),
            (
                SceneField::Scale,
                "a negative one turns the surface inside out",
            ),
        ],
        help: Help {
            meaning: "The surface is one-sided and was hit from behind, or its triangles are wound the wrong way.",
            evidence: "A two-sided sweep hits and a one-sided sweep misses; or neighbouring triangles have opposite winding, or a transform mirrors the mesh.",
            fix: "Fix the winding, make the surface two-sided, or close the mesh.",
        },
    },
    CauseInfo {
        cause: Cause::Gap,
        id: "C09",
        title: "gap in mesh or broad phase",
        family: Family::Surfaces,
        needs: None,
        checks: &[(7, gap::check)],
        fields: &[
            (SceneField::MeshFile, "its triangles decide"),
            (SceneField::Facing, "which side is solid"),
        ],
        help: Help {
            meaning: "The mesh has a hole, or the broad phase left the pair out.",
            evidence: "A test of every triangle finds a hit that the recorded program did not; open edges or slivers are near.",
            fix: "Weld the vertices, and enlarge the broad-phase boxes a little.",
        },
    },
    CauseInfo {
        cause: Cause::InternalEdge,
        id: "C10",
        title: "internal edge",
        family: Family::Surfaces,
        needs: None,
        checks: &[(4, covered::check)],
        fields: &[
            (SceneField::MeshFile, "its triangles decide"),
            (SceneField::Facing, "which side is solid"),
        ],
        help: Help {
            meaning: "The body crosses an edge inside a flat surface, such as the seam of two tiles, and is stopped there as if by a corner or by the face that the neighbour covers.",
            evidence: "A contact on an edge between two faces that are flat within 5 degrees, or on a face that another obstacle, part or triangle covers, with a normal that no uncovered surface there has or at a point that a rolling body does not touch, and a change of velocity along that normal, or across the right one, that bounce, friction and other contacts do not explain. Or a body that such contacts or pushes hold for half a second although its own sweep is free, or that gets through as no other contact pushes it back.",
            fix: "Merge the faces, correct the normal by adjacency, or round the edge.",
        },
    },
    CauseInfo {
        cause: Cause::Ghost,
        id: "C11",
        title: "speculative ghost",
        family: Family::Surfaces,
        needs: Some(Needs::ContactsOrPushes),
        checks: &[],
        fields: &[(SceneField::Margin, "contacts are made this far ahead")],
        help: Help {
            meaning: "A contact predicted for a motion that did not happen stopped the body in free space.",
            evidence: "A contact or a change of velocity is logged where the exact sweep finds nothing, or pushes and contacts cancel the travel of a body for half a second although its own sweep is free: it is stuck.",
            fix: "Reduce the speculative margin.",
        },
    },
    CauseInfo {
        cause: Cause::InitialOverlap,
        id: "C12",
        title: "initial overlap",
        family: Family::Steps,
        needs: None,
        checks: &[],
        fields: &[
            (SceneField::Position, "it overlaps at the start"),
            (SceneField::Size, "smaller, it starts without overlap"),
        ],
        help: Help {
            meaning: "The pair overlaps before anything moves, so there is no side from which it entered.",
            evidence: "Overlap at the start of the frame, in the first frame or after a teleport.",
            fix: "Separate the objects before the first step, and leave a margin between them.",
        },
    },
    CauseInfo {
        cause: Cause::Teleport,
        id: "C13",
        title: "teleport, or driven by position",
        family: Family::Steps,
        needs: Some(Needs::Velocities),
        checks: &[(3, teleport::check), (10, set_angle::check)],
        fields: &[
            (
                SceneField::Velocity,
                "an object driven by position has none",
            ),
            (SceneField::Motion, "a driven object should be kinematic"),
        ],
        help: Help {
            meaning: "The body was placed at a new position instead of being moved there.",
            evidence: "In one frame the displacement does not match velocity times time step; or the velocity is always zero while the body moves, or the angular velocity while it turns.",
            fix: "Mark the frame as a teleport in the log; drive moving bodies by velocity, with the substeps in the finding.",
        },
    },
    CauseInfo {
        cause: Cause::DtSpike,
        id: "C14",
        title: "dt spike",
        family: Family::Steps,
        needs: None,
        checks: &[(12, dt_spike::check)],
        fields: &[(SceneField::FrameLength, SHORTER)],
        help: Help {
            meaning: "One frame took much longer than the others, and only in that frame is the body too fast.",
            evidence: "Safe at the usual time step, not at this one.",
            fix: "Clamp the time step to the value in the finding, or split the frame into substeps.",
        },
    },
    CauseInfo {
        cause: Cause::SpeedClamp,
        id: "C15",
        title: "speed clamp",
        family: Family::Steps,
        needs: Some(Needs::Velocities),
        checks: &[(18, speed_clamp::check)],
        fields: &[(SceneField::Velocity, "more than the engine allows")],
        help: Help {
            meaning: "The engine limits the speed, so bodies are not where the game expects them.",
            evidence: "The displacement per step stops growing below the commanded speed.",
            fix: "Raise the limit, or scale the level.",
        },
    },
    CauseInfo {
        cause: Cause::Units,
        id: "C16",
        title: "units or scale",
        family: Family::Settings,
        needs: Some(Needs::Gravity),
        checks: &[(2, units::below_slop), (19, units::of_object)],
        fields: &[
            (SceneField::Size, "large or small against gravity"),
            (SceneField::Scale, "uneven or negative"),
            (SceneField::Gravity, "9.8 or 980: which unit is meant?"),
            (SceneField::UnitLength, "metres for a unit of the text"),
        ],
        help: Help {
            meaning: "A body is smaller than the overlap that the engine leaves alone, or its shape is scaled in a way that engines do not support.",
            evidence: "The body stays in overlap deeper than its inner radius, which is below the engine's slop; or a scale is negative, or uneven for a round shape. Gravity that is the Earth's in centimetres, inches or feet is only a notice of the level.",
            fix: "Lower the engine's slop, scale the level up, or set the length unit.",
        },
    },
    CauseInfo {
        cause: Cause::FarFromOrigin,
        id: "C17",
        title: "f32 at large coordinates",
        family: Family::Numbers,
        needs: None,
        checks: &[(5, far_from_origin::check)],
        fields: &[(
            SceneField::Position,
            "far from the origin, f32 has few digits left",
        )],
        help: Help {
            meaning: "Far from the origin, single precision is too coarse for the size of the bodies.",
            evidence: "The spacing of f32 numbers at the largest coordinate exceeds 1 % of the radius; near the origin the same pair gives another result.",
            fix: "Shift the origin, or compute relative to the body.",
        },
    },
    CauseInfo {
        cause: Cause::Bits,
        id: "C18",
        title: "layers and masks",
        family: Family::Settings,
        needs: Some(Needs::Bits),
        checks: &[(1, bits::check)],
        fields: &[
            (SceneField::Layer, "the other's mask must have a bit of it"),
            (SceneField::Mask, "it must have a bit of the other's layer"),
        ],
        help: Help {
            meaning: "The engine does not test the pair: layers and masks exclude it.",
            evidence: "The pair passes at any speed, while the bits exclude it; without bits in the log, it overlaps and the log lists contacts but none of this pair, or it falls freely there: its velocity changes by gravity alone.",
            fix: "Set the bit that the finding names. Put pairs that should pass each other on the ignore list.",
        },
    },
    CauseInfo {
        cause: Cause::Ccd,
        id: "C19",
        title: "CCD not really on",
        family: Family::Settings,
        needs: Some(Needs::CcdFlags),
        checks: &[
            (14, ccd::below_threshold),
            (14, ccd::without_effect),
            (20, ccd::off),
        ],
        fields: &[
            (
                SceneField::EngineCcd,
                "off, or below the engine's own threshold",
            ),
            (
                SceneField::Velocity,
                "below the threshold, the engine does not sweep",
            ),
            (
                SceneField::CcdThreshold,
                "the fraction of its size from which on it sweeps",
            ),
        ],
        help: Help {
            meaning: "Continuous detection is off, the motion is below the engine's threshold for it, or the engine did not act on it.",
            evidence: "The flag is off; the travel per frame is below the engine's threshold; or the flag is on, and the body passes a fixed obstacle all the same.",
            fix: "Turn it on, or lower the threshold; check that the flag reaches the body, and report it to the engine's developers.",
        },
    },
    CauseInfo {
        cause: Cause::Sensor,
        id: "C20",
        title: "sensor missed",
        family: Family::Settings,
        needs: None,
        checks: &[(13, sensor::check)],
        fields: OF_TRAVEL,
        help: Help {
            meaning: "A body crossed a sensor between two frames, and the sensor did not fire.",
            evidence: "As C01, with a sensor.",
            fix: "Sweep against sensors too.",
        },
    },
    CauseInfo {
        cause: Cause::LetThrough,
        id: "C21",
        title: "contact existed, the solver let it through",
        family: Family::NotHeld,
        needs: None,
        checks: &[(8, unresolved_contact::check)],
        fields: &[
            (SceneField::Velocity, "slower, its centre stays on its side"),
            (SceneField::Size, "larger, its centre stays on its side"),
            (SceneField::FrameLength, SHORTER),
        ],
        help: Help {
            meaning: "The contact was detected, but the response let the body through.",
            evidence: "Overlap when the frame begins, and the body leaves on the far side; or overlap or a logged contact in two states or more before the centre passes.",
            fix: "Use smaller steps first, then a stiffer contact by the engine's own setting; where a joint ties the body to a kinematic one, let the joint give way.",
        },
    },
    CauseInfo {
        cause: Cause::OwnQuery,
        id: "C22",
        title: "the engine's own query is wrong",
        family: Family::Numbers,
        needs: Some(Needs::Queries),
        checks: &[],
        fields: &[],
        help: Help {
            meaning: "The engine's own ray cast or sweep, or the normal of its contact, differs from the exact result.",
            evidence: "The logged hit, fraction or normal differs by more than the tolerance; the normal of a contact only where it changed the motion.",
            fix: "Report it to the engine's developers, with this case as a scene.",
        },
    },
    CauseInfo {
        cause: Cause::Camera,
        id: "C23",
        title: "camera",
        family: Family::Camera,
        needs: None,
        checks: &[],
        fields: &[
            (SceneField::Probe, "what holds the camera off surfaces"),
            (SceneField::NearPlane, "its corners reach past the camera"),
            (
                SceneField::FieldOfView,
                "a wider one reaches further to the sides",
            ),
            (SceneField::CameraVelocity, "how far it goes in a frame"),
        ],
        help: Help {
            meaning: "The camera, its near plane or its probe crosses a surface.",
            evidence: "The pivot is in or behind a surface, a corner of the near plane is behind it, or the camera's path was not swept.",
            fix: "Sweep the camera as a sphere of the radius in the finding.",
        },
    },
    CauseInfo {
        cause: Cause::NotANumber,
        id: "C24",
        title: "not a number, zero normal",
        family: Family::Numbers,
        needs: None,
        checks: &[],
        fields: &[
            (
                SceneField::Position,
                "not finite, or the centres coincide: no push direction",
            ),
            (SceneField::Velocity, "not finite"),
        ],
        help: Help {
            meaning: "A value is not a number, or a direction has zero length.",
            evidence: "A value that is not finite, coincident centres, or a centre inside a box; the finding names the first frame and field.",
            fix: "Use a fixed axis where no direction exists, and check the step before.",
        },
    },
    CauseInfo {
        cause: Cause::VisualOnly,
        id: "C25",
        title: "visual only",
        family: Family::Steps,
        needs: None,
        checks: &[(4, visual_only::check)],
        fields: &[],
        help: Help {
            meaning: "It only looks wrong: the overlap resolves within a few frames.",
            evidence: "The overlap ends, and nothing crosses.",
            fix: "No change to the detection; smooth the rendering if it is visible.",
        },
    },
];
