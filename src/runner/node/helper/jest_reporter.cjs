'use strict';
// Tells of files that did not load, and that the run has come to its end.

const { describe } = require('./report.cjs');
const shared = require('./jest_shared.cjs');

const { asked, report } = shared;

module.exports = class Reporter {
  onTestFileResult(test, result) {
    const error = result.testExecError;
    const nothingRan = !shared.begun.has(test.path) || result.testResults.length === 0;
    if (!error || !nothingRan || shared.broken.has(test.path)) return;
    if (shared.current && shared.current.path === test.path && shared.current.refuse(error)) return;
    shared.broken.add(test.path);
    // What is left of the error after jest has passed it on.
    const kind = /^\s*(?:[A-Z]\w*: )*?([A-Z]\w*(?:Error|Exception))\b/.exec(error.stack || error.message || '');
    report.loadFailure(asked.fileName(test.path), { ...describe(error, test.path), kind: kind ? kind[1] : 'Error' }, false);
  }

  onRunComplete() {
    if (shared.hits !== null) report.reach(null, shared.hits.take());
    if (asked.only !== null && !shared.stopped) tellMissing();
    report.add('finished');
  }

  /** What jest's exit code would be: nobody looks at it. */
  getLastError() {}
};

function tellMissing() {
  const broken = new Set([...shared.broken].map((file) => asked.fileName(file)));
  const isMissing = (id) => !shared.found.has(id) && !broken.has(id.split('::')[0]);
  const missing = asked.only.filter(isMissing);
  if (missing.length > 0) report.add('missing', { ids: missing });
}
