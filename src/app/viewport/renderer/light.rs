//! How surfaces are lit: one key light over the viewer's left shoulder, sky and ground, a little rim. The same constants
//! feed both renderers.

use glam::Vec3;

/// Toward the key light, view space, unit.
pub const KEY: Vec3 = Vec3::new(-0.3846, 0.6993, 0.6025);
/// Toward the fill light, view space, unit.
pub const FILL: Vec3 = Vec3::new(0.7682, -0.1098, 0.6308);
/// Light from everywhere; more of it from above; key; fill; highlight; rim.
const AMBIENT: f32 = 0.36;
/// Added for normals that point up.
const SKY: f32 = 0.16;
/// The key light.
const DIFFUSE: f32 = 0.50;
/// The fill light.
const SOFT: f32 = 0.10;
/// The highlight.
pub const SHINE: f32 = 0.16;
/// The rim.
pub const RIM: f32 = 0.10;

/// Everywhere, from above, key and fill, where a bright surrounding gives this share (0 to 1) of the light.
pub fn parts(daylight: f32) -> [f32; 4] {
    let rest = 1.0 - daylight;
    [
        AMBIENT * rest + daylight,
        SKY * rest,
        DIFFUSE * rest,
        SOFT * rest,
    ]
}

/// The colour of a lit surface, by the `parts` of the light. All directions in view space, unit; `up` is the world's.
#[inline]
pub fn shade(parts: [f32; 4], color: [f32; 3], normal: Vec3, to_eye: Vec3, up: Vec3) -> [f32; 3] {
    let facing = normal.dot(to_eye).clamp(0.0, 1.0);
    let away = 1.0 - facing;
    let rim = away * away * away * RIM;
    // The half vector is left long: its length only softens the highlight, and a division less is done.
    let half = (KEY + to_eye) * 0.54;
    let mut shine = normal.dot(half).clamp(0.0, 1.0);
    for _ in 0..5 {
        shine *= shine;
    }
    let light = parts[0]
        + parts[1] * (normal.dot(up) * 0.5 + 0.5)
        + parts[2] * normal.dot(KEY).max(0.0)
        + parts[3] * normal.dot(FILL).max(0.0);
    let white = shine * SHINE + rim;
    // Written out: a closure per part is not always inlined.
    [
        color[0] * light + white,
        color[1] * light + white,
        color[2] * light + white,
    ]
}

/// How dense a translucent shell is where it is seen at this angle: thin in the middle, denser at its rim.
#[inline]
pub fn shell_alpha(alpha: f32, normal: Vec3, to_eye: Vec3) -> f32 {
    let away = 1.0 - normal.dot(to_eye).abs().clamp(0.0, 1.0);
    (alpha * (0.55 + 1.6 * away * away)).min(0.95)
}
