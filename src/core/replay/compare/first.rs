//! The first moment at which two replays differ: the object, the field, and the contacts that only one of them has by then.

use super::{Comparison, DifferenceKind, FirstDifference, ObjectDifference, Subject};
use crate::core::replay::{BodyState, ObjectId, Replay};
use glam::DVec3;
use serde::Serialize;
use std::collections::BTreeSet;

/// The first difference of two replays that are compared by frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstField {
    /// At the start of this frame (of the last one plus 1: at its end).
    pub frame: u32,
    /// Name of the object; of several the first in the list of objects.
    pub object: String,
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

impl Comparison {
    /// The first difference of the states, exact to the bit; `None` where all that both have are equal.
    pub fn first_field(&self, a: &Replay, b: &Replay) -> Option<FirstField> {
        let frame = |row: &ObjectDifference| {
            let pose = row.first.map(|first| first.frame);
            pose.into_iter().chain(row.motion_from).min()
        };
        let rows = self.objects.iter();
        let rows = rows.filter_map(|row| Some((frame(row)?, row)));
        let (frame, row) = rows.min_by_key(|(frame, row)| (*frame, row.subject.a()))?;
        let first = row.first.filter(|first| first.frame == frame);
        let (field, text) = match first {
            Some(first) => (pose_field(&first), first.text()),
            None => (motion_field(row.subject, a, b, frame)?, row.first_text()),
        };
        Some(FirstField {
            frame,
            object: row.name.clone(),
            field,
            text,
            contact: one_sided_contact(a, b, frame),
        })
    }
}

fn pose_field(first: &FirstDifference) -> &'static str {
    match first.kind {
        DifferenceKind::OnlyA | DifferenceKind::OnlyB => "presence",
        DifferenceKind::Apart(apart) if apart.position == Some(0.0) => "rotation",
        DifferenceKind::Apart(_) => "position",
    }
}

/// What differs beside the pose.
fn motion_field(subject: Subject, a: &Replay, b: &Replay, frame: u32) -> Option<&'static str> {
    let one: BodyState = a.body(frame, subject.a()?)?;
    let other: BodyState = b.body(frame, subject.b()?)?;
    let bits = |vector: Option<DVec3>| vector.map(|it| it.to_array().map(f64::to_bits));
    let fields = [
        ("velocity", bits(one.velocity) == bits(other.velocity)),
        ("spin", bits(one.spin) == bits(other.spin)),
        ("asleep", one.asleep == other.asleep),
        ("teleported", one.teleported == other.teleported),
    ];
    let mut other = fields.into_iter().filter(|(_, is_same)| !is_same);
    other.next().map(|(name, _)| name)
}

/// The first contact up to a frame that only one log has; `None` too where one of them logs none.
fn one_sided_contact(a: &Replay, b: &Replay, last: u32) -> Option<OneSidedContact> {
    let logs = [a, b].map(|replay| replay.recording().filter(|log| log.logs_contacts()));
    let [Some(_), Some(_)] = logs else {
        return None;
    };
    (0..=last).find_map(|frame| {
        let [one, other] = [a, b].map(|replay| contacts(replay, frame));
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
        comparison.first_field(&a, &b)
    }

    #[test]
    fn the_first_frame_object_and_field_are_named() {
        assert_eq!(first("", ""), None);
        for (from, to, frame, object, field) in [
            ("[2,9,0]", "[2,9.5,0]", 2, "b2", "position"),
            (
                r#""p":[3,0,0]"#,
                r#""q":[1,0,0,0],"p":[3,0,0]"#,
                3,
                "b1",
                "rotation",
            ),
            (
                r#""p":[1,0,0],"v":[2"#,
                r#""p":[1,0,0],"v":[3"#,
                1,
                "b1",
                "velocity",
            ),
            (
                r#""p":[1,9,0]"#,
                r#""asleep":true,"p":[1,9,0]"#,
                1,
                "b2",
                "asleep",
            ),
        ] {
            let found = first(from, to).unwrap_or_else(|| panic!("{to}"));
            assert_eq!(
                (found.frame, &*found.object, found.field),
                (frame, object, field)
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
        let contact = found.contact.unwrap();
        assert_eq!((contact.frame, contact.in_a), (1, true));
        assert_eq!(contact.pair, ["b1", "b2"]);
    }
}
