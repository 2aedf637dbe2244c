//! A process of our own that compiles what has changed and runs the tests.

use super::described::{self, Described};
use super::helper::{self, CLASSES};
use super::lines::Lines;
use super::{Setup, build};
use crate::error::{Error, Result};
use crate::runner::Request;
use crate::scratch::process::Command;

/// A process that lives for a second is not worth the second compiler and the parallel collector.
const SHORT_LIVED: [&str; 2] = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

pub fn command(setup: &Setup, described: &Described, request: &Request) -> Result<Command> {
    helper::prepare(setup, request, &described.tests)?;
    let lines = described.at(request.root);
    lines.write(&request.folder.join(described::FILE))?;
    let told = |key: &'static str| lines.value(key).ok_or_else(|| Error::internal(format!("the build has not told its {key}")));
    let mut class_path = std::ffi::OsString::from(told("classpath")?);
    class_path.push(":");
    class_path.push(request.folder.join(CLASSES));
    let mut args: Vec<std::ffi::OsString> = short_lived(&lines).map(Into::into).collect();
    args.extend(lines.values("argument").map(Into::into));
    args.extend(["-cp".into(), class_path, "mutate.Direct".into(), request.folder.into()]);
    let env = build::environment(request);
    let own = lines.all("variable").filter_map(|variable| match variable {
        [name, value] => Some((name.into(), value.into())),
        _ => None,
    });
    Ok(Command {
        program: told("java")?.into(),
        args,
        dir: told("dir")?.into(),
        env: env.into_iter().chain(own).collect(),
        remove: vec![],
    })
}

/// What the user says about a thing stays as it is.
fn short_lived(lines: &Lines) -> impl Iterator<Item = &'static str> {
    let said = |about: &str| lines.values("argument").any(|argument| argument.contains(about));
    let collector = said("-XX:+Use");
    let compiler = said("Compil") || said("-Xint") || said("-Xcomp");
    SHORT_LIVED.into_iter().zip([compiler, collector]).filter(|(_, said)| !said).map(|(option, _)| option)
}
