// Proves the checks of host, origin, method and path before any route runs.
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { dumpDatabase } from "../support/database/database-dump.ts";
import { routePaths } from "../support/route-table.ts";
import { consultant, db, family, origin, visitor } from "../support/site.ts";

const { port, host } = new URL(origin);
const GUARD_WORDS = "This request did not come from our own pages.";

const OWN_ORIGINS = [origin, `http://127.0.0.1:${port}`, `http://[::1]:${port}`];
const FOREIGN_ORIGINS = [
  "https://evil.example",
  "null",
  `http://sub.localhost:${port}`,
  `http://localhost.evil.example:${port}`,
  `http://localhost:${port}.evil.example`,
  `https://localhost:${port}`,
  `http://localhost:${Number(port) + 1}`,
  "http://localhost",
];
const OWN_SITES = ["same-origin", "none"];
const FOREIGN_SITES = ["cross-site", "same-site", "anything"];
const TYPES = [
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/plain",
];
const CHANGES = ["POST", "PUT", "PATCH", "DELETE"];

/** An address of the table with something in the place of each parameter. */
const filled = (path: string) => path.replace(/:[a-zA-Z]+/g, "1").replace("*", "nothing-here");
const paths = [...new Set(routePaths.map(({ path }) => filled(path)))];
const withoutWebhook = paths.filter((path) => path !== "/api/payments/webhook");

function sentFrom({ from, site, type = 0 }: { from?: string; site?: string; type?: number }) {
  return {
    "Content-Type": TYPES[type % TYPES.length] ?? "",
    ...(from === undefined ? {} : { Origin: from }),
    ...(site === undefined ? {} : { "Sec-Fetch-Site": site }),
  };
}

describe("a changing request from another site", () => {
  const from = [...OWN_ORIGINS.slice(0, 1), ...FOREIGN_ORIGINS, undefined];
  const sites = [...OWN_SITES, ...FOREIGN_SITES, undefined];
  const foreign = from.flatMap((each) =>
    sites
      .filter((site) => FOREIGN_ORIGINS.includes(each ?? "") || FOREIGN_SITES.includes(site ?? ""))
      .map((site) => ({ from: each, site })),
  );

  test("is refused on every route for visitors, families and the consultant, and nothing changes", async () => {
    const clients = [visitor(), await family(), await consultant()];
    const before = await dumpDatabase(db);
    const letThrough: string[] = [];
    let turn = 0;
    for (const path of withoutWebhook) {
      for (const combination of foreign) {
        turn += 1;
        const client = clients[(turn + path.length) % clients.length] ?? visitor();
        const method = CHANGES[turn % CHANGES.length] ?? "POST";
        const headers = sentFrom({ ...combination, type: Math.floor(turn / CHANGES.length) });
        const response = await client.request(method, path, { headers, body: "{}" });
        // Where only reading is offered, a method that changes is refused whoever asks.
        const isRefused = response.text.includes(GUARD_WORDS) || (method !== "POST" && response.status === 405);
        if (!isRefused) {
          letThrough.push(`${method} ${path} ${JSON.stringify(combination)}: ${response.status}`);
        }
      }
    }
    expect(letThrough).toEqual([]);
    expect(await dumpDatabase(db)).toBe(before);
  });

  test("gets a JSON error from the API and a plain-text error from a page", async () => {
    const headers = sentFrom({ from: "https://evil.example" });
    const call = await visitor().request("POST", "/api/auth/login", { headers, body: "{}" });
    const page = await visitor().request("POST", "/login", { headers, body: "{}" });
    expect(call.json).toEqual({ message: GUARD_WORDS });
    expect(call.headers["content-type"]).toMatch(/^application\/json/);
    expect(page.headers["content-type"]).toMatch(/^text\/plain/);
  });

  test("gets 403 with a session cookie and without an Origin header", async () => {
    const client = await family();
    for (const path of ["/logout", "/api/auth/logout", "/dashboard/settings"]) {
      const response = await client.request("POST", path, { headers: sentFrom({}), body: "{}" });
      expect([path, response.status]).toEqual([path, 403]);
    }
    expect((await client.get("/api/auth/me")).status).toBe(200);
  });

  test("gets 403 with a made-up session cookie and without an Origin header", async () => {
    const client = visitor();
    client.cookies.set("session", "made-up");
    const response = await client.request("POST", "/api/auth/login", { headers: sentFrom({}), body: "{}" });
    expect(response.status).toBe(403);
  });
});

describe("the origin check of a changing request", () => {
  test.each(OWN_ORIGINS)("accepts the site's own origin %s", async (from) => {
    for (const site of [...OWN_SITES, undefined]) {
      const call = await visitor().request("POST", "/api/auth/login", {
        headers: sentFrom({ from, site }),
        body: "{}",
      });
      const page = await visitor().request("POST", "/login", {
        headers: sentFrom({ from, site, type: 1 }),
        body: "email=",
      });
      expect([call.status, page.status]).toEqual([422, 422]);
    }
  });

  test("accepts a request without an Origin header when it has no session cookie", async () => {
    const response = await visitor().request("POST", "/api/auth/login", { headers: sentFrom({}), body: "{}" });
    expect(response.status).toBe(422);
  });

  test("does not apply to the payment webhook, which is checked by its signature", async () => {
    const headers = sentFrom({ from: "https://provider.example", site: "cross-site" });
    const response = await visitor().request("POST", "/api/payments/webhook", { headers, body: "{}" });
    expect(response.text).not.toContain(GUARD_WORDS);
    expect(response.status).toBe(401);
  });
});

describe("a request with another Host header", () => {
  const foreign = [
    "evil.example",
    `localhost.evil.example:${port}`,
    "localhost",
    `localhost:${Number(port) + 1}`,
    `${host}.`,
    "a b",
  ];

  test.each(foreign)("(%s) gets 421 and no redirect", async (other) => {
    for (const path of ["/", "/login", "/dashboard", "/api/auth/me"]) {
      const response = await visitor().get(path, { Host: other });
      expect([path, response.status]).toEqual([path, 421]);
      expect(response.headers.location).toBeUndefined();
      expect(response.text).not.toContain(other);
    }
  });

  test("the health checks respond with 200 to any Host header", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      const response = await visitor().get(path, { Host: "10.0.0.7:8080" });
      expect([path, response.status, response.json.status]).toEqual([path, 200, "ok"]);
    }
  });

  test("the host in X-Forwarded-Host or Forwarded headers appears in no response", async () => {
    const claims = {
      "X-Forwarded-Host": "evil.example",
      "X-Forwarded-Proto": "gopher",
      Forwarded: "host=evil.example",
    };
    for (const path of ["/", "/dashboard", "/appointments?service=Initial%20Consultation", "/nothing-here"]) {
      const response = await visitor().get(path, claims);
      expect(JSON.stringify(response.headers) + response.text).not.toMatch(/evil\.example|gopher/);
    }
  });

  test("the site's forms work behind a TLS-terminating proxy", async () => {
    const response = await visitor().form("/login", { email: "" }, { "X-Forwarded-Proto": "https" });
    expect(response.status).toBe(422);
  });
});

describe("other spellings of a path", () => {
  const spellings = (path: string) => [
    `/${path}`,
    `${path}/`,
    `${path}/.`,
    `${path}//`,
    `${path};a=b`,
    `${path}%2f`,
    `${path}%20`,
    `${path}%00`,
    `/./${path.slice(1)}`,
    `/nothing/..${path}`,
    `/nothing/%2e%2e${path}`,
    path.toUpperCase(),
    path.replace("/a", "/%61"),
    path.replace(/\/(?=[^/]*$)/, "%2f"),
    `${path}.data`,
    `${path}?_routes=root`,
    `http://${host}${path}`,
    `http://evil.example${path}`,
  ];
  const guarded = ["/dashboard", "/documents", "/appointments", "/video-call/1", "/api/appointments", "/api/documents"];
  const adminOnly = ["/api/consultation-requests", "/dashboard/reset-link"];

  test.each(guarded)("%s is closed to visitors in every spelling", async (path) => {
    for (const spelling of spellings(path)) {
      const response = await visitor().get(spelling);
      const sentTo = response.headers.location ?? response.text;
      const isTurnedAway = response.status >= 400 || sentTo.includes("/login");
      expect([spelling, response.status, isTurnedAway]).toEqual([spelling, response.status, true]);
      expect(response.status).toBeLessThan(500);
    }
  });

  test.each(adminOnly)("%s is closed to families in every spelling", async (path) => {
    const client = await family();
    for (const spelling of spellings(path)) {
      const response = await client.get(spelling);
      const opened = response.status < 300 && !/access|forbidden|404/i.test(response.text);
      expect([spelling, response.status, opened]).toEqual([spelling, response.status, false]);
      expect(response.status).toBeLessThan(500);
    }
  });

  test("a POST from another origin is refused in every spelling", async () => {
    const client = await family();
    for (const spelling of spellings("/api/auth/logout")) {
      const response = await client.request("POST", spelling, {
        headers: sentFrom({ from: "https://evil.example" }),
        body: "{}",
      });
      // Such an address is refused before its origin is looked at.
      expect([spelling, response.status]).toEqual([spelling, /%00|^http/.test(spelling) ? 400 : 403]);
    }
    expect((await client.get("/api/auth/me")).status).toBe(200);
  });

  test.each(["/%", "/%ff", "/%c0%af", "/api/users/%E0%A4%A", "/%00"])(
    "the malformed path %s gets 400",
    async (path) => {
      expect((await visitor().get(path)).status).toBe(400);
    },
  );

  test.each(["%0A", "%0d", "%09", "%7F", "%C2%85", "%E2%80%A8", "%E2%80%A9"])(
    "a path with the control character %s gets 400, as JSON from the API",
    async (character) => {
      expect((await visitor().get(`/${character}login`)).status).toBe(400);
      const response = await visitor().request("POST", `/api/${character}x`, { body: "{}" });
      expect([response.status, response.json]).toEqual([400, { message: "That address can't be read." }]);
    },
  );

  test("a URL of 9,000 characters gets 414", async () => {
    expect((await visitor().get(`/?${"a".repeat(9000)}`)).status).toBe(414);
    expect((await visitor().get(`/api/users/${"1".repeat(9000)}`)).status).toBe(414);
  });

  test.each([
    "/.git/config",
    "/.env",
    "/server.ts",
    "/uploads/",
    "/data/app.db",
    "/assets/../server.ts",
    "/assets/%2e%2e/server/index.js",
  ])("%s gets 404 and reveals no file content", async (path) => {
    const response = await visitor().get(path);
    expect(response.status).toBe(404);
    expect(response.text).not.toMatch(/import |SECRET|sqlite/i);
  });
});

describe("HTTP methods", () => {
  const calls = paths.filter((path) => path.startsWith("/api/") && !path.includes("nothing"));
  const pages = paths.filter((path) => !path.startsWith("/api/"));

  test("an API route refuses unsupported methods with 405 and an Allow header", async () => {
    const client = await consultant();
    const before = await dumpDatabase(db);
    for (const path of calls) {
      const isMovable = path.startsWith("/api/appointments/1");
      for (const method of isMovable ? ["PUT"] : ["PUT", "PATCH"]) {
        const response = await client.request(method, path, { headers: { Origin: origin }, body: "{}" });
        expect([path, response.status]).toEqual([path, 405]);
        expect(response.headers.allow).toMatch(/^(GET, HEAD|POST|DELETE)/);
        expect(response.json.message).toBeTypeOf("string");
      }
    }
    expect(await dumpDatabase(db)).toBe(before);
  });

  test("TRACE, PROPFIND and MOVE get 405 on pages, API routes, assets and unknown paths", async () => {
    for (const path of ["/", "/dashboard", "/api/appointments", "/assets/x.js", "/nothing-here"]) {
      for (const method of ["TRACE", "PROPFIND", "MOVE"]) {
        const response = await visitor().request(method, path);
        expect([method, path, response.status]).toEqual([method, path, 405]);
        expect(response.headers.allow).toContain("GET");
      }
    }
  });

  test("a POST to a page without a form gets 405 with Allow: GET, HEAD", async () => {
    for (const path of ["/", "/accessibility", "/nothing-here"]) {
      const response = await visitor().form(path, {});
      expect([path, response.status, response.headers.allow]).toEqual([path, 405, "GET, HEAD"]);
    }
  });

  test("HEAD has the status code of GET and no body", async () => {
    for (const client of [visitor(), await family(), await consultant()]) {
      for (const path of [...pages, ...calls]) {
        const got = await client.get(path);
        const head = await client.request("HEAD", path);
        expect([path, head.status]).toEqual([path, got.status]);
        expect([path, head.bytes.length]).toEqual([path, 0]);
      }
    }
  });

  test("a path with dot segments or backslashes is handled like the path it resolves to", async () => {
    const client = await family();
    const zip = "documents/archive.zip.data?id=1";
    for (const path of [`/./${zip}`, `/%2e/${zip}`, "/documents/./archive.zip.data", "/documents\\archive.zip.data"])
      expect([path, (await client.get(path)).status]).toEqual([path, 404]);
    // The client of the tests expects JSON of everything that begins with /api.
    const put = (path: string) =>
      new Promise((resolve, reject) => {
        const sent = { port, path, method: "PUT", headers: { Host: host, Origin: origin } };
        request(sent, (answer) => resolve(answer.resume().statusCode))
          .on("error", reject)
          .end();
      });
    for (const path of ["/api/../dashboard", "/api/%2E%2e/dashboard", "/api/..", "/x/..\\api/..\\dashboard"])
      expect([path, await put(path)]).toEqual([path, 405]);
    expect(await put("/x/../api/nothing")).toBe(401);
    expect((await client.get("/.well-known/change-password")).status).toBe(302);
  });

  test("method override headers, queries and fields are ignored", async () => {
    const client = await consultant();
    const request = await db.consultationRequest.create({
      data: {
        firstName: "Ana",
        lastName: "Ruiz",
        email: "ana@example.com",
        serviceNeeds: "IEP",
        urgency: "routine",
        consent: true,
      },
    });
    const path = `/api/consultation-requests/${request.id}`;
    for (const name of ["X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method"]) {
      await client.request("POST", path, { headers: { Origin: origin, [name]: "DELETE" }, body: "{}" });
      await client.get(path, { [name]: "DELETE" });
    }
    await client.get(`${path}?_method=DELETE`);
    await client.form(`${path}?_method=DELETE`, { _method: "DELETE" });
    expect(await db.consultationRequest.count({ where: { id: request.id } })).toBe(1);
  });
});

describe("ids", () => {
  const BAD = [
    "0",
    "-1",
    "1.5",
    "1e9",
    "0x1",
    "abc",
    "NaN",
    "2147483648",
    "9007199254740993",
    "１",
    "+1",
    " 1",
    "1,2",
    "1".repeat(4000),
  ];
  const withId = routePaths.filter(({ path }) => /:(id|appointmentId)/.test(path)).map(({ path }) => path);

  test.each(withId)("%s finds no record for an invalid id", async (path) => {
    const isTheConsultants =
      /^\/(compliance|dashboard|families|outbox|requests|api\/(users|consultation))|\/sharing$/.test(path);
    const client = await (isTheConsultants ? consultant() : family());
    for (const id of BAD) {
      const address = path.replace(/:[a-zA-Z]+/, encodeURIComponent(id));
      const response = await client.get(address);
      expect([id, [302, 400, 404, 405].includes(response.status)]).toEqual([id, true]);
    }
  });
});
