// Proves the registration, sign-in, account settings and password reset pages.
import { afterEach, describe, expect, test } from "vitest";
import { hashSecretToken } from "../../app/secret-token.server.ts";
import { beforeNextTransaction } from "../support/database/interleave.ts";
import type { TestResponse } from "../support/http-client.ts";
import { signInAs } from "../support/people.ts";
import {
  adminEmail,
  adminPassword,
  consultant,
  db,
  family,
  origin,
  setTestClock,
  testing,
  visitor,
} from "../support/site.ts";

const MINUTE = 60_000;
const password = "three lighthouse keepers";
let registered = 0;

const newcomer = () => ({
  firstName: "Hana",
  lastName: "Sato",
  email: `hana.${(registered += 1)}@example.com`,
  phone: "",
  password,
  confirmPassword: password,
});

/** What a field says is wrong with it, as its input names it. */
function fieldErrorOf(response: TestResponse, name: string): string {
  const input = response.document.querySelector(`[name="${name}"]`);
  expect(input?.getAttribute("aria-invalid")).toBe("true");
  const ids = (input?.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
  return ids.map((id) => response.document.getElementById(id)?.textContent ?? "").join(" ");
}

afterEach(() => setTestClock(null));

describe("the Create Account page", () => {
  test("registers a family, redirects to the home page, and shows the success message once", async () => {
    const client = visitor();
    const response = await client.form("/register", newcomer());
    expect([response.status, response.headers.location]).toEqual([302, "/"]);
    const home = await client.follow(response);
    expect(home.visibleText).toContain("Account Created!");
    expect(home.visibleText).toContain("Hana");
    expect((await client.get("/")).visibleText).not.toContain("Account Created!");
  });

  test("refuses a phone number with fewer than 7 digits (422)", async () => {
    const response = await visitor().form("/register", { ...newcomer(), phone: "12" });
    expect(response.status).toBe(422);
    expect(fieldErrorOf(response, "phone")).toContain(
      "Enter a phone number with at least 7 digits, or leave this empty.",
    );
  });

  test("redirects to the redirectTo path after registration", async () => {
    const response = await visitor().form(
      "/register?redirectTo=%2Fappointments%3Fservice%3DHourly%2520Consulting",
      newcomer(),
    );
    expect(response.headers.location).toBe("/appointments?service=Hourly%20Consulting");
  });

  test("shows an error beside each invalid field, keeps the typed name, and never returns a password", async () => {
    const response = await visitor().form("/register", {
      ...newcomer(),
      firstName: "",
      email: "hana@",
      confirmPassword: "another one",
    });
    expect(response.status).toBe(422);
    expect(fieldErrorOf(response, "firstName")).toContain("Enter your first name.");
    expect(fieldErrorOf(response, "email")).toMatch(/email address/);
    expect(fieldErrorOf(response, "confirmPassword")).toContain("Passwords don't match");
    expect(response.document.querySelector('[name="lastName"]')?.getAttribute("value")).toBe("Sato");
    expect(response.document.title).toMatch(/^Error: Create Account/);
    expect(response.document.querySelector('[role="alert"]')?.textContent).toContain("Registration Failed");
    expect(response.text).not.toContain(password);
  });

  test("shows an error when the two passwords differ, and returns neither", async () => {
    const response = await visitor().form("/register", { ...newcomer(), confirmPassword: "another one" });
    expect(response.status).toBe(422);
    expect(fieldErrorOf(response, "confirmPassword")).toContain("Passwords don't match");
    expect(response.text).not.toContain(password);
    expect(response.text).not.toContain("another one");
    expect(response.document.querySelector(".toast")).toBeNull();
  });

  test("shows the error for differing passwords together with any other field error", async () => {
    for (const fault of [
      { email: "" },
      { password: "abc" },
      { password: "x".repeat(80) },
      { firstName: " \u2063" },
      { lastName: "y".repeat(2000) },
      { firstName: "", lastName: "", email: "x" },
    ]) {
      const response = await visitor().form("/register", { ...newcomer(), confirmPassword: "another one", ...fault });
      expect([fault, response.status]).toEqual([fault, 422]);
      expect(fieldErrorOf(response, "confirmPassword")).toContain("Passwords don't match");
      expect(fieldErrorOf(response, Object.keys(fault)[0] ?? "")).not.toBe("");
    }
  });

  test("links to the terms and the privacy policy, and stores the accepted version and time", async () => {
    const page = await visitor().get("/register");
    const links = [...page.document.querySelectorAll("form a")].map((link) => link.getAttribute("href"));
    expect(links).toEqual(["/terms-of-service", "/privacy-policy"]);
    expect((await visitor().get("/terms-of-service")).visibleText).toContain("Effective: January 1, 2025");
    const time = new Date("2026-11-20T15:00:00Z");
    setTestClock(() => time);
    const [onPage, overApi] = [newcomer(), newcomer()];
    await visitor().form("/register", onPage);
    await visitor().post("/api/auth/register", { ...overApi, termsVersion: "1999-01-01", termsAcceptedAt: null });
    for (const { email } of [onPage, overApi]) {
      const account = await db.user.findUniqueOrThrow({ where: { email }, include: { termsAcceptances: true } });
      expect(account.termsAcceptances).toMatchObject([{ version: "2026-11-26", acceptedAt: time }]);
      expect([account.termsVersion, account.termsAcceptedAt]).toEqual(["2026-11-26", time]);
    }
    const admin = await db.user.findUniqueOrThrow({ where: { email: adminEmail } });
    expect([admin.termsVersion, admin.termsAcceptedAt]).toEqual([null, null]);
  });

  test("refuses a form without the repeated password (422)", async () => {
    const { confirmPassword: _, ...fields } = newcomer();
    const response = await visitor().form("/register", fields);
    expect(response.status).toBe(422);
    expect(fieldErrorOf(response, "confirmPassword")).toContain("Passwords don't match");
  });

  test("refuses a registered email address with 409 without revealing whose it is", async () => {
    const known = await family({ firstName: "Yusuf" });
    const response = await visitor().form("/register", { ...newcomer(), email: known.email });
    expect(response.document.querySelector(".toast")?.textContent).toContain("Registration Failed");
    expect(response.visibleText).toContain("Type both passwords again: we never send them back.");
    expect(response.status).toBe(409);
    expect(response.visibleText).toContain("Registration Failed");
    expect(response.text).not.toContain("Yusuf");
    const main = response.document.querySelector("main");
    expect(main?.querySelector('[data-error-summary] ~ p > a[href="/login"]')?.textContent).toBe("Sign in");
  });

  test("shows the specified text to a visitor who comes from a service card", async () => {
    const page = await visitor().get("/register?from=booking");
    expect(page.visibleText).toContain(
      "Please create an account first to schedule appointments. You'll be redirected to the registration page.",
    );
  });
});

describe("the Sign In page", () => {
  test("leads to a home page that shows the specified welcome message once", async () => {
    const known = await family();
    const client = visitor();
    const home = await client.follow(await client.form("/login", { email: known.email, password: known.password }));
    expect(home.visibleText).toContain("Welcome back!");
    expect(home.visibleText).toContain("You have successfully logged in.");
    expect((await client.get("/")).visibleText).not.toContain("You have successfully logged in.");
  });

  test("returns the same 401 page for an unknown address and a wrong password, without the password", async () => {
    const known = await family();
    const wrong = await visitor().form("/login", { email: known.email, password: "not this one" });
    const unknown = await visitor().form("/login", { email: "nobody@example.com", password: "not this one" });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    for (const response of [wrong, unknown]) {
      expect(response.visibleText).toContain("Login Failed");
      const summary = response.document.querySelector("[data-error-summary]");
      expect(summary?.textContent).toContain("Invalid email or password.");
      expect(response.text).not.toContain("not this one");
    }
    expect(unknown.text.replaceAll("nobody@example.com", known.email)).toBe(wrong.text);
  });

  test.each([
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https:evil.example",
    "https://evil.example/dashboard",
    "javascript:alert(1)",
    "/%2f%2fevil.example/..//evil.example",
    "/\t/evil.example",
    "/\n//evil.example",
    "evil.example",
    "/.//evil.example",
    "/nowhere/..//evil.example",
    "",
  ])("never redirects to another site, with redirectTo=%j", async (target) => {
    const known = await family();
    const query = `?redirectTo=${encodeURIComponent(target)}`;
    const response = await visitor().form(`/login${query}`, { email: known.email, password: known.password });
    const location = response.headers.location ?? "";
    expect(response.status).toBe(302);
    expect(new URL(location, origin).origin).toBe(origin);
    expect(location).toMatch(/^\/(?![/\\])/);
    const open = await known.get(`/login${query}`);
    expect(new URL(open.headers.location ?? "", origin).origin).toBe(origin);
  });

  test("redirects a family to the page that it requested before signing in", async () => {
    const known = await family();
    const redirected = await visitor().get("/documents?sort=name");
    expect(redirected.headers.location).toBe("/login?redirectTo=%2Fdocuments%3Fsort%3Dname");
    const response = await visitor().form(redirected.headers.location ?? "", {
      email: known.email,
      password: known.password,
    });
    expect(response.headers.location).toBe("/documents?sort=name");
  });

  test("passes redirectTo on in the link to Create Account", async () => {
    const page = await visitor().get("/login?redirectTo=%2Fdocuments");
    const links = [...page.document.querySelectorAll("main a")].map((link) => link.getAttribute("href"));
    expect(links).toContain("/register?redirectTo=%2Fdocuments");
  });

  test.each(["/login", "/register"])("%s redirects a signed-in user to the home page", async (path) => {
    const response = await (await family()).get(path);
    expect([response.status, response.headers.location]).toEqual([302, "/"]);
  });
});

describe("the Account Settings dialog", () => {
  test("shows the account and changes the password", async () => {
    const client = await family();
    const page = await client.get("/dashboard/settings");
    expect(page.visibleText).toContain(client.email);
    expect(page.visibleText).toContain(client.name);
    expect(page.visibleText).toContain("Client");
    const fields = { currentPassword: client.password, newPassword: password, confirmPassword: password };
    const response = await client.follow(await client.form("/dashboard/settings", fields));
    expect(response.visibleText).toContain("Password Changed");
    expect(response.visibleText).toContain("Your password has been successfully updated.");
    expect((await signInAs(origin, client.email, password)).cookies.has("session")).toBe(true);
  });

  test("shows the consultant's role as Administrator", async () => {
    expect((await (await consultant()).get("/dashboard/settings")).visibleText).toContain("Administrator");
  });

  test("shows an error for a wrong current password and never returns a password", async () => {
    const client = await family();
    const fields = { currentPassword: "not this one", newPassword: password, confirmPassword: password };
    const response = await client.form("/dashboard/settings", fields);
    expect(response.status).toBe(422);
    expect(fieldErrorOf(response, "currentPassword")).not.toBe("");
    expect(response.visibleText).toContain("Password Change Failed");
    expect(response.text).not.toContain("not this one");
    expect(response.text).not.toContain(password);
  });
});

describe("a family that forgot its password", () => {
  async function linkFor(email: string): Promise<string> {
    const response = await (await consultant()).form("/dashboard/reset-link", { email });
    expect(response.status).toBe(200);
    const [, path = ""] = new RegExp(`${origin}(/reset-password/[\\w-]{40,})`).exec(response.text) ?? [];
    expect(path).not.toBe("");
    return path;
  }
  const choose = (path: string, chosen = password) =>
    visitor().form(path, { newPassword: chosen, confirmPassword: chosen });

  test("gets a link that does not contain the stored hash and is shown to the consultant only once", async () => {
    const known = await family();
    const path = await linkFor(known.email.toUpperCase());
    const rows = await db.passwordReset.findMany({ where: { userId: known.id } });
    expect(rows).toHaveLength(1);
    expect(path).not.toContain(rows[0]?.tokenHash);
    expect((await (await consultant()).get("/dashboard/reset-link")).text).not.toContain(path);
  });

  test("sets a new password with the link, is signed in, and is signed out on every other device", async () => {
    const known = await family();
    const path = await linkFor(known.email);
    const client = visitor();
    expect((await client.get(path)).visibleText).toContain("Choose a new password");
    const response = await client.form(path, { newPassword: password, confirmPassword: password });
    expect([response.status, response.headers.location]).toEqual([302, "/dashboard"]);
    expect((await client.get("/api/auth/me")).json.email).toBe(known.email);
    expect((await known.get("/api/auth/me")).status).toBe(401);
    await expect(signInAs(origin, known.email, known.password)).rejects.toThrow("401");
  });

  test("can use the link only once, even in two concurrent requests", async () => {
    const known = await family();
    const path = await linkFor(known.email);
    const responses = await Promise.all([choose(path, "first new password"), choose(path, "second new password")]);
    expect(responses.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([302, 410]);
    expect((await visitor().get(path)).status).toBe(410);
  });

  test("can't use the link after an hour (410)", async () => {
    const known = await family();
    const path = await linkFor(known.email);
    setTestClock(() => new Date(Date.now() + 59 * MINUTE));
    expect((await visitor().get(path)).status).toBe(200);
    setTestClock(() => new Date(Date.now() + 61 * MINUTE));
    expect((await visitor().get(path)).status).toBe(410);
    expect((await choose(path)).status).toBe(410);
    await expect(signInAs(origin, known.email, known.password)).rejects.toThrow("401");
  });

  test("can't use an earlier link once the consultant has created another (410)", async () => {
    const known = await family();
    const [first, second] = [await linkFor(known.email), await linkFor(known.email)];
    expect((await choose(first)).status).toBe(410);
    expect((await choose(second)).status).toBe(302);
  });

  test("can't use an emailed link after a password change; when both are concurrent, only one succeeds", async () => {
    const [known, other] = [await family(), await family()];
    const chosen = "chosen by herself";
    const fields = { newPassword: chosen, confirmPassword: chosen };
    const change = (own: typeof known, currentPassword = own.password) =>
      own.post("/api/auth/change-password", { ...fields, currentPassword });
    const mailed = async (own: typeof known, token: string) => {
      const expiresAt = new Date(Date.now() + 60 * MINUTE);
      const data = { userId: own.id, isMailed: true, expiresAt, tokenHash: hashSecretToken(token) };
      await db.passwordReset.create({ data });
      return `/reset-password/${token}`;
    };
    const path = await mailed(known, "k".repeat(43));
    expect((await change(known, "not this one")).status).toBe(422);
    expect((await visitor().get(path)).status).toBe(200);
    expect((await change(known)).status).toBe(200);
    expect([(await visitor().get(path)).status, (await choose(path)).status]).toEqual([410, 410]);
    expect((await signInAs(origin, known.email, chosen)).cookies.has("session")).toBe(true);
    const concurrentLink = await mailed(other, "o".repeat(43));
    const [changed, used] = await Promise.all([change(other), choose(concurrentLink)]);
    expect([changed.status === 200, used.status === 302].filter(Boolean)).toHaveLength(1);
    expect(await db.passwordReset.count({ where: { userId: { in: [known.id, other.id] } } })).toBe(0);
    expect(await db.session.count({ where: { userId: other.id } })).toBe(1);
  });

  test("gets no session and is sent to sign in when a new link is created before the session starts", async () => {
    const known = await family();
    const path = await linkFor(known.email);
    let next = "";
    // A job's transaction would be taken for one of these.
    await testing.stopJobs();
    // The first transaction sets the password, the second one begins the session.
    beforeNextTransaction(db, async () =>
      beforeNextTransaction(db, async () => {
        next = await linkFor(known.email);
      }),
    );
    const response = await choose(path);
    expect([response.status, response.headers.location]).toEqual([302, "/login?changed"]);
    expect(await db.session.count({ where: { userId: known.id } })).toBe(0);
    expect((await choose(next)).headers.location).toBe("/dashboard");
  });

  test("can still use the link after a 422 for a password that is too short or too common", async () => {
    const known = await family();
    const path = await linkFor(known.email);
    const short = await choose(path, "12345");
    expect(short.status).toBe(422);
    expect(fieldErrorOf(short, "newPassword")).toContain("New password must be at least 6 characters");
    const common = await choose(path, "qwerty123");
    expect(common.status).toBe(422);
    expect(fieldErrorOf(common, "newPassword")).toContain("This password is too common.");
    expect((await choose(path)).status).toBe(302);
  });

  test("no link is created for the consultant's own address, an unknown address, or an invalid one (422)", async () => {
    const client = await consultant();
    for (const email of [adminEmail, "nobody@example.com", "", "not an address"]) {
      const response = await client.form("/dashboard/reset-link", { email });
      expect([email, response.status]).toEqual([email, 422]);
      expect(response.text).not.toContain("/reset-password/");
    }
    expect((await signInAs(origin, adminEmail, adminPassword)).cookies.has("session")).toBe(true);
  });

  test("a family that creates a link gets 403, and a visitor is sent to sign in", async () => {
    const [client, other] = [await family(), await family()];
    expect((await client.form("/dashboard/reset-link", { email: other.email })).status).toBe(403);
    expect((await visitor().form("/dashboard/reset-link", { email: other.email })).headers.location).toBe("/login");
    expect(await db.passwordReset.count({ where: { userId: other.id } })).toBe(0);
  });

  test.each([
    ["nothing", 410],
    ["a".repeat(43), 410],
    ["..%2f", 410],
    ["%00", 400],
    ["x".repeat(5000), 410],
  ])("a made-up link (%s) is refused with 410 or 400", async (token, status) => {
    const response = await visitor().get(`/reset-password/${token}`);
    expect(response.status).toBe(status);
  });
});

describe("a user with two open tabs", () => {
  test("sees each success message exactly once, in any order of page loads and in concurrent requests", async () => {
    const admin = await consultant();
    const [one, other] = [await family(), await family()];
    const [here, there] = [`/families/${one.id}`, `/families/${other.id}`];
    const save = (page: string) => admin.form(page, { text: "Called back." });
    const says = async (page: string) =>
      (await admin.get(page)).document.querySelector("[data-toasts]")?.textContent?.match(/Note (saved|deleted)/)?.[0];
    for (const at of [1, 2, 3]) {
      await save(there);
      const { id } = await db.familyNote.findFirstOrThrow({ where: { userId: other.id } });
      const done = await Promise.all([save(here), admin.form(`${there}/notes/${id}/delete`, {}), admin.get("/")]);
      expect(done.map(({ status }) => status)).toEqual([302, 302, 200]);
      const pages = at === 3 ? [there, here] : [here, there];
      const read = at === 1 ? await Promise.all(pages.map(says)) : [await says(pages[0]!), await says(pages[1]!)];
      // What was saved first was for this page too, and its page was never asked for.
      const waiting = await says(there);
      const words = [...read, waiting].filter(Boolean);
      expect([words.length, words.filter((each) => each === "Note deleted").length]).toEqual([3, 1]);
      expect([await says(here), await says(there)]).toEqual([undefined, undefined]);
    }
  });

  test("sees a success message once when six page loads are concurrent", async () => {
    const admin = await consultant();
    const { id } = await family();
    await admin.form(`/families/${id}`, { text: "Called back." });
    const pages = await Promise.all(Array.from({ length: 6 }, () => admin.get(`/families/${id}`)));
    expect(pages.filter(({ visibleText: words }) => words.includes("Note saved"))).toHaveLength(1);
  });
});
