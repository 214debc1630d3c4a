//! Messages of serde in terms of the format.

use crate::core::schema::{did_you_mean, meant};

/// Stands in a message between a field that is missing and an unknown one that is there for it.
pub(super) const INSTEAD: &str = ", which may be ";

/// Ends of serde's messages of a wrong type, each with what it means and the fix.
const TYPES: [(&str, &str, &str); 5] = [
    (
        "expected u64",
        "an id or a frame number is a whole number",
        "number the objects from 0, and write texts as their `name`",
    ),
    (
        "expected struct FrameLine",
        "a frame is an object: {\"frame\": 0, \"bodies\": [..]}",
        "docs/log-format.md lists its fields",
    ),
    (
        "expected struct BodyLine",
        "a body is an object: {\"id\": 0, \"p\": [0, 0, 0]}",
        "docs/log-format.md lists its fields",
    ),
    (
        "expected struct ContactLine",
        "a contact is an object: {\"a\": 0, \"b\": 1, \"point\": [..], \"normal\": [..], \"depth\": 0}",
        "docs/log-format.md lists its fields",
    ),
    (
        "expected struct ObjectLine",
        "an object is written as {\"id\": 0, \"shape\": {..}}",
        "docs/log-format.md lists its fields",
    ),
];

/// `ConvexHull` as logs write it: `convex_hull`.
fn snake(word: &str) -> String {
    let mut name = String::new();
    for letter in word.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

/// The last word in grave accents.
fn last_name(text: &str) -> &str {
    text.rsplit('`').nth(1).unwrap_or_default()
}

/// serde's message in terms of the format, and the fix.
pub(super) fn sentence(error: &serde_json::Error) -> (String, String) {
    if error.is_eof() {
        return (
            "the line ends before its JSON does; the header and every frame are one line each"
                .into(),
            "remove the line breaks inside it".into(),
        );
    }
    let text = error.to_string();
    let text = text
        .rsplit_once(" at line ")
        .map_or(&*text, |(what, _)| what);
    let form = "docs/log-format.md lists the form of every field";
    if let Some(told) = TYPES.iter().find_map(|(part, what, help)| {
        let is_it = text.contains("invalid type") && text.ends_with(part);
        is_it.then(|| ((*what).to_owned(), (*help).to_owned()))
    }) {
        return told;
    }
    if let Some((_, name)) = text.split_once("struct variant ShapeText::") {
        let name = snake(name);
        let what = format!("the shape `{name}` has no fields");
        return (what, format!("write {{\"{name}\": {{..}}}}; {form}"));
    }
    if let Some((found, _)) = text
        .strip_prefix("invalid type: ")
        .and_then(|it| it.split_once(", expected struct "))
    {
        let found = found
            .replace("sequence", "a list")
            .replace("map", "an object");
        return (
            format!("an object, {{..}}, belongs here, not {found}"),
            form.to_owned(),
        );
    }
    if let Some((missing, other)) = text.split_once(INSTEAD) {
        let (missing, other) = (last_name(missing), last_name(other));
        let what = format!("the field `{missing}` is missing, and `{other}` is not known");
        return (what, format!("write `{missing}` for `{other}`"));
    }
    let plain = || (text.to_owned(), form.to_owned());
    let Some((unknown, known)) = text.split_once(", expected ") else {
        return plain();
    };
    let Some((kind, word)) = unknown.strip_suffix('`').and_then(|it| it.split_once('`')) else {
        return plain();
    };
    let known = || known.split('`').skip(1).step_by(2);
    match kind {
        "unknown variant " if known().next() == Some("sphere") => {
            let all: Vec<&str> = known().collect();
            let what = format!("there is no shape `{word}`");
            let all = all.join(", ");
            let help = match meant(word, known()) {
                Some(name) => format!("did you mean `{name}`? Shapes are {all}"),
                None => {
                    format!(
                        "shapes are {all}; write another as a mesh, in a flat level as a polygon"
                    )
                }
            };
            (what, help)
        }
        "unknown variant " => (
            format!("`{word}` is not a value of this field"),
            did_you_mean(word, known()),
        ),
        "unknown field " => (
            format!("the field `{word}` is not known"),
            did_you_mean(word, known()),
        ),
        _ => plain(),
    }
}
