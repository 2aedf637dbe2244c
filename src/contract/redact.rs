//! Takes secrets out of what is written down: what a test process says is the project's, and ends up in the hands of agents.
//!
//! Rather a word too many than a key too few: a hash in an output may be taken for a key.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Stands for what was taken out.
pub const REDACTED: &str = "[redacted]";
/// Values of variables shorter than this are no secrets worth the name, and occur by chance.
const SHORTEST: usize = 6;

/// Names of variables, fields and options whose values are secret.
const SECRET_NAME: &str = r"(?:API_?KEY|ACCESS_?KEY|SECRET|PASSWORD|PASSWD|PASSPHRASE|PRIVATE_?KEY|MNEMONIC|TOKEN|CREDENTIAL)";

fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|why| unreachable!("{text} is a pattern: {why}"))
}

static PRIVATE_KEY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\z)"));
/// The rest of a key whose beginning was cut off.
static END_OF_KEY: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)\A.*?-----END [A-Z0-9 ]*PRIVATE KEY-----"));
static URL: LazyLock<Regex> = LazyLock::new(|| pattern(r"([A-Za-z][A-Za-z0-9+.-]*://)[^\s/@]+@"));
static BEARER: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}"));
/// The words of a mnemonic go on to the end of the line.
static MNEMONIC: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?i)([a-z0-9_-]*mnemonic["']?\s*[=:]\s*)[^=\s][^\r\n]*"#));
static ASSIGNED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r#"(?i)([a-z0-9_.-]*{SECRET_NAME}[a-z0-9_]*\\?["']?\s*(?:=>|[=:])\s*)(?:"[^"\r\n]*"|'[^'\r\n]*'|[^\s"'=\\][^\s"',;&\\]*)"#
    ))
});
static KNOWN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|",
        r"A[KS]IA[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{30,}|sk-[A-Za-z0-9_-]{16,}|sk_(?:live|test)_[A-Za-z0-9]{16,}|npm_[A-Za-z0-9]{30,}|",
        r"pypi-[A-Za-z0-9_-]{30,}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
    ))
});
static LONG_WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"[A-Za-z0-9+/_=-]{32,}"));
static SECRET_VARIABLE: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("(?i){SECRET_NAME}|^PASS$|_PASS$|_PWD$|_AUTH$")));

/// Knows the secrets of the environment, and what secrets look like.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    /// The longest first, so that one that holds another goes as a whole.
    values: Vec<String>,
}

impl Redactor {
    /// With the values of the variables whose names say that they are secret, and what URLs with credentials hold.
    pub fn of_environment(variables: impl IntoIterator<Item = (String, String)>) -> Redactor {
        let secret = |(name, value): (String, String)| {
            (SECRET_VARIABLE.is_match(&name) && value.trim().len() >= SHORTEST).then(|| value.trim().to_owned())
        };
        let mut values: Vec<String> = variables.into_iter().filter_map(secret).collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.dedup();
        Redactor { values }
    }

    /// With those of this process; what is not Unicode is read as far as it is.
    pub fn here() -> Redactor {
        let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        Redactor::of_environment(std::env::vars_os().map(|(name, value)| (text(name), text(value))))
    }

    /// The text without secrets.
    pub fn text(&self, text: &str) -> String {
        let known = self.values.iter().fold(text.to_owned(), |text, value| text.replace(value, REDACTED));
        let known = PRIVATE_KEY.replace_all(&known, REDACTED);
        let known = URL.replace_all(&known, format!("${{1}}{REDACTED}@"));
        let known = BEARER.replace_all(&known, format!("${{1}} {REDACTED}"));
        let known = MNEMONIC.replace_all(&known, format!("${{1}}{REDACTED}"));
        let known = ASSIGNED.replace_all(&known, format!("${{1}}{REDACTED}"));
        let known = KNOWN.replace_all(&known, REDACTED);
        let word = |found: &Captures| if is_like_a_key(&found[0]) { REDACTED.to_owned() } else { found[0].to_owned() };
        LONG_WORD.replace_all(&known, word).into_owned()
    }

    /// The end of an output. Where its beginning was cut off, what is left of the first word or key goes too.
    pub fn tail(&self, tail: &str, was_cut: bool) -> String {
        if !was_cut {
            return self.text(tail);
        }
        let whole = tail.find(char::is_whitespace).map_or("", |at| &tail[at..]);
        let begins = PRIVATE_KEY.find(whole).map_or(whole.len(), |key| key.start());
        match END_OF_KEY.find(whole).filter(|end| end.end() <= begins) {
            Some(end) => format!("{REDACTED}{}", self.text(&whole[end.end()..])),
            None => self.text(whole),
        }
    }
}

/// True for a text that holds what should be nobody's business.
pub fn holds_secret(text: &str) -> bool {
    Redactor::default().text(text) != text
}

/// Letters and digits without a word in them. Names of tests are long too, but made of words.
fn is_like_a_key(word: &str) -> bool {
    let is_random = |part: &str| {
        let digits = part.bytes().filter(u8::is_ascii_digit).count();
        let letters = part.bytes().filter(u8::is_ascii_alphabetic).count();
        part.len() >= 20 && digits >= 3 && letters >= 3
    };
    word.split(['_', '-', '/']).any(is_random) || word.split('_').any(|part| part.contains(['+', '/']) && has_all_kinds(part))
}

/// Base64: both cases and digits within one word that has no separators but its own.
fn has_all_kinds(part: &str) -> bool {
    let has = |is: fn(&u8) -> bool| part.bytes().filter(is).count() >= 3;
    part.len() >= 32 && has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && part.contains('+')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redacted(text: &str) -> String {
        Redactor::default().text(text)
    }

    #[test]
    fn what_looks_like_a_secret_goes() {
        for (text, expected) in [
            ("ghp_0123456789abcdefghijABCDEFGHIJ", "[redacted]"),
            ("in test_ghp_0123456789abcdefghijABCDEFGHIJ.py", "in test_[redacted].py"),
            ("Authorization: Bearer abc.def-123456", "Authorization: Bearer [redacted]"),
            ("MY_API_KEY=x1", "MY_API_KEY=[redacted]"),
            ("{\"password\": \"hunter2 and more\"}", "{\"password\": [redacted]}"),
            ("'secret' => 'x y'", "'secret' => [redacted]"),
            ("mnemonic: one two three four", "mnemonic: [redacted]"),
            ("postgres://user:pass@host/db", "postgres://[redacted]@host/db"),
            ("https://token@host/", "https://[redacted]@host/"),
            ("key 0123456789abcdef0123456789abcdef", "key [redacted]"),
            ("AKIAIOSFODNN7EXAMPLE", "[redacted]"),
        ] {
            assert_eq!(redacted(text), expected, "{text}");
        }
    }

    #[test]
    fn a_private_key_goes_as_a_whole_even_if_it_is_cut() {
        let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----";
        assert_eq!(redacted(&format!("a\n{key}\nb")), "a\n[redacted]\nb");
        assert_eq!(redacted(&key[..40]), "[redacted]");
        assert_eq!(Redactor::default().tail("GIIE\nabc\n-----END RSA PRIVATE KEY-----\nb", true), "[redacted]\nb");
    }

    #[test]
    fn names_paths_and_comparisons_stay() {
        for text in [
            "tests/test_a_very_long_file_name_of_tests.py::test_that_something_long_is_true",
            "/usr/lib/python3/dist-packages/_pytest/assertion/rewrite.py:123",
            "assert token == 5",
            "550e8400-e29b-41d4-a716-446655440000",
            "com.example.shop.DiscountCalculatorIntegrationTest",
            "see https://example.invalid/a?b=c",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn values_of_secret_variables_are_known() {
        let variables = [("DB_PASSWORD", "tiger-lily"), ("HOME", "/home/lily"), ("X_TOKEN", "ab")];
        let redactor = Redactor::of_environment(variables.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(redactor.text("tiger-lily in /home/lily, ab"), "[redacted] in /home/lily, ab");
    }

    #[test]
    fn half_a_word_at_the_cut_goes() {
        assert_eq!(Redactor::default().tail("789abcdef rest", true), " rest");
        assert_eq!(Redactor::default().tail("whole rest", false), "whole rest");
    }
}
