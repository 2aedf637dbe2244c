const { defineConfig } = require('@playwright/test');

const url = `http://127.0.0.1:${process.env.CART_PORT || 43117}`;
// What a sandboxed machine without a screen and without a network needs.
const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'];

module.exports = defineConfig({
  testDir: 'e2e',
  retries: process.env.CI ? 2 : 0,
  expect: { timeout: 3000 },
  timeout: 15000,
  use: { baseURL: url, launchOptions: { executablePath: '/usr/bin/chromium', args } },
  webServer: { command: 'node server.js', url, reuseExistingServer: !process.env.CI },
});
