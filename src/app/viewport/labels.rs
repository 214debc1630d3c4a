//! Where words go: beside what they name, never over one another nor over what must be seen, the least important left out.

use super::draw_list::Label;
use super::view::View;
use egui::{Pos2, Rect, Vec2};

/// Points between a thing and the nearest of its words, in the order of trying.
const AWAY: [f32; 9] = [5.0, 12.0, 20.0, 30.0, 44.0, 60.0, 80.0, 105.0, 135.0];
/// Directions tried: so many to each side of the preferred one.
const TURNS: i32 = 8;
/// What a turn by one radian costs, points of distance.
const TURN_COST: f32 = 16.0;
/// Words farther from their thing than this get a line to it, points.
const LEADER_FROM: f32 = 9.0;

/// A label that has a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Which of the labels.
    pub index: usize,
    /// Of the words with their margin, points from the picture's corner.
    pub rect: Rect,
    /// From the thing to its words, where they are not beside each other.
    pub leader: Option<[Pos2; 2]>,
}

/// Places labels in the order of their rank, each in the free place nearest to where it would like to be.
///
/// `sizes` are those of the words with their margin; `keep_clear` holds what words must not cover; all in points from the
/// picture's corner. A label whose thing is not in the picture, or that finds no free place, is left out.
pub fn place(view: &View, labels: &[Label], sizes: &[Vec2], keep_clear: &[Rect]) -> Vec<Placed> {
    let area = Rect::from_min_size(
        Pos2::ZERO,
        Vec2::new(view.size.x as f32, view.size.y as f32),
    );
    let mut order: Vec<usize> = (0..labels.len().min(sizes.len())).collect();
    order.sort_by_key(|&index| labels[index].rank);
    let mut done: Vec<Placed> = Vec::new();
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
                        && done.iter().all(|other| free(other, rect, line))
                },
            )
        {
            done.push(placed);
        }
    }
    done
}

/// The cheapest place that is free.
fn best(
    area: Rect,
    at: Pos2,
    index: usize,
    label: &Label,
    size: Vec2,
    free: impl Fn(Rect, Option<[Pos2; 2]>) -> bool,
) -> Option<Placed> {
    let mut best: Option<(f32, Placed)> = None;
    for away in AWAY {
        for turn in -TURNS..=TURNS {
            let angle = turn as f32 * std::f32::consts::PI / TURNS as f32;
            let cost = away + angle.abs() * TURN_COST;
            if best.is_some_and(|(least, _)| cost >= least) {
                continue;
            }
            let (sin, cos) = angle.sin_cos();
            let [x, y] = label.toward;
            let way = Vec2::new(x * cos - y * sin, x * sin + y * cos);
            if way.length_sq() < 0.25 {
                continue;
            }
            let edge = rim(Vec2::from(label.half), way);
            let center = at + way * (edge + away + exit(size * 0.5, way));
            let rect = Rect::from_center_size(center, size);
            let leader = (away > LEADER_FROM).then(|| [at + way * edge, at + way * (edge + away)]);
            if area.contains_rect(rect) && free(rect, leader) {
                best = Some((
                    cost,
                    Placed {
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

/// How far it is from the middle of an ellipse with these half axes to its rim.
fn rim(half: Vec2, way: Vec2) -> f32 {
    1.0 / (way / half.max(Vec2::splat(0.1))).length()
}

/// How far it is from the middle of a rectangle with these half sides to its rim.
fn exit(half: Vec2, way: Vec2) -> f32 {
    let side = |half: f32, way: f32| {
        if way.abs() > 1e-6 {
            half / way.abs()
        } else {
            f32::INFINITY
        }
    };
    side(half.x, way.x).min(side(half.y, way.y))
}

/// Neither words over words, nor a line through words.
fn free(other: &Placed, rect: Rect, line: Option<[Pos2; 2]>) -> bool {
    !other.rect.expand(1.0).intersects(rect)
        && !line.is_some_and(|line| crosses(line, other.rect))
        && !other.leader.is_some_and(|line| crosses(line, rect))
}

/// Leaders are short: a few places along one say enough.
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
    fn words_around_one_place_cover_neither_it_nor_each_other() {
        let labels: Vec<Label> = (0..9)
            .map(|number| label(Rank::Name, [(number as f32).cos(), (number as f32).sin()]))
            .collect();
        let sizes = vec![Vec2::new(90.0, 17.0); labels.len()];
        let ball = Rect::from_center_size(Pos2::new(450.0, 300.0), Vec2::splat(16.0));
        let placed = place(&view(), &labels, &sizes, &[ball]);
        // A line to its thing must find its way between the others, so that not all have room.
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
    fn the_least_important_is_left_out_when_there_is_no_room() {
        // The whole picture is taken but for a strip that holds one.
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
        let placed = place(&view(), &labels, &sizes, &taken);
        assert_eq!(placed.len(), 1);
        assert_eq!(placed[0].index, 1);
    }

    #[test]
    fn a_free_label_stands_where_it_would_like_to() {
        let placed = place(
            &view(),
            &[label(Rank::Name, [1.0, 0.0])],
            &[Vec2::new(60.0, 17.0)],
            &[],
        );
        let rect = placed[0].rect;
        assert!(
            (rect.left() - (450.0 + 8.0 + AWAY[0])).abs() < 0.01,
            "{rect}"
        );
        assert!((rect.center().y - 300.0).abs() < 0.01 && placed[0].leader.is_none());
    }
}
