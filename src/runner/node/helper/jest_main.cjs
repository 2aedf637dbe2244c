'use strict';
// Runs the project's own jest, in this process and one file after the other: `node jest_main.cjs`, in the root of the project.
//
// The configuration is the project's; what would change a verdict, or the project, is set right after jest has read it. All else is
// done by a subclass of jest's `Runtime`, which sees every file of tests from its first line on.

const { createRequire } = require('module');
const Module = require('module');
const path = require('path');
const shared = require('./jest_shared.cjs');

const { asked, report } = shared;

/** In place of `readConfigs` of `jest-config`. */
async function readConfigs(original, ...rest) {
  const { globalConfig, configs, hasDeprecationWarnings } = await original(...rest);
  const ours = configs.filter(isOurs);
  if (ours.length === 0) throw new Error('no project of the jest configuration runs its tests with jest-runner and jest-circus');
  return { globalConfig: Object.freeze(settleGlobal(globalConfig)), configs: ours.map(settleProject), hasDeprecationWarnings };
}

function isOurs(config) {
  const foreign = [
    [config.runner, /[\\/]jest-runner[\\/]/, 'runner'],
    [config.testRunner, /[\\/]jest-circus[\\/]/, 'testRunner'],
  ].filter(([file, known]) => !known.test(file));
  for (const [file, , option] of foreign) {
    report.notice(`left out: the tests of ${config.displayName ? config.displayName.name : config.rootDir}, whose ${option} is ${file}`);
  }
  return foreign.length === 0;
}

function settleGlobal(config) {
  if (config.randomize) report.notice('randomize: the tests run in their own order');
  return {
    ...config,
    bail: asked.bail ? 1 : 0,
    changedSince: undefined,
    ci: true,
    collectCoverage: false,
    coverageThreshold: undefined,
    detectLeaks: false,
    detectOpenHandles: false,
    findRelatedTests: false,
    forceExit: false,
    json: false,
    lastCommit: false,
    listTests: false,
    logHeapUsage: false,
    maxWorkers: 1,
    notify: false,
    onlyChanged: false,
    onlyFailures: false,
    openHandlesTimeout: 0,
    outputFile: undefined,
    passWithNoTests: true,
    randomize: false,
    reporters: [[path.join(__dirname, 'jest_reporter.cjs'), {}]],
    runInBand: true,
    seed: 1,
    shard: undefined,
    // Our own choice decides, by the whole name.
    testNamePattern: undefined,
    testResultsProcessor: undefined,
    testSequencer: path.join(__dirname, 'jest_sequencer.cjs'),
    updateSnapshot: 'none',
    verbose: false,
    watch: false,
    watchAll: false,
    watchman: false,
    workerIdleMemoryLimit: undefined,
  };
}

function settleProject(config) {
  shared.baseRuntime = shared.baseRuntime || runtimeOf(config);
  return Object.freeze({
    ...config,
    // Kept from the run without mutants, as a folder of the tree: nothing is written elsewhere.
    cacheDirectory: path.join(asked.root, asked.framework.cache),
    detectLeaks: false,
    detectOpenHandles: false,
    runtime: path.join(__dirname, 'jest_runtime.cjs'),
    ...(asked.reach ? withoutTypes(config) : {}),
  });
}

function runtimeOf(config) {
  return config.runtime || createRequire(config.runner).resolve('jest-runtime');
}

/** Probes are known to no type checker. */
function withoutTypes(config) {
  const options = (own) => ({ ...own, diagnostics: false });
  const isTsJest = (file) => /[\\/]ts-jest[\\/]/.test(file);
  const globals = config.globals['ts-jest'] ? { ...config.globals, 'ts-jest': options(config.globals['ts-jest']) } : config.globals;
  const transform = config.transform.map(([files, by, own]) => (isTsJest(by) ? [files, by, options(own)] : [files, by, own]));
  return { globals, transform };
}

/** What one file asks of another by name, with our word in between. */
function interpose() {
  const load = Module._load;
  let settled;
  Module._load = function (request, ...rest) {
    const loaded = load.call(this, request, ...rest);
    if (request !== 'jest-config') return loaded;
    settled = settled || Object.create(loaded, { readConfigs: { value: readConfigs.bind(null, loaded.readConfigs), enumerable: true } });
    return settled;
  };
}

async function main() {
  if (process.env.NODE_ENV == null) process.env.NODE_ENV = 'test';
  const jest = asked.framework.package;
  process.argv = [process.argv[0], path.join(jest, 'bin/jest.js'), ...asked.framework.arguments];
  interpose();
  await createRequire(path.join(jest, 'package.json'))('jest').run(asked.framework.arguments);
}

main().then(
  () => process.exit(),
  (error) => {
    process.stderr.write(`${(error && error.stack) || error}\n`);
    process.exit(1);
  },
);
