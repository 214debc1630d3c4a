//! Lines, translucent bodies, changes, and invalid input.

use super::*;

#[test]
fn a_line_covers_length_times_width_and_a_dashed_one_half_that() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    let whole = line(Vec3::new(-4.0, -1.0, 0.0), Vec3::new(4.0, 1.0, 0.0), 5.0);
    let exact = (160.0_f64.powi(2) + 40.0_f64.powi(2)).sqrt() * 5.0;
    for (dash, fraction) in [(0.0, 1.0), (6.0, 0.5)] {
        let mut list = list();
        list.lines.push(Line { dash, ..whole });
        let image = renderer.draw(list, camera(false));
        let covered: f64 = image
            .0
            .iter()
            .map(|pixel| f64::from(pixel[0]) / 255.0)
            .sum();
        assert!(
            (covered - exact * fraction).abs() < exact * 0.03,
            "{covered} {exact}"
        );
    }
}

#[test]
fn an_occluded_line_has_its_occluded_alpha_and_one_on_a_surface_is_opaque() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    for (z, occluded_alpha, wanted) in [
        (2.0, 0.0, 255),
        (0.5, 0.0, 0),
        (0.5, 0.5, 128),
        (3.0, 0.5, 255),
    ] {
        let mut list = list();
        list.meshes
            .push(renderer.block(Vec3::ZERO, Vec3::splat(2.0), BLUE));
        let (a, b) = (Vec3::new(-1.0, 0.0, z), Vec3::new(1.0, 0.0, z));
        list.lines.push(Line {
            occluded_alpha,
            ..line(a, b, 4.0)
        });
        let [red, ..] = renderer.draw(list, camera(true)).at(200, 200);
        // The highlight of the face adds a little.
        let least = i32::from(red) - wanted;
        assert!((-4..60).contains(&least), "{z} {occluded_alpha}: {red}");
    }
}

#[test]
fn translucent_bodies_blend_farthest_first_in_any_order() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    let geometry = renderer.cache.form(Form::Box);
    let body = |z: f32, color: Rgba8| Translucent::Mesh {
        geometry: Arc::clone(&geometry),
        instance: instance(Vec3::Z * z, Vec3::ONE, color),
        double_sided: false,
    };
    let (near, far) = ([255, 0, 0, 128], [0, 0, 255, 128]);
    for bodies in [
        vec![body(3.0, near), body(-3.0, far)],
        vec![body(-3.0, far), body(3.0, near)],
    ] {
        let mut list = list();
        list.translucent = bodies;
        let [r, _, b] = renderer.draw(list, camera(false)).at(200, 200);
        // Only front faces are drawn: half of red over half of blue.
        assert!(r.abs_diff(128) <= 2 && b.abs_diff(64) <= 2, "{r} {b}");
    }
    // An opaque body in front hides the translucent one; one behind does not.
    for (z, hidden) in [(6.0, true), (-6.0, false)] {
        let mut list = list();
        list.translucent = vec![body(3.0, near)];
        list.meshes
            .push(renderer.block(Vec3::Z * z, Vec3::ONE, BLUE));
        let [r, ..] = renderer.draw(list, camera(false)).at(190, 190);
        assert_eq!(r < 90, hidden, "{z}: {r}");
    }
}

#[test]
fn a_translucent_sphere_is_denser_at_its_border_and_a_sheet_has_two_sides() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    let mut list = list();
    let ghost = capsule(Vec3::ZERO, Vec3::ZERO, 4.0, [255, 255, 255, 80]);
    list.translucent.push(Translucent::Capsule(ghost));
    let image = renderer.draw(list, camera(false));
    assert!(image.at(200, 125)[0] > image.at(200, 200)[0] + 20);
    for (double_sided, wanted) in [(true, 128), (false, 0)] {
        let mut list = self::list();
        // Its front faces away.
        list.translucent.push(Translucent::Mesh {
            geometry: renderer.cache.form(Form::Quad),
            instance: instance(Vec3::ZERO, Vec3::new(-2.0, 2.0, -1.0), [255, 255, 255, 128]),
            double_sided,
        });
        let image = renderer.draw(list, camera(false));
        let [value, ..] = image.at(200, 200);
        assert!(
            i32::from(value).abs_diff(wanted) <= 2,
            "{double_sided}: {value}"
        );
        // Pixels on the shared edge of the two triangles are drawn once.
        let diagonal = (170..230).map(|x| image.at(x, 399 - x)[0]);
        assert!(diagonal.max().is_some_and(|most| most.abs_diff(value) <= 2));
    }
}

#[test]
fn changed_lists_and_cameras_are_drawn_and_unchanged_ones_kept() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    let mut first = list();
    first.spheres = vec![sphere(Vec3::ZERO, 2.0, RED); 3];
    let lists = [first, list()];
    let before = renderer.draw_lists(lists.clone(), camera(false));
    assert_eq!(
        renderer.draw_lists(lists.clone(), camera(false)).0,
        before.0
    );
    // The same lists with another camera.
    let moved = CameraParams {
        eye: Vec3::new(5.0, 0.0, 10.0),
        ..camera(false)
    };
    let image = renderer.draw_lists(lists.clone(), moved);
    assert!(image.at(100, 200)[0] > 0 && image.at(200, 200)[0] == 0);
    // A shorter list in the same buffer.
    let mut second = list();
    second.spheres.push(sphere(Vec3::X * 5.0, 2.0, RED));
    let image = renderer.draw_lists([second, lists[1].clone()], camera(false));
    assert!(image.at(300, 200)[0] > 0 && image.at(200, 200)[0] == 0);
}

#[test]
fn invalid_input_is_harmless() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    let mut list = list();
    for radius in [f32::INFINITY, f32::NAN, 0.0, 1e-30] {
        list.spheres.push(sphere(Vec3::ZERO, radius, RED));
        list.capsules
            .push(capsule(Vec3::ZERO, Vec3::X * 1e-20, radius, RED));
    }
    list.spheres.push(sphere(Vec3::NAN, 1.0, RED));
    list.spheres.push(sphere(Vec3::Z * 10.0, 5.0, RED));
    list.capsules
        .push(capsule(Vec3::Z * 9.0, Vec3::Z * 11.0, 5.0, RED));
    list.meshes
        .push(renderer.block(Vec3::ZERO, Vec3::new(1e30, 1e9, 0.0), RED));
    list.lines.push(Line {
        occluded_alpha: 1.0,
        ..line(Vec3::NAN, Vec3::splat(1e30), f32::NAN)
    });
    for eye in [Vec3::Z * 10.0, Vec3::NAN] {
        renderer.draw(
            list.clone(),
            CameraParams {
                eye,
                ..camera(true)
            },
        );
    }
}
