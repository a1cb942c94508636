// Proves viewing, downloading, ranges, names, listing and deleting of documents.
import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { SAMPLES, type UploadOptions, textFile, uploadFile, uploadParts, postParts } from "../support/uploads.ts";
import { consultant, db, family, visitor } from "../support/site.ts";
import { storedFiles, uploadAndLocate } from "../support/stored-files.ts";

const INLINE = ["pdf", "txt", "jpg", "png", "gif", "bmp", "mp4", "mov", "webm", "mkv", "avi", "mp3", "wav", "tiff"];
const SAVED = ["doc", "docx", "zip", "rar", "heic", "heif"];

const maria = await family({ intake: true });
const devon = await family();
const admin = await consultant();

async function sent(sending: UploadOptions = {}, by = maria): Promise<{ id: number; fileName: string }> {
  const response = await uploadFile(by, sending);
  expect(response.status).toBe(201);
  return response.json;
}

describe("a viewed document", () => {
  test.each([...INLINE, ...SAVED])(
    "of type %s is shown inline in a sandbox if the type is safe, otherwise sent as an attachment",
    async (extension) => {
      const { id } = await sent({ fileName: `a.${extension}`, bytes: SAMPLES[extension] });
      const view = await maria.get(`/api/documents/${id}`);
      const download = await maria.get(`/api/documents/${id}/download`);
      expect([view.status, download.status]).toEqual([200, 200]);
      expect(view.headers["content-disposition"]).toMatch(INLINE.includes(extension) ? /^inline;/ : /^attachment;/);
      expect(download.headers["content-disposition"]).toMatch(/^attachment;/);
      for (const { headers } of [view, download]) {
        expect(headers["content-security-policy"]).toMatch(/default-src 'none';.*frame-ancestors 'none';.*; sandbox$/);
        expect(headers).toMatchObject({
          "x-content-type-options": "nosniff",
          "cross-origin-resource-policy": "same-origin",
          "cache-control": "private, no-store",
          "accept-ranges": "bytes",
          "content-length": String(SAMPLES[extension]?.length),
        });
        expect(headers["content-type"]).not.toMatch(/html|svg|script|xml;/);
      }
    },
  );

  test("that is a text file with HTML in it is sent as text/plain", async () => {
    const { id } = await sent({ bytes: Buffer.from("<html><script>alert(1)</script></html>") });
    expect((await maria.get(`/api/documents/${id}`)).headers["content-type"]).toBe("text/plain; charset=utf-8");
  });

  test("has the same status and headers for HEAD as for GET, without a body, also for a range", async () => {
    const { id } = await sent({ bytes: textFile(200_000) });
    for (const path of [`/api/documents/${id}`, `/api/documents/${id}/download`]) {
      for (const headers of [{}, { Range: "bytes=100-199" }]) {
        const [get, head] = [await maria.get(path, headers), await maria.request("HEAD", path, { headers })];
        expect(head.bytes.length).toBe(0);
        expect(head.status).toBe(get.status);
        for (const name of ["content-length", "content-range", "content-type", "content-disposition", "etag"]) {
          expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
        }
      }
    }
  });
});

describe("a range request", () => {
  const bytes = textFile(200_000);
  const parts: [string, number, number, number][] = [
    ["bytes=0-0", 206, 0, 0],
    ["bytes=65535-65536", 206, 65_535, 65_536],
    ["bytes=65536-131071", 206, 65_536, 131_071],
    ["bytes=131000-", 206, 131_000, 199_999],
    ["bytes=-500", 206, 199_500, 199_999],
    ["bytes=-999999999", 206, 0, 199_999],
    ["bytes=199999-999999", 206, 199_999, 199_999],
    ["bytes=5-2", 200, 0, 199_999],
    ["bytes=a-b", 200, 0, 199_999],
    ["lines=1-2", 200, 0, 199_999],
    ["bytes=0-1,5-6", 200, 0, 199_999],
    [`bytes=${Array.from({ length: 1000 }, (_, index) => `${index * 2}-${index * 2}`).join(",")}`, 200, 0, 199_999],
  ];
  test("gets exactly the requested bytes (206); an invalid or a multiple range gets the whole document (200)", async () => {
    const { id } = await sent({ bytes });
    for (const [range, status, from, to] of parts) {
      const response = await maria.get(`/api/documents/${id}/download`, { Range: range });
      expect([range.slice(0, 30), response.status]).toEqual([range.slice(0, 30), status]);
      expect(response.bytes.equals(bytes.subarray(from, to + 1))).toBe(true);
      expect(response.headers["content-range"]).toBe(status === 206 ? `bytes ${from}-${to}/200000` : undefined);
    }
  });

  test("beyond the end gets 416 with the document's length", async () => {
    const { id } = await sent({ bytes });
    for (const range of ["bytes=200000-", `bytes=${"9".repeat(30)}-`, "bytes=-0"]) {
      const response = await maria.get(`/api/documents/${id}`, { Range: range });
      expect([range, response.status, response.headers["content-range"]]).toEqual([range, 416, "bytes */200000"]);
      expect(response.headers["content-type"]).toMatch(/^application\/json/);
      expect(response.json).toEqual({ message: "There is no such part of this document. It has 200000 bytes." });
    }
  });

  test("with an If-Range for another version gets the whole document", async () => {
    const { id } = await sent({ bytes });
    const { etag = "" } = (await maria.get(`/api/documents/${id}`)).headers;
    const asked = (version: string) => maria.get(`/api/documents/${id}`, { Range: "bytes=0-9", "If-Range": version });
    expect([(await asked(etag)).status, (await asked('"another"')).status]).toEqual([206, 200]);
  });
});

describe("file names", () => {
  const names = [
    ["Résumé 児童 👧", "Résumé 児童 👧"],
    ["Re\u0301sume\u0301", "Résumé"],
    ["דו״ח של ליאו", "דו״ח של ליאו"],
    ['He said "no" \\ 100%', 'He said "no" \\ 100%'],
    ["../../etc/passwd", "../../etc/passwd"],
    ["..\\..\\x", "..\\..\\x"],
    ["/absolute %2e%2e%2f", "/absolute %2e%2e%2f"],
    ["CON", "CON"],
    ["-rf .hidden", "-rf .hidden"],
    ["two\r\nSet-Cookie: a=b", "two Set-Cookie: a=b"],
    ["evil\u202etxt", "evil txt"],
    ["x.html", "x.html"],
    ["👧".repeat(300), "👧".repeat(300)],
  ] as const;
  test.each(names)("%j is normalized and encoded in Content-Disposition", async (customFileName, meant) => {
    const { id, fileName } = await sent({ fileName: "a.pdf", bytes: SAMPLES.pdf, fields: { customFileName } });
    expect(fileName).toBe(`${meant}.pdf`);
    for (const path of [`/api/documents/${id}`, `/api/documents/${id}/download`]) {
      const response = await maria.get(path);
      expect([response.status, response.headers["content-type"]]).toEqual([200, "application/pdf"]);
      const [, plain = "", full = ""] =
        /; filename="([^"\\]*)"; filename\*=UTF-8''([\w%.~!#$&+^`|-]+)$/.exec(
          response.headers["content-disposition"] ?? "",
        ) ?? [];
      expect(decodeURIComponent(full)).toBe(`${meant}.pdf`.replace(/[/\\]/g, "-"));
      expect(plain).toMatch(/^[\x20-\x7e]+\.pdf$/);
    }
  });

  test("only the extension of the uploaded file's own name is used, whatever path it contains", async () => {
    for (const fileName of [
      "../../x.txt",
      "..\\x.txt",
      "/etc/x.txt",
      "%2e%2e%2fx.txt",
      "a/b.txt",
      `${"n".repeat(300)}.txt`,
      ".txt",
      '";x="y.txt',
    ]) {
      expect((await sent({ fileName })).fileName).toBe("Letter from school.txt");
    }
    const broken = await postParts(
      maria,
      uploadParts({ fileName: "a\u0000.txt", fields: { customFileName: "a\u0000b" } }),
    );
    expect(broken.status).toBe(422);
  });
});

describe("access to documents", () => {
  test("of another family is the same 404 as for an unknown id, byte for byte; a visitor gets 401", async () => {
    const { id } = await sent();
    const addresses = [`/api/documents/${id}`, `/api/documents/${id}/download`];
    for (const path of addresses) {
      const never = path.replace(String(id), "999999");
      for (const method of ["GET", "HEAD"]) {
        for (const headers of [{}, { Range: "bytes=0-9" }]) {
          const [one, other] = [
            await devon.request(method, path, { headers }),
            await devon.request(method, never, { headers }),
          ];
          expect([one.status, one.text]).toEqual([404, other.text]);
          expect({ ...one.headers, date: "" }).toEqual({ ...other.headers, date: "" });
        }
      }
      expect((await visitor().get(path)).status).toBe(401);
    }
    const denied = await devon.delete(`/api/documents/${id}`);
    expect([denied.status, denied.text]).toEqual([404, (await devon.delete("/api/documents/999999")).text]);
    expect((await maria.get(`/api/documents/${id}`)).status).toBe(200);
  });

  test("in lists and pages is limited to a family's own shared documents; the consultant's list has all", async () => {
    const [firstFamily, secondFamily] = [await family(), await family()];
    const rows = (userId: number) =>
      Array.from({ length: 50 }, (_, index) => ({
        userId,
        fileName: `paper ${userId} ${index}.pdf`,
        fileType: "application/pdf",
        fileSize: 1,
        filePath: `p${userId}`,
        isSharedWithClient: index % 5 > 0,
      }));
    await db.document.createMany({ data: [...rows(firstFamily.id), ...rows(secondFamily.id)] });
    for (const one of [firstFamily, secondFamily]) {
      const list: { userId: number }[] = (await one.get("/api/documents")).json;
      expect(list).toHaveLength(40);
      expect(list.every(({ userId }) => userId === one.id)).toBe(true);
      const page = await one.get("/documents");
      expect(page.document.querySelectorAll("ul.rows > li")).toHaveLength(40);
      const other = one === firstFamily ? secondFamily : firstFamily;
      for (const text of [page.text, (await one.get("/documents.data")).text, (await one.get("/dashboard")).text]) {
        expect(text).not.toContain(`paper ${other.id} `);
        expect(text).not.toMatch(new RegExp(`paper ${one.id} (0|5|10)\\.pdf`));
      }
    }
    const all: { userId: number }[] = (await admin.get("/api/documents")).json;
    expect(all.filter(({ userId }) => [firstFamily.id, secondFamily.id].includes(userId))).toHaveLength(100);
  });

  test("for the consultant: 50 documents per page among thousands, and a search that finds one", async () => {
    const many = await family({ firstName: "Zora", lastName: "Zweig" });
    await db.document.createMany({
      data: Array.from({ length: 2000 }, (_, index) => ({
        userId: many.id,
        fileName: `leaf ${String(index).padStart(4, "0")}.pdf`,
        fileType: "application/pdf",
        fileSize: 1,
        filePath: "p",
      })),
    });
    const total = await db.document.count();
    const last = Math.ceil(total / 50);
    const page = await admin.get("/documents");
    expect(page.document.querySelectorAll("ul.rows > li")).toHaveLength(50);
    expect(page.visibleText).toContain(`Page 1 of ${last}`);
    expect((await admin.get(`/documents?page=${last}`)).visibleText).toContain("Zora Zweig");
    expect((await admin.get(`/documents?page=${last + 1}`)).status).toBe(200);
    const found = await admin.get("/documents?q=Zweig+0007");
    expect(found.visibleText).toContain("1 document found.");
    expect(found.document.querySelectorAll("ul.rows > li")).toHaveLength(1);
    await db.document.deleteMany({ where: { userId: many.id } });
  });

  test("by an invalid id is a 404", async () => {
    for (const id of [
      "0",
      "-2",
      "1.5",
      "0x1",
      "abc",
      "NaN",
      "2147483648",
      "9007199254740993",
      "１",
      "9".repeat(4000),
    ]) {
      for (const path of [
        `/api/documents/${encodeURIComponent(id)}`,
        `/api/documents/${encodeURIComponent(id)}/download`,
      ]) {
        expect([id.slice(0, 20), (await maria.get(path)).status]).toEqual([id.slice(0, 20), 404]);
      }
    }
  });
});

describe("the intake form in the document list", () => {
  test("is the first document, which only its family can view and download, and nobody can delete (405)", async () => {
    expect((await maria.get("/api/documents")).json[0]).toMatchObject({
      id: -1,
      fileName: "intake-form.txt",
      userId: maria.id,
    });
    const [view, download] = [await maria.get("/api/documents/-1"), await maria.get("/api/documents/-1/download")];
    expect(view.text).toContain(maria.name);
    expect(download.text).toBe(view.text);
    expect(download.headers["content-disposition"]).toMatch(/^attachment; filename="intake-form\.txt"/);
    expect((await maria.delete("/api/documents/-1")).status).toBe(405);
    for (const other of [devon, admin]) expect((await other.get("/api/documents/-1")).status).toBe(404);
    expect((await visitor().get("/api/documents/-1")).status).toBe(401);
  });

  test("has view and download links for its family, and a notice after the download", async () => {
    const page = await maria.get("/documents");
    const rows = [...page.document.querySelectorAll("ul.rows > li")];
    const linksOf = (row?: Element) => [...(row?.querySelectorAll("a") ?? [])].map((link) => link.getAttribute("href"));
    expect(linksOf(rows[0])).not.toContain("/documents/intake-form");
    expect(rows.map(linksOf)).toContainEqual(["/documents/intake-form", "/documents/intake-form/download"]);
    expect((await maria.get("/documents/intake-form")).visibleText).toContain(maria.name);
    expect((await devon.get("/documents/intake-form")).status).toBe(404);
    const saved = await maria.follow(await maria.get("/documents/intake-form/download"));
    expect(saved.headers["content-disposition"]).toContain("intake-form.txt");
    expect((await maria.get("/documents")).visibleText).toContain("Intake Form SavedTo read it here, choose View.");
  });
});

describe("a document of an appointment", () => {
  test("is listed on the appointment for its family and the consultant, not for another family", async () => {
    const start = new Date(Date.UTC(2027, 0, 4, 15));
    const visit = await db.appointment.create({
      data: { userId: maria.id, title: "Follow-up Consultation", type: "follow-up", appointmentDate: start },
    });
    await sent({ fields: { customFileName: "Notes of the visit", appointmentId: String(visit.id) } });
    const page = await maria.get(`/appointments/${visit.id}/documents`);
    expect(page.visibleText).toContain("Documents for Follow-up Consultation");
    expect(page.visibleText).toContain("Notes of the visit.txt");
    expect((await maria.get("/documents")).visibleText).toContain("For Follow-up Consultation on Mon, Jan 4, 2027");
    expect((await devon.get(`/appointments/${visit.id}/documents`)).status).toBe(404);
    const details = `/dashboard/appointments/${visit.id}`;
    expect((await admin.get(details)).visibleText).toContain("Notes of the visit.txt");
    expect((await devon.get(details)).text).not.toContain("Notes of the visit");
    const form = await maria.get(`/documents/new?appointmentId=${visit.id}`);
    expect(form.document.querySelector(`option[value="${visit.id}"][selected]`)).not.toBeNull();
  });
});

describe("a named pipe in place of a stored file", () => {
  test("is a 404, and concurrent requests for it don't block other downloads", async () => {
    const { id, file } = await uploadAndLocate(maria, textFile(1_000));
    const other = await sent();
    rmSync(file);
    execFileSync("mkfifo", [file]);
    const download = (number: number) => maria.get(`/api/documents/${number}/download`);
    const responses = await Promise.all(Array.from({ length: 6 }, () => download(id)));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(404));
    expect((await download(other.id)).status).toBe(200);
    expect((await maria.delete(`/api/documents/${id}`)).status).toBe(200);
  });
});

describe("deleting a document", () => {
  test("succeeds for one of two concurrent requests, the other gets 404; the document is a 404 from then on, its file is gone", async () => {
    const { id, file } = await uploadAndLocate(maria, textFile(70_000));
    expect(existsSync(file)).toBe(true);
    const responses = await Promise.all([
      maria.clone().delete(`/api/documents/${id}`),
      maria.clone().delete(`/api/documents/${id}`),
    ]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    expect((await maria.get(`/api/documents/${id}`)).status).toBe(404);
    expect([existsSync(file), storedFiles().includes(path.basename(file))]).toEqual([false, false]);
    expect((await maria.delete(`/api/documents/${id}`)).status).toBe(404);
  });

  test("on the page a second time, or with an unknown id, shows that the document is no longer there", async () => {
    const { id } = await sent();
    const sayings = [];
    for (const address of [`/documents/${id}/delete`, `/documents/${id}/delete`, "/documents/999999/delete"]) {
      expect((await maria.form(address, {})).status).toBe(302);
      sayings.push((await maria.get("/documents")).document.querySelector(".toast")?.textContent);
    }
    expect(sayings[0]).toContain("Document Deleted");
    for (const saying of sayings.slice(1))
      expect(saying).toContain("Nothing to deleteThis document is no longer there.");
  });

  test("during a download lets that download complete", async () => {
    const bytes = textFile(5_000_000);
    const { id } = await sent({ bytes });
    const cookie = [...maria.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const reading = await fetch(`${maria.origin}/api/documents/${id}/download`, { headers: { Cookie: cookie } });
    expect((await maria.delete(`/api/documents/${id}`)).status).toBe(200);
    expect(Buffer.from(await reading.arrayBuffer()).equals(bytes)).toBe(true);
  });
});
