//! What a newcomer's machine or project may lack: a toolchain that is not there, and a project that does not build.

use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use support::project::Project;
use support::run::{Finished, Run};

pub mod support;

/// Where a program of this machine stands.
fn place_of(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").expect("a search path");
    let found = std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("{program} is needed by the tests"))
}

/// A run on whose search path only these programs stand.
fn run_with_only(project: &Project, programs: &[&str]) -> Finished {
    let folder = project.beside().join("bin");
    std::fs::create_dir_all(&folder).expect("a folder");
    programs.iter().for_each(|program| symlink(place_of(program), folder.join(program)).expect("a new link"));
    let run = Run::of(project).args([".", "--progress", "none"]);
    run.env("PATH", folder).env("JAVA_HOME", "").finish()
}

fn assert_lacks(project: &Project, programs: &[&str], what: &str, mend: &str) {
    let finished = run_with_only(project, programs);
    let said = &finished.assert_code(5).stderr;
    assert!(said.contains(&format!("error: {what}\n")), "{finished}");
    assert!(said.lines().any(|line| line.trim().starts_with("mend: ") && line.contains(mend)), "{finished}");
}

#[test]
fn a_toolchain_that_is_not_there_is_named_with_a_way_to_get_it() {
    let (maven, gradle) = (Project::copy_of("java-maven"), Project::copy_of("java-gradle"));
    assert_lacks(&maven, &["java", "javac"], "`mvn` is not found", "apt-get install maven");
    assert_lacks(&gradle, &["java", "javac"], "`gradle` is not found", "apt-get install gradle");
    assert_lacks(&Project::copy_of("java-maven"), &["java", "mvn"], "`javac` is not found", "install a JDK");
    assert_lacks(&Project::copy_of("java-maven"), &["mvn"], "`java` is not found", "install a JDK");
    assert_lacks(&Project::copy_of("go-test"), &[], "`go` is not on PATH, so no Go test can run", "install Go");
    assert_lacks(&Project::copy_of("ruby-rspec"), &[], "Ruby is not installed", "apt-get install ruby");
    assert_lacks(&Project::copy_of("node-test"), &[], "there is no `node` on the search path", "install Node.js");
}

/// The message must say where the compiler stumbles first, and at what.
fn assert_does_not_build(project: &Project, target: &str, complaint: &str) {
    let finished = Run::of(project).args([target, "--progress", "none"]).finish();
    let said = &finished.assert_code(4).stderr;
    assert!(said.contains("the tests already fail without any mutant") && said.contains(complaint), "{finished}");
    assert!(said.contains("mend: make the "), "{finished}");
}

#[test]
fn a_go_module_that_does_not_build_gives_the_first_error_of_the_compiler() {
    let project = Project::copy_of("go-test");
    project.write("stock/broken.go", "package stock\n\nfunc Broken() int {\n\treturn nowhere\n}\n");
    assert_does_not_build(&project, "stock/stock.go", "stock/broken.go:4:9: undefined: nowhere");
    project.write("stock/broken.go", "package stock\n");
    project.write("stock/broken_test.go", "package stock\n\nfunc TestBroken( {\n");
    assert_does_not_build(&project, "stock/stock.go", "stock/broken_test.go:3:18: expected ')'");
}

#[test]
fn a_java_project_that_does_not_build_gives_the_first_error_of_the_compiler() {
    for (name, target) in [("java-maven", "src/main/java/shop/Cart.java"), ("java-gradle", "src/main/java/shop/Discount.java")] {
        let project = Project::copy_of(name);
        project.write("src/main/java/shop/Broken.java", "package shop;\n\nclass Broken {\n    int a = nowhere;\n}\n");
        let complaint = "src/main/java/shop/Broken.java:4 does not load: javac: cannot find symbol: variable nowhere";
        assert_does_not_build(&project, target, complaint);
    }
}

#[test]
fn a_typescript_file_that_cannot_be_parsed_is_named() {
    let project = Project::copy_of("node-vitest");
    project.write("src/broken.ts", "export function f( {\n");
    let words = String::from_utf8(project.read("src/words.ts")).expect("Unicode");
    project.write("src/words.ts", format!("import './broken';\n{words}"));
    assert_does_not_build(&project, "src/words.ts", "src/broken.ts:2:0: ERROR: Expected identifier but found end of file");
}

#[test]
fn a_ruby_file_that_cannot_be_parsed_is_named() {
    let project = Project::copy_of("ruby-rspec");
    project.write("lib/shop/broken.rb", "def f(\n");
    let shop = String::from_utf8(project.read("lib/shop.rb")).expect("Unicode");
    project.write("lib/shop.rb", format!("{shop}require_relative 'shop/broken'\n"));
    assert_does_not_build(&project, "lib/shop/cart.rb", "lib/shop/broken.rb:1: syntax error");
}

/// A wrapper would fetch what it runs; `mutate` fetches nothing.
#[test]
fn a_wrapper_that_has_fetched_nothing_yet_is_not_started() {
    let project = Project::copy_of("java-maven");
    project.write("mvnw", "#!/bin/sh\ntouch started\nexit 1\n");
    assert!(Command::new("chmod").arg("+x").arg(project.path("mvnw")).status().expect("chmod").success());
    let properties = "distributionUrl=https://example.invalid/apache-maven-0.0.1-bin.zip\n";
    project.write(".mvn/wrapper/maven-wrapper.properties", properties);
    let finished = run_with_only(&project, &["java", "javac"]);
    assert!(finished.assert_code(5).stderr.contains("run `./mvnw -v` once, with a network"), "{finished}");
}

/// A module of a fresh clone, whose sibling nobody has installed yet.
#[test]
fn a_maven_module_that_needs_another_one_says_how_to_get_it() {
    let build = "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion><groupId>mutate.tests</groupId>\
                 <artifactId>all</artifactId><version>1</version><packaging>pom</packaging>\
                 <modules><module>core</module><module>app</module></modules></project>";
    let module = |name: &str, needs: &str| {
        let pom = std::fs::read_to_string(support::project::fixture("java-maven").join("pom.xml")).expect("a pom");
        let parent = "<parent><groupId>mutate.tests</groupId><artifactId>all</artifactId><version>1</version></parent>";
        let named = pom
            .replace("<groupId>shop</groupId>", parent)
            .replace("<artifactId>shop</artifactId>", &format!("<artifactId>{name}</artifactId>"));
        named
            .replacen("<version>1</version>\n  <properties>", "<properties>", 1)
            .replace("<dependencies>", &format!("<dependencies>{needs}"))
    };
    let needs = "<dependency><groupId>mutate.tests</groupId><artifactId>core</artifactId><version>1</version></dependency>";
    let project = Project::of(&[
        ("pom.xml", build),
        ("core/pom.xml", &module("core", "")),
        ("core/src/main/java/core/Price.java", "package core;\n\npublic class Price {}\n"),
        ("app/pom.xml", &module("app", needs)),
        (
            "app/src/main/java/app/App.java",
            "package app;\n\nclass App {\n    int sum(int a, int b) {\n        return a + b;\n    }\n}\n",
        ),
        ("app/src/test/java/app/AppTest.java", "package app;\n\nclass AppTest {}\n"),
    ]);
    let finished = Run::of(&project).args(["app/src/main/java/app/App.java", "--progress", "none"]).finish();
    let said = &finished.assert_code(5).stderr;
    assert!(said.contains("error: the module needs `core`, another one of this build that is not installed\n"), "{finished}");
    assert!(said.contains(&format!("mend: run `mvn install -DskipTests` in {}", project.root().display())), "{finished}");
}

/// Debian's Gradle is one that does not know these; a newer one would find the tests.
#[test]
fn a_build_script_that_this_gradle_does_not_read_is_named() {
    let project = Project::copy_of("java-gradle");
    std::fs::rename(project.path("build.gradle"), project.path("build.gradle.kts")).expect("a new name");
    project.write("build.gradle.kts", "plugins { java }\n");
    let finished = Run::of(&project).args(["src", "--progress", "none"]).finish();
    let said = &finished.assert_code(5).stderr;
    assert!(said.contains("error: this Gradle does not read build.gradle.kts\n"), "{finished}");
    assert!(said.contains("mend: install Gradle 5 or newer"), "{finished}");
}
