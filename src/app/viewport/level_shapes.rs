//! The opaque bodies of a level: prepared once per level, posed for each frame that is drawn.

use super::ViewportInput;
use super::color_by::ObjectColors;
use super::draw_list::{
    BodyFlags, CapsuleInstance, DrawList, Line, MeshInstance, Rgba, Rgba8, SphereInstance, bytes,
    mix, rgba,
};
use super::draw_list_builder::plane_patch;
use super::flat_shapes::{chain_lines, disc, stadium_outline};
use super::framing::start_bounds;
use super::geometry::{Form, Geometry, GeometryCache, instance_transform};
use crate::app::theme::Palette;
use crate::app::view_options::MeshView;
use crate::app::view_state::{Layer, Show};
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::{Movement, Object, Objects};
use crate::core::shape::{Capsule, Plane, Pose, Segment, Shape};
use egui::Color32;
use glam::DVec3;
use std::sync::{Arc, Weak};
use std::thread;

/// Most changed objects whose bodies are replaced one by one.
const MOST_CHANGED: usize = 1000;

/// Bodies that are worth a thread of their own.
const PARTS_PER_THREAD: usize = 16_384;

/// Distance between the layers of a flat level, as a share of the level's size (no unit).
const SHEET: f64 = 1e-3;

/// Fraction of the background in the colour of a fixed body.
const SUBDUED: f32 = 0.42;

/// The opaque bodies of a level, in the colours of a theme.
pub struct LevelShapes {
    replay: Weak<Replay>,
    /// The objects of that version of the level.
    objects: Objects,
    palette: &'static Palette,
    geometries: Vec<Arc<Geometry>>,
    parts: Vec<Part>,
    /// Sensors, which are translucent and drawn with the overlays.
    pub sensors: Vec<ObjectId>,
    /// Centre and bounding radius of the level at its start, metres.
    bounds: (DVec3, f64),
    /// The level is flat: its bodies are drawn as thin sheets behind the plane z = 0, so that what is drawn in the plane is in front of them.
    is_flat: bool,
    /// The lists of the other threads, kept for their memory.
    others: Vec<DrawList>,
}

/// A body, or a part of one.
struct Part {
    object: ObjectId,
    /// The part's pose in the object's space; `None` for the object itself.
    local: Option<Box<Pose>>,
    /// Opaque.
    color: Rgba8,
    fixed: bool,
    /// It is a triangle mesh.
    is_mesh: bool,
    /// It is a mesh without an inside.
    is_open: bool,
    form: PartForm,
}

impl Part {
    /// A colour with the flags of a body, which lines do not have.
    fn flagged(&self, [r, g, b, alpha]: Rgba8, flags: BodyFlags) -> Rgba8 {
        match self.form {
            PartForm::Segment(_) => [r, g, b, alpha],
            _ => [r, g, b, flags.alpha()],
        }
    }
}

enum PartForm {
    Sphere(f32),
    Capsule(Capsule),
    /// Index of the geometry, and its scale.
    Mesh(usize, DVec3),
    Triangle(usize, Box<[DVec3; 3]>),
    Segment(Segment),
    Plane(usize, Plane),
}

impl LevelShapes {
    /// The bodies of a level.
    pub fn new(replay: &Arc<Replay>, palette: &'static Palette, cache: &mut GeometryCache) -> Self {
        let bounds = start_bounds(replay);
        let size = bounds.map_or(10.0, |bounds| bounds.half_extents().length());
        let mut shapes = Self {
            replay: Arc::downgrade(replay),
            objects: replay.objects().clone(),
            palette,
            geometries: Vec::new(),
            parts: Vec::with_capacity(replay.objects().len()),
            sensors: Vec::new(),
            is_flat: replay.units().units.flat,
            others: Vec::new(),
            bounds: (bounds.map_or(DVec3::ZERO, |bounds| bounds.center()), size),
        };
        for (id, object) in (0..).zip(replay.objects()) {
            if object.sensor {
                shapes.sensors.push(id);
            } else {
                shapes.add_object(id, object, cache);
            }
        }
        shapes
    }

    fn add_object(&mut self, id: ObjectId, object: &Object, cache: &mut GeometryCache) {
        let colors = Colors::of(object, self.palette);
        self.add((id, &object.shape, None), &colors, cache);
    }

    /// Makes these the bodies of another version of the level, in which a few objects have changed. Returns false where more has
    /// changed: then all are prepared anew.
    pub fn follow(&mut self, replay: &Arc<Replay>, cache: &mut GeometryCache) -> bool {
        let objects = replay.objects();
        let is_flat = replay.units().units.flat;
        if objects.len() != self.objects.len() || is_flat != self.is_flat {
            return false;
        }
        let changed = objects.changed_from(&self.objects);
        let is_sensor = |objects: &Objects, id: ObjectId| objects[id as usize].sensor;
        let same_sensors = |&id: &ObjectId| is_sensor(objects, id) == is_sensor(&self.objects, id);
        if changed.len() > MOST_CHANGED || !changed.iter().all(same_sensors) {
            return false;
        }
        for id in changed {
            let object = &objects[id as usize];
            let place = self.parts.partition_point(|part| part.object < id)
                ..self.parts.partition_point(|part| part.object <= id);
            let end = self.parts.len();
            if !object.sensor {
                self.add_object(id, object, cache);
            }
            let parts = self.parts.split_off(end);
            self.parts.splice(place, parts);
            // Planes are drawn around the level: it grows with what is moved out of it.
            if let Some(bounds) = object.shape.placed(&object.pose).aabb() {
                let far =
                    (bounds.center() - self.bounds.0).length() + bounds.half_extents().length();
                self.bounds.1 = self.bounds.1.max(far);
            }
        }
        self.objects = objects.clone();
        self.replay = Arc::downgrade(replay);
        true
    }

    /// Returns true if these are the bodies of this version of the level.
    pub fn is_of(&self, replay: &Arc<Replay>) -> bool {
        // A weak reference holds its address, so that no other level can have it.
        std::ptr::eq(self.replay.as_ptr(), Arc::as_ptr(replay))
    }

    /// Returns true if they have these colours.
    pub fn has_colors(&self, palette: &'static Palette) -> bool {
        std::ptr::eq(self.palette, palette)
    }

    /// The centre of the level at its start, world, metres.
    pub fn center(&self) -> DVec3 {
        self.bounds.0
    }

    fn add(
        &mut self,
        (object, shape, local): (ObjectId, &Shape, Option<Pose>),
        colors: &Colors,
        cache: &mut GeometryCache,
    ) {
        if let Some(capsule) = shape.as_stadium().filter(|_| self.is_flat) {
            if let Ok((outline, _)) = Shape::polygon(&stadium_outline(capsule), 0.0) {
                self.add((object, &outline, local), colors, cache);
            }
            return;
        }
        let form = match shape {
            Shape::Sphere { radius } if self.is_flat => {
                let (disc, pose) = disc(*radius, local.unwrap_or(Pose::IDENTITY));
                return self.add((object, &disc, Some(pose)), colors, cache);
            }
            Shape::Mesh(_) if self.is_flat => {
                for segment in chain_lines(shape) {
                    let line = Shape::Segment(segment);
                    self.add((object, &line, local), colors, cache);
                }
                return;
            }
            Shape::Sphere { radius } => PartForm::Sphere(*radius as f32),
            Shape::Capsule(capsule) => PartForm::Capsule(*capsule),
            Shape::Segment(segment) => PartForm::Segment(*segment),
            Shape::Plane(plane) => {
                let geometry = self.index_of(&cache.form(Form::Quad));
                PartForm::Plane(geometry, *plane)
            }
            Shape::Triangle(triangle) => {
                let geometry = self.index_of(&cache.form(Form::Triangle));
                PartForm::Triangle(geometry, Box::new([triangle.a, triangle.b, triangle.c]))
            }
            Shape::Compound(compound) => {
                for part in compound.parts() {
                    self.add((object, &part.shape, Some(part.pose)), colors, cache);
                }
                return;
            }
            Shape::Box { .. } | Shape::Solid(_) | Shape::Mesh(_) => {
                let Some((geometry, scale)) = cache.shape(shape) else {
                    return;
                };
                PartForm::Mesh(self.index_of(&geometry), scale)
            }
        };
        let color = match form {
            PartForm::Segment(_) => colors.line,
            _ => colors.fill,
        };
        self.parts.push(Part {
            object,
            local: local.map(Box::new),
            color,
            fixed: colors.fixed,
            is_mesh: matches!(shape, Shape::Mesh(_)),
            is_open: matches!(shape, Shape::Mesh(mesh) if mesh.winding().is_none()),
            form,
        });
    }

    /// The patch of a plane that is nearest to the level: its centre and its axes.
    fn patch(&self, plane: &Plane) -> Option<(DVec3, [DVec3; 3])> {
        let (center, radius) = self.bounds;
        let half = (radius * 2.5).clamp(1.0, 1e6);
        let [a, b, c, d] = plane_patch(plane, center, half)?;
        let (u, v) = ((b - a) * 0.5, (d - a) * 0.5);
        Some(((a + c) * 0.5, [u, v, u.cross(v)]))
    }

    /// Moves an instance of a flat level behind the plane, fixed bodies behind the others, as a sheet.
    fn as_sheet(&self, part: &Part, (center, axes): (DVec3, [DVec3; 3])) -> (DVec3, [DVec3; 3]) {
        if !self.is_flat {
            return (center, axes);
        }
        let thin = SHEET * self.bounds.1;
        // Bodies that overlap do not flicker: each has a place of its own.
        let own = f64::from(part.object % 512) / 1024.0;
        let layer = if part.fixed { 2.0 } else { 1.0 };
        let axes = axes.map(|axis| match axis.z.abs() > axis.truncate().length() {
            true => DVec3::Z * (0.1 * thin).copysign(axis.z),
            false => axis,
        });
        (center.with_z(-(layer + own) * thin), axes)
    }

    fn index_of(&mut self, geometry: &Arc<Geometry>) -> usize {
        // From the end: neighbours often share a geometry.
        let known = self
            .geometries
            .iter()
            .rposition(|known| Arc::ptr_eq(known, geometry));
        known.unwrap_or_else(|| {
            self.geometries.push(Arc::clone(geometry));
            self.geometries.len() - 1
        })
    }

    /// Adds the shown bodies with their poses at the playhead, relative to an origin. `cut` are those that the section cuts open;
    /// with `colors` these replace their own.
    pub fn draw(
        &mut self,
        input: &ViewportInput<'_>,
        origin: DVec3,
        looks: (&[ObjectId], Option<&ObjectColors>),
        list: &mut DrawList,
    ) {
        if input.layers.get(Layer::Shapes) == Show::None {
            return;
        }
        let threads = self.parts.len().div_ceil(PARTS_PER_THREAD);
        let threads = threads.clamp(1, rayon::current_num_threads());
        let mut others = std::mem::take(&mut self.others);
        others.resize_with(threads - 1, DrawList::default);
        let draw = |parts: &[Part], list: &mut DrawList| {
            for geometry in &self.geometries {
                list.add_batch(geometry);
            }
            self.draw_parts(parts, input, looks, &mut PartWriter { origin, list });
        };
        let mut shares = self.parts.chunks(self.parts.len().div_ceil(threads).max(1));
        let own = shares.next().unwrap_or_default();
        // Not in the pool, whose threads may be busy for longer than a frame.
        thread::scope(|scope| {
            for (parts, other) in shares.zip(&mut others) {
                scope.spawn(move || {
                    other.restart();
                    draw(parts, other);
                });
            }
            draw(own, list);
        });
        for other in &mut others {
            list.append(other);
        }
        self.others = others;
    }

    fn draw_parts(
        &self,
        parts: &[Part],
        input: &ViewportInput<'_>,
        (cut, colors): (&[ObjectId], Option<&ObjectColors>),
        writer: &mut PartWriter<'_>,
    ) {
        let show = input.layers.get(Layer::Shapes);
        for part in parts {
            let is_out = show == Show::Selected && !input.selection.contains(part.object);
            let is_lines = part.is_mesh && !input.layers.mesh_view.is_opaque();
            if is_out || is_lines || input.visibility.hides(part.object) {
                continue;
            }
            let Some(pose) = input.pose(part.object) else {
                continue;
            };
            let pose = part.local.as_ref().map_or(pose, |local| pose.then(local));
            let flags = BodyFlags {
                fixed: part.fixed,
                cut: cut.contains(&part.object),
                open: part.is_open,
                marks_back: part.is_mesh && input.layers.mesh_view == MeshView::BackFaces,
            };
            let color = match colors {
                Some(colors) if part.fixed && !input.layers.color_by.is_of_findings() => {
                    bytes(subdued(colors.of(part.object), self.palette, SUBDUED))
                }
                Some(colors) => bytes(rgba(colors.of(part.object), 1.0)),
                None => part.color,
            };
            writer.add(self, part, &pose, part.flagged(color, flags));
        }
    }
}

/// Adds posed parts to a draw list.
struct PartWriter<'l> {
    origin: DVec3,
    list: &'l mut DrawList,
}

impl PartWriter<'_> {
    fn local(&self, world: DVec3) -> [f32; 3] {
        (world - self.origin).as_vec3().to_array()
    }

    fn add(&mut self, shapes: &LevelShapes, part: &Part, pose: &Pose, color: Rgba8) {
        match &part.form {
            PartForm::Sphere(radius) => self.list.spheres.push(SphereInstance {
                center: self.local(pose.position),
                radius: *radius,
                color,
            }),
            PartForm::Capsule(capsule) => self.list.capsules.push(CapsuleInstance {
                a: self.local(pose.point(capsule.segment.a)),
                radius: capsule.radius as f32,
                b: self.local(pose.point(capsule.segment.b)),
                color,
            }),
            PartForm::Mesh(geometry, scale) => {
                let transform = instance_transform(&shapes.geometries[*geometry], *scale, pose);
                let transform = shapes.as_sheet(part, transform);
                let instance = self.instance(transform, color);
                self.list.meshes[*geometry].instances.push(instance);
            }
            PartForm::Triangle(geometry, corners) => {
                let [a, b, c] = corners.each_ref().map(|corner| pose.point(*corner));
                let (u, v) = (b - a, c - a);
                let instance = self.instance((a, [u, v, u.cross(v)]), color);
                self.list.meshes[*geometry].instances.push(instance);
            }
            PartForm::Segment(segment) => {
                let [a, b] = [segment.a, segment.b].map(|end| pose.point(end));
                self.line(a, b, (color, 3.0));
                self.line(a, a, (color, 5.0));
                self.line(b, b, (color, 5.0));
            }
            PartForm::Plane(geometry, plane) => {
                if let Some(transform) = shapes.patch(&plane.transformed(pose)) {
                    let instance = self.instance(transform, color);
                    self.list.meshes[*geometry].instances.push(instance);
                }
            }
        }
    }

    fn instance(&self, (center, axes): (DVec3, [DVec3; 3]), color: Rgba8) -> MeshInstance {
        MeshInstance {
            center: self.local(center),
            axes: axes.map(|axis| axis.as_vec3().to_array()),
            color,
        }
    }

    fn line(&mut self, a: DVec3, b: DVec3, (color, width): (Rgba8, f32)) {
        self.list.lines.push(Line {
            a: self.local(a),
            width,
            b: self.local(b),
            occluded_alpha: 0.0,
            color_a: color,
            color_b: color,
            dash: 0.0,
        });
    }
}

/// The colours of an object.
struct Colors {
    fill: Rgba8,
    line: Rgba8,
    fixed: bool,
}

impl Colors {
    fn of(object: &Object, palette: &Palette) -> Self {
        let color = palette.object(object);
        let fixed = object.movement == Movement::Fixed;
        // One colour for all, so that only the light distinguishes floors from walls.
        let fill = match fixed && object.color.is_none() {
            true => subdued(color, palette, SUBDUED),
            false => rgba(color, 1.0),
        };
        Self {
            fill: bytes(fill),
            line: bytes(rgba(color, 1.0)),
            fixed,
        }
    }
}

/// A colour mixed with the background.
fn subdued(color: Color32, palette: &Palette, fraction: f32) -> Rgba {
    let background = rgba(palette.background, 1.0);
    mix(rgba(color, 1.0), background, fraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::selection::Selection;
    use crate::app::test_levels::{level, sphere, wall};
    use crate::app::view_state::Layers;
    use crate::core::shape::HeightField;

    /// The draw list of a ball, a wall and a mesh around a position.
    #[test]
    fn many_bodies_are_drawn_in_order() {
        let count = 3 * PARTS_PER_THREAD / 2;
        let at = |index: usize| DVec3::X * index as f64;
        let replay = level(
            0.5,
            (0..count).map(|index| sphere("", 0.5, at(index), DVec3::ZERO)),
        );
        let spheres = list_of(&replay, |_| DVec3::ZERO).spheres;
        let centers = spheres.iter().map(|sphere| f64::from(sphere.center[0]));
        assert!(centers.eq((0..count).map(|index| index as f64)));
    }

    fn drawn(position: DVec3) -> DrawList {
        let field = HeightField {
            heights: vec![vec![0.0, 1.0], vec![2.0, 3.0]],
            cell: [1.0, 1.0],
        };
        let mesh = Shape::Mesh(Arc::new(field.mesh(100).expect("a mesh")));
        let replay = level(
            0.5,
            [
                sphere("ball", 0.5, position - DVec3::X, DVec3::X),
                wall("wall", DVec3::ONE, position + DVec3::X),
                Object::new("hill", mesh, position - DVec3::Y),
            ],
        );
        list_of(&replay, LevelShapes::center)
    }

    /// The start of a level, drawn relative to an origin.
    fn list_of(replay: &Arc<Replay>, origin: impl Fn(&LevelShapes) -> DVec3) -> DrawList {
        let palette = Palette::of(&egui::Visuals::dark());
        let mut shapes = LevelShapes::new(replay, palette, &mut GeometryCache::default());
        let origin = origin(&shapes);
        drawn_at(&mut shapes, replay, origin)
    }

    fn drawn_at(shapes: &mut LevelShapes, replay: &Arc<Replay>, origin: DVec3) -> DrawList {
        let (selection, layers) = (Selection::default(), Layers::default());
        let frame = replay.frame(0);
        let input = ViewportInput::of_level(replay, &frame, &selection, &layers);
        let mut list = DrawList::default();
        shapes.draw(&input, origin, (&[], None), &mut list);
        list
    }

    /// Version by version, one object is changed; its bodies are those of a list that is made anew.
    #[test]
    fn an_edit_changes_the_bodies_of_its_object_alone() {
        let objects =
            |count: usize| (0..count).map(|at| wall("", DVec3::ONE, DVec3::X * at as f64));
        let palette = Palette::of(&egui::Visuals::dark());
        let first = level(0.5, objects(600));
        let mut cache = GeometryCache::default();
        let mut shapes = LevelShapes::new(&first, palette, &mut cache);
        let mut now = first.scene().objects.clone();
        let ball = Shape::Sphere { radius: 0.5 };
        let sensor = |object: &mut Object| object.sensor = true;
        type Change<'c> = &'c dyn Fn(&mut Object);
        let changes: [(Change<'_>, bool); 4] = [
            (&|object| object.pose.position.y = 3.0, true),
            (&|object| object.shape = ball.clone(), true),
            (&|object| object.color = Some([200, 10, 10]), true),
            (&sensor, false),
        ];
        for (number, (change, follows)) in changes.into_iter().enumerate() {
            let edited = [10, 299, 300][number % 3];
            change(&mut now[edited]);
            let replay = level(0.5, now.iter().cloned());
            assert_eq!(shapes.follow(&replay, &mut cache), follows);
            if follows {
                let list = drawn_at(&mut shapes, &replay, DVec3::ZERO);
                let anew = list_of(&replay, |_| DVec3::ZERO);
                assert_eq!(list.spheres, anew.spheres);
                let instances = |list: &DrawList| -> Vec<MeshInstance> {
                    let batches = list.meshes.iter();
                    batches.flat_map(|batch| batch.instances.clone()).collect()
                };
                assert_eq!(instances(&list), instances(&anew));
            }
        }
        assert!(!shapes.follow(&level(0.5, objects(599)), &mut cache));
    }

    #[test]
    fn a_distant_level_is_drawn_like_one_at_the_origin() {
        let (near, far) = (drawn(DVec3::ZERO), drawn(DVec3::splat(f64::from(1 << 24))));
        assert_eq!(near.spheres.len(), 1);
        assert_eq!(near.spheres, far.spheres);
        assert_eq!(near.meshes.len(), 2, "the box and the mesh");
        for (near, far) in near.meshes.iter().zip(&far.meshes) {
            assert_eq!(near.instances, far.instances);
            assert_eq!(near.instances.len(), 1);
        }
    }
}
