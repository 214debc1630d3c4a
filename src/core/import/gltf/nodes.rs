//! Nodes of a glTF file in world space, with their triangles.

use super::buffers::{Buffers, compressed};
use super::colliders::{self, Body};
use super::document::{Node, Primitive};
use super::fault;
use crate::core::import::{Owner, Part, Role, markers};
use crate::core::problem::Problem;
use crate::core::scene::{MeshSource, Movement, Object};
use crate::core::shape::{Facing, Mesh, Pose, Shape};
use crate::core::tolerance::{MAX_MAGNITUDE, MAX_MESH_TRIANGLES, MAX_SCENE_OBJECTS};
use glam::{DMat3, DQuat, DVec3};
use std::sync::Arc;

/// How far from square two axes of a node's matrix may be and still be turned and scaled, not sheared.
///
/// No unit, the cosine between them. Engines write matrices as `f32`, whose products round to some 1e-7.
const SQUARE_COSINE: f64 = 1e-6;

/// Transform of a node: scale, rotation and translation or, where that is impossible, a matrix and translation.
#[derive(Clone, Copy)]
pub(super) struct World {
    pub(super) pose: Pose,
    pub(super) scale: DVec3,
    /// Replaces rotation and scale.
    pub(super) linear: Option<DMat3>,
}

impl World {
    const ORIGIN: Self = Self {
        pose: Pose::IDENTITY,
        scale: DVec3::ONE,
        linear: None,
    };

    fn of(node: &Node) -> Self {
        if let Some(matrix) = node.matrix {
            let column =
                |index: usize| DVec3::new(matrix[index], matrix[index + 1], matrix[index + 2]);
            let linear = DMat3::from_cols(column(0), column(4), column(8));
            return Self::at(column(12), linear);
        }
        let rotation = node.rotation.map(DQuat::from_array);
        let position = node.translation.map_or(DVec3::ZERO, DVec3::from_array);
        let rotation = match rotation {
            Some(turn) if turn != DQuat::IDENTITY => turn.normalize(),
            _ => DQuat::IDENTITY,
        };
        Self {
            pose: Pose { position, rotation },
            scale: node.scale.map_or(DVec3::ONE, DVec3::from_array),
            linear: None,
        }
    }

    /// True for a rotation of length 0 or without a finite length.
    fn is_unrotatable(node: &Node) -> bool {
        let squared = node
            .rotation
            .map(|it| DQuat::from_array(it).length_squared());
        squared.is_some_and(|squared| !squared.is_normal())
    }

    /// From a matrix, decomposed where its axes are orthogonal.
    fn at(position: DVec3, linear: DMat3) -> Self {
        let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis];
        let square = |a: DVec3, b: DVec3| a.dot(b).abs() <= SQUARE_COSINE * a.length() * b.length();
        let mut scale = DVec3::new(x.length(), y.length(), z.length());
        let is_square = square(x, y) && square(y, z) && square(z, x) && scale.min_element() > 0.0;
        if !is_square {
            return Self {
                pose: Pose::at(position),
                scale: DVec3::ONE,
                linear: Some(linear),
            };
        }
        if linear.determinant() < 0.0 {
            scale = -scale;
        }
        let turn = DMat3::from_cols(x / scale.x, y / scale.y, z / scale.z);
        let rotation = match turn == DMat3::IDENTITY {
            true => DQuat::IDENTITY,
            false => DQuat::from_mat3(&turn).normalize(),
        };
        Self {
            pose: Pose { position, rotation },
            scale,
            linear: None,
        }
    }

    fn matrix(&self) -> DMat3 {
        self.linear.unwrap_or_else(|| {
            DMat3::from_quat(self.pose.rotation) * DMat3::from_diagonal(self.scale)
        })
    }

    /// A node below this one.
    fn then(&self, child: &Self) -> Self {
        let inner = child.pose.position;
        let position = match self.linear {
            Some(linear) => self.pose.position + linear * inner,
            None => self.pose.point(self.scale * inner),
        };
        let DVec3 { x, y, z } = self.scale;
        let even = x == y && y == z;
        let keeps_square = even || child.pose.rotation == DQuat::IDENTITY;
        if self.linear.is_some() || child.linear.is_some() || !keeps_square {
            return Self::at(position, self.matrix() * child.matrix());
        }
        let (own, inner) = (self.pose.rotation, child.pose.rotation);
        // Unrotated values keep their bits.
        let rotation = match DQuat::IDENTITY {
            none if inner == none => own,
            none if own == none => inner,
            _ => (own * inner).normalize(),
        };
        Self {
            pose: Pose { position, rotation },
            scale: self.scale * child.scale,
            linear: None,
        }
    }

    /// A point of the node without the rotation of its pose.
    fn local(&self, point: DVec3) -> DVec3 {
        match self.linear {
            Some(linear) => linear * point,
            None => self.scale * point,
        }
    }

    /// Whether it mirrors.
    fn is_mirrored(&self) -> bool {
        match self.linear {
            Some(linear) => linear.determinant() < 0.0,
            None => self.scale.x * self.scale.y * self.scale.z < 0.0,
        }
    }
}

/// Traversal of the nodes.
struct Walk<'d> {
    buffers: Buffers<'d>,
    parts: Vec<Part>,
    notices: Vec<Problem>,
    triangles: usize,
    /// Total vertices and corners of all copies.
    numbers: u64,
}

/// A pending node: its index, and its parent transform.
type Next = (usize, World, Option<Body>);

pub(super) fn parts(buffers: Buffers<'_>) -> Result<(Vec<Part>, Vec<Problem>), Problem> {
    let (document, path) = (buffers.document, buffers.path);
    let scene = document.scenes.get(document.scene.unwrap_or(0));
    let roots: Vec<usize> = match scene {
        Some(scene) => scene.nodes.clone(),
        // Without a scene: all root nodes.
        None => {
            let mut inner = vec![false; document.nodes.len()];
            for &child in document.nodes.iter().flat_map(|node| &node.children) {
                if let Some(inner) = inner.get_mut(child) {
                    *inner = true;
                }
            }
            (0..inner.len()).filter(|&index| !inner[index]).collect()
        }
    };
    let mut seen = vec![false; document.nodes.len()];
    let mut walk = Walk {
        buffers,
        parts: Vec::new(),
        notices: Vec::new(),
        triangles: 0,
        numbers: 0,
    };
    let mut open: Vec<Next> = roots
        .into_iter()
        .rev()
        .map(|root| (root, World::ORIGIN, None))
        .collect();
    while let Some((index, outer, body)) = open.pop() {
        let node = document.nodes.get(index);
        let node = node.ok_or_else(|| fault(path, format!("there is no node {index}")))?;
        if std::mem::replace(&mut seen[index], true) {
            return Err(fault(
                path,
                format!("node {index} stands in two others, or in itself"),
            ));
        }
        if World::is_unrotatable(node) {
            let what = format!(
                "the rotation of node {index} \"{}\" has no length",
                node.name
            );
            let help = "give it a rotation of length 1: no rotation is 0, 0, 0, 1";
            return Err(Problem::new(path, what, help));
        }
        let world = outer.then(&World::of(node));
        let far = |at: DVec3| !at.is_finite() || at.abs().max_element() > MAX_MAGNITUDE;
        if far(world.pose.position)
            || far(world.scale)
            || world.linear.is_some_and(|linear| !linear.is_finite())
        {
            return Err(fault(
                path,
                format!("node {index} has a position that is not finite"),
            ));
        }
        let body = colliders::body(index, node, &world).or(body);
        walk.node(index, node, &world, body)?;
        open.extend(
            node.children
                .iter()
                .rev()
                .map(|&child| (child, world, body)),
        );
    }
    Ok((walk.parts, walk.notices))
}

impl Walk<'_> {
    fn node(
        &mut self,
        index: usize,
        node: &Node,
        world: &World,
        body: Option<Body>,
    ) -> Result<(), Problem> {
        let given = if node.name.is_empty() {
            format!("node {index}")
        } else {
            node.name.clone()
        };
        let (name, marker) = markers::of_name(&given);
        if let Some(mesh) = node.mesh
            && marker != markers::Marker::Leave
            && let Some(mesh) = self.mesh(mesh, world)?
        {
            let object = new(name, Shape::Mesh(Arc::new(mesh)), world.pose);
            let (mut part, refused) = marker.part(object);
            if let Some(what) = refused {
                self.notice(&given, what);
            }
            part.owner = markers::numbered(&given, name).map(Owner::named);
            self.add(part)?;
        }
        for found in colliders::of_extensions(self.buffers.document, node) {
            match found {
                Err(what) => self.notice(&given, &what),
                Ok(collider) => self.collider(name, collider, world, body)?,
            }
        }
        Ok(())
    }

    fn collider(
        &mut self,
        name: &str,
        collider: colliders::Collider,
        world: &World,
        body: Option<Body>,
    ) -> Result<(), Problem> {
        let is_hull = matches!(collider.shape, colliders::Form::Mesh(_, true));
        let shape = match collider.shape {
            colliders::Form::Mesh(mesh, _) => match self.mesh(mesh, world)? {
                Some(mesh) => Ok(Shape::Mesh(Arc::new(mesh))),
                None => Err("its collider has no triangles"),
            },
            colliders::Form::Simple(shape) => colliders::scaled(shape, world),
        };
        let shape = match shape {
            Ok(shape) => shape,
            Err(what) => {
                self.notice(name, what);
                return Ok(());
            }
        };
        let mut object = new(name, shape, world.pose);
        object.sensor = collider.sensor;
        if let Some(body) = body {
            body.moves(&mut object);
        }
        let mut part = Part::new(object, Role::Collider);
        if is_hull && let Err(what) = part.take_hull() {
            self.notice(name, what);
        }
        part.owner = body.map(|body| Owner {
            key: format!("node {}", body.node),
            name: self.buffers.document.nodes[body.node].name.clone(),
            pose: Some(body.pose),
        });
        self.add(part)
    }

    fn notice(&mut self, name: &str, what: &str) {
        let what = format!("\"{name}\": {what}");
        self.notices.push(Problem::new(self.buffers.path, what, ""));
    }

    fn add(&mut self, part: Part) -> Result<(), Problem> {
        if self.parts.len() >= MAX_SCENE_OBJECTS {
            let what = format!("it has more than {MAX_SCENE_OBJECTS} parts");
            return Err(Problem::new(self.buffers.path, what, "join its meshes"));
        }
        self.parts.push(part);
        Ok(())
    }

    /// The triangles of a mesh in a node's space; `None` where it has none.
    fn mesh(&mut self, index: usize, world: &World) -> Result<Option<Mesh>, Problem> {
        let (path, document) = (self.buffers.path, self.buffers.document);
        let mesh = document.meshes.get(index);
        let mesh = mesh.ok_or_else(|| fault(path, format!("there is no mesh {index}")))?;
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for primitive in &mesh.primitives {
            self.primitive(primitive, &mut vertices, &mut triangles)?;
        }
        if triangles.is_empty() {
            return Ok(None);
        }
        for vertex in &mut vertices {
            *vertex = world.local(*vertex);
            if !vertex.is_finite() || vertex.abs().max_element() > MAX_MAGNITUDE {
                return Err(fault(
                    path,
                    format!("a vertex of mesh {index} is not finite, or too far away"),
                ));
            }
        }
        if world.is_mirrored() {
            for corners in &mut triangles {
                corners.swap(1, 2);
            }
        }
        let mesh = Mesh::new(vertices, triangles, Facing::Both);
        mesh.map(Some).map_err(|what| fault(path, what))
    }

    fn primitive(
        &mut self,
        primitive: &Primitive,
        vertices: &mut Vec<DVec3>,
        triangles: &mut Vec<[u32; 3]>,
    ) -> Result<(), Problem> {
        let path = self.buffers.path;
        if primitive
            .extensions
            .contains_key("KHR_draco_mesh_compression")
        {
            return Err(compressed(path));
        }
        // Points and lines have no surface.
        let (4..=6, Some(position)) = (primitive.mode, primitive.attributes.position) else {
            return Ok(());
        };
        for accessor in [Some(position), primitive.indices].into_iter().flatten() {
            let accessor = self.buffers.document.accessors.get(accessor);
            self.numbers = self
                .numbers
                .saturating_add(accessor.map_or(0, |one| one.count));
        }
        if self.numbers > 6 * MAX_MESH_TRIANGLES as u64 {
            let what = "too many vertices";
            return Err(Problem::new(
                path,
                what,
                "split it, or leave out what has no collision",
            ));
        }
        let first = vertices.len() as u32;
        let points = self.buffers.vectors(position)?;
        let count = points.len() as u32;
        let order = match primitive.indices {
            Some(indices) => self.buffers.indices(indices)?,
            None => (0..count).collect(),
        };
        if order.iter().any(|&corner| corner >= count) {
            return Err(fault(path, "a triangle names a vertex that is not there"));
        }
        let found = corners(primitive.mode, &order);
        self.triangles += found.len();
        if self.triangles > MAX_MESH_TRIANGLES {
            let what = format!("it has more than {MAX_MESH_TRIANGLES} triangles");
            return Err(Problem::new(
                path,
                what,
                "split it, or leave out what has no collision",
            ));
        }
        vertices.extend(points.into_iter().map(DVec3::from_array));
        triangles.extend(
            found
                .into_iter()
                .map(|corners| corners.map(|corner| first + corner)),
        );
        Ok(())
    }
}

/// Triangles one by one (4), as a strip (5) or as a fan (6), counter-clockwise from the front.
fn corners(mode: u32, order: &[u32]) -> Vec<[u32; 3]> {
    match mode {
        4 => order.as_chunks::<3>().0.to_vec(),
        5 => {
            let strip = order.windows(3).enumerate();
            strip
                .map(|(index, three)| match index % 2 {
                    0 => [three[0], three[1], three[2]],
                    _ => [three[0], three[2], three[1]],
                })
                .collect()
        }
        _ => {
            let fan = order.get(1..).unwrap_or(&[]).windows(2);
            fan.map(|two| [two[0], two[1], order[0]]).collect()
        }
    }
}

fn new(name: &str, shape: Shape, pose: Pose) -> Object {
    let mesh = matches!(shape, Shape::Mesh(_)).then_some(MeshSource::Inline);
    Object {
        mesh,
        pose,
        movement: Movement::Fixed,
        ..Object::new(name, shape, pose.position)
    }
}
