import { bookingBody, bookOrFail, nextFreeHour } from "../../support/bookings.ts";
import type { TestClient } from "../../support/http-client.ts";
import type { Family } from "../../support/people.ts";
import { site } from "../../support/site-with-square.ts";
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
  type Writes,
} from "./write.ts";

const { db, family } = site;

/** A visit of a family of its own, and its pages for the consultant. */
async function visit() {
  const own = await confirmedFamily();
  const id = Number((await bookOrFail(own)).id);
  return { own, id, page: (name = "", of = id) => `/dashboard/appointments/${of}${name}` };
}
const newestOf = (own: Family) => async () =>
  (await db.appointment.findFirstOrThrow({ where: { userId: own.id }, orderBy: { id: "desc" } })).id;

/** A visit that was scheduled from a request of somebody without an account. */
async function visitWithoutAccount() {
  const request = await db.consultationRequest.create({ data: { ...newRequest(), status: "scheduled" } });
  const fields = { title: "Initial Consultation", type: "consultation", appointmentDate: nextFreeHour() };
  return (await db.appointment.create({ data: { ...fields, consultationRequestId: request.id } })).id;
}
const claimLink = (id: number, by: TestClient = admin) => by.form(`/dashboard/appointments/${id}/claim-link`, {});

const VISITS: Writes = {
  "appointment-booked": async () => {
    const own = await confirmedFamily();
    const book = (more: Record<string, unknown>) => own.post("/api/appointments/in-person", bookingBody(more));
    return {
      ...byFamily(own),
      object: newestOf(own),
      act: () => expectSuccess(book({})),
      refused: () => book({ duration: 5 }),
    };
  },
  "appointment-moved": async () => {
    const { own, id } = await visit();
    const slot = nextFreeHour();
    const move = (who: Family) => who.form(`/appointments/${id}/move`, { slot });
    return { ...byFamily(own), object: () => id, act: () => expectSuccess(move(own)), refused: () => move(devon) };
  },
  "appointment-cancelled": async () => {
    const { own, id } = await visit();
    const cancel = (who: Family) => who.form(`/appointments/${id}/cancel`, {});
    return { ...byFamily(own), object: () => id, act: () => expectSuccess(cancel(own)), refused: () => cancel(devon) };
  },
  "appointment-changed": async () => {
    const { own, id, page } = await visit();
    const set = (of: number) => admin.form(page("", of), { status: "completed" });
    return { ...byConsultant(own), object: () => id, act: () => expectSuccess(set(id)), refused: () => set(NOBODY) };
  },
  "appointment-deleted": async () => {
    const { own, id } = await visit();
    const remove = (of: number) => admin.delete(`/api/appointments/${of}`);
    return {
      ...byConsultant(own),
      object: () => id,
      act: () => expectSuccess(remove(id)),
      refused: () => remove(NOBODY),
    };
  },
  "appointment-waived": async () => {
    const { own, id, page } = await missedVisit();
    const waive = (of: number) => admin.form(page(of), { intent: "waive", waiveReason: "She was ill." });
    return {
      ...byConsultant(own),
      object: () => id,
      act: () => expectSuccess(waive(id)),
      refused: () => waive(NOBODY),
    };
  },
  "appointment-unwaived": async () => {
    const { own, id, page } = await missedVisit();
    await expectSuccess(admin.form(page(id), { intent: "waive", waiveReason: "She was ill." }));
    const takeBack = (who: TestClient) => who.form(page(id), { intent: "unwaive" });
    return {
      ...byConsultant(own),
      object: () => id,
      act: () => expectSuccess(takeBack(admin)),
      refused: () => takeBack(devon),
    };
  },
  "claim-link-made": async () => {
    const id = await visitWithoutAccount();
    return {
      actor: adminId,
      family: null,
      object: () => id,
      act: () => expectSuccess(claimLink(id)),
      refused: () => claimLink(NOBODY),
    };
  },
  "appointment-claimed": async () => {
    const own = await confirmedFamily();
    const id = await visitWithoutAccount();
    const [path = ""] = /\/claim-visit\/[\w-]+/.exec((await claimLink(id)).text) ?? [];
    return {
      ...byFamily(own),
      object: () => id,
      act: () => expectSuccess(own.form(path, {})),
      refused: () => own.form("/claim-visit/a-link-nobody-was-given", {}),
    };
  },
  "questions-answered": async () => {
    const { own, id } = await visit();
    const answer = (who: Family) => who.form(`/appointments/${id}/questions`, { important: "Leo's aide" });
    return { ...byFamily(own), object: () => id, act: () => expectSuccess(answer(own)), refused: () => answer(devon) };
  },
};

let days = 0;

/** A visit that the family missed, and the page of its money. */
async function missedVisit() {
  const own = await confirmedFamily();
  const appointmentDate = new Date(Date.parse("2026-03-02T15:00Z") + (days += 1) * 86_400_000);
  const fields = { title: "Hourly Consulting", type: "consultation", status: "no-show", paymentAmountCents: 7500 };
  const { id } = await db.appointment.create({ data: { ...fields, appointmentDate, userId: own.id } });
  return { own, id, page: (of: number) => `/dashboard/appointments/${of}/payment` };
}

/** A day of its own that is full, and the consultant's visits on it. */
async function fullDay() {
  const owner = await family();
  const day = new Date(Date.parse("2027-06-01T13:00Z") + (days += 1) * 7 * 86_400_000);
  const date = day.toISOString().slice(0, 10);
  await expectSuccess(admin.form("/calendar/hours", { kind: "open", from: date, opens: "09:00", closes: "10:00" }));
  const fields = { title: "Hourly Consulting", type: "consultation", appointmentDate: day, userId: owner.id };
  const { id } = await db.appointment.create({ data: fields });
  return { date, id };
}
const WAITING_LIST = "/appointments/waiting-list";
const offerTimes = async () =>
  site.testing.JOBS.find(({ name }) => name === "offering freed times")!.run(new AbortController().signal);

/** A family that waits for a full day. */
async function waiting() {
  const own = await family({ intake: true });
  const { date, id: visitId } = await fullDay();
  await expectSuccess(own.form(WAITING_LIST, { day: date, duration: "60" }));
  const { id } = await db.waitingListEntry.findFirstOrThrow({ where: { userId: own.id } });
  return { own, id, visitId };
}

const WAITING_LISTS: Writes = {
  "waiting-list-joined": async () => {
    const own = await family({ intake: true });
    const { date } = await fullDay();
    const join = (day: string) => own.form(WAITING_LIST, { day, duration: "60" });
    return { ...byFamily(own), act: () => expectSuccess(join(date)), refused: () => join("2027-05-30") };
  },
  "waiting-list-left": async () => {
    const { own, id } = await waiting();
    const leave = (who: Family) => who.form(WAITING_LIST, { change: "leave", id: String(id) });
    return { ...byFamily(own), act: () => expectSuccess(leave(own)), refused: () => leave(devon) };
  },
  "waiting-list-offered": async () => {
    const { own, visitId } = await waiting();
    await expectSuccess(admin.delete(`/api/appointments/${visitId}`));
    const refused = () => devon.form(WAITING_LIST, { change: "take", id: String(NOBODY) });
    return { ...byFamily(own), actor: null, act: offerTimes, refused };
  },
  "waiting-list-declined": async () => {
    const { own, visitId } = await waiting();
    await expectSuccess(admin.delete(`/api/appointments/${visitId}`));
    await offerTimes();
    const { id } = await db.waitingListOffer.findFirstOrThrow({ where: { entry: { userId: own.id } } });
    const decline = (who: Family) => who.form(WAITING_LIST, { change: "decline", id: String(id) });
    return { ...byFamily(own), act: () => expectSuccess(decline(own)), refused: () => decline(devon) };
  },
};

export const VISIT_WRITES: Writes = { ...VISITS, ...WAITING_LISTS };
