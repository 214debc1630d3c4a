//! Expectations of scenes: every form with its expected and actual lines, and those expected to fail.

use hitstop::core::diagnose::{Options, Report, Verdict, diagnose};
use hitstop::core::level;
use hitstop::core::scene::{MemoryFolder, parse, write};

/// A ball of radius 0.05 that flies from -5 at 400 m/s through a sheet of half thickness 0.005: the gap is 4.945 m and a frame's
/// travel 20/3 m, so that it hits at 0.74175 of frame 0. `ball` falls on `floor` into it by 0.1, and is pushed out.
fn scene(expect: &str) -> String {
    format!(
        r#"Scene(version: 1, name: "shot", dt: 0.016666666666666666, frames: 4,
    objects: [
        (name: "bullet", shape: Sphere(radius: 0.05), position: (-5.0, 1.0, 0.0), velocity: (400.0, 0.0, 0.0)),
        (name: "paper", shape: Box(half_extents: (0.005, 1.0, 1.0)), position: (0.0, 1.0, 0.0), motion: Fixed),
        (name: "ball", shape: Sphere(radius: 0.5), position: (0.0, -8.0, 0.0), velocity: (0.0, -36.0, 0.0)),
        (name: "floor", shape: Plane(normal: (0.0, 1.0, 0.0), offset: -9.0), motion: Fixed),
    ],
    expect: [{expect}])"#
    )
}

fn folder(text: &str) -> MemoryFolder {
    let mut folder = MemoryFolder::default();
    folder
        .files
        .insert("shot.ron".to_owned(), text.as_bytes().to_vec());
    folder
}

fn report_of(text: &str) -> Report {
    let level = level::open_in(&folder(text), "shot.ron", &()).unwrap_or_else(|e| panic!("{e}"));
    diagnose(&level, &Options::default(), &()).unwrap()
}

fn report(expect: &str) -> Report {
    report_of(&scene(expect))
}

/// Each form: one that holds, one that fails, and the text of its lines.
const FORMS: [(&str, &str, &str, &str); 8] = [
    (
        r#"Hit(a: "bullet", b: "paper", frame: 0, fraction: 0.74175)"#,
        r#"Hit(a: "bullet", b: "paper", frame: 0, fraction: 0.5, tolerance: 0.001)"#,
        "bullet hits paper in frame 0 at fraction 0.5 ± 0.001",
        "0.242 away where 0.001 is allowed",
    ),
    (
        r#"Finds(kind: Tunnels, cause: C01, a: "bullet", b: "paper", frame: 0)"#,
        r#"Finds(kind: Clips, cause: C05, a: "bullet", b: "paper", frame: 3)"#,
        "a finding of kind Clips with cause C05 of bullet and paper in frame 3",
        "nearest is Tunnels (C01",
    ),
    (
        "NoFindings(kind: Sinks)",
        "NoFindings",
        "no finding",
        "Tunnels (C01",
    ),
    (
        r#"Position(object: "ball", frame: 1, is: (0.0, -8.5, 0.0))"#,
        r#"Position(object: "ball", frame: 1, is: (0.0, -8.0, 0.0))"#,
        "ball is at (0, -8, 0) ± ",
        "0.5 m away where ",
    ),
    (
        r#"Push(object: "ball", against: "floor", frame: 0, is: (0.0, 0.1, 0.0))"#,
        r#"Push(object: "ball", frame: 0, is: (0.0, 0.0, 0.0))"#,
        "ball is pushed by (0, 0, 0) ± ",
        "0.1 m away where ",
    ),
    (
        "CameraPush(frame: 0, is: (0.0, 0.0, 0.0))",
        "CameraPush(frame: 0, is: (0.0, 2.0, 0.0))",
        "the camera is pushed by (0, 2, 0) ± ",
        "2 m away where ",
    ),
    (
        r#"Touches(a: "bullet", b: "paper")"#,
        r#"Touches(a: "ball", b: "paper")"#,
        "ball touches paper at some time",
        "they never touch",
    ),
    (
        r#"NeverTouches(a: "ball", b: "paper")"#,
        r#"NeverTouches(a: "bullet", b: "paper")"#,
        "bullet never touches paper",
        "they touch in frame 0, fraction 0.742",
    ),
];

/// The same form, expected to fail.
fn known(form: &str) -> String {
    match form.strip_suffix(')') {
        Some(open) => format!("{open}, expected_to_fail: \"bug 7\")"),
        None => format!("{form}(expected_to_fail: \"bug 7\")"),
    }
}

fn with_camera(expect: &str) -> Report {
    report_of(&scene(expect).replace("expect:", "camera: (position: (9.0, 9.0, 9.0)), expect:"))
}

#[test]
fn every_form_has_expected_and_got() {
    for (holds, fails, wanted, got) in FORMS {
        let report = with_camera(&format!("{holds}, {fails}"));
        let [good, bad] = &report.expectations[..] else {
            panic!("{holds} and {fails} are two");
        };
        assert_eq!(good.verdict, Verdict::Held, "{holds}: {}", good.got);
        assert_eq!(bad.verdict, Verdict::Failed, "{fails}: {}", bad.got);
        assert!(good.passed && !bad.passed);
        assert!(!good.got.contains("more"), "{holds} got: {}", good.got);
        assert!(bad.wanted.starts_with(wanted), "{}", bad.wanted);
        assert!(bad.got.contains(got), "{fails} got: {}", bad.got);
    }
}

#[test]
fn known_failures_must_fail() {
    for (holds, fails, ..) in FORMS {
        let report = with_camera(&format!("{}, {}", known(holds), known(fails)));
        let verdicts: Vec<_> = report.expectations.iter().map(|one| one.verdict).collect();
        assert_eq!(
            verdicts,
            [Verdict::HeldUnexpectedly, Verdict::FailedAsExpected],
            "{holds}"
        );
        assert!(!report.expectations[0].passed && report.expectations[1].passed);
        let why = report.expectations[0].expected_to_fail.as_deref();
        assert_eq!(why, Some("bug 7"));
        assert_eq!(
            report.expectations[1]
                .text
                .matches("expected_to_fail: \"bug 7\")")
                .count(),
            1
        );
    }
}

#[test]
fn findings_of_a_known_bug_are_accepted() {
    let accepted = report(r#"NoFindings(kind: Tunnels, expected_to_fail: "the solver")"#);
    assert_eq!(accepted.findings.len(), 1);
    assert!(accepted.findings[0].expected);
    let other = report(r#"NoFindings(kind: Sinks, expected_to_fail: "the solver")"#);
    assert!(!other.findings[0].expected);
    assert_eq!(other.expectations[0].verdict, Verdict::HeldUnexpectedly);
    let plain = report("NoFindings(kind: Tunnels)");
    assert!(!plain.findings[0].expected);
}

#[test]
fn known_bugs_of_other_frames_are_skipped() {
    let text = scene(&format!(
        "{}, {}",
        known(FORMS[0].0),
        known("NoFindings(kind: Tunnels)")
    ));
    let level = level::open_in(&folder(&text), "shot.ron", &()).unwrap();
    let options = Options {
        frames: Some(2..=3),
        ..Options::default()
    };
    let report = diagnose(&level, &options, &()).unwrap();
    for result in &report.expectations {
        assert_eq!(result.verdict, Verdict::NotJudged, "{}", result.got);
        assert!(result.passed);
    }
}

#[test]
fn every_form_is_written_back_with_its_reason() {
    let all: Vec<String> = FORMS.iter().map(|(_, fails, ..)| known(fails)).collect();
    let text =
        scene(&all.join(", ")).replace("expect:", "camera: (position: (9.0, 9.0, 9.0)), expect:");
    let read = |text: &str| parse(text, "x.ron", &MemoryFolder::default()).unwrap();
    let scene = read(&text);
    let written = write(&scene);
    assert_eq!(
        written.matches("expected_to_fail: \"bug 7\"").count(),
        8,
        "{written}"
    );
    assert!(written.contains("NoFindings(expected_to_fail: \"bug 7\")"));
    assert_eq!(read(&written), scene);
}

#[test]
fn a_known_failure_needs_a_reason_text() {
    for (field, wanted) in [
        ("expected_to_fail: \"  \"", "has no reason"),
        ("expected_to_fail: true", "a text was expected"),
        ("expected_to_fali: \"x\"", "expected_to_fail"),
    ] {
        let text = scene(&format!("NoFindings(kind: Tunnels,\n {field})"));
        let problems = parse(&text, "x.ron", &MemoryFolder::default()).unwrap_err();
        let said = problems.to_string();
        assert!(said.contains(wanted), "{field}: {said}");
        assert_eq!(problems.0[0].at.unwrap().line, 9, "{said}");
    }
}

/// The ball hits after 2 of 4 m, which has no rounding.
#[test]
fn a_hit_without_a_tolerance_may_be_exact() {
    let text = r#"Scene(version: 1, name: "x", dt: 0.0625, frames: 1, objects: [
        (name: "ball", shape: Sphere(radius: 0.25), position: (-2.5, 0.0, 0.0), velocity: (64.0, 0.0, 0.0)),
        (name: "wall", shape: Box(half_extents: (0.25, 9.0, 9.0)), motion: Fixed),
    ], expect: [Hit(a: "ball", b: "wall", frame: 0, fraction: 0.5, tolerance: 0.0)])"#;
    let result = &report_of(text).expectations[0];
    assert_eq!(
        (result.verdict, &*result.got),
        (Verdict::Held, "fraction 0.5")
    );
}

/// The causes are C07 and C21: others do not match, whether their numbers are lower or higher.
#[test]
fn only_a_cause_of_the_finding_matches() {
    let scene = std::fs::read_to_string("scenes/hidden_speed.ron").unwrap();
    for (cause, held) in [
        ("C07", true),
        ("C21", true),
        ("C05", false),
        ("C20", false),
        ("C22", false),
    ] {
        let finds = format!("expect: [Finds(kind: Sinks, cause: {cause}), ");
        let report = report_of(&scene.replacen("expect: [", &finds, 1));
        assert_eq!(report.expectations[0].passed, held, "{cause}");
    }
}
