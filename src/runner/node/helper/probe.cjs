'use strict';
// Records which probes of woven sources are reached. A probe is a call of the global `_mu_` with its number.
//
// Loaded with `--require` at the start of every Node process, and of every worker thread. A process that a test started, or that
// knows nothing of tests, appends a number to a file of its own when it is first hit, at once: it may die at any time. The helper that
// runs the tests claims the word with `hits`, which costs one call of a bound method each.

const WORD = '_mu_';
const KEPT = Symbol.for('mutate.probe');

if (!globalThis[KEPT]) {
  const fs = require('fs');
  const { appendFileSync, readdirSync, readFileSync, unlinkSync, existsSync } = fs;
  const { threadId } = require('worker_threads');
  const kill = process.kill.bind(process);
  const pid = process.pid;
  const folder = process.env.MUTATE_HITS;
  const file = `${folder}/${pid}-${threadId}`;
  const seen = new Set();

  /** A dead process whose parent has not asked for it yet writes no more either. */
  const isAlive = (other) => {
    try {
      if (existsSync('/proc/self/stat')) {
        const state = readFileSync(`/proc/${other}/stat`, 'latin1');
        return !/^[ZX]/.test(state.slice(state.lastIndexOf(')') + 2));
      }
      return kill(other, 0);
    } catch (gone) {
      return gone.code === 'EPERM';
    }
  };

  const toFile = (probe) => {
    if (seen.has(probe)) return;
    seen.add(probe);
    try {
      appendFileSync(file, `${probe}\n`);
    } catch (lost) {
      // The folder is gone when the run is over.
    }
  };

  /** Hits of this process, kept in memory, and of all that it has started. */
  class Hits {
    constructor() {
      // What was hit before counts at the next call.
      this.memory = new Set(seen);
      if (existsSync(file)) unlinkSync(file);
      this.word = this.memory.add.bind(this.memory);
      this.provide(globalThis);
    }

    /** Brings the word into a realm, for example that of a `vm` context. */
    provide(global) {
      Object.defineProperty(global, WORD, { value: this.word, writable: true, configurable: true, enumerable: false });
    }

    /** What was reached since the last call. A process that lives on may reach again what it reached before without saying so:
     * its whole list counts each time. */
    take() {
      const found = new Set(this.memory);
      this.memory.clear();
      for (const other of readdirSync(folder)) {
        const path = `${folder}/${other}`;
        const alive = isAlive(Number(other.split('-')[0]));
        for (const line of readFileSync(path, 'latin1').split('\n')) if (line) found.add(Number(line));
        if (!alive) unlinkSync(path);
      }
      return found;
    }
  }

  Object.defineProperty(globalThis, KEPT, { value: { Hits, folder } });
  Object.defineProperty(globalThis, WORD, { value: toFile, writable: true, configurable: true, enumerable: false });
}

module.exports = globalThis[KEPT];
