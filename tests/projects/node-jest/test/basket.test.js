const { shipping, discount } = require('../src/basket');

describe('shipping', () => {
  test.each([
    [49, 5],
    [50, 0],
  ])('of "%i" > costs %i', (total, costs) => {
    expect(shipping(total)).toBe(costs);
  });
});

test('members save', () => {
  expect(discount(200, true)).toBe(10);
  expect(discount(200, false)).toBe(0);
});
