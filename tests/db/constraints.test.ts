// Proves that the database itself refuses overlaps, invalid values and unsafe deletions.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isOverlapViolation, isUniqueViolation } from "../../app/db/database-errors.server.ts";
import {
  SLOT_START,
  APPOINTMENT_FIELDS,
  createAppointment,
  database,
  db,
  insertRawAppointment,
  isSqlite,
  createUser,
  minutesAfterStart,
  rejectionReasons,
} from "../support/database/database-fixture.ts";

const { inTransaction } = database;

describe("the database itself rejects overlapping appointments", () => {
  test.each([
    ["the same time", 0, 60],
    ["a start in the middle", 59, 60],
    ["an end in the middle", -14, 15],
    ["a shorter visit inside", 15, 15],
    ["a longer visit around", -60, 240],
  ])("%s", async (_, minutes, duration) => {
    await createAppointment(SLOT_START);
    await expect(createAppointment(minutesAfterStart(minutes), duration)).rejects.toSatisfy(isOverlapViolation);
    await expect(insertRawAppointment(minutesAfterStart(minutes), duration)).rejects.toSatisfy(isOverlapViolation);
    expect(await db.appointment.count()).toBe(1);
  });

  test("the last minute of a four-hour visit is taken, and the minute after it is free", async () => {
    await createAppointment(SLOT_START, 240);
    await expect(createAppointment(minutesAfterStart(239), 15)).rejects.toSatisfy(isOverlapViolation);
    await createAppointment(minutesAfterStart(240), 15);
  });

  test("adjacent appointments are allowed", async () => {
    await createAppointment(SLOT_START);
    await createAppointment(minutesAfterStart(60));
    await insertRawAppointment(minutesAfterStart(-15), 15);
    expect(await db.appointment.count()).toBe(3);
  });

  test("a canceled visit frees its time; a visit with any other status blocks it", async () => {
    await createAppointment(SLOT_START, 60, { status: "cancelled" });
    await createAppointment(SLOT_START, 60, { status: "cancelled" });
    for (const status of ["scheduled", "completed", "rescheduled", "no-show"]) {
      const { id } = await createAppointment(SLOT_START, 60, { status });
      await expect(createAppointment(SLOT_START)).rejects.toSatisfy(isOverlapViolation);
      await db.appointment.delete({ where: { id } });
    }
  });

  test("a canceled visit can't be set back to scheduled when its time is taken", async () => {
    const { id } = await createAppointment(SLOT_START, 60, { status: "cancelled" });
    await createAppointment(minutesAfterStart(30));
    const back = db.appointment.update({ where: { id }, data: { status: "scheduled" } });
    await expect(back).rejects.toSatisfy(isOverlapViolation);
    const byHand = db.$executeRaw`UPDATE appointments SET status = 'scheduled' WHERE id = ${id}`;
    await expect(byHand).rejects.toSatisfy(isOverlapViolation);
  });

  test("a visit can't be moved or extended into another visit; other changes are allowed", async () => {
    const { id } = await createAppointment(SLOT_START);
    await createAppointment(minutesAfterStart(60));
    const change = (data: { duration?: number; appointmentDate?: Date }) =>
      db.appointment.update({ where: { id }, data });
    await expect(change({ duration: 61 })).rejects.toSatisfy(isOverlapViolation);
    await expect(change({ appointmentDate: minutesAfterStart(1) })).rejects.toSatisfy(isOverlapViolation);
    await change({ duration: 45, appointmentDate: minutesAfterStart(15) });
  });

  test("two overlapping visits inserted in one statement are both rolled back", async () => {
    await expect(db.appointment.createMany({ data: [APPOINTMENT_FIELDS, APPOINTMENT_FIELDS] })).rejects.toSatisfy(
      isOverlapViolation,
    );
    expect(await db.appointment.count()).toBe(0);
  });

  test("random starts and durations: exactly the visits that overlap an accepted one are rejected", async () => {
    const visit = fc.record({ start: fc.integer({ min: 0, max: 2_000 }), duration: fc.integer({ min: 15, max: 240 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(visit, { maxLength: 20 }), async (visits) => {
        await db.appointment.deleteMany();
        const accepted: typeof visits = [];
        for (const { start, duration } of visits) {
          const isTaken = accepted.some(
            (other) => start < other.start + other.duration && other.start < start + duration,
          );
          const [outcome] = await Promise.allSettled([createAppointment(minutesAfterStart(start), duration)]);
          expect(rejectionReasons([outcome]).map(isOverlapViolation)).toEqual(isTaken ? [true] : []);
          if (!isTaken) accepted.push({ start, duration });
        }
      }),
      { numRuns: 40 },
    );
  });

  test("300 concurrent overlapping inserts leave one appointment, and later inserts still work", async () => {
    const asked = Array.from({ length: 300 }, (_, index) => createAppointment(minutesAfterStart(index % 60)));
    const refused = rejectionReasons(await Promise.allSettled(asked));
    expect(refused.filter((reason) => !isOverlapViolation(reason))).toEqual([]);
    expect(refused).toHaveLength(299);
    expect(await db.appointment.count()).toBe(1);
    await createAppointment(minutesAfterStart(600));
  });

  test("200 concurrent transactions that read and then insert leave one appointment, and later inserts still work", async () => {
    const asked = Array.from({ length: 200 }, () =>
      inTransaction(async (transaction) => {
        await transaction.appointment.count({ where: { appointmentDate: SLOT_START } });
        return transaction.appointment.create({ data: APPOINTMENT_FIELDS });
      }),
    );
    const refused = rejectionReasons(await Promise.allSettled(asked));
    expect(refused.filter((reason) => !isOverlapViolation(reason))).toEqual([]);
    expect(await db.appointment.count()).toBe(1);
    await createAppointment(minutesAfterStart(600));
  });
});

describe("the database rejects invalid values", () => {
  const noNumbers: [string, RegExp, Date, number | string, Record<string, string>][] = [
    ["a duration that is a string", /duration_range/, SLOT_START, "'sixty'", {}],
    ["a duration with half a minute", /duration_range/, SLOT_START, 60.5, {}],
    ["a start that is a string", /whole_minutes/, SLOT_START, 60, { appointmentDate: "'2027-03-01 15:00:00'" }],
  ];

  test.each([
    ["14 minutes", /duration_range/, SLOT_START, 14, {}],
    ["241 minutes", /duration_range/, SLOT_START, 241, {}],
    ["a start with seconds", /whole_minutes/, new Date("2027-03-01T15:00:01Z"), 60, {}],
    ["an unknown status", /status_known/, SLOT_START, 60, { status: "'gone'" }],
    ["an unknown type", /type_known/, SLOT_START, 60, { type: "'chat'" }],
    ["an unknown payment status", /paymentStatus_known/, SLOT_START, 60, { paymentStatus: "'PAID'" }],
    ["an unknown payment method", /paymentMethod_known/, SLOT_START, 60, { paymentMethod: "'cheque'" }],
    ["a family that does not exist", /foreign key/i, SLOT_START, 60, { userId: "4711" }],
    ...(isSqlite ? noNumbers : []), // PostgreSQL's columns have types
  ])("%s", async (_, reason, start, duration, columns) => {
    await expect(insertRawAppointment(start, duration, columns)).rejects.toThrow(reason);
    expect(await db.appointment.count()).toBe(0);
  });

  test("an unknown request status, draft form or display preference, and invalid day hours", async () => {
    const { id: userId } = await createUser();
    const person = { firstName: "Devon", lastName: "Brooks", email: "d@example.com", serviceNeeds: "IEP" };
    const request = { ...person, urgency: "routine", consent: true, status: "gone" };
    await expect(db.consultationRequest.create({ data: request })).rejects.toThrow(
      /consultation_requests_status_known/,
    );
    const draft = { userId, form: "diary", answers: "{}" };
    await expect(db.draft.create({ data: draft })).rejects.toThrow(/drafts_form_known/);
    const preference = db.user.update({ where: { id: userId }, data: { displayPreferences: "loud" } });
    await expect(preference).rejects.toThrow(/users_comfort_known/);
    await expect(db.hoursOverride.create({ data: { day: "12/24/2026" } })).rejects.toThrow(/day_hours_a_day/);
    for (const hours of [{ opens: 600 }, { closes: 600 }, { opens: 600, closes: 600 }, { opens: 0, closes: 1441 }])
      await expect(db.hoursOverride.create({ data: { day: "2026-12-24", ...hours } })).rejects.toThrow(
        /day_hours_span/,
      );
  });

  test("an email address with capitals, and a second account for the same email address", async () => {
    await createUser("maria@example.com");
    await expect(createUser("Maria@example.com")).rejects.toThrow(/users_email_lowercase/);
    const [error] = rejectionReasons(await Promise.allSettled([createUser("maria@example.com")]));
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, "email")).toBe(true);
    expect(isUniqueViolation(error, "phone")).toBe(false);
    expect(isOverlapViolation(error)).toBe(false);
  });

  test("a second appointment for one consultation request", async () => {
    const { id: consultationRequestId } = await db.consultationRequest.create({
      data: {
        firstName: "Devon",
        lastName: "Brooks",
        email: "d@example.com",
        serviceNeeds: "IEP",
        urgency: "routine",
        consent: true,
      },
    });
    const asked = [0, 60, 120].map((minutes) =>
      createAppointment(minutesAfterStart(minutes), 60, { consultationRequestId }),
    );
    const refused = rejectionReasons(await Promise.allSettled(asked));
    expect(refused.map((reason) => isUniqueViolation(reason, "consultationRequestId"))).toEqual([true, true]);
  });

  test("an undefined filter, which would match every row", async () => {
    await createUser();
    await expect(db.user.findMany({ where: { email: undefined } })).rejects.toThrow(
      /`undefined` values are not allowed/,
    );
    await expect(db.user.findFirst({ where: undefined })).rejects.toThrow(/`undefined` values are not allowed/);
    await expect(db.user.updateMany({ where: { id: undefined }, data: { firstName: "Nobody" } })).rejects.toThrow(
      /`undefined` values are not allowed/,
    );
    await expect(db.user.deleteMany({ where: { id: undefined } })).rejects.toThrow(
      /`undefined` values are not allowed/,
    );
    await expect(db.user.deleteMany({ where: { OR: [{ email: undefined }] } })).rejects.toThrow(
      /`undefined` values are not allowed/,
    );
    expect(await db.user.count({ where: { firstName: "Maria" } })).toBe(1);
  });

  test("deleting a record that does not exist", async () => {
    await expect(db.user.delete({ where: { id: 4711 } })).rejects.toMatchObject({ code: "P2025" });
  });
});

describe("deleting", () => {
  test("a user with appointments or documents is rejected", async () => {
    const { id: userId } = await createUser();
    const { id } = await createAppointment(SLOT_START, 60, { userId });
    await expect(db.user.delete({ where: { id: userId } })).rejects.toThrow(/foreign key/i);
    await db.appointment.delete({ where: { id } });
    await db.document.create({
      data: { userId, fileName: "a.pdf", fileType: "application/pdf", fileSize: 1, filePath: "a" },
    });
    await expect(db.user.delete({ where: { id: userId } })).rejects.toThrow(/foreign key/i);
  });

  test("a user also deletes the user's sessions, drafts and password reset links", async () => {
    const { id: userId } = await createUser();
    await db.session.create({ data: { sid: "s", sess: "{}", expire: SLOT_START, userId } });
    await db.draft.create({ data: { userId, form: "intake", answers: "{}" } });
    await db.passwordReset.create({ data: { tokenHash: "t", userId, expiresAt: SLOT_START } });
    await db.user.delete({ where: { id: userId } });
    expect([await db.session.count(), await db.draft.count(), await db.passwordReset.count()]).toEqual([0, 0, 0]);
  });

  test("an appointment keeps its documents, without the appointment's id", async () => {
    const { id: userId } = await createUser();
    const { id: appointmentId } = await createAppointment(SLOT_START, 60, { userId });
    const file = { fileName: "a.pdf", fileType: "application/pdf", fileSize: 1, filePath: "a" };
    await db.document.create({ data: { ...file, userId, appointmentId } });
    await db.appointment.delete({ where: { id: appointmentId } });
    expect(await db.document.findFirst()).toMatchObject({ userId, appointmentId: null });
  });
});
