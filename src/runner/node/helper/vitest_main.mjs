// Runs the project's own vitest, one file after the other: `node vitest_main.mjs`, in the root of the project.
//
// The configuration is the project's; what would change a verdict, or the project, is set before the first file runs. What happens
// inside a file of tests is told by `vitest_runner.mjs` in the process that runs it; what happens outside of files is told here.

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const { describe, fileOf, load } = require('./report.cjs');

const { asked, report } = load();
const hits = asked.reach ? new (require('./probe.cjs').Hits)() : null;
const vitest = asked.framework.package;
/** Longer than vitest itself waits for what does not want to end. */
const PATIENCE = 12_000;

async function main() {
  process.env.TEST ||= 'true';
  process.env.VITEST ||= 'true';
  process.env.NODE_ENV ||= 'test';
  const api = await import(pathToFileURL(path.join(vitest, 'dist/node.js')));
  const { options, filter } = api.parseCLI(['vitest', 'run', ...asked.framework.arguments], { allowUnknownOptions: true });
  const context = await api.createVitest('test', { ...options, ...settled(options) });
  const projects = (context.projects || []).filter(isOurs);
  for (const project of projects) settle(project, context);
  settleConfig(context.config);
  writeFileSync(path.join(HERE, 'shared.json'), JSON.stringify({ isolated: projects.every(isIsolated) }));
  const all = await context.globTestSpecifications(filter);
  for (const group of groups(all.filter((one) => projects.includes(one.project) && isWanted(one.moduleId)))) {
    if (asked.bail && events().some((event) => event.status === 'failed')) break;
    await context.runTestSpecifications(group, true);
  }
  end(context);
  await Promise.race([context.close(), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
}

function settled(options) {
  return {
    api: false,
    bail: asked.bail ? 1 : 0,
    cache: false,
    coverage: { ...options.coverage, enabled: false },
    fileParallelism: false,
    inspect: false,
    maxWorkers: 1,
    minWorkers: 1,
    open: false,
    passWithNoTests: true,
    reporters: [{}],
    run: true,
    sequence: { ...options.sequence, shuffle: false, seed: 1, sequencer: Sequencer },
    typecheck: { ...options.typecheck, enabled: false },
    ui: false,
    update: false,
    watch: false,
  };
}

/** Files in the order of the selection, else that of their names. */
class Sequencer {
  shard(files) {
    return files;
  }

  sort(files) {
    return [...files].sort(inOrder);
  }
}

function inOrder(one, other) {
  const [first, second] = [one.moduleId, other.moduleId];
  const place = (file) => (asked.files === null ? 0 : asked.files.get(asked.fileName(file)));
  return place(first) - place(second) || (first < second ? -1 : first > second ? 1 : 0);
}

function isOurs(project) {
  const foreign = project.config.browser && project.config.browser.enabled ? 'browser' : project.config.runner ? 'runner' : null;
  if (foreign !== null) report.notice(`left out: the tests of ${project.name || 'the project'}, because it sets \`${foreign}\``);
  return foreign === null;
}

function isIsolated({ config }) {
  const pool = config.poolOptions && config.poolOptions[config.pool];
  return config.isolate !== false && (!pool || pool.isolate !== false);
}

function settle(project, context) {
  settleConfig(project.config);
  settleRetry(project.config);
  project.config.runner = path.join(HERE, 'vitest_runner.mjs');
  watch(project.vite || project.server || context.vite);
}

function settleConfig(config) {
  config.bail = asked.bail ? 1 : 0;
  config.snapshotOptions.updateSnapshot = 'none';
  config.sequence.shuffle = false;
  config.sequence.sequencer = Sequencer;
}

/** A count of tries for all tests says nothing about any of them; one that a test has of its own does. */
function settleRetry(config) {
  const { retry } = config;
  const count = retry !== null && typeof retry === 'object' ? retry.count : retry;
  if (count > 0) report.notice('retry: a failed test is not run again');
  config.retry = 0;
}

/** Different pools would run side by side. */
function groups(files) {
  const found = new Map();
  for (const file of files.sort(inOrder)) {
    const key = JSON.stringify([file.project.name, file.pool]);
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(file);
  }
  return found.values();
}

function isWanted(file) {
  const whole = asked.tests.map((named) => path.resolve(asked.root, named));
  const isNamed = whole.length === 0 || whole.some((named) => file === named || file.startsWith(named + path.sep));
  return isNamed && asked.wantsFile(file);
}

/** Notes what the transformer refuses at once: who asked for it reads it when it fails. */
function watch(server) {
  const outside = new Set();
  const around = (object, method) => {
    const original = object && object[method];
    if (typeof original !== 'function') return;
    object[method] = async function (id, ...rest) {
      const file = String(id).replace(/^\/@fs/, '').replace(/[?#].*$/, '');
      if (asked.isOutside(file) && !outside.has(file)) {
        outside.add(file);
        report.add('outside', { files: [file] });
      }
      try {
        return await original.call(this, id, ...rest);
      } catch (error) {
        refuse(error, file);
        throw error;
      }
    };
  };
  around(server, 'transformRequest');
  for (const environment of Object.values(server.environments || {})) around(environment, 'transformRequest');
}

function refuse(error, file) {
  if (!error || /ERR_LOAD_URL|Failed to (resolve|load)|does the file exist/i.test(`${error.code} ${error.message}`)) return;
  const named = String(error.id || '').replace(/[?#].*$/, '');
  const owned = [named, file, path.join(asked.root, file)].find((each) => asked.owns(each));
  if (owned) appendFileSync(path.join(HERE, 'refused.jsonl'), JSON.stringify({ file: owned, message: String(error.message) }) + '\n');
}

/** What has been told so far, by us and by the processes that run the tests. */
function events() {
  let text = '';
  try {
    text = readFileSync(report.path, 'utf8');
  } catch (nothing) {
    return [];
  }
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

function end(context) {
  if (hits !== null) report.reach(null, hits.take());
  const told = events();
  const ended = new Set(told.filter((event) => event.event === 'result').map((event) => event.id));
  const begun = told.filter((event) => event.event === 'start').map((event) => event.id);
  const errors = context.config.dangerouslyIgnoreUnhandledErrors ? [] : context.state.getUnhandledErrors();
  for (const id of begun.filter((test) => !ended.has(test))) {
    const why = errors.length > 0 ? describe(errors[0]).message : 'without a word';
    report.result(id, 'failed', 0, { kind: 'WorkerExit', message: `the process that ran this test ended: ${why}`, file: null, phase: 'call' });
  }
  for (const error of errors) blame(error, begun);
  const broken = new Set(told.filter((event) => event.event === 'load_failure').map((event) => event.id));
  tellUnloaded(context, told, broken);
  const failed = told.some((event) => event.status === 'failed');
  if (asked.only !== null && !(asked.bail && failed)) tellMissing(told, broken);
  report.add('finished');
}

/** What went wrong outside of a test is told as a failure of the last one that ran in its file, or at all. */
function blame(error, begun) {
  const file = error && error.VITEST_TEST_PATH ? asked.fileName(error.VITEST_TEST_PATH) : null;
  const ofFile = file === null ? begun : begun.filter((id) => fileOf(id) === file);
  const name = String((error && error.VITEST_TEST_NAME) || '');
  const last = ofFile.filter((id) => name !== '' && id.endsWith(name)).at(-1) || ofFile.at(-1);
  if (last) report.result(last, 'failed', 0, { ...describe(error), phase: 'code outside of any test' });
  else report.loadFailure(file || 'vitest', describe(error), false);
}

/** Files that never came to their tests, and of which nobody has told: their environment did not start, for one. */
function tellUnloaded(context, told, broken) {
  const began = new Set(told.filter((event) => event.event === 'start').map((event) => fileOf(event.id)));
  for (const file of context.state.getFiles()) {
    const name = asked.fileName(file.filepath);
    const errors = (file.result && file.result.errors) || [];
    if (errors.length === 0 || broken.has(name) || began.has(name)) continue;
    broken.add(name);
    report.loadFailure(name, describe(errors[0], file.filepath), false);
  }
}

function tellMissing(told, broken) {
  const found = new Set(told.filter((event) => event.event === 'collected').flatMap((event) => event.ids));
  const missing = asked.only.filter((id) => !found.has(id) && !broken.has(fileOf(id)));
  if (missing.length > 0) report.add('missing', { ids: missing });
}

main().then(
  () => process.exit(),
  (error) => {
    process.stderr.write(`${(error && error.stack) || error}\n`);
    process.exit(1);
  },
);
