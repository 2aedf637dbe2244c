//! `mutate.toml`, variables and flags become one small settings struct per stage.
//!
//! Layers, weakest first: built-in, file, `MUTATE_*` variables, flags. A stronger layer replaces single values and whole lists.
//! Settings flow down, never up: nothing below sees the whole of [`Config`].

pub mod environment;
pub mod file;
pub mod layer;
pub mod settings;
pub mod value;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::source::target::Target;
use layer::Layer;
pub use settings::{
    ExecuteSettings, GateSettings, OutputSettings, RuleSettings, RunnerSettings, ScratchMode, SourceSettings, Tier,
};

/// Where a value comes from, in words: `built-in`, a path, `environment`, `command line`.
pub type Origin = String;

/// All settings of one call.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    pub source: SourceSettings,
    pub rule: RuleSettings,
    pub runner: RunnerSettings,
    pub execute: ExecuteSettings,
    pub gate: GateSettings,
    pub output: OutputSettings,
    /// Every value that holds, with its origin, in order of the key.
    pub merged: BTreeMap<String, (toml::Value, Origin)>,
    /// The file that was read.
    pub file: Option<PathBuf>,
}

/// What one call brings along.
#[derive(Clone, Debug, Default)]
pub struct Call {
    pub working: PathBuf,
    pub root: Option<PathBuf>,
    pub targets: Vec<Target>,
    pub functions: Vec<String>,
    /// `--config`: files and `KEY=VALUE`.
    pub config: Vec<String>,
    /// Read no file.
    pub isolated: bool,
    pub flags: Layer,
}

pub fn load(call: Call) -> Result<Config> {
    load_with(call, &|name| std::env::var(name).ok())
}

/// The same with the variables given.
pub fn load_with(call: Call, variable: &dyn Fn(&str) -> Option<String>) -> Result<Config> {
    let mut merged = BTreeMap::new();
    merge(&mut merged, table(&Layer::built_in())?, "built-in");
    let (named, lines): (Vec<&String>, Vec<&String>) =
        call.config.iter().partition(|text| !text.contains('=') || Path::new(text).is_file());
    let file = config_file(&call, &named)?;
    if let Some((path, layer)) = &file {
        merge(&mut merged, table(layer)?, &path.display().to_string());
    }
    merge(&mut merged, environment::read(variable)?, "environment");
    for line in lines {
        merge(&mut merged, table(&file::read_line(line)?)?, "command line");
    }
    merge(&mut merged, table(&call.flags)?, "command line");
    let values: toml::Table = merged.iter().map(|(key, (value, _))| (key.clone(), value.clone())).collect();
    let layer: Layer = values.try_into().map_err(|error| Error::internal("settings do not merge").cause(error))?;
    config(call, layer, merged, file.map(|(path, _)| path))
}

fn config_file(call: &Call, named: &[&String]) -> Result<Option<(PathBuf, Layer)>> {
    match named {
        [] if call.isolated => Ok(None),
        [] => file::find(&nearest_to(call), &call.working),
        [path] => {
            let path = call.working.join(path);
            let layer = file::read(&path)?;
            Ok(Some((path, layer)))
        }
        _ => Err(Error::usage("`--config` names more than one file").mend("name one file; single settings are written KEY=VALUE")),
    }
}

fn nearest_to(call: &Call) -> PathBuf {
    match (&call.root, call.targets.first()) {
        (Some(root), _) => call.working.join(root),
        (None, Some(target)) => call.working.join(&target.path),
        (None, None) => call.working.clone(),
    }
}

fn table(layer: &Layer) -> Result<toml::Table> {
    toml::Table::try_from(layer).map_err(|error| Error::internal("settings cannot be written as TOML").cause(error))
}

fn merge(merged: &mut BTreeMap<String, (toml::Value, Origin)>, table: toml::Table, origin: &str) {
    merged.extend(table.into_iter().map(|(key, value)| (key, (value, origin.to_string()))));
}

fn config(call: Call, layer: Layer, merged: BTreeMap<String, (toml::Value, Origin)>, file: Option<PathBuf>) -> Result<Config> {
    settings::check(&layer)?;
    let source = SourceSettings {
        working: call.working,
        root: call.root,
        targets: call.targets,
        functions: call.functions,
        include: layer.file.clone().unwrap_or_default(),
        exclude: layer.exclude.clone().unwrap_or_default(),
        companions: layer.tests_also_in.iter().flatten().map(PathBuf::from).collect(),
        chores: layer.tier.is_some_and(|tier| tier > Tier::Default),
    };
    Ok(Config {
        source,
        rule: settings::rule(&layer),
        runner: settings::runner(&layer),
        execute: settings::execute(&layer),
        gate: settings::gate(&layer),
        output: settings::output(&layer)?,
        merged,
        file,
    })
}

/// The known word that somebody probably meant.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Below this likeness a guess confuses more than it helps.
    const LIKE_ENOUGH: f64 = 0.75;
    let scored = known.into_iter().map(|known| (strsim::jaro_winkler(word, known), known));
    scored.filter(|(likeness, _)| *likeness >= LIKE_ENOUGH).max_by(|left, right| left.0.total_cmp(&right.0)).map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn load_from(file: &str, variables: &[(&str, &str)], flags: Layer) -> Result<Config> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("mutate.toml"), file).unwrap();
        let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
        load_with(Call { working: folder.path().to_path_buf(), flags, ..Call::default() }, &variable)
    }

    #[test]
    fn a_stronger_layer_replaces_a_value() {
        let file = "timeout-factor = 2.0\njobs = 2\nseed = 2\n";
        let flags = Layer { seed: Some(4), ..Layer::default() };
        let config = load_from(file, &[("MUTATE_JOBS", "3")], flags).unwrap();
        assert_eq!((config.execute.timeout_factor, config.execute.jobs, config.execute.seed), (2.0, 3, 4));
        assert_eq!(config.execute.timeout_const, Duration::from_secs(3));
        let origin = |key: &str| config.merged[key].1.clone();
        assert!(origin("timeout-factor").ends_with("mutate.toml"));
        assert_eq!(
            (origin("jobs"), origin("seed"), origin("tier")),
            ("environment".into(), "command line".into(), "built-in".into())
        );
    }

    #[test]
    fn nothing_said_means_the_documented_values() {
        let config = load_from("", &[], Layer::default()).unwrap();
        assert_eq!(config.rule.tier, Tier::Default);
        assert_eq!(config.execute.timeout_factor, 5.0);
        assert!(config.rule.arid && config.execute.bail && config.execute.jobs >= 1);
        assert_eq!(config.gate, GateSettings::default());
        assert_eq!(config.output.format, "human");
    }

    #[test]
    fn a_list_is_replaced_and_not_joined() {
        let flags = Layer { select: Some(vec!["b".into()]), ..Layer::default() };
        let config = load_from("select = [\"a\"]\nextend-select = [\"c\"]", &[], flags).unwrap();
        assert_eq!((config.rule.select, config.rule.extend_select), (vec!["b".to_string()], vec!["c".to_string()]));
    }

    #[test]
    fn an_isolated_run_reads_no_file() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("mutate.toml"), "nonsense = 1").unwrap();
        let call = Call { working: folder.path().to_path_buf(), isolated: true, ..Call::default() };
        assert_eq!(load_with(call, &|_| None).unwrap().file, None);
    }

    #[test]
    fn a_value_that_makes_no_sense_is_refused() {
        for wrong in [
            "jobs = 0",
            "timeout = 0",
            "timeout-factor = 0.5",
            "timeout-factor = nan",
            "min-score = 101",
            "output-format = \"pdf\"",
        ] {
            let error = load_from(wrong, &[], Layer::default()).unwrap_err();
            assert_eq!(error.kind.exit_code(), 2, "{wrong}");
            assert!(error.mend.is_some(), "{wrong}");
        }
    }

    #[test]
    fn an_empty_fail_on_is_not_the_same_as_none_said() {
        assert_eq!(load_from("fail-on = []", &[], Layer::default()).unwrap().gate.fail_on, Some(vec![]));
        assert_eq!(load_from("", &[], Layer::default()).unwrap().gate.fail_on, None);
    }

    #[test]
    fn a_word_like_no_other_has_no_nearest() {
        assert_eq!(nearest("timout", ["tier", "timeout"]), Some("timeout"));
        assert_eq!(nearest("zzz", ["tier", "timeout"]), None);
    }
}
