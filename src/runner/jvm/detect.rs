//! Finds the build tool of a project from its files; runs nothing.

use std::path::{Path, PathBuf};

use super::build::{GRADLE, MAVEN, Tool};
use crate::error::{Error, Result};

/// The runner that the files of a project ask for.
pub fn framework(root: &Path, _named: &[PathBuf]) -> Result<&'static str> {
    let has = |tool: &Tool| tool.manifests.iter().chain([&tool.wrapper]).any(|name| root.join(name).is_file());
    let tool = match (has(&MAVEN), has(&GRADLE)) {
        (true, false) => &MAVEN,
        (false, true) => &GRADLE,
        (true, true) => {
            return Err(Error::usage("the project has build files of Maven and of Gradle")
                .at(root.display())
                .mend(format!("choose with `--framework {}` or `--framework {}`", MAVEN.runner, GRADLE.runner)));
        }
        (false, false) => {
            return Err(Error::nothing("no build of the tests found")
                .at(root.display())
                .cause("looked for pom.xml, build.gradle and build.gradle.kts")
                .mend("say how to run the tests with `--test-cmd \"…\"`"));
        }
    };
    refuse_testng(tool, root)?;
    Ok(tool.runner)
}

/// Another framework than JUnit.
pub fn refuse_testng(tool: &Tool, root: &Path) -> Result<()> {
    let texts = tool.manifests.iter().filter_map(|name| std::fs::read_to_string(root.join(name)).ok());
    let signs = ["<artifactId>testng</artifactId>", "useTestNG"];
    match texts.into_iter().any(|text| signs.iter().any(|sign| text.contains(sign))) {
        false => Ok(()),
        true => Err(Error::usage("the tests are for TestNG, and only those for JUnit can be run one by one")
            .at(root.display())
            .mend(format!("run them with `--test-cmd \"{} test\"`", tool.program))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    fn found(files: &[(&str, &str)]) -> Result<&'static str> {
        let scene = tempfile::tempdir().unwrap();
        files.iter().for_each(|(name, text)| std::fs::write(scene.path().join(name), text).unwrap());
        framework(scene.path(), &[])
    }

    #[test]
    fn the_build_file_decides() {
        assert_eq!(found(&[("pom.xml", "")]).unwrap(), "junit-maven");
        assert_eq!(found(&[("build.gradle", "")]).unwrap(), "junit-gradle");
        assert_eq!(found(&[("build.gradle.kts", "")]).unwrap(), "junit-gradle");
        assert_eq!(found(&[]).unwrap_err().kind, Kind::NothingToMeasure);
    }

    #[test]
    fn two_builds_are_not_guessed_between() {
        let error = found(&[("pom.xml", ""), ("gradlew", "")]).unwrap_err();
        assert_eq!(error.kind, Kind::Usage);
        assert!(error.to_string().contains("--framework junit-maven"), "{error}");
    }

    #[test]
    fn tests_for_testng_are_refused() {
        let error = found(&[("pom.xml", "<artifactId>testng</artifactId>")]).unwrap_err();
        assert!(error.to_string().contains("TestNG") && error.to_string().contains("--test-cmd"), "{error}");
    }
}
