//! Causes of findings by identifier. Their table is in [`causes`](super::causes).

/// Cause of a finding: a stable identifier, C01 to C25.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
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

/// A family of causes: what a group of them has in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is its `title`")]
pub enum Family {
    Missed,
    NotHeld,
    Surfaces,
    Steps,
    Settings,
    Numbers,
    Camera,
}

impl Family {
    /// Every family, in the order of lists.
    pub const ALL: [Self; 7] = [
        Self::Missed,
        Self::NotHeld,
        Self::Surfaces,
        Self::Steps,
        Self::Settings,
        Self::Numbers,
        Self::Camera,
    ];

    /// The title in lists.
    pub fn title(self) -> &'static str {
        match self {
            Self::Missed => "Missed by the overlap test",
            Self::NotHeld => "Found but not held",
            Self::Surfaces => "Meshes, contacts and normals",
            Self::Steps => "Time step, speed and placement",
            Self::Settings => "Engine settings",
            Self::Numbers => "Numbers and queries",
            Self::Camera => "Camera",
        }
    }
}

/// Data that a log may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs {
    Velocities,
    ContactsOrPushes,
    Queries,
    Gravity,
    Bits,
    CcdFlags,
}
