//! Explanations as sentences.

use super::presence::Presence;
use super::steps::sentence_of;
use super::{Ending, Explanation, Outcome, OverlapTest, SweptInterval};
use crate::core::broad_phase::Verdict;
use crate::core::number::{number, percent, seconds};
use crate::core::query::Impact;
use crate::core::scene::{Detection, Exemption};
use crate::core::schema::UserUnits;
use crate::core::tolerance::SLOP_SHARE;
use glam::DVec3;

impl Explanation {
    /// The explanation in sentences, in order of time.
    pub fn sentences(&self) -> Vec<String> {
        let mut out = vec![self.opening()];
        match self.ending {
            Ending::NoPair => {
                out.extend(self.no_pair());
                return out;
            }
            Ending::Absent(..) => {
                let each = self.names.iter().zip(&self.presence);
                out.extend(each.filter_map(|(name, presence)| presence.sentence(name, self.units)));
                out.extend(self.filters());
                out.extend(self.overlap_tests());
                return out;
            }
            _ => {}
        }
        out.extend(self.broad_phase());
        out.extend(self.filters());
        for interval in &self.intervals {
            out.extend(self.interval(interval));
        }
        out.extend(self.outcome());
        out.extend(self.turning());
        out.extend(self.overlap_tests());
        if let Some(phases) = &self.phases {
            out.extend(phases.sentence());
            out.push(phases.closed_sentence());
        }
        out.extend(self.what_was_done());
        out
    }

    fn opening(&self) -> String {
        let [a, b] = &self.names;
        let [kind_a, kind_b] = self.kinds.map(str::to_lowercase);
        format!(
            "In frame {} ({}), `{a}` ({kind_a}) and `{b}` ({kind_b}).",
            self.number,
            seconds(self.dt)
        )
    }

    fn no_pair(&self) -> Vec<String> {
        let unknown = |(name, presence): (&String, &Presence)| {
            (*presence == Presence::Unknown).then(|| format!("There is no {name} in this level."))
        };
        let mut out: Vec<String> = (self.names.iter().zip(&self.presence))
            .filter_map(unknown)
            .collect();
        if self.a == self.b {
            out.truncate(1);
            out.push("Both are the same object.".to_owned());
        } else {
            out.push("A pair needs two existing objects.".to_owned());
        }
        out
    }

    fn broad_phase(&self) -> Option<String> {
        Some(match self.broad? {
            Verdict::Kept { overlap } => {
                let [x, y, z] = self.units.along_axes(overlap);
                let along = match self.units.units.flat {
                    true => format!("{x} on x and {y} on y"),
                    false => format!("{x} on x, {y} on y and {z} on z"),
                };
                format!(
                    "The broad phase kept the pair: the boxes around their motions overlap by {along}."
                )
            }
            Verdict::Unbounded => {
                "The broad phase kept the pair: one of the two is unbounded.".to_owned()
            }
            Verdict::Culled { axis, by } => format!(
                "The broad phase culled the pair on {}: the boxes around their motions are {} apart there.",
                self.units.axis_name(DVec3::AXES[axis]),
                self.units.length(by)
            ),
            Verdict::BothRest => {
                "The broad phase culled the pair: neither moves in this frame.".to_owned()
            }
            Verdict::NotFinite => {
                "The broad phase culled the pair: a position or rotation is not a finite number."
                    .to_owned()
            }
        })
    }

    fn filters(&self) -> Vec<String> {
        let [a, b] = &self.names;
        let ignores = |mask: &String, layer: &String| {
            format!("The pair is masked: the mask of `{mask}` has no layer of `{layer}`.")
        };
        let mut out = Vec::new();
        out.extend(self.filter.exemption.map(|exemption| match exemption {
            Exemption::SameBody => {
                format!("The pair is not tested: `{a}` and `{b}` are parts of one body.")
            }
            Exemption::Ignored => {
                format!("The pair is not tested: `{a}` and `{b}` are on the ignore list.")
            }
            Exemption::Joined => {
                format!("The pair is not tested: a joint holds `{a}` and `{b}` together.")
            }
        }));
        if self.filter.a_ignores_b {
            out.push(ignores(a, b));
        }
        if self.filter.b_ignores_a {
            out.push(ignores(b, a));
        }
        for (name, _) in self
            .names
            .iter()
            .zip(self.sensors)
            .filter(|(_, sensor)| *sensor)
        {
            out.push(format!(
                "`{name}` is a sensor: it reports, and neither pushes nor is pushed."
            ));
        }
        out
    }

    fn interval(&self, interval: &SweptInterval) -> Vec<String> {
        let [a, b] = &self.names;
        let span = if (interval.from, interval.to) == (0.0, 1.0) {
            "Over the whole frame".to_owned()
        } else {
            format!(
                "From {} to {} of the frame",
                number(interval.from),
                number(interval.to)
            )
        };
        let mut out = vec![format!(
            "{span}, `{a}` moves {} relative to `{b}`, by {}.",
            self.units.length(interval.displacement.length()),
            self.units.point(interval.displacement)
        )];
        if interval.sweep.rotation_ignored {
            out.push("One of them rotates; the sweep uses the rotations at the start.".to_owned());
        }
        let steps = interval.steps.0.iter().chain(&interval.tree_steps.0);
        out.extend(steps.map(|step| sentence_of(step, self.units)));
        out
    }

    fn outcome(&self) -> Option<String> {
        let found = self.swept()?;
        let sentence = match found {
            Outcome::Overlapping { depth } => {
                format!(
                    "They overlap by {} already at the start.",
                    self.units.length(depth)
                )
            }
            Outcome::Receding => "They cannot hit.".to_owned(),
            Outcome::Later => {
                "They approach, but are still apart at the end of the frame.".to_owned()
            }
            Outcome::Misses { by, fraction } => format!(
                "They miss each other by {}, nearest at {} of the frame.",
                self.units.length(by),
                number(fraction)
            ),
            Outcome::Grazes { fraction } => format!(
                "They only graze at {} of the frame, which is no hit.",
                number(fraction)
            ),
            Outcome::Hits(impact) => self.hit(&impact),
        };
        let probe_sentences = self.intervals.iter().any(|s| s.sweep.rotation_ignored);
        Some(match self.ending {
            Ending::Masked if self.filter.exemption.is_some() => {
                format!("If it were tested: {}", lower_first(&sentence))
            }
            Ending::Masked => format!("Without the mask: {}", lower_first(&sentence)),
            _ if probe_sentences && self.acted.is_empty() => {
                format!("Without rotation: {}", lower_first(&sentence))
            }
            _ => sentence,
        })
    }

    /// Sentences of the sweep with rotation, where the exact sweep ignored it.
    fn turning(&self) -> Vec<String> {
        let followed = |interval: &SweptInterval| {
            let followed = interval.followed.as_ref()?;
            Some(match (&followed.touch, followed.parts) {
                (Some(touch), parts) => format!(
                    "With rotation, they touch at {} of the frame, at {}, with the normal {}, and {}.",
                    number(touch.fraction),
                    self.units.point(touch.point),
                    self.units.unit_vector(touch.normal),
                    match parts {
                        Some(at) => format!("part at {}", number(at)),
                        None => "do not part".to_owned(),
                    }
                ),
                (None, _) => format!(
                    "With rotation, they never overlap by more than {}.",
                    self.units.length(followed.slop)
                ),
            })
        };
        self.intervals.iter().filter_map(followed).collect()
    }

    fn hit(&self, impact: &Impact) -> String {
        let triangle = impact
            .triangle
            .map_or(String::new(), |index| format!(", on triangle {index}"));
        format!(
            "They hit at {} of the frame ({}), at {}{triangle}; the normal is {}.",
            number(impact.fraction),
            seconds(impact.fraction * self.dt),
            self.units.point(impact.point),
            self.units.unit_vector(impact.normal)
        )
    }

    fn overlap_tests(&self) -> Vec<String> {
        let [start, end] = &self.end_tests;
        let mut out = Vec::new();
        for (when, test) in [("start", start), ("end", end)] {
            if let Some(test) = test {
                out.push(format!(
                    "An overlap test at the {when} of the frame {}.",
                    test_text(test, self.units)
                ));
            }
        }
        let blind = |test: &Option<OverlapTest>| test.as_ref().is_some_and(|l| l.contact.is_none());
        let hits = matches!(self.swept(), Some(Outcome::Hits(_)));
        if self.acted.is_empty() && blind(start) && blind(end) {
            if hits {
                out.push("So an overlap test at frame ends does not detect this hit.".to_owned());
                if self.phases.is_none() {
                    out.push(format!(
                        "It is a finding only if they overlap by more than {} in between, {} of the smaller one.",
                        self.units.length(self.slop),
                        percent(SLOP_SHARE)
                    ));
                }
            } else if self.rotation_touch().is_some() {
                let not_detected = "So neither an overlap test at frame ends nor a sweep without rotation detects this hit.";
                out.push(not_detected.to_owned());
            }
        }
        out
    }

    fn what_was_done(&self) -> Vec<String> {
        let mut out = Vec::new();
        for impact in &self.acted {
            out.push(format!(
                "The stepper stopped them at {} of the frame.",
                number(impact.fraction)
            ));
        }
        for pushed in &self.pushes {
            let name = &self.names[usize::from(pushed.object == self.b)];
            out.push(format!(
                "At {} of the frame `{name}` was pushed by {}, {}.",
                number(pushed.at),
                self.units.length(pushed.push.length()),
                self.units.point(pushed.push)
            ));
        }
        if let Some(gap) = self.after_pushes {
            out.push(format!(
                "After the frame's pushes they {}.",
                stand(gap, self.units)
            ));
        }
        if self.detection == Some(Detection::Overlap)
            && matches!(self.ending, Ending::Swept(Outcome::Hits(_)))
        {
            out.push("This scene tests for collisions only at frame ends.".to_owned());
        }
        out
    }
}

fn test_text(test: &OverlapTest, units: UserUnits) -> String {
    match (&test.contact, test.gap) {
        (Some(contact), _) if contact.depth == 0.0 => "finds a touch".to_owned(),
        (Some(contact), _) => format!(
            "finds an overlap of {}, with a push along {}",
            units.length(contact.depth),
            units.unit_vector(contact.normal)
        ),
        (None, Some(gap)) => format!("finds nothing: they are {} apart", units.length(gap)),
        (None, None) => "finds nothing: one is behind the other, which is one-sided".to_owned(),
    }
}

fn stand(gap: f64, units: UserUnits) -> String {
    if gap > 0.0 {
        format!("are {} apart", units.length(gap))
    } else if gap < 0.0 {
        format!("overlap by {}", units.length(-gap))
    } else {
        "touch".to_owned()
    }
}

fn lower_first(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_lowercase().chain(letters).collect()
    })
}
