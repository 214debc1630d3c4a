//! One step of a query as a sentence.

mod pairs;
mod places;
mod rays;

use crate::core::number::{metres, number};
use crate::core::query::Step;

/// A step told with its numbers and their units. A step without words of its own is told by its name.
pub fn sentence_of(step: &Step) -> String {
    let numbers = Numbers(step);
    pairs::told(step.name, &numbers)
        .or_else(|| places::told(step.name, &numbers))
        .or_else(|| rays::told(step.name, &numbers))
        .unwrap_or_else(|| by_name(step))
}

/// The numbers of a step, by their names; `None` where one is missing.
struct Numbers<'s>(&'s Step);

impl Numbers<'_> {
    fn value(&self, name: &str) -> Option<f64> {
        let found = self.0.numbers.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value)
    }

    fn number(&self, name: &str) -> Option<String> {
        self.value(name).map(number)
    }

    /// In metres.
    fn length(&self, name: &str) -> Option<String> {
        self.value(name).map(metres)
    }

    /// The numbers x, y and z.
    fn vector(&self) -> Option<String> {
        let [x, y, z] = [self.number("x")?, self.number("y")?, self.number("z")?];
        Some(format!("({x}, {y}, {z})"))
    }
}

/// `TouchesEdge` with `share` 0.5 is "Touches edge: share 0.5."
fn by_name(step: &Step) -> String {
    let mut text = String::new();
    for letter in step.name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push(' ');
            text.extend(letter.to_lowercase());
        } else if text.is_empty() {
            text.extend(letter.to_uppercase());
        } else {
            text.push(letter);
        }
    }
    let numbers: Vec<String> = step
        .numbers
        .iter()
        .map(|(name, value)| format!("{name} {}", number(*value)))
        .collect();
    if !numbers.is_empty() {
        text.push_str(": ");
        text.push_str(&numbers.join(", "));
    }
    text.push('.');
    text
}
