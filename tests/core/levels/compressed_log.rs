//! Compressed logs: read as the plain text is, kept up to a break.

use crate::common::levels::bodies_of;
use hitstop::convert::{Part, convert};
use hitstop::core::level::{self, ReadOptions};
use hitstop::core::log::{self, Compression, Compressor, Format};
use hitstop::core::replay::Recording;
use hitstop::core::scene::MemoryFolder;
use std::io::Write;

const BOTH: [Compression; 2] = [Compression::Gzip, Compression::Zstd];

fn compressed(text: &[u8], compression: Compression) -> Vec<u8> {
    let mut output = Compressor::new(Vec::new(), Some(compression)).unwrap();
    output.write_all(text).unwrap();
    output.finish().unwrap()
}

fn read(format: Format, bytes: &[u8]) -> Recording {
    let (length, folder) = (bytes.len() as u64, MemoryFolder::default());
    log::read(format, bytes, length, "run.log", None, &folder, &()).unwrap()
}

/// Frames whose numbers do not compress to nothing.
fn logs() -> [(Format, String); 2] {
    let mut json = r#"{"hitstop":1,"dt":0.5,"objects":[{"id":7,"name":"ball","shape":{"sphere":{"radius":0.5}}}]}"#.to_owned();
    let mut csv = "frame,time,name,px,py,pz,radius".to_owned();
    for frame in 0..5000_u32 {
        let x = f64::from(frame).sin();
        json += &format!("\n{{\"frame\":{frame},\"bodies\":[{{\"id\":7,\"p\":[{x},0,0]}}]}}");
        csv += &format!("\n{frame},{},ball,{x},0,0,0.5", f64::from(frame) / 2.0);
    }
    [(Format::JsonLines, json), (Format::Csv, csv)]
}

#[test]
fn a_compressed_log_is_the_log() {
    for (format, text) in logs() {
        let plain = read(format, text.as_bytes());
        for compression in BOTH {
            let bytes = compressed(text.as_bytes(), compression);
            assert!(bytes.len() < text.len() / 2);
            assert_eq!(read(format, &bytes), plain, "{format:?} {compression:?}");
            // What two runs of a compressor wrote into one file.
            let (a, b) = text.as_bytes().split_at(text.len() / 3);
            let parts = [compressed(a, compression), compressed(b, compression)].concat();
            assert_eq!(read(format, &parts), plain, "{format:?} {compression:?}");
        }
    }
}

#[test]
fn a_cut_off_log_keeps_its_frames_and_names_the_line() {
    for (format, text) in logs() {
        let plain = read(format, text.as_bytes());
        for compression in BOTH {
            let bytes = compressed(text.as_bytes(), compression);
            let cut = read(format, &bytes[..bytes.len() * 3 / 4]);
            let kept = cut.frames.len();
            assert!((1000..5000).contains(&kept), "{kept} {compression:?}");
            assert_eq!(bodies_of(&cut), bodies_of(&plain)[..kept]);
            let [notice] = &cut.notices[..] else {
                panic!("{:?}", cut.notices);
            };
            assert!(notice.what.contains("cut off here"), "{notice}");
            assert_eq!(
                notice.at.unwrap().line,
                kept + 2,
                "header, frames, the break"
            );
        }
    }
}

#[test]
fn a_short_log_that_is_cut_off_keeps_most_frames() {
    let [(format, text), _] = logs();
    let short: String = text.split_inclusive('\n').take(1001).collect();
    for compression in BOTH {
        let bytes = compressed(short.as_bytes(), compression);
        let kept = read(format, &bytes[..bytes.len() - 1]).frames.len();
        assert!((750..=1000).contains(&kept), "{kept} {compression:?}");
    }
}

#[test]
fn damaged_data_ends_the_log_there() {
    let [(format, text), _] = logs();
    for compression in BOTH {
        let mut bytes = compressed(text.as_bytes(), compression);
        let middle = bytes.len() * 3 / 4;
        bytes[middle..middle + 64].fill(0xFF);
        let kept = read(format, &bytes);
        assert!(kept.frames.len() >= 1000, "{compression:?}");
        assert!(!kept.notices.is_empty(), "{compression:?}");
    }
}

#[test]
fn files_open_by_content_and_are_written_by_their_ending() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let [(_, text), _] = logs();
    std::fs::write(at("run.jsonl"), &text).unwrap();
    let plain = level::open(&at("run.jsonl"), &()).unwrap();
    for (name, magic) in [
        ("run.jsonl.zst", &[0x28, 0xB5][..]),
        ("run.JSONL.GZ", &[0x1F, 0x8B]),
        ("run.csv.gz", &[0x1F, 0x8B]),
    ] {
        convert(
            &at("run.jsonl"),
            &at(name),
            &Part::Whole,
            &ReadOptions::default(),
            &(),
        )
        .unwrap();
        assert!(
            std::fs::read(at(name)).unwrap().starts_with(magic),
            "{name}"
        );
        let opened = level::open(&at(name), &()).unwrap();
        assert_eq!(
            opened.replay.scene().name,
            plain.replay.scene().name,
            "{name}"
        );
        let bodies = |level: &level::Level| bodies_of(level.replay.recording().unwrap());
        assert_eq!(bodies(&opened), bodies(&plain), "{name}");
    }
    std::fs::rename(at("run.jsonl.zst"), at("run.jsonl")).unwrap();
    std::fs::write(at("plain.jsonl.gz"), &text).unwrap();
    for name in ["run.jsonl", "plain.jsonl.gz"] {
        let frames = level::open(&at(name), &()).unwrap().replay.frames();
        assert_eq!(frames, 4999, "{name}");
    }
}
