//! The first moment at which two replays differ: the object, the field, and the contacts that only one of them has by then.

use super::{
    Alignment, DifferenceKind, FirstDifference, Matching, ObjectDifference, Subject, beside,
};
use crate::core::progress::Progress;
use crate::core::replay::{BodyState, ObjectId, Replay};
use crate::core::scene::UserUnits;
use glam::DVec3;
use serde::Serialize;
use std::collections::BTreeSet;

/// The first difference of two replays that are compared by frame or by tick.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstField {
    /// At the start of this frame (of the last one plus 1: at its end).
    pub frame: u32,
    /// The tick of that state, where they are compared by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick: Option<i64>,
    /// Name of the object; of several the first in the list of objects.
    pub object: String,
    /// The object in both.
    #[serde(skip)]
    pub subject: Subject,
    /// What differs: `presence`, `position`, `rotation`, `velocity`, `spin`, `asleep` or `teleported`; of several the first of these.
    pub field: &'static str,
    /// How: `0.5 m apart`.
    pub text: String,
    /// The first contact that only one of the two has, in this frame or an earlier one.
    pub contact: Option<OneSidedContact>,
}

/// A contact that only one of two logs has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OneSidedContact {
    /// The frame whose line has it.
    pub frame: u32,
    /// The names of both objects.
    pub pair: [String; 2],
    /// True in the first log, false in the second.
    pub in_a: bool,
}

impl FirstField {
    /// The first difference of the states in rows; `None` where all that both have are equal.
    pub(super) fn of(
        rows: &[ObjectDifference],
        [a, b]: [&Replay; 2],
        matching: Matching,
        progress: &(impl Progress + ?Sized),
    ) -> Option<Self> {
        let in_b = |frame: u32| {
            let at = beside(a, b, matching, (frame, 0.0));
            at.filter(|at| at.1 == 0.0).map(|at| at.0)
        };
        let frame = |row: &ObjectDifference| {
            let pose = row.first.map(|first| first.frame);
            pose.into_iter().chain(row.motion_from).min()
        };
        let rows = rows.iter();
        let rows = rows.filter_map(|row| Some((frame(row)?, row)));
        let (frame, row) = rows.min_by_key(|(frame, row)| (*frame, row.subject.a()))?;
        let first = row.first.filter(|first| first.frame == frame);
        let (field, text) = match first {
            Some(first) => (pose_field(&first), first.text(a.units())),
            None => motion_field(row.subject, (a, frame), (b, in_b(frame)?))?,
        };
        let by_tick = matching.alignment == Alignment::Tick;
        Some(Self {
            frame,
            tick: a.tick(frame).filter(|_| by_tick),
            object: row.name.clone(),
            subject: row.subject,
            field,
            text,
            contact: one_sided_contact([a, b], in_b, frame, progress),
        })
    }

    /// In one sentence, or two: `First difference at frame 4: position of ball, 0.516 m apart. At frame 3 only A has a contact of ball and wall.`
    pub fn sentence(&self) -> String {
        let (frame, field, object, text) = (self.frame, self.field, &self.object, &self.text);
        let tick = self.tick;
        let tick = tick.map_or_else(String::new, |tick| format!(", tick {tick}"));
        let mut sentence =
            format!("First difference at frame {frame}{tick}: {field} of {object}, {text}.");
        if let Some(contact) = &self.contact {
            let ([one, other], side) = (&contact.pair, if contact.in_a { "A" } else { "B" });
            let frame = contact.frame;
            sentence +=
                &format!(" At frame {frame} only {side} has a contact of {one} and {other}.");
        }
        sentence
    }
}

fn pose_field(first: &FirstDifference) -> &'static str {
    match first.kind {
        DifferenceKind::OnlyA | DifferenceKind::OnlyB => "presence",
        DifferenceKind::Apart(apart) if apart.position == Some(0.0) => "rotation",
        DifferenceKind::Apart(_) => "position",
    }
}

/// What differs beside the pose, and how.
fn motion_field(
    subject: Subject,
    (a, frame): (&Replay, u32),
    (b, in_b): (&Replay, u32),
) -> Option<(&'static str, String)> {
    let one: BodyState = a.body(frame, subject.a()?)?;
    let other: BodyState = b.body(in_b, subject.b()?)?;
    let vectors = [
        ("velocity", one.velocity, other.velocity, "m/s"),
        ("spin", one.spin, other.spin, "rad/s"),
    ];
    let bits = |vector: Option<DVec3>| vector.map(|it| it.to_array().map(f64::to_bits));
    for (name, one, other, unit) in vectors {
        if bits(one) != bits(other) {
            let text = match (one, other) {
                (Some(one), Some(other)) => apart((one - other).length(), unit, a.units()),
                (one, _) => only_in(one.is_some()),
            };
            return Some((name, text));
        }
    }
    let flags = [
        ("asleep", one.asleep, other.asleep),
        ("teleported", one.teleported, other.teleported),
    ];
    let mut flags = flags.into_iter().filter(|(_, one, other)| one != other);
    flags.next().map(|(name, one, _)| (name, only_in(one)))
}

/// `0.2 m/s apart`.
fn apart(length: f64, unit: &'static str, units: UserUnits) -> String {
    match length {
        0.0 => "other bits of the same numbers".to_owned(),
        length if length.is_finite() => format!("{} apart", units.text(length, unit)),
        _ => "a number is not finite".to_owned(),
    }
}

fn only_in(is_in_a: bool) -> String {
    format!("only in {}", if is_in_a { "A" } else { "B" })
}

/// The first contact up to a frame that only one log has; `None` too where one of them logs none.
fn one_sided_contact(
    both: [&Replay; 2],
    in_b: impl Fn(u32) -> Option<u32>,
    last: u32,
    progress: &(impl Progress + ?Sized),
) -> Option<OneSidedContact> {
    let logs = both.map(|replay| replay.recording().filter(|log| log.logs_contacts()));
    let [Some(_), Some(_)] = logs else {
        return None;
    };
    let mut frames = (0..=last).take_while(|_| !progress.cancelled());
    frames.find_map(|frame| {
        let other = in_b(frame)?;
        // A first line has no step before it, and mostly no contacts.
        if (frame == 0) != (other == 0) {
            return None;
        }
        let one = contacts(both[0], frame);
        let other = contacts(both[1], other);
        let mut apart = one.symmetric_difference(&other);
        let pair = apart.next()?;
        Some(OneSidedContact {
            frame,
            in_a: one.contains(pair),
            pair: pair.clone(),
        })
    })
}

fn contacts(replay: &Replay, frame: u32) -> BTreeSet<[String; 2]> {
    let Some(recording) = replay.recording() else {
        return BTreeSet::new();
    };
    let name = |object: ObjectId| recording.objects[object as usize].name.clone();
    let data = recording.data.events(frame as usize);
    let pairs = data.contacts.iter().map(|contact| {
        let (one, other) = (name(contact.a), name(contact.b));
        if one <= other {
            [one, other]
        } else {
            [other, one]
        }
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Alignment, Settings, compare};
    use super::*;
    use crate::core::file::Opened;
    use crate::core::level;
    use crate::core::log::Format;
    use crate::core::scene::MemoryFolder;
    use std::sync::Arc;

    /// A log of two balls on a floor; `change` is applied to the text.
    fn replay(from: &str, to: &str) -> Arc<Replay> {
        let mut text = String::from(
            r#"{"hitstop":1,"dt":0.5,"objects":[{"id":0,"name":"b1","shape":{"sphere":{"radius":1}}},{"id":1,"name":"b2","shape":{"sphere":{"radius":1}}}]}"#,
        );
        for frame in 0..4 {
            text += &format!(
                r#"
{{"frame":{frame},"bodies":[{{"id":0,"p":[{frame},0,0],"v":[2,0,0]}},{{"id":1,"p":[{frame},9,0],"v":[2,0,0]}}],"contacts":[{{"a":0,"b":1,"point":[0,0,0],"normal":[0,1,0],"depth":0}}]}}"#
            );
        }
        let text = text.replace(from, to);
        let opened = Opened {
            length: text.len() as u64,
            input: Box::new(std::io::Cursor::new(text)),
            file: None,
        };
        let folder = MemoryFolder::default();
        let level = level::open_log(Format::JsonLines, opened, "log", &folder, &(), None);
        level.unwrap().replay
    }

    fn first(from: &str, to: &str) -> Option<FirstField> {
        let (a, b) = (replay("", ""), replay(from, to));
        let settings = Settings {
            alignment: Some(Alignment::Frame),
            ..Settings::default()
        };
        let comparison = compare(("a", &a), ("b", &b), &settings, &()).unwrap();
        comparison.first
    }

    #[test]
    fn the_first_frame_object_and_field_are_named() {
        assert_eq!(first("", ""), None);
        for (from, to, frame, object, field, text) in [
            ("[2,9,0]", "[2,9.5,0]", 2, "b2", "position", "0.5 m apart"),
            (
                r#""p":[3,0,0]"#,
                r#""q":[1,0,0,0],"p":[3,0,0]"#,
                3,
                "b1",
                "rotation",
                "turned by 180°",
            ),
            (
                r#""p":[1,0,0],"v":[2"#,
                r#""p":[1,0,0],"v":[3"#,
                1,
                "b1",
                "velocity",
                "1 m/s apart",
            ),
            (
                r#""p":[1,9,0]"#,
                r#""asleep":true,"p":[1,9,0]"#,
                1,
                "b2",
                "asleep",
                "only in B",
            ),
        ] {
            let found = first(from, to).unwrap_or_else(|| panic!("{to}"));
            assert_eq!(
                (found.frame, &*found.object, found.field, &*found.text),
                (frame, object, field, text)
            );
            assert_eq!(found.contact, None);
        }
    }

    #[test]
    fn a_contact_on_one_side_is_named_though_it_is_earlier() {
        let contact = r#"[2,0,0]}],"contacts":[{"a":0,"b":1,"point":[0,0,0],"normal":[0,1,0],"depth":0}]}
{"frame":2,"bodies":[{"id":0,"p":[2,0,0]"#;
        let without = r#"[2,0,0]}],"contacts":[]}
{"frame":2,"bodies":[{"id":0,"p":[2,0,7]"#;
        let found = first(contact, without).unwrap();
        assert_eq!((found.frame, &*found.text), (2, "7 m apart"));
        assert_eq!(
            found.sentence(),
            "First difference at frame 2: position of b1, 7 m apart. At frame 1 only A has a contact of b1 and b2."
        );
        let contact = found.contact.unwrap();
        assert_eq!((contact.frame, contact.in_a), (1, true));
        assert_eq!(contact.pair, ["b1", "b2"]);
    }
}
