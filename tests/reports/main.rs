//! Every format over one finished report. Goldens are in `snapshots/`; accept a change with `INSTA_UPDATE=always`.

mod json;
mod sample;
mod store;
mod terminal;

use mutate::analysis::gate::{Conclusion, Facts, Gates};
use mutate::report::Report;
use mutate::report::formats::{self, Look};

fn conclusion(report: &Report) -> Conclusion {
    Conclusion::of(report.score(), Facts { tampered: false, complete: true, signal: None }, &Gates::default())
}

fn rendered(format: &str, report: &Report, look: Look) -> String {
    (formats::find(format).unwrap().render)(report, &conclusion(report), look)
}
