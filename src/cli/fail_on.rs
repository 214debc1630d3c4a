//! The kinds of finding that fail a run.

use crate::core::diagnose::Kind;

/// The kinds of finding that make the exit status 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailOn(pub Vec<Kind>);

impl Default for FailOn {
    fn default() -> Self {
        let kinds = Kind::ALL.into_iter();
        Self(kinds.filter(|kind| kind.fails_by_default()).collect())
    }
}

impl FailOn {
    /// Reads `Tunnels,Sinks`, or `none`.
    ///
    /// # Errors
    /// Which kinds there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("none") {
            return Ok(Self(Vec::new()));
        }
        text.split(',')
            .map(|word| Kind::parse(word.trim()).map_err(|error| error + ", or none"))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fail_on_accepts_every_kind_and_none() {
        assert_eq!(FailOn::parse("none"), Ok(FailOn(vec![])));
        assert_eq!(
            FailOn::parse("tunnels, Clips"),
            Ok(FailOn(vec![Kind::Tunnels, Kind::Clips]))
        );
        assert!(FailOn::parse("tunels").unwrap_err().contains("Tunnels"));
        assert!(!FailOn::default().0.contains(&Kind::Clips));
        assert!(FailOn::default().0.contains(&Kind::Sinks));
    }
}
