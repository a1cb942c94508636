// Proves the form that finishes a visit, follow-ups for the consultant and the family, and notes linked to a visit.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock, testing } from "../support/site.ts";

/** Friday, 10:00 AM in the practice. */
const NOW = new Date("2026-11-20T15:00:30Z");
const TODAY = "2026-11-20";
const IN_ONE_WEEK = "2026-11-27";

let admin: TestClient;
let maria: Family;
let noor: Family;

beforeAll(async () => {
  setTestClock(() => NOW);
  admin = await consultant();
  maria = await family({ firstName: "Maria", lastName: "Alvarez" });
  noor = await family({ firstName: "Noor", lastName: "Haddad" });
});

beforeEach(async () => {
  setTestClock(() => NOW);
  await db.appointment.deleteMany({ where: { payments: { none: {} } } });
  await db.followUp.deleteMany();
  await db.familyNote.deleteMany();
  await db.message.deleteMany();
});

/** A visit of Maria's that began two hours ago. */
function pastVisit(changes: Record<string, unknown> = {}) {
  const appointmentDate = new Date(NOW.getTime() - 2 * 3_600_000 - 30_000);
  const visit = { userId: maria.id, title: "Hourly Consulting", type: "consultation", paymentAmountCents: 7500 };
  return db.appointment.create({ data: { ...visit, appointmentDate, paymentMethod: "in-person", ...changes } });
}

const formPath = (id: number) => `/dashboard/appointments/${id}/after`;
const save = (id: number, fields: Record<string, string>) =>
  admin.form(formPath(id), { status: "completed", ...fields });
const card = async (client: TestClient, path: string, title: string) => {
  const { document } = await client.get(path);
  const heading = [...document.querySelectorAll("main h2")].find((each) => each.textContent.startsWith(title));
  return heading?.closest("section")?.textContent ?? "";
};

/** How often the money of a visit may be taken: clears what a test before it has left at that time. */
async function freeTime() {
  await db.appointment.updateMany({ data: { status: "cancelled" } });
}

describe("the form that finishes a visit", () => {
  test("stores status, payment, note and follow-ups in one request, and redirects to booking the next visit", async () => {
    const { id } = await pastVisit();
    const lines = { followUp1: "Call the school", dueDay1: TODAY, followUp3: "Send the plan", dueDay3: "2026-12-04" };
    const response = await save(id, { ...lines, isShared3: "on", note: "Calm today.", paid: "cash", next: "book" });
    expect([response.status, response.headers.location]).toEqual([
      302,
      `/families/${maria.id}/appointments/new?after=${id}`,
    ]);
    expect(await db.appointment.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: "completed",
      paymentStatus: "paid",
    });
    expect(await db.payment.count({ where: { appointmentId: id, method: "cash", amountCents: 7500 } })).toBe(1);
    expect(await db.familyNote.findMany()).toMatchObject([
      { userId: maria.id, appointmentId: id, text: "Calm today." },
    ]);
    expect(await db.followUp.findMany({ orderBy: { id: "asc" } })).toMatchObject([
      { text: "Call the school", dueDay: TODAY, isShared: false, appointmentId: id, userId: maria.id },
      { text: "Send the plan", dueDay: "2026-12-04", isShared: true },
    ]);
    await freeTime();
  });

  test("prefills due dates a week from today, and stores no follow-up without text", async () => {
    const { id } = await pastVisit();
    const { document } = await admin.get(formPath(id));
    const days = ["dueDay1", "dueDay2", "dueDay3"];
    expect(days.map((name) => document.querySelector(`[name=${name}]`)?.getAttribute("value"))).toEqual(
      days.map(() => IN_ONE_WEEK),
    );
    const filledIn = Object.fromEntries(days.map((name) => [name, IN_ONE_WEEK]));
    expect((await save(id, { ...filledIn, followUp2: "Call the school" })).status).toBe(302);
    expect(await db.followUp.findMany()).toMatchObject([{ text: "Call the school", dueDay: IN_ONE_WEEK }]);
  });

  test("names a visit that is already booked, and by default books no other", async () => {
    const { id } = await pastVisit();
    expect((await admin.get(formPath(id))).visibleText).not.toContain("Already booked");
    const visit = { userId: maria.id, title: "Follow-up Consultation", type: "follow-up" };
    await db.appointment.create({ data: { ...visit, appointmentDate: new Date("2026-12-10T23:30Z") } });
    await db.appointment.create({
      data: { ...visit, appointmentDate: new Date("2026-12-03T23:30Z"), status: "cancelled" },
    });
    const { visibleText, document } = await admin.get(formPath(id));
    const sentence = "Already booked: Thu, Dec 10, 6:30 PM ET (Follow-up Consultation).";
    expect(visibleText).toContain(sentence);
    expect(document.querySelector("[name=nextStart][checked]")?.getAttribute("value")).toBe("no");
    expect((await admin.get(`/families/${maria.id}`)).visibleText).toContain(sentence);
  });

  test("is linked from the dashboard and the visit's details, and returns to the page it came from", async () => {
    const { id } = await pastVisit();
    const { document: page } = await admin.get("/dashboard");
    expect(page.querySelector(`a[href="${formPath(id)}"]`)?.textContent).toMatch(/^Finish visit/);
    const details = await admin.get(`/dashboard/appointments/${id}?from=/families/${maria.id}`);
    const link = details.document.querySelector(`a[href^="${formPath(id)}"]`)?.getAttribute("href") ?? "";
    expect((await admin.form(link, { status: "no-show" })).headers.location).toBe(`/families/${maria.id}`);
    expect((await db.appointment.findUniqueOrThrow({ where: { id } })).status).toBe("no-show");
  });

  test("shows the note in the visit's details and on the family's page, never to the family", async () => {
    const { id } = await pastVisit();
    await save(id, { note: "The bus is the hard part." });
    expect((await admin.get(`/dashboard/appointments/${id}`)).visibleText).toContain("The bus is the hard part.");
    const notes = await card(admin, `/families/${maria.id}`, "Private notes");
    expect(notes).toMatch(/Visit of .*Nov 20.*The bus is the hard part\./);
    for (const path of ["/dashboard", "/appointments"]) expect((await maria.get(path)).text).not.toContain("The bus");
  });

  test.each([
    [{ status: "" }, "Say how it went."],
    [{ status: "cancelled" }, "Say how it went."],
    [{ followUp1: "Call" }, "Choose when it is due."],
    [{ followUp1: "Call", dueDay1: "2026-11-19" }, "That day is over."],
    [{ followUp2: "Call", dueDay2: "2026-02-30" }, "Choose when it is due."],
    [{ followUp1: "x".repeat(301), dueDay1: TODAY }, "at most 300 characters"],
    [{ note: "x".repeat(5001) }, "at most 5,000 characters"],
    [{ paid: "card" }, "Choose how it was paid."],
  ])("refuses %j with 422 and a message, and stores nothing", async (fields, sentence) => {
    const { id } = await pastVisit();
    const response = await save(id, { note: "Kept?", ...fields });
    expect([response.status, response.visibleText.includes(sentence)]).toEqual([422, true]);
    expect(await db.familyNote.count()).toBe(0);
    expect(await db.followUp.count()).toBe(0);
    expect((await db.appointment.findUniqueOrThrow({ where: { id } })).status).toBe("scheduled");
  });

  test("refuses a second payment with 409, and stores nothing else from that request", async () => {
    const { id } = await pastVisit();
    expect((await save(id, { paid: "cash" })).status).toBe(302);
    const again = await save(id, { paid: "check", note: "Twice", status: "no-show" });
    expect([again.status, again.visibleText.includes("already paid")]).toEqual([409, true]);
    expect(await db.payment.count({ where: { appointmentId: id } })).toBe(1);
    expect(await db.familyNote.count()).toBe(0);
    expect((await db.appointment.findUniqueOrThrow({ where: { id } })).status).toBe("completed");
    await freeTime();
  });

  test.each([
    ["a payment", { paid: "cash" }],
    ["that nothing is owed", { paid: "waived", waiveReason: "A first talk." }],
  ])("sent again in sequence or concurrently with %s succeeds, and stores missing parts once", async (_, settled) => {
    const { id } = await pastVisit();
    expect((await save(id, settled)).status).toBe(302);
    const whole = { ...settled, note: "Calm.", followUp1: "Call the school", dueDay1: TODAY };
    const responses = [await save(id, whole), ...(await Promise.all([1, 2, 3].map(() => save(id, whole))))];
    expect(responses.map(({ status }) => status)).toEqual([302, 302, 302, 302]);
    const counts = [
      await db.payment.count({ where: { appointmentId: id } }),
      await db.familyNote.count({ where: { appointmentId: id } }),
      await db.followUp.count({ where: { appointmentId: id } }),
      await db.message.count({ where: { event: "receipt", userId: maria.id } }),
    ];
    expect(counts).toEqual(settled.paid === "cash" ? [1, 1, 1, 1] : [0, 1, 1, 0]);
    const other = { paid: "waived", waiveReason: "Another reason." };
    expect((await save(id, other)).status).toBe(409);
    await freeTime();
  });

  test("sent again in sequence or concurrently stores note, follow-ups and next visit once, and emails once", async () => {
    const lines = { followUp1: "Call the school", dueDay1: IN_ONE_WEEK, isShared1: "on" };
    const fields = { ...lines, followUp2: "Send the report", dueDay2: IN_ONE_WEEK, isShared2: "on", note: "Calm." };
    const inTurn = await pastVisit();
    const { document } = await admin.get(formPath(inTurn.id));
    const nextStart = document.querySelectorAll("[name=nextStart]")[1]?.getAttribute("value") ?? "";
    const twice = [await save(inTurn.id, { nextStart }), await save(inTurn.id, { nextStart })];
    for (const answer of twice) expect((await admin.follow(answer)).visibleText).toContain("The next one is booked");
    expect(await db.appointment.count({ where: { appointmentDate: new Date(nextStart) } })).toBe(1);
    expect([(await save(inTurn.id, fields)).status, (await save(inTurn.id, fields)).status]).toEqual([302, 302]);
    await db.appointment.update({ where: { id: inTurn.id }, data: { status: "cancelled" } });
    const atOnce = await pastVisit();
    await Promise.all([1, 2, 3].map(() => save(atOnce.id, fields)));
    for (const { id: appointmentId } of [inTurn, atOnce]) {
      const texts = (await db.followUp.findMany({ where: { appointmentId } })).map(({ text }) => text);
      expect(texts.toSorted()).toEqual(["Call the school", "Send the report"]);
      expect(await db.familyNote.count({ where: { appointmentId } })).toBe(1);
    }
    expect(await db.message.count({ where: { event: "follow-ups-shared" } })).toBe(2);
    expect((await save(atOnce.id, { ...fields, followUp3: "Write", dueDay3: IN_ONE_WEEK })).status).toBe(302);
    expect(await db.followUp.count({ where: { appointmentId: atOnce.id } })).toBe(3);
  });

  test("is unavailable for canceled and future visits, and refuses a note for one without account (422)", async () => {
    const { id: canceled } = await pastVisit({ status: "cancelled" });
    const { id: later } = await pastVisit({ appointmentDate: new Date("2026-12-07T15:00Z") });
    for (const id of [canceled, later]) {
      expect((await admin.get(formPath(id))).headers.location).toBe(`/dashboard/appointments/${id}`);
      await save(id, { note: "Too soon" });
      expect((await db.appointment.findUniqueOrThrow({ where: { id } })).status).not.toBe("completed");
    }
    expect(await db.familyNote.count()).toBe(0);
    const { id: withoutAccount } = await pastVisit({ userId: null });
    expect((await save(withoutAccount, { note: "Lost?" })).status).toBe(422);
    expect((await save(withoutAccount, {})).status).toBe(302);
    expect(await db.familyNote.count()).toBe(0);
  });

  test("presets completed for a video visit without an account, which no family could join", async () => {
    const { id } = await pastVisit({ userId: null, isLiveVideoCall: true });
    const { document, visibleText } = await admin.get(formPath(id));
    expect(document.querySelector("[name=status][checked]")?.getAttribute("value")).toBe("completed");
    expect(visibleText).not.toContain("did not join");
  });

  test("responds 403 when a family requests or submits it", async () => {
    const { id } = await pastVisit();
    expect([(await maria.get(formPath(id))).status, (await maria.form(formPath(id), {})).status]).toEqual([403, 403]);
  });
});

describe("a follow-up", () => {
  const add = (fields: Record<string, string>, id = maria.id) => admin.form(`/families/${id}/follow-ups/new`, fields);

  test("is deleted only after a confirmation that names it, not directly from the list", async () => {
    await add({ followUp: "Ask for the report", dueDay: "2026-11-24" });
    const { id } = await db.followUp.findFirstOrThrow({ orderBy: { id: "desc" } });
    const path = `/families/${maria.id}/follow-ups/${id}/delete`;
    const { document: page } = await admin.get(`/families/${maria.id}`);
    expect(page.querySelector(`#follow-ups a[href="${path}"]`)?.getAttribute("aria-label")).toContain(
      "Ask for the report",
    );
    await admin.form(`/families/${maria.id}`, { intent: "deleted", id: String(id) });
    expect(await db.followUp.count({ where: { id } })).toBe(1);
    const asked = await admin.get(path);
    expect(asked.document.querySelector("dialog h2")?.textContent).toBe("Delete this follow-up?");
    expect(asked.document.querySelector("dialog")?.textContent).toContain("Ask for the report");
    expect((await admin.form(path.replace(String(maria.id), String(noor.id)), {})).status).toBe(404);
    expect((await admin.form(path, {})).status).toBe(302);
    expect(await db.followUp.count({ where: { id } })).toBe(0);
    expect((await admin.get(path)).status).toBe(404);
  });

  test("is listed on the dashboard from its due date until it is done, and again once reopened", async () => {
    await add({ followUp: "Call the clinic", dueDay: "2026-11-21" });
    expect(await card(admin, "/dashboard", "Needs attention")).not.toContain("Call the clinic");
    setTestClock(() => new Date("2026-11-21T05:00:30Z"));
    admin = await consultant();
    expect(await card(admin, "/dashboard", "Needs attention")).toMatch(/Follow-up.*Maria Alvarez.*Call the clinic/);
    const { id } = await db.followUp.findFirstOrThrow();
    expect((await admin.form(`/families/${noor.id}`, { intent: "done", id: String(id) })).status).toBe(404);
    expect((await admin.form(`/families/${maria.id}`, { intent: "done", id: String(id) })).status).toBe(302);
    expect((await admin.form(`/families/${maria.id}`, { intent: "done", id: String(id) })).status).toBe(404);
    expect(await card(admin, "/dashboard", "Needs attention")).not.toContain("Call the clinic");
    expect(await card(admin, `/families/${maria.id}`, "Follow-ups")).toMatch(/Call the clinic.*done/);
    await add({ followUp: "Write to the school", dueDay: "2026-11-28" });
    const inOrder = () => card(admin, `/families/${maria.id}`, "Follow-ups");
    expect(await inOrder()).toMatch(/Call the clinic.*Undo.*Write to the school/);
    setTestClock(() => new Date("2026-11-21T06:00:31Z"));
    admin = await consultant();
    expect(await inOrder()).toMatch(/Write to the school.*Call the clinic.*Undo/);
    expect((await admin.form(`/families/${noor.id}`, { intent: "reopened", id: String(id) })).status).toBe(404);
    expect((await admin.form(`/families/${maria.id}`, { intent: "reopened", id: String(id) })).status).toBe(302);
    expect((await admin.form(`/families/${maria.id}`, { intent: "reopened", id: String(id) })).status).toBe(404);
    expect(await card(admin, "/dashboard", "Needs attention")).toContain("Call the clinic");
    for (const { id: number } of await db.followUp.findMany())
      await admin.form(`/families/${maria.id}/follow-ups/${number}/delete`, {});
    expect(await db.followUp.count()).toBe(0);
    setTestClock(() => NOW);
    admin = await consultant();
  });

  test("is visible only to its own family, and only if the consultant shares it", async () => {
    await add({ followUp: "Ask the teacher", dueDay: "2026-12-04", isShared: "on" });
    await add({ followUp: "Think about the clinic", dueDay: "2026-12-04" });
    const todo = await card(maria, "/dashboard", "To do");
    expect(todo).toMatch(/Ask the teacher.*Friday, December 4, 2026/);
    expect(todo).not.toContain("clinic");
    expect((await noor.get("/dashboard")).text).not.toContain("Ask the teacher");
  });

  test("that is shared can be marked done by its family and undone for an hour; the consultant sees by whom", async () => {
    await add({ followUp: "Ask the teacher", dueDay: TODAY, isShared: "on" });
    const { id } = await db.followUp.findFirstOrThrow();
    const mark = (intent: string) => maria.form("/dashboard", { intent, followUp: String(id) });
    const seen = async () => [
      await card(maria, "/dashboard", "To do"),
      await card(admin, "/dashboard", "Needs attention"),
      await card(admin, `/families/${maria.id}`, "Follow-ups"),
    ];
    for (const _ of ["once", "again"]) expect((await mark("done")).status).toBe(302);
    const [todo, attention, list] = await seen();
    expect(todo).toMatch(/Ask the teacher\s*Done\s*Undo/);
    expect([attention, list]).toEqual([
      expect.not.stringContaining("Ask the teacher"),
      expect.stringContaining("done by the family"),
    ]);
    for (const _ of ["once", "again"]) expect((await mark("reopened")).status).toBe(302);
    expect(await seen()).toEqual([
      expect.stringContaining("I did this"),
      expect.stringContaining("Ask the teacher"),
      expect.not.stringContaining("done by"),
    ]);
    expect((await mark("done")).status).toBe(302);
    setTestClock(() => new Date(NOW.getTime() + 3_600_000));
    expect(await card(maria, "/dashboard", "To do")).not.toContain("Ask the teacher");
    const where = { familyId: maria.id, objectId: id, actorId: maria.id };
    const entries = await db.auditEntry.findMany({ where, orderBy: { sequence: "asc" } });
    expect(entries.map(({ action }) => action)).toEqual(["follow-up-done", "follow-up-reopened", "follow-up-done"]);
  });

  test("can't be marked by another family or if unshared (404), or reopened if the consultant marked it (409)", async () => {
    await add({ followUp: "Ask the teacher", dueDay: TODAY, isShared: "on" });
    await add({ followUp: "Think about the clinic", dueDay: TODAY });
    const [shared, unshared] = await db.followUp.findMany({ orderBy: { id: "asc" } });
    const mark = (client: TestClient, intent: string, followUp: unknown) =>
      client.form("/dashboard", { intent, followUp: String(followUp) });
    const before = await db.followUp.findMany();
    for (const [client, intent, followUp, status] of [
      [noor, "done", shared?.id, 404],
      [maria, "done", unshared?.id, 404],
      [maria, "done", 999_999, 404],
      [maria, "done", "1; DROP", 422],
      [maria, "deleted", shared?.id, 422],
      [admin, "done", shared?.id, 404],
    ] as const)
      expect([followUp, (await mark(client, intent, followUp)).status]).toEqual([followUp, status]);
    expect(await db.followUp.findMany()).toEqual(before);
    await admin.form(`/families/${maria.id}`, { intent: "done", id: String(shared?.id) });
    expect((await mark(maria, "done", shared?.id)).status).toBe(302);
    const refused = await mark(maria, "reopened", shared?.id);
    expect([refused.status, refused.visibleText]).toEqual([
      409,
      expect.stringContaining("Your consultant has marked this as done."),
    ]);
    expect(await db.followUp.findUnique({ where: { id: shared?.id ?? 0 } })).toMatchObject({ isDoneByFamily: false });
  });

  test("triggers one reminder email to the family in the morning of its due date, without its text", async () => {
    await add({ followUp: "Ask the teacher about Leo", dueDay: "2026-11-23", isShared: "on" });
    await add({ followUp: "Only mine", dueDay: "2026-11-23" });
    const mails = () => db.message.findMany({ where: { event: "follow-up-due" } });
    const at = async (time: string) => {
      setTestClock(() => new Date(time));
      await Promise.all([testing.writeFollowUpReminders(), testing.writeFollowUpReminders()]);
      return mails();
    };
    expect(await at("2026-11-22T15:00:00Z")).toEqual([]);
    expect(await at("2026-11-23T12:59:00Z")).toEqual([]);
    const [mail, ...more] = await at("2026-11-23T13:00:00Z");
    expect([mail?.userId, more]).toEqual([maria.id, []]);
    expect(mail?.content).not.toMatch(/Leo|teacher/);
    expect(await at("2026-11-24T13:00:00Z")).toHaveLength(1);
  });

  test("shares one reminder email with all others of its family due that day", async () => {
    for (const followUp of ["Ask the teacher", "Call the clinic", "Send the plan"])
      await add({ followUp, dueDay: "2026-11-23", isShared: "on" });
    setTestClock(() => new Date("2026-11-23T15:00:00Z"));
    await testing.writeFollowUpReminders();
    await testing.writeFollowUpReminders();
    expect(await db.message.findMany()).toMatchObject([{ event: "follow-up-due", userId: maria.id }]);
    expect(await db.followUp.count({ where: { remindedAt: null } })).toBe(0);
  });

  test("that is shared after its day's reminder was sent is in a reminder the next morning", async () => {
    const dueAt = (time: string) => {
      setTestClock(() => new Date(time));
      return Promise.all([testing.writeFollowUpReminders(), testing.writeFollowUpReminders()]);
    };
    const keys = async () => (await db.message.findMany({ orderBy: { id: "asc" } })).map(({ key }) => key);
    await add({ followUp: "Ask the teacher", dueDay: "2026-11-23", isShared: "on" });
    await dueAt("2026-11-23T13:00:00Z");
    admin = await consultant();
    await add({ followUp: "Call the clinic", dueDay: "2026-11-23", isShared: "on" });
    await dueAt("2026-11-23T20:00:00Z");
    expect(await keys()).toHaveLength(1);
    expect(await db.followUp.count({ where: { remindedAt: null } })).toBe(1);
    await dueAt("2026-11-24T12:59:00Z");
    expect(await keys()).toHaveLength(1);
    await dueAt("2026-11-24T13:00:00Z");
    await dueAt("2026-11-25T13:00:00Z");
    expect(await keys()).toEqual(
      ["23", "24"].map((day) => `follow-up-due: follow-ups of 2026-11-${day}, for ${maria.id}`),
    );
    expect(await db.followUp.count({ where: { remindedAt: null } })).toBe(0);
    setTestClock(() => NOW);
    admin = await consultant();
  });

  test.each(["eraseAfter", "closedAt"])(
    "sends no reminder while its family's account has %s set, and sends it once that is cleared",
    async (column) => {
      await add({ followUp: "Ask the teacher", dueDay: "2026-11-23", isShared: "on" });
      const at = new Date("2026-11-23T15:00:00Z");
      setTestClock(() => at);
      await db.user.update({ where: { id: maria.id }, data: { [column]: new Date("2026-12-10T15:00:00Z") } });
      await testing.writeFollowUpReminders();
      expect(await db.message.count()).toBe(0);
      await db.user.update({ where: { id: maria.id }, data: { [column]: null } });
      await testing.writeFollowUpReminders();
      expect(await db.message.count()).toBe(1);
    },
  );

  test("shared after a visit is emailed together with the others; if due that day, no reminder follows", async () => {
    const { id } = await pastVisit();
    const first = { followUp1: "Call Leo's school", dueDay1: TODAY, isShared1: "on" };
    const others = { followUp2: "Only mine", dueDay2: TODAY, followUp3: "Send the plan", dueDay3: "2026-12-04" };
    expect((await save(id, { ...first, ...others, isShared3: "on" })).status).toBe(302);
    await testing.writeFollowUpReminders();
    const [mail, ...more] = await db.message.findMany();
    expect([mail?.event, mail?.userId, more]).toEqual(["follow-ups-shared", maria.id, []]);
    expect(mail?.content).toContain("2 next steps");
    expect(mail?.content).toContain("Friday, November 20, 2026");
    expect(mail?.content).not.toMatch(/Leo|school|plan|mine/);
    setTestClock(() => new Date("2026-12-04T15:00:00Z"));
    await testing.writeFollowUpReminders();
    const events = (await db.message.findMany({ orderBy: { id: "asc" } })).map(({ event }) => event);
    expect(events).toEqual(["follow-ups-shared", "follow-up-due"]);
  });

  test("that is added after a visit without sharing sends no email", async () => {
    const { id } = await pastVisit();
    expect((await save(id, { followUp1: "Only mine", dueDay1: TODAY, note: "Calm." })).status).toBe(302);
    expect(await db.message.count()).toBe(0);
  });

  test("that is deleted drops its unsent email, unless that email covers another follow-up", async () => {
    const { id } = await pastVisit();
    const lines = { followUp1: "Call the school", dueDay1: TODAY, isShared1: "on" };
    await save(id, { ...lines, followUp2: "Send the plan", dueDay2: TODAY, isShared2: "on" });
    const other = await pastVisit({ appointmentDate: new Date(NOW.getTime() - 5 * 3_600_000 - 30_000) });
    await save(other.id, { followUp1: "Write", dueDay1: TODAY, isShared1: "on" });
    await add({ followUp: "Ask the teacher", dueDay: TODAY, isShared: "on" });
    await testing.writeFollowUpReminders();
    const mails = async () => {
      const rows = await db.message.findMany({ orderBy: { id: "asc" } });
      return rows.map(({ event, state, expiresAt }) => [event, state, expiresAt]);
    };
    const remove = async (text: string) => {
      const row = (await db.followUp.findMany()).find((each) => each.text === text);
      const response = await admin.form(`/families/${maria.id}/follow-ups/${row?.id}/delete`, {});
      expect(response.status).toBe(302);
    };
    const [waits, refused] = ["follow-ups-shared", "follow-ups-shared"];
    // The job that may be sending them stores no result then.
    const waiting = { state: "pending", attempts: 9, nextAttemptAt: new Date("2030-01-01T00:00Z") };
    await db.message.updateMany({ data: waiting });
    const last = await db.message.findFirstOrThrow({ where: { event: "follow-ups-shared" }, orderBy: { id: "desc" } });
    await db.message.update({ where: { id: last.id }, data: { state: "failed" } });
    await remove("Call the school");
    expect(await mails()).toEqual([
      [waits, "pending", null],
      [refused, "failed", null],
      ["follow-up-due", "pending", null],
    ]);
    await remove("Send the plan");
    await remove("Write");
    await remove("Ask the teacher");
    expect(await mails()).toEqual([
      [waits, "dropped", null],
      [refused, "failed", NOW],
      ["follow-up-due", "dropped", null],
    ]);
  });

  test("that is done gets no reminder email", async () => {
    await add({ followUp: "Ask the teacher", dueDay: "2026-11-23", isShared: "on" });
    await db.followUp.updateMany({ data: { doneAt: NOW } });
    setTestClock(() => new Date("2026-11-23T15:00:00Z"));
    await testing.writeFollowUpReminders();
    expect(await db.message.count()).toBe(0);
  });

  test.each([
    [{ followUp: "", dueDay: TODAY }, "Write what needs to be done."],
    [{ followUp: "Call", dueDay: "" }, "Choose when it is due."],
    [{ followUp: "Call", dueDay: "2026-11-19" }, "That day is over."],
  ])("with %j is refused with 422", async (fields, sentence) => {
    const response = await add(fields);
    expect([response.status, response.visibleText.includes(sentence)]).toEqual([422, true]);
    expect(await db.followUp.count()).toBe(0);
  });

  test("can't be added for an unknown family (404) or by a family (403)", async () => {
    expect((await add({ followUp: "Call", dueDay: TODAY }, 2_000_000_000)).status).toBe(404);
    expect((await maria.form(`/families/${maria.id}/follow-ups/new`, { followUp: "x", dueDay: TODAY })).status).toBe(
      403,
    );
    expect(await db.followUp.count()).toBe(0);
  });
});
