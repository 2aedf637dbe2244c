//! Command lines of the project's own scripts: taken over, without what a measurement does not need.

/// An option that is taken out: its names, and whether its value may be the next word.
pub type Dropped = (&'static [&'static str], bool);

/// The words without these options. A value is the next word, or stands behind `=`.
pub fn without(words: &[String], dropped: &[Dropped]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let (name, value) = word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
        match dropped.iter().find(|(names, _)| names.contains(&name)) {
            None => kept.push(word.clone()),
            Some((_, true)) if value.is_none() => {
                words.next_if(|next| !next.starts_with('-'));
            }
            Some(_) => {}
        }
    }
    kept
}

/// A text as a regular expression that matches nothing else.
pub fn literally(text: &str) -> String {
    const SPECIAL: &str = "\\^$.*+?()[]{}|/-";
    text.chars().flat_map(|one| SPECIAL.contains(one).then_some('\\').into_iter().chain([one])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(words: &[&str]) -> Vec<String> {
        let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
        without(&words, &[(&["--reporter", "-R"], true), (&["--watch"], false)])
    }

    #[test]
    fn an_option_goes_with_its_value() {
        assert_eq!(kept(&["--reporter", "dot", "-R=min", "a.js"]), ["a.js"]);
        assert_eq!(kept(&["-R", "--exit", "--reporter"]), ["--exit"]);
    }

    #[test]
    fn a_word_after_an_option_without_value_stays() {
        assert_eq!(kept(&["--watch", "a.js", "--watch-files", "b"]), ["a.js", "--watch-files", "b"]);
    }

    #[test]
    fn what_is_special_in_a_pattern_is_escaped() {
        assert_eq!(literally("a (b|c)?"), "a \\(b\\|c\\)\\?");
    }
}
