//! Logs in Parquet: in several row groups, as tables of other programs, damaged.

use crate::common::levels::bodies_of;
use crate::common::random::Random;
use crate::common::rounds;
use bytes::Bytes;
use glam::DVec3;
use hitstop::convert::{Part, convert};
use hitstop::core::level::{self, FileChoice, Level, ReadOptions};
use hitstop::core::log::{self, Format, ParquetOutput};
use hitstop::core::problem::Problems;
use hitstop::core::replay::Recording;
use hitstop::core::scene::{DiskFolder, Engine, MemoryFolder};
use hitstop::prelude::*;
use parquet::basic::{Compression, ConvertedType, Repetition, Type};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, Int96};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type as SchemaType;
use std::sync::Arc;

fn read(bytes: &[u8]) -> Result<Recording, Problems> {
    let (length, folder) = (bytes.len() as u64, MemoryFolder::default());
    log::read(Format::Parquet, bytes, length, "run", None, &folder, &())
}

/// Three bodies for 2,500 frames: three row groups. Two bodies are added late, one frame has none.
fn recorded<W: log::LogOutput>(output: W) -> W {
    let engine = Engine {
        name: Some("box2d".into()),
        version: Some("3.1".into()),
        ..Engine::default()
    };
    let header = Header {
        engine,
        ..Header::default()
    };
    let mut recorder = Recorder::new(output, header).unwrap();
    let ball = |name: &str| Object::new(name, Shape::Sphere { radius: 0.5 }, DVec3::ZERO);
    let mut ids = vec![recorder.add_object(ball("a")).unwrap()];
    for frame in 0..2500_u32 {
        if frame == 700 || frame == 2200 {
            ids.push(recorder.add_object(ball(&format!("at {frame}"))).unwrap());
        }
        let place = DVec3::new(f64::from(frame).sin(), 0.1, f64::from(frame));
        let body = |id: &u32| Body::new(*id, Pose::at(place + DVec3::splat(f64::from(*id))));
        let mut bodies: Vec<Body> = ids.iter().map(body).collect();
        bodies.truncate(if frame == 1500 { 0 } else { bodies.len() });
        recorder.frame(f64::from(frame) / 60.0, &bodies).unwrap();
    }
    recorder.finish().unwrap()
}

fn recorded_table() -> Vec<u8> {
    recorded(ParquetOutput::new(Vec::new())).finish().unwrap()
}

#[test]
fn a_recorder_writes_the_same_log_as_a_table() {
    let text = recorded(Vec::new());
    let folder = MemoryFolder::default();
    let lines = log::read(Format::JsonLines, &*text, 0, "run", None, &folder, &()).unwrap();
    let bytes = recorded_table();
    assert!(
        bytes.len() * 3 < text.len(),
        "{} of {}",
        bytes.len(),
        text.len()
    );
    assert!(read(&bytes).unwrap() == lines);
    assert_eq!(lines.engine.version.as_deref(), Some("3.1"));
}

#[test]
fn files_are_converted_and_opened() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("run.jsonl"), recorded(Vec::new())).unwrap();
    for (from, to) in [
        ("run.jsonl", "plain.jsonl"),
        ("run.jsonl", "run.parquet"),
        ("run.parquet", "again.jsonl"),
        ("run.parquet", "packed.parquet.gz"),
        ("packed.parquet.gz", "unpacked.jsonl"),
    ] {
        let made = convert(
            &at(from),
            &at(to),
            &Part::Whole,
            &ReadOptions::default(),
            &(),
        )
        .unwrap();
        assert!(made.notices.is_empty(), "{to}: {made:?}");
    }
    let recording = |name: &str| {
        let replay = level::open(&at(name), &()).unwrap().replay;
        Recording::clone(replay.recording().unwrap())
    };
    for name in ["plain.jsonl", "again.jsonl", "unpacked.jsonl"] {
        assert!(recording(name) == recording("run.jsonl"), "{name}");
    }
    assert_eq!(
        level::open(&at("run.parquet"), &())
            .unwrap()
            .replay
            .frames(),
        2499
    );
}

#[test]
fn a_damaged_row_group_costs_its_frames() {
    let bytes = recorded_table();
    let whole = read(&bytes).unwrap();
    let reader = SerializedFileReader::new(Bytes::from(bytes.clone())).unwrap();
    let group = reader.metadata().row_group(1);
    // The first number of the positions: the frames are read before.
    let (start, length) = group.column(4).byte_range();
    let mut damaged = bytes;
    damaged[start as usize..(start + length) as usize].fill(0xA5);
    let kept = read(&damaged).unwrap();
    assert_eq!(kept.frames.len(), 2500 - 1024);
    assert_eq!(kept.frames[1024].number, 2048);
    assert!(kept.frames[1024].gap);
    let first = whole.frames[1024].first.bodies;
    assert!(bodies_of(&kept)[..first] == bodies_of(&whole)[..first]);
    let notice = kept.notices[0].to_string();
    assert!(notice.contains("row group 2 cannot be read"), "{notice}");
}

#[test]
fn a_cut_off_file_is_an_error_that_names_the_way_out() {
    let bytes = recorded_table();
    for length in [0, 3, 8, bytes.len() / 2, bytes.len() - 1] {
        let problems = read(&bytes[..length]).unwrap_err();
        let text = problems.to_string();
        assert!(text.contains("not a whole Parquet file"), "{text}");
        assert!(text.contains(".jsonl.zst"), "{text}");
    }
}

/// Frames 0 and 1 of one body, then 1 and 2 of another, in two row groups. Their flags are numbers.
#[test]
fn row_groups_may_share_a_frame_and_have_flags_as_numbers() {
    let header = r#"{"hitstop":1,"dt":0.5,"objects":[{"id":0,"shape":{"sphere":{"radius":1}}},{"id":1,"shape":{"sphere":{"radius":1}}}]}"#;
    let fields = ["frame", "id", "px", "py", "pz", "asleep"].map(|name| {
        let field = SchemaType::primitive_type_builder(name, Type::INT32);
        Arc::new(field.build().unwrap())
    });
    let schema = SchemaType::group_type_builder("schema").with_fields(fields.into());
    let metadata = KeyValue::new("hitstop".to_owned(), header.to_owned());
    let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![metadata]));
    let (schema, properties) = (schema.build().unwrap(), properties.build());
    let mut file =
        SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)).unwrap();
    let places = [[0; 2]; 3];
    for [frames, ids, flags] in [[[0, 1], [0, 0], [0, 1]], [[1, 2], [1, 1], [-1, 0]]] {
        let mut group = file.next_row_group().unwrap();
        for values in [[frames, ids].as_slice(), &places, &[flags]].concat() {
            let mut column = group.next_column().unwrap().unwrap();
            let ColumnWriter::Int32ColumnWriter(it) = column.untyped() else {
                unreachable!()
            };
            it.write_batch(&values, Some(&[1; 2]), None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    let recording = read(&file.into_inner().unwrap()).unwrap();
    assert!(recording.notices.is_empty(), "{:?}", recording.notices);
    let frames: Vec<_> = (0..3)
        .map(|frame| {
            let bodies = recording.data.at(frame).bodies.clone();
            let flags = bodies.iter().map(|body| (body.object, body.asleep));
            flags.collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(
        frames,
        [
            vec![(0, false)],
            vec![(0, true), (1, true)],
            vec![(1, false)]
        ]
    );
}

/// As a table of pandas: other types, no header, the rows of a body together.
#[test]
fn a_table_without_a_header_is_read_as_a_csv() {
    let names = ["name", "Frame", "px", "py", "pz", "radius", "speed"];
    let types = [
        Type::BYTE_ARRAY,
        Type::INT32,
        Type::DOUBLE,
        Type::FLOAT,
        Type::INT64,
        Type::DOUBLE,
        Type::DOUBLE,
    ];
    let fields = names.into_iter().zip(types).map(|(name, kind)| {
        Arc::new(
            SchemaType::primitive_type_builder(name, kind)
                .build()
                .unwrap(),
        )
    });
    let schema = SchemaType::group_type_builder("schema").with_fields(fields.collect());
    let properties = WriterProperties::builder().set_compression(Compression::UNCOMPRESSED);
    let schema = Arc::new(schema.build().unwrap());
    let mut file =
        SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).unwrap();
    let mut group = file.next_row_group().unwrap();
    let present = Some(&[1_i16; 4][..]);
    for name in names {
        let mut column = group.next_column().unwrap().unwrap();
        match column.untyped() {
            ColumnWriter::ByteArrayColumnWriter(it) => {
                let names = ["a", "a", "b", "b"].map(ByteArray::from);
                it.write_batch(&names, present, None).map(drop)
            }
            ColumnWriter::Int32ColumnWriter(it) => {
                it.write_batch(&[0, 1, 0, 1], present, None).map(drop)
            }
            ColumnWriter::FloatColumnWriter(it) => it
                .write_batch(&[0.1, 0.2, 0.3, 0.4], present, None)
                .map(drop),
            ColumnWriter::Int64ColumnWriter(it) => {
                it.write_batch(&[7, 8, 9, 10], present, None).map(drop)
            }
            // The radius has a gap.
            ColumnWriter::DoubleColumnWriter(it) if name == "radius" => it
                .write_batch(&[2.0, 3.0], Some(&[1, 0, 0, 1]), None)
                .map(drop),
            ColumnWriter::DoubleColumnWriter(it) => {
                let values = [1.5, 2.5, f64::NAN, 4.5];
                it.write_batch(&values, present, None).map(drop)
            }
            _ => Ok(()),
        }
        .unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    let recording = read(&file.into_inner().unwrap()).unwrap();
    assert_eq!(recording.frames.len(), 2);
    let [a, b] = &recording.objects[..] else {
        panic!("{:?}", recording.objects);
    };
    assert_eq!((&*a.name, &*b.name), ("a", "b"));
    let Shape::Sphere { radius } = a.shape else {
        panic!("{:?}", a.shape);
    };
    assert_eq!(radius, 2.0);
    let place = bodies_of(&recording)[2].pose.position;
    assert_eq!(place, DVec3::new(2.5, f64::from(0.2_f32), 8.0));
    assert!(bodies_of(&recording)[1].pose.position.x.is_nan());
    let unknown = "unknown columns are ignored: `speed`";
    let notices = recording.notices.iter();
    assert!(
        notices.clone().any(|it| it.what == unknown),
        "{:?}",
        recording.notices
    );
}

/// Rows of a ball at x = 0, 0.25, 0.5 m, y = z = 7 m, with times of such a type.
fn timed(time: SchemaType, codec: Compression) -> Vec<u8> {
    let field = |name: &str, scale: i32| {
        SchemaType::primitive_type_builder(name, Type::INT32)
            .with_converted_type(ConvertedType::DECIMAL)
            .with_precision(4)
            .with_scale(scale)
            .build()
            .unwrap()
    };
    let fields = [time, field("X.m", 2), field("py", 0), field("pz", 0)].map(Arc::new);
    let schema = SchemaType::group_type_builder("schema").with_fields(fields.into());
    let properties = WriterProperties::builder().set_compression(codec);
    let schema = Arc::new(schema.build().unwrap());
    let mut file =
        SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).unwrap();
    let mut group = file.next_row_group().unwrap();
    let present = Some(&[1_i16; 3][..]);
    let mut values = [[0, 25, 50], [7; 3], [7; 3]].into_iter();
    while let Some(mut column) = group.next_column().unwrap() {
        match column.untyped() {
            ColumnWriter::Int32ColumnWriter(it) => {
                let values = values.next().unwrap();
                it.write_batch(&values, present, None).map(drop)
            }
            ColumnWriter::Int64ColumnWriter(it) => {
                it.write_batch(&[500, 520, 540], present, None).map(drop)
            }
            ColumnWriter::Int96ColumnWriter(it) => {
                // Nanoseconds of the Julian day 2,440,588, which is 1970-01-01.
                let at = |ms: u32| {
                    let mut value = Int96::new();
                    value.set_data(ms * 1_000_000, 0, 2_440_588);
                    value
                };
                let times = [500, 520, 540].map(at);
                it.write_batch(&times, present, None).map(drop)
            }
            ColumnWriter::FixedLenByteArrayColumnWriter(it) => {
                let times = [[0_u8; 16]; 3].map(|bytes| ByteArray::from(bytes.to_vec()).into());
                it.write_batch(&times, present, None).map(drop)
            }
            _ => unreachable!(),
        }
        .unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    file.into_inner().unwrap()
}

fn with_columns(bytes: &[u8], columns: &str) -> Result<Level, Problems> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.parquet");
    std::fs::write(&path, bytes).unwrap();
    let options = ReadOptions {
        columns: Some(columns.parse().unwrap()),
        ..ReadOptions::default()
    };
    let level = level::open_with(&path, &options, &DiskFolder::of(&path), &());
    // The preview of its first rows is read in the same way.
    let Some(choice @ FileChoice::Columns(_)) = FileChoice::of(&path) else {
        panic!("it is a table");
    };
    assert_eq!(choice.is_settled(Some(&options)), level.is_ok());
    if let (FileChoice::Columns(preview), Ok(level)) = (choice, &level) {
        let (head, whole) = (preview.read(&options).unwrap(), level.replay.recording());
        assert_eq!(head.data.at(1), whole.unwrap().data.at(1));
    }
    level
}

#[test]
fn times_of_every_type_decimals_and_named_columns() {
    let time = |kind| SchemaType::primitive_type_builder("clock", kind);
    let millis = time(Type::INT64).with_converted_type(ConvertedType::TIMESTAMP_MILLIS);
    for time in [millis, time(Type::INT96)] {
        let bytes = timed(time.build().unwrap(), Compression::UNCOMPRESSED);
        let level = with_columns(&bytes, "time=clock,px=X.m").unwrap();
        let replay = &level.replay;
        assert!((replay.dt(0) - 0.02).abs() < 1e-9, "{}", replay.dt(0));
        let place = |state| replay.state(state).body(0).unwrap().pose.position;
        assert_eq!(place(1), DVec3::new(0.25, 7.0, 7.0));
        assert_eq!(place(2).x, 0.5);
    }
    let problem = |time: SchemaType, codec, columns: &str| {
        with_columns(&timed(time, codec), columns).unwrap_err().0[0].to_string()
    };
    let fixed = time(Type::FIXED_LEN_BYTE_ARRAY).with_length(16);
    let text = problem(
        fixed.build().unwrap(),
        Compression::SNAPPY,
        "time=clock,px=X.m",
    );
    assert!(
        text.contains("the column `clock` has values of a fixed number"),
        "{text}"
    );
    let plain = || time(Type::INT64).build().unwrap();
    let text = problem(plain(), Compression::SNAPPY, "time=clok,px=X.m");
    assert!(text.contains("did you mean `clock`?"), "{text}");
}

/// Two bodies in two rows, `ball` in a group with a group of its own: `ball.position.x`. In the second row `crate` is null.
#[test]
fn columns_in_groups_have_the_names_of_the_groups() {
    let group = |name: &str, fields: Vec<SchemaType>| {
        let fields = fields.into_iter().map(Arc::new).collect();
        let builder = SchemaType::group_type_builder(name).with_fields(fields);
        builder
            .with_repetition(Repetition::OPTIONAL)
            .build()
            .unwrap()
    };
    let axes = || {
        let axis = |name| SchemaType::primitive_type_builder(name, Type::DOUBLE).build();
        ["x", "y", "z"].map(|name| axis(name).unwrap()).to_vec()
    };
    let ball = group("ball", vec![group("position", axes())]);
    let fields = [ball, group("crate", axes())].map(Arc::new);
    let schema = SchemaType::group_type_builder("schema").with_fields(fields.into());
    let properties = WriterProperties::builder().set_compression(Compression::LZ4_RAW);
    let schema = Arc::new(schema.build().unwrap());
    let mut file =
        SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).unwrap();
    let mut rows = file.next_row_group().unwrap();
    for axis in 0..6 {
        let mut column = rows.next_column().unwrap().unwrap();
        let ColumnWriter::DoubleColumnWriter(it) = column.untyped() else {
            panic!("all are numbers");
        };
        let number = f64::from(axis);
        match axis {
            // The level is how many of a value's groups, and itself, are there.
            ..3 => it.write_batch(&[number, number + 10.0], Some(&[3, 3]), None),
            _ => it.write_batch(&[number], Some(&[2, 0]), None),
        }
        .unwrap();
        column.close().unwrap();
    }
    rows.close().unwrap();
    let recording = read(&file.into_inner().unwrap()).unwrap();
    let names: Vec<_> = recording.objects.iter().map(|it| &it.name[..]).collect();
    assert_eq!(names, ["ball", "crate"]);
    let places: Vec<_> = bodies_of(&recording)
        .iter()
        .map(|body| body.pose.position)
        .collect();
    let wanted = [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [10.0, 11.0, 12.0]];
    assert_eq!(places, wanted.map(DVec3::from_array));
}

/// The codec stands in the file's list of its columns: here 1 for Snappy is made 4 for Brotli.
#[test]
fn a_codec_that_is_not_read_is_the_first_error() {
    let time = SchemaType::primitive_type_builder("time", Type::INT64);
    let mut bytes = timed(time.build().unwrap(), Compression::SNAPPY);
    // In a column's metadata: the name `py`, the codec, then the number of values, 3, as zigzag varints.
    let pattern = |codec: u8| [&b"\x02py\x15"[..], &[2 * codec], b"\x16\x06"].concat();
    let wanted = pattern(1);
    let at = bytes.windows(wanted.len()).rposition(|it| it == wanted);
    let at = at.expect("the list names the codec");
    bytes[at..at + wanted.len()].copy_from_slice(&pattern(4));
    let text = read(&bytes).unwrap_err().0[0].to_string();
    assert!(text.contains("it is compressed with BROTLI"), "{text}");
}

/// A few bytes can say that there are any number of rows.
#[test]
fn a_small_file_with_countless_rows_is_refused() {
    let field = SchemaType::primitive_type_builder("asleep", Type::BOOLEAN).build();
    let fields = vec![Arc::new(field.unwrap())];
    let schema = SchemaType::group_type_builder("level").with_fields(fields);
    let schema = Arc::new(schema.build().unwrap());
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    let (asleep, present) = (vec![false; 1 << 20], vec![1; 1 << 20]);
    for _ in 0..9 {
        let mut group = file.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        if let ColumnWriter::BoolColumnWriter(it) = column.untyped() {
            it.write_batch(&asleep, Some(&present), None).unwrap();
        }
        column.close().unwrap();
        group.close().unwrap();
    }
    let bytes = file.into_inner().unwrap();
    let problems = read(&bytes).unwrap_err();
    assert!(
        problems.to_string().contains("9437184 rows, too many"),
        "{problems}"
    );
}

/// Whatever the bytes are, the answer is a recording or a problem.
#[test]
fn damaged_files_never_end_the_program() {
    let bytes = recorded_table();
    for seed in 0..rounds(600) {
        let mut random = Random(seed);
        let mut damaged = bytes.clone();
        // Half of them in the footer, which says where everything is.
        let from = if seed % 2 == 0 {
            0
        } else {
            bytes.len() - bytes.len() / 40
        };
        for _ in 0..=random.index(4) {
            let at = from + random.index(bytes.len() - from);
            damaged[at] = random.index(256) as u8;
        }
        if let Ok(recording) = read(&damaged) {
            assert!(recording.frames.len() <= 2500, "seed {seed}");
        }
    }
}
