//! Finds the Java compiler and the build tool, and asks them for their versions.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::build::{Build, Tool};
use crate::error::{Error, Result};
use crate::scratch::capture::capture;
use crate::scratch::process::Command;

/// Programs of one JDK.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Java {
    pub machine: PathBuf,
    pub compiler: PathBuf,
}

impl Java {
    /// The JDK of `JAVA_HOME`, as the build tools have it, else that on the search path.
    pub fn find() -> Result<Java> {
        let home = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
        let program = |name: &str| match &home {
            Some(home) => Some(home.join("bin").join(name)).filter(|path| is_program(path)),
            None => on_path(name),
        };
        let missing = |name: &str| {
            let place = home.as_ref().map_or("PATH".to_owned(), |home| format!("JAVA_HOME ({})", home.display()));
            Error::environment(format!("`{name}` is not found"))
                .cause(format!("looked for it in {place}"))
                .mend("install a JDK, for example with `apt-get install openjdk-17-jdk`, or correct `JAVA_HOME`")
        };
        let machine = program("java").ok_or_else(|| missing("java"))?;
        let compiler = program("javac").ok_or_else(|| missing("javac"))?;
        Ok(Java { machine, compiler })
    }
}

impl Build {
    /// The wrapper of the project where its distribution is there already, else the tool on the search path.
    pub fn find(tool: &'static Tool, root: &Path, java: Java) -> Result<Build> {
        if is_program(&root.join(tool.wrapper)) && has_distribution(tool, root) {
            return Ok(Build { tool, program: None, java });
        }
        let program = on_path(tool.program).ok_or_else(|| {
            let error = Error::environment(format!("`{}` is not found", tool.program));
            let install = format!("install it, for example with `apt-get install {}`", tool.package);
            match root.join(tool.wrapper).exists() {
                false => error.cause("looked for it in PATH").mend(install),
                true => error
                    .cause(format!(
                        "looked for it in PATH; {} would have to fetch its distribution, which is not done here",
                        tool.wrapper
                    ))
                    .mend(format!("run `./{} -v` once, with a network, or {install}", tool.wrapper)),
            }
        })?;
        Ok(Build { tool, program: Some(program), java })
    }

    /// Maven or Gradle and Java, with their versions.
    pub fn ask_version(&self, root: &Path) -> Result<String> {
        let program = self.program_in(root);
        let command = Command { program: program.clone(), args: vec!["-v".into()], dir: root.into(), env: vec![], remove: vec![] };
        let answer = capture(&command, Duration::from_secs(300))?;
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        let tool = word_after(&text, self.tool.says);
        let java = word_after(&text, "Java version:").or_else(|| word_after(&text, "JVM:"));
        match (answer.code, tool, java) {
            (Some(0), Some(tool), Some(java)) => Ok(format!("{} {tool}, Java {java}", self.tool.title)),
            _ => Err(Error::environment(format!("{} does not work", self.tool.title))
                .at(program.display())
                .cause(String::from_utf8_lossy(&answer.stderr).trim())
                .mend(format!("make `{} -v` work", self.tool.program))),
        }
    }
}

/// Without a trailing comma; the text may hold colours.
fn word_after(text: &str, before: &str) -> Option<String> {
    let rest = &text[text.find(before)? + before.len()..];
    let word = rest.split_whitespace().next()?;
    Some(word.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric()).trim_end_matches("\u{1b}[m").to_owned())
}

/// Wrappers fetch what they run; we never do.
fn has_distribution(tool: &Tool, root: &Path) -> bool {
    let properties = std::fs::read_to_string(root.join(tool.wrapper_properties)).unwrap_or_default();
    let url = properties.lines().find_map(|line| line.trim().strip_prefix("distributionUrl="));
    let name = url.and_then(|url| url.rsplit('/').next()).map(|file| file.trim_end_matches(".zip").trim_end_matches("-bin"));
    let home = std::env::var_os(tool.home_variable).map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(tool.home)));
    let (Some(name), Some(home)) = (name.filter(|name| !name.is_empty()), home) else { return false };
    let there = std::fs::read_dir(home.join("wrapper/dists")).into_iter().flatten().flatten();
    there.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with(name))
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path: OsString = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::jvm::build::MAVEN;

    #[test]
    fn versions_are_read_from_what_the_tools_say() {
        let maven = "\u{1b}[1mApache Maven 3.8.7\u{1b}[m\nJava version: 17.0.15, vendor: Debian";
        assert_eq!(word_after(maven, "Apache Maven").as_deref(), Some("3.8.7"));
        assert_eq!(word_after(maven, "Java version:").as_deref(), Some("17.0.15"));
        assert_eq!(word_after("Gradle 4.4.1\n", "Gradle").as_deref(), Some("4.4.1"));
        assert_eq!(word_after("nothing", "Gradle"), None);
    }

    #[test]
    fn a_wrapper_that_would_have_to_fetch_something_is_not_used() {
        let scene = tempfile::tempdir().unwrap();
        let properties = scene.path().join(MAVEN.wrapper_properties);
        std::fs::create_dir_all(properties.parent().unwrap()).unwrap();
        std::fs::write(properties, "distributionUrl=https://example.invalid/apache-maven-0.0.1-bin.zip\n").unwrap();
        assert!(!has_distribution(&MAVEN, scene.path()));
    }
}
