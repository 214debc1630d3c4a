//! Reports as SARIF 2.1.0 (OASIS Standard, 2020) for code scanning: one run, a rule per cause, a result per finding and
//! failed expectation.

mod form;

use self::form::{
    ArtifactLocation, Driver, Help, Invocation, Location, Log, LogicalLocation, Message,
    Notification, PhysicalLocation, Region, ReportingConfiguration, ReportingDescriptor, Result,
    Run, Suppression, Tool,
};
use super::fingerprint::Fingerprints;
use super::safe::safe_json;
use super::{Checked, FailOn, json};
use crate::core::diagnose::{Cause, ExpectationResult, Finding, Report, Verdict};
use crate::core::number::number;
use crate::core::problem::{Place, Problem};
use crate::core::scene::UserUnits;
use std::path::{Component, Path};

/// The rule of a failed expectation, after the causes.
const EXPECTATION: &str = "expectation";

/// The document; `None` when it cannot be written. `baseline` is the name of the list of known findings.
pub fn sarif(results: &[Checked], fail_on: &FailOn, baseline: Option<&str>) -> Option<String> {
    let mut run = Run {
        tool: Tool {
            driver: Driver {
                name: "Hitstop",
                version: env!("CARGO_PKG_VERSION"),
                rules: rules(),
            },
        },
        column_kind: "unicodeCodePoints",
        invocations: vec![Invocation {
            execution_successful: results.iter().all(|result| result.outcome.is_ok()),
            tool_execution_notifications: Vec::new(),
        }],
        results: Vec::new(),
    };
    for result in results {
        let notifications = &mut run.invocations[0].tool_execution_notifications;
        match &result.outcome {
            Err(problems) => notifications.extend(problems.0.iter().map(notification)),
            Ok(report) => {
                let file = File {
                    checked: result,
                    units: report.units,
                    fail_on,
                    baseline,
                };
                notifications.extend(report.notices.iter().map(|notice| file.notice(notice)));
                let mut fingerprints = Fingerprints::of(&uri(&result.file));
                let findings = report.findings.iter();
                run.results
                    .extend(findings.map(|finding| file.finding(finding, &mut fingerprints)));
                run.results.extend(file.expectations(report));
            }
        }
    }
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [run],
    };
    serde_json::to_string_pretty(&log)
        .ok()
        .map(|text| safe_json(&text).into_owned() + "\n")
}

fn message(text: impl Into<String>) -> Message {
    Message { text: text.into() }
}

/// C01 to C25, then the rule of expectations.
fn rules() -> Vec<ReportingDescriptor> {
    let mut rules: Vec<_> = Cause::ALL.into_iter().map(rule).collect();
    let text = "An expectation of the scene does not hold, or holds though it is expected to fail.";
    rules.push(ReportingDescriptor {
        id: EXPECTATION,
        name: "FailedExpectation".to_owned(),
        short_description: message("failed expectation"),
        full_description: message(text),
        help: Help {
            text: format!("{text} The message gives the expected and the actual result."),
            markdown: format!("{text} The message gives the expected and the actual result."),
        },
        help_uri: help_uri("docs/ci.md", "expectations"),
        default_configuration: ReportingConfiguration { level: "error" },
    });
    rules
}

fn rule(cause: Cause) -> ReportingDescriptor {
    let (id, title, help) = (cause.id(), cause.title(), cause.help());
    let name = title
        .split(|c: char| !c.is_alphanumeric())
        .filter_map(|word| {
            let mut letters = word.chars();
            let first = letters.next()?;
            Some(first.to_uppercase().chain(letters).collect::<String>())
        })
        .collect();
    let link = format!("docs/causes.md#{}", id.to_lowercase());
    ReportingDescriptor {
        name,
        short_description: message(title),
        full_description: message(help.meaning),
        help: Help {
            text: format!(
                "{}\nEvidence: {}\nFix: {}\nMore: {link}",
                help.meaning, help.evidence, help.fix
            ),
            markdown: format!(
                "{}\n\n**Evidence.** {}\n\n**Fix.** {}\n\nMore: [{id} {title}]({link})",
                help.meaning, help.evidence, help.fix
            ),
        },
        help_uri: help_uri("docs/causes.md", &id.to_lowercase()),
        default_configuration: ReportingConfiguration { level: "error" },
        id,
    }
}

/// The documentation page, if this build has its address.
fn help_uri(page: &str, anchor: &str) -> Option<String> {
    let home = env!("CARGO_PKG_REPOSITORY");
    (!home.is_empty()).then(|| format!("{home}/blob/main/{page}#{anchor}"))
}

/// A file whose report is written.
struct File<'r> {
    checked: &'r Checked,
    units: UserUnits,
    fail_on: &'r FailOn,
    baseline: Option<&'r str>,
}

impl File<'_> {
    fn location(&self, place: Option<Place>, logical: Vec<LogicalLocation>) -> Location {
        Location {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation {
                    uri: uri(&self.checked.file),
                },
                region: place.map(region),
            },
            logical_locations: logical,
            message: None,
        }
    }

    fn object(&self, name: &str) -> Option<Place> {
        self.checked.line_index.objects.get(name).copied()
    }

    fn finding(&self, finding: &Finding, fingerprints: &mut Fingerprints) -> Result {
        let cause = finding.cause.id();
        let moment = format!("frame {}/fraction {}", finding.number(), finding.fraction);
        let logical = [
            (finding.a.clone(), "object"),
            (finding.b.clone(), "object"),
            (moment, "moment"),
        ]
        .into_iter()
        .filter(|(name, _)| !name.is_empty())
        .map(|(fully_qualified_name, kind)| LogicalLocation {
            fully_qualified_name,
            kind,
        });
        let place = self.object(&finding.a).or(self.object(&finding.b));
        let other = self.object(&finding.b).filter(|_| place.is_some());
        let related = other.map(|place| Location {
            message: Some(message(finding.b.clone())),
            ..self.location(Some(place), Vec::new())
        });
        let fails = self.fail_on.kinds.contains(&finding.kind);
        let (kind, level) = match (finding.expected, fails) {
            (true, _) => ("informational", "none"),
            (false, true) => ("fail", "error"),
            (false, false) => ("fail", "warning"),
        };
        Result {
            rule_index: Cause::ALL.iter().position(|one| *one == finding.cause),
            rule_id: cause,
            kind,
            level,
            message: message(told(finding, self.units)),
            locations: vec![self.location(place, logical.collect())],
            related_locations: related.into_iter().collect(),
            partial_fingerprints: fingerprints.next(finding),
            baseline_state: self.baseline_state(finding.known),
            suppressions: self.suppressions(finding),
            properties: json::finding(finding, self.units).ok(),
        }
    }

    fn baseline_state(&self, known: bool) -> Option<&'static str> {
        self.baseline?;
        Some(if known { "unchanged" } else { "new" })
    }

    fn suppressions(&self, finding: &Finding) -> Vec<Suppression> {
        let suppressed = |kind, justification| {
            vec![Suppression {
                kind,
                justification,
            }]
        };
        match (finding.expected, self.baseline) {
            (true, _) => suppressed("inSource", "the scene expects this finding".to_owned()),
            (false, Some(list)) if finding.known => {
                suppressed("external", format!("{list} lists this finding"))
            }
            _ => Vec::new(),
        }
    }

    fn expectations(&self, report: &Report) -> Vec<Result> {
        let all = report.expectations.iter().enumerate();
        all.filter(|(_, one)| !one.passed)
            .map(|(index, one)| self.expectation(index, one))
            .collect()
    }

    fn expectation(&self, index: usize, one: &ExpectationResult) -> Result {
        let text = match (one.verdict, &one.expected_to_fail) {
            (Verdict::HeldUnexpectedly, Some(why)) => format!(
                "It holds, but was expected to fail ({why}): {}. Got: {}.",
                one.wanted, one.got
            ),
            _ => format!("Expected: {}. Got: {}.", one.wanted, one.got),
        };
        let logical = LogicalLocation {
            fully_qualified_name: one.text.clone(),
            kind: "expectation",
        };
        let place = self.checked.line_index.expect.get(index).copied();
        Result {
            rule_id: EXPECTATION,
            rule_index: Some(Cause::ALL.len()),
            kind: "fail",
            level: "error",
            message: message(text),
            locations: vec![self.location(place, vec![logical])],
            related_locations: Vec::new(),
            partial_fingerprints: Fingerprints::of_expectation(&uri(&self.checked.file), &one.text),
            baseline_state: self.baseline_state(false),
            suppressions: Vec::new(),
            properties: None,
        }
    }

    fn notice(&self, text: &str) -> Notification {
        Notification {
            level: "note",
            message: message(text),
            locations: vec![self.location(None, Vec::new())],
        }
    }
}

/// The sentence, the other causes, and the fixes.
fn told(finding: &Finding, units: UserUnits) -> String {
    let mut text = format!(
        "{} in {} at fraction {}, {:.4} s: {}",
        finding.kind.name(),
        finding.frames(),
        number(finding.fraction),
        finding.time,
        finding.text
    );
    if !text.ends_with('.') {
        text.push('.');
    }
    if !finding.also.is_empty() {
        let also: Vec<String> = finding
            .also
            .iter()
            .map(|cause| format!("{} {}", cause.id(), cause.title()))
            .collect();
        text += &format!(" Also: {}.", also.join(", "));
    }
    if !finding.fixes.is_empty() {
        let fixes: Vec<String> = finding.fixes.iter().map(|fix| fix.text(units)).collect();
        text += &format!(" Fix: {}.", fixes.join("; "));
    }
    text
}

fn notification(problem: &Problem) -> Notification {
    let help = match problem.help.as_str() {
        "" => String::new(),
        help => format!(" ({help})"),
    };
    Notification {
        level: "error",
        message: message(format!("{}{help}", problem.what)),
        locations: vec![Location {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation {
                    uri: uri(Path::new(&problem.file)),
                },
                region: problem.at.map(region),
            },
            logical_locations: Vec::new(),
            message: None,
        }],
    }
}

fn region(place: Place) -> Region {
    Region {
        start_line: place.line,
        start_column: place.column,
    }
}

/// A path as a URI reference (RFC 3986): relative ones as they are, absolute ones with the scheme `file`.
pub(super) fn uri(path: &Path) -> String {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(encoded(&name.to_string_lossy())),
            Component::ParentDir => parts.push("..".to_owned()),
            Component::Prefix(drive) => parts.push(drive.as_os_str().to_string_lossy().into()),
            Component::RootDir | Component::CurDir => {}
        }
    }
    let joined = parts.join("/");
    if path.has_root() {
        format!("file:///{joined}")
    } else {
        joined
    }
}

/// Percent-encodes everything but the unreserved characters.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes()
        .map(|byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        for (path, wanted) in [
            ("./scenes/a b.ron", "scenes/a%20b.ron"),
            ("../x/é.ron", "../x/%C3%A9.ron"),
            ("/tmp/a#b.ron", "file:///tmp/a%23b.ron"),
        ] {
            assert_eq!(uri(Path::new(path)), wanted);
        }
    }

    #[test]
    fn every_rule_has_a_name_and_help() {
        let rules = rules();
        assert_eq!(rules.len(), 26);
        assert_eq!(rules[0].name, "TooFastForTooThin");
        for rule in &rules {
            assert!(rule.help.text.len() > 40, "{}", rule.id);
            assert!(
                rule.name.chars().all(char::is_alphanumeric),
                "{}",
                rule.name
            );
        }
    }
}
