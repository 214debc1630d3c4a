//! The window's fonts. They have no outlines here: to draw the glyphs took a quarter of the time of these tests, and none looks at them.

use super::window::*;
use egui::{Context, FallbackRequest, FontData, FontDefinitions};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock};

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

/// A font of the system is searched when a text needs it, and the first search waits until all fonts of the system are listed: no text that
/// the window itself shows may need one, or it would wait at its start.
#[test]
fn only_names_need_fonts_of_the_system() {
    let mut window = Window::start_page();
    let asked = Arc::new(Mutex::new(BTreeSet::new()));
    let provider = Arc::clone(&asked);
    let provider = move |request: &FallbackRequest<'_>| {
        provider.lock().unwrap().insert(request.cluster.to_owned());
        None
    };
    window.harness.ctx.add_font_provider(Arc::new(provider));
    window.settle();
    window.apply(Command::OpenBundled("bullet_through_paper.ron".into()));
    window.until("it is diagnosed", |model| report(model).is_some());
    for show in [
        Command::ToggleCheatSheet,
        Command::ShowPane(Pane::Explain),
        Command::ShowPane(Pane::Candidates),
        Command::ShowPane(Pane::WhatIf),
        Command::ShowPane(Pane::Plots),
        Command::TogglePalette,
    ] {
        window.apply(show);
        window.settle();
    }
    assert_eq!(*asked.lock().unwrap(), BTreeSet::new());
    let text = BULLET.replace("\"bullet\"", "\"\u{5f3e}\u{4e38} \u{c0c1}\u{c790}\"");
    let named = write(&window.folder, "named.ron", &text);
    window.apply(Command::Open(named));
    window.until("it is diagnosed", |model| {
        report(model).is_some_and(|report| report.findings[0].a.starts_with('\u{5f3e}'))
    });
    let asked: String = asked.lock().unwrap().iter().map(String::as_str).collect();
    assert_eq!(asked, "\u{4e38}\u{5f3e}\u{c0c1}\u{c790}");
}
