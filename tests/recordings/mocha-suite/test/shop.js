const assert = require('assert');

describe('a > "b" \' (x|y)*', () => {
  it('nul \0 and\nline', () => {});
  for (const n of [1, 2]) it(`${n} is $1 \\ é`, () => assert.equal(n, 2));
});
it('late', async () => { await null; throw new TypeError('late'); });
it('same', () => {});
it('same', () => {});
it.skip('skipped', () => {});
it('to do');
it('skips itself', function () { this.skip(); });
describe('hooks', () => {
  beforeEach(() => { throw new RangeError('no set-up'); });
  it('in', () => {});
});
