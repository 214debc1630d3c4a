//! Collider markers in the names of objects and nodes, as in Godot and Unreal.

use super::{Part, Role};
use crate::core::scene::Object;
use crate::core::shape::{Capsule, Segment, Shape};
use glam::DVec3;

/// Marker of a node's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    /// Visual only.
    None,
    /// Ignored.
    Leave,
    /// Visual and collider.
    Both,
    /// Collider only.
    Only,
    /// Visual, with its convex hull as collider.
    ConvexBoth,
    /// Its convex hull as collider only.
    Convex,
    /// The box around it.
    Box,
    /// The sphere around it.
    Sphere,
    /// The capsule around it.
    Capsule,
}

/// A node's name without its marker, and the marker: at its end behind `-`, `_` or `$`, with digits after it or without, as
/// Godot reads it; or before it, as Unreal does.
pub(super) fn of_name(name: &str) -> (&str, Marker) {
    let prefixes = [
        ("UBX_", Marker::Box),
        ("USP_", Marker::Sphere),
        ("UCP_", Marker::Capsule),
        ("UCX_", Marker::Convex),
    ];
    for (prefix, marker) in prefixes {
        let start = name.get(..prefix.len());
        if start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
            && name.len() > prefix.len()
        {
            return (&name[prefix.len()..], marker);
        }
    }
    let suffixes = [
        ("convcolonly", Marker::Convex),
        ("colonly", Marker::Only),
        ("convcol", Marker::ConvexBoth),
        ("col", Marker::Both),
        ("noimp", Marker::Leave),
    ];
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    for (suffix, marker) in suffixes {
        let start = bare.len().checked_sub(suffix.len() + 1);
        let Some((start, end)) = start.and_then(|at| bare.split_at_checked(at)) else {
            continue;
        };
        let mut end = end.chars();
        let is_sign = end
            .next()
            .is_some_and(|sign| ['-', '_', '$'].contains(&sign));
        if is_sign && end.as_str().eq_ignore_ascii_case(suffix) && !start.is_empty() {
            return (start, marker);
        }
    }
    (name, Marker::None)
}

impl Marker {
    pub(super) fn role(self) -> Role {
        match self {
            Self::None | Self::Leave => Role::Seen,
            Self::Both | Self::ConvexBoth => Role::Both,
            _ => Role::Collider,
        }
    }

    /// The part of a mesh with this marker; or why it is not possible.
    pub(super) fn part(self, object: Object) -> (Part, Option<&'static str>) {
        let mut part = Part::new(object, self.role());
        let refused = match self {
            Self::Convex | Self::ConvexBoth => part.take_hull(),
            _ => self.reshape(&mut part.object),
        };
        (part, refused.err())
    }

    /// The marker's shape around a mesh.
    fn reshape(self, object: &mut Object) -> Result<(), &'static str> {
        let Shape::Mesh(mesh) = &object.shape else {
            return Ok(());
        };
        let used = || {
            let corners = mesh.triangles().flatten();
            corners.map(|vertex| mesh.vertex(vertex as usize))
        };
        let (least, most) = used().fold(
            (DVec3::INFINITY, DVec3::NEG_INFINITY),
            |(least, most), vertex| (least.min(vertex), most.max(vertex)),
        );
        let (middle, half) = ((least + most) * 0.5, (most - least) * 0.5);
        let flat = half.min_element() <= 0.0;
        let shape = match self {
            Self::Box if !flat => Shape::Box { half_extents: half },
            Self::Sphere if !flat => Shape::Sphere {
                radius: half.max_element(),
            },
            Self::Capsule if !flat => capsule_around(half),
            Self::Box | Self::Sphere | Self::Capsule => {
                return Err("its marker asks for a solid, but it is flat; its triangles are taken");
            }
            _ => return Ok(()),
        };
        object.shape = shape;
        object.mesh = None;
        object.pose.position = object.pose.point(middle);
        Ok(())
    }
}

/// Along the longest of its sides.
fn capsule_around(half: DVec3) -> Shape {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let longest = half.max_position();
    let across = (0..3)
        .filter(|&axis| axis != longest)
        .map(|axis| half[axis]);
    let radius = across.fold(0.0, f64::max);
    let end = axes[longest] * (half[longest] - radius);
    Shape::Capsule(Capsule {
        segment: Segment { a: -end, b: end },
        radius,
    })
}

/// The object that a numbered collider belongs to, as in `UCX_Wall_01`: `Wall`. The name is without its marker.
pub(super) fn numbered(given: &str, name: &str) -> Option<String> {
    let is_prefixed = given.len() > name.len() && given.ends_with(name);
    let digits = |c: char| c.is_ascii_digit();
    let stem = name.trim_end_matches(digits);
    let stem = (stem.len() < name.len()).then(|| stem.strip_suffix(['_', '.']))??;
    (is_prefixed && !stem.is_empty()).then(|| stem.to_owned())
}
