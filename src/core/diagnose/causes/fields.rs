//! The fields of a scene on which a finding depends, for the table of causes.

/// A field of a scene that a finding depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is a field of the scene")]
pub enum SceneField {
    // Of the objects.
    Position,
    Rotation,
    Velocity,
    Spin,
    Motion,
    /// Radius, half extents and other sizes of a shape.
    Size,
    MeshFile,
    Facing,
    Scale,
    Layer,
    Mask,
    EngineCcd,
    // Of the scene.
    FrameLength,
    Gravity,
    Detection,
    Response,
    UnitLength,
    CcdThreshold,
    Margin,
    // Of the camera.
    CameraVelocity,
    Probe,
    NearPlane,
    FieldOfView,
}

impl SceneField {
    /// Whether it is a field of objects, not of the scene itself.
    pub fn is_of_object(self) -> bool {
        use SceneField::*;
        matches!(
            self,
            Position
                | Rotation
                | Velocity
                | Spin
                | Motion
                | Size
                | MeshFile
                | Facing
                | Scale
                | Layer
                | Mask
                | EngineCcd
        )
    }
}

/// Fields, each with the reason why it matters.
pub type RelevantFields = &'static [(SceneField, &'static str)];

/// The fields of an event within one frame that no overlap test detects.
pub(super) const OF_TRAVEL: RelevantFields = &[
    (
        SceneField::Velocity,
        "slower than its limit, it cannot pass in one frame",
    ),
    (
        SceneField::Size,
        "thicker, it overlaps at the end of a frame",
    ),
    (SceneField::FrameLength, SHORTER),
    (
        SceneField::Detection,
        "a sweep detects impacts within the frame",
    ),
];

/// The reason of [`SceneField::FrameLength`].
pub(super) const SHORTER: &str = "in a shorter frame it travels less";

#[cfg(test)]
mod tests {
    use crate::core::diagnose::cause::Cause;

    #[test]
    fn each_cause_has_each_field_once_with_a_reason() {
        for cause in Cause::ALL {
            let fields = cause.relevant_fields();
            for (index, (field, reason)) in fields.iter().enumerate() {
                let others = &fields[index + 1..];
                assert!(others.iter().all(|(other, _)| other != field), "{cause:?}");
                assert!(!reason.is_empty(), "{cause:?}");
            }
        }
        let of_objects = |cause: Cause| {
            let fields = cause.relevant_fields().iter();
            fields.filter(|(field, _)| field.is_of_object()).count()
        };
        assert_eq!(of_objects(Cause::TooFast), 2);
        assert_eq!(of_objects(Cause::Camera), 0);
    }
}
