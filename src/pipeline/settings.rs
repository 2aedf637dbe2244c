//! What the user wants, as each stage takes it.

use std::time::Duration;

use crate::config::value::Amount;
use crate::config::{Config, RuleSettings, ScratchMode, Tier};
use crate::error::Result;
use crate::mutant::arid::AridCalls;
use crate::mutant::discover::Options;
use crate::scratch::Mode;
use crate::suite::TestId;
use crate::{execute, plan, rule, runner};

pub fn options(settings: &RuleSettings) -> Result<Options> {
    let arid = settings.arid.then(|| AridCalls::new(&settings.arid_calls)).transpose()?;
    Ok(Options { arid, require_ignore_reason: settings.require_ignore_reason, ..Options::default() })
}

pub fn runner(config: &Config) -> runner::Settings {
    let settings = &config.runner;
    runner::Settings {
        framework: Some(settings.framework.clone()).filter(|name| name != "auto"),
        test_cmd: settings.test_cmd.clone(),
        python: settings.python.clone(),
        tests: settings.tests.iter().map(|path| config.source.working.join(path)).collect(),
        deselect: settings.deselect.iter().map(|test| TestId::new(test.as_str())).collect(),
    }
}

pub fn plan(config: &Config) -> plan::Settings {
    let execute = &config.execute;
    plan::Settings {
        timeout: execute.timeout.map(Duration::from_secs_f64),
        timeout_factor: execute.timeout_factor,
        timeout_constant: execute.timeout_const,
        memory: execute.memory,
        max_mutants: execute.max_mutants,
        sample: execute.sample.map(|amount| match amount {
            Amount::Count(count) => plan::Sample::Count(count),
            Amount::Percent(percent) => plan::Sample::Percent(percent),
        }),
        seed: execute.seed,
    }
}

pub fn execute(config: &Config) -> execute::Settings {
    let execute = &config.execute;
    execute::Settings {
        jobs: execute.jobs,
        bail: execute.bail,
        budget: execute.budget,
        verify_survivors: execute.verify_survivors,
        audit: match execute.audit {
            Amount::Count(count) => execute::audit::Share::Count(count),
            Amount::Percent(percent) => execute::audit::Share::Percent(percent),
        },
    }
}

pub fn tier(tier: Tier) -> rule::Tier {
    match tier {
        Tier::Default => rule::Tier::Default,
        Tier::Thorough => rule::Tier::Thorough,
        Tier::All => rule::Tier::All,
    }
}

pub fn mode(mode: ScratchMode) -> Mode {
    match mode {
        ScratchMode::Overlay => Mode::Overlay,
        ScratchMode::Copy => Mode::Copy,
    }
}
