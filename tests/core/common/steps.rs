//! Reading a trace.

use hitstop::core::query::Steps;

/// Of every step, in order.
pub fn names(steps: &Steps) -> Vec<&'static str> {
    steps.0.iter().map(|step| step.name).collect()
}

/// The number of a step, the first of that name.
#[track_caller]
pub fn number(steps: &Steps, step: &str, name: &str) -> f64 {
    let found = steps.0.iter().find(|known| known.name == step);
    let numbers = &found
        .unwrap_or_else(|| panic!("no {step} in {steps:?}"))
        .numbers;
    let number = numbers.iter().find(|(known, _)| *known == name);
    number
        .unwrap_or_else(|| panic!("no {name} in {numbers:?}"))
        .1
}

#[track_caller]
pub fn close(got: f64, expected: f64) {
    assert!(
        (got - expected).abs() < 1e-12,
        "got {got}, expected {expected}"
    );
}
