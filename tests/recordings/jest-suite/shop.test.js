const { total } = require('./shop');

describe('a > "b" \' (x|y)*', () => {
  test('nul \0 and\nline', () => expect(total(1, 2)).toBe(3));
  test.each([[1, 2], [2, 2]])('%i is $1 \\ é', (a, b) => expect(a).toBe(b));
});
test('late', async () => { await null; throw new TypeError('late'); });
test('same', () => {});
test('same', () => {});
test.skip('skipped', () => {});
test.todo('to do');
test.failing('expected', () => { throw new Error('as told'); });
describe('hooks', () => {
  beforeEach(() => { throw new RangeError('no set-up'); });
  test('in', () => {});
});
