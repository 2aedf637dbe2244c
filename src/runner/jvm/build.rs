//! Tests by the project's own build tool, offline. Slow, and true by definition.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Setup;
use super::helper::{self, CLASSES, SERVICE};
use super::lines::Lines;
use super::reactor;
use super::toolchain::Java;
use crate::error::{Error, Result};
use crate::runner::Request;
use crate::scratch::process::{Command, Ended};
use crate::suite::{TestId, TestSelection};

/// What tells one build tool from another.
#[derive(Debug)]
pub struct Tool {
    pub runner: &'static str,
    pub title: &'static str,
    pub program: &'static str,
    /// What its version stands behind.
    pub says: &'static str,
    /// Debian's name for it.
    pub package: &'static str,
    pub wrapper: &'static str,
    pub wrapper_properties: &'static str,
    pub home: &'static str,
    pub home_variable: &'static str,
    pub manifests: &'static [&'static str],
    /// Where it puts what it makes.
    pub output: &'static str,
    pub caches: &'static [&'static str],
    arguments: fn(&Request) -> Vec<OsString>,
    /// Only these classes.
    select: fn(&[String]) -> Vec<OsString>,
    /// As a person writes it: class and methods.
    plain: fn(&[TestId]) -> Vec<String>,
}

pub static MAVEN: Tool = Tool {
    runner: "junit-maven",
    title: "Maven",
    program: "mvn",
    says: "Apache Maven",
    package: "maven",
    wrapper: "mvnw",
    wrapper_properties: ".mvn/wrapper/maven-wrapper.properties",
    home: ".m2",
    home_variable: "MAVEN_USER_HOME",
    manifests: &["pom.xml"],
    output: "target",
    caches: &["target"],
    arguments: maven_arguments,
    select: maven_select,
    plain: maven_plain,
};

pub static GRADLE: Tool = Tool {
    runner: "junit-gradle",
    title: "Gradle",
    program: "gradle",
    says: "Gradle",
    package: "gradle",
    wrapper: "gradlew",
    wrapper_properties: "gradle/wrapper/gradle-wrapper.properties",
    home: ".gradle",
    home_variable: "GRADLE_USER_HOME",
    manifests: &["build.gradle", "build.gradle.kts"],
    output: "build",
    caches: &["build", ".gradle"],
    arguments: gradle_arguments,
    select: gradle_select,
    plain: gradle_plain,
};

/// Offline and quiet about colours; tests run in one process, once, whatever the project says about coverage and style.
const MAVEN_OPTIONS: [&str; 23] = [
    "-o",
    "-B",
    "-Dstyle.color=never",
    "-DforkCount=1",
    "-DreuseForks=true",
    // On a module path our listener would not be found.
    "-Dsurefire.useModulePath=false",
    "-DskipTests=false",
    "-Dmaven.test.skip=false",
    "-Dsurefire.failIfNoSpecifiedTests=false",
    "-DfailIfNoTests=false",
    "-Dsurefire.rerunFailingTestsCount=0",
    "-Dsurefire.runOrder=alphabetical",
    "-Dmaven.test.failure.ignore=false",
    "-Djacoco.skip=true",
    "-Drat.skip=true",
    "-Dcheckstyle.skip=true",
    "-Denforcer.skip=true",
    "-Dspotbugs.skip=true",
    "-Dpmd.skip=true",
    "-Dcpd.skip=true",
    "-Dspotless.check.skip=true",
    "-Danimal.sniffer.skip=true",
    "-Dlicense.skip=true",
];

/// Nothing may be up to date, come from a cache, or stay behind as a daemon.
const GRADLE_OPTIONS: [&str; 5] = ["--offline", "--no-daemon", "--no-build-cache", "--rerun-tasks", "--console=plain"];

/// One argument may not be longer; then all tests run, and only those that are wanted count.
const LONGEST_ARGUMENT: usize = 100_000;

/// The build tool of a project.
#[derive(Clone, Debug)]
pub struct Build {
    pub tool: &'static Tool,
    /// `None`: the wrapper in the project.
    pub program: Option<PathBuf>,
    pub java: Java,
}

impl Build {
    pub fn program_in(&self, root: &Path) -> PathBuf {
        self.program.clone().unwrap_or_else(|| root.join(self.tool.wrapper))
    }

    pub fn plain_command(&self, _root: &Path, tests: &[TestId]) -> Vec<String> {
        let program = if self.program.is_some() { self.tool.program.to_owned() } else { format!("./{}", self.tool.wrapper) };
        [vec![program, "test".to_owned()], (self.tool.plain)(tests)].concat()
    }
}

/// Variables that every process of ours gets.
pub fn environment(request: &Request) -> Vec<(OsString, OsString)> {
    let mut env = vec![("MUTATE_FOLDER".into(), request.folder.into())];
    if request.reach {
        env.push(("MUTATE_HITS".into(), helper::hits_folder(request.folder).into()));
    }
    env
}

/// A process that runs the tests by the build. With `describe` it also says how the build works, and tries to do without it.
/// `known` are all tests, if they are known.
pub fn command(setup: &Setup, request: &Request, known: &[TestId], describe: bool) -> Result<Command> {
    helper::prepare(setup, request, known)?;
    helper::prepare_build(request)?;
    let build = &setup.build;
    let mut lines = Lines::default();
    let mut add = |key: &str, value: &Path| text(value).map(|value| lines.add(key, &[value]));
    add("root", request.root)?;
    add("output", Path::new(build.tool.output))?;
    if describe {
        add("describe", Path::new("yes"))?;
    }
    if build.tool.runner == GRADLE.runner {
        add("gradle", Path::new("yes"))?;
    }
    build.tool.manifests.iter().try_for_each(|name| add("manifest", Path::new(name)))?;
    add("word", &build.program_in(request.root))?;
    words(build.tool, request, describe).iter().try_for_each(|word| add("word", Path::new(word)))?;
    lines.write(&request.folder.join("build"))?;
    let mut args: Vec<OsString> = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"].map(Into::into).to_vec();
    args.extend([request.folder.join(CLASSES).into(), "mutate.Build".into(), request.folder.into()]);
    let program = build.java.machine.clone();
    Ok(Command { program, args, dir: request.root.to_owned(), env: environment(request), remove: vec![] })
}

fn words(tool: &Tool, request: &Request, describe: bool) -> Vec<OsString> {
    let mut words = (tool.arguments)(request);
    if describe && tool.runner == MAVEN.runner {
        words.push("-X".into());
    }
    // Gradle takes the selection for an option of the task before it.
    words.push("test".into());
    if let TestSelection::Only(tests) = request.selection {
        let selected = (tool.select)(&classes(tests));
        if selected.iter().map(|word| word.len()).sum::<usize>() < LONGEST_ARGUMENT {
            words.extend(selected);
        }
    }
    words
}

fn maven_arguments(request: &Request) -> Vec<OsString> {
    let mut words: Vec<OsString> = MAVEN_OPTIONS.map(Into::into).to_vec();
    let mut helpers = OsString::from("-Dmaven.test.additionalClasspath=");
    helpers.push(request.folder.join(SERVICE));
    helpers.push(",");
    helpers.push(request.folder.join(CLASSES));
    words.push(helpers);
    if request.bail {
        words.push("-Dsurefire.skipAfterFailureCount=1".into());
    }
    if request.reach {
        words.push("-Djunit.jupiter.execution.parallel.enabled=false".into());
    }
    words
}

fn maven_select(classes: &[String]) -> Vec<OsString> {
    vec![format!("-Dtest={}", classes.join(",")).into()]
}

fn gradle_arguments(request: &Request) -> Vec<OsString> {
    let mut words: Vec<OsString> = GRADLE_OPTIONS.map(Into::into).to_vec();
    words.extend(["-I".into(), request.folder.join("init.gradle").into()]);
    words
}

fn gradle_select(classes: &[String]) -> Vec<OsString> {
    let patterns = classes.iter().flat_map(|class| [class.clone(), format!("{class}$*")]);
    patterns.flat_map(|pattern| ["--tests".into(), pattern.into()]).collect()
}

/// Classes that are no parts of others, each once.
fn classes(tests: &[TestId]) -> Vec<String> {
    let mut classes: Vec<String> = tests.iter().map(|test| test.file().split('$').next().unwrap_or_default().to_owned()).collect();
    classes.sort();
    classes.dedup();
    classes
}

/// Class and bare name of the method, each pair once.
fn methods(tests: &[TestId]) -> Vec<(&str, &str)> {
    let mut methods: Vec<(&str, &str)> = Vec::new();
    for test in tests {
        let (class, method) = test.as_str().split_once("::").unwrap_or((test.as_str(), "*"));
        let pair = (class, method.split(['(', '[']).next().unwrap_or(method));
        if !methods.contains(&pair) {
            methods.push(pair);
        }
    }
    methods
}

fn maven_plain(tests: &[TestId]) -> Vec<String> {
    let selected: Vec<String> = methods(tests).into_iter().map(|(class, method)| format!("{class}#{method}")).collect();
    if selected.is_empty() { vec![] } else { vec![format!("-Dtest={}", selected.join(","))] }
}

fn gradle_plain(tests: &[TestId]) -> Vec<String> {
    methods(tests).into_iter().flat_map(|(class, method)| ["--tests".to_owned(), format!("{class}.{method}")]).collect()
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| Error::environment("the project stands at a path that is not Unicode").at(path.display()))
}

/// What the build says that ended without a word about tests.
pub fn failure(build: &Build, request: &Request, code: i32, ended: &Ended) -> Error {
    let log = std::fs::read(request.folder.join("build.log")).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let log = log.unwrap_or_else(|_| ended.stderr_tail.clone());
    let cause: Vec<&str> = complaints(&log).take(3).collect();
    let title = build.tool.title;
    let tool = &build.plain_command(Path::new(""), &[]).join(" ");
    if let Some(sibling) = reactor::missing_sibling(request.original_root, cause.first().unwrap_or(&"")) {
        let folder = sibling.build.display();
        return Error::environment(format!(
            "the module needs `{}`, another one of this build that is not installed",
            sibling.artifact
        ))
        .at(request.original_root.display())
        .mend(format!("run `mvn install -DskipTests` in {folder}, or let all modules be built each time with `--root {folder}`"));
    }
    let has = |name: &str| request.original_root.join(name).is_file();
    if log.contains("Task 'test' not found") && has("build.gradle.kts") && !has("build.gradle") {
        return Error::environment("this Gradle does not read build.gradle.kts")
            .at(build.program_in(request.original_root).display())
            .cause(cause.join("\n"))
            .mend("install Gradle 5 or newer, or run the project's own `./gradlew` once, with a network");
    }
    if NOT_THERE.iter().any(|words| log.contains(words)) {
        return Error::environment(format!("{title} lacks something that it would have to fetch"))
            .cause(cause.join("\n"))
            .mend(format!("run `{tool}` once, with a network; modules that this one needs must be installed too"));
    }
    Error::baseline(format!("{title} ended with exit code {code} before any test"))
        .cause(cause.join("\n"))
        .mend(format!("make `{tool}` pass"))
}

const NOT_THERE: [&str; 5] =
    ["in offline mode", "Could not resolve dependencies", "could not be resolved", "No cached version", "Could not find artifact"];

fn complaints(log: &str) -> impl Iterator<Item = &str> {
    let maven = log.lines().filter_map(|line| line.strip_prefix("[ERROR] "));
    let first = log.lines().skip_while(|line| *line != "* What went wrong:").skip(1).take(1);
    let gradle = log.lines().filter_map(|line| line.strip_prefix("> "));
    maven.chain(first).chain(gradle).filter(|line| !line.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(texts: &[&str]) -> Vec<TestId> {
        texts.iter().map(|text| TestId::new(*text)).collect()
    }

    #[test]
    fn a_person_names_class_and_method() {
        let tests = ids(&["shop.CartTest::adds(int)[1]", "shop.CartTest::adds(int)[2]", "shop.CartTest$Empty::isFree()"]);
        assert_eq!(maven_plain(&tests), ["-Dtest=shop.CartTest#adds,shop.CartTest$Empty#isFree"]);
        assert_eq!(gradle_plain(&tests), ["--tests", "shop.CartTest.adds", "--tests", "shop.CartTest$Empty.isFree"]);
        assert_eq!(maven_plain(&[]), Vec::<String>::new());
    }

    #[test]
    fn a_build_is_asked_for_whole_classes() {
        let tests = ids(&["shop.CartTest::adds(int)[1]", "shop.CartTest$Empty::isFree()", "shop.ATest::a()"]);
        assert_eq!(maven_select(&classes(&tests)), ["-Dtest=shop.ATest,shop.CartTest"]);
    }

    #[test]
    fn complaints_of_both_tools_are_found() {
        let log = "[INFO] x\n[ERROR] \n[ERROR] no such plugin\n* What went wrong:\nExecution failed.\n> Could not resolve a:b\n";
        assert_eq!(complaints(log).collect::<Vec<_>>(), ["no such plugin", "Execution failed.", "Could not resolve a:b"]);
    }
}
