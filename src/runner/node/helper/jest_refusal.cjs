'use strict';
// Which failures mean that a file of the project is no program: its transformer or Node refuses it.

const vm = require('vm');
const { asked } = require('./jest_shared.cjs');

class Refusals {
  constructor() {
    /** `{ file, error }` of the transformer. */
    this.seen = [];
    /** The last file that was transformed: Node compiles it next. */
    this.last = null;
  }

  around(file, transform) {
    try {
      return this.note(file, transform());
    } catch (error) {
      throw this.refused(file, error);
    }
  }

  async aroundAsync(file, transform) {
    try {
      return this.note(file, await transform());
    } catch (error) {
      throw this.refused(file, error);
    }
  }

  note(file, result) {
    this.last = { file, code: result && result.code };
    return result;
  }

  refused(file, error) {
    if (asked.owns(file)) this.seen.push({ file, error });
    return error;
  }

  /** The file of the project whose refusal is this error, if it is one. */
  fileOf(error) {
    if (error === null || typeof error !== 'object') return null;
    const message = String(error.message);
    const known = this.seen.find((refusal) => refusal.error === error || String(refusal.error && refusal.error.message) === message);
    if (known) return known.file;
    // A test may parse a text of its own: it is a refusal only if that very file cannot be compiled.
    const isSyntax = /SyntaxError|CjsParseError/.test(String(error.name)) || /SyntaxError/.test(String(error.stack));
    return isSyntax && this.last && asked.owns(this.last.file) && !compiles(this.last.code) ? this.last.file : null;
  }
}

function compiles(code) {
  try {
    new vm.Script(`(async function(module, exports, require, __dirname, __filename, jest){${code}\n})`);
    return true;
  } catch (error) {
    return vm.SourceTextModule !== undefined && compilesAsModule(code);
  }
}

function compilesAsModule(code) {
  try {
    new vm.SourceTextModule(code);
    return true;
  } catch (error) {
    return false;
  }
}

module.exports = { Refusals };
