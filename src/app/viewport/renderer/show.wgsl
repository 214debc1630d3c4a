// Copies the viewport's image to the window.

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var smooth_sampler: sampler;

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn show_vertex(@builtin(vertex_index) index: u32) -> Corner {
    let corner = vec2<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0);
    var out: Corner;
    out.clip = vec4<f32>(corner, 0.0, 1.0);
    out.uv = vec2<f32>(corner.x * 0.5 + 0.5, 0.5 - corner.y * 0.5);
    return out;
}

@fragment
fn show_fragment(in: Corner) -> @location(0) vec4<f32> {
    return vec4<f32>(textureSample(image, smooth_sampler, in.uv).xyz, 1.0);
}

// For a window whose format converts linear light to sRGB.
@fragment
fn show_linear_fragment(in: Corner) -> @location(0) vec4<f32> {
    let color = textureSample(image, smooth_sampler, in.uv).xyz;
    let low = color / 12.92;
    let high = pow((color + vec3<f32>(0.055)) / 1.055, vec3<f32>(2.4));
    return vec4<f32>(select(high, low, color <= vec3<f32>(0.04045)), 1.0);
}
