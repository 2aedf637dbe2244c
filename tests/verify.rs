//! Proposals of others on real projects: what they say, and what they must not be able to do.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};
use support::project::Project;
use support::python::{environment, path_with};
use support::run::{Finished, Run};

pub mod support;

const DISCOUNT: &str = "shop/discount.py";

/// A proposal about `tests/projects/python-unittest`, with other fields in place of or beside the usual ones.
fn proposal(original: &str, replacement: &str, more: Value) -> Value {
    let mut proposal = json!({
        "targetFunction": "discount",
        "file": DISCOUNT,
        "mutationKind": "x-any",
        "original": original,
        "replacement": replacement,
        "expectedCatcherTest": { "testFile": "tests/test_discount.py", "testName": "test_a_big_order_gets_five_more" },
    });
    proposal.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    proposal
}

/// Measures proposals in a project; the run itself proves that the tree is the same and nothing is left behind.
fn verified(project: &Project, proposals: &[Value], more: &[&str]) -> Finished {
    let file = project.beside().join("proposals.json");
    fs::write(&file, json!({ "schemaVersion": "1.0", "proposals": proposals }).to_string()).unwrap();
    let path = path_with(&environment("test-venv"));
    Run::of(project).env("PATH", path).args(["verify", "-q"]).args([file.to_str().unwrap()]).args(more.iter().copied()).finish()
}

fn answer(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout).unwrap_or_else(|error| panic!("{error}: {} {}", finished.stdout, finished.stderr))
}

fn unittest() -> Project {
    Project::copy_of("python-unittest")
}

/// Status and reason of each execution.
fn told(answer: &Value) -> Vec<(String, String)> {
    let executions = answer["executions"].as_array().unwrap().iter();
    executions.map(|one| (one["status"].as_str().unwrap().to_owned(), one["statusReason"].as_str().unwrap().to_owned())).collect()
}

#[test]
fn a_proposal_is_measured_with_the_expected_test_and_all_others_that_reach_it() {
    let weak = proposal("total > 100", "total >= 100", json!({ "proposalId": "a", "predictedCaught": true }));
    let caught = proposal("percent += 5", "percent -= 5", json!({ "proposalId": "b", "predictedCaught": true }));
    let elsewhere =
        json!({ "expectedCatcherTest": { "testFile": "tests/test_discount.py", "testName": "Price.test_a_member_pays_less" } });
    let by_other = proposal("percent += 5", "percent += 6", elsewhere);
    let unreached = proposal("return 0", "return 1", json!({ "targetFunction": "voucher" }));
    let project = unittest();
    let finished = verified(&project, &[weak, caught, by_other, unreached], &[]);
    let answer = answer(&finished);
    assert_eq!(finished.status.code(), Some(1));
    assert_eq!((&answer["verdict"], &answer["measured"], &answer["complete"]), (&json!("WEAK"), &json!(true), &json!(true)));
    let score = json!({ "meaningful": 2, "weak": 2, "skipped": 0, "totalScored": 4, "noCoverage": 1, "timeouts": 0 });
    assert_eq!(answer["score"], score);
    assert_eq!(answer["calibration"], json!({ "predicted": 2, "correct": 1 }));
    let [weak, caught, by_other, unreached] = answer["executions"].as_array().unwrap().as_slice() else { panic!("{answer}") };
    assert_eq!((&weak["status"], &weak["applied"], &weak["caught"]), (&json!("Survived"), &json!(true), &json!(false)));
    assert_eq!(weak["expectedCatcherTest"]["underMutant"], "passed");
    assert_eq!(weak["coveredBy"].as_array().unwrap().len(), 4);
    assert_eq!(weak["proof"]["reached"], 4);
    assert_eq!(
        (&caught["status"], &caught["killKind"], &caught["caughtByOther"]),
        (&json!("Killed"), &json!("assertion"), &json!(false))
    );
    assert_eq!(caught["expectedCatcherTest"]["underMutant"], "failed");
    assert_eq!(by_other["caughtByOther"], true);
    assert_eq!(by_other["expectedCatcherTest"]["covers"], false);
    assert_eq!(by_other["expectedCatcherTest"]["underMutant"], "passed");
    assert_eq!((&unreached["status"], &unreached["next"]["verb"]), (&json!("NoCoverage"), &json!("add-test")));
}

#[test]
fn the_same_proposals_give_the_same_bytes() {
    let project = unittest();
    let proposals = [proposal("total > 100", "total >= 100", json!({})), proposal("percent += 5", "percent -= 5", json!({}))];
    let once = verified(&project, &proposals, &["--jobs", "1"]);
    assert_eq!(once.stdout, verified(&project, &proposals, &["--jobs", "2"]).stdout);
}

#[test]
fn the_workflow_gets_its_own_fields_and_no_others() {
    let project = unittest();
    let finished = verified(&project, &[proposal("total > 100", "total >= 100", json!({}))], &["--compat", "workflow"]);
    let answer = answer(&finished);
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&answer), ["verdict", "executions", "weakTests", "score", "summary"]);
    let execution = ["targetFunction", "applied", "caught", "testRun", "file", "mutationKind", "mutationDescription", "evidence"];
    assert_eq!(keys(&answer["executions"][0]), execution);
    assert_eq!(answer["score"], json!({ "meaningful": 0, "weak": 1, "skipped": 0, "totalScored": 1 }));
    assert_eq!(keys(&answer["weakTests"][0]), ["test", "targetFunction", "reason"]);
}

#[test]
fn what_cannot_be_applied_is_skipped_with_its_reason() {
    let project = unittest();
    symlink("discount.py", project.path("shop/linked.py")).unwrap();
    let in_file = |file: &str| proposal("total > 100", "total >= 100", json!({ "file": file }));
    let absolute = project.path(DISCOUNT).display().to_string();
    let cases = [
        (proposal("total", "amount", json!({})), "ambiguous"),
        (proposal("worth > total", "worth >= total", json!({})), "out-of-scope"),
        (proposal("nothing like it", "x", json!({})), "no-match"),
        (proposal("return percent\n\n\ndef shipping", "def shipping", json!({})), "out-of-scope"),
        (proposal("total > 100", "total > 100", json!({})), "identical"),
        (proposal("total > 100", "total >= 100", json!({ "sourceHash": "sha256:00" })), "stale-source"),
        (proposal("total > 100", "total >= 100", json!({ "mutationKind": "not-applicable" })), "not-applicable"),
        (proposal("total > 100", "total >= 100", json!({ "targetFunction": "discounts" })), "out-of-scope"),
        (in_file("../project/shop/discount.py"), "forbidden-path"),
        (in_file(&absolute), "forbidden-path"),
        (in_file("shop/linked.py"), "forbidden-path"),
        (in_file("tests/test_discount.py"), "forbidden-path"),
        (in_file("pyproject.toml"), "forbidden-path"),
    ];
    let proposals: Vec<Value> = cases.iter().map(|(proposal, _)| proposal.clone()).collect();
    let finished = verified(&project, &proposals, &[]);
    let answer = answer(&finished);
    for ((status, reason), (proposal, why)) in told(&answer).iter().zip(&cases) {
        assert_eq!(status, "Ignored", "{proposal}");
        assert!(reason.starts_with(why), "{reason} is not {why}: {proposal}");
    }
    assert_eq!((&answer["verdict"], &answer["measured"]), (&json!("TRIVIAL"), &json!(false)));
    // One of them was made for another version of the file.
    assert_eq!(finished.status.code(), Some(2));
}

#[test]
fn one_change_that_is_proposed_twice_is_one_mutant() {
    let project = unittest();
    let proposals = [proposal("total > 100", "total >= 100", json!({})), proposal("> 100", ">= 100", json!({}))];
    let answer = answer(&verified(&project, &proposals, &[]));
    let id = answer["executions"][0]["id"].as_str().unwrap();
    assert_eq!(told(&answer)[1], ("Ignored".to_owned(), format!("duplicate-of:{id}")));
}

#[test]
fn what_is_no_program_is_neither_caught_nor_weak() {
    let project = unittest();
    let proposals = [
        proposal("total > 100", "total > (100", json!({})),
        // It parses, but the compiler refuses it.
        proposal("percent += 5", "break", json!({})),
    ];
    let finished = verified(&project, &proposals, &[]);
    let told = told(&answer(&finished));
    assert_eq!(told.iter().map(|(status, _)| status.as_str()).collect::<Vec<_>>(), ["CompileError", "CompileError"]);
    assert_eq!(finished.status.code(), Some(3));
}

#[test]
fn a_red_suite_is_an_answer_of_its_own() {
    let project = unittest();
    project.write(
        "tests/test_red.py",
        "import unittest\n\n\nclass Red(unittest.TestCase):\n    def test_it(self):\n        self.fail()\n",
    );
    let finished = verified(&project, &[proposal("total > 100", "total >= 100", json!({}))], &[]);
    let answer = answer(&finished);
    assert!(told(&answer)[0].1.starts_with("baseline-red"));
    assert_eq!((finished.status.code(), &answer["integrity"]["baseline"]), (Some(4), &json!("red")));
}

/// The run proves that the user's tree is the same and that no process is left.
#[test]
fn a_replacement_that_does_harm_does_it_in_the_scratch_tree_alone() {
    let project = unittest();
    let outside = project.beside().join("precious.txt");
    fs::write(&outside, "kept").unwrap();
    let deletes = "__import__('shutil').rmtree(__import__('os').getcwd(), ignore_errors=True) or total > 100";
    let starts = "__import__('subprocess').Popen(['sleep', '600']) and total > 100";
    let writes = "open('shop/discount.py', 'w').write('x = 1') and open('tests/test_new.py', 'w').write('') or total > 100";
    let kills = "__import__('os').kill(__import__('os').getppid(), 9) or total > 100";
    let proposals = [deletes, starts, writes, kills].map(|code| proposal("total > 100", code, json!({})));
    let finished = verified(&project, &proposals, &[]);
    let answer = answer(&finished);
    assert_eq!(answer["integrity"]["tampering"], json!([]));
    assert_eq!(answer["executions"].as_array().unwrap().len(), 4);
    assert_eq!(fs::read_to_string(&outside).unwrap(), "kept");
}

#[test]
fn too_many_and_too_large_proposals_are_left_out_and_said_to_be() {
    let project = unittest();
    let mut proposals = vec![proposal("total > 100", "total >= 100", json!({ "rationale": "x".repeat(1 << 20) }))];
    proposals.extend(std::iter::repeat_n(proposal("total > 100", "total >= 100", json!({})), 9_999));
    let finished = verified(&project, &proposals, &[]);
    let answer = answer(&finished);
    let dropped = json!([{ "first": 0, "count": 1, "reason": "too-large" }, { "first": 64, "count": 9_936, "reason": "too-many" }]);
    assert_eq!((&answer["dropped"], &answer["complete"]), (&dropped, &json!(false)));
    assert_eq!(answer["executions"].as_array().unwrap().len(), 63);
    assert_eq!(finished.status.code(), Some(7));
}

#[test]
fn an_unknown_field_is_refused_before_anything_runs() {
    let project = unittest();
    let finished =
        verified(&project, &[proposal("total > 100", "total >= 100", json!({ "caught": true }))], &["--output-format", "json"]);
    assert_eq!(finished.status.code(), Some(2));
    assert!(finished.stderr.contains("unknown field `caught`"), "{}", finished.stderr);
    assert_eq!(answer(&finished)["error"]["code"], 2);
}

/// A server of the test itself can still be reached, one outside of the run cannot.
#[test]
fn without_a_network_a_replacement_reaches_nobody() {
    let project = unittest();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    project.write(
        "tests/test_server.py",
        "import socket\nimport unittest\n\n\nclass Server(unittest.TestCase):\n    def test_it(self):\n        \
         server = socket.create_server(('127.0.0.1', 0))\n        socket.create_connection(server.getsockname(), 5).close()\n        server.close()\n",
    );
    let calls = format!("__import__('socket').create_connection(('127.0.0.1', {port}), 5) and total > 100");
    let proposals = [proposal("total > 100", &calls, json!({}))];
    for scratch in ["overlay", "copy"] {
        let answer = answer(&verified(&project, &proposals, &["--no-network", "--scratch", scratch]));
        let execution = &answer["executions"][0];
        assert_eq!((&execution["status"], &execution["killKind"]), (&json!("Killed"), &json!("exception")), "{execution}");
        assert!(execution["evidence"].as_str().unwrap().contains("ConnectionRefusedError"), "{execution}");
        assert_eq!(listener.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock, "{scratch}: somebody came");
    }
    let answer = answer(&verified(&project, &proposals, &[]));
    assert_eq!(answer["executions"][0]["status"], "Survived");
    assert!(listener.accept().is_ok());
}

/// What came of an assertion about the boundary of the discount, in each project.
fn assertion(project: &Project, proposal: Value, assertion: Value) -> Value {
    let mut proposal = proposal;
    proposal["suggestedAssertion"] = assertion;
    let answer = answer(&verified(project, &[proposal], &[]));
    let told = answer["executions"][0]["suggestedAssertion"].clone();
    assert_ne!(told, Value::Null, "{answer}");
    told
}

fn verdict(told: &Value) -> &str {
    told["verdict"].as_str().unwrap()
}

#[test]
fn an_assertion_must_pass_twice_on_the_original_and_fail_on_the_mutant() {
    let project = unittest();
    let boundary = || proposal("total > 100", "total >= 100", json!({}));
    let kills = assertion(&project, boundary(), json!("assert discount(100, False) == 0"));
    assert_eq!(
        (verdict(&kills), &kills["onOriginal"], &kills["onMutant"]),
        ("kills", &json!("passed"), &json!("failed")),
        "{kills}"
    );
    let kills = assertion(
        &project,
        boundary(),
        json!({ "code": "value = d(100, False)\nassert value == 0", "imports": ["from shop.discount import discount as d"] }),
    );
    assert_eq!(verdict(&kills), "kills", "{kills}");
    assert_eq!(verdict(&assertion(&project, boundary(), json!("assert discount(101, False) == 5"))), "passes-on-mutant");
    let wrong = assertion(&project, boundary(), json!("assert discount(100, False) == 7"));
    assert_eq!((verdict(&wrong), &wrong["onMutant"]), ("fails-on-original", &Value::Null));
    let flaky = json!({ "code": "import os, pathlib\nseen = pathlib.Path(os.environ['FLICKER_FILE'])\nassert not seen.exists(), seen.unlink()\nseen.touch()" });
    assert_eq!(verdict(&assertion(&project, boundary(), flaky)), "flaky");
    let prose = assertion(&project, boundary(), json!("test an order of exactly 100"));
    assert_eq!((verdict(&prose), &prose["reason"]), ("not-run", &json!("the assertion does not parse")));
}

#[test]
fn an_assertion_is_run_by_pytest_too() {
    let project = Project::copy_of("python-pytest");
    let proposal = json!({
        "targetFunction": "Ledger.book", "file": "stock/ledger.py", "mutationKind": "boundary-off-by-one",
        "original": "self.level + change < 0", "replacement": "self.level + change <= 0",
        "expectedCatcherTest": { "testFile": "tests/test_ledger.py", "testName": "test_more_than_there_is_cannot_go" },
    });
    let kills =
        assertion(&project, proposal.clone(), json!({ "code": "ledger = Ledger(2)\nledger.book(-2)\nassert ledger.level == 0" }));
    assert_eq!(verdict(&kills), "kills", "{kills}");
    assert_eq!(verdict(&assertion(&project, proposal, json!("assert Ledger(2).level == 2"))), "passes-on-mutant");
}

/// A mutant that survives in a fixture project, and an assertion that would kill it, in each language.
fn kills_in(name: &str, proposal: [&str; 7], imports: &[&str]) {
    let [file, function, original, replacement, test_file, test_name, code] = proposal;
    let proposal = json!({
        "targetFunction": function, "file": file, "mutationKind": "boundary-off-by-one",
        "original": original, "replacement": replacement,
        "expectedCatcherTest": { "testFile": test_file, "testName": test_name },
        "suggestedAssertion": { "code": code, "imports": imports },
    });
    let answer = answer(&verified(&Project::copy_of(name), &[proposal], &[]));
    let execution = &answer["executions"][0];
    assert_eq!(execution["status"], "Survived", "{execution}");
    assert_eq!(execution["expectedCatcherTest"]["underMutant"], "passed", "{execution}");
    assert_eq!(execution["suggestedAssertion"]["verdict"], "kills", "{execution}");
}

#[test]
fn an_assertion_is_run_by_jest() {
    let test = ["test/basket.test.js", "members save", "expect(discount(100, true)).toBe(0)"];
    let [file, name, code] = test;
    kills_in("node-jest", ["src/basket.js", "discount", "total > 100", "total >= 100", file, name, code], &[]);
}

#[test]
fn an_assertion_is_run_by_vitest() {
    let code = "expect(quiet('')).toBe(false);";
    let edit = ["src/words.ts", "isShout", "word.length > 0", "word.length >= 0"];
    let [file, function, original, replacement] = edit;
    let imports = ["import { isShout as quiet } from '../src/words';"];
    kills_in("node-vitest", [file, function, original, replacement, "test/words.test.ts", "a shout", code], &imports);
}

#[test]
fn an_assertion_is_run_by_go_test() {
    let code = "level := &stock.Level{}\nlevel.Add(10)\nif total, _ := till.Sell(level, 10, 10); total != 100 {\n\tt.Errorf(\"got %d\", total)\n}";
    let imports = ["\"example.com/shop/stock\"", "\"example.com/shop/till\""];
    kills_in("go-test", ["till/till.go", "Sell", "total > 100", "total >= 100", "till/till_test.go", "TestSell", code], &imports);
}

#[test]
fn an_assertion_is_run_by_junit() {
    let code = "Cart cart = new Cart();\ncart.add(50, 1);\nassertEquals(0, cart.shipping());";
    let (file, test) = ("src/main/java/shop/Cart.java", "src/test/java/shop/CartTest.java");
    kills_in("java-maven", [file, "Cart.shipping", "total >= FREE_FROM", "total > FREE_FROM", test, "hasALabel", code], &[]);
}

#[test]
fn an_assertion_is_run_by_rspec() {
    let code = "expect(Shop::Cart.of(100).discount).to eq(0)";
    let (file, test) = ("lib/shop/cart.rb", "spec/cart_spec.rb");
    kills_in(
        "ruby-rspec",
        [file, "discount", "total > LIMIT", "total >= LIMIT", test, "#discount is nothing for little", code],
        &[],
    );
}

/// What a run says of a mutant must be what is said of the same mutant when it is proposed.
fn offered_and_measured_again(name: &str, target: &str) {
    let project = Project::copy_of(name);
    let path = path_with(&environment("test-venv"));
    let call = |words: &[&str]| Run::of(&project).env("PATH", path.clone()).args(words.iter().copied()).finish();
    let without = answer(&call(&["propose", target]));
    assert_eq!((&without["coverage"], &without["caught"]), (&json!("none"), &json!(0)));
    call(&["run", "-q", target]).assert_code(1);
    let mut offer = answer(&call(&["propose", target, "--limit", "64"]));
    assert_eq!(offer["coverage"], "last-run");
    let mut proposals = offer["proposals"].as_array().unwrap().clone();
    let others = ["caught", "total"].map(|name| offer[name].as_u64().unwrap());
    let omitted = offer["omitted"]["proposals"].as_u64().unwrap();
    assert_eq!(proposals.len() as u64 + omitted + others[0], others[1], "{offer}");
    assert!(!proposals.is_empty(), "{offer}");
    let ids: Vec<Value> = proposals.iter().map(|proposal| proposal["proposalId"].clone()).collect();
    let reasons: Vec<String> = proposals.iter().map(|proposal| proposal["rationale"].as_str().unwrap().to_owned()).collect();
    for proposal in proposals.iter_mut().filter(|proposal| proposal.get("expectedCatcherTest").is_none()) {
        proposal["expectedCatcherTest"] = json!({ "testFile": "none", "testName": "none" });
    }
    offer["proposals"] = json!(proposals);
    let file = project.beside().join("offer.json");
    fs::write(&file, offer.to_string()).expect("a file");
    let answer = answer(&call(&["verify", file.to_str().expect("Unicode")]));
    for ((execution, id), reason) in answer["executions"].as_array().unwrap().iter().zip(ids).zip(reasons) {
        let expected = if reason.starts_with("no test reaches it") { "NoCoverage" } else { "Survived" };
        assert_eq!((&execution["id"], &execution["status"]), (&id, &json!(expected)), "{reason} {execution}");
        let covers = if expected == "Survived" { json!(true) } else { Value::Null };
        assert_eq!(execution["expectedCatcherTest"]["covers"], covers, "{execution}");
    }
}

#[test]
fn what_is_offered_after_a_run_survives_again_when_it_is_proposed() {
    offered_and_measured_again("python-unittest", "shop/discount.py");
    offered_and_measured_again("node-vitest", "src/words.ts");
    offered_and_measured_again("go-test", "till/till.go");
    offered_and_measured_again("ruby-rspec", "lib/shop/cart.rb");
}
