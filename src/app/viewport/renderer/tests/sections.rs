//! Sections, back faces, and shadows on round bodies.

use super::*;

#[test]
fn a_section_cuts_spheres_and_capsules_along_a_disc() {
    let Some(mut renderer) = TestRenderer::with_samples(1) else {
        return;
    };
    // The plane z = 1 cuts a sphere of radius 2 along a disc of radius sqrt(3).
    let section = Section {
        normal: Vec3::Z,
        offset: 1.0,
        cuts_all: false,
    };
    let (fixed, cut) = (true, true);
    for (flags, section, cut) in [
        (
            BodyFlags {
                fixed,
                cut,
                ..BodyFlags::default()
            },
            Some(section),
            true,
        ),
        (
            BodyFlags {
                cut,
                ..BodyFlags::default()
            },
            Some(section),
            true,
        ),
        (BodyFlags::default(), Some(section), false),
        (
            BodyFlags {
                fixed,
                cut,
                ..BodyFlags::default()
            },
            None,
            false,
        ),
        (
            BodyFlags::default(),
            Some(Section {
                cuts_all: true,
                ..section
            }),
            true,
        ),
    ] {
        renderer.section = section;
        let color = [255, 0, 0, flags.alpha()];
        let (mut one, mut two) = (list(), list());
        one.spheres.push(sphere(Vec3::ZERO, 2.0, color));
        two.capsules
            .push(capsule(Vec3::ZERO, Vec3::ZERO, 2.0, color));
        for list in [one, two] {
            let image = renderer.draw(list, camera(false));
            // The inside is not lit: it has the two colours of the hatching.
            let inside = image
                .0
                .iter()
                .filter(|[red, ..]| [127, 128, 173].contains(red));
            let inside = inside.count() as f64;
            let disc = std::f64::consts::PI * 3.0 * 400.0;
            let expected = if cut { disc } else { 0.0 };
            assert!(
                (inside - expected).abs() < 0.04 * disc,
                "{flags:?}: {inside}"
            );
        }
    }
}

#[test]
fn a_section_shows_what_is_in_a_box() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    for offset in [1.0, 3.0] {
        renderer.section = Some(Section {
            normal: Vec3::Z,
            offset,
            cuts_all: false,
        });
        let mut list = list();
        let cut = BodyFlags {
            cut: true,
            ..BodyFlags::default()
        };
        let color = [0, 0, 255, cut.alpha()];
        list.meshes
            .push(renderer.block(Vec3::ZERO, Vec3::splat(2.0), color));
        list.spheres.push(sphere(Vec3::ZERO, 0.5, RED));
        let image = renderer.draw(list, camera(false));
        let [red, _, blue] = image.at(200, 200);
        assert_eq!(red > blue, offset < 2.0, "the sphere inside");
        assert_eq!(image.covered(), 6400, "the back of the box remains");
    }
}

#[test]
fn the_other_side_of_an_open_surface_is_not_hatched() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    renderer.section = Some(Section {
        normal: Vec3::Z,
        offset: 1.0,
        cuts_all: false,
    });
    for open in [false, true] {
        let flags = BodyFlags {
            cut: true,
            open,
            ..BodyFlags::default()
        };
        let mut list = list();
        // Mirrored, the front of a square is its back.
        list.meshes.push(MeshBatch {
            geometry: renderer.cache.form(Form::Quad),
            instances: vec![instance(
                Vec3::ZERO,
                Vec3::new(-3.0, 3.0, 1.0),
                [0, 0, 255, flags.alpha()],
            )],
        });
        let image = renderer.draw(list, camera(false));
        // Hatching has two colours, a lit surface one.
        let mut blues: Vec<u8> = (190..210).map(|x| image.at(x, 200)[2]).collect();
        blues.sort_unstable();
        blues.dedup();
        assert_eq!(blues.len() == 1, open, "{blues:?}");
    }
}

#[test]
fn marked_back_faces_have_another_color() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    for (width, is_back) in [(1.0, false), (-1.0, true)] {
        for marks_back in [true, false] {
            let flags = BodyFlags {
                marks_back,
                ..BodyFlags::default()
            };
            let mut list = list();
            // Mirrored, the front of a square is its back.
            let half = Vec3::new(3.0 * width, 3.0, 1.0);
            list.meshes.push(MeshBatch {
                geometry: renderer.cache.form(Form::Quad),
                instances: vec![instance(Vec3::ZERO, half, [0, 0, 255, flags.alpha()])],
            });
            let [red, _, blue] = renderer.draw(list, camera(false)).at(200, 200);
            assert_eq!(red > blue, is_back && marks_back, "{width} {marks_back}");
        }
    }
}

#[test]
fn round_bodies_receive_shadows() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    let above = CameraParams {
        eye: Vec3::Y * 10.0,
        view_from_world: Mat3::from_cols(Vec3::X, Vec3::NEG_Z, Vec3::Y).transpose(),
        ..camera(false)
    };
    // Toward the light, see `shadow::AXES`.
    let light = Vec3::new(0.297, 0.799, 0.523);
    let fixed = BodyFlags {
        fixed: true,
        ..BodyFlags::default()
    };
    let color = [200, 200, 200, fixed.alpha()];
    let (mut one, mut two) = (list(), list());
    one.spheres.push(sphere(Vec3::ZERO, 3.0, color));
    two.capsules
        .push(capsule(Vec3::ZERO, Vec3::ZERO, 3.0, color));
    for mut list in [one, two] {
        list.meshes
            .push(renderer.block(light * 5.0, Vec3::splat(0.3), RED));
        let image = renderer.draw(list, above);
        // The point nearest to the light, and its mirror image in x.
        let (x, y) = (0.297_f32 * 60.0, 200.0 + 0.523 * 60.0);
        let [shaded, lit] =
            [200.0 + x, 200.0 - x].map(|x| f32::from(image.at(x as usize, y as usize)[0]));
        assert!(shaded < 0.75 * lit, "{shaded} {lit}");
    }
}

/// A surface is darker beside a body that stands on it, but not beside one that floats, and not where the body is cut away.
#[test]
fn bodies_darken_what_they_touch() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    for perspective in [false, true] {
        // Beside the body that stands on the surface, and beside the other.
        let mut beside = |occlusion: f32, section: Option<Section>| {
            let mut list = list();
            for (center, half) in [
                (Vec3::new(0.0, 0.0, -1.0), Vec3::new(9.0, 9.0, 1.0)),
                (Vec3::new(-4.0, 0.0, 0.5), Vec3::new(1.0, 1.0, 0.5)),
                (Vec3::new(4.0, 0.0, 5.0), Vec3::ONE),
            ] {
                list.meshes.push(renderer.block(center, half, WHITE));
            }
            (renderer.occlusion, renderer.section) = (occlusion, section);
            let image = renderer.draw(list, camera(perspective));
            [144, 256].map(|x| i32::from(image.at(x, 200)[0]))
        };
        let [standing, floating] = beside(0.0, None);
        assert_eq!(standing, floating, "without");
        let [standing, floating] = beside(2.5, None);
        assert!(standing < floating - 20, "{standing} {floating}");
        let section = Section {
            normal: Vec3::Z,
            offset: 0.02,
            cuts_all: true,
        };
        let [cut, floating] = beside(2.5, Some(section));
        assert!((cut - floating).abs() <= 2, "{cut} {floating}");
    }
}
