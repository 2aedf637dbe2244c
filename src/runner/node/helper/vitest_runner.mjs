// One file of tests in vitest: selects among its tests by their whole names, and tells what happens.
//
// vitest makes one for every file, in the process that runs it, before anything of the project is loaded there.

import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const { describe, open } = require('./report.cjs');
const { existsSync, readFileSync } = require('node:fs');

const { asked, report } = open(HERE);
const { isolated } = JSON.parse(readFileSync(path.join(HERE, 'shared.json'), 'utf8'));
const hits = asked.reach ? new (require('./probe.cjs').Hits)() : null;
if (hits !== null) hits.provide(globalThis);

const dist = path.join(asked.framework.package, 'dist');
const own = existsSync(path.join(dist, 'runners.js')) ? 'runners.js' : 'index.js';
const exported = await import(pathToFileURL(path.join(dist, own)));
const Base = exported.VitestTestRunner || exported.TestRunner;

export default class Runner extends Base {
  constructor(config) {
    super(config);
    /** What was reached for all tests of a file: while it was loaded, and by hooks that tests share. */
    this.common = new Set();
    /** Tests that have begun and of which nothing is told yet. */
    this.open = new Set();
    // What happened between the files belongs to nobody in particular.
    if (hits !== null) report.reach(null, hits.take());
  }

  async onCollected(files) {
    await super.onCollected?.(files);
    for (const file of files) {
      this.tests = testsOf(file);
      this.share();
      for (const error of errorsOf(file)) this.tellLoadFailure(file, error);
      const wanted = this.tests.filter((test) => asked.wants(idOf(test)));
      for (const test of this.tests) if (!asked.wants(idOf(test))) test.mode = 'skip';
      settle(file);
      report.add('collected', { ids: idsOf(wanted) });
      const retried = wanted.filter((test) => isRetried(test.retry));
      if (retried.length > 0) report.add('retried', { ids: idsOf(retried) });
      for (const test of this.tests) test.retry = 0;
      // Together, nobody could tell whose hit it is.
      if (asked.reach) for (const test of everything(file)) test.concurrent = false;
    }
  }

  async onBeforeRunTask(test) {
    this.tellSkipped();
    this.share();
    this.modules = this.loaded();
    await super.onBeforeRunTask?.(test);
    if (!asked.wants(idOf(test))) return;
    if (test.mode === 'run' || test.mode === 'queued') {
      this.open.add(test);
      report.add('start', { id: idOf(test) });
    } else if (!this.cancelRun) report.result(idOf(test), 'skipped', 0);
  }

  async onAfterRunTask(test) {
    const id = idOf(test);
    const { state, duration = 0 } = test.result || {};
    // A module that one test loads is there for the next.
    if (hits !== null && this.loaded() === this.modules) report.reach([id], hits.take());
    this.share();
    this.open.delete(test);
    if (state === 'fail') this.fail(id, errorsOf(test)[0], 'call', duration * 1000);
    else report.result(id, state === 'pass' ? 'passed' : 'skipped', duration * 1000);
    await super.onAfterRunTask?.(test);
  }

  async onAfterRunSuite(suite) {
    await super.onAfterRunSuite?.(suite);
    this.tellSkipped();
    this.share();
    const error = errorsOf(suite)[0];
    if (!error) return;
    const tests = testsOf(suite).filter((test) => asked.wants(idOf(test)));
    const ran = tests.filter((test) => test.result && (test.result.state === 'pass' || test.result.state === 'fail'));
    if (ran.length > 0) this.fail(idOf(ran.at(-1)), error, 'afterAll', 0);
    else tests.filter((test) => test.mode !== 'todo').forEach((test) => this.fail(idOf(test), error, 'beforeAll', 0));
    if (tests.length === 0 && suite.type === 'suite' && suite.filepath) this.tellLoadFailure(suite, error);
  }

  async onAfterRunFiles(files) {
    await super.onAfterRunFiles?.(files);
    if (hits === null) return;
    this.share();
    // Modules that files share are loaded by the first that wants them.
    report.reach(isolated ? idsOf(this.tests || []) : null, this.common);
  }

  /** A test that skips itself ends without a word. */
  tellSkipped() {
    for (const test of this.open) {
      if (test.mode !== 'skip') continue;
      this.open.delete(test);
      report.result(idOf(test), 'skipped', 0);
    }
  }

  fail(id, error, phase, us) {
    const file = refusedBy(error);
    if (file !== null) report.loadFailure(id.split('::')[0], describe(error, file), true);
    report.result(id, 'failed', us, { ...describe(error), phase });
  }

  tellLoadFailure(file, error) {
    const refused = refusedBy(error);
    report.loadFailure(asked.fileName(file.filepath), describe(error, refused || file.filepath), refused !== null);
  }

  share() {
    if (hits !== null) for (const probe of hits.take()) this.common.add(probe);
  }

  /** How many modules there are; their names differ between the versions of vitest. */
  loaded() {
    const executor = this.moduleRunner || this.__vitest_executor;
    const modules = executor && (executor.evaluatedModules ? executor.evaluatedModules.idToModuleMap : executor.moduleCache);
    return modules ? modules.size : NaN;
  }
}

/** The file of the project that is no program, if the transformer has said so; see `vitest_main.mjs`. */
function refusedBy(error) {
  const list = path.join(HERE, 'refused.jsonl');
  if (!error || !existsSync(list)) return null;
  const message = String(error.message);
  const refusals = readFileSync(list, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const found = refusals.find((refusal) => message.includes(refusal.message.split('\n')[0]));
  return found ? found.file : null;
}

/** A group without a test to run sets nothing up; the order is that of the file. */
function settle(suite) {
  if (suite.shuffle) suite.shuffle = false;
  for (const child of suite.tasks) if (child.type === 'suite') settle(child);
  const runs = (task) => task.mode === 'run' || task.mode === 'queued';
  if (runs(suite) && suite.tasks.length > 0 && !suite.tasks.some(runs)) suite.mode = 'skip';
}

function isRetried(retry) {
  return (retry !== null && typeof retry === 'object' ? retry.count : retry) > 0;
}

function errorsOf(task) {
  return (task.result && task.result.errors) || [];
}

function everything(suite) {
  return suite.tasks.flatMap((task) => (task.type === 'suite' ? [task, ...everything(task)] : [task]));
}

function testsOf(suite) {
  return everything(suite).filter((task) => task.type !== 'suite');
}

function idOf(test) {
  const names = [];
  for (let at = test; at && at !== test.file; at = at.suite) names.unshift(at.name);
  return asked.id(test.file.filepath, names);
}

function idsOf(tests) {
  return [...new Set(tests.map(idOf))];
}
