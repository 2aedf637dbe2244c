'use strict';

const assert = require('node:assert');
const { shout } = require('../lib/words.cjs');

assert.equal(shout('abcd'), 'ABCD');
assert.equal(shout('ab'), 'ab');
