//! Pictures of a window as one looped GIF, which has of each only what differs from the one before.

use egui::{Color32, ColorImage};
use std::error::Error;
use std::path::Path;

/// The movie so far.
pub struct Movie {
    encoder: gif::Encoder<Vec<u8>>,
    /// The last picture, and for how long it has been shown, hundredths of a second.
    last: Option<(ColorImage, u16)>,
    /// What of the last picture is new: left, top, width, height.
    new: [usize; 4],
}

impl Movie {
    pub fn new([width, height]: [usize; 2]) -> Result<Self, Box<dyn Error>> {
        let mut encoder = gif::Encoder::new(Vec::new(), width as u16, height as u16, &[])?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        Ok(Self {
            encoder,
            last: None,
            new: [0, 0, width, height],
        })
    }

    /// Shows a picture for so many hundredths of a second.
    pub fn show(&mut self, image: ColorImage, time: u16) -> Result<(), Box<dyn Error>> {
        let new = match &mut self.last {
            None => Some(self.new),
            Some((last, _)) => changed(last, &image),
        };
        match (new, &mut self.last) {
            (None, Some((_, shown))) => *shown += time,
            (new, _) => {
                self.flush()?;
                self.new = new.unwrap_or(self.new);
                self.last = Some((image, time));
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Box<dyn Error>> {
        let Some((image, time)) = self.last.take() else {
            return Ok(());
        };
        let [left, top, width, height] = self.new;
        let part = image.region_by_pixels([left, top], [width, height]);
        let mut rgba: Vec<u8> = part.pixels.iter().flat_map(Color32::to_array).collect();
        let mut frame = gif::Frame::from_rgba_speed(width as u16, height as u16, &mut rgba, 3);
        (frame.left, frame.top) = (left as u16, top as u16);
        (frame.delay, frame.dispose) = (time, gif::DisposalMethod::Keep);
        Ok(self.encoder.write_frame(&frame)?)
    }

    /// Writes the movie, which may be no larger than this, bytes.
    pub fn write(mut self, path: &Path, largest: usize) -> Result<(), Box<dyn Error>> {
        self.flush()?;
        let bytes = self.encoder.into_inner()?;
        println!("{}: {} KB", path.display(), bytes.len() / 1024);
        if bytes.len() > largest {
            return Err(format!("{} is larger than {} KB", path.display(), largest / 1024).into());
        }
        Ok(std::fs::write(path, bytes)?)
    }
}

/// The smallest rectangle that holds all pixels that differ.
fn changed(before: &ColorImage, after: &ColorImage) -> Option<[usize; 4]> {
    let width = after.size[0];
    let pairs = before.pixels.iter().zip(&after.pixels).enumerate();
    let places = pairs.filter(|(_, (before, after))| before != after);
    let mut bounds: Option<[usize; 4]> = None;
    for (x, y) in places.map(|(index, _)| (index % width, index / width)) {
        let [left, top, right, bottom] = bounds.unwrap_or([x, y, x, y]);
        bounds = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
    }
    bounds.map(|[left, top, right, bottom]| [left, top, right - left + 1, bottom - top + 1])
}
