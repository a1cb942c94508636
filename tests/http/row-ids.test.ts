// Proves that each form that names a record refuses an invalid id with a message and changes nothing.
import { beforeAll, describe, expect, test } from "vitest";
import { dumpDatabase } from "../support/database/database-dump.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family } from "../support/site.ts";

const NO_IDS = ["99999999999999999999", "1e20", "9007199254740991", "2147483648", "1.5", "1e0", "0", "-1", "+1", "one"];
const REFUND = { intent: "refund", amount: "1.00", reason: "x", key: "6f1d7f0e-0a3b-4a52-9b8e-3f0c1f6f2a11" };

let admin: TestClient;
let maria: Family;
let visitId: number;

beforeAll(async () => {
  [admin, maria] = [await consultant(), await family()];
  const appointmentDate = new Date("2027-01-05T15:00Z");
  visitId = (
    await db.appointment.create({
      data: { title: "Hourly Consulting", type: "consultation", userId: maria.id, appointmentDate },
    })
  ).id;
  const invitee = { email: "jane@example.org", firstName: "Jane", lastName: "Doe", isMailed: true, tokenHash: "-" };
  await db.invitation.create({ data: { ...invitee, id: 1, expiresAt: new Date("2099-01-01T00:00Z") } });
});

type Form = { path: () => string; fields: Record<string, string>; id: string; words: string; isAdmin: boolean };

const invitation = { path: () => "/families/invitations", isAdmin: true };
const waiting = { path: () => "/appointments/waiting-list", id: "id", words: "Choose a day.", isAdmin: false };
const FORMS: [name: string, form: Form][] = [
  [
    "an invitation to resend",
    { ...invitation, fields: { change: "resend" }, id: "id", words: "Choose an invitation." },
  ],
  [
    "an invitation to withdraw",
    { ...invitation, fields: { change: "withdraw" }, id: "id", words: "Choose an invitation." },
  ],
  [
    "an invitation's appointment",
    {
      ...invitation,
      fields: { firstName: "A", lastName: "B", email: "n@example.org" },
      id: "appointmentId",
      words: "Choose an appointment.",
    },
  ],
  [
    "a payment to refund",
    {
      path: () => `/dashboard/appointments/${visitId}/payment`,
      fields: REFUND,
      id: "paymentId",
      words: "Choose a payment.",
      isAdmin: true,
    },
  ],
  [
    "a device",
    { path: () => "/dashboard/settings/devices", fields: {}, id: "id", words: "Choose a device.", isAdmin: false },
  ],
  ["a waiting list entry to leave", { ...waiting, fields: { change: "leave" } }],
  ["an offered time to accept", { ...waiting, fields: { change: "take" } }],
];

describe("an invalid id", () => {
  test.each(FORMS)(
    "of %s gets 422 with a message, and nothing changes",
    async (_name, { path, fields, id, words, isAdmin }) => {
      const client = isAdmin ? admin : maria;
      const before = await dumpDatabase(db);
      for (const value of NO_IDS) {
        const refused = await client.form(path(), { ...fields, [id]: value });
        expect([value, refused.status, refused.visibleText]).toEqual([value, 422, expect.stringContaining(words)]);
      }
      expect(await dumpDatabase(db)).toEqual(before);
    },
  );
});
