//! Makes the pictures of the start page, in both themes: a sheet with one of each bundled level, and a large one of the featured level.
//!
//! `cargo run --release --example start_page_pictures` writes them beside the source of the start page; another folder may be given.

use egui::{Color32, ColorImage, vec2};
use hitstop::app::command::Command;
use hitstop::app::view_state::{Layer, Show};
use hitstop::bundled;
use std::error::Error;
use std::path::{Path, PathBuf};
use window::{Window, write};

#[path = "pictures/window.rs"]
#[expect(dead_code, reason = "the pictures of the guide need more of it")]
mod window;

/// The size of a picture on the sheet, pixels.
const SIZE: [usize; 2] = [136, 85];
/// The size of the featured picture, pixels.
const FEATURED: [usize; 2] = [560, 350];
/// Pixels of the window in each direction for a pixel of a picture.
const SAMPLES: usize = 5;
/// Number of pictures in a row of the sheet.
const COLUMNS: usize = 10;
/// The files are no larger than this, bytes.
const LARGEST: usize = 300 * 1024;

/// The mean of each square of `samples` pixels, of the part in the middle that has this size.
fn reduced(image: &ColorImage, size: [usize; 2], samples: usize) -> ColorImage {
    let left = (image.size[0] - size[0] * samples) / 2;
    let top = (image.size[1] - size[1] * samples) / 2;
    let mut small = ColorImage::filled(size, Color32::BLACK);
    for (index, pixel) in small.pixels.iter_mut().enumerate() {
        let (x, y) = (index % size[0] * samples, index / size[0] * samples);
        let mut sum = [0_usize; 3];
        for (dx, dy) in (0..samples * samples).map(|one| (one % samples, one / samples)) {
            let at = image.pixels[(top + y + dy) * image.size[0] + left + x + dx];
            sum[0] += usize::from(at.r());
            sum[1] += usize::from(at.g());
            sum[2] += usize::from(at.b());
        }
        // Fewer shades, so that the file is half as large.
        let [r, g, b] = sum.map(|part| (part / (samples * samples)) as u8 & 0xf8);
        *pixel = Color32::from_rgb(r, g, b);
    }
    small
}

/// Opens a bundled level in the window and shows its first finding without panels and names.
fn open(window: &mut Window, file: &str) {
    window.does(&[Command::OpenBundled(file.to_owned())]);
    window.wait(|model| {
        let document = model.document();
        let document = document.filter(|document| document.source.name() == file);
        let Some(report) = document.and_then(|document| document.report.as_ref()) else {
            return false;
        };
        // The view is moved to the finding once that is selected and its frame is known.
        let is_shown = report.findings.is_empty() || model.finding().is_some();
        model.loading().is_none() && is_shown && model.effects.is_empty()
    });
    if !window.model().messages.shown().is_empty() {
        window.does(&[Command::DismissAllMessages]);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/app/panel/start_page");
    let folder = std::env::args_os().nth(1).map_or(own, PathBuf::from);
    ["light", "dark"]
        .into_iter()
        .try_for_each(|theme| pictures(&folder, theme))
}

fn pictures(folder: &Path, theme: &'static str) -> Result<(), Box<dyn Error>> {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let entries = bundled::entries().map_err(|_| "the bundled levels cannot be read")?;
    // The borders hold the tools of the viewport.
    let [width, height] = SIZE.map(|length| (length * SAMPLES) as f32);
    let size = vec2(width + 120.0, height + 160.0);
    let mut window = Window::in_theme(theme, scenes.join("angled.ron"), size);
    window.does(&[
        Command::TogglePanels,
        Command::ShowLayer(Layer::Names, Show::None),
    ]);
    let rows = entries.len().div_ceil(COLUMNS);
    let sheet_size = [SIZE[0] * COLUMNS, SIZE[1] * rows];
    let mut sheet = ColorImage::filled(sheet_size, Color32::BLACK);
    for (index, entry) in entries.iter().enumerate() {
        open(&mut window, entry.file);
        let small = reduced(&window.picture(), SIZE, SAMPLES);
        let (left, top) = (index % COLUMNS * SIZE[0], index / COLUMNS * SIZE[1]);
        for (y, row) in small.pixels.chunks_exact(SIZE[0]).enumerate() {
            let at = (top + y) * sheet_size[0] + left;
            sheet.pixels[at..at + SIZE[0]].copy_from_slice(row);
        }
        println!("{}", entry.file);
    }
    let files: Vec<&str> = entries.iter().map(|entry| entry.file).collect();
    let text = Some(("levels", files.join("\n")));
    write(
        &folder.join(format!("thumbnails-{theme}.png")),
        &sheet,
        text,
        LARGEST,
    )?;

    let [width, height] = FEATURED.map(|length| (length * 2) as f32);
    window.harness.set_size(vec2(width + 120.0, height + 160.0));
    open(&mut window, bundled::FIRST);
    let image = reduced(&window.picture(), FEATURED, 2);
    write(
        &folder.join(format!("featured-{theme}.png")),
        &image,
        None,
        LARGEST,
    )
}
