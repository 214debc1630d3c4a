//! A file with all its mutants in it, each behind a question for its number.

use std::ops::Range;

use crate::find::Mutant;

/// A file as it is built, and which mutants stand where in it.
pub struct Spliced {
    pub text: String,
    /// Bytes of `text`, and the numbers of the mutants that may be at fault if it does not compile there. Inner places after outer ones.
    pub places: Vec<(Range<usize>, Vec<u32>)>,
}

/// The mutants of one place, each with its number and what it makes of the place.
type Group<'a> = (Range<usize>, Vec<(u32, &'a str)>);

/// `mutants`: those of one file, each with its number.
pub fn splice(source: &str, mutants: &[(u32, &Mutant)]) -> Spliced {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (number, mutant) in mutants {
        let alternative = (*number, mutant.becomes.as_str());
        match groups.iter_mut().find(|(place, _)| *place == mutant.place) {
            Some((_, alternatives)) => alternatives.push(alternative),
            None => groups.push((mutant.place.clone(), vec![alternative])),
        }
    }
    // Outer places before inner ones.
    groups.sort_by_key(|(place, _)| (place.start, usize::MAX - place.end));
    let mut spliced = Spliced {
        text: String::new(),
        places: Vec::new(),
    };
    render(
        source,
        0..source.len(),
        &mut groups.as_slice(),
        &mut spliced,
    );
    spliced
}

/// Writes a part of the source, and takes the groups in it.
fn render(source: &str, part: Range<usize>, groups: &mut &[Group<'_>], into: &mut Spliced) {
    let mut at = part.start;
    while let Some(((place, alternatives), rest)) = groups.split_first()
        && place.end <= part.end
    {
        *groups = rest;
        into.text += &source[at..place.start];
        at = place.end;
        let (start, first) = (into.text.len(), into.places.len());
        into.places.push((
            start..start,
            Vec::from_iter(alternatives.iter().map(|it| it.0)),
        ));
        if !place.is_empty() {
            into.text.push('(');
        }
        for (number, becomes) in alternatives {
            into.text += &format!("if crate::mutant::is({number}) {{ ");
            let start = into.text.len();
            into.text += becomes;
            into.places.push((start..into.text.len(), vec![*number]));
            into.text += if place.is_empty() { " } " } else { " } else " };
        }
        if !place.is_empty() {
            into.text += "{ ";
            render(source, place.clone(), groups, into);
            into.text += " })";
        }
        into.places[first].0.end = into.text.len();
    }
    into.text += &source[at..part.end];
}
