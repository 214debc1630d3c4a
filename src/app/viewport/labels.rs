//! Label placement: beside the labelled objects, without overlaps; labels that do not fit are dropped, the least important first.

use super::draw_list::Label;
use super::view::View;
use egui::{Pos2, Rect, Vec2};

/// Distances between an object and its label that are tried, points.
const DISTANCES: [f32; 9] = [5.0, 12.0, 20.0, 30.0, 44.0, 60.0, 80.0, 105.0, 135.0];
/// Directions that are tried on each side of the preferred one.
const DIRECTIONS: i32 = 8;
/// Cost of one radian off the preferred direction, points of distance.
const ANGLE_COST: f32 = 16.0;
/// Distance above which a label has a leader line, points.
const LEADER_FROM: f32 = 9.0;

/// A placed label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedLabel {
    /// Index of the label.
    pub index: usize,
    /// Rectangle of the text with its margin, points from the viewport's corner.
    pub rect: Rect,
    /// Line from the object to the label, where they are not next to each other.
    pub leader: Option<[Pos2; 2]>,
}

/// The places of the labels of a list, found again only when the area or a size has changed.
#[derive(Default)]
pub struct LabelPlaces {
    area: Option<Rect>,
    sizes: Vec<Vec2>,
    placed: Vec<PlacedLabel>,
}

impl LabelPlaces {
    /// The places, as [`place_labels`] finds them.
    pub fn of(
        &mut self,
        (view, area): (&View, Rect),
        labels: &[Label],
        sizes: Vec<Vec2>,
        keep_clear: &[Rect],
    ) -> &[PlacedLabel] {
        if self.area != Some(area) || self.sizes != sizes {
            self.placed = place_labels((view, area), labels, &sizes, keep_clear);
            (self.area, self.sizes) = (Some(area), sizes);
        }
        &self.placed
    }
}

/// Places labels in the order of their rank, each at the free position of least cost.
///
/// `sizes` are those of the texts with their margin; labels must be in `area` and not cover `keep_clear`; all in points from the
/// viewport's corner. Drops labels whose object is outside the area, and labels that fit nowhere.
fn place_labels(
    (view, area): (&View, Rect),
    labels: &[Label],
    sizes: &[Vec2],
    keep_clear: &[Rect],
) -> Vec<PlacedLabel> {
    let mut order: Vec<usize> = (0..labels.len().min(sizes.len())).collect();
    order.sort_by_key(|&index| labels[index].rank);
    let mut done: Vec<PlacedLabel> = Vec::new();
    for index in order {
        let Some(at) = view.project(labels[index].at) else {
            continue;
        };
        let at = Pos2::new(at.x as f32, at.y as f32);
        if area.contains(at)
            && let Some(placed) = best(
                area,
                at,
                index,
                &labels[index],
                sizes[index],
                |rect, line| {
                    keep_clear.iter().all(|other| !other.intersects(rect))
                        && done.iter().all(|other| is_clear_of(other, rect, line))
                },
            )
        {
            done.push(placed);
        }
    }
    done
}

/// The free position of least cost.
fn best(
    area: Rect,
    at: Pos2,
    index: usize,
    label: &Label,
    size: Vec2,
    is_free: impl Fn(Rect, Option<[Pos2; 2]>) -> bool,
) -> Option<PlacedLabel> {
    let mut best: Option<(f32, PlacedLabel)> = None;
    for distance in DISTANCES {
        for step in -DIRECTIONS..=DIRECTIONS {
            let angle = step as f32 * std::f32::consts::PI / DIRECTIONS as f32;
            let cost = distance + angle.abs() * ANGLE_COST;
            if best.is_some_and(|(least, _)| cost >= least) {
                continue;
            }
            let (sin, cos) = angle.sin_cos();
            let [x, y] = label.toward;
            let direction = Vec2::new(x * cos - y * sin, x * sin + y * cos);
            if direction.length_sq() < 0.25 {
                continue;
            }
            let edge = ellipse_radius(Vec2::from(label.half), direction);
            let center = at + direction * (edge + distance + rect_radius(size * 0.5, direction));
            let rect = Rect::from_center_size(center, size);
            let leader = (distance > LEADER_FROM)
                .then(|| [at + direction * edge, at + direction * (edge + distance)]);
            if area.contains_rect(rect) && is_free(rect, leader) {
                best = Some((
                    cost,
                    PlacedLabel {
                        index,
                        rect,
                        leader,
                    },
                ));
            }
        }
    }
    best.map(|(_, placed)| placed)
}

/// Distance from the centre of an ellipse with these half axes to its boundary in a unit direction.
fn ellipse_radius(half: Vec2, direction: Vec2) -> f32 {
    1.0 / (direction / half.max(Vec2::splat(0.1))).length()
}

/// Distance from the centre of a rectangle with these half sides to its boundary in a unit direction.
fn rect_radius(half: Vec2, direction: Vec2) -> f32 {
    let side = |half: f32, part: f32| {
        if part.abs() > 1e-6 {
            half / part.abs()
        } else {
            f32::INFINITY
        }
    };
    side(half.x, direction.x).min(side(half.y, direction.y))
}

/// Returns true if a label and its leader line overlap neither another label nor its leader line.
fn is_clear_of(other: &PlacedLabel, rect: Rect, line: Option<[Pos2; 2]>) -> bool {
    !other.rect.expand(1.0).intersects(rect)
        && !line.is_some_and(|line| crosses(line, other.rect))
        && !other.leader.is_some_and(|line| crosses(line, rect))
}

/// Returns true if a line crosses a rectangle, by samples: leader lines are short.
fn crosses([a, b]: [Pos2; 2], rect: Rect) -> bool {
    (0..=12).any(|step| rect.contains(a.lerp(b, step as f32 / 12.0)))
}

#[cfg(test)]
mod tests {
    use super::super::draw_list::Rank;
    use super::super::orbit::Orbit;
    use super::*;
    use egui::Color32;
    use glam::{DVec2, DVec3};

    const AREA: Rect = Rect::from_min_max(Pos2::ZERO, Pos2::new(900.0, 600.0));

    fn view() -> View {
        Orbit::default().view(DVec2::new(900.0, 600.0))
    }

    fn label(rank: Rank, toward: [f32; 2]) -> Label {
        Label {
            at: DVec3::ZERO,
            half: [8.0, 8.0],
            toward,
            text: String::new(),
            color: Color32::WHITE,
            rank,
        }
    }

    #[test]
    fn labels_of_one_point_do_not_overlap() {
        let labels: Vec<Label> = (0..9)
            .map(|number| label(Rank::Name, [(number as f32).cos(), (number as f32).sin()]))
            .collect();
        let sizes = vec![Vec2::new(90.0, 17.0); labels.len()];
        let ball = Rect::from_center_size(Pos2::new(450.0, 300.0), Vec2::splat(16.0));
        let placed = place_labels((&view(), AREA), &labels, &sizes, &[ball]);
        // Leader lines must pass between the others, so that not all fit.
        assert!(placed.len() >= 4);
        for (number, one) in placed.iter().enumerate() {
            assert!(!one.rect.intersects(ball));
            for other in &placed[number + 1..] {
                assert!(!one.rect.intersects(other.rect));
                assert!(!one.leader.is_some_and(|line| crosses(line, other.rect)));
                assert!(!other.leader.is_some_and(|line| crosses(line, one.rect)));
            }
        }
    }

    #[test]
    fn the_least_important_label_is_dropped_without_space() {
        // Only a strip is free, which holds one label.
        let labels = [
            label(Rank::Name, [0.0, -1.0]),
            label(Rank::Impact, [0.0, -1.0]),
        ];
        let sizes = [Vec2::new(60.0, 17.0); 2];
        let taken = [
            Rect::from_min_max(Pos2::ZERO, Pos2::new(900.0, 265.0)),
            Rect::from_min_max(Pos2::new(0.0, 290.0), Pos2::new(900.0, 600.0)),
            Rect::from_min_max(Pos2::ZERO, Pos2::new(415.0, 600.0)),
            Rect::from_min_max(Pos2::new(485.0, 0.0), Pos2::new(900.0, 600.0)),
        ];
        let placed = place_labels((&view(), AREA), &labels, &sizes, &taken);
        assert_eq!(placed.len(), 1);
        assert_eq!(placed[0].index, 1);
    }

    #[test]
    fn a_label_without_obstacles_is_on_its_preferred_side() {
        let placed = place_labels(
            (&view(), AREA),
            &[label(Rank::Name, [1.0, 0.0])],
            &[Vec2::new(60.0, 17.0)],
            &[],
        );
        let rect = placed[0].rect;
        assert!(
            (rect.left() - (450.0 + 8.0 + DISTANCES[0])).abs() < 0.01,
            "{rect}"
        );
        assert!((rect.center().y - 300.0).abs() < 0.01 && placed[0].leader.is_none());
    }

    #[test]
    fn a_label_stays_in_the_shown_part() {
        // The object is at (450, 300), 10 points from the border.
        let (left, right) = AREA.split_left_right_at_x(440.0);
        let labels = [label(Rank::Name, [-1.0, 0.0])];
        let mut places = LabelPlaces::default();
        let sizes = vec![Vec2::new(60.0, 17.0)];
        let mut placed_in = |area| {
            places
                .of((&view(), area), &labels, sizes.clone(), &[])
                .to_vec()
        };
        let placed = placed_in(right);
        assert!(
            placed.len() == 1 && right.contains_rect(placed[0].rect),
            "{placed:?}"
        );
        assert_eq!(placed_in(left), []);
        assert_eq!(placed_in(right), placed);
    }
}
