//! Resting spheres against rotated boxes, pair by pair: the contact of each that touches.

use super::columns::{Block, Boxes, Spheres, VectorRoom, vector};
use super::far_box::far;
use super::sift::sift;
use super::{BLOCK, Contacts, Lanes};
use crate::core::query::box_view::{BoxView, Turn};
use crate::core::query::contact::contact_sphere_obb;
use crate::core::query::nearest::box_part;
use crate::core::query::{Contact, Feature};

/// The contacts of `spheres[i]` with `boxes[i]`, for every i that both have; `contacts` is emptied first.
pub fn contact_sphere_obb_pairs(
    lanes: Lanes,
    spheres: &Spheres,
    boxes: &Boxes,
    contacts: &mut Contacts,
) {
    contacts.clear();
    lanes.run(
        #[inline(always)]
        || contact_all(spheres, boxes, contacts),
    );
}

#[inline(always)]
fn contact_all(spheres: &Spheres, boxes: &Boxes, contacts: &mut Contacts) {
    let (first, second) = (spheres.rows(), boxes.rows());
    let (mut near, mut by) = ([[0.0; BLOCK]; 4], [[0.0; BLOCK]; 10]);
    let mut views = Views::EMPTY;
    sift(
        spheres.len().min(boxes.len()),
        #[inline(always)]
        |number| {
            let ((sphere, [here]), (solid, [there])) =
                (first.rounded(number), second.rounded(number));
            far(sphere, solid, here + there)
        },
        #[inline(always)]
        |pair| {
            first.fetch(pair);
            second.fetch(pair);
        },
        #[inline(always)]
        |pairs| {
            first.gather(pairs, &mut near);
            second.gather(pairs, &mut by);
            views.look(&near, &by);
            for (place, &pair) in pairs.iter().enumerate() {
                if views.depth[place] < -views.noise[place] {
                    continue;
                }
                if views.depth[place] > views.noise[place] {
                    contacts.push((pair, views.contact(place)));
                } else {
                    let contact = single(spheres, boxes, pair as usize);
                    contacts.extend(contact.map(|contact| (pair, contact)));
                }
            }
        },
    );
}

#[cold]
#[inline(never)]
fn single(spheres: &Spheres, boxes: &Boxes, pair: usize) -> Option<Contact> {
    contact_sphere_obb(&spheres.get(pair), &boxes.get(pair), &mut ())
}

/// What the centres of a block see, a column for each number; in the world.
struct Views {
    point: VectorRoom,
    normal: VectorRoom,
    depth: [f64; BLOCK],
    /// Infinite where the view is not clear, so that nothing is sure.
    noise: [f64; BLOCK],
    part: [u64; BLOCK],
}

impl Views {
    const EMPTY: Self = Self {
        point: VectorRoom::EMPTY,
        normal: VectorRoom::EMPTY,
        depth: [0.0; BLOCK],
        noise: [0.0; BLOCK],
        part: [0; BLOCK],
    };

    #[inline(always)]
    fn look(&mut self, sphere: &Block<4>, solid: &Block<10>) {
        for i in 0..BLOCK {
            let turn = Turn {
                vector: vector(solid, 6, i),
                scalar: solid[9][i],
            };
            let (center, radius) = (vector(solid, 0, i), sphere[3][i]);
            let local = turn.back().apply(vector(sphere, 0, i) - center);
            let view = BoxView::new(local, vector(solid, 3, i));
            let noise = view.noise(radius, turn.stretch());
            self.point.set(i, center + turn.apply(view.nearest));
            self.normal.set(i, turn.apply(view.out) * view.per_length);
            self.depth[i] = radius - view.distance;
            self.noise[i] = if view.clear { noise } else { f64::INFINITY };
            self.part[i] = view.part;
        }
    }

    #[inline(always)]
    fn contact(&self, place: usize) -> Contact {
        Contact {
            point: self.point.at(place),
            normal: self.normal.at(place),
            depth: self.depth[place],
            feature_a: Feature::Round,
            feature_b: box_part(self.part[place]),
            triangle: None,
            fallback: false,
            via_bounding_sphere: false,
        }
    }
}
