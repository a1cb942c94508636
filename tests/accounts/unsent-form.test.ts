// Proves that a form sent after its session expired is offered again to the same person only.
import { afterEach, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { adminEmail, adminPassword, consultant, db, family, origin, setTestClock } from "../support/site.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const IDLE_MS = 24 * HOUR + MINUTE;
const PAGE = "/appointments/new";
const PAY_PAGE = "/appointments/pay";
const TYPED_TEXT = "Leo cries on Sunday evenings.";
const NOTE = "You were signed out before this was sent.";
const BOOKING = {
  title: "Hourly Consulting",
  description: TYPED_TEXT,
  date: "2027-06-05",
  duration: "60",
  type: "consultation",
  paymentMethod: "in-person",
};

const later = (ms: number) => setTestClock(() => new Date(Date.now() + ms));
const from = (page: string) => ({ Referer: `${origin}${page}` });
const typedIn = async (browser: TestClient, page = PAGE) =>
  (await browser.get(page)).document.querySelector("textarea[name=description]")?.textContent ?? "";

const countSavedForms = () => db.session.count({ where: { sess: { contains: `"savedAt":` } } });

afterEach(async () => {
  setTestClock(null);
  await db.session.deleteMany();
});

async function signIn(browser: TestClient, { email, password }: { email: string; password: string }, page = PAGE) {
  const response = await browser.form(`/login?redirectTo=${encodeURIComponent(page)}`, { email, password });
  expect([response.status, response.headers.location]).toEqual([302, page]);
}

/** A family that comes back after a day and sends what it typed yesterday. */
async function sentTooLate(intake = true) {
  const browser = await family({ intake });
  later(IDLE_MS);
  const response = await browser.form(PAGE, BOOKING, from(PAGE));
  expect([response.status, response.headers.location]).toEqual([302, `/login?redirectTo=${encodeURIComponent(PAGE)}`]);
  return browser;
}

test("a form sent after the session has expired is filled in again after sign-in, with the chosen day", async () => {
  const browser = await sentTooLate();
  expect((await browser.get(`/login?redirectTo=${PAGE}`)).visibleText).toContain(
    "What you typed is kept for one hour.",
  );
  await signIn(browser, browser);
  const response = await browser.get(PAGE);
  expect(response.visibleText).toContain(NOTE);
  const value = (name: string) => response.document.querySelector(`[name=${name}]`)?.getAttribute("value");
  expect([value("title][checked"), value("date")]).toEqual(["Hourly Consulting", "2027-06-05"]);
  expect(await typedIn(browser)).toBe(TYPED_TEXT);
  expect(response.visibleText).toContain("Saturday, June 5, 2027");
});

test("the cookie of an unsent form is HttpOnly, SameSite=Lax, and valid for an hour", async () => {
  const browser = await family({ intake: true });
  later(IDLE_MS);
  const { headers } = await browser.form(PAGE, BOOKING, from(PAGE));
  const cookie = headers["set-cookie"]?.find((each) => each.startsWith("unsent-form=")) ?? "";
  for (const attribute of ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=3600"]) expect(cookie).toContain(attribute);
});

test("another user who signs in in the same browser can't see an unsent form", async () => {
  const browser = await sentTooLate();
  const stranger = await family({ intake: true });
  await signIn(browser, stranger);
  const response = await browser.get(PAGE);
  expect(response.status).toBe(200);
  expect(response.text).not.toContain(TYPED_TEXT);
  expect(response.text).not.toContain(NOTE);
  browser.cookies.delete("session");
  await signIn(browser, { email: adminEmail, password: adminPassword });
  expect((await browser.get("/dashboard")).text).not.toContain(TYPED_TEXT);
});

test("the same user in another browser can't see an unsent form", async () => {
  const browser = await sentTooLate();
  const key = browser.cookies.get("unsent-form");
  browser.cookies.delete("unsent-form");
  await signIn(browser, browser);
  expect(await typedIn(browser)).toBe("");
  browser.cookies.set("unsent-form", `${key?.slice(0, 20)}${"A".repeat(24)}`);
  expect(await typedIn(browser)).toBe("");
  browser.cookies.set("unsent-form", key ?? "");
  expect(await typedIn(browser)).toBe(TYPED_TEXT);
});

test("an unsent form is offered for an hour and no longer", async () => {
  const browser = await sentTooLate();
  await signIn(browser, browser);
  later(IDLE_MS + 59 * MINUTE);
  expect(await typedIn(browser)).toBe(TYPED_TEXT);
  later(IDLE_MS + 61 * MINUTE);
  expect(await typedIn(browser)).toBe("");
});

test("an unsent form is encrypted in the database, and deleted once it has been sent", async () => {
  const browser = await sentTooLate();
  expect(await countSavedForms()).toBe(1);
  expect(JSON.stringify(await db.session.findMany())).not.toMatch(/Sunday|Hourly|appointments/);
  await signIn(browser, browser);
  expect((await browser.form("/stay-signed-in", {}, from(PAGE.replace("new", "")))).status).toBe(200);
  expect(await countSavedForms()).toBe(1);
  const sent = await browser.form(PAGE, { ...BOOKING, appointmentDate: "2027-06-05T10:00" }, from(PAGE));
  expect([sent.status, sent.headers.location]).toEqual([302, "/appointments/1/booked"]);
  expect(await countSavedForms()).toBe(0);
  expect((await browser.get("/api/appointments")).json).toHaveLength(1);
});

test("passwords and payment tokens are not saved with an unsent form", async () => {
  const browser = await family();
  later(IDLE_MS);
  const secrets = { currentPassword: "a-secret", newPassword: "another", confirmPassword: "another" };
  await browser.form("/dashboard/settings", secrets, from("/dashboard/settings"));
  const payment = { sourceId: "cnon:token", key: "k", intent: "card", cents: "7500", version: "v1" };
  const paid = await browser.form(PAY_PAGE, payment, from(PAY_PAGE));
  expect(await countSavedForms()).toBe(0);
  expect((await browser.get(paid.headers.location ?? "")).visibleText).toContain(
    "You were signed out after 24 hours without use. Your payment was not sent, and your card was not charged.",
  );
});

test("a user signed out on another device sees that the typed text was not kept, even with another form saved", async () => {
  const browser = await sentTooLate();
  const kept = browser.cookies.get("unsent-form") ?? "";
  await signIn(browser, browser);
  await db.session.deleteMany({ where: { expire: { gt: new Date(Date.now() + IDLE_MS) } } });
  browser.cookies.set("unsent-form", kept);
  const page = "/appointments/1/questions";
  const notice = async (path: string, fields: Record<string, string>) => {
    const response = await browser.form(path, fields, from(path));
    const login = await browser.get(response.headers.location ?? "");
    return login.document.querySelector("[role=note]")?.textContent;
  };
  expect(await notice(page, { answer: TYPED_TEXT })).toBe(
    "You were signed out on this device. What you typed on that page was not kept.",
  );
  expect(await notice(page, { intent: "remove" })).toBe(
    "You were signed out on this device. Your last step didn't go through. Sign in, and try it again.",
  );
  expect(await notice(PAY_PAGE, { sourceId: "cnon:token", intent: "card" })).toBe(
    "You were signed out on this device. Your payment was not sent, and your card was not charged.",
  );
  expect((await browser.get(`/login?redirectTo=${page}`)).visibleText).not.toContain("kept");
  browser.cookies.delete("session");
  expect((await browser.get(`/login?redirectTo=${page}`)).document.querySelector("[role=note]")).toBeNull();
});

test("the newest of two unsent forms is restored, even if its response never reached the browser", async () => {
  const browser = await sentTooLate();
  const late = "Since September he sleeps badly.";
  const { headers } = await browser.clone().form(PAGE, { ...BOOKING, description: late }, from(PAGE));
  expect(headers.location).toContain("/login");
  // The answer to it never reached the browser, as when a page is left while it is sent.
  await signIn(browser, browser);
  expect(await typedIn(browser)).toBe(late);
});

test("no form is saved for a browser that signed out, never signed in, or sends a forged session cookie", async () => {
  const browser = await family();
  const cookie = browser.cookies.get("session") ?? "";
  await browser.form("/logout", {});
  browser.cookies.set("session", cookie);
  for (const value of [cookie, "", "bm90LWEtc2lnbmVkLWNvb2tpZQ==", `${cookie}x`]) {
    browser.cookies.set("session", value);
    const response = await browser.form(PAGE, BOOKING, from(PAGE));
    expect(response.status).toBe(302);
  }
  expect(await countSavedForms()).toBe(0);
});

test("a Referer of another site is never used as the page to return to", async () => {
  const browser = await family();
  later(IDLE_MS);
  const foreign = await browser.form(PAGE, BOOKING, { Referer: "https://elsewhere.example/appointments/pay" });
  expect(foreign.headers.location).toBe(`/login?redirectTo=${encodeURIComponent(PAGE)}`);
});

test("the consultant's unsent form to reschedule an appointment is restored, too", async () => {
  const booked = await family({ intake: true });
  const fields = { title: "Hourly Consulting", appointmentDate: "2027-09-04T14:00:00Z" };
  const { id } = (await booked.post("/api/appointments/in-person", fields)).json;
  const browser = await consultant();
  later(16 * MINUTE);
  const page = `/dashboard/appointments/${id}/reschedule?q=mar`;
  await browser.form(page, { date: "2027-09-11", time: "11:30" }, from(page));
  await signIn(browser, { email: adminEmail, password: adminPassword }, page);
  const response = await browser.get(page);
  expect(response.visibleText).toContain(NOTE);
  expect(response.visibleText).toContain("Sat, Sep 11, 11:30 AM ET");
  expect(response.document.querySelector("input[name=date]")?.getAttribute("value")).toBe("2027-09-11");
});

test("the answers of an unsent intake form are restored, including lists", async () => {
  const browser = await family();
  later(IDLE_MS);
  const page = "/dashboard/intake-form?step=concerns";
  const chosen = ["School Advocacy / IEP / 504 Plans", "Behavioral Support"];
  await browser.form(page, { primaryConcerns: chosen, otherConcerns: TYPED_TEXT, intent: "continue" }, from(page));
  await signIn(browser, browser, page);
  const response = await browser.get(page);
  const checked = [...response.document.querySelectorAll("input[name=primaryConcerns][checked]")];
  expect(checked.map((box) => box.getAttribute("value"))).toContain(chosen[0]);
  expect(response.document.querySelector("textarea[name=otherConcerns]")?.textContent).toBe(TYPED_TEXT);
});
