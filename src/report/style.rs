//! Colours, and when to use them.
//!
//! A format always writes styled text; the door to the outside takes the colours away where nobody could see them.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};

pub const PATH: Style = Style::new().bold();
pub const RULE: Style = AnsiColor::Cyan.on_default();
pub const MINUS: Style = AnsiColor::Red.on_default();
pub const PLUS: Style = AnsiColor::Green.on_default();
pub const WARNING: Style = AnsiColor::Yellow.on_default();
pub const DIM: Style = Style::new().dimmed();

pub fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// What the user said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    #[default]
    Auto,
    Always,
    Never,
}

impl When {
    pub const WORDS: [&'static str; 3] = ["auto", "always", "never"];
}

/// `--color`, then `NO_COLOR`, then `CLICOLOR_FORCE` or `FORCE_COLOR`, then whether a person is looking.
pub fn wants_colour(when: When, variable: &dyn Fn(&str) -> Option<String>, is_terminal: bool) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    let is_on = |name: &str| variable(name).is_some_and(|value| !value.is_empty() && value != "0");
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto if is_set("NO_COLOR") => false,
        When::Auto if is_on("CLICOLOR_FORCE") || is_on("FORCE_COLOR") => true,
        When::Auto => is_terminal && variable("TERM").is_none_or(|term| term != "dumb"),
    }
}

/// The same text without its colours.
pub fn plain(styled: &str) -> String {
    anstream::adapter::strip_str(styled).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wants(when: When, variables: &[(&str, &str)], is_terminal: bool) -> bool {
        let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
        wants_colour(when, &variable, is_terminal)
    }

    #[test]
    fn the_strongest_wish_about_colour_wins() {
        let all = [("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1"), ("TERM", "dumb")];
        assert!(wants(When::Always, &all, false));
        assert!(!wants(When::Never, &all[1..2], true));
        assert!(!wants(When::Auto, &all, true));
        assert!(wants(When::Auto, &all[1..], false));
        assert!(!wants(When::Auto, &all[2..], true));
        assert!(wants(When::Auto, &[], true));
        assert!(!wants(When::Auto, &[], false));
    }

    #[test]
    fn an_empty_or_zero_variable_is_no_wish() {
        assert!(wants(When::Auto, &[("NO_COLOR", "")], true));
        assert!(!wants(When::Auto, &[("FORCE_COLOR", "0")], false));
    }

    #[test]
    fn plain_text_keeps_everything_but_the_colours() {
        assert_eq!(plain(&paint(MINUS, "- größer")), "- größer");
    }
}
