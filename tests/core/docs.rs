//! Documents that repeat data of the program agree with it.

use super::cause_pages::{PAGES, SYMBOLS};
use super::engine_table::engines;
use super::guide_log::log;
use hitstop::core::diagnose::{Cause, Finding, Kind, Options, Quantity, diagnose};
use hitstop::core::level;
use hitstop::report;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// docs/causes.md as generated from the causes.
fn causes() -> String {
    let mut text = String::from(
        "# Findings and causes\n\n\
         The texts that `hitstop check`, the window, reports and SARIF rules show. The identifiers are stable.\n\n\
         | kind | what happened |\n|---|---|\n",
    );
    for kind in Kind::ALL {
        writeln!(text, "| `{}` | {} |", kind.name(), kind.meaning()).unwrap();
    }
    write!(text, "\n{SYMBOLS}\n").unwrap();
    for (cause, page) in Cause::ALL.into_iter().zip(&PAGES) {
        let (id, help) = (cause.id(), cause.help());
        writeln!(
            text,
            "\n<a id=\"{}\"></a>\n## {id} {}\n",
            id.to_lowercase(),
            cause.title()
        )
        .unwrap();
        writeln!(text, "{}\n", help.meaning).unwrap();
        if picture(cause, page.level).is_some() {
            let name = id.to_lowercase();
            writeln!(
                text,
                "![{id} in {}](pictures/causes/{name}.svg)\n",
                page.level
            )
            .unwrap();
        }
        writeln!(text, "- **Evidence.** {}", help.evidence).unwrap();
        let (limit, rest) = (page.limit(), page.rest());
        write!(text, "{limit}- **Suggested fixes.** {}\n{rest}", help.fix).unwrap();
    }
    text
}

/// The drawing of the first finding of a cause in a level, as SVG; `None` where it has no two bodies to draw.
fn picture(cause: Cause, level: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("scenes")
        .join(level);
    let level = level::open(&path, &()).unwrap();
    let found = diagnose(&level, &Options::default(), &()).unwrap().findings;
    let first = |is: &dyn Fn(&&Finding) -> bool| found.iter().find(is);
    let finding = first(&|finding| finding.cause == cause);
    let finding = finding.or_else(|| first(&|finding| finding.also.contains(&cause)))?;
    let (_, svg) = report::pictures(&level.replay, finding)?
        .into_iter()
        .next()?;
    Some(String::from_utf8(svg).unwrap())
}

/// With the variable UPDATE_DOCS set, the drawings are written.
#[test]
fn every_cause_has_the_drawing_of_its_level() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures/causes");
    let mut drawn = 0;
    for (cause, page) in Cause::ALL.into_iter().zip(&PAGES) {
        let path = folder.join(format!("{}.svg", page.id.to_lowercase()));
        let Some(wanted) = picture(cause, page.level) else {
            assert!(!path.exists(), "{}", path.display());
            continue;
        };
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &wanted).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            text == wanted,
            "{} is behind: run this test with UPDATE_DOCS=1",
            path.display()
        );
        drawn += 1;
    }
    assert!(drawn > 15, "{drawn}");
}

/// With the variable UPDATE_DOCS set, the documents are written.
#[test]
fn generated_documents_match_their_tables() {
    for (name, wanted) in [("causes", causes()), ("engines", engines())] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/{name}.md"));
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, &wanted).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            text == wanted,
            "docs/{name}.md is behind: run this test with UPDATE_DOCS=1"
        );
    }
}

/// The level of a page has a finding of its cause, and its twin none at all.
#[test]
fn every_page_of_a_cause_has_a_level_that_shows_it() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let findings = |file: &str| {
        let level = level::open(&scenes.join(file), &()).unwrap();
        diagnose(&level, &Options::default(), &()).unwrap().findings
    };
    for (cause, page) in Cause::ALL.into_iter().zip(&PAGES) {
        assert_eq!(cause.id(), page.id);
        let found = findings(page.level);
        let shows = |finding: &Finding| finding.cause == cause || finding.also.contains(&cause);
        assert!(found.iter().any(shows), "{}: {}", page.id, page.level);
        if !page.twin.is_empty() {
            assert!(findings(page.twin).is_empty(), "{}", page.twin);
        }
    }
}

#[test]
fn every_cause_has_help_of_its_own() {
    let all = Cause::ALL;
    assert_eq!(all.len(), 25);
    for (index, cause) in all.iter().enumerate() {
        let help = cause.help();
        for text in [help.meaning, help.evidence, help.fix] {
            assert!(text.ends_with('.'), "{}: {text}", cause.id());
        }
        assert!(
            all[..index]
                .iter()
                .all(|other| other.help().meaning != help.meaning),
            "{}",
            cause.id()
        );
    }
}

/// The numbers of the guide: 40 m/s are 2/3 m a frame, from -1/3 m to 1/3 m around the wall in frame 4; the ball
/// touches at -0.15 m. It is certain to be detected up to 0.3 m: 3 substeps; and to be held up to 0.15 m: 5.
#[test]
fn the_guide_matches_its_level() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.jsonl");
    let findings = |substeps| {
        std::fs::write(&path, log(substeps)).unwrap();
        let level = level::open(&path, &()).unwrap();
        diagnose(&level, &Options::default(), &()).unwrap().findings
    };
    let found = findings(1);
    assert_eq!(found.len(), 1);
    let finding = &found[0];
    assert_eq!(finding.kind, Kind::Tunnels);
    assert_eq!(finding.cause.id(), "C01");
    assert_eq!(
        (finding.a.as_str(), finding.b.as_str()),
        ("fast ball", "wall")
    );
    assert_eq!(finding.frame, 4);
    let third = 1.0 / 3.0;
    assert!((finding.fraction - (third - 0.15) / (2.0 * third)).abs() < 1e-9);
    let fix = finding
        .fixes
        .iter()
        .find(|fix| fix.what == Quantity::Substeps);
    let fix = fix.unwrap();
    assert_eq!((fix.holds, fix.detects), (Some(5.0), Some(3.0)));
    assert_eq!(findings(5).len(), 0);
}

/// The scenes of docs/gallery.md, in the order of what it prints.
const GALLERY: [&str; 13] = [
    "gallery_lasers",
    "gallery_rays",
    "gallery_seam",
    "gallery_sensor",
    "gallery_bat",
    "gallery_one_sided",
    "gallery_bumps",
    "gallery_lost_wall",
    "gallery_ccd",
    "gallery_launched",
    "gallery_slab",
    "flat_matter_seam",
    "flat_box2d_chain",
];

/// Texts had values that were later moved below their limit. They are shortened: each sentence is one of a finding.
#[test]
fn printed_findings_are_those_of_the_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let documents: [(&str, &[&str]); 2] = [
        ("docs/gallery.md", &GALLERY),
        ("docs/ccd.md", &["ccd_threshold"]),
    ];
    for (document, scenes) in documents {
        let text = std::fs::read_to_string(root.join(document)).unwrap();
        let blocks = text.split("```text\n").skip(1);
        let blocks: Vec<&str> = blocks.filter_map(|it| it.split("```").next()).collect();
        assert_eq!(blocks.len(), scenes.len(), "{document}");
        for (block, scene) in blocks.into_iter().zip(scenes) {
            let level = level::open(&root.join(format!("scenes/{scene}.ron")), &()).unwrap();
            let found = diagnose(&level, &Options::default(), &()).unwrap().findings;
            // After the kind and the frame; before other causes, fixes and findings.
            let lines = block.lines().skip(2).map(str::trim);
            let rest = ["also ", "fix ", "and 4 more"];
            let lines = lines.take_while(|line| !rest.iter().any(|it| line.starts_with(it)));
            let printed = lines.collect::<Vec<_>>().join(" ");
            for sentence in printed.split(". ") {
                let sentence = sentence.trim_end_matches('.');
                assert!(
                    found.iter().any(|finding| finding.text.contains(sentence)),
                    "{document}, {scene}: {sentence}"
                );
            }
        }
    }
}

#[test]
fn the_pictures_of_the_documents_exist_and_are_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let of = |document: &str| -> Vec<PathBuf> {
        let path = root.join(document);
        let text = std::fs::read_to_string(&path).unwrap();
        let places = text.split("](").filter_map(|rest| rest.split(')').next());
        let places = places.filter(|place| [".png", ".gif"].iter().any(|end| place.ends_with(end)));
        let folder = path.parent().unwrap();
        places.map(|place| folder.join(place)).collect()
    };
    let (guide, readme) = (of("docs/guide.md"), of("README.md"));
    assert!((8..=26).contains(&guide.len()), "{guide:?}");
    assert!((3..=4).contains(&readme.len()), "{readme:?}");
    let guide = guide.iter().map(|picture| (picture, 150 * 1024));
    let readme = readme.iter().map(|picture| (picture, 350 * 1024));
    for (picture, most) in guide.chain(readme) {
        let bytes = std::fs::read(picture).unwrap();
        let (start, most) = match picture.extension() {
            Some(gif) if gif == "gif" => (&b"GIF89a"[..], 512 * 1024),
            _ => (&b"\x89PNG"[..], most),
        };
        assert!(
            bytes.starts_with(start) && bytes.len() <= most,
            "{}",
            picture.display()
        );
    }
}

/// Lines to copy: few, and of files that are there.
#[test]
fn the_lines_that_connect_an_engine_are_few_and_their_files_exist() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let text = std::fs::read_to_string(docs.join("connect.md")).unwrap();
    let mut engines = 0;
    for engine in text.split("\n## ").skip(1) {
        engines += 1;
        let name = engine.lines().next().unwrap_or_default();
        let blocks: Vec<&str> = engine.split("```").skip(1).step_by(2).collect();
        for block in &blocks {
            // The first line is the language.
            let lines = block.trim_end().lines().count() - 1;
            assert!((1..=8).contains(&lines), "{name}: {lines} lines");
        }
        assert_eq!(blocks.len(), 1, "{name}");
        for link in engine.split("](").skip(1) {
            let (file, _) = link.split_once(')').unwrap();
            let file = file.split('#').next().unwrap_or_default();
            let is_there = file.is_empty() || file.contains("://") || docs.join(file).exists();
            assert!(is_there, "{name}: {file}");
        }
    }
    assert!(engines >= 12, "{engines} engines");
}
