// Proves the order of a visit's details for the consultant, and when they offer the video room and the status form.
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";

const START = new Date("2026-11-24T15:15:00Z");
const MINUTE_MS = 60_000;

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  await at(-60);
  maria = await family({ intake: true, firstName: "Maria", lastName: "Alvarez" });
});

beforeEach(() => db.appointment.deleteMany());

/** Sets the clock to so many minutes after the start, and signs the administrator in again. */
async function at(minutes: number) {
  setTestClock(() => new Date(START.getTime() + minutes * MINUTE_MS));
  admin = await consultant();
}

function visit(changes: Record<string, unknown> = {}) {
  const data = { userId: maria.id, title: "Hourly Consulting", type: "consultation", appointmentDate: START };
  return db.appointment.create({
    data: {
      ...data,
      duration: 90,
      isLiveVideoCall: true,
      paymentMethod: "in-person",
      paymentAmountCents: 7500,
      ...changes,
    },
  });
}

const open = async (id: number) => {
  const page = await admin.get(`/dashboard/appointments/${id}`);
  return { text: page.document.querySelector("dialog")?.textContent ?? "", document: page.document };
};

test("details start with family, child, time, kind of meeting and amount to pay, and have no empty rows", async () => {
  const { id } = await visit();
  const { text } = await open(id);
  expect(text).toMatch(
    /^Appointment details.*Maria Alvarez.*Leo, .*Tue, Nov 24, 10:15–11:45 AM ET · video · \$75 to pay/,
  );
  expect(text).not.toContain("None");
  expect(text).toMatch(new RegExp(`Reference ${id}$`));
});

test.each([
  ["Hourly Consulting", "consultation", null],
  ["Follow-up Consultation", "follow-up", null],
  ["Hourly Consulting", "follow-up", "follow-up"],
  ["Hourly Consulting", "emergency", "Emergency Session"],
])(
  "a visit titled %s of type %s has the type label %s, in its details and in the family's list",
  async (title, type, label) => {
    const { id } = await visit({ title, type, duration: 60 });
    const { document } = await open(id);
    const term = [...document.querySelectorAll("dialog dt")].find(({ textContent }) => textContent === "Type");
    expect(term?.nextElementSibling?.textContent ?? null).toBe(label);
    const row = (await admin.get(`/families/${maria.id}`)).document
      .querySelector(`li.admin-row a[href*="/appointments/${id}"]`)
      ?.closest("li");
    expect(/minutes\s*·\s*(follow-up|Emergency Session)/.exec(row?.textContent ?? "")?.[1] ?? null).toBe(label);
  },
);

test.each([
  [-31, false],
  [-30, true],
  [0, true],
  [120, true],
  [121, false],
])("%i minutes after the start, the link to the video room is shown: %s", async (minutes, isOffered) => {
  const { id } = await visit();
  await at(minutes);
  const { document, text } = await open(id);
  expect(document.querySelector(`dialog a[href="/video-call/${id}"]`) !== null).toBe(isOffered);
  expect(text.includes("The video room opens Tue, Nov 24, 10:05 AM ET.")).toBe(minutes === -31);
});

test("the status form is below the details before the visit, above them once it starts, absent if canceled", async () => {
  const { id } = await visit();
  const order = async () => {
    const { text } = await open(id);
    return Math.sign(text.indexOf("Set the status") - text.indexOf("Length"));
  };
  await at(-60);
  expect(await order()).toBe(1);
  await at(5);
  expect(await order()).toBe(-1);
  await db.appointment.update({ where: { id }, data: { status: "cancelled" } });
  expect((await open(id)).text).not.toContain("Set the status");
});

test("the delete link of a visit in the family's list has the visible text Delete", async () => {
  await at(-60);
  const { id } = await visit();
  const { document } = await admin.get(`/families/${maria.id}`);
  const link = document.querySelector(`li.admin-row a[href*="/appointments/${id}/delete"]`);
  for (const hidden of link?.querySelectorAll(".sr-only") ?? []) hidden.remove();
  expect(link?.textContent.trim()).toBe("Delete");
});

test("the intake form opens beside the visit with child and parent named, and adds an audit log entry", async () => {
  const { id } = await visit();
  const formId = (await db.intakeForm.findFirstOrThrow({ where: { userId: maria.id } })).id;
  const reads = () => db.auditEntry.count({ where: { action: "intake-opened", objectId: formId } });
  const from = `from=${encodeURIComponent("/calendar?view=day")}`;
  const closed = (await admin.get(`/dashboard/appointments/${id}?${from}`)).document;
  expect(closed.querySelector("#intake-form")).toBeNull();
  expect(await reads()).toBe(0);
  const link = (of: Document, text: string) =>
    [...of.querySelectorAll("dialog a")].find((each) => each.textContent === text)?.getAttribute("href") ?? "";
  const href = link(closed, "Read the intake form");
  expect(href).toContain(`/dashboard/appointments/${id}?`);
  const opened = (await admin.get(href)).document;
  expect(opened.querySelector("#intake-form h3")?.textContent).toBe("Intake form: Leo, Maria Alvarez");
  expect(opened.querySelector("#intake-form")?.textContent).toContain("Reading takes all evening.");
  expect(opened.querySelector("dialog")?.textContent).toContain(`Reference ${id}`);
  expect(opened.querySelector('dialog a[aria-label="Close"]')?.getAttribute("href")).toBe("/calendar?view=day");
  expect(await reads()).toBe(1);
  const again = (await admin.get(link(opened, "Hide the intake form"))).document;
  expect(again.querySelector("#intake-form")).toBeNull();
});

test("saving the status keeps the intake form open beside the visit", async () => {
  const { id } = await visit();
  for (const [query, expected] of [
    ["?intake=open&q=al", `/dashboard/appointments/${id}?q=al&intake=open`],
    ["?intake=open", `/dashboard/appointments/${id}?intake=open`],
    ["?intake=no", `/dashboard/appointments/${id}`],
  ]) {
    const saved = await admin.form(`/dashboard/appointments/${id}${query}`, { status: "scheduled" });
    expect([query, saved.status, saved.headers.location]).toEqual([query, 302, expected]);
  }
});

test("no intake form opens for a family without one or a visit without account; a family gets 403", async () => {
  const other = await family({ firstName: "Noor" });
  for (const userId of [other.id, null]) {
    const { id } = await visit({ userId });
    const { status, document } = await admin.get(`/dashboard/appointments/${id}?intake=open`);
    expect([userId, status, document.querySelector("#intake-form")]).toEqual([userId, 200, null]);
    await db.appointment.deleteMany();
  }
  expect((await maria.get(`/dashboard/appointments/${(await visit()).id}?intake=open`)).status).toBe(403);
});
