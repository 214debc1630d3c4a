//! Reads PNG and JPEG files.

use egui::{Color32, ColorImage};
use png::text_metadata::TEXtChunk;
use png::{ColorType, Decoder, Limits, Transformations};
use std::io::Cursor;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Memory that a picture may take, bytes.
const MOST: usize = 64 << 20;
const TOO_LARGE: &str = "the picture is larger than 64 MiB in memory";
const CUT_OFF: &str = "the file is cut off";

/// The picture in a PNG or JPEG file; its content says which it is.
///
/// # Errors
/// What is wrong with the file.
pub fn read(bytes: &[u8]) -> Result<ColorImage, String> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => read_png(bytes).map(|(picture, _)| picture),
        [0xff, 0xd8, 0xff, ..] => read_jpeg(bytes),
        _ => Err("it is neither a PNG nor a JPEG file".to_owned()),
    }
}

/// The picture in a JPEG file.
fn read_jpeg(bytes: &[u8]) -> Result<ColorImage, String> {
    // The decoder would fill what is missing with grey.
    if !bytes.windows(2).any(|mark| mark == [0xff, 0xd9]) {
        return Err(CUT_OFF.to_owned());
    }
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let fault = |error: DecodeErrors| format!("it is a damaged JPEG file: {error}");
    decoder.decode_headers().map_err(fault)?;
    // Of a progressive file the decoder keeps twice as much beside.
    let size = decoder.output_buffer_size().filter(|size| *size <= MOST);
    let mut pixels = vec![0; size.ok_or(TOO_LARGE)?];
    decoder.decode_into(&mut pixels).map_err(fault)?;
    let (width, height) = decoder.dimensions().ok_or("it has no size")?;
    Ok(ColorImage::from_rgb([width, height], &pixels))
}

/// The picture in a PNG file, and its texts.
///
/// # Errors
/// What is wrong with the file.
pub fn read_png(bytes: &[u8]) -> Result<(ColorImage, Vec<TEXtChunk>), String> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MOST });
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let fault =
        |error: png::DecodingError| format!("it is not a PNG file, or a damaged one: {error}");
    let mut reader = decoder.read_info().map_err(fault)?;
    let size = reader.output_buffer_size().filter(|size| *size <= MOST);
    let mut pixels = vec![0; size.ok_or(TOO_LARGE)?];
    let frame = reader.next_frame(&mut pixels).map_err(fault)?;
    let pixels = &pixels[..frame.buffer_size()];
    let colors: Vec<Color32> = match frame.color_type {
        ColorType::Grayscale => pixels.iter().copied().map(Color32::from_gray).collect(),
        ColorType::GrayscaleAlpha => (pixels.chunks_exact(2))
            .map(|it| Color32::from_rgba_unmultiplied(it[0], it[0], it[0], it[1]))
            .collect(),
        ColorType::Rgb | ColorType::Indexed => (pixels.chunks_exact(3))
            .map(|it| Color32::from_rgb(it[0], it[1], it[2]))
            .collect(),
        ColorType::Rgba => (pixels.chunks_exact(4))
            .map(|it| Color32::from_rgba_unmultiplied(it[0], it[1], it[2], it[3]))
            .collect(),
    };
    let size = [frame.width as usize, frame.height as usize];
    let texts = reader.info().uncompressed_latin1_text.clone();
    match colors.len() == size[0] * size[1] {
        true => Ok((ColorImage::new(size, colors), texts)),
        false => Err(CUT_OFF.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 32 x 16 pixels: red, then blue. The colours have half the resolution.
    const JPEG: &[u8] = include_bytes!("../../tests/ui/shot.jpg");
    /// Where its header has the height and the width, each a number of two bytes.
    const SIZE: std::ops::Range<usize> = 0xa3..0xa7;

    #[test]
    fn a_jpeg_file_has_its_size_and_colors() {
        let picture = read(JPEG).expect("a picture");
        assert_eq!(picture.size, [32, 16]);
        let near = |at: [usize; 2], wanted: [u8; 3]| {
            let found = picture[(at[0], at[1])].to_array();
            let far = (0..3).any(|color| found[color].abs_diff(wanted[color]) > 12);
            assert!(!far, "{at:?} is {found:?}");
        };
        near([3, 8], [255, 0, 0]);
        near([28, 8], [0, 0, 255]);
    }

    #[test]
    fn hostile_bytes_are_errors() {
        assert_eq!(JPEG[SIZE], [0, 16, 0, 32]);
        for length in 0..JPEG.len() {
            assert!(read(&JPEG[..length]).is_err(), "{length} bytes");
        }
        let of_size = |size: [u8; 4]| {
            let mut bytes = JPEG.to_vec();
            bytes[SIZE].copy_from_slice(&size);
            read(&bytes).expect_err("it has other pixels")
        };
        assert_eq!(of_size([0x3f, 0xff, 0x3f, 0xff]), TOO_LARGE);
        assert!(of_size([0xff; 4]).starts_with("it is a damaged JPEG file: "));
        assert!(of_size([0; 4]).starts_with("it is a damaged JPEG file: "));
        for at in 2..JPEG.len() {
            for flipped in [0x01, 0x80, 0xff] {
                let mut bytes = JPEG.to_vec();
                bytes[at] ^= flipped;
                // A picture or an error.
                drop(read(&bytes));
            }
        }
        let other = "it is neither a PNG nor a JPEG file";
        assert_eq!(read(b"GIF89a").as_ref(), Err(&other.to_owned()));
        assert_eq!(read(b"").as_ref(), Err(&other.to_owned()));
    }
}
