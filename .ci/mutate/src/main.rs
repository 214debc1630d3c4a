//! Changes the core in one place after another and runs the tests that reach the place. All changes are in one build, each behind a question for its
//! number (mutant schemata: Untch, Offutt and Harrold 1993): a build for each would take weeks. `../mutants` says how it is called.

mod build;
mod find;
mod run;
mod splice;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use find::Mutant;
use run::Outcome;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// A mutant that must be caught, in every run: else the tests were not run, and the score means nothing. With it nothing touches.
const GATE: (&str, &str) = ("src/core/query/pair.rs", "contact: body -> None");
const GATE_NUMBER: u32 = 1;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(root), Some(folder), Some(which), Some(seed), Some(budget)) = (
        arguments.next(),
        arguments.next(),
        arguments.next(),
        arguments.next(),
        arguments.next(),
    ) else {
        return Err("mutate ROOT FOLDER PART/OF|COUNT|missed SEED SECONDS PLACE..".into());
    };
    let (root, folder) = (fs::canonicalize(root)?, PathBuf::from(folder));
    fs::create_dir_all(&folder)?;
    let folder = fs::canonicalize(folder)?;
    let (seed, budget) = (seed.parse()?, Duration::from_secs(budget.parse()?));
    let all = all(&root, &Vec::from_iter(arguments))?;
    let lists = Lists {
        path: folder.join("results.tsv"),
    };
    let chosen = choose(&all, &which, seed, &lists.read())?;
    println!("{} mutants, of {}", chosen.len(), all.len());

    if !chosen.is_empty() {
        let gate = find::find(GATE.0, &fs::read_to_string(root.join(GATE.0))?);
        let gate = gate
            .iter()
            .find(|mutant| mutant.name.ends_with(GATE.1))
            .ok_or("no mutant has the name of the gate")?;
        test(
            (&root, &folder),
            gate,
            &chosen,
            (budget, which == "missed"),
            &lists,
        )?;
    }
    print(&all, &lists.read());
    Ok(())
}

/// The mutants of the files below the places, in their order.
fn all(root: &Path, places: &[String]) -> Result<Vec<Mutant>> {
    let mut found = Vec::new();
    for file in build::files(root)? {
        if file.ends_with(".rs")
            && places
                .iter()
                .any(|place| Path::new(&file).starts_with(place))
        {
            found.extend(find::find(&file, &fs::read_to_string(root.join(&file))?));
        }
    }
    Ok(found)
}

/// A sample: the same for the same seed, and a larger one has the smaller in it. Or those that survived.
fn choose<'a>(
    all: &'a [Mutant],
    which: &str,
    seed: u64,
    results: &BTreeMap<String, Vec<String>>,
) -> Result<Vec<&'a Mutant>> {
    if which == "missed" {
        let missed = |mutant: &&Mutant| {
            results
                .get(&mutant.name)
                .is_some_and(|result| result[0] == "missed")
        };
        return Ok(Vec::from_iter(all.iter().filter(missed)));
    }
    let mut ordered = Vec::from_iter(all.iter().map(|mutant| (hash(seed, &mutant.name), mutant)));
    ordered.sort_by_key(|(hash, mutant)| (*hash, &mutant.name));
    let (from, step, count) = match which.split_once('/') {
        Some((part, of)) => (
            part.parse::<usize>()? % of.parse::<usize>()?,
            of.parse()?,
            all.len(),
        ),
        None => (0, 1, which.parse()?),
    };
    let chosen = ordered
        .into_iter()
        .map(|(_, mutant)| mutant)
        .skip(from)
        .step_by(step)
        .take(count);
    Ok(Vec::from_iter(chosen))
}

/// FNV-1a, of which SplitMix64's last step makes numbers without a pattern.
fn hash(seed: u64, name: &str) -> u64 {
    let fnv = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let mut mixed = name.bytes().fold(0xcbf2_9ce4_8422_2325 ^ seed, fnv);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// Builds, and writes the result of each mutant as soon as it is known: what was stopped goes on where it was. All that were chosen are in the
/// build, so that it is the same then.
fn test(
    (root, folder): (&Path, &Path),
    gate: &Mutant,
    chosen: &[&Mutant],
    (budget, again): (Duration, bool),
    lists: &Lists,
) -> Result<()> {
    let known = lists.read();
    let is =
        |mutant: &Mutant, result: &str| known.get(&mutant.name).is_some_and(|it| it[0] == result);
    let others = chosen
        .iter()
        .copied()
        .filter(|mutant| mutant.name != gate.name);
    let numbered = (GATE_NUMBER..).zip(std::iter::once(gate).chain(others));
    let mutants = Vec::from_iter(numbered.filter(|(_, mutant)| !is(mutant, "unviable")));
    let (binaries, unviable) = build::build(root, folder, &mutants)?;
    let (unviable, viable): (Vec<_>, Vec<_>) =
        (mutants.iter()).partition(|(number, _)| unviable.contains(number));
    for (_, mutant) in unviable {
        lists.add(mutant, "unviable", "")?;
    }
    let tree = folder.join("tree");
    let (tests, left_out) = run::record(&tree, folder, &binaries)?;
    let time = tests.iter().map(|test| test.time).sum::<Duration>();
    println!(
        "{} tests, {} s one after the other; {} left out",
        tests.len(),
        time.as_secs(),
        left_out.len()
    );
    left_out.iter().for_each(|test| println!("    {test}"));
    if let Outcome::Missed(why) = run::judge(&tree, &tests, GATE_NUMBER, budget) {
        return Err(format!("the tests do not notice that the core is broken: {why}").into());
    }
    run::side_by_side(viable.len(), |i| {
        let (number, mutant) = viable[i];
        if number == GATE_NUMBER || known.contains_key(&mutant.name) && !again {
            return;
        }
        let (result, why) = match run::judge(&tree, &tests, number, budget) {
            Outcome::Caught(why) => ("caught", why),
            Outcome::Missed(why) => ("missed", why),
        };
        lists.add(mutant, result, &why).expect("written");
    });
    Ok(())
}

/// The results of this run and of those before it, one a line.
struct Lists {
    path: PathBuf,
}

impl Lists {
    fn add(&self, mutant: &Mutant, result: &str, why: &str) -> Result<()> {
        let mut file = fs::File::options()
            .create(true)
            .append(true)
            .open(&self.path)?;
        Ok(file.write_all(format!("{}\t{result}\t{why}\n", mutant.name).as_bytes())?)
    }

    /// By name of the mutant: the result, and what is said of it. The last of each counts.
    fn read(&self) -> BTreeMap<String, Vec<String>> {
        let text = fs::read_to_string(&self.path).unwrap_or_default();
        let rows = text.lines().map(|line| line.split('\t').map(str::to_owned));
        rows.filter_map(|mut row| Some((row.next()?, Vec::from_iter(row))))
            .filter(|(_, row)| row.len() == 2)
            .collect()
    }
}

/// The survivors, and the score by folder.
fn print(all: &[Mutant], results: &BTreeMap<String, Vec<String>>) {
    let mut scores: BTreeMap<String, BTreeMap<&str, u32>> = BTreeMap::new();
    let mut places = BTreeSet::new();
    for mutant in all {
        let Some(result) = results.get(&mutant.name) else {
            continue;
        };
        let (result, why) = (result[0].as_str(), &result[1]);
        if result == "missed" {
            places.insert(format!(
                "{}:{}: {} ({why})",
                mutant.file, mutant.line, mutant.name
            ));
        }
        let folder = Vec::from_iter(mutant.file.split('/').skip(1).take(2)).join("/");
        for row in [folder, "all".to_owned()] {
            *scores.entry(row).or_default().entry(result).or_default() += 1;
        }
    }
    places.iter().for_each(|place| println!("{place}"));
    println!(
        "\n| part | mutants that compile | caught | survived | caught |\n|---|---:|---:|---:|---:|"
    );
    for (folder, counts) in scores {
        let count = |result| counts.get(result).copied().unwrap_or(0);
        let (caught, missed) = (count("caught"), count("missed"));
        let share = 100.0 * f64::from(caught) / f64::from((caught + missed).max(1));
        println!(
            "| `{folder}` | {} | {caught} | {missed} | {share:.0} % |",
            caught + missed
        );
    }
}
