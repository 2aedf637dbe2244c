//! Finds the Ruby and the RSpec that run the tests, and asks them for their versions.
//!
//! With a `Gemfile.lock` it is Bundler that knows which RSpec; where Bundler cannot set the project up, what is installed is used, and
//! the user is told.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::scratch::capture::capture;
use crate::scratch::process::Command;

const QUESTION: &str = "require 'rspec/core'; require 'rspec/core/version'; require 'json'; \
                        print \"\\n\", JSON.generate(ruby: RUBY_VERSION, rspec: RSpec::Core::Version::STRING)";

/// Older ones lack hooks that the helper needs.
const OLDEST: (u32, u32) = (3, 8);

/// A Ruby with an RSpec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// `ruby`, or `bundle exec ruby`.
    pub words: Vec<String>,
    pub ruby: String,
    pub rspec: String,
    /// What Bundler said when it could not set the project up.
    pub without_bundler: Option<String>,
}

#[derive(Deserialize)]
struct Versions {
    ruby: String,
    rspec: String,
}

impl Toolchain {
    /// Fails with `Kind::Environment` if Ruby or RSpec is missing, or RSpec too old.
    pub fn find(root: &Path) -> Result<Toolchain> {
        if on_path("ruby").is_none() {
            return Err(Error::environment("Ruby is not installed")
                .cause("looked for `ruby` on PATH")
                .mend("install it, for example with `apt-get install ruby`, and put it on PATH"));
        }
        let bundled = match (is_locked(root), on_path("bundle")) {
            (false, _) => None,
            (true, Some(_)) => Some(ask(root, &["bundle", "exec", "ruby"])?),
            (true, None) => Some(Err("`bundle` is not on PATH".to_owned())),
        };
        let (words, found, without_bundler): (&[&str], _, _) = match bundled {
            Some(Ok(versions)) => (&["bundle", "exec", "ruby"], Ok(versions), None),
            Some(Err(why)) => (&["ruby"], ask(root, &["ruby"])?, Some(why)),
            None => (&["ruby"], ask(root, &["ruby"])?, None),
        };
        let versions = found.map_err(|why| no_rspec(without_bundler.as_ref().unwrap_or(&why)))?;
        if release(&versions.rspec) < OLDEST {
            return Err(Error::environment(format!("RSpec {} is too old, {}.{} is needed", versions.rspec, OLDEST.0, OLDEST.1))
                .mend("run `gem install rspec`, or `bundle update rspec`"));
        }
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Ok(Toolchain { words, ruby: versions.ruby, rspec: versions.rspec, without_bundler })
    }
}

/// Whether it stands written which gems the project uses.
pub fn is_locked(root: &Path) -> bool {
    root.join("Gemfile.lock").is_file() || root.join("gems.locked").is_file()
}

fn no_rspec(why: &str) -> Error {
    Error::environment("RSpec is not installed for the Ruby that runs the tests")
        .cause(why)
        .mend("run `gem install rspec`; with a Gemfile, add `gem \"rspec\"` to it and run `bundle install`")
}

/// The versions, or the last words of a Ruby that cannot load RSpec.
fn ask(root: &Path, words: &[&str]) -> Result<Result<Versions, String>> {
    let (program, args) = words.split_first().ok_or_else(|| Error::internal("no program to ask"))?;
    let command = Command {
        program: program.into(),
        args: args.iter().copied().chain(["-e", QUESTION]).map(Into::into).collect(),
        dir: root.to_owned(),
        // Bundler writes no lock file into the user's own tree.
        env: vec![("BUNDLE_FROZEN".into(), "true".into())],
        remove: vec![],
    };
    let answer = capture(&command, Duration::from_secs(120))?;
    let last_line = answer.stdout.split(|byte| *byte == b'\n').next_back().unwrap_or_default();
    Ok(serde_json::from_slice(last_line).map_err(|_| first_words(&answer.stderr)))
}

fn first_words(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it said nothing").chars().take(300).collect()
}

fn on_path(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Major and minor number; an odd version text counts as new.
fn release(version: &str) -> (u32, u32) {
    let mut numbers = version.split('.').map(|part| part.parse::<u32>());
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor),
        _ => (u32::MAX, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(release("3.7.1") < OLDEST);
        assert!(release("3.12.0") > OLDEST);
        assert!(release("4.0.0.pre") > OLDEST);
    }
}
