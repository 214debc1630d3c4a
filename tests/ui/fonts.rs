//! The window's fonts without outlines: to draw the glyphs took a quarter of the time of these tests, and none looks at them.

use egui::{Context, FontData, FontDefinitions};
use std::sync::{Arc, OnceLock};

/// Empties every glyph of the context's fonts. Widths, heights and kerning stay, and so do all places on the screen.
pub fn remove_outlines(ctx: &Context) {
    static FONTS: OnceLock<FontDefinitions> = OnceLock::new();
    let fonts = FONTS.get_or_init(|| {
        let mut fonts = ctx.fonts(|fonts| fonts.definitions().clone());
        for data in fonts.font_data.values_mut() {
            *data = Arc::new(without_outlines(data));
        }
        fonts
    });
    ctx.set_fonts(fonts.clone());
}

/// The same font, its table of the places of outlines (`loca`) all zeros: each glyph has none.
fn without_outlines(font: &FontData) -> FontData {
    let mut bytes = (*font.font).as_ref().to_vec();
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let count = number(4) >> 16;
    // Of each table: tag, checksum, start, length.
    let mut records = (0..count).map(|table| 12 + 16 * table);
    let record = records.find(|&record| &bytes[record..record + 4] == b"loca");
    let record = record.expect("the font has outlines of its own");
    let (start, length) = (number(record + 8), number(record + 12));
    bytes[start..start + length].fill(0);
    FontData {
        font: Arc::new(bytes),
        ..font.clone()
    }
}
