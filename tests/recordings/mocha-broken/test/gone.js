require('./missing'); it('never', () => {});
