// Proves that invoices and receipts have what insurers need, the child's name only on request, and private access.
import { beforeAll, describe, expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { bookOrFail } from "../support/bookings.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";

Object.assign(environmentOverrides, {
  PRACTICE_ADDRESS: "12 Harbor <Way>, Long Branch, NJ 07740",
  PRACTICE_TAX_ID: "12-3456789",
  CONSULTANT_NAME: "Ruth Okafor",
  CONSULTANT_LICENSE: "M.A., BCBA 1-20-12345",
});
const { consultant, db, family, setTestClock, testing, visitor } = await import("../support/site.ts");

setTestClock(() => new Date("2026-11-20T15:00:30Z"));

let maria: Family;
let devon: Family;
let admin: TestClient;

beforeAll(async () => {
  maria = await family({ intake: true, firstName: "Maria", lastName: "Alvarez" });
  devon = await family({ intake: true });
  admin = await consultant();
});

const ISSUER = [
  "Harbor Family Advocacy",
  "12 Harbor <Way>, Long Branch, NJ 07740",
  "Tax ID (EIN): 12-3456789",
  "Ruth Okafor, M.A., BCBA 1-20-12345",
];
const printed = async (who: TestClient, path: string) =>
  (await who.get(path)).document.querySelector("[data-print]")?.textContent ?? "";
const markPaid = (id: number) =>
  admin.form(`/dashboard/appointments/${id}/payment`, { intent: "taken", method: "check" });
const entriesOf = (objectId: number) =>
  db.auditEntry.findMany({ where: { action: "invoice-opened", objectId }, select: { familyId: true } });

describe("an invoice", () => {
  test("shows issuer, client, service, amount due, payment and refund, and opening it creates an audit log entry", async () => {
    const { id, appointmentDate } = await bookOrFail(maria);
    const open = await printed(maria, `/invoices/${id}`);
    for (const text of [...ISSUER, `Invoice ${id}`, "Maria Alvarez", "Initial Consultation", "Amount due$75.00"])
      expect(open).toContain(text);
    expect(open).toContain(`Date of service${new Date(appointmentDate).toUTCString().slice(0, 3)}`);
    await markPaid(id);
    expect(await printed(maria, `/invoices/${id}`)).toContain("Paid$75.00Amount due$0.00");
    const payment = await db.payment.findFirstOrThrow({ where: { appointmentId: id } });
    const key = "00000000-0000-4000-8000-000000000001";
    const refund = { intent: "refund", paymentId: String(payment.id), amount: "20.50", reason: "Private reason", key };
    await admin.form(`/dashboard/appointments/${id}/payment`, refund);
    const after = await printed(admin, `/invoices/${id}`);
    expect(after).toContain("Paid$75.00Refunded$20.50Amount due$0.00");
    expect(after).not.toContain("Private reason");
    // The family's second reading is within an hour of its first.
    expect(await entriesOf(id)).toEqual([1, 2].map(() => ({ familyId: maria.id })));
  });

  test("is listed for the family until the visit is paid", async () => {
    const { id } = await bookOrFail(maria);
    const links = async () => (await maria.get("/receipts")).document.querySelectorAll(`[href="/invoices/${id}"]`);
    expect((await links()).length).toBe(1);
    await markPaid(id);
    expect((await links()).length).toBe(0);
  });

  test("returns 404 for another family, an unknown id, a visit without a price, and a canceled visit", async () => {
    const { id } = await bookOrFail(maria);
    expect((await devon.get(`/invoices/${id}`)).status).toBe(404);
    expect((await visitor().get(`/invoices/${id}`)).headers.location).toMatch(/^\/login/);
    for (const path of ["/invoices/0", "/invoices/987654", "/invoices/1e3"])
      expect((await maria.get(path)).status).toBe(404);
    await db.appointment.update({ where: { id }, data: { paymentAmountCents: null } });
    expect((await maria.get(`/invoices/${id}`)).status).toBe(404);
    const { id: canceled } = await bookOrFail(maria);
    await maria.delete(`/api/appointments/${canceled}`);
    expect((await maria.get(`/invoices/${canceled}`)).status).toBe(404);
    expect(await entriesOf(id)).toEqual([]);
  });

  test("of a visit without an account names the client, and returns 404 for a family", async () => {
    const visit = { title: "Call - Shanice Robinson", notes: "Client: Shanice Robinson", type: "consultation" };
    const appointmentDate = new Date("2026-11-02T15:00Z");
    const { id } = await db.appointment.create({ data: { ...visit, appointmentDate, paymentAmountCents: 7500 } });
    expect(await printed(admin, `/invoices/${id}`)).toContain("Shanice Robinson");
    expect((await maria.get(`/invoices/${id}`)).status).toBe(404);
  });
});

test("a receipt shows the practice's details, tax ID and license, the payer, the payment method and the total", async () => {
  const { id } = await bookOrFail(maria);
  await markPaid(id);
  const payment = await db.payment.findFirstOrThrow({ where: { appointmentId: id } });
  const receipt = await printed(maria, `/receipts/${payment.id}`);
  for (const text of [
    ...ISSUER,
    "Paid byMaria Alvarez, by check",
    "Date of service",
    "$75, Fri, Nov 20, 2026",
    "Total$75",
  ])
    expect(receipt).toContain(text);
});

test("a receipt shows a completed refund but no failed refund", async () => {
  const { id } = await bookOrFail(maria);
  await markPaid(id);
  const { id: paymentId } = await db.payment.findFirstOrThrow({ where: { appointmentId: id } });
  for (const [state, amountCents] of [
    ["failed", 1500],
    ["done", 2000],
  ] as const) {
    const refund = { paymentId, key: `${paymentId} ${state}`, amountCents, reason: "-", state };
    await db.refund.create({ data: { ...refund, leaseEndsAt: new Date(), createdAt: new Date() } });
  }
  for (const who of [maria, admin]) {
    const receipt = await printed(who, `/receipts/${paymentId}`);
    expect([receipt.includes("$20"), receipt.includes("$15")]).toEqual([true, false]);
  }
});

test("the receipt and the invoice of a canceled visit have no date of service", async () => {
  const { id } = await bookOrFail(maria);
  await markPaid(id);
  await db.appointment.update({ where: { id }, data: { status: "cancelled" } });
  const payment = await db.payment.findFirstOrThrow({ where: { appointmentId: id } });
  for (const path of [`/receipts/${payment.id}`, `/invoices/${id}`]) {
    const bill = await printed(maria, path);
    expect(bill).toContain("Visit canceledNo service was given. It was planned for ");
    expect(bill).not.toContain("Date of service");
  }
});

describe("the child's name", () => {
  test("is on a receipt or an invoice only when the reader asks for it", async () => {
    const { id } = await bookOrFail(maria);
    await markPaid(id);
    const payment = await db.payment.findFirstOrThrow({ where: { appointmentId: id } });
    for (const path of [`/receipts/${payment.id}`, `/invoices/${id}`])
      for (const who of [maria, admin]) {
        expect((await who.get(path)).text).not.toContain("Leo");
        expect(await printed(who, `${path}?child=shown`)).toContain("ChildLeo");
      }
  });

  test("is not offered for a family without an intake form", async () => {
    const noor = await family();
    const data = { title: "Talk", type: "consultation", userId: noor.id, paymentAmountCents: 7500 };
    const { id } = await db.appointment.create({ data: { ...data, appointmentDate: new Date("2026-11-03T15:00Z") } });
    const { visibleText } = await noor.get(`/invoices/${id}?child=shown`);
    expect(visibleText).toContain(`Invoice ${id}`);
    expect(visibleText).not.toMatch(/child's name/);
  });
});

describe("the practice's address, tax ID and meeting place", () => {
  const PATH = "/practice-details";
  const FIELDS = { address: "3 Ocean Ave, Long Branch", taxId: "98-7654321", meetingPlace: "Library <room 2>" };

  test("are set by the consultant and replace the environment's values, also with empty fields", async () => {
    const { id } = await bookOrFail(maria);
    expect((await admin.get(PATH)).document.querySelector('[name="taxId"]')?.getAttribute("value")).toBe("12-3456789");
    expect((await admin.form(PATH, FIELDS)).status).toBe(302);
    const invoice = await printed(maria, `/invoices/${id}`);
    expect([invoice.includes(FIELDS.address), invoice.includes(FIELDS.taxId), invoice.includes(ISSUER[1]!)]).toEqual([
      true,
      true,
      false,
    ]);
    expect((await maria.get(`/appointments/${id}/booked`)).visibleText).toContain(FIELDS.meetingPlace);
    expect((await admin.form(PATH, {})).status).toBe(302);
    expect(await printed(maria, `/invoices/${id}`)).not.toContain("Tax ID");
    const shown = await admin.get(`/invoices/${id}`);
    expect(shown.document.querySelector(`main a[href="${PATH}"]`)?.textContent).toBe("Add them");
    const visit = await admin.get(`/dashboard/appointments/${id}`);
    expect(visit.document.querySelector(`[role="dialog"] a[href="${PATH}"], dialog a[href="${PATH}"]`)).not.toBeNull();
    for (const page of [shown, visit]) expect(page.visibleText).not.toContain("PRACTICE_");
  });

  test("are not changed by an invalid tax ID, a text over 200 characters, a family or a visitor", async () => {
    await admin.form(PATH, FIELDS);
    for (const fields of [{ taxId: "as above" }, { address: "x".repeat(201) }, { meetingPlace: "x".repeat(201) }])
      expect((await admin.form(PATH, { ...FIELDS, ...fields })).status).toBe(422);
    expect((await maria.form(PATH, { taxId: "11-1111111" })).status).toBe(403);
    expect((await visitor().form(PATH, { taxId: "11-1111111" })).headers.location).toMatch(/^\/login/);
    expect((await admin.get(PATH)).document.querySelector('[name="taxId"]')?.getAttribute("value")).toBe(FIELDS.taxId);
  });

  test.each(["practiceAddress", "taxId", "meetingPlace"])(
    "that another process has changed (%s) reach families once this one has looked",
    async (column) => {
      const { id } = await bookOrFail(maria);
      await admin.form(PATH, FIELDS);
      await testing.refreshPublicPagesIfChanged();
      const value = column === "taxId" ? "11-1111111" : `Elsewhere, by ${column}`;
      await db.practiceSettings.update({ where: { id: 1 }, data: { [column]: value } });
      await testing.refreshPublicPagesIfChanged();
      const shown =
        column === "meetingPlace"
          ? (await maria.get(`/appointments/${id}/booked`)).visibleText
          : await printed(maria, `/invoices/${id}`);
      expect(shown).toContain(value);
    },
  );
});
