//! What each cause means and what helps against it, for people who meet its number in a report.

use super::finding::{Cause, Kind};

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

impl Cause {
    /// What it means and what helps.
    pub fn help(self) -> Help {
        let (meaning, evidence, mend) = match self.id().as_str() {
            "C01" => (
                "In one frame the mover travels further than the thickness of what it meets plus its own, so that it is clear of it at both ends of the frame.",
                "Clear when the frame begins and when it ends, while the sweep hits in between; the way along the normal is longer than thickness plus diameter.",
                "Sweep the mover (continuous detection), or keep speed, step, thickness or radius within the limits that the finding prints first: from there the response holds it, while from the weaker ones behind them an overlap test only detects it.",
            ),
            "C02" => (
                "Both bodies move, and each was swept against the other as if that one stood still.",
                "The sweep of the relative motion hits; sweeping one against the other's place at the start or at the end misses, or gives another time.",
                "Sweep the relative motion, and let the boxes of the broad phase cover the whole way of both.",
            ),
            "C03" => (
                "A fast obstacle runs over a slow body: continuous detection that is on for the slow one does not help.",
                "The obstacle supplies more than half of the way along the normal.",
                "Sweep the obstacle, or cap its speed at the one that the finding prints.",
            ),
            "C04" => (
                "The body turns during the frame, and only its straight motion was swept.",
                "The straight sweep misses while the poses in between meet; the tip travels further by turning than the limits allow.",
                "Take more substeps, or sweep with the rotation.",
            ),
            "C05" => (
                "The overlap was seen at the end of the frame, but the middle was already past the middle of the obstacle, so that the shortest way out is the far side.",
                "Overlap at the end; the push points away from the side on which the mover was when the frame began.",
                "Keep the way per frame below the radius plus half the thickness, or push along the sweep's normal.",
            ),
            "C06" => (
                "The push out of one surface moves the body into or through another.",
                "After the push there is a new overlap, or the way of the push itself crosses a surface.",
                "Repeat the pushes until nothing overlaps, and sweep the correction.",
            ),
            "C07" => (
                "A blocked body keeps the speed into the surface, gains more with each frame, and breaks through at last.",
                "In contact and not moving along the normal, while the speed into the surface grows for three frames or more.",
                "Take the speed along the normal away on contact.",
            ),
            "C08" => (
                "The surface is one-sided and was met from behind, or its triangles are wound the wrong way.",
                "Met by a two-sided sweep, missed by a one-sided one; or neighbouring triangles wound against each other, or a mirroring transform.",
                "Unify the winding, make the surface two-sided, or close the solid.",
            ),
            "C09" => (
                "There is a hole in the mesh, or the broad phase left the pair out.",
                "Testing every triangle finds what the program that recorded the level did not; open edges and slivers are near.",
                "Weld the vertices, and let the boxes of the broad phase be a little larger.",
            ),
            "C10" => (
                "The body runs over an edge inside a flat surface and is stopped by it, as if it were a corner.",
                "Contact on an edge whose two faces are flat within 5 degrees, with a normal of neither.",
                "Merge the faces, use adjacency to correct the normal, or round the edge.",
            ),
            "C11" => (
                "A contact foretold for a motion that did not happen stopped the body in free space.",
                "A contact or change of speed is logged where the exact sweep is empty.",
                "Make the speculative margin smaller.",
            ),
            "C12" => (
                "The two overlap before anything moves, so that there is no way in to look at.",
                "Overlap when the frame begins, at the first frame or after a teleport.",
                "Take overlaps apart before the first step, and keep a skin between bodies.",
            ),
            "C13" => (
                "The body was put somewhere else instead of being moved there.",
                "For one frame the way is far from speed times step; or the speed is always zero while the body moves.",
                "Mark the frame as a teleport in the log; drive moving bodies by their velocity, together with the substeps that the finding prints.",
            ),
            "C14" => (
                "One frame took much longer than the others, and only in this one the body is too fast.",
                "Safe at the usual step, not at this one.",
                "Clamp the step to the one that the finding prints, or step several times.",
            ),
            "C15" => (
                "The engine caps the speed, so that bodies are elsewhere than the game thinks.",
                "The way per step stops growing below the commanded speed.",
                "Raise the cap, or scale the level.",
            ),
            "C16" => (
                "Lengths are in another unit than the engine's tolerances are made for.",
                "Sizes against gravity (9.8 or 980), a skin above 2 % of the radius, a negative or uneven scale.",
                "Set the length unit.",
            ),
            "C17" => (
                "Far from the origin single precision is coarser than the bodies are small.",
                "The spacing of numbers at the largest coordinate is above 1 % of the radius; near the origin the same pair gives another answer.",
                "Move the origin, or compute relative to the body.",
            ),
            "C18" => (
                "Layers and masks say that the two do not collide.",
                "The geometry hits while the bits exclude the pair.",
                "Set the bit that the finding names.",
            ),
            "C19" => (
                "Continuous detection is off, or the motion is below the threshold from which the engine uses it.",
                "The flag is off, or the way per frame is below the engine's own threshold.",
                "Turn it on, or lower the threshold.",
            ),
            "C20" => (
                "A trigger was crossed between two frames and never fired.",
                "As C01, with a sensor.",
                "Sweep triggers too.",
            ),
            "C21" => (
                "The contact was there, and the response let the body through.",
                "Overlap is seen at one frame or more in a row, and then the body leaves on the far side.",
                "Stiffer contacts or more substeps; continuous detection does not help.",
            ),
            "C22" => (
                "The engine's own ray or sweep gave another answer than the exact one.",
                "The logged fraction or normal differs by more than the stated tolerance.",
                "Report it to the engine, with this case as a scene.",
            ),
            "C23" => (
                "The camera, its near plane or its probe goes through a surface.",
                "The pivot is in or beyond a surface, a corner of the near plane is past it, or the camera's way was not swept.",
                "Sweep the camera as a sphere of the radius that the finding prints.",
            ),
            "C24" => (
                "A value is not a number, or a direction has no length.",
                "A non-finite value, coincident centres, or a centre inside a box; the first frame and field are named.",
                "Use a fixed axis where no direction exists, and look at what happened just before.",
            ),
            _ => (
                "It only looks wrong: the overlap resolves by itself within a few frames.",
                "The overlap goes, and nothing ever crosses.",
                "Nothing in the detection; smooth what is drawn, if it is seen.",
            ),
        };
        Help {
            meaning,
            evidence,
            mend,
        }
    }
}

impl Kind {
    /// What happened, in a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Tunnels => {
                "The two meet inside the frame, an overlap test sees nothing at either end, and the mover ends on the far side."
            }
            Self::Clips => {
                "The two meet inside the frame and no overlap test sees it, but the mover ends on the side it came from: a cut corner or flank."
            }
            Self::WrongSide => {
                "They overlap at the end of the frame, and the shortest push leads out on the far side."
            }
            Self::StartsInside => {
                "They overlap already at the first frame, or right after a teleport."
            }
            Self::Sinks => {
                "They were in contact, and then the mover left on the far side: the response let it through."
            }
            Self::CameraCrosses => {
                "The camera's way, its probe or its near plane passes through a surface."
            }
            Self::Phantom => "A push or logged contact that the exact sweep does not support.",
            Self::BadNumber => "A value that is not finite, or a direction of no length.",
        }
    }
}
