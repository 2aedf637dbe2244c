//! Our helper programs for the Java virtual machine: compiled once by the user's own compiler, and put into the folder of every request.
//!
//! They are compiled against bare outlines of JUnit, because JUnit itself is known only when the project's build has run. They need
//! Java 8, and stand on the class path behind everything else.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use include_dir::{Dir, include_dir};

use super::Setup;
use super::lines::Lines;
use super::toolchain::Java;
use crate::error::{Error, Result};
use crate::runner::Request;
use crate::scratch::capture::capture;
use crate::scratch::process::Command;
use crate::suite::{TestId, TestRun, TestSelection};

static SOURCES: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/runner/jvm/helper/mutate");
static OUTLINES: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/runner/jvm/helper/stubs");
const INIT_GRADLE: &str = include_str!("helper/init.gradle");
const PROBE: &str = include_str!("helper/mutate/Probe.java");

/// Folder of our classes in that of a request.
pub const CLASSES: &str = "mutate-jvm";
/// Folder that makes the JUnit Platform find our listener; only for processes that the build starts.
pub const SERVICE: &str = "mutate-service";
const SERVICES: [(&str, &str); 2] = [
    ("org.junit.platform.launcher.TestExecutionListener", "mutate.PlatformService$Listener"),
    ("org.junit.platform.launcher.PostDiscoveryFilter", "mutate.PlatformService"),
];

/// The helper programs, compiled.
#[derive(Clone, Debug)]
pub struct Classes(Vec<(String, Vec<u8>)>);

impl Classes {
    pub fn compile(java: &Java) -> Result<Classes> {
        let folder = tempfile::tempdir().map_err(|why| Error::environment("a temporary folder cannot be made").cause(why))?;
        let (sources, classes) = (folder.path().join("sources"), folder.path().join("classes"));
        let mut files = Vec::new();
        for file in SOURCES.files() {
            files.push(put(&sources.join(CLASSES).join(file.path()), file.contents())?);
        }
        for file in OUTLINES.files() {
            let name = file.path().file_stem().and_then(|name| name.to_str()).unwrap_or_default().replace('.', "/");
            files.push(put(&sources.join(name).with_extension("java"), file.contents())?);
        }
        make_folder(&classes)?;
        let mut args =
            ["-source", "8", "-target", "8", "-Xlint:-options", "-proc:none", "-encoding", "UTF-8", "-d"].map(Into::into).to_vec();
        args.push(classes.clone().into());
        args.extend(files.into_iter().map(Into::into));
        let command = Command { program: java.compiler.clone(), args, dir: folder.path().into(), env: vec![], remove: vec![] };
        let answer = capture(&command, Duration::from_secs(300))?;
        if answer.code != Some(0) {
            return Err(Error::environment("the Java compiler does not work")
                .at(java.compiler.display())
                .cause(String::from_utf8_lossy(&answer.stderr).trim())
                .mend("install a JDK, version 8 or newer"));
        }
        Classes::read(&classes.join("mutate"))
    }

    fn read(folder: &Path) -> Result<Classes> {
        let unreadable = |why| Error::environment("the helper programs cannot be read").at(folder.display()).cause(why);
        let mut classes = Vec::new();
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            classes.push((entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).map_err(unreadable)?));
        }
        Ok(Classes(classes))
    }

    fn write_to(&self, folder: &Path) -> Result<()> {
        self.0.iter().try_for_each(|(name, bytes)| put(&folder.join(CLASSES).join("mutate").join(name), bytes).map(drop))
    }
}

/// Writes the helpers and the request. `known` are all tests, if they are known.
pub fn prepare(setup: &Setup, request: &Request, known: &[TestId]) -> Result<()> {
    setup.classes.write_to(request.folder)?;
    make_folder(&hits_folder(request.folder))?;
    make_folder(&request.folder.join("no-sources"))?;
    let mut lines = Lines::default();
    if let TestSelection::Only(tests) = request.selection {
        lines.add("select", &["yes"]);
        tests.iter().for_each(|test| lines.add("only", &[test.as_str()]));
    }
    for (key, wanted) in [("bail", request.bail), ("reach", request.reach)] {
        if wanted {
            lines.add(key, &["yes"]);
        }
    }
    known.iter().for_each(|test| lines.add("known", &[test.as_str()]));
    setup.deselect.iter().for_each(|test| lines.add("deselect", &[test.as_str()]));
    setup.tests.iter().for_each(|path| lines.add("within", &[&class_path(path)]));
    lines.write(&request.folder.join("request"))
}

/// What only the build needs.
pub fn prepare_build(request: &Request) -> Result<()> {
    for (service, class) in SERVICES {
        put(&request.folder.join(SERVICE).join("META-INF/services").join(service), class.as_bytes())?;
    }
    put(&request.folder.join("init.gradle"), INIT_GRADLE.as_bytes())?;
    put(&request.folder.join("Probe.java"), PROBE.as_bytes()).map(drop)
}

/// `shop/CartTest` of `src/test/java/shop/CartTest.java`; empty for the whole folder of tests.
fn class_path(path: &Path) -> String {
    let text = path.with_extension("").to_string_lossy().into_owned();
    for root in ["src/test/java", "src/test", "src"] {
        if let Some(rest) = text.strip_prefix(root).filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            return rest.trim_start_matches('/').to_owned();
        }
    }
    text
}

/// Where processes note what they reach while nobody collects it.
pub fn hits_folder(folder: &Path) -> PathBuf {
    folder.join("hits")
}

/// What was reached without anybody to collect it may matter to any test.
pub fn add_late_hits(folder: &Path, run: &mut TestRun) -> Result<()> {
    let path = hits_folder(folder).join("hits");
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(why) => return Err(Error::internal("what the tests reached cannot be read").at(path.display()).cause(why)),
    };
    for line in text.lines() {
        let damaged = |why| Error::internal("what the tests reached cannot be read").at(path.display()).cause(why);
        run.reach.while_loading.insert(line.parse().map_err(damaged)?);
    }
    Ok(())
}

fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|why| Error::environment("a folder cannot be made").at(folder.display()).cause(why))
}

fn put(path: &Path, bytes: &[u8]) -> Result<PathBuf> {
    path.parent().map_or(Ok(()), make_folder)?;
    fs::write(path, bytes).map_err(|why| Error::environment("a file cannot be written").at(path.display()).cause(why))?;
    Ok(path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_tests_are_classes_and_folders_are_packages() {
        assert_eq!(class_path(Path::new("src/test/java/shop/CartTest.java")), "shop/CartTest");
        assert_eq!(class_path(Path::new("src/test/java/shop")), "shop");
        assert_eq!(class_path(Path::new("src/test")), "");
    }
}
