//! Writes JUnit XML: the evidence that is kept beside a result, the same for every framework, without secrets.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::error::{Error, Result};
use crate::suite::Phase;

/// One test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub classname: String,
    pub name: String,
    pub took_ms: u64,
    pub end: End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Passed,
    Skipped,
    Failed { phase: Phase, message: String },
}

/// As XML; characters that XML cannot hold are left out.
pub fn write(framework: &str, cases: &[Case]) -> Result<String> {
    let failed = |case: &&Case| matches!(case.end, End::Failed { phase: Phase::Call, .. });
    let broken = |case: &&Case| matches!(&case.end, End::Failed { phase, .. } if *phase != Phase::Call);
    let count = |is: &dyn Fn(&&Case) -> bool| cases.iter().filter(is).count().to_string();
    let (tests, failures, errors) = (cases.len().to_string(), count(&failed), count(&broken));
    let skipped = count(&|case: &&Case| case.end == End::Skipped);
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 1);
    let written = (|| {
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let counters =
            [("name", framework), ("tests", &tests), ("failures", &failures), ("errors", &errors), ("skipped", &skipped)];
        let suite = writer.create_element("testsuite").with_attributes(counters);
        suite.write_inner_content(|writer| cases.iter().try_for_each(|case| write_case(writer, case)))?;
        std::io::Result::Ok(())
    })();
    written.map_err(|cause| Error::internal("a JUnit report cannot be written").cause(cause))?;
    String::from_utf8(writer.into_inner()).map_err(|cause| Error::internal("a JUnit report is not UTF-8").cause(cause))
}

fn write_case(writer: &mut Writer<Vec<u8>>, case: &Case) -> std::io::Result<()> {
    let (classname, name) = (legal(&case.classname), legal(&case.name));
    let time = format!("{:.3}", case.took_ms as f64 / 1000.0);
    let attributes = [("classname", classname.as_str()), ("name", name.as_str()), ("time", time.as_str())];
    let element = writer.create_element("testcase").with_attributes(attributes);
    match &case.end {
        End::Passed => element.write_empty()?,
        End::Skipped => element.write_inner_content(|writer| writer.create_element("skipped").write_empty().map(|_| ()))?,
        End::Failed { phase, message } => element.write_inner_content(|writer| {
            let message = legal(&with_phase(*phase, message));
            let tag = if *phase == Phase::Call { "failure" } else { "error" };
            let first_line = message.lines().next().unwrap_or_default();
            let problem = writer.create_element(tag).with_attribute(("message", first_line));
            problem.write_text_content(BytesText::new(&message)).map(|_| ())
        })?,
    };
    Ok(())
}

/// In the words by which readers of JUnit XML tell phases.
fn with_phase(phase: Phase, message: &str) -> String {
    match phase {
        Phase::Collection => format!("collection failure: {message}"),
        Phase::Setup => format!("failed on setup with {message}"),
        Phase::Teardown => format!("failed on teardown with {message}"),
        Phase::Call | Phase::Unknown => message.to_owned(),
    }
}

/// Without the characters that XML 1.0 forbids.
fn legal(text: &str) -> String {
    let is_legal = |char: &char| matches!(char, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..);
    text.chars().filter(is_legal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::junit_xml;

    #[test]
    fn what_is_written_is_read_again() {
        let case = |name: &str, end: End| Case { classname: "a<b>".into(), name: name.into(), took_ms: 1500, end };
        let failed = |phase| End::Failed { phase, message: "x < \"y\"\n]]>\u{0}".into() };
        let cases = [
            case("passed", End::Passed),
            case("skipped", End::Skipped),
            case("failed", failed(Phase::Call)),
            case("set-up", failed(Phase::Setup)),
            case("loading", failed(Phase::Collection)),
        ];
        let text = write("pytest", &cases).unwrap();
        let run = junit_xml::parse(&text).unwrap();
        let names: Vec<&str> = run.results.iter().map(|result| result.id.as_str()).collect();
        assert_eq!(names, ["a<b>::passed", "a<b>::skipped", "a<b>::failed", "a<b>::set-up"]);
        let failed: Vec<(Phase, &str)> = run.failed().map(|(_, failure)| (failure.phase, failure.message.as_str())).collect();
        assert_eq!(failed, [(Phase::Call, "x < \"y\""), (Phase::Setup, "failed on setup with x < \"y\"")]);
        assert_eq!(run.load_failures.len(), 1);
    }
}
