import type { BrowserContext, Page } from "playwright";
import { hashSecretToken } from "../../app/secret-token.server.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { textFile, uploadFile } from "../support/uploads.ts";
import type { State } from "./capture.ts";
import { submitInvalid } from "./submit-invalid.ts";
import { practiceTime, type ScreenshotSite } from "./screenshot-site.ts";

const PAGES = {
  home: "/",
  "sign in": "/login",
  "sign in, passkey": "/login/passkey",
  "create account": "/register",
  "create account, sent by Request to Book": "/register?from=booking",
  "request a consultation": "/request-consultation",
  "legal request": "/legal-request",
  "legal request, sent": "/legal-request?sent=2026-12-20",
  "privacy policy": "/privacy-policy",
  "terms of service": "/terms-of-service",
  "HIPAA compliance": "/hipaa-compliance",
  accessibility: "/accessibility",
  comfort: "/comfort",
  "not found": "/nothing-here",
  "account deleted": "/account-deleted",
  "forgotten password": "/forgot-password",
  "confirmation link that is used up": "/confirm-email/a-link-nobody-was-given",
  "link that undoes a change, used up": "/undo-email-change/a-link-nobody-was-given",
  "unsubscribe link that nobody was given": "/unsubscribe/a-link-nobody-was-given",
  "reset link that is used up": "/reset-password/a-link-nobody-was-given",
  "invitation that is used up": "/invitation/a-link-nobody-was-given",
  "visit link that is used up": "/claim-visit/a-link-nobody-was-given",
};

export async function visitorStates(site: ScreenshotSite): Promise<State[]> {
  const role = "Signed out";
  const family = await site.family({ email: "renata@example.com", firstName: "Renata", lastName: "Kowalski" });
  const consultant = await site.consultant();
  const made = await consultant.form("/dashboard/reset-link", { email: family.email });
  const [, token = ""] = /reset-password\/([\w-]+)/.exec(made.text) ?? [];
  return [
    ...Object.entries(PAGES).map(([name, path]) => ({ role, name, path }) as const),
    {
      role,
      name: "home, side panel open",
      path: "/",
      widths: [375, 768],
      window: true,
      act: async (page) => page.getByRole("button", { name: "Menu" }).click(),
    },
    { role, name: "home, all comforts chosen", path: "/", act: chooseComfort(site) },
    { role, name: "create account, offline", path: "/register", window: true, act: loseConnection },
    { role, name: "home, at the services", path: "/#services", window: true },
    { role, name: "sign in, refused", path: "/login", act: signInWrongly },
    {
      role,
      name: "sign in, code",
      path: "/login",
      shows: "/login/code",
      act: await signInWithCode(site),
      actsWithoutScript: true,
    },
    { role, name: "create account, mistakes", path: "/register", act: submitInvalid("Create Account") },
    { role, name: "legal request, mistakes", path: "/legal-request?kind=accessibility", act: submitInvalid("Send") },
    {
      role,
      name: "request a consultation, mistakes",
      path: "/request-consultation",
      act: submitInvalid("Send my request"),
    },
    { role, name: "request a consultation, sent", path: "/request-consultation?sent" },
    {
      role,
      name: "keep the account",
      path: "/login",
      shows: "/keep-account",
      act: await signInToLeave(site),
      actsWithoutScript: true,
    },
    { role, name: "new password", path: `/reset-password/${token}` },
    ...(await confirmationLinks(site, family)).map((path, index) => ({
      ...({ role, path } as const),
      name: index === 0 ? "confirmation link" : "confirmation link of another address",
    })),
    ...(await unsubscribeLinks(site, { consultant, family })).map((path, index) => ({
      ...({ role, path } as const),
      name: index === 0 ? "unsubscribe link" : "unsubscribe link, turned off already",
    })),
    { role, name: "link that undoes a change", path: await undoLink(site, family.id) },
    { role, name: "visit link", path: await visitLink(site, consultant) },
    { role, name: "invitation", path: await invitationLink(site) },
    { role, name: "invitation, mistakes", path: await invitationLink(site), act: submitInvalid("Create Account") },
    { role, name: "invitation, has an account", path: await invitationLink(site, family.email) },
  ];
}

/** Signs in to an account that is to be deleted. */
async function signInToLeave(site: ScreenshotSite) {
  const { email, password } = await site.family({ email: "amara@example.com", firstName: "Amara", lastName: "Okafor" });
  const eraseAfter = practiceTime(14, 10);
  await site.db.user.update({ where: { email }, data: { eraseAfter } });
  return async (page: Page) => {
    await page.goto(`${site.origin}/login`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign In" }).click();
    await page.getByRole("button", { name: "Keep my account" }).waitFor();
  };
}

/** The links to confirm the address of an account, and another one that it asked for. */
async function confirmationLinks({ db }: ScreenshotSite, { id: userId, email }: Family): Promise<string[]> {
  const tokens = ["renata-has-this-address", "renata-wants-that-address"] as const;
  const row = (token: string) => ({ userId, tokenHash: hashSecretToken(token), expiresAt: practiceTime(6, 10) });
  await db.emailConfirmation.create({ data: { ...row(tokens[0]), email } });
  await db.emailConfirmation.create({
    data: { ...row(tokens[1]), email: "renata.k@example.com", isChange: true },
  });
  return tokens.map((token) => `/confirm-email/${token}`);
}

/** The links of a mail that turn off its kind of mail, and one that is turned off. */
async function unsubscribeLinks(
  site: ScreenshotSite,
  { consultant, family }: { consultant: TestClient; family: Family },
): Promise<string[]> {
  await uploadFile(consultant, { bytes: textFile(10), fields: { userId: String(family.id) } });
  const ofDocuments = new RegExp(`/unsubscribe/${family.id}\\.documents\\.[\\w-]+`);
  const [link = ""] = ofDocuments.exec((await site.writtenMails()).join("\n")) ?? [];
  const [turnedOff = ""] = /\/unsubscribe\/\d+\.receipts\.[\w-]+/.exec((await site.visitor().get(link)).text) ?? [];
  await site.db.mailOptOut.create({ data: { userId: family.id, topic: "receipts" } });
  return [link, turnedOff];
}

async function undoLink({ db }: ScreenshotSite, userId: number): Promise<string> {
  const token = "renata-has-another-address-now";
  const data = { userId, oldEmail: "renata.kowalski@example.com", undoUntil: practiceTime(6, 10) };
  await db.emailChange.create({ data: { ...data, undoTokenHash: hashSecretToken(token) } });
  return `/undo-email-change/${token}`;
}

let invitations = 0;

async function invitationLink(site: ScreenshotSite, email?: string): Promise<string> {
  const token = `for-thandiwe-${(invitations += 1)}`;
  const invited = { firstName: "Thandiwe", lastName: "Mokoena-Vandenbroeck", isMailed: true };
  await site.db.invitation.create({
    data: {
      ...invited,
      email: email ?? `thandiwe.${invitations}@example.org`,
      tokenHash: hashSecretToken(token),
      createdAt: practiceTime(-2, 10),
      expiresAt: practiceTime(12, 10),
    },
  });
  return `/invitation/${token}`;
}

async function visitLink(site: ScreenshotSite, consultant: TestClient): Promise<string> {
  const visit = {
    title: "Initial Consultation - Jane Doe",
    type: "consultation",
    appointmentDate: practiceTime(-10, 13),
  };
  const { id } = await site.db.appointment.create({ data: visit });
  const made = await consultant.form(`/dashboard/appointments/${id}/claim-link`, {});
  const [path = ""] = /\/claim-visit\/[\w-]+/.exec(made.text) ?? [];
  return path;
}

const chooseComfort = (site: ScreenshotSite) => async (page: Page) => {
  await page.goto(`${site.origin}/comfort`);
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: "Save my choice" }).click();
  await page.getByText("Saved.").waitFor();
  await page.goto(site.origin);
};

async function loseConnection(page: Page, context: BrowserContext) {
  await context.setOffline(true);
  await page.getByLabel("First Name").fill("Maria");
  await page.getByRole("button", { name: "Create Account" }).click();
}

/** The sign-in of a family with a second step, up to the code. */
async function signInWithCode(site: ScreenshotSite) {
  const { id, email, password } = await site.family({
    email: "ines@example.com",
    firstName: "Inês",
    lastName: "Rocha",
  });
  await site.db.secondFactor.create({ data: { userId: id, secret: "c2VjcmV0", confirmedAt: practiceTime(-10, 13) } });
  return async (page: Page) => {
    await page.goto(`${site.origin}/login`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign In" }).click();
    await page.getByRole("heading", { name: "Enter your code" }).waitFor();
  };
}

async function signInWrongly(page: Page) {
  await page.getByLabel("Email").fill("maria@example.com");
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.getByRole("alert").first().waitFor();
}
