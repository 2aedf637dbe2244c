export const total = (a: number, b: number): number => a + b;
