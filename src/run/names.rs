//! Names of bodies, with `*` for what differs from body to body.

/// Name of the camera in findings.
pub(super) const CAMERA: &str = "camera";

/// A name with `*` for its numbers: `ball *`. A digit between letters is part of a word, as in `RigidBody3D`.
pub(super) fn form(name: &str) -> String {
    let is_digit = |letter: &char| letter.is_ascii_digit();
    let mut out = String::new();
    let mut rest = name;
    while let Some(start) = rest.find(|letter| is_digit(&letter)) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|letter| !is_digit(&letter)).unwrap_or(from.len());
        let (digits, after) = from.split_at(end);
        out += before;
        let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphabetic);
        let is_in_word = is_letter(out.chars().last()) && is_letter(after.chars().next());
        out += if is_in_word { digits } else { "*" };
        rest = after;
    }
    out + rest
}

/// Whether a name is one, or has the form of one with `*` for any letters.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    name.strip_prefix(start).is_some_and(|name| {
        let ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
        ends.into_iter().any(|at| fits(rest, &name[at..]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_letters() {
        for name in ["bullet 1", "bullet 12", "bullet "] {
            assert!(fits("bullet *", name), "{name}");
        }
        assert!(fits("*", "") && fits("a*b*c", "a-b-b-c") && fits("äö*", "äöü"));
        for name in ["bullet", "a bullet 1", "Bullet 1"] {
            assert!(!fits("bullet *", name), "{name}");
        }
        assert!(!fits("a*b", "ab1") && !fits("", "a"));
    }

    #[test]
    fn the_form_of_a_name_has_no_numbers() {
        for (name, wanted) in [
            ("ball 17", "ball *"),
            ("ball17", "ball*"),
            ("17", "*"),
            ("Sphere (12)", "Sphere (*)"),
            ("@RigidBody3D@23", "@RigidBody3D@*"),
            ("12:0", "*:*"),
            ("wall", "wall"),
            ("", ""),
            ("Würfel3ä4", "Würfel3ä*"),
        ] {
            assert_eq!(form(name), wanted);
            assert!(fits(wanted, name), "{name}");
        }
    }
}
