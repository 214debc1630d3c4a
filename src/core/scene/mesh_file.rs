//! Mesh files beside a scene. Each is read once, however many objects name it.
//!
//! OBJ is read here rather than by a general reader, as collision wants what those leave out: the line of every fault, vertices
//! in the file's order and shared between groups, lines (`l`) not taken for faces, and concave polygons cut without covering
//! what is outside of them. Of a file only `v` and `f` matter.

use super::folder::{Folder, relative_path};
use super::polygon::triangulate;
use super::types::Units;
use crate::core::problem::Problem;
use crate::core::shape::{Facing, Mesh};
use crate::core::tolerance::MAX_MAGNITUDE;
use glam::DVec3;
use std::collections::HashMap;
use std::sync::Arc;

/// The meshes a scene has asked for.
pub(super) struct MeshFiles<'f> {
    folder: &'f dyn Folder,
    units: Units,
    /// By path and facing; a file that could not be read is not read again.
    known: HashMap<(String, Facing), Result<Arc<Mesh>, Problem>>,
}

impl<'f> MeshFiles<'f> {
    pub(super) fn new(folder: &'f dyn Folder, units: Units) -> Self {
        Self {
            folder,
            units,
            known: HashMap::new(),
        }
    }

    /// The mesh in a file, in metres and Y up. A problem with a place is in the mesh file's text, one without is about the file.
    pub(super) fn mesh(&mut self, path: &str, facing: Facing) -> Result<Arc<Mesh>, Problem> {
        let key = (path.to_owned(), facing);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let other = match facing {
            Facing::Both => Facing::Front,
            Facing::Front => Facing::Both,
        };
        let mesh = match self.known.get(&(path.to_owned(), other)) {
            // Read already, only its facing differs.
            Some(Ok(twin)) => turned(twin, facing, path),
            Some(Err(problem)) => Err(problem.clone()),
            None => read_mesh(self.folder, path, facing, self.units),
        };
        let mesh = mesh.map(Arc::new);
        self.known.insert(key, mesh.clone());
        mesh
    }
}

fn turned(twin: &Mesh, facing: Facing, path: &str) -> Result<Mesh, Problem> {
    Mesh::new(twin.vertices().to_vec(), twin.triangles().to_vec(), facing)
        .map_err(|what| Problem::new(path, what, ""))
}

/// Reads a mesh file beside a scene or log; its coordinates are in the given units.
///
/// # Errors
/// When there is no such file, its kind is not known, or its content is faulty (then with a line, of the mesh file itself).
pub fn read_mesh(
    folder: &dyn Folder,
    path: &str,
    facing: Facing,
    units: Units,
) -> Result<Mesh, Problem> {
    relative_path(path)?;
    let ending = path.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
    match ending.as_str() {
        "obj" => {}
        "glb" | "gltf" => {
            return Err(Problem::new(
                path,
                "glTF is not read yet",
                "export the mesh as OBJ, in the scene's units and axes",
            ));
        }
        _ => {
            return Err(Problem::new(
                path,
                "not a mesh file that is known",
                "meshes are OBJ files, ending in .obj",
            ));
        }
    }
    let bytes = folder.read(path)?;
    read_obj(&bytes, path, facing, units)
}

/// Reads the triangles of an OBJ file.
///
/// # Errors
/// The first fault with its line, or that there is no face at all.
pub(super) fn read_obj(
    bytes: &[u8],
    path: &str,
    facing: Facing,
    units: Units,
) -> Result<Mesh, Problem> {
    let text = String::from_utf8_lossy(bytes);
    let mut obj = Obj {
        path,
        units,
        vertices: Vec::new(),
        faces: Vec::new(),
        corners: Vec::new(),
    };
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        // A backslash at the end joins lines; rare, so that only then a copy is made.
        if line.ends_with('\\') {
            let mut whole = line.trim_end_matches('\\').to_owned();
            for (_, next) in lines.by_ref() {
                whole.push(' ');
                whole.push_str(next.trim_end_matches('\\'));
                if !next.ends_with('\\') {
                    break;
                }
            }
            obj.line(&whole, index + 1)?;
        } else {
            obj.line(line, index + 1)?;
        }
    }
    obj.finish(facing)
}

struct Obj<'p> {
    path: &'p str,
    units: Units,
    vertices: Vec<DVec3>,
    /// Line of each face, and the end of its corners.
    faces: Vec<(usize, usize)>,
    corners: Vec<u32>,
}

impl Obj<'_> {
    fn problem(&self, line: usize, what: impl Into<String>, mend: &str) -> Problem {
        Problem::new(self.path, what, mend).at(line, 1)
    }

    fn line(&mut self, text: &str, line: usize) -> Result<(), Problem> {
        let text = text.split('#').next().unwrap_or("");
        let mut words = text.split_whitespace();
        match words.next() {
            Some("v") => self.vertex(words, line),
            Some("f") => self.face(words, line),
            _ => Ok(()),
        }
    }

    fn vertex<'w>(
        &mut self,
        words: impl Iterator<Item = &'w str>,
        line: usize,
    ) -> Result<(), Problem> {
        let mut parts = [0.0; 7];
        let mut count = 0;
        for word in words.take(parts.len()) {
            parts[count] = word.parse::<f64>().map_err(|_| {
                self.problem(
                    line,
                    format!("`{word}` is not a number"),
                    "export the mesh again",
                )
            })?;
            count += 1;
        }
        let mut point = DVec3::new(parts[0], parts[1], parts[2]);
        if count < 3 {
            return Err(self.problem(
                line,
                "a vertex needs three numbers",
                "export the mesh again",
            ));
        }
        // A fourth number alone is the homogeneous weight; more are a colour.
        if count == 4 {
            point /= parts[3];
        }
        if !point.is_finite() || point.abs().max_element() * self.units.length > MAX_MAGNITUDE {
            let what = "a vertex is not finite, or too far away";
            return Err(self.problem(line, what, "export the mesh again"));
        }
        self.vertices.push(self.units.vector(point));
        Ok(())
    }

    fn face<'w>(
        &mut self,
        words: impl Iterator<Item = &'w str>,
        line: usize,
    ) -> Result<(), Problem> {
        let begin = self.corners.len();
        for word in words {
            let index = word.split('/').next().unwrap_or("");
            let bad = || {
                let what = format!("`{word}` does not name a vertex");
                self.problem(line, what, "faces name vertices by number, from 1")
            };
            let number: i64 = index.parse().map_err(|_| bad())?;
            let from_zero = match number {
                1.. => number - 1,
                // From the last vertex back.
                ..=-1 => (self.vertices.len() as i64)
                    .checked_add(number)
                    .ok_or_else(bad)?,
                0 => return Err(bad()),
            };
            let index = u32::try_from(from_zero).map_err(|_| bad())?;
            self.corners.push(index);
        }
        if self.corners.len() - begin < 3 {
            let what = "a face needs three vertices or more";
            return Err(self.problem(line, what, "export the mesh again"));
        }
        self.faces.push((line, self.corners.len()));
        Ok(())
    }

    /// Faces may name vertices that come later, so they are cut into triangles at the end.
    fn finish(self, facing: Facing) -> Result<Mesh, Problem> {
        let mut triangles = Vec::with_capacity(self.faces.len());
        let mut begin = 0;
        for (line, end) in &self.faces {
            let corners = &self.corners[begin..*end];
            begin = *end;
            let beyond = corners
                .iter()
                .find(|index| **index as usize >= self.vertices.len());
            if let Some(index) = beyond {
                let have = self.vertices.len();
                let what = format!("the face names vertex {}, there are {have}", *index + 1);
                return Err(self.problem(*line, what, "export the mesh again"));
            }
            triangulate(&self.vertices, corners, &mut triangles);
        }
        if triangles.is_empty() {
            return Err(Problem::new(
                self.path,
                "the mesh file has no face",
                "export the mesh with its faces (lines starting with `f`)",
            ));
        }
        Mesh::new(self.vertices, triangles, facing)
            .map_err(|what| Problem::new(self.path, what, "export the mesh again"))
    }
}
