//! Resting spheres against triangles, pair by pair: the contact of each that touches.

use super::columns::{Block, Spheres, Triangles, VectorRoom, corners, vector};
use super::far_triangle::far;
use super::sift::sift;
use super::{BLOCK, Contacts, Lanes};
use crate::core::query::contact::contact_sphere_triangle;
use crate::core::query::triangle_view::{TriangleView, feature};
use crate::core::query::{Contact, Feature};
use crate::core::shape::Facing;

/// The contacts of `spheres[i]` with `triangles[i]`, for every i that both have; `contacts` is emptied first.
pub fn contact_sphere_triangle_pairs(
    lanes: Lanes,
    spheres: &Spheres,
    triangles: &Triangles,
    contacts: &mut Contacts,
) {
    contacts.clear();
    lanes.run(
        #[inline(always)]
        || contact_all(spheres, triangles, contacts),
    );
}

#[inline(always)]
fn contact_all(spheres: &Spheres, triangles: &Triangles, contacts: &mut Contacts) {
    let (first, second) = (spheres.rows(), triangles.rows());
    let (mut near, mut by) = ([[0.0; BLOCK]; 4], [[0.0; BLOCK]; 9]);
    let mut views = Views::EMPTY;
    sift(
        spheres.len().min(triangles.len()),
        #[inline(always)]
        |number| {
            let ((sphere, [here]), (triangle, [there])) =
                (first.rounded(number), second.rounded(number));
            far(sphere, triangle, here + there)
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
                let index = pair as usize;
                let one_sided = triangles.facing[index] == Facing::Front;
                if !views.sure(place, one_sided) {
                    let contact = single(spheres, triangles, index);
                    contacts.extend(contact.map(|contact| (pair, contact)));
                } else if !one_sided || views.side[place] > 0.0 {
                    contacts.push((pair, views.contact(place, &near)));
                }
            }
        },
    );
}

#[cold]
#[inline(never)]
fn single(spheres: &Spheres, triangles: &Triangles, pair: usize) -> Option<Contact> {
    contact_sphere_triangle(&spheres.get(pair), &triangles.get(pair), &mut ())
}

/// What the centres of a block see, a column for each number.
struct Views {
    way: VectorRoom,
    normal: VectorRoom,
    depth: [f64; BLOCK],
    /// Infinite where the view is not clear, so that nothing is sure.
    noise: [f64; BLOCK],
    side: [f64; BLOCK],
    side_noise: [f64; BLOCK],
    feature: [u64; BLOCK],
}

impl Views {
    const EMPTY: Self = Self {
        way: VectorRoom::EMPTY,
        normal: VectorRoom::EMPTY,
        depth: [0.0; BLOCK],
        noise: [0.0; BLOCK],
        side: [0.0; BLOCK],
        side_noise: [0.0; BLOCK],
        feature: [0; BLOCK],
    };

    #[inline(always)]
    fn look(&mut self, sphere: &Block<4>, triangle: &Block<9>) {
        for i in 0..BLOCK {
            let radius = sphere[3][i];
            let view = TriangleView::new(vector(sphere, 0, i), corners(triangle, i));
            let noise = view.noise(radius);
            self.way.set(i, view.way);
            self.normal.set(i, view.normal);
            self.depth[i] = radius - view.distance;
            self.noise[i] = if view.clear { noise } else { f64::INFINITY };
            self.side[i] = view.side;
            self.side_noise[i] = view.side_noise;
            self.feature[i] = view.feature;
        }
    }

    /// Is what a pair sees outside all error bounds?
    #[inline(always)]
    fn sure(&self, place: usize, one_sided: bool) -> bool {
        let sure_side = !one_sided || self.side[place].abs() > self.side_noise[place];
        sure_side && self.depth[place] > self.noise[place]
    }

    #[inline(always)]
    fn contact(&self, place: usize, sphere: &Block<4>) -> Contact {
        Contact {
            point: vector(sphere, 0, place) + self.way.at(place),
            normal: self.normal.at(place),
            depth: self.depth[place],
            feature_a: Feature::Round,
            feature_b: feature(self.feature[place]),
            triangle: None,
            fallback: false,
            via_bounding_sphere: false,
        }
    }
}
