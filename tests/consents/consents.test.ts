// Proves how a family signs and withdraws consents, and who sees them.
import { afterEach, beforeAll, expect, test, describe } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { consultant, db, family, setTestClock, testing, visitor } from "../support/site.ts";
import type { Family } from "../support/people.ts";
import { zipEntries } from "../support/zip-entries.ts";

const RECORDING = "/consents/recording";
const RELEASE = "/consents/release-of-records";
const VERSION = "2026-11-23";
const MINUTE = 60_000;
const DAY = 86_400_000;

let admin: TestClient;

beforeAll(async () => {
  admin = await consultant();
});

afterEach(() => setTestClock(null));

const sign = (own: Family, path: string, fields: Record<string, string> = {}) =>
  own.form(path, { intent: "sign", version: VERSION, signedName: own.name, ...fields });
const withdraw = (own: Family, path: string) => own.form(path, { intent: "withdraw" });
/** The page on which the consultant is asked whether the family took its newest signature back. */
async function endPath(own: Family) {
  const { id } = await db.consent.findFirstOrThrow({ where: { userId: own.id }, orderBy: { id: "desc" } });
  return `/families/${own.id}/consents/${id}/withdraw`;
}
const noticesTo = (own: Family) => db.message.findMany({ where: { event: "consent-withdrawn", userId: own.id } });
const signaturesOf = ({ id }: Family) => db.consent.findMany({ where: { userId: id }, orderBy: { id: "asc" } });

describe("a family", () => {
  test("reads a consent, signs it by typing its name, sees it as signed, and withdraws it", async () => {
    const own = await family();
    expect((await own.get("/dashboard/settings")).document.querySelector('a[href="/consents"]')).not.toBeNull();
    expect((await own.get("/consents")).visibleText).toContain("Recording a visit");
    const page = await own.get(RECORDING);
    expect(page.visibleText).toContain("You let us record the sound of a visit");
    const signed = await sign(own, RECORDING, { signedName: `  ${own.name.toUpperCase()}  ` });
    expect([signed.status, signed.headers.location]).toEqual([302, RECORDING]);
    const after = await own.follow(signed);
    expect(after.visibleText).toContain("Signed by");
    expect(after.document.querySelector("[data-print]")?.textContent).toContain("You let us record");
    expect((await own.get("/consents")).visibleText).toContain("signed");
    const back = await withdraw(own, RECORDING);
    expect(back.headers.location).toBe("/consents");
    const rows = await signaturesOf(own);
    expect(rows).toMatchObject([{ document: "recording", version: VERSION, withdrawnAt: expect.any(Date) }]);
    expect((await own.get(RECORDING)).visibleText).toContain("Sign with your full name");
    expect((await sign(own, RECORDING)).status).toBe(302);
    expect(await signaturesOf(own)).toHaveLength(2);
  });

  test("can sign only with its own name and the current version, and must name recipients for a release", async () => {
    const own = await family();
    const refused: [Record<string, string>, number, string][] = [
      [{ signedName: "" }, 422, "Type your full name to sign."],
      [{ signedName: "Somebody Else" }, 422, `Type your name as it is in your account: ${own.name}.`],
      [{ signedName: "x".repeat(300) }, 422, "201 characters"],
      [{ details: "" }, 422, "Name at least one person or place."],
      [{ version: "2020-01-01" }, 409, "This text has changed."],
      [{ version: "" }, 422, "Please read the text"],
    ];
    for (const [fields, status, message] of refused) {
      const response = await sign(own, RELEASE, { details: "Shore Regional School", ...fields });
      expect([fields, response.status, response.visibleText.includes(message)]).toEqual([fields, status, true]);
    }
    expect(await signaturesOf(own)).toEqual([]);
    expect((await sign(own, RELEASE, { details: "Shore Regional School" })).status).toBe(302);
    expect(await signaturesOf(own)).toMatchObject([{ details: "Shore Regional School", signedName: own.name }]);
  });

  test("can sign with any kind of apostrophe and hyphen, but not without them", async () => {
    const own = await family({ firstName: "Ann-Marie", lastName: "O'Neil" });
    for (const signedName of ["Ann-Marie O\u2019Neil", "ann\u2011marie o\u02bcneil", "Ann\u2013Marie O'Neil"]) {
      expect([signedName, (await sign(own, RECORDING, { signedName })).status]).toEqual([signedName, 302]);
      await withdraw(own, RECORDING);
    }
    expect((await sign(own, RECORDING, { signedName: "AnnMarie ONeil" })).status).toBe(422);
  });

  test("signs once: a second or concurrent request gets 409, and one signature is stored", async () => {
    const own = await family();
    const both = await Promise.all([sign(own, RECORDING), sign(own, RECORDING)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([302, 409]);
    expect((await sign(own, RECORDING)).status).toBe(409);
    expect(await signaturesOf(own)).toHaveLength(1);
    expect((await withdraw(own, RECORDING)).status).toBe(302);
    expect((await withdraw(own, RECORDING)).status).toBe(404);
  });

  test("must confirm its password to sign or withdraw 11 minutes after signing in; its input is kept", async () => {
    const own = await family();
    await sign(own, RECORDING);
    setTestClock(() => new Date(Date.now() + 11 * MINUTE));
    const [attackerClient, details] = [own.clone(), "Shore Regional School"];
    const fields = { intent: "sign", version: VERSION, signedName: own.name, details };
    for (const response of [
      await attackerClient.form(RELEASE, fields),
      await attackerClient.form(RECORDING, { intent: "withdraw" }),
      await attackerClient.form(`${RELEASE}.data`, fields),
    ])
      expect(response.text + response.headers.location).toContain("confirm-identity");
    expect(await signaturesOf(own)).toMatchObject([{ document: "recording", withdrawnAt: null }]);
    expect([(await own.get(RELEASE)).status, (await own.get("/consents")).status]).toEqual([200, 200]);

    const asked = await sign(own, RELEASE, { details });
    expect(asked.headers.location).toBe(`/confirm-identity?redirectTo=${encodeURIComponent(RELEASE)}`);
    const page = await own.follow(await own.form(asked.headers.location ?? "", { password: own.password }));
    expect(page.document.querySelector('textarea[name="details"]')?.textContent?.trim()).toBe(details);
    expect(page.document.querySelector('input[name="signedName"]')?.getAttribute("value")).toBe(own.name);
    expect((await sign(own, RELEASE, { details })).headers.location).toBe(RELEASE);
    expect((await withdraw(own, RECORDING)).headers.location).toBe("/consents");
    expect((await sign(own, RECORDING)).headers.location).toBe(RECORDING);
  });

  test("gets 404 for unknown documents, and neither sees nor withdraws another family's signature", async () => {
    const [own, other] = [await family(), await family()];
    await sign(own, RECORDING);
    for (const path of ["/consents/everything", "/consents/constructor", "/consents/1"]) {
      expect([path, (await own.get(path)).status]).toEqual([path, 404]);
      expect([path, (await sign(own, path)).status, (await withdraw(own, path)).status]).toEqual([path, 404, 404]);
    }
    expect((await other.get(RECORDING)).visibleText).not.toContain("Signed by");
    expect((await withdraw(other, RECORDING)).status).toBe(404);
    expect((await visitor().get(RECORDING)).headers.location).toContain("/login");
    expect([(await admin.get(RECORDING)).status, (await admin.form(RECORDING, { intent: "sign" })).status]).toEqual([
      302, 403,
    ]);
  });

  test("the release of records ends a year after it was signed, and can be signed again", async () => {
    const own = await family();
    await sign(own, RELEASE, { details: "Dr. Osei" });
    await db.consent.updateMany({ where: { userId: own.id }, data: { signedAt: new Date(Date.now() - 366 * DAY) } });
    expect((await own.get(RELEASE)).visibleText).not.toContain("Signed by");
    expect((await admin.get(`/families/${own.id}`)).visibleText).toContain("Release of recordsnot signed");
    expect((await withdraw(own, RELEASE)).status).toBe(404);
    expect((await sign(own, RELEASE, { details: "Dr. Osei" })).status).toBe(302);
    expect((await sign(own, RELEASE, { details: "Dr. Osei" })).status).toBe(409);
    expect((await withdraw(own, RELEASE)).status).toBe(302);
    const [ended] = await signaturesOf(own);
    expect(ended?.withdrawnAt?.getTime()).toBe((ended?.signedAt.getTime() ?? 0) + 365 * DAY);
  });
});

describe("a signed consent", () => {
  test("is shown as signed and can be withdrawn after 205 later signatures of another document", async () => {
    const own = await family();
    await sign(own, RECORDING);
    const row = { userId: own.id, document: "release-of-records", version: VERSION, signedName: own.name };
    const [signedAt, withdrawnAt] = [new Date(), new Date()];
    await db.consent.createMany({ data: Array.from({ length: 205 }, () => ({ ...row, signedAt, withdrawnAt })) });
    expect((await admin.get(`/families/${own.id}`)).visibleText).toContain("Recording a visitsigned");
    expect((await own.get(RECORDING)).visibleText).toContain("Signed by");
    const states = (await own.get("/consents")).visibleText;
    expect(states).toMatch(/Recording a visit[^]*?signed/);
    const copy = Object.values(zipEntries(await own.get("/api/me/export"))).join("\n");
    expect([copy.split("Release of records").length > 205, copy.includes("Recording a visit")]).toEqual([true, true]);
    expect((await withdraw(own, RECORDING)).status).toBe(302);
  });

  test("is on the family's page for the consultant with its details, as are withdrawn ones", async () => {
    const own = await family();
    await sign(own, RELEASE, { details: "Shore Regional School, Ms. Kim" });
    await sign(own, RECORDING);
    await withdraw(own, RECORDING);
    const page = await admin.get(`/families/${own.id}`);
    for (const text of [
      "Release of recordssigned",
      "For: Shore Regional School, Ms. Kim",
      "Recording a visitnot signed",
      "What no longer counts",
    ])
      expect(page.visibleText).toContain(text);
  });

  test("is listed under Needs attention once the family withdraws it, until she opens the family's page", async () => {
    const own = await family({ firstName: "Winifred", lastName: "Takesback" });
    const waiting = async () => {
      const { document } = await admin.get("/dashboard");
      const groups = [...document.querySelectorAll(".attention-group")];
      const group = groups.find((each) => each.querySelector("h3")?.textContent === "Agreements taken back");
      return [...(group?.querySelectorAll(".attention-row a") ?? [])].map((link) => link.getAttribute("href"));
    };
    await admin.get(`/families/${own.id}`);
    await sign(own, RECORDING);
    expect(await waiting()).not.toContain(`/families/${own.id}#agreements`);
    await withdraw(own, RECORDING);
    expect(await waiting()).toContain(`/families/${own.id}#agreements`);
    await own.get(`/families/${own.id}`);
    expect(await waiting()).toContain(`/families/${own.id}#agreements`);
    await admin.get(`/families/${own.id}`);
    expect(await waiting()).not.toContain(`/families/${own.id}#agreements`);
    await sign(own, RECORDING);
    await admin.form(await endPath(own), {});
    expect(await waiting()).not.toContain(`/families/${own.id}#agreements`);
  });

  test("can be ended by the consultant after a confirmation; the audit log entry names her", async () => {
    const [own, other] = [await family(), await family()];
    await sign(own, RECORDING);
    const [page, path] = [`/families/${own.id}`, await endPath(own)];
    expect((await admin.get(page)).document.querySelector(`a[href="${path}"]`)?.textContent).toBe(
      "The family took it back",
    );
    const asked = (await admin.get(path)).visibleText;
    for (const text of ["Did the family take it back?", "Recording a visit", `Signed by ${own.name} on`, "by email"])
      expect(asked).toContain(text);
    await admin.form(page, { intent: "withdraw-consent", id: "recording" });
    for (const who of [own, other])
      expect([(await who.get(path)).status, (await who.form(path, {})).status]).toEqual([403, 403]);
    const wrong = [path.replace(/\d+(?=\/withdraw)/, "2000000000"), path.replace(`/${own.id}/`, `/${other.id}/`)];
    for (const each of wrong)
      expect([(await admin.get(each)).status, (await admin.form(each, {})).status]).toEqual([404, 404]);
    expect((await signaturesOf(own))[0]?.withdrawnAt).toBeNull();
    expect((await admin.form(path, {})).headers.location).toBe(page);
    expect([(await admin.get(path)).status, (await admin.form(path, {})).status]).toEqual([404, 404]);
    expect((await own.get(RECORDING)).visibleText).toContain("Sign with your full name");
    const entries = await db.auditEntry.findMany({ where: { familyId: own.id, action: "consent-withdrawn" } });
    const { id: consultantId } = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
    expect(entries.map(({ actorId }) => actorId)).toEqual([consultantId]);
  });

  test("shows the family who ended it and when: the family, the consultant, or its expiry after a year", async () => {
    const own = await family();
    const list = async () => (await own.get("/consents")).visibleText;
    const at = String.raw`\w{3}, \w{3} \d+, \d{4} at \d+:\d\d [AP]M ET\.`;
    expect(await list()).not.toMatch(/ended|took it back/i);
    await sign(own, RECORDING);
    await withdraw(own, RECORDING);
    expect(await list()).toMatch(new RegExp(`You took it back on ${at}`));
    await sign(own, RECORDING);
    expect(await list()).not.toContain("took it back on");
    await admin.form(await endPath(own), {});
    expect(await list()).toMatch(new RegExp(`Ended by your consultant, as you asked, on ${at}`));
    const [signedAt, withdrawnAt] = [new Date(Date.now() - 366 * DAY), new Date()];
    const row = { userId: own.id, version: VERSION, signedName: own.name, signedAt };
    await db.consent.create({ data: { ...row, document: "release-of-records" } });
    // As after the restore of a backup, which brings no entry of the access log.
    await db.consent.create({ data: { ...row, document: "card-on-file", withdrawnAt } });
    const texts = await list();
    for (const text of ["Ended by itself on", "Ended on"]) expect(texts).toMatch(new RegExp(`${text} ${at}`));
  });

  test("ended by the consultant is reported to the family by email and in Messages, even if its account is closed", async () => {
    const own = await family({ firstName: "Nadia" });
    await db.user.update({ where: { id: own.id }, data: { emailConfirmedAt: new Date() } });
    await sign(own, RECORDING);
    await withdraw(own, RECORDING);
    expect(await noticesTo(own)).toEqual([]);
    await sign(own, RECORDING);
    await admin.form(await endPath(own), {});
    const [told, ...more] = await noticesTo(own);
    expect([told?.address, told?.state, more]).toEqual([own.email, expect.stringMatching(/pending|sent/), []]);
    const facts = [{ value: "Recording a visit" }, { label: "Ended on" }];
    expect(JSON.parse(told?.content ?? "")).toMatchObject({ firstName: "Nadia", facts, action: { path: "/consents" } });
    expect((await own.get("/messages")).visibleText).toContain("We ended an agreement, as you asked");
    expect((await own.get(`/messages?open=${told?.id}`)).visibleText).toContain(
      "You didn't ask for that? Please call us",
    );
    await sign(own, RELEASE, { details: "Dr. Osei" });
    await admin.form(`/families/${own.id}/close`, {});
    await admin.form(await endPath(own), {});
    const closed = (await noticesTo(own)).at(-1);
    expect([closed?.content.includes("Release of records"), closed?.content.includes("/consents")]).toEqual([
      true,
      false,
    ]);
  });

  test("is encrypted in the database and in no audit log entry, and the consultant's email has no family name", async () => {
    const own = await family();
    await sign(own, RELEASE, { details: "Shore Regional School" });
    const [row] = await db.$queryRaw<
      { signedName: string; details: string }[]
    >`SELECT "signedName", "details" FROM "consents" WHERE "userId" = ${own.id}`;
    expect([row?.signedName, row?.details]).toEqual([
      expect.stringMatching(/^sealed:1:/),
      expect.stringMatching(/^sealed:1:/),
    ]);
    await withdraw(own, RELEASE);
    const where = { familyId: own.id, objectType: "consent" };
    const entries = await db.auditEntry.findMany({ where, orderBy: { sequence: "asc" } });
    expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual([
      ["consent-given", own.id],
      ["consent-withdrawn", own.id],
    ]);
    expect(String(entries.flatMap((entry) => Object.values(entry)))).not.toMatch(new RegExp(`Shore|${own.lastName}`));
    const told = await db.message.findMany({ where: { event: "consent-withdrawn" }, orderBy: { id: "desc" }, take: 1 });
    expect(told[0]?.content).toContain(`/families/${own.id}`);
    expect(told[0]?.content).not.toContain(own.lastName);
  });
});

describe("a consent text that changed after it was signed", () => {
  const NEWER = { version: "2026-11-25", paragraphs: ["From now on we may film a visit, too."] };
  const SIGNED = "You let us record the sound of a visit";
  const { versions: texts } = testing.CONSENT_DOCUMENTS.find(({ id }) => id === "recording")!;
  const versions = texts as unknown as (typeof NEWER)[];

  afterEach(() => void (versions[0]?.version === NEWER.version && versions.shift()));

  const printed = async (client: TestClient, path: string) => {
    const { status, document } = await client.get(path);
    return { status, text: document.querySelector("[data-print]")?.textContent ?? "" };
  };
  const idsOf = async (own: Family) => (await signaturesOf(own)).map(({ id }) => id);

  test("can be read and printed by the family as signed, before and after it signs the newer version", async () => {
    const own = await family();
    await sign(own, RECORDING);
    versions.unshift(NEWER);
    const offered = await own.get(RECORDING);
    expect([offered.visibleText.includes("film a visit"), offered.document.querySelector("[data-print]")]).toEqual([
      true,
      null,
    ]);
    const [first] = await idsOf(own);
    const ofFirst = `${RECORDING}?signature=${first}`;
    expect(offered.document.querySelector(`main a[href="${ofFirst}"]`)).not.toBeNull();
    const asSigned = await printed(own, ofFirst);
    expect([asSigned.text.includes(SIGNED), asSigned.text.includes("film"), asSigned.text.includes(own.name)]).toEqual([
      true,
      false,
      true,
    ]);
    await sign(own, RECORDING, { version: NEWER.version });
    expect((await printed(own, RECORDING)).text).toContain("film a visit");
    expect((await own.get(RECORDING)).document.querySelector(`main a[href="${ofFirst}"]`)).not.toBeNull();
    const afterwards = await printed(own, ofFirst);
    expect([afterwards.text.includes(SIGNED), afterwards.text.includes("Ended on")]).toEqual([true, true]);
    await withdraw(own, RECORDING);
    expect((await printed(own, ofFirst)).text).toContain(SIGNED);
  });

  test("can be read and printed by the consultant as signed, even after it has ended", async () => {
    const own = await family();
    await sign(own, RECORDING);
    versions.unshift(NEWER);
    await sign(own, RECORDING, { version: NEWER.version });
    const page = await admin.get(`/families/${own.id}`);
    const texts: string[] = [];
    for (const id of await idsOf(own)) {
      const path = `/families/${own.id}/consents/${id}`;
      expect(page.document.querySelector(`main a[href="${path}"]`)).not.toBeNull();
      texts.push((await printed(admin, path)).text);
    }
    expect(texts.map((text) => [text.includes(SIGNED), text.includes("film a visit")])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test("can't be read by another family or under another path (404), or by a family as consultant (403)", async () => {
    const [own, other] = [await family(), await family()];
    await sign(own, RECORDING);
    const [id] = await idsOf(own);
    for (const [client, path, status] of [
      [other, `${RECORDING}?signature=${id}`, 404],
      [own, `${RELEASE}?signature=${id}`, 404],
      [own, `${RECORDING}?signature=all`, 404],
      [own, `/families/${own.id}/consents/${id}`, 403],
      [admin, `/families/${other.id}/consents/${id}`, 404],
    ] as const)
      expect([path, (await client.get(path)).status]).toEqual([path, status]);
  });
});
