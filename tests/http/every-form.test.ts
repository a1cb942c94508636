// Proves that every form action refuses too many entries and withstands hostile field names.
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { routePaths } from "../support/route-table.ts";
import { consultant, db, family, origin, visitor } from "../support/site.ts";

const ACTION = /export (async )?function action|export const \{? ?(loader, )?action/;
const MAX_ENTRIES = 200;
const TOO_MANY = Array.from({ length: MAX_ENTRIES + 1 }, (_, index) => `name${index}=x`).join("&");
const HOSTILE = [
  `name[30000000]=x&name[9999][9999]=x&name${".a".repeat(3000)}=x&__proto__.isAdmin=x&constructor.prototype.isAdmin=x`,
  "__proto__=x&__intent__=%7Bbad&__state__=%7B",
  Array.from({ length: MAX_ENTRIES }, () => "name[1000000]=x").join("&"),
];

/** Every address of the route table whose file has an action, but for those of the API, which take JSON. */
const forms = routePaths
  .filter(({ path, file }) => !path.startsWith("/api/") && ACTION.test(readFileSync(file, "utf8")))
  .map(({ path }) => path);

/** Buttons without fields, links that need a secret, uploads with a parser of their own, and records that there are not. */
const WITHOUT_FIELDS = [
  "/login/code",
  "/confirm-email/:token",
  "/undo-email-change/:token",
  "/unsubscribe/:token",
  "/keep-account",
  "/claim-visit/:token",
  "/calendar/:file",
  "/intake-form.txt",
  "/stay-signed-in",
  "/families/:id/documents/new",
  "/documents/new",
  "/families/:id/follow-ups/:followUp/delete",
  "/families/:id/consents/:consent/withdraw",
  "/video-call/:appointmentId/family",
  "/families/:id/notes/:note/delete",
  "/documents/:id/delete",
  "/dashboard/requests/:id/delete",
  "/dashboard/requests/:id/erase",
  "/dashboard/appointments/:id/delete",
  "/families/:id/keep",
  "/families/:id/close",
  "/families/:id/open",
  "/families/:id/end-undo-link",
  "/logout",
];
const withFields = forms.filter((path) => !WITHOUT_FIELDS.includes(path));

let people: TestClient[];
let values: Record<string, string>;

beforeAll(async () => {
  const maria = await family({ intake: true });
  people = [visitor(), maria, await consultant()];
  const appointmentDate = new Date("2026-12-05T15:00Z");
  const visit = { title: "Hourly Consulting", type: "consultation", userId: maria.id, appointmentDate };
  const { id } = await db.appointment.create({ data: visit });
  const asker = { firstName: "Jane", lastName: "Doe", email: "j@example.org", serviceNeeds: "IEP" };
  const request = await db.consultationRequest.create({ data: { ...asker, urgency: "routine", consent: true } });
  const note = await db.familyNote.create({ data: { userId: maria.id, text: "-" } });
  const days = { receivedDay: "2026-11-23", dueDay: "2026-12-23" };
  const report = await db.complianceCase.create({ data: { ...days, kind: "privacy", text: "-" } });
  values = {
    "/families/:id": `/families/${maria.id}`,
    "/dashboard/requests/:id": `/dashboard/requests/${request.id}`,
    "/compliance/:id": `/compliance/${report.id}`,
    "/appointments/:id": `/appointments/${id}`,
    ":appointmentId": String(id),
    ":note": String(note.id),
    ":name": "visit-booked",
    ":document": "recording",
  };
});

/** The address with records that there are, and otherwise with one that there is not. */
function addressOf(path: string): string {
  const filled = Object.entries(values).reduce((address, [from, to]) => address.replace(from, to), path);
  return filled.replace(/:\w+/g, "1");
}

function post(client: TestClient, path: string, body: string) {
  const headers = { Origin: origin, "Content-Type": "application/x-www-form-urlencoded" };
  return client.clone().request("POST", addressOf(path), { headers, body });
}

test("every form listed as having no fields is in the route table, and over 50 forms have fields", () => {
  expect(WITHOUT_FIELDS.filter((path) => !forms.includes(path))).toEqual([]);
  expect(withFields.length).toBeGreaterThan(50);
});

test("every form with fields refuses 201 entries with 400 for a user who may send it", async () => {
  const taken: string[] = [];
  for (const path of withFields) {
    const statuses: number[] = [];
    for (const client of people) statuses.push((await post(client, path, TOO_MANY)).status);
    if (!statuses.includes(400)) taken.push(`${path} ${statuses.join(" ")}`);
  }
  expect(taken).toEqual([]);
});

test("hostile field names cause no server error (5xx) and no prototype pollution in any form", async () => {
  // The buttons last: they close the family and sign out.
  for (const path of [...withFields, ...WITHOUT_FIELDS]) {
    for (const client of people) {
      for (const body of HOSTILE) {
        const { status } = await post(client, path, body);
        expect([path, body.slice(0, 40), status < 500]).toEqual([path, body.slice(0, 40), true]);
      }
    }
  }
  expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
});
