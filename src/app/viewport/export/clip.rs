//! Which moments a clip shows, and the clip as an animated GIF.

use super::Picture;
use crate::app::view_state::Playhead;
use egui::{Color32, ColorImage};

/// A clip holds at most so many pictures; more time than that is shown in larger steps.
const MOST: usize = 600;
/// A clip is no wider than this, pixels.
const WIDEST: usize = 1200;
/// Bytes that a clip may have: it is made in memory.
const LARGEST: usize = 128 << 20;
/// How long a picture is shown, hundredths of a second: 25 a second, which every viewer keeps up with.
const STEP: u16 = 4;
/// How long time stands still at an impact or a finding, hundredths of a second.
const HOLD: u16 = 60;
/// Pictures of a frame's inside, beside its start.
const INSIDE: u32 = 48;
/// Pixels for each one that the choice of 256 colours looks at: less is finer and slower (1 to 30).
const SPEED: i32 = 10;

/// A picture of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instant {
    /// Of which moment.
    pub at: Playhead,
    /// How long it is shown, hundredths of a second.
    pub hundredths: u16,
}

/// What a clip shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Span {
    /// From one moment to another as time plays.
    Loop {
        /// Frames from the start.
        from: f64,
        /// Frames from the start.
        to: f64,
        /// Level seconds per second, > 0.
        speed: f64,
    },
    /// One frame from its start to its end.
    Inside(u32),
}

/// The pictures of a clip. `dt` is the length of a frame in seconds; time stands still for a moment at each of `holds`
/// (frames from the start, rising).
pub fn schedule(span: Span, dt: impl Fn(u32) -> f64, holds: &[f64]) -> Vec<Instant> {
    let mut instants = match span {
        Span::Inside(frame) => inside(frame),
        Span::Loop { from, to, speed } => playing(from, to, speed, dt),
    };
    let Some((first, last)) = instants.first().zip(instants.last()) else {
        return Vec::new();
    };
    let (from, to) = (first.at.position(), last.at.position());
    for &hold in holds.iter().filter(|hold| (from..=to).contains(*hold)) {
        let place = instants.partition_point(|one| one.at.position() < hold);
        let full = instants.len() >= MOST * 2;
        match instants.get_mut(place) {
            Some(there) if there.at.position() == hold => there.hundredths = HOLD,
            _ if full => {}
            _ => {
                let at = playhead(hold, to);
                let hundredths = HOLD;
                instants.insert(place, Instant { at, hundredths });
            }
        }
    }
    // Before it begins again.
    if let Some(last) = instants.last_mut() {
        last.hundredths = HOLD;
    }
    instants
}

fn inside(frame: u32) -> Vec<Instant> {
    let at = |step: u32| Instant {
        at: Playhead {
            frame,
            fraction: f64::from(step) / f64::from(INSIDE),
        },
        hundredths: STEP,
    };
    (0..=INSIDE).map(at).collect()
}

/// As time plays: the same number of level seconds from picture to picture.
fn playing(from: f64, to: f64, speed: f64, dt: impl Fn(u32) -> f64) -> Vec<Instant> {
    if !(from.is_finite() && to.is_finite() && speed > 0.0) || from < 0.0 || to <= from {
        return Vec::new();
    }
    let (first, last) = (from.floor() as u32, to.ceil() as u32);
    let part = |frame: u32| {
        let start = f64::from(frame);
        (to.min(start + 1.0) - from.max(start)).max(0.0) * dt(frame).max(0.0)
    };
    let seconds: f64 = (first..last).map(part).sum();
    let step = (speed * f64::from(STEP) / 100.0).max(seconds / (MOST - 1) as f64);
    let mut instants = Vec::new();
    let mut at = from;
    while at < to && instants.len() < MOST {
        instants.push(Instant {
            at: playhead(at, to),
            hundredths: STEP,
        });
        at = later(at, step, last, &dt);
    }
    instants.push(Instant {
        at: playhead(to, to),
        hundredths: STEP,
    });
    instants
}

/// So many seconds later, in frames from the start, but not after the last.
fn later(mut at: f64, mut seconds: f64, last: u32, dt: &impl Fn(u32) -> f64) -> f64 {
    while seconds > 0.0 && at < f64::from(last) {
        let frame = at.floor();
        let length = dt(frame as u32);
        let left = (frame + 1.0 - at) * length;
        if left > seconds {
            return at + seconds / length;
        }
        // Also over a frame that takes no time.
        seconds -= left.max(0.0);
        at = frame + 1.0;
    }
    at
}

/// The end of a span is the end of its last frame, not the start of one after it.
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

/// An animated GIF while it is made; holds one picture and the file.
#[derive(Default)]
pub struct Clip {
    encoder: Option<gif::Encoder<Vec<u8>>>,
    before: Option<ColorImage>,
    /// How long it lasts so far, hundredths of a second.
    pub hundredths: u32,
}

impl Clip {
    /// Writes what has changed since the picture before.
    ///
    /// # Errors
    /// A sentence, when the file gets too large or the encoder refuses.
    pub fn add(&mut self, picture: &Picture) -> Result<(), String> {
        let image = shrunk(&picture.image);
        let [width, height] = image.size.map(|side| side as u16);
        let writer = match &mut self.encoder {
            Some(encoder) => encoder,
            None => self.encoder.insert(begin(width, height).map_err(text)?),
        };
        if self
            .before
            .as_ref()
            .is_some_and(|before| before.size != image.size)
        {
            return Err("the view has changed its size".to_owned());
        }
        let frame = changed(self.before.as_ref(), &image, picture.hundredths);
        writer.write_frame(&frame).map_err(text)?;
        if writer.get_ref().len() > LARGEST {
            return Err(format!("the clip is larger than {} MB", LARGEST >> 20));
        }
        self.before = Some(image);
        self.hundredths += u32::from(picture.hundredths);
        Ok(())
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// A sentence, when no picture was added.
    pub fn finish(self) -> Result<Vec<u8>, String> {
        let encoder = self.encoder.ok_or("there is no moment to show")?;
        encoder.into_inner().map_err(text)
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The mean of each square of pixels, such that it is no wider than a clip may be.
fn shrunk(image: &ColorImage) -> ColorImage {
    let [width, height] = image.size;
    let step = width.div_ceil(WIDEST).max(1);
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

/// The rectangle that differs from the picture before, with clear pixels where nothing changed.
fn changed(
    before: Option<&ColorImage>,
    image: &ColorImage,
    hundredths: u16,
) -> gif::Frame<'static> {
    let width = image.size[0];
    let differs = |at: usize| before.is_none_or(|before| before.pixels[at] != image.pixels[at]);
    let mut bounds: Option<[usize; 4]> = None;
    for at in (0..image.pixels.len()).filter(|&at| differs(at)) {
        let (x, y) = (at % width, at / width);
        let [left, top, right, bottom] = bounds.unwrap_or([x, y, x, y]);
        bounds = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
    }
    // Nothing moved: one clear pixel that lets the time pass.
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

    fn positions(instants: &[Instant]) -> Vec<f64> {
        instants.iter().map(|one| one.at.position()).collect()
    }

    #[test]
    fn a_loop_is_shown_at_its_speed() {
        // 10 frames of 0.04 s at speed 1: a picture each, and the end.
        let span = Span::Loop {
            from: 2.0,
            to: 12.0,
            speed: 1.0,
        };
        let instants = schedule(span, |_| 0.04, &[]);
        assert_eq!(instants.len(), 11);
        for (number, position) in positions(&instants).into_iter().enumerate() {
            assert!((position - (2.0 + number as f64)).abs() < 1e-9);
        }
        let end = instants[10];
        assert_eq!((end.at.frame, end.at.fraction), (11, 1.0));
        // A quarter of the speed: four pictures a frame.
        let slow = Span::Loop {
            from: 2.0,
            to: 12.0,
            speed: 0.25,
        };
        assert_eq!(schedule(slow, |_| 0.04, &[]).len(), 41);
    }

    #[test]
    fn a_long_loop_takes_larger_steps_and_frames_without_time_do_not_hang() {
        let span = Span::Loop {
            from: 0.0,
            to: 1e6,
            speed: 1.0,
        };
        let instants = schedule(span, |_| 0.02, &[]);
        assert!((MOST - 2..=MOST + 1).contains(&instants.len()));
        let all = positions(&instants);
        assert!(all.is_sorted() && *all.last().unwrap() == 1e6);
        let still = Span::Loop {
            from: 0.0,
            to: 50.0,
            speed: 1.0,
        };
        assert_eq!(positions(&schedule(still, |_| 0.0, &[])), [0.0, 50.0]);
        for (from, to, speed) in [(5.0, 5.0, 1.0), (0.0, 5.0, 0.0), (f64::NAN, 5.0, 1.0)] {
            let span = Span::Loop { from, to, speed };
            assert_eq!(schedule(span, |_| 0.1, &[]), []);
        }
    }

    #[test]
    fn time_stands_still_at_what_happens_inside() {
        let instants = schedule(Span::Inside(3), |_| 1.0, &[2.5, 3.25, 3.4, 7.0]);
        assert_eq!(
            instants.len(),
            INSIDE as usize + 2,
            "3.25 is a step already"
        );
        let held: Vec<f64> = instants
            .iter()
            .filter(|one| one.hundredths == HOLD)
            .map(|one| one.at.position())
            .collect();
        assert_eq!(held, [3.25, 3.4, 4.0]);
        assert_eq!(instants.last().unwrap().at.frame, 3);
        assert!(positions(&instants).is_sorted());
    }

    #[test]
    fn a_wide_picture_is_shrunk_by_whole_pixels() {
        let mut image = ColorImage::filled([WIDEST + 2, 5], Color32::BLACK);
        image.pixels[1] = Color32::from_rgb(200, 100, 40);
        let small = shrunk(&image);
        assert_eq!(small.size, [WIDEST / 2 + 1, 2]);
        assert_eq!(small.pixels[0], Color32::from_rgb(50, 25, 10));
        let narrow = ColorImage::filled([40, 1], Color32::RED);
        assert_eq!(shrunk(&narrow), narrow);
    }

    #[test]
    fn only_what_changed_is_written() {
        let before = ColorImage::filled([9, 7], Color32::BLACK);
        let mut image = before.clone();
        image.pixels[2 * 9 + 3] = Color32::RED;
        image.pixels[4 * 9 + 6] = Color32::RED;
        let whole = changed(None, &before, 4);
        assert_eq!((whole.width, whole.height), (9, 7));
        let part = changed(Some(&before), &image, 4);
        assert_eq!((part.left, part.top), (3, 2));
        assert_eq!((part.width, part.height), (4, 3));
        let clear = part.transparent.expect("most of it is as before");
        let shown = part.buffer.iter().filter(|&&index| index != clear).count();
        assert_eq!(shown, 2);
        let none = changed(Some(&image), &image, 9);
        assert_eq!((none.width, none.height, none.delay), (1, 1, 9));
    }
}
