//! A comparison in sentences, for the command line and the window.

use super::{Alignment, Comparison, DifferenceKind, FirstDifference, ObjectDifference, Subject};
use crate::core::number::{count, degrees, number, with_unit};
use crate::core::scene::UserUnits;

impl Comparison {
    /// Whether anything differs, in one sentence.
    pub fn verdict(&self) -> String {
        let states = count(self.states as usize, "state");
        let bits = match (self.tolerance.is_exact(), &self.hashes) {
            (true, Some(_)) => "every bit is the same",
            (true, None) => "every pose and velocity has the same bits",
            (false, _) => "every pose is the same within the tolerance",
        };
        if self.equal {
            let ignored = match self.a.responds || self.b.responds {
                true => "",
                false => {
                    " Hits change no motion, as the response is Ignore: set another one to see what the detection changes."
                }
            };
            return format!("Equal: {bits} in {states}.{ignored}");
        }
        let all = self.same_objects + self.objects.len();
        let first = self.objects.iter().find_map(|row| row.first.as_ref());
        match first {
            Some(first) => format!(
                "{} of {all} objects differ, the first at frame {} ({}).",
                self.objects.len(),
                first.frame,
                with_unit(first.time, "s"),
            ),
            None if !self.objects.is_empty() => format!(
                "{} of {all} objects differ, but no pose does in {states}.",
                self.objects.len()
            ),
            None => {
                format!("Every object is the same in {states}, but not the length or the steps.")
            }
        }
    }

    /// Notes about lengths, steps, alignment and state hashes.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(frame) = self.first_other_dt {
            let (a, b) = (with_unit(self.a.dt, "s"), with_unit(self.b.dt, "s"));
            notes.push(match frame {
                0 if a != b => format!("A frame is {a} long in A and {b} in B."),
                _ => format!("The frames have different lengths from frame {frame} on."),
            });
        }
        notes.push(match self.aligned_by {
            Alignment::Frame => "Frames are compared by number.".to_owned(),
            Alignment::Time => {
                "States are compared by time: each state of A with B at the same time.".to_owned()
            }
            Alignment::Tick => format!(
                "States are compared by tick: B has the ticks of {} of A.",
                count(self.states as usize, "state"),
            ),
        });
        if self.offset != 0.0 {
            let (offset, unit) = (number(self.offset.abs()), self.aligned_by.unit());
            let way = if self.offset > 0.0 {
                "later"
            } else {
                "earlier"
            };
            notes.push(format!("B is compared {offset} {unit} {way}."));
        }
        if self.other_length {
            let side = |side: &super::Side| {
                let frames = count(side.frames as usize, "frame");
                format!("{frames}, {}", with_unit(side.seconds, "s"))
            };
            notes.push(format!(
                "A has {}; B has {}. Only the first {} could be compared.",
                side(&self.a),
                side(&self.b),
                count(self.states as usize, "state"),
            ));
        }
        if self.renamed > 0 {
            notes.push(format!(
                "{} with different names: matched by position in the list.",
                count(self.renamed, "object")
            ));
        }
        notes.extend(self.hash_note());
        notes
    }

    fn hash_note(&self) -> Option<String> {
        let hashes = self.hashes.as_ref()?;
        Some(match hashes.first_different {
            None => format!(
                "State hashes: equal in all {}.",
                count(hashes.equal as usize, "state")
            ),
            Some(first) => format!(
                "State hashes: equal in {} of {}, first different at frame {first}.",
                hashes.equal,
                count(self.states as usize, "state"),
            ),
        })
    }
}

impl ObjectDifference {
    /// Its first difference: `frame 12: 0.5 m apart`.
    pub fn first_text(&self, units: UserUnits) -> String {
        match (&self.first, self.motion_from) {
            (Some(first), _) => format!("frame {}: {}", first.frame, first.text(units)),
            (None, Some(frame)) => {
                format!("frame {frame}: velocity, spin or a flag, but no pose")
            }
            (None, None) if self.other_shape => "another shape, the same poses".to_owned(),
            (None, None) => match self.subject {
                Subject::OnlyA { .. } => "only in A, and never present".to_owned(),
                _ => "only in B, and never present".to_owned(),
            },
        }
    }

    /// Its largest difference: `5 m at frame 60, 12° at frame 13`; empty when there is none.
    pub fn largest_text(&self, units: UserUnits) -> String {
        let distance = self.largest_position;
        let distance = distance.map(|peak| (units.length(peak.value), peak.frame));
        let angle = self.largest_rotation;
        let angle = angle.map(|peak| (degrees(peak.value), peak.frame));
        let peaks = distance.into_iter().chain(angle);
        let peaks = peaks.map(|(value, frame)| format!("{value} at frame {frame}"));
        peaks.collect::<Vec<_>>().join(", ")
    }
}

impl FirstDifference {
    /// How it differs: `0.5 m apart, turned by 5.7°`.
    pub fn text(&self, units: UserUnits) -> String {
        let apart = match self.kind {
            DifferenceKind::OnlyA => return "only in A".to_owned(),
            DifferenceKind::OnlyB => return "only in B".to_owned(),
            DifferenceKind::Apart(apart) => apart,
        };
        let mut parts = Vec::new();
        match apart.position {
            None => parts.push("a position is not finite".to_owned()),
            Some(0.0) => {}
            Some(metres) => parts.push(format!("{} apart", units.text(metres, "m"))),
        }
        match apart.rotation {
            None => parts.push("a rotation is not finite".to_owned()),
            Some(0.0) => {}
            Some(angle) => parts.push(format!("turned by {}", degrees(angle))),
        }
        if parts.is_empty() {
            return "other bits of the same pose".to_owned();
        }
        parts.join(", ")
    }
}
