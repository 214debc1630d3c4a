//! Every cause, once: its name, what it means, what a log must carry for it, and when it is asked of a pair.
//!
//! A new cause is a variant, a row here, and a file that finds it.

use super::{
    Case, Claim, bits, ccd, dt_spike, facing, far_from_origin, fast_obstacle, gap, hidden_speed,
    let_through, rotation, sensor, speed_clamp, swept_alone, teleport, too_fast, units,
    visual_only, wrong_side,
};
use crate::core::diagnose::not_judged::Needs;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::sync::LazyLock;

/// Why it happened: a stable identifier, C01 to C25.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// C01: too fast for too thin.
    TooFast,
    /// C02: both move, each swept alone.
    SweptAlone,
    /// C03: slow body, fast obstacle.
    FastObstacle,
    /// C04: rotation ignored.
    Rotation,
    /// C05: pushed out on the wrong side.
    WrongSide,
    /// C06: pushed into the next wall.
    NextWall,
    /// C07: hidden speed while blocked.
    HiddenSpeed,
    /// C08: back face or winding.
    Facing,
    /// C09: gap in mesh or broad phase.
    Gap,
    /// C10: internal edge.
    InternalEdge,
    /// C11: speculative ghost.
    Ghost,
    /// C12: initial overlap.
    InitialOverlap,
    /// C13: teleport, or driven by position.
    Teleport,
    /// C14: dt spike.
    DtSpike,
    /// C15: speed clamp.
    SpeedClamp,
    /// C16: units or scale.
    Units,
    /// C17: f32 at large coordinates.
    FarFromOrigin,
    /// C18: layers and masks.
    Bits,
    /// C19: CCD not really on.
    Ccd,
    /// C20: sensor missed.
    Sensor,
    /// C21: contact existed, the solver let it through.
    LetThrough,
    /// C22: the engine's own query is wrong.
    OwnQuery,
    /// C23: camera.
    Camera,
    /// C24: not a number, zero normal.
    NotANumber,
    /// C25: visual only.
    VisualOnly,
}

/// A cause, explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Help {
    /// What happens, and why it goes wrong.
    pub meaning: &'static str,
    /// How it is told from others.
    pub evidence: &'static str,
    /// What mends it.
    pub mend: &'static str,
}

/// Asked of an event of a pair: the claim of a cause, if it holds.
type Asked = fn(&Case<'_>) -> Option<Claim>;

/// A row of the table.
struct CauseInfo {
    cause: Cause,
    id: &'static str,
    title: &'static str,
    /// What a log must carry for it to be judged; `None`: what every log has.
    needs: Option<Needs>,
    /// Its claims on a pair, each with its rank; none for a cause that is not one of pairs.
    asked: &'static [(u8, Asked)],
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

    /// A few words a person understands.
    pub fn title(self) -> &'static str {
        self.info().title
    }

    /// What it means and what helps.
    pub fn help(self) -> Help {
        self.info().help
    }

    /// What a log must carry for it to be judged, beyond what every log has.
    pub(in crate::core::diagnose) fn needs(self) -> Option<Needs> {
        self.info().needs
    }
}

/// Every cause's claim, in the order of their ranks.
pub(super) static RANKED: LazyLock<Vec<Asked>> = LazyLock::new(|| {
    let mut ranked: Vec<(u8, Asked)> = CAUSES.iter().flat_map(|info| info.asked).copied().collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, asked)| asked).collect()
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
        needs: None,
        asked: &[(17, too_fast::claim)],
        help: Help {
            meaning: "In one frame the mover travels further than the thickness of what it meets plus its own, so that it is clear of it at both ends of the frame.",
            evidence: "Clear when the frame begins and when it ends, while the sweep hits in between; the way along the normal is longer than thickness plus diameter.",
            mend: "Sweep the mover (continuous detection), or keep speed, step, thickness or radius within the limits that the finding prints first: from there the response holds it, while from the weaker ones behind them an overlap test only detects it.",
        },
    },
    CauseInfo {
        cause: Cause::SweptAlone,
        id: "C02",
        title: "both move, each swept alone",
        needs: None,
        asked: &[(16, swept_alone::claim)],
        help: Help {
            meaning: "Both bodies move, and each was swept against the other as if that one stood still.",
            evidence: "The sweep of the relative motion hits; sweeping one against the other's place at the start or at the end misses, or gives another time.",
            mend: "Sweep the relative motion, and let the boxes of the broad phase cover the whole way of both.",
        },
    },
    CauseInfo {
        cause: Cause::FastObstacle,
        id: "C03",
        title: "slow body, fast obstacle",
        needs: None,
        asked: &[(15, fast_obstacle::claim)],
        help: Help {
            meaning: "A fast obstacle runs over a slow body: continuous detection that is on for the slow one does not help.",
            evidence: "The obstacle supplies more than half of the way along the normal.",
            mend: "Sweep the obstacle, or cap its speed at the one that the finding prints.",
        },
    },
    CauseInfo {
        cause: Cause::Rotation,
        id: "C04",
        title: "rotation ignored",
        needs: None,
        asked: &[(10, rotation::claim)],
        help: Help {
            meaning: "The body turns during the frame, and only its straight motion was swept.",
            evidence: "The straight sweep misses while the poses in between meet; the tip travels further by turning than the limits allow.",
            mend: "Take more substeps, or sweep with the rotation.",
        },
    },
    CauseInfo {
        cause: Cause::WrongSide,
        id: "C05",
        title: "pushed out on the wrong side",
        needs: None,
        asked: &[(11, wrong_side::claim)],
        help: Help {
            meaning: "The overlap was seen at the end of the frame, but the middle was already past the middle of the obstacle, so that the shortest way out is the far side.",
            evidence: "Overlap at the end; the push points away from the side on which the mover was when the frame began.",
            mend: "Keep the way per frame below the radius plus half the thickness, or push along the sweep's normal.",
        },
    },
    CauseInfo {
        cause: Cause::NextWall,
        id: "C06",
        title: "pushed into the next wall",
        needs: None,
        asked: &[],
        help: Help {
            meaning: "The push out of one surface moves the body into or through another.",
            evidence: "After the push there is a new overlap, or the way of the push itself crosses a surface.",
            mend: "Repeat the pushes until nothing overlaps, and sweep the correction.",
        },
    },
    CauseInfo {
        cause: Cause::HiddenSpeed,
        id: "C07",
        title: "hidden speed while blocked",
        needs: Some(Needs::Velocities),
        asked: &[(6, hidden_speed::claim)],
        help: Help {
            meaning: "A blocked body keeps the speed into the surface, gains more with each frame, and breaks through at last.",
            evidence: "In contact and not moving along the normal, while the speed into the surface grows for three frames or more.",
            mend: "Take the speed along the normal away on contact.",
        },
    },
    CauseInfo {
        cause: Cause::Facing,
        id: "C08",
        title: "back face or winding",
        needs: None,
        asked: &[(9, facing::claim)],
        help: Help {
            meaning: "The surface is one-sided and was met from behind, or its triangles are wound the wrong way.",
            evidence: "Met by a two-sided sweep, missed by a one-sided one; or neighbouring triangles wound against each other, or a mirroring transform.",
            mend: "Unify the winding, make the surface two-sided, or close the solid.",
        },
    },
    CauseInfo {
        cause: Cause::Gap,
        id: "C09",
        title: "gap in mesh or broad phase",
        needs: None,
        asked: &[(7, gap::claim)],
        help: Help {
            meaning: "There is a hole in the mesh, or the broad phase left the pair out.",
            evidence: "Testing every triangle finds what the program that recorded the level did not; open edges and slivers are near.",
            mend: "Weld the vertices, and let the boxes of the broad phase be a little larger.",
        },
    },
    CauseInfo {
        cause: Cause::InternalEdge,
        id: "C10",
        title: "internal edge",
        needs: None,
        asked: &[],
        help: Help {
            meaning: "The body runs over an edge inside a flat surface and is stopped by it, as if it were a corner.",
            evidence: "Contact on an edge whose two faces are flat within 5 degrees, with a normal of neither.",
            mend: "Merge the faces, use adjacency to correct the normal, or round the edge.",
        },
    },
    CauseInfo {
        cause: Cause::Ghost,
        id: "C11",
        title: "speculative ghost",
        needs: Some(Needs::ContactsOrPushes),
        asked: &[],
        help: Help {
            meaning: "A contact foretold for a motion that did not happen stopped the body in free space.",
            evidence: "A contact or change of speed is logged where the exact sweep is empty.",
            mend: "Make the speculative margin smaller.",
        },
    },
    CauseInfo {
        cause: Cause::InitialOverlap,
        id: "C12",
        title: "initial overlap",
        needs: None,
        asked: &[],
        help: Help {
            meaning: "The two overlap before anything moves, so that there is no way in to look at.",
            evidence: "Overlap when the frame begins, at the first frame or after a teleport.",
            mend: "Take overlaps apart before the first step, and keep a skin between bodies.",
        },
    },
    CauseInfo {
        cause: Cause::Teleport,
        id: "C13",
        title: "teleport, or driven by position",
        needs: Some(Needs::Velocities),
        asked: &[(3, teleport::claim)],
        help: Help {
            meaning: "The body was put somewhere else instead of being moved there.",
            evidence: "For one frame the way is far from speed times step; or the speed is always zero while the body moves.",
            mend: "Mark the frame as a teleport in the log; drive moving bodies by their velocity, together with the substeps that the finding prints.",
        },
    },
    CauseInfo {
        cause: Cause::DtSpike,
        id: "C14",
        title: "dt spike",
        needs: None,
        asked: &[(12, dt_spike::claim)],
        help: Help {
            meaning: "One frame took much longer than the others, and only in this one the body is too fast.",
            evidence: "Safe at the usual step, not at this one.",
            mend: "Clamp the step to the one that the finding prints, or step several times.",
        },
    },
    CauseInfo {
        cause: Cause::SpeedClamp,
        id: "C15",
        title: "speed clamp",
        needs: Some(Needs::Velocities),
        asked: &[(18, speed_clamp::claim)],
        help: Help {
            meaning: "The engine caps the speed, so that bodies are elsewhere than the game thinks.",
            evidence: "The way per step stops growing below the commanded speed.",
            mend: "Raise the cap, or scale the level.",
        },
    },
    CauseInfo {
        cause: Cause::Units,
        id: "C16",
        title: "units or scale",
        needs: Some(Needs::Gravity),
        asked: &[(2, units::of_level), (19, units::of_object)],
        help: Help {
            meaning: "Lengths are in another unit than the engine's tolerances are made for.",
            evidence: "Sizes against gravity (9.8 or 980), a skin above 2 % of the radius, a negative or uneven scale.",
            mend: "Set the length unit.",
        },
    },
    CauseInfo {
        cause: Cause::FarFromOrigin,
        id: "C17",
        title: "f32 at large coordinates",
        needs: None,
        asked: &[(5, far_from_origin::claim)],
        help: Help {
            meaning: "Far from the origin single precision is coarser than the bodies are small.",
            evidence: "The spacing of numbers at the largest coordinate is above 1 % of the radius; near the origin the same pair gives another answer.",
            mend: "Move the origin, or compute relative to the body.",
        },
    },
    CauseInfo {
        cause: Cause::Bits,
        id: "C18",
        title: "layers and masks",
        needs: Some(Needs::Bits),
        asked: &[(1, bits::claim)],
        help: Help {
            meaning: "Layers and masks say that the two do not collide.",
            evidence: "The geometry hits while the bits exclude the pair.",
            mend: "Set the bit that the finding names.",
        },
    },
    CauseInfo {
        cause: Cause::Ccd,
        id: "C19",
        title: "CCD not really on",
        needs: Some(Needs::CcdFlags),
        asked: &[(14, ccd::below_threshold), (20, ccd::off)],
        help: Help {
            meaning: "Continuous detection is off, or the motion is below the threshold from which the engine uses it.",
            evidence: "The flag is off, or the way per frame is below the engine's own threshold.",
            mend: "Turn it on, or lower the threshold.",
        },
    },
    CauseInfo {
        cause: Cause::Sensor,
        id: "C20",
        title: "sensor missed",
        needs: None,
        asked: &[(13, sensor::claim)],
        help: Help {
            meaning: "A trigger was crossed between two frames and never fired.",
            evidence: "As C01, with a sensor.",
            mend: "Sweep triggers too.",
        },
    },
    CauseInfo {
        cause: Cause::LetThrough,
        id: "C21",
        title: "contact existed, the solver let it through",
        needs: None,
        asked: &[(8, let_through::claim)],
        help: Help {
            meaning: "The contact was there, and the response let the body through.",
            evidence: "Overlap is seen at one frame or more in a row, and then the body leaves on the far side.",
            mend: "Stiffer contacts or more substeps; continuous detection does not help.",
        },
    },
    CauseInfo {
        cause: Cause::OwnQuery,
        id: "C22",
        title: "the engine's own query is wrong",
        needs: Some(Needs::Queries),
        asked: &[],
        help: Help {
            meaning: "The engine's own ray or sweep gave another answer than the exact one.",
            evidence: "The logged fraction or normal differs by more than the stated tolerance.",
            mend: "Report it to the engine, with this case as a scene.",
        },
    },
    CauseInfo {
        cause: Cause::Camera,
        id: "C23",
        title: "camera",
        needs: None,
        asked: &[],
        help: Help {
            meaning: "The camera, its near plane or its probe goes through a surface.",
            evidence: "The pivot is in or beyond a surface, a corner of the near plane is past it, or the camera's way was not swept.",
            mend: "Sweep the camera as a sphere of the radius that the finding prints.",
        },
    },
    CauseInfo {
        cause: Cause::NotANumber,
        id: "C24",
        title: "not a number, zero normal",
        needs: None,
        asked: &[],
        help: Help {
            meaning: "A value is not a number, or a direction has no length.",
            evidence: "A non-finite value, coincident centres, or a centre inside a box; the first frame and field are named.",
            mend: "Use a fixed axis where no direction exists, and look at what happened just before.",
        },
    },
    CauseInfo {
        cause: Cause::VisualOnly,
        id: "C25",
        title: "visual only",
        needs: None,
        asked: &[(4, visual_only::claim)],
        help: Help {
            meaning: "It only looks wrong: the overlap resolves by itself within a few frames.",
            evidence: "The overlap goes, and nothing ever crosses.",
            mend: "Nothing in the detection; smooth what is drawn, if it is seen.",
        },
    },
];
