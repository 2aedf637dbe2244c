//! How far the run is: a bar for a person, a line now and then for a log, nothing if unwanted. Only ever on standard error.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::{Deserialize, Serialize};

use crate::analysis::{Kind, Score};
use crate::execute::event::Event;

/// What the user said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Style {
    #[default]
    Auto,
    Bar,
    Plain,
    None,
}

impl Style {
    pub const WORDS: [&'static str; 4] = ["auto", "bar", "plain", "none"];

    /// A bar only where a person looks at it: a terminal, and not the log of a CI job.
    pub fn settled(self, is_terminal: bool, is_ci: bool) -> Style {
        match self {
            Style::Auto if is_terminal && !is_ci => Style::Bar,
            Style::Auto => Style::Plain,
            said => said,
        }
    }
}

/// Time between two lines of plain progress.
const PAUSE: Duration = Duration::from_secs(10);

/// Takes events from any thread.
pub struct Progress {
    form: Form,
    state: Mutex<State>,
}

enum Form {
    Bar(ProgressBar),
    Plain,
    Silent,
}

#[derive(Default)]
struct State {
    trials: usize,
    score: Score,
    told: Option<Instant>,
}

impl Progress {
    pub fn new(style: Style) -> Progress {
        let is_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        let form = match style.settled(std::io::stderr().is_terminal(), is_ci) {
            Style::Bar => Form::Bar(bar()),
            Style::None => Form::Silent,
            Style::Plain | Style::Auto => Form::Plain,
        };
        Progress { form, state: Mutex::default() }
    }

    pub fn watch(&self, event: Event) {
        // A worker that panicked has nothing to do with how far the run is.
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(line) = state.take(&event, Instant::now()) {
            self.tell(&line);
        }
        if let Form::Bar(bar) = &self.form {
            draw(bar, &event, &state);
        }
    }

    fn tell(&self, line: &str) {
        if let Form::Plain = self.form {
            eprintln!("{line}");
        }
    }
}

impl State {
    /// Counts an event; a line if it is time for one.
    fn take(&mut self, event: &Event, now: Instant) -> Option<String> {
        match event {
            Event::Discovered { mutants } => Some(super::words::counted(*mutants, "mutant") + " found"),
            Event::Baseline { runner } => Some(format!("running the tests without a mutant ({runner})")),
            Event::Started { trials } => {
                self.trials += trials;
                self.told = Some(now);
                None
            }
            Event::Done { kind } => {
                self.score.add(*kind);
                self.is_time(now).then(|| self.line())
            }
            Event::Finished => None,
        }
    }

    fn is_time(&mut self, now: Instant) -> bool {
        if self.told.is_some_and(|told| now.duration_since(told) < PAUSE) {
            return false;
        }
        self.told = Some(now);
        true
    }

    fn line(&self) -> String {
        format!("{}/{} mutants, {}", self.score.total(), self.trials, self.counts())
    }

    fn counts(&self) -> String {
        let count = |kind: Kind| format!("{} {}", self.score.count(kind), kind.words());
        format!("{}, {}", count(Kind::Killed), count(Kind::Survived))
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::default_spinner());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn draw(bar: &ProgressBar, event: &Event, state: &State) {
    match event {
        Event::Discovered { mutants } => bar.set_message(format!("{mutants} mutants found")),
        Event::Baseline { runner } => bar.set_message(format!("running the tests without a mutant ({runner})")),
        Event::Started { .. } => start(bar, state.trials),
        Event::Done { .. } => {
            bar.set_position(state.score.total() as u64);
            bar.set_message(state.counts());
        }
        Event::Finished => bar.finish_and_clear(),
    }
}

fn start(bar: &ProgressBar, trials: usize) {
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}, {eta} left") {
        bar.set_style(style);
    }
    bar.set_length(trials as u64);
    bar.set_message("");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_only_for_a_person() {
        assert_eq!(Style::Auto.settled(true, false), Style::Bar);
        assert_eq!(Style::Auto.settled(true, true), Style::Plain);
        assert_eq!(Style::Auto.settled(false, false), Style::Plain);
        assert_eq!(Style::Bar.settled(false, true), Style::Bar);
        assert_eq!(Style::None.settled(true, false), Style::None);
    }

    #[test]
    fn plain_progress_speaks_every_ten_seconds() {
        let mut state = State::default();
        let start = Instant::now();
        assert_eq!(state.take(&Event::Started { trials: 3 }, start), None);
        let mut done = |kind, seconds| state.take(&Event::Done { kind }, start + Duration::from_secs(seconds));
        assert_eq!(done(Kind::Killed, 9), None);
        assert_eq!(done(Kind::Survived, 10), Some("2/3 mutants, 1 killed, 1 survived".into()));
        assert_eq!(done(Kind::Killed, 19), None);
    }

    #[test]
    fn the_user_learns_what_is_being_waited_for() {
        let mut state = State::default();
        let line = state.take(&Event::Baseline { runner: "pytest".into() }, Instant::now());
        assert_eq!(line, Some("running the tests without a mutant (pytest)".into()));
    }
}
