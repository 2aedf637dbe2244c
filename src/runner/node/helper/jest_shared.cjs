'use strict';
// What our parts of jest share. They run in one process, so this is one object.

const { load } = require('./report.cjs');

const { asked, report } = load();

module.exports = {
  asked,
  report,
  hits: asked.reach ? new (require('./probe.cjs').Hits)() : null,
  /** Where jest's own `Runtime` is. */
  baseRuntime: null,
  /** The file of tests that runs. */
  current: null,
  /** Tests that were found, to tell which of the selected ones are missing. */
  found: new Set(),
  /** Files of tests that did not load, or hold no test. */
  broken: new Set(),
  /** Files of tests whose tests were run. */
  begun: new Set(),
  /** The first failure has happened, and it shall be the last. */
  stopped: false,
};
