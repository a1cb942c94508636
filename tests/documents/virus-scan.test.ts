// Proves that with a scanner set, no upload path accepts a file that may contain a virus or that could not be scanned.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { EICAR, startFakeClamd } from "../support/servers/fake-clamd.ts";
import {
  multipart,
  type Part,
  postParts,
  postStreaming,
  SAMPLES,
  textFile,
  uploadFile,
  uploadOrFail,
  uploadParts,
  zip,
} from "../support/uploads.ts";

const clamd = await startFakeClamd();
Object.assign(environmentOverrides, { CLAMAV_URL: `127.0.0.1:${clamd.port}` });
const { consultant, db, family, testing } = await import("../support/site.ts");
const { storedFiles, waitUntil } = await import("../support/stored-files.ts");
const { bookOrFail } = await import("../support/bookings.ts");

const INFECTED = "This file may contain a virus and was not saved.";
const NOT_CHECKABLE = "We can't look into this file to check it for viruses, so it was not saved.";
const NO_SCANNER = "We can't check files for viruses right now, so this one was not saved.";

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  admin = await consultant();
  maria = await family({ firstName: "Mariposa", lastName: "Quillfeather", intake: true });
  await uploadOrFail(maria, textFile(100));
});
beforeEach(() => {
  clamd.behavior = { kind: "scans" };
});

const counted = async () => ({ files: storedFiles().length, records: await db.document.count() });
const entries = (action: string) => db.auditEntry.findMany({ where: { action }, orderBy: { sequence: "asc" } });

/** What is answered, after a look that nothing was kept. */
async function refusedBy(send: () => ReturnType<typeof uploadFile>) {
  const before = await counted();
  const answer = await send();
  expect(await counted()).toEqual(before);
  return answer;
}

function savePortrait(picture: Buffer, path = "/consultant-profile") {
  const parts: Part[] = [
    { name: "name", value: "Ada Harbor" },
    { name: "portrait", fileName: "me.jpg", bytes: picture },
  ];
  return postParts(admin, parts, {}, path);
}

/** A picture with the signature in a part of it that draws. */
const infectedPicture = Buffer.concat([
  Buffer.from("ffd8ffdb", "hex"),
  Buffer.from([0, EICAR.length + 2]),
  EICAR,
  Buffer.from("ffd9", "hex"),
]);

async function statusLine(): Promise<string> {
  await testing.refreshWarnings();
  const { document } = await admin.get("/system-status");
  const row = [...document.querySelectorAll("main .rows > li")].find((each) =>
    each.textContent?.includes("Virus scan"),
  );
  return (row?.textContent ?? "").replace(/\s+/g, " ");
}

describe("a family's clean file", () => {
  test("is scanned and returned byte for byte as it was sent", async () => {
    const bytes = textFile(5_000_000);
    const sent = await uploadFile(maria, { bytes });
    expect(sent.status).toBe(201);
    expect(clamd.files.at(-1)?.equals(bytes)).toBe(true);
    expect((await maria.get(`/api/documents/${sent.json.id}/download`)).bytes.equals(bytes)).toBe(true);
    expect(await statusLine()).toContain("Each file is scanned before it is saved.");
  });
});

describe("a file that may contain a virus is refused and not stored", () => {
  test.each([
    ["a small file", EICAR],
    ["the signature at the end of a large file", Buffer.concat([textFile(3_000_000), EICAR])],
  ])("by the API (422): %s", async (_, bytes) => {
    const response = await refusedBy(() => uploadFile(maria, { bytes }));
    expect(response.status).toBe(422);
    expect(response.json.message).toContain(INFECTED);
    expect(response.json.errors).toEqual({ file: [response.json.message] });
    expect((await maria.get("/api/documents")).text).not.toContain("EICAR");
  });

  test("on the documents page, which keeps the fields sent before the file", async () => {
    const [file, ...fields] = uploadParts({ bytes: EICAR, fields: { customFileName: "Plan of May" } });
    const response = await refusedBy(() => postParts(maria, [...fields, file!], {}, "/documents/new"));
    expect(response.status).toBe(422);
    expect(response.visibleText).toContain(INFECTED);
    expect(response.document.querySelector("[name=customFileName]")?.getAttribute("value")).toBe("Plan of May");
    const data = await refusedBy(() => postParts(maria, [...fields, file!], {}, "/documents/new.data"));
    expect(data.status).toBe(415);
  });

  test("for a visit, by the family and by the consultant", async () => {
    const appointmentId = String((await bookOrFail(maria)).id);
    const userId = String(maria.id);
    for (const [person, fields] of [
      [maria, { appointmentId }],
      [admin, { appointmentId, userId }],
      [admin, { userId, isSharedWithClient: "false" }],
    ] as const) {
      const response = await refusedBy(() => uploadFile(person, { bytes: EICAR, fields }));
      expect([response.status, response.json.message]).toEqual([422, expect.stringContaining(INFECTED)]);
    }
  });

  test("as the consultant's portrait", async () => {
    for (const path of ["/consultant-profile", "/consultant-profile.data"]) {
      const response = await savePortrait(infectedPicture, path);
      expect([response.status, response.text]).toEqual([422, expect.stringContaining("may contain a virus")]);
    }
    expect(await db.practiceSettings.count({ where: { portraitName: { not: null } } })).toBe(0);
    expect((await savePortrait(SAMPLES.jpg!)).status).toBe(302);
    expect(clamd.files.at(-1)).toEqual(SAMPLES.jpg);
  });

  test("while the files sent before and after it are stored", async () => {
    const statuses = [];
    for (const bytes of [SAMPLES.txt!, EICAR, textFile(100)])
      statuses.push((await uploadFile(maria, { bytes })).status);
    expect(statuses).toEqual([201, 422, 201]);
  });

  test("and the consultant sees it in the audit log, on the dashboard and in the system status", async () => {
    const before = (await entries("infected-upload-refused")).length;
    await uploadFile(maria, { bytes: EICAR });
    const [latest] = (await entries("infected-upload-refused")).slice(before);
    expect(latest).toMatchObject({ actorId: maria.id, familyId: null, objectType: "document", objectId: null });
    const sentence = `${before + 1} uploads were refused in the last 7 days for what may be a virus.`;
    expect(await statusLine()).toContain(sentence);
    expect((await admin.get("/dashboard")).visibleText).toContain(sentence);
    const activity = await admin.get("/activity?kind=refused");
    expect(activity.visibleText).toContain("was refused a file that may contain a virus");
    expect((await admin.get("/system-status")).text).not.toMatch(/Quillfeather|Eicar/);
    expect((await maria.get("/api/me/access-log")).text).not.toContain("virus");
  });
});

describe("a file that the scanner can't check is not stored", () => {
  test.each(["Heuristics.Limits.Exceeded.MaxRecursion", "Heuristics.Encrypted.Zip"])(
    "when the scanner can't look inside the file: %s",
    async (signature) => {
      clamd.behavior = { kind: "answers", reply: `stream: ${signature} FOUND\0` };
      const [infected, others] = [await entries("infected-upload-refused"), await entries("upload-refused")];
      const bytes = zip([["plan.txt", "Dear Ms. Kim"]]);
      const response = await refusedBy(() => uploadFile(maria, { fileName: "plans.zip", bytes }));
      expect([response.status, response.json.message]).toEqual([422, expect.stringContaining(NOT_CHECKABLE)]);
      expect(await entries("infected-upload-refused")).toEqual(infected);
      expect(await entries("upload-refused")).toHaveLength(others.length + 1);
    },
  );

  test.each([
    ["answers with an error", { kind: "answers", reply: "INSTREAM: Can't write to temporary file. ERROR\0" }],
    ["closes the connection half-way", { kind: "closes" }],
  ] as const)("when the scanner %s", async (_, behavior) => {
    clamd.behavior = behavior;
    const response = await refusedBy(() => uploadFile(maria, { bytes: textFile(5_000_000) }));
    expect([response.status, response.json.message]).toEqual([503, expect.stringContaining(NO_SCANNER)]);
    expect(response.headers["retry-after"]).toBe("60");
  });

  test("when the file is larger than the scanner's limit: 413 that says so, without Retry-After", async () => {
    clamd.behavior = { kind: "limits", bytes: 1_000_000 };
    const response = await refusedBy(() => uploadFile(maria, { bytes: textFile(5_000_000) }));
    expect([response.status, response.json.message]).toEqual([
      413,
      expect.stringContaining("too large for our virus check"),
    ]);
    expect(response.json.errors).toEqual({ file: [response.json.message] });
    expect(response.headers["retry-after"]).toBeUndefined();
    expect((await uploadFile(maria, { bytes: textFile(1000) })).status).toBe(201);
  });

  test("when the scanner is unreachable (503, shown in the system status); uploads work again once it is back", async () => {
    await clamd.stop();
    const response = await refusedBy(() => uploadFile(maria));
    expect([response.status, response.json.message]).toEqual([503, expect.stringContaining(NO_SCANNER)]);
    const page = await refusedBy(() => postParts(maria, uploadParts(), {}, "/documents/new"));
    expect([page.status, page.visibleText]).toEqual([503, expect.stringContaining(NO_SCANNER)]);
    expect((await savePortrait(SAMPLES.jpg!)).status).toBe(503);
    expect(await statusLine()).toMatch(/needs attention.*The virus scanner can't be reached/);
    await clamd.start();
    expect((await uploadFile(maria)).status).toBe(201);
    expect(await statusLine()).not.toContain("can't be reached");
  });

  test("when the family disconnects during the upload, which also closes the scanner's connection", async () => {
    const whole = multipart(uploadParts({ bytes: textFile(3_000_000) }));
    const before = await counted();
    const { sent, answer } = postStreaming(maria, { "Content-Length": whole.length }, async (write) => {
      await write(whole.subarray(0, 2_000_000));
      await new Promise(() => {});
    });
    answer.catch(() => {});
    await waitUntil(() => clamd.countOpen() > 0);
    sent.destroy();
    await waitUntil(() => clamd.countOpen() === 0);
    await expect.poll(counted).toEqual(before);
  });

  test("when the family disconnects between the last byte and the response", async () => {
    const before = await counted();
    const { promise, resolve } = Promise.withResolvers<void>();
    clamd.behavior = { kind: "answers later", after: promise };
    const scanned = clamd.files.length;
    const { sent, answer } = postStreaming(maria, {}, (write) => write(multipart(uploadParts())));
    answer.catch(() => {});
    await waitUntil(() => clamd.files.length > scanned);
    sent.destroy();
    clamd.behavior = { kind: "scans" };
    resolve();
    await waitUntil(() => clamd.countOpen() === 0);
    expect((await uploadFile(maria)).status).toBe(201);
    // A stored file is two on disk, its bytes and its metadata.
    await expect.poll(counted).toEqual({ files: before.files + 2, records: before.records + 1 });
  });
});
