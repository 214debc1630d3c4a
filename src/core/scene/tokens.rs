//! Tokens of RON text: whitespace, comments, strings, words.

/// Byte offset after whitespace and comments.
pub(super) fn skip_trivia(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        at = skip_lines_and_blanks(text, at);
        let rest = &text[at..];
        if !rest.starts_with("/*") {
            return at;
        }
        at += block_comment(rest).unwrap_or(rest.len());
    }
}

/// Byte offset after whitespace and comments that end with their line.
fn skip_lines_and_blanks(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let rest = text[at..].trim_start_matches(is_blank);
        at = text.len() - rest.len();
        if !rest.starts_with("//") {
            return at;
        }
        at += rest.find('\n').unwrap_or(rest.len());
    }
}

/// Whitespace in RON.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200E}' | '\u{200F}' | '\u{FEFF}')
}

/// Length of a block comment, which may be nested; `None` when it is not closed.
fn block_comment(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match &bytes[at..bytes.len().min(at + 2)] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
    None
}

/// Byte offset of an unclosed block comment.
pub(super) fn unclosed_comment(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at = skip_lines_and_blanks(text, at);
        let rest = &text[at..];
        if rest.is_empty() {
            return None;
        }
        at += match rest.starts_with("/*") {
            true => match block_comment(rest) {
                Some(length) => length,
                None => return Some(at),
            },
            false if rest.starts_with(['(', ')', '[', ']', '{', '}', ',', ':']) => 1,
            false => token(rest),
        };
    }
}

/// Every comment of a text, in order; a line's without its end.
pub(super) fn comments(text: &str) -> Vec<&str> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let rest = text[at..].trim_start_matches(is_blank);
        at = text.len() - rest.len();
        if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            found.push(rest[..length].trim_end());
            at += length;
        } else if rest.starts_with("/*") {
            let length = block_comment(rest).unwrap_or(rest.len());
            found.push(&rest[..length]);
            at += length;
        } else if !rest.is_empty() {
            at = token_end(text, at);
        }
    }
    found
}

/// Byte offset of the end of the line if only whitespace and comments precede it; else the start offset.
pub(super) fn rest_of_line(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let rest = text[at..].trim_start_matches([' ', '\t', '\r']);
        at = text.len() - rest.len();
        if rest.starts_with('\n') {
            return text[..at].trim_end_matches('\r').len();
        }
        if rest.starts_with("//") {
            let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
            return at + line.trim_end_matches('\r').len();
        }
        match rest
            .starts_with("/*")
            .then(|| block_comment(rest))
            .flatten()
        {
            Some(length) if !rest[..length].contains('\n') => at += length,
            _ => return from,
        }
    }
}

/// Byte offset of the end of a token at a position: a bracket, a comma, a string, a word.
pub(super) fn token_end(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    if rest.starts_with(['(', ')', '[', ']', '{', '}', ',', ':']) {
        return at + 1;
    }
    (at + token(rest)).min(text.len())
}

/// Length of the string, character, number or identifier a text begins with; at least one character.
pub(super) fn token(text: &str) -> usize {
    let first = text.chars().next().map_or(1, char::len_utf8);
    let body = text.strip_prefix('b').unwrap_or(text);
    let prefix = text.len() - body.len();
    if body.starts_with('"') {
        return prefix + quoted(body, b'"');
    }
    if let Some(length) = character(body) {
        return prefix + length;
    }
    if let Some(length) = raw_string(body) {
        return prefix + length;
    }
    let ends = |c: char| is_blank(c) || "()[]{},:\"'/".contains(c);
    let rest = &text[first..];
    first + rest.find(ends).unwrap_or(rest.len())
}

/// Length of a quoted string with escapes; all of the text when it is not closed.
fn quoted(text: &str, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// Length of `'c'`, `'\n'` and the like.
fn character(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('\'')?;
    if inner.starts_with('\\') {
        return Some(quoted(text, b'\''));
    }
    let c = inner.chars().next()?;
    inner[c.len_utf8()..]
        .starts_with('\'')
        .then_some(c.len_utf8() + 2)
}

/// Length of `r"..."`, `r#"..."#` and so on.
fn raw_string(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('r')?;
    let hashes = inner.len() - inner.trim_start_matches('#').len();
    let body = inner[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let length = body
        .find(&close)
        .map_or(body.len(), |end| end + close.len());
    Some(1 + hashes + 1 + length)
}
