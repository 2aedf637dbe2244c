'use strict';

const assert = require('assert');
const { execFileSync } = require('child_process');
const path = require('path');
const { Shelf } = require('../lib/shelf.js');

let shelf;

beforeEach(() => {
  shelf = new Shelf();
});

describe('a "shelf" > of (ten)', () => {
  before(() => {
    assert.equal(new Shelf().isFull(), false);
  });

  it('takes ten items and no more', () => {
    for (let count = 0; count < 10; count += 1) shelf.put('book');
    assert.throws(() => shelf.put('book'), RangeError);
    assert.ok(shelf.isFull());
  });

  for (const [count, price] of [[1, 10], [5, 45]]) {
    it('has a price', () => {
      assert.equal(shelf.price(count), price);
    });
  }

  it('forgets', () => {
    shelf.forget();
  });

  it.skip('is not ready', () => {
    assert.equal(shelf.price(3), 1);
  });
});

describe('a greeting', function () {
  this.retries(1);

  it('is said by another process', () => {
    const out = execFileSync(process.execPath, [path.join(__dirname, '../lib/greet.js'), 'you'], { encoding: 'utf8' });
    assert.equal(out, 'hello you\n');
  });
});
