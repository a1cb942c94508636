// Proves that pages with many rows, long texts and a long query stay under 512 kB and don't repeat it in each row.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock, visitor } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:00Z");
const DAY_MS = 86_400_000;
const MAX_BYTES = 512_000;
const MARK = "unknown-filter";
const LONG_QUERY = `?${MARK}&${"a&".repeat(3_490)}`;
const ROWS = 40;
/** More than a page shows. */
const DOCUMENTS = 101;
/** The forms and links that a page has once, whatever its rows. */
const MAX_REPEATS = 4;

setTestClock(() => NOW);
let admin: TestClient;
let maria: Family;

const dayAfter = (days: number) => new Date(NOW.getTime() + days * DAY_MS).toISOString().slice(0, 10);
const each = <Row>(row: (index: number) => Row) => Array.from({ length: ROWS }, (_, index) => row(index));

beforeAll(async () => {
  [admin, maria] = [await consultant(), await family()];
  const userId = maria.id;
  await db.hoursOverride.createMany({ data: each((index) => ({ day: dayAfter(index) })) });
  await db.followUp.createMany({ data: each((index) => ({ userId, text: `No. ${index}`, dueDay: dayAfter(index) })) });
  const expiresAt = new Date(NOW.getTime() + DAY_MS);
  const invitee = { firstName: "Jane", lastName: "Doe", isMailed: true, expiresAt };
  await db.invitation.createMany({
    data: each((index) => ({ ...invitee, email: `jane.${index}@example.org`, tokenHash: String(index) })),
  });
  await db.waitingListEntry.createMany({
    data: each((index) => ({ userId, day: dayAfter(index + 1), duration: 60 })),
  });
  const start = (index: number) => new Date(NOW.getTime() + (index - ROWS / 2) * DAY_MS);
  await db.appointment.createMany({
    data: each((index) => ({
      title: "Hourly Consulting",
      type: "consultation",
      userId,
      paymentAmountCents: 7500,
      appointmentDate: start(index),
    })),
  });
  const request = { firstName: "A", lastName: "B", urgency: "routine", consent: true };
  const requestTexts = { serviceNeeds: "&<".repeat(2_500), message: "&<".repeat(2_500) };
  for (const email of each((index) => `a${index}@example.org`))
    await db.consultationRequest.create({ data: { ...request, ...requestTexts, email } });
  const file = { userId, uploadedById: userId, fileType: "application/pdf", fileSize: 10 };
  const texts = { fileName: `${"&<".repeat(240)}.pdf`, description: "&<".repeat(2_499) };
  for (let index = 0; index < DOCUMENTS; index += 1)
    await db.document.create({ data: { ...file, ...texts, filePath: `nowhere-${index}`, uploadedAt: start(index) } });
  for (let device = 0; device < 8; device += 1)
    await visitor().post("/api/auth/login", { email: maria.email, password: maria.password });
});

const CONSULTANT_PAGES = [
  "/calendar/hours",
  "/families/:family",
  "/families/invitations",
  "/families",
  "/dashboard",
  "/activity",
  "/calendar",
  "/money",
  "/requests",
  "/documents",
];
const FAMILY_PAGES = [
  "/dashboard",
  "/dashboard/settings/devices",
  "/appointments",
  "/appointments/waiting-list",
  "/appointments/new",
  "/documents",
];

describe("a page with many rows, requested with a query of 7 kB", () => {
  const cases = [
    ...CONSULTANT_PAGES.map((path) => ["the consultant", path] as const),
    ...FAMILY_PAGES.map((path) => ["a family", path] as const),
  ];
  test.each(cases)(
    "of %s at %s is smaller than 512 kB and doesn't repeat the query in each row",
    async (person, path) => {
      const client = person === "the consultant" ? admin : maria;
      const response = await client.get(path.replace(":family", String(maria.id)) + LONG_QUERY);
      expect(response.status).toBe(200);
      expect(Buffer.byteLength(response.text)).toBeLessThan(MAX_BYTES);
      const repeating = [...response.document.querySelectorAll("[action], [href], [formaction]")].filter((element) =>
        ["action", "href", "formaction"].some((name) => element.getAttribute(name)?.includes(MARK)),
      );
      expect(repeating.length).toBeLessThanOrEqual(MAX_REPEATS);
    },
  );
});
