//! The pipelines and the images they draw into.

use eframe::wgpu;

/// Of the picture: colours are sRGB bytes and blended as such, as the rasteriser does.
const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Grows toward the eye.
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Samples of a pixel: what every GPU can.
const SAMPLES: u32 = 4;

/// One for each kind of thing in a picture, and one to show it.
pub struct Pipelines {
    lens_layout: wgpu::BindGroupLayout,
    shown_layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    pub sky: wgpu::RenderPipeline,
    pub blocks: wgpu::RenderPipeline,
    pub solids: wgpu::RenderPipeline,
    pub balls: wgpu::RenderPipeline,
    pub shells: wgpu::RenderPipeline,
    pub lines: wgpu::RenderPipeline,
    pub lines_behind: wgpu::RenderPipeline,
    pub show: wgpu::RenderPipeline,
}

/// What one kind of thing needs beyond the common part.
struct Kind<'a> {
    vertex: &'a str,
    fragment: &'a str,
    /// Floats of a vertex or instance, and what they are.
    layout: Option<(wgpu::VertexStepMode, &'a [wgpu::VertexAttribute])>,
    strip: bool,
    blend: bool,
    cull: bool,
    coverage: bool,
    compare: wgpu::CompareFunction,
}

impl Pipelines {
    pub fn new(device: &wgpu::Device, shown_format: wgpu::TextureFormat) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("viewport picture"),
            source: wgpu::ShaderSource::Wgsl(include_str!("picture.wgsl").into()),
        });
        let lens_layout = lens_layout(device);
        let shown_layout = shown_layout(device);
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("viewport picture"),
            bind_group_layouts: &[Some(&lens_layout)],
            immediate_size: 0,
        });
        let make = |kind: Kind<'_>| pipeline(device, &module, &layout, &kind);
        use wgpu::CompareFunction::{Always, Greater, LessEqual};
        use wgpu::VertexStepMode::{Instance, Vertex};
        let solid = Kind {
            vertex: "solid_vertex",
            fragment: "flat_fragment",
            layout: None,
            strip: false,
            blend: false,
            cull: false,
            coverage: false,
            compare: Greater,
        };
        let corners = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4];
        let block = wgpu::vertex_attr_array![
            0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Float32x3, 4 => Float32x4
        ];
        let ball = wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4];
        let line = wgpu::vertex_attr_array![
            0 => Float32x4, 1 => Float32x4, 2 => Float32x4, 3 => Float32x4
        ];
        let lines = |fragment, compare| Kind {
            vertex: "line_vertex",
            fragment,
            layout: Some((Instance, &line)),
            strip: true,
            blend: true,
            compare,
            ..solid
        };
        Self {
            sky: make(Kind {
                vertex: "sky_vertex",
                blend: true,
                compare: Always,
                ..solid
            }),
            blocks: make(Kind {
                vertex: "block_vertex",
                layout: Some((Instance, &block)),
                ..solid
            }),
            balls: make(Kind {
                vertex: "ball_vertex",
                fragment: "ball_fragment",
                layout: Some((Instance, &ball)),
                strip: true,
                coverage: true,
                ..solid
            }),
            shells: make(Kind {
                vertex: "shell_vertex",
                layout: Some((Vertex, &corners)),
                blend: true,
                cull: true,
                ..solid
            }),
            lines: make(lines("line_fragment", Greater)),
            lines_behind: make(lines("line_behind_fragment", LessEqual)),
            solids: make(Kind {
                layout: Some((Vertex, &corners)),
                ..solid
            }),
            show: show(device, &shown_layout, shown_format),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            lens_layout,
            shown_layout,
        }
    }

    pub fn bind_lens(&self, device: &wgpu::Device, uniform: &wgpu::Buffer) -> wgpu::BindGroup {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("viewport lens"),
            layout: &self.lens_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: uniform.as_entire_binding(),
            }],
        })
    }
}

fn lens_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("viewport lens"),
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
    module: &wgpu::ShaderModule,
    layout: &wgpu::PipelineLayout,
    kind: &Kind<'_>,
) -> wgpu::RenderPipeline {
    let buffer = kind
        .layout
        .map(|(step_mode, attributes)| wgpu::VertexBufferLayout {
            array_stride: attributes
                .iter()
                .map(|attribute| attribute.format.size())
                .sum(),
            step_mode,
            attributes,
        });
    let buffers = [buffer];
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(kind.vertex),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(kind.vertex),
            compilation_options: Default::default(),
            buffers: if kind.layout.is_some() { &buffers } else { &[] },
        },
        primitive: wgpu::PrimitiveState {
            topology: if kind.strip {
                wgpu::PrimitiveTopology::TriangleStrip
            } else {
                wgpu::PrimitiveTopology::TriangleList
            },
            cull_mode: kind.cull.then_some(wgpu::Face::Back),
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
            count: SAMPLES,
            mask: !0,
            alpha_to_coverage_enabled: kind.coverage,
        },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(kind.fragment),
            compilation_options: Default::default(),
            targets: &[Some(wgpu::ColorTargetState {
                format: COLOR,
                blend: kind.blend.then_some(wgpu::BlendState::ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            })],
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

/// The images of one size.
pub struct Targets {
    pub pixels: [u32; 2],
    color: wgpu::TextureView,
    depth: wgpu::TextureView,
    resolved: wgpu::TextureView,
    /// The finished picture, bound to be shown.
    pub shown: wgpu::BindGroup,
}

impl Targets {
    pub fn new(device: &wgpu::Device, pipelines: &Pipelines, pixels: [u32; 2]) -> Self {
        let image = |format, sample_count, usage| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some("viewport"),
                size: wgpu::Extent3d {
                    width: pixels[0],
                    height: pixels[1],
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
        let resolved = image(COLOR, 1, drawn | wgpu::TextureUsages::TEXTURE_BINDING);
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
            color: image(COLOR, SAMPLES, drawn),
            depth: image(DEPTH, SAMPLES, drawn),
            resolved,
            shown,
        }
    }

    pub fn begin<'e>(&self, encoder: &'e mut wgpu::CommandEncoder) -> wgpu::RenderPass<'e> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("viewport"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.color,
                resolve_target: Some(&self.resolved),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Discard,
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
