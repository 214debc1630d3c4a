//! Positions of objects and expectations in a scene's text.

use super::spans::Spans;
use crate::core::problem::Place;
use crate::core::schema::Step;

/// Positions of objects and expectations, each list in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemPositions {
    /// One position per object.
    pub objects: Vec<Place>,
    /// One position per expectation.
    pub expect: Vec<Place>,
}

/// Finds the objects and expectations of a text; empty if it is no scene.
pub fn item_positions(text: &str) -> ItemPositions {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let spans = Spans::new(text);
    ItemPositions {
        objects: spans.items(&[Step::Field("objects")]),
        expect: spans.items(&[Step::Field("expect")]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "Scene(version: 1, name: \"x\", dt: 0.5, frames: 2,\n    objects: [(name: \"a\", shape: Sphere(radius: 1)),\n        (name: \"b\", shape: Sphere(radius: 1), position: (5, 0, 0)),\n    ]";

    #[test]
    fn objects_and_expectations_are_outlined() {
        let text = format!("{HEAD}, expect: [NoFindings,\n  Touches(a: \"a\", b: \"b\")])");
        let ItemPositions { objects, expect } = item_positions(&text);
        let at = |line, column| Place { line, column };
        assert_eq!(objects, [at(2, 15), at(3, 9)]);
        assert_eq!(expect, [at(4, 17), at(5, 3)]);
        assert_eq!(item_positions("not a scene ]"), ItemPositions::default());
    }
}
