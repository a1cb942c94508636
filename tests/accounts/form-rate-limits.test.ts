// Proves that forms sent by visitors from an address don't use up a known family's limit, signed in or on its device.
import { expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { addPastVisit } from "../support/past-visit.ts";
import { signInAs } from "../support/people.ts";

environmentOverrides.RATE_LIMITS = "on";
const { db, family, origin, visitor } = await import("../support/site.ts");

const LEGAL = { kind: "privacy", name: "Ana Ruiz", text: "Please send me a copy of my file." };
const CONSULTATION = { firstName: "Ana", lastName: "Ruiz", serviceNeeds: "IEP", urgency: "routine", consent: true };
let networks = 0;

/** Statuses of a form of the site are 302 or 429, of the API 201 or 429. */
const WAYS: [string, number, (client: TestClient, email: string) => Promise<number>][] = [
  [
    "a privacy request",
    302,
    async (client, email) => (await client.form("/legal-request", { ...LEGAL, email })).status,
  ],
  [
    "a consultation request",
    201,
    async (client, email) => (await client.post("/api/consultation-requests", { ...CONSULTATION, email })).status,
  ],
];

const closeAll = async () => {
  await db.complianceCase.updateMany({ data: { closedAt: new Date() } });
  await db.consultationRequest.updateMany({ data: { status: "scheduled" } });
};

test.each(WAYS)(
  "%s: a known family can send five an hour, whatever visitors sent from the same address",
  async (_, sent, send) => {
    const ip = `127.0.86.${(networks += 1)}`;
    const [stranger, known, newcomer] = [visitor(), await family(), await family()];
    await addPastVisit(db, known, new Date());
    for (const client of [stranger, known, newcomer]) client.ip = ip;
    const answers: number[] = [];
    for (let times = 0; times < 6; times += 1) answers.push(await send(stranger, "ana@example.org"));
    expect(answers).toEqual([sent, sent, sent, sent, sent, 429]);
    const ofNewcomer = [1, 2, 3].map(() => () => send(newcomer, newcomer.email));
    const sentByNewcomer: number[] = [];
    for (const each of ofNewcomer) sentByNewcomer.push(await each());
    expect([sentByNewcomer, await send(known, known.email)]).toEqual([[sent, sent, 429], sent]);

    const signedIn = await signInAs(origin, known.email, known.password);
    const device = Object.assign(visitor(), { ip });
    for (const [name, value] of signedIn.cookies) if (name.endsWith("known-device")) device.cookies.set(name, value);
    expect(device.cookies.size).toBe(1);
    expect([await send(device, known.email), await send(device, "ana@example.org")]).toEqual([sent, 429]);
    const forged = Object.assign(visitor(), { ip });
    forged.cookies.set("known-device", `AAAAAAAAAAAA.${"A".repeat(33)}`);
    expect([await send(forged, known.email), await send(stranger, known.email)]).toEqual([429, 429]);

    await closeAll();
    known.ip = "127.0.87.1";
    for (let times = 3; times <= 5; times += 1) expect(await send(known, known.email)).toBe(sent);
    expect([await send(known, known.email), await send(device, known.email)]).toEqual([429, 429]);
  },
);

test.each(WAYS)(
  "%s from a family, signed in or on its known device, is accepted when its network has ten open",
  async (_, sent, send) => {
    const own = await family();
    await addPastVisit(db, own, new Date());
    const ip = `127.0.88.${(networks += 1)}`;
    const stranger = Object.assign(visitor(), { ip });
    expect(await send(stranger, "ana@example.org")).toBe(sent);
    const { id: _case, ...openCase } = (await db.complianceCase.findFirst({ orderBy: { id: "desc" } })) ?? { id: 0 };
    const { id: _request, ...request } = (await db.consultationRequest.findFirst({ orderBy: { id: "desc" } })) ?? {
      id: 0,
    };
    if ("kind" in openCase) await db.complianceCase.createMany({ data: Array.from({ length: 9 }, () => openCase) });
    if ("consent" in request)
      await db.consultationRequest.createMany({ data: Array.from({ length: 9 }, () => request) });
    expect(await send(stranger, "ana@example.org")).toBe(429);
    const newcomer = Object.assign(await family(), { ip });
    expect([await send(newcomer, newcomer.email), await send(newcomer, newcomer.email)]).toEqual([sent, sent]);
    expect(await send(newcomer, newcomer.email)).toBe(429);
    const device = Object.assign(await signInAs(origin, own.email, own.password), { ip });
    device.cookies.delete("session");
    expect(await send(device, own.email)).toBe(sent);
  },
);
