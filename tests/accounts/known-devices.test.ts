// Proves that a browser on which an account has signed in is known only until the password or the address is replaced.
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

/** Strangers use up the wrong passwords that new devices have together. */
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
  "a password changed by %s makes every browser new but the one that changed it: its next sign-in is mailed",
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

test("after a changed password a browser of before has no tries of its own; the one that changed it has", async () => {
  const own = await confirmedFamily();
  const other = await signedOutBrowser(own);
  // Before the change: the password of a test's family is compared in a millisecond.
  await useUpTries(own.email);
  expect((await own.post("/api/auth/change-password", { currentPassword: own.password, ...CHANGE })).status).toBe(200);
  own.cookies.delete("session");
  expect([(await signIn(other, own.email)).status, (await signIn(own, own.email)).status]).toEqual([429, 200]);
});

test("an account that is taken back by the consultant's link knows only the browser that used it", async () => {
  const own = await confirmedFamily();
  const thief = await signedOutBrowser(own);
  const { text } = await (await consultant()).form("/dashboard/reset-link", { email: own.email });
  const link = /\/reset-password\/[\w-]{43}/.exec(text)?.[0] ?? "";
  const owner = visitor();
  expect((await owner.form(link, CHANGE)).headers.location).toBe("/dashboard");
  const mails = await newDeviceMails(own);
  owner.cookies.delete("session");
  expect((await signIn(owner, own.email)).status).toBe(200);
  expect(await newDeviceMails(own)).toBe(mails);
  expect((await signIn(thief, own.email)).status).toBe(200);
  expect(await newDeviceMails(own)).toBe(mails + 1);
});

test("another address of the account makes every browser new but the one that confirmed it", async () => {
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

test("changed passwords of one family leave the others of a shared browser known to it", async () => {
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

test("a device that is not the family's own stays unknown when the password is changed on it", async () => {
  const own = await confirmedFamily();
  const library = visitor();
  const fields = { email: own.email, password: own.password, sharedDevice: true };
  expect((await library.post("/api/auth/login", fields)).status).toBe(200);
  const change = { currentPassword: own.password, ...CHANGE };
  expect((await library.post("/api/auth/change-password", change)).status).toBe(200);
  expect(library.cookies.has("known-device")).toBe(false);
});
