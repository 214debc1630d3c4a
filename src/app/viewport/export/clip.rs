//! The schedule of a clip's images, and the clip as an animated GIF.

use super::CapturedImage;
use crate::app::view_state::Playhead;
use egui::{Color32, ColorImage};

/// Most images of a clip; a longer one takes larger steps.
const MAX_IMAGES: usize = 600;
/// Greatest width of a clip, pixels.
const MAX_WIDTH: usize = 1200;
/// Greatest size of a clip, bytes: it is encoded in memory.
const MAX_BYTES: usize = 128 << 20;
/// Display time of an image, hundredths of a second: 25 per second, a rate that all viewers support.
const STEP: u16 = 4;
/// Display time at a freeze point and at the end, hundredths of a second.
const FREEZE: u16 = 60;
/// Images of a single frame, without its start.
const FRAME_IMAGES: u32 = 48;
/// The encoder samples one of so many pixels for the 256 colours: less is finer and slower (1 to 30).
const SPEED: i32 = 10;

/// An image of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipImage {
    /// The shown time.
    pub at: Playhead,
    /// Display time, hundredths of a second.
    pub hundredths: u16,
}

/// The time range of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClipRange {
    /// From one time to another, as it plays.
    Loop {
        /// Start, frames from the start of the level.
        from: f64,
        /// End, frames from the start of the level.
        to: f64,
        /// Level seconds per second, > 0.
        speed: f64,
    },
    /// One frame from its start to its end.
    Frame(u32),
}

/// The images of a clip. `dt` is the length of a frame in seconds; time freezes at each of `freeze_points` (frames from the start,
/// ascending).
pub fn schedule(
    range: ClipRange,
    dt: impl Fn(u32) -> f64,
    freeze_points: &[f64],
) -> Vec<ClipImage> {
    let mut images = match range {
        ClipRange::Frame(frame) => within_frame(frame),
        ClipRange::Loop { from, to, speed } => playing(from, to, speed, dt),
    };
    let Some((first, last)) = images.first().zip(images.last()) else {
        return Vec::new();
    };
    let (from, to) = (first.at.position(), last.at.position());
    for &point in freeze_points
        .iter()
        .filter(|point| (from..=to).contains(*point))
    {
        let index = images.partition_point(|one| one.at.position() < point);
        let full = images.len() >= MAX_IMAGES * 2;
        match images.get_mut(index) {
            Some(image) if image.at.position() == point => image.hundredths = FREEZE,
            _ if full => {}
            _ => {
                let at = playhead(point, to);
                let hundredths = FREEZE;
                images.insert(index, ClipImage { at, hundredths });
            }
        }
    }
    // Freezes before the clip repeats.
    if let Some(last) = images.last_mut() {
        last.hundredths = FREEZE;
    }
    images
}

fn within_frame(frame: u32) -> Vec<ClipImage> {
    let at = |step: u32| ClipImage {
        at: Playhead {
            frame,
            fraction: f64::from(step) / f64::from(FRAME_IMAGES),
        },
        hundredths: STEP,
    };
    (0..=FRAME_IMAGES).map(at).collect()
}

/// Images at equal steps of level time.
fn playing(from: f64, to: f64, speed: f64, dt: impl Fn(u32) -> f64) -> Vec<ClipImage> {
    if !(from.is_finite() && to.is_finite() && speed > 0.0) || from < 0.0 || to <= from {
        return Vec::new();
    }
    let (first, last) = (from.floor() as u32, to.ceil() as u32);
    let part = |frame: u32| {
        let start = f64::from(frame);
        (to.min(start + 1.0) - from.max(start)).max(0.0) * dt(frame).max(0.0)
    };
    let seconds: f64 = (first..last).map(part).sum();
    let step = (speed * f64::from(STEP) / 100.0).max(seconds / (MAX_IMAGES - 1) as f64);
    let mut images = Vec::new();
    let mut at = from;
    while at < to && images.len() < MAX_IMAGES {
        images.push(ClipImage {
            at: playhead(at, to),
            hundredths: STEP,
        });
        at = later(at, step, last, &dt);
    }
    images.push(ClipImage {
        at: playhead(to, to),
        hundredths: STEP,
    });
    images
}

/// The time `seconds` after `at`, in frames from the start, at most `last`.
fn later(mut at: f64, mut seconds: f64, last: u32, dt: &impl Fn(u32) -> f64) -> f64 {
    while seconds > 0.0 && at < f64::from(last) {
        let frame = at.floor();
        let length = dt(frame as u32);
        let left = (frame + 1.0 - at) * length;
        if left > seconds {
            return at + seconds / length;
        }
        // `left` may be zero or negative for a frame without duration.
        seconds -= left.max(0.0);
        at = frame + 1.0;
    }
    at
}

/// The playhead at a position; the end of a range is the end of its last frame, not the start of the next.
fn playhead(position: f64, end: f64) -> Playhead {
    let frame = position.floor();
    if position >= end && position == frame && position > 0.0 {
        return Playhead {
            frame: frame as u32 - 1,
            fraction: 1.0,
        };
    }
    Playhead {
        frame: frame as u32,
        fraction: position - frame,
    }
}

/// An animated GIF being encoded.
#[derive(Default)]
pub struct Clip {
    encoder: Option<gif::Encoder<Vec<u8>>>,
    previous: Option<ColorImage>,
    /// Duration of the images added, hundredths of a second.
    pub hundredths: u32,
}

impl Clip {
    /// Adds an image; encodes only the area that differs from the previous one.
    ///
    /// # Errors
    /// A message, when the file gets too large or encoding fails.
    pub fn add(&mut self, captured: &CapturedImage) -> Result<(), String> {
        let image = downscaled(&captured.image);
        let [width, height] = image.size.map(|side| side as u16);
        let writer = match &mut self.encoder {
            Some(encoder) => encoder,
            None => self.encoder.insert(begin(width, height).map_err(text)?),
        };
        if self
            .previous
            .as_ref()
            .is_some_and(|previous| previous.size != image.size)
        {
            return Err("the size of the view changed".to_owned());
        }
        let frame = difference(self.previous.as_ref(), &image, captured.hundredths);
        writer.write_frame(&frame).map_err(text)?;
        if writer.get_ref().len() > MAX_BYTES {
            return Err(format!("the clip is larger than {} MB", MAX_BYTES >> 20));
        }
        self.previous = Some(image);
        self.hundredths += u32::from(captured.hundredths);
        Ok(())
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// A message, when no image was added.
    pub fn finish(self) -> Result<Vec<u8>, String> {
        let encoder = self.encoder.ok_or("the clip has no images")?;
        encoder.into_inner().map_err(text)
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// An image scaled down by a whole factor to the greatest width, by the mean of each square of pixels.
fn downscaled(image: &ColorImage) -> ColorImage {
    let [width, height] = image.size;
    let step = width.div_ceil(MAX_WIDTH).max(1);
    let size = [width / step, (height / step).max(1)];
    let mean = |x: usize, y: usize| {
        let mut sum = [0_usize; 3];
        for row in 0..step {
            for column in 0..step {
                let at = (y * step + row).min(height - 1) * width + x * step + column;
                let [r, g, b, _] = image.pixels[at].to_array().map(usize::from);
                sum = [sum[0] + r, sum[1] + g, sum[2] + b];
            }
        }
        let [r, g, b] = sum.map(|part| (part / (step * step)) as u8);
        Color32::from_rgb(r, g, b)
    };
    let pixels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y)));
    ColorImage::new(size, pixels.map(|(x, y)| mean(x, y)).collect())
}

fn begin(width: u16, height: u16) -> Result<gif::Encoder<Vec<u8>>, gif::EncodingError> {
    let mut encoder = gif::Encoder::new(Vec::new(), width, height, &[])?;
    encoder.set_repeat(gif::Repeat::Infinite)?;
    Ok(encoder)
}

/// The rectangle that differs from the previous image, with transparent pixels where nothing changed.
fn difference(
    previous: Option<&ColorImage>,
    image: &ColorImage,
    hundredths: u16,
) -> gif::Frame<'static> {
    let width = image.size[0];
    let differs =
        |at: usize| previous.is_none_or(|previous| previous.pixels[at] != image.pixels[at]);
    let mut bounds: Option<[usize; 4]> = None;
    for at in (0..image.pixels.len()).filter(|&at| differs(at)) {
        let (x, y) = (at % width, at / width);
        let [left, top, right, bottom] = bounds.unwrap_or([x, y, x, y]);
        bounds = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
    }
    // Without a difference: one transparent pixel, for its display time.
    let [left, top, right, bottom] = bounds.unwrap_or_default();
    let mut bytes = Vec::with_capacity((right - left + 1) * (bottom - top + 1) * 4);
    for y in top..=bottom {
        for at in y * width + left..=y * width + right {
            let pixel = image.pixels[at];
            let alpha = if differs(at) { 255 } else { 0 };
            bytes.extend([pixel.r(), pixel.g(), pixel.b(), alpha]);
        }
    }
    let (wide, high) = ((right - left + 1) as u16, (bottom - top + 1) as u16);
    let mut frame = gif::Frame::from_rgba_speed(wide, high, &mut bytes, SPEED);
    frame.left = left as u16;
    frame.top = top as u16;
    frame.delay = hundredths;
    frame.dispose = gif::DisposalMethod::Keep;
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(images: &[ClipImage]) -> Vec<f64> {
        images.iter().map(|one| one.at.position()).collect()
    }

    #[test]
    fn a_loop_plays_at_its_speed() {
        // 10 frames of 0.04 s at speed 1: an image each, and the end.
        let range = ClipRange::Loop {
            from: 2.0,
            to: 12.0,
            speed: 1.0,
        };
        let images = schedule(range, |_| 0.04, &[]);
        assert_eq!(images.len(), 11);
        for (number, position) in positions(&images).into_iter().enumerate() {
            assert!((position - (2.0 + number as f64)).abs() < 1e-9);
        }
        let end = images[10];
        assert_eq!((end.at.frame, end.at.fraction), (11, 1.0));
        // A quarter of the speed: four images per frame.
        let slow = ClipRange::Loop {
            from: 2.0,
            to: 12.0,
            speed: 0.25,
        };
        assert_eq!(schedule(slow, |_| 0.04, &[]).len(), 41);
    }

    #[test]
    fn a_long_loop_takes_larger_steps_and_frames_without_duration_do_not_hang() {
        let range = ClipRange::Loop {
            from: 0.0,
            to: 1e6,
            speed: 1.0,
        };
        let images = schedule(range, |_| 0.02, &[]);
        assert!((MAX_IMAGES - 2..=MAX_IMAGES + 1).contains(&images.len()));
        let all = positions(&images);
        assert!(all.is_sorted() && *all.last().unwrap() == 1e6);
        let still = ClipRange::Loop {
            from: 0.0,
            to: 50.0,
            speed: 1.0,
        };
        assert_eq!(positions(&schedule(still, |_| 0.0, &[])), [0.0, 50.0]);
        for (from, to, speed) in [(5.0, 5.0, 1.0), (0.0, 5.0, 0.0), (f64::NAN, 5.0, 1.0)] {
            let range = ClipRange::Loop { from, to, speed };
            assert_eq!(schedule(range, |_| 0.1, &[]), []);
        }
    }

    #[test]
    fn a_clip_of_a_frame_freezes_at_its_events() {
        let images = schedule(ClipRange::Frame(3), |_| 1.0, &[2.5, 3.25, 3.4, 7.0]);
        assert_eq!(
            images.len(),
            FRAME_IMAGES as usize + 2,
            "3.25 is already a step"
        );
        let frozen: Vec<f64> = images
            .iter()
            .filter(|one| one.hundredths == FREEZE)
            .map(|one| one.at.position())
            .collect();
        assert_eq!(frozen, [3.25, 3.4, 4.0]);
        assert_eq!(images.last().unwrap().at.frame, 3);
        assert!(positions(&images).is_sorted());
    }

    #[test]
    fn a_wide_image_is_scaled_down_by_a_whole_factor() {
        let mut image = ColorImage::filled([MAX_WIDTH + 2, 5], Color32::BLACK);
        image.pixels[1] = Color32::from_rgb(200, 100, 40);
        let small = downscaled(&image);
        assert_eq!(small.size, [MAX_WIDTH / 2 + 1, 2]);
        assert_eq!(small.pixels[0], Color32::from_rgb(50, 25, 10));
        let narrow = ColorImage::filled([40, 1], Color32::RED);
        assert_eq!(downscaled(&narrow), narrow);
    }

    #[test]
    fn only_differences_are_encoded() {
        let before = ColorImage::filled([9, 7], Color32::BLACK);
        let mut image = before.clone();
        image.pixels[2 * 9 + 3] = Color32::RED;
        image.pixels[4 * 9 + 6] = Color32::RED;
        let whole = difference(None, &before, 4);
        assert_eq!((whole.width, whole.height), (9, 7));
        let part = difference(Some(&before), &image, 4);
        assert_eq!((part.left, part.top), (3, 2));
        assert_eq!((part.width, part.height), (4, 3));
        let clear = part.transparent.expect("most pixels are unchanged");
        let shown = part.buffer.iter().filter(|&&index| index != clear).count();
        assert_eq!(shown, 2);
        let none = difference(Some(&image), &image, 9);
        assert_eq!((none.width, none.height, none.delay), (1, 1, 9));
    }
}
