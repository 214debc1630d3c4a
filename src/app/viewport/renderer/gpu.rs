//! Uploads changed draw lists, and draws the viewport.
//!
//! Uses vertex buffers and uniforms only, which OpenGL supports too.

use super::super::draw_list::{CameraParams, DrawList, MeshInstance, RenderScene, Translucent};
use super::super::geometry::Geometry;
use super::buffers::{GrowingBuffer, ListBuffers, MeshBuffers, Uploads};
use super::device_error::DeviceError;
use super::pipelines::{Pipelines, Targets};
use super::shadow::{self, ShadowTarget};
use bytemuck::{Pod, Zeroable};
use eframe::egui_wgpu::{CallbackResources, CallbackTrait, ScreenDescriptor};
use eframe::wgpu;
use eframe::wgpu::util::StagingBelt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// More translucent bodies than this are drawn in the order of their lists.
const MOST_SORTED: usize = 4096;

/// Least size of the memory from which instances are copied, bytes: those of 20,000 bodies.
const UPLOAD: u64 = 1 << 20;

/// The paint callback that draws a scene into the window.
pub struct SceneCallback {
    /// The scene.
    pub scene: RenderScene,
    /// Width and height, physical pixels.
    pub pixels: [u32; 2],
    /// The columns that are shown: the first, and the one after the last.
    pub columns: [u32; 2],
    /// The image that it is drawn into.
    pub slot: Slot,
    /// The state of the device and the surface.
    pub error: DeviceError,
}

/// The image of a viewport, and the level that it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its index; 0 is drawn first.
    pub index: usize,
    /// The number of images in this pass.
    pub count: usize,
    /// The level: 0 for the open one, 1 for the one that it is compared with.
    pub level: usize,
}

impl Slot {
    /// The only image, of the open level.
    pub const ONLY: Self = Self {
        index: 0,
        count: 1,
        level: 0,
    };

    /// Returns true for the image that is drawn first, which has the tools.
    pub fn is_first(self) -> bool {
        self.index == 0
    }
}

impl CallbackTrait for SceneCallback {
    fn prepare(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        _screen: &ScreenDescriptor,
        encoder: &mut wgpu::CommandEncoder,
        resources: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        if let Some(gpu) = resources.get_mut::<Gpu>() {
            gpu.draw(device, queue, encoder, self);
        }
        Vec::new()
    }

    fn paint(
        &self,
        _info: egui::PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        resources: &CallbackResources,
    ) {
        self.error.frame_drawn();
        if let Some(gpu) = resources.get::<Gpu>()
            && let Some(targets) = gpu.painted(self.slot)
        {
            pass.set_pipeline(&gpu.pipelines.show);
            pass.set_bind_group(0, &targets.shown, &[]);
            pass.draw(0..3, 0..1);
        }
    }
}

/// The resources that are kept between passes: pipelines, images and buffers.
pub struct Gpu {
    pipelines: Pipelines,
    shadow: ShadowTarget,
    meshes: MeshBuffers,
    /// The bodies of each level, which its viewports share.
    levels: [ListBuffers; 2],
    images: Vec<Image>,
    belt: StagingBelt,
}

/// The resources of one viewport. All viewports of a pass are uploaded before the first is drawn, so that none can share these.
struct Image {
    targets: Option<Targets>,
    camera: CameraBuffer,
    light: CameraBuffer,
    overlays: ListBuffers,
    translucent: TranslucentBuffers,
    /// Key of the drawn image; `None` when a mesh was missing.
    drawn: Option<DrawnKey>,
    /// The commands that draw it were submitted: without a texture of the surface they never are.
    painted: AtomicBool,
}

/// The revisions of both lists, the shown columns, and the camera.
type DrawnKey = ([u64; 2], [u32; 2], CameraUniform);

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Pod, Zeroable)]
struct CameraUniform {
    right: [f32; 4],
    up: [f32; 4],
    back: [f32; 4],
    eye: [f32; 4],
    half_size: [f32; 4],
    pixels: [f32; 4],
    sky: [[f32; 4]; 3],
    light: [[f32; 4]; 3],
    section: [f32; 4],
}

impl CameraUniform {
    fn of(scene: &RenderScene, camera: &CameraParams, pixels: [u32; 2]) -> Self {
        let rows = camera.view_from_world.transpose();
        let [width, height] = pixels.map(|side| side as f32);
        let perspective = f32::from(u8::from(camera.perspective));
        let [half_width, half_height] = camera.half_size;
        // Without a section nothing is in front of it.
        let section = scene.section.map_or([0.0, 0.0, 0.0, 1.0], |section| {
            section.normal.extend(section.offset).to_array()
        });
        let cuts_all = scene.section.is_some_and(|section| section.cuts_all);
        Self {
            right: rows.x_axis.extend(scene.occlusion).to_array(),
            up: rows.y_axis.extend(0.0).to_array(),
            back: rows.z_axis.extend(0.0).to_array(),
            eye: camera.eye.extend(perspective).to_array(),
            half_size: [
                half_width,
                half_height,
                camera.depth,
                height / camera.points,
            ],
            pixels: [
                width,
                height,
                scene.background.daylight,
                f32::from(u8::from(cuts_all)),
            ],
            sky: scene.background.sky,
            light: shadow::rows(scene.shadow),
            section,
        }
    }
}

/// The uniform of a camera on the GPU.
struct CameraBuffer {
    buffer: wgpu::Buffer,
    bound: wgpu::BindGroup,
}

impl CameraBuffer {
    fn new(device: &wgpu::Device, pipelines: &Pipelines) -> Self {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("viewport camera"),
            size: size_of::<CameraUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self {
            bound: pipelines.bind_camera(device, &buffer),
            buffer,
        }
    }

    fn write(&self, queue: &wgpu::Queue, uniform: &CameraUniform) {
        queue.write_buffer(&self.buffer, 0, bytemuck::bytes_of(uniform));
    }
}

/// The translucent bodies of both lists in drawing order.
#[derive(Default)]
struct TranslucentBuffers {
    capsules: GrowingBuffer,
    meshes: GrowingBuffer,
    runs: Vec<Run>,
}

/// Consecutive bodies of one mesh, drawn by one call.
struct Run {
    /// The mesh and whether it is double-sided; `None` for capsules.
    mesh: Option<(Arc<Geometry>, bool)>,
    range: Range<u32>,
}

impl Image {
    fn new(device: &wgpu::Device, pipelines: &Pipelines) -> Self {
        Self {
            targets: None,
            camera: CameraBuffer::new(device, pipelines),
            light: CameraBuffer::new(device, pipelines),
            overlays: ListBuffers::default(),
            translucent: TranslucentBuffers::default(),
            drawn: None,
            painted: AtomicBool::new(true),
        }
    }
}

impl Gpu {
    /// With the samples of a pixel, and whether surfaces will darken each other.
    pub fn new(
        device: &wgpu::Device,
        shown_format: wgpu::TextureFormat,
        looks: (u32, bool),
    ) -> Self {
        let pipelines = Pipelines::new(device, shown_format, looks);
        Self {
            shadow: ShadowTarget::new(device),
            pipelines,
            meshes: MeshBuffers::default(),
            levels: Default::default(),
            images: Vec::new(),
            belt: StagingBelt::new(device.clone(), UPLOAD),
        }
    }

    /// The image of a viewport, once it is drawn, for commands that are submitted with those that draw it.
    pub(super) fn painted(&self, slot: Slot) -> Option<&Targets> {
        let image = self.images.get(slot.index)?;
        image.painted.store(true, Ordering::Relaxed);
        image.targets.as_ref()
    }

    pub fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        SceneCallback {
            scene,
            pixels,
            columns,
            slot,
            ..
        }: &SceneCallback,
    ) {
        let occlusion = scene.occlusion > 0.0;
        if occlusion != self.pipelines.occlusion {
            self.pipelines = self.pipelines.with_occlusion(device, occlusion);
        }
        let pipelines = &self.pipelines;
        self.images
            .resize_with(slot.count, || Image::new(device, pipelines));
        let (Some(image), Some(level)) = (
            self.images.get_mut(slot.index),
            self.levels.get_mut(slot.level),
        ) else {
            return;
        };
        let most = device.limits().max_texture_dimension_2d;
        let pixels = pixels.map(|side| side.clamp(1, most));
        let columns = columns.map(|column| column.min(pixels[0]));
        let fits = |targets: &Targets| targets.pixels == pixels;
        if !image.targets.as_ref().is_some_and(fits) {
            image.targets = Some(Targets::new(device, pipelines, &self.shadow, pixels));
            image.drawn = None;
        }
        if !image.painted.load(Ordering::Relaxed) {
            image.drawn = None;
            level.forget();
            image.overlays.forget();
        }
        let uniform = CameraUniform::of(scene, &scene.camera, pixels);
        let revisions = [0, 1].map(|list| scene.lists[list].revision);
        let key = (revisions, columns, uniform);
        if image.drawn == Some(key) {
            return;
        }
        image.painted.store(false, Ordering::Relaxed);
        image.camera.write(queue, &uniform);
        let (light, side) = shadow::light(scene.shadow);
        let mut light = CameraUniform::of(scene, &light, side);
        light.up[3] = 1.0;
        image.light.write(queue, &light);
        let uploads = &mut Uploads {
            device,
            encoder,
            belt: &mut self.belt,
        };
        level.upload(uploads, &scene.lists[0]);
        image.overlays.upload(uploads, &scene.lists[1]);
        image.translucent.upload(uploads, scene);
        self.belt.finish_and_recall_on_submit(encoder);
        let complete = self.meshes.upload(device, queue, scene);
        image.drawn = complete.then_some(key);
        if let (Some(image), Some(level)) =
            (self.images.get(slot.index), self.levels.get(slot.level))
        {
            self.record(encoder, scene, (image, level, columns));
        }
    }

    fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        scene: &RenderScene,
        (image, level, columns): (&Image, &ListBuffers, [u32; 2]),
    ) {
        let Some(targets) = &image.targets else {
            return;
        };
        self.record_depth(encoder, (&image.light, &self.shadow.depth), (scene, level));
        if self.pipelines.occlusion {
            self.record_depth(encoder, (&image.camera, &targets.nearest), (scene, level));
        }
        let pipelines = &self.pipelines;
        let lists = [level, &image.overlays];
        let mut pass = targets.begin(encoder);
        let [from, to] = columns;
        pass.set_scissor_rect(from, 0, to.saturating_sub(from), targets.pixels[1]);
        pass.set_bind_group(0, &image.camera.bound, &[]);
        pass.set_bind_group(1, &targets.depths, &[]);
        pass.set_pipeline(&pipelines.sky);
        pass.draw(0..3, 0..1);
        pass.set_pipeline(&pipelines.meshes);
        for (buffers, list) in lists.iter().zip(&scene.lists) {
            self.record_meshes(&mut pass, buffers, list);
        }
        for buffers in lists {
            buffers.spheres.draw(&mut pass, &pipelines.spheres, 4);
            buffers.capsules.draw(&mut pass, &pipelines.capsules, 36);
        }
        self.record_translucent(&mut pass, &image.translucent);
        for pipeline in [&pipelines.occluded_lines, &pipelines.lines] {
            for buffers in lists {
                buffers.lines.draw(&mut pass, pipeline, 4);
            }
        }
    }

    /// Draws the depth of the level's bodies as a camera or the light sees them.
    fn record_depth(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        (camera, depth): (&CameraBuffer, &wgpu::TextureView),
        (scene, buffers): (&RenderScene, &ListBuffers),
    ) {
        let [meshes, spheres, capsules] = &self.pipelines.depths;
        let mut pass = shadow::begin(encoder, depth);
        pass.set_bind_group(0, &camera.bound, &[]);
        pass.set_pipeline(meshes);
        self.record_meshes(&mut pass, buffers, &scene.lists[0]);
        buffers.spheres.draw(&mut pass, spheres, 4);
        buffers.capsules.draw(&mut pass, capsules, 36);
    }

    fn record_meshes(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        buffers: &ListBuffers,
        list: &DrawList,
    ) {
        let mut first = 0;
        for batch in &list.meshes {
            let last = first + batch.instances.len() as u32;
            self.meshes
                .draw(pass, &batch.geometry, &buffers.meshes, first..last);
            first = last;
        }
    }

    fn record_translucent(&self, pass: &mut wgpu::RenderPass<'_>, buffers: &TranslucentBuffers) {
        let pipelines = &self.pipelines;
        for Run { mesh, range } in &buffers.runs {
            match mesh {
                None => {
                    let pipeline = &pipelines.translucent_capsules;
                    buffers
                        .capsules
                        .draw_range(pass, pipeline, 36, range.clone());
                }
                Some((geometry, double_sided)) => {
                    pass.set_pipeline(match double_sided {
                        true => &pipelines.double_sided_meshes,
                        false => &pipelines.translucent_meshes,
                    });
                    self.meshes
                        .draw(pass, geometry, &buffers.meshes, range.clone());
                }
            }
        }
    }
}

impl TranslucentBuffers {
    /// Sorts by the depth of the centres, farthest first, and uploads.
    fn upload(&mut self, uploads: &mut Uploads<'_>, scene: &RenderScene) {
        let back = scene.camera.view_from_world.row(2);
        let all = scene.lists.iter().flat_map(|list| &list.translucent);
        let mut all: Vec<(f32, &Translucent)> =
            all.map(|one| (back.dot(one.center()), one)).collect();
        if all.len() <= MOST_SORTED {
            all.sort_by(|one, other| one.0.total_cmp(&other.0));
        }
        let mut capsules = Vec::new();
        let mut meshes: Vec<MeshInstance> = Vec::new();
        self.runs.clear();
        for (_, one) in all {
            let (mesh, number) = match one {
                Translucent::Capsule(capsule) => {
                    capsules.push(*capsule);
                    (None, capsules.len() as u32)
                }
                Translucent::Mesh {
                    geometry,
                    instance,
                    double_sided,
                } => {
                    meshes.push(*instance);
                    (Some((geometry, *double_sided)), meshes.len() as u32)
                }
            };
            match self.runs.last_mut().filter(|run| run.draws(mesh)) {
                Some(run) => run.range.end = number,
                None => self.runs.push(Run {
                    mesh: mesh.map(|(geometry, sides)| (Arc::clone(geometry), sides)),
                    range: number - 1..number,
                }),
            }
        }
        self.capsules.write(uploads, &[&capsules]);
        self.meshes.write(uploads, &[&meshes]);
    }
}

impl Run {
    fn draws(&self, other: Option<(&Arc<Geometry>, bool)>) -> bool {
        match (&self.mesh, other) {
            (None, None) => true,
            (Some((own, sides)), Some((geometry, double_sided))) => {
                Arc::ptr_eq(own, geometry) && *sides == double_sided
            }
            _ => false,
        }
    }
}
