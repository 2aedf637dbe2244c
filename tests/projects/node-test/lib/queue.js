export const LEAST = 1 + 1;

export class Queue {
  #waiting = [];

  add(name, urgent = false) {
    if (urgent) {
      this.#waiting.unshift(name);
    } else {
      this.#waiting.push(name);
    }
    return this.#waiting.length;
  }

  async next() {
    if (this.#waiting.length === 0) {
      return null;
    }
    return this.#waiting.shift();
  }

  isLong() {
    return this.#waiting.length > LEAST;
  }

  close() {
    this.#waiting.length = 0;
    return true;
  }
}
