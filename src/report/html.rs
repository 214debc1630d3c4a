//! HTML and SVG escaping: all text from files is escaped and bounded here.

use crate::core::escape;

/// Limit of characters of a name or sentence.
const LONGEST: usize = 400;

/// Text for use between tags and in quoted attributes; characters that would not be drawn are escaped as on a terminal.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, c) in escape::escaped(text).chars().enumerate() {
        if index == LONGEST {
            out.push('…');
            break;
        }
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// `<tag>text</tag>`, the text escaped.
pub fn tag(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>", escaped(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_markup() {
        assert_eq!(
            escaped("<script>alert(\"x\" & 'y')</script>\u{202E}\u{0}"),
            "&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;\\u{202e}\\u{0}"
        );
        let long = escaped(&"&".repeat(5000));
        assert_eq!(long.len(), "&amp;".len() * LONGEST + "…".len());
    }
}
