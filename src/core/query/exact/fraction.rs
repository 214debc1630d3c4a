//! The time of impact from polynomials without rounding: good to some units of the last place however flat the impact.

use super::parts::ratio;
use super::{Body, Exact, ExactSweep, ExactVector};
use std::cmp::Ordering;

/// A way in numbers near 1: places and step scaled apart, so that no product leaves the range of `f64`.
struct Near {
    step: ExactVector,
    reach: Exact,
    /// Powers of 64 binary digits that were taken off the places.
    places: i32,
    /// How much more the step grew than the places: a fraction comes out smaller by as much.
    apart: i32,
}

impl ExactSweep {
    /// When the way first enters the grown body, which it does; `0 <= fraction < 1`.
    pub(super) fn fraction(&self) -> f64 {
        let first = match &self.body {
            Body::Plane { normal, distance } => {
                let left = distance.minus(&self.reach);
                ratio(&left, &normal.dot(&self.step).negated())
            }
            Body::Flat { edges, faces, .. } => {
                let corners = edges.iter().flatten();
                let size = corners.map(ExactVector::magnitude).max().unwrap_or(0);
                let near = self.near(size);
                let of_edges = edges.iter().filter_map(|edge| near.enters_capsule(edge));
                let of_faces = faces.iter().filter_map(|face| near.enters_face(face));
                of_edges.chain(of_faces).fold(1.0, f64::min)
            }
            Body::Box { center, half } => {
                let near = self.near(center.magnitude().max(half.magnitude()));
                let edges = super::parts::box_edges(center, half);
                let of_edges = edges.iter().filter_map(|edge| near.enters_capsule(edge));
                let of_faces = (0..3).filter_map(|axis| near.enters_slab(center, half, axis));
                of_edges.chain(of_faces).fold(1.0, f64::min)
            }
        };
        first.clamp(0.0, 1.0_f64.next_down())
    }

    fn near(&self, size: i32) -> Near {
        let places = -size.max(self.reach.magnitude());
        let steps = -self.step.magnitude();
        Near {
            step: self.step.clone().scaled(steps),
            reach: self.reach.clone().scaled(places),
            places,
            apart: steps - places,
        }
    }
}

impl Near {
    fn place(&self, vector: &ExactVector) -> ExactVector {
        vector.clone().scaled(self.places)
    }

    /// An edge's cylinder between its ends, and the two balls there.
    fn enters_capsule(&self, edge: &[ExactVector; 2]) -> Option<f64> {
        let [a, b] = [&edge[0], &edge[1]].map(|end| self.place(end));
        let balls = [self.enters_ball(&a), self.enters_ball(&b)];
        let cylinder = self.enters_cylinder(&a, &b);
        balls
            .into_iter()
            .chain([cylinder])
            .flatten()
            .reduce(f64::min)
    }

    fn enters_ball(&self, center: &ExactVector) -> Option<f64> {
        let a = self.step.square();
        let b = center.dot(&self.step).negated();
        let c = center.square().minus(&self.reach.squared());
        self.root(&a, &b, &c)
    }

    fn enters_cylinder(&self, a: &ExactVector, b: &ExactVector) -> Option<f64> {
        let along = b.minus(a);
        let length = along.square();
        if length.sign() == Ordering::Equal {
            return None;
        }
        let (of_step, of_start) = (self.step.dot(&along), a.dot(&along).negated());
        // What is square to the axis, times its squared length.
        let square = self.step.square().times(&length).minus(&of_step.squared());
        let half = a
            .dot(&self.step)
            .negated()
            .times(&length)
            .minus(&of_start.times(&of_step));
        let rest = a
            .square()
            .minus(&self.reach.squared())
            .times(&length)
            .minus(&of_start.squared());
        let fraction = self.root(&square, &half, &rest)?;
        let share =
            (of_start.to_f64() + self.unscaled(fraction) * of_step.to_f64()) / length.to_f64();
        (0.0..=1.0).contains(&share).then_some(fraction)
    }

    fn enters_face(&self, face: &[ExactVector; 3]) -> Option<f64> {
        let [a, b, c] = [&face[0], &face[1], &face[2]].map(|corner| self.place(corner));
        let normal = b.minus(&a).cross(&c.minus(&a));
        let (height, rate) = (a.dot(&normal).negated(), self.step.dot(&normal));
        let square = normal.square();
        let left = height.squared().minus(&self.reach.squared().times(&square));
        let approaches = height.sign() == rate.sign().reverse() && rate.sign().is_ne();
        if !approaches || left.sign() == Ordering::Less {
            return None;
        }
        let offset = self.reach.to_f64() * square.to_f64().sqrt();
        let left = left.scaled(self.apart).to_f64();
        let fraction = left / (rate.to_f64().abs() * (height.to_f64().abs() + offset));
        let at = self.step.times(&Exact::new(self.unscaled(fraction)));
        let [u, v, w] = [&a, &b, &c].map(|corner| corner.minus(&at));
        let inside =
            |p: &ExactVector, q: &ExactVector| p.cross(q).dot(&normal).sign() != Ordering::Less;
        (inside(&u, &v) && inside(&v, &w) && inside(&w, &u)).then_some(fraction)
    }

    /// A box grown along one axis only.
    fn enters_slab(&self, center: &ExactVector, half: &ExactVector, axis: usize) -> Option<f64> {
        let (center, half) = (self.place(center), self.place(half));
        let rate = &self.step.0[axis];
        let reach = half.0[axis].plus(&self.reach);
        let left = match rate.sign() {
            Ordering::Greater => center.0[axis].minus(&reach),
            Ordering::Less => center.0[axis].plus(&reach).negated(),
            Ordering::Equal => return None,
        };
        if left.sign() == Ordering::Less {
            return None;
        }
        let fraction = left.scaled(self.apart).to_f64() / rate.to_f64().abs();
        let at = self
            .step
            .times(&Exact::new(self.unscaled(fraction)))
            .minus(&center);
        let over = (0..3).filter(|&k| k != axis).all(|k| {
            let size = if at.0[k].sign() == Ordering::Less {
                at.0[k].negated()
            } else {
                at.0[k].clone()
            };
            size.compare(&half.0[k]) != Ordering::Greater
        });
        over.then_some(fraction)
    }

    /// `a t^2 + 2 b t + c = 0` at `c / (sqrt(b^2 - a c) - b)`, in which nothing cancels.
    fn root(&self, a: &Exact, b: &Exact, c: &Exact) -> Option<f64> {
        let discriminant = b.squared().minus(&a.times(c));
        if b.sign() != Ordering::Less || discriminant.sign() != Ordering::Greater {
            return None;
        }
        if c.sign() != Ordering::Greater {
            return Some(0.0);
        }
        let below = discriminant.to_f64().sqrt() - b.to_f64();
        Some(c.clone().scaled(self.apart).to_f64() / below)
    }

    /// A fraction in the scale of the step here.
    fn unscaled(&self, fraction: f64) -> f64 {
        let half = 2.0_f64.powi(-32 * self.apart);
        fraction * half * half
    }
}
