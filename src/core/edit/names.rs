//! Names: those in expectations, unique ones for new objects, and those of edits.

use crate::core::scene::{CAMERA, Expectation, Object, Scene};
use std::collections::{BTreeMap, BTreeSet};

/// The names of objects in an expectation.
pub fn object_names(expectation: &mut Expectation) -> Vec<&mut String> {
    match expectation {
        Expectation::Hit { a, b, .. }
        | Expectation::Touches { a, b }
        | Expectation::NeverTouches { a, b } => vec![a, b],
        Expectation::Finds { a, b, .. } => a.iter_mut().chain(b).collect(),
        Expectation::Position { object, .. } => vec![object],
        Expectation::Push {
            object, against, ..
        } => std::iter::once(object).chain(against).collect(),
        Expectation::NoFindings { .. }
        | Expectation::Margin { .. }
        | Expectation::CameraPush { .. } => Vec::new(),
    }
}

/// Makes names unique in a scene.
pub struct UniqueNames {
    taken: BTreeSet<String>,
    /// The next number to try for a stem; all before it are taken.
    next: BTreeMap<String, u64>,
}

impl UniqueNames {
    /// For new objects of a scene.
    pub fn of(scene: &Scene) -> Self {
        let names = scene.objects.iter().map(|object| object.name.clone());
        Self::new(names.chain([CAMERA.to_owned()]).collect())
    }

    fn new(taken: BTreeSet<String>) -> Self {
        let next = BTreeMap::new();
        Self { taken, next }
    }

    /// The wanted name, if no object has it, else with the next free number. It is not returned again.
    pub fn unique(&mut self, wanted: &str) -> String {
        if self.taken.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        let stem = wanted
            .trim_end_matches(|c: char| c.is_ascii_digit())
            .trim_end();
        let stem = if stem.is_empty() { wanted } else { stem };
        let number = self.next.entry(stem.to_owned()).or_insert(2);
        loop {
            let name = format!("{stem} {number}");
            *number += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// The name of an edit of one object.
pub fn edit_name(old: &Object, new: &Object) -> String {
    let name = &old.name;
    let mut parts = Vec::new();
    let mut note = |differs: bool, text: String| {
        if differs {
            parts.push(text);
        }
    };
    note(
        old.name != new.name,
        format!("Rename {name} to {}", new.name),
    );
    note(
        old.shape != new.shape || old.mesh != new.mesh,
        format!("Reshape {name}"),
    );
    note(
        old.pose.position != new.pose.position,
        format!("Move {name}"),
    );
    note(
        old.pose.rotation != new.pose.rotation,
        format!("Turn {name}"),
    );
    note(old.velocity != new.velocity, format!("Velocity of {name}"));
    note(old.spin != new.spin, format!("Spin of {name}"));
    note(old.movement != new.movement, format!("Motion of {name}"));
    note(old.color != new.color, format!("Colour of {name}"));
    note(old.mass != new.mass, format!("Mass of {name}"));
    match parts.len() {
        1 => parts.swap_remove(0),
        _ => format!("Change {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_names_are_unique() {
        let mut names = UniqueNames::new(["ball", "ball 2", "7"].map(str::to_owned).into());
        assert_eq!(names.unique("ball"), "ball 3");
        assert_eq!(names.unique("ball 2"), "ball 4");
        assert_eq!(names.unique("wall"), "wall");
        assert_eq!(names.unique("wall"), "wall 2");
        assert_eq!(names.unique("7"), "7 2");
    }
}
