//! Drawings as SVG: inside a page, whose style sheet has their colours, or as files of their own.

use super::html::{escaped, sentence};
use crate::view::drawing::{Anchor, Drawing, Ink, Item, Role, Style};
use glam::DVec2;
use std::fmt::Write as _;

/// Fonts of texts.
pub const FONTS: &str = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Ubuntu',sans-serif";

/// A drawing as an element of a page. `id` is unique in it.
pub fn element(drawing: &Drawing, id: &str) -> String {
    format!(
        "<svg{} role=\"img\" aria-labelledby=\"{id}t {id}d\"><title id=\"{id}t\">{}</title><desc id=\"{id}d\">{}</desc>{}</svg>",
        size(drawing),
        escaped(&drawing.title),
        sentence(&drawing.text),
        content(drawing)
    )
}

/// A drawing as a file: light, and dark where the reader prefers that.
pub fn file(drawing: &Drawing) -> String {
    let style = |is_dark| style_sheet(&|role| hex(role, is_dark));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\"{}><title>{}</title><desc>{}</desc><style>{}@media(prefers-color-scheme:dark){{{}}}</style>{}</svg>\n",
        size(drawing),
        escaped(&drawing.title),
        sentence(&drawing.text),
        style(false),
        style(true),
        content(drawing)
    )
}

fn size(drawing: &Drawing) -> String {
    let [width, height] = drawing.size.to_array().map(short);
    format!(" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\"")
}

fn content(drawing: &Drawing) -> String {
    let [width, height] = drawing.size.to_array().map(short);
    let mut out = format!("<rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>");
    for item in &drawing.items {
        write_item(&mut out, item);
    }
    out
}

fn write_item(out: &mut String, item: &Item) {
    // Writing to a String cannot fail.
    let _ = match item {
        Item::Fill { ink, outlines } => {
            let path: String = outlines.iter().map(|outline| path(outline) + "Z").collect();
            write!(out, "<path class=\"{}\" d=\"{path}\"/>", ink.name())
        }
        Item::Line { ink, points } => write!(
            out,
            "<path class=\"{} line\" d=\"{}\"/>",
            ink.name(),
            path(points)
        ),
        Item::Circle {
            ink,
            center,
            radius,
        } => write!(
            out,
            "<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
            ink.name(),
            short(center.x),
            short(center.y),
            short(*radius)
        ),
        Item::Text {
            ink,
            at,
            anchor,
            text,
        } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            write!(
                out,
                "<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">{}</text>",
                ink.name(),
                short(at.x),
                short(at.y),
                escaped(text)
            )
        }
    };
}

fn path(points: &[DVec2]) -> String {
    let mut out = String::new();
    for (index, at) in points.iter().enumerate() {
        let letter = if index == 0 { 'M' } else { 'L' };
        let _ = write!(out, "{letter}{} {}", short(at.x), short(at.y));
    }
    out
}

/// The style sheet of drawings, with a colour for each role.
pub fn style_sheet(color: &dyn Fn(Role) -> String) -> String {
    let mut out = format!("svg text{{font:11.5px {FONTS}}}");
    for ink in Ink::ALL {
        let Style { fill, stroke, dash } = ink.style();
        let _ = write!(out, ".{}{{", ink.name());
        match fill {
            Some((role, opacity)) => {
                let _ = write!(out, "fill:{};fill-opacity:{opacity}", color(role));
            }
            None => out += "fill:none",
        }
        if let Some((role, width)) = stroke {
            let _ = write!(
                out,
                ";stroke:{};stroke-width:{width};stroke-linejoin:round",
                color(role)
            );
        }
        if let Some([on, off]) = dash {
            let _ = write!(out, ";stroke-dasharray:{on} {off}");
        }
        out += "}";
    }
    let _ = write!(
        out,
        ".line{{fill:none}}.label{{font-weight:600}}svg text{{paint-order:stroke;stroke:{};stroke-width:3px;stroke-linejoin:round}}",
        color(Role::Ground)
    );
    out
}

/// The name of a role's colour in a page.
pub fn variable(role: Role) -> &'static str {
    match role {
        Role::Ground => "--ground",
        Role::Mover => "--mover",
        Role::Obstacle => "--obstacle",
        Role::Impact => "--impact",
        Role::Normal => "--normal",
        Role::Allowed => "--allowed",
        Role::Text => "--text",
        Role::Weak => "--weak",
    }
}

/// The colours of all roles as variables of a page.
pub fn variables(is_dark: bool) -> String {
    Role::ALL
        .iter()
        .map(|role| format!("{}:{};", variable(*role), hex(*role, is_dark)))
        .collect()
}

fn hex(role: Role, is_dark: bool) -> String {
    let [red, green, blue] = role.color(is_dark);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A position in points, to a tenth.
pub fn short(points: f64) -> String {
    let text = format!("{points:.1}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_owned(),
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_have_a_tenth_and_no_minus_zero() {
        assert_eq!([short(-0.01), short(1.25), short(3.0)], ["0", "1.2", "3"]);
    }
}
