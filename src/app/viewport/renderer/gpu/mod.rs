//! Through wgpu: the picture is drawn into its own multisampled colour and depth, then shown in the window.
//!
//! Vertex buffers and uniforms only, so that OpenGL will do. All numbers are those of the rasteriser.

mod pipelines;

use super::super::draw_list::{DrawList, Line, Vertex};
use super::light;
use bytemuck::{Pod, Zeroable};
use eframe::egui_wgpu::{CallbackResources, CallbackTrait, RenderState, ScreenDescriptor};
use eframe::wgpu;
use pipelines::{Pipelines, Targets};
use std::sync::Arc;
use wgpu::util::DeviceExt as _;

/// Makes the pipelines once, kept beside the window's own.
pub fn install(state: &RenderState) {
    let gpu = Gpu::new(&state.device, state.target_format);
    state.renderer.write().callback_resources.insert(gpu);
}

/// One picture on its way to the window.
pub struct Show {
    /// What to draw.
    pub picture: Arc<DrawList>,
    /// Width and height, physical pixels.
    pub pixels: [u32; 2],
}

impl CallbackTrait for Show {
    fn prepare(
        &self,
        device: &wgpu::Device,
        _queue: &wgpu::Queue,
        _screen: &ScreenDescriptor,
        encoder: &mut wgpu::CommandEncoder,
        resources: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        if let Some(gpu) = resources.get_mut::<Gpu>() {
            gpu.draw(device, encoder, &self.picture, self.pixels);
        }
        Vec::new()
    }

    fn paint(
        &self,
        _info: egui::PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        resources: &CallbackResources,
    ) {
        if let Some(gpu) = resources.get::<Gpu>()
            && let Some(targets) = &gpu.targets
        {
            pass.set_pipeline(&gpu.pipelines.show);
            pass.set_bind_group(0, &targets.shown, &[]);
            pass.draw(0..3, 0..1);
        }
    }
}

/// What outlives a picture.
struct Gpu {
    pipelines: Pipelines,
    targets: Option<Targets>,
    /// The picture that the targets hold.
    drawn: Option<Arc<DrawList>>,
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct LensUniform {
    right: [f32; 4],
    up: [f32; 4],
    back: [f32; 4],
    eye: [f32; 4],
    half_size: [f32; 4],
    pixels: [f32; 4],
    sky: [[f32; 4]; 2],
    key: [f32; 4],
    fill: [f32; 4],
    light: [f32; 4],
    white: [f32; 4],
}

impl Gpu {
    fn new(device: &wgpu::Device, shown_format: wgpu::TextureFormat) -> Self {
        Self {
            pipelines: Pipelines::new(device, shown_format),
            targets: None,
            drawn: None,
        }
    }

    fn draw(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        picture: &Arc<DrawList>,
        pixels: [u32; 2],
    ) {
        let most = device.limits().max_texture_dimension_2d;
        let pixels = pixels.map(|side| side.clamp(1, most));
        if self
            .targets
            .as_ref()
            .is_none_or(|targets| targets.pixels != pixels)
        {
            self.targets = Some(Targets::new(device, &self.pipelines, pixels));
            self.drawn = None;
        }
        let Some(targets) = &self.targets else {
            return;
        };
        if self
            .drawn
            .as_ref()
            .is_some_and(|drawn| Arc::ptr_eq(drawn, picture))
        {
            return;
        }
        let lens = bytemuck::bytes_of(&lens_uniform(picture, pixels)).to_vec();
        let uniform = buffer(device, &lens, wgpu::BufferUsages::UNIFORM);
        let bound = self.pipelines.bind_lens(device, &uniform);
        let mut pass = targets.begin(encoder);
        pass.set_bind_group(0, &bound, &[]);
        pass.set_pipeline(&self.pipelines.sky);
        pass.draw(0..3, 0..1);
        let draw = |pass: &mut wgpu::RenderPass<'_>,
                    pipeline: &wgpu::RenderPipeline,
                    data: &[f32],
                    floats: usize,
                    corners: Option<u32>| {
            if data.is_empty() {
                return;
            }
            let buffer = buffer(
                device,
                bytemuck::cast_slice(data),
                wgpu::BufferUsages::VERTEX,
            );
            let count = (data.len() / floats) as u32;
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, buffer.slice(..));
            match corners {
                Some(corners) => pass.draw(0..corners, 0..count),
                None => pass.draw(0..count, 0..1),
            }
        };
        let pipelines = &self.pipelines;
        draw(&mut pass, &pipelines.blocks, &blocks(picture), 16, Some(36));
        draw(
            &mut pass,
            &pipelines.solids,
            &vertices(&picture.triangles),
            10,
            None,
        );
        draw(&mut pass, &pipelines.balls, &balls(picture), 8, Some(4));
        draw(
            &mut pass,
            &pipelines.shells,
            &sorted_shells(picture),
            10,
            None,
        );
        let lines = lines(&picture.lines);
        draw(&mut pass, &pipelines.lines_behind, &lines, 16, Some(4));
        draw(&mut pass, &pipelines.lines, &lines, 16, Some(4));
        drop(pass);
        self.drawn = Some(Arc::clone(picture));
    }
}

fn buffer(device: &wgpu::Device, contents: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("viewport"),
        contents,
        usage,
    })
}

fn lens_uniform(picture: &DrawList, pixels: [u32; 2]) -> LensUniform {
    let lens = &picture.lens;
    let rows = lens.view_from_world.transpose();
    let [width, height] = pixels.map(|side| side as f32);
    LensUniform {
        right: rows.x_axis.extend(0.0).to_array(),
        up: rows.y_axis.extend(0.0).to_array(),
        back: rows.z_axis.extend(0.0).to_array(),
        eye: lens
            .eye
            .extend(f32::from(u8::from(lens.perspective)))
            .to_array(),
        half_size: [
            lens.half_size[0],
            lens.half_size[1],
            lens.depth,
            height / lens.points,
        ],
        pixels: [width, height, 0.0, 0.0],
        sky: picture.sky,
        key: light::KEY.extend(0.0).to_array(),
        fill: light::FILL.extend(0.0).to_array(),
        light: light::parts(picture.daylight),
        white: [light::SHINE, light::RIM, 0.0, 0.0],
    }
}

fn balls(picture: &DrawList) -> Vec<f32> {
    let balls = picture.balls.iter();
    balls
        .flat_map(|ball| {
            let [x, y, z] = ball.center.to_array();
            let [r, g, b, a] = ball.color;
            [x, y, z, ball.radius, r, g, b, a]
        })
        .collect()
}

fn blocks(picture: &DrawList) -> Vec<f32> {
    let mut out = Vec::with_capacity(picture.blocks.len() * 16);
    for block in &picture.blocks {
        out.extend(block.center.to_array());
        for axis in block.axes {
            out.extend(axis.to_array());
        }
        out.extend(block.color);
    }
    out
}

fn vertices(vertices: &[Vertex]) -> Vec<f32> {
    let mut out = Vec::with_capacity(vertices.len() * 10);
    for vertex in vertices {
        out.extend(vertex.position.to_array());
        out.extend(vertex.normal.to_array());
        out.extend(vertex.color);
    }
    out
}

/// Farthest first, by the depth of the middle.
fn sorted_shells(picture: &DrawList) -> Vec<f32> {
    let back = picture.lens.view_from_world.row(2);
    let mut shells: Vec<(f32, &[Vertex])> = picture
        .shells
        .chunks_exact(3)
        .map(|corners| {
            let sum: glam::Vec3 = corners.iter().map(|corner| corner.position).sum();
            (back.dot(sum), corners)
        })
        .collect();
    shells.sort_by(|one, two| one.0.total_cmp(&two.0));
    shells
        .into_iter()
        .flat_map(|(_, corners)| vertices(corners))
        .collect()
}

fn lines(lines: &[Line]) -> Vec<f32> {
    let mut out = Vec::with_capacity(lines.len() * 16);
    for line in lines {
        out.extend(line.a.extend(line.width).to_array());
        out.extend(line.b.extend(line.occluded_alpha).to_array());
        out.extend(line.color_a);
        out.extend(line.color_b);
    }
    out
}
