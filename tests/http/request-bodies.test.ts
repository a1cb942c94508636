// Proves that every endpoint refuses malformed bodies with the right status code and changes nothing.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { Agent, request as sendRequest } from "node:http";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import type { TestResponse, TestClient } from "../support/http-client.ts";
import { intakeForm } from "../support/people.ts";
import { dumpDatabase } from "../support/database/database-dump.ts";
import { consultant, db, family, origin, visitor } from "../support/site.ts";
import { sendTinyChunks } from "../support/tiny-chunks.ts";

const MEGABYTE = 1024 * 1024;
/** Where people sign in. */
const MAX_SMALL_BODY_BYTES = 16 * 1024;
const deep = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

/** The API paths that read a body, and who may call them. */
const CALLS: Record<string, "visitor" | "family" | "consultant"> = {
  "/api/auth/register": "visitor",
  "/api/auth/login": "visitor",
  "/api/auth/change-password": "family",
  "/api/appointments": "family",
  "/api/appointments/in-person": "family",
  "/api/appointments/from-consultation": "consultant",
  "/api/consultation-requests": "visitor",
  "/api/intake-forms": "family",
  "/api/documents": "family",
  "/api/payments/process": "family",
  "/api/payments/webhook": "visitor",
};

const BAD_JSON: Record<string, string | Buffer> = {
  "truncated JSON": '{"email":',
  "form-encoded text": "email=a@example.com",
  "single quotes": "{'email':'a'}",
  "a trailing comma": '{"email":"a",}',
  "an empty array": "[]",
  "an array of a valid object": '[{"email":"a@example.com"}]',
  null: "null",
  "a number": "7",
  "a string": '"email"',
  true: "true",
  "two objects": "{}{}",
  "bytes that are not UTF-8": Buffer.from([0xff, 0xfe, 0x00, 0x80]),
  "an incomplete UTF-8 character": Buffer.concat([Buffer.from('{"email":"'), Buffer.from([0xc3]), Buffer.from('"}')]),
  "a duplicate field": '{"email":"a@example.com","email":"b@example.com"}',
  "a duplicate field with an escaped name": '{"title":"a","ti\\u0074le":"b"}',
  "a duplicate nested field": '{"appointmentData":{"title":"a","notes":[{}],"title":"b"}}',
  "a hundred thousand nested arrays": deep(100_000, "[", "]"),
};
const TOO_DEEP = "ten thousand nested objects";
const ODD_OBJECTS: Record<string, string> = {
  "an empty object": "{}",
  [TOO_DEEP]: `{"a":${deep(10_000, '{"a":', "}").replace('{"a":}', "{}")}`,
  "keys that attempt prototype pollution":
    '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
  "every field as an array": asList(),
  "every field as an object": asList().replaceAll("[]", '{"not":""}'),
  "every field as null": asList().replaceAll("[]", "null"),
  "every field as a number": asList().replaceAll("[]", "1e308"),
  "every field with a NUL": asList().replaceAll("[]", '"a\\u0000b"'),
  "every field with a lone surrogate": asList().replaceAll("[]", '"\\ud800"'),
  "every field far too long": asList().replaceAll("[]", `"${"x".repeat(5500)}"`),
};

function asList(): string {
  const names = `firstName lastName email phone password confirmPassword currentPassword newPassword title description
    appointmentDate duration type meetingLink place notes isLiveVideoCall userId consultationRequestId serviceNeeds urgency
    message consent sourceId amount appointmentData`.split(/\s+/);
  names.push(...Object.keys(intakeForm({ name: "", email: "" })));
  return `{${names.map((name) => `"${name}":[]`).join(",")}}`;
}

/** The webhook checks the signature, uploads the type of the body, before anything else. */
function refusalOf(path: string, status: number, body: string | Buffer = ""): number {
  if (path.startsWith("/api/auth/") && body.length > MAX_SMALL_BODY_BYTES) return 413;
  if (path === "/api/payments/webhook") return 401;
  return path === "/api/documents" ? 415 : status;
}

let people: Record<"visitor" | "family" | "consultant", TestClient>;

beforeAll(async () => {
  people = { visitor: visitor(), family: await family({ intake: true }), consultant: await consultant() };
});

const JSON_HEADERS = { Origin: origin, "Content-Type": "application/json" };

function send(path: string, body: string | Buffer, type = "application/json"): Promise<TestResponse> {
  const client = people[CALLS[path] ?? "visitor"].clone();
  // A connection for each: what one body does to its connection is no other test's business.
  client.agent = new Agent();
  return client.request("POST", path, { headers: { Origin: origin, "Content-Type": type }, body });
}

function expectCleanRefusal(response: TestResponse, status: number) {
  expect(response.status).toBe(status);
  expect(response.headers["content-type"]).toMatch(/^application\/json/);
  expect(response.json.message).toMatch(/\w+/);
  expect(response.text).not.toMatch(/prisma|sqlite|zod|\/app\/|node_modules|at \w+ \(/i);
}

describe.each(Object.keys(CALLS))("%s", (path) => {
  test.each(Object.keys(BAD_JSON))("refuses %s and changes nothing", async (name) => {
    const before = await dumpDatabase(db);
    expectCleanRefusal(await send(path, BAD_JSON[name] ?? ""), refusalOf(path, 400, BAD_JSON[name]));
    expect(await dumpDatabase(db)).toBe(before);
  });

  test.each(Object.keys(ODD_OBJECTS))("refuses %s and changes nothing", async (name) => {
    const before = await dumpDatabase(db);
    expectCleanRefusal(
      await send(path, ODD_OBJECTS[name] ?? ""),
      refusalOf(path, name === TOO_DEEP ? 400 : 422, ODD_OBJECTS[name]),
    );
    expect(await dumpDatabase(db)).toBe(before);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "text/html",
    "application/jsonp",
    "",
  ])("refuses a body with the Content-Type '%s'", async (type) => {
    const isOwnType = path === "/api/documents" && type === "multipart/form-data";
    const before = await dumpDatabase(db);
    expectCleanRefusal(await send(path, '{"email":"a@example.com"}', type), isOwnType ? 400 : refusalOf(path, 415));
    expect(await dumpDatabase(db)).toBe(before);
  });

  test("refuses a compressed body", async () => {
    const headers = { ...JSON_HEADERS, "Content-Encoding": "gzip" };
    const client = people[CALLS[path] ?? "visitor"].clone();
    expectCleanRefusal(await client.request("POST", path, { headers, body: gzipSync("{}") }), refusalOf(path, 415));
  });

  test.each([300_000, 10 * MEGABYTE])("refuses %i bytes and changes nothing", async (size) => {
    const before = await dumpDatabase(db);
    expectCleanRefusal(await send(path, `{"email":"${"x".repeat(size)}"}`), path === "/api/documents" ? 415 : 413);
    expect(await dumpDatabase(db)).toBe(before);
  });

  test("answers the next request of a client whose large body was refused", async () => {
    const client = people[CALLS[path] ?? "visitor"].clone();
    client.agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await client.request("POST", path, { headers: JSON_HEADERS, body: `{"email":"${"x".repeat(300_000)}"}` });
    expect((await client.get("/healthz")).status).toBe(200);
  });
});

describe("the limit of a request body", () => {
  const names = (count: number) => `{${Array.from({ length: count }, (_, number) => `"k${number}":1`).join(",")}}`;

  test("in JSON is 1,000 fields", async () => {
    expect((await send("/api/consultation-requests", names(1000))).status).toBe(422);
    const refused = await send("/api/consultation-requests", names(1001));
    expect([refused.status, refused.json.message]).toEqual([400, "The body names too many fields."]);
  });

  test("in JSON is 1,000 objects and lists, and 20,001 values", async () => {
    const containers = (count: number) =>
      `{"a":[${Array(count - 2)
        .fill("{}")
        .join(",")}]}`;
    expect((await send("/api/consultation-requests", containers(1000))).status).toBe(422);
    const values = (count: number) => `{"a":[${Array(count).fill('""').join(",")}]}`;
    expect((await send("/api/consultation-requests", values(20_001))).status).toBe(422);
    for (const body of [containers(1001), values(20_002)]) {
      const refused = await send("/api/consultation-requests", body);
      expect([refused.status, refused.json.message]).toEqual([400, "The body has too many lists, objects or values."]);
    }
  });

  test("in JSON is 16 levels; brackets in texts are no levels", async () => {
    const nested = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    const tooDeep = "The body is nested too deeply.";
    expect((await send("/api/consultation-requests", nested(16))).json.message).not.toBe(tooDeep);
    for (const body of [nested(17), `{"a":${"[".repeat(200_000)}`, `{"a":"\\"","b":${'{"c":'.repeat(16)}`]) {
      const refused = await send("/api/consultation-requests", body);
      expect([refused.status, refused.json.message]).toEqual([400, tooDeep]);
    }
    const brackets = JSON.stringify({ a: `${"[{".repeat(20)}\\"${"[".repeat(20)}` });
    expect((await send("/api/consultation-requests", brackets)).json.message).not.toBe(tooDeep);
  });

  test.each([
    ["/api/consultation-requests", "application/json", 256 * 1024],
    ["/api/auth/login", "application/json", MAX_SMALL_BODY_BYTES],
    ["/request-consultation", "application/x-www-form-urlencoded", 256 * 1024],
    ["/login", "application/x-www-form-urlencoded", MAX_SMALL_BODY_BYTES],
  ])("at %s applies to a chunked body: one byte over the maximum gets 413", async (path, type, maxBytes) => {
    const statusOf = (bytes: number) =>
      new Promise((resolve, reject) => {
        const headers = { Origin: origin, "Content-Type": type, "Transfer-Encoding": "chunked" };
        const request = sendRequest(`${origin}${path}`, { method: "POST", headers }, (response) =>
          resolve(response.resume().statusCode),
        );
        request.on("error", reject);
        request.end(type === "application/json" ? "{}".padEnd(bytes) : "".padEnd(bytes, "x&"));
      });
    // A form has a limit of entries, too, which is reached first.
    expect(await statusOf(maxBytes)).toBe(type === "application/json" ? 422 : 400);
    expect(await statusOf(maxBytes + 1)).toBe(413);
  });

  test.each(["POST /login", "POST /api/payments/webhook", "GET /", "GET /healthz"])(
    "applies to the number of chunks: the rest of %s in one-byte chunks is not read",
    async (request) => {
      const type = "Content-Type: application/x-www-form-urlencoded";
      const { text, isReadWhole } = await sendTinyChunks(origin, [`${request} HTTP/1.1`, type]);
      expect(text).toMatch(/^$|^HTTP\/1\.1 (200|413) /);
      expect(isReadWhole).toBe(false);
    },
  );

  test("closes a connection on which a body arrives before an earlier request has its response", async () => {
    const { hostname, port, host } = new URL(origin);
    const head = (line: string) => `${line} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\n`;
    const type = "Content-Type: application/x-www-form-urlencoded\r\n";
    for (const length of [
      "Content-Length: 5\r\n\r\nemail",
      "Transfer-Encoding: chunked\r\n\r\n5\r\nemail\r\n0\r\n\r\n",
    ]) {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {});
      let text = "";
      socket.on("data", (part) => (text += String(part)));
      socket.write(`${head("GET /login?uncached")}\r\n${head("POST /login")}${type}${length}`);
      await once(socket, "close");
      expect(text).not.toMatch(/HTTP\/1\.1 [^2]/);
    }
    expect((await visitor().get("/login")).status).toBe(200);
  });

  test("is 16 KiB for sign-in and registration, in every spelling of the path", async () => {
    const padded = (size: number) => "{}".padEnd(size);
    const spellings = ["/API/auth/login", "/api/%61uth/%6Cogin", "/api/auth/login//", "/api/auth/./login/"];
    for (const path of ["/api/auth/login", "/api/auth/register", ...spellings]) {
      expect([(await send(path, padded(16_384))).status, (await send(path, padded(16_385))).status]).toEqual([
        422, 413,
      ]);
    }
    expect((await send("/api/consultation-requests", padded(200_000))).status).toBe(422);
    for (const path of [
      "/login",
      "/%6cogin",
      "/login//",
      "/login.data",
      "/login/_.data",
      "/login//_.data",
      "/%4cogin//.data",
    ]) {
      expect([path, (await visitor().form(path, { email: "x".repeat(1700) })).status]).toEqual([path, 422]);
      expect([path, (await visitor().form(path, { email: "x".repeat(17_000) })).status]).toEqual([path, 413]);
    }
  });
});

describe("a form for visitors", () => {
  test.each(["/forgot-password", "/invitation/x"])(
    "accepts 16,000 characters at %s and refuses 17,000 with 413",
    async (path) => {
      const status = async (size: number) => (await visitor().form(path, { email: "x".repeat(size) })).status;
      expect(await status(16_000)).not.toBe(413);
      expect(await status(17_000)).toBe(413);
    },
  );

  test.each(["/request-consultation", "/legal-request"])(
    "has room for a text of 5,000 non-ASCII letters at %s",
    async (path) => {
      expect((await visitor().form(path, { message: "\u044f".repeat(5_000) })).status).toBe(422);
    },
  );
});

describe("page forms", () => {
  const FORMS: Record<string, "visitor" | "family" | "consultant"> = {
    "/login": "visitor",
    "/register": "visitor",
    "/dashboard/settings": "family",
    "/dashboard/reset-link": "consultant",
  };

  test.each(Object.keys(FORMS))("%s refuses malformed bodies with 4xx and changes nothing", async (path) => {
    const before = await dumpDatabase(db);
    const client = people[FORMS[path] ?? "visitor"].clone();
    client.agent = new Agent();
    const bodies: [string, string | Buffer][] = [
      ["application/x-www-form-urlencoded", "%%%=%ff&=&&a[b][c]=1&email[]=x&email=a&email=b&__proto__[x]=1"],
      ["application/x-www-form-urlencoded", `email=${"x".repeat(200_000)}`],
      ["application/x-www-form-urlencoded", Array.from({ length: 20_000 }, (_, number) => `k${number}=1`).join("&")],
      ["application/x-www-form-urlencoded", `a${"[b]".repeat(1000)}=1`],
      ["multipart/form-data; boundary=x", "--x\r\nno headers"],
      ["multipart/form-data", "--x--"],
      ["application/json", '{"email":"a@example.com"}'],
      ["text/plain", "email=a@example.com"],
      ["", "email=a@example.com"],
      ["application/x-www-form-urlencoded", randomBytes(2000)],
      ["application/x-www-form-urlencoded", "x".repeat(10 * MEGABYTE)],
    ];
    const statuses: number[] = [];
    for (const [type, body] of bodies) {
      const response = await client.request("POST", path, { headers: { Origin: origin, "Content-Type": type }, body });
      statuses.push(response.status);
      expect(response.text).not.toMatch(/node_modules|at \w+ \(/);
    }
    // Where people sign in, a body is too large before it has too many fields.
    const tooMany = FORMS[path] === "visitor" ? 413 : 400;
    expect(statuses).toEqual([422, 413, tooMany, 422, 400, 400, 400, 400, 400, 422, 413]);
    expect(await dumpDatabase(db)).toBe(before);
  });
});

describe("a form's Content-Type", () => {
  const PAIRS = Array.from({ length: 10_000 }, () => "email").join("&");
  const PARTS = "--b\r\nContent-Disposition: form-data; name=email\r\n\r\nx\r\n".repeat(250);

  test.each([
    ["multipart/x, application/x-www-form-urlencoded", PAIRS],
    ["multipart/form-data; boundary=b, application/x-www-form-urlencoded", PAIRS],
    ["text/html, application/x-www-form-urlencoded", "email=a"],
    ["application/x-www-form-urlencoded, text/html", "email=a"],
    ["text/html, multipart/form-data; boundary=b", `${PARTS}--b--`],
    ["application/x-www-form-urlencoded; charset=utf-8, multipart/form-data; boundary=b", `${PARTS}--b--`],
  ])("%s, which lists several types, gets 400", async (type, body) => {
    for (const path of ["/legal-request", "/request-consultation", "/request-consultation.data"]) {
      const headers = { Origin: origin, "Content-Type": type };
      const response = await people.visitor.clone().request("POST", path, { headers, body });
      expect([path, response.status]).toEqual([path, 400]);
    }
  });

  test("of either encoding allows 200 fields; 201 get 400", async () => {
    const statusOf = async (type: string, body: string) => {
      const headers = { Origin: origin, "Content-Type": type };
      return (await people.visitor.clone().request("POST", "/request-consultation", { headers, body })).status;
    };
    const pairs = (count: number) => Array.from({ length: count }, () => "email=x").join("&");
    const parts = (count: number) =>
      `${"--b\r\nContent-Disposition: form-data; name=email\r\n\r\nx\r\n".repeat(count)}--b--`;
    const URL_ENCODED = "Application/X-WWW-Form-Urlencoded ; charset=UTF-8";
    expect([await statusOf(URL_ENCODED, pairs(200)), await statusOf(URL_ENCODED, pairs(201))]).toEqual([422, 400]);
    const MULTIPART = 'multipart/form-data; boundary="b"';
    expect([await statusOf(MULTIPART, parts(200)), await statusOf(MULTIPART, parts(201))]).toEqual([422, 400]);
  });
});

describe("query strings", () => {
  test.each([
    "",
    "?date=2026-12-07",
    "?date=2026-12-07&time=10:00",
    "?date=2026-12-07&time=10:00&duration=",
    "?date=2026-12-07&time=10:00&duration=60&duration=30",
    "?date=2026-12-07&date=2026-12-08&time=10:00&duration=60",
    "?date[]=2026-12-07&time=10:00&duration=60",
    "?date=2026-02-30&time=10:00&duration=60",
    "?date=2026-12-07&time=24:00&duration=60",
    "?date=2026-12-07&time=10:00&duration=NaN",
    "?date=2026-12-07&time=10:00&duration=1e2",
    "?date=%00&time=10:00&duration=60",
    "?date=2026-12-07&time=10:00&duration=60&type=party",
    `?date=${"9".repeat(5000)}&time=10:00&duration=60`,
  ])("availability refuses '%s' with 400", async (query) => {
    const response = await people.family.get(`/api/appointments/availability${query}`);
    expect(response.status).toBe(400);
    expectCleanRefusal(response, 400);
  });

  test("the consultant must request an intake form with exactly one valid userId: else 400; an unknown id gets 404", async () => {
    for (const query of ["", "?userId=", "?userId=0", "?userId=abc", "?userId=1&userId=2", "?userId=1.5"]) {
      expectCleanRefusal(await people.consultant.get(`/api/intake-forms${query}`), 400);
    }
    expect((await people.consultant.get("/api/intake-forms?userId=999999")).status).toBe(404);
  });

  test("a family can't read another family's intake form", async () => {
    const other = await family({ intake: true, firstName: "Solveig" });
    const response = await people.family.get(`/api/intake-forms?userId=${other.id}`);
    expect(response.text).not.toContain("Solveig");
    expect(response.text).not.toContain(other.email);
  });
});
