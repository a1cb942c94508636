// Proves that the consultant can replace the text of a message, that required parts stay in it, and that nobody else
// can change it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookOrFail } from "../support/bookings.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";

const smtp = await startSmtpServer();
Object.assign(environmentOverrides, { SMTP_URL: smtp.url });
const { adminEmail, adminPassword, consultant, db, family, setTestClock, testing, visitor } =
  await import("../support/site.ts");
await testing.stopJobs(); // mail is delivered where a test asks for it

const BOOKED = "/mail-wording/visit-booked";
const WORDS = {
  subject: "We meet on {when}",
  body: "Dear {first name}, it is set: {how long} at {where}.\n\n{link}\n\nQuestions? {phone}\n\n{how to change}",
};
let admin: TestClient;

beforeAll(async () => {
  admin = await consultant();
});
afterAll(() => smtp.stop());

async function received(to: string) {
  await testing.deliverDueMessages();
  return smtp.mails.splice(0).filter((mail) => mail.to === to);
}

const save = (path: string, fields: Record<string, string>) => admin.form(path, { intent: "save", ...fields });
const stored = () => db.messageWording.findMany({ orderBy: { name: "asc" } });

describe("the consultant's custom text for a message", () => {
  test("is used in later emails (plain text and HTML) and in the portal, until she resets it to the default", async () => {
    const maria = await family({ intake: true, firstName: "Maria" });
    await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: new Date() } });
    await bookOrFail(maria);
    const [before] = await received(maria.email);
    expect(before?.subject).toBe("Your visit is booked");
    const saved = await save(BOOKED, WORDS);
    expect([saved.status, saved.headers.location]).toEqual([302, "/mail-wording"]);
    expect((await admin.get("/mail-wording")).visibleText).toContain("Visit bookedYour words");
    await bookOrFail(maria);
    const [mail] = await received(maria.email);
    expect(mail?.subject).toMatch(/^We meet on \w{3}, \w{3} \d+, \d{4} at \d+:\d\d [AP]M ET$/);
    expect(mail?.text).toMatch(/^Hello Maria,\n\nDear Maria, it is set: 60 minutes at [^{}]+\.\n\nWhen: /);
    expect(mail?.text).toContain("Questions? (732) 555-0142\n\nCan't make it? Open your visit");
    expect(mail?.html).toContain("Dear Maria, it is set: 60 minutes");
    expect(mail?.html).toContain('class="button"');
    const { id } = await db.message.findFirstOrThrow({ where: { userId: maria.id }, orderBy: { id: "desc" } });
    expect((await maria.get(`/messages?open=${id}`)).visibleText).toContain("Dear Maria, it is set");
    const reset = await admin.form(BOOKED, { intent: "reset" });
    expect([reset.status, await stored()]).toEqual([302, []]);
    await bookOrFail(maria);
    expect((await received(maria.email)).map(({ subject }) => subject)).toEqual(["Your visit is booked"]);
  });

  test("is not stored if it equals the default text that is shown for editing", async () => {
    const page = await admin.get(BOOKED);
    const subject = page.document.querySelector('input[name="subject"]')?.getAttribute("value") ?? "";
    const body = page.document.querySelector('textarea[name="body"]')?.textContent ?? "";
    expect(subject).toBe("Your visit is booked");
    expect(body).toContain("\n\n{link}\n\n");
    expect((await save(BOOKED, { subject, body: body.replaceAll("\n", "\r\n") })).status).toBe(302);
    expect(await stored()).toEqual([]);
  });

  test("can be previewed as plain text and as HTML email without being saved", async () => {
    const shown = await admin.form(BOOKED, { intent: "preview", ...WORDS });
    expect([shown.status, shown.visibleText.includes("Nothing is saved yet.")]).toEqual([200, true]);
    expect(shown.document.querySelector("pre")?.textContent).toContain(
      "Dear Maria, it is set: 60 minutes at Video visit.",
    );
    expect(shown.document.querySelector("textarea")?.textContent).toBe(WORDS.body);
    const mail = await admin.form(`${BOOKED}/preview`, WORDS);
    expect([mail.status, mail.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(mail.headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'unsafe-inline';/);
    expect(mail.document.querySelector("h1")?.textContent).toBe("We meet on Mon, Dec 7, 2026 at 10:00\u00A0AM\u00A0ET");
    expect((await admin.get(`${BOOKED}/preview`)).document.querySelector("h1")?.textContent).toBe(
      "Your visit is booked",
    );
    const refused = await admin.form(`${BOOKED}/preview`, { ...WORDS, body: "{child}<i>\n\n{link}" });
    expect([refused.status, refused.visibleText.includes("no {child}"), refused.text.includes("<i>")]).toEqual([
      422,
      true,
      false,
    ]);
    expect(await stored()).toEqual([]);
  });

  test("must keep the link of a message that needs one, and the refund placeholder of a cancellation (else 422)", async () => {
    const body = "You told us that you forgot it.";
    for (const name of ["account-made", "confirm-email", "password-reset", "email-change-requested", "invitation"]) {
      const response = await save(`/mail-wording/${name}`, { subject: "Hello", body: `${body}\n\n{visit waits}` });
      expect([name, response.status]).toEqual([name, 422]);
    }
    const canceled = await save("/mail-wording/visit-cancelled", { subject: "Hello", body });
    expect(canceled.visibleText).toContain("The text needs {refund}");
    expect((await save("/mail-wording/password-changed", { subject: "Hello", body })).status).toBe(302);
    expect((await admin.form("/mail-wording/password-changed", { intent: "reset" })).status).toBe(302);
  });

  test("for a moved visit is not used for a new length or place unless its subject has the placeholder for what changed", async () => {
    const MOVED = "/mail-wording/visit-moved";
    const body = "{who moved it}\n\n{link}";
    expect((await save(MOVED, { subject: "Another time", body: "We moved it.\n\n{link}" })).visibleText).toContain(
      "The text needs {who moved it}",
    );
    const maria = await family({ intake: true });
    const { id, appointmentDate } = await bookOrFail(maria);
    const subjects = async () => {
      const messages = await db.message.findMany({
        where: { appointmentId: id, event: "visit-moved" },
        orderBy: { id: "asc" },
      });
      return messages.map(({ content }) => (JSON.parse(content) as { subject: string }).subject);
    };
    const change = (fields: object) =>
      admin.request("PATCH", `/api/appointments/${id}`, {
        headers: { Origin: admin.origin, "Content-Type": "application/json" },
        body: JSON.stringify({ appointmentDate, ...fields }),
      });
    expect((await save(MOVED, { subject: "Another time", body })).status).toBe(302);
    const place = (text: string) => admin.form(`/dashboard/appointments/${id}`, { intent: "place", place: text });
    expect((await change({ duration: 45 })).status).toBe(200);
    expect((await place("Long Branch Library")).status).toBe(302);
    expect((await save(MOVED, { subject: "Now it has {what changed}", body })).status).toBe(302);
    expect((await change({ duration: 30 })).status).toBe(200);
    expect((await place("12 Ocean Avenue")).status).toBe(302);
    expect(await subjects()).toEqual([
      "Your visit has a new length",
      "Your visit has a new place",
      "Now it has a new length",
      "Now it has a new place",
    ]);
    await admin.form(MOVED, { intent: "reset" });
  });

  test("must be plain text of limited length, without links to other sites; the subject becomes one line", async () => {
    const refusals: [field: string, value: string, sentence: string][] = [
      ["subject", "", "Enter a subject."],
      ["subject", "x".repeat(121), "at most 120 characters"],
      ["subject", "{amount}", "can’t stand in the subject"],
      ["subject", "Your receipt for $ 37.50", "Leave amounts out of the subject"],
      ["subject", "75 dollars are due", "Leave amounts out of the subject"],
      ["subject", "Your monthly retainer", "Leave the name of a service out of the subject"],
      ["subject", "About document  Preparation", "Leave the name of a service out of the subject"],
      ["body", " ", "Enter the text."],
      ["body", `${"x".repeat(3000)}\n\n{link}`, "at most 3,000 characters"],
      ["body", "See <b>us</b>.\n\n{link}", "Write plain text"],
      ["body", "Dear {child}.\n\n{link}", "This message has no {child}."],
      ["body", "\u0000\n\n{link}", "can't be stored"],
      ["subject", "See www.evil.example", "“www.evil.example” looks like a link to another site"],
      ["body", "Pay at https://evil.example/pay.\n\n{link}", "looks like a link to another site"],
    ];
    for (const [field, value, sentence] of refusals) {
      const response = await save(BOOKED, { ...WORDS, [field]: value });
      expect([sentence, response.status, response.visibleText.includes(sentence)]).toEqual([sentence, 422, true]);
    }
    expect(await stored()).toEqual([]);
    await save(BOOKED, { ...WORDS, subject: "One\r\nBcc: all@example.com" });
    expect((await stored())[0]?.subject).toBe("One Bcc: all@example.com");
    await admin.form(BOOKED, { intent: "reset" });
  });

  test("is audited when changed; families get 403, visitors must sign in, unknown messages are a 404", async () => {
    const entries = () => db.auditEntry.count({ where: { action: "wording-changed-visit-booked" } });
    const before = await entries();
    await save(BOOKED, WORDS);
    expect(await entries()).toBe(before + 1);
    const maria = await family();
    for (const path of ["/mail-wording", BOOKED, `${BOOKED}/preview`]) {
      expect([path, (await maria.get(path)).status, (await visitor().get(path)).status]).toEqual([path, 403, 302]);
      expect([path, (await maria.form(path, { intent: "reset" })).status]).toEqual([path, 403]);
    }
    expect(await stored()).toMatchObject([{ name: "visit-booked", subject: WORDS.subject }]);
    for (const path of ["/mail-wording/new-request", "/mail-wording/__proto__", "/mail-wording/x/preview"])
      expect([path, (await admin.get(path)).status, (await admin.form(path, WORDS)).status]).toEqual([path, 404, 404]);
    await admin.form(BOOKED, { intent: "reset" });
  });

  test("needs the password again to be saved, keeping the typed text, as does her profile; she gets an email about it", async () => {
    const session = await consultant();
    setTestClock(() => new Date(Date.now() + 11 * 60_000));
    for (const intent of ["save", "reset"]) {
      const asked = await session.form(BOOKED, { intent, ...WORDS });
      expect(asked.headers.location).toBe(`/confirm-identity?redirectTo=${encodeURIComponent(BOOKED)}`);
    }
    const profile = await session.form("/consultant-profile", { name: "Another Name" });
    expect(profile.headers.location).toBe(`/confirm-identity?redirectTo=${encodeURIComponent("/consultant-profile")}`);
    expect((await session.form(BOOKED, { intent: "preview", ...WORDS })).status).toBe(200);
    expect(await stored()).toEqual([]);
    const asked = await session.form(BOOKED, { intent: "save", ...WORDS });
    const back = await session.follow(await session.form(asked.headers.location ?? "", { password: adminPassword }));
    expect(back.document.querySelector("textarea")?.textContent).toBe(WORDS.body);
    expect((await session.form(BOOKED, { intent: "save", ...WORDS })).headers.location).toBe("/mail-wording");
    const mail = (await received(adminEmail)).find(({ event }) => event === "account-changed");
    expect(mail?.text).toContain("The wording of a message that goes to families was changed");
    await session.form(BOOKED, { intent: "reset" });
    setTestClock(null);
  });
});
