//! What does one run in a scratch tree cost beyond the test process itself?
//!
//! `bare` spawns a test process and waits; `copy` and `overlay` run it in a tree with one changed file. The process sleeps for a
//! while as test processes do: what the kernel still has to tidy up from the run before is done by then.

use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use mutate::scratch::process::{Command, Limits};
use mutate::scratch::{Change, Mode, Ran, RunSpec, Scratch, Stop};
use mutate::text::ProjectPath;

const KEEPER: &str = env!("CARGO_BIN_EXE_mutate");
const PROGRAM: &str = "/bin/sleep";
const SECONDS: &str = "0.03";
const FILES: usize = 200;

fn one_run_of_30_ms(criterion: &mut Criterion) {
    let project = tempfile::tempdir().expect("a temporary folder");
    for number in 0..FILES {
        std::fs::write(project.path().join(format!("file{number}.py")), "a = 1\n").expect("a file of the project");
    }
    let mut group = criterion.benchmark_group("one_run_of_30_ms");
    group.bench_function("bare", |bencher| bencher.iter(|| std::process::Command::new(PROGRAM).arg(SECONDS).status()));
    for mode in [Mode::Copy, Mode::Overlay] {
        let scratch = Scratch::with_keeper(Path::new(KEEPER), project.path(), Some(mode), Vec::new()).expect("a scratch");
        let mut tree = scratch.tree().expect("a tree");
        let path = ProjectPath::new(Path::new("file7.py")).expect("a path of the project");
        let changes = [Change { path, bytes: b"a = 2\n".to_vec() }];
        let command =
            Command { program: PROGRAM.into(), args: vec![SECONDS.into()], dir: tree.root().into(), env: vec![], remove: vec![] };
        let limits = Limits { wall: Duration::from_secs(10), cpu: Duration::from_secs(10), memory: 1 << 30 };
        let spec = RunSpec { changes: &changes, stale: &[], caches: &[], keep_caches: false, command: &command, limits: &limits };
        let runs: Vec<_> = (0..50).map(|_| tree.run(&spec, &Stop::new()).expect("a run")).collect();
        let mean = |part: fn(&Ran) -> Duration| runs.iter().map(part).sum::<Duration>() / 50;
        let [mount, look, spawn, clear] =
            [mean(|ran| ran.took.mount), mean(|ran| ran.took.look), mean(|ran| ran.took.spawn), mean(|ran| ran.took.clear)];
        println!(
            "{mode}: mount {mount:?}, look {look:?}, spawn {spawn:?}, clear {clear:?}, test process {:?}",
            mean(|ran| ran.ended.wall)
        );
        group.bench_function(mode.to_string(), |bencher| bencher.iter(|| tree.run(&spec, &Stop::new()).expect("a run")));
    }
}

criterion_group!(benches, one_run_of_30_ms);
criterion_main!(benches);
