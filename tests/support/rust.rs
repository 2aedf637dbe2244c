//! Rust sources read as text: good enough to see every path that they name.

/// Rust without comments and without the insides of string and character literals.
pub fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = comment(rest).or_else(|| literal(rest, ends_in_name(out.strip_suffix('b').unwrap_or(&out))));
        match skipped {
            Some(length) => {
                out.push(' ');
                rest = &rest[length..];
            }
            None => {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    out
}

/// Length of the comment that starts here.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if !text.starts_with("/*") {
        return None;
    }
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        match &text.as_bytes()[at..text.len().min(at + 2)] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" if depth == 1 => return Some(at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    Some(text.len())
}

/// Length of the literal that starts here: string, raw string or character, but no lifetime.
fn literal(text: &str, inside_name: bool) -> Option<usize> {
    if text.starts_with('"') {
        return Some(quoted(text, '"'));
    }
    if let Some(after) = text.strip_prefix('r').filter(|_| !inside_name) {
        let hashes = after.len() - after.trim_start_matches('#').len();
        if after[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let inside = hashes + 2;
            return Some(text[inside..].find(&end).map_or(text.len(), |at| inside + at + end.len()));
        }
    }
    let mut characters = text.strip_prefix('\'')?.chars();
    let is_character = characters.next() == Some('\\') || characters.next() == Some('\'');
    is_character.then(|| quoted(text, '\''))
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        if character == quote && !escaped {
            return at + character.len_utf8();
        }
        escaped = character == '\\' && !escaped;
    }
    text.len()
}

/// Every path of names joined by `::`, groups in braces taken apart. A path of one name is none.
pub fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let tokens = tokens(code);
    let mut at = 0;
    while at < tokens.len() {
        let starts = is_name_token(&tokens[at]) && tokens.get(at + 1).is_some_and(|token| token == "::");
        at = if starts { path(&tokens, at, &[], &mut found) } else { at + 1 };
    }
    found
}

/// Reads the path that starts at a token and returns where it ends.
fn path(tokens: &[String], mut at: usize, prefix: &[String], found: &mut Vec<Vec<String>>) -> usize {
    let mut names = prefix.to_vec();
    while let Some(token) = tokens.get(at) {
        if token == "{" {
            return group(tokens, at + 1, &names, found);
        }
        if !is_name_token(token) && token != "*" {
            break;
        }
        names.push(token.clone());
        at += 1;
        match tokens.get(at) {
            Some(next) if next == "::" => at += 1,
            _ => break,
        }
    }
    found.push(names);
    at
}

fn group(tokens: &[String], mut at: usize, prefix: &[String], found: &mut Vec<Vec<String>>) -> usize {
    while let Some(token) = tokens.get(at) {
        match token.as_str() {
            "}" => return at + 1,
            "as" => at += 2,
            "," => at += 1,
            _ => at = path(tokens, at, prefix, found).max(at + 1),
        }
    }
    at
}

fn is_name_token(token: &str) -> bool {
    token.chars().next().is_some_and(is_name)
}

fn tokens(code: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if is_name(first) => rest.find(|character| !is_name(character)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    tokens
}

pub fn ends_in_name(text: &str) -> bool {
    text.chars().next_back().is_some_and(is_name)
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}
