//! The triangles of an OBJ file, read by `tobj`.
//!
//! Of a file only vertices (`v`) and faces (`f`) can be collided with, so that only they are handed on, in the order of the
//! file and without its groups: one index space, in which vertices stay shared. Lines (`l`) are not taken for faces, and nothing
//! a file says about textures, normals or materials can make it unreadable.

use super::polygon::triangulate;
use crate::core::problem::Problem;
use crate::core::schema::Units;
use crate::core::shape::{Facing, Mesh};
use crate::core::tolerance::{MAX_CUT_CORNERS, MAX_MAGNITUDE};
use glam::DVec3;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use tobj::{LoadError, LoadOptions};

/// Reads the triangles of an OBJ file.
///
/// # Errors
/// A fault with its line, or that there is no face at all.
pub(super) fn read_obj(
    bytes: &[u8],
    path: &str,
    facing: Facing,
    units: Units,
) -> Result<Mesh, Problem> {
    let obj = Obj::new(&String::from_utf8_lossy(bytes), path);
    let mesh = obj.load()?;
    let vertices = obj.vertices(&mesh, units)?;
    let triangles = obj.triangles(&mesh, &vertices)?;
    if triangles.is_empty() {
        return Err(Problem::new(
            path,
            "the mesh file has no face",
            "export the mesh with its faces (lines starting with `f`)",
        ));
    }
    Mesh::new(vertices, triangles, facing)
        .map_err(|what| Problem::new(path, what, "export the mesh again"))
}

/// The triangles of an OBJ file, by the objects (`o`, and in a file without any the groups, `g`) that they belong to, each with
/// the vertices that it uses; what comes before the first has no name.
///
/// # Errors
/// As [`read_obj`].
pub(super) fn read_obj_parts(
    bytes: &[u8],
    path: &str,
    units: Units,
) -> Result<Vec<(Option<String>, Mesh)>, Problem> {
    let text = String::from_utf8_lossy(bytes);
    let whole = read_obj(bytes, path, Facing::Both, units)?;
    let obj = Obj::new(&text, path);
    let mesh = obj.load()?;
    let vertices = obj.vertices(&mesh, units)?;
    let (names, owners) = parts(&text);
    let mut by_part: BTreeMap<usize, Vec<[u32; 3]>> = BTreeMap::new();
    let mut known = 0;
    obj.each_face(&mesh, &vertices, |face, triangles| {
        let own = by_part.entry(owners.get(face).copied().unwrap_or(0));
        own.or_default().extend(&triangles[known..]);
        known = triangles.len();
    })?;
    if by_part.len() < 2 {
        let name = by_part
            .keys()
            .next()
            .and_then(|&owner| names.get(owner.checked_sub(1)?));
        return Ok(vec![(name.cloned(), whole)]);
    }
    let made = by_part.into_iter().map(|(owner, triangles)| {
        let name = owner
            .checked_sub(1)
            .and_then(|index| names.get(index).cloned());
        let mesh = of_used(&vertices, triangles);
        mesh.map(|mesh| (name, mesh))
            .map_err(|what| Problem::new(path, what, "export the mesh again"))
    });
    made.collect()
}

/// A mesh of these triangles, with the vertices that they use, in their order.
fn of_used(vertices: &[DVec3], mut triangles: Vec<[u32; 3]>) -> Result<Mesh, String> {
    let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    for corner in triangles.iter_mut().flatten() {
        *corner = used.partition_point(|&vertex| vertex < *corner) as u32;
    }
    let own = used.iter().map(|&vertex| vertices[vertex as usize]);
    Mesh::new(own.collect(), triangles, Facing::Both)
}

/// The names of a file's objects, and to which each face belongs: 0 to none, 1 to the first.
fn parts(file: &str) -> (Vec<String>, Vec<usize>) {
    let has_objects = statements(file).any(|(_, line)| line.split_whitespace().next() == Some("o"));
    let sign = if has_objects { "o" } else { "g" };
    let (mut names, mut owners) = (Vec::<String>::new(), Vec::new());
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut owner = 0;
    for (_, statement) in statements(file) {
        let (first, rest) = statement
            .trim()
            .split_once(char::is_whitespace)
            .unwrap_or((statement.trim(), ""));
        if first == "f" {
            owners.push(owner);
        } else if first == sign {
            let name = rest.trim();
            owner = *numbers.entry(name.to_owned()).or_insert_with(|| {
                names.push(name.to_owned());
                names.len()
            });
        }
    }
    (names, owners)
}

/// The statements of a file that matter.
struct Obj<'p> {
    path: &'p str,
    /// One statement a line.
    text: String,
    /// Lines of the file, from 1, on which the vertices and faces are.
    vertices: Vec<usize>,
    faces: Vec<usize>,
}

impl<'p> Obj<'p> {
    fn new(file: &str, path: &'p str) -> Self {
        let mut obj = Self {
            path,
            text: String::with_capacity(file.len()),
            vertices: Vec::new(),
            faces: Vec::new(),
        };
        for (line, statement) in statements(file) {
            let mut words = statement.split_whitespace();
            match words.next() {
                Some("v") => {
                    obj.vertices.push(line);
                    obj.text.push('v');
                    // A fourth number alone is the weight; more are a colour, which tobj wants for all vertices or none.
                    let count = if words.clone().count() == 4 { 4 } else { 3 };
                    for word in words.take(count) {
                        obj.text.push(' ');
                        obj.text.push_str(word);
                    }
                }
                Some("f") => {
                    obj.faces.push(line);
                    obj.text.push_str(&statement);
                }
                _ => continue,
            }
            obj.text.push('\n');
        }
        obj
    }

    /// Every vertex of the file at its own index, and the faces: the first has all vertices and is not the file's.
    fn load(&self) -> Result<tobj::Mesh, Problem> {
        // tobj keeps and numbers what faces name, in their order; this one makes that all, in the order of the file.
        let mut all = String::from("f");
        for number in 1..=self.vertices.len() {
            all.push(' ');
            all.push_str(&number.to_string());
        }
        all.push('\n');
        let mut reader = all.as_bytes().chain(self.text.as_bytes());
        let loaded = tobj::load_obj_buf(&mut reader, &LoadOptions::default(), |_| {
            Err(LoadError::OpenFileFailed)
        });
        match loaded {
            Ok((models, _)) => {
                let model = models.into_iter().next();
                Ok(model.map(|model| model.mesh).unwrap_or_default())
            }
            Err(LoadError::FaceVertexOutOfBounds) => Err(self.beyond()),
            // It reads line by line, so that the last one it took is the one it means.
            Err(error) => {
                let (_, rest) = reader.into_inner();
                let taken = &self.text[..self.text.len() - rest.len()];
                Err(self.explain(error, taken))
            }
        }
    }

    fn problem(&self, line: usize, what: impl Into<String>, mend: &str) -> Problem {
        Problem::new(self.path, what, mend).at(line, 1)
    }

    /// Why the last statement of a part of the text could not be read.
    fn explain(&self, error: LoadError, taken: &str) -> Problem {
        let kind = |wanted: &str| {
            taken
                .lines()
                .filter(|line| line.split_whitespace().next() == Some(wanted))
                .count()
        };
        let mut words = taken.lines().last().unwrap_or("").split_whitespace();
        if words.next() == Some("f") {
            let whole = |part: &str| part.is_empty() || part.parse::<i64>().is_ok();
            let word =
                words.find(|word| word.split('/').count() > 3 || !word.split('/').all(whole));
            return self.nameless(self.faces[kind("f") - 1], word.unwrap_or("f"));
        }
        let Some(&line) = kind("v")
            .checked_sub(1)
            .and_then(|index| self.vertices.get(index))
        else {
            return Problem::new(self.path, error.to_string(), "export the mesh again");
        };
        let what = match (error, words.find(|word| word.parse::<f64>().is_err())) {
            (LoadError::ScalingByZeroError, _) => NOT_FINITE.to_owned(),
            (_, Some(word)) => format!("`{word}` is not a number"),
            _ => "a vertex needs three numbers".to_owned(),
        };
        self.problem(line, what, "export the mesh again")
    }

    fn nameless(&self, line: usize, word: &str) -> Problem {
        let what = format!("`{word}` does not name a vertex");
        self.problem(line, what, "faces name vertices by number, from 1")
    }

    /// The first face that names a vertex the file does not have: tobj only says that there is one.
    fn beyond(&self) -> Problem {
        let total = self.vertices.len() as i64;
        let (mut before, mut faces) = (0_i64, self.faces.iter());
        for statement in self.text.lines() {
            let mut words = statement.split_whitespace();
            if words.next() == Some("v") {
                before += 1;
                continue;
            }
            let line = faces.next().copied().unwrap_or(1);
            for word in words {
                let number = word.split('/').next().unwrap_or("").parse::<i64>();
                match number {
                    // Also vertices that come later; negative ones count back from here.
                    Ok(number) if number > total => {
                        let what = format!("the face names vertex {number}, there are {total}");
                        return self.problem(line, what, "export the mesh again");
                    }
                    Ok(number) if number != 0 && number >= -before => {}
                    _ => return self.nameless(line, word),
                }
            }
        }
        let what = LoadError::FaceVertexOutOfBounds.to_string();
        Problem::new(self.path, what, "export the mesh again")
    }

    /// In metres, Y up.
    fn vertices(&self, mesh: &tobj::Mesh, units: Units) -> Result<Vec<DVec3>, Problem> {
        let points = mesh.positions.chunks_exact(3).map(DVec3::from_slice);
        let vertices = points.zip(&self.vertices).map(|(point, &line)| {
            if point.is_finite() && point.abs().max_element() * units.length <= MAX_MAGNITUDE {
                Ok(units.vector(point))
            } else {
                Err(self.problem(line, NOT_FINITE, "export the mesh again"))
            }
        });
        vertices.collect()
    }

    fn triangles(&self, mesh: &tobj::Mesh, vertices: &[DVec3]) -> Result<Vec<[u32; 3]>, Problem> {
        self.each_face(mesh, vertices, |_, _| {})
    }

    /// Every triangle; after each face its number is told, with all triangles until then.
    fn each_face(
        &self,
        mesh: &tobj::Mesh,
        vertices: &[DVec3],
        mut told: impl FnMut(usize, &[[u32; 3]]),
    ) -> Result<Vec<[u32; 3]>, Problem> {
        let mut triangles = Vec::with_capacity(self.faces.len());
        let mut rest = mesh.indices.get(self.vertices.len()..).unwrap_or(&[]);
        for (index, &line) in self.faces.iter().enumerate() {
            // The first is the face of all vertices. Where all are triangles, tobj lists nothing.
            let count = mesh.face_arities.get(index + 1).copied().unwrap_or(3) as usize;
            let (corners, later) = rest.split_at_checked(count).unwrap_or((rest, &[]));
            rest = later;
            if corners.len() < 3 {
                let what = "a face needs three vertices or more";
                return Err(self.problem(line, what, "export the mesh again"));
            }
            if !triangulate(vertices, corners, &mut triangles) {
                let what = format!("a concave face has {} corners", corners.len());
                let mend = format!("export the mesh with faces of at most {MAX_CUT_CORNERS}");
                return Err(self.problem(line, what, &mend));
            }
            told(index, &triangles);
        }
        Ok(triangles)
    }
}

const NOT_FINITE: &str = "a vertex is not finite, or too far away";

/// The statements of a file without comments, each with the line it begins on: a backslash at the end joins lines, which tobj
/// does not know.
fn statements(file: &str) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    fn bare(line: &str) -> &str {
        line.split('#').next().unwrap_or("").trim_end()
    }
    // A byte order mark, as some editors write, would hide the first vertex.
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let mut lines = file.lines().enumerate();
    std::iter::from_fn(move || {
        let (index, line) = lines.next()?;
        let mut part = bare(line);
        if !part.ends_with('\\') {
            return Some((index + 1, Cow::Borrowed(part)));
        }
        let mut whole = String::new();
        while let Some(begun) = part.strip_suffix('\\') {
            whole.push_str(begun);
            whole.push(' ');
            part = lines.next().map_or("", |(_, line)| bare(line));
        }
        whole.push_str(part);
        Some((index + 1, Cow::Owned(whole)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::scene::Axis;

    #[test]
    fn objects_and_groups_are_parts_with_the_vertices_they_use() {
        let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\no floor\nf 1 2 3\no wall side\nf 2 3 4\no floor\nf 1 3 4\n";
        let parts = read_obj_parts(text.as_bytes(), "m.obj", METRES).unwrap();
        let names: Vec<_> = parts.iter().map(|(name, _)| name.as_deref()).collect();
        assert_eq!(names, [Some("floor"), Some("wall side")]);
        assert_eq!(parts[0].1.triangles(), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(parts[1].1.triangles(), [[0, 1, 2]]);
        assert_eq!(parts[1].1.vertices(), [DVec3::X, DVec3::Y, DVec3::Z]);
        let groups = read_obj_parts(text.replace("o ", "g ").as_bytes(), "m.obj", METRES).unwrap();
        assert_eq!(groups, parts);
        let plain = text.lines().filter(|line| !line.starts_with('o'));
        let plain: Vec<_> = plain.collect();
        let parts = read_obj_parts(plain.join("\n").as_bytes(), "m.obj", METRES).unwrap();
        assert_eq!((parts.len(), &parts[0].0), (1, &None));
        assert_eq!(parts[0].1.triangles().len(), 3);
    }

    const METRES: Units = Units {
        length: 1.0,
        up: Axis::Y,
    };

    fn read(text: &str) -> Mesh {
        read_obj(text.as_bytes(), "m.obj", Facing::Both, METRES).unwrap_or_else(|p| panic!("{p}"))
    }

    #[test]
    fn every_spelling_of_a_mesh_is_that_mesh() {
        let plain = read("v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\nf 4 3 1\n");
        assert_eq!(plain.triangles(), [[0, 1, 2], [0, 2, 3], [3, 2, 0]]);
        let others = [
            (
                "line ends",
                "v 0 0 0\r\nv 1 0 0\r\n\r\nv 1 0 1\r\nv 0 0 1\r\nf 1 2 3 4\r\nf 4 3 1",
            ),
            (
                "a byte order mark",
                "\u{feff}v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\nf 4 3 1\n",
            ),
            (
                "from the last back",
                "v 0 0 0\nv 1 0 0\nv 1 0 1\nf -3 -2 -1 4\nv 0 0 1\nf -1 -2 -4\n",
            ),
            (
                "faces first",
                "f 1 2 3 4\nf 4 3 1\nv 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\n",
            ),
            (
                "joined lines",
                "v 0 0 0\nv 1 \\\n 0 \\\n0\nv 1 0 1\nv 0 0 1\nf 1 2 \\\n3 4\nf 4 3 1\\",
            ),
            (
                "comments",
                "#v 9 9 9\n# c:\\\nv 0 0 0 # one\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4#\nf 4 3 1 # \\",
            ),
            (
                "groups",
                "mtllib none.mtl\no a\nv 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\ng b\nusemtl c\ns 1\nf 1 2 3 4\no\nusemtl\ng d e\ns off\nf 4 3 1\n",
            ),
            (
                "normals and textures, also wrong ones",
                "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nvt 0\nvt x\nvn 0 1 0\nf 1/1/1 2//1 3/2 4/-9/-9\nf 4/7 3 1//7\n",
            ),
            (
                "lines and points",
                "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nl 1 2\nl 1 2 3\np 1\nf 1 2 3 4\nf 4 3 1\n",
            ),
            (
                "weights and some colours",
                "v 0 0 0 1\nv 2 0 0 2\nv 1 0 1 0.5 0.5 0.5\nv 0 0 1 .1 .2 .3 .4\nf 1 2 3 4\nf 4 3 1\n",
            ),
        ];
        for (name, text) in others {
            assert_eq!(read(text), plain, "{name}");
        }
    }

    #[test]
    fn one_triangle_of_three_vertices_is_one() {
        let mesh = read("v 0 0 0\nv 1 0 0\nv 1 0 1\nf 3 2 1\n");
        assert_eq!(mesh.triangles(), [[2, 1, 0]]);
        assert_eq!(mesh.vertices()[2], DVec3::new(1.0, 0.0, 1.0));
    }

    #[test]
    fn lengths_and_axes_are_those_of_the_level() {
        let centimetres = Units {
            length: 0.01,
            up: Axis::Z,
        };
        let text = b"v 100 200 300\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
        let mesh = read_obj(text, "m.obj", Facing::Front, centimetres).unwrap();
        assert_eq!(mesh.vertices()[0], DVec3::new(1.0, 3.0, -2.0));
    }

    #[test]
    fn a_concave_face_of_too_many_corners_is_refused_and_a_convex_one_is_not() {
        let face = |turn: f64| {
            let count = MAX_CUT_CORNERS + 1;
            let mut text = String::new();
            for index in 0..count {
                let radius = if index % 2 == 0 { 1.0 } else { turn };
                let (sin, cos) = (index as f64 * std::f64::consts::TAU / count as f64).sin_cos();
                text += &format!("v {} 0 {}\n", cos * radius, -sin * radius);
            }
            let numbers: Vec<_> = (1..=count).map(|number| number.to_string()).collect();
            text + "\nf " + &numbers.join(" ")
        };
        assert_eq!(read(&face(1.0)).triangles().len(), MAX_CUT_CORNERS - 1);
        let star = face(0.5);
        let problem = read_obj(star.as_bytes(), "m.obj", Facing::Both, METRES).unwrap_err();
        let line = Some(MAX_CUT_CORNERS + 3);
        assert_eq!(problem.at.map(|at| at.line), line, "{problem}");
    }
}
