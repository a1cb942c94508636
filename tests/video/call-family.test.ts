// Proves who reads a family's intake form during a call and writes notes there.
import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { createVideoAppointment, startNextSlot, startVideoAppointment } from "../support/call-scenarios.ts";
import { intakeForm } from "../support/people.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";

afterEach(() => setTestClock(null));

const SECRET = "Only the consultant reads this answer.";
const SECRET_NOTE = "Only the consultant reads this note.";

/** A visit in progress of a family with an intake form. */
async function meeting() {
  const { maria, consulting, appointment } = await startVideoAppointment(1);
  const withForm = await family({ intake: true });
  await withForm.post("/api/intake-forms", { ...intakeForm(withForm), otherConcerns: SECRET });
  await db.appointment.update({ where: { id: appointment.id }, data: { userId: withForm.id } });
  return {
    owner: withForm,
    other: maria,
    consulting,
    id: appointment.id,
    path: `/video-call/${appointment.id}/family`,
  };
}

describe("the consultant's family panel in a call", () => {
  test("shows the intake form, marks it as reviewed and creates an audit log entry", async () => {
    const { owner, consulting, path } = await meeting();
    const opened = () => db.auditEntry.count({ where: { action: "intake-opened", familyId: owner.id } });
    const before = await opened();
    const response = await consulting.get(path);
    expect([response.status, response.headers["cache-control"]]).toEqual([200, "private, no-store"]);
    expect(response.text).toContain(SECRET);
    expect((await opened()) - before).toBe(1);
    const form = await db.intakeForm.findUniqueOrThrow({ where: { userId: owner.id } });
    expect(form.reviewedAt).not.toBeNull();
  });

  test("stores a note for the visit; an empty note gets 422", async () => {
    const { owner, consulting, path, id } = await meeting();
    const notes = () => db.familyNote.findMany({ where: { userId: owner.id } });
    expect((await consulting.form(path, { text: SECRET_NOTE })).json).toEqual({ isSaved: true });
    expect(await notes()).toMatchObject([{ appointmentId: id, text: SECRET_NOTE }]);
    const empty = await consulting.form(path, { text: "  " });
    expect([empty.status, empty.json]).toEqual([422, { message: "Write a note." }]);
    expect(await notes()).toHaveLength(1);
  });

  test("starts with a family briefing of at most ten documents; each opening creates an audit log entry", async () => {
    const { owner, consulting, path, id } = await meeting();
    await consulting.form(path, { text: SECRET_NOTE });
    const due = { paymentMethod: "in-person", paymentAmountCents: 7500 };
    await db.appointment.update({ where: { id }, data: due });
    await owner.form(`/appointments/${id}/questions`, { important: "More speech therapy" });
    const followUp = { followUp: "Call the school", dueDay: "2028-12-07" };
    await consulting.form(`/families/${owner.id}/follow-ups/new`, followUp);
    const upload = { userId: owner.id, uploadedById: owner.id, uploadedAt: new Date(), filePath: randomUUID() };
    await db.document.create({
      data: { ...upload, fileName: "Evaluation.pdf", fileType: "application/pdf", fileSize: 1 },
    });
    const opened = () => db.auditEntry.count({ where: { action: "family-page-opened", familyId: owner.id } });
    const before = await opened();
    const { visibleText } = await consulting.get(`/video-call/${id}`);
    for (const text of [
      "Before you start",
      SECRET,
      SECRET_NOTE,
      "More speech therapy",
      "Call the school",
      "Evaluation",
    ])
      expect(visibleText).toContain(text);
    expect(visibleText).toMatch(/Money due\s*\$75 for today's visit/);
    expect((await opened()) - before).toBe(1);
    // Ten are listed, and she reads that there are others.
    await db.document.createMany({
      data: Array.from({ length: 12 }, (_, index) => ({
        ...upload,
        filePath: randomUUID(),
        fileName: `Report ${index}.pdf`,
        fileType: "application/pdf",
        fileSize: 1,
      })),
    });
    const briefing = (await consulting.get(`/video-call/${id}`)).document.querySelector(".briefing");
    expect(briefing?.textContent).toMatch(/Documents you have not opened.*and 3 more/);
    expect(briefing?.textContent).not.toMatch(/Open follow-ups.*and \d+ more.*Documents/);
    expect((await opened()) - before).toBe(2);
    expect((await owner.get(`/video-call/${id}`)).visibleText).not.toContain("Before you start");
    expect((await opened()) - before).toBe(2);
  });

  test("is empty for a visit without an account, and a note there gets 409", async () => {
    await startNextSlot();
    const consulting = await consultant();
    const path = `/video-call/${(await createVideoAppointment(null)).id}/family`;
    const response = await consulting.get(path);
    expect([response.status, response.json]).toEqual([200, null]);
    expect((await consulting.form(path, { text: SECRET_NOTE })).status).toBe(409);
  });

  test("returns 404 for every family, same body as for an unknown id; a family's call page has none of its data", async () => {
    const { owner, other, consulting, path, id } = await meeting();
    await consulting.form(path, { text: SECRET_NOTE });
    const missingPath = "/video-call/2000000000/family";
    for (const client of [owner, other]) {
      for (const ask of ["get", "form"] as const) {
        const call = (address: string) => (ask === "get" ? client.get(address) : client.form(address, { text: "x" }));
        const [response, missing] = [await call(path), await call(missingPath)];
        expect([response.status, response.text]).toEqual([404, missing.text]);
        expect(missing.status).toBe(404);
      }
    }
    for (const address of [`/video-call/${id}`, `/video-call/${id}.data`]) {
      const page = await owner.get(address);
      for (const hidden of [SECRET, SECRET_NOTE, "Private note", "Before you start"])
        expect(page.text).not.toContain(hidden);
    }
    expect(await db.familyNote.count({ where: { userId: owner.id } })).toBe(1);
  });
});
