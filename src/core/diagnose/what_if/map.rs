//! Map of dt against speed: the result of an overlap test for a finding in every cell of a grid.

use super::session::{Phases, WhatIfSession};
use super::session_values::Values;
use crate::core::diagnose::facts::change::Parameter;
use crate::core::diagnose::facts::phase_sweep::{Crossing, PHASES, Turn};
use crate::core::diagnose::judge::event::PhaseOutcome;
use crate::core::progress::Progress;

/// A grid of results; both axes have equal ratios from cell to cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// Which phases its cells show.
    pub phases: Phases,
    /// Seconds, in the middle of each column; rising.
    pub dts: Vec<f64>,
    /// Metres per second, in the middle of each row; rising.
    pub speeds: Vec<f64>,
    /// Row by row, the slowest first.
    pub cells: Vec<PhaseOutcome>,
}

impl Map {
    /// The result of a cell; `None` outside.
    pub fn cell(&self, column: usize, row: usize) -> Option<PhaseOutcome> {
        let inside = column < self.dts.len() && row < self.speeds.len();
        inside.then(|| self.cells[row * self.dts.len() + column])
    }
}

impl WhatIfSession {
    /// Computes every cell; substeps, sizes and phase are those of `values`, dt and speed cover their ranges.
    ///
    /// `None` when cancelled, and where the changed shapes have no clear start before their touch.
    pub fn map(
        &self,
        values: &Values,
        phases: Phases,
        (columns, rows): (usize, usize),
        progress: &dyn Progress,
    ) -> Option<Map> {
        let values = self.checked(*values);
        let dts = steps(self.range(Parameter::Dt).ok()?, columns);
        let speeds = steps(self.range(Parameter::Speed).ok()?, rows);
        let cells = self.passing(&values, |crossing| {
            let mut cells = Vec::with_capacity(columns * rows);
            for (done, &speed) in speeds.iter().enumerate() {
                progress.report(done as u64, rows as u64);
                for &dt in &dts {
                    if progress.cancelled() {
                        return None;
                    }
                    let here = Values {
                        dt,
                        speed,
                        ..values
                    };
                    cells.push(self.cell(crossing, &here, phases));
                }
            }
            Some(cells)
        })??;
        Some(Map {
            phases,
            dts,
            speeds,
            cells,
        })
    }

    /// The result for exactly these values; `None` where the changed shapes have no clear start.
    pub fn verdict(&self, values: &Values, phases: Phases) -> Option<PhaseOutcome> {
        let values = self.checked(*values);
        self.passing(&values, |crossing| self.cell(crossing, &values, phases))
    }

    fn cell(&self, crossing: &Crossing<'_>, values: &Values, phases: Phases) -> PhaseOutcome {
        let past = |past: f64| crossing.outcome(crossing.entry + past, Turn::AtImpact);
        if phases == Phases::This {
            return past(self.past(values));
        }
        let step = self.step(values);
        let mut worst = PhaseOutcome::Resolved;
        for number in (1..=PHASES).rev() {
            worst = worst.worse(past(f64::from(number) / f64::from(PHASES) * step));
            if worst == PhaseOutcome::Missed {
                break;
            }
        }
        worst
    }
}

/// The centres of cells of equal ratio.
fn steps((low, high): (f64, f64), count: usize) -> Vec<f64> {
    let ratio = high / low;
    let center = |index: usize| low * ratio.powf((index as f64 + 0.5) / count as f64);
    (0..count).map(center).collect()
}
