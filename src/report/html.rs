//! HTML and SVG escaping: all text from files is escaped and bounded here.

use crate::core::escape;

/// Limit of characters of a name, and of a sentence, which may hold several.
const NAME: usize = 400;
const SENTENCE: usize = 4000;

/// A name for use between tags and in quoted attributes; characters that would not be drawn are escaped as on a terminal.
pub fn escaped(text: &str) -> String {
    escaped_to(text, NAME)
}

/// The same of a sentence, with its code between back quotes as such.
pub fn sentence(text: &str) -> String {
    let part = |(part, is_code): (&str, bool)| match (escaped_to(part, SENTENCE), is_code) {
        (part, true) => format!("<code>{part}</code>"),
        (part, false) => part,
    };
    escape::parts(text).map(part).collect()
}

fn escaped_to(text: &str, longest: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, c) in escape::escaped(text).chars().enumerate() {
        if index == longest {
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

/// `<tag>text</tag>`, the text a sentence.
pub fn tag(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>", sentence(text))
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
        assert_eq!(long.len(), "&amp;".len() * NAME + "…".len());
        assert_eq!(
            sentence("Set `a<b>`, not `c`."),
            "Set <code>a&lt;b&gt;</code>, not <code>c</code>."
        );
        assert_eq!(sentence("one `<b>"), "one `&lt;b&gt;");
    }
}
