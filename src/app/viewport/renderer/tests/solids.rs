//! Spheres, capsules and meshes: silhouettes and depth.

use super::*;

#[test]
fn silhouette_of_a_sphere_covers_its_disc_with_any_number_of_samples() {
    let renderers = [1, SAMPLES].map(TestRenderer::with_samples);
    for mut renderer in renderers.into_iter().flatten() {
        covers_its_disc(&mut renderer);
    }
}

fn covers_its_disc(renderer: &mut TestRenderer) {
    // Orthographic: a disc of the sphere's radius. 2 metres are 40 pixels.
    let center = Vec3::new(0.37, -0.21, 0.0);
    let (mut one, mut two) = (list(), list());
    one.spheres.push(sphere(center, 2.0, RED));
    two.capsules.push(capsule(center, center, 2.0, RED));
    for list in [one, two] {
        let covered = renderer.draw(list, camera(false)).covered() as f64;
        let area = std::f64::consts::PI * 40.0 * 40.0;
        // Partly covered pixels count as covered: about half a pixel more along the border.
        assert!((covered - area - 126.0).abs() < area * 0.015, "{covered}");
    }
}

#[test]
fn perspective_silhouette_is_the_tangent_cone() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    // The cone's tangent is r / sqrt(d^2 - r^2) = 6 / 8; half the image's height has tangent 1.
    let (mut one, mut two) = (list(), list());
    one.spheres.push(sphere(Vec3::ZERO, 6.0, RED));
    two.capsules.push(capsule(Vec3::ZERO, Vec3::ZERO, 6.0, RED));
    for list in [one, two] {
        let (first, last) = renderer.draw(list, camera(true)).extent(200);
        assert!(
            first.abs_diff(50) <= 1 && last.abs_diff(349) <= 1,
            "{first} {last}"
        );
    }
}

#[test]
fn a_capsule_covers_its_cylinder_and_its_caps() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    let mut list = list();
    list.capsules
        .push(capsule(Vec3::X * -3.0, Vec3::X * 3.0, 1.0, RED));
    let image = renderer.draw(list, camera(false));
    // 8 metres long and 2 metres high.
    let (first, last) = image.extent(200);
    assert!(
        first.abs_diff(120) <= 1 && last.abs_diff(279) <= 1,
        "{first} {last}"
    );
    let area = 120.0 * 40.0 + std::f64::consts::PI * 20.0 * 20.0;
    // Partly covered pixels count as covered: about half a pixel more along the border.
    let border = 120.0 + std::f64::consts::PI * 20.0;
    let covered = image.covered() as f64;
    assert!((covered - area - border).abs() < area * 0.015, "{covered}");
    // Seen along its axis it is a disc.
    let mut along = self::list();
    along
        .capsules
        .push(capsule(Vec3::Z * -3.0, Vec3::Z * 3.0, 1.0, RED));
    let (first, last) = renderer.draw(along, camera(false)).extent(200);
    assert!(
        first.abs_diff(180) <= 1 && last.abs_diff(219) <= 1,
        "{first} {last}"
    );
}

#[test]
fn nearer_hides_farther_in_any_order() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    for perspective in [true, false] {
        let near = Vec3::new(0.0, 0.0, 3.0);
        let far = Vec3::new(0.0, 0.0, -3.0);
        let mut spheres = list();
        spheres.spheres = vec![sphere(near, 1.0, RED), sphere(far, 2.0, BLUE)];
        let mut reversed = list();
        reversed.spheres = vec![sphere(far, 2.0, BLUE), sphere(near, 1.0, RED)];
        let mut mixed = list();
        mixed
            .capsules
            .push(capsule(near - Vec3::X, near + Vec3::X, 0.5, RED));
        mixed
            .meshes
            .push(renderer.block(far, Vec3::splat(2.0), BLUE));
        for list in [spheres, reversed, mixed] {
            let [r, _, b] = renderer.draw(list, camera(perspective)).at(200, 200);
            assert!(r > b, "{perspective}");
        }
    }
}

#[test]
fn a_box_hides_a_sphere_inside_but_not_one_that_protrudes() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    let mut list = list();
    list.meshes
        .push(renderer.block(Vec3::ZERO, Vec3::splat(2.0), BLUE));
    list.spheres
        .push(sphere(Vec3::new(-1.0, 0.0, 0.0), 0.5, RED));
    list.spheres
        .push(sphere(Vec3::new(1.0, 0.0, 1.9), 0.5, RED));
    let image = renderer.draw(list, camera(false));
    let [red, _, blue] = image.at(180, 200);
    assert!(blue > red);
    let [red, _, blue] = image.at(220, 200);
    assert!(red > blue);
    // 4 by 4 metres are 80 by 80 pixels.
    assert_eq!(image.covered(), 6400);
}

#[test]
fn a_face_has_dark_edges_and_no_diagonal() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    let mut list = list();
    list.meshes
        .push(renderer.block(Vec3::ZERO, Vec3::splat(2.0), BLUE));
    let image = renderer.draw(list, camera(false));
    let blue = |x: usize, y: usize| i32::from(image.at(x, y)[2]);
    assert!(blue(160, 200) < blue(170, 200) - 20, "the left edge");
    let diagonal = (165..235).map(|x| blue(x, x));
    let (least, most) = (diagonal.clone().min(), diagonal.max());
    assert!(
        most.zip(least)
            .is_some_and(|(most, least)| most - least < 12)
    );
}

#[test]
fn a_moving_body_casts_a_shadow_on_a_fixed_one_away_from_the_light() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    // From above: x to the right, z down.
    let above = CameraParams {
        eye: Vec3::Y * 10.0,
        view_from_world: Mat3::from_cols(Vec3::X, Vec3::NEG_Z, Vec3::Y).transpose(),
        ..camera(false)
    };
    let fixed = [200, 200, 200, 254];
    for (color, shaded) in [(RED, true), ([255, 0, 0, 254], false)] {
        let mut list = list();
        let floor = renderer.block(Vec3::NEG_Y, Vec3::new(5.0, 1.0, 5.0), fixed);
        list.meshes.push(floor);
        // The light is at +x and +z: the shadow of a body 2 m above the floor is 0.74 m along -x and 1.31 m along -z from it.
        let half = Vec3::splat(0.3);
        list.meshes[0]
            .instances
            .push(instance(Vec3::Y * 2.0, half, color));
        let image = renderer.draw(list, above);
        let (in_shadow, lit) = (image.at(185, 174)[0], image.at(215, 226)[0]);
        assert_eq!(
            f32::from(in_shadow) < 0.7 * f32::from(lit),
            shaded,
            "{in_shadow} {lit}"
        );
    }
}

#[test]
fn a_fixed_floor_has_a_line_at_each_metre() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    for (alpha, lines) in [(254, true), (255, false)] {
        let mut list = list();
        let block = renderer.block(Vec3::ZERO, Vec3::splat(4.5), [200, 200, 200, alpha]);
        list.meshes.push(block);
        let image = renderer.draw(list, camera(false));
        // A metre is 20 pixels, and x = 2 is between the columns 239 and 240.
        let (line, face) = (image.at(240, 207)[0], image.at(250, 207)[0]);
        assert_eq!(
            f32::from(line) < 0.95 * f32::from(face),
            lines,
            "{line} {face}"
        );
    }
}

#[test]
fn a_translucent_face_covers_the_opaque_face_that_it_shares_everywhere() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    for perspective in [true, false] {
        let mut list = list();
        list.meshes
            .push(renderer.block(Vec3::ZERO, Vec3::splat(2.0), BLUE));
        // A longer box with the same front face.
        list.translucent.push(Translucent::Mesh {
            geometry: renderer.cache.form(Form::Box),
            instance: instance(Vec3::X * 0.37, Vec3::new(3.1, 2.0, 2.0), [255, 0, 0, 128]),
            double_sided: false,
        });
        let image = renderer.draw(list, camera(perspective));
        let inside = (175..225).flat_map(|y| (175..225).map(move |x| (x, y)));
        let uncovered = inside.filter(|&(x, y)| image.at(x, y)[0] < 100).count();
        assert_eq!(uncovered, 0, "pixels of the opaque face show through");
    }
}

/// The horizon is at the height of the eye, wherever it looks; without perspective there is none.
#[test]
fn the_horizon_is_level_with_the_eye() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    let (ground, sky) = ([1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]);
    for (pitch, turn) in [(0.0, 0.0), (0.2, 0.0), (-0.3, 2.0)] {
        let world_from_view = Mat3::from_rotation_y(turn) * Mat3::from_rotation_x(pitch);
        for perspective in [true, false] {
            let camera = CameraParams {
                view_from_world: world_from_view.transpose(),
                ..camera(perspective)
            };
            let mut callback = renderer.callback([list(), list()].map(Arc::new), camera);
            callback.scene.background.sky = [ground, [0.0, 1.0, 0.0, 1.0], sky];
            let image = renderer.draw_callback(&callback);
            let [below, above] = [1, -1].map(|side| {
                let row = 200.0 + 200.0 * pitch.tan() + 3.0 * side as f32;
                [20, 380].map(|x| image.at(x, row as usize))
            });
            if perspective {
                assert!(above.iter().all(|pixel| pixel[2] > 0 && pixel[0] == 0));
                assert!(below.iter().all(|pixel| pixel[0] > 0 && pixel[2] == 0));
            } else {
                assert_eq!([above, below], [[[255, 0, 0]; 2]; 2]);
            }
        }
    }
}

/// Two walls at a right angle, a floor and a ceiling: their brightness differs, or their hue.
#[test]
fn faces_along_different_axes_differ_at_a_glance() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    // The cube's faces as seen along each axis.
    let mut face = |world_from_view: Mat3| {
        let mut list = list();
        list.meshes
            .push(renderer.block(Vec3::ZERO, Vec3::splat(4.0), [200, 200, 200, 255]));
        let camera = CameraParams {
            eye: world_from_view * Vec3::Z * 10.0,
            view_from_world: world_from_view.transpose(),
            ..camera(false)
        };
        renderer.draw(list, camera).at(187, 193).map(i32::from)
    };
    let half_turn = std::f32::consts::FRAC_PI_2;
    let faces = [
        face(Mat3::IDENTITY),
        face(Mat3::from_rotation_y(half_turn)),
        face(Mat3::from_rotation_x(-half_turn)),
        face(Mat3::from_rotation_x(half_turn)),
    ];
    for (index, one) in faces.iter().enumerate() {
        for other in &faces[..index] {
            let difference: i32 = (0..3).map(|part| (one[part] - other[part]).abs()).sum();
            assert!(difference > 20, "{faces:?}");
        }
    }
}
