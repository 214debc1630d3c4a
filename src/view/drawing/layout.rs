//! The drawing of a finding: the frame to scale, and a lens on its part that matters where the whole is too large for it.

use super::item::{Ink, Item};
use super::labels::{Labels, Side, short_names};
use super::pane::Pane;
use super::plane::Area;
use super::sheet::Sheet;
use super::subject::Subject;
use crate::core::diagnose::Kind;
use crate::core::number::significant;
use crate::view::lengths::length;
use glam::DVec2;
use std::f64::consts::FRAC_PI_4;

/// Points: the margins of the whole around what it shows, for labels and dimensions.
const MARGIN: DVec2 = DVec2::new(84.0, 52.0);
/// Points: the least and greatest height of the whole, alone and above a lens.
const ALONE: [f64; 2] = [190.0, 400.0];
const ABOVE_LENS: [f64; 2] = [150.0, 260.0];
/// Points: what the smallest detail must measure in the whole to need no lens.
const DETAIL: f64 = 22.0;
/// Points: the radius of the lens.
const LENS: f64 = 150.0;
/// Share of the lens that mover and obstacle take, and the greatest number of thicknesses that it shows.
const LENS_FILLED: f64 = 0.72;
const THICKNESSES: f64 = 18.0;
/// Points: how far above a corner the middle of a name beside it is, so that it is not on what has the corner.
const ABOVE_CORNER: f64 = 11.0;
/// Points: how far the thickness is from the mover where the travel is between.
const BELOW_TRAVEL: f64 = 46.0;
/// Share of the size of the moved area by which the obstacle is shown around it, and up to which its far face is.
const AROUND: f64 = 0.08;
const FAR_FACE: f64 = 1.5;

/// The items of a drawing with its size in points; how many triangles are left out; whether it has a lens.
pub struct Layout {
    /// Points.
    pub size: DVec2,
    /// In the order of painting.
    pub items: Vec<Item>,
    /// The whole, and the lens, without content.
    pub panes: Vec<Pane>,
    /// Triangles of meshes.
    pub left_out: usize,
    /// Whether a part is drawn larger.
    pub has_lens: bool,
}

/// The drawing of a subject, as wide as this in points.
pub fn layout(subject: &Subject<'_>, width: f64) -> Layout {
    let whole = whole_area(subject);
    let size = whole.size().max(DVec2::splat(1e-12));
    let height = |limits: [f64; 2]| {
        let scale = (width - 2.0 * MARGIN.x) / size.x;
        (size.y * scale + 2.0 * MARGIN.y).clamp(limits[0], limits[1])
    };
    let pane = |limits| {
        Pane::rectangle(
            DVec2::ZERO,
            DVec2::new(width, height(limits)),
            whole,
            MARGIN,
        )
    };
    let (detail, alone) = (detail(subject), pane(ALONE));
    let lens =
        (detail * alone.scale < DETAIL).then(|| lens_area(subject, 0.5 * size.max_element()));
    let (pane, height) = match lens {
        Some(_) => (pane(ABOVE_LENS), height(ABOVE_LENS) + 2.0 * LENS + 24.0),
        None => (alone, height(ALONE)),
    };
    let drawn_size = DVec2::new(width, height);
    let mut sheet = Sheet {
        subject,
        names: short_names(&subject.finding.a, &subject.finding.b),
        labels: Labels::new(drawn_size),
        items: Vec::new(),
        panes: Vec::new(),
        left_out: 0,
    };
    sheet.compass(drawn_size);
    sheet.whole(pane, lens);
    Layout {
        size: drawn_size,
        items: sheet.items,
        panes: sheet.panes,
        left_out: sheet.left_out,
        has_lens: lens.is_some(),
    }
}

/// The mover at all moments, both faces of the obstacle where they are near, and what is around.
fn whole_area(subject: &Subject<'_>) -> Area {
    let (contact, normal) = subject.contact_in_plane();
    let moments = subject
        .moments
        .iter()
        .map(|moment| subject.mover_area(moment));
    let mut area = moments.fold(Area::around(contact, 0.0), Area::join);
    let reach = area.size().max_element();
    let reach = if reach > 0.0 { reach } else { 1.0 };
    if let Some(thickness) = subject
        .thickness()
        .filter(|thickness| *thickness <= FAR_FACE * reach)
    {
        area = area.join(Area::around(contact - normal * thickness, 0.0));
    }
    let around = subject.obstacle_area(subject.impact());
    match around.and_then(|around| around.overlap(area.grown(AROUND * reach))) {
        Some(around) => area.join(around),
        None => area.grown(0.1 * reach),
    }
}

/// The size of what must be seen, metres: the mover, or the obstacle where it is thinner.
fn detail(subject: &Subject<'_>) -> f64 {
    let mover = subject.mover_area(subject.impact()).size().max_element();
    let sizes = [Some(mover).filter(|size| *size > 0.0), subject.thickness()];
    sizes.into_iter().flatten().fold(f64::INFINITY, f64::min)
}

/// The centre of the lens and half of what it shows, metres.
fn lens_area(subject: &Subject<'_>, most: f64) -> (DVec2, f64) {
    let (contact, normal) = subject.contact_in_plane();
    let normal = normal.normalize_or_zero();
    let mover = subject.mover_area(subject.impact()).size().max_element();
    let thickness = subject.thickness().unwrap_or(0.0);
    // Of a thick obstacle, the near face.
    let shown = if mover > 0.0 {
        thickness.min(mover)
    } else {
        thickness
    };
    let half = 0.5 * (mover + shown) / LENS_FILLED;
    if thickness > 0.0 && half > THICKNESSES * thickness {
        return (
            contact - normal * (0.5 * thickness),
            THICKNESSES * thickness,
        );
    }
    let center = contact + normal * (0.5 * (mover - shown));
    (center, if half > 0.0 { half } else { most })
}

/// A lens, and what it shows of the whole.
#[derive(Clone, Copy)]
struct Lens {
    /// Centre of what it shows, and half of that, metres.
    shown: (DVec2, f64),
    /// The circle around it in the whole, points.
    at: DVec2,
    small: f64,
    /// Centre of the lens, points.
    middle: DVec2,
}

impl Lens {
    /// Below the whole, where there is room.
    fn of(whole: &Pane, center: DVec2, half: f64) -> Self {
        let at = whole.point(center);
        let corners = whole.edge().iter().copied();
        let corner = corners.fold(DVec2::ZERO, DVec2::max);
        let least = LENS + 8.0;
        Self {
            shown: (center, half),
            at,
            small: (half * whole.scale).max(5.0),
            middle: DVec2::new(
                at.x.clamp(least, least.max(corner.x - least)),
                corner.y + least,
            ),
        }
    }

    /// From the circle in the whole to the lens.
    fn lines(&self) -> [[DVec2; 2]; 2] {
        [-1.0, 1.0].map(|side| {
            let from = self.at + DVec2::X * (side * self.small);
            let to = self.middle + DVec2::X * (side * LENS);
            [from, from.lerp(to, 0.94)]
        })
    }
}

impl Sheet<'_, '_> {
    fn whole(&mut self, mut pane: Pane, lens: Option<(DVec2, f64)>) {
        let subject = self.subject;
        self.panes.push(pane.like());
        self.left_out = subject.draw_frame(&mut pane);
        for moment in &subject.moments {
            subject.draw_mover(&mut pane, moment);
        }
        if lens.is_none() {
            self.contact(&mut pane);
        } else {
            pane.dot(Ink::Contact, subject.contact_in_plane().0, 2.5);
        }
        self.tests(&mut pane);
        self.keep_marks_free(&pane.items);
        self.items.append(&mut pane.items);
        let lens = lens.map(|(center, half)| Lens::of(&pane, center, half));
        if let Some(lens) = &lens {
            self.labels.keep_free(Area::around(lens.at, lens.small));
            for line in lens.lines() {
                self.labels.keep_line_free(line);
            }
        }
        self.scale_bar(&pane);
        self.travel(&pane);
        self.answer(&pane);
        if lens.is_none() {
            self.details(&pane);
        }
        self.moments(&pane);
        if let Some(lens) = lens {
            self.lens(&pane, lens);
        }
    }

    /// A circle with the part around the contact, and lines to where it is in the whole.
    fn lens(&mut self, whole: &Pane, lens: Lens) {
        let subject = self.subject;
        let Lens {
            shown: (center, half),
            at,
            small,
            middle,
        } = lens;
        for line in lens.lines() {
            self.items.push(Item::Line {
                ink: Ink::Lens,
                points: line.to_vec(),
            });
        }
        for (center, radius, ink) in [(at, small, Ink::Lens), (middle, LENS, Ink::Ground)] {
            self.items.push(Item::Circle {
                ink,
                center,
                radius,
            });
        }
        let mut pane = Pane::lens(middle, LENS, center, half);
        self.panes.push(pane.like());
        self.left_out = self.left_out.max(subject.draw_frame(&mut pane));
        for moment in &subject.moments {
            subject.draw_mover(&mut pane, moment);
        }
        self.contact(&mut pane);
        self.tests(&mut pane);
        self.keep_marks_free(&pane.items);
        self.items.append(&mut pane.items);
        self.items.push(Item::Circle {
            ink: Ink::Lens,
            center: middle,
            radius: LENS,
        });
        let times = format!("× {}", significant(pane.scale / whole.scale, 2));
        let beside = Area::around(middle + DVec2::new(0.0, 0.78 * LENS), 0.64 * LENS);
        let item = self.labels.place(Ink::Note, &times, beside, &[Side::Left]);
        self.items.push(item);
        self.details(&pane);
    }

    /// The contact with its normal, and the push at the end.
    fn contact(&self, pane: &mut Pane) {
        let subject = self.subject;
        let (contact, normal) = subject.contact_in_plane();
        if subject.finding.normal == [0.0; 3] {
            return;
        }
        if let Some(push) = subject.push_at_end() {
            subject.draw_pushed(pane);
            let end = subject.center(&subject.moments[subject.moments.len() - 1]);
            pane.arrow(Ink::Push, end, push, (push.length() * pane.scale).max(10.0));
        }
        if normal.length() > 0.1 {
            pane.arrow(Ink::Normal, contact, normal, 34.0);
        }
        pane.dot(Ink::Contact, contact, 3.2);
    }

    /// Marks where the overlap tests at both ends were made.
    fn tests(&self, pane: &mut Pane) {
        let subject = self.subject;
        let ends = [
            &subject.moments[0],
            &subject.moments[subject.moments.len() - 1],
        ];
        for (index, moment) in ends.into_iter().enumerate() {
            if let Some((_, detects)) = subject.test_at(index) {
                let ink = if detects { Ink::Detected } else { Ink::Missed };
                pane.dot(ink, subject.center(moment), 4.5);
            }
        }
    }

    /// The names of both, the thickness and the allowed travel.
    fn details(&mut self, pane: &Pane) {
        let subject = self.subject;
        let (contact, normal) = subject.contact_in_plane();
        let normal = normal.normalize_or_zero();
        let mover = self.points(pane, subject.mover_area(subject.impact()));
        let tangent = DVec2::new(-normal.y, normal.x);
        // Beside the mover, in the half with more room below.
        let tangent = if tangent.y > 0.0 || (tangent.y == 0.0 && tangent.x > 0.0) {
            -tangent
        } else {
            tangent
        };
        let clear = 0.5 * mover.size().max_element() / pane.scale;
        let most = 0.38 * pane.area().size().min_element();
        let aside = |points: f64| tangent * (clear + points / pane.scale).min(most);
        if let Some(thickness) = subject.thickness().filter(|_| !subject.is_surface()) {
            let far = contact - normal * thickness;
            if pane.contains(far) {
                let text = format!("{} thick", length(thickness, subject.units));
                let aside = aside(if pane.is_round() { 16.0 } else { BELOW_TRAVEL });
                self.dimension(pane, [contact + aside, far + aside], &text);
            }
        }
        if let Some(allowed) = subject
            .allowed()
            .filter(|_| subject.finding.kind != Kind::CameraCrosses)
        {
            let from = subject.center(subject.impact());
            let text = format!("may move {}", length(allowed, subject.units));
            let from = from - aside(14.0);
            self.bracket(pane, [from, from - normal * allowed], tangent, &text);
        }
        let [a, b] = self.names.clone();
        // Not on the obstacle.
        let first = match normal.x > 0.5 {
            true => Side::Right,
            false => Side::Left,
        };
        let sides = [first, Side::Above, Side::Below];
        let seen = mover.overlap(self.points(pane, pane.area()));
        let seen = seen.unwrap_or(mover);
        let item = self.labels.place(Ink::Label, &a, seen, &sides);
        self.items.push(item);
        // Above and beside the corner at the upper right of what is drawn of it, where it does not cover it.
        let mut drawn = pane.like();
        subject.draw_obstacle(&mut drawn);
        let corner = upper_right(&drawn.items);
        let corner = corner.unwrap_or(self.points(pane, pane.area()).high);
        let corner = Area::around(corner - DVec2::Y * ABOVE_CORNER, 0.0);
        let item = self
            .labels
            .place(Ink::Label, &b, corner, &[Side::Right, Side::Left]);
        self.items.push(item);
    }
}

/// The point of what is drawn that is farthest to the right and up; `None` without any.
fn upper_right(items: &[Item]) -> Option<DVec2> {
    let corners = items.iter().flat_map(|item| match item {
        Item::Fill { outlines, .. } => outlines.concat(),
        Item::Line { points, .. } => points.clone(),
        Item::Circle { center, radius, .. } => {
            vec![*center + DVec2::from_angle(-FRAC_PI_4) * *radius]
        }
        Item::Text { .. } => Vec::new(),
    });
    corners.max_by(|one, other| (one.x - one.y).total_cmp(&(other.x - other.y)))
}
