//! Checks that the sentences of a report are complete.

use hitstop::core::diagnose::{Finding, Report};
use hitstop::core::scene::UserUnits;

/// Signs of a template that was filled with nothing, or of a fragment.
const BROKEN: [&str; 14] = [
    "  ", "..", " .", " ,", ",,", ", .", "()", ": .", ": ,", ":.", " or .", " and .", "{", "NaN",
];

/// Values of 0 must not be listed.
const NOTHING: [&str; 6] = [
    "0 of ",
    "0 are ",
    "0 is ",
    "0 % of all",
    "0 substeps",
    "1 substeps",
];

/// Checks every sentence of every finding against the rules of written English.
#[track_caller]
pub fn check_report(report: &Report) {
    let named = |finding: &Finding| [finding.a.clone(), finding.b.clone()];
    // Enough for every template; each text is searched for each name.
    let findings = &report.findings[..report.findings.len().min(200)];
    let mut names: Vec<String> = findings.iter().flat_map(named).collect();
    names.sort_unstable();
    names.dedup();
    for finding in findings {
        check_text(&finding.text, &names);
        check_numbers(&finding.text);
        for reason in &finding.reasons {
            check_text(&reason.text, &names);
        }
        for fix in &finding.fixes {
            check_item(&fix.to_string());
        }
        for item in finding
            .what_if
            .iter()
            .flat_map(|answer| answer.sentences(UserUnits::default()))
        {
            check_item(&item);
        }
    }
}

/// Sentences: each begins with a capital letter, a digit or the name of an object, and the last one ends.
#[track_caller]
pub fn check_text(text: &str, names: &[String]) {
    // The content of a name is arbitrary.
    let named = names.iter().filter(|name| !name.is_empty());
    check_item(&named.fold(text.to_owned(), |text, name| without_name(&text, name)));
    assert!(text.ends_with('.'), "no full stop: {text}");
    // The phases are counted once, and what rests does not move.
    assert!(text.matches("starting phases").count() < 2, "{text}");
    assert!(
        !text.contains("moves 0 m") && !text.contains("moves less than"),
        "{text}"
    );
    for sentence in text.split_inclusive(". ") {
        let named = |name: &String| !name.is_empty() && sentence.starts_with(name.as_str());
        let first = sentence.chars().next();
        let begins = first.is_some_and(|first| first.is_uppercase() || first.is_ascii_digit());
        assert!(
            begins || names.iter().any(named),
            "a fragment, \"{sentence}\", in: {text}"
        );
    }
}

/// The text with `Name` for each whole word that is this name; an object may be named `2`, which is no part of `21`.
fn without_name(text: &str, name: &str) -> String {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '.');
    let mut found = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let inside =
            is_word(before.chars().next_back()) || after.starts_with(char::is_alphanumeric);
        found += before;
        found += if inside { name } else { "Name" };
        rest = after;
    }
    found + rest
}

/// A line of a list, or a whole text.
#[track_caller]
pub fn check_item(text: &str) {
    assert!(!text.trim().is_empty(), "an empty line");
    assert_eq!(text.trim(), text);
    for part in BROKEN {
        assert!(!text.contains(part), "\"{part}\" in: {text}");
    }
    for part in NOTHING {
        let alone = |(place, _): (usize, &str)| {
            let before = text[..place].chars().next_back();
            before.is_none_or(|before| !before.is_ascii_digit() && before != '.')
        };
        assert!(
            !text.match_indices(part).any(alone),
            "\"{part}\" in: {text}"
        );
    }
}

/// Numbers with few digits, and none that are only rounding.
#[track_caller]
fn check_numbers(text: &str) {
    let numbers = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-');
    for number in numbers.filter(|word| word.starts_with(|c: char| c.is_ascii_digit())) {
        let digits = number.chars().filter(char::is_ascii_digit).count();
        assert!(digits < 9, "{digits} digits in: {text}");
        assert!(!number.contains("e-1"), "less than a nanometre in: {text}");
    }
}

#[test]
fn broken_sentences_are_found() {
    let names = ["ball".to_owned()];
    check_text(
        "ball moves 0.5 m. Use 10 substeps. 50 of 64 are missed.",
        &names,
    );
    for text in [
        "They overlapped already. a sweep would keep it.",
        "Of 64 starting phases, 0 are missed.",
        "0 of 64 phases are missed.",
        "Use , or a sweep.",
        "Two  blanks.",
        "No end",
        "wall is no name here.",
        "It moves 0 m and stays inside.",
        "60 % of all starting phases are missed. Of 64 starting phases, 38 are missed.",
    ] {
        let result = std::panic::catch_unwind(|| check_text(text, &names));
        assert!(result.is_err(), "{text}");
    }
    for text in [
        "It moves 0.7843137254901961 m.",
        "The shortest push is 3.61e-16 m.",
    ] {
        let result = std::panic::catch_unwind(|| check_numbers(text));
        assert!(result.is_err(), "{text}");
    }
}
