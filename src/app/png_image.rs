//! Reads PNG files.

use egui::{Color32, ColorImage};
use png::text_metadata::TEXtChunk;
use png::{ColorType, Decoder, Limits, Transformations};
use std::io::Cursor;

/// Memory that a picture may take, bytes.
const MOST: usize = 64 << 20;

/// The picture in a PNG file, and its texts.
///
/// # Errors
/// What is wrong with the file.
pub fn read(bytes: &[u8]) -> Result<(ColorImage, Vec<TEXtChunk>), String> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MOST });
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let fault =
        |error: png::DecodingError| format!("it is not a PNG file, or a damaged one: {error}");
    let mut reader = decoder.read_info().map_err(fault)?;
    let size = reader.output_buffer_size().filter(|size| *size <= MOST);
    let mut pixels = vec![0; size.ok_or("the picture is larger than 64 MiB in memory")?];
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
        false => Err("the file is cut off".to_owned()),
    }
}
