// Proves the limits on payment attempts, unsigned webhook events and uploads.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { multipart, postParts, postStreaming, textFile, uploadFile, uploadParts } from "../support/uploads.ts";
import { addPastVisit } from "../support/past-visit.ts";
import { type Family, signInAs } from "../support/people.ts";

// One site with its limits on, and no key that would prove an event of Square's.
Object.assign(environmentOverrides, { RATE_LIMITS: "on", SQUARE_WEBHOOK_SIGNATURE_KEY: "" });
const {
  now,
  cardPaymentBody: order,
  advanceTime: pass,
  site,
  openSlots: slots,
  square,
} = await import("../support/site-with-square.ts");
const { createPaymentWithHold } = await import("../../app/checkout/create-payment.server.ts");
const { setTestClock } = await import("../../app/clock.ts");
const { PERSON_SELECT } = await import("../../app/accounts/person.ts");
const { consultant, db, visitor } = site;

// The site has a clock of its own.
setTestClock(now);
const HOUR_MS = 3_600_000;
const MIB = 1024 * 1024;
let lastAddress = 0;

/** A family at a network address of its own, or at `address`. */
function family(address?: string, intake = false): Promise<Family> {
  lastAddress += 1;
  return site.family({ intake, address: address ?? `127.0.9.${lastAddress}` });
}

const pay = (who: Family) => who.post("/api/payments/process", order({ sourceId: "cnon:card-nonce-declined" }));
const authorizations = () => square.callsTo(/^POST \/v2\/payments$/).length;
const links = () => square.callsTo(/^POST \/v2\/online-checkout/).length;

async function payOnHostedPage(who: Family, slot: string = slots.next().value, duration = 60) {
  const bookingFields = { title: "Hourly Consulting", slot, duration: String(duration), type: "consultation" };
  await who.form("/appointments/new", { ...bookingFields, paymentMethod: "online" });
  return who.form("/appointments/pay", { intent: "hosted" });
}

/** Starts a hosted payment as requests that passed all earlier checks do. */
async function createHostedPayment(person: Family, slot: string) {
  const fields = {
    title: "Hourly Consulting",
    description: undefined,
    appointmentDate: new Date(slot),
    duration: 60,
    type: "consultation",
    meetingLink: undefined,
    place: undefined,
    notes: undefined,
    isLiveVideoCall: false,
  } as const;
  const account = await db.user.findUniqueOrThrow({ where: { id: person.id }, select: PERSON_SELECT });
  return createPaymentWithHold(account, "square", { method: "hosted", fields, ip: "127.0.9.250" });
}

describe("payment attempts", () => {
  test("are limited to 20 an hour per account, from any IP address; then 429 with Retry-After", async () => {
    const attacker = await family(undefined, true);
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      attacker.ip = `127.0.20.${attempt}`;
      expect([attempt, (await pay(attacker)).status]).toEqual([attempt, 402]);
    }
    attacker.ip = "127.0.20.99";
    const before = authorizations();
    const stopped = await pay(attacker);
    expect([stopped.status, stopped.json.message]).toEqual([429, expect.stringMatching(/wait/i)]);
    expect(Number(stopped.headers["retry-after"])).toBeGreaterThan(0);
    const onPage = await payOnHostedPage(attacker);
    expect([onPage.status, Number(onPage.headers["retry-after"]) > 0]).toEqual([429, true]);
    expect([authorizations(), links()]).toEqual([before, 0]);
  });

  test("are limited to 3 a day per new account plus 20 an hour per IP address; known families can go on", async () => {
    const accounts = [await family(undefined, true), await family(undefined, true), await family(undefined, true)];
    for (const account of accounts) account.ip = "127.0.21.1";
    for (let attempt = 0; attempt < 26; attempt += 1) {
      expect([attempt, (await pay(accounts[attempt % 2]!)).status]).toEqual([attempt, 402]);
    }
    for (const _ of [1, 2, 3]) expect((await pay(accounts[2]!)).status).toBe(402);
    const before = authorizations();
    expect((await pay(accounts[2]!)).status).toBe(429);
    expect((await payOnHostedPage(accounts[2]!)).status).toBe(429);
    expect([authorizations(), links()]).toEqual([before, 0]);
    const known = await family(undefined, true);
    await addPastVisit(db, known, now());
    known.ip = "127.0.21.1";
    for (const _ of [1, 2, 3, 4]) expect((await pay(known)).status).toBe(402);
    accounts[2]!.ip = "127.0.21.2";
    expect((await pay(accounts[2]!)).status).toBe(402);
  });

  test("on the provider's page are limited to 20 pages an hour; then cards get 429, too", async () => {
    const attacker = await family(undefined, true);
    await addPastVisit(db, attacker, now());
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      expect([attempt, (await payOnHostedPage(attacker)).status]).toEqual([attempt, 302]);
    }
    expect([(await payOnHostedPage(attacker)).status, links()]).toEqual([429, 20]);
    expect((await pay(attacker)).status).toBe(429);
  });

  test("on the provider's page are limited to 24 pages in 24 hours; booking in person still works", async () => {
    const [squatter, other] = [await family(undefined, true), await family(undefined, true)];
    const page = (userId: number, hoursAgo: number, index: number) => ({
      userId,
      method: "hosted",
      provider: "square",
      key: `page ${index} of ${userId}`,
      booking: "{}",
      amountCents: 7500,
      state: "declined",
      createdAt: new Date(now().getTime() - hoursAgo * HOUR_MS),
      leaseEndsAt: now(),
    });
    const pages = (userId: number, hoursAgo: number, length = 24) =>
      Array.from({ length }, (_, index) => page(userId, hoursAgo, index));
    const parallel = await family(undefined, true);
    await db.payment.createMany({
      data: [...pages(squatter.id, 23), ...pages(other.id, 25), ...pages(parallel.id, 23, 23)],
    });
    const before = links();
    const refused = await payOnHostedPage(squatter);
    expect([refused.status, links()]).toEqual([429, before]);
    expect(refused.visibleText).toContain("Please pay in person, or call us");
    const inPerson = { title: "Hourly Consulting", appointmentDate: slots.next().value };
    expect((await squatter.post("/api/appointments/in-person", inPerson)).status).toBe(201);
    expect((await payOnHostedPage(other)).status).toBe(302);
    const attempts = Array.from({ length: 4 }, () => createHostedPayment(parallel, slots.next().value));
    expect((await Promise.all(attempts)).filter(({ ok }) => ok)).toHaveLength(1);
  });

  test("of an account that is closed meanwhile hold no time and reach no provider", async () => {
    const before = links();
    for (const change of [{ closedAt: now() }, { eraseAfter: new Date(now().getTime() + HOUR_MS) }]) {
      const person = await family(undefined, true);
      await db.user.update({ where: { id: person.id }, data: change });
      const refused = await createHostedPayment(person, slots.next().value);
      expect(refused).toMatchObject({ ok: false, reason: "conflict" });
      expect(await db.hold.count({ where: { userId: person.id } })).toBe(0);
      expect(await db.payment.count({ where: { userId: person.id } })).toBe(0);
    }
    expect(links()).toBe(before);
  });

  test("of new accounts on the provider's page hold at most a quarter of a week's hours; other bookings work", async () => {
    const saturday = (hour: number) => `2026-12-19T${hour + 5}:00:00.000Z`;
    const sunday = (hour: number) => `2026-12-20T${hour + 5}:00:00.000Z`;
    const openPage = async (slot: string, duration: number) =>
      (await payOnHostedPage(await family(undefined, true), slot, duration)).status;
    // 43.5 office hours: 652 minutes and a half.
    for (const start of [saturday(9), saturday(13)]) expect(await openPage(start, 240)).toBe(302);
    const last = await family(undefined, true);
    const refused = await payOnHostedPage(last, sunday(9), 173);
    expect([refused.status, refused.visibleText, refused.headers["retry-after"]]).toEqual([
      429,
      expect.stringContaining("Please try again in 15 minutes, choose another week, or call us at (732) 555-0142."),
      "900",
    ]);
    expect(await db.payment.count({ where: { userId: last.id } })).toBe(0);
    expect((await payOnHostedPage(last, sunday(9), 172)).status).toBe(302);
    expect(await openPage(sunday(12), 15)).toBe(429);
    expect(await openPage("2026-12-21T14:00:00.000Z", 15)).toBe(302);
    const [byCard, inPerson] = [await family(undefined, true), await family(undefined, true)];
    const known = await family(undefined, true);
    const appointmentData = { title: "Hourly Consulting", appointmentDate: sunday(13) };
    const card = order({ sourceId: "cnon:card-nonce-ok", appointmentData });
    expect((await byCard.post("/api/payments/process", card)).status).toBe(200);
    const unpaid = { ...appointmentData, appointmentDate: sunday(14) };
    expect((await inPerson.post("/api/appointments/in-person", unpaid)).status).toBe(201);
    await addPastVisit(db, known, now());
    expect((await payOnHostedPage(known, sunday(15))).status).toBe(302);
    pass(HOUR_MS / 4);
    expect(await openPage(sunday(16), 60)).toBe(302);
  });
});

describe("a webhook event while no signature key is configured", () => {
  const body = JSON.stringify({ type: "payment.updated", data: { object: { payment: { id: "any" } } } });
  const sign = (key: string) =>
    createHmac("sha256", key).update(`${site.origin}/api/payments/webhook${body}`).digest("base64");

  test.each([
    ["without a signature", undefined],
    ["with an empty signature", ""],
    ["signed with an empty key", sign("")],
    ["signed with the word undefined", sign("undefined")],
    ["signed with the word null", sign("null")],
  ])("%s gets 401, and no request is sent to Square", async (_, signature) => {
    const before = square.calls.length;
    const headers = {
      "Content-Type": "application/json",
      ...(signature !== undefined && { "x-square-hmacsha256-signature": signature }),
    };
    expect((await visitor().request("POST", "/api/payments/webhook", { headers, body })).status).toBe(401);
    expect(square.calls.length).toBe(before);
  });
});

describe("a family's uploads", () => {
  test("are limited to 200 an hour; the next gets 429, and another family can still upload", async () => {
    const maria = await family();
    const noFile = [{ name: "customFileName", value: "Plan" }];
    for (let count = 0; count < 200; count += 5) {
      const responses = await Promise.all(Array.from({ length: 5 }, () => postParts(maria, noFile)));
      expect(responses.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422]);
    }
    const stopped = await postParts(maria, noFile);
    expect([stopped.status, Number(stopped.headers["retry-after"]) > 0]).toEqual([429, true]);
    expect((await uploadFile(await family())).status).toBe(201);
  });

  test("are limited to six at once per session; the seventh gets 429, and another session can still upload", async () => {
    const maria = await family();
    const elsewhere = await signInAs(site.origin, maria.email, maria.password);
    const whole = multipart(uploadParts());
    let finish = () => {};
    const held = new Promise<void>((resolve) => (finish = resolve));
    const responses = Array.from({ length: 7 }, () => {
      const { answer } = postStreaming(maria, { "Content-Length": whole.length }, async (write) => {
        await write(whole.subarray(0, 100));
        await held;
        await write(whole.subarray(100));
      });
      return answer;
    });
    const refusal = await Promise.race(responses);
    expect([refusal.status, refusal.json.message]).toEqual([429, expect.stringContaining("at once")]);
    expect((await uploadFile(maria)).status).toBe(429);
    expect((await uploadFile(elsewhere)).status).toBe(201);
    expect((await uploadFile(await family())).status).toBe(201);
    finish();
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 201, 201, 201, 201, 429]);
    expect((await uploadFile(maria)).status).toBe(201);
  });
});

test("new accounts at one IP address share 12 concurrent uploads; a known family there can still upload", async () => {
  // Where `postStreaming` sends from.
  const address = "127.0.0.1";
  const [first, second, third] = [await family(address), await family(address), await family(address)];
  const known = await family(address);
  await addPastVisit(db, known, now());
  const whole = multipart(uploadParts());
  let finish = () => {};
  const held = new Promise<void>((resolve) => (finish = resolve));
  const sent = [...Array<Family>(6).fill(first), ...Array<Family>(6).fill(second), third];
  const responses = sent.map((person) => {
    const write = async (send: (piece: Buffer) => Promise<void>) => {
      await send(whole.subarray(0, 100));
      await held;
      await send(whole.subarray(100));
    };
    return postStreaming(person, { "Content-Length": whole.length }, write).answer;
  });
  expect((await Promise.race(responses)).status).toBe(429);
  expect((await uploadFile(third)).status).toBe(429);
  expect((await uploadFile(known)).status).toBe(201);
  finish();
  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array<number>(12).fill(201), 429]);
  expect((await uploadFile(third)).status).toBe(201);
});

test("an upload is cut off when a password change ends its session", async () => {
  const attacker = await family();
  const owner = await signInAs(site.origin, attacker.email, attacker.password);
  const whole = multipart(uploadParts());
  const { answer, sent } = postStreaming(attacker, { "Content-Length": whole.length }, async (write) => {
    await write(whole.subarray(0, 100));
    await new Promise(() => {});
  });
  const cut = answer.then(
    ({ status }) => status,
    () => "cut off",
  );
  await once(sent, "socket");
  const newPassword = "another green river";
  const passwords = { currentPassword: attacker.password, newPassword, confirmPassword: newPassword };
  expect((await owner.post("/api/auth/change-password", passwords)).status).toBe(200);
  expect(await cut).toBe("cut off");
  expect((await attacker.get("/api/auth/me")).status).toBe(401);
});

describe("a family whose first visit has not taken place", () => {
  const filler = (userId: number, fileSize: number) => ({
    userId,
    fileName: "a.zip",
    fileType: "application/zip",
    fileSize,
    filePath: `filler-${userId}`,
  });
  test("can store exactly 100 MB, gets 413 with the reason beyond, and can store 2 GB after the visit", async () => {
    const maria = await family();
    await db.document.create({ data: filler(maria.id, 100 * MIB - 100_001) });
    expect((await uploadFile(maria, { bytes: textFile(100_000) })).status).toBe(201);
    const over = await uploadFile(maria, { bytes: textFile(2) });
    expect([over.status, over.json.message]).toEqual([413, expect.stringMatching(/first visit.*100 MB.*call us/)]);
    expect((await uploadFile(maria, { bytes: textFile(1) })).status).toBe(201);
    expect((await uploadFile(maria, { bytes: textFile(1) })).status).toBe(413);

    const appointmentDate = new Date(Math.floor(now().getTime() / 60_000) * 60_000);
    const visit = { title: "Initial Consultation", type: "consultation", status: "completed" };
    await db.appointment.create({ data: { ...visit, userId: maria.id, appointmentDate, duration: 30 } });
    expect((await uploadFile(maria, { bytes: textFile(1) })).status).toBe(413);
    pass(HOUR_MS / 2);
    expect((await uploadFile(maria, { bytes: textFile(2) })).status).toBe(201);
    await db.document.updateMany({
      where: { filePath: `filler-${maria.id}` },
      data: { fileSize: 2 * 1024 * MIB - 200_000 },
    });
    const full = await uploadFile(maria, { bytes: textFile(200_000) });
    expect([full.status, full.json.message]).toEqual([413, expect.stringContaining("2 GB")]);
  });

  test("can't exceed 100 MB by concurrent uploads, and gets 413 before the file is read", async () => {
    const maria = await family();
    await db.document.create({ data: filler(maria.id, 100 * MIB - 150_000) });
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => uploadFile(maria.clone(), { bytes: textFile(100_000) })),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 413, 413, 413]);
    await db.document.updateMany({ where: { filePath: `filler-${maria.id}` }, data: { fileSize: 100 * MIB } });
    expect((await postParts(maria, [{ name: "customFileName", value: "Plan" }])).status).toBe(413);
  });

  test("still receives documents from the consultant when its own uploads get 413", async () => {
    const maria = await family();
    await db.document.create({ data: filler(maria.id, 100 * MIB) });
    const sent = await uploadFile(await consultant(), { fields: { userId: String(maria.id) } });
    expect([sent.status, (await uploadFile(maria)).status]).toEqual([201, 413]);
  });
});
