//! Names that other programs have for what the files write.

use crate::core::problem::{self, nearest};

/// Names of shapes and of fields, in lower case without what joins words, each with ours.
const OTHER_NAMES: [(&str, &str); 33] = [
    ("ball", "sphere"),
    ("disc", "circle"),
    ("cube", "box"),
    ("rect", "box"),
    ("rectangle", "box"),
    ("cuboid", "box"),
    ("edge", "segment"),
    ("line", "segment"),
    ("polyline", "chain"),
    ("hull", "convex_hull"),
    ("trimesh", "mesh"),
    ("terrain", "height_field"),
    ("pos", "p"),
    ("position", "p"),
    ("translation", "p"),
    ("rot", "q"),
    ("rotation", "q"),
    ("quat", "q"),
    ("quaternion", "q"),
    ("orientation", "q"),
    ("angle", "q"),
    ("vel", "v"),
    ("velocity", "v"),
    ("linearvelocity", "v"),
    ("linvel", "v"),
    ("angularvelocity", "w"),
    ("angvel", "w"),
    ("spin", "w"),
    ("time", "t"),
    ("pos", "position"),
    ("translation", "position"),
    ("rot", "rotation"),
    ("vel", "velocity"),
];

/// The known word that one in a file stands for: by the names of other programs, else the most similar one.
pub fn meant<'w>(word: &str, known: impl IntoIterator<Item = &'w str> + Clone) -> Option<&'w str> {
    let plain = |word: &str| word.replace(['_', '-'], "").to_lowercase();
    let word_plain = plain(word);
    let known_plain = |ours: &str| {
        let mut all = known.clone().into_iter();
        all.find(|known| plain(known) == plain(ours))
    };
    let mut others = OTHER_NAMES.iter().filter(|(other, _)| *other == word_plain);
    let same = known_plain(word);
    same.or_else(|| others.find_map(|(_, ours)| known_plain(ours)))
        .or_else(|| nearest(word, known.clone()))
}

/// As [`problem::did_you_mean`], by what is [`meant`].
pub fn did_you_mean<'w>(word: &str, known: impl IntoIterator<Item = &'w str> + Clone) -> String {
    match meant(word, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => problem::did_you_mean(word, known),
    }
}
