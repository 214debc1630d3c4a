//! Draw lists: instances in the layout that the GPU reads.
//!
//! Positions are metres relative to an origin near the level, subtracted in `f64` and then stored in `f32`, so that a level
//! at coordinates of 1e7 does not jitter. Colours are sRGB, straight alpha.

use super::geometry::Geometry;
use super::view::{Projection, View};
use bytemuck::{Pod, Zeroable};
use egui::Color32;
use glam::{DVec3, Mat3, Vec3};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Colour as sRGB, 0 to 1, straight alpha.
pub type Rgba = [f32; 4];

/// Colour as sRGB, 0 to 255, straight alpha.
pub type Rgba8 = [u8; 4];

/// An opaque sphere.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SphereInstance {
    /// Centre, relative to the origin.
    pub center: [f32; 3],
    /// Radius, metres.
    pub radius: f32,
    /// Colour.
    pub color: Rgba8,
}

/// A capsule; a sphere where both ends are equal.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct CapsuleInstance {
    /// First end of the segment, relative to the origin.
    pub a: [f32; 3],
    /// Radius, metres.
    pub radius: f32,
    /// Second end of the segment, relative to the origin.
    pub b: [f32; 3],
    /// Colour.
    pub color: Rgba8,
}

/// A mesh with a pose and a scale.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct MeshInstance {
    /// Position of the mesh's centre, relative to the origin.
    pub center: [f32; 3],
    /// The mesh's axes in the world, scaled.
    pub axes: [[f32; 3]; 3],
    /// Colour; the alpha of an opaque mesh is that of its [`BodyFlags`].
    pub color: Rgba8,
}

/// All opaque instances of one mesh.
#[derive(Clone, Debug)]
pub struct MeshBatch {
    /// The mesh.
    pub geometry: Arc<Geometry>,
    /// Its instances.
    pub instances: Vec<MeshInstance>,
}

/// A translucent body.
#[derive(Clone, Debug)]
pub enum Translucent {
    /// Lit, and denser at its rim.
    Capsule(CapsuleInstance),
    /// Not lit.
    Mesh {
        /// The mesh.
        geometry: Arc<Geometry>,
        /// Its instance.
        instance: MeshInstance,
        /// Back faces are drawn too.
        double_sided: bool,
    },
}

impl Translucent {
    /// Centre, relative to the origin.
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
    /// First end, relative to the origin.
    pub a: [f32; 3],
    /// Width, points of the screen.
    pub width: f32,
    /// Second end, relative to the origin.
    pub b: [f32; 3],
    /// Factor on the alpha where a surface is in front, 0 to 1; negative also hides the line behind a surface at its depth.
    pub occluded_alpha: f32,
    /// Colour at `a`.
    pub color_a: Rgba8,
    /// Colour at `b`.
    pub color_b: Rgba8,
    /// Length of a dash and of the gap after it, points of the screen; 0 for a solid line.
    pub dash: f32,
}

/// A text label at a point of the world; painted by egui over the level.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The labelled point, world, metres.
    pub at: DVec3,
    /// Half the width and height of the labelled object, points.
    pub half: [f32; 2],
    /// Preferred side of the text: a unit direction on the screen, right and down.
    pub toward: [f32; 2],
    /// The text.
    pub text: String,
    /// Colour of the text.
    pub color: Color32,
    /// Importance; important labels are placed first.
    pub rank: Rank,
}

/// Importance of a label, most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// An event at the playhead: the gap, the current push.
    Now,
    /// An impact.
    Impact,
    /// A start or an end pose.
    Ghost,
    /// A selected object.
    Selected,
    /// A push.
    Push,
    /// An object's name.
    Name,
}

/// The view in the form that the shaders read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraParams {
    /// Position of the camera, relative to the origin.
    pub eye: Vec3,
    /// Rotation to view space; rows are the view's right, up and backward directions.
    pub view_from_world: Mat3,
    /// Half the viewport's width and height: tangents in perspective, metres otherwise.
    pub half_size: [f32; 2],
    /// True for perspective, false for orthographic.
    pub perspective: bool,
    /// Metres: distance of the near plane in perspective, the depth range to both sides otherwise.
    pub depth: f32,
    /// Height of the viewport, points.
    pub points: f32,
}

impl CameraParams {
    /// The parameters of a view, relative to an origin.
    pub fn of(view: &View, origin: DVec3) -> Self {
        let (half_height, perspective, depth) = match view.projection {
            Projection::Perspective { tangent } => (tangent, true, view.near()),
            Projection::Orthographic { half_height } => (half_height, false, half_height * 2000.0),
        };
        let aspect = view.size.x / view.size.y;
        Self {
            eye: (view.eye - origin).as_vec3(),
            view_from_world: view.axes().transpose().as_mat3(),
            half_size: [(half_height * aspect) as f32, half_height as f32],
            perspective,
            depth: depth as f32,
            points: view.size.y as f32,
        }
    }
}

/// The background and the ambient light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Background {
    /// The colours of an orthographic view and of far ground, of the horizon, and of the sky overhead.
    pub sky: [Rgba; 3],
    /// Fraction of the light that is ambient, 0 to 1; more lightens the shaded sides.
    pub daylight: f32,
}

/// All instances to draw.
#[derive(Clone, Debug, Default)]
pub struct DrawList {
    /// Unique to each filled list.
    pub revision: u64,
    /// Opaque spheres.
    pub spheres: Vec<SphereInstance>,
    /// Opaque capsules.
    pub capsules: Vec<CapsuleInstance>,
    /// Opaque meshes, boxes among them.
    pub meshes: Vec<MeshBatch>,
    /// Translucent bodies, drawn after the opaque ones, farthest first.
    pub translucent: Vec<Translucent>,
    /// Lines, drawn last.
    pub lines: Vec<Line>,
    /// The memory of the batches before the last restart, the first one last.
    spare: Vec<Vec<MeshInstance>>,
}

impl DrawList {
    /// Clears the list, keeps its memory, and gives it a new revision.
    pub fn restart(&mut self) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        self.revision = NEXT.fetch_add(1, Ordering::Relaxed);
        self.spheres.clear();
        self.capsules.clear();
        self.spare.clear();
        self.spare
            .extend(self.meshes.drain(..).rev().map(|batch| batch.instances));
        self.translucent.clear();
        self.lines.clear();
    }

    /// Moves the opaque bodies and the lines here, out of a list that has the same meshes.
    pub fn append(&mut self, other: &mut Self) {
        self.spheres.append(&mut other.spheres);
        self.capsules.append(&mut other.capsules);
        self.lines.append(&mut other.lines);
        for (batch, more) in self.meshes.iter_mut().zip(&mut other.meshes) {
            batch.instances.append(&mut more.instances);
        }
    }

    /// Adds a batch without instances.
    pub fn add_batch(&mut self, geometry: &Arc<Geometry>) -> &mut MeshBatch {
        let mut instances = self.spare.pop().unwrap_or_default();
        instances.clear();
        self.meshes.push_mut(MeshBatch {
            geometry: Arc::clone(geometry),
            instances,
        })
    }

    /// Adds an opaque mesh.
    pub fn add_mesh(&mut self, geometry: &Arc<Geometry>, instance: MeshInstance) {
        let known = |batch: &&mut MeshBatch| Arc::ptr_eq(&batch.geometry, geometry);
        match self.meshes.iter_mut().find(known) {
            Some(batch) => batch.instances.push(instance),
            None => self.add_batch(geometry).instances.push(instance),
        }
    }
}

/// A colour with its alpha multiplied by `alpha`.
pub fn rgba(color: Color32, alpha: f32) -> Rgba {
    let [r, g, b, a] = color.to_srgba_unmultiplied();
    let part = |byte: u8| f32::from(byte) / 255.0;
    [part(r), part(g), part(b), part(a) * alpha]
}

/// The linear interpolation of two colours.
pub fn mix(from: Rgba, to: Rgba, fraction: f32) -> Rgba {
    std::array::from_fn(|i| from[i] + (to[i] - from[i]) * fraction)
}

/// A colour as bytes.
pub fn bytes(color: Rgba) -> Rgba8 {
    color.map(|part| (part * 255.0 + 0.5) as u8)
}

/// Everything that is drawn in one pass.
#[derive(Clone)]
pub struct RenderScene {
    /// The list that does not depend on the view, and the one that does.
    pub lists: [Arc<DrawList>; 2],
    /// The view, relative to the lists' origin.
    pub camera: CameraParams,
    /// The background.
    pub background: Background,
    /// The area with shadows.
    pub shadow: ShadowArea,
    /// From how far surfaces darken each other, metres; 0 for never.
    pub occlusion: f32,
    /// The plane that cuts bodies open.
    pub section: Option<Section>,
}

/// A plane that cuts bodies open: what is in front of it is not drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Normal of the plane, unit.
    pub normal: Vec3,
    /// Its distance from the lists' origin along the normal, metres.
    pub offset: f32,
    /// True to cut every body, false for those with [`BodyFlags::cut`].
    pub cuts_all: bool,
}

/// Properties of an opaque body, in the alpha of its colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BodyFlags {
    /// It cannot move: it has a metre grid and casts no shadow.
    pub fixed: bool,
    /// The section cuts it open.
    pub cut: bool,
    /// Its back faces have another colour.
    pub marks_back: bool,
    /// It is a surface without an inside: a cut shows its other side.
    pub open: bool,
}

impl BodyFlags {
    /// The alpha, with a bit less for each flag.
    pub fn alpha(self) -> u8 {
        let flags = [self.fixed, self.cut, self.marks_back, self.open];
        let bits = flags.into_iter().zip(0..);
        u8::MAX - bits.map(|(flag, bit)| u8::from(flag) << bit).sum::<u8>()
    }
}

/// The area in which bodies cast shadows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShadowArea {
    /// Centre, relative to the lists' origin, metres.
    pub center: Vec3,
    /// Radius, metres, > 0.
    pub radius: f32,
}

impl ShadowArea {
    /// The area around the target of a view, relative to an origin.
    pub fn of(view: &View, origin: DVec3) -> Self {
        Self {
            center: (view.target - origin).as_vec3(),
            radius: (view.distance() * 1.5) as f32,
        }
    }
}
