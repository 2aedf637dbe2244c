'use strict';
// Runs the files of tests of node:test, one process after the other, as `node --test` does with several at once.
//
// One after the other, because what a test reaches in a process that it has started must be told apart from what another file
// reaches. Each process loads `node_test_file.cjs`, which selects, watches and reports; this one only sees how it ended.

const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { fileOf, load } = require('./report.cjs');

const { asked, report } = load();
const ended = path.join(asked.folder, 'ended');

/** In the order that was asked for, else in that of the framework. */
function files() {
  return asked.files === null ? asked.framework.files : [...asked.files.keys()];
}

/** What one process came to: null if the next may follow, else how we are to end. */
function run(file) {
  fs.rmSync(ended, { force: true });
  const args = [...asked.framework.options, '--require', path.join(asked.folder, 'node_test_file.cjs'), path.join(asked.root, file)];
  const env = { ...process.env, MUTATE_TEST_FILE: JSON.stringify([asked.folder, file]) };
  const { status, signal, error } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
  if (error) throw error;
  // A process that ended in the middle of a test is what its own report says: we end as it did.
  if (!fs.existsSync(ended)) return { status, signal };
  return status !== 0 && asked.bail ? { status, signal: null, orderly: true } : null;
}

function main() {
  const missing = [];
  for (const file of files()) {
    if (!fs.existsSync(path.join(asked.root, file))) {
      missing.push(...(asked.only || []).filter((id) => fileOf(id) === file));
      continue;
    }
    const end = run(file);
    if (end === null) continue;
    if (end.orderly) break;
    if (end.signal) process.kill(process.pid, end.signal);
    process.exit(end.status);
  }
  if (missing.length > 0) report.add('missing', { ids: missing });
  report.add('finished', {});
}

main();
