//! How the level is looked at: never part of the document, never undone.

use crate::core::diagnose::Kind;

/// A moment: a frame and a fraction inside it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Playhead {
    /// Which frame.
    pub frame: u32,
    /// Where inside it, in [0, 1].
    pub fraction: f64,
}

impl Playhead {
    /// Frames from the start, with the fraction: where the playhead stands on the ruler.
    pub fn position(&self) -> f64 {
        f64::from(self.frame) + self.fraction
    }
}

/// What makes time stand still for a moment while it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hold {
    /// An impact that the level itself acted on.
    Impact,
    /// A finding of this kind.
    Finding(Kind),
}

impl Hold {
    /// Everything that can.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Impact).chain(Kind::ALL.map(Self::Finding))
    }

    /// As the menu writes it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Impact => "Impacts that the level acted on",
            Self::Finding(kind) => kind.name(),
        }
    }
}

/// Whom a layer is drawn for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Show {
    /// Nobody.
    None,
    /// The selected objects.
    #[default]
    Selected,
    /// Everybody.
    All,
}

/// One kind of thing the viewport can draw.
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
}

impl Layer {
    /// In the order of the View menu.
    pub const ALL: [Self; 13] = [
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
    ];

    /// As the View menu writes it.
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
        }
    }

    /// As the View menu explains it.
    pub fn help(self) -> &'static str {
        match self {
            Self::Shapes => "The objects themselves, where they stand at the playhead",
            Self::Names => "Each object's name beside it",
            Self::Boxes => "The axis-aligned box the broad phase sees, swept over this frame",
            Self::Spheres => "The sphere around each object",
            Self::SphereTrees => {
                "One level of a mesh's tree of bounding spheres; those that the selected pair's sweep skips are dimmed"
            }
            Self::Velocities => "An arrow for the displacement of one frame",
            Self::SweptVolumes => "The space an object passes through in this frame",
            Self::Ghosts => {
                "Where it starts, where it would touch, where it ends without a collision"
            }
            Self::Contacts => "The contact point and its normal at the time of impact",
            Self::Pushes => "Each push of this frame, numbered, as an arrow",
            Self::Trails => "Where it came from over the last frames",
            Self::Camera => "The camera that plays in the level, with its near plane",
            Self::Probe => "The camera's probe lines, and where they meet a surface",
        }
    }
}

/// The deepest level of a sphere tree that is drawn: it has 4,096 spheres.
pub const DEEPEST_SPHERES: u32 = 12;

/// The objects that each layer is drawn for, and what of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    shown: [Show; Layer::ALL.len()],
    /// The level of sphere trees that is drawn: 0 is the root.
    pub sphere_level: u32,
    /// The ruler between two objects is shown.
    pub ruler: bool,
}

impl Default for Layers {
    fn default() -> Self {
        let mut layers = Self {
            shown: [Show::Selected; Layer::ALL.len()],
            sphere_level: 2,
            ruler: false,
        };
        for layer in [Layer::Shapes, Layer::Pushes, Layer::Camera, Layer::Probe] {
            layers.set(layer, Show::All);
        }
        for layer in [Layer::Boxes, Layer::Spheres, Layer::SphereTrees] {
            layers.set(layer, Show::None);
        }
        layers
    }
}

impl Layers {
    /// Whom it is drawn for.
    pub fn get(&self, layer: Layer) -> Show {
        self.shown[layer as usize]
    }

    /// Draw it for these.
    pub fn set(&mut self, layer: Layer, show: Show) {
        self.shown[layer as usize] = show;
    }

    /// Is it drawn for an object that is (or is not) selected?
    pub fn shows(&self, layer: Layer, selected: bool) -> bool {
        match self.get(layer) {
            Show::None => false,
            Show::Selected => selected,
            Show::All => true,
        }
    }
}
