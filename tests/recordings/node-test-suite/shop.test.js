const assert = require('assert');
const { beforeEach, describe, it, test } = require('node:test');

describe('a > "b" \' (x|y)*', () => {
  it('nul \0 and\nline', () => {});
  for (const n of [1, 2]) it(`${n} is $1 \\ é`, () => assert.equal(n, 2));
});
it('late', async () => { await null; throw new TypeError('late'); });
it('same', () => {});
it('same', () => {});
it.skip('skipped', () => {});
it.todo('to do');
it('skips itself', (t) => t.skip());
describe('hooks', () => {
  beforeEach(() => { throw new RangeError('no set-up'); });
  it('in', () => {});
});
test('with a part', async (t) => { await t.test('part', () => { throw new Error('no'); }); });
