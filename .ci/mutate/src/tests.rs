use super::*;

const FIXTURE: &str = include_str!("../fixtures/before.rs");

/// Written by hand, line by line of the fixture.
const EXPECTED: &str = "\
11 below: body -> true
11 below: body -> false
12 below: a < b [&&] !(a == LIMIT) -> ||
12 below: a [<] b -> <=
12 below: a [<] b -> >
12 below: !(a == LIMIT) -> (a == LIMIT)
12 below: a [==] LIMIT -> !=
12 below: a [==] LIMIT -> >=
15 sum: body -> 0.0
15 sum: body -> 1.0
18 sum: sum [+=] value * 2.0 -> -=
18 sum: value [*] 2.0 -> /
23 sort: body -> 0
23 sort: body -> 1
24 sort: a [>] 0.0 -> >=
24 sort: a [>] 0.0 -> <
28 sort: a.is_nan() -> true
28 sort: a.is_nan() -> false
";

#[test]
fn the_mutants_of_a_file() {
    let found = find::find("before.rs", FIXTURE);
    let lines = found.iter().map(|mutant| {
        format!(
            "{} {}\n",
            mutant.line,
            mutant.name.trim_start_matches("before.rs ")
        )
    });
    assert_eq!(String::from_iter(lines), EXPECTED);
    assert!(find::find("broken.rs", "fn a( {").is_empty());
}

#[test]
fn mutants_at_one_place_and_inside_another_are_spliced_together() {
    let source = "fn f(a: u32) -> bool { a < a + 1 }";
    let found = find::find("f.rs", source);
    let numbered = Vec::from_iter((1..).zip(&found));
    let spliced = splice::splice(source, &numbered);
    let expected = "fn f(a: u32) -> bool {if crate::mutant::is(1) { return true; } if crate::mutant::is(2) { return false; }  \
        (if crate::mutant::is(3) { (a) <= (a + 1) } else if crate::mutant::is(4) { (a) > (a + 1) } else \
        { a < (if crate::mutant::is(5) { (a) - (1) } else { a + 1 }) }) }";
    assert_eq!(spliced.text, expected);
    // An error at `- (1)` is the fault of mutant 5 alone, one at the last `a < ` of 3 or 4.
    let numbers = |text: &str| {
        let at = spliced.text.find(text).unwrap();
        spliced
            .places
            .iter()
            .rfind(|(place, _)| place.contains(&at))
            .unwrap()
            .1
            .clone()
    };
    assert_eq!(numbers("- (1)"), [5]);
    assert_eq!(numbers("a < (if"), [3, 4]);
}

#[test]
fn a_larger_sample_has_the_smaller_in_it() {
    let all = find::find("before.rs", FIXTURE);
    let names = |which: &str| {
        BTreeSet::from_iter(
            choose(&all, which, 7, &BTreeMap::new())
                .unwrap()
                .iter()
                .map(|it| it.name.clone()),
        )
    };
    assert!(names("5").is_subset(&names("9")) && names("5").len() == 5);
    let parts = [names("0/3"), names("1/3"), names("2/3")];
    assert_eq!(parts.iter().map(BTreeSet::len).sum::<usize>(), all.len());
    assert_eq!(BTreeSet::from_iter(parts.iter().flatten()).len(), all.len());
}
