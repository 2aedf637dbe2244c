import { beforeEach, describe, expect, test } from 'vitest';
import { total } from './shop';

describe('a > "b" \' (x|y)*', () => {
  test('nul \0 and\nline', () => expect(total(1, 2)).toBe(3));
  test.each([[1, 2], [2, 2]])('%i is $1 \\ é', (a, b) => expect(a).toBe(b));
});
test('late', async () => { await null; throw new TypeError('late'); });
test('same', () => {});
test('same', () => {});
test.skip('skipped', () => {});
test.todo('to do');
test.fails('expected', () => { throw new Error('as told'); });
describe('hooks', () => {
  beforeEach(() => { throw new RangeError('no set-up'); });
  test('in', () => {});
});
