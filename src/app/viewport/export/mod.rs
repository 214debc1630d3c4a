//! Image export: a PNG of one moment or a short GIF clip, written in the background.

mod clip;

pub use clip::{Clip, ClipImage, ClipRange, schedule};

use crate::core::problem::Problem;
use crate::core::progress::Progress;
use crate::save::save_atomic;
use egui::{ColorImage, Rect};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// A captured image, single or of a clip.
pub struct CapturedImage {
    /// The pixels.
    pub image: ColorImage,
    /// Display time in the clip, hundredths of a second.
    pub hundredths: u16,
}

/// Crops an image of the window to a rectangle in points of `pixels` pixels each; `None` where it is empty.
pub fn crop(window: &ColorImage, part: Rect, pixels: f32) -> Option<ColorImage> {
    let [width, height] = window.size;
    let pixel = |point: f32, most: usize| ((point * pixels).round().max(0.0) as usize).min(most);
    let (left, right) = (pixel(part.left(), width), pixel(part.right(), width));
    let (top, bottom) = (pixel(part.top(), height), pixel(part.bottom(), height));
    (left < right && top < bottom)
        .then(|| window.region_by_pixels([left, top], [right - left, bottom - top]))
}

/// Waits for the next image; `None` when there is none, or the job is cancelled.
fn next(images: &Receiver<CapturedImage>, progress: &dyn Progress) -> Option<CapturedImage> {
    while !progress.cancelled() {
        match images.recv_timeout(Duration::from_millis(50)) {
            Ok(image) => return Some(image),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
    None
}

/// Saves the next image as a PNG file; returns a message, or `None` when cancelled.
///
/// # Errors
/// When the file cannot be written.
pub fn save_image(
    images: &Receiver<CapturedImage>,
    path: &Path,
    progress: &dyn Progress,
) -> Result<Option<String>, Problem> {
    let Some(CapturedImage { image, .. }) = next(images, progress) else {
        return Ok(None);
    };
    let bytes = png(&image).map_err(|error| encoding_error(path, &error.to_string()))?;
    save_atomic(path, &bytes)?;
    let [width, height] = image.size;
    let done = format!("Image saved: {width} × {height} pixels");
    Ok(Some(done))
}

/// Saves the next `count` images as a GIF file; returns a message, or `None` without a file when cancelled.
///
/// # Errors
/// When the file cannot be written, or would be too large.
pub fn save_clip(
    images: &Receiver<CapturedImage>,
    count: usize,
    path: &Path,
    progress: &dyn Progress,
) -> Result<Option<String>, Problem> {
    let mut clip = Clip::default();
    for number in 0..count {
        progress.report(number as u64, count as u64);
        let Some(image) = next(images, progress) else {
            return Ok(None);
        };
        clip.add(&image)
            .map_err(|error| encoding_error(path, &error))?;
    }
    let seconds = f64::from(clip.hundredths) / 100.0;
    let bytes = clip.finish();
    save_atomic(path, &bytes.map_err(|error| encoding_error(path, &error))?)?;
    let done = format!("Clip saved: {count} images, {seconds:.1} s");
    Ok(Some(done))
}

fn encoding_error(path: &Path, error: &str) -> Problem {
    let what = format!("could not be encoded: {error}");
    let help = "export a shorter clip or a smaller view";
    Problem::new(path.display().to_string(), what, help)
}

/// An image as the bytes of a PNG file.
///
/// # Errors
/// When encoding fails, as for an image without pixels.
fn png(image: &ColorImage) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let [width, height] = image.size;
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header()?;
    let rgb: Vec<u8> = image
        .pixels
        .iter()
        .flat_map(|pixel| [pixel.r(), pixel.g(), pixel.b()])
        .collect();
    writer.write_image_data(&rgb)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Color32, pos2};
    use std::io::Cursor;

    #[test]
    fn an_image_is_cropped_to_the_pixel() {
        let size = [40, 30];
        let color = |x: usize, y: usize| Color32::from_rgb(x as u8, y as u8, 7);
        let pixels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| color(x, y)));
        let image = ColorImage::new(size, pixels.collect());
        let part = Rect::from_min_max(pos2(5.0, 2.0), pos2(15.0, 99.0));
        let bytes = png(&crop(&image, part, 2.0).unwrap()).unwrap();
        let mut read = ::png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
        let mut colors = vec![0; read.output_buffer_size().unwrap()];
        let info = read.next_frame(&mut colors).unwrap();
        assert_eq!((info.width, info.height), (20, 26), "clipped at the edge");
        let pixel = |x: usize, y: usize| &colors[(y * 20 + x) * 3..][..3];
        assert_eq!(pixel(0, 0), [10, 4, 7]);
        assert_eq!(pixel(19, 25), [29, 29, 7]);
        let none = Rect::from_min_max(pos2(90.0, 2.0), pos2(99.0, 9.0));
        assert_eq!(crop(&image, none, 2.0), None);
    }
}
