'use strict';
// Selects, watches and reports the tests of node:test in the process of one file.
//
// node:test has no door for this: a pattern matches the bare names of tests, and its reports come late. But every test is an
// asynchronous resource of type `Test`, so the first one, the root, shows us the class behind it. From there on we see each test
// when it is made (`createSubtest`) and while it runs (`run`). The class is not public, but its names are the same from Node 18 to 26;
// should they change, nothing is reported, which proves nothing.
//
// A test that is declared in a file or in a suite has an id. What a test declares while it runs belongs to it.

const { createHook } = require('async_hooks');
const fs = require('fs');
const path = require('path');

/** Where `uncaughtException` and its like come from: the code of the test itself. */
const OF_THE_TEST = ['testCodeFailure', 'hookFailed', 'uncaughtException', 'unhandledRejection'];
/** The name of the only test of a file that declares none: `node --test` takes the whole file for one. */
const WHOLE_FILE = '(the whole file)';

const exit = process.exit.bind(process);

class File {
  constructor(folder, file) {
    const { open, describe, clock } = require('./report.cjs');
    Object.assign(this, open(folder), { describe, clock, file });
    this.describeLoad = require('./refusal.cjs').describeLoad;
    this.path = path.join(this.asked.root, file);
    this.hits = this.asked.reach ? new (require('./probe.cjs').Hits)() : null;
    this.wanted = (this.asked.only || []).filter((id) => id.startsWith(`${file}::`));
    this.ids = new Set();
    this.leaves = new Map(); // From the test to what we know of it.
    this.open = new Set(); // Leaves that run.
    this.outside = new Set(); // Reached while no test ran: by the file as a whole.
    this.failed = false;
    this.lastError = null;
    this.started = clock();
  }

  begin() {
    const seen = createHook({
      init: (id, type, trigger, resource) => {
        if (type !== 'Test') return;
        seen.disable();
        this.root = resource;
        this.watch(Object.getPrototypeOf(resource));
      },
    });
    seen.enable();
    process.on('uncaughtExceptionMonitor', (error) => {
      this.lastError = error;
      // So early node:test gives up, and no `exit` follows.
      const { harness } = this.root || {};
      if (harness && (harness.bootstrapComplete === false || harness.bootstrapPromise)) this.end(1);
    });
    process.on('exit', (code) => this.end(code));
  }

  watch(prototype) {
    const file = this;
    const { createHook, createSubtest, run } = prototype;
    this.Test = prototype.constructor;
    prototype.createSubtest = function (Factory, name, options, fn, overrides) {
      return file.create(this, Factory, name, options, fn, overrides, createSubtest);
    };
    if (this.hits) {
      prototype.createHook = function (name, fn, options) {
        return createHook.call(this, name, file.isGroup(this) && isOfGroup(name) ? file.shared(fn) : fn, options);
      };
    }
    prototype.run = function (...args) {
      return file.leaves.has(this) ? file.runLeaf(this, () => run.apply(this, args)) : run.apply(this, args);
    };
  }

  create(parent, Factory, name, options, fn, overrides, original) {
    const create = (more) => original.call(parent, Factory, name, options, fn, { __proto__: null, ...overrides, ...more });
    if (!this.isGroup(parent)) return create();
    // Tests that run side by side cannot be told apart.
    const alone = this.hits ? { concurrency: 1 } : {};
    const names = [...this.names(parent), nameOf(name, options, fn)];
    if (Factory !== this.Test) {
      this.watchSuites(Factory.prototype);
      return create(this.mayHold(names) ? alone : { skip: true });
    }
    const id = this.unique(this.asked.id(this.path, names));
    if (!this.asked.wants(id)) return create({ skip: true });
    const test = create(alone);
    this.leaves.set(test, { id, parent, test, done: false, started: this.clock() });
    return test;
  }

  isGroup(test) {
    return test.parent === null || test.constructor !== this.Test;
  }

  names(group) {
    return group.parent === null ? [] : [...this.names(group.parent), group.name];
  }

  mayHold(names) {
    if (this.asked.only === null) return true;
    const start = `${this.asked.id(this.path, names)} > `;
    return this.wanted.some((id) => id.startsWith(start));
  }

  unique(id) {
    let one = id;
    for (let count = 2; this.ids.has(one); count += 1) one = `${id} [${count}]`;
    this.ids.add(one);
    return one;
  }

  watchSuites(prototype) {
    if (this.Suite) return;
    this.Suite = prototype.constructor;
    const file = this;
    const { run } = prototype;
    prototype.run = async function (...args) {
      try {
        return await run.apply(this, args);
      } finally {
        file.endSuite(this);
      }
    };
  }

  async runLeaf(test, run) {
    const leaf = this.leaves.get(test);
    // The next test begins inside of the end of the one before.
    this.settle();
    this.take();
    leaf.started = this.clock();
    this.report.add('start', { id: leaf.id });
    this.open.add(leaf);
    try {
      return await run();
    } finally {
      this.endLeaf(leaf);
    }
  }

  settle() {
    for (const leaf of this.open) if (leaf.test.endTime !== null) this.endLeaf(leaf);
  }

  endLeaf(leaf) {
    if (leaf.done) return;
    const { test } = leaf;
    this.take();
    this.open.delete(leaf);
    const failed = !test.passed && !test.isTodo && !(test.skipped && test.error === null);
    const status = failed ? 'failed' : test.skipped || test.isTodo ? 'skipped' : 'passed';
    this.result(leaf, status, failed ? failureOf(test.error, this.describe) : null);
  }

  result(leaf, status, failure) {
    const us = leaf.done ? 0 : Number(this.clock() - leaf.started) / 1e3;
    leaf.done = true;
    this.report.result(leaf.id, status, us, failure);
    if (status !== 'failed') return;
    this.failed = true;
    // node:test has no way to stop at a failure.
    if (this.asked.bail) exit(1);
  }

  /** A suite can fail by itself, for example by its hooks. */
  endSuite(suite) {
    if (!suite.error || suite.isTodo || suite.error.failureType === 'subtestsFailed') return;
    const inside = [...this.leaves.values()].filter((leaf) => isInside(leaf.parent, suite));
    const failure = failureOf(suite.error, this.describe);
    const left = inside.filter((leaf) => !leaf.done);
    if (inside.length === 0) this.loadFailure(cause(suite.error));
    // What had no turn because of it, or else the last that had.
    for (const leaf of left.length > 0 ? left : inside.slice(-1)) this.result(leaf, 'failed', failure);
  }

  /** A hook that runs once for a group: what it reaches belongs to all, whichever test is running meanwhile. */
  shared(hook) {
    if (typeof hook !== 'function') return hook;
    const file = this;
    const keep = () => file.hits.take().forEach((probe) => file.outside.add(probe));
    const watched = function (...args) {
      file.take();
      const ended = hook.apply(this, args);
      if (ended === null || typeof ended !== 'object' || typeof ended.then !== 'function') keep();
      else ended.then(keep, keep);
      return ended;
    };
    // How many arguments it has says whether it calls back.
    return Object.defineProperty(watched, 'length', { value: hook.length });
  }

  /** Hits since the last call belong to the tests that are open. */
  take() {
    if (this.hits === null) return;
    const found = this.hits.take();
    if (this.open.size === 0) found.forEach((probe) => this.outside.add(probe));
    else this.report.reach([...this.open].map((leaf) => leaf.id), found);
  }

  end(code) {
    if (this.ended) return;
    this.ended = true;
    this.take();
    if (this.leaves.size === 0 && this.ids.size === 0 && code === 0) this.endWholeFile();
    // What was cancelled because nothing was left to wait for.
    for (const leaf of this.leaves.values()) {
      if (!leaf.done && leaf.test.endTime !== null && !leaf.test.filtered) this.endLeaf(leaf);
    }
    if (this.open.size > 0 && !this.failed) return;
    const ids = [...this.leaves.values()].map((leaf) => leaf.id).concat(this.whole || []);
    this.report.add('collected', { ids });
    if (this.hits !== null) this.report.reach(ids, this.outside);
    const outside = Object.keys(require.cache).filter((file) => this.asked.isOutside(file));
    if (outside.length > 0) this.report.add('outside', { files: outside });
    if (code !== 0 && !this.failed) this.loadFailure(this.lastError, `the file ended with exit code ${code}`);
    const missing = this.wanted.filter((id) => !ids.includes(id));
    if (missing.length > 0 && !this.failed) this.report.add('missing', { ids: missing });
    fs.writeFileSync(path.join(this.asked.folder, 'ended'), '');
  }

  endWholeFile() {
    const id = this.asked.id(this.path, [WHOLE_FILE]);
    if (!this.asked.wants(id)) return;
    this.whole = [id];
    this.report.result(id, 'passed', Number(this.clock() - this.started) / 1e3, null);
  }

  loadFailure(error, otherwise) {
    this.failed = true;
    const { described, refused } = this.describeLoad(error === null ? new Error(otherwise) : error, this.path);
    this.report.loadFailure(this.file, described, refused);
    if (this.asked.bail) exit(1);
  }
}

/** The name that node:test gives to a test. */
function nameOf(name, options, fn) {
  let body = fn;
  if (typeof name === 'function') body = name;
  else if (name !== null && typeof name === 'object') body = options;
  else if (typeof options === 'function') body = options;
  return (typeof name === 'string' && name) || (typeof body === 'function' && body.name) || '<anonymous>';
}

function isOfGroup(hook) {
  return hook === 'before' || hook === 'after';
}

function isInside(group, suite) {
  return group === suite || (group.parent !== null && isInside(group.parent, suite));
}

/** What the code of the test has thrown, without the wrapping. */
function cause(error) {
  return error && OF_THE_TEST.includes(error.failureType) && error.cause !== undefined ? error.cause : error;
}

function failureOf(error, describe) {
  const hook = error && error.failureType === 'hookFailed' && /running (\w+) hook/.exec(error.message);
  const { kind, message, file } = describe(cause(error));
  return { kind, message, file, phase: hook ? hook[1] : 'call' };
}

const told = process.env.MUTATE_TEST_FILE;
delete process.env.MUTATE_TEST_FILE;
if (told) new File(...JSON.parse(told)).begin();
