//! Which fields of a form matter for a finding, and why: marked beside their names.

use crate::core::diagnose::{Finding, SceneField};
use crate::core::replay::ObjectId;
use crate::core::scene::{Movement, Object};

/// The fields that matter for a finding, each with the reason.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// The finding, in a few words.
    finding: String,
    fields: Vec<(SceneField, &'static str)>,
    /// The other fields are left out of the form.
    alone: bool,
}

impl Marks {
    /// The fields of an object, for a finding about it.
    pub fn of_object(finding: Option<&Finding>, id: ObjectId, object: &Object) -> Self {
        let is_of = |finding: &&Finding| finding.is_about(id);
        let is_fixed = object.movement == Movement::Fixed;
        let moves = |field| matches!(field, SceneField::Velocity | SceneField::Spin);
        Self::of(finding.filter(is_of), |field| {
            field.is_of_object() && !(is_fixed && moves(field))
        })
    }

    /// The fields of the scene itself; the others are left out of the form.
    pub fn of_scene(finding: Option<&Finding>) -> Self {
        Self::of(finding, |field| !field.is_of_object()).alone()
    }

    fn of(finding: Option<&Finding>, is_shown: impl Fn(SceneField) -> bool) -> Self {
        let Some(finding) = finding else {
            return Self::default();
        };
        let names = [&finding.a, &finding.b].map(String::as_str);
        let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
        let fields = finding.cause.relevant_fields().iter();
        Self {
            finding: format!(
                "{} in frame {} ({}): {}",
                finding.kind.name(),
                finding.frame,
                names.join(" and "),
                finding.cause.title()
            ),
            fields: fields
                .copied()
                .filter(|(field, _)| is_shown(*field))
                .collect(),
            alone: false,
        }
    }

    /// Returns true if a field matters.
    pub fn any(&self) -> bool {
        !self.fields.is_empty()
    }

    /// The same marks for a form without the other fields.
    #[must_use]
    pub fn alone(self) -> Self {
        Self {
            alone: true,
            ..self
        }
    }

    /// Whether a field of the form is shown, and the reason why it matters, if it does.
    pub fn of_field(&self, field: Option<SceneField>) -> (bool, Option<String>) {
        let mut fields = self.fields.iter();
        let why = fields.find(|(one, _)| Some(*one) == field);
        let text = why.map(|(_, why)| format!("Matters for {}\n{why}", self.finding));
        (text.is_some() || !self.alone, text)
    }
}
