//! Which fields of a form matter for a finding, and why: marked beside their names.

use crate::core::diagnose::{Cause, Finding, Kind};
use crate::core::replay::ObjectId;
use crate::core::scene::{Movement, Object};
use egui::{Ui, UiBuilder, UiStackInfo};

/// Fields that matter, by their names in the forms, each with the reason.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// The finding, in a few words.
    finding: String,
    fields: Vec<(&'static str, &'static str)>,
    /// The other fields are left out of the form.
    alone: bool,
}

/// Under which name rows find the marks of their form.
const TAG: &str = "marks of a form";

impl Marks {
    /// Of an object, for a finding that it is part of.
    pub fn of_object(finding: Option<&Finding>, id: ObjectId) -> Self {
        let is_of = |finding: &&Finding| finding.is_about(id);
        Self::of(finding.filter(is_of), |cause, kind| match kind {
            Kind::BadNumber => &[
                ("position", "a value of it is no number"),
                ("velocity", "a value of it is no number"),
            ],
            _ => object_fields(cause),
        })
    }

    /// Of the scene itself.
    pub fn of_scene(finding: Option<&Finding>) -> Self {
        Self::of(finding, |cause, _| scene_fields(cause)).alone()
    }

    fn of(
        finding: Option<&Finding>,
        fields: impl FnOnce(Cause, Kind) -> &'static [(&'static str, &'static str)],
    ) -> Self {
        let Some(finding) = finding else {
            return Self::default();
        };
        let names = [&finding.a, &finding.b].map(String::as_str);
        let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
        Self {
            finding: format!(
                "{} in frame {} ({}): {}",
                finding.kind.name(),
                finding.frame,
                names.join(" and "),
                finding.cause.title()
            ),
            fields: fields(finding.cause, finding.kind).to_vec(),
            alone: false,
        }
    }

    /// Without what says nothing of an object that stands still.
    #[must_use]
    pub fn fitting(mut self, object: &Object) -> Self {
        if object.movement == Movement::Fixed {
            self.fields
                .retain(|(name, _)| !["velocity", "speed", "spin"].contains(name));
        }
        self
    }

    /// Does any field matter?
    pub fn any(&self) -> bool {
        !self.fields.is_empty()
    }

    /// To be drawn without the other fields.
    #[must_use]
    pub fn alone(self) -> Self {
        Self {
            alone: true,
            ..self
        }
    }

    /// Draws a form whose rows are marked by these.
    pub fn over(self, ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
        let info = UiStackInfo::default().with_tag_value(TAG, self);
        ui.scope_builder(UiBuilder::new().ui_stack_info(info), add);
    }
}

/// Is a field of the form that is being drawn to be shown, and why does it matter, if it does?
pub fn of_field(ui: &Ui, field: &str) -> (bool, Option<String>) {
    let mut levels = ui.stack().iter();
    let marks = levels.find_map(|level| level.tags().get_downcast::<Marks>(TAG));
    let Some(marks) = marks else {
        return (true, None);
    };
    let mut fields = marks.fields.iter();
    let why = fields.find(|(name, _)| *name == field);
    let text = why.map(|(_, why)| format!("Matters for {}\n{why}", marks.finding));
    (text.is_some() || !marks.alone, text)
}

/// What of an object decides whether a cause holds.
fn object_fields(cause: Cause) -> &'static [(&'static str, &'static str)] {
    const SPEED: &str = "slower than its limit, it cannot pass in one frame";
    const SIZE: &str = "thicker, it is overlapped at a frame's end";
    match cause {
        Cause::TooFast | Cause::SweptAlone | Cause::FastObstacle | Cause::Sensor => &[
            ("velocity", SPEED),
            ("speed", SPEED),
            ("radius", SIZE),
            ("half extents", SIZE),
        ],
        Cause::Rotation => &[
            (
                "spin",
                "what turns less in a frame sweeps less past its ends",
            ),
            ("rotation", "where the turn begins"),
            ("half extents", "the reach of what turns"),
        ],
        Cause::WrongSide | Cause::LetThrough => &[
            ("velocity", "slower, its middle stays on its side"),
            ("speed", "slower, its middle stays on its side"),
            ("radius", "larger, its middle stays on its side"),
            ("half extents", "thicker, the push leads back"),
        ],
        Cause::NextWall => &[
            (
                "position",
                "where it is pushed to depends on where it stands",
            ),
            ("velocity", "the deeper it comes, the longer the push"),
        ],
        Cause::HiddenSpeed => &[("velocity", "it grows while nothing moves")],
        Cause::Facing => &[
            ("facing", "from behind, a front-only surface is not there"),
            ("scale", "a negative one turns the surface inside out"),
        ],
        Cause::Gap | Cause::InternalEdge => &[
            ("file", "its triangles decide"),
            ("vertices", "its triangles decide"),
            ("facing", "which side is solid"),
        ],
        Cause::InitialOverlap => &[
            ("position", "it overlaps where it begins"),
            ("radius", "smaller, it begins clear"),
            ("half extents", "smaller, it begins clear"),
        ],
        Cause::Teleport => &[
            ("velocity", "what is driven by position has none"),
            ("motion", "what is driven should be kinematic"),
        ],
        Cause::SpeedClamp => &[("velocity", "more than the engine lets it have")],
        Cause::Units => &[
            ("radius", "large or small against gravity"),
            ("half extents", "large or small against gravity"),
            ("scale", "uneven or negative"),
        ],
        Cause::FarFromOrigin => &[("position", "far out, f32 has few digits left")],
        Cause::Bits => &[
            ("layer", "the other's mask must have a bit of it"),
            ("mask", "it must have a bit of the other's layer"),
        ],
        Cause::Ccd => &[
            ("engine's CCD", "off, or below the engine's own threshold"),
            ("velocity", "below the threshold, the engine does not sweep"),
        ],
        Cause::NotANumber => &[("position", "at the other's very middle there is no way out")],
        _ => &[],
    }
}

/// What of the scene decides whether a cause holds.
fn scene_fields(cause: Cause) -> &'static [(&'static str, &'static str)] {
    const SHORT: (&str, &str) = ("frame length", "in a shorter frame it goes less far");
    const SWEEP: (&str, &str) = ("detection", "a sweep sees what happens inside the frame");
    match cause {
        Cause::TooFast
        | Cause::SweptAlone
        | Cause::FastObstacle
        | Cause::Sensor
        | Cause::WrongSide => &[SHORT, SWEEP],
        Cause::Rotation | Cause::DtSpike | Cause::LetThrough => &[SHORT],
        Cause::NextWall | Cause::HiddenSpeed => &[("response", "what is done about a collision")],
        Cause::Units => &[
            ("gravity", "9.8 or 980: which unit is meant?"),
            ("unit", "metres for a unit of the text"),
        ],
        Cause::Ccd => &[("CCD threshold", "from which share of its size on it sweeps")],
        Cause::Ghost => &[("margin", "contacts are made this far ahead")],
        Cause::Camera => &[
            ("probe", "what holds the camera off surfaces"),
            ("near plane", "its corners reach past the camera"),
            ("field of view", "a wider one reaches further to the sides"),
            ("velocity", "how far it goes in a frame"),
        ],
        _ => &[],
    }
}
