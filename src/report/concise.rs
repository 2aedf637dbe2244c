//! One line per survivor, for editors, scripts and agents.

use super::formats::Look;
use super::style::plain;
use super::{Report, single};
use crate::analysis::{Conclusion, Kind};

/// `path:line:column: survived: rule: old → new [id]`, in the order of the source; then the summary line.
pub fn render(report: &Report, conclusion: &Conclusion, look: Look) -> String {
    let shown = |kind: &Kind| look.all || matches!(kind, Kind::Survived | Kind::NoCoverage | Kind::Inconclusive);
    let mut lines: Vec<String> = Vec::new();
    for measured in &report.mutants {
        let (mutant, kind) = (&measured.mutant, Kind::of(&measured.verdict));
        if shown(&kind) {
            let (place, rule, change) = (single::place(mutant), super::words::escape(&mutant.rule), single::change(mutant));
            lines.push(format!("{place}: {}: {rule}: {change} [{}]", kind.words(), mutant.id));
        }
    }
    lines.push(plain(&single::summary(&conclusion.score)));
    lines.join("\n") + "\n"
}
