//! The state of the view. It is not part of the document and is not undone.

use super::view_options::{ColorBy, CompareView, MeshView};
use crate::core::diagnose::Kind;
use crate::core::scene::UserUnits;
use glam::DVec3;

/// A time: a frame and a fraction of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Playhead {
    /// The frame.
    pub frame: u32,
    /// The fraction of the frame, in [0, 1].
    pub fraction: f64,
}

impl Playhead {
    /// The position on the timeline: frames from the start, with the fraction.
    pub fn position(&self) -> f64 {
        f64::from(self.frame) + self.fraction
    }

    /// The state at or before it: that of the frame's start, or at the very end of the frame the next.
    pub fn state(&self) -> u32 {
        self.frame + u32::from(self.fraction >= 1.0)
    }
}

/// An event at which playback freezes briefly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FreezeOn {
    /// An impact of the selected pair that the level responded to.
    Impact,
    /// A finding of this kind.
    Finding(Kind),
}

impl FreezeOn {
    /// Every such event.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Impact).chain(Kind::ALL.map(Self::Finding))
    }

    /// The label in the menu.
    pub fn label(self) -> &'static str {
        match self {
            Self::Impact => "Impacts of the selected pair",
            Self::Finding(kind) => kind.name(),
        }
    }
}

/// A side from which the level is viewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is its `axis`")]
pub enum Side {
    Front,
    Back,
    Right,
    Left,
    Top,
    Bottom,
}

impl Side {
    /// Every side.
    pub const ALL: [Self; 6] = [
        Self::Front,
        Self::Back,
        Self::Right,
        Self::Left,
        Self::Top,
        Self::Bottom,
    ];

    /// The axis of the world on which the eye is, as a unit vector.
    pub fn axis(self) -> DVec3 {
        match self {
            Self::Front => DVec3::Z,
            Self::Back => DVec3::NEG_Z,
            Self::Right => DVec3::X,
            Self::Left => DVec3::NEG_X,
            Self::Top => DVec3::Y,
            Self::Bottom => DVec3::NEG_Y,
        }
    }

    /// The name of the axis among those of the user, with its sign: `+Z`.
    pub fn axis_name(self, units: UserUnits) -> &'static str {
        let shown = units.direction(self.axis());
        let names = [["-X", "+X"], ["-Y", "+Y"], ["-Z", "+Z"]];
        let axis = shown.abs().max_position();
        names[axis][usize::from(shown[axis] > 0.0)]
    }
}

/// The objects that a layer is drawn for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Show {
    /// No objects.
    None,
    /// The selected objects.
    #[default]
    Selected,
    /// All objects.
    All,
}

/// A layer of the viewport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "each is its entry in `Layer::label` and `Layer::help`"
)]
pub enum Layer {
    Shapes,
    Names,
    Boxes,
    Spheres,
    SphereTrees,
    Velocities,
    SweptVolumes,
    Ghosts,
    Contacts,
    Pushes,
    Trails,
    Camera,
    Probe,
    Queries,
    Marks,
    LoggedContacts,
    Joints,
    Moves,
}

impl Layer {
    /// Every layer, in the order of the View menu.
    pub const ALL: [Self; 18] = [
        Self::Shapes,
        Self::Names,
        Self::Boxes,
        Self::Spheres,
        Self::SphereTrees,
        Self::Velocities,
        Self::SweptVolumes,
        Self::Ghosts,
        Self::Contacts,
        Self::Pushes,
        Self::Trails,
        Self::Camera,
        Self::Probe,
        Self::Queries,
        Self::Marks,
        Self::LoggedContacts,
        Self::Joints,
        Self::Moves,
    ];

    /// The label in the View menu.
    pub fn label(self) -> &'static str {
        match self {
            Self::Shapes => "Shapes",
            Self::Names => "Names",
            Self::Boxes => "Bounding boxes",
            Self::Spheres => "Bounding spheres",
            Self::SphereTrees => "Sphere trees",
            Self::Velocities => "Velocities",
            Self::SweptVolumes => "Swept volumes",
            Self::Ghosts => "Start, impact, end",
            Self::Contacts => "Contacts and normals",
            Self::Pushes => "Pushes",
            Self::Trails => "Trails",
            Self::Camera => "Camera",
            Self::Probe => "Probe lines and hits",
            Self::Queries => "Queries of the log",
            Self::Marks => "Marks of the log",
            Self::LoggedContacts => "Contacts of the log",
            Self::Joints => "Joints of the log",
            Self::Moves => "Moves of the log",
        }
    }

    /// The tooltip in the View menu.
    pub fn help(self) -> &'static str {
        match self {
            Self::Shapes => "The objects at the playhead",
            Self::Names => "The name of each object",
            Self::Boxes => "The axis-aligned box that the broad phase uses, swept over this frame",
            Self::Spheres => "The bounding sphere of each object",
            Self::SphereTrees => {
                "One level of a mesh's tree of bounding spheres; those that the selected pair's sweep skips are dimmed"
            }
            Self::Velocities => "The displacement in one frame as an arrow",
            Self::SweptVolumes => "The volume that an object sweeps in this frame",
            Self::Ghosts => {
                "The poses at the start of the frame, at the impact, and at the end without a collision"
            }
            Self::Contacts => "The contact point and its normal at the time of impact",
            Self::Pushes => "Each push of this frame, numbered, as an arrow",
            Self::Trails => "The path over the last frames",
            Self::Camera => "The level's camera with its near plane",
            Self::Probe => "The lines of the camera's probe, and where they hit a surface",
            Self::Queries => {
                "The rays and sweeps of this frame with the engine's answers; of a wrong one also the exact answer"
            }
            Self::Marks => "Points, lines and spheres that the program marked in this frame",
            Self::LoggedContacts => {
                "The engine's contacts with their normals, longer for a larger impulse"
            }
            Self::Joints => "A line between two objects that a joint connects",
            Self::Moves => {
                "What a character's controller did in this frame: the way that was asked for, each sweep, and what it met"
            }
        }
    }
}

/// What is only on or off in the viewport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// The ruler between two objects.
    Ruler,
    /// Clicks measure distances between points of surfaces.
    Measure,
    /// What covers the selected finding is cut open.
    CutOpen,
    /// Where the listed findings are.
    HeatMap,
    /// The boundary edges and the slivers of meshes are marked.
    MeshDefects,
    /// The second viewport shows what the level's camera sees.
    ThroughCamera,
    /// Surfaces are darker where they are near each other.
    ContactShading,
}

/// The deepest level of a sphere tree that is drawn; it has 4,096 spheres.
pub const DEEPEST_SPHERES: u32 = 12;

/// The objects that each layer is drawn for, and the options of the layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    shown: [Show; Layer::ALL.len()],
    /// A bit for each [`Switch`] that is on.
    on: u32,
    /// The level of sphere trees that is drawn: 0 is the root.
    pub sphere_level: u32,
    /// The place of the clipping plane, which faces the view: in front of the view's target, as a fraction of the eye's distance from
    /// it, from -1 to 1. `None` without the plane.
    pub clip: Option<f64>,
    /// The property that gives objects their colours.
    pub color_by: ColorBy,
    /// The look of meshes.
    pub mesh_view: MeshView,
    /// How an open comparison is shown.
    pub compare_view: CompareView,
}

impl Default for Layers {
    fn default() -> Self {
        let mut layers = Self {
            shown: [Show::Selected; Layer::ALL.len()],
            on: 0,
            sphere_level: 2,
            clip: None,
            color_by: ColorBy::Role,
            mesh_view: MeshView::Solid,
            compare_view: CompareView::Overlaid,
        };
        layers.toggle(Switch::CutOpen);
        layers.toggle(Switch::ContactShading);
        for layer in [
            Layer::Shapes,
            Layer::Pushes,
            Layer::Camera,
            Layer::Probe,
            Layer::Marks,
        ] {
            layers.set(layer, Show::All);
        }
        for layer in [
            Layer::Boxes,
            Layer::Spheres,
            Layer::SphereTrees,
            Layer::LoggedContacts,
            Layer::Joints,
        ] {
            layers.set(layer, Show::None);
        }
        layers
    }
}

impl Layers {
    /// Returns true if this is on.
    pub fn has(&self, switch: Switch) -> bool {
        self.on & (1 << switch as u32) != 0
    }

    /// The defaults; whether contacts are shaded stays, as it depends on the graphics card.
    pub fn reset(&mut self) {
        let is_shaded = self.has(Switch::ContactShading);
        *self = Self::default();
        if !is_shaded {
            self.toggle(Switch::ContactShading);
        }
    }

    /// Switches this on, or off if it is on.
    pub fn toggle(&mut self, switch: Switch) {
        self.on ^= 1 << switch as u32;
    }

    /// The objects that the layer is drawn for.
    pub fn get(&self, layer: Layer) -> Show {
        self.shown[layer as usize]
    }

    /// Sets the objects that the layer is drawn for.
    pub fn set(&mut self, layer: Layer, show: Show) {
        self.shown[layer as usize] = show;
    }

    /// Returns true if the layer is drawn for an object that is (or is not) selected.
    pub fn shows(&self, layer: Layer, selected: bool) -> bool {
        match self.get(layer) {
            Show::None => false,
            Show::Selected => selected,
            Show::All => true,
        }
    }
}

/// What the findings of a group have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupBy {
    /// The cause, then the surface.
    #[default]
    Cause,
    /// The other object, then the cause.
    Surface,
    /// The moving body, then the cause.
    Mover,
    /// The part of the level, then the surface.
    Place,
    /// The best change to the level that fixes it, then the cause.
    Fix,
    /// No groups.
    Nothing,
}

impl GroupBy {
    /// Every choice.
    pub const ALL: [Self; 6] = [
        Self::Cause,
        Self::Surface,
        Self::Mover,
        Self::Place,
        Self::Fix,
        Self::Nothing,
    ];

    /// Its name in the window.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cause => "Cause",
            Self::Surface => "Surface",
            Self::Mover => "Mover",
            Self::Place => "Place",
            Self::Fix => "Fix",
            Self::Nothing => "No groups",
        }
    }
}

/// The order of findings and groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortBy {
    /// What is let through first, then by lost phases and depth.
    #[default]
    Severity,
    /// In the order of time.
    Frame,
    /// The largest group first; findings in the order of time.
    Count,
}

impl SortBy {
    /// Every order.
    pub const ALL: [Self; 3] = [Self::Severity, Self::Frame, Self::Count];

    /// Its name in the window.
    pub fn name(self) -> &'static str {
        match self {
            Self::Severity => "Severity",
            Self::Frame => "Frame",
            Self::Count => "Count",
        }
    }
}
