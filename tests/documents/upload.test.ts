// Proves uploading: types, names, sizes, sharing, and what is stored.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  SAMPLES,
  type UploadOptions,
  multipart,
  postParts,
  postStreaming,
  textFile,
  uploadFile,
  uploadParts,
  zip,
} from "../support/uploads.ts";
import { consultant, db, family, folder, visitor } from "../support/site.ts";

const LARGEST = 50 * 1024 * 1024;

const maria = await family();
await uploadFile(maria);

/** Every file of the store, and every record that names one. */
async function countStored() {
  const files = readdirSync(path.join(folder, "files"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".dat"),
  );
  return { files: files.length, records: await db.document.count() };
}

/** Sends what must be refused, and sees that nothing of it stays. */
async function refusedUpload(sending: UploadOptions) {
  const before = await countStored();
  expect(before.files).toBe(before.records);
  const answer = await uploadFile(maria, sending);
  expect(await countStored()).toEqual(before);
  return answer;
}

describe("a family's upload", () => {
  test.each(Object.keys(SAMPLES))("of a %s file is stored, listed and returned byte for byte", async (extension) => {
    const bytes = SAMPLES[extension] ?? Buffer.alloc(0);
    const sent = await uploadFile(maria, {
      fileName: `scan.${extension}`,
      bytes,
      fields: { customFileName: "Leo's evaluation" },
    });
    expect(sent.status).toBe(201);
    expect(sent.json).toMatchObject({
      userId: maria.id,
      appointmentId: null,
      fileName: `Leo's evaluation.${extension}`,
      fileSize: bytes.length,
      description: null,
      isSharedWithClient: true,
    });
    expect((await maria.get("/api/documents")).json[0]).toEqual(sent.json);
    const back = await maria.get(`/api/documents/${sent.json.id}/download`);
    expect(back.bytes.equals(bytes)).toBe(true);
    const record = await db.document.findUniqueOrThrow({ where: { id: sent.json.id } });
    expect(record.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect(record.uploadedById).toBe(maria.id);
  });

  test("of exactly 50 MB is accepted; one byte more gets 413", async () => {
    const exact = await uploadFile(maria, { bytes: textFile(LARGEST) });
    expect(exact.status).toBe(201);
    expect(exact.json.fileSize).toBe(LARGEST);
    const before = await countStored();
    const more = await uploadFile(maria, { bytes: textFile(LARGEST + 1) });
    expect(more.status).toBe(413);
    expect(more.json.message).toBe("This file is larger than 50 MB. Please send it in parts, or call us.");
    expect(await countStored()).toEqual(before);
  });

  test("with an uppercase extension is accepted", async () => {
    const response = await uploadFile(maria, { fileName: "SCAN.PDF", bytes: SAMPLES.pdf });
    expect(response.json).toMatchObject({ fileName: "Letter from school.PDF", fileType: "application/pdf" });
  });

  test("with the extension in its custom name doesn't get the extension twice", async () => {
    const response = await uploadFile(maria, {
      fileName: "a.pdf",
      bytes: SAMPLES.pdf,
      fields: { customFileName: " Plan.pdf " },
    });
    expect(response.json.fileName).toBe("Plan.pdf");
  });

  test("ignores the path, type, size, owner, id and sharing that the client sends", async () => {
    const devon = await family();
    const fields = {
      filePath: "/etc/passwd",
      fileType: "text/html",
      fileSize: "1",
      userId: String(devon.id),
      id: "1",
      isSharedWithClient: "false",
    };
    const response = await uploadFile(maria, { fields });
    expect(response.status).toBe(201);
    expect(response.json).toMatchObject({
      userId: maria.id,
      fileType: "text/plain",
      fileSize: SAMPLES.txt?.length,
      isSharedWithClient: true,
    });
    const record = await db.document.findUniqueOrThrow({ where: { id: response.json.id } });
    expect(record.filePath).toMatch(/^[0-9a-f]{48}$/);
    expect((await devon.get("/api/documents")).json).toEqual([]);
  });
});

describe("an upload is refused, and nothing is stored:", () => {
  const disguised: [string, Buffer | undefined][] = [
    ["page.pdf", Buffer.from("<html><script>alert(1)</script></html>")],
    ["program.png", Buffer.concat([Buffer.from("MZ\x90\x00", "latin1"), Buffer.alloc(512)])],
    ["drawing.svg", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ["page.html", Buffer.from("<html></html>")],
    ["plan.pdf.html", SAMPLES.pdf],
    ["plan.pdf.", SAMPLES.pdf],
    ["plan.pdf ", SAMPLES.pdf],
    ["plan", SAMPLES.pdf],
    ["plan.constructor", SAMPLES.pdf],
    ["photo.jpg", SAMPLES.png],
    ["letter.txt", SAMPLES.pdf],
    ["letter.txt", SAMPLES.png],
    ["letter.docx", SAMPLES.zip],
    ["archive.rar", SAMPLES.zip],
    ["both.gif", Buffer.from("GIF89a/*....*/=alert(1)//")],
  ];
  test.each(disguised)("%s, if its extension or its content is not an accepted type (415)", async (fileName, bytes) => {
    const response = await refusedUpload({ fileName, bytes });
    expect(response.status).toBe(415);
    expect(response.json.errors.file).toEqual([response.json.message]);
  });

  test("no selected file (422)", async () => {
    const none = await postParts(maria, [{ name: "customFileName", value: "Plan" }]);
    const empty = await postParts(maria, [
      { name: "file", fileName: "", bytes: Buffer.alloc(0) },
      { name: "customFileName", value: "Plan" },
    ]);
    for (const response of [none, empty]) {
      expect(response.status).toBe(422);
      expect(response.json).toEqual({
        message: "Please select a file to upload.",
        errors: { file: ["Please select a file to upload."] },
      });
    }
  });

  test.each(["", "   ", "\t\r\n"])("a document without a name (%j)", async (customFileName) => {
    const response = await refusedUpload({ fields: { customFileName } });
    expect(response.status).toBe(422);
    expect(response.json.errors).toEqual({ customFileName: ["Please provide a name for your document."] });
  });

  test("a name and a description of 10,000 characters and a sharing value that is not a boolean (422)", async () => {
    const fields = {
      customFileName: "x".repeat(10_000),
      description: "y".repeat(10_000),
      isSharedWithClient: "perhaps",
    };
    const response = await refusedUpload({ fields });
    expect(response.status).toBe(422);
    expect(Object.keys(response.json.errors).toSorted()).toEqual([
      "customFileName",
      "description",
      "isSharedWithClient",
    ]);
  });

  test("an empty file", async () => {
    const response = await refusedUpload({ bytes: Buffer.alloc(0) });
    expect([response.status, response.json.message]).toEqual([422, "This file is empty. Please choose another one."]);
  });

  test("another family's or an unknown appointment (404), or an invalid appointment id (422)", async () => {
    const devon = await family();
    const start = new Date(Date.UTC(2027, 0, 4, 15));
    const visit = await db.appointment.create({
      data: { userId: devon.id, title: "Initial Consultation", type: "consultation", appointmentDate: start },
    });
    const before = await countStored();
    for (const id of [visit.id, 999_999]) {
      const response = await uploadFile(maria, { fields: { appointmentId: String(id) } });
      expect(response.status).toBe(404);
    }
    expect((await uploadFile(maria, { fields: { appointmentId: "-1" } })).status).toBe(422);
    expect(await countStored()).toEqual(before);
    const own = await uploadFile(devon, { fields: { appointmentId: String(visit.id) } });
    expect(own.json.appointmentId).toBe(visit.id);
  });

  test("a malformed or truncated multipart body (400), or another content type (415)", async () => {
    const before = await countStored();
    const whole = multipart(uploadParts({ bytes: textFile(200_000) }));
    const type = "multipart/form-data";
    const responses = [
      await postParts(maria, whole, { "Content-Type": type }),
      await postParts(maria, whole, { "Content-Type": `${type}; boundary=another` }),
      await postParts(maria, whole, { "Content-Type": `${type}; boundary="${"b".repeat(71)}"` }),
      await postParts(maria, whole.subarray(0, whole.length - 300)),
      await postParts(maria, Buffer.alloc(0)),
      await maria.post("/api/documents", { customFileName: "Plan" }),
      await postParts(maria, whole, { "Content-Type": "application/pdf" }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 415, 415]);
    expect(await countStored()).toEqual(before);
  });

  test("two files, 10,000 parts, a field name of 1 MB, a repeated or unknown field; __proto__ and constructor are ignored", async () => {
    const before = await countStored();
    const file = { name: "file", fileName: "letter.txt", bytes: SAMPLES.txt };
    const two = await postParts(maria, [file, file]);
    expect([two.status, two.json.message]).toEqual([400, "Please send one file at a time."]);
    const parts = Array.from({ length: 10_000 }, (_, index) => ({
      name: `a${"[b]".repeat(index % 1000)}`,
      value: "x",
    }));
    const others = [
      await postParts(maria, parts),
      await postParts(maria, [{ name: "n".repeat(1024 * 1024), value: "x" }, ...uploadParts().slice(1)]),
      await postParts(maria, [...uploadParts(), { name: "customFileName", value: "again" }]),
      await postParts(maria, [{ ...file, name: "other" }, ...uploadParts().slice(1)]),
    ];
    expect(others.map(({ status }) => status)).toEqual([413, 422, 400, 400]);
    const empty = { "Content-Type": "multipart/form-data; boundary=x" };
    expect((await postParts(maria, Buffer.from("--x\r\n".repeat(26_000)), empty)).status).toBe(413);
    expect(await countStored()).toEqual(before);
    expect(
      (
        await postParts(maria, [
          { name: "__proto__", value: "x" },
          { name: "constructor", value: "y" },
          ...uploadParts(),
        ])
      ).status,
    ).toBe(201);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test("a visitor's upload (401)", async () => {
    const before = await countStored();
    const response = await postParts(visitor(), uploadParts());
    expect([response.status, response.text]).toEqual([401, '{"message":"Unauthorized"}']);
    expect(await countStored()).toEqual(before);
  });

  test("a family's upload from another origin (403)", async () => {
    const response = await postParts(maria, uploadParts(), { Origin: "https://evil.example" });
    expect(response.status).toBe(403);
  });
});

describe("a family's storage limit of 2 GB and 2,000 documents", () => {
  const filler = (userId: number, fileSize: number) => ({
    userId,
    fileName: "a.zip",
    fileType: "application/zip",
    fileSize,
    filePath: `filler-${userId}`,
  });

  test("refuses an upload beyond 2 GB with 413, and accepts it after a document is deleted", async () => {
    const maria = await family(); // one that has sent nothing yet
    await db.document.create({ data: filler(maria.id, 2 * 1024 ** 3 - 100_000 - 1) });
    expect((await uploadFile(maria, { bytes: textFile(100_000) })).status).toBe(201);
    const over = await uploadFile(maria, { bytes: textFile(50) });
    expect([over.status, over.json.message]).toEqual([413, expect.stringContaining("2 GB")]);
    expect((await uploadFile(maria, { bytes: textFile(1) })).status).toBe(201);
    await db.document.deleteMany({ where: { filePath: `filler-${maria.id}` } });
    expect((await uploadFile(maria, { bytes: textFile(50) })).status).toBe(201);
  });

  test("accepts one of five concurrent uploads if only one fits, and refuses the others with 413", async () => {
    const maria = await family();
    await db.document.create({ data: filler(maria.id, 2 * 1024 ** 3 - 150_000) });
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => uploadFile(maria.clone(), { bytes: textFile(100_000) })),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 413, 413, 413, 413]);
    expect((await uploadFile(await family())).status).toBe(201);
  });

  test("counts the received bytes of an unfinished upload until its client disconnects", async () => {
    const maria = await family();
    await db.document.create({ data: filler(maria.id, 2 * 1024 ** 3 - 150_000) });
    const before = await countStored();
    const whole = multipart(uploadParts({ bytes: textFile(100_000) }));
    const unended = postStreaming(maria, { "Content-Length": whole.length }, async (write) => {
      await write(whole.subarray(0, 90_000));
      await new Promise(() => {});
    });
    unended.answer.catch(() => {});
    await expect.poll(async () => (await countStored()).files).toBe(before.files + 1);
    const over = () => uploadFile(maria.clone(), { bytes: textFile(100_000) });
    await expect.poll(async () => (await over()).status).toBe(413);
    expect((await countStored()).files).toBe(before.files + 1);
    unended.sent.destroy();
    await expect.poll(async () => (await countStored()).files).toBe(before.files);
    expect((await over()).status).toBe(201);
  });

  test("refuses a document beyond 2,000 with 413", async () => {
    const maria = await family();
    await db.document.createMany({ data: Array.from({ length: 2000 }, () => filler(maria.id, 1)) });
    expect((await uploadFile(maria)).status).toBe(413);
  });
});

describe("the consultant", () => {
  test("uploads a document for a family, shared or only for herself; the family can't delete the shared one (403)", async () => {
    const [maria, admin] = [await family(), await consultant()];
    expect((await uploadFile(admin)).json.errors).toEqual({ userId: ["Choose a family."] });
    expect((await uploadFile(admin, { fields: { userId: "999999" } })).status).toBe(404);
    const shared = await uploadFile(admin, { fields: { userId: String(maria.id) } });
    const hidden = await uploadFile(admin, { fields: { userId: String(maria.id), isSharedWithClient: "false" } });
    expect([shared.status, hidden.status]).toEqual([201, 201]);
    expect((await maria.get("/api/documents")).json).toEqual([shared.json]);
    expect((await maria.get(`/api/documents/${hidden.json.id}`)).status).toBe(404);
    expect((await admin.get(`/api/documents/${hidden.json.id}`)).status).toBe(200);
    const denied = await maria.delete(`/api/documents/${shared.json.id}`);
    expect([denied.status, await db.document.count({ where: { userId: maria.id } })]).toEqual([403, 2]);
    expect((await admin.delete(`/api/documents/${shared.json.id}`)).status).toBe(200);
  });

  test("gets an upload form for one family from that family's page, and for all families from her list", async () => {
    const [maria, devon, admin] = [await family(), await family(), await consultant()];
    const visit = { title: "Hourly Consulting", type: "consultation" };
    for (const [hour, { id }] of [maria, devon].entries()) {
      const appointmentDate = new Date(Date.UTC(2027, 4, 5, 15 + hour));
      await db.appointment.create({ data: { ...visit, userId: id, appointmentDate } });
    }
    const way = (await admin.get(`/families/${maria.id}`)).document.querySelector('a[href$="/documents/new"]');
    const choices = async (address: string) => {
      const { document: page } = await admin.get(address);
      const of = (name: string) => [...page.querySelectorAll(`select[name=${name}] option`)].slice(1);
      const families = of("userId").map((option) => Number(option.getAttribute("value")));
      return { families, visits: of("appointmentId").length };
    };
    expect(await choices(way?.getAttribute("href") ?? "")).toEqual({ families: [maria.id], visits: 1 });
    for (const all of ["/documents/new", "/documents/new?userId=999999", "/documents/new?userId=x"]) {
      const { families, visits } = await choices(all);
      expect(families).toEqual(expect.arrayContaining([maria.id, devon.id]));
      expect(visits).toBeGreaterThan(1);
    }
    await db.appointment.deleteMany({ where: { userId: { in: [maria.id, devon.id] } } });
  });
});

test("after an upload the consultant returns to the family's page if she came from there, else to the list", async () => {
  const admin = await consultant();
  const { id } = maria;
  const fields = { userId: String(id) };
  const location = async (path: string) => (await postParts(admin, uploadParts({ fields }), {}, path)).headers.location;
  expect(await location(`/documents/new?userId=${id}`)).toBe(`/families/${id}#documents`);
  expect(await location("/documents/new?userId=999999")).toBe(`/families/${id}#documents`);
  expect(await location("/documents/new")).toBe("/documents");
  const { document } = await admin.get(`/documents/new?userId=${id}`);
  expect(document.querySelector("dialog form")?.getAttribute("action")).toBe(`/documents/new?userId=${id}`);
  const overPage = await admin.get(`/families/${id}/documents/new`);
  expect(overPage.document.querySelector("dialog form")?.getAttribute("action")).toBe(`/documents/new?userId=${id}`);
  expect(overPage.document.querySelector("h1")?.textContent).toMatch(/ Alvarez$/);
  for (const [isSharedWithClient, text] of [
    ["true", "can see it and gets a message in their portal."],
    ["false", "Only you see it."],
  ]) {
    const sent = uploadParts({ fields: { ...fields, isSharedWithClient: isSharedWithClient ?? "" } });
    const answer = await postParts(admin, sent, {}, `/documents/new?userId=${id}`);
    expect((await admin.follow(answer)).visibleText).toContain(text);
  }
  expect((await maria.get(`/families/${id}/documents/new`)).status).toBe(403);
  const own = await postParts(maria, uploadParts(), {}, `/documents/new?userId=${id}`);
  expect(own.headers.location).toBe("/documents");
});

test("the consultant's filter for new documents lists only those she has not opened, and keeps all three counts", async () => {
  const [sender, admin] = [await family(), await consultant()];
  const [opened, unopened] = [(await uploadFile(sender)).json.id, (await uploadFile(sender)).json.id];
  await admin.get(`/api/documents/${opened}`);
  const shown = async (query: string) => {
    const { document: page, visibleText } = await admin.get(`/documents?q=${encodeURIComponent(sender.email)}${query}`);
    const ids = [...page.querySelectorAll('main input[name="id"], main a[href$="/download"]')].map((each) =>
      Number(each.getAttribute("value") ?? each.getAttribute("href")?.split("/")[3]),
    );
    return { ids: [...new Set(ids)].toSorted((a, b) => a - b), visibleText };
  };
  const all = await shown("");
  expect(all.ids).toEqual([opened, unopened]);
  expect(all.visibleText).toContain("New (1)");
  const fresh = await shown("&show=new");
  expect(fresh.ids).toEqual([unopened]);
  expect(fresh.visibleText).toMatch(/Documents & PDFs 2 · Images 0 · Other Files 0/);
  expect((await sender.get("/documents?show=new")).visibleText).toContain("Your Documents");
});

test("the upload and delete dialogs have different text for a family and for the consultant", async () => {
  expect((await (await family()).get("/documents/new")).visibleText).toContain("you and your consultant will see");
  expect((await (await consultant()).get("/documents/new")).visibleText).toContain("you and the family will see");
  const maria = await family();
  const { id } = (await uploadFile(maria)).json;
  expect((await maria.get(`/documents/${id}/delete`)).visibleText).toContain("gone for you and for your consultant");
  expect((await (await consultant()).get(`/documents/${id}/delete`)).visibleText).toContain(
    "gone for you and for the family",
  );
});

test("a .zip or .docx that would unpack to 40 MB is accepted (201)", async () => {
  const bomb = zip([["bomb.txt", Buffer.alloc(40 * 1024 * 1024)]]);
  expect(bomb.length).toBeLessThan(100_000);
  const word = zip([
    ["[Content_Types].xml", Buffer.alloc(40 * 1024 * 1024)],
    ["word/document.xml", "<w/>"],
  ]);
  expect((await uploadFile(maria, { fileName: "bomb.zip", bytes: bomb })).status).toBe(201);
  expect((await uploadFile(maria, { fileName: "bomb.docx", bytes: word })).status).toBe(201);
});
