exports.prices = (factor) => ({ one: 5 * factor, many: factor > 2 ? 8 : 9 });
