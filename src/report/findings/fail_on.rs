//! What fails a run.

use crate::core::diagnose::{Kind, Margins};

/// What makes the exit status 1.
#[derive(Clone, Debug, PartialEq)]
pub struct FailOn {
    /// Kinds of finding.
    pub kinds: Vec<Kind>,
    /// A closest call that takes more than this share of its limit.
    pub margin: Option<f64>,
}

impl Default for FailOn {
    fn default() -> Self {
        let kinds = Kind::ALL.into_iter();
        Self {
            kinds: kinds.filter(|kind| kind.fails_by_default()).collect(),
            margin: None,
        }
    }
}

impl FailOn {
    /// Reads `Tunnels,Sinks`, `margin>0.9` (beside the default kinds), both, or `none`.
    ///
    /// # Errors
    /// Which kinds there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        let words = text.split(',').map(str::trim);
        let is_margin = |word: &&str| word.to_ascii_lowercase().starts_with("margin");
        let (margins, kinds): (Vec<&str>, Vec<&str>) = words.partition(is_margin);
        let kinds = match &kinds[..] {
            [] => Self::default().kinds,
            [none] if none.eq_ignore_ascii_case("none") => Vec::new(),
            words => words
                .iter()
                .map(|word| kind(word))
                .collect::<Result<_, _>>()?,
        };
        let margin = match margins[..] {
            [] => None,
            [word] => Some(share(word)?),
            _ => return Err("more than one margin".to_owned()),
        };
        Ok(Self { kinds, margin })
    }

    /// Whether a closest call fails the run.
    pub fn fails(&self, margins: Option<&Margins>) -> bool {
        let closest = margins.map_or(0.0, Margins::closest);
        self.margin.is_some_and(|most| closest > most)
    }
}

fn kind(word: &str) -> Result<Kind, String> {
    Kind::parse(word).map_err(|error| error + ", none, or margin>0.9")
}

/// Reads the share of `margin>0.9`.
fn share(word: &str) -> Result<f64, String> {
    let rest = word["margin".len()..].trim_start().strip_prefix('>');
    let share = rest.and_then(|share| share.trim().parse::<f64>().ok());
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| {
            format!(
                "\"{word}\" is not a margin: expected margin>0.9, a share of the limit from 0 to 1"
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fail_on_accepts_kinds_a_margin_and_none() {
        let of = |kinds: &[Kind], margin| {
            Ok(FailOn {
                kinds: kinds.to_vec(),
                margin,
            })
        };
        let tunnels = [Kind::Tunnels, Kind::Clips];
        let defaults = FailOn::default().kinds;
        let table = [
            ("none", of(&[], None)),
            ("tunnels, Clips", of(&tunnels, None)),
            ("margin>0.9", of(&defaults, Some(0.9))),
            ("none,margin > 0.5", of(&[], Some(0.5))),
            ("Tunnels,margin>1,Clips", of(&tunnels, Some(1.0))),
        ];
        for (text, wanted) in table {
            assert_eq!(FailOn::parse(text), wanted, "{text}");
        }
        assert!(FailOn::parse("tunels").unwrap_err().contains("Tunnels"));
        for wrong in ["margin", "margin<0.9", "margin>90", "margin>0.1,margin>0.2"] {
            assert!(
                FailOn::parse(wrong).unwrap_err().contains("margin"),
                "{wrong}"
            );
        }
        assert!(!defaults.contains(&Kind::Clips) && defaults.contains(&Kind::Sinks));
    }
}
