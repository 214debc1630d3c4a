//! What every change of the program does to its findings: those of all scenes and of seeded levels, with evidence and fixes, are kept in
//! `corpus.txt`. It says what was found, not what is right: the expectations of scenes and the oracles do that.

use crate::common::levels::{diagnosed, opened};
use crate::common::random::Random;
use crate::diagnosis::scenes::{report, scenes};
use crate::metamorphic::levels::{Ground, level};
use hitstop::core::diagnose::{Finding, Fix, Report};
use std::fmt::Write as _;
use std::path::Path;

/// Seeded levels of each kind of obstacle.
const LEVELS: u64 = 25;
/// Lines of a difference that are printed.
const MOST_LINES: usize = 40;

/// Six digits: the last bits may differ from one system to another.
fn number(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap()
}

fn fix(fix: &Fix) -> String {
    let mut text = fix.what.name().to_owned();
    let values = [("", fix.holds), (" detects ", fix.detects)];
    for (word, value) in values {
        text += &value.map_or_else(String::new, |value| format!("{word} {}", number(value)));
    }
    for part in [&fix.object, &fix.setting].into_iter().flatten() {
        write!(text, " {part}").unwrap();
    }
    match &fix.with {
        Some(with) => format!("{text} with {}", self::fix(with)),
        None => text,
    }
}

fn line(finding: &Finding) -> String {
    let also = finding.also.iter().map(|cause| format!(" +{}", cause.id()));
    let mut text = format!(
        "  {} {}{} | {} → {} | {} at {}",
        finding.kind.name(),
        finding.cause.id(),
        String::from_iter(also),
        finding.a,
        finding.b,
        finding.frame,
        number(finding.fraction),
    );
    for (key, value) in &finding.evidence {
        write!(text, " | {} {}", key.name(), number(*value)).unwrap();
    }
    for one in &finding.fixes {
        write!(text, " | {}", fix(one)).unwrap();
    }
    text + "\n"
}

fn lines(name: &str, report: &Report) -> String {
    let mut text = format!("{name}: {} findings", report.findings.len());
    for one in &report.not_judged {
        write!(
            text,
            " | not judged: {}",
            one.cause.map_or("pairs", |cause| cause.id())
        )
        .unwrap();
    }
    text + "\n" + &String::from_iter(report.findings.iter().map(line))
}

#[test]
fn findings_change_only_where_a_change_says_so() {
    let mut text = String::new();
    for path in scenes("ron") {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        text += &lines(&name, &report(&path));
    }
    for (name, ground) in [
        ("box", Ground::Cuboid),
        ("triangle", Ground::Triangle),
        ("height field", Ground::Field),
        ("other", Ground::Other),
    ] {
        for seed in 0..LEVELS {
            let scene = level(&mut Random(seed + 1), ground);
            let report = diagnosed(&opened("level.jsonl", scene.text()));
            text += &lines(&format!("{name} {seed}"), &report);
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/core/corpus.txt");
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &text).unwrap();
    } else if before != text {
        let lost = before.lines().filter(|line| !text.contains(line));
        let lost = lost.map(|line| format!("- {line}"));
        let new = text.lines().filter(|line| !before.contains(line));
        let new = new.map(|line| format!("+ {line}"));
        let changed = Vec::from_iter(lost.chain(new));
        panic!(
            "{} lines of findings changed: look at each, then run this test with UPDATE_DOCS=1 and commit corpus.txt with the change\n{}",
            changed.len(),
            changed[..changed.len().min(MOST_LINES)].join("\n")
        );
    }
}
