// Draws the viewport. View space: x right, y up, looking along -z; depth is reversed, larger is nearer.

struct Camera {
    // w: from how far surfaces darken a point, metres, > 0.
    right: vec4<f32>,
    // w: 1 for the light, which sees what casts shadows only.
    up: vec4<f32>,
    back: vec4<f32>,
    // xyz: the eye; w: 1 in perspective.
    eye: vec4<f32>,
    // Half width, half height, depth, pixels per point.
    half_size: vec4<f32>,
    // Width and height in pixels, fraction of the light that falls on every side, 1 when the section cuts every body.
    pixels: vec4<f32>,
    background: vec4<f32>,
    horizon: vec4<f32>,
    sky: vec4<f32>,
    // From the world to the texture of shadows: across, up and toward the light, each from 0 to 1.
    light: array<vec4<f32>, 3>,
    // The section: bodies are cut away where dot(xyz, world) > w.
    section: vec4<f32>,
}

@group(0) @binding(0) var<uniform> camera: Camera;
@group(1) @binding(0) var shadows: texture_depth_2d;
@group(1) @binding(1) var shadow_sampler: sampler_comparison;
// The depth of the bodies, in half as many pixels.
@group(1) @binding(2) var nearest: texture_2d<f32>;

// A position outside the clip volume.
const CLIPPED = vec4<f32>(2.0, 2.0, 2.0, 1.0);
// Depth bias of lines, as a factor, so that edges are in front of their own faces.
const LINE_BIAS: f32 = 1.0015;
// The same of lines on the ground, so that a floor at the same height hides them.
const GROUND_BIAS: f32 = 0.997;
// Height of a face at which its edges begin to show, and at which they show fully, points.
const EDGE_FADE = vec2<f32>(3.0, 9.0);
// Alpha of hidden, weak and sharp edges.
const EDGE_ALPHA = vec3<f32>(0.0, 0.14, 0.9);
// Brightness of an edge as a fraction of its face's.
const EDGE_SHADE: f32 = 0.3;

// Light on faces along the world's axes: x, up, z, down. Walls at a right angle, floors and ceilings differ at a glance.
const FACE_LIGHT: vec4<f32> = vec4<f32>(0.59, 1.0, 0.78, 0.55);
// Hue of the light from the sky on what faces up, and of that from the ground on what faces down.
const SKY_LIGHT = vec3<f32>(0.98, 1.0, 1.02);
const GROUND_LIGHT = vec3<f32>(1.04, 1.0, 0.94);
// How much brighter +x and +z are than -x and -z.
const SIDE_LIGHT: f32 = 0.02;
// A highlight and a rim on round bodies; the direction of the light in view space.
const KEY: vec3<f32> = vec3<f32>(-0.3846, 0.6993, 0.6025);
const SHINE: f32 = 0.16;
const RIM: f32 = 0.10;
// Depth bias of translucent bodies, as a factor, so that they do not flicker on a face that they share.
const GHOST_BIAS: f32 = 1.0008;
// Darkening of the lines at each metre and at each ten metres.
const GRID_STRENGTH: vec2<f32> = vec2<f32>(0.16, 0.34);
// Size of a cell at which its lines begin to show, and at which they show fully, pixels.
const GRID_FADE: vec2<f32> = vec2<f32>(6.0, 30.0);
// How much darker the ground begins at the horizon, and the sine of the angle below it where the haze ends.
const GROUND_STEP: f32 = 0.4;
const HAZE: f32 = 0.25;
// Light left in a shadow.
const SHADOW: f32 = 0.55;
// Whether nearby surfaces darken each other: a renderer in software would be slower for the code alone.
override OCCLUSION: bool = true;
// How much nearby surfaces darken a point at most, the samples of them, their greatest distance as a part of the image's height, and
// the sine of the angle above the surface from which on they count.
const DARKENING: f32 = 1.6;
const TAPS: u32 = 16u;
const WIDEST: f32 = 0.12;
const ABOVE: f32 = 0.08;
// Flags of an opaque body, which its alpha is less than 255 by.
const FIXED: u32 = 1u;
const CUT: u32 = 2u;
const MARKS_BACK: u32 = 4u;
const OPEN: u32 = 8u;
// Colour of marked back faces.
const BACK: vec3<f32> = vec3<f32>(0.86, 0.24, 0.72);
// Brightness of the inside of a cut body, and of the hatching on it; its distance in points.
const CUT_SHADE = vec2<f32>(0.5, 0.68);
const HATCH: f32 = 7.0;
// A round body's shadows are read this far from its surface, in radii, so that it does not shade itself.
const SHADOW_OFFSET: f32 = 0.15;

fn perspective() -> bool { return camera.eye.w > 0.5; }

fn turned(v: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(dot(camera.right.xyz, v), dot(camera.up.xyz, v), dot(camera.back.xyz, v));
}

fn to_view(p: vec3<f32>) -> vec3<f32> { return turned(p - camera.eye.xyz); }

fn depth_of(z: f32) -> f32 {
    if perspective() { return camera.half_size.z / -z; }
    return 0.5 + z / (2.0 * camera.half_size.z);
}

fn to_clip(v: vec3<f32>) -> vec4<f32> {
    let across = v.xy / camera.half_size.xy;
    if perspective() { return vec4<f32>(across, camera.half_size.z, -v.z); }
    return vec4<f32>(across, depth_of(v.z), 1.0);
}

fn eye_from(v: vec3<f32>) -> vec3<f32> {
    if perspective() { return normalize(-v); }
    return vec3<f32>(0.0, 0.0, 1.0);
}

// Metres that a pixel covers at a depth.
fn pixel_at(z: f32) -> f32 {
    var distance = 1.0;
    if perspective() { distance = max(-z, camera.half_size.z); }
    return 2.0 * camera.half_size.y * distance / camera.pixels.y;
}

// The clip position of a translucent body, slightly nearer.
fn nearer(clip: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(clip.xy, nearer_depth(clip.z), clip.w);
}

fn nearer_depth(depth: f32) -> f32 {
    if perspective() { return depth * GHOST_BIAS; }
    return depth + camera.half_size.y * (GHOST_BIAS - 1.0) / camera.half_size.z;
}

// The light on a surface; the normal in the world.
fn light_on(normal: vec3<f32>) -> vec3<f32> {
    let square = normal * normal;
    let vertical = select(FACE_LIGHT.w, FACE_LIGHT.y, normal.y > 0.0);
    let facing = square.x * FACE_LIGHT.x + square.y * vertical + square.z * FACE_LIGHT.z;
    let hue = mix(GROUND_LIGHT, SKY_LIGHT, normal.y * 0.5 + 0.5);
    return mix(facing + SIDE_LIGHT * (normal.x + normal.z), 1.0, camera.pixels.z) * hue;
}

// The colour of a round body; normal and direction of the eye in view space.
fn shade(color: vec3<f32>, normal: vec3<f32>, to_eye: vec3<f32>) -> vec3<f32> {
    let world = camera.right.xyz * normal.x + camera.up.xyz * normal.y + camera.back.xyz * normal.z;
    let grazing = 1.0 - clamp(dot(normal, to_eye), 0.0, 1.0);
    let shine = pow(clamp(dot(normal, (KEY + to_eye) * 0.54), 0.0, 1.0), 32.0);
    return color * light_on(world) + vec3<f32>(shine * SHINE + grazing * grazing * grazing * RIM);
}

// ---- section ----

fn has_flag(alpha: f32, flag: u32) -> bool { return (u32(255.5 - alpha * 255.0) & flag) != 0u; }

fn is_cut(alpha: f32) -> bool { return camera.pixels.w > 0.5 || has_flag(alpha, CUT); }

// Metres in front of the section of a point in view space; what is in front is cut away.
fn before_section(point: vec3<f32>) -> f32 {
    return dot(turned(camera.section.xyz), point) + dot(camera.section.xyz, camera.eye.xyz) - camera.section.w;
}

// The hatched inside of a cut body at a pixel.
fn cut_color(color: vec3<f32>, pixel: vec2<f32>) -> vec3<f32> {
    let line = fract((pixel.x + pixel.y) / (HATCH * camera.half_size.w));
    return color * select(CUT_SHADE.x, CUT_SHADE.y, line < 0.3);
}

// ---- sky ----

struct SkyCorner {
    @builtin(position) clip: vec4<f32>,
    // From the eye, world.
    @location(0) direction: vec3<f32>,
}

@vertex
fn sky_vertex(@builtin(vertex_index) index: u32) -> SkyCorner {
    let corner = vec2<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0);
    let across = corner * camera.half_size.xy;
    var out: SkyCorner;
    out.clip = vec4<f32>(corner, 0.0, 1.0);
    out.direction = camera.right.xyz * across.x + camera.up.xyz * across.y - camera.back.xyz;
    return out;
}

@fragment
fn sky_fragment(in: SkyCorner) -> @location(0) vec4<f32> {
    if !perspective() { return camera.background; }
    let height = normalize(in.direction).y;
    if height > 0.0 { return mix(camera.horizon, camera.sky, sqrt(height)); }
    return mix(camera.horizon, camera.background, mix(GROUND_STEP, 1.0, smoothstep(0.0, HAZE, -height)));
}

// ---- meshes: lit per vertex, with edges drawn inside the faces ----

struct MeshCorner {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(flat) lit: vec3<f32>,
    @location(1) @interpolate(flat) color: vec4<f32>,
    // Barycentric coordinates.
    @location(2) weights: vec3<f32>,
    @location(3) @interpolate(flat) edges: u32,
    @location(4) world: vec3<f32>,
    @location(5) @interpolate(flat) normal: vec3<f32>,
}

struct Mesh {
    @location(0) position: vec3<f32>,
    @location(1) normal_edges: vec4<i32>,
    @location(2) center: vec3<f32>,
    @location(3) axis_x: vec3<f32>,
    @location(4) axis_y: vec3<f32>,
    @location(5) axis_z: vec3<f32>,
    @location(6) color: vec4<f32>,
}

fn mesh_position(mesh: Mesh) -> vec3<f32> {
    return mesh.center + mesh.axis_x * mesh.position.x + mesh.axis_y * mesh.position.y + mesh.axis_z * mesh.position.z;
}

fn mesh_corner(index: u32, mesh: Mesh) -> MeshCorner {
    var out: MeshCorner;
    out.world = mesh_position(mesh);
    let view = to_view(out.world);
    let local = vec3<f32>(mesh.normal_edges.xyz);
    // The axes may be scaled: normals are divided by the scale.
    let normal = mesh.axis_x * (local.x / max(dot(mesh.axis_x, mesh.axis_x), 1e-30))
        + mesh.axis_y * (local.y / max(dot(mesh.axis_y, mesh.axis_y), 1e-30))
        + mesh.axis_z * (local.z / max(dot(mesh.axis_z, mesh.axis_z), 1e-30));
    out.normal = normal / max(length(normal), 1e-30);
    if dot(turned(out.normal), eye_from(view)) < 0.0 { out.normal = -out.normal; }
    out.clip = to_clip(view);
    out.lit = mesh.color.xyz * light_on(out.normal);
    out.color = mesh.color;
    let corner = index % 3u;
    out.weights = vec3<f32>(f32(corner == 0u), f32(corner == 1u), f32(corner == 2u));
    out.edges = u32(mesh.normal_edges.w);
    return out;
}

@vertex
fn mesh_vertex(@builtin(vertex_index) index: u32, mesh: Mesh) -> MeshCorner { return mesh_corner(index, mesh); }

@vertex
fn translucent_mesh_vertex(@builtin(vertex_index) index: u32, mesh: Mesh) -> MeshCorner {
    var out = mesh_corner(index, mesh);
    out.clip = nearer(out.clip);
    return out;
}

struct DepthCorner {
    @builtin(position) clip: vec4<f32>,
    // Metres in front of the section, where the body is cut.
    @location(0) before: f32,
}

@vertex
fn mesh_depth_vertex(mesh: Mesh) -> DepthCorner {
    let world = mesh_position(mesh);
    let before = dot(camera.section.xyz, world) - camera.section.w;
    var out = DepthCorner(to_clip(to_view(world)), select(-1.0, before, is_cut(mesh.color.w)));
    if !is_occluder(mesh.color.w) { out.clip = CLIPPED; }
    return out;
}

@fragment
fn mesh_depth_fragment(in: DepthCorner) {
    if in.before > 0.0 { discard; }
}

// Whether a body hides another one from the camera, or from the light: only those that may move cast shadows, which have no grid.
fn is_occluder(alpha: f32) -> bool { return camera.up.w < 0.5 || !has_flag(alpha, FIXED); }

// Alpha of a face's edges at a pixel.
fn edge_alpha(weights: vec3<f32>, edges: u32) -> f32 {
    // Size of a pixel as a fraction of the face's height above each edge.
    let pixel = max(fwidth(weights), vec3<f32>(1e-9));
    let scale = camera.half_size.w;
    let half_width = max(scale, 1.0) * 0.5;
    let line = clamp(half_width + 0.8 - weights / pixel, vec3<f32>(0.0), vec3<f32>(1.0));
    let height = 1.0 / (pixel * scale);
    let fade = clamp((height - EDGE_FADE.x) / (EDGE_FADE.y - EDGE_FADE.x), vec3<f32>(0.0), vec3<f32>(1.0));
    var strength = vec3<f32>(0.0);
    strength.x = kind_alpha(edges & 3u);
    strength.y = kind_alpha(edges >> 2u & 3u);
    strength.z = kind_alpha(edges >> 4u & 3u);
    let alpha = line * fade * strength;
    return max(alpha.x, max(alpha.y, alpha.z));
}

fn kind_alpha(kind: u32) -> f32 {
    if kind == 0u { return EDGE_ALPHA.x; }
    if kind == 1u { return EDGE_ALPHA.y; }
    return EDGE_ALPHA.z;
}

// Alpha of the lines where a coordinate is a multiple of a cell.
fn grid_alpha(world: vec3<f32>, normal: vec3<f32>, cell: f32) -> f32 {
    let at = world / cell;
    let pixel = max(fwidth(at), vec3<f32>(1e-9));
    let line = clamp(vec3<f32>(1.1) - abs(at - round(at)) / pixel, vec3<f32>(0.0), vec3<f32>(1.0));
    let fade = clamp((1.0 / pixel - GRID_FADE.x) / (GRID_FADE.y - GRID_FADE.x), vec3<f32>(0.0), vec3<f32>(1.0));
    // A face has no lines of the coordinate that is constant on it.
    let across = 1.0 - smoothstep(vec3<f32>(0.8), vec3<f32>(0.95), normal * normal);
    let alpha = line * fade * across;
    return max(alpha.x, max(alpha.y, alpha.z));
}

// Fraction of the light that reaches a point, from four samples.
fn lit_fraction(world: vec3<f32>) -> f32 {
    let point = vec4<f32>(world, 1.0);
    let at = vec3<f32>(dot(camera.light[0], point), 1.0 - dot(camera.light[1], point), dot(camera.light[2], point));
    let texel = 1.0 / vec2<f32>(textureDimensions(shadows));
    var lit = 0.0;
    for (var tap = 0u; tap < 4u; tap++) {
        let offset = vec2<f32>(f32(tap & 1u) - 0.5, f32(tap >> 1u) - 0.5) * 1.6 * texel;
        lit += 0.25 * textureSampleCompareLevel(shadows, shadow_sampler, at.xy + offset, at.z);
    }
    let inside = all(abs(at - 0.5) < vec3<f32>(0.5));
    return select(1.0, lit, inside);
}

// The point of the nearest body at a place of its depth image, view space.
fn nearest_at(at: vec2<i32>, size: vec2<i32>) -> vec3<f32> {
    let depth = textureLoad(nearest, clamp(at, vec2<i32>(0), size - 1), 0).x;
    let across = ((vec2<f32>(at) + 0.5) / vec2<f32>(size) * 2.0 - 1.0) * vec2<f32>(1.0, -1.0) * camera.half_size.xy;
    if !perspective() { return vec3<f32>(across, (depth - 0.5) * 2.0 * camera.half_size.z); }
    let distance = camera.half_size.z / max(depth, 1e-9);
    return vec3<f32>(across * distance, -distance);
}

// The fraction of the light that nearby surfaces leave to a point, by how high above its own surface they rise; in view space.
// Scalable Ambient Obscurance, McGuire et al. 2012, without its blur.
fn open_fraction(point: vec3<f32>, normal: vec3<f32>, pixel: vec2<f32>) -> f32 {
    if !OCCLUSION { return 1.0; }
    let radius = camera.right.w;
    let size = vec2<i32>(textureDimensions(nearest));
    let scale = vec2<f32>(size) / camera.pixels.xy;
    let reach = min(radius / pixel_at(point.z), WIDEST * camera.pixels.y);
    // Each of four pixels takes other samples; their mean is that of all.
    let quad = vec2<u32>(pixel) & vec2<u32>(1u);
    let turn = f32(quad.x + 2u * quad.y) * 0.25;
    var closed = 0.0;
    for (var tap = 0u; tap < TAPS; tap++) {
        let run = (f32(tap) + turn + 0.125) / f32(TAPS);
        let angle = (f32(tap) + turn) * 2.39996;
        let offset = vec2<f32>(cos(angle), sin(angle)) * reach * run;
        let to = nearest_at(vec2<i32>((pixel + offset) * scale), size) - point;
        let square = dot(to, to);
        let sine = dot(to, normal) * inverseSqrt(max(square, 1e-20));
        closed += max(sine - ABOVE, 0.0) * max(1.0 - square / (radius * radius), 0.0);
    }
    let odd = vec2<f32>(quad) - 0.5;
    closed -= dpdx(closed) * odd.x;
    closed -= dpdy(closed) * odd.y;
    return max(1.0 - closed / f32(TAPS) * DARKENING, 0.0);
}

@fragment
fn mesh_fragment(in: MeshCorner, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let edge = edge_alpha(in.weights, in.edges);
    let grid = max(grid_alpha(in.world, in.normal, 1.0) * GRID_STRENGTH.x, grid_alpha(in.world, in.normal, 10.0) * GRID_STRENGTH.y);
    if is_cut(in.color.w) {
        if dot(camera.section.xyz, in.world) > camera.section.w { discard; }
        // Behind a removed face of a solid.
        if !front && !has_flag(in.color.w, OPEN) { return vec4<f32>(cut_color(in.color.xyz, in.clip.xy), 1.0); }
    }
    var lit = in.lit;
    if !front && has_flag(in.color.w, MARKS_BACK) { lit = BACK * light_on(in.normal); }
    if has_flag(in.color.w, FIXED) {
        let toward = vec3<f32>(camera.light[2].x, camera.light[2].y, camera.light[2].z);
        lit *= 1.0 - grid;
        if dot(in.normal, toward) > 0.0 { lit *= mix(SHADOW, 1.0, lit_fraction(in.world)); }
    }
    lit *= open_fraction(to_view(in.world), turned(in.normal), in.clip.xy);
    return vec4<f32>(mix(lit, in.color.xyz * EDGE_SHADE, edge), 1.0);
}

@fragment
fn translucent_mesh_fragment(in: MeshCorner) -> @location(0) vec4<f32> { return in.color; }

// ---- spheres: a square that faces the eye, ray-cast ----

struct SphereCorner {
    @builtin(position) clip: vec4<f32>,
    @location(0) point: vec3<f32>,
    @location(1) @interpolate(flat) sphere: vec4<f32>,
    @location(2) @interpolate(flat) color: vec4<f32>,
}

@vertex
fn sphere_vertex(
    @builtin(vertex_index) index: u32,
    @location(0) center_radius: vec4<f32>,
    @location(1) color: vec4<f32>,
) -> SphereCorner {
    let center = to_view(center_radius.xyz);
    let pixel = pixel_at(center.z);
    // Spheres smaller than a pixel are widened and dimmed, which avoids flicker.
    let radius = max(center_radius.w, pixel * 0.6);
    var out: SphereCorner;
    out.sphere = vec4<f32>(center, radius);
    out.color = color;
    let corner = vec2<f32>(f32(index & 1u) * 2.0 - 1.0, f32(index >> 1u) * 2.0 - 1.0);
    var toward = vec3<f32>(0.0, 0.0, 1.0);
    var half_size = radius + pixel;
    if perspective() {
        let distance = length(center);
        if distance <= radius * 1.0001 || -center.z + radius <= camera.half_size.z {
            out.clip = CLIPPED;
            return out;
        }
        toward = -center / distance;
        // At the sphere's centre the tangent cone is wider than the sphere.
        half_size = radius * distance / sqrt(distance * distance - radius * radius) + pixel;
    }
    var helper = vec3<f32>(0.0, 1.0, 0.0);
    if abs(toward.y) > 0.9 { helper = vec3<f32>(1.0, 0.0, 0.0); }
    let right = normalize(cross(helper, toward));
    let up = cross(toward, right);
    out.point = center + (right * corner.x + up * corner.y) * half_size;
    out.clip = to_clip(out.point);
    return out;
}

// The point of a body on a ray, in view space; the normal is zero on a section.
struct Cast {
    color: vec4<f32>,
    normal: vec3<f32>,
    point: vec3<f32>,
}

struct Shaded {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

struct Ray {
    start: vec3<f32>,
    along: vec3<f32>,
}

// The ray from the eye through a point in view space.
fn ray_through(point: vec3<f32>) -> Ray {
    if perspective() { return Ray(vec3<f32>(0.0), normalize(point)); }
    return Ray(vec3<f32>(point.xy, 0.0), vec3<f32>(0.0, 0.0, -1.0));
}

fn coverage_of(edge: f32) -> f32 { return clamp(0.5 + edge / max(fwidth(edge), 1e-12), 0.0, 1.0); }

fn sphere_cast(in: SphereCorner) -> Cast {
    let center = in.sphere.xyz;
    let radius = in.sphere.w;
    let ray = ray_through(in.point);
    let to = center - ray.start;
    let off = length(cross(ray.along, to));
    let coverage = coverage_of(radius - off);
    if coverage <= 0.0 { discard; }
    let run = dot(ray.along, to) - sqrt(max(radius * radius - off * off, 0.0));
    let point = ray.start + ray.along * run;
    if is_cut(in.color.w) && before_section(point) > 0.0 {
        let inside = on_section(ray);
        if !(length(inside - center) <= radius) { discard; }
        return cut_cast(in.color.xyz, inside, in.clip.xy);
    }
    let normal = normalize(point - center);
    var out: Cast;
    out.color = vec4<f32>(shade(in.color.xyz, normal, -ray.along), coverage);
    out.normal = normal;
    out.point = point;
    return out;
}

// The point of the section on a ray.
fn on_section(ray: Ray) -> vec3<f32> {
    return ray.start - ray.along * before_section(ray.start) / dot(turned(camera.section.xyz), ray.along);
}

fn cut_cast(color: vec3<f32>, point: vec3<f32>, pixel: vec2<f32>) -> Cast {
    return Cast(vec4<f32>(cut_color(color, pixel), 1.0), vec3<f32>(0.0), point);
}

fn depth_at(point: vec3<f32>) -> f32 { return clamp(depth_of(point.z), 0.0, 1.0); }

// The pixel of an opaque round body, with the shadows on it.
fn shaded(hit: Cast, radius: f32, pixel: vec2<f32>) -> Shaded {
    // At least as far as a texel.
    let texel = 1.0 / (length(camera.light[0].xyz) * f32(textureDimensions(shadows).x));
    let at = hit.point + hit.normal * (radius * SHADOW_OFFSET + texel);
    let world = camera.eye.xyz + camera.right.xyz * at.x + camera.up.xyz * at.y + camera.back.xyz * at.z;
    var light = 1.0;
    let toward = vec3<f32>(camera.light[2].x, camera.light[2].y, camera.light[2].z);
    if dot(hit.normal, turned(toward)) > 0.0 { light = mix(SHADOW, 1.0, lit_fraction(world)); }
    light *= open_fraction(hit.point, hit.normal, pixel);
    return Shaded(vec4<f32>(hit.color.xyz * light, hit.color.w), depth_at(hit.point));
}

@fragment
fn sphere_fragment(in: SphereCorner) -> Shaded { return shaded(sphere_cast(in), in.sphere.w, in.clip.xy); }

@fragment
fn sphere_depth_fragment(in: SphereCorner) -> @builtin(frag_depth) f32 {
    if !is_occluder(in.color.w) { discard; }
    return depth_at(sphere_cast(in).point);
}

// ---- capsules: the back faces of a bounding box, ray-cast ----

struct CapsuleCorner {
    @builtin(position) clip: vec4<f32>,
    @location(0) point: vec3<f32>,
    @location(1) @interpolate(flat) a: vec4<f32>,
    @location(2) @interpolate(flat) b: vec3<f32>,
    @location(3) @interpolate(flat) color: vec4<f32>,
}

@vertex
fn capsule_vertex(
    @builtin(vertex_index) index: u32,
    @location(0) a_radius: vec4<f32>,
    @location(1) end_b: vec3<f32>,
    @location(2) color: vec4<f32>,
) -> CapsuleCorner {
    let a = to_view(a_radius.xyz);
    let b = to_view(end_b);
    let center = (a + b) * 0.5;
    let segment = length(b - a);
    var axis = vec3<f32>(0.0, 0.0, 1.0);
    if segment > 1e-6 * a_radius.w { axis = (b - a) / segment; }
    var helper = vec3<f32>(0.0, 1.0, 0.0);
    if abs(axis.y) > 0.9 { helper = vec3<f32>(1.0, 0.0, 0.0); }
    let u = normalize(cross(helper, axis));
    let v = cross(axis, u);
    let pixel = pixel_at(min(a.z, b.z) - a_radius.w);
    let radius = max(a_radius.w, pixel * 0.6);
    let margin = radius + pixel;
    // 36 corners of the unit cube, counter-clockwise from outside.
    let face = index / 6u;
    let side = f32(face & 1u) * 2.0 - 1.0;
    var order = array<u32, 6>(0u, 1u, 3u, 0u, 3u, 2u);
    let quad_corner = order[index % 6u];
    let s = (f32(quad_corner & 1u) * 2.0 - 1.0) * side;
    let t = f32(quad_corner >> 1u) * 2.0 - 1.0;
    var corner = vec3<f32>(side, s, t);
    if face / 2u == 1u { corner = vec3<f32>(t, side, s); }
    if face / 2u == 2u { corner = vec3<f32>(s, t, side); }
    var out: CapsuleCorner;
    out.point = center + (u * corner.x + v * corner.y) * margin + axis * corner.z * (segment * 0.5 + margin);
    out.clip = to_clip(out.point);
    out.a = vec4<f32>(a, radius);
    out.b = b;
    out.color = color;
    return out;
}

struct CapsuleHit {
    // In view space.
    point: vec3<f32>,
    normal: vec3<f32>,
    coverage: f32,
}

fn capsule_hit(ray: Ray, in: CapsuleCorner) -> CapsuleHit {
    let radius = in.a.w;
    let center = (in.a.xyz + in.b) * 0.5;
    // Relative to the ray's closest point to the centre, which avoids cancellation far from the eye.
    let run = dot(ray.along, center - ray.start);
    let base = ray.start + ray.along * run;
    let half = (in.b - in.a.xyz) * 0.5;
    let offset = base - center;
    let square = dot(half, half);
    let along = dot(half, ray.along);
    // Distance of the ray from the segment.
    let aside = half - ray.along * along;
    let aside_square = dot(aside, aside);
    var nearest = 0.0;
    if aside_square > 1e-12 * radius * radius { nearest = clamp(dot(offset, aside) / aside_square, -1.0, 1.0); }
    let off = length(offset - aside * nearest);
    // The cylinder first, then the nearer cap.
    var end = select(-1.0, 1.0, along < 0.0);
    var hit = 0.0;
    var on_side = false;
    let a = square - along * along;
    if a > 1e-6 * square && square > 1e-12 * radius * radius {
        let half_offset = dot(half, offset);
        let across = dot(ray.along, offset);
        let b = square * across - half_offset * along;
        let c = square * dot(offset, offset) - half_offset * half_offset - radius * radius * square;
        hit = (-b - sqrt(max(b * b - a * c, 0.0))) / a;
        let height = half_offset + hit * along;
        on_side = abs(height) <= square;
        end = select(-1.0, 1.0, height > 0.0);
    }
    if !on_side {
        let to_cap = half * end - offset;
        let depth = dot(ray.along, to_cap);
        let offset_to_cap = to_cap - ray.along * depth;
        hit = depth - sqrt(max(radius * radius - dot(offset_to_cap, offset_to_cap), 0.0));
    }
    let point = offset + ray.along * hit;
    var closest = 0.0;
    if square > 1e-12 * radius * radius { closest = clamp(dot(point, half) / square, -1.0, 1.0); }
    var out: CapsuleHit;
    out.point = base + ray.along * hit;
    out.normal = normalize(point - half * closest);
    out.coverage = coverage_of(radius - off);
    return out;
}

fn capsule_cast(in: CapsuleCorner, ray: Ray, hit: CapsuleHit, alpha: f32) -> Cast {
    return Cast(vec4<f32>(shade(in.color.xyz, hit.normal, -ray.along), alpha * hit.coverage), hit.normal, hit.point);
}

fn opaque_capsule(in: CapsuleCorner) -> Cast {
    let ray = ray_through(in.point);
    let hit = capsule_hit(ray, in);
    if hit.coverage <= 0.0 { discard; }
    if is_cut(in.color.w) && before_section(hit.point) > 0.0 {
        let inside = on_section(ray);
        let axis = in.b - in.a.xyz;
        let along = clamp(dot(inside - in.a.xyz, axis) / max(dot(axis, axis), 1e-30), 0.0, 1.0);
        if !(length(inside - in.a.xyz - axis * along) <= in.a.w) { discard; }
        return cut_cast(in.color.xyz, inside, in.clip.xy);
    }
    return capsule_cast(in, ray, hit, 1.0);
}

@fragment
fn capsule_fragment(in: CapsuleCorner) -> Shaded { return shaded(opaque_capsule(in), in.a.w, in.clip.xy); }

@fragment
fn translucent_capsule_fragment(in: CapsuleCorner) -> Shaded {
    let ray = ray_through(in.point);
    let hit = capsule_hit(ray, in);
    if hit.coverage <= 0.0 { discard; }
    // Denser toward the border.
    let grazing = 1.0 - clamp(dot(hit.normal, -ray.along), 0.0, 1.0);
    let body = capsule_cast(in, ray, hit, min(in.color.w * (0.55 + 1.6 * grazing * grazing), 0.95));
    return Shaded(body.color, min(nearer_depth(depth_at(body.point)), 1.0));
}

@fragment
fn capsule_depth_fragment(in: CapsuleCorner) -> @builtin(frag_depth) f32 {
    if !is_occluder(in.color.w) { discard; }
    return depth_at(opaque_capsule(in).point);
}

// ---- lines: rectangles on the screen, with coverage by distance ----

struct LineCorner {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec4<f32>,
    // Position along and across the line, pixels.
    @location(1) local: vec2<f32>,
    // Length, half width, factor on the alpha where a surface is in front, length of a dash.
    @location(2) @interpolate(flat) size: vec4<f32>,
}

struct Line {
    @location(0) from_width: vec4<f32>,
    @location(1) to_occluded: vec4<f32>,
    @location(2) color_a: vec4<f32>,
    @location(3) color_b: vec4<f32>,
    @location(4) dash: f32,
}

fn line_corner(index: u32, line: Line) -> LineCorner {
    var out: LineCorner;
    var a = to_view(line.from_width.xyz);
    var b = to_view(line.to_occluded.xyz);
    var colors = array<vec4<f32>, 2>(line.color_a, line.color_b);
    if perspective() {
        let near = -camera.half_size.z * 1.01;
        if a.z > near && b.z > near {
            out.clip = CLIPPED;
            return out;
        }
        if a.z > near {
            a = b + (a - b) * ((near - b.z) / (a.z - b.z));
            colors[0] = line.color_b;
        } else if b.z > near {
            b = a + (b - a) * ((near - a.z) / (b.z - a.z));
            colors[1] = line.color_a;
        }
    }
    let clip_a = to_clip(a);
    let clip_b = to_clip(b);
    let half_pixels = camera.pixels.xy * 0.5;
    let p = clip_a.xy / clip_a.w * half_pixels;
    let q = clip_b.xy / clip_b.w * half_pixels;
    let length_pixels = length(q - p);
    var along = vec2<f32>(1.0, 0.0);
    if length_pixels > 1e-3 { along = (q - p) / length_pixels; }
    let across = vec2<f32>(-along.y, along.x);
    let half_width = max(line.from_width.w * camera.half_size.w, 0.5) * 0.5;
    let end = index & 1u;
    let side = f32(index >> 1u) * 2.0 - 1.0;
    var over = 1.0;
    if length_pixels <= 1e-3 { over = half_width + 1.0; }
    let run = f32(end) * (length_pixels + 2.0 * over) - over;
    let pixel = p + along * run + across * side * (half_width + 1.0);
    var z = a.z;
    if end == 1u { z = b.z; }
    var bias = LINE_BIAS - 1.0;
    if line.to_occluded.w < 0.0 { bias = GROUND_BIAS - 1.0; }
    var depth = depth_of(z) * (1.0 + bias);
    if !perspective() { depth = depth_of(z + camera.half_size.y * bias * 2.0); }
    out.clip = vec4<f32>(pixel / half_pixels, clamp(depth, 0.0, 1.0), 1.0);
    out.color = colors[end];
    out.local = vec2<f32>(run, side * (half_width + 1.0));
    out.size = vec4<f32>(length_pixels, half_width, line.to_occluded.w, line.dash * camera.half_size.w);
    return out;
}

@vertex
fn line_vertex(@builtin(vertex_index) index: u32, line: Line) -> LineCorner { return line_corner(index, line); }

// Skips lines that are invisible behind surfaces, which are most.
@vertex
fn occluded_line_vertex(@builtin(vertex_index) index: u32, line: Line) -> LineCorner {
    if line.to_occluded.w <= 0.0 {
        var out: LineCorner;
        out.clip = CLIPPED;
        return out;
    }
    return line_corner(index, line);
}

fn line_coverage(in: LineCorner) -> f32 {
    if in.size.x <= 1e-3 { return clamp(in.size.y + 0.5 - length(in.local), 0.0, 1.0); }
    var ends = clamp(min(in.local.x + 0.5, in.size.x - in.local.x + 0.5), 0.0, 1.0);
    let dash = in.size.w;
    if dash > 0.0 {
        let step = in.local.x - floor(in.local.x / (2.0 * dash)) * 2.0 * dash;
        ends = min(ends, clamp(min(step, dash - step) + 0.5, 0.0, 1.0));
    }
    return ends * clamp(in.size.y + 0.5 - abs(in.local.y), 0.0, 1.0);
}

@fragment
fn line_fragment(in: LineCorner) -> @location(0) vec4<f32> {
    return vec4<f32>(in.color.xyz, in.color.w * line_coverage(in));
}

@fragment
fn occluded_line_fragment(in: LineCorner) -> @location(0) vec4<f32> {
    return vec4<f32>(in.color.xyz, in.color.w * line_coverage(in) * in.size.z);
}
