//! The page of `hitstop report`: whole, safe, bounded, and drawn to scale.

use crate::shell::{BULLET, RECORDED, folder, hitstop, status, stderr, text_of};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::DeflateDecoder;
use hitstop::core::diagnose::{Options, diagnose};
use hitstop::core::level;
use hitstop::core::scene::MemoryFolder;
use hitstop::report;
use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;

fn page_of(text: &str) -> String {
    let mut folder = MemoryFolder::default();
    folder
        .files
        .insert("x.ron".to_owned(), text.as_bytes().to_vec());
    let level =
        level::open_in(&folder, "x.ron", &()).unwrap_or_else(|problems| panic!("{problems}"));
    let report = diagnose(&level, &Options::default(), &()).unwrap();
    report::html(&level, &report)
}

fn page_of_file(path: &str) -> String {
    let level = level::open(Path::new(path), &()).unwrap_or_else(|problems| panic!("{problems}"));
    let report = diagnose(&level, &Options::default(), &()).unwrap();
    report::html(&level, &report)
}

/// Properties of every page: it is well-formed, refers to nothing outside, and each id is unique.
fn check_page(name: &str, page: &str) {
    let document = uppsala::parse(page).unwrap_or_else(|error| panic!("{name}: {error}"));
    for outside in [
        "<script", "http:", "https:", " src=", "url(", "@import", "<link", "<iframe", " onload",
    ] {
        assert!(!page.contains(outside), "{name}: {outside}");
    }
    for strange in ["NaN", "inf\"", "inf ", "infinity"] {
        assert!(!page.contains(strange), "{name}: {strange}");
    }
    let mut ids = BTreeSet::new();
    let mut named = Vec::new();
    for node in document.descendants(document.root()) {
        if let Some(element) = document.element(node) {
            if let Some(id) = element.get_attribute("id") {
                assert!(ids.insert(id.to_owned()), "{name}: {id} twice");
            }
            if &*element.name.local_name == "svg" {
                let labels = element
                    .get_attribute("aria-labelledby")
                    .expect("each drawing has a title");
                named.extend(labels.split(' ').map(str::to_owned));
            }
        }
    }
    for id in named {
        assert!(ids.contains(&id), "{name}: nothing is called {id}");
    }
}

#[test]
fn every_scene_and_log_gives_a_complete_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let folders = [root.clone(), root.join("recordings")];
    let mut seen = 0;
    for entry in folders.iter().flat_map(|folder| folder.read_dir().unwrap()) {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|ending| ending == "ron" || ending == "jsonl")
        {
            let page = page_of_file(path.to_str().unwrap());
            check_page(&path.display().to_string(), &page);
            seen += 1;
        }
    }
    assert!(seen > 20);
}

#[test]
fn a_finding_has_numbers_plot_and_drawing() {
    let page = page_of_file(BULLET);
    for wanted in [
        "bullet → paper",
        "C01 too fast for too thin",
        "<td>substeps</td><td class=\"n\">122</td><td class=\"weak\">detected from 61</td>",
        "touch at 0.741",
        ">start: 4.95 m apart</text>",
        ">6.67 m in the frame</text>",
        ">10 mm thick</text>",
        ">may move 55 mm</text>",
        "The lens shows the part at the contact larger",
        "Expectations",
        "0.0167 s",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    assert_eq!(page.matches("<svg").count(), 2, "the frame, the gap");
}

#[test]
fn a_page_has_whole_sentences_what_was_not_judged_and_no_path() {
    let folder = folder(&[]);
    let log = text_of(folder.path().join("secret.jsonl"));
    std::fs::copy(RECORDED, &log).unwrap();
    let page = page_of_file(&log);
    let level = level::open(Path::new(&log), &()).unwrap();
    let report = diagnose(&level, &Options::default(), &()).unwrap();
    let longest = report.findings.iter().map(|finding| finding.text.as_str());
    let longest = longest.max_by_key(|text| text.len()).unwrap();
    let end = longest.rsplit(". ").next().unwrap();
    assert!(page.contains(end), "{end}");
    assert!(!report.not_judged.is_empty() && page.contains("<h2>Not judged</h2>"));
    let place = text_of(folder.path());
    assert!(!page.contains(&place), "{place}");
}

/// The value of an attribute in the elements of a class, in their order.
fn numbers(svg: &str, class: &str, attribute: &str) -> Vec<f64> {
    let start = format!("<circle class=\"{class}\"");
    let elements = svg.match_indices(&start).map(|(at, _)| at);
    let value = |element: usize| {
        let rest = &svg[element..];
        let start = rest.find(&format!(" {attribute}=\"")).unwrap() + attribute.len() + 3;
        let end = start + rest[start..].find('"').unwrap();
        rest[start..end].parse().unwrap()
    };
    elements.map(value).collect()
}

/// A ball of radius 0.25 m flies 8 m a frame along an axis from -4.5 m and hits the sheet at -0.25 m after 4 m: half way. The mover goes from left to
/// right, whatever its axis is.
#[test]
fn the_drawing_is_to_scale_from_left_to_right() {
    for (axis, name) in [(0, "+z"), (2, "-x")] {
        for sign in [1.0, -1.0] {
            let along = |value: f64| {
                let mut vector = [0.0; 3];
                vector[axis] = sign * value;
                format!("({:?}, {:?}, {:?})", vector[0], vector[1], vector[2])
            };
            let mut half = [2.0; 3];
            half[axis] = 0.25;
            let page = page_of(&format!(
                "Scene(version: 1, name: \"x\", dt: 0.0625, frames: 1, objects: [\
                 (name: \"ball\", shape: Sphere(radius: 0.25), position: {}, velocity: {}),\
                 (name: \"sheet\", shape: Box(half_extents: ({:?}, {:?}, {:?})), motion: Fixed)])",
                along(-4.5),
                along(128.0),
                half[0],
                half[1],
                half[2]
            ));
            let start = page.find("<desc id=\"d0d\">").unwrap();
            let svg = &page[start..start + page[start..].find("</svg>").unwrap()];
            let (ghosts, at) = (numbers(svg, "ghost", "cx"), numbers(svg, "mover", "cx")[0]);
            let [from, to] = ghosts[..] else {
                panic!("{ghosts:?}");
            };
            assert!(to > from, "{from} {to}");
            assert!(
                ((at - from) / (to - from) - 0.5).abs() < 2e-3,
                "{from} {at} {to}"
            );
            let scale = (to - from) / 8.0;
            assert!((numbers(svg, "mover", "r")[0] / scale - 0.25).abs() < 0.01);
            let contact = numbers(svg, "contact", "cx")[0];
            assert!(
                ((contact - at) / scale - 0.25).abs() < 0.01,
                "the contact is a radius ahead"
            );
            assert_eq!(
                numbers(svg, "missed", "cx"),
                [from, to],
                "the tests at both ends"
            );
            if sign > 0.0 {
                assert!(svg.contains(&format!("seen from {name}")), "{name}");
            }
        }
    }
}

#[test]
fn names_are_never_markup() {
    let page = page_of(
        r#"Scene(version: 1, name: "<b>\"a\" & 'b'</b>", dt: 0.0625, frames: 1, objects: [
         (name: "<script>alert('x')</script>", shape: Sphere(radius: 0.25), position: (-4.5, 0.0, 0.0), velocity: (128.0, 0.0, 0.0)),
         (name: "</svg><img src=x onerror=y>", shape: Box(half_extents: (0.25, 1.0, 1.0)), motion: Fixed)],
         expect: [NoFindings(expected_to_fail: "<i>why</i>"), Touches(a: "<script>alert('x')</script>", b: "</svg><img src=x onerror=y>")])"#,
    );
    assert!(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"));
    assert!(page.contains("&lt;i&gt;why&lt;/i&gt;"));
    for markup in ["<script", "<img", "<b>\"", "<i>"] {
        assert!(!page.contains(markup), "{markup}");
    }
    assert!(uppsala::parse(&page).is_ok());
}

#[test]
fn a_thousand_findings_make_a_page_of_bounded_size() {
    let mut objects = String::new();
    for index in 0..1000 {
        let (y, z) = (f64::from(index / 40), f64::from(index % 40));
        objects += &format!(
            "(name: \"ball {index}\", shape: Sphere(radius: 0.25), position: (-4.5, {y:?}, {z:?}), velocity: (128.0, 0.0, 0.0)),"
        );
    }
    let page = page_of(&format!(
        "Scene(version: 1, name: \"x\", dt: 0.0625, frames: 1, objects: [{objects}\
         (name: \"sheet\", shape: Box(half_extents: (0.25, 99.0, 99.0)), motion: Fixed)])"
    ));
    assert!(page.len() < 2 << 20, "{} bytes", page.len());
    assert!(page.contains("Left out to keep this page small"));
    assert!(page.contains("1\u{a0}000 findings"));
    check_page("thousand", &page);
}

#[test]
fn the_command_writes_a_page_or_an_error() {
    let folder = folder(&[("broken.ron", "Scene("), ("kept.html", "before")]);
    let at = |name: &str| text_of(folder.path().join(name));
    let output = hitstop(&["report", RECORDED, "--out", &at("out.html")]);
    assert_eq!(
        status(&output),
        0,
        "the findings are as requested: {}",
        stderr(&output)
    );
    check_page(
        "recorded",
        &std::fs::read_to_string(at("out.html")).unwrap(),
    );
    for (input, out) in [
        (at("broken.ron"), "kept.html"),
        (at("missing.ron"), "kept.html"),
        (BULLET.to_owned(), "page.txt"),
        (BULLET.to_owned(), "no/such/folder.html"),
    ] {
        let output = hitstop(&["report", &input, "--out", &at(out)]);
        assert_eq!(status(&output), 2, "{input} to {out}");
        assert!(!stderr(&output).is_empty());
    }
    // Markdown is a folder: a name that looks like a file is refused, and the other way round.
    for (more, said) in [
        (&["--format", "md"][..], "--format md writes a folder"),
        (&[], "add --format md"),
    ] {
        let out = at("bug.md");
        let arguments = [&["report", BULLET, "--out", &out], more].concat();
        let output = hitstop(&arguments);
        assert_eq!(status(&output), 2);
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
    assert_eq!(std::fs::read_to_string(at("kept.html")).unwrap(), "before");
    let mut left: Vec<_> = folder
        .path()
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(
        left,
        ["broken.ron", "kept.html", "out.html"],
        "nothing half written is left"
    );
}

/// The page that plays a scene, and the bytes of its recording.
fn replay_of(text: &str) -> (String, Vec<u8>) {
    let mut folder = MemoryFolder::default();
    folder
        .files
        .insert("x.ron".to_owned(), text.as_bytes().to_vec());
    let level =
        level::open_in(&folder, "x.ron", &()).unwrap_or_else(|problems| panic!("{problems}"));
    let report = diagnose(&level, &Options::default(), &()).unwrap();
    let last = level.replay.frames() - 1;
    let page = report::replay_page(&level, &report, 0..=last)
        .unwrap_or_else(|problem| panic!("{problem:?}"))
        .html;
    let start = page.find("id=\"data\">").unwrap() + 10;
    let packed = &page[start..start + page[start..].find('<').unwrap()];
    let packed = STANDARD.decode(packed).unwrap();
    let mut bytes = Vec::new();
    DeflateDecoder::new(&packed[..])
        .read_to_end(&mut bytes)
        .unwrap();
    (page, bytes)
}

#[test]
fn names_are_never_markup_in_a_page_that_plays() {
    let hostile = "</script><script>alert(1)</script><img src=x onerror=y>";
    let (page, bytes) = replay_of(&format!(
        "Scene(version: 1, name: \"{hostile}\", dt: 0.0625, frames: 1, objects: [\
         (name: \"{hostile}a\", shape: Sphere(radius: 0.25), position: (-4.5, 0.0, 0.0), velocity: (128.0, 0.0, 0.0)),\
         (name: \"{hostile}b\", shape: Box(half_extents: (0.25, 1.0, 1.0)), motion: Fixed)])"
    ));
    assert!(!page.contains("<img") && !page.contains("alert(1)</script>"));
    assert_eq!(
        page.matches("<script").count(),
        2,
        "the data and the program"
    );
    assert_eq!(page.matches("</script").count(), 2);
    assert!(
        page.contains("default-src 'none'"),
        "nothing is loaded from elsewhere"
    );
    let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    let text = std::str::from_utf8(&bytes[4..4 + length]).unwrap();
    let level: serde_json::Value = serde_json::from_str(text).unwrap();
    assert_eq!(level["objects"][0]["n"], format!("{hostile}a"));
    // The program writes names as text only.
    let program = &page[page.rfind("<script>").unwrap()..];
    assert!(program.len() < 100_000, "{}", program.len());
    for markup in [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "fetch(",
        "http",
    ] {
        assert!(!program.contains(markup), "{markup}");
    }
}

#[test]
fn a_level_without_frames_or_with_too_many_is_not_played() {
    let folder = folder(&[(
        "one.jsonl",
        "{\"hitstop\": 1, \"objects\": [{\"id\": 0, \"name\": \"a\", \"shape\": {\"sphere\": {\"radius\": 1}}}]}\n{\"frame\": 0, \"bodies\": [{\"id\": 0, \"p\": [0, 0, 0]}]}\n",
    )]);
    let at = |name: &str| text_of(folder.path().join(name));
    for (input, more, wanted) in [
        (at("one.jsonl"), &[][..], "nothing to play"),
        (BULLET.to_owned(), &["--finding", "7"][..], "no finding 7"),
        (
            BULLET.to_owned(),
            &["--frames", "90000.."][..],
            "after the last frame",
        ),
    ] {
        let out = at("page.html");
        let arguments = [&["report", &input, "--replay", "--out", &out], more].concat();
        let output = hitstop(&arguments);
        assert_eq!(status(&output), 2, "{input}");
        assert!(stderr(&output).contains(wanted), "{}", stderr(&output));
        assert!(!Path::new(&out).exists());
    }
}

#[test]
fn an_issue_has_its_pictures_and_scenes() {
    let folder = folder(&[]);
    let out = text_of(folder.path().join("issue"));
    let output = hitstop(&["report", BULLET, "--format", "md", "--out", &out]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let text = std::fs::read_to_string(format!("{out}/issue.md")).unwrap();
    assert!(text.contains("## 1. Tunnels C01: bullet → paper"), "{text}");
    assert!(
        std::fs::read_to_string(format!("{out}/finding-1-tunnels.svg"))
            .unwrap()
            .starts_with("<svg xmlns")
    );
    let checked = hitstop(&["check", &format!("{out}/finding-1.ron"), "--format", "json"]);
    assert!(String::from_utf8_lossy(&checked.stdout).contains("\"cause\":\"C01\""));
    #[cfg(feature = "pictures")]
    {
        assert!(text.contains("(finding-1-tunnels.png)"));
        let png = std::fs::read(format!("{out}/finding-1-tunnels.png")).unwrap();
        assert!(
            png.starts_with(b"\x89PNG") && png.len() > 5000,
            "{}",
            png.len()
        );
    }
}
