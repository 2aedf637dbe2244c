//! Playwright.
