// Proves the pages that emails lead to, with and without script: invitations, the outbox, messages, the three
// questions, the calendar link, the waiting list, unsubscribing and changing the email address.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { simpleParser } from "mailparser";
import { expect, type Site, test } from "../support/browser/playwright-fixtures.ts";
import { SAMPLES, uploadFile } from "../support/uploads.ts";

/** Saturdays of its own for each browser. */
const DAYS = {
  "with script": { full: "2027-10-02", words: "Saturday, October 2, 2027", visit: "2027-10-09" },
  "without script": { full: "2027-10-16", words: "Saturday, October 16, 2027", visit: "2027-10-23" },
};
const daysOf = ({ name }: { name: string }) => DAYS[name as keyof typeof DAYS];

/** A family that has booked an hour to be paid in person, and the id of its visit. */
async function bookVisit(site: Site, appointmentDate: string) {
  const family = await site.family({ intake: true });
  const fields = { title: "Hourly Consulting", type: "consultation", duration: 60, appointmentDate };
  const booked = await family.post("/api/appointments/in-person", fields);
  expect(booked.status).toBe(201);
  return { family, id: booked.json.id as number };
}

test("an invited family creates its account with the link from the outbox, which works only once", async ({
  page,
  site,
  login,
  openAs,
}) => {
  await login(await site.consultant());
  const email = `ines.${Date.now()}@example.com`;
  await page.goto("/families/invitations");
  await page.getByLabel("First name").fill("Ines");
  await page.getByLabel("Last name").fill("Duarte");
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Invite the family" }).click();
  await expect(page.getByText(email).first()).toBeVisible();
  await page.goto("/outbox");
  const mail = page.locator("details", { hasText: email });
  await mail.locator("summary").click();
  const [link = ""] = /http\S+\/invitation\/\S+/.exec(await mail.locator("p").innerText()) ?? [];
  const family = await openAs(site.visitor(), { javaScriptEnabled: test.info().project.use.javaScriptEnabled });
  await family.goto(link);
  await expect(family.getByRole("heading", { level: 1 })).toHaveText("Open your family's account");
  await family.getByLabel("Password", { exact: true }).fill("a long walk home");
  await family.getByLabel("Confirm Password").fill("a long walk home");
  await family.getByRole("button", { name: "Create Account" }).click();
  await expect(family.getByRole("heading", { name: "Family Advocacy Intake Form" }).first()).toBeVisible();
  await family.goto(link);
  await expect(family.getByRole("heading", { level: 1 })).not.toHaveText("Open your family's account");
});

test("the consultant reads an email in the outbox with its attachment's name, and opens it as HTML", async ({
  page,
  site,
  login,
  expectAccessible,
}, { project }) => {
  const { family } = await bookVisit(site, `${daysOf(project).visit}T17:00:00Z`);
  await login(await site.consultant());
  await page.goto("/outbox");
  const mail = page.locator("details", { hasText: family.email }).filter({ hasText: "Your visit is booked" });
  await mail.locator("summary").click();
  await expect(mail.getByText("Attached: visit.ics")).toBeVisible();
  await expectAccessible(page);
  const opened = page.waitForEvent("popup");
  await mail.getByRole("link", { name: "See as HTML" }).click();
  const html = await opened;
  await expect(html.getByRole("heading", { level: 1 })).toHaveText("Your visit is booked");
  await expect(html.getByRole("link", { name: "See your visit" })).toBeVisible();
  await html.close();
});

test("a family reads a message, answers the three questions, and turns its calendar feed link on and off", async ({
  page,
  site,
  login,
  expectAccessible,
}, { project }) => {
  const { family, id } = await bookVisit(site, `${daysOf(project).visit}T15:00:00Z`);
  await login(family);
  await page.goto("/messages");
  await page.getByRole("link", { name: /Your visit is booked/ }).click();
  await expect(page.getByText("We look forward to seeing you.")).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/appointments/${id}/questions`);
  await page.getByLabel(/^What matters most/).fill("Mornings before school.");
  await page.getByRole("button", { name: "Save my answers" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are booked");
  const admin = await site.consultant();
  expect((await admin.get(`/dashboard/appointments/${id}`)).visibleText).toContain("Mornings before school.");
  await page.goto("/dashboard/settings/calendar");
  await page.getByRole("button", { name: "Make a link" }).click();
  const feed = new URL(await page.locator("output.secret").innerText());
  const read = () => site.visitor().get(feed.pathname);
  const uid = /^UID:\S+/m.exec((await admin.get(`/api/appointments/${id}/calendar.ics`)).text)?.[0];
  expect((await read()).text).toContain(uid);
  await page.goto("/dashboard/settings/calendar");
  await page.getByRole("button", { name: "Turn off the link" }).click();
  await expect(page.getByText("Calendar Link Turned Off").first()).toBeVisible();
  expect((await read()).status).toBe(404);
});

test("a family on the waiting list of a full day gets a message about a canceled time and starts booking it", async ({
  page,
  site,
  login,
  expectAccessible,
}, { project }) => {
  const { full, words } = daysOf(project);
  const admin = await site.consultant();
  const hours = await admin.form("/calendar/hours", { kind: "open", from: full, opens: "10:00", closes: "11:00" });
  expect(hours.status).toBe(302);
  const { family: first, id } = await bookVisit(site, `${full}T14:00:00Z`);
  await login(await site.family({ intake: true }));
  await page.goto("/appointments/waiting-list");
  await page.getByLabel("Day", { exact: true }).fill(full);
  await page.getByRole("button", { name: "Tell me when a time opens" }).click();
  await expect(page.getByText(words).first()).toBeVisible();
  await expect(page.getByText("You are first on the list.")).toBeVisible();
  expect((await first.delete(`/api/appointments/${id}`)).status).toBe(200);
  await expect(async () => {
    await page.goto("/messages");
    await expect(page.getByRole("link", { name: /A time has opened up for you/ })).toBeVisible({ timeout: 1000 });
  }).toPass();
  await page.goto("/appointments/waiting-list");
  await expectAccessible(page);
  await page.getByRole("button", { name: /^Book this time/ }).click();
  await expect(page).toHaveURL(/\/appointments\/new/);
});

test("a family unsubscribes from optional emails with the link in an email, without a session", async ({
  page,
  site,
}) => {
  const family = await site.family();
  const admin = await site.consultant();
  const share = () =>
    uploadFile(admin, { bytes: SAMPLES.txt!, fields: { userId: String(family.id), isSharedWithClient: "true" } });
  expect((await share()).status).toBe(201);
  const folder = path.join(site.environment.DATA_DIR, "outbox");
  const mails = async () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".eml"));
    const parsed = await Promise.all(files.map((name) => simpleParser(readFileSync(path.join(folder, name)))));
    return parsed.filter(({ text, to }) => [to].flat()[0]?.text === family.email && text?.includes("/unsubscribe/"));
  };
  await expect(async () => expect(await mails()).toHaveLength(1)).toPass();
  const [mail] = await mails();
  const [link = ""] = /http\S+\/unsubscribe\/\S+/.exec(mail?.text ?? "") ?? [];
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Turn off these emails?");
  await page.getByRole("button", { name: "Turn them off" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("These emails are turned off");
  expect((await family.get("/messages")).document.querySelector("[value=documents]")?.hasAttribute("checked")).toBe(
    false,
  );
});

test("each request to change the email address emails a link to the new address and clears the field", async ({
  page,
  site,
  login,
}) => {
  const family = await site.family();
  await login(family);
  for (const [address, path] of [
    ["first", "/change-email"],
    ["second", "/change-email?sent"],
  ] as const) {
    await page.goto(`/confirm-identity?redirectTo=${path}`);
    await page.getByLabel("Your password").fill(family.password);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL(`**${path}`);
    const field = page.getByLabel("New email address");
    await field.fill("not an address");
    await page.getByRole("button", { name: "Email me a link" }).click();
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await field.fill(`${address}.${family.email}`);
    await page.getByRole("button", { name: "Email me a link" }).click();
    await expect(page.getByText(`emailed to ${address}.${family.email}`)).toBeVisible();
    await expect(field).toHaveValue("");
  }
});
