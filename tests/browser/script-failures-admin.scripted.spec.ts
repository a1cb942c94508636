// Proves that the consultant can work when script files fail to load.
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { SAMPLES } from "../support/uploads.ts";
import { blockScriptsAfterFirstPage, blockSecondScript } from "../support/browser/script-failures.ts";

// What is lost here on purpose is no mistake of the pages.
test.use({ allowsConsoleErrors: true, waitsForHydration: false });

const WAYS = {
  "the second script fails to load": {
    lose: blockSecondScript,
    day: "2027-10-23",
    words: "Saturday, October 23, 2027",
  },
  "no script loads after the first page": {
    lose: blockScriptsAfterFirstPage,
    day: "2027-10-30",
    words: "Saturday, October 30, 2027",
  },
};

for (const [way, { lose, day, words }] of Object.entries(WAYS)) {
  test(`${way}: the consultant closes a day, saves a note, creates a reset link and uploads a document`, async ({
    page,
    site,
    login,
  }) => {
    const family = await site.family({ intake: true });
    await login(await site.consultant());
    await lose(page);
    await page.goto("/calendar/hours");
    await page.getByLabel("First day").fill(day);
    await page.getByRole("button", { name: "Save these days" }).click();
    await expect(page.getByRole("listitem").filter({ hasText: words })).toContainText("closed");

    await page.goto(`/families/${family.id}`);
    await page.getByLabel("New note").fill("Prefers mornings.");
    await page.getByRole("button", { name: "Save note" }).click();
    await expect(page.getByText("Prefers mornings.", { exact: true })).toBeVisible();

    await page.goto("/dashboard/reset-link");
    await page.getByRole("dialog").getByLabel(/mail/).fill(family.email);
    await page.getByRole("dialog").getByRole("button", { name: /link/i }).click();
    await expect(page.locator(".secret")).toContainText("/reset-password/");

    await page.goto("/documents/new");
    const letter = { name: "Letter.txt", mimeType: "text/plain", buffer: SAMPLES.txt ?? Buffer.alloc(0) };
    await page.getByLabel("File", { exact: true }).setInputFiles(letter);
    await page.getByLabel("Document Name").fill(`Letter of ${words}`);
    await page.getByLabel("Family", { exact: true }).selectOption(String(family.id));
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await expect(
      page
        .getByRole("listitem")
        .filter({ hasText: `Letter of ${words}` })
        .first(),
    ).toBeVisible();
  });
}
