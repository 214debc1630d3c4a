//! Options of the viewport: the colours of bodies, the look of meshes, and which objects are hidden.

use super::object_set::ObjectSet;
use crate::core::replay::ObjectId;
use crate::core::shape::Mesh;
use serde::{Deserialize, Serialize};

/// The property of an object that gives its colour in the viewport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorBy {
    /// Its own colour, else fixed or moving.
    #[default]
    Role,
    /// Its collision layer.
    Layer,
    /// Its speed in the shown frame.
    Speed,
    /// Awake or asleep in the recorded engine.
    State,
    /// The island of the recorded engine that it is in.
    Island,
    /// Its first tag.
    Tag,
    /// How many of the listed findings it has.
    Findings,
    /// The cause of its worst listed finding.
    Cause,
}

impl ColorBy {
    /// Whether it shows findings: then fixed objects count as much as others.
    pub fn is_of_findings(self) -> bool {
        matches!(self, Self::Findings | Self::Cause)
    }
}

/// The look of meshes in the viewport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeshView {
    /// Opaque faces.
    #[default]
    Solid,
    /// The edges of the triangles only.
    Wireframe,
    /// Edges, and translucent faces.
    XRay,
    /// Opaque faces, the back ones in another colour.
    BackFaces,
}

impl MeshView {
    /// Returns true if the faces are opaque.
    pub fn is_opaque(self) -> bool {
        matches!(self, Self::Solid | Self::BackFaces)
    }
}

/// How the viewport shows a level and the one that it is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompareView {
    /// The level, with the other where it differs.
    #[default]
    Overlaid,
    /// Two pictures with one camera.
    SideBySide,
    /// One picture, of the level left of the divider and of the other right of it.
    Wipe,
}

impl CompareView {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::Overlaid, Self::SideBySide, Self::Wipe];

    /// Its name in the window.
    pub fn name(self) -> &'static str {
        match self {
            Self::Overlaid => "Overlaid",
            Self::SideBySide => "Side by side",
            Self::Wipe => "Wipe",
        }
    }
}

/// One viewport or two, and the divider between two; saved with the layout of the panels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewLayout {
    /// True for two viewports.
    pub split: bool,
    /// Place of the divider, as a fraction of the width.
    pub divider: f32,
}

impl Default for ViewLayout {
    fn default() -> Self {
        Self {
            split: false,
            divider: 0.5,
        }
    }
}

/// The objects that the viewport hides, those in which it ignores clicks, and the one that it follows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visibility {
    hidden: ObjectSet,
    locked: ObjectSet,
    /// The object with which the view moves.
    pub followed: Option<ObjectId>,
}

impl Visibility {
    /// With all objects visible.
    pub const fn all() -> Self {
        Self {
            hidden: ObjectSet::new(),
            locked: ObjectSet::new(),
            followed: None,
        }
    }

    /// Returns true if an object is hidden.
    pub fn hides(&self, object: ObjectId) -> bool {
        self.hidden.contains(object)
    }

    /// Number of hidden objects.
    pub fn hidden(&self) -> usize {
        self.hidden.len()
    }

    /// Hides these objects too.
    pub fn hide(&mut self, objects: &[ObjectId]) {
        self.hidden.extend(objects.iter().copied());
    }

    /// Hides all of `count` objects except these.
    pub fn isolate(&mut self, objects: &[ObjectId], count: usize) {
        let shown: ObjectSet = objects.iter().copied().collect();
        let others = (0..count as ObjectId).filter(|&id| !shown.contains(id));
        self.hidden = others.collect();
    }

    /// Shows all objects.
    pub fn show_all(&mut self) {
        self.hidden.clear();
    }

    /// Returns true if a click in the viewport reaches what is behind an object.
    pub fn locks(&self, object: ObjectId) -> bool {
        self.locked.contains(object)
    }

    /// Number of locked objects.
    pub fn locked(&self) -> usize {
        self.locked.len()
    }

    /// Locks these objects too.
    pub fn lock(&mut self, objects: &[ObjectId]) {
        self.locked.extend(objects.iter().copied());
    }

    /// Unlocks all objects.
    pub fn unlock_all(&mut self) {
        self.locked.clear();
    }

    /// Replaces the ids of objects after a change of the scene; `None` is removed.
    pub fn remap_objects(&mut self, ordinal: impl Fn(ObjectId) -> Option<ObjectId>) {
        for set in [&mut self.hidden, &mut self.locked] {
            *set = set.iter().filter_map(&ordinal).collect();
        }
        self.followed = self.followed.and_then(ordinal);
    }
}

/// Triangles of a height field that are drawn at most; 1,025 x 1,025 heights are drawn whole.
const MAX_FIELD_TRIANGLES: usize = 2 << 20;

/// Every how many rows and columns of a height field one is drawn: 1 for all, and for every other mesh.
pub fn drawn_step(mesh: &Mesh) -> usize {
    let fits = |step: &usize| mesh.count() / (step * step) <= MAX_FIELD_TRIANGLES;
    match mesh.grid() {
        Some(_) => (1..).find(fits).unwrap_or(1),
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_objects_keep_their_identity_when_another_is_removed() {
        let mut visibility = Visibility::all();
        visibility.isolate(&[1, 4], 6);
        assert_eq!(visibility.hidden(), 4);
        assert!(!visibility.hides(4) && visibility.hides(5));
        visibility.followed = Some(2);
        // Object 2 is removed: 3, 4 and 5 become 2, 3 and 4.
        visibility.remap_objects(|id| match id {
            0 | 1 => Some(id),
            2 => None,
            _ => Some(id - 1),
        });
        assert_eq!(visibility.followed, None);
        let hidden: Vec<_> = (0..6).filter(|&id| visibility.hides(id)).collect();
        assert_eq!(hidden, [0, 2, 4]);
        visibility.hide(&[1]);
        assert!(visibility.hides(1));
        visibility.show_all();
        assert_eq!(visibility, Visibility::all());
    }
}
