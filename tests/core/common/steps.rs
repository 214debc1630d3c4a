//! Reading a trace.

use hitstop::core::query::{Step, Steps};

/// The result of a query, and its steps.
pub fn traced<R>(query: impl FnOnce(&mut Steps) -> R) -> (R, Vec<Step>) {
    let mut steps = Steps::default();
    let result = query(&mut steps);
    (result, steps.0)
}

/// A number of the first step of a form.
macro_rules! step {
    ($steps:expr, $form:pat $(if $guard:expr)? => $value:expr) => {{
        let steps: &[hitstop::core::query::Step] = &$steps;
        let found = steps.iter().find_map(|step| match *step {
            $form $(if $guard)? => Some($value),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("no {} in {steps:?}", stringify!($form)))
    }};
}
pub(crate) use step;

#[track_caller]
pub fn close(got: f64, expected: f64) {
    assert!(
        (got - expected).abs() < 1e-12,
        "got {got}, expected {expected}"
    );
}
