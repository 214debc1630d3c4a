//! What substeps and shorter frames need of an engine whose contacts are soft: those give way for a time, not for a number of steps.

use super::CauseInput;
use crate::core::diagnose::facts::limits;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::level_facts::engines::preset;
use crate::core::number::seconds;

impl CauseInput<'_> {
    /// The time constant with which contacts stop the mover within half of what its push leads back; `None` where the engine's usual one
    /// stops it, or its contacts are not soft.
    pub(super) fn contact_time(&self) -> Option<Fix> {
        let usual = preset(&self.facts.engine)?.soft.as_ref()?.usual;
        let m = &self.metrics;
        let (speed, side) = (m.displacement / m.dt, limits::safe(m.limit_side));
        let gives_way = speed * usual > side && !self.pair.sensor;
        Fix::set(Quantity::MaxContactTime, 0.5 * side / speed).filter(|_| gives_way)
    }

    /// " with a contact time constant (`solref`) of at most 0.58 ms"; empty for a fix that needs none.
    pub(super) fn contact_time_text(&self, fix: &Fix) -> String {
        let with = (fix.with.as_ref()).filter(|with| with.what == Quantity::MaxContactTime);
        let soft = preset(&self.facts.engine).and_then(|engine| engine.soft.as_ref());
        match with.and_then(|with| with.holds).zip(soft) {
            Some((most, soft)) => {
                let most = seconds(most);
                format!(
                    " with a contact time constant ({}) of at most {most}",
                    soft.name
                )
            }
            None => String::new(),
        }
    }
}
