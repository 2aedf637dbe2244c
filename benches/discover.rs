//! How much dearer than the bare parse is it to find all mutants of the Python standard library?
//!
//! `discover_standard_library` answers with criterion; the lines before it compare the two in one run, file by file in turn, so that
//! whatever else the machine does weighs on both: lines per second, the ratio, the gain of more workers, and the memory.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use mutate::language::{self, Tree};
use mutate::mutant::discover::{Options, discover, discover_all};
use mutate::rule::{Catalogue, catalogue::Choice};
use mutate::source::{ProjectPath, Source};
use rayon::ThreadPoolBuilder;

fn main() {
    let sources = standard_library();
    let lines: usize = sources.iter().map(lines).sum();
    let catalogue = Catalogue::built_in().chosen(&Choice::default()).expect("the default rules");
    in_turn(&sources, &catalogue, lines);
    by_workers(&sources, &catalogue, lines);
    println!("memory: {} MiB at most, for sources and mutants of all {lines} lines", peak_memory() / 1024);
    let few: Vec<Source> = sources.into_iter().step_by(8).collect();
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    let mut group = criterion.benchmark_group("discover_standard_library");
    group.throughput(Throughput::Elements(few.iter().map(lines_of).sum()));
    group.bench_function("bare parse", |bench| bench.iter(|| few.iter().for_each(|source| drop(black_box(parse(source))))));
    group.bench_function("all mutants", |bench| {
        bench.iter(|| few.iter().map(|source| black_box(mutants(source, &catalogue))).sum::<usize>())
    });
    group.finish();
    criterion.final_summary();
}

fn in_turn(sources: &[Source], catalogue: &Catalogue, lines: usize) {
    let (mut bare, mut tree, mut all) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut found = 0;
    for source in sources {
        bare += time(|| drop(black_box(parse(source))));
        tree += time(|| drop(black_box(Tree::parse(source.language, &source.text))));
        all += time(|| found += black_box(mutants(source, catalogue)));
    }
    let per_second = |time: Duration| lines as f64 / time.as_secs_f64();
    println!("{} files, {lines} lines, {found} mutants", sources.len());
    println!("bare parse:        {bare:8.2?}  {:9.0} lines a second", per_second(bare));
    println!("tree with roles:   {tree:8.2?}  {:.2} × the bare parse", tree.as_secs_f64() / bare.as_secs_f64());
    println!("all mutants:       {all:8.2?}  {:.2} × the bare parse", all.as_secs_f64() / bare.as_secs_f64());
}

fn by_workers(sources: &[Source], catalogue: &Catalogue, lines: usize) {
    let all: Vec<&Source> = sources.iter().collect();
    for workers in [1, 2] {
        let pool = ThreadPoolBuilder::new().num_threads(workers).build().expect("workers");
        let took = time(|| drop(black_box(pool.install(|| discover_all(&all, catalogue, &Options::default())))));
        println!("{workers} workers:         {took:8.2?}  {:9.0} lines a second", lines as f64 / took.as_secs_f64());
    }
}

fn parse(source: &Source) -> Option<tree_sitter::Tree> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter::Language::new(tree_sitter_python::LANGUAGE)).expect("the grammar fits");
    parser.parse(&source.text, None)
}

fn mutants(source: &Source, catalogue: &Catalogue) -> usize {
    discover(source, catalogue).map_or(0, |found| found.mutants.len())
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn lines(source: &Source) -> usize {
    source.text.iter().filter(|byte| **byte == b'\n').count()
}

fn lines_of(source: &Source) -> u64 {
    lines(source) as u64
}

/// The sources of the installed Python, without its tests.
fn standard_library() -> Vec<Source> {
    let asked = std::process::Command::new("python3").args(["-c", "import os; print(os.path.dirname(os.__file__))"]).output();
    let folder = String::from_utf8(asked.expect("python3 is installed").stdout).expect("a path");
    let mut files = Vec::new();
    collect(Path::new(folder.trim()), &mut files);
    files.sort();
    let python = language::by_name("python").expect("Python is known");
    let source = |path: &PathBuf| {
        let path_in_project = ProjectPath::new(Path::new("module.py")).expect("a name");
        std::fs::read(path).ok().map(|text| Source { path: path_in_project, language: python, text })
    };
    files.iter().filter_map(source).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    const LEFT_OUT: [&str; 6] = ["test", "tests", "site-packages", "lib2to3", "idlelib", "__pycache__"];
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() && !LEFT_OUT.iter().any(|left_out| name == *left_out) {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "py") {
            files.push(path);
        }
    }
}

/// KiB, as the system counts them.
fn peak_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches("kB").trim().parse().unwrap_or(0)
}
