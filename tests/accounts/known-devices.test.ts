// Proves that a browser stays a known device of an account only until the password or the email address changes.
import { afterAll, expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { type Family, signInAs } from "../support/people.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";

const smtp = await startSmtpServer();
Object.assign(environmentOverrides, { RATE_LIMITS: "on", SMTP_URL: smtp.url });
const { consultant, db, family, origin, testing, visitor } = await import("../support/site.ts");
await testing.stopJobs(); // mail is delivered where a test asks for it
afterAll(() => smtp.stop());

const CHOSEN = "a longer walk home";
const CHANGE = { newPassword: CHOSEN, confirmPassword: CHOSEN };
let networks = 0;

/** A family with a confirmed address: it is mailed each sign-in on a new device. */
async function confirmedFamily() {
  const own = await family({ address: `127.0.90.${(networks += 1)}` });
  await db.user.update({ where: { id: own.id }, data: { emailConfirmedAt: new Date() } });
  return own;
}

/** Another browser of the family: it has signed in before, and is not signed in now. */
async function signedOutBrowser({ email, password }: { email: string; password: string }) {
  const browser = await signInAs(origin, email, password);
  browser.cookies.delete("session");
  browser.ip = `127.0.91.${(networks += 1)}`;
  return browser;
}

/** Visitors use up the wrong passwords that new devices have together. */
async function useUpTries(email: string) {
  for (let guess = 1; guess <= 20; guess += 1) {
    const stranger = Object.assign(visitor(), { ip: `127.0.${92 + Math.ceil(guess / 10)}.${(networks += 1)}` });
    const response = await stranger.post("/api/auth/login", { email, password: "not this one" });
    expect([guess, response.status]).toEqual([guess, 401]);
  }
}

const signIn = (browser: TestClient, email: string, password = CHOSEN) =>
  browser.post("/api/auth/login", { email, password });
const newDeviceMails = ({ id }: Family) => db.message.count({ where: { userId: id, event: "new-device" } });

const WAYS: [string, (own: Family) => Promise<{ status: number; headers: { location?: string | undefined } }>][] = [
  ["page", (own) => own.form("/dashboard/settings", { currentPassword: own.password, ...CHANGE })],
  ["API", (own) => own.post("/api/auth/change-password", { currentPassword: own.password, ...CHANGE })],
];

test.each(WAYS)(
  "a password change by %s makes every other browser a new device: its next sign-in is reported by email",
  async (_, change) => {
    const own = await confirmedFamily();
    const first = await signedOutBrowser(own);
    expect([200, 302]).toContain((await change(own)).status);
    const mails = await newDeviceMails(own);
    expect((await signIn(first, own.email)).status).toBe(200);
    expect(await newDeviceMails(own)).toBe(mails + 1);
    expect((await signIn(first, own.email)).status).toBe(200);
    own.cookies.delete("session");
    expect((await signIn(own, own.email)).status).toBe(200);
    expect(await newDeviceMails(own)).toBe(mails + 1);
  },
);

test("after a password change an earlier known browser is rate limited as a new one; the changing one is not", async () => {
  const own = await confirmedFamily();
  const other = await signedOutBrowser(own);
  // Before the change: the password of a test's family is compared in a millisecond.
  await useUpTries(own.email);
  expect((await own.post("/api/auth/change-password", { currentPassword: own.password, ...CHANGE })).status).toBe(200);
  own.cookies.delete("session");
  expect([(await signIn(other, own.email)).status, (await signIn(own, own.email)).status]).toEqual([429, 200]);
});

test("after a password reset by the consultant's link only the browser that used the link is a known device", async () => {
  const own = await confirmedFamily();
  const previousBrowser = await signedOutBrowser(own);
  const { text } = await (await consultant()).form("/dashboard/reset-link", { email: own.email });
  const link = /\/reset-password\/[\w-]{43}/.exec(text)?.[0] ?? "";
  const owner = visitor();
  expect((await owner.form(link, CHANGE)).headers.location).toBe("/dashboard");
  const mails = await newDeviceMails(own);
  owner.cookies.delete("session");
  expect((await signIn(owner, own.email)).status).toBe(200);
  expect(await newDeviceMails(own)).toBe(mails);
  expect((await signIn(previousBrowser, own.email)).status).toBe(200);
  expect(await newDeviceMails(own)).toBe(mails + 1);
});

test("a change of the email address makes every browser a new device but the one that confirmed it", async () => {
  const own = await confirmedFamily();
  const [other, email] = [await signedOutBrowser(own), `moved.${own.email}`];
  await own.form("/confirm-identity?redirectTo=/change-email", { password: own.password });
  expect((await own.form("/change-email", { email })).headers.location).toBe("/change-email?sent");
  await testing.deliverDueMessages();
  const { text = "" } = smtp.mails.findLast(({ to }) => to === email) ?? {};
  const link = new URL(/http:\S+/.exec(text)?.[0] ?? "", origin).pathname;
  expect((await own.form(link, {})).status).toBe(302);
  const mails = await newDeviceMails(own);
  own.cookies.delete("session");
  expect((await signIn(own, email, own.password)).status).toBe(200);
  expect(await newDeviceMails(own)).toBe(mails);
  expect((await signIn(other, email, own.password)).status).toBe(200);
  expect(await newDeviceMails(own)).toBe(mails + 1);
});

test("password changes of one family don't make a shared browser a new device for another family", async () => {
  const [own, neighbor] = [await confirmedFamily(), await confirmedFamily()];
  const shared = await signInAs(origin, neighbor.email, neighbor.password);
  expect((await signIn(shared, own.email, own.password)).status).toBe(200);
  let password = own.password;
  for (const newPassword of ["one walk home", "two walks home", "three walks home"]) {
    const fields = { currentPassword: password, newPassword, confirmPassword: newPassword };
    expect((await shared.post("/api/auth/change-password", fields)).status).toBe(200);
    password = newPassword;
  }
  const mails = await newDeviceMails(neighbor);
  expect((await signIn(shared, neighbor.email, neighbor.password)).status).toBe(200);
  expect(await newDeviceMails(neighbor)).toBe(mails);
});

test("a shared device doesn't become a known device when the password is changed on it", async () => {
  const own = await confirmedFamily();
  const sharedDevice = visitor();
  const fields = { email: own.email, password: own.password, sharedDevice: true };
  expect((await sharedDevice.post("/api/auth/login", fields)).status).toBe(200);
  const change = { currentPassword: own.password, ...CHANGE };
  expect((await sharedDevice.post("/api/auth/change-password", change)).status).toBe(200);
  expect(sharedDevice.cookies.has("known-device")).toBe(false);
});

test("a browser remembers the last three accounts: a fourth makes only the first one new", async () => {
  const families: Family[] = [];
  for (let count = 0; count < 4; count += 1) families.push(await confirmedFamily());
  const browser = visitor();
  browser.ip = `127.0.91.${(networks += 1)}`;
  for (const { email, password } of families) expect((await signIn(browser, email, password)).status).toBe(200);
  for (const [own, added] of [
    [families[1]!, 0],
    [families[3]!, 0],
    [families[0]!, 1],
  ] as const) {
    const mails = await newDeviceMails(own);
    expect((await signIn(browser, own.email, own.password)).status).toBe(200);
    expect(await newDeviceMails(own)).toBe(mails + added);
  }
});
