//! Text of strangers made fit to print, and small counted phrases.
//!
//! Sources, test names and failure messages are written by others. A terminal obeys control characters, and some Unicode marks
//! change the order in which a line is read; neither may reach the screen raw.

use std::path::Path;

/// One line without anything that a terminal would obey. A tab is kept readable as `\t`.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => safe.push_str("\\n"),
            '\r' => safe.push_str("\\r"),
            '\t' => safe.push_str("\\t"),
            _ if is_treacherous(character) => safe.extend(character.escape_unicode()),
            _ => safe.push(character),
        }
    }
    safe
}

/// A line of source: as [`escape`], with tabs as four spaces.
pub fn escape_code(line: &str) -> String {
    escape(&line.trim_end_matches('\r').replace('\t', "    "))
}

/// Several lines, each escaped.
pub fn escape_lines(text: &str) -> String {
    text.lines().map(escape).collect::<Vec<_>>().join("\n")
}

fn is_treacherous(character: char) -> bool {
    const INVISIBLE: [char; 4] = ['\u{200b}', '\u{2028}', '\u{2029}', '\u{feff}'];
    character.is_control() || INVISIBLE.contains(&character) || turns_the_reading_direction(character)
}

fn turns_the_reading_direction(character: char) -> bool {
    matches!(character, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `1 mutant`, `2 mutants`.
pub fn counted(count: usize, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    }
}

/// The first few of many: `a, b, c, and 4 more`.
pub fn few<T: AsRef<str>>(items: &[T], most: usize) -> String {
    let shown = items.iter().take(most).map(|item| escape(item.as_ref())).collect::<Vec<_>>().join(", ");
    match items.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown}, and {more} more"),
    }
}

/// A text cut to a number of characters, with a mark where it was cut.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_string(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// A message without what differs from machine to machine or from run to run: the project's folder and addresses of objects.
pub fn steady(message: &str, root: &Path) -> String {
    let root = root.to_string_lossy();
    let message = if root.len() > 1 { message.replace(&format!("{root}/"), "") } else { message.to_string() };
    without_addresses(&message)
}

/// Shorter numbers are values that a program prints; an address of an object has at least this many hex digits.
const DIGITS_OF_AN_ADDRESS: usize = 8;

fn without_addresses(message: &str) -> String {
    let mut parts = message.split(" at 0x");
    let mut steady = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        steady.push_str(" at 0x");
        steady.push_str(if digits >= DIGITS_OF_AN_ADDRESS { "…" } else { &part[..digits] });
        steady.push_str(&part[digits..]);
    }
    steady
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_gets_through() {
        assert_eq!(escape("a\x1b[31mb\u{7f}\u{9b}2J"), "a\\u{1b}[31mb\\u{7f}\\u{9b}2J");
        assert_eq!(escape("one\ntwo\r\tthree"), "one\\ntwo\\r\\tthree");
        assert_eq!(escape("if admin:\u{202e} } \u{2066}"), "if admin:\\u{202e} } \\u{2066}");
        assert_eq!(escape("größer 😀"), "größer 😀");
        assert_eq!(escape_lines("a\x07\nb"), "a\\u{7}\nb");
    }

    #[test]
    fn a_source_line_keeps_its_shape() {
        assert_eq!(escape_code("\treturn 1\r"), "    return 1");
    }

    #[test]
    fn many_are_shown_as_a_few() {
        assert_eq!(few(&["a", "b", "c", "d"], 3), "a, b, c, and 1 more");
        assert_eq!(few(&["a", "b", "c"], 3), "a, b, c");
    }

    #[test]
    fn a_cut_text_says_so() {
        assert_eq!(cut("äöü", 2), "äö…");
        assert_eq!(cut("äöü", 3), "äöü");
    }

    #[test]
    fn a_message_is_the_same_on_every_machine_and_in_every_run() {
        let message = "File /home/me/shop/cart.py: <Cart object at 0x7f12ab34cd56> is not 0x1f at 0x1f";
        let steady = steady(message, Path::new("/home/me/shop"));
        assert_eq!(steady, "File cart.py: <Cart object at 0x…> is not 0x1f at 0x1f");
    }
}
