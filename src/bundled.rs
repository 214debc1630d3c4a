//! The levels that come with the program, so that a first look needs no file of one's own.
//!
//! They are the files of `scenes/`, compiled in; a test holds this list against that folder.

use crate::core::diagnose::{Cause, Family};
use crate::core::problem::Problems;
use crate::core::scene::{self, Expectation, MemoryFolder};
use std::sync::LazyLock;

macro_rules! bundle {
    ($($family:ident: [$($path:literal),* $(,)?]),* $(,)?) => {
        &[$($((Family::$family, $path, include_bytes!(concat!("../scenes/", $path)).as_slice())),*),*]
    };
}

/// The level to begin with: recorded from a real engine, with balls that really went through a wall.
pub const FIRST: &str = "recordings/warehouse.jsonl";

/// Path in `scenes/`, and bytes, by family of causes. The start page shows the levels in this order.
const FILES: &[(Family, &str, &[u8])] = bundle! {
    Missed: [
        "recordings/warehouse.jsonl",
        "recordings/warehouse_ccd.jsonl",
        "bullet_through_paper.ron",
        "bullet_swept.ron",
        "crossing_shots.ron",
        "crossing_shots_64hz.ron",
        "box_pair_spheres.ron",
        "box_pair.ron",
        "angled.ron",
        "corridor.ron",
        "mesh_room.ron",
        "meshes/room.obj",
        "fast_chain.ron",
        "stack_shot.ron",
        "fast_paddle.ron",
        "slow_paddle.ron",
        "flat_bullet.ron",
        "flat_pinball.ron",
        "flat_flipper.ron",
        "flat_lift.ron",
        "compound.ron",
        "spinning_blade.ron",
        "spinning_blade_small_steps.ron",
        "pool_break_overlap.ron",
        "pool_break_sweep.ron",
        "warehouse.ron",
        "warehouse_ccd.ron",
        "gallery_bat.ron",
        "recordings/gallery_bat.jsonl",
        "gallery_bat_fixed.ron",
        "recordings/gallery_bat_fixed.jsonl",
        "gallery_lasers.ron",
        "recordings/gallery_lasers.jsonl",
        "gallery_lasers_fixed.ron",
        "recordings/gallery_lasers_fixed.jsonl",
        "mujoco_bullet.ron",
        "recordings/mujoco_bullet.jsonl",
        "mujoco_humanoid.ron",
        "recordings/mujoco_humanoid.jsonl",
        "rapier_blade.ron",
        "recordings/rapier_blade.jsonl",
        "jolt_two_bullets.ron",
        "recordings/jolt_two_bullets.jsonl",
        "avian_bullet.ron",
        "recordings/avian_bullet.jsonl.zst",
        "bevy_rapier_bullet.ron",
        "recordings/bevy_rapier_bullet.jsonl.zst",
        "ode_bullet.ron",
        "recordings/ode_bullet.jsonl.zst",
        "ode_slow_bullet.ron",
        "recordings/ode_slow_bullet.jsonl.zst",
        "animation.ron",
        "recordings/animated_ball.gltf",
    ],
    NotHeld: [
        "wall_row.ron",
        "wall_row_swept.ron",
        "past_the_middle.ron",
        "past_the_middle_swept.ron",
        "pushed_into_the_next_wall.ron",
        "pushed_short_of_the_next_wall.ron",
        "hidden_speed.ron",
        "hidden_speed_removed.ron",
        "let_through.ron",
        "flat_one_way_through.ron",
        "flat_one_way.ron",
        "lifted_off.ron",
        "pushed_within_a_mesh.ron",
        "pushed_short_within_a_mesh.ron",
        "recordings/let_through.jsonl",
        "recordings/lifted_off.jsonl",
        "gallery_slab.ron",
        "recordings/gallery_slab.jsonl",
        "gallery_slab_fixed.ron",
        "recordings/gallery_slab_fixed.jsonl",
    ],
    Surfaces: [
        "back_face.ron",
        "back_face_two_sided.ron",
        "open_seam.ron",
        "welded_seam.ron",
        "internal_edge.ron",
        "internal_edge_merged.ron",
        "flat_ghost_vertex.ron",
        "flat_chain.ron",
        "flat_tile_seam.ron",
        "recordings/flat_tile_seam.jsonl",
        "flat_conveyor.ron",
        "edge_of_a_box_two_sided.ron",
        "edge_of_a_box_one_sided.ron",
        "ghost_platform.ron",
        "stumbling_push.ron",
        "recordings/stumbling_push.jsonl",
        "straight_push.ron",
        "recordings/straight_push.jsonl",
        "missing_contact.ron",
        "recordings/missing_contact.jsonl",
        "missing_contact_logged.ron",
        "recordings/missing_contact_logged.jsonl",
        "speculative_ghost.ron",
        "recordings/speculative_ghost.jsonl",
        "speculative_ghost_clean.ron",
        "recordings/speculative_ghost_clean.jsonl",
        "gallery_bumps.ron",
        "recordings/gallery_bumps.jsonl",
        "gallery_bumps_fixed.ron",
        "recordings/gallery_bumps_fixed.jsonl",
        "gallery_launched.ron",
        "recordings/gallery_launched.jsonl",
        "gallery_launched_fixed.ron",
        "recordings/gallery_launched_fixed.jsonl",
        "gallery_one_sided.ron",
        "recordings/gallery_one_sided.jsonl",
        "gallery_one_sided_fixed.ron",
        "recordings/gallery_one_sided_fixed.jsonl",
        "flat_box2d_chain.ron",
        "recordings/flat_box2d_chain.jsonl",
        "flat_box2d_chain_fixed.ron",
        "recordings/flat_box2d_chain_fixed.jsonl",
        "gallery_seam.ron",
        "recordings/gallery_seam.jsonl",
        "gallery_seam_fixed.ron",
        "recordings/gallery_seam_fixed.jsonl",
        "flat_matter_seam.ron",
        "recordings/flat_matter_seam.jsonl",
        "flat_matter_seam_fixed.ron",
        "recordings/flat_matter_seam_fixed.jsonl",
        "rapier_internal_edge.ron",
        "recordings/rapier_internal_edge.jsonl",
        "jolt_ghost.ron",
        "recordings/jolt_ghost.jsonl",
        "physx_one_sided_mesh.ron",
        "recordings/physx_one_sided_mesh.jsonl",
    ],
    Steps: [
        "starts_inside.ron",
        "starts_in_its_skin.ron",
        "driven_by_position.ron",
        "driven_by_velocity.ron",
        "flat_paddle.ron",
        "recordings/flat_paddle.jsonl",
        "dt_spike.ron",
        "dt_steady.ron",
        "late_but_returned.ron",
        "late_and_through.ron",
        "speed_clamp.ron",
        "recordings/speed_clamp.jsonl",
        "speed_clamp_clean.ron",
        "recordings/speed_clamp_clean.jsonl",
        "recordings/driven_by_position.jsonl",
        "recordings/driven_by_velocity.jsonl",
        "recordings/dt_spike.jsonl",
        "recordings/dt_steady.jsonl",
        "recordings/late_but_returned.jsonl",
        "recordings/late_and_through.jsonl",
        "pybullet_paddle.ron",
        "recordings/pybullet_paddle.jsonl",
    ],
    Settings: [
        "masks.ron",
        "masks_clean.ron",
        "sensor.ron",
        "sensor_clean.ron",
        "flat_sensor.ron",
        "units.ron",
        "recordings/units.jsonl",
        "units_clean.ron",
        "recordings/units_clean.jsonl",
        "ccd_threshold.ron",
        "recordings/ccd_threshold.jsonl",
        "ccd_threshold_clean.ron",
        "recordings/ccd_threshold_clean.jsonl",
        "gallery_ccd.ron",
        "recordings/gallery_ccd.jsonl",
        "gallery_ccd_fixed.ron",
        "recordings/gallery_ccd_fixed.jsonl",
        "gallery_lost_wall.ron",
        "recordings/gallery_lost_wall.jsonl",
        "gallery_lost_wall_fixed.ron",
        "recordings/gallery_lost_wall_fixed.jsonl",
        "gallery_sensor.ron",
        "recordings/gallery_sensor.jsonl",
        "gallery_sensor_fixed.ron",
        "recordings/gallery_sensor_fixed.jsonl",
        "pybullet_mask.ron",
        "recordings/pybullet_mask.jsonl",
    ],
    Numbers: [
        "far_from_origin.ron",
        "near_the_origin.ron",
        "coincident.ron",
        "almost_coincident.ron",
        "power_of_two_planes.ron",
        "oracle.ron",
        "tilted_contact.ron",
        "recordings/tilted_contact.jsonl",
        "upright_contact.ron",
        "recordings/upright_contact.jsonl",
        "own_query.ron",
        "recordings/own_query.jsonl",
        "own_query_clean.ron",
        "recordings/own_query_clean.jsonl",
        "gallery_rays.ron",
        "recordings/gallery_rays.jsonl",
        "gallery_rays_fixed.ron",
        "recordings/gallery_rays_fixed.jsonl",
    ],
    Camera: [
        "camera_corridor.ron",
        "camera_corridor_fast.ron",
        "camera_without_a_probe.ron",
    ],
};

/// Logs have no notes of their own: their line on the start page.
const RECORDED: [(&str, &str, &str); 2] = [
    (
        FIRST,
        "Warehouse, recorded",
        "A level recorded from a physics engine: fast balls, a thin wall, and not every ball is stopped.",
    ),
    (
        "recordings/warehouse_ccd.jsonl",
        "Warehouse, recorded with CCD",
        "The same level with continuous detection switched on for every ball: nothing gets through.",
    ),
];

/// What the start page writes about a bundled level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path in the bundle.
    pub file: &'static str,
    /// Its name.
    pub title: String,
    /// One line.
    pub line: String,
    /// The family of causes that it shows, or is a version without findings of.
    pub family: Family,
    /// The causes that its expectations name.
    pub causes: Vec<Cause>,
    /// Whether it is a recording, which is not changed here.
    pub is_recorded: bool,
}

/// Every bundled level, the recommended first one at the top.
///
/// # Errors
/// When a bundled file cannot be read: never in a program whose tests passed.
pub fn entries() -> Result<Vec<Entry>, Problems> {
    // They never change: a process with many windows, as the tests are, reads them once.
    static ENTRIES: LazyLock<Result<Vec<Entry>, Problems>> = LazyLock::new(read_entries);
    ENTRIES.clone()
}

fn read_entries() -> Result<Vec<Entry>, Problems> {
    let folder = folder();
    let mut entries = Vec::new();
    for &(family, file, bytes) in FILES {
        if let Some(&(_, title, line)) = RECORDED.iter().find(|(recorded, ..)| *recorded == file) {
            entries.push(Entry {
                file,
                title: title.to_owned(),
                line: line.to_owned(),
                family,
                causes: Vec::new(),
                is_recorded: true,
            });
        } else if file.ends_with(".ron") {
            let scene = scene::parse(&String::from_utf8_lossy(bytes), file, &folder)?;
            let line = scene.notes.lines().next().unwrap_or_default().to_owned();
            let causes = scene
                .expect
                .iter()
                .filter_map(|one| match &one.expectation {
                    Expectation::Finds { cause, .. } => Cause::from_id(cause.as_deref()?),
                    _ => None,
                });
            let causes = causes.collect();
            entries.push(Entry {
                file,
                is_recorded: scene.recording.is_some(),
                title: scene.name,
                line,
                family,
                causes,
            });
        }
    }
    Ok(entries)
}

/// The bundle as a folder, for [`crate::core::level::open_in`].
pub fn folder() -> MemoryFolder {
    MemoryFolder {
        files: FILES
            .iter()
            .map(|(_, path, bytes)| ((*path).to_owned(), bytes.to_vec()))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn the_bundle_is_the_folder() {
        fn walk(folder: &Path, root: &Path, found: &mut BTreeSet<String>) {
            for entry in folder.read_dir().unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, root, found);
                } else {
                    found.insert(
                        path.strip_prefix(root)
                            .unwrap()
                            .to_string_lossy()
                            .replace('\\', "/"),
                    );
                }
            }
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
        let mut found = BTreeSet::new();
        walk(&root, &root, &mut found);
        let bundled: BTreeSet<String> = FILES
            .iter()
            .map(|(_, path, _)| (*path).to_owned())
            .collect();
        assert_eq!(
            bundled, found,
            "every file of scenes/ is in the list of this file, and nothing else"
        );
    }

    #[test]
    fn every_level_has_a_title_and_a_line() {
        let entries = entries().unwrap();
        assert_eq!(entries[0].file, FIRST);
        for entry in entries {
            assert!(
                !entry.title.is_empty() && entry.line.len() > 20,
                "{entry:?}"
            );
        }
    }
    #[test]
    fn every_family_has_a_level_that_expects_one_of_its_causes() {
        for family in Family::ALL {
            let causes: Vec<&str> = Cause::ALL
                .into_iter()
                .filter(|cause| cause.family() == family)
                .map(Cause::id)
                .collect();
            let of_family = FILES.iter().filter(|(other, ..)| *other == family);
            let of_family: Vec<String> = of_family
                .map(|(.., bytes)| String::from_utf8_lossy(bytes).into_owned())
                .collect();
            let is_named = |cause: &&str| {
                let named = format!("cause: {cause}");
                of_family.iter().any(|text| text.contains(&named))
            };
            assert!(causes.iter().any(is_named), "{}", family.title());
        }
    }
}
