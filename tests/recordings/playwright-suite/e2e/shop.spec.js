const { test, expect } = require('@playwright/test');

test.describe('a > "b" \' (x|y)*', () => {
  for (const n of [1, 2]) test(`${n} is $1 \\ é`, () => expect(n).toBe(2));
});
test('late', async () => { await null; throw new TypeError('late'); });
test.skip('skipped', () => {});
test('skips itself', () => test.skip());
test('expected', () => { test.fail(); throw new Error('as told'); });
test.describe('hooks', () => {
  test.beforeEach(() => { throw new RangeError('no set-up'); });
  test('in', () => {});
});
