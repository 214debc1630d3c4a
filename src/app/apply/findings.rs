//! Commands of the findings and of the live what-if.

use crate::app::dock::Pane;
use crate::app::model::Dialog;
use crate::app::model::what_if::WhatIf;
use crate::app::model::{Effect, Model};
use crate::app::text;
use crate::core::diagnose::what_if::Parameter;
use crate::core::diagnose::{Kind, expected_finding};
use crate::core::repro::Engine;
use std::collections::BTreeSet;

/// Selects the next (or previous) listed finding, wrapping around; without a selected one, the one that was selected last.
pub(super) fn step(model: &mut Model, by: isize) {
    let Some(list) = model.finding_list() else {
        return;
    };
    let listed = &list.order;
    if listed.is_empty() {
        return;
    }
    let place = |finding: Option<usize>| listed.iter().position(|&index| Some(index) == finding);
    let last = model.session.as_ref().and_then(|session| {
        let last = session.last_finding.as_ref()?;
        last.find(session.document.findings())
    });
    let next = match (place(model.finding()), place(last)) {
        (Some(here), _) => (here as isize + by).rem_euclid(listed.len() as isize) as usize,
        (None, Some(last)) => last,
        (None, None) if by > 0 => 0,
        (None, None) => listed.len() - 1,
    };
    let next = listed[next];
    model.mark_navigated();
    model.go_to_finding(next);
}

/// Selects a finding.
pub(super) fn select(model: &mut Model, index: usize) {
    model.mark_navigated();
    model.go_to_finding(index);
}

pub(super) fn copy(model: &mut Model) {
    if let Some(finding) = model.selected_finding() {
        let text = text::finding(finding, model.units());
        model.effects.push(Effect::Copy(text));
    }
}

/// Shows the dialog for saving the finding or the frame as a scene.
pub(super) fn show_scene_dialog(model: &mut Model) {
    if let Some(document) = model.document() {
        let dialog = Dialog::Frame(document.folder());
        model.effects.push(Effect::OpenDialog(dialog));
    }
}

/// Shows the dialog for saving the selected finding as a program of an engine.
pub(super) fn show_reproduction_dialog(model: &mut Model, engine: &'static Engine) {
    if let Some(document) = model.document() {
        let dialog = Dialog::Reproduction(engine, document.folder());
        model.effects.push(Effect::OpenDialog(dialog));
    }
}

/// Adds the selected finding to the expectations.
pub(super) fn expect(model: &mut Model) {
    if let Some(wanted) = model.selected_finding().map(expected_finding) {
        model.expect(wanted);
    }
}

/// Changes the live what-if of the selected finding.
pub(super) fn edit_what_if(model: &mut Model, edit: impl FnOnce(&mut WhatIf)) {
    let session = model.session.as_mut();
    if let Some(what_if) = session.and_then(|session| session.derived.what_if.as_mut()) {
        edit(what_if);
    }
}

/// Shows the What-if with one value changed, once it is prepared.
pub(super) fn try_fix(model: &mut Model, parameter: Parameter, value: f64) {
    super::view::show_pane(model, Pane::WhatIf);
    if let Some(session) = &mut model.session {
        session.derived.try_next = Some((parameter, value));
    }
}

/// Lists only findings of a kind, or all if that is so already.
pub(super) fn list_only(model: &mut Model, kind: Kind) {
    let others: BTreeSet<Kind> = Kind::ALL
        .into_iter()
        .filter(|other| *other != kind)
        .collect();
    let hidden = &mut model.ui_state.findings.hidden_kinds;
    *hidden = match *hidden == others {
        true => BTreeSet::new(),
        false => others,
    };
}

/// Lists only the findings that stay with a change of the level.
pub(super) fn list_staying(model: &mut Model, row: Option<usize>) {
    if let Some(session) = &mut model.session {
        session.derived.stays_with = row;
    }
}

pub(super) fn copy_what_if(model: &mut Model) {
    let state = model
        .derived()
        .and_then(|derived| derived.what_if.as_ref()?.ready());
    if let Some((state, finding)) = state.zip(model.selected_finding()) {
        let title = format!(
            "{} and {}, frame {}",
            finding.a,
            finding.b,
            finding.number()
        );
        let text = state.comparison_text(&title, model.units());
        model.effects.push(Effect::Copy(text));
    }
}
