//! The expectations of the scene: the result and the fields of each.

use super::forms::{self, Kind, Rows, form};
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::theme::Palette;
use crate::app::widget;
use crate::core::diagnose::{Cause, expectation_text};
use crate::core::edit::Edit;
use crate::core::scene::{CAMERA, Expectation, Expected, FINDING_KINDS, Objects, Scene};
use crate::core::tolerance::{EXPECT_FRACTION, EXPECT_LENGTH};
use egui::{Button, CollapsingHeader, RichText, Ui};
use egui_material_icons::icons;
use glam::DVec3;

/// Greatest number of names in a list to choose from; with more, names are typed.
const LISTED: usize = 200;
/// Greatest number of expectations whose fields are unfolded at first.
const OPEN: usize = 4;

/// Draws the expectations, with buttons to add and remove them.
pub(super) fn show(ui: &mut Ui, model: &Model, scene: &Scene, commands: &mut Vec<Command>) {
    if scene.expect.is_empty() {
        let help = "None yet. Add a finding, a hit, a position or a push with the button beside it, or add one here.";
        ui.add(egui::Label::new(RichText::new(help).weak()).wrap());
    }
    add(ui, model, scene, commands);
    if scene.expect.is_empty() {
        return;
    }
    let report = model
        .document()
        .and_then(|document| document.report.as_ref());
    let results = report.map_or(&[][..], |report| &report.expectations);
    let form = Form {
        names: objects(model, scene)
            .iter()
            .map(|object| object.name.as_str())
            .collect(),
        frames: model.playback.frames(),
    };
    for (index, expected) in scene.expect.iter().enumerate() {
        ui.push_id(("expectation", index), |ui| {
            ui.horizontal(|ui| {
                let remove = format!("Remove expectation {}", index + 1);
                if widget::icon_button(ui, icons::ICON_DELETE, &remove, "", false).clicked() {
                    commands.push(Command::Edit(Edit::RemoveExpectation(index)));
                }
                // The report may be of the scene before an edit.
                let own = expectation_text(expected, model.units());
                match results.iter().find(|result| result.text == own) {
                    Some(result) => widget::expectation(ui, result),
                    None => {
                        let palette = Palette::of(ui.visuals());
                        ui.colored_label(palette.text_weak, "checking…");
                    }
                }
            });
            let mut draft = expected.clone();
            CollapsingHeader::new(
                RichText::new(format!("Fields of expectation {}", index + 1)).weak(),
            )
            .id_salt("fields")
            .default_open(scene.expect.len() <= OPEN)
            .show_unindented(ui, |ui| {
                self::form(ui, "fields", |rows| {
                    rows.prefix = format!("expectation {} ", index + 1);
                    form.fields(rows, &mut draft);
                });
            });
            if draft != *expected {
                commands.push(Command::Edit(Edit::Expectation(index, Box::new(draft))));
            }
        });
    }
}

/// The objects that an expectation may name: those of the scene, or of the log that it names.
fn objects<'m>(model: &'m Model, scene: &'m Scene) -> &'m Objects {
    let recorded = scene.recording.as_ref().and_then(|_| model.document());
    recorded.map_or(&scene.objects, |document| document.replay().objects())
}

/// The buttons for another expectation: about the selected pair, or with default values.
fn add(ui: &mut Ui, model: &Model, scene: &Scene, commands: &mut Vec<Command>) {
    let objects = objects(model, scene);
    let name = |index: usize| objects.get(index).map(|object| object.name.clone());
    let selected = model
        .selection
        .pair()
        .map(|(a, b)| (a as usize, b as usize));
    let (a, b) = selected.unwrap_or((0, 1));
    let frame = model
        .playback
        .playhead()
        .frame
        .min(model.playback.frames().saturating_sub(1));
    ui.horizontal_wrapped(|ui| {
        let nothing = Expectation::NoFindings { kind: None };
        if !scene.expect.iter().any(|one| one.expectation == nothing) {
            widget::expect_button(ui, "Expect no findings", || nothing, commands);
        }
        if let (Some(_), Some(a), Some(b)) = (selected, name(a), name(b)) {
            let wanted = || Expectation::Touches { a, b };
            widget::expect_button(ui, "Expect that they touch", wanted, commands);
        }
        let menu = ui.menu_button(
            "Expect…",
            widget::content(|ui| {
                for (text, wanted) in expectations(name(a), name(b), scene.camera.is_some(), frame)
                {
                    let button = ui.add_enabled(wanted.is_some(), Button::new(text));
                    let button =
                        button.on_disabled_hover_text("The scene has no object or camera for it");
                    if let (true, Some(wanted)) = (button.clicked(), wanted) {
                        commands.push(Command::Expect(wanted));
                        ui.close();
                    }
                }
            }),
        );
        menu.response
            .on_hover_text("Add an expectation and edit its fields below");
    });
}

/// The kinds of expectation with their default values; `None` where the scene lacks the objects for it.
fn expectations(
    a: Option<String>,
    b: Option<String>,
    camera: bool,
    frame: u32,
) -> [(&'static str, Option<Expectation>); 9] {
    let is = DVec3::ZERO;
    let tolerance = EXPECT_LENGTH;
    let other = || b.clone().or_else(|| camera.then(|| CAMERA.to_owned()));
    let pair = || Some((a.clone()?, other()?));
    [
        (
            "A hit at a fraction of a frame",
            pair().map(|(a, b)| Expectation::Hit {
                a,
                b,
                frame,
                fraction: 0.5,
                tolerance: EXPECT_FRACTION,
            }),
        ),
        (
            "A finding",
            Some(Expectation::Finds {
                kind: FINDING_KINDS[0].to_owned(),
                cause: None,
                a: None,
                b: None,
                frame: None,
            }),
        ),
        (
            "No findings of a kind",
            Some(Expectation::NoFindings {
                kind: Some(FINDING_KINDS[0].to_owned()),
            }),
        ),
        (
            "A margin of every step",
            Some(Expectation::Margin { below: 0.8 }),
        ),
        (
            "A position",
            a.clone().map(|object| Expectation::Position {
                object,
                frame,
                is,
                tolerance,
            }),
        ),
        (
            "A push",
            a.clone().map(|object| Expectation::Push {
                object,
                against: None,
                frame,
                is,
                tolerance,
            }),
        ),
        (
            "A push of the camera",
            camera.then_some(Expectation::CameraPush {
                frame,
                is,
                tolerance,
            }),
        ),
        (
            "That two touch",
            pair().map(|(a, b)| Expectation::Touches { a, b }),
        ),
        (
            "That two never touch",
            pair().map(|(a, b)| Expectation::NeverTouches { a, b }),
        ),
    ]
}

/// The choices of the fields of an expectation.
struct Form<'s> {
    names: Vec<&'s str>,
    /// The number of frames.
    frames: u32,
}

impl Form<'_> {
    fn fields(&self, rows: &mut Rows<'_>, draft: &mut Expected) {
        match &mut draft.expectation {
            Expectation::Hit {
                a,
                b,
                frame,
                fraction,
                tolerance,
            } => {
                self.object(rows, "a", a);
                self.object(rows, "b", b);
                self.frame(rows, frame, 1);
                let (help, kind) = ("Where in the frame, 0 to 1", Kind::between(0.0, 1.0));
                rows.number("fraction", help, fraction, kind);
                let help = "How far off the fraction may be";
                rows.number("tolerance", help, tolerance, Kind::positive(""));
            }
            Expectation::Finds {
                kind,
                cause,
                a,
                b,
                frame,
            } => {
                let kinds = FINDING_KINDS.map(|kind| (kind.to_owned(), kind, ""));
                rows.choice("kind", "The kind of finding", kind, &kinds);
                cause_row(rows, cause);
                self.maybe_object(rows, "a", a);
                self.maybe_object(rows, "b", b);
                rows.row("frame", "In which frame; else in any", |ui, name| {
                    let last = self.frames.saturating_sub(1);
                    let flag = format!("{name} is given");
                    forms::optional(ui, &flag, frame, 0, |ui, frame| {
                        forms::whole(ui, name, frame, 0, last);
                    });
                });
            }
            Expectation::NoFindings { kind } => {
                let mut kinds = vec![(None, "any kind", "No finding of any kind")];
                kinds.extend(FINDING_KINDS.map(|kind| (Some(kind.to_owned()), kind, "")));
                rows.choice("kind", "Of this kind, or of any", kind, &kinds);
            }
            Expectation::Margin { below } => {
                let help = "The share of the longest step that an overlap test holds, 0 to 1";
                rows.number("below", help, below, Kind::between(0.01, 1.0));
            }
            Expectation::Position {
                object,
                frame,
                is,
                tolerance,
            } => {
                self.object(rows, "object", object);
                self.frame(rows, frame, 0);
                vector(rows, is, tolerance);
            }
            Expectation::Push {
                object,
                against,
                frame,
                is,
                tolerance,
            } => {
                self.object(rows, "object", object);
                self.maybe_object(rows, "against", against);
                self.frame(rows, frame, 1);
                vector(rows, is, tolerance);
            }
            Expectation::CameraPush {
                frame,
                is,
                tolerance,
            } => {
                self.frame(rows, frame, 1);
                vector(rows, is, tolerance);
            }
            Expectation::Touches { a, b } | Expectation::NeverTouches { a, b } => {
                self.object(rows, "a", a);
                self.object(rows, "b", b);
            }
        }
        fails(rows, &mut draft.expected_to_fail);
    }

    /// A field for a frame; the last one is `before` frames before the end.
    fn frame(&self, rows: &mut Rows<'_>, frame: &mut u32, before: u32) {
        let last = self.frames.saturating_sub(before);
        rows.whole("frame", "In which frame", frame, 0, last);
    }

    fn object(&self, rows: &mut Rows<'_>, title: &str, object: &mut String) {
        let help = "Which object";
        if self.names.len() > LISTED {
            rows.text(title, help, object);
            return;
        }
        let names = self
            .listed()
            .map(|(name, help)| (name.to_owned(), name, help));
        rows.choice(title, help, object, &names.collect::<Vec<_>>());
    }

    fn maybe_object(&self, rows: &mut Rows<'_>, title: &str, object: &mut Option<String>) {
        let help = "Which object; else any";
        if self.names.len() > LISTED {
            let mut text = object.clone().unwrap_or_default();
            rows.text(title, help, &mut text);
            *object = (!text.is_empty()).then_some(text);
            return;
        }
        let mut names = vec![(None, "any", "Any object")];
        names.extend(
            self.listed()
                .map(|(name, help)| (Some(name.to_owned()), name, help)),
        );
        rows.choice(title, help, object, &names);
    }

    /// The names of the objects and of the camera, each with its help.
    fn listed(&self) -> impl Iterator<Item = (&str, &'static str)> {
        let names = self.names.iter().map(|&name| (name, ""));
        names.chain([(CAMERA, "The camera of the scene")])
    }
}

fn cause_row(rows: &mut Rows<'_>, cause: &mut Option<String>) {
    let words = Cause::ALL.map(|cause| (cause.id(), format!("{} {}", cause.id(), cause.title())));
    let mut causes = vec![(None, "any cause", "")];
    let each = words.iter();
    causes.extend(each.map(|(id, words)| (Some((*id).to_owned()), words.as_str(), "")));
    rows.choice("cause", "The cause; else any", cause, &causes);
}

fn vector(rows: &mut Rows<'_>, is: &mut DVec3, tolerance: &mut f64) {
    rows.vector("is", "What it must be", is, Kind::any("m"));
    let help = "How far off it may be";
    rows.number("tolerance", help, tolerance, Kind::positive("m"));
}

/// A known bug: the expectation must fail until the bug is fixed.
fn fails(rows: &mut Rows<'_>, why: &mut Option<String>) {
    let help = "A known bug: the check passes while this fails, and fails once it holds";
    let prefix = rows.prefix.clone();
    rows.row("expected to fail", help, |ui, _| {
        let flag = format!("{prefix}is expected to fail");
        forms::optional(ui, &flag, why, "a known bug".to_owned(), |ui, why| {
            let was = why.clone();
            forms::text(ui, &format!("{prefix}reason"), why);
            if why.trim().is_empty() {
                *why = was;
            }
        });
    });
}
