// Proves that a family can download all data that is stored about it, and no other family's data.
import { readdirSync, rmSync, truncateSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type FamilyWithEverything, createFamilyWithEverything } from "../support/family-with-everything.ts";
import type { TestClient, TestResponse } from "../support/http-client.ts";
import { createPeople, type Family } from "../support/people.ts";
import { confirmIdentity } from "../support/confirm-identity.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { nextFreeHour, payByCard } from "../support/bookings.ts";
import { textFile, uploadFile, uploadOrFail } from "../support/uploads.ts";
import { zipEntries } from "../support/zip-entries.ts";

environmentOverrides.RATE_LIMITS = "on";
const { consultant, db, family, folder, origin, testing, visitor } = await import("../support/site.ts");
/** Registers through the API, as families do. */
const { family: register } = createPeople(origin);

const CALL = "/api/me/export";
const PAGE = "/everything-about-us.zip";

let admin: TestClient;
let all: FamilyWithEverything;
let devon: Family;

beforeAll(async () => {
  admin = await consultant();
  all = await createFamilyWithEverything({ db, family, visitor }, admin, "zyq");
  devon = await family({ intake: true, firstName: "Devon", lastName: "<b>Brooks</b>" });
});

const storedFiles = () =>
  readdirSync(path.join(folder, "files"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".dat"))
    .map((name) => path.join(folder, "files", name));
const indexOf = (answer: TestResponse) => zipEntries(answer)["index.html"]?.toString("utf8") ?? "";
const dataOf = (answer: TestResponse) => JSON.parse(zipEntries(answer)["data.json"]?.toString("utf8") ?? "null");

describe("a family's data export", () => {
  test("contains all data shared with the family as HTML and as JSON, and its documents byte for byte", async () => {
    const response = await all.family.get(CALL);
    expect([response.status, response.headers["content-type"], response.headers["cache-control"]]).toEqual([
      200,
      "application/zip",
      "private, no-store",
    ]);
    expect(response.headers["content-disposition"]).toContain("attachment");
    const entries = zipEntries(response);
    const documents = Object.keys(entries).filter((name) => name.startsWith("documents/"));
    expect(Object.keys(entries).toSorted()).toEqual([...documents, "data.json", "index.html"].toSorted());
    expect(documents).toEqual(["documents/zyqownname.txt", "documents/zyqsentname.txt"]);
    const [page, json] = [indexOf(response), entries["data.json"]?.toString("utf8") ?? ""];
    const { owncontent, sentcontent, ...written } = all.words.shared;
    expect(documents.map((name) => entries[name]?.toString())).toEqual(
      [owncontent, sentcontent].map((word) => `${word} stands in it.`),
    );
    const missing = Object.values(written).filter((word) => !page.includes(word) || !json.includes(word));
    expect(missing).toEqual([]);
  });

  test("has each kind of record in data.json, without password hash, session ids, file keys or secret links", async () => {
    const data = dataOf(await all.family.get(CALL));
    expect(Object.keys(data)).toEqual(
      [
        "exportedAt",
        "of",
        "by",
        "leftOut",
        "account",
        "intakeForm",
        "earlierIntakeForms",
        "unsentForms",
        "consultationRequests",
      ].concat([
        "appointments",
        "followUps",
        "waitingList",
        "payments",
        "documents",
        "agreements",
        "legalRequests",
        "invitations",
        "messages",
        "devices",
        "accessLog",
        "unreadable",
      ]),
    );
    const counts = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, (value as []).length]));
    expect(counts).toMatchObject({
      unsentForms: 2,
      consultationRequests: 5,
      appointments: 5,
      waitingList: 1,
      payments: 6,
      documents: 2,
      followUps: 1,
      legalRequests: 3,
      invitations: 1,
    });
    expect(data.account).toMatchObject({ email: all.family.email, mailTurnedOff: ["receipts"] });
    expect(data.documents[0]).toMatchObject({ uploadedBy: "family", path: "documents/zyqownname.txt", problem: null });
    expect(data.messages.length).toBeGreaterThan(4);
    expect(data.unreadable).toEqual({});
    const { password } = await db.user.findUniqueOrThrow({ where: { id: all.family.id } });
    const sessions = await db.session.findMany({ where: { userId: all.family.id } });
    const files = await db.document.findMany({ where: { userId: all.family.id } });
    const links = await db.message.findMany({ where: { userId: all.family.id, secretPath: { not: null } } });
    const secrets = [
      password,
      ...sessions.map(({ sid }) => sid),
      ...files.flatMap((each) => [each.filePath, each.wrappedDataKey]),
    ];
    const text = JSON.stringify(data);
    for (const secret of [...secrets, ...links.map(({ secretPath }) => secretPath)]) expect(text).not.toContain(secret);
  });

  test("names an address as one to be confirmed only if the family asked to change to it", async () => {
    const maria = await register();
    const own = { userId: maria.id, isChange: false };
    expect(await db.emailConfirmation.count({ where: own })).toBe(1);
    const emailToConfirm = async () => dataOf(await maria.get(CALL)).account.emailToConfirm;
    expect(await emailToConfirm()).toBeNull();
    await confirmIdentity(maria);
    expect((await maria.form("/change-email", { email: "maria.anew@example.org" })).status).toBe(302);
    expect(await emailToConfirm()).toBe("maria.anew@example.org");
    expect((await maria.form("/messages", { intent: "confirm" })).status).toBe(302);
    expect([await db.emailConfirmation.count({ where: own }), await emailToConfirm()]).toEqual([
      1,
      "maria.anew@example.org",
    ]);
  });

  test("leaves out the consultant's unshared notes and documents, and says how many there are and how to get them", async () => {
    const answer = await all.family.get(CALL);
    const everything = Object.values(zipEntries(answer)).join("\n");
    const unshared = [...Object.values(all.words.unshared), "zyqpaymentnote"];
    expect(unshared.filter((word) => everything.includes(word))).toEqual([]);
    expect(dataOf(answer).leftOut).toEqual([
      expect.stringMatching(
        /: 7 notes .*, 1 document .*, 1 follow-up that she has not shared, and \d+ entries of the access log .* within 30 days/,
      ),
    ]);
    expect(indexOf(answer)).toContain("1 document that she has not shared");
    const { visibleText } = await all.family.get("/dashboard/settings/data");
    expect(visibleText).toContain("notes that the consultant wrote");
    expect(visibleText).toMatch(/Papers in it\d+ documents?, (less than 1|\d+) KB/);
    expect((await devon.get("/dashboard/settings/data")).visibleText).not.toContain("Not in it");
    expect(dataOf(await devon.get(CALL)).leftOut).toEqual([expect.stringContaining("The address is not confirmed")]);
  });

  test("counts no unshared note when the consultant canceled a paid visit, and gives the reason for the refund", async () => {
    const noor = await family({ intake: true });
    const { appointment } = (await payByCard(noor, nextFreeHour())).json;
    const canceled = await admin.form(`/dashboard/appointments/${appointment.id}/cancel`, { reason: "I am ill." });
    expect(canceled.status).toBe(302);
    const answer = await noor.get(CALL);
    expect(dataOf(answer).leftOut.join()).not.toContain("that the consultant wrote");
    expect(dataOf(answer).payments[0].refunds).toMatchObject([{ reason: "Canceled by the practice" }]);
    expect(indexOf(answer)).toContain("I am ill.");
  });

  test("contains the family's access log; entries about the consultant's private notes are only counted", async () => {
    await admin.get(`/families/${all.family.id}`);
    const [own, whole] = [await all.family.get(CALL), await admin.get(`/families/${all.family.id}/everything.zip`)];
    const logOf = (answer: TestResponse) => dataOf(answer).accessLog as { at: string; who: string; what: string }[];
    const hidden = { familyId: all.family.id, action: { startsWith: "note-" } };
    expect(await db.auditEntry.count({ where: hidden })).toBeGreaterThan(0);
    expect(logOf(own).map(({ what }) => what)).toEqual(
      expect.arrayContaining(["opened the family’s page", "sent the intake form"]),
    );
    expect(new Set(logOf(own).map(({ who }) => who))).toContain("You");
    expect(logOf(own).map(({ what }) => what)).not.toContain("added a note");
    expect(logOf(whole).map(({ what }) => what)).toContain("added a note");
    const left = Number(/(\d+) entr(?:y|ies) of the access log/.exec(dataOf(own).leftOut[0])?.[1]);
    const total = await db.auditEntry.count({ where: { familyId: all.family.id } });
    // Each copy has its own entry.
    expect([logOf(own).length + left, logOf(whole).length]).toEqual([total - 1, total]);
    expect(indexOf(own)).toContain("Who opened or changed your child");
  });

  test("escapes HTML that a family typed; index.html has a lang attribute and ordered headings", async () => {
    const page = indexOf(await devon.get(PAGE));
    expect(page).toContain("&lt;b&gt;Brooks&lt;/b&gt;");
    expect(page).not.toMatch(/<(b|script|img|iframe|link)\b|\son\w+=|https?:\/\/(?!example)/);
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    const levels = [...page.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.every((level, at) => level <= (levels[at - 1] ?? 0) + 1)).toBe(true);
  });

  test("links to each document, even with an unsafe name, by a path inside the documents/ folder", async () => {
    const noor = await family();
    for (const customFileName of ["../../up", "50% #1?", "a/b\\c", "CON", "Ünï 🧵", '"><script>'])
      await uploadFile(noor, { fields: { customFileName } });
    const answer = await noor.get(CALL);
    const names = Object.keys(zipEntries(answer)).filter((name) => name.startsWith("documents/"));
    expect(names).toHaveLength(6);
    for (const name of names) expect(name).toMatch(/^documents\/[^/\\]+$/);
    const links = [...indexOf(answer).matchAll(/<a href="(documents\/[^"]*)"/g)].map(([, href = ""]) =>
      decodeURIComponent(href.replaceAll("&#39;", "'")),
    );
    expect(links.toSorted()).toEqual(names.toSorted());
  });
});

describe("unreadable data", () => {
  test("is reported in the export: text whose key is lost, a missing document file and a damaged one", async () => {
    const grace = await family({ intake: true });
    const [gone, damaged, whole] = [textFile(70_000), textFile(200_000), textFile(300)];
    await grace.form("/messages", { intent: "confirm" });
    const files: string[] = [];
    for (const bytes of [gone, damaged, whole]) {
      const before = storedFiles();
      await uploadOrFail(grace, bytes);
      files.push(...storedFiles().filter((file) => !before.includes(file)));
    }
    expect(files).toHaveLength(3);
    rmSync(files[0] ?? "");
    truncateSync(files[1] ?? "", 100_000);
    const altered = "sealed:1:lost:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    await db.$executeRaw`UPDATE intake_forms SET diagnosis = ${altered} WHERE "userId" = ${grace.id}`;
    await db.$executeRaw`UPDATE messages SET content = ${altered} WHERE "userId" = ${grace.id}`;
    const answer = await grace.get(CALL);
    const [data, page] = [dataOf(answer), indexOf(answer)];
    expect(data.documents.map(({ problem }: { problem: string | null }) => problem !== null)).toEqual([
      true,
      true,
      false,
    ]);
    expect(Object.keys(zipEntries(answer))).not.toContain(data.documents[0].path);
    expect(zipEntries(answer)[data.documents[2].path]).toEqual(whole);
    expect(page).toContain("The file of this document is missing");
    expect(data.intakeForm.diagnosis).toMatch(/^This text can’t be opened at the moment. Please call us.$/);
    expect(data.unreadable).toMatchObject({ "Intake form": 1, "Messages from us": 1 });
    expect(page).toContain("Under “Intake form”, 1 record has text that can’t be opened");
  });
});

describe("access to a data export", () => {
  test("is limited to the family and to the consultant, whose copy includes unshared notes and documents", async () => {
    const file = `/families/${all.family.id}/everything.zip`;
    const response = await admin.get(file);
    expect([response.status, response.headers["content-type"]]).toEqual([200, "application/zip"]);
    const everything = Object.values(zipEntries(response)).join("\n");
    const words = [...Object.values(all.words.shared), ...Object.values(all.words.unshared), "zyqpaymentnote"];
    expect(words.filter((word) => !everything.includes(word))).toEqual([]);
    expect(dataOf(response).leftOut).toEqual([]);
    expect((await admin.get(`/families/${all.family.id}`)).document.querySelector(`a[href="${file}"]`)).not.toBeNull();
    expect([(await admin.get(CALL)).status, (await admin.get(PAGE)).status]).toEqual([403, 302]);
    const [other, unknown] = [await devon.get(file), await admin.get("/families/999999999/everything.zip")];
    expect([other.status, unknown.status, (await visitor().get(CALL)).status]).toEqual([403, 404, 401]);
    expect((await visitor().get(PAGE)).headers.location).toContain("/login");
    const administrator = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
    expect((await admin.get(`/families/${administrator.id}/everything.zip`)).status).toBe(404);
  });

  test("adds one account-exported audit log entry per download with its actor; a refused request adds none", async () => {
    const where = { action: "account-exported", familyId: all.family.id };
    const before = await db.auditEntry.count({ where });
    await all.family.get(CALL);
    await admin.get(`/families/${all.family.id}/everything.zip`);
    await devon.get(`/families/${all.family.id}/everything.zip`);
    const entries = await db.auditEntry.findMany({ where, orderBy: { sequence: "asc" } });
    const administrator = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
    expect(entries.slice(before).map(({ actorId }) => actorId)).toEqual([all.family.id, administrator.id]);
  });

  test("gives a family no data of another family", async () => {
    const everything = Object.values(zipEntries(await devon.get(CALL))).join("\n");
    expect(everything).not.toContain("zyq");
  });

  test("counts toward the download limit, and is limited to ten exports an hour (429 with Retry-After)", async () => {
    const priya = await family();
    expect((await priya.request("HEAD", CALL)).bytes).toHaveLength(0);
    const before = { ...testing.DOWNLOAD_LIMITS };
    testing.DOWNLOAD_LIMITS.session = 0;
    expect([(await priya.get(CALL)).status, (await priya.get(PAGE)).status]).toEqual([429, 429]);
    Object.assign(testing.DOWNLOAD_LIMITS, before);
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await priya.get(CALL)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    expect((await priya.get(CALL)).headers["retry-after"]).toMatch(/^\d+$/);
  });
});
