//! The page of `hitstop report`: whole, safe, bounded, and drawn to scale.

use crate::shell::{BULLET, RECORDED, folder, hitstop, status, stderr, text_of};
use hitstop::core::diagnose::{Options, diagnose};
use hitstop::core::level;
use hitstop::core::scene::MemoryFolder;
use hitstop::report;
use std::collections::BTreeSet;
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
fn a_finding_has_numbers_plot_and_drawings() {
    let page = page_of_file(BULLET);
    for wanted in [
        "bullet → paper",
        "C01 too fast for too thin",
        "<td>substeps</td><td class=\"n\">122</td><td class=\"weak\">detected from 61</td>",
        "touch at 0.741",
        "Impact at 0.741",
        "Start: 4.95 m apart: not detected",
        "The whole frame",
        "Expectations",
        "0.0167 s",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    assert_eq!(
        page.matches("<svg").count(),
        5,
        "the gap, the frame, three moments"
    );
}

/// The value of an attribute in the first element of a class after a position.
fn number(svg: &str, class: &str, attribute: &str, which: usize) -> f64 {
    let element = svg
        .match_indices(&format!("<circle class=\"{class}\""))
        .nth(which)
        .unwrap()
        .0;
    let rest = &svg[element..];
    let start = rest.find(&format!(" {attribute}=\"")).unwrap() + attribute.len() + 3;
    let end = start + rest[start..].find('"').unwrap();
    rest[start..end].parse().unwrap()
}

#[test]
fn the_drawing_is_to_scale() {
    // The ball flies 8 m a frame along x from -4.5 and hits the sheet at -0.5, after 4 m: half way.
    let page = page_of(
        "Scene(version: 1, name: \"x\", dt: 0.0625, frames: 1, objects: [\
         (name: \"ball\", shape: Sphere(radius: 0.25), position: (-4.5, 0.0, 0.0), velocity: (128.0, 0.0, 0.0)),\
         (name: \"sheet\", shape: Box(half_extents: (0.25, 1.0, 1.0)), motion: Fixed)])",
    );
    let start = page.find("<desc id=\"d0wd\">").unwrap();
    let svg = &page[start..start + page[start..].find("</svg>").unwrap()];
    let (from, to) = (
        number(svg, "mover ghost", "cx", 0),
        number(svg, "mover ghost", "cx", 1),
    );
    let at = number(svg, "mover", "cx", 0);
    assert!(
        ((at - from) / (to - from) - 0.5).abs() < 2e-3,
        "{from} {at} {to}"
    );
    let scale = (to - from) / 8.0;
    assert!((number(svg, "mover", "r", 0) / scale - 0.25).abs() < 0.01);
    let contact = number(svg, "contact", "cx", 0);
    assert!(
        ((contact - at) / scale - 0.25).abs() < 0.01,
        "the contact is a radius ahead"
    );
    assert!(svg.contains("seen from +z"));
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
