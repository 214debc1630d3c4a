//! The nearest points of two objects and the distance between them; with the ruler, its parts along the axes and in their planes.

use super::super::ViewportInput;
use super::super::draw_list::Rank;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use crate::app::text::metres;
use crate::core::query::ruler::{Ruler, measure_shapes};
use crate::core::replay::ObjectId;
use crate::core::tolerance::ROUNDING_STEPS;
use egui::Color32;
use glam::{DVec2, DVec3};

/// Legs along the axes that are shorter than this are not drawn, points.
const SHORTEST_LEG: f64 = 24.0;

/// What the ruler shows, as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    pair: Option<(ObjectId, ObjectId)>,
    /// What is measured, or what to do to measure.
    pub title: String,
    /// Name and length.
    pub rows: Vec<(&'static str, String)>,
}

/// The segment between the nearest points of the pair that is measured, with its parts along the axes.
pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, hovered: Option<ObjectId>) {
    if !input.layers.ruler {
        return;
    }
    let pointed_at = || {
        let &first = input.selection.objects().first()?;
        Some((first, hovered.filter(|&id| id != first)?))
    };
    let pair = input.selection.pair().or_else(pointed_at);
    let Some((a, b)) = pair else {
        builder.reading = Some(Reading {
            pair,
            title: "Ruler: select two objects".to_owned(),
            rows: Vec::new(),
        });
        return;
    };
    let name = |id: ObjectId| input.replay.objects().get(id as usize).map(|it| &*it.name);
    let title = format!("{} to {}", name(a).unwrap_or("?"), name(b).unwrap_or("?"));
    let mut rows = Vec::new();
    match measure(builder, input, a, b) {
        Some(Measured { verdict, ruler }) => {
            rows.push(verdict);
            if let Some(ruler) = ruler {
                legs(builder, &ruler);
                let [x, y, z] = ruler.along.to_array();
                rows.extend([
                    ("along x", metres(x)),
                    ("along y", metres(y)),
                    ("along z", metres(z)),
                    ("in plane xy", metres(ruler.in_xy)),
                    ("in plane yz", metres(ruler.in_yz)),
                    ("in plane zx", metres(ruler.in_zx)),
                ]);
            }
        }
        None => rows.push(("distance", "none".to_owned())),
    }
    builder.reading = Some(Reading { pair, title, rows });
}

/// The shortest line between two objects at the playhead, with its length, unless the ruler draws it.
pub fn gap(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, a: ObjectId, b: ObjectId) {
    let measured = builder.reading.as_ref().and_then(|reading| reading.pair);
    if measured != Some((a, b)) && measured != Some((b, a)) {
        measure(builder, input, a, b);
    }
}

/// The distance between two objects.
struct Measured {
    /// Its name and its length.
    verdict: (&'static str, String),
    /// `None` when they touch.
    ruler: Option<Ruler>,
}

/// Measures two objects at the playhead and draws the line between their nearest points; `None` where they have no distance.
fn measure(
    builder: &mut DrawListBuilder,
    input: &ViewportInput<'_>,
    a: ObjectId,
    b: ObjectId,
) -> Option<Measured> {
    let objects = input.replay.objects();
    let (one, two) = (objects.get(a as usize)?, objects.get(b as usize)?);
    let (pose_a, pose_b) = (input.pose(a)?, input.pose(b)?);
    let placed = [one.shape.placed(&pose_a), two.shape.placed(&pose_b)];
    let ruler = measure_shapes(&placed[0], &placed[1], &mut ())?;
    let palette = builder.palette;
    let places = [pose_a.position, pose_b.position, ruler.from, ruler.to];
    let rounding = rounding(&places);
    let touching = ruler.distance.abs() <= rounding;
    let apart = ruler.distance > 0.0 || touching;
    let color = if apart { palette.playhead } else { palette.bad };
    let style = LineStyle::new(color, 1.8).through(0.7);
    builder.line(ruler.from, ruler.to, style);
    for end in [ruler.from, ruler.to] {
        builder.point(
            end,
            LineStyle {
                width: 5.0,
                ..style
            },
        );
    }
    let size = metres(ruler.distance.abs());
    let (text, verdict) = if touching {
        ("touching".to_owned(), ("distance", "touching".to_owned()))
    } else if apart {
        (format!("gap {size}"), ("distance", size))
    } else {
        (format!("overlap {size}"), ("depth", size))
    };
    for placed in &placed {
        builder.keep_clear_of(placed);
    }
    // Below the line, where the impact's own words are not.
    let along = builder.heading(ruler.from, ruler.to - ruler.from);
    let down = if along.x.abs() < 0.3 {
        DVec2::Y
    } else {
        along.perp() * along.x.signum()
    };
    let middle = ruler.from.midpoint(ruler.to);
    builder.label(middle, down, text, color, Rank::Now);
    let exact = |part: f64| if part.abs() <= rounding { 0.0 } else { part };
    let ruler = Ruler {
        along: ruler.along.map(exact),
        in_xy: exact(ruler.in_xy),
        in_yz: exact(ruler.in_yz),
        in_zx: exact(ruler.in_zx),
        ..ruler
    };
    Some(Measured {
        verdict,
        ruler: (!touching).then_some(ruler),
    })
}

/// The parts of a ruler along x, y and z, one after the other; none where it lies along one axis.
fn legs(builder: &mut DrawListBuilder, ruler: &Ruler) {
    let palette = builder.palette;
    let axes: [(&str, DVec3, Color32); 3] = [
        ("x", DVec3::X, palette.axis_x),
        ("y", DVec3::Y, palette.axis_y),
        ("z", DVec3::Z, palette.axis_z),
    ];
    let mut from = ruler.from;
    for (name, axis, color) in axes {
        let part = ruler.along.dot(axis);
        let to = from + axis * part;
        let off_axis = (ruler.along - axis * part).length();
        let seen = |part: f64| builder.points(from, part.abs()) >= SHORTEST_LEG;
        if seen(part) && seen(off_axis) {
            builder.dashes(from, to, LineStyle::new(color, 1.4).through(0.6));
            let text = format!("{name} {}", metres(part));
            builder.label(from.midpoint(to), DVec2::Y, text, color, Rank::Push);
        }
        from = to;
    }
}

/// What arithmetic on coordinates like these may leave of a distance that is none, metres.
fn rounding(places: &[DVec3]) -> f64 {
    let largest = places.iter().map(|place| place.abs().max_element());
    ROUNDING_STEPS * f64::EPSILON * largest.fold(1.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::rounding;
    use glam::DVec3;

    #[test]
    fn rounding_grows_with_the_coordinates_and_stays_small() {
        assert!(rounding(&[DVec3::ZERO]) > 3e-16 && rounding(&[DVec3::ONE]) < 1e-14);
        assert!(rounding(&[DVec3::X * 1e7]) > 1e-8 && rounding(&[DVec3::X * 1e7]) < 1e-7);
    }
}
