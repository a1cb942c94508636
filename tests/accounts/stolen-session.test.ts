// Proves that an attacker with a copied session can't keep the owner from recovering the account.
import { afterAll, afterEach, expect, test } from "vitest";
import { codeOf } from "../support/authenticator-app.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { addPasskey, signInWithPasskey } from "../support/passkeys.ts";
import { signInAs } from "../support/people.ts";
import { SoftwareAuthenticator } from "../support/software-authenticator.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";

const smtp = await startSmtpServer();
Object.assign(environmentOverrides, { RATE_LIMITS: "on", SMTP_URL: smtp.url });
const { adminEmail, adminPassword, consultant, db, family, origin, setTestClock, testing, visitor } =
  await import("../support/site.ts");
await testing.stopJobs(); // mail is delivered where a test asks for it
afterAll(() => smtp.stop());
afterEach(() => setTestClock(null));

test("a copied session over ten minutes old can't end the owner's new session; the owner can end the copied one", async () => {
  const own = await family({ address: "127.0.82.1" });
  const attacker = own.clone();
  setTestClock(() => new Date(Date.now() + 11 * 60_000));
  const owner = await signInAs(origin, own.email, own.password);
  const devices = async (client: typeof attacker): Promise<{ id: number; current: boolean }[]> =>
    (await client.get("/api/auth/sessions")).json;
  const others = async (client: typeof attacker) => (await devices(client)).find(({ current }) => !current)?.id ?? 0;
  const ended = await attacker.delete(`/api/auth/sessions/${await others(attacker)}`);
  expect([ended.status, ended.json.message]).toEqual([403, expect.stringContaining("sign in again")]);
  const path = "/dashboard/settings/devices";
  const asked = await attacker.form(path, { id: String(await others(attacker)) });
  expect([asked.status, asked.headers.location]).toEqual([
    302,
    `/confirm-identity?redirectTo=${encodeURIComponent(path)}`,
  ]);
  expect((await owner.get("/api/auth/me")).status).toBe(200);

  const late = await signInAs(origin, own.email, own.password);
  setTestClock(() => new Date(Date.now() + 22 * 60_000));
  await late.form("/confirm-identity", { password: own.password });
  const [first] = (await devices(late)).filter(({ current }) => !current);
  expect((await late.form(path, { id: String(first?.id) })).headers.location).toBe(path);
  const rest = (await devices(late)).filter(({ current }) => !current);
  for (const { id } of rest) expect((await late.delete(`/api/auth/sessions/${id}`)).status).toBe(200);
  for (const client of [attacker, owner]) expect((await client.get("/api/auth/me")).status).toBe(401);
  const [last] = await devices(late);
  setTestClock(() => new Date(Date.now() + 40 * 60_000));
  expect((await late.delete(`/api/auth/sessions/${last?.id}`)).status).toBe(200);
});

test("a recently copied session can end two newer ones, then must confirm; the owner's third one stays", async () => {
  const own = await family({ address: "127.0.83.1" });
  const attacker = own.clone();
  const endOther = async (client: typeof attacker) => {
    const devices: { id: number; current: boolean }[] = (await client.get("/api/auth/sessions")).json;
    return client.delete(`/api/auth/sessions/${devices.find(({ current }) => !current)?.id}`);
  };
  const signIn = () => signInAs(origin, own.email, own.password);
  const statuses: number[] = [];
  const minutes = [1, 2, 3];
  let owner = own;
  for (const minute of minutes) {
    setTestClock(() => new Date(Date.now() + minute * 60_000));
    owner = Object.assign(owner, { cookies: (await signIn()).cookies });
    statuses.push((await endOther(attacker)).status);
  }
  expect(statuses).toEqual([200, 200, 403]);
  const path = "/dashboard/settings/devices";
  const [first] = ((await attacker.get("/api/auth/sessions")).json as { id: number; current: boolean }[]).filter(
    ({ current }) => !current,
  );
  const asked = await attacker.form(path, { id: String(first?.id) });
  expect(asked.headers.location).toBe(`/confirm-identity?redirectTo=${encodeURIComponent(path)}`);
  expect((await attacker.get(asked.headers.location ?? "")).visibleText).toContain("Your password");
  expect((await owner.get("/api/auth/me")).status).toBe(200);
  expect((await endOther(owner)).status).toBe(200);
  expect((await attacker.get("/api/auth/me")).status).toBe(401);
  const late = await signIn();
  for (let times = 0; times < 3; times += 1) {
    await signIn();
    expect((await late.form("/confirm-identity", { password: own.password })).status).toBe(302);
    expect((await endOther(late)).status).toBe(200);
  }
});

test("a copied session can't change the email address, or later the phone number, without the password", async () => {
  const own = await family({ address: "127.0.84.1" });
  const attacker = own.clone();
  const [path, email] = ["/change-email", "thief@example.org"];
  const asked = await attacker.form(path, { email });
  expect(asked.headers.location).toBe(`/confirm-identity?redirectTo=${encodeURIComponent(path)}`);
  expect(await db.emailConfirmation.count({ where: { userId: own.id, isChange: true } })).toBe(0);
  const back = await own.follow(await own.form(asked.headers.location ?? "", { password: own.password }));
  expect(back.document.querySelector('input[name="email"]')).not.toBeNull();
  expect((await own.form(path, { email: "ours@example.org" })).headers.location).toBe(`${path}?sent`);

  const profile = "/dashboard/profile";
  const fields = { firstName: own.firstName, lastName: own.lastName, phone: "(732) 555-0199" };
  setTestClock(() => new Date(Date.now() + 11 * 60_000));
  const refused = await attacker.form(profile, fields);
  expect(refused.headers.location).toBe(`/confirm-identity?redirectTo=${encodeURIComponent(profile)}`);
  expect((await db.user.findUniqueOrThrow({ where: { id: own.id } })).phone).toBeNull();
  const form = await attacker.follow(await attacker.form(refused.headers.location ?? "", { password: own.password }));
  expect(form.document.querySelector('input[name="phone"]')?.getAttribute("value")).toBe(fields.phone);
  expect((await attacker.form(profile, fields)).headers.location).toBe("/dashboard/settings");
});

test("a session can create ten calendar links a day and delete each; the owner's new sign-in has its own limit", async () => {
  const own = await family({ address: "127.0.85.1" });
  const path = "/dashboard/settings/calendar";
  const entries = () => db.auditEntry.count({ where: { familyId: own.id } });
  for (let times = 0; times < 5; times += 1) {
    expect((await own.post("/api/calendar-feed", {})).status).toBe(201);
    expect((await own.form(path, { link: "new" })).status).toBe(200);
    expect((await own.delete("/api/calendar-feed")).status).toBe(200);
  }
  const before = await entries();
  const page = await own.form(path, { link: "new" });
  expect([page.status, page.visibleText.includes("ten calendar links today")]).toEqual([429, true]);
  expect((await own.post("/api/calendar-feed", {})).status).toBe(429);
  expect((await own.delete("/api/calendar-feed")).status).toBe(200);
  expect(await entries()).toBe(before);
  const owner = await signInAs(origin, own.email, own.password);
  const link = await owner.post("/api/calendar-feed", {});
  expect([link.status, (await visitor().get(new URL(link.json.url as string).pathname)).status]).toEqual([201, 200]);
});

test("an account can create fifty calendar links a day in all its sessions, and can still delete its link", async () => {
  const own = await family();
  for (let session = 0; session < 5; session += 1) {
    const client = await signInAs(origin, own.email, own.password);
    for (let times = 0; times < 10; times += 1) expect((await client.post("/api/calendar-feed", {})).status).toBe(201);
  }
  const client = await signInAs(origin, own.email, own.password);
  expect((await client.post("/api/calendar-feed", {})).status).toBe(429);
  expect((await client.delete("/api/calendar-feed")).status).toBe(200);
});

test("the owner's password change removes the attacker's passkey and calendar link; a reset email still arrives", async () => {
  const own = await family({ address: "127.0.81.1", email: "chain@example.org", intake: true });
  const at = (ip: string) => Object.assign(visitor(), { ip });
  const attacker = at("127.0.81.2");
  for (const [name, value] of own.cookies) attacker.cookies.set(name, value);
  const { device } = await addPasskey(attacker);
  const feed = new URL((await attacker.post("/api/calendar-feed", {})).json.url as string).pathname;
  const person = await db.user.findUniqueOrThrow({ where: { id: own.id } });
  const { sid } = await db.session.findFirstOrThrow({ where: { userId: own.id } });
  const change = { pattern: "/comfort", method: "POST", readEntries: async () => null };
  while ((await testing.consumeMutationLimits({ sid, person }, attacker.ip, change)) === null);
  for (let times = 0; times < 5; times += 1) {
    const stranger = at("127.0.81.3");
    await stranger.post("/api/auth/forgot-password", { email: `chain+${times}@example.org` });
  }
  expect((await attacker.form("/comfort", { comfort: "large" })).status).toBe(429);

  const owner = at("127.0.81.4");
  const [newPassword, current] = ["four yellow hills 88", own.password];
  expect((await owner.post("/api/auth/login", { email: own.email, password: current })).status).toBe(200);
  const passwords = { currentPassword: current, newPassword, confirmPassword: newPassword };
  expect((await owner.post("/api/auth/change-password", passwords)).status).toBe(200);
  expect((await attacker.get("/api/auth/me")).status).toBe(401);
  expect((await owner.form("/comfort", { comfort: "large" })).status).toBe(302);
  const again = at("127.0.81.5");
  expect((await signInWithPasskey(again, device)).status).toBe(401);
  expect((await again.get("/api/intake-forms")).status).toBe(401);
  expect((await again.get(feed)).status).toBe(404);

  expect((await at("127.0.81.6").post("/api/auth/forgot-password", { email: own.email })).status).toBe(202);
  await testing.drainResetLinkQueue();
  await testing.deliverDueMessages();
  expect(smtp.mails.filter(({ to }) => to === own.email).map(({ event }) => event)).toContain("password-reset");
});

test.each(["a family", "the consultant"])(
  "a copied session of %s at its per-minute limit blocks neither the owner elsewhere nor ending access",
  async (who) => {
    const own = who === "a family" ? await family() : await consultant();
    const home = who === "a family" ? "127.0.86" : "127.0.87";
    own.ip = `${home}.1`;
    expect((await own.get("/api/auth/me")).status).toBe(200);
    const attacker = Object.assign(visitor(), { ip: `${home}.2` });
    attacker.cookies.set("session", own.cookies.get("session")!);
    const statuses = async () => {
      const sent: number[] = [];
      // More at once would be more connections than an address may have.
      for (let batch = 0; batch < 10; batch += 1) {
        const responses = await Promise.all(Array.from({ length: 30 }, () => attacker.post("/api/nothing", {})));
        sent.push(...responses.map(({ status }) => status));
      }
      return new Set(sent);
    };
    expect([await statuses(), (await attacker.post("/api/nothing", {})).status]).toEqual([new Set([404]), 429]);
    expect((await own.post("/api/nothing", {})).status).toBe(404);
    attacker.ip = own.ip;
    expect(new Set([...(await statuses()), (await attacker.post("/api/nothing", {})).status])).toEqual(
      new Set([404, 429]),
    );
    expect((await own.post("/api/nothing", {})).status).toBe(429);
    const ends = [
      own.post("/api/auth/change-password", {}),
      own.form("/dashboard/settings", {}),
      own.form("/dashboard/settings.data", {}),
      own.delete("/api/auth/sessions/0"),
      own.form("/dashboard/settings/devices", { id: "nothing" }),
      own.post("/api/auth/login", {}),
    ];
    expect((await Promise.all(ends)).map(({ status }) => status)).not.toContain(429);
    expect((await own.post("/api/auth/logout", {})).status).toBe(200);
  },
);

const DAY_MS = 86_400_000;
const olderPasskey = (userId: number, daysAgo: number) =>
  db.passkey.create({
    data: {
      userId,
      name: "Old key",
      credentialId: `key${userId}-${daysAgo}`,
      publicKey: "-",
      createdAt: new Date(Date.now() - daysAgo * DAY_MS),
    },
  });
const passkeysOf = async (userId: number) =>
  (await db.passkey.findMany({ where: { userId }, orderBy: { id: "asc" } })).map(({ name }) => name);

test("a password change removes passkeys and links of the last 30 days, unless kept by choice; older ones stay", async () => {
  const own = await family({ address: "127.0.82.1" });
  await olderPasskey(own.id, 31);
  await addPasskey(own, { name: "Mom's phone" });
  const feed = new URL((await own.post("/api/calendar-feed", {})).json.url as string).pathname;
  let currentPassword = own.password;
  const next = (newPassword: string) => {
    const fields = { currentPassword, newPassword, confirmPassword: newPassword };
    currentPassword = newPassword;
    return fields;
  };
  const page = await own.get("/dashboard/settings");
  expect(page.visibleText).toContain("Keep what was added in the last 30 days");
  expect(page.visibleText).toContain("Mom's phone, and the calendar link");
  expect(page.visibleText).not.toContain("Old key");
  await own.post("/api/auth/change-password", { ...next("four yellow hills 88"), keepAdded: true });
  await own.form("/dashboard/settings", { ...next("five yellow hills 88"), keepAdded: "on" });
  expect([await passkeysOf(own.id), (await visitor().get(feed)).status]).toEqual([["Old key", "Mom's phone"], 200]);
  expect((await own.form("/dashboard/settings", next("six yellow hills 88"))).status).toBe(302);
  expect([await passkeysOf(own.id), (await visitor().get(feed)).status]).toEqual([["Old key"], 404]);
  expect((await own.get("/dashboard/settings")).visibleText).not.toContain("Keep what was added");
});

test("the consultant's password change removes an attacker's passkey and link; her only second factor stays", async () => {
  const admin = await consultant();
  const { id } = await db.user.findUniqueOrThrow({ where: { email: adminEmail } });
  await addPasskey(admin, { name: "Her own" });
  const attacker = admin.clone();
  attacker.ip = "127.0.82.2";
  const { device } = await addPasskey(attacker, { name: "Thief's" });
  const feed = new URL((await attacker.post("/api/calendar-feed", {})).json.url as string).pathname;
  const newPassword = "seven yellow hills 88";
  const fields = { currentPassword: adminPassword, newPassword, confirmPassword: newPassword };
  expect((await admin.form("/dashboard/settings", fields)).status).toBe(302);
  expect(await passkeysOf(id)).toEqual(["Her own"]);
  expect((await signInWithPasskey(visitor(), device)).status).toBe(401);
  expect((await visitor().get(feed)).status).toBe(404);
});

test("a copied session can't see the secret of the authenticator app that the owner is setting up", async () => {
  const own = await family({ address: "127.0.95.1" });
  const attacker = own.clone();
  const { secret } = (await own.post("/api/auth/second-factor", { password: own.password })).json;
  for (const path of ["/second-factor", "/second-factor.data"]) {
    const page = await attacker.get(path);
    const text = page.text.replaceAll(/<[^>]*>| /g, "");
    expect([page.status, text.includes(secret), text.includes("otpauth")]).toEqual([200, false, false]);
  }
  expect((await own.form("/second-factor", { step: "restart" })).status).toBe(302);
  const again = await own.form("/second-factor", { step: "begin", password: own.password });
  const key = (again.document.querySelector("code")?.textContent ?? "").replaceAll(" ", "");
  expect(key).toMatch(/^[A-Z2-7]{32}$/);
  const page = await attacker.get("/second-factor");
  expect([page.text.replaceAll(" ", "").includes(key), page.visibleText.includes("shown once")]).toEqual([false, true]);
  expect((await own.form("/second-factor", { step: "confirm", code: codeOf(key) })).status).toBe(200);
});

test("a copied session can't turn on an authenticator app without the password; the owner's sign-in stays as it was", async () => {
  const own = await family({ address: "127.0.93.1" });
  const attacker = own.clone();
  const before = await db.user.findUniqueOrThrow({ where: { id: own.id } });
  for (const password of [undefined, "", "not the password"]) {
    const begun = await attacker.post("/api/auth/second-factor", { password });
    expect([begun.status, Object.keys(begun.json.errors)]).toEqual([422, ["password"]]);
    const page = await attacker.form("/second-factor", { step: "begin", ...(password !== undefined && { password }) });
    expect([page.status, page.text.includes("otpauth")]).toEqual([422, false]);
  }
  for (const code of ["000000", ""]) {
    expect((await attacker.post("/api/auth/second-factor/confirm", { code })).status).toBe(422);
    expect((await attacker.form("/second-factor", { step: "confirm", code })).status).toBe(422);
  }
  const where = { userId: own.id };
  expect([await db.secondFactor.count({ where }), await db.recoveryCode.count({ where })]).toEqual([0, 0]);
  expect(await db.message.count({ where: { ...where, event: { contains: "second-factor" } } })).toBe(0);
  const after = await db.user.findUniqueOrThrow({ where: { id: own.id } });
  expect(after).toMatchObject({ password: before.password, accessVersion: before.accessVersion });
  expect((await own.get("/api/auth/me")).status).toBe(200);
  const { email, password } = own;
  expect((await visitor().post("/api/auth/login", { email, password })).status).toBe(200);
});

test("a copied session ten minutes after the password can't add a passkey, even with a challenge of before", async () => {
  const own = await family({ address: "127.0.94.1" });
  const attacker = own.clone();
  const begun = Date.now();
  setTestClock(() => new Date(begun + 9 * 60_000));
  const device = new SoftwareAuthenticator(origin);
  const credential = device.create((await attacker.post("/api/auth/passkeys/options", {})).json);
  setTestClock(() => new Date(begun + 11 * 60_000));
  const refusals = [
    await attacker.post("/api/auth/passkeys/options", {}),
    await attacker.post("/api/auth/passkeys", { name: "Thief's", credential }),
  ];
  for (const { status, json } of refusals)
    expect([status, json.message]).toEqual([403, expect.stringContaining("sign in again")]);
  const page = await attacker.form("/passkeys", { step: "add", name: "Thief's", credential });
  expect(page.headers.location).toBe("/confirm-identity?redirectTo=%2Fpasskeys");
  const wrong = await attacker.form(page.headers.location ?? "", { password: "not the password" });
  expect(wrong.status).toBe(422);
  expect((await attacker.form("/passkeys", { step: "add", name: "Thief's", credential })).status).toBe(302);
  expect(await passkeysOf(own.id)).toEqual([]);
  expect(await db.message.count({ where: { userId: own.id, event: { contains: "passkey" } } })).toBe(0);
  expect((await own.get("/api/auth/me")).status).toBe(200);
  expect((await signInWithPasskey(visitor(), device)).status).toBe(401);
});

test("an owner's confirmation lets no copied session change the email address; each change needs its own", async () => {
  const own = await family({ address: "127.0.96.1" });
  const attacker = own.clone();
  setTestClock(() => new Date(Date.now() + 11 * 60_000));
  const confirm = (page: string) =>
    own.form(`/confirm-identity?redirectTo=${encodeURIComponent(page)}`, { password: own.password });
  const change = (client: typeof attacker, email: string) => client.form("/change-email", { email });
  expect((await confirm("/dashboard/profile")).headers.location).toBe("/dashboard/profile");
  expect((await change(attacker, "thief@example.org")).headers.location).toContain("/confirm-identity");
  expect((await own.get("/confirm-identity?redirectTo=%2Fchange-email")).status).toBe(200);
  await confirm("/change-email?sent");
  expect((await change(own, "ours2@example.org")).headers.location).toBe("/change-email?sent");
  expect((await change(attacker, "thief@example.org")).headers.location).toContain("/confirm-identity");
  const asked = await db.emailConfirmation.findMany({ where: { userId: own.id, isChange: true } });
  expect(asked.map(({ email }) => email)).toEqual(["ours2@example.org"]);
});

test("a copied session's requests and guesses don't keep the owner from changing and confirming the address", async () => {
  const own = await family({ address: "127.0.98.1" });
  const attacker = Object.assign(own.clone(), { ip: "127.0.98.2" });
  const [email, path] = ["ours3@example.org", "/change-email"];
  const ask = async (address: string) => {
    await own.form("/confirm-identity?redirectTo=%2Fchange-email", { password: own.password });
    expect((await own.form(path, { email: address })).headers.location).toBe(`${path}?sent`);
  };
  const resend = () => attacker.form("/messages", { intent: "confirm" });
  const sent = () => db.message.count({ where: { userId: own.id, event: "confirm-email" } });
  await resend();
  await resend();
  await ask("ours4@example.org");
  await resend();
  await resend();
  expect(await sent()).toBe(3);
  expect(await db.emailConfirmation.count({ where: { userId: own.id, isChange: true } })).toBe(1);
  await ask(email);
  await testing.deliverDueMessages();
  const mail = smtp.mails.find(({ to, event }) => to === email && event === "email-change-requested");
  const token = /confirm-email\/(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
  const guess = () => attacker.post("/api/auth/confirm-email", { token: "guessed" });
  for (let times = 0; times < 20; times += 1) expect((await guess()).status).toBe(410);
  expect([(await guess()).status, (await attacker.get("/claim-visit/guessed")).status]).toEqual([429, 429]);
  expect((await own.get("/claim-visit/guessed")).status).toBe(404);
  expect((await own.post("/api/auth/confirm-email", { token })).status).toBe(200);
  expect((await db.user.findUniqueOrThrow({ where: { id: own.id } })).email).toBe(email);
});

test("a session over ten minutes after its password can't create a calendar link, on the page or in the API", async () => {
  const own = await family({ address: "127.0.97.1" });
  const path = "/dashboard/settings/calendar";
  setTestClock(() => new Date(Date.now() + 11 * 60_000));
  for (const client of [own, await consultant()]) {
    setTestClock(() => new Date(Date.now() + 22 * 60_000));
    expect((await client.form(path, { link: "new" })).headers.location).toContain("/confirm-identity");
    expect((await client.post("/api/calendar-feed", {})).status).toBe(403);
    expect((await client.delete("/api/calendar-feed")).status).toBe(200);
    setTestClock(null);
  }
  expect(await db.calendarFeed.count({ where: { userId: own.id } })).toBe(0);
});
