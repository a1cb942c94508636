import type { Page } from "playwright/test";

const SCRIPT = /\.js$/;

/** Of each page the second script that it asks for never comes. */
export async function blockSecondScript(page: Page) {
  let asked = 0;
  page.on("request", (request) => (asked = request.isNavigationRequest() ? 0 : asked));
  await page.route(SCRIPT, (route) => ((asked += 1) === 2 ? route.abort() : route.fallback()));
}

/** The first page is taken over by its script; nothing more of it comes after that. */
export async function blockScriptsAfterFirstPage(page: Page) {
  let pages = 0;
  page.on("request", (request) => (pages += request.isNavigationRequest() ? 1 : 0));
  await page.route(SCRIPT, (route) => (pages > 1 ? route.abort() : route.fallback()));
}
