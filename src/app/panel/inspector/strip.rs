//! The selected finding to scale: the mover's path through the surface, and how far it may move to be detected and held.

use crate::app::style;
use crate::app::theme::{Palette, Surfaces};
use crate::core::diagnose::{Finding, Key, Kind, Quantity};
use crate::core::number::percent;
use crate::core::scene::UserUnits;
use egui::accesskit::Role;
use egui::{
    Align2, Color32, FontId, Label, Painter, Rect, RichText, Sense, Stroke, Ui, WidgetInfo, pos2,
    vec2,
};

/// Height of the path, points.
const PATH: f32 = 52.0;
/// Height of a bar with its text, points.
const BAR: f32 = 17.0;
/// The radius with which a camera is drawn, as a part of its displacement.
const CAMERA: f64 = 0.03;
/// Width of a bar's name and of its value, points.
const TEXTS: [f32; 2] = [104.0, 64.0];
/// Share of the path's height that the mover takes at most.
const MOVER: f32 = 0.8;

/// Lengths along the contact normal, metres.
struct Lengths {
    /// Of one frame.
    moved: f64,
    /// Longest that an overlap test always detects.
    detected: f64,
    /// Longest after which the push always leads back.
    held: f64,
    radius: f64,
    thickness: f64,
    /// Moved until the first touch.
    before: f64,
    /// Share of starting phases that are not held.
    lost: Option<f64>,
}

impl Lengths {
    /// The lengths of a finding that an overlap test may miss; `None` of others.
    fn of(finding: &Finding) -> Option<Self> {
        let evidence = |key| finding.value(key);
        let moved = evidence(Key::Displacement).filter(|moved| *moved > 0.0)?;
        if finding.kind == Kind::CameraCrosses {
            return Self::of_camera(finding, moved);
        }
        let lost = finding.lost_share();
        let lengths = Self {
            moved,
            detected: evidence(Key::LimitSeen)?,
            held: evidence(Key::LimitSide)?,
            radius: evidence(Key::Radius).or_else(|| evidence(Key::HalfWidth))?,
            thickness: evidence(Key::Thickness)?,
            before: finding.fraction * moved,
            lost,
        };
        // Of a displacement that is held the lengths explain nothing: something else let the mover through.
        Some(lengths).filter(|lengths| lengths.moved > lengths.held)
    }

    /// The lengths of a camera, a point, by the speeds up to which its probe detects and holds.
    fn of_camera(finding: &Finding, moved: f64) -> Option<Self> {
        let speed = finding
            .fixes
            .iter()
            .find(|fix| fix.what == Quantity::MaxSpeed)?;
        let dt = finding.value(Key::Dt)?;
        let radius = CAMERA * moved;
        Some(Self {
            moved,
            detected: speed.detects? * dt,
            held: speed.holds? * dt,
            radius,
            thickness: 0.0,
            before: finding.fraction * moved - radius,
            lost: None,
        })
    }

    /// The three lengths with their names.
    fn bars(&self) -> [(&'static str, f64); 3] {
        [
            ("moves toward it", self.moved),
            ("detected up to", self.detected),
            ("held up to", self.held),
        ]
    }
}

/// Draws the path, the bars and the three numbers of a finding that has them; the obstacle may be a ball.
pub fn show(ui: &mut Ui, finding: &Finding, is_ball: bool, units: UserUnits) {
    let Some(lengths) = Lengths::of(finding) else {
        return;
    };
    let palette = Palette::of(ui.visuals());
    let size = vec2(ui.available_width(), PATH + 3.0 * BAR);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let (above, below) = rect.split_top_bottom_at_y(rect.top() + PATH);
    let painter = ui.painter().with_clip_rect(rect);
    let above = above.shrink2(vec2(0.0, 4.0));
    path(&painter, above, (&lengths, is_ball), palette);
    let colors = [palette.bad, palette.text_weak, palette.good];
    let most = lengths.bars().map(|(_, length)| length);
    let most = most.into_iter().filter(|length| length.is_finite());
    let most = most.fold(0.0, f64::max);
    for (index, ((name, length), color)) in lengths.bars().into_iter().zip(colors).enumerate() {
        let top = below.top() + BAR * index as f32;
        let row = Rect::from_min_size(pos2(below.left(), top), vec2(below.width(), BAR));
        let share = (length / most).min(1.0) as f32;
        bar(
            ui,
            &painter,
            row,
            (name, &units.length(length), share),
            color,
        );
    }
    let texts = lengths
        .bars()
        .map(|(name, length)| format!("{name} {}", units.length(length)));
    let name = format!("To scale: {}", texts.join(", "));
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    response.on_hover_text(
        "Along the contact normal, in one frame. From the left: the mover at the start of the frame, the surface, and where the mover ends",
    );
    numbers(ui, &lengths, palette, units);
}

/// The mover at the start and at the end, and the surface between, seen along the surface.
fn path(painter: &Painter, rect: Rect, (lengths, is_ball): (&Lengths, bool), palette: &Palette) {
    let Lengths {
        moved,
        radius,
        thickness,
        before,
        ..
    } = *lengths;
    // The mover may be much larger than its displacement: then its rims alone are shown.
    let margin = radius.min(moved);
    let scale = f64::from(rect.width()) / (moved + 2.0 * margin);
    let x = |at: f64| rect.left() + ((at + margin) * scale) as f32;
    let middle = rect.center().y;
    let front = before + radius;
    let thick = if thickness.is_finite() {
        thickness
    } else {
        2.0 * (moved + radius)
    };
    let wall = Rect::from_x_y_ranges(
        x(front)..=x(front + thick).max(x(front) + 2.0),
        rect.y_range(),
    );
    let most = 0.5 * MOVER * rect.height();
    let color = palette.fixed.gamma_multiply(0.8);
    match is_ball {
        true => {
            let radius = 0.5 * wall.width().min(2.0 * most);
            let center = pos2(wall.left() + radius, middle);
            painter.circle_filled(center, radius, color);
        }
        false => drop(painter.rect_filled(wall, 1.0, color)),
    }
    let drawn = ((radius * scale) as f32).clamp(2.0, most);
    let line = Stroke::new(1.5, palette.swept);
    painter.line_segment([pos2(x(0.0), middle), pos2(x(moved), middle)], line);
    painter.circle(
        pos2(x(0.0), middle),
        drawn,
        palette.moving.gamma_multiply(0.35),
        Stroke::new(1.0, palette.ghost_start),
    );
    painter.circle(
        pos2(x(moved), middle),
        drawn,
        palette.moving,
        Stroke::new(1.0, palette.ghost_end),
    );
}

fn bar(
    ui: &Ui,
    painter: &Painter,
    row: Rect,
    (name, value, share): (&str, &str, f32),
    color: Color32,
) {
    let middle = row.center().y;
    let text = |x: f32, align: Align2, text: &str, color: Color32| {
        painter.text(pos2(x, middle), align, text, style::small(), color);
    };
    text(
        row.left(),
        Align2::LEFT_CENTER,
        name,
        ui.visuals().weak_text_color(),
    );
    text(
        row.right(),
        Align2::RIGHT_CENTER,
        value,
        ui.visuals().text_color(),
    );
    let (left, right) = (row.left() + TEXTS[0], row.right() - TEXTS[1]);
    let track = Rect::from_x_y_ranges(left..=right.max(left), middle - 4.0..=middle + 4.0);
    if track.width() < SHORTEST {
        return;
    }
    painter.rect_filled(track, 2.0, Surfaces::of(ui.visuals()).sunken);
    let end = left + track.width() * share;
    let filled = Rect::from_x_y_ranges(left..=end.max(left + 1.0), track.y_range());
    painter.rect_filled(filled, 2.0, color);
}

/// The shortest track of a bar, points: a shorter one compares nothing.
const SHORTEST: f32 = 24.0;

/// The size of the three numbers, points, where there is room.
const LARGE: f32 = 18.0;

/// The three numbers that matter, large: how far it moved, how far it may, and how often that is not held.
fn numbers(ui: &mut Ui, lengths: &Lengths, palette: &Palette, units: UserUnits) {
    let mut all = vec![
        ("toward it", units.length(lengths.moved), palette.text),
        ("may move", units.length(lengths.held), palette.good),
    ];
    let lost = lengths.lost.map(percent);
    all.extend(lost.map(|lost| ("not held", lost, palette.bad)));
    // In a narrow panel they are smaller: a number is not broken.
    let room = ui.available_width() / all.len() as f32 - ui.spacing().item_spacing.x;
    let width = |text: &str, font: FontId| {
        let galley = ui
            .painter()
            .layout_no_wrap(text.to_owned(), font, palette.text);
        galley.size().x
    };
    let names = all.iter().map(|(name, ..)| width(name, style::small()));
    if names.fold(0.0, f32::max) > room {
        for (name, value, color) in all {
            ui.horizontal(|ui| {
                ui.label(RichText::new(value).size(LARGE).strong().color(color));
                ui.label(RichText::new(name).font(style::small()).weak());
            });
        }
        return;
    }
    let widest = all
        .iter()
        .map(|(_, value, _)| width(value, FontId::proportional(LARGE)));
    let widest = widest.fold(1.0, f32::max);
    let size = (LARGE * room / widest).clamp(style::small().size, LARGE);
    ui.columns(all.len(), |columns| {
        for (ui, (name, value, color)) in columns.iter_mut().zip(all) {
            ui.spacing_mut().item_spacing.y = 0.0;
            let value = RichText::new(value).size(size).strong().color(color);
            ui.add(Label::new(value).extend());
            let name = RichText::new(name).font(style::small()).weak();
            ui.add(Label::new(name).truncate());
        }
    });
}
