// Proves uploading with script: several files, progress, lost connections, retries, hostile files.
import type { Page } from "playwright/test";
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import type { Family } from "../support/people.ts";
import { SAMPLES, textFile, uploadFile } from "../support/uploads.ts";

const text = (name: string, buffer = SAMPLES.txt ?? Buffer.alloc(0)) => ({ name, mimeType: "text/plain", buffer });

/** The document in the family's list: the dialog names the same file until it closes. */
const listed = (page: Page, name: string) =>
  page.getByRole("region", { name: "Your Documents" }).locator("bdi").getByText(name, { exact: true });

let family: Family;

test.beforeEach(async ({ page, site, login }) => {
  family = await site.family();
  await login(family);
  await page.goto("/documents");
});

/** Sends a chosen file after the session has ended, then signs `person` in in a new tab; the page is covered meanwhile. */
async function uploadSignedOut(page: Page, person: Family) {
  await page.getByRole("link", { name: "Upload Document" }).click();
  await page.getByLabel("File", { exact: true }).setInputFiles(text("letter.txt"));
  await family.post("/api/auth/logout", {});
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  const cover = page.getByRole("dialog", { name: "You've been signed out" });
  const opened = page.waitForEvent("popup");
  await cover.getByRole("link", { name: "Sign in" }).click();
  const tab = await opened;
  await tab.getByLabel("Email").fill(person.email);
  await tab.getByLabel("Password", { exact: true }).fill(person.password);
  for (const _ of [1, 2]) await page.keyboard.press("Escape");
  await expect(cover).toContainText("The files that you chose are still on this page.");
  await tab.getByRole("button", { name: "Sign In" }).click();
  await expect(cover).toHaveCount(0);
}

test("a file chosen before the session ended can be uploaded after the family signs in in another tab", async ({
  page,
}) => {
  await uploadSignedOut(page, family);
  await page.getByRole("button", { name: "Try again letter.txt" }).click();
  await expect(page.getByText("Document Uploaded!")).toBeVisible();
  await expect(listed(page, "letter.txt")).toBeVisible();
});

test("after another person signs in in that tab, the page no longer shows the chosen file", async ({ page, site }) => {
  await uploadSignedOut(page, await site.family());
  await expect(page.getByRole("button", { name: "Upload", exact: true })).toBeVisible();
  await expect(page.getByText("letter.txt")).toHaveCount(0);
});

test("several dropped files are uploaded, each under its own name; a removed one is left out", async ({ page }) => {
  await page.getByRole("link", { name: "Upload Document" }).click();
  const files = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    for (const name of ["one.txt", "two.txt", "three.txt"])
      data.items.add(new File(["Dear Ms. Kim"], name, { type: "text/plain" }));
    return data;
  });
  const field = page.getByLabel("File", { exact: true });
  await field.dispatchEvent("dragover", { dataTransfer: files });
  await field.dispatchEvent("drop", { dataTransfer: files });
  await page.getByLabel("Document Name for two.txt").fill("The second one");
  await page.getByRole("button", { name: "Remove three.txt" }).click();
  await page.getByRole("button", { name: "Upload 2 Documents" }).click();
  await expect(page.getByText("2 documents are in your list.")).toBeVisible();
  await expect(page.getByRole("list", { name: "Chosen files" })).toHaveCount(0);
  await expect(listed(page, "one.txt")).toBeVisible();
  await expect(listed(page, "The second one.txt")).toBeVisible();
});

test("a long upload shows its progress, can be canceled, and can be retried", async ({ page, context }) => {
  const line = await context.newCDPSession(page);
  await page.getByRole("link", { name: "Upload Document" }).click();
  await page.getByLabel("File", { exact: true }).setInputFiles(text("long.txt", textFile(3_000_000)));
  await line.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    // It takes 40 s: on a slow machine it must not be done before it is stopped.
    uploadThroughput: 75_000,
  });
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText(/of 2\.8 MB · about \d+ seconds? left/)).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "Upload of long.txt" })).toBeVisible();
  page.once("dialog", (dialog) => void dialog.dismiss());
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Cancel upload long.txt" })).toBeVisible();
  await page.getByRole("button", { name: "Cancel upload long.txt" }).click();
  await expect(page.getByText("Stopped. Nothing was kept.")).toBeVisible();
  await line.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await page.getByRole("button", { name: "Try again long.txt" }).click();
  await expect(page.getByText("Document Uploaded!")).toBeVisible();
  await expect(page.getByRole("list", { name: "Chosen files" })).toHaveCount(0);
  await expect(listed(page, "long.txt")).toBeVisible();
});

test("an upload that loses its connection starts over automatically when back online", async ({ page, context }) => {
  await page.route(/api\/documents$/, async (route) => {
    await context.setOffline(true);
    await route.abort("internetdisconnected");
  });
  await page.getByRole("link", { name: "Upload Document" }).click();
  await page.getByLabel("File", { exact: true }).setInputFiles(text("lost.txt"));
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  const item = page.getByRole("list", { name: "Chosen files" });
  await expect(item.getByText("The upload will start over once you're back online.")).toBeVisible();
  await expect(item.getByRole("button", { name: "Cancel upload lost.txt" })).toBeVisible();
  await page.unroute(/api\/documents$/);
  await context.setOffline(false);
  await expect(page.getByText("Document Uploaded!")).toBeVisible();
  await expect(listed(page, "lost.txt")).toBeVisible();
});

for (const [way, leave] of [
  ["by its Close link", (page: Page) => page.getByRole("dialog").getByRole("link", { name: "Close" }).click()],
  ["by Back", (page: Page) => page.evaluate(() => window.history.back())],
] as const) {
  test(`leaving the dialog ${way} cancels the upload of all three files`, async ({ page }) => {
    let requests = 0;
    // The first file stays on its way until the browser stops it.
    await page.route(/api\/documents$/, (route) => ((requests += 1) === 1 ? undefined : route.continue()));
    await page.getByRole("link", { name: "Upload Document" }).click();
    await page
      .getByLabel("File", { exact: true })
      .setInputFiles(["one.txt", "two.txt", "three.txt"].map((name) => text(name)));
    await page.getByRole("button", { name: "Upload 3 Documents" }).click();
    await expect(page.getByRole("button", { name: "Cancel upload one.txt" })).toBeVisible();
    page.once("dialog", (dialog) => void dialog.accept());
    await leave(page);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    // Another file that is sent afterwards comes last of all that the browser sends.
    await page.getByRole("link", { name: "Upload Document" }).click();
    await page.getByLabel("File", { exact: true }).setInputFiles(text("afterwards.txt"));
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await expect(page.getByText("Document Uploaded!")).toBeVisible();
    const documents: { fileName: string }[] = (await family.get("/api/documents")).json;
    expect([requests, documents.map(({ fileName }) => fileName)]).toEqual([2, ["afterwards.txt"]]);
  });
}

test("canceling one of several uploads leaves the others running, and it can be retried afterwards", async ({
  page,
}) => {
  let requests = 0;
  await page.route(/api\/documents$/, (route) => ((requests += 1) === 1 ? undefined : route.continue()));
  await page.getByRole("link", { name: "Upload Document" }).click();
  await page
    .getByLabel("File", { exact: true })
    .setInputFiles(["one.txt", "two.txt", "three.txt"].map((name) => text(name)));
  await page.getByRole("button", { name: "Upload 3 Documents" }).click();
  await page.getByRole("button", { name: "Cancel upload one.txt" }).click();
  const items = page.getByRole("list", { name: "Chosen files" });
  await expect(items.getByText("Stopped. Nothing was kept.")).toHaveCount(1);
  await expect(items.getByText("Uploaded", { exact: true })).toHaveCount(2);
  await page.getByRole("button", { name: "Try again one.txt" }).click();
  await expect(page.getByText("3 documents are in your list.")).toBeVisible();
  expect(requests).toBe(4);
});

test("an empty file and an unsupported file type are refused before any request is sent", async ({ page }) => {
  let requests = 0;
  page.on("request", (request) => (requests += request.method() === "POST" ? 1 : 0));
  await page.getByRole("link", { name: "Upload Document" }).click();
  for (const [file, words] of [
    [text("empty.txt", Buffer.alloc(0)), "This file is empty. Please choose another one."],
    [text("drawing.svg"), "We can't take this kind of file."],
  ] as const) {
    await page.getByLabel("File", { exact: true }).setInputFiles(file);
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await expect(page.getByRole("alert")).toContainText(words);
    await expect(page.getByRole("alert")).toBeFocused();
  }
  expect(requests).toBe(0);
});

test("script in an uploaded file does not run in the browser", async ({ page, site, playwright }) => {
  const script = "<html><script>document.title='ran'</script></html>";
  const polyglot = Buffer.concat([Buffer.from("GIF89a\x01\x00\x01\x00\x00\x00\x00;", "latin1"), Buffer.from(script)]);
  const pdf = Buffer.concat([SAMPLES.pdf ?? Buffer.alloc(0), Buffer.from(script)]);
  const ids: number[] = [];
  for (const [fileName, bytes] of [
    ["a.txt", Buffer.from(script)],
    ["a.gif", polyglot],
    ["a.pdf", pdf],
  ] as const) {
    ids.push((await uploadFile(family, { fileName, bytes })).json.id);
  }
  // The whole browser: without its window Chromium has no PDF viewer.
  const whole = await playwright.chromium.launch({ executablePath: process.env.TEST_CHROMIUM || undefined });
  const context = await whole.newContext({ storageState: await page.context().storageState() });
  const types: string[] = [];
  for (const id of ids) {
    const view = await context.newPage();
    const answer = await view.goto(`${site.origin}/api/documents/${id}`);
    types.push(answer?.headers()["content-type"] ?? "");
    expect(await view.title()).not.toBe("ran");
    await view.close();
  }
  await whole.close();
  expect(types).toEqual(["text/plain; charset=utf-8", "image/gif", "application/pdf"]);
  await expect(page).toHaveURL(/\/documents$/);
});

test("a refused upload shows the reason at its field and above the form, and one click retries it", async ({
  page,
}) => {
  const words = "Your family's 2 GB for documents are used up.";
  await page.route(/api\/documents$/, (route) =>
    route.fulfill({ status: 413, json: { message: words, errors: { file: [words] } } }),
  );
  await page.getByRole("link", { name: "Upload Document" }).click();
  await page.getByLabel("File", { exact: true }).setInputFiles(text("scan0001.txt"));
  await page.getByLabel("Document Name").fill("Letter of May");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(page.getByRole("dialog").locator("form").getByText(words)).toHaveCount(2);
  await expect(page.getByLabel("File", { exact: true })).toHaveAccessibleDescription(new RegExp(words));
  await page.unroute(/api\/documents$/);
  await page.getByRole("button", { name: "Try again scan0001.txt" }).click();
  await expect(page.getByText("Document Uploaded!")).toBeVisible();
  await expect(listed(page, "Letter of May.txt")).toBeVisible();
});

test("after a partial failure, only failed uploads are sent again; one that succeeds no longer shows its error", async ({
  page,
}) => {
  let tries = 0;
  const busy = { status: 429, json: { message: "We are busy." } };
  await page.route(/api\/documents$/, (route) => ([2, 3].includes(++tries) ? route.fulfill(busy) : route.continue()));
  await page.getByRole("link", { name: "Upload Document" }).click();
  const files = ["one.txt", "two.txt", "three.txt"].map((name) => text(name));
  await page.getByLabel("File", { exact: true }).setInputFiles(files);
  await page.getByRole("button", { name: "Upload 3 Documents" }).click();
  const rows = page.getByRole("list", { name: "Chosen files" }).getByRole("listitem");
  await expect(rows.filter({ hasText: "We are busy." })).toHaveText([/^two\.txt/, /^three\.txt/]);
  await page.getByRole("button", { name: "Try again two.txt" }).click();
  await expect(rows.filter({ hasText: "Uploaded" })).toHaveText([/^one\.txt/, /^two\.txt/]);
  await expect(rows.filter({ hasText: "We are busy." })).toHaveText([/^three\.txt/]);
  await page.getByRole("button", { name: "Upload 1 Document", exact: true }).click();
  await expect(page.getByText("3 documents are in your list.")).toBeVisible();
  expect(tries).toBe(5);
});
