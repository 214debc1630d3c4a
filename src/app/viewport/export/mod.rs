//! Pictures as files: one moment as a PNG, a short clip as a GIF; written in the background.

mod clip;

pub use clip::{Instant, Span, schedule};

use crate::core::problem::Problem;
use crate::core::progress::Progress;
use crate::save::save_atomic;
use clip::Clip;
use egui::{ColorImage, Rect};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// A picture of a clip, or the only one.
pub struct Picture {
    /// Its pixels.
    pub image: ColorImage,
    /// How long it is shown, hundredths of a second.
    pub hundredths: u16,
}

/// A part of a picture of the window, in points of so many pixels each; `None` where it is empty.
pub fn cut(window: &ColorImage, part: Rect, pixels: f32) -> Option<ColorImage> {
    let [width, height] = window.size;
    let pixel = |point: f32, most: usize| ((point * pixels).round().max(0.0) as usize).min(most);
    let (left, right) = (pixel(part.left(), width), pixel(part.right(), width));
    let (top, bottom) = (pixel(part.top(), height), pixel(part.bottom(), height));
    (left < right && top < bottom)
        .then(|| window.region_by_pixels([left, top], [right - left, bottom - top]))
}

/// Waits for the next picture; `None` when there is none, or the work is to stop.
fn next(pictures: &Receiver<Picture>, progress: &dyn Progress) -> Option<Picture> {
    while !progress.cancelled() {
        match pictures.recv_timeout(Duration::from_millis(50)) {
            Ok(picture) => return Some(picture),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
    None
}

/// Saves the one picture that comes, and says what was done; `None` when it was stopped.
///
/// # Errors
/// When the file cannot be written.
pub fn save_picture(
    pictures: &Receiver<Picture>,
    path: &Path,
    progress: &dyn Progress,
) -> Result<Option<String>, Problem> {
    let Some(Picture { image, .. }) = next(pictures, progress) else {
        return Ok(None);
    };
    let bytes = png(&image).map_err(|error| unmade(path, &error.to_string()))?;
    save_atomic(path, &bytes)?;
    let [width, height] = image.size;
    let done = format!("the picture is saved: {width} by {height} pixels");
    Ok(Some(done))
}

/// Saves the clip of so many pictures that come, and says what was done; `None` when it was stopped, and then there is no file.
///
/// # Errors
/// When the file cannot be written, or would be too large.
pub fn save_clip(
    pictures: &Receiver<Picture>,
    count: usize,
    path: &Path,
    progress: &dyn Progress,
) -> Result<Option<String>, Problem> {
    let mut clip = Clip::default();
    for number in 0..count {
        progress.report(number as u64, count as u64);
        let Some(picture) = next(pictures, progress) else {
            return Ok(None);
        };
        clip.add(&picture).map_err(|what| unmade(path, &what))?;
    }
    let seconds = f64::from(clip.hundredths) / 100.0;
    save_atomic(path, &clip.finish().map_err(|what| unmade(path, &what))?)?;
    let done = format!("the clip is saved: {count} pictures, {seconds:.1} s");
    Ok(Some(done))
}

fn unmade(path: &Path, what: &str) -> Problem {
    let what = format!("could not be made: {what}");
    Problem::new(path.display().to_string(), what, "choose less to save")
}

/// An image as the bytes of a PNG file.
///
/// # Errors
/// When the encoder refuses, as for an image without pixels.
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
    fn a_picture_is_cut_out_to_the_pixel() {
        let size = [40, 30];
        let color = |x: usize, y: usize| Color32::from_rgb(x as u8, y as u8, 7);
        let pixels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| color(x, y)));
        let picture = ColorImage::new(size, pixels.collect());
        let part = Rect::from_min_max(pos2(5.0, 2.0), pos2(15.0, 99.0));
        let bytes = png(&cut(&picture, part, 2.0).unwrap()).unwrap();
        let mut read = ::png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
        let mut colors = vec![0; read.output_buffer_size().unwrap()];
        let info = read.next_frame(&mut colors).unwrap();
        assert_eq!((info.width, info.height), (20, 26), "cut off at the edge");
        let pixel = |x: usize, y: usize| &colors[(y * 20 + x) * 3..][..3];
        assert_eq!(pixel(0, 0), [10, 4, 7]);
        assert_eq!(pixel(19, 25), [29, 29, 7]);
        let none = Rect::from_min_max(pos2(90.0, 2.0), pos2(99.0, 9.0));
        assert_eq!(cut(&picture, none, 2.0), None);
    }
}
