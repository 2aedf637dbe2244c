'use strict';
// What the helpers of all Node frameworks share: what was asked, and the report of what happened.
//
// Written into the folder of one request by `mutate`; nothing of it is installed anywhere. Functions are kept as they are before
// any code of the project runs: a test may replace those of `fs`, `process` and `JSON`.

const fs = require('fs');
const path = require('path');

const { openSync, writeSync, closeSync, readFileSync } = fs;
const { stringify } = JSON;
const clock = process.hrtime.bigint.bind(process.hrtime);
const HERE = process.cwd();

/** A text that JSON can carry: half of a surrogate pair becomes a sign of its own. */
function name(text) {
  return String(text).replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}

/** Lines of JSON in a file, one per event, written at once: a crash loses nothing that was said before. */
class Report {
  constructor(folder) {
    this.path = path.join(folder, 'report.jsonl');
  }

  add(event, fields) {
    const line = Buffer.from(stringify({ event, ...fields }) + '\n');
    const handle = openSync(this.path, 'a', 0o600);
    try {
      for (let at = 0; at < line.length; ) at += writeSync(handle, line, at);
    } finally {
      closeSync(handle);
    }
  }

  notice(text) {
    this.add('notice', { text: name(text) });
  }

  /** `status`: passed, failed or skipped. `failure` comes from `describe`, with its phase. */
  result(id, status, us, failure) {
    this.add('result', { id, status, us: Math.max(0, Math.round(us)), failure: failure || null });
  }

  /** `refused`: the file is no program of its language, so nothing of it ran. */
  loadFailure(id, described, refused) {
    this.add('load_failure', { id: name(id), ...described, refused: Boolean(refused) });
  }

  /** Probes that each of these tests reached; without tests: reached while loading, by all. */
  reach(tests, probes) {
    if (probes.size > 0) this.add('reach', { tests, probes: [...probes].sort((one, other) => one - other) });
  }
}

/** The request, as `mutate` wrote it. */
class Asked {
  constructor(folder) {
    Object.assign(this, JSON.parse(readFileSync(path.join(folder, 'request.json'), 'utf8')));
    this.folder = folder;
    this.position = this.only && new Map(this.only.map((id, at) => [id, at]));
    this.unwanted = new Set(this.deselect);
    // Which files can hold a selected test, in the order in which they are to run.
    this.files = this.only && new Map();
    for (const id of this.only || []) {
      const file = fileOf(id);
      if (!this.files.has(file)) this.files.set(file, this.files.size);
    }
  }

  /** The id of a test: its file as seen from the root, the names of its groups and its own. */
  id(file, names) {
    return name(`${this.fileName(file)}::${names.join(' > ')}`);
  }

  fileName(file) {
    return name(path.relative(this.root, file).split(path.sep).join('/'));
  }

  wants(id) {
    return !this.isDeselected(id) && (this.position === null || this.position.has(id));
  }

  wantsFile(file) {
    return this.files === null || this.files.has(this.fileName(file));
  }

  /** By its name, or by that of the file or the group that holds it. */
  isDeselected(id) {
    if (this.unwanted.size === 0) return false;
    if (this.unwanted.has(id)) return true;
    return this.deselect.some((whole) => id.startsWith(whole + '::') || id.startsWith(whole + ' > '));
  }

  /** Whether a file belongs to the tree in which the tests run, and not to what is installed there. */
  owns(file) {
    return file.startsWith(this.root + path.sep) && !file.includes(`${path.sep}node_modules${path.sep}`);
  }

  /** Whether a file comes from the user's own tree though the tests work on a copy of it. */
  isOutside(file) {
    if (this.root === this.original_root || file.startsWith(this.root + path.sep)) return false;
    return file.startsWith(this.original_root + path.sep) && !file.includes(`${path.sep}node_modules${path.sep}`);
  }
}

function fileOf(id) {
  const at = id.indexOf('::');
  return at < 0 ? id : id.slice(0, at);
}

/** For the program that `mutate` starts. Takes our traces out of the environment. */
function load() {
  const folder = process.env.MUTATE_FOLDER;
  delete process.env.MUTATE_FOLDER;
  return open(folder);
}

/** For a process that such a program starts and tells where the request is. */
function open(folder) {
  return { asked: new Asked(folder), report: new Report(folder) };
}

/** Kind and message of whatever was thrown, which may come from another realm; the file is where the caller knows one. */
function describe(error, file) {
  let kind = '';
  let message;
  try {
    if (error !== null && (typeof error === 'object' || typeof error === 'function')) {
      kind = String(error.name || (error.constructor && error.constructor.name) || '');
      message = String(error.message === undefined ? error : error.message);
    } else {
      message = String(error);
    }
  } catch (broken) {
    message = '(its text cannot be shown)';
  }
  return { kind: name(kind), message: name(plain(message).trim().slice(0, 500)), file: file ? name(path.resolve(HERE, file)) : null };
}

/** Without the colours of a terminal. */
function plain(text) {
  // eslint-disable-next-line no-control-regex
  return text.replace(/\u001b\[[0-9;]*m/g, '');
}

module.exports = { Asked, Report, clock, describe, fileOf, load, name, open, plain };
