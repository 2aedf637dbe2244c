//! Every mutant of the given files, and each file with probes, as JSON lines: for the tools that say whether a language accepts them.
//!
//! `cargo run --example mutants -- FILE...` prints `{"file", "edits": [{"start", "end", "replacement", "rule"}], "woven"}` for each
//! file; offsets are bytes. What took how long goes to stderr.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use mutate::language;
use mutate::mutant::discover::discover;
use mutate::mutant::probe::weave;
use mutate::rule::Catalogue;
use mutate::source::{ProjectPath, Source};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let catalogue = Catalogue::built_in();
    let mut out = std::io::stdout().lock();
    let (begin, mut files, mut lines, mut mutants, mut without) = (Instant::now(), 0, 0, 0, 0);
    for file in std::env::args().skip(1) {
        let Some(language) = language::by_path(Path::new(&file)) else { continue };
        let path = ProjectPath::new(Path::new("file")).ok_or("no path")?;
        let source = Source { path, language, text: std::fs::read(&file)? };
        let found = discover(&source, &catalogue)?.mutants;
        let woven = weave(&source, found.iter().map(|mutant| mutant.place), 1);
        files += 1;
        lines += source.text.split(|byte| *byte == b'\n').count();
        mutants += found.len();
        without += found.iter().filter(|mutant| !woven.probes.contains_key(&mutant.place)).count();
        let edits = found.iter().map(|mutant| {
            let replacement = String::from_utf8_lossy(&mutant.edit.replacement);
            json!({"start": mutant.edit.span.start, "end": mutant.edit.span.end, "replacement": replacement, "rule": mutant.rule})
        });
        let line = json!({
            "file": file,
            "edits": edits.collect::<Vec<_>>(),
            "woven": String::from_utf8_lossy(&woven.text(None)),
        });
        writeln!(out, "{line}")?;
    }
    let took = begin.elapsed().as_secs_f64();
    eprintln!("{files} files, {lines} lines, {mutants} mutants ({without} without a probe) in {took:.1} s");
    Ok(())
}
