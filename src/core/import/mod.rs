//! Mesh files (OBJ, glTF) as one mesh, as one object per part, or as their marked colliders.

mod gltf;
mod hull_points;
mod ignored;
mod markers;
mod obj;
mod polygon;

use super::problem::Problem;
use super::scene::{Folder, Movement, Object, relative_path};
use super::schema::{MeshSource, Units};
use super::shape::{Compound, CompoundPart, ConvexHull, Facing, Mesh, Pose, Shape, SolidShape};
use glam::DVec3;
pub use gltf::{Animation, AnimationClip};
use gltf::{read_animation, read_clips, read_gltf};
use hull_points::hull_of;
use ignored::{Sides, ignore_filtered};
pub(super) use obj::read_obj;
use obj::read_obj_parts;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Role of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Visual.
    Seen,
    /// Collider: marked by the file.
    Collider,
    /// Both.
    Both,
}

/// A part of a file, as an object in its pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Named after the part; names may repeat.
    pub object: Object,
    /// Its role.
    pub role: Role,
    /// As a collider it is the hull of its mesh.
    hull: Option<Arc<ConvexHull>>,
    /// The owner of the collider, shared with others.
    owner: Option<Owner>,
    /// Its node in a glTF file.
    node: Option<usize>,
}

/// A body or object with several colliders.
#[derive(Clone, Debug, PartialEq)]
struct Owner {
    /// Colliders with the same key have one owner.
    key: String,
    name: String,
    /// Its pose; `None`: that of its first collider.
    pose: Option<Pose>,
}

impl Owner {
    fn named(name: String) -> Self {
        Self {
            key: name.clone(),
            name,
            pose: None,
        }
    }
}

impl Part {
    fn new(object: Object, role: Role) -> Self {
        Self {
            object,
            role,
            hull: None,
            owner: None,
            node: None,
        }
    }

    /// Replaces a collider's mesh by its hull.
    fn take_hull(&mut self) -> Result<(), &'static str> {
        let Shape::Mesh(mesh) = &self.object.shape else {
            return Ok(());
        };
        self.hull = Some(Arc::new(hull_of(mesh)?));
        Ok(())
    }

    /// The object of this part as collider or visual.
    fn object(&self, wanted: ImportAs) -> MovedObject {
        let object = match &self.hull {
            Some(hull) if wanted == ImportAs::Colliders => Object {
                shape: Shape::Solid(SolidShape::Hull(Arc::clone(hull))),
                mesh: None,
                ..self.object.clone()
            },
            _ => self.object.clone(),
        };
        (object, self.node)
    }
}

/// An object, and its node in a glTF file.
pub type MovedObject = (Object, Option<usize>);

/// Returns the node that moves a node of a glTF file.
pub type MovedBy<'m> = &'m dyn Fn(usize) -> Option<usize>;

/// A mesh file, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    /// The file's name without its ending.
    pub name: String,
    /// In the order of the file.
    pub parts: Vec<Part>,
    /// The colliders that joints connect.
    joints: Vec<Sides>,
    /// Unsupported content, with reasons.
    pub notices: Vec<Problem>,
}

/// The content of a file.
#[derive(Default)]
struct Content {
    parts: Vec<Part>,
    joints: Vec<Sides>,
    notices: Vec<Problem>,
}

/// What a mesh file is imported as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportAs {
    /// All triangles, or those of marked colliders alone.
    OneMesh,
    /// Visual parts, one object each.
    Parts,
    /// Marked colliders, one object each.
    Colliders,
}

/// Reads a mesh file (`.obj`, `.gltf`, `.glb`) of a folder. OBJ files are in the given units, glTF in its own: metres, Y up.
///
/// # Errors
/// When there is no such file, its kind is not known, or its content is faulty.
pub fn read_geometry(folder: &dyn Folder, path: &str, units: Units) -> Result<Geometry, Problem> {
    relative_path(path)?;
    let file = path.rsplit('/').next().unwrap_or(path);
    let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
    let shown = folder.shown(path);
    let content =
        match ending.to_ascii_lowercase().as_str() {
            "obj" => {
                let meshes = read_obj_parts(&folder.read(path)?, &shown, units)?;
                let (mut parts, mut notices) = (Vec::new(), Vec::new());
                for (name, mesh) in meshes {
                    let given = name.as_deref().unwrap_or(stem);
                    let (name, marker) = markers::of_name(given);
                    if marker == markers::Marker::Leave {
                        continue;
                    }
                    let (mut part, refused) = marker.part(of_mesh(name, mesh, DVec3::ZERO));
                    part.owner = markers::numbered(given, name).map(Owner::named);
                    notices.extend(refused.map(|what| {
                        Problem::new(shown.clone(), format!("\"{given}\": {what}"), "")
                    }));
                    parts.push(part);
                }
                Content {
                    parts,
                    notices,
                    ..Content::default()
                }
            }
            "gltf" | "glb" => read_gltf(&folder.read(path)?, path, folder).map_err(|problem| {
                let at_file = problem.file == path;
                Problem {
                    file: if at_file { shown.clone() } else { problem.file },
                    ..problem
                }
            })?,
            _ => {
                let what = "unsupported mesh format";
                return Err(Problem::new(
                    shown,
                    what,
                    "meshes are .obj, .gltf or .glb files",
                ));
            }
        };
    let Content {
        parts,
        joints,
        notices,
    } = content;
    if parts.is_empty() {
        // What is left out of it is why.
        return Err(match notices.split_first() {
            Some((first, others)) => {
                let more = match others.len() {
                    0 => String::new(),
                    count => format!("; {count} more parts are left out"),
                };
                let what = format!(
                    "the file contains no geometry that is read: {}{more}",
                    first.what
                );
                Problem::new(shown, what, first.help.clone())
            }
            None => {
                let what = "the file contains no geometry";
                Problem::new(shown, what, "export it with its meshes")
            }
        });
    }
    let name = if stem.is_empty() { "mesh" } else { stem };
    Ok(Geometry {
        name: name.to_owned(),
        parts,
        joints,
        notices,
    })
}

/// Reads a glTF file of a folder with the motion of its nodes, that of all animations or of the named one; `None` where it has none.
///
/// # Errors
/// As [`read_geometry`], when an animation is faulty, and when none has the name.
pub fn read_animated(
    folder: &dyn Folder,
    path: &str,
    name: Option<&str>,
) -> Result<Option<(Geometry, Animation)>, Problem> {
    let geometry = read_geometry(folder, path, Units::default())?;
    let animation = read_animation(&folder.read(path)?, path, folder, name)?;
    Ok(animation.map(|animation| (geometry, animation)))
}

/// The animations of a glTF file of a folder, and whether they are parts of one motion: no two move the same node.
///
/// # Errors
/// As [`read_animated`].
pub fn read_animations(
    folder: &dyn Folder,
    path: &str,
) -> Result<(Vec<AnimationClip>, bool), Problem> {
    read_clips(&folder.read(path)?, path, folder)
}

impl Geometry {
    /// Number of parts for a role.
    pub fn count(&self, wanted: ImportAs) -> usize {
        match wanted {
            ImportAs::OneMesh => usize::from(self.meshes().next().is_some()),
            _ => self.chosen(wanted).count(),
        }
    }

    /// Number of triangles for a role.
    pub fn triangles(&self, wanted: ImportAs) -> usize {
        let count = |shape: &Shape| match shape {
            Shape::Mesh(mesh) => mesh.count(),
            _ => 0,
        };
        match wanted {
            ImportAs::OneMesh => self.meshes().map(|(_, mesh)| mesh.count()).sum(),
            _ => self
                .chosen(wanted)
                .map(|part| count(&part.object(wanted).0.shape))
                .sum(),
        }
    }

    /// The default: colliders if it marks any, else parts.
    pub fn usual(&self) -> ImportAs {
        match self.count(ImportAs::Colliders) {
            0 => ImportAs::Parts,
            _ => ImportAs::Colliders,
        }
    }

    /// Notice of the meshes that are left out as others are marked as colliders.
    pub fn unmarked(&self, wanted: ImportAs, file: &str) -> Option<Problem> {
        let unmarked = self.parts.iter().filter(|part| part.role == Role::Seen);
        let count = match wanted {
            ImportAs::Colliders => unmarked.count(),
            _ => 0,
        };
        let (noun, verb) = match count {
            0 => return None,
            1 => ("mesh", "is"),
            _ => ("meshes", "are"),
        };
        let what = format!(
            "{count} {noun} without a mark {verb} left out, as others are marked as colliders"
        );
        let help = "mark what collides: -col at the end of a name, or a physics extension";
        Some(Problem::new(file, what, help))
    }

    fn chosen(&self, wanted: ImportAs) -> impl Iterator<Item = &Part> {
        let not = match wanted {
            ImportAs::Colliders => Role::Seen,
            _ => Role::Collider,
        };
        self.parts.iter().filter(move |part| part.role != not)
    }

    /// The colliders; several convex ones of one owner become a compound, its other ones share its body.
    fn colliders(&self, moved_by: MovedBy<'_>) -> Vec<MovedObject> {
        let wanted = ImportAs::Colliders;
        let parts: Vec<&Part> = self.chosen(wanted).collect();
        // Parts of one owner that an animation moves apart are no compound.
        let key = |part: &Part| {
            let owner = part.owner.as_ref()?;
            Some((owner.key.clone(), part.node.and_then(moved_by)))
        };
        let mut objects = Vec::new();
        let mut done = BTreeSet::new();
        for part in &parts {
            let (Some(owner), Some(of_owner)) = (&part.owner, key(part)) else {
                objects.push(part.object(wanted));
                continue;
            };
            if !done.insert(of_owner) {
                continue;
            }
            let all = parts.iter().filter(|other| key(other) == key(part));
            let all = all.map(|part| part.object(wanted));
            let can_join =
                |object: &Object| !object.sensor && CompoundPart::is_allowed(&object.shape);
            let all: Vec<MovedObject> = all.collect();
            // Parts of a compound have one layer and mask.
            let bits = |object: &Object| (object.layer, object.mask);
            let first = all.iter().find(|(object, _)| can_join(object));
            let wanted_bits = first.map(|(object, _)| bits(object));
            let is_joined =
                |(object, _): &MovedObject| can_join(object) && Some(bits(object)) == wanted_bits;
            let (convex, mut others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_joined);
            match (convex.len(), compound(owner, &convex)) {
                (2.., Some(compound)) => others.insert(0, compound),
                _ => others.splice(0..0, convex).for_each(drop),
            }
            let owners = || parts.iter().filter_map(|part| part.owner.as_ref());
            let is_own =
                |other: &&&Part| other.owner.as_ref().is_some_and(|it| it.key == owner.key);
            let is_split = parts
                .iter()
                .filter(is_own)
                .any(|other| key(other) != key(part));
            if (others.len() > 1 || is_split) && owner.pose.is_some() {
                // Names may repeat.
                let is_shared = |other: &Owner| other.name == owner.name && other.key != owner.key;
                let has_name = !owner.name.is_empty() && !owners().any(is_shared);
                let body = if has_name { &owner.name } else { &owner.key };
                for (object, _) in &mut others {
                    object.body = Some(body.clone());
                }
            }
            objects.extend(others);
        }
        objects
    }

    fn meshes(&self) -> impl Iterator<Item = (&Object, &Arc<Mesh>)> {
        fn mesh(part: &Part) -> Option<(&Object, &Arc<Mesh>)> {
            match &part.object.shape {
                Shape::Mesh(mesh) => Some((&part.object, mesh)),
                _ => None,
            }
        }
        let marked = |part: &Part| part.role != Role::Seen && mesh(part).is_some();
        let any = self.parts.iter().any(marked);
        self.parts
            .iter()
            .filter(move |part| !any || marked(part))
            .filter_map(mesh)
    }

    /// All triangles in their poses, as one mesh.
    ///
    /// # Errors
    /// When it has none.
    pub fn one_mesh(&self, facing: Facing) -> Result<Mesh, String> {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for (object, mesh) in self.meshes() {
            let first = vertices.len() as u32;
            vertices.extend(mesh.vertices().map(|vertex| object.pose.point(vertex)));
            let own = mesh.triangles();
            triangles.extend(own.map(|corners| corners.map(|corner| first + corner)));
        }
        Mesh::new(vertices, triangles, facing)
    }

    /// The extents of all parts, metres, world axes; `None` without a bounded one.
    pub fn size(&self) -> Option<DVec3> {
        let boxes = self.parts.iter().filter_map(|part| {
            let object = &part.object;
            object.shape.placed(&object.pose).aabb()
        });
        let all = boxes.reduce(|one, other| one.union(&other))?;
        Some(all.half_extents() * 2.0)
    }

    /// The objects, each with a unique name; meshes in the given facing.
    pub fn objects(&self, wanted: ImportAs, facing: Facing) -> Vec<Object> {
        let objects = self.moved_objects(wanted, facing, &|_| None).into_iter();
        objects.map(|(object, _)| object).collect()
    }

    /// The same, each with its node in a glTF file. `moved_by` is the node that moves another one.
    pub fn moved_objects(
        &self,
        wanted: ImportAs,
        facing: Facing,
        moved_by: MovedBy<'_>,
    ) -> Vec<MovedObject> {
        if wanted == ImportAs::OneMesh {
            let mesh = self.one_mesh(facing).ok();
            return mesh
                .map(|mesh| (of_mesh(&self.name, mesh, DVec3::ZERO), None))
                .into_iter()
                .collect();
        }
        let mut taken = BTreeSet::new();
        let objects = match wanted {
            ImportAs::Colliders => self.colliders(moved_by),
            _ => self
                .chosen(wanted)
                .map(|part| part.object(wanted))
                .collect(),
        };
        let named = objects.into_iter().map(|(mut object, node)| {
            let stem = if object.name.is_empty() {
                self.name.clone()
            } else {
                object.name
            };
            let numbered = (2_u32..).map(|number| format!("{stem} {number}"));
            let mut names = std::iter::once(stem.clone()).chain(numbered);
            object.name = names.find(|name| !taken.contains(name)).unwrap_or_default();
            taken.insert(object.name.clone());
            turn(&mut object, facing);
            (object, node)
        });
        let mut objects: Vec<MovedObject> = named.collect();
        self.ignore_joined(&mut objects);
        ignore_filtered(&mut objects);
        objects
    }
}

/// One object for several convex colliders of one owner.
fn compound(owner: &Owner, objects: &[MovedObject]) -> Option<MovedObject> {
    let (first, node) = objects.first()?;
    let pose = owner.pose.unwrap_or(first.pose);
    let part = |object: &Object| CompoundPart {
        shape: object.shape.clone(),
        pose: pose.to_local(&object.pose),
    };
    let compound = Compound::new(objects.iter().map(|(object, _)| part(object)).collect()).ok()?;
    let object = Object {
        name: owner.name.clone(),
        shape: Shape::Compound(Arc::new(compound)),
        pose,
        ..first.clone()
    };
    Some((object, *node))
}

fn turn(object: &mut Object, facing: Facing) {
    if let Shape::Mesh(mesh) = &mut object.shape
        && mesh.facing() != facing
    {
        *mesh = Arc::new(mesh.with_facing(facing));
    }
}

fn of_mesh(name: &str, mesh: Mesh, position: DVec3) -> Object {
    Object {
        mesh: Some(MeshSource::Inline),
        pose: Pose::at(position),
        movement: Movement::Fixed,
        ..Object::new(name, Shape::Mesh(Arc::new(mesh)), position)
    }
}
