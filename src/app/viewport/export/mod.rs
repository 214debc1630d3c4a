//! Pictures of the viewport as files: one moment, or a short clip; drawn and written beside the window.
//!
//! Both are drawn by the rasteriser, words included, whatever shows the window: the same file everywhere.

mod clip;
mod shot;

pub use clip::{Instant, Span, schedule};
pub use shot::Shot;

use crate::core::problem::Problem;
use crate::core::progress::Progress;
use crate::save::save_atomic;
use std::path::Path;

/// What can be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// What is seen now, as a PNG.
    Picture,
    /// The loop as it plays, as an animated GIF.
    Loop,
    /// The inside of the frame at the playhead, slowly, as an animated GIF.
    Inside,
}

impl Export {
    /// What the file's name ends with.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Picture => "png",
            Self::Loop | Self::Inside => "gif",
        }
    }
}

/// Draws and saves what is seen now; says what was done.
///
/// # Errors
/// When the file cannot be written.
pub fn save_picture(shot: &Shot, path: &Path) -> Result<String, Problem> {
    let image = shot.stage().still();
    let bytes = png(&image).map_err(|error| unmade(path, &error.to_string()))?;
    save_atomic(path, &bytes)?;
    let [width, height] = image.size;
    Ok(format!("the picture is saved: {width} by {height} pixels"))
}

/// Draws and saves a clip, and says what was done; `None` when it was stopped, and then there is no file.
///
/// # Errors
/// When the file cannot be written, or would be too large.
pub fn save_clip(
    shot: &Shot,
    instants: &[Instant],
    path: &Path,
    progress: &impl Progress,
) -> Result<Option<String>, Problem> {
    let made = clip::encode(shot, instants, progress).map_err(|what| unmade(path, &what))?;
    let Some(bytes) = made else {
        return Ok(None);
    };
    save_atomic(path, &bytes)?;
    let hundredths: u32 = instants.iter().map(|one| u32::from(one.hundredths)).sum();
    let seconds = f64::from(hundredths) / 100.0;
    let pictures = instants.len();
    Ok(Some(format!(
        "the clip is saved: {pictures} pictures, {seconds:.1} s"
    )))
}

fn unmade(path: &Path, what: &str) -> Problem {
    let what = format!("could not be made: {what}");
    Problem::new(path.display().to_string(), what, "choose less to save")
}

/// An image as the bytes of a PNG file.
///
/// # Errors
/// When the encoder refuses, as for an image without pixels.
pub fn png(image: &egui::ColorImage) -> Result<Vec<u8>, png::EncodingError> {
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
