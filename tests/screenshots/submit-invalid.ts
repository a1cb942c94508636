import type { Page } from "playwright";

/** Submits a form that is refused. The error is shown before the page has finished loading, when the button is still busy. */
export const submitInvalid = (buttonName: string) => async (page: Page) => {
  const button = page.getByRole("button", { name: buttonName, exact: true });
  await button.click();
  await page.getByRole("alert").first().waitFor();
  await button.and(page.locator(":not([aria-disabled])")).waitFor();
};
