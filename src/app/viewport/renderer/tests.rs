//! Tests that draw images on a device without a window, and read them back.

use super::super::draw_list::{
    Background, CameraParams, CapsuleInstance, DrawList, Line, MeshBatch, MeshInstance, Rgba8,
    SphereInstance, Translucent,
};
use super::super::geometry::{Form, GeometryCache};
use super::device_error::DeviceError;
use super::gpu::{Gpu, RenderScene, SceneCallback};
use super::pipelines::SAMPLES;
use eframe::wgpu;
use glam::{Mat3, Vec3};
use std::io::Write as _;
use std::sync::Arc;

const RED: Rgba8 = [255, 0, 0, 255];
const BLUE: Rgba8 = [0, 0, 255, 255];
const WHITE: Rgba8 = [255; 4];
/// Width and height of the images, pixels.
const SIDE: usize = 400;

/// A device, preferably a software one; `None` with a message where there is none, a failure with HITSTOP_REQUIRE_GPU.
fn device() -> Option<(wgpu::Device, wgpu::Queue)> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    let software =
        |adapter: &wgpu::Adapter| adapter.get_info().device_type != wgpu::DeviceType::Cpu;
    let adapter = adapters.into_iter().min_by_key(software);
    let Some(adapter) = adapter else {
        assert!(
            std::env::var_os("HITSTOP_REQUIRE_GPU").is_none(),
            "no graphics adapter: install a Vulkan or OpenGL driver such as mesa-vulkan-drivers"
        );
        // Not `eprintln`, which the test harness captures.
        let _ = writeln!(
            std::io::stderr(),
            "no graphics adapter: this image test is skipped"
        );
        return None;
    };
    let limits = wgpu::Limits::downlevel_webgl2_defaults();
    let descriptor = wgpu::DeviceDescriptor {
        required_limits: limits.using_resolution(adapter.limits()),
        ..Default::default()
    };
    let device = pollster::block_on(adapter.request_device(&descriptor));
    Some(device.expect("a device"))
}

/// The device, the renderer and the geometries of a test.
struct TestRenderer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    gpu: Gpu,
    cache: GeometryCache,
}

impl TestRenderer {
    fn new() -> Option<Self> {
        Self::with_samples(SAMPLES)
    }

    fn with_samples(samples: u32) -> Option<Self> {
        let (device, queue) = device()?;
        Some(Self {
            gpu: Gpu::new(&device, wgpu::TextureFormat::Rgba8Unorm, samples),
            device,
            queue,
            cache: GeometryCache::default(),
        })
    }

    fn draw(&mut self, list: DrawList, camera: CameraParams) -> Pixels {
        self.draw_lists([list, DrawList::default()], camera)
    }

    fn draw_lists(&mut self, lists: [DrawList; 2], camera: CameraParams) -> Pixels {
        let side = SIDE as u32;
        let black = [0.0, 0.0, 0.0, 1.0];
        let callback = SceneCallback {
            scene: RenderScene {
                lists: lists.map(Arc::new),
                camera,
                background: Background {
                    sky: [black; 2],
                    daylight: 0.0,
                },
            },
            pixels: [side; 2],
            error: DeviceError::default(),
        };
        let mut encoder = self.device.create_command_encoder(&Default::default());
        self.gpu
            .draw(&self.device, &self.queue, &mut encoder, &callback);
        let row = (side * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(row * side),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let targets = self.gpu.targets.as_ref().expect("drawn");
        let texture = targets.resolved.texture();
        let layout = wgpu::TexelCopyBufferLayout {
            bytes_per_row: Some(row),
            ..Default::default()
        };
        let into = wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout,
        };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), into, texture.size());
        self.queue.submit([encoder.finish()]);
        buffer.slice(..).map_async(wgpu::MapMode::Read, |_| {});
        self.device
            .poll(wgpu::PollType::wait_indefinitely())
            .expect("read back");
        let bytes = buffer.slice(..).get_mapped_range().expect("mapped");
        let rows = bytes.chunks_exact(row as usize).map(|row| &row[..SIDE * 4]);
        let pixels = rows.flat_map(|row| row.chunks_exact(4).map(|p| [p[0], p[1], p[2]]));
        Pixels(pixels.collect())
    }

    fn block(&mut self, center: Vec3, half: Vec3, color: Rgba8) -> MeshBatch {
        MeshBatch {
            geometry: self.cache.form(Form::Box),
            instances: vec![instance(center, half, color)],
        }
    }
}

fn instance(center: Vec3, half: Vec3, color: Rgba8) -> MeshInstance {
    MeshInstance {
        center: center.to_array(),
        axes: [[half.x, 0.0, 0.0], [0.0, half.y, 0.0], [0.0, 0.0, half.z]],
        color,
    }
}

struct Pixels(Vec<[u8; 3]>);

impl Pixels {
    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        self.0[y * SIDE + x]
    }

    /// Number of pixels that are not black.
    fn covered(&self) -> usize {
        self.0
            .iter()
            .filter(|pixel| pixel.iter().any(|&part| part > 0))
            .count()
    }

    /// First and last column of a row that is not black.
    fn extent(&self, y: usize) -> (usize, usize) {
        let filled = |x: &usize| self.at(*x, y) != [0; 3];
        let first = (0..SIDE).find(filled).expect("something");
        (first, (0..SIDE).rfind(filled).expect("something"))
    }
}

/// A camera that looks along -z from z = 10. At a distance of 10 metres the image is 20 metres high, a metre is 20 pixels.
fn camera(perspective: bool) -> CameraParams {
    let half = if perspective { 1.0 } else { 10.0 };
    CameraParams {
        eye: Vec3::new(0.0, 0.0, 10.0),
        view_from_world: Mat3::IDENTITY,
        half_size: [half, half],
        perspective,
        depth: if perspective { 0.01 } else { 2e4 },
        points: SIDE as f32,
    }
}

fn list() -> DrawList {
    let mut list = DrawList::default();
    list.restart();
    list
}

fn sphere(center: Vec3, radius: f32, color: Rgba8) -> SphereInstance {
    SphereInstance {
        center: center.to_array(),
        radius,
        color,
    }
}

fn capsule(a: Vec3, b: Vec3, radius: f32, color: Rgba8) -> CapsuleInstance {
    CapsuleInstance {
        a: a.to_array(),
        radius,
        b: b.to_array(),
        color,
    }
}

fn line(a: Vec3, b: Vec3, width: f32) -> Line {
    Line {
        a: a.to_array(),
        width,
        b: b.to_array(),
        occluded_alpha: 0.0,
        color_a: WHITE,
        color_b: WHITE,
        dash: 0.0,
    }
}

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
