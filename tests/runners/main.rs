//! The runners on the real frameworks.
//!
//! Every test writes a project of a few lines, runs a real test process on it as the engine would, and looks at what came back.

mod bundler;
mod command;
mod go_test;
mod go_test_ends;
mod go_test_reach;
mod jest;
mod junit;
mod mocha;
mod nodetest;
mod playwright;
mod plugins;
mod prelude;
mod pytest;
mod pytest_reach;
mod recorded_runs;
mod recordings;
mod rspec;
mod scene;
mod unittest;
mod vitest;
mod wiring;
