// Proves the access rights of every role for every method of every URL, as listed in authorization.txt.
import { describe, expect, test } from "vitest";
import type { TestResponse, TestClient } from "../support/http-client.ts";
import { type RoutePath, routePaths } from "../support/route-table.ts";
import { signInAs } from "../support/people.ts";
import { adminEmail, adminPassword, db, family, origin, visitor } from "../support/site.ts";

// Every method of every URL, tried by everybody with a record that exists (of the owner) and one that does not.
// People read the table; a new URL is a new line in it, or this test fails.
const TABLE = "./authorization.txt";
const MISSING = 2_000_000_000;
/** Long, so that a number of a page can't be mistaken for one. */
const FIRST_ID = 1_000_000_000;
const DAY = 86_400_000;

type Person = { name: string; client: TestClient; keepSignedIn: () => Promise<void> };

const owner = await family({ intake: true });
const other = await family({ intake: true });
const demoted = await family();
await db.user.update({ where: { id: demoted.id }, data: { isAdmin: true, isClient: false } });
await signedInAgain(demoted);
await db.user.update({ where: { id: demoted.id }, data: { isAdmin: false, isClient: true } });
const people: Person[] = [
  { name: "visitor", client: visitor(), keepSignedIn: async () => {} },
  await present("owner", owner),
  await present("other family", other),
  await present("consultant", await signInAs(origin, adminEmail, adminPassword)),
  await present("demoted", demoted),
];

async function signedInAgain(client: typeof demoted) {
  await client.post("/api/auth/login", { email: client.email, password: client.password });
}

/** Signing out is one of the endpoints: the session is restored before the next one is tried. */
async function present(name: string, client: TestClient): Promise<Person> {
  const [sid = ""] = decodeURIComponent(client.cookies.get("session") ?? "").split(".");
  const cookie = client.cookies.get("session") ?? "";
  const rows = await db.session.findMany();
  const row = rows.find((each) => sid.includes(each.sid) || Buffer.from(sid, "base64").toString().includes(each.sid));
  if (!row) throw new Error(`${name} has no session.`);
  return {
    name,
    client,
    keepSignedIn: async () => {
      client.cookies.set("session", cookie);
      await db.session.upsert({ where: { sid: row.sid }, create: row, update: row });
    },
  };
}

let records = 0;

/** A record of the owner's that the address can name, made anew so that nobody before has changed it. */
async function recordFor(path: string): Promise<number | string> {
  const userId = owner.id;
  if (path.includes("users/")) return userId;
  if (path.includes(":token")) return "a-token-that-nobody-was-given";
  const id = FIRST_ID + (records += 1);
  if (path.includes("passkeys/")) {
    const key = { name: "Phone", credentialId: `credential ${id}`, publicKey: "-" };
    return (await db.passkey.create({ data: { ...key, id, userId } })).id;
  }
  if (path.includes("/families/")) {
    const names = { firstName: "Ana", lastName: "Ruiz", password: "-" };
    await db.user.create({ data: { ...names, id, email: `family.${id}@example.com` } });
    const signature = { document: "recording", version: "2026-11-23", signedName: "Ana Ruiz", signedAt: new Date() };
    await db.consent.create({ data: { ...signature, id, userId: id } });
    await db.followUp.create({ data: { id, userId: id, text: "-", dueDay: "2026-12-23" } });
    return (await db.familyNote.create({ data: { id, userId: id, text: "-" } })).id;
  }
  if (path.includes("compliance/")) {
    const days = { receivedDay: "2026-11-23", dueDay: "2026-12-23" };
    return (await db.complianceCase.create({ data: { ...days, id, kind: "privacy", text: "-", userId } })).id;
  }
  if (path.includes("requests/")) {
    const asked = { firstName: "Ana", lastName: "Ruiz", email: owner.email, serviceNeeds: "IEP", urgency: "routine" };
    return (await db.consultationRequest.create({ data: { ...asked, id, consent: true, userId } })).id;
  }
  if (path.includes("receipts/")) {
    const booking = JSON.stringify({ title: "Hourly Consulting", appointmentDate: new Date() });
    const paid = {
      method: "cash",
      key: `key ${id}`,
      booking,
      amountCents: 7500,
      state: "paid",
      leaseEndsAt: new Date(),
    };
    return (await db.payment.create({ data: { ...paid, id, userId } })).id;
  }
  if (path.includes("documents/")) {
    const file = { fileName: "plan.pdf", fileType: "application/pdf", fileSize: 3, filePath: "nowhere" };
    return (await db.document.create({ data: { ...file, id, userId } })).id;
  }
  const appointmentDate = new Date(Math.ceil(Date.now() / DAY) * DAY + records * DAY);
  const booked = { title: "Hourly Consulting", type: "consultation", paymentAmountCents: 7500, isLiveVideoCall: true };
  return (await db.appointment.create({ data: { ...booked, id, userId, appointmentDate, paymentMethod: "in-person" } }))
    .id;
}

async function attempt(method: string, path: string, id: number | string, person: Person): Promise<string> {
  await person.keepSignedIn();
  const address = path.replace(/:[a-zA-Z]+/g, String(id)).replace("*", "nowhere-at-all");
  const isCall = path.startsWith("/api/");
  const type = isCall ? "application/json" : "application/x-www-form-urlencoded";
  const change = { headers: { Origin: origin, "Content-Type": type }, body: isCall ? "{}" : "" };
  const response = await person.client.request(method, address, method === "GET" ? {} : change);
  if (isCall) expect([method, path, response.headers["cache-control"]]).toEqual([method, path, "private, no-store"]);
  return describeOutcome(response);
}

function describeOutcome(response: TestResponse): string {
  const { location } = response.headers;
  return location === undefined
    ? String(response.status)
    : `${response.status} to ${location.replace(/\?.*/, "").replace(/\d{10}/, ":id")}`;
}

async function lineOf(method: string, { path }: RoutePath): Promise<string> {
  const cells: string[] = [];
  for (const person of people) {
    const there = await attempt(method, path, path.includes(":") ? await recordFor(path) : "", person);
    const missing = path.includes(":") ? ` / ${await attempt(method, path, MISSING, person)}` : "";
    cells.push(`${person.name} ${there}${missing}`);
  }
  return `${method.padEnd(6)} ${path}\n       ${cells.join(", ")}`;
}

describe("access rights", () => {
  test("match the table authorization.txt for every method of every URL", async () => {
    const lines: string[] = [
      "# status for a record of the owner's / for one that does not exist; pages are asked as documents",
    ];
    for (const address of routePaths) {
      const methods = address.path.startsWith("/api/") ? ["GET", "POST", "DELETE"] : ["GET", "POST"];
      for (const method of methods) lines.push(await lineOf(method, address));
    }
    expect(lines.length).toBeGreaterThan(100);
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(TABLE);
  });

  test("another family's record and an unknown id get the same status code and the same body", async () => {
    const named = routePaths.filter(
      ({ path }) => /:(id|appointmentId)/.test(path) && !path.includes("consultation-requests"),
    );
    expect(named.length).toBeGreaterThan(4);
    for (const { path } of named) {
      const methods = path.startsWith("/api/") ? ["GET", "DELETE"] : ["GET", "POST"];
      for (const method of methods) {
        const id = await recordFor(path);
        const sendRequest = async (which: number | string) => {
          await other.get("/"); // takes the message that the last answer left for the next page
          return other.request(method, path.replace(/:[a-zA-Z]+/, String(which)), { headers: { Origin: origin } });
        };
        const [foreign, missing] = [await sendRequest(id), await sendRequest(MISSING)];
        const hidden = (response: TestResponse, which: number | string) =>
          response.text.replaceAll(String(which), "ID").replace(/nonce="[^"]*"|(remainingMs|endsAt)[^a-z]*/g, "");
        expect([method, path, foreign.status, hidden(foreign, id)]).toEqual([
          method,
          path,
          missing.status,
          hidden(missing, MISSING),
        ]);
        expect(foreign.text).not.toContain(owner.lastName + " ");
      }
    }
  });

  test("another family and a visitor can't cancel a family's appointment; the family can", async () => {
    const id = Number(await recordFor("/api/appointments/:id"));
    const before = await db.appointment.findUniqueOrThrow({ where: { id } });
    await other.delete(`/api/appointments/${id}`);
    await other.form(`/appointments/${id}/cancel`, {});
    await visitor().delete(`/api/appointments/${id}`);
    expect(await db.appointment.findUniqueOrThrow({ where: { id } })).toEqual(before);
    expect((await owner.delete(`/api/appointments/${id}`)).status).toBe(200);
  });

  test("an unknown API path is 401 for a visitor and a JSON 404 for a signed-in user", async () => {
    for (const path of ["/api", "/api/", "/api/nowhere", "/api/appointments/1/more", "/api/auth"]) {
      const [stranger, known] = [await visitor().get(path), await owner.get(path)];
      expect([path, stranger.status, stranger.json]).toEqual([path, 401, { message: "Unauthorized" }]);
      expect([path, known.status, known.headers["content-type"]]).toEqual([
        path,
        404,
        expect.stringMatching(/^application\/json/),
      ]);
    }
  });
});
