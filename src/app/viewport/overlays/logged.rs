//! What the log has of a frame besides bodies and queries: marks of the program, contacts of the engine, joints, moves of characters. All
//! are of the line to which the frame leads.

use super::super::ViewportInput;
use super::super::draw_list::Rank;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use crate::app::text;
use crate::app::view_state::{Layer, Show};
use crate::core::escape::escaped;
use crate::core::replay::{LoggedMove, NoteKind, NoteMark, ObjectId, Recording};
use egui::Color32;
use glam::DVec2;

/// Marks and contacts that are drawn at most, and names of marks.
const MOST: usize = 512;
const MOST_NAMES: usize = 64;
/// Length of a contact's normal, points: the shortest, and how much the largest impulse adds.
const NORMAL: (f64, f64) = (14.0, 40.0);

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let Some(recording) = input.replay.recording() else {
        return;
    };
    marks(builder, input, recording);
    contacts(builder, input, recording);
    joints(builder, input, recording);
    moves(builder, input, recording);
}

/// The index of the line.
fn line(input: &ViewportInput<'_>) -> usize {
    input.frame.number as usize + 1
}

fn is_drawn(input: &ViewportInput<'_>, layer: Layer, objects: &[ObjectId]) -> bool {
    let is_selected = objects.iter().any(|id| input.selection.contains(*id));
    let is_hidden = objects.iter().any(|id| input.visibility.hides(*id));
    input.layers.shows(layer, is_selected) && !is_hidden
}

fn legend(builder: &mut DrawListBuilder, color: Color32, count: usize, one: &str) {
    if count > MOST {
        let text = format!("{MOST} of {} drawn", text::count(count, one));
        builder.legend.push((color, text));
    }
}

fn marks(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, recording: &Recording) {
    let has_any = recording.data.totals().notes > 0;
    if !has_any || input.layers.get(Layer::Marks) == Show::None {
        return;
    }
    let (mut drawn, mut names) = (0, 0);
    for note in recording.data.notes(line(input)) {
        let NoteKind::Mark(mark) = &note.kind else {
            continue;
        };
        let objects: Vec<ObjectId> = note.object.into_iter().collect();
        if !is_drawn(input, Layer::Marks, &objects) {
            continue;
        }
        drawn += 1;
        if drawn > MOST {
            continue;
        }
        let color = mark
            .color
            .map(|[red, green, blue]| Color32::from_rgb(red, green, blue));
        let color = color.unwrap_or(builder.palette.probe);
        draw_mark(builder, mark, color);
        let end = mark.points.last().filter(|end| end.is_finite());
        if let Some(end) = end.filter(|_| !note.text.is_empty() && names < MOST_NAMES) {
            names += 1;
            let name = escaped(&note.text);
            builder.label(*end, DVec2::NEG_Y, name, color, Rank::Push);
        }
    }
    legend(builder, builder.palette.probe, drawn, "mark");
}

fn draw_mark(builder: &mut DrawListBuilder, mark: &NoteMark, color: Color32) {
    let style = LineStyle::new(color, 2.0).occluded(0.5);
    for pair in mark.points.windows(2) {
        builder.line(pair[0], pair[1], style);
    }
    for &point in &mark.points {
        match mark.radius > 0.0 && mark.radius.is_finite() {
            true => builder.silhouette(point, mark.radius, style),
            false if mark.points.len() < 3 => builder.point(point, style.width(7.0)),
            false => {}
        }
    }
}

fn contacts(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, recording: &Recording) {
    if input.layers.get(Layer::LoggedContacts) == Show::None {
        return;
    }
    let units = input.replay.units();
    let data = recording.data.events(line(input));
    let shown = data.contacts.iter().enumerate();
    let shown = shown.filter(|(_, it)| is_drawn(input, Layer::LoggedContacts, &[it.a, it.b]));
    let shown: Vec<_> = shown.collect();
    let impulse = |number| data.contacts.impulse(number).map_or(0.0, f64::abs);
    let largest = shown.iter().map(|(number, _)| impulse(*number));
    let largest = largest.fold(0.0, f64::max);
    let color = builder.palette.contact;
    let style = LineStyle::new(color, 2.0).occluded(0.5);
    for (number, contact) in shown.iter().take(MOST) {
        let share = match largest > 0.0 {
            true => impulse(*number) / largest,
            false => 0.0,
        };
        let length = builder.view.metres_per_point(contact.point) * (NORMAL.0 + NORMAL.1 * share);
        builder.point(contact.point, style.width(6.0));
        let end = contact.point + contact.normal * length;
        builder.arrow(contact.point, end, style);
        if input.selection.contains(contact.a) || input.selection.contains(contact.b) {
            let depth = format!("{} deep", units.length(contact.depth));
            let label = match data.contacts.impulse(*number) {
                Some(impulse) => format!("{depth}, {} kg m/s", text::number(impulse)),
                None => depth,
            };
            let along = builder.screen_direction(contact.point, contact.normal);
            builder.label(end, along, label, color, Rank::Push);
        }
    }
    legend(builder, color, shown.len(), "contact");
}

fn joints(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, recording: &Recording) {
    if input.layers.get(Layer::Joints) == Show::None {
        return;
    }
    let style = LineStyle::new(builder.palette.kinematic, 2.0).occluded(0.5);
    let mut drawn = 0;
    for joint in recording.joints_at(line(input)) {
        let objects = [joint.a, joint.b];
        let [Some(a), Some(b)] = objects.map(|id| input.pose(id)) else {
            continue;
        };
        if !is_drawn(input, Layer::Joints, &objects) {
            continue;
        }
        drawn += 1;
        if drawn <= MOST {
            // The anchors are not in the log.
            builder.dashes(a.position, b.position, style);
        }
    }
    legend(builder, builder.palette.kinematic, drawn, "joint");
}

fn moves(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, recording: &Recording) {
    let has_any = recording.data.totals().notes > 0;
    if !has_any || input.layers.get(Layer::Moves) == Show::None {
        return;
    }
    let color = builder.palette.kinematic;
    let mut drawn = 0;
    for note in recording.data.notes(line(input)) {
        let (NoteKind::Move(made), Some(object)) = (&note.kind, note.object) else {
            continue;
        };
        if !is_drawn(input, Layer::Moves, &[object]) {
            continue;
        }
        drawn += 1;
        if drawn <= MOST {
            draw_move(builder, made);
        }
    }
    legend(builder, color, drawn, "move");
    for step in input
        .moves
        .iter()
        .flat_map(|explanation| &explanation.steps)
    {
        if let Some(reason) = &step.reason {
            let at = step.hit.and_then(|hit| hit.point).unwrap_or(step.to);
            let text = reason.text(input.replay);
            builder.label(at, DVec2::NEG_Y, text, color, Rank::Push);
        }
    }
}

/// The way that was asked for, each sweep, and the normals of what it met.
fn draw_move(builder: &mut DrawListBuilder, made: &LoggedMove) {
    let color = builder.palette.kinematic;
    let style = LineStyle::new(color, 2.0).occluded(0.5);
    builder.dashes(made.from, made.from + made.wish, style);
    builder.point(made.from, style.width(5.0));
    let mut at = made.from;
    for sweep in &made.sweeps {
        builder.line(sweep.from, sweep.to, style);
        builder.point(sweep.to, style.width(5.0));
        at = sweep.to;
        let met = sweep.hit.and_then(|hit| Some((hit, hit.normal?)));
        if let Some((hit, normal)) = met {
            let point = hit.point.unwrap_or(sweep.to);
            let length = builder.view.metres_per_point(point) * NORMAL.1;
            let normal_style = LineStyle::new(builder.palette.contact, 2.0).occluded(0.5);
            builder.arrow(point, point + normal * length, normal_style);
        }
    }
    builder.arrow(at, made.to, style);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::selection::Selection;
    use crate::app::theme::Palette;
    use crate::app::view_state::Layers;
    use crate::app::viewport::orbit::Orbit;
    use crate::core::level::{self, Level};
    use crate::core::scene::MemoryFolder;
    use glam::DVec3;

    const LOG: &str = r#"{"hitstop":1,"dt":0.1,"objects":[{"id":0,"name":"player","shape":{"sphere":{"radius":0.5}}},{"id":1,"name":"cart","shape":{"sphere":{"radius":0.5}}}]}
{"frame":0,"bodies":[{"id":0,"p":[0,0,0]},{"id":1,"p":[2,0,0]}]}
{"frame":1,"bodies":[{"id":0,"p":[0,0,0]},{"id":1,"p":[2,0,0]}],"joints":[[0,1]],"contacts":[{"a":0,"b":1,"point":[1,0,0],"normal":[-1,0,0],"depth":-1,"impulse":2.5}],"marks":[{"points":[[0,0,0],[0,1,0]],"name":"probe","id":0},{"points":[[1,0,0]],"name":"spawn"}],"moves":[{"id":0,"from":[0,0,0],"wish":[1,0,0],"to":[0.5,0,0],"sweeps":[{"kind":"slide","from":[0,0,0],"to":[0.5,0,0],"hit":{"id":1,"normal":[-1,0,0]}}]}]}
"#;

    fn opened() -> Level {
        let folder = MemoryFolder {
            files: [("a.jsonl".to_owned(), LOG.as_bytes().to_vec())].into(),
        };
        level::open_in(&folder, "a.jsonl", &()).unwrap()
    }

    /// The names that are drawn, and the number of lines.
    fn drawn(selected: &[ObjectId], shown: &[(Layer, Show)]) -> (Vec<String>, usize) {
        let level = opened();
        let frame = level.replay.frame(0);
        let mut selection = Selection::default();
        selection.set(selected.iter().copied());
        let mut layers = Layers::default();
        for (layer, show) in shown {
            layers.set(*layer, *show);
        }
        let input = ViewportInput::of_level(&level.replay, &frame, &selection, &layers);
        let view = Orbit::default().view(DVec2::new(900.0, 600.0));
        let mut builder = DrawListBuilder::new(view, DVec3::ZERO, &Palette::DARK);
        draw(&mut builder, &input);
        let names = builder.labels.iter().map(|label| label.text.clone());
        (names.collect(), builder.list.lines.len())
    }

    #[test]
    fn marks_are_drawn_unless_their_object_is_not_shown() {
        assert_eq!(drawn(&[], &[]).0, ["probe", "spawn"]);
        assert_eq!(drawn(&[0], &[(Layer::Marks, Show::Selected)]).0, ["probe"]);
        assert_eq!(drawn(&[], &[(Layer::Marks, Show::None)]), (Vec::new(), 0));
    }

    #[test]
    fn contacts_and_joints_are_those_of_the_log() {
        let only = |layer| [(Layer::Marks, Show::None), (layer, Show::All)];
        let (names, lines) = drawn(&[0], &only(Layer::LoggedContacts));
        assert_eq!(names, ["-1 m deep, 2.5 kg m/s"]);
        assert!(lines > 1);
        assert!(drawn(&[], &only(Layer::Joints)).1 > 0);
        let moves = [(Layer::Marks, Show::None), (Layer::Moves, Show::Selected)];
        assert!(drawn(&[0], &moves).1 > drawn(&[1], &moves).1);
    }
}
