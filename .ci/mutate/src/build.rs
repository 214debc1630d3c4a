//! The copy of the program with the mutants in it, and its test binaries.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::Result;
use crate::find::Mutant;
use crate::splice::{Spliced, splice};

/// What cargo is to build, and with which features.
const TARGETS: [&str; 7] = [
    "--lib",
    "--test",
    "core",
    "--locked",
    "--no-default-features",
    "--features",
    "parquet",
];

/// The files of the repository below `root`, as git knows them.
pub fn files(root: &Path) -> Result<Vec<String>> {
    let listed = Command::new("git")
        .args(["ls-files", "-co", "--exclude-standard"])
        .current_dir(root)
        .output()?;
    let files = String::from_utf8(listed.stdout)?;
    Ok(Vec::from_iter(
        files
            .lines()
            .filter(|file| root.join(file).is_file())
            .map(str::to_owned),
    ))
}

/// Builds the tests with `mutants`. Those that do not compile are left out and returned.
pub fn build(
    root: &Path,
    folder: &Path,
    mutants: &[(u32, &Mutant)],
) -> Result<(Vec<PathBuf>, BTreeSet<u32>)> {
    let tree = folder.join("tree");
    let mut of_file: BTreeMap<&str, Vec<(u32, &Mutant)>> = BTreeMap::new();
    for &(number, mutant) in mutants {
        of_file
            .entry(&mutant.file)
            .or_default()
            .push((number, mutant));
    }
    let files = files(root)?;
    remove_others(&tree, &tree, &files)?;
    for file in files
        .iter()
        .filter(|file| !of_file.contains_key(file.as_str()))
    {
        write(&tree.join(file), &fs::read(root.join(file))?)?;
    }
    let library =
        fs::read_to_string(root.join("src/lib.rs"))? + "\n#[doc(hidden)]\npub mod mutant;\n";
    write(&tree.join("src/lib.rs"), library.as_bytes())?;
    write(&tree.join("src/mutant.rs"), include_bytes!("mutant.rs"))?;

    let mut unviable = BTreeSet::new();
    loop {
        let mut spliced = BTreeMap::new();
        for (&file, mutants) in &mut of_file {
            mutants.retain(|(number, _)| !unviable.contains(number));
            let file_spliced = splice(&fs::read_to_string(root.join(file))?, mutants);
            write(&tree.join(file), file_spliced.text.as_bytes())?;
            spliced.insert(file, file_spliced);
        }
        let (binaries, errors) = cargo(&tree, &folder.join("build"))?;
        if errors.is_empty() {
            return Ok((binaries, unviable));
        }
        let before = unviable.len();
        unviable.extend(errors.iter().flat_map(|error| at_fault(error, &spliced)));
        eprintln!("{} mutants do not compile", unviable.len());
        if unviable.len() == before {
            return Err(errors[0]["rendered"]
                .as_str()
                .unwrap_or("cargo fails")
                .into());
        }
    }
}

/// What an earlier run left in the copy.
fn remove_others(tree: &Path, folder: &Path, files: &[String]) -> Result<()> {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry?.path();
        let place = path.strip_prefix(tree)?.to_string_lossy().into_owned();
        if path.is_dir() {
            remove_others(tree, &path, files)?;
        } else if !files.contains(&place) && place != "src/mutant.rs" {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Not if it is so already: cargo looks at the time of a file.
fn write(path: &Path, content: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    Ok(fs::write(path, content)?)
}

/// The test binaries, or the compiler's errors.
fn cargo(tree: &Path, target: &Path) -> Result<(Vec<PathBuf>, Vec<Value>)> {
    let mut child = Command::new("cargo")
        .args(["test", "--no-run", "--quiet", "--message-format", "json"])
        .args(TARGETS)
        .current_dir(tree)
        .env("CARGO_TARGET_DIR", target)
        // What a mutant leaves unused is no error.
        .env("RUSTFLAGS", "--cap-lints allow")
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let (mut binaries, mut errors) = (Vec::new(), Vec::new());
    for line in BufReader::new(child.stdout.take().ok_or("no output")?).lines() {
        let message: Value = serde_json::from_str(&line?)?;
        if message["profile"]["test"] == true {
            binaries.extend(message["executable"].as_str().map(PathBuf::from));
        }
        if message["message"]["level"] == "error" {
            errors.push(message["message"].clone());
        }
    }
    if !child.wait()?.success() && errors.is_empty() {
        return Err("cargo fails without an error of the compiler: run it in the copy".into());
    }
    Ok((binaries, errors))
}

/// The mutants in the innermost place that an error names.
fn at_fault(error: &Value, spliced: &BTreeMap<&str, Spliced>) -> Vec<u32> {
    let spans = error["spans"].as_array().map_or(&[][..], Vec::as_slice);
    let (primary, others): (Vec<_>, Vec<_>) =
        spans.iter().partition(|span| span["is_primary"] == true);
    let named = primary.into_iter().chain(others).find_map(|span| {
        let file = spliced.get(span["file_name"].as_str()?)?;
        let at = usize::try_from(span["byte_start"].as_u64()?).ok()?;
        let inside = file.places.iter().rfind(|(place, _)| place.contains(&at))?;
        Some(inside.1.clone())
    });
    named.unwrap_or_default()
}
