//! Tables to edit lists: vertices and triangles of meshes, parts of compounds, lines of probes, keyframes.

use super::forms::{self, Kind, form, marked_form};
use super::marks::Marks;
use super::point_list::remove;
use super::shape_form::measures;
use crate::app::edited_fields::EditedFields;
use crate::core::edit::NewShape;
use crate::core::scene::{Keyframe, MeshSource, Object};
use crate::core::shape::{COMPOUND_PARTS, Compound, CompoundPart, Mesh, Pose, Shape};
use egui::{Button, CollapsingHeader, RichText, ScrollArea, Ui};
use glam::DVec3;
use std::sync::Arc;

/// Height of a row of a scrolled table, points.
const ROW: f32 = 26.0;

/// The parts of a compound, each with its shape and pose; at least one is left.
pub(super) fn parts(ui: &mut Ui, marks: &Marks, compound: &mut Arc<Compound>) {
    let mut parts = compound.parts().to_vec();
    let (count, mut gone) = (parts.len(), None);
    CollapsingHeader::new(RichText::new("Parts").weak())
        .default_open(true)
        .show_unindented(ui, |ui| {
            for (index, part) in parts.iter_mut().enumerate() {
                ui.push_id(index, |ui| {
                    let name = format!("part {index}");
                    marked_form(ui, "part", marks, |rows| {
                        rows.row(&name, "A convex shape", |ui, name| {
                            if remove(ui, name, count > 1) {
                                gone = Some(index);
                            }
                            kind_of_part(ui, name, &mut part.shape);
                        });
                        rows.prefix = format!("{name} ");
                        measures(rows, &mut part.shape);
                        let (help, position) =
                            ("From the object's position", &mut part.pose.position);
                        rows.vector("position", help, position, Kind::any("m"));
                        rows.rotation(&mut part.pose.rotation);
                    });
                });
            }
            let full = count >= *COMPOUND_PARTS.end();
            let button = ui.add_enabled(!full, Button::new("Add a part").small());
            if button
                .on_hover_text("A ball beside the last part")
                .clicked()
            {
                let (shape, _) = NewShape::Sphere.shape();
                let last = parts.last().map_or(DVec3::ZERO, |part| part.pose.position);
                let pose = Pose::at(last + DVec3::X);
                parts.push(CompoundPart { shape, pose });
            }
        });
    if let Some(index) = gone {
        parts.remove(index);
    }
    if parts != compound.parts()
        && let Ok(edited) = Compound::new(parts)
    {
        *compound = Arc::new(edited);
    }
}

fn kind_of_part(ui: &mut Ui, name: &str, shape: &mut Shape) {
    if EditedFields::with(ui.ctx(), |fields| fields.units.units.flat) {
        let was = NewShape::of_flat(shape);
        let mut kind = was;
        let all = NewShape::FLAT.into_iter();
        let choices: Vec<_> = all
            .filter(|(kind, _)| {
                let shape = kind.flat_shape();
                shape.is_some_and(|(shape, _)| CompoundPart::is_allowed(&shape))
            })
            .map(|(kind, name)| (kind, name, "Use this shape"))
            .collect();
        forms::choice(ui, &format!("{name} shape"), &mut kind, &choices);
        if let Some((new, _)) = kind.flat_shape().filter(|_| kind != was) {
            *shape = new;
        }
        return;
    }
    let was = NewShape::of(shape);
    let mut kind = was;
    let choices: Vec<_> = NewShape::ALL
        .into_iter()
        .filter(|kind| CompoundPart::is_allowed(&kind.shape().0))
        .map(|kind| (kind, kind.name(), "Use this shape"))
        .collect();
    forms::choice(ui, &format!("{name} shape"), &mut kind, &choices);
    if kind != was {
        (*shape, _) = kind.shape();
    }
}

/// The frame at the playhead, and the pose of an object or the camera there.
#[derive(Clone, Copy)]
pub struct PlayheadPose {
    /// Number of the frame.
    pub frame: u32,
    /// The pose in it.
    pub pose: Option<Pose>,
}

/// Keyframes, sorted by frame; at least one is left.
pub(super) fn keyframes(ui: &mut Ui, frames: &mut Vec<Keyframe>, now: PlayheadPose) {
    let mut gone = None;
    let alone = frames.len() == 1;
    for index in 0..frames.len() {
        let before = index.checked_sub(1).and_then(|before| frames.get(before));
        let least = before.map_or(0, |before| before.frame + 1);
        let next = frames.get(index + 1);
        let most = next.map_or(u32::MAX, |next| next.frame.saturating_sub(1));
        let keyframe = &mut frames[index];
        let name = format!("key {index}");
        ui.push_id(index, |ui| {
            form(ui, "keyframe", |rows| {
                let help = "The frame; poses in between are interpolated";
                rows.row(&name, help, |ui, name| {
                    if remove(ui, name, !alone) {
                        gone = Some(index);
                    }
                    let title = format!("{name} frame");
                    forms::whole(ui, &title, &mut keyframe.frame, least, most);
                });
                let help = "The position in that frame";
                rows.row("position", help, |ui, _| {
                    forms::vector(ui, &name, &mut keyframe.position, Kind::any("m"));
                });
                rows.prefix = format!("{name} ");
                rows.rotation(&mut keyframe.rotation);
            });
        });
    }
    if let Some(index) = gone {
        frames.remove(index);
    }
    let text = format!("Keyframe at frame {}", now.frame);
    let place = frames.partition_point(|keyframe| keyframe.frame < now.frame);
    let taken = frames
        .get(place)
        .is_some_and(|keyframe| keyframe.frame == now.frame);
    ui.add_space(2.0);
    let button = ui.add_enabled(!taken, Button::new(text).small());
    if button.on_hover_text("The pose at the playhead").clicked() {
        let like = frames[place.min(frames.len() - 1)];
        let pose = now.pose;
        frames.insert(
            place,
            Keyframe {
                frame: now.frame,
                position: pose.map_or(like.position, |pose| pose.position),
                rotation: pose.map_or(like.rotation, |pose| pose.rotation),
            },
        );
    }
}

/// The vertices and triangles of a mesh, in two tables.
pub(super) fn mesh(ui: &mut Ui, draft: &mut Object) {
    let Shape::Mesh(mesh) = &draft.shape else {
        return;
    };
    if let Some(grid) = mesh.grid() {
        let [columns, rows] = grid.size();
        ui.weak(format!(
            "{columns} by {rows} heights, which are edited in the scene's text"
        ));
        return;
    }
    let (vertices, triangles) = (mesh.vertices(), mesh.triangles());
    let title = format!("{} vertices, {} triangles", vertices.len(), triangles.len());
    let in_file = matches!(draft.mesh, Some(MeshSource::File(_)));
    let mut edited = None;
    CollapsingHeader::new(RichText::new(title).weak())
        .id_salt("vertices and triangles")
        .show_unindented(ui, |ui| {
            if in_file {
                let help = "They are in a file. Embedded in the scene, they can be edited here, and the file is no longer read.";
                ui.add(egui::Label::new(RichText::new(help).weak()).wrap());
                if ui.button("Embed in the scene").clicked() {
                    draft.mesh = Some(MeshSource::Inline);
                }
                return;
            }
            let mut lists: (Vec<DVec3>, Vec<[u32; 3]>) =
                (vertices.clone().collect(), triangles.clone().collect());
            vertex_table(ui, &mut lists.0, &mut lists.1);
            triangle_table(ui, lists.0.len(), &mut lists.1);
            let is_same = vertices.eq(lists.0.iter().copied()) && triangles.eq(lists.1.iter().copied());
            if !is_same {
                edited = Mesh::new(lists.0, lists.1, mesh.facing()).ok();
            }
        });
    if let Some(mesh) = edited {
        draft.shape = Shape::Mesh(Arc::new(mesh));
    }
}

fn vertex_table(ui: &mut Ui, vertices: &mut Vec<DVec3>, triangles: &mut [[u32; 3]]) {
    let mut gone = None;
    area("vertices", ui, vertices.len(), |ui, index| {
        let name = format!("vertex {index}");
        // Searched only for the visible rows.
        let used = triangles
            .iter()
            .flatten()
            .any(|&corner| corner as usize == index);
        if remove(ui, &name, !used && vertices.len() > 3) {
            gone = Some(index);
        }
        ui.label(RichText::new(index.to_string()).weak());
        forms::vector(ui, &name, &mut vertices[index], Kind::any("m"));
    });
    if let Some(index) = gone {
        vertices.remove(index);
        let later = triangles
            .iter_mut()
            .flatten()
            .filter(|corner| **corner as usize > index);
        later.for_each(|corner| *corner -= 1);
    }
    let last = vertices.last().copied().unwrap_or_default();
    let button = ui.add(Button::new("Add a vertex").small());
    if button
        .on_hover_text("A metre above the last one; triangles refer to it by its number")
        .clicked()
    {
        vertices.push(last + DVec3::Y);
    }
}

fn triangle_table(ui: &mut Ui, vertices: usize, triangles: &mut Vec<[u32; 3]>) {
    let last = vertices.saturating_sub(1) as u32;
    let (count, mut gone) = (triangles.len(), None);
    area("triangles", ui, count, |ui, index| {
        let name = format!("triangle {index}");
        if remove(ui, &name, count > 1) {
            gone = Some(index);
        }
        ui.label(RichText::new(index.to_string()).weak());
        for (corner, letter) in triangles[index].iter_mut().zip(["a", "b", "c"]) {
            forms::whole(ui, &format!("{name} {letter}"), corner, 0, last);
        }
        let turn = ui.add(Button::new("Turn over").small());
        if turn
            .on_hover_text("Its front becomes its back: the corners the other way around")
            .clicked()
        {
            triangles[index].swap(1, 2);
        }
    });
    if let Some(index) = gone {
        triangles.remove(index);
    }
    let button = ui.add(Button::new("Add a triangle").small());
    if button.on_hover_text("Of the last three vertices").clicked() {
        triangles.push([last.saturating_sub(2), last.saturating_sub(1), last]);
    }
}

/// A scrolled table that draws only the visible rows.
fn area(name: &str, ui: &mut Ui, count: usize, mut add: impl FnMut(&mut Ui, usize)) {
    let area = ScrollArea::vertical()
        .id_salt(name)
        .max_height(6.0 * ROW)
        .auto_shrink([false, true]);
    area.show_rows(ui, ROW, count, |ui, range| {
        for index in range {
            ui.push_id(index, |ui| {
                ui.horizontal(|ui| {
                    ui.set_height(ROW - ui.spacing().item_spacing.y);
                    ui.spacing_mut().item_spacing.x = 4.0;
                    add(ui, index);
                });
            });
        }
    });
}
