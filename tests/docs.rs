//! Documents that repeat what the program says hold exactly that.

use hitstop::core::diagnose::{Cause, Kind};
use std::fmt::Write as _;
use std::path::Path;

/// docs/causes.md as the program knows its causes.
fn causes() -> String {
    let mut text = String::from(
        "# Kinds of finding, and their causes\n\n\
         What `check`, the window, reports and SARIF rules say, in one place. Identifiers are stable.\n\n\
         | kind | what happened |\n|---|---|\n",
    );
    for kind in Kind::ALL {
        writeln!(text, "| `{}` | {} |", kind.name(), kind.meaning()).unwrap();
    }
    for cause in Cause::ALL {
        let (id, help) = (cause.id(), cause.help());
        writeln!(
            text,
            "\n<a id=\"{}\"></a>\n## {id} {}\n",
            id.to_lowercase(),
            cause.title()
        )
        .unwrap();
        writeln!(
            text,
            "{}\n\n- **Evidence.** {}",
            help.meaning, help.evidence
        )
        .unwrap();
        writeln!(text, "- **What mends it.** {}", help.mend).unwrap();
    }
    text
}

/// With the variable UPDATE_DOCS set, the document is written anew.
#[test]
fn the_causes_are_documented_as_the_program_tells_them() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/causes.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, causes()).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text == causes(),
        "docs/causes.md is behind: run this test with UPDATE_DOCS=1"
    );
}

#[test]
fn every_cause_has_help_of_its_own() {
    let all = Cause::ALL;
    assert_eq!(all.len(), 25);
    for (index, cause) in all.iter().enumerate() {
        let help = cause.help();
        for text in [help.meaning, help.evidence, help.mend] {
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
