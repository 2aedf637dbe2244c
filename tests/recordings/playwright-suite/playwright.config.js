module.exports = { testDir: 'e2e', retries: 2 };
