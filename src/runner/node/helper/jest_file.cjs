'use strict';
// One file of tests: selects among its tests by their whole names, stops at the first failure, and tells what happens.
//
// The events are those of jest-circus. A test may still get errors after `test_done`, from promises that nobody waited for; so its
// result is told when the next event comes.

const { clock, describe } = require('./report.cjs');
const shared = require('./jest_shared.cjs');

const { asked, report, hits } = shared;

class File {
  constructor(path, environment, refusals) {
    Object.assign(this, { path, refusals, retries: false, tests: [], running: null, done: null, lastRun: null, hooks: new Map() });
    /** What was reached for all tests of this file: while it was loaded, and by hooks that tests share. */
    this.common = new Set();
    this.loadsInTest = false;
    shared.current = this;
    // What happened between the files belongs to nobody in particular.
    if (hits !== null) report.reach(null, hits.take());
  }

  /** A module that one test loads is there for the next. */
  loads() {
    this.loadsInTest = this.running !== null;
  }

  wantsRetries() {
    this.retries = true;
    if (this.tests.length > 0) report.add('retried', { ids: this.ids() });
  }

  handle(event, state) {
    if (this.done !== null) this.tell(this.done, state);
    const on = this[event.name];
    if (on) on.call(this, event, state);
  }

  run_start(event, state) {
    shared.begun.add(this.path);
    this.tests = flat(state.rootDescribeBlock);
    for (const test of this.tests) {
      shared.found.add(this.id(test));
      if (!asked.wants(this.id(test))) test.mode = 'skip';
      // Together, nobody could tell whose hit it is.
      if (asked.reach) test.concurrent = false;
    }
    this.tests = this.tests.filter((test) => asked.wants(this.id(test)));
    report.add('collected', { ids: this.ids() });
    if (this.retries || takeRetries(state.rootDescribeBlock, state.describeRetryOptions)) report.add('retried', { ids: this.ids() });
    this.share();
  }

  test_start({ test }) {
    if (shared.stopped) test.mode = 'skip';
    if (!asked.wants(this.id(test))) return;
    this.share();
    this.loadsInTest = false;
  }

  /** The first event that skipped tests do not have; older versions have only the later ones. */
  test_started({ test }) {
    if (this.running !== null) return;
    this.running = { test, since: clock() };
    report.add('start', { id: this.id(test) });
  }

  test_fn_start({ test }) {
    this.test_started({ test });
  }

  test_skip({ test }) {
    if (!shared.stopped && asked.wants(this.id(test))) report.result(this.id(test), 'skipped', 0);
  }

  test_todo({ test }) {
    this.test_skip({ test });
  }

  hook_failure({ hook, error }) {
    this.hooks.set(error, hook.type);
  }

  test_done({ test }) {
    const since = this.running && this.running.test === test ? this.running.since : clock();
    this.done = { test, us: Number((clock() - since) / 1000n) };
  }

  run_finish(event, state) {
    this.share();
    for (const error of state.unhandledErrors) this.blame(firstOf(error));
    if (hits !== null) {
      this.share();
      report.reach(this.ids(), this.common);
    }
  }

  /** The result of a test, now that nothing is added to it any more. */
  tell({ test, us }, state) {
    this.done = null;
    this.running = null;
    this.lastRun = this.id(test);
    const errors = test.errors.map(firstOf);
    if (hits !== null) {
      if (this.loadsInTest) this.share();
      else report.reach([this.lastRun], hits.take());
    }
    if (errors.length === 0) return report.result(this.lastRun, 'passed', us);
    errors.forEach((error) => this.refuse(error));
    this.fail(this.lastRun, us, errors[0], this.hooks.get(errors[0]) || 'call', state);
  }

  fail(id, us, error, phase, state) {
    report.result(id, 'failed', us, { ...describe(error), phase });
    if (!asked.bail) return;
    shared.stopped = true;
    for (const test of state ? flat(state.rootDescribeBlock) : []) if (!test.status) test.mode = 'skip';
  }

  /** What went wrong outside of a test is told as a failure of the last one that ran; without one the file did not load. */
  blame(error) {
    this.refuse(error);
    if (this.lastRun !== null) {
      this.fail(this.lastRun, 0, error, this.hooks.get(error) || 'code outside of any test');
    } else if (this.tests.length > 0) {
      shared.broken.add(this.path);
      report.loadFailure(asked.fileName(this.path), describe(error, this.path), false);
    }
  }

  /** Tells that a file is no program, if that is what this error means. */
  refuse(error) {
    const file = this.refusals.fileOf(error);
    if (file === null) return false;
    shared.broken.add(this.path);
    report.loadFailure(asked.fileName(this.path), describe(error, file), true);
    return true;
  }

  share() {
    if (hits !== null) for (const probe of hits.take()) this.common.add(probe);
  }

  id(test) {
    const names = [];
    for (let at = test; at && at.name !== 'ROOT_DESCRIBE_BLOCK'; at = at.parent) names.unshift(String(at.name));
    return asked.id(this.path, names);
  }

  ids() {
    return [...new Set(this.tests.map((test) => this.id(test)))];
  }
}

/** jest keeps an error alone, or with the place where the test was defined. */
function firstOf(error) {
  return Array.isArray(error) ? error[0] || error[1] : error;
}

/** Whether a group wants to be tried again; it will not be. Newer versions keep this beside the group. */
function takeRetries(block, options) {
  if (!options) return false;
  const groups = block.children.filter((child) => child.type === 'describeBlock');
  const own = options.delete(block);
  return groups.reduce((any, group) => takeRetries(group, options) || any, own);
}

function flat(block) {
  return block.children.flatMap((child) => (child.type === 'describeBlock' ? flat(child) : [child]));
}

module.exports = { File };
