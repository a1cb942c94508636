// Proves the limits on emails per address, mailbox, account and network, for visitors' requests and for accounts.
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { TEST_NOW } from "../support/bookings.ts";
import { confirmIdentity } from "../support/confirm-identity.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { type Family, signInAs } from "../support/people.ts";
import { addPastVisit } from "../support/past-visit.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";

const AFTER_AN_HOUR_MS = 3_600_001;
const smtp = await startSmtpServer();
// One site with its limits on.
Object.assign(environmentOverrides, { RATE_LIMITS: "on", SMTP_URL: smtp.url });
const { adminEmail, consultant, db, family, origin, setTestClock, testing, visitor } =
  await import("../support/site.ts");
await testing.stopJobs(); // mail is delivered where a test asks for it

setTestClock(() => TEST_NOW);
afterAll(() => smtp.stop());
afterEach(() => void vi.useRealTimers());

let mondays = 0;
/** Mondays at ten in New York, each handed out once. */
const nextTime = () => new Date(Date.parse("2026-12-07T15:00Z") + (mondays += 1) * 7 * 86_400_000).toISOString();

async function mailsTo(email: string): Promise<string[]> {
  await testing.drainResetLinkQueue();
  await testing.deliverDueMessages();
  return smtp.mails.filter(({ to }) => to === email).map(({ event }) => event);
}

let networks = 0;
/** Handed out once: mail to addresses that are not confirmed is limited for a network, too. */
const nextNetwork = () => `127.0.51.${(networks += 1)}`;

/** A family whose first visit has taken place, with one to come. */
async function familyWithVisit() {
  const maria = await family({ intake: true, address: nextNetwork() });
  await addPastVisit(db, maria, TEST_NOW);
  const fields = { title: "Hourly Consulting", appointmentDate: nextTime(), duration: 60, type: "consultation" };
  const { id } = (await maria.post("/api/appointments/in-person", fields)).json;
  return { maria, id: Number(id) };
}

const move = (person: { request: Family["request"] }, id: number) =>
  person.request("PATCH", `/api/appointments/${id}`, {
    headers: { Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify({ appointmentDate: nextTime() }),
  });

test("a family can move a visit 20 times per day, then gets 429; the consultant is not limited", async () => {
  const { maria, id } = await familyWithVisit();
  for (let times = 1; times <= 20; times += 1) expect([times, (await move(maria, id)).status]).toEqual([times, 200]);
  const before = await db.appointment.findUniqueOrThrow({ where: { id } });
  const refused = await move(maria, id);
  expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
  expect(await db.appointment.findUniqueOrThrow({ where: { id } })).toEqual(before);
  expect((await move(await consultant(), id)).status).toBe(200);
});

test.each([
  ["that is unconfirmed gets at most 12 emails per day", null, 12],
  ["that is confirmed gets an email for every move", TEST_NOW, 16],
])("an address %s; every message is stored", async (_, emailConfirmedAt, mails) => {
  const { maria, id } = await familyWithVisit();
  await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt } });
  for (let times = 0; times < 15; times += 1) await move(maria, id);
  expect(await mailsTo(maria.email)).toHaveLength(mails);
  expect(await db.message.count({ where: { userId: maria.id, event: "visit-moved" } })).toBe(15);
  setTestClock(() => new Date(TEST_NOW.getTime() + 86_400_001));
  await signInAs(origin, maria.email, maria.password);
  setTestClock(() => TEST_NOW);
  expect(await db.message.findFirst({ where: { userId: maria.id, event: "new-device" } })).toMatchObject({
    state: "pending",
  });
});

/** Mails that the family got today. */
const insertMails = ({ id, email }: Family, event: string, count: number) =>
  db.message.createMany({
    data: Array.from({ length: count }, (_, index) => ({
      key: `${event}: sample ${index} of ${id}`,
      event,
      userId: id,
      address: email,
      content: "{}",
      state: "sent",
      nextAttemptAt: TEST_NOW,
      createdAt: TEST_NOW,
    })),
  });

test("an unconfirmed address over its daily limit still gets emails about what the consultant does to its visit", async () => {
  const { maria, id } = await familyWithVisit();
  await insertMails(maria, "visit-moved", 12);
  expect((await move(maria, id)).status).toBe(200);
  const admin = await consultant();
  expect((await move(admin, id)).status).toBe(200);
  const { appointmentDate } = await db.appointment.findUniqueOrThrow({ where: { id } });
  setTestClock(() => new Date(appointmentDate.getTime() - 23.5 * 3_600_000));
  await testing.writeVisitReminders();
  const signedIn = await consultant();
  expect((await signedIn.delete(`/api/appointments/${id}`)).status).toBe(200);
  const rows = await db.message.findMany({ where: { appointmentId: id }, orderBy: { id: "asc" } });
  expect(rows.map(({ event, state }) => [event, state]).slice(1)).toEqual([
    ["visit-moved", "not-mailed"],
    ["visit-moved", "pending"],
    ["visit-reminder-24h", "dropped"],
    ["visit-cancelled", "pending"],
  ]);
  setTestClock(() => TEST_NOW);
});

test("password reset emails don't count toward an unconfirmed address's limit for other emails", async () => {
  const { maria, id } = await familyWithVisit();
  await insertMails(maria, "password-reset", 12);
  expect((await move(maria, id)).status).toBe(200);
  const where = { userId: maria.id, event: "visit-moved" };
  expect(await db.message.findFirst({ where })).toMatchObject({ state: "pending" });
});

test("60 other emails don't suppress account emails, which have their own limit of 20 per day", async () => {
  const { maria } = await familyWithVisit();
  await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: TEST_NOW } });
  const changePassword = async (from: string, to: string) => {
    const body = { currentPassword: from, newPassword: to, confirmPassword: to };
    expect((await maria.post("/api/auth/change-password", body)).status).toBe(200);
    return db.message.findFirst({ where: { userId: maria.id }, orderBy: { id: "desc" } });
  };
  await insertMails(maria, "visit-moved", 60);
  const second = "the second long password";
  expect(await changePassword(maria.password, second)).toMatchObject({ event: "password-changed", state: "pending" });
  await insertMails(maria, "new-device", 19);
  setTestClock(() => new Date(TEST_NOW.getTime() + 60_000));
  const third = "the third long password";
  expect(await changePassword(second, third)).toMatchObject({ event: "password-changed", state: "not-mailed" });
  setTestClock(() => TEST_NOW);
});

test("a family can sign and withdraw a consent ten times per day, then gets 429; the consultant gets no more emails", async () => {
  const own = await family();
  await db.user.update({ where: { id: own.id }, data: { emailConfirmedAt: null } });
  const fields = { intent: "sign", version: "2026-11-23", signedName: own.name };
  const change = async (more: Record<string, string>) => (await own.form("/consents/card-on-file", more)).status;
  for (let times = 1; times <= 10; times += 1) {
    expect([times, await change(fields)]).toEqual([times, 302]);
    expect([times, await change(fields)]).toEqual([times, 409]);
    expect([times, await change({ intent: "withdraw" })]).toEqual([times, 302]);
  }
  const where = { userId: own.id };
  const entries = await db.auditEntry.count();
  const refused = await own.form("/consents/card-on-file", fields);
  expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
  expect(refused.visibleText).toContain("You have signed ten times today. Please try again tomorrow, or call us.");
  expect([await db.consent.count({ where }), await db.auditEntry.count()]).toEqual([10, entries]);
  expect((await mailsTo(adminEmail)).filter((event) => event === "consent-withdrawn")).toHaveLength(10);
});

test("a family can request account deletion five times per day, then gets 429", async () => {
  const own = await family();
  const leave = (who: TestClient) =>
    who.request("DELETE", "/api/me", {
      headers: { Origin: origin, "Content-Type": "application/json" },
      body: JSON.stringify({ password: own.password }),
    });
  let client: TestClient = own;
  for (let times = 1; times <= 5; times += 1) {
    expect([times, (await leave(client)).status]).toEqual([times, 202]);
    client = await signInAs(origin, own.email, own.password);
    expect([times, (await client.post("/api/me/keep", {})).status]).toEqual([times, 200]);
  }
  const refused = await leave(client);
  expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
  expect(refused.json.message).toContain("five times today");
  expect(await db.user.findUnique({ where: { id: own.id } })).toMatchObject({ eraseAfter: null });
});

test("the consultant gets at most 12 emails per day about one event of one family; every message is stored", async () => {
  const [own, other] = [await family(), await family()];
  const fields = { kind: "privacy", email: own.email, name: "Maria", text: "What do you store about us?" };
  const ask = async (person: Family, times: number) => {
    person.ip = `127.0.41.${times}`;
    expect([times, (await person.form("/legal-request", fields)).status]).toEqual([times, 302]);
  };
  await mailsTo(adminEmail);
  for (let times = 1; times <= 14; times += 1) await ask(own, times);
  await ask(other, 15);
  expect((await mailsTo(adminEmail)).filter((event) => event === "new-legal-request")).toHaveLength(13);
  expect(await db.message.count({ where: { event: "new-legal-request" } })).toBe(15);
});

test.each([
  ["legal requests", "new-legal-request", 5],
  ["consultation requests", "new-request", 24],
])(
  "visitors' %s are emailed to the consultant up to a daily limit, then one last email says that more came",
  async (_, event, mails) => {
    const start = Date.parse("2027-02-01T15:00Z");
    const [about, requested] = [
      { kind: "privacy", name: "A", text: "-" },
      { firstName: "A", lastName: "B", urgency: "routine" },
    ];
    let sent = 0;
    const send = async (more: object = {}) => {
      const stranger = visitor();
      stranger.ip = `127.0.${event.length}.${(sent += 1)}`;
      const email = `stranger${sent}@example.org`;
      const { status } =
        event === "new-request"
          ? await stranger.post("/api/consultation-requests", {
              ...requested,
              email,
              serviceNeeds: "IEP",
              consent: true,
              ...more,
            })
          : await stranger.form("/legal-request", { ...about, email });
      expect([sent, status]).toEqual([sent, event === "new-request" ? 201 : 302]);
    };
    setTestClock(() => new Date(start));
    await mailsTo(adminEmail);
    const received = async () => (await mailsTo(adminEmail)).filter((each) => each === event).length;
    const before = await received();
    const written = await db.message.count({ where: { event } });
    for (let more = 0; more < mails + 3; more += 1) await send();
    expect((await received()) - before).toBe(mails + 1);
    expect(await db.message.count({ where: { event } })).toBe(written + mails + 4);
    // Five mails are delivered at once, so it need not be the last to arrive.
    const ofMore = smtp.mails.filter((each) => each.event === event && each.subject === "More requests came in today");
    expect(ofMore).toHaveLength(1);
    // Urgent ones have a limit of their own, so that the others can't silence them.
    const urgent = event === "new-request" ? 1 : 0;
    if (urgent) await send({ urgency: "urgent" });
    expect((await received()) - before).toBe(mails + 1 + urgent);
    setTestClock(() => new Date(start + 86_400_001));
    await send();
    expect((await received()) - before).toBe(mails + 2 + urgent);
    setTestClock(() => TEST_NOW);
  },
);

test("address-change links are limited to three per account (then 429), and to three per mailbox and network", async () => {
  const [maria, network] = [await family({ address: nextNetwork() }), nextNetwork()];
  const ask = async (person: Family, email: string) => {
    await confirmIdentity(person);
    return (await person.form("/change-email", { email })).status;
  };
  for (let times = 0; times < 3; times += 1) expect(await ask(maria, `new.${times}@example.org`)).toBe(302);
  expect(await ask(maria, "new.3@example.org")).toBe(429);
  const mailed = () => mailsToAll((email) => email.startsWith("wanted"));
  for (let times = 1; times <= 4; times += 1) {
    expect(await ask(await family({ address: network }), `wanted+${times}@example.org`)).toBe(302);
    expect(await mailed()).toHaveLength(Math.min(3, times));
  }
  // The owner of the mailbox, elsewhere, is not kept from it.
  expect(await ask(await family({ address: nextNetwork() }), "wanted@example.org")).toBe(302);
  expect(await mailsTo("wanted@example.org")).toEqual(["email-change-requested"]);
});

async function askForLink(email: string, ip = nextNetwork()) {
  const stranger = visitor();
  stranger.ip = ip;
  expect((await stranger.post("/api/auth/forgot-password", { email })).status).toBe(202);
  await testing.drainResetLinkQueue();
}

/** For what is counted in memory, and on PostgreSQL in the database. */
async function passHour() {
  vi.advanceTimersByTime(AFTER_AN_HOUR_MS);
  await db.rateLimit.updateMany({ data: { expire: { decrement: AFTER_AN_HOUR_MS } } });
}

test("a known address gets at most three password links per hour and nine per day, from any network", async () => {
  const maria = await family();
  await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: TEST_NOW } });
  vi.useFakeTimers({ toFake: ["performance"] });
  for (let hour = 0; hour < 6; hour += 1) {
    if (hour > 0) await passHour();
    for (let times = 0; times < 4; times += 1) {
      await askForLink(maria.email);
      // Each is delivered: a later one takes the place of one that still waits.
      await mailsTo(maria.email);
    }
    const expected = Math.min(9, (hour + 1) * 3);
    expect([hour, (await mailsTo(maria.email)).length]).toEqual([hour, expected]);
  }
});

test.each([
  ["confirmed", TEST_NOW],
  ["unconfirmed", null],
])(
  "requests for sub-addresses, with or without accounts, don't use up the password links of a %s address",
  async (name, emailConfirmedAt) => {
    const [email, network] = [`lockme.${name}@example.org`, nextNetwork()];
    const maria = await family({ email });
    await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt } });
    for (let part = 0; part < 3; part += 1) await askForLink(email.replace("@", `+none${part}@`));
    for (let part = 0; part < 4; part += 1) {
      const other = email.replace("@", `+${part}@`);
      await family({ email: other });
      await askForLink(other, network);
    }
    expect(await mailsTo(email.replace("@", "+3@"))).toEqual([]);
    await askForLink(email);
    expect(await mailsTo(email)).toEqual(["password-reset"]);
  },
);

test("a password link request over the limit leaves the earlier link valid and writes one message row as usual", async () => {
  const maria = await family();
  await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: TEST_NOW } });
  for (let times = 0; times < 3; times += 1) await askForLink(maria.email);
  const links = () => db.passwordReset.findMany({ where: { userId: maria.id } });
  const [before, rows] = [await links(), await db.message.count()];
  await askForLink(maria.email);
  expect([await links(), before.length, (await db.message.count()) - rows]).toEqual([before, 1, 1]);
});

/** Everything that mails an address which nobody has confirmed, from one network, with the statuses of the answers. */
async function flood(ip: string, addressOf: (part: string) => string) {
  const statuses: number[] = [];
  for (let account = 0; account < 5; account += 1) {
    const own = await family({ email: addressOf(`a${account}`), address: ip });
    const next = "another green river";
    const passwords = { currentPassword: own.password, newPassword: next, confirmPassword: next };
    const stranger = visitor();
    stranger.ip = ip;
    const request = { firstName: "A", lastName: "B", urgency: "routine", serviceNeeds: "IEP", consent: true };
    await confirmIdentity(own);
    const responses = [
      await own.post("/api/auth/change-password", passwords),
      await own.form("/messages", { intent: "confirm" }),
      await own.form("/messages", { intent: "confirm" }),
      await own.form("/change-email", { email: addressOf(`c${account}`) }),
      await stranger.post("/api/consultation-requests", { ...request, email: addressOf(`r${account}`) }),
      await stranger.post("/api/auth/forgot-password", { email: own.email }),
    ];
    statuses.push(...responses.map(({ status }) => status));
  }
  return statuses;
}

const mailsToAll = async (isWanted: (email: string) => boolean) => {
  await mailsTo("");
  return smtp.mails.filter(({ to }) => isWanted(to)).map(({ event }) => event);
};

test.each([
  ["sub-addresses", "127.0.50.1", (part: string) => `victim+${part}@example.com`, /^victim\+/],
  ["dots and both names of one host", "127.0.50.2", dotted, /^v\.?i\.?c\.?t\.?i\.?m\.?@g/],
])(
  "using %s, one network causes only 15 emails and 3 reset links to a mailbox; no response shows the limit",
  async (_, ip, addressOf, pattern) => {
    const statuses = await flood(ip, addressOf);
    expect(new Set(statuses)).toEqual(new Set([200, 302, 201, 202]));
    const events = await mailsToAll((email) => pattern.test(email));
    const links = events.filter((event) => event === "password-reset");
    expect([events.length - links.length, links.length]).toEqual([15, 3]);
  },
);

/** Another spelling of one mailbox for each part. */
function dotted(part: string): string {
  const bits = [..."acr"].indexOf(part[0] ?? "") * 5 + Number(part[1]) + 1;
  const name = [..."victim"].map((letter, index) => ((bits >> index) & 1 ? `${letter}.` : letter)).join("");
  return `${name.replace(/\.$/, "")}@${bits % 2 ? "gmail.com" : "googlemail.com"}`;
}

test("a mailbox flooded by one network still gets emails requested from another network or for a confirmed account", async () => {
  const ip = "127.0.50.1";
  const elsewhere = await family({ email: "victim+home@example.com", address: "127.0.50.3" });
  await elsewhere.form("/messages", { intent: "confirm" });
  expect(await mailsTo(elsewhere.email)).toEqual(["confirm-email"]);
  const confirmed = await family({ email: "victim+us@example.com", address: ip });
  await db.user.update({ where: { id: confirmed.id }, data: { emailConfirmedAt: TEST_NOW } });
  await signInAs(origin, confirmed.email, confirmed.password);
  expect(await mailsTo(confirmed.email)).toEqual(["new-device"]);
});

test("a network's confirmation email beyond 20 per hour is reported as not sent, and the earlier link stays valid", async () => {
  const last = await family({ email: "last.one@example.org", address: "127.0.50.4" });
  await last.form("/messages", { intent: "confirm" });
  expect((await last.get("/messages")).visibleText).toContain("Email Sent");
  const link = await db.emailConfirmation.findFirstOrThrow({ where: { userId: last.id } });
  for (let number = 0; number < 21; number += 1) {
    const own = await family({ email: `someone.${number}@example.org`, address: "127.0.50.4" });
    expect((await own.form("/messages", { intent: "confirm" })).status).toBe(302);
  }
  expect(await mailsToAll((email) => email.startsWith("someone."))).toHaveLength(19);
  setTestClock(() => new Date(TEST_NOW.getTime() + 60_000));
  await last.form("/messages", { intent: "confirm" });
  expect((await last.get("/messages")).visibleText).toContain("No Email Sent");
  setTestClock(() => TEST_NOW);
  expect(await db.emailConfirmation.findMany({ where: { userId: last.id } })).toEqual([link]);
});

test("a new family can confirm its address after its network used up the limit for other emails", async () => {
  const ip = "127.0.50.6";
  const request = { firstName: "A", lastName: "B", urgency: "routine", serviceNeeds: "IEP", consent: true };
  for (let number = 0; number < 22; number += 1) {
    const own = await family({ email: `neighbor.${number}@example.org`, address: ip });
    const passwords = {
      currentPassword: own.password,
      newPassword: "another green river",
      confirmPassword: "another green river",
    };
    expect((await own.post("/api/auth/change-password", passwords)).status).toBe(200);
  }
  expect(await mailsToAll((email) => email.startsWith("neighbor."))).toHaveLength(20);
  const stranger = visitor();
  stranger.ip = ip;
  expect((await stranger.post("/api/consultation-requests", { ...request, email: "asks@example.org" })).status).toBe(
    201,
  );
  expect(await mailsTo("asks@example.org")).toEqual([]);

  const email = "new.family@example.org";
  const own = await family({ email, address: ip });
  await own.form("/messages", { intent: "confirm" });
  expect((await own.get("/messages")).visibleText).toContain(`Please check your inbox: ${email}`);
  expect(await mailsTo(email)).toEqual(["confirm-email"]);
});

test("an unconfirmed address gets at most one password-changed email per hour", async () => {
  const own = await family({ address: "127.0.50.5" });
  let currentPassword = own.password;
  for (const newPassword of ["another green river", "another green hill"]) {
    const passwords = { currentPassword, newPassword, confirmPassword: newPassword };
    expect((await own.post("/api/auth/change-password", passwords)).status).toBe(200);
    currentPassword = newPassword;
  }
  expect(await mailsTo(own.email)).toEqual(["password-changed"]);
});

test("the consultant can send 3 invitations per day to one address and 30 in all, then gets 429", async () => {
  const admin = await consultant();
  const invite = (email: string) => admin.form("/families/invitations", { firstName: "Jane", lastName: "Doe", email });
  for (let times = 1; times <= 3; times += 1) expect((await invite("invited@example.org")).status).toBe(302);
  const refused = await invite("invited@example.org");
  expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
  expect(refused.document.querySelector("[name=email]")?.getAttribute("value")).toBe("invited@example.org");
  for (let family = 4; family <= 30; family += 1)
    expect([family, (await invite(`invited.${family}@example.org`)).status]).toEqual([family, 302]);
  expect((await invite("invited.31@example.org")).status).toBe(429);
  expect(await db.invitation.count()).toBe(28);
});
