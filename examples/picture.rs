//! Draws one moment of a level without a display: `picture OUT.ppm [light] [FILE FRAME FRACTION]`.

use glam::{DQuat, DVec2, DVec3};
use hitstop::app::selection::Selection;
use hitstop::app::theme::Palette;
use hitstop::app::view_state::{Layer, Layers, Playhead, Show};
use hitstop::app::viewport::orbit::Orbit;
use hitstop::app::viewport::renderer::software;
use hitstop::app::viewport::{Moment, level_bounds, picture};
use hitstop::core::query::{Contact, Feature, Impact};
use hitstop::core::replay::{BodyState, Frame, FrameState, Leg, Phase, Replay};
use hitstop::core::scene::{Movement, Object, Scene};
use hitstop::core::shape::{Capsule, Facing, Mesh, Motion, Plane, Pose, Segment, Shape, Triangle};
use std::sync::Arc;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let out = args.get(1).cloned().unwrap_or("picture.ppm".into());
    let light = args.iter().any(|a| a == "light");
    let palette = if light { &Palette::LIGHT } else { &Palette::DARK };
    let many = args.iter().any(|a| a == "many");
    let (objects, ends) = if many { crowd() } else { showcase() };
    let scene = Arc::new(Scene { objects: objects.clone(), ..empty() });
    let replay = Replay::stepped(scene);
    let frame = frame(&objects, &ends);
    let mut selection = Selection::default();
    if !many { selection.set([4]); }
    let mut layers = Layers::default();
    layers.set(Layer::Trails, Show::None);
    if !many {
        layers.set(Layer::Ghosts, Show::Selected);
        layers.set(Layer::SweptVolumes, Show::All);
    }
    let moment = Moment {
        replay: &replay, frame: &frame,
        playhead: Playhead { frame: 0, fraction: 0.3 },
        selection: &selection, layers: &layers, finding: None,
    };
    let size = DVec2::new(900.0, 600.0);
    let orbit = Orbit { yaw: 0.5, pitch: -0.35, ..Orbit::default() }
        .framing(level_bounds(&moment).unwrap(), size);
    let t = std::time::Instant::now();
    let picture = picture(&moment, &orbit, size, palette);
    let t2 = std::time::Instant::now();
    let bytes = software::render(&picture, 900, 600);
    let t3 = std::time::Instant::now();
    let again = software::render(&picture, 900, 600);
    eprintln!("compose {:?} render {:?} again {:?}; {} balls {} blocks {} tris {} shells {} lines", t2 - t, t3 - t2, t3.elapsed(),
        picture.balls.len(), picture.blocks.len(), picture.triangles.len()/3, picture.shells.len()/3, picture.lines.len());
    assert_eq!(bytes, again);
    let mut ppm = b"P6 900 600 255\n".to_vec();
    ppm.extend(bytes.chunks(4).flat_map(|p| p[..3].to_vec()));
    std::fs::write(out, ppm).unwrap();
}

fn empty() -> Scene {
    Scene { name: "x".into(), notes: String::new(), units: Default::default(), dt: 1.0/60.0, frames: 1, gravity: DVec3::ZERO,
        detection: Default::default(), response: Default::default(), objects: vec![], camera: None, recording: None, bookmarks: vec![], expect: vec![] }
}

fn crowd() -> (Vec<Object>, Vec<DVec3>) {
    let mut o = vec![];
    for i in 0..10000 {
        let (x, y, z) = (i % 25, i / 25 % 16, i / 400);
        let p = DVec3::new(f64::from(x) - 12.0, f64::from(y) + 0.5, f64::from(z) - 12.0);
        let shape = if i % 2 == 0 { Shape::Sphere { radius: 0.35 } } else { Shape::Box { half_extents: DVec3::splat(0.3) } };
        o.push(Object::new(format!("o{i}"), shape, p));
    }
    let n = o.len();
    (o, vec![DVec3::ZERO; n])
}

fn showcase() -> (Vec<Object>, Vec<DVec3>) {
    let mut o = vec![];
    let mut d = vec![];
    let mut add = |mut ob: Object, m: Movement, disp: DVec3| { ob.movement = m; o.push(ob); d.push(disp); };
    add(Object::new("floor", Shape::Box { half_extents: DVec3::new(6.0, 0.1, 4.0) }, DVec3::new(0.0, -0.1, 0.0)), Movement::Fixed, DVec3::ZERO);
    add(Object::new("wall", Shape::Box { half_extents: DVec3::new(0.05, 1.2, 2.0) }, DVec3::new(1.0, 1.2, 0.0)), Movement::Fixed, DVec3::ZERO);
    add(Object::new("capsule", Shape::Capsule(Capsule { segment: Segment { a: DVec3::new(-0.4, 0.0, 0.0), b: DVec3::new(0.4, 0.3, 0.0) }, radius: 0.25 }), DVec3::new(-3.5, 0.5, 2.0)), Movement::Kinematic, DVec3::ZERO);
    add(Object::new("crate", Shape::Box { half_extents: DVec3::splat(0.4) }, DVec3::new(-2.5, 0.4, -1.5)), Movement::Velocity, DVec3::new(1.2, 0.6, -0.4));
    add(Object::new("ball", Shape::Sphere { radius: 0.3 }, DVec3::new(-1.2, 1.0, 0.3)), Movement::Velocity, DVec3::new(4.0, 0.2, 0.2));
    for i in 0..6 { add(Object::new(format!("b{i}"), Shape::Sphere { radius: 0.25 }, DVec3::new(3.0 + f64::from(i % 3) * 0.52, 0.25 + f64::from(i / 3) * 0.45, 1.5)), Movement::Velocity, DVec3::ZERO); }
    let mut sensor = Object::new("sensor", Shape::Box { half_extents: DVec3::new(0.7, 0.6, 0.7) }, DVec3::new(4.0, 0.6, -2.0)); sensor.sensor = true;
    add(sensor, Movement::Fixed, DVec3::ZERO);
    let tri = Triangle { a: DVec3::ZERO, b: DVec3::X, c: DVec3::new(0.5, 1.0, 0.3), facing: Facing::Both };
    add(Object::new("tri", Shape::Triangle(tri), DVec3::new(-4.5, 0.0, -2.5)), Movement::Fixed, DVec3::ZERO);
    let mesh = Mesh::new(vec![DVec3::new(0.0,1.2,0.0), DVec3::new(1.0,0.0,0.0), DVec3::new(0.0,0.0,1.0), DVec3::new(-1.0,0.0,0.0), DVec3::new(0.0,0.0,-1.0)],
        vec![[0,2,1],[0,3,2],[0,4,3],[0,1,4],[1,2,3],[1,3,4]], Facing::Both).unwrap();
    add(Object::new("pyramid", Shape::Mesh(Arc::new(mesh)), DVec3::new(-0.5, 0.0, 2.8)), Movement::Fixed, DVec3::ZERO);
    add(Object::new("ground", Shape::Plane(Plane { normal: DVec3::Y, offset: -0.5 }), DVec3::ZERO), Movement::Fixed, DVec3::ZERO);
    add(Object::new("nan", Shape::Sphere { radius: 1.0 }, DVec3::NAN), Movement::Velocity, DVec3::ZERO);
    let mut rot = Object::new("rod", Shape::Box { half_extents: DVec3::new(0.5, 0.08, 0.08) }, DVec3::new(2.4, 0.6, -2.6));
    rot.pose.rotation = DQuat::from_rotation_z(0.6);
    add(rot, Movement::Velocity, DVec3::ZERO);
    (o, d)
}

fn frame(objects: &[Object], disp: &[DVec3]) -> Frame {
    let body = |pose: Pose| Some(BodyState { pose, velocity: None, spin: None, asleep: false, teleported: false });
    let end = |o: &Object, d: &DVec3| Pose { position: o.pose.position + *d, rotation: o.pose.rotation };
    let impact = Impact { fraction: 0.48, point: DVec3::new(0.95, 1.1, 0.4), normal: DVec3::NEG_X, feature_a: Feature::Round, feature_b: Feature::Face(0), triangle: None };
    let contact = Contact { point: DVec3::new(-1.3, 0.5, -1.9), normal: DVec3::Y, depth: 0.3, feature_a: Feature::Round, feature_b: Feature::Round, triangle: None, fallback: false, via_bounding_sphere: false };
    Frame {
        number: 0, dt: 1.0 / 60.0,
        start: Arc::new(FrameState { bodies: objects.iter().map(|o| body(o.pose)).collect() }),
        end: Arc::new(FrameState { bodies: objects.iter().zip(disp).map(|(o, d)| body(end(o, d))).collect() }),
        legs: objects.iter().zip(disp).map(|(o, d)| vec![Leg { from: 0.0, to: 1.0, motion: Motion { start: o.pose, end: end(o, d) } }]).collect(),
        phases: vec![Phase::Start,
            Phase::Sweep { impacts: if objects.len() < 100 { vec![(1, 4, impact)] } else { vec![] } },
            Phase::Push { number: 1, of: 2, at: 1.0, object: 3, against: Some(0), push: DVec3::Y * 0.3, before: DVec3::ZERO, after: DVec3::ZERO, contact: Some(contact) },
            Phase::End],
        camera: None, gave_up: false,
    }
}
