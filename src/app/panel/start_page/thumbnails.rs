//! The pictures of the bundled levels: one sheet for each theme, made by `cargo run --example start_page_pictures`.

use crate::app::image_file;
use egui::{ColorImage, Context, Rect, TextureHandle, TextureOptions, pos2, vec2};
use std::collections::HashMap;

/// Of the light and of the dark theme.
const SHEETS: [&[u8]; 2] = [
    include_bytes!("thumbnails-light.png"),
    include_bytes!("thumbnails-dark.png"),
];
const FEATURED: [&[u8]; 2] = [
    include_bytes!("featured-light.png"),
    include_bytes!("featured-dark.png"),
];
/// The keyword of the text in the sheet that lists its levels.
const LEVELS: &str = "levels";
/// Number of pictures in a row of the sheet.
const COLUMNS: usize = 10;

/// The textures of the present theme, made when they are first shown.
#[derive(Default)]
pub struct Thumbnails {
    dark: bool,
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
        self.follow_theme(ctx);
        if self.sheet.is_none() {
            let (image, levels) = read(SHEETS[usize::from(self.dark)])?;
            let parts = parts(&levels);
            let texture = ctx.load_texture("thumbnails", image, TextureOptions::LINEAR);
            self.sheet = Some(Sheet { texture, parts });
        }
        let sheet = self.sheet.as_ref()?;
        Some((&sheet.texture, *sheet.parts.get(file)?))
    }

    /// Drops the pictures of the other theme.
    fn follow_theme(&mut self, ctx: &Context) {
        let dark = ctx.global_style().visuals.dark_mode;
        if dark != self.dark {
            *self = Self {
                dark,
                ..Self::default()
            };
        }
    }

    /// The picture of the featured level.
    pub fn featured(&mut self, ctx: &Context) -> Option<(&TextureHandle, Rect)> {
        self.follow_theme(ctx);
        if self.featured.is_none() {
            let (image, _) = read(FEATURED[usize::from(self.dark)])?;
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
    let (image, texts) = image_file::read_png(bytes).ok()?;
    let levels = texts.iter().find(|one| one.keyword == LEVELS);
    let levels = levels.map_or_else(String::new, |one| one.text.clone());
    Some((image, levels))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled;

    /// Few kilobytes a picture: they are part of the program.
    const LARGEST: usize = 320 * 1024;

    #[test]
    fn every_bundled_level_has_a_picture() {
        for (sheet, featured) in SHEETS.into_iter().zip(FEATURED) {
            let (image, levels) = read(sheet).unwrap();
            let parts = parts(&levels);
            for entry in bundled::entries().unwrap() {
                assert!(
                    parts.contains_key(entry.file),
                    "{} has no picture: run `cargo run --example start_page_pictures`",
                    entry.file
                );
            }
            assert_eq!(image.size[0] % COLUMNS, 0);
            assert!(read(featured).unwrap().0.size[0] > 400);
            assert!(sheet.len() + featured.len() < LARGEST);
        }
    }
}
