//! Files of lines between us and the helpers: a key and values between tabs; a backslash protects backslash, tab and line ends.

use std::fs;
use std::path::Path;

use crate::error::{Error, Result};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines(Vec<Vec<String>>);

impl Lines {
    pub fn add(&mut self, key: &str, values: &[&str]) {
        self.0.push(std::iter::once(&key).chain(values).map(|text| text.to_string()).collect());
    }

    pub fn all<'l>(&'l self, key: &'l str) -> impl Iterator<Item = &'l [String]> {
        self.0.iter().filter(move |line| line[0] == key).map(|line| &line[1..])
    }

    pub fn values<'l>(&'l self, key: &'l str) -> impl Iterator<Item = &'l str> {
        self.all(key).filter_map(|values| values.first()).map(String::as_str)
    }

    pub fn value<'l>(&'l self, key: &'l str) -> Option<&'l str> {
        self.values(key).next()
    }

    /// With every text changed, but for the keys.
    pub fn mapped(&self, change: impl Fn(&str) -> String) -> Lines {
        let line = |line: &Vec<String>| [vec![line[0].clone()], line[1..].iter().map(|text| change(text)).collect()].concat();
        Lines(self.0.iter().map(line).collect())
    }

    pub fn read(path: &Path) -> Result<Lines> {
        let text = fs::read_to_string(path)
            .map_err(|why| Error::internal("what the helper has written cannot be read").at(path.display()).cause(why))?;
        Ok(Lines(text.lines().filter(|line| !line.is_empty()).map(|line| line.split('\t').map(plain).collect()).collect()))
    }

    pub fn write(&self, path: &Path) -> Result<()> {
        let line = |line: &Vec<String>| line.iter().map(|text| escaped(text)).collect::<Vec<_>>().join("\t") + "\n";
        let text: String = self.0.iter().map(line).collect();
        fs::write(path, text).map_err(|why| Error::environment("a file cannot be written").at(path.display()).cause(why))
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        plain.push(match letter {
            '\\' => match letters.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_whatever_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let mut lines = Lines::default();
        lines.add("only", &["a\tb\\t\n", "", "é\r"]);
        lines.add("bail", &["yes"]);
        lines.write(&path).unwrap();
        assert_eq!(Lines::read(&path).unwrap(), lines);
    }

    #[test]
    fn a_key_may_stand_many_times() {
        let mut lines = Lines::default();
        lines.add("a", &["1"]);
        lines.add("b", &["2"]);
        lines.add("a", &["3", "4"]);
        assert_eq!(lines.values("a").collect::<Vec<_>>(), ["1", "3"]);
        assert_eq!(lines.value("c"), None);
    }
}
