//! The shadows of moving bodies on fixed ones: the depth of the bodies as seen from a light high above.

use super::super::draw_list::{CameraParams, ShadowArea};
use eframe::wgpu;
use glam::{Mat3, Vec3, Vec4};

/// Depth format; depth is reversed, larger is nearer.
pub const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Width and height of the depth image, pixels.
const SIDE: u32 = 1024;
/// Depth range to both sides of the area's centre, in radii of the area: bodies high above it cast shadows too.
const RANGE: f32 = 4.0;
/// Axes of the light in the world: right, up, toward the light. Nearly overhead, so that a shadow shows the height of its body.
const AXES: [Vec3; 3] = [
    Vec3::new(0.937_480, -0.348_039, 0.0),
    Vec3::new(0.181_867, 0.489_876, -0.852_611),
    Vec3::new(0.296_742, 0.799_306, 0.522_546),
];

/// The depth image, and how it is read.
pub struct ShadowTarget {
    pub depth: wgpu::TextureView,
    sampler: wgpu::Sampler,
}

impl ShadowTarget {
    /// A depth image.
    pub fn new(device: &wgpu::Device) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("viewport shadows"),
            size: wgpu::Extent3d {
                width: SIDE,
                height: SIDE,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let depth = texture.create_view(&Default::default());
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            // Depth is reversed: what is nearer to the light than the nearest body is lit.
            compare: Some(wgpu::CompareFunction::GreaterEqual),
            ..Default::default()
        });
        Self { depth, sampler }
    }

    /// Binds it for reading, with the depth of the bodies as the camera sees them; `layout` as [`layout`] makes it.
    pub fn bind(
        &self,
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        nearest: &wgpu::TextureView,
    ) -> wgpu::BindGroup {
        let resources = [
            wgpu::BindingResource::TextureView(&self.depth),
            wgpu::BindingResource::Sampler(&self.sampler),
            wgpu::BindingResource::TextureView(nearest),
        ];
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("viewport depths"),
            layout,
            entries: &entries,
        })
    }
}

/// A pass that draws only depth.
pub fn begin<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    depth: &wgpu::TextureView,
) -> wgpu::RenderPass<'e> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("viewport depth"),
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: depth,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(0.0),
                store: wgpu::StoreOp::Store,
            }),
            stencil_ops: None,
        }),
        ..Default::default()
    })
}

/// The layout of the bindings of [`ShadowTarget::bind`].
pub fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let texture = |sample_type| wgpu::BindingType::Texture {
        multisampled: false,
        sample_type,
        view_dimension: wgpu::TextureViewDimension::D2,
    };
    // Depth that is not compared: OpenGL cannot do both with one binding.
    let plain = wgpu::TextureSampleType::Float { filterable: false };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("viewport shadows"),
        entries: &[
            entry(0, texture(wgpu::TextureSampleType::Depth)),
            entry(1, sampler),
            entry(2, texture(plain)),
        ],
    })
}

/// The light as a camera, and the width and height of its image in pixels.
pub fn light(area: ShadowArea) -> (CameraParams, [u32; 2]) {
    let light = CameraParams {
        eye: area.center,
        view_from_world: Mat3::from_cols_array_2d(&AXES.map(|axis| axis.to_array())).transpose(),
        half_size: [area.radius; 2],
        perspective: false,
        depth: area.radius * RANGE,
        points: SIDE as f32,
    };
    (light, [SIDE; 2])
}

/// Rows from the world to the depth image: across, up, and depth, each from 0 to 1.
pub fn rows(area: ShadowArea) -> [[f32; 4]; 3] {
    let radii = [area.radius, area.radius, area.radius * RANGE];
    [0, 1, 2].map(|row| {
        let axis = AXES[row] / (2.0 * radii[row]);
        Vec4::from((axis, 0.5 - axis.dot(area.center))).to_array()
    })
}
