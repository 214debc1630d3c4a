//! The pictures of the bundled levels: one sheet, made by `cargo run --example start_page_pictures`.

use egui::{Color32, ColorImage, Context, Rect, TextureHandle, TextureOptions, pos2, vec2};
use std::collections::HashMap;

const SHEET: &[u8] = include_bytes!("thumbnails.png");
const FEATURED: &[u8] = include_bytes!("featured.png");
/// The keyword of the text in the sheet that lists its levels.
const LEVELS: &str = "levels";
/// Number of pictures in a row of the sheet.
const COLUMNS: usize = 10;

/// The textures, made when they are first shown.
#[derive(Default)]
pub struct Thumbnails {
    sheet: Option<Sheet>,
    featured: Option<TextureHandle>,
}

/// The sheet, and the part of it that each level has.
struct Sheet {
    texture: TextureHandle,
    parts: HashMap<String, Rect>,
}

impl Thumbnails {
    /// The picture of a level; `None` for one that is not in the sheet.
    pub fn of(&mut self, ctx: &Context, file: &str) -> Option<(&TextureHandle, Rect)> {
        if self.sheet.is_none() {
            let (image, levels) = read(SHEET)?;
            let parts = parts(&levels);
            let texture = ctx.load_texture("thumbnails", image, TextureOptions::LINEAR);
            self.sheet = Some(Sheet { texture, parts });
        }
        let sheet = self.sheet.as_ref()?;
        Some((&sheet.texture, *sheet.parts.get(file)?))
    }

    /// The picture of the featured level.
    pub fn featured(&mut self, ctx: &Context) -> Option<(&TextureHandle, Rect)> {
        if self.featured.is_none() {
            let (image, _) = read(FEATURED)?;
            self.featured = Some(ctx.load_texture("featured", image, TextureOptions::LINEAR));
        }
        let whole = Rect::from_min_size(pos2(0.0, 0.0), vec2(1.0, 1.0));
        Some((self.featured.as_ref()?, whole))
    }
}

/// The part of the sheet of each level, 0 to 1 in both directions.
fn parts(levels: &str) -> HashMap<String, Rect> {
    let levels: Vec<&str> = levels.lines().collect();
    let rows = levels.len().div_ceil(COLUMNS) as f32;
    let size = vec2(1.0 / COLUMNS as f32, 1.0 / rows);
    let part = |index: usize| {
        let at = vec2((index % COLUMNS) as f32, (index / COLUMNS) as f32) * size;
        Rect::from_min_size(at.to_pos2(), size)
    };
    let named = levels.iter().enumerate();
    named
        .map(|(index, level)| ((*level).to_owned(), part(index)))
        .collect()
}

/// The picture in a PNG file with a palette, and its list of levels; `None` if it cannot be read.
fn read(bytes: &[u8]) -> Option<(ColorImage, String)> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut pixels).ok()?;
    let texts = &reader.info().uncompressed_latin1_text;
    let levels = texts.iter().find(|one| one.keyword == LEVELS);
    let levels = levels.map_or_else(String::new, |one| one.text.clone());
    let size = [frame.width as usize, frame.height as usize];
    let rgb = pixels.chunks_exact(3);
    let colors: Vec<Color32> = rgb
        .map(|rgb| Color32::from_rgb(rgb[0], rgb[1], rgb[2]))
        .collect();
    (colors.len() == size[0] * size[1]).then(|| (ColorImage::new(size, colors), levels))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled;

    /// Few kilobytes a picture: they are part of the program.
    const LARGEST: usize = 320 * 1024;

    #[test]
    fn every_bundled_level_has_a_picture() {
        let (image, levels) = read(SHEET).unwrap();
        let parts = parts(&levels);
        for entry in bundled::entries().unwrap() {
            let part = parts.get(entry.file);
            assert!(
                part.is_some(),
                "{} has no picture: run `cargo run --example start_page_pictures`",
                entry.file
            );
        }
        assert_eq!(image.size[0] % COLUMNS, 0);
        let (featured, _) = read(FEATURED).unwrap();
        assert!(featured.size[0] > 400);
        assert!(SHEET.len() + FEATURED.len() < LARGEST);
    }
}
