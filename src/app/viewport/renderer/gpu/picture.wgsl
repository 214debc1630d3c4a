// The same picture as the rasteriser's: the same light, the same depth (growing toward the eye), the same lines.

struct Lens {
    right: vec4<f32>,
    up: vec4<f32>,
    back: vec4<f32>,
    // xyz: the eye; w: 1 in perspective.
    eye: vec4<f32>,
    // Half width, half height, depth, pixels per point.
    half_size: vec4<f32>,
    // Width and height in pixels.
    pixels: vec4<f32>,
    sky_top: vec4<f32>,
    sky_bottom: vec4<f32>,
    key: vec4<f32>,
    fill: vec4<f32>,
    // Ambient, sky, diffuse, soft.
    light: vec4<f32>,
    // Shine, rim.
    white: vec4<f32>,
}

@group(0) @binding(0) var<uniform> lens: Lens;

const NOWHERE = vec4<f32>(2.0, 2.0, 2.0, 1.0);
const LINE_BIAS: f32 = 1.0015;

fn perspective() -> bool { return lens.eye.w > 0.5; }

fn turned(v: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(dot(lens.right.xyz, v), dot(lens.up.xyz, v), dot(lens.back.xyz, v));
}

fn to_view(p: vec3<f32>) -> vec3<f32> { return turned(p - lens.eye.xyz); }

fn depth_of(z: f32) -> f32 {
    if perspective() { return lens.half_size.z / -z; }
    return 0.5 + z / (2.0 * lens.half_size.z);
}

fn to_clip(v: vec3<f32>) -> vec4<f32> {
    let across = v.xy / lens.half_size.xy;
    if perspective() { return vec4<f32>(across, lens.half_size.z, -v.z); }
    return vec4<f32>(across, depth_of(v.z), 1.0);
}

fn eye_from(v: vec3<f32>) -> vec3<f32> {
    if perspective() { return normalize(-v); }
    return vec3<f32>(0.0, 0.0, 1.0);
}

fn shade(color: vec3<f32>, normal: vec3<f32>, to_eye: vec3<f32>) -> vec3<f32> {
    let up = vec3<f32>(lens.right.y, lens.up.y, lens.back.y);
    let away = 1.0 - clamp(dot(normal, to_eye), 0.0, 1.0);
    let shine = pow(clamp(dot(normal, (lens.key.xyz + to_eye) * 0.54), 0.0, 1.0), 32.0);
    let light = lens.light.x + lens.light.y * (dot(normal, up) * 0.5 + 0.5)
        + lens.light.z * max(dot(normal, lens.key.xyz), 0.0)
        + lens.light.w * max(dot(normal, lens.fill.xyz), 0.0);
    let white = shine * lens.white.x + away * away * away * lens.white.y;
    return color * light + vec3<f32>(white);
}

struct Flat {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec4<f32>,
}

@fragment
fn flat_fragment(in: Flat) -> @location(0) vec4<f32> { return in.color; }

// ---- sky ----

@vertex
fn sky_vertex(@builtin(vertex_index) index: u32) -> Flat {
    let corner = vec2<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0);
    var out: Flat;
    out.clip = vec4<f32>(corner, 0.0, 1.0);
    out.color = mix(lens.sky_bottom, lens.sky_top, corner.y * 0.5 + 0.5);
    return out;
}

// ---- triangles, solid and translucent: lit at their corners ----

@vertex
fn solid_vertex(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) color: vec4<f32>) -> Flat {
    return corner(position, normal, color, false);
}

@vertex
fn shell_vertex(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) color: vec4<f32>) -> Flat {
    return corner(position, normal, color, true);
}

fn corner(position: vec3<f32>, normal: vec3<f32>, color: vec4<f32>, shell: bool) -> Flat {
    let view = to_view(position);
    var out: Flat;
    out.clip = to_clip(view);
    out.color = color;
    if dot(normal, normal) > 0.0 {
        let to_eye = eye_from(view);
        var facing = turned(normal);
        if dot(facing, to_eye) < 0.0 { facing = -facing; }
        var alpha = 1.0;
        if shell {
            let away = 1.0 - clamp(abs(dot(facing, to_eye)), 0.0, 1.0);
            alpha = min(color.w * (0.55 + 1.6 * away * away), 0.95);
        }
        out.color = vec4<f32>(shade(color.xyz, facing, to_eye), alpha);
    }
    return out;
}

// ---- boxes: thirty-six corners from the vertex's number ----

@vertex
fn block_vertex(
    @builtin(vertex_index) index: u32,
    @location(0) center: vec3<f32>,
    @location(1) axis_x: vec3<f32>,
    @location(2) axis_y: vec3<f32>,
    @location(3) axis_z: vec3<f32>,
    @location(4) color: vec4<f32>,
) -> Flat {
    let face = index / 6u;
    let side = f32(face & 1u) * 2.0 - 1.0;
    var order = array<u32, 6>(0u, 1u, 3u, 0u, 3u, 2u);
    let spot = order[index % 6u];
    let s = f32(spot & 1u) * 2.0 - 1.0;
    let t = f32(spot >> 1u) * 2.0 - 1.0;
    var out_axis = axis_x;
    var u = axis_y;
    var v = axis_z;
    if face / 2u == 1u { out_axis = axis_y; u = axis_z; v = axis_x; }
    if face / 2u == 2u { out_axis = axis_z; u = axis_x; v = axis_y; }
    var normal = out_axis * side;
    if dot(normal, normal) == 0.0 { normal = cross(u, v) * side; }
    let size = length(normal);
    if size > 0.0 { normal = normal / size; }
    return corner(center + out_axis * side + u * s + v * t, normal, color, false);
}

// ---- balls: a square toward the eye, ray-cast ----

struct BallCorner {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec3<f32>,
    @location(1) @interpolate(flat) ball: vec4<f32>,
    @location(2) @interpolate(flat) color: vec4<f32>,
}

@vertex
fn ball_vertex(
    @builtin(vertex_index) index: u32,
    @location(0) center_radius: vec4<f32>,
    @location(1) color: vec4<f32>,
) -> BallCorner {
    let center = to_view(center_radius.xyz);
    var away = 1.0;
    if perspective() { away = max(-center.z, lens.half_size.z); }
    let pixel = 2.0 * lens.half_size.y * away / lens.pixels.y;
    let radius = max(center_radius.w, pixel * 0.6);
    var out: BallCorner;
    out.ball = vec4<f32>(center, radius);
    out.color = color;
    let spot = vec2<f32>(f32(index & 1u) * 2.0 - 1.0, f32(index >> 1u) * 2.0 - 1.0);
    var toward = vec3<f32>(0.0, 0.0, 1.0);
    var reach = radius + pixel;
    if perspective() {
        let distance = length(center);
        if distance <= radius * 1.0001 || -center.z + radius <= lens.half_size.z {
            out.clip = NOWHERE;
            return out;
        }
        toward = -center / distance;
        // The tangent cone is wider than the ball where the square stands.
        reach = radius * distance / sqrt(distance * distance - radius * radius) + pixel;
    }
    var helper = vec3<f32>(0.0, 1.0, 0.0);
    if abs(toward.y) > 0.9 { helper = vec3<f32>(1.0, 0.0, 0.0); }
    let right = normalize(cross(helper, toward));
    let up = cross(toward, right);
    out.place = center + (right * spot.x + up * spot.y) * reach;
    out.clip = to_clip(out.place);
    return out;
}

struct BallPixel {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn ball_fragment(in: BallCorner) -> BallPixel {
    let center = in.ball.xyz;
    let radius = in.ball.w;
    var start = vec3<f32>(0.0);
    var along = in.place;
    if !perspective() {
        start = vec3<f32>(in.place.xy, 0.0);
        along = vec3<f32>(0.0, 0.0, -1.0);
    }
    along = normalize(along);
    let to = center - start;
    let off = length(cross(along, to));
    let edge = radius - off;
    let coverage = clamp(0.5 + edge / max(fwidth(edge), 1e-12), 0.0, 1.0);
    if coverage <= 0.0 { discard; }
    let point = start + along * (dot(along, to) - sqrt(max(radius * radius - off * off, 0.0)));
    let normal = normalize(point - center);
    var out: BallPixel;
    out.color = vec4<f32>(shade(in.color.xyz, normal, -along), coverage);
    out.depth = clamp(depth_of(point.z), 0.0, 1.0);
    return out;
}

// ---- lines: a rectangle on the screen, coverage by distance ----

struct LineCorner {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec4<f32>,
    // Along and across the line, pixels.
    @location(1) place: vec2<f32>,
    // Length, half width, share of the alpha behind a surface.
    @location(2) @interpolate(flat) size: vec3<f32>,
}

@vertex
fn line_vertex(
    @builtin(vertex_index) index: u32,
    @location(0) from_width: vec4<f32>,
    @location(1) to_behind: vec4<f32>,
    @location(2) color_a: vec4<f32>,
    @location(3) color_b: vec4<f32>,
) -> LineCorner {
    var out: LineCorner;
    var a = to_view(from_width.xyz);
    var b = to_view(to_behind.xyz);
    var colors = array<vec4<f32>, 2>(color_a, color_b);
    if perspective() {
        let near = -lens.half_size.z * 1.01;
        if a.z > near && b.z > near {
            out.clip = NOWHERE;
            return out;
        }
        if a.z > near {
            a = b + (a - b) * ((near - b.z) / (a.z - b.z));
            colors[0] = color_b;
        } else if b.z > near {
            b = a + (b - a) * ((near - a.z) / (b.z - a.z));
            colors[1] = color_a;
        }
    }
    let clip_a = to_clip(a);
    let clip_b = to_clip(b);
    let half_pixels = lens.pixels.xy * 0.5;
    let p = clip_a.xy / clip_a.w * half_pixels;
    let q = clip_b.xy / clip_b.w * half_pixels;
    let length_pixels = length(q - p);
    var along = vec2<f32>(1.0, 0.0);
    if length_pixels > 1e-3 { along = (q - p) / length_pixels; }
    let across = vec2<f32>(-along.y, along.x);
    let half_width = max(from_width.w * lens.half_size.w, 0.5) * 0.5;
    let end = index & 1u;
    let side = f32(index >> 1u) * 2.0 - 1.0;
    var over = 1.0;
    if length_pixels <= 1e-3 { over = half_width + 1.0; }
    let run = f32(end) * (length_pixels + 2.0 * over) - over;
    let place = p + along * run + across * side * (half_width + 1.0);
    var z = a.z;
    if end == 1u { z = b.z; }
    var depth = depth_of(z) * LINE_BIAS;
    if !perspective() { depth = depth_of(z + lens.half_size.y * (LINE_BIAS - 1.0) * 2.0); }
    out.clip = vec4<f32>(place / half_pixels, clamp(depth, 0.0, 1.0), 1.0);
    out.color = colors[end];
    out.place = vec2<f32>(run, side * (half_width + 1.0));
    out.size = vec3<f32>(length_pixels, half_width, to_behind.w);
    return out;
}

fn line_coverage(in: LineCorner) -> f32 {
    if in.size.x <= 1e-3 { return clamp(in.size.y + 0.5 - length(in.place), 0.0, 1.0); }
    let ends = clamp(min(in.place.x + 0.5, in.size.x - in.place.x + 0.5), 0.0, 1.0);
    return ends * clamp(in.size.y + 0.5 - abs(in.place.y), 0.0, 1.0);
}

@fragment
fn line_fragment(in: LineCorner) -> @location(0) vec4<f32> {
    return vec4<f32>(in.color.xyz, in.color.w * line_coverage(in));
}

@fragment
fn line_behind_fragment(in: LineCorner) -> @location(0) vec4<f32> {
    return vec4<f32>(in.color.xyz, in.color.w * line_coverage(in) * in.size.z);
}
