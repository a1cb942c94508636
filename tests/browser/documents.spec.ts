// Proves sending, reading, sorting, sharing and deleting documents, with and without script.
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { SAMPLES, uploadFile } from "../support/uploads.ts";

const LETTER = { name: "Letter from school.txt", mimeType: "text/plain", buffer: SAMPLES.txt ?? Buffer.alloc(0) };

test("a family uploads, downloads, views and deletes a document", async ({ page, site, login, expectAccessible }) => {
  test.slow(); // the whole screen, looked at by axe five times
  const family = await site.family();
  await login(family);
  await page.goto("/documents");
  await expect(page.getByText("No documents yet")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("link", { name: "Upload Document" }).click();
  const dialog = page.getByRole("dialog", { name: "Upload Document" });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("alert")).toContainText("No File Selected");
  await expect(page.getByRole("alert").getByRole("link", { name: "Please select a file to upload." })).toBeVisible();
  await expect(page).toHaveTitle(/^Error: Upload Document/);
  await expectAccessible(page);

  await dialog.getByLabel("File", { exact: true }).setInputFiles(LETTER);
  await dialog.getByLabel("Document Name").fill("Letter of November");
  await dialog.getByLabel("Description").fill("About the reading lessons.");
  await dialog.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText("Document Uploaded!")).toBeVisible();
  await expect(page).toHaveURL(/\/documents$/);

  const row = page.getByRole("listitem").filter({ hasText: "Letter of November.txt" });
  await expect(row).toContainText("About the reading lessons.");
  await expectAccessible(page);
  const saving = page.waitForEvent("download");
  await row.getByRole("link", { name: "Download Letter of November.txt" }).click();
  expect((await saving).suggestedFilename()).toBe("Letter of November.txt");
  const opening = page.waitForEvent("popup");
  await row.getByRole("link", { name: "View Letter of November.txt" }).click();
  await expect((await opening).locator("body")).toContainText("Leo reads better in the morning.");

  await row.getByRole("link", { name: "Delete Letter of November.txt" }).click();
  const asking = page.getByRole("dialog", { name: "Delete this document? Letter of November.txt", exact: true });
  await expect(page).toHaveTitle(/Delete this document\? Letter of November\.txt/);
  await expectAccessible(page);
  await asking.getByRole("link", { name: "Keep it" }).click();
  await expect(row).toBeVisible();
  await row.getByRole("link", { name: "Delete Letter of November.txt" }).click();
  await page.getByRole("button", { name: "Delete document" }).click();
  await expect(page.getByText("Document Deleted")).toBeVisible();
  await expect(page.getByText("No documents yet")).toBeVisible();
  expect((await family.get("/api/documents")).json).toEqual([]);
});

test("a missing name and a file that doesn't match its type show errors at their fields", async ({
  page,
  site,
  login,
}) => {
  await login(await site.family());
  await page.goto("/documents/new");
  await page.getByLabel("File", { exact: true }).setInputFiles(LETTER);
  await page.getByLabel("Document Name").fill("  ");
  await page.getByLabel("Description").fill("Please keep this.");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("File Name Required");
  await expect(page.getByLabel("Document Name")).toHaveAccessibleDescription(
    /Please provide a name for your document\./,
  );
  await expect(page.getByLabel("Description")).toHaveValue("Please keep this.");

  const disguised = { name: "photo.png", mimeType: "image/png", buffer: Buffer.from("<html></html>") };
  await page.getByLabel("File", { exact: true }).setInputFiles(disguised);
  await page.getByLabel("Document Name").fill("Photo");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("Upload Failed");
  await expect(page.getByLabel("File", { exact: true })).toHaveAccessibleDescription(
    /This file doesn't match its type/,
  );
});

test("forty documents and long names fit a narrow screen, can be sorted, and download as a ZIP file", async ({
  page,
  site,
  login,
  expectAccessible,
}) => {
  const family = await site.family({ intake: true });
  await login(family);
  for (let number = 0; number < 37; number += 1)
    await uploadFile(family, { fields: { customFileName: `Paper ${String(number).padStart(2, "0")}` } });
  await uploadFile(family, {
    fileName: "a.png",
    bytes: SAMPLES.png,
    fields: { customFileName: `${"unbroken".repeat(30)} ${"a long name ".repeat(20)}` },
  });
  await uploadFile(family, { fileName: "a.zip", bytes: SAMPLES.zip, fields: { customFileName: "Résumé 児童 👧" } });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/documents");
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(40);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
  await expect(page.getByText("Documents & PDFs").locator("..")).toContainText("38");
  await expect(page.getByText("Images").locator("..")).toContainText("1");
  await expect(page.getByText("Other Files").locator("..")).toContainText("1");
  await expectAccessible(page);

  await page.goto("/documents?sort=name");
  await expect(page.getByRole("main").getByRole("listitem").nth(1)).toContainText("Paper 00.txt");
  await page.getByLabel("Choose Paper 00.txt").check();
  await page.getByLabel("Choose Paper 01.txt").check();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download as ZIP" }).click();
  expect((await saving).suggestedFilename()).toBe("documents.zip");
});

test("the intake form is listed as a document: it can be downloaded and viewed in a dialog, but not deleted", async ({
  page,
  site,
  login,
  expectAccessible,
}) => {
  const family = await site.family({ intake: true });
  await login(family);
  await page.goto("/documents");
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download intake-form.txt" }).click();
  expect((await saving).suggestedFilename()).toBe("intake-form.txt");
  await page.getByRole("link", { name: "View intake-form.txt" }).click();
  await expect(page.getByText("To read it here, choose View.")).toBeVisible();
  await expect(page.getByRole("dialog", { name: "Intake Form" })).toContainText(family.name);
  await expectAccessible(page);
  await expect(page.getByRole("link", { name: "Delete intake-form.txt" })).toHaveCount(0);
});

test("the consultant uploads a private document for a family and then shares it", async ({
  page,
  site,
  login,
  expectAccessible,
}) => {
  const family = await site.family({ firstName: "Imani", lastName: "Wells" });
  await uploadFile(family, { fields: { customFileName: "Sent by Imani" } });
  await login(await site.consultant());
  await page.goto("/documents/new");
  await expectAccessible(page);
  await page.getByLabel("File", { exact: true }).setInputFiles(LETTER);
  await page.getByLabel("Document Name").fill("Plan for Imani");
  await page.getByLabel("Family", { exact: true }).selectOption({ label: `Imani Wells (${family.email})` });
  await page.getByRole("radio", { name: "Only you" }).check();
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText("Document Uploaded!")).toBeVisible();
  const row = page.getByRole("listitem").filter({ hasText: "Plan for Imani.txt" });
  await expect(row).toContainText("Only you");
  await expectAccessible(page);
  expect((await family.get("/api/documents")).json).toHaveLength(1);
  await row.getByRole("button", { name: "Share Plan for Imani.txt" }).click();
  await expect(page.getByText("Document Shared")).toBeVisible();
  expect((await family.get("/api/documents")).json).toHaveLength(2);
});
