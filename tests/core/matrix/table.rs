//! The table of the matrix: the logs that are judged right in each cell.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

const INTRODUCTION: &str = "
## The matrix

Every sort of body against every sort of obstacle, for everything that happens between the two: logs judged right, of all. `tests/core/matrix/` writes
the logs. The surface is the plane y = 0, and the body, about 0.4 m wide, moves so that its depth and side in each state follow by hand; what is
right then follows from the kinds and causes. One finding is right, of that kind, cause, pair and frame, or none. Each log is written with positions only, with
velocities, with contacts, and with contacts and pushes; and once more with the body turning about the normal, where that changes nothing. The last rows
are those of flat levels, in whose logs the same paths have two numbers.

```
cargo test --no-default-features --test core published_matrix -- --ignored --nocapture
```

prints the table and every log that is judged wrongly; `MATRIX_WRONG` names a folder for those logs, and `UPDATE_DOCS=1` writes this section. Every ordinary
test run judges one in 31 of the logs.
";

/// A log that is judged wrongly.
pub struct Wrong {
    pub title: String,
    pub truth: String,
    pub said: String,
    /// The log.
    pub text: String,
}

pub enum Cell {
    Judged {
        right: usize,
        total: usize,
        wrong: Vec<Wrong>,
    },
    /// It makes no sense, for this reason.
    LeftOut(&'static str),
}

impl Cell {
    fn short(&self) -> String {
        match self {
            Self::Judged { right, total, .. } => format!("{right}/{total}"),
            Self::LeftOut(_) => "-".to_owned(),
        }
    }
}

pub struct Table {
    /// Mover and obstacle.
    pub rows: Vec<[&'static str; 2]>,
    /// What happens.
    pub columns: Vec<&'static str>,
    /// Row by row.
    pub cells: Vec<Cell>,
}

impl Table {
    fn wrong(&self) -> impl Iterator<Item = &Wrong> {
        self.cells.iter().flat_map(|cell| match cell {
            Cell::Judged { wrong, .. } => &wrong[..],
            Cell::LeftOut(_) => &[],
        })
    }

    /// Right and all logs.
    fn sums(&self) -> [usize; 2] {
        let add = |[rights, totals]: [usize; 2], cell: &Cell| match cell {
            Cell::Judged { right, total, .. } => [rights + right, totals + total],
            Cell::LeftOut(_) => [rights, totals],
        };
        self.cells.iter().fold([0, 0], add)
    }

    pub fn assert_right(&self) {
        let wrong: Vec<String> = self.wrong().take(80).map(Wrong::to_string).collect();
        let [right, total] = self.sums();
        assert!(
            right == total,
            "{right} of {total} logs are judged right; wrong are\n{}",
            wrong.join("\n")
        );
    }

    /// The section of docs/accuracy.md.
    fn document(&self) -> String {
        let columns = self.columns.len();
        let mut text = format!(
            "{INTRODUCTION}\n| body | obstacle | {} |\n|---|---|{}\n",
            self.columns.join(" | "),
            "---:|".repeat(columns)
        );
        for ([mover, obstacle], cells) in self.rows.iter().zip(self.cells.chunks(columns)) {
            let cells: Vec<String> = cells.iter().map(Cell::short).collect();
            text += &format!("| {mover} | {obstacle} | {} |\n", cells.join(" | "));
        }
        let [right, total] = self.sums();
        text += &format!("\n{right} of {total} logs are judged right. Left out:\n\n");
        for reason in self.left_out() {
            text += &format!("- {reason}\n");
        }
        text
    }

    /// What is left out, and why.
    fn left_out(&self) -> BTreeSet<String> {
        let columns = self.columns.len();
        let reason = |(index, cell): (usize, &Cell)| match cell {
            Cell::Judged { .. } => None,
            Cell::LeftOut(reason) => {
                let [_, obstacle] = self.rows[index / columns];
                Some(format!(
                    "{obstacle}, {}: {reason}",
                    self.columns[index % columns]
                ))
            }
        };
        self.cells.iter().enumerate().filter_map(reason).collect()
    }

    /// Puts the section in place of the one before.
    pub fn write_document(&self) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let [before, after] = [include_str!("../accuracy/matrix.md"), &self.document()];
        let page = root.join("docs/accuracy.md");
        let text = std::fs::read_to_string(&page).expect("docs/accuracy.md");
        assert!(
            text.contains(before),
            "docs/accuracy.md has the section of tests/core/accuracy/matrix.md"
        );
        std::fs::write(page, text.replace(before, after)).expect("docs/accuracy.md can be written");
        let section = root.join("tests/core/accuracy/matrix.md");
        std::fs::write(section, after).expect("the section can be written");
    }

    /// Writes every log that is judged wrongly into the folder that `MATRIX_WRONG` names.
    pub fn write_wrong(&self) {
        let Some(folder) = std::env::var_os("MATRIX_WRONG").map(std::path::PathBuf::from) else {
            return;
        };
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        for wrong in self.wrong() {
            let name = wrong
                .title
                .replace(|letter: char| !letter.is_alphanumeric(), "_");
            std::fs::write(folder.join(name + ".jsonl"), &wrong.text)
                .expect("a log can be written");
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            title, truth, said, ..
        } = self;
        write!(f, "{title}: expected {truth}, said {said}")
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.document())?;
        self.wrong().try_for_each(|wrong| writeln!(f, "{wrong}"))
    }
}
