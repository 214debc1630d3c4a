//! Validation of a log's objects, with the shape rules of scenes.

use crate::core::problem::Problem;
use crate::core::scene::{Folder, Movement, Object, is_direction, read_mesh};
use crate::core::schema::{
    self, Bits, Check, MotionWord, Number, ObjectLine, Path, ShapeText, Space, Step, Units,
};
use crate::core::shape::{Pose, Shape};
use glam::DVec3;
use std::sync::Arc;

/// What is wrong, and how to fix it.
pub(super) type FaultText = (String, String);

/// Default help.
pub(super) const FIX_OBJECT: &str = "correct the object; docs/log-format.md lists its fields";

/// The object of a line, with a notice.
///
/// # Errors
/// Its faults, each with help.
pub(super) fn object(
    line: ObjectLine,
    space: &Space,
    folder: &dyn Folder,
) -> Result<(Object, Option<&'static str>), Vec<FaultText>> {
    let mut check = check_of(space);
    let refused =
        |field: &str, what: &str| vec![(format!("`{field}`: {what}"), FIX_OBJECT.to_owned())];
    let position = line.position.map(|position| space.vector(position));
    let position = position.transpose();
    let position = position.map_err(|what| refused("position", what))?;
    let rotation = line.rotation.map(|rotation| space.turn(rotation));
    let rotation = rotation.transpose();
    let rotation = rotation.map_err(|what| refused("rotation", what))?;
    let (rotation, odd) = rotation.unwrap_or((Pose::IDENTITY.rotation, None));
    let pose = Pose {
        position: position.unwrap_or(DVec3::ZERO),
        rotation,
    };
    let mass = line.mass.map_or(1.0, |mass| space.number(mass));
    let one_way = line.one_way.map(|way| space.direction(way)).transpose();
    let one_way = one_way.map_err(|what| refused("one_way", what))?;
    let mut faults = own_faults(&pose, mass, one_way);
    let name = match line.name {
        Some(name) if !name.trim().is_empty() => name,
        _ => format!("object {}", line.id),
    };
    let mut read = |file: &str, facing| read_mesh(folder, file, facing, space.units).map(Arc::new);
    let built = line
        .shape
        .build(&mut check, &Path::ROOT.field("shape"), space, &mut read);
    faults.extend(sentences(check));
    let Some((shape, mesh)) = built.filter(|_| faults.is_empty()) else {
        return Err(faults);
    };
    let object = Object {
        mesh,
        pose,
        movement: match line.motion {
            None | Some(MotionWord::Dynamic) => Movement::Velocity,
            Some(MotionWord::Fixed) => Movement::Fixed,
            Some(MotionWord::Kinematic) => Movement::Kinematic,
        },
        mass,
        layer: line.layer.map_or(1, |Bits(bits)| bits),
        mask: line.mask.map_or(u32::MAX, |Bits(bits)| bits),
        body: line.body.map(String::from),
        sensor: line.sensor,
        character: line.character,
        one_way,
        ccd: line.ccd,
        scale: line.scale.map(|scale| DVec3::from_array(scale.scale())),
        color: line.color,
        tags: line.tags,
        ..Object::new(name, shape, pose.position)
    };
    Ok((object, odd))
}

/// The shape of a query's sweep.
///
/// # Errors
/// Its faults, or that it cannot be swept.
pub(super) fn swept_shape(text: &ShapeText<Number>, space: &Space) -> Result<Shape, String> {
    let mut check = check_of(space);
    let only_convex = || "a query sweeps a convex shape or a compound of them".to_owned();
    let mut read = |_: &str, _| Err(Problem::new("", only_convex(), ""));
    let built = text.build(&mut check, &Path::ROOT.field("shape"), space, &mut read);
    let fault = sentences(check).next().map(|(what, _)| what);
    match (fault, built) {
        (None, Some((Shape::Mesh(_) | Shape::Plane(_) | Shape::Triangle(_), _)) | None) => {
            Err(only_convex())
        }
        (None, Some((shape, _))) => Ok(shape),
        (Some(fault), _) => Err(format!("the query's {fault}")),
    }
}

/// Takes any number that is finite in metres.
fn check_of(space: &Space) -> Check {
    let mut check = Check::new(f64::MAX / space.units.length.max(1.0));
    check.units = space.units;
    check
}

/// Faults of an object that a program records: what would be refused when reading.
pub(super) fn fault(object: &Object, is_flat: bool) -> Option<String> {
    if is_flat && !schema::is_flat(&object.shape) {
        let what = "its shape is not one of a flat level: make it with `Shape::circle`, `rectangle`, `stadium`, `polygon` or `chain`";
        return Some(what.to_owned());
    }
    let mut faults = own_faults(&object.pose, object.mass, object.one_way);
    // Meshes are valid by construction.
    if !matches!(object.shape, Shape::Mesh(_)) {
        let mut check = Check::new(f64::MAX);
        let text = ShapeText::<Number>::new(&object.shape, None, Units::default());
        let at = Path::ROOT;
        text.build(
            &mut check,
            &at.field("shape"),
            &Space::default(),
            &mut |_, _| unreachable!("only a mesh is read"),
        );
        faults.extend(sentences(check));
    }
    faults.into_iter().next().map(|(what, _)| what)
}

fn own_faults(pose: &Pose, mass: f64, one_way: Option<DVec3>) -> Vec<FaultText> {
    let mut faults = Vec::new();
    if !pose.is_finite() {
        faults.push(("its pose is not finite".to_owned(), FIX_OBJECT.to_owned()));
    }
    if !(mass > 0.0 && mass.is_finite()) {
        let what = format!("its mass is {mass}, and must be above 0");
        faults.push((what, FIX_OBJECT.to_owned()));
    }
    if one_way.is_some_and(|way| !is_direction(way)) {
        let help = "write the direction in which bodies pass, as [0, 1, 0], or leave it out";
        faults.push(("`one_way` is not a direction".to_owned(), help.to_owned()));
    }
    faults
}

/// A sentence per fault; the position is given by field names.
fn sentences(check: Check) -> impl Iterator<Item = FaultText> {
    let own = check.found.into_iter().map(|fault| {
        let mut path = String::new();
        for step in fault.at {
            match step {
                Step::Field(name) if path.is_empty() => path.push_str(name),
                Step::Field(name) => path.extend([".", name]),
                Step::Index(index) => path.push_str(&format!("[{index}]")),
            }
        }
        let help = match fault.help {
            empty if empty.is_empty() => FIX_OBJECT.to_owned(),
            help => help,
        };
        (format!("`{path}`: {}", fault.what), help)
    });
    let elsewhere = check.elsewhere.into_iter();
    own.chain(elsewhere.map(|problem| (problem.to_string(), FIX_OBJECT.to_owned())))
}
