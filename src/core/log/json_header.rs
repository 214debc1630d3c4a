//! The values of a log's header line without its objects.

use super::json::{HeaderLine, LensLine, Own};
use crate::core::scene::{Engine, Lens};
use crate::core::schema::{Axis, LengthName, Number, Space, Units};
use std::f64::consts::PI;

/// What is wrong with a header's field, and how to fix it.
pub(super) type Fault = (String, &'static str);

/// The units and the precision of a log.
pub(super) fn space_of(header: &HeaderLine) -> Result<Space, Fault> {
    let usual = header.unit.map_or(1.0, LengthName::metres);
    let length = header.length.map_or(usual, |Own(Number(length))| length);
    if !(length > 0.0 && length.is_finite()) {
        let what = format!("`length` is {length}; it is metres per unit, and must be above 0");
        return Err((what, "write 1 for metres, 0.01 for centimetres"));
    }
    let up = header.up.map_or_else(Axis::default, Axis::from);
    if header.flat && up == Axis::Z {
        let what = "`up` is \"z\", which a flat level does not have".to_owned();
        return Err((what, "write \"y\", or \"-y\" where y grows downward"));
    }
    Ok(Space {
        units: Units {
            length,
            up,
            name: header.unit,
            flat: header.flat,
        },
        scalar: header.scalar.unwrap_or_default(),
    })
}

/// The settings of the engine.
pub(super) fn engine_of(header: &HeaderLine, space: &Space) -> Result<Engine, Fault> {
    let threshold = header
        .ccd_threshold
        .map(|threshold| space.number(threshold));
    if let Some(threshold) = threshold.filter(|it| !(*it > 0.0 && it.is_finite())) {
        let what = format!(
            "`ccd_threshold` is {threshold}; it is a fraction of a body's size, and must be above 0"
        );
        return Err((what, "write the engine's setting, or leave it out: 0.75"));
    }
    let margin = header.margin.map(|margin| space.length(margin));
    if let Some(margin) = margin.filter(|margin| !(*margin >= 0.0 && margin.is_finite())) {
        let what = format!("`margin` is {margin} m, and must not be below 0");
        return Err((
            what,
            "write the engine's margin in units of length, or leave it out",
        ));
    }
    Ok(Engine {
        name: header.engine.clone(),
        version: header.engine_version.clone(),
        ccd_threshold: threshold,
        margin,
    })
}

/// The camera's lens.
pub(super) fn lens_of(lens: LensLine, space: &Space) -> Result<Lens, Fault> {
    let usual = Lens::default();
    let near = lens.near.map_or(usual.near, |near| space.length(near));
    let fov = lens
        .fov
        .map_or(usual.fov, |Number(degrees)| degrees.to_radians());
    let aspect = lens.aspect.map_or(usual.aspect, |Number(aspect)| aspect);
    let is_positive = |value: f64| value > 0.0 && value.is_finite();
    if !(is_positive(near) && is_positive(aspect) && is_positive(fov) && fov < PI) {
        let what = "`lens` must have a near plane and an aspect above 0, and a field of view between 0 and 180 degrees".to_owned();
        return Err((
            what,
            "write {\"near\": 0.1, \"fov\": 60, \"aspect\": 1.78}, or leave it out",
        ));
    }
    Ok(Lens { near, fov, aspect })
}
