const { test } = require('node:test'); require('./missing'); test('never', () => {});
