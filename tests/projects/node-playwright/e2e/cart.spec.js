const { test, expect } = require('@playwright/test');

test.describe('the "cart" > of (one)', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/');
  });

  test('costs ten', async ({ page }) => {
    await expect(page.locator('#total')).toHaveText('10');
  });

  test('is cheaper from twelve on', async ({ page }) => {
    await page.fill('#count', '12');
    await expect(page.locator('#total')).toHaveText('108');
  });
});
