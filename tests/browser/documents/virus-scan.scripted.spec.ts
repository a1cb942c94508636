// Proves the upload status during a virus scan, and the refusal of one infected file among several, with script.
import { expect, type Site, test as base } from "../../support/browser/playwright-fixtures.ts";
import { EICAR, startFakeClamd } from "../../support/servers/fake-clamd.ts";
import { startServer } from "../../support/servers/server-process.ts";

type Scanner = Awaited<ReturnType<typeof startFakeClamd>>;

const test = base.extend<object, { scanner: Scanner; site: Site }>({
  scanner: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const scanner = await startFakeClamd();
      await use(scanner);
      await scanner.stop();
    },
    { scope: "worker" },
  ],
  site: [
    async ({ scanner }, use) => {
      const site = await startServer({ overrides: { CLAMAV_URL: `tcp://127.0.0.1:${scanner.port}` } });
      await use(site);
      site.kill("SIGTERM");
      await site.ended;
    },
    { scope: "worker" },
  ],
});

const text = (name: string, buffer = Buffer.from("Dear Ms. Kim")) => ({ name, mimeType: "text/plain", buffer });

test.beforeEach(async ({ page, site, scanner, login }) => {
  scanner.behavior = { kind: "scans" };
  await login(await site.family());
  await page.goto("/documents/new");
  // Only a hydrated field takes several files.
  await expect(page.locator("input[type=file][multiple]")).toBeVisible();
});

test("an uploaded file shows that it is being checked for viruses, and can be canceled and retried", async ({
  page,
  scanner,
}) => {
  scanner.behavior = { kind: "silent" };
  await page.getByLabel("File", { exact: true }).setInputFiles(text("letter.txt"));
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByRole("listitem").getByText("of less than 1 KB · Being checked for viruses…")).toBeVisible();
  await expect(page.getByRole("status").getByText("letter.txt: Being checked for viruses…")).toBeAttached();
  scanner.behavior = { kind: "scans" };
  await page.getByRole("button", { name: "Cancel upload letter.txt" }).click();
  await page.getByRole("button", { name: "Try again letter.txt" }).click();
  await expect(page.getByText("Document Uploaded!")).toBeVisible();
});

test("of several uploaded files, the infected one is refused by name and the others are listed", async ({ page }) => {
  await page
    .getByLabel("File", { exact: true })
    .setInputFiles([text("one.txt"), text("toys.txt", EICAR), text("three.txt")]);
  await page.getByRole("button", { name: "Upload 3 Documents" }).click();
  const refusal = "This file may contain a virus and was not saved.";
  const rows = page.getByRole("list", { name: "Chosen files" }).getByRole("listitem");
  await expect(rows.filter({ hasText: "toys.txt" }).getByText(refusal)).toBeVisible();
  for (const name of ["one.txt", "three.txt"])
    await expect(rows.filter({ hasText: name }).getByText("Uploaded")).toBeVisible();
  await expect(page.getByText(new RegExp(`Upload failed: ${refusal}.*\\(toys\\.txt\\)`))).toBeVisible();
  await page.getByRole("button", { name: "Remove toys.txt" }).click();
  await page.goto("/documents");
  const list = page.getByRole("region", { name: "Your Documents" });
  for (const name of ["one.txt", "three.txt"])
    await expect(list.getByText(name, { exact: true }).first()).toBeVisible();
  await expect(list.getByText("toys.txt")).toHaveCount(0);
});
