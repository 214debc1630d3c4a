//! Small changes to a scene's own text, which keep its comments and its layout.

use super::places::{Places, Step};
use super::tokens::{skip_trivia, token_end};
use super::types::{Expectation, Scene};
use super::write;
use super::{Folder, parse};
use crate::core::problem::{Place, Problem, Problems};

/// Where in a scene's text its objects and expectations begin, each list in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// One place for each object.
    pub objects: Vec<Place>,
    /// One place for each expectation.
    pub expect: Vec<Place>,
}

/// Finds the objects and expectations of a text; of a text that is no scene, nothing.
pub fn outline(text: &str) -> Outline {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let places = Places::new(text);
    Outline {
        objects: places.items(&[Step::Field("objects")]),
        expect: places.items(&[Step::Field("expect")]),
    }
}

/// The text of a scene with one more expectation at the end of its `expect`, which is added where there is none.
///
/// Everything else keeps its place, comments too. What comes out is read again, and is the same scene with the expectation
/// added: the change is refused otherwise.
///
/// # Errors
/// What is wrong with the text, or with the expectation in this scene (an object that it does not name, say).
pub fn add_expectation(
    text: &str,
    file: &str,
    folder: &dyn Folder,
    expectation: Expectation,
) -> Result<String, Problems> {
    let mut wanted = parse(text, file, folder)?;
    let line = write::expectation_text(&expectation, wanted.units);
    let edited = inserted(text, &line).ok_or_else(|| changed_otherwise(file))?;
    wanted.expect.push(expectation.into());
    let got = parse(&edited, file, folder)?;
    if same_but_for_rounding(&got, &wanted) {
        Ok(edited)
    } else {
        Err(changed_otherwise(file).into())
    }
}

/// A number of another unit may come back a last digit off; everything before it is the same text.
fn same_but_for_rounding(got: &Scene, wanted: &Scene) -> bool {
    let rest = |scene: &Scene| Scene {
        expect: scene.expect[..scene.expect.len() - 1].to_vec(),
        ..scene.clone()
    };
    got.expect.len() == wanted.expect.len() && rest(got) == rest(wanted)
}

fn changed_otherwise(file: &str) -> Problem {
    let mend = "add the expectation by hand";
    Problem::new(file, "the scene's text could not be extended", mend)
}

fn inserted(text: &str, line: &str) -> Option<String> {
    let places = Places::new(text);
    let list = places.closing(&[Step::Field("expect")]);
    let close = list.or_else(|| places.closing(&[]))?;
    let new_line = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (before, after) = text.split_at(close);
    let (kept, trivia) = before.split_at(end_of_signs(before));
    let comma = if kept.ends_with([',', '[', '(']) {
        ""
    } else {
        ","
    };
    // The bracket's own line, when nothing else stands on it, keeps its indent.
    let own_line = trivia.rfind('\n').map(|at| &trivia[at + 1..]);
    let indent = own_line.unwrap_or(if list.is_some() { "    " } else { "" });
    let comment = trivia[..trivia.len() - own_line.map_or(0, str::len)].trim_end();
    let item = if list.is_some() {
        format!("{indent}    {line},")
    } else {
        format!("{indent}    expect: [{new_line}{indent}        {line},{new_line}{indent}    ],")
    };
    Some(format!(
        "{kept}{comma}{comment}{new_line}{item}{new_line}{indent}{after}"
    ))
}

/// Byte offset after the last character that is neither blank nor in a comment.
fn end_of_signs(text: &str) -> usize {
    let (mut at, mut end) = (skip_trivia(text, 0), 0);
    while at < text.len() {
        end = token_end(text, at);
        at = skip_trivia(text, end);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::super::MemoryFolder;
    use super::*;

    const HEAD: &str = "Scene(version: 1, name: \"x\", dt: 0.5, frames: 2,\n    objects: [(name: \"a\", shape: Sphere(radius: 1)),\n        (name: \"b\", shape: Sphere(radius: 1), position: (5, 0, 0)),\n    ]";

    fn added(tail: &str) -> String {
        let touches = Expectation::Touches {
            a: "a".to_owned(),
            b: "b".to_owned(),
        };
        let text = format!("{HEAD}{tail}");
        let folder = MemoryFolder::default();
        let out = add_expectation(&text, "x.ron", &folder, touches)
            .unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        out.strip_prefix(HEAD).unwrap().to_owned()
    }

    #[test]
    fn an_expectation_goes_to_the_end_of_the_list() {
        let line = "Touches(a: \"a\", b: \"b\"),";
        for (before, after) in [
            (")", format!(",\n    expect: [\n        {line}\n    ],\n)")),
            (
                ",\n)\n",
                format!(",\n    expect: [\n        {line}\n    ],\n)\n"),
            ),
            (
                ",\n    // the end\n)",
                format!(",\n    // the end\n    expect: [\n        {line}\n    ],\n)"),
            ),
            (
                ", expect: [])",
                format!(", expect: [\n        {line}\n    ])"),
            ),
            (
                ",\n    expect: [\n        NoFindings, // for now ]\n    ],\n)",
                format!(
                    ",\n    expect: [\n        NoFindings, // for now ]\n        {line}\n    ],\n)"
                ),
            ),
            (
                ",\n    expect: [\n        NoFindings // \"\n    ],\n)",
                format!(",\n    expect: [\n        NoFindings, // \"\n        {line}\n    ],\n)"),
            ),
            (
                ",\r\n    expect: [\r\n        NoFindings,\r\n    ],\r\n)",
                format!(
                    ",\r\n    expect: [\r\n        NoFindings,\r\n        {line}\r\n    ],\r\n)"
                ),
            ),
        ] {
            assert_eq!(added(before), after, "{before}");
        }
    }

    #[test]
    fn an_expectation_that_the_scene_refuses_is_not_added() {
        let folder = MemoryFolder::default();
        let strange = Expectation::Touches {
            a: "a".to_owned(),
            b: "nobody".to_owned(),
        };
        let error = add_expectation(&format!("{HEAD})"), "x.ron", &folder, strange);
        assert!(error.unwrap_err().to_string().contains("nobody"));
    }

    #[test]
    fn objects_and_expectations_are_outlined() {
        let text = format!("{HEAD}, expect: [NoFindings,\n  Touches(a: \"a\", b: \"b\")])");
        let Outline { objects, expect } = outline(&text);
        let at = |line, column| Place { line, column };
        assert_eq!(objects, [at(2, 15), at(3, 9)]);
        assert_eq!(expect, [at(4, 17), at(5, 3)]);
        assert_eq!(outline("not a scene ]"), Outline::default());
    }
}
