import { describe, expect, test } from 'vitest';
import { isShout, shorten } from '../src/words';

describe('shorten', () => {
  test.each([
    ['seven77', 'seven77'],
    ['eight888', 'eight88…'],
  ])('%s > %s', (word, short) => {
    expect(shorten(word)).toBe(short);
  });
});

test('a shout', () => {
  expect(isShout('HEY')).toBe(true);
  expect(isShout('Hey')).toBe(false);
});
