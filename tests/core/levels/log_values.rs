//! Single values of logs that are read, replaced with a notice, or told to be lost.

use crate::common::levels::{add_frame, ball, bodies_of, fixed, opened, recording_of, scene_of};
use glam::DVec3;
use hitstop::core::level::{self, Level};
use hitstop::core::log::{self, Format};
use hitstop::core::problem::Problems;
use hitstop::core::replay::{Body, Recording};
use hitstop::core::scene::{self, Axis, MemoryFolder, Movement, Object, Units, UserUnits};
use hitstop::core::shape::{Pose, Shape};

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
    for time in ["inf", "-inf", "NaN", ""] {
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
        assert_eq!(recording.unread, 1, "{time}");
    }
}

/// The second row has the time of the first.
#[test]
fn a_time_that_does_not_rise_has_a_notice() {
    let text =
        "frame,time,name,x,y,z,radius\n0,0.5,ball,0,0,0,1\n1,0.5,ball,0,0,0,1\n2,1,ball,0,0,0,1\n";
    let recording = read(Format::Csv, text).unwrap();
    let [notice] = &recording.notices[..] else {
        panic!("{:?}", recording.notices);
    };
    assert_eq!(notice.at.unwrap().line, 3);
    assert_eq!(notice.help, "times must rise");
}

/// A frame that some of its rows are read of is no gap.
#[test]
fn a_row_that_is_left_out_beside_a_whole_one_makes_no_gap() {
    for (row, gap) in [("1,a,0,0,0,1\n", false), ("", true)] {
        let text = format!(
            "frame,name,x,y,z,radius\n0,a,0,0,0,1\n0,b,9,0,0,1\n{row}1,b,?,0,0,1\n2,a,0,0,0,1\n2,b,9,0,0,1\n"
        );
        let recording = read(Format::Csv, &text).unwrap();
        let gaps = recording.frames.iter().any(|frame| frame.gap);
        assert_eq!(gaps, gap, "{row}");
    }
}

/// The ball of the scene has its radius from there, the other one from its first row.
#[test]
fn a_radius_that_changes_has_a_notice_unless_a_scene_gives_it() {
    let folder = MemoryFolder {
        files: [
            ("x.ron", "Scene(version: 1, recording: \"run.csv\", dt: 0.1, objects: [(name: \"ball\", shape: Sphere(radius: 0.5))])"),
            ("run.csv", "frame,name,x,y,z,radius\n0,ball,0,0,0,1\n0,other,9,0,0,1\n1,ball,0,0,0,2\n1,other,9,0,0,2\n"),
        ]
        .map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()))
        .into(),
    };
    let level = level::open_in(&folder, "x.ron", &()).unwrap();
    let whats: Vec<&str> = level.notices.iter().map(|it| it.what.as_str()).collect();
    assert_eq!(
        whats,
        ["the radius of \"other\" changes; its first one is kept"]
    );
}

/// A near plane and an aspect are above 0, a field of view is between 0 and 180 degrees.
#[test]
fn a_lens_with_one_number_out_of_range_is_refused() {
    for (field, is_right) in [
        (r#""near":0.1,"fov":179,"aspect":2"#, true),
        (r#""near":0"#, false),
        (r#""fov":-1"#, false),
        (r#""fov":180"#, false),
        (r#""aspect":-2"#, false),
    ] {
        let text = format!(
            "{{\"hitstop\":1,\"dt\":0.5,\"lens\":{{{field}}},\"objects\":[{{\"id\":0,\"shape\":{{\"sphere\":{{\"radius\":1}}}}}}]}}\n\
             {{\"frame\":0,\"bodies\":[{{\"id\":0,\"p\":[0,0,0]}}]}}\n"
        );
        assert_eq!(read(Format::JsonLines, &text).is_ok(), is_right, "{field}");
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

#[test]
fn axes_that_a_csv_does_not_keep_are_told() {
    for (up, mirrored, lost) in [
        (Axis::Y, None, 0),
        (Axis::Z, None, 1),
        (Axis::Y, Some(Axis::Z), 1),
    ] {
        let units = Units {
            up,
            ..Units::default()
        };
        let recording = Recording {
            dt: 0.5,
            units: UserUnits { units, mirrored },
            ..Recording::default()
        };
        let losses = log::write(Format::Csv, &recording, &mut Vec::new()).unwrap();
        let axes = losses.iter().filter(|loss| loss.what.contains("the axes"));
        assert_eq!(axes.count(), lost, "{up:?} {mirrored:?}");
    }
}

/// Frames of 0.25 s, from the fourth on of 0.5 s; the fifth has a time of its own.
#[test]
fn a_csv_has_the_time_of_every_frame() {
    let mut recording = recording_of(0.25, vec![ball("ball", 1.0, DVec3::ZERO, DVec3::ZERO)]);
    for frame in 0..6 {
        let dt = if frame < 3 { 0.25 } else { 0.5 };
        let bodies = [Body::new(0, Pose::IDENTITY)];
        let added = add_frame(&mut recording, dt, bodies);
        added.time = (frame == 4).then_some(10.0);
    }
    let mut text = Vec::new();
    log::write(Format::Csv, &recording, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let times = text.lines().skip(1).map(|row| row.split(',').nth(1));
    let times: Vec<&str> = times.map(Option::unwrap).collect();
    assert_eq!(times, ["0", "0.25", "0.5", "1", "10", "10.5"]);
}

#[test]
fn an_object_of_no_layer_comes_back() {
    let object = Object {
        layer: 0,
        ..ball("ball", 1.0, DVec3::ZERO, DVec3::ZERO)
    };
    let mut recording = recording_of(0.5, vec![object]);
    add_frame(&mut recording, 0.5, [Body::new(0, Pose::IDENTITY)]);
    let mut text = Vec::new();
    log::write(Format::JsonLines, &recording, &mut text).unwrap();
    let again = read(Format::JsonLines, std::str::from_utf8(&text).unwrap()).unwrap();
    assert_eq!(again.objects[0].layer, 0);
}

/// The unit is 1000 m: 1e306 of it are beyond the numbers.
#[test]
fn a_shape_of_a_query_that_is_endless_in_metres_is_refused() {
    for (radius, lost) in [("1e300", 0), ("1e306", 1)] {
        let text = format!(
            "{{\"hitstop\":1,\"dt\":0.5,\"unit\":\"km\",\"objects\":[{{\"id\":0,\"shape\":{{\"sphere\":{{\"radius\":1}}}}}}]}}\n\
             {{\"frame\":0,\"bodies\":[{{\"id\":0,\"p\":[0,0,0]}}]}}\n\
             {{\"frame\":1,\"bodies\":[{{\"id\":0,\"p\":[0,0,0]}}],\"queries\":[{{\"kind\":\"sweep\",\"from\":[0,0,0],\"to\":[1,0,0],\"shape\":{{\"sphere\":{{\"radius\":{radius}}}}},\"hit\":null}}]}}\n"
        );
        let recording = read(Format::JsonLines, &text).unwrap();
        assert_eq!(notices(&recording).len(), lost, "{radius}");
    }
}

/// Files have the endings of logs and are none.
#[test]
fn results_are_told_from_logs_by_their_first_line() {
    let folder = tempfile::tempdir().unwrap();
    let result = r#"{"schema":1,"findings":[]}"#;
    for (name, text, is_result) in [
        ("result.jsonl", result, true),
        ("result.txt", result, false),
        ("run.jsonl", r#"{"hitstop":1,"objects":[]}"#, false),
        ("run.csv", "frame,name,x,y,z", false),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        assert_eq!(log::is_result(&path), is_result, "{name}");
    }
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
