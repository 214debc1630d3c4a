//! The kind of a pair in a frame: its passages, what its neighbours change, and the overlaps before the frame.

pub mod compound_parts;
pub mod contact_history;
pub mod detected_interval;
pub mod event;
pub mod judged_event;
pub mod mesh_triangles;
pub mod one_sided;
pub mod overlap_depth;
pub mod own_push;
pub mod pair;
pub mod passages;
pub mod rotating_pair;
pub mod sideways_push;
pub mod solids;
pub mod substeps;
pub mod two_segment_path;

#[cfg(test)]
mod tests {
    use crate::core::replay::Replay;
    use crate::core::scene::{Object, Scene};
    use crate::core::shape::Shape;
    use glam::DVec3;

    /// A cube of 2 m at the origin, and a ball 9 m above it.
    pub fn cube_and_ball() -> Replay {
        let cube = Shape::Box {
            half_extents: DVec3::ONE,
        };
        let ball = Shape::Sphere { radius: 1.0 };
        let objects = vec![
            Object::new("cube", cube, DVec3::ZERO),
            Object::new("ball", ball, DVec3::Y * 9.0),
        ];
        Replay::stepped(Scene::new("test", objects).into())
    }
}
