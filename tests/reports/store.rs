use std::fs;

use mutate::report::{Report, store};

use crate::sample;

fn report_in(root: &std::path::Path) -> Report {
    Report { root: root.to_path_buf(), ..sample::report(1) }
}

#[test]
fn a_run_comes_back_as_it_was() {
    let root = tempfile::tempdir().unwrap();
    let report = report_in(root.path());
    let saved = store::save(&report).unwrap();
    assert_eq!((saved.number, saved.notice), (1, None));
    let below = root.path().join("shop");
    fs::create_dir(&below).unwrap();
    assert_eq!(store::last(&below).unwrap(), report);
}

#[test]
fn the_last_five_runs_stay() {
    let root = tempfile::tempdir().unwrap();
    let report = report_in(root.path());
    let numbers: Vec<u64> = (0..7).map(|_| store::save(&report).unwrap().number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7]);
    let mut left: Vec<_> =
        fs::read_dir(root.path().join(".mutate/runs")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["3", "4", "5", "6", "7"]);
}

#[test]
fn the_folder_ignores_itself_and_can_be_cleaned() {
    let root = tempfile::tempdir().unwrap();
    store::save(&report_in(root.path())).unwrap();
    let ignored = fs::read_to_string(root.path().join(".mutate/.gitignore")).unwrap();
    assert!(ignored.lines().any(|line| line == "*"));
    assert_eq!(store::clean(root.path()).unwrap(), [root.path().join(".mutate")]);
    assert!(!root.path().join(".mutate").exists());
    assert_eq!(store::clean(root.path()).unwrap(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn a_folder_that_somebody_else_made_is_left_alone() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join(".mutate")).unwrap();
    fs::write(root.path().join(".mutate/precious"), "").unwrap();
    assert_eq!(store::clean(root.path()).unwrap(), Vec::<std::path::PathBuf>::new());
    assert!(root.path().join(".mutate/precious").exists());
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed_out_of_the_project() {
    let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    store::save(&report_in(outside.path())).unwrap();
    std::os::unix::fs::symlink(outside.path().join(".mutate"), root.path().join(".mutate")).unwrap();
    assert_eq!(store::clean(root.path()).unwrap(), Vec::<std::path::PathBuf>::new());
    assert!(store::last(root.path()).is_err());
    assert!(outside.path().join(".mutate/runs/1").exists());
}

#[test]
fn a_kept_run_of_another_time_is_an_error_with_a_way_out() {
    let root = tempfile::tempdir().unwrap();
    let saved = store::save(&report_in(root.path())).unwrap();
    fs::write(saved.folder.join("report.json"), "{}").unwrap();
    let error = store::last(root.path()).unwrap_err();
    assert_eq!(error.kind.exit_code(), 2);
    assert!(error.to_string().contains("report.json") && error.mend.is_some(), "{error}");
}

#[test]
fn a_run_that_cannot_be_kept_in_the_project_is_kept_elsewhere_and_the_user_is_told() {
    let (root, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(root.path().join(".mutate"), "a file in the way").unwrap();
    let saved = store::save_or(&report_in(root.path()), Some(state.path().join("mutate/1"))).unwrap();
    assert!(saved.folder.starts_with(state.path()), "{saved:?}");
    assert!(saved.notice.unwrap().contains("it is not a folder"));
    assert_eq!(fs::read_to_string(root.path().join(".mutate")).unwrap(), "a file in the way");
    let refused = store::save_or(&report_in(root.path()), None).unwrap_err();
    assert_eq!(refused.kind.exit_code(), 5);
}
