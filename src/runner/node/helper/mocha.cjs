'use strict';
// Selects, watches and reports the tests of Mocha; loaded by its own `--require`, before the project's.
//
// All files of tests are loaded as in a run of the whole suite, because they share one process: one may hold hooks for all, or load
// what another one uses. What is not selected is taken out after that, and before the first hook runs.
//
// Retries of the project stay: a test that fails each time has failed, as in a run by hand. A test that needed one is named.

const path = require('path');
const { clock, describe, load } = require('./report.cjs');
const { describeLoad } = require('./refusal.cjs');

const { asked, report } = load();
const hits = asked.reach ? new (require('./probe.cjs').Hits)() : null;
const exit = process.exit.bind(process);

const state = {
  file: null, // That is being loaded.
  started: false,
  ended: false,
  failed: false,
  lastError: null,
};

function notLoaded(error, otherwise) {
  state.failed = true;
  const file = state.file;
  const { described, refused } = describeLoad(error === null ? new Error(otherwise) : error, file);
  report.loadFailure(file === null ? 'mocha' : asked.fileName(file), described, refused);
}

/** The tests in a group and in those inside of it. */
function testsIn(suite) {
  return suite.tests.concat(...suite.suites.map(testsIn));
}

/** What Mocha calls a reporter: it gets the runner before the first test. */
class Watch {
  constructor(runner) {
    this.runner = runner;
    this.ids = new Map();
    this.taken = new Set();
    this.owner = null; // Whose hits the next ones are: a list of ids, or null for all.
    this.before = null;
    this.startedAt = clock();
    this.lastDone = null;
    const watched = ['start', 'suite end', 'hook', 'hook end', 'test', 'pass', 'fail', 'pending', 'retry', 'end'];
    for (const event of watched) runner.on(event, (...args) => this[event](...args));
  }

  start() {
    state.started = true;
    const root = this.runner.suite;
    this.flush();
    const matches = (test) => this.runner._grep.test(test.fullTitle()) !== Boolean(this.runner._invert);
    for (const test of testsIn(root)) this.id(test);
    this.select(root);
    if (asked.only !== null) root.suites.sort((one, other) => this.rank(one) - this.rank(other));
    this.runner.total = testsIn(root).filter(matches).length;
    const ids = testsIn(root).filter(matches).map((test) => this.id(test));
    report.add('collected', { ids });
    const found = new Set(ids);
    const missing = (asked.only || []).filter((id) => !found.has(id));
    if (missing.length > 0) report.add('missing', { ids: missing });
  }

  /** The one that is tried again is another object with the same name. */
  id(test) {
    const known = this.ids.get(test);
    if (known !== undefined) return known;
    const first = typeof test.retriedTest === 'function' && test.retriedTest();
    const id = first ? this.id(first) : this.unique(asked.id(fileOf(test), namesOf(test)));
    this.ids.set(test, id);
    return id;
  }

  unique(id) {
    let one = id;
    for (let count = 2; this.taken.has(one); count += 1) one = `${id} [${count}]`;
    this.taken.add(one);
    return one;
  }

  select(suite) {
    suite.bail(asked.bail);
    suite.tests = suite.tests.filter((test) => asked.wants(this.id(test)) && isNamed(fileOf(test)));
    suite.suites.forEach((inner) => this.select(inner));
  }

  rank(suite) {
    const rank = suite.file && asked.files.get(asked.fileName(suite.file));
    return rank === undefined || rank === null ? -1 : rank;
  }

  /** Hits since the last call belong to whoever owned them. */
  flush() {
    if (hits === null) return;
    report.reach(this.owner, hits.take());
  }

  own(owner) {
    this.flush();
    this.owner = owner;
  }

  hook(hook) {
    if (!isOfGroup(hook)) return;
    this.before = this.owner;
    this.own(testsIn(hook.parent).map((test) => this.id(test)));
  }

  'hook end'(hook) {
    if (isOfGroup(hook)) this.own(this.before);
  }

  'suite end'() {
    this.own(null);
  }

  test(test) {
    const id = this.id(test);
    this.own([id]);
    this.startedAt = clock();
    report.add('start', { id });
  }

  pass(test) {
    this.result(this.id(test), 'passed', null);
  }

  pending(test) {
    this.result(this.id(test), 'skipped', null);
  }

  retry(test) {
    report.add('retried', { ids: [this.id(test)] });
  }

  fail(failed, error) {
    state.failed = true;
    const { kind, message, file } = describe(error);
    if (failed.type === 'test') {
      this.result(this.id(failed), 'failed', { kind, message, file, phase: 'call' });
      return;
    }
    const id = failed.type === 'hook' ? this.testOfHook(failed) : null;
    if (id === null) notLoaded(error);
    else this.result(id, 'failed', { kind, message, file, phase: nameOfHook(failed) });
    if (failed.type === 'hook') this['hook end'](failed);
  }

  /** A hook of a group fails for the first test that it is there for, or for the last that has run. */
  testOfHook(hook) {
    const inside = testsIn(hook.parent).map((test) => this.id(test));
    if (/^"after all"/.test(hook.title) && inside.includes(this.lastDone)) return this.lastDone;
    const current = hook.ctx && hook.ctx.currentTest;
    if (current && !isOfGroup(hook)) return this.id(current);
    return inside.length > 0 ? inside[0] : null;
  }

  result(id, status, failure) {
    this.lastDone = id;
    report.result(id, status, Number(clock() - this.startedAt) / 1e3, failure);
    this.startedAt = clock();
  }

  end() {
    this.flush();
    state.ended = true;
    const outside = Object.keys(require.cache).filter((file) => asked.isOutside(file));
    if (outside.length > 0) report.add('outside', { files: outside });
    // What the tests left open does not matter any more.
    if (asked.bail && state.failed) setImmediate(() => exit(1));
  }
}

function fileOf(test) {
  for (let at = test; at; at = at.parent) if (at.file) return at.file;
  return asked.root;
}

function namesOf(test) {
  const names = [];
  for (let at = test; at; at = at.parent) if (!at.root) names.unshift(at.title);
  return names;
}

/** Whether the user wants the tests of this file. */
function isNamed(file) {
  if (asked.tests.length === 0) return true;
  return asked.tests.some((named) => {
    const whole = path.resolve(asked.root, named);
    return file === whole || file.startsWith(whole + path.sep);
  });
}

function isOfGroup(hook) {
  return /^"(before|after) all"/.test(hook.title || '');
}

/** `"before each" hook: name for "test"`. */
function nameOfHook(hook) {
  const name = /^"([a-z ]+)"/.exec(hook.title || '');
  return name ? name[1] : 'hook';
}

/** The class of the Mocha that is running. */
function mochaClass() {
  const folder = path.dirname(path.dirname(process.argv[1]));
  const places = [folder, path.dirname(folder)].flatMap((at) => [`${at}/lib/mocha.cjs`, `${at}/lib/mocha.js`]);
  const place = places.find((at) => require.cache[at]);
  return place && require.cache[place].exports;
}

function watch(Mocha) {
  const { run, loadFiles, loadFilesAsync } = Mocha.prototype;
  const follow = (mocha) => {
    // Here, because a configuration file may spell them in more ways than a command line can outrank. A dry run would pass all tests.
    Object.assign(mocha.options, { dryRun: false, failZero: false, forbidOnly: false, forbidPending: false });
    mocha.suite.on('pre-require', (context, file) => {
      state.file = file;
    });
    mocha.suite.on('post-require', () => {
      state.file = null;
    });
  };
  Mocha.prototype.loadFiles = function (...args) {
    follow(this);
    try {
      return loadFiles.apply(this, args);
    } catch (error) {
      notLoaded(error);
      throw error;
    }
  };
  Mocha.prototype.loadFilesAsync = async function (...args) {
    follow(this);
    try {
      return await loadFilesAsync.apply(this, args);
    } catch (error) {
      notLoaded(error);
      throw error;
    }
  };
  Mocha.prototype.run = function (...args) {
    this._reporter = Watch;
    return run.apply(this, args);
  };
}

/** What Mocha prints when it cannot begin, for example because of a module that is required. */
function overhear() {
  const print = console.error;
  console.error = (...args) => {
    state.lastError = args.find((arg) => arg instanceof Error) || state.lastError;
    return print.apply(console, args);
  };
}

function begin() {
  process.on('uncaughtExceptionMonitor', (error) => {
    state.lastError = error;
  });
  process.on('exit', (code) => {
    const { started, ended, failed, lastError } = state;
    if (!started && !failed && code !== 0) notLoaded(lastError, `Mocha ended with exit code ${code}`);
    // Without a failing test only 0 is an end in good order: something may have thrown after the last test.
    if (ended && (failed || code === 0)) report.add('finished', {});
  });
  overhear();
  const Mocha = mochaClass();
  if (Mocha) watch(Mocha);
  else report.notice('this version of Mocha is not known');
}

begin();
