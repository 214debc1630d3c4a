//! What is said of runs that are equal, and of values that the program does not use.

use super::template::Template;

/// That runs are equal, and how to vary them. `what` is a value or a revision.
pub(super) fn equal_runs(command: &Template, what: &str, phase: Option<&str>) -> String {
    let equal = format!("The runs of a {what} are equal to the bit, and say as much as one");
    match phase {
        None => format!(
            "{equal}: vary the start with --phase NAME=LOW..HIGH and {{NAME}} in the command."
        ),
        Some(name) => format!(
            "{equal} although `{name}` varies: {}.",
            unused(command, name)
        ),
    }
}

/// That a parameter changes nothing.
pub(super) fn no_effect(command: &Template, name: &str) -> String {
    let unused = unused(command, name);
    format!("The runs of all values of `{name}` are equal to the bit: {unused}.")
}

/// Why the value of a name is not used, as far as it can be seen.
fn unused(command: &Template, name: &str) -> String {
    let variable = name.to_uppercase();
    match command.has(name) {
        true => format!("the program gets {{{name}}} and makes no use of it"),
        false => {
            let others = command.names().into_iter();
            let others: Vec<String> = others.map(|other| format!("{{{other}}}")).collect();
            let others = match others.is_empty() {
                true => String::new(),
                false => format!(" (it has {})", others.join(", ")),
            };
            format!(
                "the command has no {{{name}}}{others}, and the program makes no use of HITSTOP_{variable}"
            )
        }
    }
}
