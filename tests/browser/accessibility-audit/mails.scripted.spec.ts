// Proves the accessibility of every mail, on a small phone and in both color schemes.
import { expect, test } from "playwright/test";
import { everyMessage } from "../../mail/recorded/every-message.ts";
import { renderMessage } from "../../mail/recorded/render-message.ts";
import { auditDocument } from "../../support/browser/axe.ts";

test.use({ viewport: { width: 375, height: 812 } });

/** For all mails together, on a crowded machine. */
const TIMEOUT_MS = 600_000;

test("who reads a mail on a phone reads all of it, by eye or by ear", async ({ page }) => {
  test.setTimeout(TIMEOUT_MS);
  const problems: string[] = [];
  for (const message of everyMessage()) {
    const found = await auditDocument(page, renderMessage(message).html);
    problems.push(...found.map((problem) => `${message.title}: ${problem}`));
  }
  expect(problems).toEqual([]);
});
