// Proves that display preferences are stored for the family or visitor who sets them, and apply to nobody else.
import { describe, expect, test } from "vitest";
import type { TestResponse } from "../support/http-client.ts";
import { consultant, db, family, visitor } from "../support/site.ts";
import { signInAs } from "../support/people.ts";
import { dumpDatabase } from "../support/database/database-dump.ts";

const CACHED_PAGES = ["/", "/login", "/register", "/privacy-policy"];
const preferencesOf = (response: TestResponse) =>
  response.document.documentElement.getAttribute("data-display-preferences");
const stored = async (id: number) => (await db.user.findUniqueOrThrow({ where: { id } })).displayPreferences;

describe("a family's display preferences", () => {
  test("are in the HTML of every page on every device", async () => {
    const person = await family();
    const saved = await person.form("/comfort", { comfort: ["large", "still"] });
    expect([saved.status, saved.headers.location]).toEqual([302, "/comfort?saved"]);
    const other = await signInAs(person.origin, person.email, person.password);
    for (const device of [person, other]) {
      for (const path of ["/", "/dashboard", "/appointments/new", "/comfort", "/nothing-here"]) {
        expect([path, preferencesOf(await device.get(path))]).toEqual([path, "large still"]);
      }
    }
    expect((await person.get("/comfort?saved")).visibleText).toContain("Saved. All pages look like this from now on.");
  });

  test("are shown on the preferences page and can be removed there", async () => {
    const person = await family();
    await person.form("/comfort", { comfort: ["calm"] });
    const { document: page } = await person.get("/comfort");
    const ticked = [...page.querySelectorAll("input[name=comfort]")].filter((box) => box.hasAttribute("checked"));
    expect(ticked.map((box) => box.getAttribute("value"))).toEqual(["calm"]);
    await person.form("/comfort", {});
    expect(preferencesOf(await person.get("/"))).toBeNull();
    expect(await stored(person.id)).toBe("");
  });

  test("don't apply to another family, the consultant, or a visitor", async () => {
    const [one, other] = [await family(), await family()];
    await one.form("/comfort", { comfort: ["large", "calm", "still"] });
    for (const person of [other, await consultant(), visitor()])
      expect(preferencesOf(await person.get("/"))).toBeNull();
    expect(await stored(other.id)).toBeNull();
  });

  test("are not in the response of /api/auth/me", async () => {
    const person = await family();
    await person.form("/comfort", { comfort: ["large"] });
    const { text } = await person.get("/api/auth/me");
    expect(text).toContain(person.email);
    expect(text).not.toContain("comfort");
  });

  test.each([
    ["values that are not offered", ["huge", "large", "<script>", "__proto__"], "large"],
    ["a repeated value", ["calm", "calm"], "calm"],
    ["values in another order", ["still", "large"], "large still"],
    ["a list in one value", ["large calm"], ""],
  ])("are limited to the offered values: %s", async (_, comfort, saved) => {
    const person = await family();
    expect((await person.form("/comfort", { comfort })).status).toBe(302);
    expect(await stored(person.id)).toBe(saved);
  });

  test("can't be changed by a cross-site request (403)", async () => {
    const person = await family();
    const before = await dumpDatabase(db);
    const foreign = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
    expect((await person.form("/comfort", { comfort: ["large"] }, foreign)).status).toBe(403);
    expect(await dumpDatabase(db)).toBe(before);
  });

  test("take precedence over the browser's cookie", async () => {
    const person = await family();
    await person.form("/comfort", { comfort: ["calm"] });
    person.cookies.set("comfort", (await browserWithPreferences(["large"])).cookies.get("comfort") ?? "");
    expect(preferencesOf(await person.get("/"))).toBe("calm");
  });

  test("are those of the visitor cookie until the family saves its own", async () => {
    const client = await browserWithPreferences(["large"]);
    const person = await family();
    person.cookies.set("comfort", client.cookies.get("comfort") ?? "");
    expect(preferencesOf(await person.get("/dashboard"))).toBe("large");
    await person.form("/comfort", {});
    expect(preferencesOf(await person.get("/dashboard"))).toBeNull();
  });
});

async function browserWithPreferences(comfort: string[]) {
  const client = visitor();
  const response = await client.form("/comfort", { comfort });
  expect([response.status, client.cookies.has("comfort")]).toEqual([302, true]);
  return client;
}

describe("a visitor's display preferences", () => {
  test("apply to every page in this browser only, and store nothing in the database", async () => {
    const before = await dumpDatabase(db);
    const client = await browserWithPreferences(["large", "calm"]);
    for (const path of CACHED_PAGES) {
      expect([path, preferencesOf(await client.get(path))]).toEqual([path, "large calm"]);
      expect([path, preferencesOf(await visitor().get(path))]).toEqual([path, null]);
    }
    expect(await dumpDatabase(db)).toBe(before);
  });

  test.each(CACHED_PAGES)(
    "get a private, uncached response for %s, even when the ETag of the shared page matches",
    async (path) => {
      const client = await browserWithPreferences(["large"]);
      const { etag } = (await visitor().get(path)).headers;
      expect(etag).toEqual(expect.any(String));
      const response = await client.get(path, { "If-None-Match": etag });
      expect([response.status, preferencesOf(response)]).toEqual([200, "large"]);
      expect(response.headers["cache-control"]).toBe("private, no-store");
    },
  );

  test("are removed together with their cookie, so that the visitor gets the shared page again", async () => {
    const client = await browserWithPreferences(["still"]);
    await client.form("/comfort", {});
    expect(client.cookies.has("comfort")).toBe(false);
    expect((await client.get("/")).headers.etag).toBe((await visitor().get("/")).headers.etag);
  });

  test.each(["nonsense", "%%%", "ImxhcmdlXCI+PHNjcmlwdD4i", "bnVsbA==", "W10="])(
    "are ignored when the cookie is invalid: %s",
    async (value) => {
      const client = visitor();
      client.cookies.set("comfort", value);
      const response = await client.get("/");
      expect([response.status, preferencesOf(response)]).toEqual([200, null]);
    },
  );
});
