//! Tests that draw images on a device without a window, and read them back.

mod lines_and_blending;
mod sections;
mod solids;

use super::super::draw_list::{
    Background, BodyFlags, CameraParams, CapsuleInstance, DrawList, Line, MeshBatch, MeshInstance,
    RenderScene, Rgba8, Section, ShadowArea, SphereInstance, Translucent,
};
use super::super::geometry::{Form, GeometryCache};
use super::device_error::DeviceError;
use super::gpu::{Gpu, SceneCallback, Slot};
use super::pipelines::SAMPLES;
use super::pixels;
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
    section: Option<Section>,
    occlusion: f32,
}

impl TestRenderer {
    fn new() -> Option<Self> {
        Self::with_samples(SAMPLES)
    }

    fn with_samples(samples: u32) -> Option<Self> {
        let (device, queue) = device()?;
        Some(Self {
            gpu: Gpu::new(&device, wgpu::TextureFormat::Rgba8Unorm, (samples, false)),
            device,
            queue,
            cache: GeometryCache::default(),
            section: None,
            occlusion: 0.0,
        })
    }

    fn draw(&mut self, list: DrawList, camera: CameraParams) -> Pixels {
        self.draw_lists([list, DrawList::default()], camera)
    }

    fn draw_lists(&mut self, lists: [DrawList; 2], camera: CameraParams) -> Pixels {
        self.draw_callback(&self.callback(lists.map(Arc::new), camera))
    }

    fn callback(&self, lists: [Arc<DrawList>; 2], camera: CameraParams) -> SceneCallback {
        let side = SIDE as u32;
        let black = [0.0, 0.0, 0.0, 1.0];
        SceneCallback {
            scene: RenderScene {
                lists,
                camera,
                background: Background {
                    sky: [black; 3],
                    daylight: 0.0,
                },
                shadow: ShadowArea {
                    center: Vec3::ZERO,
                    radius: 10.0,
                },
                occlusion: self.occlusion,
                section: self.section,
            },
            pixels: [side; 2],
            columns: [0, side],
            slot: Slot::ONLY,
            error: DeviceError::default(),
        }
    }

    fn record(&mut self, callback: &SceneCallback) -> wgpu::CommandEncoder {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        self.gpu
            .draw(&self.device, &self.queue, &mut encoder, callback);
        encoder
    }

    fn draw_callback(&mut self, callback: &SceneCallback) -> Pixels {
        let side = SIDE as u32;
        let mut encoder = self.record(callback);
        let row = (side * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(row * side),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let targets = self.gpu.painted(Slot::ONLY).expect("drawn");
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
fn a_picture_has_the_pixels_of_its_rectangle_at_every_scale() {
    for scale in [1.0, 1.1, 1.25, 1.5, 1.75, 2.0] {
        for step in 0..40 {
            let (x, width) = (300.0 + 0.1 * step as f32, 735.3 - 0.27 * step as f32);
            let rect = egui::Rect::from_min_size(egui::pos2(x, 33.7), egui::vec2(width, 444.4));
            let shown = egui::PaintCallbackInfo {
                viewport: rect,
                clip_rect: rect,
                pixels_per_point: scale,
                screen_size_px: [4000, 4000],
            };
            let shown = shown.viewport_in_pixels();
            let wanted = [shown.width_px, shown.height_px].map(|side| side as u32);
            assert_eq!(pixels(rect, scale), wanted, "{rect} at {scale}");
        }
    }
}

/// The surface may have no texture in a pass: what was recorded for it is never submitted.
#[test]
fn a_pass_that_is_not_submitted_is_drawn_in_the_next() {
    let Some(mut renderer) = TestRenderer::new() else {
        return;
    };
    let mut bodies = list();
    bodies.spheres.push(sphere(Vec3::ZERO, 2.0, [255; 4]));
    let lists = [bodies, list()].map(Arc::new);
    let callback = renderer.callback(lists, camera(false));
    drop(renderer.record(&callback));
    let drawn = renderer.draw_callback(&callback).covered();
    assert!(drawn > 1000, "{drawn}");
    // Nothing is recorded again for what is drawn: the image stays.
    assert_eq!(renderer.draw_callback(&callback).covered(), drawn);
}
