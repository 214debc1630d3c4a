//! LICENSE-THIRD-PARTY lists the crates that are built into the program.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const BEHIND: &str = "LICENSE-THIRD-PARTY is behind: run .ci/release/licenses";

/// The crates that are built into the program as it is built here, `name version`. All are on this machine, as the tests are built of them.
fn built_in() -> BTreeSet<String> {
    let features = [
        ("gui", cfg!(feature = "gui")),
        ("mcp", cfg!(feature = "mcp")),
        ("parquet", cfg!(feature = "parquet")),
        ("pictures", cfg!(feature = "pictures")),
    ];
    let features = features.iter().filter(|(_, is_on)| *is_on);
    let features = Vec::from_iter(features.map(|(name, _)| *name)).join(",");
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--package", "hitstop", "--locked", "--offline"])
        .args(["--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .args(["--no-default-features", "--features", &features])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let printed = String::from_utf8(tree.stdout).unwrap();
    let error = String::from_utf8_lossy(&tree.stderr);
    assert!(tree.status.success(), "{error}");
    let named = printed.lines().filter_map(|line| {
        let (name, version) = line.split_once(" v")?;
        let version = version.split(' ').next()?;
        (name != "hitstop").then(|| format!("{name} {version}"))
    });
    named.collect()
}

/// The crates that a text lists: lines of two spaces, a name and a version.
fn listed(text: &str) -> BTreeSet<&str> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("  "));
    let is_crate = |line: &&str| {
        let (name, version) = line.split_once(' ').unwrap_or_default();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        name.chars().all(is_name)
            && version.starts_with(|c: char| c.is_ascii_digit())
            && version.matches('.').count() >= 2
            && !version.contains(' ')
    };
    lines.filter(is_crate).collect()
}

#[test]
fn the_licences_of_all_crates_are_listed() {
    let text = include_str!("../../LICENSE-THIRD-PARTY");
    let listed = listed(text);
    let built_in = built_in();
    let missing = Vec::from_iter(built_in.iter().filter(|one| !listed.contains(&***one)));
    assert!(
        built_in.len() > 50 && missing.is_empty(),
        "{missing:?}: {BEHIND}"
    );

    // Of other systems and features too, none is listed that is not used any more.
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock");
    let lock = std::fs::read_to_string(lock).unwrap();
    let gone = Vec::from_iter(listed.iter().filter(|one| {
        let (name, version) = one.split_once(' ').unwrap();
        !lock.contains(&format!("name = \"{name}\"\nversion = \"{version}\"\n"))
    }));
    assert!(gone.is_empty(), "{gone:?}: {BEHIND}");
}
