const { test } = require('@playwright/test');
require('./missing');
test('never', () => {});
