//! The colours of objects by a property, and their legend.

use super::viewport_input::ViewportInput;
use crate::app::axis_ticks::round_step;
use crate::app::text;
use crate::app::theme::Palette;
use crate::app::view_options::ColorBy;
use crate::core::replay::ObjectId;
use crate::core::scene::{Movement, Object, Objects};
use egui::Color32;
use std::collections::HashMap;

/// Most rows of a legend; further groups share the last.
const MAX_ROWS: usize = 8;

/// The colours of all objects.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectColors {
    colors: Vec<Color32>,
    /// Colours and their meanings.
    pub legend: Vec<(Color32, String)>,
}

impl ObjectColors {
    /// The colours at the playhead; `None` by role, for which objects have theirs.
    pub fn at(input: &ViewportInput<'_>, palette: &Palette) -> Option<Self> {
        let objects = input.replay.objects();
        Some(match input.layers.color_by {
            ColorBy::Role => return None,
            ColorBy::Layer => by_group(objects, palette, |_, object| Some(layers(object.layer))),
            ColorBy::Tag => by_group(objects, palette, |_, object| object.tags.first().cloned()),
            ColorBy::State => by_state(input, palette),
            ColorBy::Island => by_island(input, palette),
            ColorBy::Speed => by_speed(input, palette),
            ColorBy::Findings => by_findings(input, palette),
            ColorBy::Cause => by_group(objects, palette, |id, _| {
                let cause = input.by_object?.get(id)?.cause;
                Some(format!("{} {}", cause.id(), cause.title()))
            }),
        })
    }

    /// The colour of an object.
    pub fn of(&self, object: ObjectId) -> Color32 {
        self.colors
            .get(object as usize)
            .copied()
            .unwrap_or_default()
    }
}

/// The numbers of the layers in a set of bits, as in "Layers 0, 3".
fn layers(bits: u32) -> String {
    let numbers: Vec<String> = (0..u32::BITS)
        .filter(|bit| bits >> bit & 1 == 1)
        .map(|bit| bit.to_string())
        .collect();
    match numbers.len() {
        0 => "No layer".to_owned(),
        1 => format!("Layer {}", numbers[0]),
        2..=4 => format!("Layers {}", numbers.join(", ")),
        count => format!("{count} layers"),
    }
}

/// A colour for each group, in the order of the groups' first objects; grey for objects without one.
fn by_group(
    objects: &Objects,
    palette: &Palette,
    group: impl Fn(ObjectId, &Object) -> Option<String>,
) -> ObjectColors {
    let mut legend: Vec<(Color32, String)> = Vec::new();
    let mut without = false;
    let colors = objects
        .iter()
        .zip(0..)
        .map(|(object, id)| {
            let Some(name) = group(id, object) else {
                without = true;
                return palette.fixed;
            };
            if let Some((color, _)) = legend.iter().find(|(_, known)| *known == name) {
                return *color;
            }
            if legend.len() < MAX_ROWS - 1 {
                legend.push((palette.line(legend.len()), name));
            } else if legend.len() < MAX_ROWS {
                legend.push((palette.text_weak, "Others".to_owned()));
            }
            legend.last().map_or(palette.fixed, |(color, _)| *color)
        })
        .collect();
    if without {
        legend.push((palette.fixed, "None".to_owned()));
    }
    ObjectColors { colors, legend }
}

fn by_state(input: &ViewportInput<'_>, palette: &Palette) -> ObjectColors {
    let names = ["Awake", "Asleep", "Fixed or not logged"];
    let shades = [palette.velocity, palette.push, palette.fixed];
    let objects = input.replay.objects();
    let mut colors = vec![shades[2]; objects.len()];
    if let Some(recording) = input.replay.recording() {
        recording.visit_bodies(input.playhead.frame as usize, |body| {
            let index = body.object as usize;
            // A fixed body never sleeps, whatever an engine logs for it.
            if let (Some(color), Some(object)) = (colors.get_mut(index), objects.get(index))
                && object.movement != Movement::Fixed
            {
                *color = shades[usize::from(body.asleep)];
            }
        });
    }
    let legend = shades.into_iter().zip(names.map(str::to_owned)).collect();
    ObjectColors { colors, legend }
}

/// A colour for each island of several objects, by its number in the log, which may be another in the next frame.
fn by_island(input: &ViewportInput<'_>, palette: &Palette) -> ObjectColors {
    let objects = input.replay.objects();
    let mut islands = vec![None; objects.len()];
    if let Some(recording) = input.replay.recording() {
        recording.visit_bodies(input.playhead.frame as usize, |body| {
            if let Some(island) = islands.get_mut(body.object as usize) {
                *island = body.island;
            }
        });
    }
    let mut sizes: HashMap<u32, usize> = HashMap::new();
    for island in islands.iter().flatten() {
        *sizes.entry(*island).or_default() += 1;
    }
    by_group(objects, palette, |id, _| {
        let island = islands.get(id as usize).copied().flatten()?;
        Some(match sizes[&island] {
            1 => "Alone in its island".to_owned(),
            size => format!("Island {island}: {size} objects"),
        })
    })
}

/// Colours by the share of the findings of the object with the most.
fn by_findings(input: &ViewportInput<'_>, palette: &Palette) -> ObjectColors {
    let most = input.by_object.map_or(0, |by_object| by_object.most());
    let color = |count: usize| match count {
        0 => palette.fixed,
        count => palette.share(count as f64 / most as f64),
    };
    let count = |id: ObjectId| input.by_object.and_then(|by_object| by_object.get(id));
    let ids = (0..input.replay.objects().len()).map(|index| index as ObjectId);
    let colors = ids.map(|id| color(count(id).map_or(0, |of_object| of_object.count)));
    let mut rows = vec![0, 1, most.div_ceil(2), most];
    rows.retain(|count| *count <= most);
    rows.dedup();
    let legend = rows.into_iter().map(|count| match count {
        0 => (color(0), "No findings".to_owned()),
        count => (color(count), text::count(count, "finding")),
    });
    ObjectColors {
        colors: colors.collect(),
        legend: legend.collect(),
    }
}

/// Colours by the share of a round speed that no object exceeds.
fn by_speed(input: &ViewportInput<'_>, palette: &Palette) -> ObjectColors {
    let dt = input.replay.dt(input.playhead.frame);
    let speed = |(id, object): (ObjectId, &Object)| {
        let start = input.frame.pose(id, 0.0)?.position;
        let length = input.frame.pose(id, 1.0)?.position.distance(start);
        let moves = object.movement != Movement::Fixed;
        Some(length / dt).filter(|speed| moves && speed.is_finite())
    };
    let speeds: Vec<Option<f64>> = (0..).zip(input.replay.objects()).map(speed).collect();
    let most = speeds.iter().flatten().copied().fold(0.0, f64::max);
    // Round, so that colours keep their meaning from frame to frame.
    let most = if most > 0.0 { round_step(most) } else { 0.0 };
    let color = |speed: f64| match speed > 0.0 {
        true => palette.share(speed / most),
        false => palette.fixed,
    };
    let mut legend = vec![(palette.fixed, "At rest".to_owned())];
    if most > 0.0 {
        let rows = [0.25, 0.5, 1.0].map(|share| most * share);
        let units = input.replay.units();
        legend.extend(rows.map(|speed| (color(speed), units.speed(speed))));
    }
    ObjectColors {
        colors: speeds
            .iter()
            .map(|speed| color(speed.unwrap_or(0.0)))
            .collect(),
        legend,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::selection::Selection;
    use crate::app::test_levels::{self, sphere};
    use crate::app::view_state::Layers;
    use crate::core::level;
    use glam::DVec3;
    use std::path::Path;

    /// The colours by a property of three balls at 0, 5 and 10 m/s: two on layer 0 and one on layers 1 and 3, one of them with a tag.
    fn colors(color_by: ColorBy) -> ObjectColors {
        let at = |x: f64| DVec3::X * x;
        let mut objects = [0.0, 5.0, 10.0]
            .map(|speed| sphere(&format!("ball {speed}"), 0.1, at(speed), DVec3::Y * speed));
        objects[2].layer = 0b1010;
        objects[1].tags = vec!["loose".to_owned()];
        let replay = test_levels::level(0.5, objects);
        let frame = replay.frame(0);
        let (selection, mut layers) = (Selection::default(), Layers::default());
        layers.color_by = color_by;
        let input = ViewportInput::of_level(&replay, &frame, &selection, &layers);
        ObjectColors::at(&input, &Palette::DARK).expect("colours")
    }

    fn legend(colors: &ObjectColors) -> Vec<&str> {
        colors.legend.iter().map(|(_, text)| &**text).collect()
    }

    #[test]
    fn objects_of_one_group_have_one_color() {
        let layers = colors(ColorBy::Layer);
        assert_eq!(legend(&layers), ["Layer 0", "Layers 1, 3"]);
        assert_eq!(layers.of(0), layers.of(1));
        assert_ne!(layers.of(0), layers.of(2));
        let tags = colors(ColorBy::Tag);
        assert_eq!(legend(&tags), ["loose", "None"]);
        assert_eq!(tags.of(1), tags.legend[0].0);
        assert_eq!(tags.of(2), tags.legend[1].0);
    }

    #[test]
    fn the_objects_of_an_island_have_one_color() {
        let body = |id: u32, island: &str| format!(r#"{{"id":{id},"p":[{id},0,0]{island}}}"#);
        let object = |id: u32| format!(r#"{{"id":{id},"shape":{{"sphere":{{"radius":0.1}}}}}}"#);
        let header = [0, 1, 2, 3].map(object).join(",");
        let islands = [
            ",\"island\":7",
            ",\"island\":2",
            ",\"island\":7",
            ",\"island\":-1",
        ];
        let bodies: Vec<String> = (0..)
            .zip(islands)
            .map(|(id, island)| body(id, island))
            .collect();
        let log = format!(
            "{{\"hitstop\":1,\"objects\":[{header}]}}\n{{\"frame\":0,\"bodies\":[{0}]}}\n{{\"frame\":1,\"bodies\":[{0}]}}\n",
            bodies.join(",")
        );
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("islands.jsonl");
        std::fs::write(&path, log).expect("a file");
        let replay = level::open(&path, &()).expect("a recording").replay;
        let frame = replay.frame(0);
        let (selection, mut layers) = (Selection::default(), Layers::default());
        layers.color_by = ColorBy::Island;
        let input = ViewportInput::of_level(&replay, &frame, &selection, &layers);
        let colors = ObjectColors::at(&input, &Palette::DARK).expect("colours");
        let wanted = ["Island 7: 2 objects", "Alone in its island", "None"];
        assert_eq!(legend(&colors), wanted);
        let row = |id: ObjectId| colors.legend.iter().position(|row| row.0 == colors.of(id));
        assert_eq!([0, 1, 2, 3].map(row), [Some(0), Some(1), Some(0), Some(2)]);
    }

    #[test]
    fn the_fastest_object_has_the_strongest_color() {
        let speeds = colors(ColorBy::Speed);
        assert_eq!(legend(&speeds), ["At rest", "2.5 m/s", "5 m/s", "10 m/s"]);
        let rows = [0, 1, 2].map(|id| speeds.legend.iter().position(|row| row.0 == speeds.of(id)));
        assert_eq!(rows, [Some(0), Some(2), Some(3)]);
    }

    #[test]
    fn a_fixed_body_of_a_recording_is_not_awake() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/mujoco_humanoid.ron");
        let level = level::open(&path, &()).expect("a recording");
        let replay = level.replay;
        let frame = replay.frame(0);
        let (selection, mut layers) = (Selection::default(), Layers::default());
        layers.color_by = ColorBy::State;
        let input = ViewportInput::of_level(&replay, &frame, &selection, &layers);
        let states = ObjectColors::at(&input, &Palette::DARK).expect("colours");
        let [awake, _, neither] = [0, 1, 2].map(|row| states.legend[row].0);
        let floor = replay.object_named("floor").expect("a floor");
        let mut objects = (0..).zip(replay.objects());
        let part = objects.find(|(_, object)| object.movement != Movement::Fixed);
        let (part, _) = part.expect("a part of the body");
        assert_eq!(states.of(floor), neither);
        assert_eq!(states.of(part), awake);
    }
}
