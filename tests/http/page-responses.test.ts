// Proves status codes, security headers, caching, compression and access checks of pages and their .data responses.
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { ServerBuild } from "react-router";
import { afterEach, describe, expect, test } from "vitest";
import type { TestClient, TestResponse } from "../support/http-client.ts";
import { findRouteId, routePaths } from "../support/route-table.ts";
import { consultant, db, testing, family, origin, setTestClock, visitor } from "../support/site.ts";

const CACHED_PAGES = [
  "/",
  "/login",
  "/register",
  "/hipaa-compliance",
  "/privacy-policy",
  "/terms-of-service",
  "/accessibility",
];
const SIGNED_IN = ["/dashboard", "/dashboard/settings", "/dashboard/intake-form", "/appointments", "/documents"];
const scriptPolicy = (response: TestResponse) =>
  /script-src ([^;]*)/.exec(String(response.headers["content-security-policy"]))?.[1];

afterEach(() => setTestClock(null));

describe("security headers", () => {
  const samples = [
    ...CACHED_PAGES,
    ...SIGNED_IN,
    "/nothing-here",
    "/api/auth/me",
    "/api/nothing",
    "/robots.txt",
    "/%ff",
  ];

  test.each(samples)(
    "%s has headers against framing, sniffing and cross-origin access, and none that names the server",
    async (path) => {
      for (const client of [visitor(), await family()]) {
        const { headers } = await client.get(path);
        const isRead = /html|json/.test(String(headers["content-type"]));
        expect(isRead ? String(headers["content-security-policy"]) : "frame-ancestors 'none'").toContain(
          "frame-ancestors 'none'",
        );
        expect(headers).toMatchObject({
          "x-content-type-options": "nosniff",
          "x-frame-options": "DENY",
          "referrer-policy": "same-origin",
          "cross-origin-opener-policy": "same-origin",
          "cross-origin-resource-policy": "same-origin",
        });
        expect(headers["permissions-policy"]).toMatch(/camera=\(\).*microphone=\(\)/);
        expect(headers).not.toHaveProperty("x-powered-by");
        expect(headers).not.toHaveProperty("server");
        expect(headers).not.toHaveProperty("access-control-allow-origin");
      }
    },
  );

  test("only pages that sign in with or add a passkey have the passkey permission", async () => {
    const noor = await family();
    const policyOf = async (path: string, person: TestClient = noor) => {
      const policy = String((await person.get(path)).headers["permissions-policy"]);
      return ["get", "create"].filter((each) => policy.includes(`publickey-credentials-${each}=(self)`));
    };
    for (const path of [
      "/login",
      "/Login/",
      "/%6Cogin//",
      "/login/code",
      "/login/passkey",
      "/confirm-identity?redirectTo=%2F",
    ])
      expect([path, await policyOf(path)]).toEqual([path, ["get"]]);
    // From memory, and not.
    for (const path of ["/login", "/login?redirectTo=%2Fdocuments"])
      expect([path, await policyOf(path, visitor())]).toEqual([path, ["get"]]);
    expect(await policyOf("/passkeys")).toEqual(["create"]);
    for (const path of ["/", "/dashboard", "/second-factor", "/video-call/1", "/dashboard?/login"])
      expect([path, await policyOf(path)]).toEqual([path, []]);
  });

  test("only the video visit page may use camera and microphone, in every spelling of its path", async () => {
    const noor = await family();
    for (const path of ["/video-call/1", "/Video-Call/1/", "/%76ideo-call/1//", "/video-call/none"]) {
      const { headers } = await noor.get(path);
      expect(headers["permissions-policy"]).toMatch(/^camera=\(self\), microphone=\(self\), /);
    }
    for (const path of ["/video-call", "/video-call/1/connection", "/dashboard?/video-call/1", "/x/video-call/1"]) {
      const { headers } = await noor.get(path);
      expect(headers["permissions-policy"]).toMatch(/^camera=\(\), microphone=\(\), /);
    }
    const policy = (await noor.get("/video-call/1")).headers["content-security-policy"];
    expect(policy).toContain(`connect-src 'self' ${origin.replace("http", "ws")};`);
    expect((await noor.get("/dashboard")).headers["content-security-policy"]).toContain("connect-src 'self';");
  });

  test("a CORS preflight request gets 405 and no Access-Control headers", async () => {
    const headers = { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" };
    for (const path of ["/", "/api/auth/me", "/api/auth/login", "/dashboard"]) {
      const response = await visitor().request("OPTIONS", path, { headers });
      expect(response.status).toBe(405);
      expect(Object.keys(response.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

describe("the script policy", () => {
  test.each(CACHED_PAGES)("%s allows only script files of the site and has no inline script", async (path) => {
    const response = await visitor().get(path);
    expect(scriptPolicy(response)).toBe("'self'");
    expectStrict(response);
    // A data block runs nothing.
    for (const script of response.document.querySelectorAll("script:not([type='application/ld+json'])")) {
      expect(script.getAttribute("src")).toMatch(/^\/assets\//);
      expect(script.textContent).toBe("");
    }
  });

  test.each(SIGNED_IN)("%s has a new nonce for its inline scripts in each response", async (path) => {
    const client = await family({ intake: true });
    const [one, two] = [await client.get(path), await client.get(path)];
    expectStrict(one);
    const [first, second] = [one, two].map((answer) => /'nonce-([^']+)'/.exec(scriptPolicy(answer) ?? "")?.[1]);
    const inline = [...one.document.querySelectorAll("script")].filter((script) => !script.hasAttribute("src"));
    expect(inline.length).toBeGreaterThan(0);
    expect(first).toMatch(/^[\w+/=]{20,}$/);
    expect(first).not.toBe(second);
    for (const script of inline) expect(script.getAttribute("nonce")).toBe(first);
  });

  function expectStrict(response: TestResponse) {
    const policy = String(response.headers["content-security-policy"]);
    expect(policy).not.toMatch(/unsafe-|\*|http:|https:/);
    for (const rule of ["default-src 'none'", "object-src 'none'", "base-uri 'none'", "form-action 'self'"])
      expect(policy).toContain(rule);
    expect(response.text).not.toMatch(/<[^>]+\s(style|on[a-z]+)="/);
  }
});

describe("an error response", () => {
  test.each([
    "/nothing-here",
    "/api/nothing",
    "/assets/nothing.js",
    "/reset-password/nothing",
    "/.git/config",
    "/%ff",
    "/app.js.map",
  ])("at %s reveals no implementation details", async (path) => {
    for (const client of [visitor(), await family()]) {
      const response = await client.get(path);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.text).not.toMatch(/node_modules|at \w+ \(|prisma|sqlite|postgres|express|\.server\.ts|stack/i);
    }
  });

  // The figures of the process have an address only where the operator has set a token.
  test.each(["/nothing-here", "/metrics"])("at the unknown path %s is a 404 page", async (path) => {
    for (const client of [visitor(), await family(), await consultant()]) {
      const response = await client.get(path);
      expect([response.status, response.document.querySelector("h1")?.textContent]).toEqual([
        404,
        "404 Page Not Found",
      ]);
      expect(response.document.title).toContain("404 Page Not Found");
    }
  });
});

describe("the pages cached in memory", () => {
  test.each(CACHED_PAGES)("%s shows a visitor nothing of a signed-in user who requested it before", async (path) => {
    const known = await family({ firstName: "Thandiwe" });
    const before = await visitor().get(path);
    const own = await known.follow(await known.get(path));
    expect(own.visibleText).toContain("Thandiwe");
    expect(own.headers["cache-control"]).toContain("no-store");
    const after = await visitor().get(path);
    expect(after.bytes.equals(before.bytes)).toBe(true);
    expect(after.headers["set-cookie"]).toBeUndefined();
    expect(after.text).not.toContain("Thandiwe");
  });

  test.each(CACHED_PAGES)("%s gets 304 with its ETag in If-None-Match, and 200 with another", async (path) => {
    const { etag = "", ...headers } = (await visitor().get(path)).headers;
    expect(headers["cache-control"]).toBe("no-cache");
    expect(headers.vary).toMatch(/Cookie/);
    expect(headers.vary).toMatch(/Accept-Encoding/);
    const again = await visitor().get(path, { "If-None-Match": etag });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect((await visitor().get(path, { "If-None-Match": '"something-else"' })).status).toBe(200);
  });

  test("a family gets its own page with 200, not 304, for the ETag of a visitor's page", async () => {
    const { etag = "" } = (await visitor().get("/")).headers;
    const response = await (await family({ firstName: "Thandiwe" })).get("/", { "If-None-Match": etag });
    expect([response.status, response.visibleText.includes("Thandiwe")]).toEqual([200, true]);
  });

  test.each(CACHED_PAGES)("%s has the same content in br, in gzip and uncompressed", async (path) => {
    const plain = await visitor().get(path);
    const br = await visitor().get(path, { "Accept-Encoding": "gzip, deflate, br" });
    const gzip = await visitor().get(path, { "Accept-Encoding": "gzip, br;q=0" });
    const none = await visitor().get(path, { "Accept-Encoding": "gzip;q=0, br;q=0" });
    expect([br, gzip, none, plain].map(({ headers }) => headers["content-encoding"])).toEqual([
      "br",
      "gzip",
      undefined,
      undefined,
    ]);
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    expect(none.bytes.equals(plain.bytes)).toBe(true);
  });

  test.each(CACHED_PAGES)("%s answers HEAD with the same headers and no body", async (path) => {
    const [got, head] = [await visitor().get(path), await visitor().request("HEAD", path)];
    const { date: _, ...headers } = got.headers;
    expect(head.headers).toMatchObject(headers);
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
  });

  test("a made-up session cookie gets the visitor's page, rendered and not cacheable", async () => {
    const response = await visitor().get("/", { Cookie: "session=made-up" });
    expect(response.status).toBe(200);
    expect(response.visibleText).toContain("Sign In");
    expect([response.headers.vary, response.headers["cache-control"]]).toEqual([
      "Accept-Encoding, Cookie",
      "private, no-store",
    ]);
  });

  test("the favicon has its content type and nosniff", async () => {
    const { status, headers } = await visitor().get("/favicon.ico");
    expect([status, headers["content-type"], headers["x-content-type-options"]]).toEqual([
      200,
      "image/x-icon",
      "nosniff",
    ]);
  });

  test("the copyright year changes on every page at midnight in the practice's time zone", async () => {
    // Midnight of the practice, not of the server.
    for (const [year, moment] of [
      [2030, "2031-01-01T04:59:59Z"],
      [2031, "2031-01-01T05:00:00Z"],
    ] as const) {
      setTestClock(() => new Date(moment));
      for (const path of [...CACHED_PAGES, "/no-such-page"]) {
        const response = await visitor().get(path);
        expect([path, response.visibleText.includes(`© ${year} `)]).toEqual([path, true]);
      }
    }
  });

  test("a page whose rendering began before the new year is not served from the cache after it", async () => {
    const build = (await import(new URL("../../build/server/index.js", import.meta.url).href)) as ServerBuild;
    const render = testing.createFetchHandler(build);
    const [rendered, midnight] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    setTestClock(() => new Date("2030-12-31T12:00:00Z"));
    const late = testing.warmPageCache(["/"], async (request) => {
      const page = await render(request);
      rendered.resolve();
      await midnight.promise;
      return page;
    });
    await rendered.promise;

    setTestClock(() => new Date("2031-01-01T12:00:00Z"));
    await testing.warmPageCache(CACHED_PAGES, render);
    midnight.resolve();
    await late;
    expect((await visitor().get("/")).visibleText).toContain("© 2031 ");
  });

  test("a cached page is not served for a URL with a query", async () => {
    const response = await visitor().get("/register?from=booking");
    expect(response.visibleText).toContain("Please create an account first to schedule appointments.");
    expect((await visitor().get("/register")).visibleText).not.toContain("Please create an account first");
  });
});

describe("the .data response of a page", () => {
  const guarded = routePaths
    .filter(({ path, layouts }) => !path.startsWith("/api/") && layouts.includes("app/accounts/signed-in-layout.tsx"))
    .map(({ path, id, layoutIds }) => ({ path: path.replaceAll(/:[a-zA-Z]+/g, "1"), ids: [id, ...layoutIds] }));
  const pages = routePaths.filter(({ path }) => !path.startsWith("/api/"));
  const ids = ["root", ...new Set(pages.flatMap(({ id, layoutIds }) => [id, ...layoutIds]))];
  const subsets = [null, "", ...ids, ids.join(",")];

  // Of other pages' parts the framework knows nothing here; the next test asks for each of them.
  test.each(guarded)(
    "$path gives a visitor no data, whichever route parts are requested",
    async ({ path, ids: own }) => {
      const known = await family({ firstName: "Bartholomew", intake: true });
      expect(known.id).toBeGreaterThan(0);
      for (const subset of [null, "", "root", ...own, ids.join(",")]) {
        const response = await visitor().get(
          `${path}.data${subset === null ? "" : `?_routes=${encodeURIComponent(subset)}`}`,
        );
        const isTurnedAway = response.status >= 400 || response.text.includes("/login");
        expect([subset, response.status, isTurnedAway]).toEqual([subset, response.status, true]);
        expect(response.text).not.toMatch(/Bartholomew|example\.com","firstName|remainingMs/);
        expect(response.status).toBeLessThan(500);
      }
    },
  );

  test("has Cache-Control: private, no-store for visitors and families, whatever the status code", async () => {
    const paths = ["/", "/login", "/invitation/unknown", "/claim-visit/unknown", "/dashboard", "/nothing-here"];
    for (const person of [visitor(), await family()])
      for (const path of paths) {
        const { headers } = await person.get(`${path === "/" ? "/_" : path}.data`);
        const caching = { "cache-control": headers["cache-control"], vary: headers.vary };
        expect([path, caching]).toEqual([
          path,
          { "cache-control": "private, no-store", vary: "Accept-Encoding, Cookie" },
        ]);
      }
    const posted = await visitor().form("/login.data", { email: "nobody@example.com", password: "x" });
    expect(posted.headers["cache-control"]).toBe("private, no-store");
  });

  test("gives a family no data of the consultant's pages, whichever route parts are requested", async () => {
    const client = await family();
    const otherFamily = await family({ firstName: "Bartholomew", intake: true });
    const start = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 86_400_000);
    await db.appointment.create({
      data: { title: "Hourly Consulting", type: "consultation", userId: otherFamily.id, appointmentDate: start },
    });
    const admin = await consultant();
    for (const query of ["", `?_routes=${findRouteId("/dashboard")}`])
      expect((await admin.get(`/dashboard.data${query}`)).text).toContain("Bartholomew");
    expect((await admin.get("/dashboard.data?_routes=root")).text).not.toContain("Bartholomew");
    for (const path of [
      "/dashboard",
      "/dashboard/reset-link",
      "/dashboard/intake-form",
      "/appointments",
      "/documents",
    ]) {
      for (const subset of subsets) {
        const query = `?userId=${otherFamily.id}${subset === null ? "" : `&_routes=${encodeURIComponent(subset)}`}`;
        const response = await client.get(`${path}.data${query}`);
        expect([path, subset, response.text.includes("Bartholomew")]).toEqual([path, subset, false]);
        expect(response.text).not.toContain(otherFamily.email);
        expect(response.text).not.toMatch(/\$2[aby]\$/);
      }
    }
    for (const subset of subsets) {
      const query = subset === null ? "" : `?_routes=${encodeURIComponent(subset)}`;
      expect([subset, (await client.get(`/dashboard/reset-link.data${query}`)).status]).toEqual([subset, 403]);
    }
  });

  test("has the same origin and permission checks for a POST as the page", async () => {
    const client = await family();
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const foreign = await client.request("POST", "/logout.data", {
      headers: { ...headers, Origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
    expect((await client.form("/dashboard/reset-link.data", { email: client.email })).status).toBe(403);
    expect((await visitor().form("/dashboard/settings.data", {})).text).toContain("/login");
    expect((await client.get("/api/auth/me")).status).toBe(200);
  });

  test("does not exist for API paths: they respond with a JSON error", async () => {
    const people = [visitor(), await family(), await consultant()];
    const paths = routePaths.map(({ path }) => path).filter((path) => path.startsWith("/api/"));
    expect(paths.length).toBeGreaterThan(20);
    for (const path of ["/api/nothing", "/api/", ...paths.map((each) => each.replace(/:[a-zA-Z]+/, "1"))]) {
      for (const client of people) {
        for (const suffix of [".data", ".data?_routes=root", "/_.data"]) {
          const response = await client.get(path + suffix);
          expect([path, response.status >= 400, response.headers["content-type"]]).toEqual([
            path,
            true,
            expect.stringMatching(/^application\/json/),
          ]);
          expect(response.json.message).toBeTypeOf("string");
        }
      }
    }
  });

  test("does not exist for file downloads: 404 in every spelling of the path", async () => {
    const people = [await family(), await consultant()];
    const files = routePaths.map(({ path }) => path).filter((path) => /\.(?:zip|csv|ics)$/.test(path));
    const paths = files.filter((path) => !path.startsWith("/api/"));
    expect(paths).toEqual(
      expect.arrayContaining(["/documents/archive.zip", "/money.csv", "/families/:id/everything.zip"]),
    );
    for (const path of paths.map((each) => each.replace(/:[a-zA-Z]+/, "1")))
      for (const client of people)
        for (const suffix of [".data", "/.data", "/_.data", "/_.data?id=1&_routes=root"]) {
          const response = await client.get(path + suffix);
          expect([path + suffix, response.status, response.text]).toEqual([path + suffix, 404, "Not found.\n"]);
        }
  });

  test("comes without a route manifest: /__manifest gets an error", async () => {
    const response = await visitor().get("/__manifest?paths=/dashboard,/appointments&version=1");
    expect([response.status >= 400, response.text.includes("reset-link")]).toEqual([true, false]);
    expect(origin).toMatch(/^http/);
  });
});
