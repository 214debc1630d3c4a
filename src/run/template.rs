//! The command with places for values.

use crate::core::problem::did_you_mean;
use std::collections::BTreeSet;

/// Names and values, as texts.
pub(super) type Values = Vec<(String, String)>;

/// A program and its arguments, in which `{name}` stands for a value. `${name}` and `{{name}}` are left for a shell: the second without its outer
/// braces.
#[derive(Clone, Debug)]
pub struct Template(Vec<Vec<Part>>);

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    Name(String),
}

impl Template {
    /// Of the words of a command line.
    pub fn new(words: &[String]) -> Self {
        Self(words.iter().map(|word| parts(word)).collect())
    }

    /// The names in it.
    pub fn names(&self) -> BTreeSet<&str> {
        let parts = self.0.iter().flatten();
        let names = parts.filter_map(|part| match part {
            Part::Name(name) => Some(name.as_str()),
            Part::Text(_) => None,
        });
        names.collect()
    }

    /// Whether a value of this name is in it.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names().contains(name)
    }

    /// Checks that each of its names is among these.
    ///
    /// # Errors
    /// With the first that is not.
    pub fn check(&self, known: &[&str]) -> Result<(), String> {
        let mut names = self.names().into_iter();
        match names.find(|name| !known.contains(name)) {
            None => Ok(()),
            Some(name) => {
                let near = did_you_mean(name, known.iter().copied());
                Err(format!(
                    "`{{{name}}}` of the command has no value: {near}; for a shell write `{{{{{name}}}}}`"
                ))
            }
        }
    }

    /// The words with their values; a name without one stays.
    pub(super) fn fill(&self, values: &Values) -> Vec<String> {
        let text = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Name(name) => {
                let found = values.iter().find(|(known, _)| known == name);
                found.map_or_else(|| format!("{{{name}}}"), |(_, value)| value.clone())
            }
        };
        let words = self.0.iter();
        words
            .map(|parts| parts.iter().map(text).collect())
            .collect()
    }
}

/// Whether a text can stand between braces as a name.
pub(super) fn is_name(text: &str) -> bool {
    let mut letters = text.bytes();
    let starts = letters.next().is_some_and(|b| b.is_ascii_alphabetic());
    starts && letters.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn parts(word: &str) -> Vec<Part> {
    let (mut parts, mut text, mut rest) = (Vec::new(), String::new(), word);
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        text += before;
        let name = from[1..].split_once('}').map(|(name, _)| name);
        let quoted = from.strip_prefix("{{").and_then(|it| it.split_once("}}"));
        rest = match (name.filter(|name| is_name(name)), quoted) {
            (Some(name), _) if !text.ends_with('$') => {
                parts.push(Part::Text(std::mem::take(&mut text)));
                parts.push(Part::Name(name.to_owned()));
                &from[name.len() + 2..]
            }
            (_, Some((name, after))) if is_name(name) => {
                text += &format!("{{{name}}}");
                after
            }
            _ => {
                text.push('{');
                &from[1..]
            }
        };
    }
    text += rest;
    parts.push(Part::Text(text));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_and_other_braces_stay() {
        let values = vec![
            ("log".to_owned(), "/tmp/a b.jsonl".to_owned()),
            ("n".to_owned(), "{log}".to_owned()),
        ];
        for (word, filled) in [
            ("{log}", "/tmp/a b.jsonl"),
            ("--record={log}:{n}", "--record=/tmp/a b.jsonl:{log}"),
            ("${log} {{log}}", "${log} {log}"),
            (r#"{"log": {}}"#, r#"{"log": {}}"#),
            ("{log", "{log"),
            ("{ log }{{n", "{ log }{{n"),
            ("é{n}é", "é{log}é"),
        ] {
            let template = Template::new(&[word.to_owned()]);
            assert_eq!(template.fill(&values), [filled], "{word}");
        }
    }

    #[test]
    fn a_name_without_a_value_is_an_error_with_the_nearest() {
        let template = Template::new(&["./game".to_owned(), "{substep}".to_owned()]);
        let error = template.check(&["log", "port", "substeps"]).unwrap_err();
        assert!(error.contains("`{substep}`") && error.contains("`substeps`"));
        assert_eq!(template.check(&["substep"]), Ok(()));
    }
}
