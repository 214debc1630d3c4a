//! Response of a contact on two velocities.

use crate::core::scene::Response;
use crate::core::tolerance::ROUNDING_APPROACH;
use glam::DVec3;

/// Two vectors that a contact changes (metres per second, or metres per frame), with inverse masses.
#[derive(Clone, Copy, Debug)]
pub struct VelocityPair {
    /// First vector.
    pub a: DVec3,
    /// Second vector.
    pub b: DVec3,
    /// First inverse mass; 0 cannot be changed.
    pub inverse_a: f64,
    /// Second inverse mass; 0 cannot be changed.
    pub inverse_b: f64,
}

impl VelocityPair {
    /// Rate at which the gap closes along a normal that points from b to a; negative when it opens.
    pub fn closing(&self, normal: DVec3) -> f64 {
        (self.b - self.a).dot(normal)
    }

    /// True when the gap closes by more than the rounding of the two vectors.
    pub fn closes(&self, normal: DVec3) -> bool {
        self.closing(normal) > ROUNDING_APPROACH * (self.a.length() + self.b.length())
    }

    /// Turns the closing rate c into -restitution * c by an impulse along the normal, divided by inverse mass, so that
    /// momentum is kept. Nothing when they separate, or when neither can be changed.
    ///
    /// j = (1 + e) c / (1/m_a + 1/m_b). Source: Millington, Game Physics Engine Development, 2007, section 7.2.
    pub fn separate(&mut self, normal: DVec3, restitution: f64) {
        let total = self.inverse_a + self.inverse_b;
        let closing = self.closing(normal);
        if total > 0.0 && closing > 0.0 {
            let impulse = normal * ((1.0 + restitution) * closing / total);
            self.a += impulse * self.inverse_a;
            self.b -= impulse * self.inverse_b;
        }
    }

    /// Stops both, where they can be changed.
    pub fn stop(&mut self) {
        if self.inverse_a > 0.0 {
            self.a = DVec3::ZERO;
        }
        if self.inverse_b > 0.0 {
            self.b = DVec3::ZERO;
        }
    }

    /// The response on velocities. `rest` is the closing speed below which a bounce that loses energy does not bounce.
    pub fn respond(&mut self, response: Response, normal: DVec3, rest: f64) {
        match response {
            Response::Ignore | Response::Push => {}
            Response::Slide => self.separate(normal, 0.0),
            Response::Stop => self.stop(),
            Response::Bounce { .. } => {
                self.separate(normal, restitution(response, self.closing(normal), rest));
            }
        }
    }
}

/// Restitution of a response. `rest` is the closing speed below which a bounce that loses energy does not bounce.
pub fn restitution(response: Response, closing: f64, rest: f64) -> f64 {
    match response {
        Response::Bounce { restitution } if restitution >= 1.0 || closing >= rest => restitution,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn velocities(a: DVec3, b: DVec3, mass_a: f64, mass_b: f64) -> VelocityPair {
        VelocityPair {
            a,
            b,
            inverse_a: mass_a.recip(),
            inverse_b: mass_b.recip(),
        }
    }

    #[test]
    fn equal_masses_swap_their_normal_velocities() {
        let mut pair = velocities(DVec3::new(2.0, 1.0, 0.0), DVec3::ZERO, 3.0, 3.0);
        pair.respond(Response::Bounce { restitution: 1.0 }, DVec3::NEG_X, 0.0);
        assert_eq!(pair.a, DVec3::Y);
        assert_eq!(pair.b, DVec3::new(2.0, 0.0, 0.0));
    }

    #[test]
    fn a_bounce_keeps_momentum_and_energy() {
        let (mass_a, mass_b) = (2.0, 5.0);
        let before = velocities(
            DVec3::new(3.0, -1.0, 0.5),
            DVec3::new(-2.0, 0.25, 1.0),
            mass_a,
            mass_b,
        );
        let mut after = before;
        let normal = DVec3::new(-2.0, 1.0, 2.0) / 3.0;
        after.respond(Response::Bounce { restitution: 1.0 }, normal, 0.0);
        assert_ne!(after.a, before.a);
        let momentum = |pair: &VelocityPair| pair.a * mass_a + pair.b * mass_b;
        let energy = |pair: &VelocityPair| {
            pair.a.length_squared() * mass_a + pair.b.length_squared() * mass_b
        };
        assert!(momentum(&before).distance(momentum(&after)) < 1e-14);
        assert!((energy(&before) - energy(&after)).abs() < 1e-13);
    }

    #[test]
    fn a_wall_takes_no_velocity_and_parting_objects_are_left_alone() {
        let mut pair = velocities(DVec3::new(1.0, -2.0, 0.0), DVec3::ZERO, 1.0, f64::INFINITY);
        pair.respond(Response::Slide, DVec3::Y, 0.0);
        assert_eq!((pair.a, pair.b), (DVec3::X, DVec3::ZERO));
        let mut parting = velocities(DVec3::Y, DVec3::ZERO, 1.0, 1.0);
        parting.respond(Response::Bounce { restitution: 1.0 }, DVec3::Y, 0.0);
        assert_eq!((parting.a, parting.b), (DVec3::Y, DVec3::ZERO));
    }

    #[test]
    fn slow_bounces_that_lose_energy_come_to_rest() {
        let mut pair = velocities(DVec3::NEG_Y, DVec3::ZERO, 1.0, f64::INFINITY);
        pair.respond(Response::Bounce { restitution: 0.5 }, DVec3::Y, 2.0);
        assert_eq!(pair.a, DVec3::ZERO);
    }
}
