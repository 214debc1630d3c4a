//! The render pipelines and the images that they draw into.

use super::shadow::{self, DEPTH, ShadowTarget};
use eframe::wgpu;
use wgpu::VertexStepMode::{Instance, Vertex};

/// Colour format: sRGB bytes, blended as such.
const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Samples per pixel on a GPU, a count that every GPU supports.
pub const SAMPLES: u32 = 4;

/// A pipeline for each kind of instance, and one that copies the image to the window.
pub struct Pipelines {
    samples: u32,
    shown_format: wgpu::TextureFormat,
    /// Nearby surfaces darken each other.
    pub occlusion: bool,
    camera_layout: wgpu::BindGroupLayout,
    pub depth_layout: wgpu::BindGroupLayout,
    shown_layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    pub sky: wgpu::RenderPipeline,
    pub meshes: wgpu::RenderPipeline,
    pub spheres: wgpu::RenderPipeline,
    pub capsules: wgpu::RenderPipeline,
    pub translucent_capsules: wgpu::RenderPipeline,
    pub translucent_meshes: wgpu::RenderPipeline,
    pub double_sided_meshes: wgpu::RenderPipeline,
    pub lines: wgpu::RenderPipeline,
    pub occluded_lines: wgpu::RenderPipeline,
    /// The depth of meshes, spheres and capsules, for shadows and for what is near a surface.
    pub depths: [wgpu::RenderPipeline; 3],
    pub show: wgpu::RenderPipeline,
}

/// The settings of a pipeline that depend on the kind of instance.
#[derive(Clone, Copy)]
struct PipelineKind<'a> {
    vertex: &'a str,
    fragment: &'a str,
    buffers: &'a [(wgpu::VertexStepMode, &'a [wgpu::VertexAttribute])],
    strip: bool,
    blend: bool,
    cull: Option<wgpu::Face>,
    coverage: bool,
    compare: wgpu::CompareFunction,
    /// Has a colour image and samples.
    colored: bool,
}

const MESH_VERTEX: [wgpu::VertexAttribute; 2] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Sint16x4];
const MESH_INSTANCE: [wgpu::VertexAttribute; 5] = wgpu::vertex_attr_array![
    2 => Float32x3, 3 => Float32x3, 4 => Float32x3, 5 => Float32x3, 6 => Unorm8x4
];
const SPHERE: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Float32x4, 1 => Unorm8x4];
const CAPSULE: [wgpu::VertexAttribute; 3] =
    wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x3, 2 => Unorm8x4];
const LINE: [wgpu::VertexAttribute; 5] = wgpu::vertex_attr_array![
    0 => Float32x4, 1 => Float32x4, 2 => Unorm8x4, 3 => Unorm8x4, 4 => Float32
];

const SKY: PipelineKind<'_> = PipelineKind {
    vertex: "sky_vertex",
    fragment: "sky_fragment",
    buffers: &[],
    strip: false,
    blend: true,
    cull: None,
    coverage: false,
    compare: wgpu::CompareFunction::Always,
    colored: true,
};
const MESHES: PipelineKind<'_> = PipelineKind {
    vertex: "mesh_vertex",
    fragment: "mesh_fragment",
    buffers: &[(Vertex, &MESH_VERTEX), (Instance, &MESH_INSTANCE)],
    blend: false,
    compare: wgpu::CompareFunction::Greater,
    ..SKY
};
const DOUBLE_SIDED_MESHES: PipelineKind<'_> = PipelineKind {
    vertex: "translucent_mesh_vertex",
    fragment: "translucent_mesh_fragment",
    blend: true,
    ..MESHES
};
const SPHERES: PipelineKind<'_> = PipelineKind {
    vertex: "sphere_vertex",
    fragment: "sphere_fragment",
    buffers: &[(Instance, &SPHERE)],
    strip: true,
    coverage: true,
    ..MESHES
};
const CAPSULES: PipelineKind<'_> = PipelineKind {
    vertex: "capsule_vertex",
    fragment: "capsule_fragment",
    buffers: &[(Instance, &CAPSULE)],
    cull: Some(wgpu::Face::Front),
    coverage: true,
    ..MESHES
};
const LINES: PipelineKind<'_> = PipelineKind {
    vertex: "line_vertex",
    fragment: "line_fragment",
    buffers: &[(Instance, &LINE)],
    strip: true,
    blend: true,
    ..MESHES
};

impl Pipelines {
    pub fn new(
        device: &wgpu::Device,
        shown_format: wgpu::TextureFormat,
        (samples, occlusion): (u32, bool),
    ) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("viewport"),
            source: wgpu::ShaderSource::Wgsl(include_str!("viewport.wgsl").into()),
        });
        let camera_layout = camera_layout(device);
        let shown_layout = shown_layout(device);
        let depth_layout = shadow::layout(device);
        let layout_of = |groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("viewport"),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let layout = layout_of(&[Some(&camera_layout), Some(&depth_layout)]);
        let make = |kind: PipelineKind<'_>| {
            pipeline(device, (&module, occlusion), &layout, &kind, samples)
        };
        let without_depths = layout_of(&[Some(&camera_layout)]);
        let depth = |kind: PipelineKind<'_>| {
            let kind = PipelineKind {
                coverage: false,
                colored: false,
                ..kind
            };
            pipeline(device, (&module, false), &without_depths, &kind, 1)
        };
        Self {
            samples,
            shown_format,
            occlusion,
            sky: make(SKY),
            meshes: make(MESHES),
            spheres: make(SPHERES),
            capsules: make(CAPSULES),
            translucent_capsules: make(PipelineKind {
                fragment: "translucent_capsule_fragment",
                blend: true,
                coverage: false,
                ..CAPSULES
            }),
            translucent_meshes: make(PipelineKind {
                cull: Some(wgpu::Face::Back),
                ..DOUBLE_SIDED_MESHES
            }),
            double_sided_meshes: make(DOUBLE_SIDED_MESHES),
            lines: make(LINES),
            occluded_lines: make(PipelineKind {
                vertex: "occluded_line_vertex",
                fragment: "occluded_line_fragment",
                compare: wgpu::CompareFunction::LessEqual,
                ..LINES
            }),
            depths: [
                depth(PipelineKind {
                    vertex: "mesh_depth_vertex",
                    fragment: "mesh_depth_fragment",
                    ..MESHES
                }),
                depth(PipelineKind {
                    fragment: "sphere_depth_fragment",
                    ..SPHERES
                }),
                depth(PipelineKind {
                    fragment: "capsule_depth_fragment",
                    ..CAPSULES
                }),
            ],
            show: show(device, &shown_layout, shown_format),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            camera_layout,
            depth_layout,
            shown_layout,
        }
    }

    /// With another answer to whether surfaces darken each other: what is bound for these fits.
    pub fn with_occlusion(&self, device: &wgpu::Device, occlusion: bool) -> Self {
        Self::new(device, self.shown_format, (self.samples, occlusion))
    }

    pub fn bind_camera(&self, device: &wgpu::Device, uniform: &wgpu::Buffer) -> wgpu::BindGroup {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("viewport camera"),
            layout: &self.camera_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: uniform.as_entire_binding(),
            }],
        })
    }
}

fn camera_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("viewport camera"),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        }],
    })
}

fn shown_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("viewport shown"),
        entries: &[
            wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::FRAGMENT,
                ty: wgpu::BindingType::Texture {
                    multisampled: false,
                    sample_type: wgpu::TextureSampleType::Float { filterable: true },
                    view_dimension: wgpu::TextureViewDimension::D2,
                },
                count: None,
            },
            wgpu::BindGroupLayoutEntry {
                binding: 1,
                visibility: wgpu::ShaderStages::FRAGMENT,
                ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                count: None,
            },
        ],
    })
}

fn pipeline(
    device: &wgpu::Device,
    (module, occlusion): (&wgpu::ShaderModule, bool),
    layout: &wgpu::PipelineLayout,
    kind: &PipelineKind<'_>,
    samples: u32,
) -> wgpu::RenderPipeline {
    let stride = |attributes: &[wgpu::VertexAttribute]| {
        attributes
            .iter()
            .map(|attribute| attribute.format.size())
            .sum()
    };
    let buffers: Vec<_> = kind
        .buffers
        .iter()
        .map(|&(step_mode, attributes)| {
            Some(wgpu::VertexBufferLayout {
                array_stride: stride(attributes),
                step_mode,
                attributes,
            })
        })
        .collect();
    let color = [Some(wgpu::ColorTargetState {
        format: COLOR,
        blend: kind.blend.then_some(wgpu::BlendState::ALPHA_BLENDING),
        write_mask: wgpu::ColorWrites::ALL,
    })];
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(kind.vertex),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(kind.vertex),
            compilation_options: Default::default(),
            buffers: &buffers,
        },
        primitive: wgpu::PrimitiveState {
            topology: if kind.strip {
                wgpu::PrimitiveTopology::TriangleStrip
            } else {
                wgpu::PrimitiveTopology::TriangleList
            },
            cull_mode: kind.cull,
            ..Default::default()
        },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(!kind.blend),
            depth_compare: Some(kind.compare),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: wgpu::MultisampleState {
            count: samples,
            mask: !0,
            alpha_to_coverage_enabled: kind.coverage && samples > 1,
        },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(kind.fragment),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &[("OCCLUSION", f64::from(u8::from(occlusion)))],
                ..Default::default()
            },
            targets: if kind.colored { &color } else { &[] },
        }),
        multiview_mask: None,
        cache: None,
    })
}

fn show(
    device: &wgpu::Device,
    shown_layout: &wgpu::BindGroupLayout,
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("viewport show"),
        source: wgpu::ShaderSource::Wgsl(include_str!("show.wgsl").into()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("viewport show"),
        bind_group_layouts: &[Some(shown_layout)],
        immediate_size: 0,
    });
    let fragment = if format.is_srgb() {
        "show_linear_fragment"
    } else {
        "show_fragment"
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("viewport show"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("show_vertex"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(fragment),
            compilation_options: Default::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// The render targets for one size.
pub struct Targets {
    pub pixels: [u32; 2],
    /// The samples; `None` where a pixel has one, which is drawn into `resolved`.
    color: Option<wgpu::TextureView>,
    depth: wgpu::TextureView,
    /// The depth of the bodies, in half as many pixels.
    pub nearest: wgpu::TextureView,
    /// Bind group of what is read while drawing: the shadows and `nearest`.
    pub depths: wgpu::BindGroup,
    pub resolved: wgpu::TextureView,
    /// Bind group of the resolved image, for copying it to the window.
    pub shown: wgpu::BindGroup,
}

impl Targets {
    pub fn new(
        device: &wgpu::Device,
        pipelines: &Pipelines,
        shadow: &ShadowTarget,
        pixels: [u32; 2],
    ) -> Self {
        let image = |format, sample_count, usage, part: u32| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some("viewport"),
                size: wgpu::Extent3d {
                    width: pixels[0].div_ceil(part),
                    height: pixels[1].div_ceil(part),
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        };
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let read = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
        let resolved = image(COLOR, 1, drawn | read, 1);
        let nearest = image(DEPTH, 1, drawn | wgpu::TextureUsages::TEXTURE_BINDING, 2);
        let shown = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("viewport shown"),
            layout: &pipelines.shown_layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(&resolved),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Sampler(&pipelines.sampler),
                },
            ],
        });
        Self {
            pixels,
            color: (pipelines.samples > 1).then(|| image(COLOR, pipelines.samples, drawn, 1)),
            depth: image(DEPTH, pipelines.samples, drawn, 1),
            depths: shadow.bind(device, &pipelines.depth_layout, &nearest),
            nearest,
            resolved,
            shown,
        }
    }

    pub fn begin<'e>(&self, encoder: &'e mut wgpu::CommandEncoder) -> wgpu::RenderPass<'e> {
        let (view, resolve_target, store) = match &self.color {
            Some(samples) => (samples, Some(&self.resolved), wgpu::StoreOp::Discard),
            None => (&self.resolved, None, wgpu::StoreOp::Store),
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("viewport"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                resolve_target,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store,
                },
                depth_slice: None,
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        })
    }
}
