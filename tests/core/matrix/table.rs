//! The table of the matrix: the logs that are judged right in each cell.

use std::fmt;

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
        let wrong: Vec<String> = self.wrong().take(12).map(Wrong::to_string).collect();
        let [right, total] = self.sums();
        assert!(
            right == total,
            "{right} of {total} logs are judged right; wrong are\n{}",
            wrong.join("\n")
        );
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
        writeln!(f, "| body | obstacle | {} |", self.columns.join(" | "))?;
        writeln!(f, "|---|---|{}", "---:|".repeat(self.columns.len()))?;
        for ([mover, obstacle], cells) in
            self.rows.iter().zip(self.cells.chunks(self.columns.len()))
        {
            let cells = cells.iter().map(|cell| match cell {
                Cell::Judged { right, total, .. } => format!("{right}/{total}"),
                Cell::LeftOut(_) => "-".to_owned(),
            });
            writeln!(
                f,
                "| {mover} | {obstacle} | {} |",
                cells.collect::<Vec<String>>().join(" | ")
            )?;
        }
        let [right, total] = self.sums();
        writeln!(f, "\n{right} of {total} logs are judged right.")?;
        self.wrong().try_for_each(|wrong| writeln!(f, "{wrong}"))
    }
}
