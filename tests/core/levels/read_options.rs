//! What the user says about files that do not say it themselves: columns, units, which animation.

use super::animation::{document, node};
use glam::DVec3;
use hitstop::core::level::{self, FileChoice, Level, ReadOptions};
use hitstop::core::log::Column;
use hitstop::core::problem::Problems;
use hitstop::core::scene::{Axis, DiskFolder};
use std::path::Path;

fn columns(names: &str) -> ReadOptions {
    ReadOptions {
        columns: Some(names.parse().unwrap_or_else(|what| panic!("{what}"))),
        ..ReadOptions::default()
    }
}

fn open_file(path: &Path, options: &ReadOptions) -> Result<Level, Problems> {
    level::open_with(path, options, &DiskFolder::of(path), &())
}

fn open(name: &str, text: &str, options: &ReadOptions) -> Result<Level, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    open_file(&path, options).map_err(|problems| problems.to_string())
}

fn positions(level: &Level) -> [DVec3; 2] {
    [0, 1].map(|state| level.replay.state(state).body(0).unwrap().pose.position)
}

/// A ball at x = 1, 3 m, y = 2 m and z = 0, every 20 ms.
const WANTED: [DVec3; 2] = [DVec3::new(1.0, 2.0, 0.0), DVec3::new(3.0, 2.0, 0.0)];

#[test]
fn columns_are_read_by_the_given_names() {
    for (names, text) in [
        (
            "px=east,py=up,pz=north,time=clock",
            "clock,east,up,north\n0,1,2,0\n0.02,3,2,0\n",
        ),
        // With the unit of the heading, in brackets or at its end.
        (
            "px=east,py=up_cm,pz=north",
            "time,east (cm),up_cm,north [cm]\n0,100,200,0\n0.02,300,200,0\n",
        ),
        // Another column of the same name is not read.
        (
            "px=true x",
            "time,px,true x,py,pz\n0,9,1,2,0\n0.02,9,3,2,0\n",
        ),
        ("time,px,py,pz", "0,1,2,0\n0.02,3,2,0\n"),
        ("time,,px,py,pz", "0,a,1,2,0\n0.02,a,3,2,0\n"),
        (
            "time (ms),ball_x (cm),ball_y (cm),ball_z (cm)",
            "0;100,0;200,0;0\n20;300,0;200,0;0\n",
        ),
        ("time,px,py,pz", "0 1 2 0\n0.02 3 2 0\n"),
        // They replace the names of the file.
        ("time,px,py,pz", "a,b,c,d\n0,1,2,0\n0.02,3,2,0\n"),
    ] {
        let level = open("run.csv", text, &columns(names)).unwrap();
        assert_eq!(positions(&level), WANTED, "{names}: {text}");
        assert!((level.replay.dt(0) - 0.02).abs() < 1e-9, "{names}: {text}");
    }
}

/// The beginning of a heading may be no name: which columns are of which body is said.
#[test]
fn columns_of_the_bodies_of_a_wide_table_are_named() {
    let text = "time,first x,first y,first z,team_x,radius\n0,1,2,0,7,1\n0.02,3,2,0,7,1\n";
    let level = open("run.csv", text, &ReadOptions::default()).unwrap();
    assert_eq!(level.replay.objects()[0].name, "first");
    for said in [
        "first (`first x`, `first y`, `first z`)",
        "unknown columns are ignored: `team_x`",
        "columns of no body are ignored: `radius`",
    ] {
        let found = level.notices.iter().find(|it| it.what.contains(said));
        assert!(found.is_some(), "{said}: {:?}", level.notices);
    }
}

/// What is chosen for the columns in the window is read as `--columns` is.
#[test]
fn columns_are_chosen_by_a_preview() {
    use Column::{Name, Px, Py, Pz, Time};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.csv");
    let choice = |text: &str| {
        std::fs::write(&path, text).unwrap();
        match FileChoice::of(&path) {
            Some(choice @ FileChoice::Columns(_)) => choice,
            _ => panic!("it is a table: {text}"),
        }
    };
    let rows: String = (0..20).map(|row| format!("{row},{row},2,0,b\n")).collect();
    for known in [
        "time,x,y,z,name\n0,1,2,0,b\n",
        "time,ball_x,ball_y\n0,1,2\n",
    ] {
        assert!(choice(known).is_settled(None), "{known}");
    }
    for (text, guess, wanted) in [
        // The guess is that of the error's help.
        (
            format!("sim clock,accel x,accel y,accel z,actor type\n{rows}"),
            [Some(Time), Some(Px), Some(Py), Some(Pz), Some(Name)],
            [Some(Time), Some(Px), Some(Py), Some(Pz), Some(Name)],
        ),
        (
            format!("clock,east,up,north,it\n{rows}"),
            [Some(Time), None, None, None, None],
            [Some(Time), Some(Px), Some(Py), Some(Pz), None],
        ),
        (
            rows.clone(),
            [None; 5],
            [Some(Time), Some(Px), Some(Py), Some(Pz), Some(Name)],
        ),
    ] {
        let choice = choice(&text);
        assert!(!choice.is_settled(None), "{text}");
        let FileChoice::Columns(preview) = &choice else {
            unreachable!()
        };
        assert_eq!(preview.chosen(&choice.guess()), guess, "{text}");
        let options = ReadOptions {
            columns: preview.names(&wanted),
            ..ReadOptions::default()
        };
        assert_eq!(preview.chosen(&options), wanted, "{text}");
        assert!(choice.is_settled(Some(&options)), "{text}");
        assert_eq!(preview.rows().count(), 10);
        assert_eq!(preview.read(&options).unwrap().frames.len(), 10);
        let level = open_file(&path, &options).unwrap();
        let states = [0, 19].map(|state| level.replay.state(state).body(0).unwrap().pose.position);
        assert_eq!(
            states,
            [0.0, 19.0].map(|x| DVec3::new(x, 2.0, 0.0)),
            "{text}"
        );
    }
    // A cell that is not a number shows before the file is read.
    let choice = choice("clock,x,y,z\n0,one,2,0\n");
    let FileChoice::Columns(preview) = &choice else {
        unreachable!()
    };
    let found = preview.read(&choice.guess()).unwrap_err().to_string();
    assert!(found.contains("px is `one`"), "{found}");
}

#[test]
fn wrong_names_of_columns_are_errors() {
    let text = "time,east,up,north\n0,1,2,0\n";
    let found = open("run.csv", text, &columns("px=eats")).unwrap_err();
    assert!(
        found.contains("`eats`, which is not a column") && found.contains("did you mean `east`"),
        "{found}"
    );
    let found = open("run.csv", "0,1,2\n", &columns("time,px,py,pz")).unwrap_err();
    assert!(
        found.contains("4 columns, and the first row has 3"),
        "{found}"
    );
    let wrong = |names: &str| {
        names
            .parse::<hitstop::core::log::ColumnNames>()
            .unwrap_err()
    };
    assert!(wrong("pq=a").contains("unknown column `pq`"));
    assert!(wrong("px=a,b").contains("`b` has no heading"));
}

/// 100 units up along Z are a metre up along Y.
#[test]
fn units_and_the_axis_that_points_up_hold_for_meshes_and_tables() {
    let options = ReadOptions {
        unit: Some(0.01),
        up: Some(Axis::Z),
        ..ReadOptions::default()
    };
    let obj = "v 0 0 100\nv 100 0 100\nv 0 200 100\nf 1 2 3\n";
    let level = open("level.obj", obj, &options).unwrap();
    let object = &level.replay.objects()[0];
    let bounds = object.shape.placed(&object.pose).aabb().unwrap();
    assert!(
        (bounds.min - DVec3::new(0.0, 1.0, -2.0)).length() < 1e-9,
        "{bounds:?}"
    );
    assert!(
        (bounds.max - DVec3::new(1.0, 1.0, 0.0)).length() < 1e-9,
        "{bounds:?}"
    );
    // A heading with a unit keeps it.
    let text = "time,x,y,z (m)\n0,100,0,2\n0.02,300,0,2\n";
    let level = open("run.csv", text, &options).unwrap();
    assert_eq!(positions(&level), WANTED);
}

#[test]
fn options_without_an_effect_have_a_notice() {
    let options = ReadOptions {
        unit: Some(0.01),
        animation: Some("walk".into()),
        ..columns("px=x")
    };
    let notices = |name: &str, text: &str| {
        let level = open(name, text, &options).unwrap();
        let notices = level.notices.iter().map(|notice| notice.what.clone());
        notices.collect::<Vec<_>>().join("; ")
    };
    let log = "{\"hitstop\":1,\"dt\":0.1,\"objects\":[{\"id\":1,\"shape\":{\"sphere\":{\"radius\":1}}}]}\n\
        {\"frame\":0,\"bodies\":[{\"id\":1,\"p\":[0,0,0]}]}\n";
    let found = notices("run.jsonl", log);
    assert!(
        found.contains("--columns, --unit, --animation says nothing"),
        "{found}"
    );
    let found = notices("run.csv", "time,x,y,z\n0,1,2,0\n");
    assert!(found.contains("--animation says nothing"), "{found}");
    let found = notices("level.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert!(
        found.contains("--columns, --animation says nothing"),
        "{found}"
    );
}

/// "the log has no frame" came first once, and why not below it.
#[test]
fn the_first_line_of_an_error_is_its_cause() {
    let header = "{\"hitstop\":1,\"dt\":0.1,\"objects\":[]}\n";
    for (name, text, cause) in [
        (
            "run.csv",
            "time,x,y,z,score\n0,one,2,0,7\n".to_owned(),
            "px is `one`",
        ),
        (
            "run.jsonl",
            format!("{header}{{\"frame\": nothing}}\n{{\"frame\": nothing}}\n"),
            "run.jsonl:2:",
        ),
    ] {
        let found = open(name, &text, &ReadOptions::default()).unwrap_err();
        let first = found.lines().next().unwrap();
        assert!(first.contains(cause), "{found}");
        assert!(found.contains("the log has no frame"), "{found}");
    }
    let found = open("run.csv", "time,x,y,z\n", &ReadOptions::default()).unwrap_err();
    assert!(
        found
            .lines()
            .next()
            .unwrap()
            .contains("the log has no frame"),
        "{found}"
    );
}

/// The names and lengths of a file's animations, and the one to start with.
fn choice(path: &Path) -> (Vec<(String, f64)>, Option<String>) {
    match FileChoice::of(path) {
        Some(choice @ FileChoice::Animation { .. }) => {
            assert!(!choice.is_settled(None));
            assert!(choice.is_settled(Some(&choice.guess())));
            let guess = choice.guess().animation;
            let FileChoice::Animation { clips, .. } = choice else {
                unreachable!()
            };
            let clips = clips.into_iter().map(|clip| (clip.name, clip.seconds));
            (clips.collect(), guess)
        }
        _ => panic!("it has several animations"),
    }
}

/// Exporters write an animation for each body of a simulation; the first of those of one body is the one to start with.
#[test]
fn animations_are_chosen_unless_each_moves_other_nodes() {
    let to = |x: f64| vec![0.0, 0.0, 0.0, x, 0.0, 0.0];
    let keys = |node: usize, end: f64| (node, "translation", "LINEAR", vec![0.25, end], to(1.0));
    let nodes = ["a", "b"].map(|name| node(name, 0, ""));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.gltf");
    std::fs::write(&path, document(&nodes, &[keys(0, 0.5), keys(1, 1.0)])).unwrap();
    let clips = [("0".to_owned(), 0.25), ("1".to_owned(), 0.75)];
    assert_eq!(choice(&path), (clips.to_vec(), None));
    std::fs::write(&path, document(&nodes, &[keys(0, 0.5), keys(0, 1.0)])).unwrap();
    assert_eq!(choice(&path), (clips.to_vec(), Some("0".to_owned())));
    std::fs::write(&path, document(&nodes, &[keys(0, 0.5)])).unwrap();
    assert!(FileChoice::of(&path).is_none());
}
