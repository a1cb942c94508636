// Proves that a form whose command fails on a database error shows the specified message and changes nothing.
import { afterEach, describe, expect, test } from "vitest";
import { bookOrFail, nextFreeHour } from "../support/bookings.ts";
import { consultant, db, family, visitor } from "../support/site.ts";

/** Tables that are away, by the name that they have meanwhile. */
const away = new Map<string, string>();

/** From here to the end of the test nothing can be read from the table or written to it. */
async function remove(table: string) {
  const hidden = `${table}_away`;
  await db.$executeRawUnsafe(`ALTER TABLE "${table}" RENAME TO "${hidden}"`);
  away.set(hidden, table);
}

afterEach(async () => {
  for (const [hidden, table] of away) await db.$executeRawUnsafe(`ALTER TABLE "${hidden}" RENAME TO "${table}"`);
  away.clear();
});

const newcomer = {
  firstName: "Hana",
  lastName: "Sato",
  email: "hana.sato@example.com",
  password: "three lighthouse keepers",
  confirmPassword: "three lighthouse keepers",
};

const booking = (paymentMethod: string) => ({
  title: "Hourly Consulting",
  slot: nextFreeHour(),
  duration: "60",
  type: "consultation",
  paymentMethod,
});

/** What the consultant types to book a visit, at an hour that is free. */
function visit() {
  const start = new Date(nextFreeHour());
  const time = start.toLocaleTimeString("en-GB", { timeZone: "America/New_York", hour: "2-digit", minute: "2-digit" });
  const date = start.toISOString().slice(0, 10);
  return { title: "A talk before the meeting", date, time, duration: "60", type: "consultation" };
}

const request = {
  firstName: "Jane",
  lastName: "Doe",
  email: "jane.doe@example.com",
  serviceNeeds: "Help with the school",
  urgency: "routine",
  consent: true,
};

describe("on a database error", () => {
  test("registering creates no account, shows the error, and keeps the typed fields except the password", async () => {
    await remove("messages");
    const response = await visitor().form("/register", newcomer);
    expect(response.status).toBe(500);
    expect(response.visibleText).toContain("Registration Failed");
    expect(response.visibleText).toContain("An error occurred during registration.");
    expect(response.document.querySelector('[name="lastName"]')?.getAttribute("value")).toBe("Sato");
    expect(response.text).not.toContain(newcomer.password);
    expect(await db.user.count({ where: { email: newcomer.email } })).toBe(0);
  });

  test("changing the password leaves it unchanged and shows the error", async () => {
    const person = await family();
    await remove("password_resets");
    const passwords = { newPassword: "another rainy day", confirmPassword: "another rainy day" };
    const response = await person.form("/dashboard/settings", { ...passwords, currentPassword: person.password });
    expect(response.status).toBe(500);
    expect(response.visibleText).toContain("Password Change Failed");
    expect(response.visibleText).toContain("Failed to change password. Please try again.");
    const signIn = await visitor().post("/api/auth/login", { email: person.email, password: person.password });
    expect(signIn.status).toBe(200);
  });

  test("booking creates no appointment and shows that availability can't be checked", async () => {
    const person = await family({ intake: true });
    await remove("holds");
    const response = await person.form("/appointments/new.data", booking("in-person"));
    expect(response.text).toContain("Time Slot Unavailable");
    expect(response.text).toContain("Error checking availability");
    expect(await db.appointment.count({ where: { userId: person.id } })).toBe(0);
  });

  test("paying creates no appointment, shows Payment Failed, and keeps the booking draft", async () => {
    const person = await family({ intake: true });
    await person.form("/appointments/new", booking("online"));
    const page = await person.get("/appointments/pay");
    expect(page.visibleText).toContain("Payment Required");
    await remove("payment_steps");
    const card = { intent: "card", sourceId: "simulated-1111", cents: "7500", key: "" };
    const response = await person.form("/appointments/pay.data", card);
    expect(response.text).toContain("Payment Failed");
    expect(response.text).toContain("Payment processing failed");
    expect(await db.appointment.count({ where: { userId: person.id } })).toBe(0);
    expect(await db.draft.count({ where: { userId: person.id } })).toBe(1);
  });

  test("a family's cancellation leaves the visit and shows the error in the dialog", async () => {
    const person = await family({ intake: true });
    const { id } = (await bookOrFail(person)) as { id: number };
    await remove("messages");
    const response = await person.form(`/appointments/${id}/cancel.data`, {});
    expect(response.status).toBe(500);
    expect(response.text).toContain("Failed to cancel appointment.");
    expect(await db.appointment.findUnique({ where: { id } })).toMatchObject({ status: "scheduled" });
  });

  test("deleting a visit leaves it and shows the error in the dialog", async () => {
    const person = await family({ intake: true });
    const { id } = (await bookOrFail(person)) as { id: number };
    const admin = await consultant();
    await remove("messages");
    const response = await admin.form(`/dashboard/appointments/${id}/delete.data`, {});
    expect(response.status).toBe(500);
    expect(response.text).toContain("Failed to delete appointment. Please try again.");
    expect(await db.appointment.count({ where: { id } })).toBe(1);
  });

  test("deleting a request leaves it and shows the error in the dialog", async () => {
    const { id } = await db.consultationRequest.create({ data: request });
    const admin = await consultant();
    await remove("audit_entries");
    const response = await admin.form(`/dashboard/requests/${id}/delete.data`, {});
    expect(response.status).toBe(500);
    expect(response.text).toContain("Failed to delete consultation request. Please try again.");
    expect(await db.consultationRequest.count({ where: { id } })).toBe(1);
  });

  test("scheduling a request leaves it pending, shows the error, and keeps the typed title", async () => {
    const { id: userId } = await family();
    const { id } = await db.consultationRequest.create({ data: { ...request, userId } });
    const admin = await consultant();
    await remove("messages");
    const response = await admin.form(`/dashboard/requests/${id}/schedule.data`, visit());
    expect(response.status).toBe(500);
    const expected = ["Scheduling Failed", "Failed to schedule consultation. Please try again."];
    for (const text of [...expected, "A talk before the meeting"]) expect(response.text).toContain(text);
    expect(await db.consultationRequest.findUnique({ where: { id } })).toMatchObject({ status: "pending" });
  });

  test("booking for a family creates no appointment, shows the error, and keeps the typed title", async () => {
    const person = await family({ intake: true });
    const admin = await consultant();
    await remove("messages");
    const response = await admin.form(`/families/${person.id}/appointments/new.data`, visit());
    expect(response.status).toBe(500);
    for (const text of ["Scheduling Failed", "Failed to schedule appointment.", "A talk before the meeting"])
      expect(response.text).toContain(text);
    expect(await db.appointment.count({ where: { userId: person.id } })).toBe(0);
  });
});
