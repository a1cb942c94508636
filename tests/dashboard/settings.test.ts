// Proves that each line of the settings shows the current value and links to its own form.
import { expect, test } from "vitest";
import { consultant, db, family, visitor } from "../support/site.ts";
import type { TestResponse } from "../support/http-client.ts";

/** Each line of the settings: its name to what is set, and the address behind its link. */
function linesOf({ document }: TestResponse): Record<string, string> {
  const rows = [...document.querySelectorAll(".setting:not(:has(details))")];
  return Object.fromEntries(
    rows.map((row) => {
      const name = row.querySelector("p span")?.textContent ?? "";
      const value = (row.querySelector("p")?.textContent ?? "").slice(name.length);
      return [name, `${value} -> ${row.querySelector("a")?.getAttribute("href") ?? "nowhere"}`];
    }),
  );
}

test("a family's settings show name, phone, email, devices, agreements and more, each with value and link", async () => {
  const maria = await family({ firstName: "Maria", lastName: "Alvarez" });
  expect(linesOf(await maria.get("/dashboard/settings"))).toEqual({
    Name: "Maria Alvarez -> /dashboard/profile",
    Phone: "Not given -> /dashboard/profile",
    Email: expect.stringContaining(maria.email),
    "Account type": "Client -> nowhere",
    "Two-step sign-in": "Off. Your password alone signs you in. -> /second-factor",
    Passkeys: "None -> /passkeys",
    "Signed-in devices": "Only this one -> /dashboard/settings/devices",
    Mail: "Everything -> /messages",
    "Calendar link": "Off -> /dashboard/settings/calendar",
    Display: "Standard -> /comfort",
    Agreements: expect.stringMatching(/^0 of \d signed -> \/consents$/),
    "What we hold about you": "Get a copy, or delete your account -> /dashboard/settings/data",
    "Access log": "Who opened your child's file -> /access-log",
  });
});

test("each line shows the new value after a change", async () => {
  const maria = await family();
  await maria.form("/dashboard/profile", { firstName: "Maria", lastName: "Ruiz", phone: "7325550101" });
  await maria.form("/messages", { topic: ["receipts"] });
  await maria.form("/dashboard/settings/calendar", { link: "new" });
  await maria.form("/comfort", { comfort: ["large"] });
  await visitor().post("/api/auth/login", { email: maria.email, password: maria.password });
  await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: new Date() } });
  const signed = { intent: "sign", version: "2026-11-23", signedName: "Maria Ruiz" };
  await maria.form("/consents/recording", signed);
  const lines = linesOf(await maria.get("/dashboard/settings"));
  expect(lines).toMatchObject({
    Name: "Maria Ruiz -> /dashboard/profile",
    Phone: "(732) 555-0101 -> /dashboard/profile",
    Email: `${maria.email} -> /change-email`,
    Mail: "Receipts -> /messages",
    "Signed-in devices": "2, with this one -> /dashboard/settings/devices",
    Display: "Larger text -> /comfort",
    "Calendar link": "On. Visits show in your own calendar. -> /dashboard/settings/calendar",
    Agreements: expect.stringMatching(/^1 of \d signed/),
  });
});

test("the change-password form is collapsed, and open after a failed or a successful change", async () => {
  const maria = await family();
  const form = ({ document }: TestResponse) => document.querySelector("details:has(input[name=currentPassword])");
  expect(form(await maria.get("/dashboard/settings"))?.hasAttribute("open")).toBe(false);
  const wrong = await maria.form("/dashboard/settings", {
    currentPassword: "x",
    newPassword: "y",
    confirmPassword: "z",
  });
  expect([wrong.status, form(wrong)?.hasAttribute("open")]).toEqual([422, true]);
  expect(form(await maria.get("/dashboard/settings?changed"))?.hasAttribute("open")).toBe(true);
});

test("the consultant's settings show her own lines and no agreements, data copy or email topics", async () => {
  const lines = linesOf(await (await consultant()).get("/dashboard/settings"));
  expect(lines).toMatchObject({
    "Account type": "Administrator -> nowhere",
    "Public page": "What families read about you -> /consultant-profile",
    "Address and tax number": "For invoices, and where families meet you -> /practice-details",
    "Access log": "Who opened or changed records -> /activity",
    "System status": "How this site is -> /system-status",
    "Legal requests": "About privacy and accessibility -> /compliance",
  });
  for (const name of ["Agreements", "What we hold about you", "Mail"]) expect(lines).not.toHaveProperty(name);
});
