//! Triangles of an OBJ file.
//!
//! Only vertices (`v`), faces (`f`) and names (`o`, `g`, `usemtl`) are read. Lines (`l`) are not faces, and faults in textures,
//! normals or materials do not matter.

use super::polygon::triangulate;
use crate::core::problem::Problem;
use crate::core::schema::Units;
use crate::core::shape::{Facing, Mesh};
use crate::core::tolerance::{MAX_CUT_CORNERS, MAX_MAGNITUDE};
use glam::DVec3;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::str::SplitWhitespace;

/// Reads the triangles of an OBJ file.
///
/// # Errors
/// A fault with its line, or that there is no face at all.
pub(in crate::core) fn read_obj(
    bytes: &[u8],
    path: &str,
    facing: Facing,
    units: Units,
) -> Result<Mesh, Problem> {
    let obj = Obj::read(bytes, path, units)?;
    Mesh::new(obj.vertices, obj.triangles, facing).map_err(|what| export_again(path, what))
}

/// The triangles of an OBJ file by object (`o`), in a file with at most one by group (`g`), and without those by material (`usemtl`), each with
/// the vertices that it uses; what comes before the first has no name.
///
/// Groups of an object and materials do not cut a closed mesh into open ones, which have no inside, and a single one does not name the mesh.
///
/// # Errors
/// As [`read_obj`].
pub(super) fn read_obj_parts(
    bytes: &[u8],
    path: &str,
    units: Units,
) -> Result<Vec<(Option<String>, Mesh)>, Problem> {
    let obj = Obj::read(bytes, path, units)?;
    let mut by_part: BTreeMap<usize, Vec<[u32; 3]>> = BTreeMap::new();
    for (triangle, owner) in obj.triangles.iter().zip(&obj.owners) {
        by_part.entry(*owner).or_default().push(*triangle);
    }
    let is_one = by_part.len() == 1;
    let whole = || {
        let whole = Mesh::new(obj.vertices.clone(), obj.triangles.clone(), Facing::Both);
        whole.map_err(|what| export_again(path, what))
    };
    if obj.is_below && is_one {
        return Ok(vec![(obj.object, whole()?)]);
    }
    let made = by_part.into_iter().map(|(owner, triangles)| {
        let name = owner.checked_sub(1).map(|index| obj.names[index].clone());
        let mesh = match is_one {
            true => Mesh::new(obj.vertices.clone(), triangles, Facing::Both),
            false => of_used(&obj.vertices, triangles),
        };
        mesh.map(|mesh| (name, mesh))
            .map_err(|what| export_again(path, what))
    });
    let parts: Vec<_> = made.collect::<Result<_, Problem>>()?;
    if obj.is_below && parts.iter().any(|(_, mesh)| !is_closed(mesh)) {
        let whole = whole()?;
        if is_closed(&whole) {
            return Ok(vec![(obj.object, whole)]);
        }
    }
    Ok(parts)
}

fn is_closed(mesh: &Mesh) -> bool {
    mesh.edges().boundary() == 0
}

fn export_again(path: &str, what: impl Into<String>) -> Problem {
    Problem::new(path, what, "export the mesh again")
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

/// What an OBJ file holds, in metres, Y up.
#[derive(Default)]
struct Obj {
    /// In the order of the file.
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// By triangle: 0 without a name, 1 of the first name.
    owners: Vec<usize>,
    names: Vec<String>,
    /// Its parts are groups of one object, or materials.
    is_below: bool,
    /// The one object that has groups.
    object: Option<String>,
}

/// A face as written: its line, its owner, and the end of its corners among those of all faces.
struct Face {
    line: usize,
    owner: usize,
    end: usize,
}

/// A fault of a line, without the line.
type Fault = (String, String);

fn fault(what: impl Into<String>, help: &str) -> Fault {
    (what.into(), help.to_owned())
}

impl Obj {
    fn read(bytes: &[u8], path: &str, units: Units) -> Result<Self, Problem> {
        let text = String::from_utf8_lossy(bytes);
        let at =
            |line: usize| move |(what, help): Fault| Problem::new(path, what, help).at(line, 1);
        let (mut objects, mut has_groups) = (BTreeSet::new(), false);
        for (_, statement) in statements(&text) {
            match statement.split_whitespace().next() {
                Some("o") => drop(objects.insert(name_of(&statement, "o"))),
                Some("g") => has_groups = true,
                _ => {}
            }
        }
        let sign = match (objects.len(), has_groups) {
            (0..2, true) => "g",
            (0, false) => "usemtl",
            _ => "o",
        };
        let mut obj = Self {
            is_below: sign == "usemtl" || (sign == "g" && objects.len() == 1),
            object: objects.pop_first().filter(|_| sign == "g"),
            ..Self::default()
        };
        // Faces may use later vertices.
        let (mut faces, mut corners) = (Vec::<Face>::new(), Vec::<i64>::new());
        let (mut owner, mut owners) = (0, HashMap::<String, usize>::new());
        for (line, statement) in statements(&text) {
            let mut words = statement.split_whitespace();
            match words.next() {
                Some("v") => obj.vertices.push(vertex(words, units).map_err(at(line))?),
                Some("f") => {
                    for word in words {
                        corners.push(corner(word, obj.vertices.len()).map_err(at(line))?);
                    }
                    let end = corners.len();
                    faces.push(Face { line, owner, end });
                }
                Some(word) if word == sign => {
                    let name = name_of(&statement, sign);
                    owner = *owners.entry(name).or_insert_with_key(|name| {
                        obj.names.push(name.clone());
                        obj.names.len()
                    });
                }
                _ => {}
            }
        }
        let mut begin = 0;
        for face in faces {
            obj.face(&corners[begin..face.end]).map_err(at(face.line))?;
            obj.owners.resize(obj.triangles.len(), face.owner);
            begin = face.end;
        }
        if obj.triangles.is_empty() && bytes.contains(&0) {
            let what = "this is not an OBJ file: it is not text";
            return Err(export_again(path, what));
        }
        if obj.triangles.is_empty() {
            return Err(Problem::new(
                path,
                "the mesh file has no face",
                "export the mesh with its faces (lines starting with `f`)",
            ));
        }
        Ok(obj)
    }

    fn face(&mut self, corners: &[i64]) -> Result<(), Fault> {
        let total = self.vertices.len();
        if let Some(beyond) = corners.iter().find(|index| **index >= total as i64) {
            let what = format!("the face names vertex {}, there are {total}", beyond + 1);
            return Err(fault(what, "export the mesh again"));
        }
        if corners.len() < 3 {
            return Err(fault(
                "a face needs three vertices or more",
                "export the mesh again",
            ));
        }
        let corners: Vec<u32> = corners.iter().map(|index| *index as u32).collect();
        match triangulate(&self.vertices, &corners, &mut self.triangles) {
            true => Ok(()),
            false => Err(fault(
                format!("a concave face has {} corners", corners.len()),
                &format!("export the mesh with faces of at most {MAX_CUT_CORNERS}"),
            )),
        }
    }
}

/// What follows the first word of a statement.
fn name_of(statement: &str, word: &str) -> String {
    statement.trim_start()[word.len()..].trim().to_owned()
}

/// `x y z`, also with a weight `w`, or a colour, which is left out.
fn vertex(words: SplitWhitespace<'_>, units: Units) -> Result<DVec3, Fault> {
    // A fourth number alone is the weight; more are a colour.
    let count = if words.clone().count() == 4 { 4 } else { 3 };
    let mut numbers = [0.0, 0.0, 0.0, 1.0];
    let mut have = 0;
    for (number, word) in numbers.iter_mut().zip(words.take(count)) {
        *number = word
            .parse::<f64>()
            .map_err(|_| fault(format!("`{word}` is not a number"), "export the mesh again"))?;
        have += 1;
    }
    if have < 3 {
        return Err(fault(
            "a vertex needs three numbers",
            "export the mesh again",
        ));
    }
    let [x, y, z, weight] = numbers;
    let point = DVec3::new(x, y, z) / weight;
    if !(point.is_finite() && point.abs().max_element() * units.length <= MAX_MAGNITUDE) {
        let what = "a vertex is not finite, or too far away";
        return Err(fault(what, "export the mesh again"));
    }
    Ok(units.vector(point))
}

/// The vertex of a face corner, from 0: `v`, `v/vt`, `v//vn` or `v/vt/vn`, where `v` counts from 1, or backward from
/// the last of `before` vertices.
fn corner(word: &str, before: usize) -> Result<i64, Fault> {
    let mut parts = word.split('/');
    let number = parts.next().and_then(|part| part.parse::<i64>().ok());
    let is_whole = |part: &str| part.is_empty() || part.parse::<i64>().is_ok();
    let rest_is_good = parts.clone().count() <= 2 && parts.all(is_whole);
    let index = match number {
        Some(number @ 1..) => Some(number - 1),
        Some(number @ ..0) => before
            .checked_add_signed(number as isize)
            .map(|index| index as i64),
        Some(0) | None => None,
    };
    index.filter(|_| rest_is_good).ok_or_else(|| {
        let what = format!("`{word}` does not name a vertex");
        fault(what, "faces name vertices by number, from 1")
    })
}

/// The statements of a file without comments, each with the line it begins on: a backslash at the end joins lines.
fn statements(file: &str) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    fn bare(line: &str) -> &str {
        line.split('#').next().unwrap_or("").trim_end()
    }
    // A byte order mark would hide the first vertex.
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
    use crate::core::schema::Axis;

    #[test]
    fn objects_and_groups_are_parts_with_the_vertices_they_use() {
        let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\no floor\nf 1 2 3\no wall side\nf 2 3 4\no floor\nf 1 3 4\n";
        let parts = read_obj_parts(text.as_bytes(), "m.obj", METRES).unwrap();
        let names: Vec<_> = parts.iter().map(|(name, _)| name.as_deref()).collect();
        assert_eq!(names, [Some("floor"), Some("wall side")]);
        assert!(parts[0].1.triangles().eq([[0, 1, 2], [0, 2, 3]]));
        assert!(parts[1].1.triangles().eq([[0, 1, 2]]));
        assert!(parts[1].1.vertices().eq([DVec3::X, DVec3::Y, DVec3::Z]));
        let groups = read_obj_parts(text.replace("o ", "g ").as_bytes(), "m.obj", METRES).unwrap();
        assert_eq!(groups, parts);
        let plain = text.lines().filter(|line| !line.starts_with('o'));
        let plain: Vec<_> = plain.collect();
        let parts = read_obj_parts(plain.join("\n").as_bytes(), "m.obj", METRES).unwrap();
        assert_eq!((parts.len(), &parts[0].0), (1, &None));
        assert_eq!(parts[0].1.count(), 3);
    }

    /// Smoothing groups (`s`) between the faces of a part do not matter.
    #[test]
    fn materials_are_parts_unless_they_cut_a_closed_mesh() {
        let read = |text: &str| {
            let parts = read_obj_parts(text.as_bytes(), "m.obj", METRES).unwrap();
            let part = |(name, mesh): (Option<String>, Mesh)| (name, mesh.count());
            parts.into_iter().map(part).collect::<Vec<_>>()
        };
        let named = |name: &str, count: usize| (Some(name.to_owned()), count);
        let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
        let faces = |second: &str| {
            format!(
                "{corners}usemtl a\ns 1\nf 1 3 2\ns off\nf 1 2 4\n{second}\ns 2\nf 2 3 4\nf 1 4 3\n"
            )
        };
        assert_eq!(read(&faces("usemtl b")), [(None, 4)], "closed");
        let open = faces("usemtl b").replace("f 1 4 3\n", "");
        assert_eq!(read(&open), [named("a", 2), named("b", 1)]);
        assert_eq!(
            read(&open.replace("usemtl b", "")),
            [(None, 3)],
            "a single one"
        );
        let whole = faces("");
        let other = whole
            .replace("v 0 0 0", "v 9 9 9")
            .replace("usemtl a", "usemtl b");
        let other = other
            .replace("f 1 3 2", "f -4 -2 -3")
            .replace("f 1 2 4", "f -4 -3 -1");
        let other = other
            .replace("f 2 3 4", "f -3 -2 -1")
            .replace("f 1 4 3", "f -4 -1 -2");
        assert_eq!(
            read(&(whole + &other)),
            [named("a", 4), named("b", 4)],
            "two closed"
        );
        assert_eq!(read(&format!("g c\n{open}")), [named("c", 3)]);
        // Groups of one object, as the materials here.
        let grouped = |text: &str| read(&format!("o c\n{text}").replace("usemtl", "g"));
        assert_eq!(grouped(&faces("usemtl b")), [named("c", 4)], "closed");
        assert_eq!(grouped(&open), [named("a", 2), named("b", 1)]);
        assert_eq!(grouped(&open.replace("usemtl b", "")), [named("c", 3)]);
        let two = open
            .replace("usemtl a", "o d\nusemtl a")
            .replace("s 2", "o c");
        assert_eq!(grouped(&two), [named("c", 1), named("d", 2)], "two objects");
    }

    const METRES: Units = Units {
        length: 1.0,
        up: Axis::Y,
        name: None,
        flat: false,
    };

    fn read(text: &str) -> Mesh {
        read_obj(text.as_bytes(), "m.obj", Facing::Both, METRES).unwrap_or_else(|p| panic!("{p}"))
    }

    #[test]
    fn every_spelling_of_a_mesh_is_that_mesh() {
        let plain = read("v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\nf 4 3 1\n");
        assert!(plain.triangles().eq([[0, 1, 2], [0, 2, 3], [3, 2, 0]]));
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
        assert!(mesh.triangles().eq([[2, 1, 0]]));
        assert_eq!(mesh.vertex(2), DVec3::new(1.0, 0.0, 1.0));
    }

    #[test]
    fn lengths_and_axes_are_those_of_the_level() {
        let centimetres = Units {
            length: 0.01,
            up: Axis::Z,
            ..METRES
        };
        let text = b"v 100 200 300\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
        let mesh = read_obj(text, "m.obj", Facing::Front, centimetres).unwrap();
        assert_eq!(mesh.vertex(0), DVec3::new(1.0, 3.0, -2.0));
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
        assert_eq!(read(&face(1.0)).count(), MAX_CUT_CORNERS - 1);
        let star = face(0.5);
        let problem = read_obj(star.as_bytes(), "m.obj", Facing::Both, METRES).unwrap_err();
        let line = Some(MAX_CUT_CORNERS + 3);
        assert_eq!(problem.at.map(|at| at.line), line, "{problem}");
    }
}
