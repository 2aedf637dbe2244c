'use strict';
// Which files of tests run, and in which order: that of the selection, else that of their names.

const path = require('path');
const { asked } = require('./jest_shared.cjs');

module.exports = class Sequencer {
  shard(tests) {
    return tests;
  }

  sort(tests) {
    const place = ({ path: file }) => (asked.files === null ? 0 : asked.files.get(asked.fileName(file)));
    const chosen = [...tests].filter((test) => asked.wantsFile(test.path) && isNamed(test.path));
    return chosen.sort((one, other) => place(one) - place(other) || (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
  }

  allFailedTests() {
    return [];
  }

  cacheResults() {}
};

/** Whether it is one of the files, or stands in one of the folders, that the user has named. */
function isNamed(file) {
  if (asked.tests.length === 0) return true;
  return asked.tests.some((named) => {
    const whole = path.resolve(asked.root, named);
    return file === whole || file.startsWith(whole + path.sep);
  });
}
