'use strict';
// Reports the tests of Playwright; given to it as its only reporter, by path.
//
// Selection happens on the command line: this one only says what was found and what became of it.

const { clock, describe, load, plain } = require('./report.cjs');

const { asked, report } = load();

/** Says nothing about the code under test: another program holds the port. */
const PORT_TAKEN = /is already used, make sure that nothing is running on the port/;
const OF_THE_RUN = /^(Error: )?(No tests found|Testing stopped early after \d+ maximum allowed failures)/;
/** `SyntaxError: /a/b.ts: Unexpected token (1:8)`, as Babel says it. */
const OF_BABEL = /^SyntaxError: (\/.+?): /;

class Reporter {
  constructor() {
    this.ids = new Map();
    this.taken = new Set();
    this.started = new Map();
    this.orderly = true;
  }

  printsToStdio() {
    return false;
  }

  onBegin(config, suite) {
    const ids = suite.allTests().map((test) => this.id(test));
    report.add('collected', { ids });
    const found = new Set(ids);
    const missing = (asked.only || []).filter((id) => !found.has(id));
    if (missing.length > 0) report.add('missing', { ids: missing });
  }

  id(test) {
    if (this.ids.has(test)) return this.ids.get(test);
    const [, project, , ...names] = test.titlePath();
    // The same test may run in several browsers.
    if (project) names[0] = `[${project}] ${names[0]}`;
    const id = this.unique(asked.id(test.location.file, names));
    this.ids.set(test, id);
    return id;
  }

  unique(id) {
    let one = id;
    for (let count = 2; this.taken.has(one); count += 1) one = `${id} [${count}]`;
    this.taken.add(one);
    return one;
  }

  onTestBegin(test) {
    this.started.set(test, clock());
    report.add('start', { id: this.id(test) });
  }

  onTestEnd(test, result) {
    const id = this.id(test);
    const us = this.started.has(test) ? Number(clock() - this.started.get(test)) / 1e3 : 0;
    if (result.status === 'interrupted') return;
    if (result.status === test.expectedStatus || result.status === 'skipped') {
      report.result(id, result.status === 'skipped' ? 'skipped' : 'passed', us, null);
    } else if (result.retry < test.retries) {
      report.add('retried', { ids: [id] });
    } else {
      report.result(id, 'failed', us, failureOf(result));
    }
  }

  /** What belongs to no test: a file that does not load, a server that does not start, a worker that cannot end. */
  onError(error) {
    const text = plain(error.message || error.value || error.stack || '');
    if (PORT_TAKEN.test(text)) {
      this.orderly = false;
      report.notice(text.split('\n')[0]);
      return;
    }
    // They follow from what was told already, or are seen by the lack of results.
    if (OF_THE_RUN.test(text)) return;
    const refused = OF_BABEL.exec(text);
    const at = error.location && error.location.file;
    report.loadFailure(at ? asked.fileName(at) : 'playwright', described(error, refused ? refused[1] : at), false);
  }

  onEnd({ status }) {
    if (this.orderly && (status === 'passed' || status === 'failed')) report.add('finished', {});
  }
}

function failureOf(result) {
  const unexpected = result.status === 'passed' ? 'expected to fail, but passed' : `the test ended as ${result.status}`;
  const error = result.error || { message: unexpected };
  return { ...described(error, null), phase: 'call' };
}

/** An error as Playwright tells it has its kind at the start of its text. */
function described(error, file) {
  const text = plain(error.message || error.value || '');
  const kind = /^(\w*Error): /.exec(text);
  const { message, file: absolute } = describe({ name: '', message: kind ? text.slice(kind[0].length) : text }, file);
  return { kind: kind ? kind[1] : '', message, file: absolute };
}

module.exports = Reporter;
