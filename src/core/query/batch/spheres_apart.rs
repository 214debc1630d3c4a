//! Among candidate pairs of any shapes, the spheres that pass each other by: a level's commonest answer, found in batches.

use super::{Lanes, MovingSpheres, SweepKinds, sweep_sphere_pairs};
use crate::core::shape::{Motion, Shape, Sphere};

/// Looks for two spheres that do not meet; keeps its memory from one stretch of pairs to the next.
#[derive(Debug, Default)]
pub struct SpheresApart {
    first: MovingSpheres,
    second: MovingSpheres,
    /// The pair of each place in the columns.
    places: Vec<u32>,
    kinds: SweepKinds,
    apart: Vec<bool>,
}

impl SpheresApart {
    /// Pairs to ask about at a time: their columns stay in a near cache.
    pub const STRETCH: usize = 1024;

    /// For each pair, whether it is two spheres whose [`sweep`](crate::core::query::sweep()) neither hits nor overlaps. False
    /// for any other pair, and for `None`.
    pub fn find<'s>(
        &mut self,
        pairs: impl Iterator<Item = Option<[(&'s Shape, &'s Motion); 2]>>,
    ) -> &[bool] {
        self.first.clear();
        self.second.clear();
        self.places.clear();
        self.apart.clear();
        for pair in pairs {
            let place = self.apart.len() as u32;
            self.apart.push(false);
            let Some(
                [
                    (Shape::Sphere { radius: a }, from),
                    (Shape::Sphere { radius: b }, to),
                ],
            ) = pair
            else {
                continue;
            };
            self.places.push(place);
            self.first.push(&at(*a, from), from.displacement());
            self.second.push(&at(*b, to), to.displacement());
        }
        sweep_sphere_pairs(Lanes::widest(), &self.first, &self.second, &mut self.kinds);
        for (index, &place) in self.places.iter().enumerate() {
            self.apart[place as usize] = !self.kinds.get(index).meets();
        }
        &self.apart
    }
}

fn at(radius: f64, motion: &Motion) -> Sphere {
    Sphere {
        center: motion.start.position,
        radius,
    }
}
