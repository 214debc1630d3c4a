//! Single values of logs that are read, replaced with a notice, or told to be lost.

use crate::common::levels::{bodies_of, fixed, opened, scene_of};
use glam::DVec3;
use hitstop::core::level::{self, Level};
use hitstop::core::log::{self, Format};
use hitstop::core::problem::Problems;
use hitstop::core::replay::Recording;
use hitstop::core::scene::{self, Axis, MemoryFolder, Movement, Object, Units, UserUnits};
use hitstop::core::shape::Shape;

fn read(format: Format, text: &str) -> Result<Recording, Problems> {
    let folder = MemoryFolder::default();
    let size = text.len() as u64;
    log::read(format, text.as_bytes(), size, "run", None, &folder, &())
}

fn notices(recording: &Recording) -> Vec<&str> {
    let notices = recording.notices.iter();
    notices.map(|notice| notice.what.as_str()).collect()
}

/// 100 pixels are a metre, as in a log with pixels as its unit.
#[test]
fn a_column_may_have_a_unit() {
    for (unit, metres) in [("px", 2.5), ("cm", 2.5), ("mm", 0.25), ("km", 250_000.0)] {
        let text = format!("frame,name,x [{unit}],y,z\n0,ball,250,1,0\n1,ball,250,1,0\n");
        let recording = read(Format::Csv, &text).unwrap();
        assert_eq!(bodies_of(&recording)[0].pose.position.x, metres, "{unit}");
    }
}

#[test]
fn a_row_with_a_time_that_is_no_number_of_seconds_is_left_out() {
    for time in ["inf", "-inf", "NaN"] {
        let text = format!(
            "time,name,x,y,z,radius\n0,ball,0,0,0,1\n{time},ball,9,9,9,1\n1,ball,1,0,0,1\n"
        );
        let recording = read(Format::Csv, &text).unwrap();
        let places: Vec<f64> = (bodies_of(&recording).iter())
            .map(|body| body.pose.position.x)
            .collect();
        assert_eq!(places, [0.0, 1.0], "{time}");
        let [notice] = &recording.notices[..] else {
            panic!("{time}: {:?}", recording.notices);
        };
        assert_eq!(notice.at.unwrap().line, 3, "{time}");
    }
}

/// The header's 0.5 s stand for a step that is none.
#[test]
fn a_frame_with_a_step_that_is_not_above_zero_takes_the_one_of_the_header() {
    for (dt, is_valid) in [("0.25", true), ("-1", false), ("0", false), ("inf", false)] {
        let text = format!(
            "{{\"hitstop\":1,\"dt\":0.5,\"objects\":[{{\"id\":0,\"name\":\"ball\",\"shape\":{{\"sphere\":{{\"radius\":1}}}}}}]}}\n\
             {{\"frame\":0,\"bodies\":[{{\"id\":0,\"p\":[0,0,0]}}]}}\n\
             {{\"frame\":1,\"dt\":{dt},\"bodies\":[{{\"id\":0,\"p\":[0,0,0]}}]}}\n"
        );
        let recording = read(Format::JsonLines, &text).unwrap();
        let wanted = if is_valid { 0.25 } else { 0.5 };
        assert_eq!(recording.frames[1].dt, wanted, "{dt}");
        assert_eq!(notices(&recording).len(), usize::from(!is_valid), "{dt}");
    }
}

#[test]
fn an_object_with_a_blank_name_is_called_by_its_id() {
    for (name, wanted) in [("  ", "object 3"), ("", "object 3"), (" a", " a")] {
        let text = format!(
            "{{\"hitstop\":1,\"dt\":0.5,\"objects\":[{{\"id\":3,\"name\":\"{name}\",\"shape\":{{\"sphere\":{{\"radius\":1}}}}}}]}}\n\
             {{\"frame\":0,\"bodies\":[{{\"id\":3,\"p\":[0,0,0]}}]}}\n"
        );
        let recording = read(Format::JsonLines, &text).unwrap();
        assert_eq!(recording.objects[0].name, wanted);
    }
}

/// Three angles named like parts of a quaternion, without the fourth, are no rotation.
#[test]
fn columns_of_a_part_of_a_quaternion_are_ignored() {
    let text = "frame,name,x,y,z,rotation.x,rotation.y,rotation.z\n0,ball,1,2,3,10,20,30\n1,ball,1,2,3,10,20,30\n";
    let recording = read(Format::Csv, text).unwrap();
    let body = bodies_of(&recording)[0];
    assert_eq!(body.pose.position, DVec3::new(1.0, 2.0, 3.0));
    assert_eq!(body.pose.rotation, glam::DQuat::IDENTITY);
    let all = notices(&recording).join("\n");
    for name in ["rotation.x", "rotation.y", "rotation.z"] {
        assert!(all.contains(name), "{name}: {all}");
    }
}

/// A coordinate that is given twice could be either.
#[test]
fn a_coordinate_given_twice_is_refused() {
    for (point, is_right) in [
        ("(x: 1.0, y: 0.0, z: 0.0)", true),
        ("(x: 1.0, x: 2.0, y: 0.0, z: 0.0)", false),
        ("(x: 1.0, y: 0.0, z: 0.0, z: 0.0)", false),
    ] {
        let ball = format!("(name: \"ball\", shape: Sphere(radius: 0.5), position: {point})");
        let text = scene_of("dt: 0.1, frames: 3", &[&ball]);
        let read = scene::parse(&text, "scene.ron", &MemoryFolder::default());
        assert_eq!(read.is_ok(), is_right, "{point}");
    }
}

/// CSV has no place for any of these; a plain ball loses nothing.
#[test]
fn each_property_that_a_csv_leaves_out_is_told() {
    let plain = || Object::new("ball", Shape::Sphere { radius: 0.5 }, DVec3::ZERO);
    let losses = |objects: Vec<Object>| {
        let recording = Recording {
            dt: 0.5,
            objects,
            ..Recording::default()
        };
        let losses = log::write(Format::Csv, &recording, &mut Vec::new()).unwrap();
        losses.into_iter().map(|loss| loss.what).collect::<Vec<_>>()
    };
    assert_eq!(losses(vec![plain()]), Vec::<String>::new());
    type Change = fn(&mut Object);
    let changes: [(&str, Change); 14] = [
        ("mass", |it| it.mass = 2.0),
        ("layer", |it| it.layer = 2),
        ("mask", |it| it.mask = 1),
        ("sensor", |it| it.sensor = true),
        ("character", |it| it.character = true),
        ("one_way", |it| it.one_way = Some(DVec3::Y)),
        ("ccd", |it| it.ccd = Some(true)),
        ("scale", |it| it.scale = Some(DVec3::ONE)),
        ("color", |it| it.color = Some([1, 2, 3])),
        ("tags", |it| it.tags = vec!["a".into()]),
        ("part of a body", |it| it.body = Some("car".into())),
        ("ignore list", |it| it.ignores = vec!["b".into()]),
        ("line breaks", |it| it.name = "a\nb".into()),
        ("kinematic", |it| it.movement = Movement::Kinematic),
    ];
    for (word, change) in changes {
        let mut object = plain();
        change(&mut object);
        let all = losses(vec![object]);
        assert_eq!(all.len(), 1, "{word}: {all:?}");
        assert!(all[0].contains(word), "{word}: {all:?}");
    }
    let plane = Shape::Box {
        half_extents: DVec3::ONE,
    };
    assert_eq!(losses(vec![fixed("wall", plane, DVec3::ZERO)]).len(), 2);
}

/// Two columns are a flat level only where nothing says what the third is.
#[test]
fn a_scene_in_space_gives_a_csv_of_two_columns_the_third() {
    let is_flat = |level: &Level| level.replay.recording().unwrap().units.units.flat;
    let log = "frame,name,x,y\n0,ball,1,2\n1,ball,1,2\n";
    let level = opened("run.csv", log.to_owned());
    assert!(is_flat(&level));
    let folder = MemoryFolder {
        files: [
            ("x.ron", "Scene(version: 1, recording: \"run.csv\", objects: [(name: \"ball\", shape: Sphere(radius: 0.5), position: (0.0, 0.0, 7.0))])"),
            ("run.csv", log),
        ]
        .map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()))
        .into(),
    };
    let level = level::open_in(&folder, "x.ron", &()).unwrap();
    assert!(!is_flat(&level));
}

/// Left-handed axes that negate z: a spin about y is seen the other way around; one about z twice so, by its axis and by its sense.
#[test]
fn a_spin_in_left_handed_axes_turns_the_other_way() {
    for (mirrored, spin) in [(None, [1.0, 2.0, 3.0]), (Some(Axis::Z), [-1.0, -2.0, 3.0])] {
        let units = UserUnits {
            units: Units::default(),
            mirrored,
        };
        let ours = DVec3::new(1.0, 2.0, 3.0);
        assert_eq!(units.spin(ours).to_array(), spin);
        assert_eq!(units.our_spin(units.spin(ours)), ours);
    }
}
