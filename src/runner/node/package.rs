//! What stands in a package and above it: `package.json`, the lock file, installed packages.
//!
//! In a workspace much of it stands further up: one lock file and one `node_modules` for all packages. So everything is looked for
//! from the package upwards, as far as the repository goes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::{Error, Result};

/// Lock files and how their package manager installs exactly what they say, the first that is there decides.
const LOCKS: [(&str, &str); 6] = [
    ("pnpm-lock.yaml", "pnpm install --frozen-lockfile"),
    ("yarn.lock", "yarn install --frozen-lockfile"),
    ("bun.lock", "bun install --frozen-lockfile"),
    ("bun.lockb", "bun install --frozen-lockfile"),
    ("npm-shrinkwrap.json", "npm ci"),
    ("package-lock.json", "npm ci"),
];
const WITHOUT_LOCK: &str = "npm install";
/// Yarn from version 2 on writes this first, and calls its option otherwise.
const YARN_BERRY: (&str, &str) = ("__metadata:", "yarn install --immutable");

/// The `package.json` files from a folder upwards, the nearest first.
#[derive(Clone, Debug, Default)]
pub struct Packages {
    root: PathBuf,
    found: Vec<Package>,
}

#[derive(Clone, Debug)]
pub struct Package {
    pub folder: PathBuf,
    json: Value,
}

impl Packages {
    /// Fails with `Kind::Usage` if one of them is no JSON.
    pub fn of(root: &Path) -> Result<Packages> {
        let mut found = Vec::new();
        for folder in upwards(root) {
            let path = folder.join("package.json");
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let json = serde_json::from_str(text.trim_start_matches('\u{feff}'))
                .map_err(|cause| Error::usage("package.json cannot be read").at(path.display()).cause(cause))?;
            found.push(Package { folder: folder.to_owned(), json });
        }
        Ok(Packages { root: root.to_owned(), found })
    }

    /// The nearest first.
    pub fn iter(&self) -> impl Iterator<Item = &Package> {
        self.found.iter()
    }

    pub fn nearest(&self) -> Option<&Package> {
        self.found.first()
    }

    /// The folder of an installed package, as Node would find it from here.
    pub fn installed(&self, name: &str) -> Option<PathBuf> {
        upwards_without_end(&self.root)
            .map(|folder| folder.join("node_modules").join(name))
            .find(|path| path.join("package.json").is_file())
    }

    /// Version of an installed package.
    pub fn version(&self, name: &str) -> Option<String> {
        let text = fs::read_to_string(self.installed(name)?.join("package.json")).ok()?;
        let json: Value = serde_json::from_str(&text).ok()?;
        Some(json.get("version")?.as_str()?.to_owned())
    }

    /// Folder and version of an installed package. Fails with `Kind::Environment` if it is missing or older than this major version.
    pub fn at_least(&self, name: &str, oldest: u32) -> Result<(PathBuf, String)> {
        let (Some(folder), Some(version)) = (self.installed(name), self.version(name)) else { return Err(self.missing(name)) };
        let major = version.split('.').next().and_then(|number| number.parse::<u32>().ok());
        if major.is_some_and(|major| major < oldest) {
            return Err(Error::environment(format!("{name} {version} is too old, {oldest} is needed"))
                .at(folder.display())
                .mend(format!("update {name}, or say how to run the tests with `--test-cmd`")));
        }
        Ok((folder, version))
    }

    /// A program that a package has brought, for example `jest`.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        upwards_without_end(&self.root).map(|folder| folder.join("node_modules/.bin").join(name)).find(|path| path.is_file())
    }

    /// What a user types to install what the project asks for.
    pub fn install_command(&self) -> &'static str {
        for folder in upwards(&self.root) {
            if let Some((file, command)) = LOCKS.iter().find(|(file, _)| folder.join(file).is_file()) {
                let berry =
                    *file == "yarn.lock" && fs::read_to_string(folder.join(file)).is_ok_and(|text| text.contains(YARN_BERRY.0));
                return if berry { YARN_BERRY.1 } else { command };
            }
        }
        WITHOUT_LOCK
    }

    /// The error for a package that has to be there and is not.
    pub fn missing(&self, name: &str) -> Error {
        let error = Error::environment(format!("{name} is not installed")).at(self.root.display());
        if upwards(&self.root).any(|folder| folder.join(".pnp.cjs").is_file()) {
            return error
                .cause("packages stand in archives (Yarn Plug'n'Play), which is not supported")
                .mend("set `nodeLinker: node-modules` in .yarnrc.yml and run `yarn install`");
        }
        let asked_for = self.found.iter().any(|package| package.dependencies().contains(name));
        let cause = match upwards(&self.root).any(|folder| folder.join("node_modules").is_dir()) {
            _ if !asked_for => format!("no package.json asks for {name}"),
            true => format!("package.json asks for {name}, but it is not in node_modules"),
            false => "there is no node_modules folder".to_owned(),
        };
        let mend = match asked_for {
            true => format!("run `{}`", self.install_command()),
            false => {
                "add it to the project, choose another framework with `--framework`, or say how to run the tests with `--test-cmd`"
                    .to_owned()
            }
        };
        error.cause(cause).mend(mend)
    }
}

impl Package {
    pub fn name(&self) -> Option<&str> {
        self.json.get("name")?.as_str()
    }

    /// A top-level entry, for example `jest`.
    pub fn entry(&self, name: &str) -> Option<&Value> {
        self.json.get(name)
    }

    /// Names of the packages that it asks for, whatever for.
    pub fn dependencies(&self) -> BTreeSet<&str> {
        let kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
        kinds
            .iter()
            .filter_map(|kind| self.json.get(kind)?.as_object())
            .flat_map(|packages| packages.keys())
            .map(String::as_str)
            .collect()
    }

    /// The text of a script.
    pub fn script(&self, name: &str) -> Option<&str> {
        self.json.get("scripts")?.get(name)?.as_str()
    }

    /// What `npm test` comes to: the commands of the script `test`, with the scripts that it calls in their place.
    pub fn test_commands(&self) -> Vec<ScriptCommand> {
        let mut commands = Vec::new();
        self.expand("test", &mut BTreeSet::new(), &mut commands);
        commands
    }

    fn expand(&self, script: &str, seen: &mut BTreeSet<String>, into: &mut Vec<ScriptCommand>) {
        let Some(text) = self.script(script) else { return };
        if !seen.insert(script.to_owned()) {
            return;
        }
        for command in ScriptCommand::split(text) {
            match command.called_scripts(|name| self.script(name).is_some()) {
                called if called.is_empty() => into.push(command),
                called => called.iter().for_each(|name| self.expand(name, seen, into)),
            }
        }
    }
}

/// One command of a script: `NAME=value … program argument …`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptCommand {
    pub env: BTreeMap<String, String>,
    pub words: Vec<String>,
}

impl ScriptCommand {
    /// The commands of a line, as far as they are plain words; what only a shell understands is passed over.
    fn split(text: &str) -> Vec<ScriptCommand> {
        let separated = text.replace("&&", " \n ").replace("||", " \n ").replace([';', '|'], " \n ");
        separated.lines().filter_map(ScriptCommand::parse).collect()
    }

    fn parse(text: &str) -> Option<ScriptCommand> {
        const BEFORE_A_PROGRAM: [&str; 9] = ["cross-env", "cross-env-shell", "env", "npx", "c8", "nyc", "dotenv", "--", "exec"];
        const RUNNERS_OF_BINARIES: [&str; 3] = ["yarn", "pnpm", "bunx"];
        let mut command = ScriptCommand::default();
        let mut words = shell_words::split(text).ok()?.into_iter().peekable();
        while let Some(word) = words.next() {
            let assignment = word.split_once('=').filter(|(name, _)| is_variable(name));
            if let Some((name, value)) = assignment {
                command.env.insert(name.to_owned(), value.to_owned());
            } else if RUNNERS_OF_BINARIES.contains(&word.as_str()) && words.peek().is_some_and(|next| next == "exec") {
                continue;
            } else if !BEFORE_A_PROGRAM.contains(&word.as_str()) {
                command.words = std::iter::once(word).chain(words).collect();
                break;
            }
        }
        (!command.words.is_empty()).then_some(command)
    }

    /// The scripts of the package that this command runs, as npm, yarn, pnpm, bun and npm-run-all do.
    fn called_scripts(&self, is_script: impl Fn(&str) -> bool) -> Vec<String> {
        const MANAGERS: [&str; 4] = ["npm", "yarn", "pnpm", "bun"];
        const TOGETHER: [&str; 5] = ["npm-run-all", "npm-run-all2", "run-s", "run-p", "concurrently"];
        let Some((program, rest)) = self.words.split_first() else { return Vec::new() };
        let mut names = rest.iter().filter(|word| !word.starts_with('-') && *word != "run" && *word != "run-script");
        if MANAGERS.contains(&program.as_str()) {
            return names.next().filter(|name| is_script(name)).cloned().into_iter().collect();
        }
        if TOGETHER.contains(&program.as_str()) {
            let bare = |word: &String| word.strip_prefix("npm:").unwrap_or(word).to_owned();
            return names.map(bare).filter(|name| is_script(name)).collect();
        }
        Vec::new()
    }

    /// Whether it runs this program, by name, by path or by `node path`.
    pub fn runs(&self, program: &str) -> bool {
        self.arguments_of(program).is_some()
    }

    /// What follows this program.
    pub fn arguments_of(&self, program: &str) -> Option<&[String]> {
        let is_it = |word: &String| {
            let file = word.rsplit('/').next().unwrap_or_default();
            let stem = file.strip_suffix(".js").or_else(|| file.strip_suffix(".mjs")).unwrap_or(file);
            stem == program
        };
        let program_of = match self.words.first().map(String::as_str) {
            // Options of Node come before the file.
            Some("node") => self.words.iter().skip(1).position(|word| !word.starts_with('-')).map(|at| at + 1),
            Some(_) => Some(0),
            None => None,
        };
        let at = program_of.filter(|at| is_it(&self.words[*at]))?;
        Some(&self.words[at + 1..])
    }

    /// Options that it gives to Node itself: before the file, and in the environment.
    pub fn node_options(&self) -> Vec<&str> {
        let own = match self.words.first().map(String::as_str) {
            Some("node") => self.words[1..].iter().take_while(|word| word.starts_with('-')).map(String::as_str).collect(),
            _ => Vec::new(),
        };
        let from_env = self.env.get("NODE_OPTIONS").map(|text| text.split_whitespace().collect()).unwrap_or_default();
        [own, from_env].concat()
    }
}

fn is_variable(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// A folder and those above it, up to the root of the repository; without a repository, only the folder itself.
pub fn upwards(root: &Path) -> impl Iterator<Item = &Path> {
    let repository = root.ancestors().position(|folder| folder.join(".git").exists()).unwrap_or(0);
    root.ancestors().take(repository + 1)
}

/// Node itself knows no repository.
fn upwards_without_end(root: &Path) -> impl Iterator<Item = &Path> {
    root.ancestors()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    pub fn scene(files: &[(&str, &str)]) -> tempfile::TempDir {
        let scene = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = scene.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        scene
    }

    fn packages(files: &[(&str, &str)]) -> (tempfile::TempDir, Packages) {
        let scene = scene(files);
        let packages = Packages::of(scene.path()).unwrap();
        (scene, packages)
    }

    fn commands(scripts: &str) -> Vec<ScriptCommand> {
        let (_scene, packages) = packages(&[("package.json", &format!("{{\"scripts\": {{{scripts}}}}}"))]);
        packages.nearest().unwrap().test_commands()
    }

    #[test]
    fn a_package_that_is_hoisted_is_found_in_the_workspace() {
        let scene = scene(&[
            (".git/HEAD", ""),
            ("node_modules/jest/package.json", r#"{"version": "30.1.0"}"#),
            ("node_modules/.bin/jest", ""),
            ("packages/a/package.json", "{}"),
            ("package.json", r#"{"devDependencies": {"jest": "30"}}"#),
        ]);
        let packages = Packages::of(&scene.path().join("packages/a")).unwrap();
        assert_eq!(packages.version("jest").as_deref(), Some("30.1.0"));
        assert_eq!(packages.program("jest"), Some(scene.path().join("node_modules/.bin/jest")));
        assert_eq!(packages.iter().count(), 2);
    }

    #[test]
    fn a_missing_package_is_installed_by_whoever_wrote_the_lock_file() {
        let asks = ("package.json", r#"{"devDependencies": {"jest": "30"}}"#);
        let mend = |files: &[(&str, &str)]| packages(files).1.missing("jest").mend.unwrap();
        assert_eq!(mend(&[asks]), "run `npm install`");
        assert_eq!(mend(&[asks, ("package-lock.json", "{}")]), "run `npm ci`");
        assert_eq!(mend(&[asks, ("pnpm-lock.yaml", "")]), "run `pnpm install --frozen-lockfile`");
        assert_eq!(mend(&[asks, ("yarn.lock", "# yarn lockfile v1\n")]), "run `yarn install --frozen-lockfile`");
        assert_eq!(mend(&[asks, ("yarn.lock", "__metadata:\n  version: 8\n")]), "run `yarn install --immutable`");
        assert!(mend(&[("package.json", "{}")]).contains("--framework"));
    }

    #[test]
    fn a_package_file_that_is_no_json_is_an_error() {
        let scene = scene(&[("package.json", "{")]);
        assert_eq!(Packages::of(scene.path()).unwrap_err().kind, Kind::Usage);
    }

    #[test]
    fn scripts_are_followed_to_the_commands_that_they_run() {
        let commands = commands(
            r#""test": "npm run lint && npm run unit -- --coverage", "lint": "eslint .", "unit": "cross-env A=1 NODE_OPTIONS='--x --y' jest -c j.js""#,
        );
        assert_eq!(commands.len(), 2);
        assert!(commands[0].runs("eslint"));
        assert_eq!(commands[1].arguments_of("jest").unwrap(), ["-c", "j.js"]);
        assert_eq!(commands[1].env["A"], "1");
        assert_eq!(commands[1].node_options(), ["--x", "--y"]);
    }

    #[test]
    fn a_program_is_known_by_its_path_too() {
        let commands = commands(r#""test": "node --experimental-vm-modules node_modules/jest/bin/jest.js --ci; vitest run""#);
        assert_eq!(commands[0].arguments_of("jest").unwrap(), ["--ci"]);
        assert_eq!(commands[0].node_options(), ["--experimental-vm-modules"]);
        assert!(commands[1].runs("vitest") && !commands[1].runs("jest"));
    }

    #[test]
    fn scripts_that_call_each_other_come_to_an_end() {
        assert_eq!(commands(r#""test": "npm run a", "a": "npm test""#), []);
    }
}
