// Proves that every kind of message is stored in the same transaction as the change it reports: both or neither.
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { MAIL_EVENTS, type MailEvent } from "../../app/mail/mail-events.ts";
import { bookingBody, bookOrFail, nextFreeHour } from "../support/bookings.ts";
import { confirmIdentity } from "../support/confirm-identity.ts";
import { whileCommitsFail, whileInsertsFail } from "../support/database/broken-writes.ts";
import type { TestClient } from "../support/http-client.ts";
import { type Family, signInAs } from "../support/people.ts";
import { consultant, db, family, origin, setTestClock, testing, visitor } from "../support/site.ts";
import { textFile, uploadFile } from "../support/uploads.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NEW_PASSWORD = { newPassword: "a brand new one 7", confirmPassword: "a brand new one 7" };

let admin: TestClient;

beforeAll(async () => {
  admin = await consultant();
  // Jobs send what is due, and try again what failed.
  await testing.stopJobs();
});

/** A change that somebody makes, and what the database holds of it. */
type Change = { act: () => Promise<unknown>; state: () => Promise<unknown> };

const appointmentsOf = (own: Family) => () => db.appointment.findMany({ where: { userId: own.id } });
const userOf = (own: Family) => () => db.user.findUniqueOrThrow({ where: { id: own.id } });
const requestsOf = (email: string) => () => db.consultationRequest.findMany({ where: { email } });
const documentsOf = (own: Family) => () => db.document.findMany({ where: { userId: own.id }, select: { id: true } });
const newAddress = () => `${randomUUID()}@example.com`;

const request = (email: string) => ({
  firstName: "Ana",
  lastName: "Ruiz",
  email,
  serviceNeeds: "IEP",
  urgency: "routine",
  consent: true,
});
const erase = (own: Family) =>
  own.request("DELETE", "/api/me", {
    headers: { Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify({ password: own.password }),
  });
const knownFamily = async () => {
  const own = await family({ intake: true });
  await db.user.update({ where: { id: own.id }, data: { emailConfirmedAt: new Date() } });
  return own;
};
/** The path of the link in the newest message of an event. */
const linkOf = async (event: MailEvent, own: Family) =>
  (await db.message.findFirstOrThrow({ where: { event, userId: own.id }, orderBy: { id: "desc" } })).secretPath ?? "";

const asksForErasure = async (): Promise<Change> => {
  const own = await knownFamily();
  return { act: () => erase(own), state: userOf(own) };
};
const staysAfterAll = async (): Promise<Change> => {
  const own = await knownFamily();
  expect((await erase(own)).status).toBe(202);
  const back = await signInAs(origin, own.email, own.password);
  return { act: () => back.form("/keep-account", {}), state: userOf(own) };
};
const asksForConsultation = async (): Promise<Change> => {
  const email = newAddress();
  return { act: () => visitor().post("/api/consultation-requests", request(email)), state: requestsOf(email) };
};
const takenInCash = async (): Promise<Change> => {
  const own = await knownFamily();
  const { id } = await bookOrFail(own, { title: "Hourly Consulting" });
  return {
    act: () => admin.form(`/dashboard/appointments/${id}/payment`, { intent: "taken", method: "cash" }),
    state: () => db.payment.findMany({ where: { appointmentId: Number(id) } }),
  };
};

const CHANGES: Partial<Record<MailEvent, () => Promise<Change>>> = {
  "visit-booked": async () => {
    const own = await knownFamily();
    const body = bookingBody();
    return { act: () => own.post("/api/appointments/in-person", body), state: appointmentsOf(own) };
  },
  "visit-moved": async () => {
    const own = await knownFamily();
    const { id } = await bookOrFail(own);
    const slot = nextFreeHour();
    return {
      act: () => admin.form(`/dashboard/appointments/${id}/reschedule`, { slot }),
      state: appointmentsOf(own),
    };
  },
  "visit-cancelled": async () => {
    const own = await knownFamily();
    const { id } = await bookOrFail(own);
    return {
      act: () => admin.form(`/dashboard/appointments/${id}/cancel`, { reason: "I am ill." }),
      state: appointmentsOf(own),
    };
  },
  "visits-changed": async () => {
    const own = await knownFamily();
    const { id } = await bookOrFail(own);
    return { act: () => own.delete(`/api/appointments/${id}`), state: appointmentsOf(own) };
  },
  "document-added": async () => {
    const own = await knownFamily();
    const fields = { userId: String(own.id) };
    return { act: () => uploadFile(admin, { bytes: textFile(10), fields }), state: documentsOf(own) };
  },
  "request-received": asksForConsultation,
  "new-request": asksForConsultation,
  receipt: takenInCash,
  "password-reset": async () => {
    const own = await knownFamily();
    return {
      act: async () => {
        await visitor().post("/api/auth/forgot-password", { email: own.email });
        await testing.drainResetLinkQueue();
      },
      state: () => db.passwordReset.findMany({ where: { userId: own.id } }),
    };
  },
  "password-changed": async () => {
    const own = await knownFamily();
    const fields = { currentPassword: own.password, ...NEW_PASSWORD };
    return { act: () => own.post("/api/auth/change-password", fields), state: userOf(own) };
  },
  "account-made": async () => {
    const fields = { firstName: "Ana", lastName: "Ruiz", email: newAddress(), password: "rain on the roof 7" };
    return {
      act: () => visitor().post("/api/auth/register", fields),
      state: () => db.user.findMany({ where: { email: fields.email } }),
    };
  },
  "confirm-email": async () => {
    const own = await family();
    return {
      act: () => own.form("/messages", { intent: "confirm" }),
      state: () => db.emailConfirmation.findMany({ where: { userId: own.id } }),
    };
  },
  "email-change-requested": async () => {
    const own = await knownFamily();
    await confirmIdentity(own);
    const email = newAddress();
    return {
      act: () => own.form("/change-email", { email }),
      state: () => db.emailConfirmation.findMany({ where: { userId: own.id } }),
    };
  },
  "email-changed": async () => {
    const own = await knownFamily();
    await confirmIdentity(own);
    expect((await own.form("/change-email", { email: newAddress() })).status).toBe(302);
    const link = await linkOf("email-change-requested", own);
    return { act: () => own.form(link, {}), state: userOf(own) };
  },
  "account-changed": async () => {
    const own = await knownFamily();
    return {
      act: () => own.post("/api/calendar-feed", {}),
      state: () => db.calendarFeed.findMany({ where: { userId: own.id } }),
    };
  },
  "consent-withdrawn": async () => {
    const own = await knownFamily();
    await own.form("/consents/recording", { intent: "sign", version: "2026-11-23", signedName: own.name });
    const { id } = await db.consent.findFirstOrThrow({ where: { userId: own.id } });
    return {
      act: () => admin.form(`/families/${own.id}/consents/${id}/withdraw`, {}),
      state: () => db.consent.findMany({ where: { userId: own.id } }),
    };
  },
  invitation: async () => {
    const email = newAddress();
    return {
      act: () => admin.form("/families/invitations", { firstName: "Ana", lastName: "Ruiz", email }),
      state: () => db.invitation.findMany({ where: { email } }),
    };
  },
  "follow-ups-shared": async () => {
    const own = await knownFamily();
    const visit = { title: "Hourly Consulting", type: "consultation", appointmentDate: new Date("2026-11-02T15:00Z") };
    const { id } = await db.appointment.create({ data: { ...visit, userId: own.id } });
    const fields = { status: "completed", followUp1: "Call the school", dueDay1: "2028-01-10", isShared1: "on" };
    return {
      act: () => admin.form(`/dashboard/appointments/${id}/after`, fields),
      state: () => db.followUp.findMany({ where: { userId: own.id } }),
    };
  },
  "erasure-requested": asksForErasure,
  "family-leaves": asksForErasure,
  "erasure-withdrawn": staysAfterAll,
  "family-stays": staysAfterAll,
  "new-legal-request": async () => {
    const email = newAddress();
    const fields = { kind: "privacy", name: "Ana Ruiz", email, text: "A copy, please." };
    return {
      act: () => visitor().form("/legal-request", fields),
      state: () => db.complianceCase.findMany({ where: { email } }),
    };
  },
  "new-device": async () => {
    const own = await knownFamily();
    return {
      act: () => visitor().post("/api/auth/login", { email: own.email, password: own.password }),
      state: () => db.session.findMany({ where: { userId: own.id }, select: { sid: true } }),
    };
  },
};

/** Runs a job as its timer does: an error ends this run, not the process. */
const run = (job: () => unknown) => async () => void (await Promise.resolve(job()).catch(() => null));
const inHours = (hours: number) => new Date(Math.trunc(Date.now() / MINUTE_MS) * MINUTE_MS + hours * HOUR_MS);
const messagesOf = (appointmentId: number) => () =>
  db.message.findMany({ where: { appointmentId }, select: { event: true, state: true } });
const visitIn = async (hours: number) => {
  const own = await knownFamily();
  const visit = { title: "Hourly Consulting", type: "consultation", createdAt: inHours(-48) };
  return db.appointment.create({ data: { ...visit, userId: own.id, appointmentDate: inHours(hours) } });
};

/** What jobs do by themselves. */
const CHANGES_BY_JOBS: Partial<Record<MailEvent, () => Promise<Change>>> = {
  "visit-reminder-24h": async () => {
    const { id } = await visitIn(23);
    return { act: run(testing.writeVisitReminders), state: messagesOf(id) };
  },
  "visit-reminder-1h": async () => {
    const { id, userId } = await visitIn(0.5);
    const earlier = { key: randomUUID(), name: randomUUID(), event: "visit-reminder-24h", address: newAddress() };
    const row = { ...earlier, userId, appointmentId: id, content: "{}", state: "pending" };
    await db.message.create({ data: { ...row, nextAttemptAt: new Date(), createdAt: new Date() } });
    return { act: run(testing.writeVisitReminders), state: messagesOf(id) };
  },
  "follow-up-due": async () => {
    const own = await knownFamily();
    const due = { text: "Call the school", dueDay: "2026-01-10", isShared: true };
    await db.followUp.create({ data: { ...due, userId: own.id } });
    // Families are reminded from 8 AM in the practice's time zone, whenever this test runs.
    const afternoon = new Date(`${new Date().toISOString().slice(0, 10)}T20:00:00Z`);
    return {
      act: async () => {
        setTestClock(() => afternoon);
        await run(testing.writeFollowUpReminders)();
        setTestClock(() => new Date());
      },
      state: () => db.followUp.findMany({ where: { userId: own.id } }),
    };
  },
  "waiting-list-offer": async () => {
    const own = await knownFamily();
    const day = nextFreeHour().slice(0, 10);
    const { id } = await db.waitingListEntry.create({ data: { userId: own.id, day, duration: 60 } });
    const job = testing.JOBS.find(({ name }) => name === "offering freed times")!;
    return {
      act: run(() => job.run(new AbortController().signal)),
      state: () => db.waitingListOffer.findMany({ where: { entryId: id }, include: { hold: true } }),
    };
  },
};

/** Written after the provider's answer, which no request waits for. */
const AFTER_PAYMENTS: MailEvent[] = ["visit-not-booked", "payment-returned"];

test("every mail event except those written after the provider's answer is covered here", () => {
  expect([...Object.keys(CHANGES), ...Object.keys(CHANGES_BY_JOBS), ...AFTER_PAYMENTS].toSorted()).toEqual(
    Object.keys(MAIL_EVENTS).toSorted(),
  );
});

test.each(Object.entries({ ...CHANGES, ...CHANGES_BY_JOBS }))(
  "%s: a failed message insert rolls back the change, and a failed commit stores no message",
  async (event, prepare) => {
    const { act, state } = await prepare();
    const messages = () => db.message.count({ where: { event } });
    const [before, count] = [await state(), await messages()];
    // What is not mailed is not done.
    await whileInsertsFail(db, "messages", act);
    expect(await state()).toEqual(before);
    // What is not done is not mailed.
    await whileCommitsFail(db, act);
    expect([await state(), await messages()]).toEqual([before, count]);
    await act();
    expect(await messages()).toBeGreaterThan(count);
    expect(await state()).not.toEqual(before);
  },
);
