//! Tracing: an argument of every query, over the same algorithm that answers. The names of steps are read out as sentences by
//! [`sentence_of`](crate::core::diagnose::explain::sentence_of).

/// Told each step of a query. The empty sink `()` costs nothing.
pub trait Trace {
    /// One step: its name, and the numbers it was decided on (metres, shares or counts, named in field terms).
    fn step(&mut self, name: &'static str, numbers: &[(&'static str, f64)]);

    /// False for a sink that drops everything: a query then skips work that only serves the trace; the answer stays the same.
    #[inline(always)]
    fn is_heard(&self) -> bool {
        true
    }
}

impl Trace for () {
    #[inline(always)]
    fn step(&mut self, _name: &'static str, _numbers: &[(&'static str, f64)]) {}

    #[inline(always)]
    fn is_heard(&self) -> bool {
        false
    }
}

/// One remembered step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What was decided.
    pub name: &'static str,
    /// On which numbers.
    pub numbers: Vec<(&'static str, f64)>,
}

/// Remembers every step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps(pub Vec<Step>);

impl Trace for Steps {
    fn step(&mut self, name: &'static str, numbers: &[(&'static str, f64)]) {
        self.0.push(Step {
            name,
            numbers: numbers.to_vec(),
        });
    }
}
