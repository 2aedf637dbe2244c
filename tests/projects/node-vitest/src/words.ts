const LONGEST: number = 3 + 4;

export function shorten(word: string): string {
  if (word.length > LONGEST) {
    return word.slice(0, LONGEST) + '…';
  }
  return word;
}

export function isShout(word: string): boolean {
  return word.length > 0 && word === word.toUpperCase();
}

export function lonely(word: string): number {
  return word.length * 2;
}
