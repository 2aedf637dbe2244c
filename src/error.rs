//! What went wrong, where, and how to mend it.
//!
//! One error type for the whole crate. Its [`Kind`] decides the exit code, so that a script can tell a typing mistake from a red
//! test suite without reading words.

use std::fmt;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Which of the documented exit codes an error leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Exit 2: the command line, the configuration or a rule file is wrong.
    Usage,
    /// Exit 3: there is nothing to measure, no mutants or no tests.
    NothingToMeasure,
    /// Exit 4: the tests fail without any mutant, or they do not run the code we change.
    Baseline,
    /// Exit 5: an interpreter, a test framework or a facility of the system is missing.
    Environment,
    /// Exit 8: a file changed under our hands.
    Integrity,
    /// Exit 128 + number: a signal stopped the run before there was anything to report.
    Stopped { signal: u8 },
    /// Exit 70: a defect of `mutate` itself.
    Internal,
}

impl Kind {
    pub fn exit_code(self) -> u8 {
        match self {
            Kind::Usage => 2,
            Kind::NothingToMeasure => 3,
            Kind::Baseline => 4,
            Kind::Environment => 5,
            Kind::Integrity => 8,
            Kind::Stopped { signal } => 128 + signal,
            Kind::Internal => 70,
        }
    }
}

/// An error in words of the user's world: what, where, how to mend.
#[derive(Clone, Debug)]
pub struct Error {
    pub kind: Kind,
    /// Lower case, no full stop.
    pub what: String,
    pub place: Option<String>,
    pub mend: Option<String>,
    pub cause: Option<String>,
}

impl Error {
    fn new(kind: Kind, what: impl Into<String>) -> Error {
        Error { kind, what: what.into(), place: None, mend: None, cause: None }
    }

    pub fn usage(what: impl Into<String>) -> Error {
        Error::new(Kind::Usage, what)
    }

    pub fn nothing(what: impl Into<String>) -> Error {
        Error::new(Kind::NothingToMeasure, what)
    }

    pub fn baseline(what: impl Into<String>) -> Error {
        Error::new(Kind::Baseline, what)
    }

    pub fn environment(what: impl Into<String>) -> Error {
        Error::new(Kind::Environment, what)
    }

    pub fn integrity(what: impl Into<String>) -> Error {
        Error::new(Kind::Integrity, what)
    }

    pub fn stopped(signal: u8) -> Error {
        Error::new(Kind::Stopped { signal }, "stopped before the first mutant was run")
    }

    pub fn internal(what: impl Into<String>) -> Error {
        Error::new(Kind::Internal, what)
    }

    pub fn at(mut self, place: impl fmt::Display) -> Error {
        self.place = Some(place.to_string());
        self
    }

    pub fn mend(mut self, mend: impl Into<String>) -> Error {
        self.mend = Some(mend.into());
        self
    }

    pub fn cause(mut self, cause: impl fmt::Display) -> Error {
        self.cause = Some(cause.to_string());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)?;
        if let Some(place) = &self.place {
            write!(f, "\n  at {}", place.replace('\n', "\n     "))?;
        }
        if let Some(cause) = &self.cause {
            write!(f, "\n  cause: {}", cause.replace('\n', "\n    "))?;
        }
        if let Some(mend) = &self.mend {
            write!(f, "\n  mend: {}", mend.replace('\n', "\n    "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
