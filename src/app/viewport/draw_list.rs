//! What is drawn: plain instances that go to the GPU as they are.
//!
//! Positions are metres relative to an origin near the level, subtracted in `f64` and then stored in `f32`, so that a level
//! at coordinates of 1e7 does not tremble. Colours are sRGB, straight alpha.

use super::geometry::Geometry;
use super::view::{Projection, View};
use bytemuck::{Pod, Zeroable};
use egui::Color32;
use glam::{DVec3, Mat3, Vec3};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// sRGB, 0 to 1, straight alpha.
pub type Rgba = [f32; 4];

/// sRGB, 0 to 255, straight alpha.
pub type Rgba8 = [u8; 4];

/// An opaque sphere.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SphereInstance {
    /// Relative to the origin.
    pub center: [f32; 3],
    /// Metres.
    pub radius: f32,
    /// Its colour.
    pub color: Rgba8,
}

/// A capsule; a sphere where both ends are equal.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct CapsuleInstance {
    /// One end of its segment, relative to the origin.
    pub a: [f32; 3],
    /// Metres.
    pub radius: f32,
    /// The other end.
    pub b: [f32; 3],
    /// Its colour.
    pub color: Rgba8,
}

/// A mesh at a place.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct MeshInstance {
    /// Where the mesh's centre is, relative to the origin.
    pub center: [f32; 3],
    /// The mesh's axes in the world, with its scale.
    pub axes: [[f32; 3]; 3],
    /// Its colour.
    pub color: Rgba8,
}

/// All opaque instances of one mesh.
#[derive(Clone, Debug)]
pub struct MeshBatch {
    /// The mesh.
    pub geometry: Arc<Geometry>,
    /// Where it is drawn.
    pub instances: Vec<MeshInstance>,
}

/// A body that lets through what is behind it.
#[derive(Clone, Debug)]
pub enum Translucent {
    /// Lit, and denser at its rim.
    Capsule(CapsuleInstance),
    /// Not lit.
    Mesh {
        /// The mesh.
        geometry: Arc<Geometry>,
        /// Where it is drawn.
        instance: MeshInstance,
        /// Drawn from behind, too.
        double_sided: bool,
    },
}

impl Translucent {
    /// A point in its middle, relative to the origin.
    pub fn center(&self) -> Vec3 {
        match self {
            Self::Capsule(capsule) => {
                (Vec3::from_array(capsule.a) + Vec3::from_array(capsule.b)) * 0.5
            }
            Self::Mesh { instance, .. } => Vec3::from_array(instance.center),
        }
    }
}

/// A line of constant width on the screen; equal ends draw a disc.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Line {
    /// Relative to the origin.
    pub a: [f32; 3],
    /// Points of the screen.
    pub width: f32,
    /// Relative to the origin.
    pub b: [f32; 3],
    /// Share of the alpha that is left where a surface is in front, 0 to 1.
    pub occluded_alpha: f32,
    /// At `a`.
    pub color_a: Rgba8,
    /// At `b`.
    pub color_b: Rgba8,
    /// Length of a dash and of the gap after it, points of the screen; 0 for a solid line.
    pub dash: f32,
}

/// Words in the picture; drawn by egui over it.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// World, metres.
    pub at: DVec3,
    /// Half the width and height of what is there, points.
    pub half: [f32; 2],
    /// Where the words would best be: a unit direction on the screen, right and down.
    pub toward: [f32; 2],
    /// The words.
    pub text: String,
    /// Of the words.
    pub color: Color32,
    /// Which labels are placed before which.
    pub rank: Rank,
}

/// How important words are, most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// What happens at the playhead: the gap, the push that is being made.
    Now,
    /// The impact.
    Impact,
    /// Where something starts and ends.
    Ghost,
    /// What is selected.
    Selected,
    /// A push.
    Push,
    /// A name.
    Name,
}

/// The view as the shaders need it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraParams {
    /// Relative to the origin.
    pub eye: Vec3,
    /// Rows are the view's right, up and backward directions.
    pub view_from_world: Mat3,
    /// Half of the picture's width and height: tangents in perspective, metres otherwise.
    pub half_size: [f32; 2],
    /// Far is small.
    pub perspective: bool,
    /// Metres: the near plane in perspective, the reach to both sides otherwise.
    pub depth: f32,
    /// Height of the picture in points; widths of lines are in the same.
    pub points: f32,
}

impl CameraParams {
    /// Those of a view, relative to an origin.
    pub fn of(view: &View, origin: DVec3) -> Self {
        let (half_height, perspective, depth) = match view.projection {
            Projection::Perspective { tangent } => (tangent, true, view.near()),
            Projection::Orthographic { half_height } => (half_height, false, half_height * 2000.0),
        };
        let wide = view.size.x / view.size.y;
        Self {
            eye: (view.eye - origin).as_vec3(),
            view_from_world: view.axes().transpose().as_mat3(),
            half_size: [(half_height * wide) as f32, half_height as f32],
            perspective,
            depth: depth as f32,
            points: view.size.y as f32,
        }
    }
}

/// What is behind everything, and how bright it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Background {
    /// Colours at the top and at the bottom.
    pub sky: [Rgba; 2],
    /// Share of the light that comes from a bright surrounding, 0 to 1: shadows are that much lighter.
    pub daylight: f32,
}

/// Things to draw.
#[derive(Clone, Debug, Default)]
pub struct DrawList {
    /// Differs between any two lists that were filled.
    pub revision: u64,
    /// Opaque spheres.
    pub spheres: Vec<SphereInstance>,
    /// Opaque capsules.
    pub capsules: Vec<CapsuleInstance>,
    /// Opaque meshes, boxes among them.
    pub meshes: Vec<MeshBatch>,
    /// Drawn after all that is opaque, the farthest first.
    pub translucent: Vec<Translucent>,
    /// Drawn last.
    pub lines: Vec<Line>,
}

impl DrawList {
    /// An empty list in the same memory, with a revision of its own.
    pub fn restart(&mut self) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        self.revision = NEXT.fetch_add(1, Ordering::Relaxed);
        self.spheres.clear();
        self.capsules.clear();
        self.meshes.clear();
        self.translucent.clear();
        self.lines.clear();
    }

    /// Adds an opaque mesh.
    pub fn add_mesh(&mut self, geometry: &Arc<Geometry>, instance: MeshInstance) {
        let known = |batch: &&mut MeshBatch| Arc::ptr_eq(&batch.geometry, geometry);
        match self.meshes.iter_mut().find(known) {
            Some(batch) => batch.instances.push(instance),
            None => self.meshes.push(MeshBatch {
                geometry: Arc::clone(geometry),
                instances: vec![instance],
            }),
        }
    }
}

/// A theme's colour with its alpha multiplied by `alpha`.
pub fn rgba(color: Color32, alpha: f32) -> Rgba {
    let [r, g, b, a] = color.to_srgba_unmultiplied();
    let part = |byte: u8| f32::from(byte) / 255.0;
    [part(r), part(g), part(b), part(a) * alpha]
}

/// A colour between two, at a share of the way.
pub fn mix(from: Rgba, to: Rgba, share: f32) -> Rgba {
    std::array::from_fn(|i| from[i] + (to[i] - from[i]) * share)
}

/// A colour in bytes.
pub fn bytes(color: Rgba) -> Rgba8 {
    color.map(|part| (part * 255.0 + 0.5) as u8)
}
