//! From what a run did to what it came to. Pure; the first rule that fits decides.

use super::result::Outcome;

/// What the outcome depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// A report was read, and it holds at least one test or one error.
    pub report: bool,
    /// `None` after a signal or a limit.
    pub exit: Option<i32>,
    /// Files of tests that do not load.
    pub load_errors: usize,
    /// An error speaks of collecting, importing or syntax. Only asked of reports that do not tell phases.
    pub speaks_of_loading: bool,
    pub setup_errors: usize,
    pub teardown_errors: usize,
    /// Tests whose own body failed.
    pub failed: usize,
    /// All errors: of loading, set-up, tear-down, and of tests that did not end.
    pub errors: usize,
}

/// Exit code by which pytest and others say that they were interrupted before any test.
const INTERRUPTED: i32 = 2;

/// What the run came to. Tests decide, and the exit code only where they are silent.
pub fn outcome(facts: &Facts) -> Outcome {
    let exit = facts.exit.unwrap_or(i32::MAX);
    let looks_unloaded = (exit == INTERRUPTED || facts.speaks_of_loading) && (facts.errors > 0 || exit >= INTERRUPTED);
    match facts {
        Facts { report: false, .. } if exit == 0 => Outcome::ReportError,
        Facts { report: false, .. } => Outcome::CommandError,
        Facts { load_errors: 1.., .. } => Outcome::CollectionError,
        _ if looks_unloaded && facts.failed == 0 => Outcome::CollectionError,
        Facts { setup_errors: 1.., .. } => Outcome::SetupError,
        Facts { teardown_errors: 1.., .. } => Outcome::TeardownError,
        Facts { failed: 0, errors: 0, .. } if exit >= INTERRUPTED => Outcome::CommandError,
        // It ended before its end: nobody knows what the rest would have said.
        Facts { exit: None, .. } => Outcome::CommandError,
        Facts { failed, errors, .. } if failed + errors > 0 || exit == 1 => Outcome::CompletedWithFailures,
        _ if exit == 0 => Outcome::Passed,
        _ => Outcome::CommandError,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLEAN: Facts = Facts {
        report: true,
        exit: Some(0),
        load_errors: 0,
        speaks_of_loading: false,
        setup_errors: 0,
        teardown_errors: 0,
        failed: 0,
        errors: 0,
    };

    #[test]
    fn the_first_rule_that_fits_decides() {
        for (facts, expected) in [
            (CLEAN, Outcome::Passed),
            (Facts { report: false, ..CLEAN }, Outcome::ReportError),
            (Facts { report: false, exit: Some(1), ..CLEAN }, Outcome::CommandError),
            (Facts { report: false, exit: None, ..CLEAN }, Outcome::CommandError),
            (Facts { load_errors: 1, errors: 1, exit: Some(1), ..CLEAN }, Outcome::CollectionError),
            (Facts { exit: Some(2), errors: 1, ..CLEAN }, Outcome::CollectionError),
            (Facts { exit: Some(1), errors: 1, speaks_of_loading: true, ..CLEAN }, Outcome::CollectionError),
            (Facts { setup_errors: 1, teardown_errors: 1, errors: 2, exit: Some(1), ..CLEAN }, Outcome::SetupError),
            (Facts { teardown_errors: 1, errors: 1, exit: Some(1), ..CLEAN }, Outcome::TeardownError),
            (Facts { exit: Some(3), ..CLEAN }, Outcome::CommandError),
            (Facts { exit: None, ..CLEAN }, Outcome::CommandError),
            (Facts { exit: None, failed: 1, ..CLEAN }, Outcome::CommandError),
        ] {
            assert_eq!(outcome(&facts), expected, "{facts:?}");
        }
    }

    #[test]
    fn tests_that_failed_outweigh_an_exit_code_that_is_fine_and_the_other_way_round() {
        assert_eq!(outcome(&Facts { failed: 1, ..CLEAN }), Outcome::CompletedWithFailures);
        assert_eq!(outcome(&Facts { exit: Some(1), ..CLEAN }), Outcome::CompletedWithFailures);
    }
}
