//! Templates of new scenes.

/// A template of a new scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is its text")]
pub enum Template {
    Empty,
    BulletAndWall,
    Room,
    Ramp,
    Corridor,
    PoolTable,
    CameraWalk,
    Flat,
}

impl Template {
    /// Every template.
    pub const ALL: [Self; 8] = [
        Self::Empty,
        Self::BulletAndWall,
        Self::Room,
        Self::Ramp,
        Self::Corridor,
        Self::PoolTable,
        Self::CameraWalk,
        Self::Flat,
    ];

    /// The scene's text.
    pub fn text(self) -> &'static str {
        match self {
            Self::Empty => include_str!("templates/empty.ron"),
            Self::BulletAndWall => include_str!("templates/bullet_and_wall.ron"),
            Self::Room => include_str!("templates/room.ron"),
            Self::Ramp => include_str!("templates/ramp.ron"),
            Self::Corridor => include_str!("templates/corridor.ron"),
            Self::PoolTable => include_str!("templates/pool_table.ron"),
            Self::CameraWalk => include_str!("templates/camera_walk.ron"),
            Self::Flat => include_str!("templates/flat.ron"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::diagnose::{Options, Verdict, diagnose};
    use crate::core::level;
    use crate::core::scene::MemoryFolder;

    #[test]
    fn templates_meet_their_expectations() {
        for template in Template::ALL {
            let folder = MemoryFolder::default();
            let level = level::open_text(template.text(), "new", &folder, &())
                .unwrap_or_else(|problems| panic!("{template:?}: {problems}"));
            let report = diagnose(&level, &Options::default(), &()).unwrap();
            for result in &report.expectations {
                assert_eq!(
                    result.verdict,
                    Verdict::Held,
                    "{template:?}: {}: {}",
                    result.text,
                    result.got
                );
            }
            let expects = !report.expectations.is_empty();
            assert_eq!(expects, template != Template::Empty, "{template:?}");
            let unexpected = report
                .findings
                .iter()
                .filter(|finding| !finding.expected)
                .count();
            assert_eq!(unexpected, 0, "{template:?}: {:?}", report.findings);
            assert!(
                template.text().contains("//"),
                "{template:?} explains itself"
            );
        }
    }
}
