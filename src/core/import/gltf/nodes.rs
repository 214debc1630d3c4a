//! Nodes of a glTF file in world space, with their triangles.

use super::buffers::{Buffers, compressed};
use super::colliders::{self, Body, Form};
use super::document::{Node, Primitive};
use super::fault;
use super::filters::Filters;
use super::instances;
use super::joints::{self, Place};
use super::left_out;
use super::world::World;
use crate::core::import::{Content, Owner, Part, Role, markers};
use crate::core::number::metres;
use crate::core::problem::Problem;
use crate::core::scene::{MeshSource, Movement, Object};
use crate::core::shape::{Facing, Mesh, Pose, Shape};
use crate::core::tolerance::{MAX_MAGNITUDE, MAX_MESH_TRIANGLES, MAX_SCENE_OBJECTS};
use glam::DVec3;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Traversal of the nodes.
struct Walk<'d> {
    buffers: Buffers<'d>,
    filters: Filters,
    parts: Vec<Part>,
    notices: Vec<Problem>,
    triangles: usize,
    /// Total vertices and corners of all copies.
    numbers: u64,
    /// Total nodes of the geometry of colliders.
    visited: usize,
}

/// A pending node: its index, its parent, the parent's transform and body.
type Next = (usize, Option<usize>, World, Option<Body>);

pub(super) fn content(buffers: Buffers<'_>) -> Result<Content, Problem> {
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
    let mut places = Vec::new();
    let mut walk = Walk {
        filters: Filters::of(document),
        buffers,
        parts: Vec::new(),
        notices: Vec::new(),
        triangles: 0,
        numbers: 0,
        visited: 0,
    };
    let mut open: Vec<Next> = roots
        .into_iter()
        .rev()
        .map(|root| (root, None, World::ORIGIN, None))
        .collect();
    while let Some((index, parent, outer, body)) = open.pop() {
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
        places.push(Place {
            node: index,
            parent,
            body: body.map(|body| body.node),
            position: world.pose.position,
        });
        open.extend(
            node.children
                .iter()
                .rev()
                .map(|&child| (child, Some(index), world, body)),
        );
    }
    let (joints, left_out) = joints::sides(document, &places, &walk.parts);
    let left_out = left_out.into_iter();
    walk.notices
        .extend(left_out.map(|what| Problem::new(path, what, "")));
    walk.notices.extend(left_out::notices(document, path));
    Ok(Content {
        parts: walk.parts,
        joints,
        notices: walk.notices,
    })
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
            // Skins move their meshes away from the node.
            && node.skin.is_none()
        {
            for world in instances::of_node(&mut self.buffers, node, world)? {
                let Some(mesh) = self.mesh(&[(mesh, World::ORIGIN)], &world)? else {
                    break;
                };
                let object = new(name, Shape::Mesh(Arc::new(mesh)), world.pose);
                let (mut part, refused) = marker.part(object);
                if let Some(what) = refused {
                    self.notice(&given, what);
                }
                part.owner = markers::numbered(&given, name).map(Owner::named);
                part.node = Some(index);
                self.add(part)?;
            }
        }
        for found in colliders::of_extensions(self.buffers.document, node) {
            match found {
                Err(what) => self.notice(&given, &what),
                Ok(collider) => self.collider((index, name), collider, world, body)?,
            }
        }
        Ok(())
    }

    fn collider(
        &mut self,
        (node, name): (usize, &str),
        collider: colliders::Collider,
        world: &World,
        body: Option<Body>,
    ) -> Result<(), Problem> {
        let is_hull = matches!(collider.shape, Form::Mesh(_, true) | Form::Node(_, true));
        let meshes = match collider.shape {
            Form::Mesh(mesh, _) => vec![(mesh, World::ORIGIN)],
            Form::Node(node, _) => self.meshes_below(node)?,
            _ => Vec::new(),
        };
        let shape = match collider.shape {
            Form::Mesh(..) | Form::Node(..) => match self.mesh(&meshes, world)? {
                Some(mesh) => Ok((Shape::Mesh(Arc::new(mesh)), 0.0)),
                None => Err("its collider has no triangles, and is left out"),
            },
            Form::Simple(shape) => colliders::scaled(shape, world),
            Form::Round(round) => round.hull(world),
        };
        let (shape, error) = match shape {
            Ok(shape) => shape,
            Err(what) => {
                self.notice(name, what);
                return Ok(());
            }
        };
        if error > 0.0 {
            let what = format!(
                "its tapered or stretched collider is a convex hull, at most {} inside it",
                metres(error)
            );
            self.notice(name, &what);
        }
        let mut object = new(name, shape, world.pose);
        object.sensor = collider.sensor;
        if let Some(filter) = collider.filter
            && let Err(what) = self.filters.apply(filter, &mut object)
        {
            self.notice(name, what);
        }
        if let Some(body) = body {
            body.moves(&mut object);
        }
        let mut part = Part::new(object, Role::Collider);
        if is_hull && let Err(what) = part.take_hull() {
            self.notice(name, what);
        }
        part.node = Some(node);
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

    /// The meshes of a node and of those below it, in the node's space.
    fn meshes_below(&mut self, top: usize) -> Result<Vec<(usize, World)>, Problem> {
        let (path, document) = (self.buffers.path, self.buffers.document);
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        let mut open = vec![(top, World::ORIGIN)];
        while let Some((index, world)) = open.pop() {
            let node = document.nodes.get(index);
            let node = node.ok_or_else(|| fault(path, format!("there is no node {index}")))?;
            self.visited += 1;
            if self.visited > 10 * MAX_SCENE_OBJECTS || !seen.insert(index) {
                let what = format!(
                    "the geometry of a collider has too many nodes below node {top}, or one of them twice"
                );
                return Err(fault(path, what));
            }
            found.extend(node.mesh.map(|mesh| (mesh, world)));
            for &child in node.children.iter().rev() {
                let inner = document
                    .nodes
                    .get(child)
                    .filter(|one| !World::is_unrotatable(one));
                open.push((child, world.then(&inner.map_or(World::ORIGIN, World::of))));
            }
        }
        Ok(found)
    }

    /// The triangles of meshes, placed in a node's space; `None` where they have none.
    fn mesh(&mut self, meshes: &[(usize, World)], world: &World) -> Result<Option<Mesh>, Problem> {
        let (path, document) = (self.buffers.path, self.buffers.document);
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for (index, place) in meshes {
            let mesh = document.meshes.get(*index);
            let mesh = mesh.ok_or_else(|| fault(path, format!("there is no mesh {index}")))?;
            let (first, first_triangle) = (vertices.len(), triangles.len());
            for primitive in &mesh.primitives {
                self.primitive(primitive, &mut vertices, &mut triangles)?;
            }
            for vertex in &mut vertices[first..] {
                *vertex = world.local(place.pose.point(place.local(*vertex)));
                if !vertex.is_finite() || vertex.abs().max_element() > MAX_MAGNITUDE {
                    return Err(fault(
                        path,
                        format!("a vertex of mesh {index} is not finite, or too far away"),
                    ));
                }
            }
            if world.is_mirrored() != place.is_mirrored() {
                for corners in &mut triangles[first_triangle..] {
                    corners.swap(1, 2);
                }
            }
        }
        if triangles.is_empty() {
            return Ok(None);
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
