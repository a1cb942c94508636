// Proves that exports, manual refunds, password links, and closing an account require the password or code again, and
// that this can't be bypassed.
import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { codeOf, turnOnSecondFactor, wrongCodeOf } from "../support/authenticator-app.ts";
import { bookOrFail } from "../support/bookings.ts";
import type { TestClient, TestResponse } from "../support/http-client.ts";
import { type Family, signInAs } from "../support/people.ts";
import { findRouteId } from "../support/route-table.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";

environmentOverrides.RATE_LIMITS = "on";
const { adminEmail, adminPassword, consultant, db, family, origin, setTestClock } = await import("../support/site.ts");

const MINUTE = 60_000;
const CONFIRM = "/confirm-identity";
const OWN_COPY = "/everything-about-us.zip";
const RESET = "/dashboard/reset-link";

let admin: TestClient;
let maria: Family;
let visitId: number;
let paymentId: number;

beforeAll(async () => {
  [admin, maria] = await Promise.all([consultant(), family({ intake: true })]);
  visitId = (await bookOrFail(maria)).id;
  await admin.form(`/dashboard/appointments/${visitId}/payment`, { intent: "taken", method: "cash" });
  paymentId = (await db.payment.findFirstOrThrow({ where: { appointmentId: visitId } })).id;
});

afterEach(() => setTestClock(null));

/** From now on the clock is this late; sessions of before have not given their password since. */
const later = (minutes: number) => setTestClock(() => new Date(Date.now() + minutes * MINUTE));
const confirmPath = (path: string, download?: string) =>
  `${CONFIRM}?redirectTo=${encodeURIComponent(path)}${download ? `&download=${encodeURIComponent(download)}` : ""}`;
/** The address and the words of the button in the message of a page. */
const downloadOf = ({ document }: TestResponse) => {
  const link = document.querySelector("[data-toasts] a");
  return link && [link.getAttribute("href"), link.textContent];
};
const refund = (amount = "5") => ({
  intent: "refund",
  paymentId: String(paymentId),
  amount,
  reason: "Late",
  key: randomUUID(),
});
const paymentPath = () => `/dashboard/appointments/${visitId}/payment`;

test("a URL that is too long for a header is left out of the redirect to the confirmation page", async () => {
  later(11);
  const { headers } = await maria.get(`${OWN_COPY}?${"'%27".repeat(1_900)}`);
  expect(headers.location).toBe(CONFIRM);
});

describe("ten minutes after the sign-in", () => {
  test("each sensitive action redirects to the confirmation page and changes nothing", async () => {
    later(10);
    const close = `/families/${maria.id}/close`;
    const erase = `/families/${maria.id}/delete`;
    const everything = `/families/${maria.id}/everything.zip`;
    for (const path of [RESET, close, erase, everything, "/money.csv"])
      expect([path, (await admin.get(path)).headers.location]).toEqual([path, confirmPath(path)]);
    expect((await maria.get(OWN_COPY)).headers.location).toBe(confirmPath(OWN_COPY));
    expect((await maria.request("HEAD", OWN_COPY)).headers.location).toBe(confirmPath(OWN_COPY));
    expect((await admin.form(RESET, { email: maria.email })).headers.location).toBe(confirmPath(RESET));
    expect((await admin.form(close, {})).headers.location).toBe(confirmPath(close));
    expect((await admin.form(erase, { isSure: "on" })).headers.location).toBe(confirmPath(erase));
    expect((await admin.form(paymentPath(), refund())).headers.location).toBe(confirmPath(paymentPath()));
    const details = "/practice-details";
    const address = { address: "1 Other Street", taxId: "", meetingPlace: "Elsewhere" };
    expect((await admin.form(details, address)).headers.location).toBe(confirmPath(details));
    expect(await db.refund.count({ where: { paymentId } })).toBe(0);
    expect(await db.passwordReset.count({ where: { userId: maria.id } })).toBe(0);
    expect(await db.user.count({ where: { id: maria.id, closedAt: null } })).toBe(1);
  });

  test("other pages open without a confirmation", async () => {
    later(10);
    for (const path of ["/dashboard", "/families", `/families/${maria.id}`, paymentPath()])
      expect([path, (await admin.get(path)).status]).toEqual([path, 200]);
    for (const path of ["/dashboard/settings/data", "/documents"])
      expect([path, (await maria.get(path)).status]).toEqual([path, 200]);
    expect((await maria.delete("/api/me")).status).toBe(422);
  });

  test("a family gets 403, not the confirmation page, for the consultant's actions", async () => {
    later(10);
    expect((await maria.get(RESET)).status).toBe(403);
    expect((await maria.get(`/families/${maria.id}/everything.zip`)).status).toBe(403);
    expect((await maria.form(`/families/${maria.id}/close`, {})).status).toBe(403);
  });

  test("an API client gets 403 with a message to sign in again, and a new sign-in is enough", async () => {
    expect((await maria.get("/api/me/export")).status).toBe(200);
    later(10);
    const refused = await maria.get("/api/me/export");
    expect([refused.status, refused.json.message]).toEqual([403, expect.stringContaining("sign in again")]);
    const again = await signInAs(origin, maria.email, maria.password);
    expect((await again.get("/api/me/export")).status).toBe(200);
  });
});

describe("the confirmation page", () => {
  test("accepts the password and redirects back; the confirmation is valid for ten minutes", async () => {
    const own = await family();
    later(11);
    const asked = await own.get(OWN_COPY, { Referer: `${origin}/dashboard/settings/data` });
    expect(asked.headers.location).toBe(confirmPath("/dashboard/settings/data", OWN_COPY));
    const page = await own.follow(asked);
    expect(page.document.querySelector('input[name="password"]')).not.toBeNull();
    const wrong = await own.form(asked.headers.location ?? "", { password: "not the password" });
    expect([wrong.status, wrong.text.includes("not the password")]).toEqual([422, false]);
    expect(wrong.document.title).toMatch(/^Error: /);
    const link = wrong.document.querySelector("[data-error-summary] a")?.getAttribute("href")?.slice(1) ?? "";
    expect(wrong.document.getElementById(link)?.getAttribute("name")).toBe("password");
    expect((await own.form(asked.headers.location ?? "", {})).visibleText).toContain("Enter your password.");
    expect((await own.get(OWN_COPY)).status).toBe(302);
    const done = await own.form(asked.headers.location ?? "", { password: own.password });
    expect([done.status, done.headers.location]).toEqual([302, "/dashboard/settings/data"]);
    expect(downloadOf(await own.follow(done))).toEqual([OWN_COPY, "Download everything (ZIP)"]);
    expect((await own.get(OWN_COPY)).status).toBe(200);
    expect((await own.get(asked.headers.location ?? "")).headers.location).toBe("/dashboard/settings/data");
    later(20.9);
    expect((await own.get("/api/me/export")).status).toBe(200);
    later(21.1);
    expect([(await own.get(OWN_COPY)).status, (await own.get("/api/me/export")).status]).toEqual([302, 403]);
  });

  test("redirects to the page of origin, with a button to download the requested file", async () => {
    later(11);
    for (const [page, file, text] of [
      ["/money?period=2026-11", "/money.csv?period=2026-11", "Download November 2026 (CSV)"],
      ["/money?period=2026", "/money.csv?period=2026", "Download 2026 (CSV)"],
      [`/families/${maria.id}`, `/families/${maria.id}/everything.zip`, "Download everything (ZIP)"],
    ] as const) {
      const ada = await consultantSignedInEarlier();
      const asked = await ada.get(file, { Referer: `${origin}${page}` });
      expect(asked.headers.location).toBe(confirmPath(page, file));
      const done = await ada.form(asked.headers.location ?? "", { password: adminPassword });
      expect(done.headers.location).toBe(page);
      expect(downloadOf(await ada.follow(done))).toEqual([file, text]);
      expect((await ada.get(file)).headers["content-disposition"]).toContain("attachment");
    }
  });

  test("offers no download for any other URL in its download parameter", async () => {
    later(11);
    const ada = await consultantSignedInEarlier();
    for (const file of [
      "https://evil.example/money.csv?period=2026-11",
      "//evil.example/everything-about-us.zip",
      "/money.csv?period=2026-13",
      "/money.csv?period=2026-11&x=/logout",
      "javascript:alert(1)",
      "/logout",
      "/families/0/everything.zip",
    ]) {
      const done = await ada.form(confirmPath("/money", file), { password: adminPassword });
      const page = await ada.follow(done);
      expect([file, downloadOf(page), page.visibleText.includes("Please go on.")]).toEqual([file, null, true]);
    }
  });

  test("redirects to the submitted form with its typed fields filled in", async () => {
    later(11);
    const ada = await consultantSignedInEarlier();
    const referer = { Referer: `${origin}${paymentPath()}` };
    const asked = await ada.form(paymentPath(), refund("12.50"), referer);
    expect(asked.headers.location).toBe(confirmPath(paymentPath()));
    const back = await ada.form(asked.headers.location ?? "", { password: adminPassword });
    const page = await ada.follow(back);
    expect(page.document.querySelector('input[name="amount"]')?.getAttribute("value")).toBe("12.50");
    expect(page.document.querySelector('input[name="reason"]')?.getAttribute("value")).toBe("Late");
    expect((await ada.form(paymentPath(), refund("12.50"), referer)).status).toBe(302);
    expect(await db.refund.findMany({ where: { paymentId }, select: { amountCents: true } })).toEqual([
      { amountCents: 1250 },
    ]);
    const after = await ada.get(paymentPath());
    expect(after.document.querySelector('input[name="amount"]')?.getAttribute("value") ?? "").toBe("");
  });

  test("redirects to the profile form with a notice to submit it again, not that the user was signed out", async () => {
    const own = await family();
    later(11);
    const path = "/dashboard/profile";
    const typed = { firstName: "Ana", lastName: "Ruiz", phone: "732-555-0111" };
    const asked = await own.form(path, typed, { Referer: `${origin}${path}` });
    const confirmationPage = await own.follow(asked);
    expect(confirmationPage.visibleText).not.toContain("not for 10 minutes");
    expect(confirmationPage.document.querySelector("a[href='/forgot-password']")).not.toBeNull();
    const page = await own.follow(await own.form(asked.headers.location ?? "", { password: own.password }));
    expect(page.document.querySelector("input[name=phone]")?.getAttribute("value")).toBe("732-555-0111");
    const notice = page.document.querySelector("main [role=status].notice, dialog [role=status].notice");
    expect(notice?.textContent).toContain("Press the button once more.");
    // Nothing that looks like a success stands beside it.
    expect(page.document.querySelector(".toast")).toBeNull();
    expect(page.visibleText).not.toContain("You were signed out");
    expect(page.visibleText).not.toContain("don't ask again");
    expect((await own.form(path, typed)).headers.location).toBe("/dashboard/settings");
    expect((await own.get("/api/auth/me")).json.phone).toBe("732-555-0111");
  });

  test("adds audit log entries for confirmations and wrong passwords", async () => {
    const own = await family();
    later(11);
    await own.form(CONFIRM, { password: "not the password" });
    await own.form(CONFIRM, { password: own.password });
    const entries = await db.auditEntry.findMany({
      where: { objectId: own.id },
      orderBy: { sequence: "desc" },
      take: 2,
    });
    expect(entries.map(({ action, familyId }) => [action, familyId])).toEqual([
      ["identity-confirmed", own.id],
      ["sign-in-failed", own.id],
    ]);
  });
});

describe("the confirmation can't be bypassed by", () => {
  test("1: the password alone, when the second factor is on", async () => {
    const own = await family();
    const { secret, recoveryCodes } = await turnOnSecondFactor(own, own.password);
    later(11);
    const page = await own.get(CONFIRM);
    expect([page.text.includes('name="code"'), page.text.includes('name="password"')]).toEqual([true, false]);
    expect((await own.form(CONFIRM, { password: own.password })).status).toBe(422);
    expect((await own.form(CONFIRM, { password: own.password, code: wrongCodeOf(secret) })).status).toBe(422);
    expect((await own.get(OWN_COPY)).status).toBe(302);
    expect((await own.form(CONFIRM, { code: recoveryCodes[0] ?? "" })).status).toBe(302);
    expect((await own.get(OWN_COPY)).status).toBe(200);
  });

  test("2: an app code or recovery code that was already used", async () => {
    const own = await family();
    const { secret, recoveryCodes } = await turnOnSecondFactor(own, own.password);
    later(11);
    const code = codeOf(secret, 22);
    expect((await own.form(CONFIRM, { code })).status).toBe(302);
    later(22);
    expect((await own.form(CONFIRM, { code })).status).toBe(422);
    const [recoveryCode = ""] = recoveryCodes;
    expect((await own.form(CONFIRM, { code: recoveryCode })).status).toBe(302);
    later(33);
    expect((await own.form(CONFIRM, { code: recoveryCode })).status).toBe(422);
    expect((await own.get(OWN_COPY)).status).toBe(302);
  });

  test("3: another session of the same user that has just confirmed", async () => {
    const own = await family();
    const stolen = own.clone();
    await own.post("/api/auth/login", { email: own.email, password: own.password });
    expect((await stolen.get("/api/auth/me")).status).toBe(401);
    const phone = await signInAs(origin, own.email, own.password);
    later(11);
    expect((await phone.form(CONFIRM, { password: own.password })).status).toBe(302);
    expect([(await phone.get(OWN_COPY)).status, (await own.get(OWN_COPY)).status]).toEqual([200, 302]);
  });

  test("4: another URL of the same action: data requests, single routes, path variants, the API", async () => {
    later(11);
    const ada = await consultantSignedInEarlier();
    for (const path of [
      `${RESET}.data`,
      `${RESET}.data?_routes=${findRouteId(RESET)}`,
      `/families/${maria.id}/close.data`,
      `/families/${maria.id}/close.data?_routes=${findRouteId("/families/:id/close")}`,
    ]) {
      const post = await ada.form(path, { email: maria.email });
      expect([path, post.text.includes("confirm-identity"), post.text.includes("reset-password")]).toEqual([
        path,
        true,
        false,
      ]);
    }
    for (const path of [
      `/families/${maria.id}/everything.zip/`,
      `/families/${maria.id}/EVERYTHING.zip`,
      "//everything-about-us.zip",
    ]) {
      const copy = await ada.get(path);
      expect([path, copy.headers["content-type"] === "application/zip"]).toEqual([path, false]);
    }
    expect((await maria.get("/api/me/export/")).headers["content-type"]).not.toBe("application/zip");
    expect((await maria.get("/api/me/export?format=zip")).status).toBe(403);
    expect(await db.passwordReset.count({ where: { userId: maria.id } })).toBe(0);
    expect(await db.user.count({ where: { id: maria.id, closedAt: null } })).toBe(1);
  });

  test("5: guessing: after ten wrong passwords, even the correct one gets 429", async () => {
    const own = await family();
    later(11);
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries += 1)
      statuses.push((await own.form(CONFIRM, { password: `guess ${tries}` })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
    expect((await own.form(CONFIRM, { password: own.password })).status).toBe(429);
    expect((await own.get(OWN_COPY)).status).toBe(302);
  });

  test("5a: repeated confirmations: the 21st correct one of a session gets 429 and no audit log entry", async () => {
    const own = await family();
    const other = await signInAs(origin, own.email, own.password);
    const confirm = (client: TestClient, path: string) => client.form(confirmPath(path), { password: own.password });
    for (let times = 1; times <= 20; times += 1)
      expect([times, (await confirm(own, `/${times}`)).status]).toEqual([times, 302]);
    const refused = await confirm(own, OWN_COPY);
    expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
    expect(refused.visibleText).toMatch(/Not Confirmed.*Too many tries\. Please wait \d+ minutes and try again\./);
    const recorded = { objectId: own.id, action: "identity-confirmed" };
    expect(await db.auditEntry.count({ where: recorded })).toBe(20);
    expect((await confirm(other, OWN_COPY)).status).toBe(302);
    const change = { currentPassword: own.password, newPassword: "a longer walk home" };
    const changed = await own.post("/api/auth/change-password", { ...change, confirmPassword: change.newPassword });
    expect(changed.status).toBe(200);
  });

  test("6: continued use, a cross-origin request, or a redirectTo to another site", async () => {
    const own = await family();
    for (const minutes of [4, 8, 12]) {
      later(minutes);
      expect((await own.get("/documents")).status).toBe(200);
    }
    expect((await own.get(OWN_COPY)).status).toBe(302);
    const foreign = { Origin: "https://evil.example" };
    expect((await own.form(CONFIRM, { password: own.password }, foreign)).status).toBe(403);
    expect((await own.get(OWN_COPY)).status).toBe(302);
    const away = await own.form(`${CONFIRM}?redirectTo=https://evil.example`, { password: own.password });
    expect(away.headers.location).toBe("/");
  });
});

/** The consultant, whose password is more than ten minutes ago by the clock of `later`. */
async function consultantSignedInEarlier(): Promise<TestClient> {
  setTestClock(null);
  const client = await signInAs(origin, adminEmail, adminPassword);
  later(11);
  return client;
}
