// Proves that only the consultant can change the public name, text and picture that introduce her.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { BOUNDARY, multipart, SAMPLES, type Part } from "../support/uploads.ts";

const KIB_BYTES = 1024;
const MAX_BYTES = 200 * KIB_BYTES;
const PATH = "/consultant-profile";
const configuredPicture = path.join(temporaryFolder("portrait"), "her.png");
writeFileSync(configuredPicture, SAMPLES.png!);
Object.assign(environmentOverrides, { CONSULTANT_NAME: "Ruth Okafor", CONSULTANT_PORTRAIT: configuredPicture });
const { consultant, db, family, origin, testing, visitor } = await import("../support/site.ts");

const FIELDS = { name: "Ada Harbor", bio: "I sat at this table once myself.", license: "M.A., BCBA" };
const JPEG = SAMPLES.jpg!;

let admin: TestClient;

beforeAll(async () => {
  admin = await consultant();
});

function save(by: TestClient, fields: Record<string, string>, picture?: Buffer, fileName = "me.jpg") {
  const parts: Part[] = Object.entries(fields).map(([name, value]) => ({ name, value }));
  // Browsers send an empty file where none was chosen.
  parts.push({ name: "portrait", fileName: picture ? fileName : "", bytes: picture ?? Buffer.alloc(0) });
  const headers = { Origin: origin, "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` };
  return by.request("POST", PATH, { headers, body: multipart(parts) });
}

async function shown() {
  const { document: page } = await visitor().get("/");
  const letter = page.querySelector(".letter");
  return { text: letter?.textContent ?? "", picture: letter?.querySelector("img")?.getAttribute("src") ?? null };
}

const ofSize = (bytes: number) => Buffer.concat([JPEG, Buffer.alloc(bytes - JPEG.length)]);

describe("the consultant", () => {
  test("sets her name, text and license; the picture from CONSULTANT_PORTRAIT stays until she uploads one", async () => {
    const before = await shown();
    expect(before.text).toBe("Ruth Okafor");
    expect((await save(admin, FIELDS)).status).toBe(302);
    const after = await shown();
    expect(after).toEqual({ text: `${FIELDS.bio}Ada Harbor${FIELDS.license}`, picture: before.picture });
    expect((await visitor().get(after.picture ?? "")).bytes).toEqual(SAMPLES.png);
  });

  test("uploads a picture that every visitor gets with immutable caching; the previous picture's URL gets 404", async () => {
    const { picture: old } = await shown();
    expect((await save(admin, FIELDS, JPEG)).status).toBe(302);
    const { picture } = await shown();
    const response = await visitor().get(picture ?? "");
    expect([response.headers["content-type"], response.bytes]).toEqual(["image/jpeg", JPEG]);
    expect(response.headers["cache-control"]).toContain("immutable");
    expect((await visitor().get(old ?? "")).status).toBe(404);
  });

  test("uploads a picture whose location metadata is removed, as it is from pictures stored earlier", async () => {
    const place = Buffer.from("GPS 40.7128 N");
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, place.length + 2]), place]);
    const file = Buffer.concat([JPEG.subarray(0, -2), comment, JPEG.subarray(-2)]);
    expect((await save(admin, FIELDS, file)).status).toBe(302);
    expect((await visitor().get((await shown()).picture ?? "")).bytes).toEqual(JPEG);
    const row = await db.practiceSettings.findFirstOrThrow({ where: { id: 1 } });
    expect(Buffer.from(row.portraitBase64 ?? "", "base64")).toEqual(JPEG);
    await db.practiceSettings.update({
      where: { id: 1 },
      data: { portraitName: "old.jpeg", portraitBase64: file.toString("base64") },
    });
    await testing.refreshPublicPagesIfChanged();
    expect((await shown()).picture).toBe("/portrait/old.jpeg");
    expect((await visitor().get("/portrait/old.jpeg")).bytes).toEqual(JPEG);
  });

  test("changes her text without uploading the picture again", async () => {
    const { picture } = await shown();
    await save(admin, { name: "Ada <Harbor>" });
    expect(await shown()).toEqual({ text: "Ada <Harbor>", picture });
  });

  test("removes the picture", async () => {
    await save(admin, FIELDS, JPEG);
    await save(admin, { ...FIELDS, removePortrait: "on" });
    expect((await shown()).picture).toBeNull();
  });

  test("gets 422 with the size limit for a picture that is one byte too large, and nothing changes", async () => {
    expect((await save(admin, FIELDS, ofSize(MAX_BYTES))).status).toBe(302);
    const before = await shown();
    const response = await save(admin, { ...FIELDS, name: "Somebody else" }, ofSize(MAX_BYTES + 1));
    expect(response.status).toBe(422);
    expect(response.visibleText).toContain("Please choose a JPEG, PNG or WebP picture of at most 200 KB.");
    expect(await shown()).toEqual(before);
  });

  test.each<[what: string, fields: Record<string, string>, picture: Buffer | undefined]>([
    ["an empty name", { ...FIELDS, name: " " }, undefined],
    ["a text of 601 characters", { ...FIELDS, bio: "x".repeat(601) }, undefined],
    ["a truncated picture", FIELDS, JPEG.subarray(0, -2)],
    ["an SVG file with a script", FIELDS, Buffer.from("<svg onload=alert(1)>")],
    ["a PDF file with the file name of a picture", FIELDS, SAMPLES.pdf],
    ["a request body above the limit", FIELDS, ofSize(300 * KIB_BYTES)],
  ])("can't save %s, and nothing changes", async (_, fields, picture) => {
    const before = await shown();
    expect([413, 422]).toContain((await save(admin, fields, picture)).status);
    expect(await shown()).toEqual(before);
  });

  test("sees another process's change on the public page once its cache is refreshed", async () => {
    await testing.refreshPublicPagesIfChanged();
    await db.practiceSettings.update({ where: { id: 1 }, data: { consultantName: "Ada Elsewhere" } });
    await testing.refreshPublicPagesIfChanged();
    expect((await shown()).text).toContain("Ada Elsewhere");
  });
});

test("a family (403) and a visitor (302) can't change the consultant's profile", async () => {
  const before = await shown();
  expect((await save(await family(), FIELDS, JPEG)).status).toBe(403);
  expect((await save(visitor(), FIELDS, JPEG)).status).toBe(302);
  expect(await shown()).toEqual(before);
});
