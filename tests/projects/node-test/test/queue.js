import assert from 'node:assert/strict';
import test, { beforeEach, describe, it } from 'node:test';

import { Queue } from '../lib/queue.js';

let made = 0;

beforeEach(() => {
  made += new Queue().add('a');
});

test('in order', async (t) => {
  const queue = new Queue();
  queue.add('a');
  await t.test('the first comes first', async () => {
    queue.add('b');
    assert.equal(await queue.next(), 'a');
  });
  await t.test('then nobody', async () => {
    await queue.next();
    assert.equal(await queue.next(), null);
  });
});

describe('a "queue" > of (names)', { concurrency: true }, () => {
  for (const urgent of [true, false]) {
    it('lets the urgent go first', async () => {
      const own = new Queue();
      own.add('a');
      own.add('b', urgent);
      assert.equal(await own.next(), urgent ? 'b' : 'a');
    });
  }

  it('is long from three on', () => {
    const own = new Queue();
    ['a', 'b', 'c'].forEach((name) => own.add(name));
    assert.equal(own.isLong(), true);
  });

  it('closes', () => {
    assert.ok(made > 0);
    new Queue().close();
  });

  it.todo('counts', () => {
    assert.equal(new Queue().add('a'), 2);
  });
});
