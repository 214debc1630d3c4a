//! An interleaved stopwatch: every contestant in turn, round after round, so that a busy machine slows all of them alike.
//! Compare only ratios of medians within one table. Times are those of the processor on this thread, so that other work of
//! the machine is not counted.

use cpu_time::ThreadTime;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A small seeded generator (xorshift64*), so that both libraries get the same inputs in every run.
pub struct Seeded(u64);

impl Seeded {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// In [0, 1), with few enough digits that `f32` represents it exactly: both libraries get the same number.
    pub fn unit(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 44;
        bits as f64 / f64::from(1 << 20)
    }

    pub fn range(&mut self, least: f64, most: f64) -> f64 {
        f64::from((least + (most - least) * self.unit()) as f32)
    }

    pub fn vector(&mut self, reach: f64) -> glam::DVec3 {
        let mut part = || self.range(-reach, reach);
        glam::DVec3::new(part(), part(), part())
    }

    /// Unit; rounded to `f32` like everything else.
    pub fn rotation(&mut self) -> glam::DQuat {
        let turn = self.vector(3.0);
        glam::DQuat::from_scaled_axis(turn)
            .as_quat()
            .as_dquat()
            .normalize()
    }
}

/// One implementation of the work of a table's row.
pub struct Contestant<'w> {
    pub name: &'w str,
    /// At least this many times as fast as the first contestant, where a goal is set.
    pub goal: Option<f64>,
    pub work: Box<dyn FnMut() -> f64 + 'w>,
}

pub fn contestant<'w>(
    name: &'w str,
    goal: Option<f64>,
    work: impl FnMut() -> f64 + 'w,
) -> Contestant<'w> {
    Contestant {
        name,
        goal,
        work: Box::new(work),
    }
}

/// Times them in turn for about `seconds`; prints nanoseconds for each of `operations` and the ratio to the first.
pub fn race(title: &str, operations: usize, seconds: f64, mut contestants: Vec<Contestant<'_>>) {
    println!("\n{title}");
    let medians = medians(operations, seconds, &mut contestants);
    for (contestant, median) in contestants.iter().zip(&medians) {
        let ratio = medians[0] / median;
        let goal = contestant.goal.map_or(String::new(), |goal| {
            let verdict = if ratio >= goal { "met" } else { "NOT met" };
            format!("  goal {goal} x: {verdict}")
        });
        println!(
            "  {:<44} {median:>12.1} ns  {ratio:>7.2} x{goal}",
            contestant.name
        );
    }
}

/// Times them in turn for about `seconds`: nanoseconds for each of `operations`.
pub fn medians(operations: usize, seconds: f64, contestants: &mut [Contestant<'_>]) -> Vec<f64> {
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); contestants.len()];
    for contestant in contestants.iter_mut() {
        black_box((contestant.work)());
    }
    let began = Instant::now();
    while times[0].len() < 5 || began.elapsed().as_secs_f64() < seconds {
        for (contestant, times) in contestants.iter_mut().zip(&mut times) {
            let start = ThreadTime::now();
            black_box((contestant.work)());
            times.push(start.elapsed());
        }
    }
    times
        .iter_mut()
        .map(|times| {
            times.sort();
            times[times.len() / 2].as_secs_f64() * 1e9 / operations as f64
        })
        .collect()
}

/// Prints how many of the verdicts differ.
pub fn agreement(what: &str, ours: &[bool], theirs: &[bool]) {
    let differ = ours.iter().zip(theirs).filter(|(a, b)| a != b).count();
    let yes = ours.iter().filter(|&&yes| yes).count();
    println!(
        "  {what}: {} answers, {yes} yes, {differ} differ from theirs",
        ours.len()
    );
}
