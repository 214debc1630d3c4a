//! Triangle meshes of shapes for the GPU, cached and shared by instances.

use crate::app::view_options::drawn_step;
use crate::core::shape::{
    Cone, ConvexHull, Cylinder, HeightGrid, Mesh, Obb, Pose, RoundedBox, Shape, Solid, SolidShape,
};
use bytemuck::{Pod, Zeroable};
use glam::{DQuat, DVec3};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

/// Meshes with more triangles than this are built in the background.
const MAX_IMMEDIATE: usize = 20_000;
/// Meshes with more sharp edges than this are outlined as their box.
const MAX_EDGES: usize = 20_000;
/// Cosine between the normals of two faces below which their edge is sharp.
const SHARP: f64 = 0.999;

/// A corner of a triangle; three in a row form a triangle.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct MeshVertex {
    /// Position, relative to the geometry's centre.
    pub position: [f32; 3],
    /// Normal; unit length is `i16::MAX`.
    pub normal: [i16; 3],
    /// Two bits for the edge opposite each corner of the triangle: see [`Edge`].
    pub edges: i16,
}

/// Visibility of a triangle's edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    /// Not drawn: it only divides a face.
    Hidden = 0,
    /// Drawn faintly: between two faces in one plane.
    Weak = 1,
    /// Between two faces at an angle, or at the border of a mesh.
    Sharp = 2,
}

/// The triangles of a shape, possibly still being built.
#[derive(Debug, Default)]
pub struct Geometry {
    /// Centre of the vertices in local space, metres; vertices are relative to it, so that `f32` suffices.
    pub center: DVec3,
    built: OnceLock<Built>,
}

/// The triangles of a geometry.
#[derive(Debug, Default)]
pub struct Built {
    /// Three vertices for each triangle.
    pub vertices: Vec<MeshVertex>,
    /// The sharp edges, local space; empty where there are too many.
    pub outline: Vec<[DVec3; 2]>,
}

impl Geometry {
    /// The triangles; `None` while they are built in the background.
    pub fn built(&self) -> Option<&Built> {
        self.built.get()
    }

    fn finished(center: DVec3, built: Built) -> Arc<Self> {
        Arc::new(Self {
            center,
            built: OnceLock::from(built),
        })
    }
}

/// Key of a cached geometry; shapes that differ in scale only share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Box,
    Quad,
    Triangle,
    Cylinder,
    Cone,
    ArrowHead,
    RoundedBox([u64; 4]),
    /// By address, which the entry's [`KeepAlive`] reserves.
    Hull(usize),
    /// By address, which the entry's [`KeepAlive`] reserves.
    Mesh(usize),
}

/// A reference that keeps an address from being reused while the cache has its geometry.
enum KeepAlive {
    Nothing,
    Hull(Arc<ConvexHull>),
    Mesh(Arc<Mesh>),
}

/// Unit geometries that do not depend on a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A box from -1 to 1 along every axis.
    Box,
    /// A square from -1 to 1 along x and y.
    Quad,
    /// The triangle (0, 0), (1, 0), (0, 1) in the xy plane.
    Triangle,
    /// A cone along y with its tip at 1 and its base, of radius 1, at -1; without edges.
    ArrowHead,
}

/// A cache of geometries.
#[derive(Default)]
pub struct GeometryCache {
    entries: HashMap<Key, (KeepAlive, Arc<Geometry>)>,
    /// The window to repaint when a geometry is finished; `None` builds all geometries immediately.
    pub repaint: Option<egui::Context>,
}

impl GeometryCache {
    /// Removes the geometries whose shape nothing else references.
    pub fn prune(&mut self) {
        self.entries.retain(|_, (owner, _)| match owner {
            KeepAlive::Nothing => true,
            KeepAlive::Hull(hull) => Arc::strong_count(hull) > 1,
            KeepAlive::Mesh(mesh) => Arc::strong_count(mesh) > 1,
        });
    }

    /// The geometry of a form.
    pub fn form(&mut self, form: Form) -> Arc<Geometry> {
        let key = match form {
            Form::Box => Key::Box,
            Form::Quad => Key::Quad,
            Form::Triangle => Key::Triangle,
            Form::ArrowHead => Key::ArrowHead,
        };
        self.get(key, KeepAlive::Nothing, || {
            Geometry::finished(DVec3::ZERO, build_form(form))
        })
    }

    /// The geometry of a shape and its scale along the local axes; `None` for shapes that have none.
    pub fn shape(&mut self, shape: &Shape) -> Option<(Arc<Geometry>, DVec3)> {
        match shape {
            Shape::Box { half_extents } => {
                // A box without thickness still needs normals.
                let least = half_extents.max_element() * 1e-6;
                Some((self.form(Form::Box), half_extents.max(DVec3::splat(least))))
            }
            Shape::Solid(solid) => Some(self.solid(solid)),
            Shape::Mesh(mesh) => Some((self.mesh(mesh), DVec3::ONE)),
            _ => None,
        }
    }

    fn solid(&mut self, solid: &SolidShape) -> (Arc<Geometry>, DVec3) {
        let (half_height, radius) = (1.0, 1.0);
        match solid {
            SolidShape::Cylinder(one) => {
                let unit = Cylinder {
                    half_height,
                    radius,
                };
                let geometry = self.get(Key::Cylinder, KeepAlive::Nothing, || build_solid(&unit));
                (
                    geometry,
                    DVec3::new(one.radius, one.half_height, one.radius),
                )
            }
            SolidShape::Cone(one) => {
                let unit = Cone {
                    half_height,
                    radius,
                };
                let geometry = self.get(Key::Cone, KeepAlive::Nothing, || build_solid(&unit));
                (
                    geometry,
                    DVec3::new(one.radius, one.half_height, one.radius),
                )
            }
            SolidShape::RoundedBox(one) => {
                let RoundedBox {
                    half_extents: DVec3 { x, y, z },
                    radius,
                } = *one;
                let key = Key::RoundedBox([x, y, z, radius].map(f64::to_bits));
                (
                    self.get(key, KeepAlive::Nothing, || build_solid(one)),
                    DVec3::ONE,
                )
            }
            SolidShape::Hull(hull) => {
                let key = Key::Hull(Arc::as_ptr(hull).addr());
                let keep_alive = KeepAlive::Hull(Arc::clone(hull));
                (
                    self.get(key, keep_alive, || build_solid(&**hull)),
                    DVec3::ONE,
                )
            }
        }
    }

    /// The geometry of a mesh.
    pub fn mesh(&mut self, mesh: &Arc<Mesh>) -> Arc<Geometry> {
        let key = Key::Mesh(Arc::as_ptr(mesh).addr());
        let repaint = self.repaint.clone();
        self.get(key, KeepAlive::Mesh(Arc::clone(mesh)), || {
            let center = mesh.aabb().center();
            let Some(repaint) = repaint.filter(|_| mesh.count() > MAX_IMMEDIATE) else {
                return Geometry::finished(center, build_mesh(mesh, center));
            };
            let built = OnceLock::new();
            let geometry = Arc::new(Geometry { center, built });
            let (mesh, target) = (Arc::clone(mesh), Arc::clone(&geometry));
            rayon::spawn(move || {
                target.built.get_or_init(|| build_mesh(&mesh, center));
                repaint.request_repaint();
            });
            geometry
        })
    }

    fn get(
        &mut self,
        key: Key,
        keep_alive: KeepAlive,
        make: impl FnOnce() -> Arc<Geometry>,
    ) -> Arc<Geometry> {
        let entry = self.entries.entry(key);
        let (_, geometry) = entry.or_insert_with(|| (keep_alive, make()));
        Arc::clone(geometry)
    }
}

impl Built {
    /// Adds a triangle with the edges opposite its corners; skips one without an area.
    fn add(&mut self, center: DVec3, corners: [DVec3; 3], edges: [Edge; 3]) {
        let [a, b, c] = corners;
        let Some(normal) = (b - a).cross(c - a).try_normalize() else {
            return;
        };
        let normal = (normal * f64::from(i16::MAX))
            .to_array()
            .map(|part| part as i16);
        let [p, q, r] = edges.map(|edge| edge as i16);
        let vertex = |corner: DVec3| MeshVertex {
            position: (corner - center).as_vec3().to_array(),
            normal,
            edges: p | q << 2 | r << 4,
        };
        self.vertices.extend(corners.map(vertex));
    }

    /// Adds a quad, corners in order around it, with sharp edges.
    fn add_quad(&mut self, [a, b, c, d]: [DVec3; 4]) {
        use Edge::{Hidden, Sharp};
        self.add(DVec3::ZERO, [a, b, c], [Sharp, Hidden, Sharp]);
        self.add(DVec3::ZERO, [a, c, d], [Sharp, Sharp, Hidden]);
    }
}

fn build_form(form: Form) -> Built {
    let mut built = Built::default();
    match form {
        Form::Box => {
            let unit = Obb {
                center: DVec3::ZERO,
                half_extents: DVec3::ONE,
                rotation: DQuat::IDENTITY,
            };
            let corners = unit.corners();
            for face in Obb::FACES {
                built.add_quad(face.map(|index| corners[index]));
            }
        }
        Form::Quad => built.add_quad([
            DVec3::new(-1.0, -1.0, 0.0),
            DVec3::new(1.0, -1.0, 0.0),
            DVec3::new(1.0, 1.0, 0.0),
            DVec3::new(-1.0, 1.0, 0.0),
        ]),
        Form::Triangle => {
            let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
            built.add(DVec3::ZERO, corners, [Edge::Sharp; 3]);
        }
        Form::ArrowHead => {
            let (half_height, radius) = (1.0, 1.0);
            for corners in (Cone {
                half_height,
                radius,
            })
            .surface()
            {
                built.add(DVec3::ZERO, corners, [Edge::Hidden; 3]);
            }
        }
    }
    built
}

/// Builds a solid's surface; the edges of its outline are sharp, the others only divide its faces.
fn build_solid(solid: &dyn Solid) -> Arc<Geometry> {
    let center = solid.centroid();
    let bits = |point: DVec3| point.to_array().map(f64::to_bits);
    let outline = solid.outline();
    let ends = outline.iter().flat_map(|&[a, b]| [[a, b], [b, a]]);
    let sharp: HashSet<_> = ends.map(|ends| ends.map(bits)).collect();
    let mut built = Built::default();
    for corners in solid.surface() {
        let edges = [0, 1, 2].map(|corner| {
            let ends = [corners[(corner + 1) % 3], corners[(corner + 2) % 3]];
            match sharp.contains(&ends.map(bits)) {
                true => Edge::Sharp,
                false => Edge::Hidden,
            }
        });
        built.add(center, corners, edges);
    }
    built.outline = outline;
    Geometry::finished(center, built)
}

/// A height field with one of so many rows and columns, and the last ones.
fn coarser(mesh: &Mesh, grid: &HeightGrid, step: usize) -> Result<Mesh, String> {
    let [columns, rows] = grid.size();
    let kept = |count: usize| (0..count - 1).step_by(step).chain([count - 1]);
    let vertices =
        kept(rows).flat_map(|row| kept(columns).map(move |column| row * columns + column));
    let vertices = vertices.map(|index| mesh.vertex(index)).collect();
    let wide = kept(columns).count() as u32;
    let cells = (0..kept(rows).count() as u32 - 1)
        .flat_map(|row| (0..wide - 1).map(move |column| row * wide + column));
    let triangles = cells.flat_map(|near| {
        let (beside, below, far) = (near + 1, near + wide, near + wide + 1);
        [[near, below, far], [near, far, beside]]
    });
    Mesh::new(vertices, triangles.collect(), mesh.facing())
}

fn build_mesh(mesh: &Mesh, center: DVec3) -> Built {
    if let (Some(grid), step @ 2..) = (mesh.grid(), drawn_step(mesh))
        && let Ok(coarse) = coarser(mesh, grid, step)
    {
        return build_mesh(&coarse, center);
    }
    let count = mesh.count();
    let normals: Vec<Option<DVec3>> = (0..count)
        .map(|index| mesh.triangle(index as u32).normal())
        .collect();
    let mut built = Built::default();
    built.vertices.reserve_exact(3 * count);
    let mut outline = Vec::new();
    for (index, normal) in (0..).zip(&normals) {
        let edges = [0, 1, 2].map(|edge| {
            let mut sides = mesh.edges().sides(index, edge);
            let (first, second, third) = (sides.next(), sides.next(), sides.next());
            let across = |side: Option<(u32, u32)>| normals[side?.0 as usize];
            let flat = third.is_none()
                && matches!((across(first), across(second)), (Some(one), Some(two)) if one.dot(two).abs() >= SHARP);
            if flat {
                return Edge::Weak;
            }
            if first == Some((index, edge)) && outline.len() <= MAX_EDGES {
                let segment = mesh.edge(index, edge);
                outline.push([segment.a, segment.b]);
            }
            Edge::Sharp
        });
        if normal.is_some() {
            let triangle = mesh.triangle(index);
            // Edge 0 is opposite corner 2.
            let [ab, bc, ca] = edges;
            built.add(center, [triangle.a, triangle.b, triangle.c], [bc, ca, ab]);
        }
    }
    if outline.len() <= MAX_EDGES {
        built.outline = outline;
    }
    built
}

/// The centre in the world, and the rotated and scaled axes of a geometry at a pose.
pub fn instance_transform(geometry: &Geometry, scale: DVec3, pose: &Pose) -> (DVec3, [DVec3; 3]) {
    let axes = pose.axes();
    let axes = [
        axes.x_axis * scale.x,
        axes.y_axis * scale.y,
        axes.z_axis * scale.z,
    ];
    (pose.point(geometry.center * scale), axes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::{Facing, HeightField};

    fn count(built: &Built, wanted: Edge) -> usize {
        let triangles = built.vertices.chunks_exact(3);
        let edges = triangles.flat_map(|corners| [0, 2, 4].map(|bit| corners[0].edges >> bit & 3));
        edges.filter(|&edge| edge == wanted as i16).count()
    }

    #[test]
    fn a_quad_has_four_sharp_edges_and_a_weak_diagonal() {
        let corner = |x: f64, z: f64| DVec3::new(x, 0.0, z);
        let corners = [
            corner(0.0, 0.0),
            corner(1.0, 0.0),
            corner(1.0, 1.0),
            corner(0.0, 1.0),
        ];
        let mesh = Mesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]], Facing::Both);
        let built = build_mesh(&mesh.expect("a quad"), DVec3::ZERO);
        assert_eq!(built.outline.len(), 4);
        assert_eq!(count(&built, Edge::Sharp), 4);
        assert_eq!(count(&built, Edge::Weak), 2, "of either triangle");
        // The edge opposite the first corner of the first triangle is the quad's side.
        assert_eq!(built.vertices[0].edges, 2 | 1 << 2 | 2 << 4);
    }

    #[test]
    fn a_coarser_field_has_every_so_many_rows_and_columns_and_the_last() {
        let heights = (0..5).map(|row| (0..8).map(|column| f64::from(10 * row + column)).collect());
        let field = HeightField {
            heights: heights.collect(),
            cell: [1.0; 2],
        };
        let mesh = field.mesh(40).expect("a field");
        let coarse = coarser(&mesh, mesh.grid().expect("a grid"), 3).expect("a mesh");
        let heights: Vec<f64> = coarse.vertices().map(|vertex| vertex.y).collect();
        let rows = [0.0, 30.0, 40.0].map(|row| [0.0, 3.0, 6.0, 7.0].map(|column| row + column));
        assert_eq!(heights, rows.concat());
        assert_eq!((coarse.count(), coarse.aabb()), (12, mesh.aabb()));
        for triangle in 0..12 {
            assert!(coarse.triangle(triangle).normal().expect("an area").y > 0.0);
        }
    }

    #[test]
    fn faces_of_a_box_point_outward_and_their_diagonals_are_hidden() {
        let built = build_form(Form::Box);
        assert_eq!(built.vertices.len(), 36);
        assert_eq!(count(&built, Edge::Sharp), 24);
        for vertex in &built.vertices {
            let out: f32 = (0..3)
                .map(|i| vertex.position[i] * f32::from(vertex.normal[i]))
                .sum();
            assert!(out > 0.0);
        }
    }

    #[test]
    fn a_cylinder_shows_its_rims_and_four_sides() {
        let solid = Cylinder {
            half_height: 1.0,
            radius: 1.0,
        };
        let geometry = build_solid(&solid);
        let built = geometry.built().expect("built immediately");
        // Each edge of the outline belongs to two triangles.
        assert_eq!(count(built, Edge::Sharp), 2 * solid.outline().len());
    }

    #[test]
    fn equal_shapes_share_a_geometry_and_unused_ones_are_pruned() {
        let mut cache = GeometryCache::default();
        let cylinder = |radius| {
            Shape::Solid(SolidShape::Cylinder(Cylinder {
                half_height: 2.0,
                radius,
            }))
        };
        let (one, scale) = cache.shape(&cylinder(3.0)).expect("a geometry");
        let (two, _) = cache.shape(&cylinder(5.0)).expect("a geometry");
        assert!(Arc::ptr_eq(&one, &two) && scale == DVec3::new(3.0, 2.0, 3.0));
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
        let mesh = Arc::new(Mesh::new(corners, vec![[0, 1, 2]], Facing::Both).expect("a triangle"));
        let shape = Shape::Mesh(mesh);
        let weak = Arc::downgrade(&cache.shape(&shape).expect("a geometry").0);
        cache.prune();
        assert!(weak.upgrade().is_some());
        drop(shape);
        cache.prune();
        assert!(weak.upgrade().is_none());
    }
}
