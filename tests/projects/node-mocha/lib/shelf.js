'use strict';

const LIMIT = 5 * 2;

class Shelf {
  constructor() {
    this.items = [];
  }

  put(item) {
    if (this.items.length >= LIMIT) {
      throw new RangeError('the shelf is full');
    }
    this.items.push(item);
  }

  isFull() {
    return this.items.length >= LIMIT;
  }

  price(count) {
    return count > 3 ? count * 9 : count * 10;
  }

  forget() {
    this.items = this.items.filter((item) => item === undefined);
    return true;
  }
}

module.exports = { Shelf };
