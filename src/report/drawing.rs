//! Drawings of a finding: the whole frame with the swept outlines, and details at start, impact and end.

use super::html::escaped;
use super::shapes;
use super::svg::{Picture, length};
use super::view::{Area, View};
use crate::core::diagnose::Finding;
use crate::core::replay::{Frame, MotionSegment, ObjectId, Replay};
use crate::core::scene::UserUnits;
use crate::core::shape::{Motion, Pose, Shape};
use crate::view::pair_view::{End, PairView};
use glam::{DVec2, DVec3};
use std::fmt::Write as _;

/// Pixels: the whole frame, and one close look.
const WIDE: f64 = 880.0;
const CLOSE: f64 = 280.0;

/// Data of a finding's drawings.
struct Case<'r> {
    units: UserUnits,
    finding: &'r Finding,
    frame: &'r Frame,
    frame_name: String,
    pair: Option<&'r PairView>,
    mover: Mover<'r>,
    other: (&'r Shape, ObjectId),
    view: View,
}

/// An object, or the camera without a shape.
struct Mover<'r> {
    shape: Option<&'r Shape>,
    object: Option<ObjectId>,
    segments: Vec<MotionSegment>,
}

impl Mover<'_> {
    fn pose(&self, frame: &Frame, fraction: f64) -> Option<Pose> {
        // Before its pushes, as in an overlap test at the end.
        let segment = self.segments.iter().find(|segment| fraction <= segment.to);
        let of_segment = segment
            .or(self.segments.last())
            .map(|segment| segment.pose(fraction));
        of_segment.or_else(|| frame.pose(self.object?, fraction))
    }

    /// Its bounds in the picture; the camera's is a point.
    fn area(&self, pose: &Pose, view: View) -> Area {
        let of_shape = self.shape.and_then(|shape| shapes::area(shape, pose, view));
        of_shape.unwrap_or(Area::around(view.point(pose.position), 0.0))
    }
}

/// The drawings of a finding as HTML figures; empty without geometry. `id` is unique in the page.
pub fn drawings(
    replay: &Replay,
    frame: &Frame,
    finding: &Finding,
    pair: Option<&PairView>,
    id: &str,
) -> String {
    let Some(case) = case(replay, frame, finding, pair) else {
        return String::new();
    };
    let Some(poses) = case.poses() else {
        return String::new();
    };
    let mut out = whole(&case, &poses, id);
    if case.mover.shape.is_some() {
        out += &close_looks(&case, &poses, id);
    }
    out
}

fn case<'r>(
    replay: &'r Replay,
    frame: &'r Frame,
    finding: &'r Finding,
    pair: Option<&'r PairView>,
) -> Option<Case<'r>> {
    let shape_of = |id: ObjectId| replay.objects().get(id as usize).map(|o| &o.shape);
    let segments_of = |id: ObjectId| frame.segments(id).into_vec();
    let other = finding.object_b?;
    let mover = match finding.object_a {
        Some(id) => Mover {
            shape: Some(shape_of(id)?),
            object: Some(id),
            segments: segments_of(id),
        },
        None => Mover {
            shape: None,
            object: None,
            segments: vec![MotionSegment {
                from: 0.0,
                to: 1.0,
                motion: frame.camera?.0,
            }],
        },
    };
    let of_segments = |segments: &[MotionSegment]| match (segments.first(), segments.last()) {
        (Some(first), Some(last)) => Motion {
            start: first.motion.start,
            end: last.motion.end,
        }
        .displacement(),
        _ => DVec3::ZERO,
    };
    let relative = of_segments(&mover.segments) - of_segments(&segments_of(other));
    Some(Case {
        units: replay.units(),
        finding,
        frame,
        frame_name: replay.frame_name(frame.number),
        pair,
        mover,
        other: (shape_of(other)?, other),
        view: View::best(relative, DVec3::from_array(finding.normal)),
    })
}

/// The mover and the other at one moment.
#[derive(Clone, Copy)]
struct Moment {
    word: &'static str,
    fraction: f64,
    mover: Pose,
    other: Pose,
}

impl Case<'_> {
    /// Start, impact, end; without an impact that is one of the ends. `None` when a pose is missing or not finite.
    fn poses(&self) -> Option<Vec<Moment>> {
        let fraction = self.finding.fraction;
        let inside = (fraction > 0.0 && fraction < 1.0).then_some(("impact", fraction));
        let moments = [("start", 0.0)].into_iter().chain(inside);
        moments
            .chain([("end", 1.0)])
            .map(|(word, fraction)| {
                let mover = self.mover.pose(self.frame, fraction)?;
                let other = self.other_pose(fraction)?;
                let finite = mover.is_finite() && other.is_finite() && self.contact().is_finite();
                finite.then_some(Moment {
                    word,
                    fraction,
                    mover,
                    other,
                })
            })
            .collect()
    }

    fn other_pose(&self, fraction: f64) -> Option<Pose> {
        let segments = self.frame.segments(self.other.1);
        let segment = segments.iter().find(|segment| fraction <= segment.to);
        segment
            .map(|segment| segment.pose(fraction))
            .or_else(|| self.frame.pose(self.other.1, fraction))
    }

    fn contact(&self) -> DVec3 {
        DVec3::from_array(self.finding.point)
    }

    fn normal(&self) -> DVec2 {
        self.view.vector(DVec3::from_array(self.finding.normal))
    }

    /// The mover at a moment; the camera is a point with a direction.
    fn draw_mover(&self, picture: &mut Picture, class: &str, pose: &Pose) {
        let (view, near) = (self.view, self.contact());
        match self.mover.shape {
            Some(shape) => shapes::draw(picture, class, shape, pose, view, near),
            None => {
                let at = view.point(pose.position);
                picture.circle(class, at, 4.0 / picture.scale);
                let look = view.vector(pose.vector(DVec3::NEG_Z));
                if look.length() > 0.1 {
                    picture.arrow("look", at, look, 22.0);
                }
            }
        }
    }

    fn draw_contact(&self, picture: &mut Picture) {
        let at = self.view.point(self.contact());
        if self.finding.normal != [0.0; 3] {
            if self.normal().length() > 0.1 {
                picture.arrow("normal", at, self.normal(), 34.0);
            }
            picture.circle("contact", at, 3.0 / picture.scale);
        }
    }

    fn pair_name(&self) -> String {
        format!("{} and {}", self.finding.a, self.finding.b)
    }
}

/// The whole frame: the mover's swept outline, and its pose at each moment.
fn whole(case: &Case<'_>, moments: &[Moment], id: &str) -> String {
    let view = case.view;
    let (shape, other) = case.other;
    let at_impact = moments[moments.len().saturating_sub(2)];
    let mut area = Area::around(view.point(case.contact()), 0.0);
    for moment in moments {
        area = area.join(case.mover.area(&moment.mover, view));
    }
    let reach = area.size().max_element();
    let reach = if reach > 0.0 { reach } else { 1.0 };
    if let Some(around) = shapes::area(shape, &at_impact.other, view)
        .and_then(|around| around.overlap(area.grown(0.3 * reach)))
    {
        area = area.join(around);
    }
    let mut picture = Picture::of(area.grown(0.09 * reach), WIDE, (170.0, 420.0));
    let near = case.contact();
    shapes::draw(&mut picture, "other", shape, &at_impact.other, view, near);
    if moments[0].other != moments[moments.len() - 1].other {
        let segments = case.frame.segments(other);
        picture.outlines("sweep other-sweep", &shapes::swept(shape, &segments, view));
    }
    if let Some(shape) = case.mover.shape {
        picture.outlines("sweep", &shapes::swept(shape, &case.mover.segments, view));
    }
    for segment in &case.mover.segments {
        let ends = [segment.motion.start, segment.motion.end].map(|pose| view.point(pose.position));
        picture.line("path", ends[0], ends[1]);
    }
    for moment in moments {
        let class = if moment.word == "impact" {
            "mover"
        } else {
            "mover ghost"
        };
        case.draw_mover(&mut picture, class, &moment.mover);
    }
    case.draw_contact(&mut picture);
    label_moments(case, moments, &mut picture);
    name_other(case, &at_impact, &mut picture);
    picture.scale_bar(case.units);
    let title = format!("{} in {}", case.pair_name(), case.frame_name);
    let svg = picture.finish(
        &format!("{id}w"),
        &title,
        &format!("The whole frame, {}.", view.name(case.units)),
    );
    format!(
        "<figure>{svg}<figcaption>The whole frame, {}: what {} sweeps, where it is at the start, the impact and the end, \
         and the contact with its normal.</figcaption></figure>",
        view.name(case.units),
        escaped(&case.finding.a)
    )
}

/// Labels start and end below their outlines, the impact above; colliding labels are stacked.
fn label_moments(case: &Case<'_>, moments: &[Moment], picture: &mut Picture) {
    let mut taken: Vec<DVec2> = Vec::new();
    for moment in moments {
        let area = case.mover.area(&moment.mover, case.view);
        let above = moment.word == "impact";
        let edge = if above { area.high.y } else { area.low.y };
        let mut at = picture.pixel(DVec2::new(area.center().x, edge));
        at.y += if above { -8.0 } else { 16.0 };
        while taken
            .iter()
            .any(|other| (other.x - at.x).abs() < 64.0 && (other.y - at.y).abs() < 13.0)
        {
            at.y += if above { -13.0 } else { 13.0 };
        }
        taken.push(at);
        let text = match moment.word {
            "start" => format!("{}: start", name(&case.finding.a)),
            word => word.to_owned(),
        };
        picture.words("label", at, "middle", &text);
    }
}

/// The other's name at the top of its visible part.
fn name_other(case: &Case<'_>, moment: &Moment, picture: &mut Picture) {
    let seen = picture.area();
    let (shape, _) = case.other;
    let area = shapes::area(shape, &moment.other, case.view).and_then(|area| area.overlap(seen));
    let at = match area {
        Some(area) => picture.pixel(DVec2::new(area.high.x, area.high.y)) + DVec2::new(6.0, 13.0),
        None => DVec2::new(WIDE - 8.0, 16.0),
    };
    let anchor = if area.is_some() { "start" } else { "end" };
    picture.words("label other-name", at, anchor, &name(&case.finding.b));
}

/// A name short enough for a label.
fn name(text: &str) -> String {
    const LONGEST: usize = 28;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let cut: String = text.chars().take(LONGEST - 1).collect();
    format!("{cut}…")
}

/// Each moment near the mover, all at one scale.
fn close_looks(case: &Case<'_>, moments: &[Moment], id: &str) -> String {
    let view = case.view;
    let sizes = [
        case.mover.area(&moments[0].mover, view).size(),
        shapes::area(case.other.0, &moments[0].other, view).map_or(DVec2::INFINITY, |a| a.size()),
    ];
    let smallest = sizes
        .into_iter()
        .map(|size| size.max_element())
        .filter(|size| *size > 0.0 && size.is_finite())
        .fold(f64::INFINITY, f64::min);
    // The smaller one with a margin, and never less than all of the mover.
    let mover = sizes[0].max_element();
    let half = if smallest.is_finite() {
        f64::max(1.5 * smallest, 0.75 * mover)
    } else {
        1.0
    };
    let mut out = String::from("<div class=\"moments\">");
    for moment in moments {
        let mover = case.mover.area(&moment.mover, view).center();
        let center = match moment.word {
            "impact" => 0.5 * (mover + view.point(case.contact())),
            _ => mover,
        };
        let mut picture = Picture::of(Area::around(center, half), CLOSE, (CLOSE, CLOSE));
        let near = case.contact();
        let (shape, _) = case.other;
        shapes::draw(&mut picture, "other", shape, &moment.other, view, near);
        case.draw_mover(&mut picture, "mover", &moment.mover);
        if moment.word == "impact" || case.finding.fraction == moment.fraction {
            case.draw_contact(&mut picture);
        }
        picture.scale_bar(case.units);
        let text = caption(case, moment);
        let svg = picture.finish(
            &format!("{id}{}", moment.word),
            &text,
            &view.name(case.units),
        );
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            "<figure>{svg}<figcaption>{}</figcaption></figure>",
            escaped(&text)
        );
    }
    out + "</div>"
}

fn caption(case: &Case<'_>, moment: &Moment) -> String {
    let ends = case.pair.map_or([None; 2], |pair| pair.ends());
    let seen = |end: &End| {
        if end.contact.is_some() && end.gap < 0.0 {
            format!("an overlap of {}", length(-end.gap, case.units))
        } else if end.contact.is_some() {
            "touching".to_owned()
        } else {
            format!("{} apart: not detected", length(end.gap, case.units))
        }
    };
    match moment.word {
        "impact" => format!("Impact at {:.4} of the frame", moment.fraction),
        "start" => ends[0]
            .as_ref()
            .map_or("Start".to_owned(), |end| format!("Start: {}", seen(end))),
        _ => ends[1]
            .as_ref()
            .map_or("End".to_owned(), |end| format!("End: {}", seen(end))),
    }
}
