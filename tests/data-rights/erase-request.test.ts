// Proves that the consultant can copy and delete everything about a person without an account, and nobody else can.
import { beforeAll, describe, expect, test } from "vitest";
import { bookingBody } from "../support/bookings.ts";
import { allBytesAtRest } from "../support/bytes-at-rest.ts";
import { consultant, db, environment, family, folder, setTestClock, visitor } from "../support/site.ts";

let admin: Awaited<ReturnType<typeof consultant>>;
let requestCount = 0;

beforeAll(async () => {
  admin = await consultant();
});

/** A visitor's request with words that stand nowhere else. */
async function request(changes: { email?: string } = {}) {
  const word = `quokka${(requestCount += 1)}`;
  const fields = {
    firstName: `${word}first`,
    lastName: `${word}last`,
    email: `${word}@example.org`,
    phone: "7325550111",
    serviceNeeds: `${word}needs`,
    message: `${word}message`,
    urgency: "routine",
    consent: true,
    ...changes,
  };
  const sent = await visitor().post("/api/consultation-requests", fields);
  expect(sent.status).toBe(201);
  return { id: sent.json.id as number, word, email: fields.email };
}

/** A request with a visit to come, paid in cash. */
async function requestWithVisit(changes: { email?: string } = {}) {
  const sent = await request(changes);
  const booking = bookingBody({
    title: `${sent.word}title`,
    notes: `${sent.word}notes`,
  });
  const made = await admin.post("/api/appointments/from-consultation", { ...booking, consultationRequestId: sent.id });
  expect(made.status).toBe(201);
  const paid = { intent: "taken", method: "cash", note: `${sent.word}note` };
  const visitId = made.json.id as number;
  expect((await admin.form(`/dashboard/appointments/${visitId}/payment`, paid)).status).toBe(302);
  return { ...sent, visitId };
}

const erase = (id: number | string, person = admin) => person.form(`/dashboard/requests/${id}/erase`, {});
const copy = (id: number | string, person = admin) => person.get(`/requests/${id}/everything.json`);

/** Every row that may name a person without an account, as the product reads it. */
async function storedRecords(): Promise<string> {
  // PostgreSQL returns a row that a job has updated after the others.
  const orderBy = { id: "asc" } as const;
  return JSON.stringify([
    await db.consultationRequest.findMany({ orderBy }),
    await db.appointment.findMany({ orderBy, include: { visitAnswers: true } }),
    await db.payment.findMany({ orderBy, include: { refunds: true } }),
    await db.message.findMany({ orderBy, select: { key: true, address: true, content: true } }),
    await db.invitation.findMany({ orderBy }),
    await db.complianceCase.findMany({ orderBy }),
  ]);
}

describe("a person without an account", () => {
  test("is deleted with its visit and mail; the payment stays in the books without a name", async () => {
    const { id, word, visitId } = await requestWithVisit();
    expect(await storedRecords()).toContain(word);
    const days = { receivedDay: "2026-11-23", dueDay: "2026-12-23", kind: "privacy", email: `${word}@example.org` };
    await db.complianceCase.create({ data: { ...days, name: `${word}first`, text: word, closedAt: new Date() } });
    expect((await admin.delete(`/api/appointments/${visitId}`)).status).toBe(200);
    const list = await admin.get("/requests?status=scheduled");
    expect(list.visibleText).toContain(`Delete everything about ${word}first ${word}last`);
    const page = await admin.get(`/dashboard/requests/${id}/erase?from=/requests`);
    expect(page.visibleText).toContain("1 payment will stay in your books, without a name.");
    expect((await erase(id)).status).toBe(302);
    expect((await admin.get("/dashboard")).visibleText).toContain(
      `We hold nothing about ${word}first ${word}last any more but the payments in your books.`,
    );
    expect(await storedRecords()).not.toContain(word);
    expect(await db.message.count({ where: { key: { contains: `visitor, request ${id}, for ` } } })).toBe(0);
    expect(await allBytesAtRest([folder], environment.DATABASE_URL)).not.toContain(word);
    const [payment] = await db.payment.findMany({ where: { method: "cash" }, orderBy: { id: "desc" }, take: 1 });
    expect([payment?.amountCents, payment?.state, payment?.note]).toEqual([7500, "paid", null]);
    expect((await erase(id)).status).toBe(404);
  });

  test("can be copied before: request, visit, payment with the note, and mail, which is written down", async () => {
    const { id, word, visitId } = await requestWithVisit();
    const file = await copy(id);
    expect([file.status, file.headers["content-disposition"]]).toEqual([
      200,
      `attachment; filename="request-${id}-everything.json"`,
    ]);
    const { consultationRequest, appointments, payments, messages } = file.json;
    expect(consultationRequest).toMatchObject({ firstName: `${word}first`, message: `${word}message` });
    expect(appointments).toMatchObject([{ id: visitId, notes: `Client: ${word}first ${word}last\n${word}notes` }]);
    expect(payments).toMatchObject([{ amountCents: 7500, note: `${word}note` }]);
    expect(messages.length).toBeGreaterThan(0);
    expect(await db.auditEntry.count({ where: { action: "request-exported", objectId: id } })).toBe(1);
  });

  test("keeps its mail while another request came from the same address", async () => {
    const first = await request();
    const second = await requestWithVisit({ email: first.email });
    const countMail = () => db.message.count({ where: { userId: null } });
    const count = await countMail();
    expect((await erase(first.id)).status).toBe(302);
    expect((await admin.get("/dashboard")).visibleText).toContain("Other records with the same address are still here");
    expect(await countMail()).toBe(count);
    expect(await storedRecords()).not.toContain(first.word.concat("needs"));
    expect((await copy(second.id)).json.consultationRequest).toMatchObject({ email: first.email });
  });

  test("leaves what has the same address, which nobody proved: of an account, of someone who is invited", async () => {
    const own = await family();
    const days = { receivedDay: "2026-11-23", dueDay: "2026-12-23", kind: "privacy" };
    await db.complianceCase.create({
      data: { ...days, name: own.name, email: own.email, text: "-", closedAt: new Date() },
    });
    const stranger = await request({ email: own.email });
    expect((await copy(stranger.id)).json).toMatchObject({ legalRequests: [], invitations: [] });
    expect((await erase(stranger.id)).status).toBe(302);
    expect(await db.complianceCase.count({ where: { email: own.email } })).toBe(1);

    const email = "invited.quokka@example.org";
    const invited = { firstName: "Ida", lastName: "Quist", email };
    expect((await admin.form("/families/invitations", invited)).status).toBe(302);
    const other = await request({ email });
    expect((await copy(other.id)).json.invitations).toEqual([]);
    expect((await erase(other.id)).status).toBe(302);
    expect(await db.invitation.count({ where: { email } })).toBe(1);
  });
});

describe("nothing is deleted", () => {
  test("while the visit is still to come", async () => {
    const { id, word } = await requestWithVisit();
    const before = await storedRecords();
    const page = await admin.get(`/dashboard/requests/${id}/erase`);
    expect([page.status, page.visibleText]).toEqual([409, expect.stringContaining("Cancel the visit first")]);
    const refused = await erase(id);
    expect(refused.status).toBe(302);
    expect((await admin.get("/dashboard")).visibleText).toContain("Nothing was deleted. The visit of this request");
    expect(await storedRecords()).toBe(before);
    expect(before).toContain(word);
  });

  test("while its person was told of the visit, and does not know yet that it is canceled", async () => {
    const { id, visitId } = await requestWithVisit();
    await db.appointment.update({ where: { id: visitId }, data: { toldAt: new Date() } });
    const cancel = { reason: "I am ill." };
    expect((await admin.form(`/dashboard/appointments/${visitId}/cancel`, cancel)).status).toBe(302);
    expect(await db.appointment.findUnique({ where: { id: visitId } })).toMatchObject({
      status: "cancelled",
      toldAt: null,
    });
    expect((await admin.get(`/dashboard/requests/${id}/erase`)).visibleText).toContain("Tell the person first");
    const before = await storedRecords();
    expect((await erase(id)).status).toBe(302);
    expect(await storedRecords()).toBe(before);
  });

  test("when the visit belongs to an account, and neither is copied", async () => {
    const { id, visitId } = await requestWithVisit();
    const { id: userId } = await family();
    await db.appointment.update({ where: { id: visitId }, data: { userId, status: "completed" } });
    const before = await storedRecords();
    expect((await erase(id)).status).toBe(302);
    expect((await admin.get("/dashboard")).visibleText).toContain("belongs to a family with an account");
    expect([(await copy(id)).status, (await copy(id)).text]).toEqual([409, expect.not.stringContaining("quokka")]);
    expect(await storedRecords()).toBe(before);
  });

  test.each(["0", "1.5", "987654", "abc", "9".repeat(400)])("for the request %j, which does not exist", async (id) => {
    expect([(await erase(id)).status, (await copy(id)).status]).toEqual([404, 404]);
  });

  test("by a family, a visitor, or a session that did not give its password again", async () => {
    const { id } = await request();
    const before = await storedRecords();
    const someone = await family();
    expect([(await erase(id, someone)).status, (await copy(id, someone)).status]).toEqual([403, 403]);
    const stranger = visitor();
    expect([(await stranger.form(`/dashboard/requests/${id}/erase`, {})).status]).toEqual([302]);
    expect((await stranger.get(`/requests/${id}/everything.json`)).headers.location).toContain("/login");
    setTestClock(() => new Date(Date.now() + 11 * 60_000));
    expect((await erase(id)).headers.location).toContain("/confirm-identity");
    expect((await copy(id)).headers.location).toContain("/confirm-identity");
    setTestClock(null);
    expect(await storedRecords()).toBe(before);
  });
});
