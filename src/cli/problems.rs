//! Problems on standard error, with the source line.

use crate::core::escape::{escaped, for_log};
use crate::core::file::open_file;
use crate::core::problem::{Place, Problem};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{BufRead, Read, Write};
use std::path::Path;

/// Limit of the length of a drawn line.
const LONGEST_LINE: usize = 400;

/// Prints what is wrong, where and how to fix it. `warning` when the input could be used all the same.
pub fn report_problems(problems: &[Problem], warning: bool) {
    let lines = lines_of(problems);
    let mut error = anstream::stderr().lock();
    for problem in problems {
        let line = problem.at.and_then(|place| {
            let text = lines.get(&(problem.file.as_str(), place.line))?;
            Some((place, text))
        });
        // A closed standard error is ignored.
        let _ = writeln!(error, "{}", for_log(&drawn(problem, line, warning)));
    }
}

fn drawn(problem: &Problem, line: Option<(Place, &String)>, warning: bool) -> String {
    let level = if warning {
        Level::WARNING
    } else {
        Level::ERROR
    };
    let renderer = Renderer::styled();
    let (file, what) = (escaped(&problem.file), escaped(&problem.what));
    let help = escaped(&problem.help);
    let title = match problem.at {
        Some(_) => what.into_owned(),
        None => format!("{file}: {what}"),
    };
    let mut group = Group::with_title(level.primary_title(title.as_str()));
    if let Some((place, line)) = line {
        let start = line
            .char_indices()
            .nth(place.column.saturating_sub(1))
            .map_or(line.len(), |(index, _)| index);
        let end = word_end(line, start);
        let [before, word, after] =
            [&line[..start], &line[start..end], &line[end..]].map(source_text);
        let span = before.len()..before.len() + word.len();
        let annotation = AnnotationKind::Primary.span(span).label("here");
        let snippet = Snippet::source(before + &word + &after)
            .line_start(place.line)
            .path(&*file);
        group = group.element(snippet.annotation(annotation));
    } else if let Some(Place { line, column }) = problem.at {
        let origin = annotate_snippets::Origin::path(&*file)
            .line(line)
            .char_column(column);
        group = group.element(origin);
    }
    if !help.is_empty() {
        group = group.element(Level::HELP.message(&*help));
    }
    renderer.render(&[group])
}

/// A part of a source line as it is drawn: a tab is four blanks.
fn source_text(part: &str) -> String {
    escaped(&part.replace('\t', "    ")).into_owned()
}

/// The lines of the problems, by file and number; each file is read once. Missing, too long or non-text lines are left out.
fn lines_of(problems: &[Problem]) -> HashMap<(&str, usize), String> {
    let mut wanted: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for problem in problems {
        let lines = problem.at.map(|place| place.line);
        wanted.entry(&problem.file).or_default().extend(lines);
    }
    let mut lines = HashMap::new();
    for (file, numbers) in wanted.iter().filter(|(_, numbers)| !numbers.is_empty()) {
        // The file may not exist on disk, as for bundled levels.
        if let Ok(opened) = open_file(Path::new(file)) {
            let found = numbered_lines(opened.input, numbers);
            lines.extend(
                found
                    .into_iter()
                    .map(|(number, text)| ((*file, number), text)),
            );
        }
    }
    lines
}

/// Some lines of a stream, by number, without those above [`LONGEST_LINE`].
fn numbered_lines(mut input: impl BufRead, numbers: &BTreeSet<usize>) -> Vec<(usize, String)> {
    let last = numbers.last().copied().unwrap_or(0);
    let mut found = Vec::new();
    let mut bytes = Vec::new();
    for number in 1..=last {
        bytes.clear();
        let limit = LONGEST_LINE as u64 + 2;
        let Ok(read) = input.by_ref().take(limit).read_until(b'\n', &mut bytes) else {
            break;
        };
        if read == 0 {
            break;
        }
        let whole = bytes.last() == Some(&b'\n') || (read as u64) < limit;
        if !whole && input.skip_until(b'\n').is_err() {
            break;
        }
        while bytes.last().is_some_and(|byte| b"\r\n".contains(byte)) {
            bytes.pop();
        }
        if whole && bytes.len() <= LONGEST_LINE && numbers.contains(&number) {
            found.extend(str::from_utf8(&bytes).map(|text| (number, text.to_owned())));
        }
    }
    found
}

/// The end of the word or number at `start`, at least one character on.
fn word_end(line: &str, start: usize) -> usize {
    let rest = &line[start..];
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let word = rest
        .find(|c: char| !c.is_alphanumeric() && !"_.-+".contains(c))
        .unwrap_or(rest.len());
    start + word.max(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_in_one_reading_whatever_is_between() {
        let long = "x".repeat(LONGEST_LINE);
        let longer = "y".repeat(5 * LONGEST_LINE);
        let mut bytes = format!("first\r\n{longer}\n\n{long}\n").into_bytes();
        bytes.extend(b"\xFF\xFE\nlast");
        let found = numbered_lines(&bytes[..], &(1..=9).collect());
        let found: Vec<(usize, &str)> = found.iter().map(|(n, text)| (*n, &**text)).collect();
        assert_eq!(found, [(1, "first"), (3, ""), (4, &*long), (6, "last")]);
        let some = numbered_lines(&bytes[..], &[6, 99].into());
        assert_eq!(some, [(6, "last".to_owned())]);
    }
}
