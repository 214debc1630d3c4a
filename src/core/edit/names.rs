//! Names: who is named where, new names that are free, and what a change is called.

use crate::core::scene::{Expectation, Object, Scene};
use std::collections::BTreeSet;

/// Every object that an expectation names.
pub fn named_in(claim: &mut Expectation) -> Vec<&mut String> {
    match claim {
        Expectation::Hit { a, b, .. }
        | Expectation::Touches { a, b }
        | Expectation::NeverTouches { a, b } => vec![a, b],
        Expectation::Finds { a, b, .. } => a.iter_mut().chain(b).collect(),
        Expectation::Position { object, .. } => vec![object],
        Expectation::Push {
            object, against, ..
        } => std::iter::once(object).chain(against).collect(),
        Expectation::NoFindings { .. } | Expectation::CameraPush { .. } => Vec::new(),
    }
}

/// Names that are taken, for new ones.
pub struct Taken(BTreeSet<String>);

impl Taken {
    /// Those of a scene.
    pub fn of(scene: &Scene) -> Self {
        let names = scene.objects.iter().map(|object| object.name.clone());
        Self(names.chain(["camera".to_owned()]).collect())
    }

    /// The name itself if it is free, else with the next free number; it is taken then.
    pub fn free(&mut self, wanted: &str) -> String {
        let stem = wanted
            .trim_end_matches(|c: char| c.is_ascii_digit())
            .trim_end();
        let stem = if stem.is_empty() { wanted } else { stem };
        let numbered = (2..).map(|number| format!("{stem} {number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        let name = names
            .find(|name| !self.0.contains(name))
            .unwrap_or_default();
        self.0.insert(name.clone());
        name
    }
}

/// What a change of one object is called.
pub fn of_change(old: &Object, new: &Object) -> String {
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
    fn new_names_are_free() {
        let mut taken = Taken(["ball", "ball 2", "7"].map(str::to_owned).into());
        assert_eq!(taken.free("ball"), "ball 3");
        assert_eq!(taken.free("ball 2"), "ball 4");
        assert_eq!(taken.free("wall"), "wall");
        assert_eq!(taken.free("wall"), "wall 2");
        assert_eq!(taken.free("7"), "7 2");
    }
}
