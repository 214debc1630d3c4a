//! The topics of the help: the sections of the documents in `docs/`, and a page about the program.

use crate::core::diagnose::Cause;
use std::sync::LazyLock;

/// The documents of the help: title and text.
const BOOKS: [(&str, &str); 8] = [
    ("Guide", include_str!("../../docs/guide.md")),
    (CONNECT, include_str!("../../docs/connect.md")),
    ("Causes", include_str!("../../docs/causes.md")),
    ("Log format", include_str!("../../docs/log-format.md")),
    ("Continuous integration", include_str!("../../docs/ci.md")),
    ("Continuous detection", include_str!("../../docs/ccd.md")),
    ("Questions", include_str!("../../docs/faq.md")),
    ("Glossary", include_str!("../../docs/glossary.md")),
];

/// The title of the document with the lines that send a running level.
pub const CONNECT: &str = "Connect your engine";

/// The title of the tour of the causes.
pub const TOUR: &str = "Fix the causes";

/// The title of the page about the program.
pub const ABOUT: &str = "About Hitstop";

/// The title of the page with the licences of the crates that are built in.
pub const LICENCES: &str = "Licences of third parties";

/// The lines of that page, too many to be searched in each pass.
pub static LICENCE_LINES: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("../../LICENSE-THIRD-PARTY").lines().collect());

/// The bundled level in which a cause is drawn, as its page names it.
pub fn level_of(cause: Cause) -> Option<&'static str> {
    let text = TOPICS[HelpPage::Cause(cause).index()].text;
    let (_, rest) = text.split_once(&format!("![{} in ", cause.id()))?;
    Some(rest.split_once(']')?.0)
}

/// A section of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topic {
    /// The title of the document.
    pub book: &'static str,
    /// The title of the section.
    pub title: &'static str,
    /// The text, Markdown without the title.
    pub text: &'static str,
}

/// A page of the help that a command shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpPage {
    /// The start of the guide.
    Guide,
    /// The lines that send a running level, for each engine.
    Connect,
    /// The kinds and causes of findings.
    Causes,
    /// A cause.
    Cause(Cause),
    /// The levels of the causes to be fixed.
    Tour,
    /// The program: version, licence, files.
    About,
    /// The licences of the crates that are built in.
    Licences,
    /// A topic, by its index.
    Topic(usize),
}

impl HelpPage {
    /// The index of the topic.
    pub fn index(self) -> usize {
        let first = |is: &dyn Fn(&Topic) -> bool| TOPICS.iter().position(is).unwrap_or_default();
        match self {
            Self::Guide => 0,
            Self::Connect => first(&|topic| topic.book == CONNECT),
            Self::Causes => first(&|topic| topic.book == "Causes"),
            Self::Cause(cause) => {
                first(&|topic| topic.book == "Causes" && topic.title.starts_with(cause.id()))
            }
            Self::Tour => first(&|topic| topic.title == TOUR),
            Self::About => first(&|topic| topic.title == ABOUT),
            Self::Licences => first(&|topic| topic.title == LICENCES),
            Self::Topic(index) => index.min(TOPICS.len() - 1),
        }
    }
}

/// Every topic, in the order of the list.
pub static TOPICS: LazyLock<Vec<Topic>> = LazyLock::new(|| {
    let books = BOOKS.iter().flat_map(|(book, text)| sections(book, text));
    let own = [
        ("Practice", TOUR),
        ("Program", ABOUT),
        ("Program", LICENCES),
    ];
    let of_program = own.map(|(book, title)| Topic {
        book,
        title,
        text: "",
    });
    books.chain(of_program).collect()
});

/// The sections of a document: the part before the first heading of level 2, named as the document, and one for each such heading.
fn sections(book: &'static str, text: &'static str) -> Vec<Topic> {
    let title_and_text = |part: &'static str| part.split_once('\n').unwrap_or((part, ""));
    let mut parts = text.split("\n## ");
    let (title, first) = title_and_text(parts.next().unwrap_or_default());
    let first = Topic {
        book,
        title: title.trim_start_matches("# "),
        text: first,
    };
    let rest = parts.map(|part| {
        let (title, text) = title_and_text(part);
        Topic { book, title, text }
    });
    [first].into_iter().chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_has_a_topic() {
        for cause in Cause::ALL {
            let topic = TOPICS[HelpPage::Cause(cause).index()];
            assert_eq!(topic.title, format!("{} {}", cause.id(), cause.title()));
            assert!(topic.text.contains(cause.help().meaning));
            let level = level_of(cause).expect("a drawing");
            let bundled = crate::bundled::entries().expect("the levels");
            assert!(bundled.iter().any(|entry| entry.file == level), "{level}");
        }
        assert_eq!(
            TOPICS[HelpPage::Causes.index()].title,
            "Findings and causes"
        );
        assert_eq!(TOPICS[HelpPage::About.index()].title, ABOUT);
        assert_eq!(TOPICS[HelpPage::Topic(usize::MAX).index()].title, LICENCES);
    }
}
