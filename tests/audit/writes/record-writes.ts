import { bookingBody } from "../../support/bookings.ts";
import { confirmIdentity } from "../../support/confirm-identity.ts";
import type { TestClient } from "../../support/http-client.ts";
import { type Family, intakeForm } from "../../support/people.ts";
import { site } from "../../support/site-with-square.ts";
import { textFile, uploadFile } from "../../support/uploads.ts";
import {
  admin,
  adminId,
  byConsultant,
  byFamily,
  confirmedFamily,
  devon,
  expectSuccess,
  newRequest,
  NOBODY,
  type Write,
  type Writes,
} from "./write.ts";

const { db, family, visitor } = site;

/** A document that the consultant keeps for herself, of a family of its own. */
async function document(isShared: boolean) {
  const own = await confirmedFamily();
  const fields = { userId: String(own.id), isSharedWithClient: String(isShared) };
  const { id } = (await uploadFile(admin, { bytes: textFile(10), fields })).json;
  return { ...byConsultant(own), own, object: () => Number(id), id: Number(id) };
}
const share = (id: number, isShared: boolean) => admin.form(`/documents/${id}/sharing`, { isShared: String(isShared) });

const DOCUMENTS: Writes = {
  "document-uploaded": async () => {
    const own = await confirmedFamily();
    const object = async () => (await db.document.findFirstOrThrow({ where: { userId: own.id } })).id;
    const send = (fileName: string) => uploadFile(own, { fileName, bytes: textFile(10) });
    return { ...byFamily(own), object, act: () => expectSuccess(send("a.txt")), refused: () => send("tool.exe") };
  },
  "document-shared": async () => {
    const { id, own: _, ...names } = await document(false);
    return {
      ...names,
      act: () => expectSuccess(share(id, true)),
      refused: () => devon.form(`/documents/${id}/sharing`, { isShared: "true" }),
    };
  },
  "document-unshared": async () => {
    const { id, own: _, ...names } = await document(true);
    return {
      ...names,
      act: () => expectSuccess(share(id, false)),
      refused: () => devon.form(`/documents/${id}/sharing`, { isShared: "false" }),
    };
  },
  "document-deleted": async () => {
    const { id, own: _, ...names } = await document(true);
    const remove = (who: TestClient) => who.delete(`/api/documents/${id}`);
    return { ...names, act: () => expectSuccess(remove(admin)), refused: () => remove(devon) };
  },
  "intake-submitted": async () => {
    const own = await family();
    const object = async () => (await db.intakeForm.findUniqueOrThrow({ where: { userId: own.id } })).id;
    const send = (more: object) => own.post("/api/intake-forms", { ...intakeForm(own), ...more });
    return { ...byFamily(own), object, act: () => expectSuccess(send({})), refused: () => send({ childName: "" }) };
  },
};

/** A request of somebody without an account. */
async function request() {
  const { id } = await db.consultationRequest.create({ data: newRequest() });
  return { id, actor: adminId, family: null, object: () => id };
}
const newestRequest = async () => (await db.consultationRequest.findFirstOrThrow({ orderBy: { id: "desc" } })).id;

const REQUESTS: Writes = {
  "request-sent": async () => {
    const send = (more: object) => visitor().post("/api/consultation-requests", { ...newRequest(), ...more });
    const names = { actor: null, family: null, object: newestRequest };
    return { ...names, act: () => expectSuccess(send({})), refused: () => send({ consent: false }) };
  },
  "request-entered": async () => {
    const call = {
      firstName: "Ana",
      lastName: "Vega",
      phone: "8485550110",
      serviceNeeds: "IEP",
      urgency: "routine",
      consent: "on",
    };
    const enter = (more: object) => admin.form("/requests/new", { ...call, ...more });
    const names = { actor: adminId, family: null, object: newestRequest };
    return { ...names, act: () => expectSuccess(enter({})), refused: () => enter({ serviceNeeds: "" }) };
  },
  "request-scheduled": async () => {
    const { id, ...names } = await request();
    const schedule = (consultationRequestId: number) =>
      admin.post("/api/appointments/from-consultation", { ...bookingBody(), consultationRequestId });
    return { ...names, act: () => expectSuccess(schedule(id)), refused: () => schedule(NOBODY) };
  },
  "request-deleted": async () => {
    const { id, ...names } = await request();
    const remove = (of: number) => admin.delete(`/api/consultation-requests/${of}`);
    return { ...names, act: () => expectSuccess(remove(id)), refused: () => remove(NOBODY) };
  },
  "request-erased": async () => {
    const { id, ...names } = await request();
    await confirmIdentity(admin);
    const erase = (of: number) => admin.form(`/dashboard/requests/${of}/erase`, {});
    return { ...names, act: () => expectSuccess(erase(id)), refused: () => erase(NOBODY) };
  },
};

/** A note of the consultant's about a family of its own. */
async function note() {
  const own = await family();
  await expectSuccess(admin.form(`/families/${own.id}`, { text: "Leo was calm." }));
  const { id } = await db.familyNote.findFirstOrThrow({ where: { userId: own.id } });
  const page = (name: string, of = own.id) => `/families/${of}/notes/${id}/${name}`;
  return { page, names: { ...byConsultant(own), object: () => id } };
}
/** A follow-up of the consultant's for a family of its own, and what changes it. */
async function followUp(): Promise<{
  change: (intent: string, of?: number) => ReturnType<Family["form"]>;
  names: Omit<Write, "act" | "refused">;
}> {
  const own = await family();
  await expectSuccess(admin.form(`/families/${own.id}/follow-ups/new`, { followUp: "Call", dueDay: "2028-01-10" }));
  const { id } = await db.followUp.findFirstOrThrow({ where: { userId: own.id } });
  const change = (intent: string, of = own.id) =>
    intent === "deleted"
      ? admin.form(`/families/${of}/follow-ups/${id}/delete`, {})
      : admin.form(`/families/${of}`, { intent, id: String(id) });
  return { change, names: { ...byConsultant(own), object: () => id } };
}

const NOTES: Writes = {
  "note-added": async () => {
    const own = await family();
    const object = async () => (await db.familyNote.findFirstOrThrow({ where: { userId: own.id } })).id;
    const add = (text: string) => admin.form(`/families/${own.id}`, { text });
    return { ...byConsultant(own), object, act: () => expectSuccess(add("Calm.")), refused: () => add("") };
  },
  "note-changed": async () => {
    const { page, names } = await note();
    const change = (of?: number) => admin.form(page("edit", of), { text: "Leo was tired." });
    return { ...names, act: () => expectSuccess(change()), refused: () => change(devon.id) };
  },
  "note-deleted": async () => {
    const { page, names } = await note();
    const remove = (of?: number) => admin.form(page("delete", of), {});
    return { ...names, act: () => expectSuccess(remove()), refused: () => remove(devon.id) };
  },
  "follow-up-added": async () => {
    const own = await family();
    const object = async () => (await db.followUp.findFirstOrThrow({ where: { userId: own.id } })).id;
    const add = (text: string) =>
      admin.form(`/families/${own.id}/follow-ups/new`, { followUp: text, dueDay: "2028-01-10" });
    return { ...byConsultant(own), object, act: () => expectSuccess(add("Call")), refused: () => add("") };
  },
  "follow-up-done": async () => {
    const { change, names } = await followUp();
    return { ...names, act: () => expectSuccess(change("done")), refused: () => change("done", devon.id) };
  },
  "follow-up-reopened": async () => {
    const { change, names } = await followUp();
    await expectSuccess(change("done"));
    return { ...names, act: () => expectSuccess(change("reopened")), refused: () => change("reopened", devon.id) };
  },
  "follow-up-deleted": async () => {
    const { change, names } = await followUp();
    return { ...names, act: () => expectSuccess(change("deleted")), refused: () => change("deleted", devon.id) };
  },
};

export const RECORD_WRITES: Writes = { ...DOCUMENTS, ...REQUESTS, ...NOTES };
