//! Shapes as triangles for the GPU: made once, drawn at any number of places.

use crate::core::shape::{
    Cone, ConvexHull, Cylinder, Mesh, Obb, Pose, RoundedBox, Shape, Solid, SolidShape,
};
use bytemuck::{Pod, Zeroable};
use glam::{DQuat, DVec3};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

/// Meshes with more triangles than this are made in the background.
const AT_ONCE: usize = 20_000;
/// Meshes with more sharp edges than this are outlined as their box.
const MOST_EDGES: usize = 20_000;
/// Two faces with a cosine below this between their normals meet in a sharp edge.
const SHARP: f64 = 0.999;

/// A corner of a triangle; three in a row are one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct MeshVertex {
    /// Relative to the geometry's centre.
    pub position: [f32; 3],
    /// Unit length is `i16::MAX`.
    pub normal: [i16; 3],
    /// Two bits for the edge opposite each corner of the triangle: see [`Edge`].
    pub edges: i16,
}

/// How an edge of a triangle is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    /// Not at all: it only divides a face.
    Hidden = 0,
    /// Faintly: between two faces in one plane.
    Weak = 1,
    /// Where two faces meet at an angle, or where only one is.
    Sharp = 2,
}

/// A shape as triangles.
#[derive(Debug, Default)]
pub struct Geometry {
    /// Local, metres: near the vertices, whatever their coordinates are.
    pub center: DVec3,
    built: OnceLock<Built>,
}

/// The triangles of a geometry.
#[derive(Debug, Default)]
pub struct Built {
    /// Three for each triangle.
    pub vertices: Vec<MeshVertex>,
    /// The sharp edges, local; none where there are too many.
    pub outline: Vec<[DVec3; 2]>,
}

impl Geometry {
    /// The triangles; `None` while they are made in the background.
    pub fn built(&self) -> Option<&Built> {
        self.built.get()
    }

    fn made(center: DVec3, built: Built) -> Arc<Self> {
        Arc::new(Self {
            center,
            built: OnceLock::from(built),
        })
    }
}

/// What a geometry is made of: shapes of one form share one, and are scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Box,
    Quad,
    Triangle,
    Cylinder,
    Cone,
    ArrowHead,
    RoundedBox([u64; 4]),
    /// By address: the entry holds what is there.
    Hull(usize),
    /// By address: the entry holds what is there.
    Mesh(usize),
}

/// Keeps an address from being used again while the cache has its geometry.
enum Held {
    Nothing,
    Hull(Arc<ConvexHull>),
    Mesh(Arc<Mesh>),
}

/// Forms that are not shapes of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// From -1 to 1 along every axis.
    Box,
    /// From -1 to 1 along x and y.
    Quad,
    /// (0, 0), (1, 0), (0, 1) in the plane of x and y.
    Triangle,
    /// A cone along y with its tip at 1 and its base, of radius 1, at -1; without edges.
    ArrowHead,
}

/// The geometries in use.
#[derive(Default)]
pub struct GeometryCache {
    known: HashMap<Key, (Held, Arc<Geometry>)>,
    /// Of the window that waits for geometries; without one all are made at once.
    pub wake: Option<egui::Context>,
}

impl GeometryCache {
    /// Forgets the shapes that nothing else has any more.
    pub fn prune(&mut self) {
        self.known.retain(|_, (held, _)| match held {
            Held::Nothing => true,
            Held::Hull(hull) => Arc::strong_count(hull) > 1,
            Held::Mesh(mesh) => Arc::strong_count(mesh) > 1,
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
        self.get(key, Held::Nothing, || {
            Geometry::made(DVec3::ZERO, of_form(form))
        })
    }

    /// The geometry of a shape and its scale along the local axes; `None` for shapes that are drawn otherwise.
    pub fn shape(&mut self, shape: &Shape) -> Option<(Arc<Geometry>, DVec3)> {
        match shape {
            Shape::Box { half_extents } => {
                // A box without thickness has faces nevertheless, and they have normals.
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
                let geometry = self.get(Key::Cylinder, Held::Nothing, || of_solid(&unit));
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
                let geometry = self.get(Key::Cone, Held::Nothing, || of_solid(&unit));
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
                (self.get(key, Held::Nothing, || of_solid(one)), DVec3::ONE)
            }
            SolidShape::Hull(hull) => {
                let key = Key::Hull(Arc::as_ptr(hull).addr());
                let held = Held::Hull(Arc::clone(hull));
                (self.get(key, held, || of_solid(&**hull)), DVec3::ONE)
            }
        }
    }

    /// The geometry of a mesh.
    pub fn mesh(&mut self, mesh: &Arc<Mesh>) -> Arc<Geometry> {
        let key = Key::Mesh(Arc::as_ptr(mesh).addr());
        let wake = self.wake.clone();
        self.get(key, Held::Mesh(Arc::clone(mesh)), || {
            let center = mesh.aabb().center();
            let Some(wake) = wake.filter(|_| mesh.triangles().len() > AT_ONCE) else {
                return Geometry::made(center, of_mesh(mesh, center));
            };
            let built = OnceLock::new();
            let geometry = Arc::new(Geometry { center, built });
            let (mesh, making) = (Arc::clone(mesh), Arc::clone(&geometry));
            rayon::spawn(move || {
                making.built.get_or_init(|| of_mesh(&mesh, center));
                wake.request_repaint();
            });
            geometry
        })
    }

    fn get(&mut self, key: Key, held: Held, make: impl FnOnce() -> Arc<Geometry>) -> Arc<Geometry> {
        let (_, geometry) = self.known.entry(key).or_insert_with(|| (held, make()));
        Arc::clone(geometry)
    }
}

impl Built {
    /// Adds a triangle with the edges opposite its corners; one without an area is left out.
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

fn of_form(form: Form) -> Built {
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

/// A solid's surface; the edges of its outline are sharp, the others only divide its faces.
fn of_solid(solid: &dyn Solid) -> Arc<Geometry> {
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
    Geometry::made(center, built)
}

fn of_mesh(mesh: &Mesh, center: DVec3) -> Built {
    let count = mesh.triangles().len();
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
            if first == Some((index, edge)) && outline.len() <= MOST_EDGES {
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
    if outline.len() <= MOST_EDGES {
        built.outline = outline;
    }
    built
}

/// Where a geometry is drawn: the rotated and scaled axes, and its centre in the world.
pub fn placed(geometry: &Geometry, scale: DVec3, pose: &Pose) -> (DVec3, [DVec3; 3]) {
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
    use crate::core::shape::Facing;

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
        let built = of_mesh(&mesh.expect("a quad"), DVec3::ZERO);
        assert_eq!(built.outline.len(), 4);
        assert_eq!(count(&built, Edge::Sharp), 4);
        assert_eq!(count(&built, Edge::Weak), 2, "of either triangle");
        // The edge opposite the first corner of the first triangle is the quad's side.
        assert_eq!(built.vertices[0].edges, 2 | 1 << 2 | 2 << 4);
    }

    #[test]
    fn faces_of_a_box_turn_outward_and_their_diagonals_are_hidden() {
        let built = of_form(Form::Box);
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
        let geometry = of_solid(&solid);
        let built = geometry.built().expect("made at once");
        // Each edge of the outline belongs to two triangles.
        assert_eq!(count(built, Edge::Sharp), 2 * solid.outline().len());
    }

    #[test]
    fn equal_shapes_share_a_geometry_and_forgotten_ones_go() {
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
