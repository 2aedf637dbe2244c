//! Does the compiler take a Java library with probes at all its mutants?
//!
//! `cargo bench --bench weave_java -- SOURCES OUT` writes every file below SOURCES with its probes below OUT, and the class that they call:
//! `javac -proc:none -nowarn -cp CLASSPATH -d /tmp/out $(find OUT -name '*.java')` has the answer. It also tells how fast that goes.

use std::path::{Path, PathBuf};
use std::time::Instant;

use mutate::language;
use mutate::mutant::discover::discover;
use mutate::mutant::probe::weave;
use mutate::rule::Catalogue;
use mutate::source::{ProjectPath, Source};

const PROBE: &str = "package mutate; public class Probe { public static boolean hit(int id) { return true; } }";

fn main() {
    let folders: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let [sources, out] = &folders[..] else { return println!("name a folder of sources and one to write to") };
    let (sources, out) = (Path::new(sources), Path::new(out));
    let catalogue = Catalogue::built_in();
    let mut files = Vec::new();
    collect(sources, &mut files);
    let start = Instant::now();
    let (mut lines, mut found, mut probed) = (0, 0, 0);
    for path in &files {
        let name = path.strip_prefix(sources).expect("below the folder");
        let source = Source {
            path: ProjectPath::new(name).expect("a path in the project"),
            language: language::by_name("java").expect("Java is known"),
            text: std::fs::read(path).expect("a file"),
        };
        let mutants = discover(&source, &catalogue).expect("no ignored region").mutants;
        let woven = weave(&source, mutants.iter().map(|mutant| mutant.place), 1);
        lines += source.text.iter().filter(|byte| **byte == b'\n').count();
        found += mutants.len();
        probed += mutants.iter().filter(|mutant| woven.probes.contains_key(&mutant.place)).count();
        write(&out.join(name), &woven.text(None));
    }
    write(&out.join("mutate/Probe.java"), PROBE.as_bytes());
    println!("{} files, {lines} lines, {found} mutants, {probed} of them with a probe, {:.1?}", files.len(), start.elapsed());
}

fn write(path: &Path, text: &[u8]) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "java") {
            files.push(path);
        }
    }
    files.sort();
}
