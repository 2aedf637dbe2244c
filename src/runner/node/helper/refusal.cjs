'use strict';
// What a file that did not load has thrown: is it no program of its language, and which file is it?

const { spawnSync } = require('child_process');
const { fileURLToPath, pathToFileURL } = require('url');
const { describe } = require('./report.cjs');

/** Where a text begins with the place at which the parser complains: `/a/b.js:3` or `file:///a/b.js:3`. */
const PLACE = /^(file:\/\/\S+?|\/.+?):\d+\r?\n/;
/** How esbuild says it, which tsx uses: `/a/b.ts:3:5: ERROR: Expected ")"`. */
const OF_ESBUILD = /(?:^|\n)(.+?):\d+:\d+: ERROR: /;
/** Where Node parses a module; its error does not say which. */
const PARSED_AS_MODULE = /\bcompileSourceTextModule\b/;

/** For an error that comes while this file is loaded: its description, and whether a compiler refuses the program. */
function describeLoad(error, file) {
  const refused = refusedFile(error, file);
  if (refused === null) return { described: describe(error), refused: isTypeError(error) };
  return { described: { ...describe(error, refused), kind: 'SyntaxError' }, refused: false };
}

/** A `SyntaxError` that code throws while it runs, for example by `JSON.parse`, has no such place. */
function refusedFile(error, file) {
  const text = (value) => (typeof value === 'string' ? value : '');
  if (error === null || typeof error !== 'object') return null;
  if (error.name === 'SyntaxError') {
    const place = placeIn(text(error.stack));
    return place === null && PARSED_AS_MODULE.test(text(error.stack)) ? placeByNode(file) : place;
  }
  const place = error.name === 'TransformError' || Array.isArray(error.errors) ? OF_ESBUILD.exec(text(error.message)) : null;
  return place && place[1];
}

function placeIn(text) {
  const place = PLACE.exec(text);
  return place && (place[1].startsWith('file:') ? fileURLToPath(place[1]) : place[1]);
}

/** Only where an error ends the process does Node say in which module it is. All of them are parsed before the first one runs. */
function placeByNode(file) {
  const program = `import ${JSON.stringify(pathToFileURL(file).href)}`;
  const options = { encoding: 'utf8', timeout: 20000, stdio: ['ignore', 'ignore', 'pipe'] };
  return placeIn(spawnSync(process.execPath, ['--input-type=module', '--eval', program], options).stderr || '');
}

/** ts-node refuses a program whose types do not fit. */
function isTypeError(error) {
  return error !== null && typeof error === 'object' && error.name === 'TSError';
}

module.exports = { describeLoad };
