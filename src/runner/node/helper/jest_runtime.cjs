'use strict';
// jest's `Runtime`, which makes one for every file of tests before anything of the project is loaded in it.

const { Refusals } = require('./jest_refusal.cjs');
const { File } = require('./jest_file.cjs');
const shared = require('./jest_shared.cjs');

const loaded = require(shared.baseRuntime);
const Base = loaded.default || loaded;
const RETRY_TIMES = Symbol.for('RETRY_TIMES');

class Runtime extends Base {
  constructor(config, environment, resolver, transformer, cacheFS, coverage, testPath, globalConfig) {
    const refusals = new Refusals();
    const file = new File(testPath, environment, refusals);
    super(config, environment, resolver, watched(transformer, file, refusals), cacheFS, coverage, testPath, globalConfig);
    if (shared.hits !== null) shared.hits.provide(environment.global);
    forbidRetries(environment.global, file);
    const own = environment.handleTestEvent && environment.handleTestEvent.bind(environment);
    environment.handleTestEvent = async (event, state) => {
      if (own) await own(event, state);
      file.handle(event, state);
    };
  }
}

/** Tests may ask at any time to be tried again. */
function forbidRetries(global, file) {
  Object.defineProperty(global, RETRY_TIMES, {
    configurable: true,
    get: () => undefined,
    set: (times) => {
      if (times > 0) file.wantsRetries();
    },
  });
}

/** The transformer, seen at work: every file passes it once before it runs. */
function watched(transformer, file, refusals) {
  const { asked, report } = shared;
  const outside = new Set();
  const see = (name) => {
    if (asked.owns(name)) file.loads();
    if (asked.isOutside(name) && !outside.has(name)) {
      outside.add(name);
      report.add('outside', { files: [name] });
    }
  };
  return new Proxy(transformer, {
    get(target, key) {
      const value = target[key];
      if (typeof value !== 'function') return value;
      if (key === 'transform') {
        return (name, ...rest) => {
          see(name);
          return refusals.around(name, () => value.call(target, name, ...rest));
        };
      }
      if (key === 'transformAsync') {
        return (name, ...rest) => {
          see(name);
          return refusals.aroundAsync(name, () => value.call(target, name, ...rest));
        };
      }
      return value.bind(target);
    },
  });
}

module.exports = { __esModule: true, default: Runtime };
