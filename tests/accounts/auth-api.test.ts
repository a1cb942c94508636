// Proves registration, sign-in, password change and reading users through the JSON API.
import { readFileSync } from "node:fs";
import { hashSync } from "bcryptjs";
import { MessagePort } from "node:worker_threads";
import { describe, expect, test, vi } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { dumpDatabase } from "../support/database/database-dump.ts";
import { adminEmail, adminPassword, consultant, db, family, origin, visitor } from "../support/site.ts";

const USER_FIELDS = [
  "createdAt",
  "email",
  "firstName",
  "id",
  "isAdmin",
  "isClient",
  "lastName",
  "phone",
  "profileImageUrl",
  "updatedAt",
];
const password = "seven blue herons";
let registered = 0;

function newcomer(changes: Record<string, unknown> = {}) {
  registered += 1;
  const email = `newcomer.${registered}@example.com`;
  return {
    firstName: "Rosa",
    lastName: "Delgado",
    email,
    phone: "(732) 555-0100",
    password,
    confirmPassword: password,
    ...changes,
  };
}

const register = (fields: unknown, client: TestClient = visitor()) => client.post("/api/auth/register", fields);
const signIn = (fields: unknown, client: TestClient = visitor()) => client.post("/api/auth/login", fields);

describe("a family registers", () => {
  test("and is signed in; the response has exactly the user's fields and no password", async () => {
    const client = visitor();
    const fields = newcomer();
    const response = await register(fields, client);
    expect(response.status).toBe(201);
    expect(Object.keys(response.json).toSorted()).toEqual(USER_FIELDS);
    expect(response.json).toMatchObject({
      email: fields.email,
      firstName: "Rosa",
      isClient: true,
      isAdmin: false,
      profileImageUrl: null,
    });
    expect(new Date(response.json.createdAt).toISOString()).toBe(response.json.createdAt);
    const me = await client.get("/api/auth/me");
    expect([me.status, me.json]).toEqual([200, response.json]);
    const stored = await db.user.findUniqueOrThrow({ where: { id: response.json.id } });
    expect(stored.password).toMatch(/^\$2b\$11\$[./\w]{53}$/);
    expect(JSON.stringify(stored)).not.toContain(password);
  });

  test("with any phone number, even one that the page's form refuses", async () => {
    const response = await register(newcomer({ phone: "ext. 12" }));
    expect([response.status, response.json.phone]).toEqual([201, "ext. 12"]);
  });

  test("and can't set isAdmin, the id, the creation date, or other internal fields", async () => {
    const extras = {
      isAdmin: true,
      isClient: false,
      id: 1,
      createdAt: "2001-01-01T00:00:00Z",
      profileImageUrl: "https://x",
      userId: 1,
    };
    const response = await register(newcomer(extras));
    expect(response.status).toBe(201);
    expect(response.json).toMatchObject({ isAdmin: false, isClient: true, profileImageUrl: null });
    expect(response.json.id).not.toBe(1);
    expect(response.json.createdAt).not.toMatch(/^2001/);
  });

  test("with trimmed names and without a phone number", async () => {
    const response = await register(newcomer({ firstName: "  Ana María ", lastName: " O'Neil", phone: "" }));
    expect(response.json).toMatchObject({ firstName: "Ana María", lastName: "O'Neil", phone: null });
    expect((await register(newcomer({ phone: null }))).status).toBe(201);
    expect((await register(newcomer({ phone: undefined }))).status).toBe(201);
  });

  test("with a letter or digit in each name (422 otherwise); invisible characters are removed", async () => {
    for (const name of ["\u1CBB", "\u0300", "\u3164", "\u2800", "\u{E0100}", "."]) {
      const refused = await visitor().post("/api/auth/register", { ...newcomer(), firstName: name, lastName: name });
      expect([name.codePointAt(0), refused.status, Object.keys(refused.json.errors ?? {}).toSorted()]).toEqual([
        name.codePointAt(0),
        422,
        ["firstName", "lastName"],
      ]);
    }
    const fields = { ...newcomer(), firstName: "An\u3164n\uFE0F", lastName: "\u0645\u06CC\u200C\u062E\u0648 3" };
    const { json } = await visitor().post("/api/auth/register", fields);
    expect([json.firstName, json.lastName]).toEqual(["Ann", fields.lastName]);
  });

  test("without confirmPassword, which is optional in the API", async () => {
    expect((await register(newcomer({ confirmPassword: undefined }))).status).toBe(201);
    expect((await register(newcomer({ confirmPassword: null }))).status).toBe(201);
  });

  test("with a passphrase of 64 characters, including spaces", async () => {
    const long = "one two three four five six seven eight nine ten eleven twelve !".slice(0, 64);
    const fields = newcomer({ password: long, confirmPassword: long });
    expect((await register(fields)).status).toBe(201);
    expect((await signIn({ email: fields.email, password: long })).status).toBe(200);
  });

  test.each([
    ["in capitals", (email: string) => email.toUpperCase()],
    ["with spaces around it", (email: string) => `  ${email}\t`],
    ["in full-width letters", (email: string) => email.replace("n", "ｎ")],
  ])("a registered address written %s is refused with 409, and the account is unchanged", async (_, write) => {
    const fields = newcomer();
    await register(fields);
    const before = await dumpDatabase(db);
    const response = await register(
      newcomer({ email: write(fields.email), password: "something else", confirmPassword: "something else" }),
    );
    expect(response.status).toBe(409);
    expect(response.json.message).toBeTypeOf("string");
    expect(response.headers["set-cookie"]).toBeUndefined();
    expect(await dumpDatabase(db)).toBe(before);
  });

  test("of three concurrent registrations with one address, one succeeds and two get 409", async () => {
    const fields = newcomer();
    const responses = await Promise.all([register(fields), register(fields), register(fields)]);
    expect(responses.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([201, 409, 409]);
    expect(await db.user.count({ where: { email: fields.email } })).toBe(1);
  });

  test.each([adminEmail, adminEmail.toUpperCase(), ` ${adminEmail} `, adminEmail.replace("consultant", "ｃonsultant")])(
    "the consultant's address, written as %s, is refused with 409",
    async (email) => {
      expect((await register(newcomer({ email }))).status).toBe(409);
      expect(await db.user.count({ where: { isAdmin: true } })).toBe(1);
    },
  );

  test("the consultant's address with a look-alike letter is refused with 422", async () => {
    const response = await register(newcomer({ email: adminEmail.replace("o", "\u043E") }));
    expect(response.status).toBe(422);
    expect(await db.user.count({ where: { isAdmin: true } })).toBe(1);
  });

  test.each([
    [{ firstName: "" }, "firstName"],
    [{ lastName: "   " }, "lastName"],
    [{ lastName: "\u200B\u202E" }, "lastName"],
    [{ firstName: "x".repeat(101) }, "firstName"],
    [{ firstName: "a\u0000b" }, "firstName"],
    [{ lastName: "\uD800" }, "lastName"],
    [{ firstName: ["Rosa"] }, "firstName"],
    [{ firstName: 7 }, "firstName"],
    [{ email: "" }, "email"],
    [{ email: "not an address" }, "email"],
    [{ email: `${"x".repeat(250)}@example.com` }, "email"],
    [{ email: { not: "" } }, "email"],
    [{ email: ["a@example.com"] }, "email"],
    [{ email: 12 }, "email"],
    [{ email: null }, "email"],
    [{ phone: "1".repeat(51) }, "phone"],
    [{ phone: 7325550100 }, "phone"],
    [{ password: "12345", confirmPassword: "12345" }, "password"],
    [{ password: "" }, "password"],
    [{ password: { not: "" } }, "password"],
    [{ password: 123456 }, "password"],
    [{ password: null }, "password"],
    [{ password: "p\u0000ssword", confirmPassword: "p\u0000ssword" }, "password"],
    [{ password: "é".repeat(37), confirmPassword: "é".repeat(37) }, "password"],
    [{ password: "x".repeat(73), confirmPassword: "x".repeat(73) }, "password"],
    [{ confirmPassword: "seven blue heron" }, "confirmPassword"],
    [{ confirmPassword: 1 }, "confirmPassword"],
  ])("%j is refused with an error for %s", async (changes, field) => {
    const before = await dumpDatabase(db);
    const response = await register(newcomer(changes));
    expect(response.status).toBe(422);
    expect(response.json.errors[field].length).toBeGreaterThan(0);
    expect(response.json.message).toBe(Object.values(response.json.errors).flat()[0]);
    expect(await dumpDatabase(db)).toBe(before);
  });

  test("a common password is refused in any letter case, and so is the practice's name", async () => {
    const list = readFileSync("app/accounts/passwords/common-passwords.txt", "utf8").trim().split("\n");
    expect(list.length).toBeGreaterThan(3000);
    const some = list.filter((_, at) => at % 400 === 0 || at === list.length - 1);
    const before = await dumpDatabase(db);
    for (const password of [...some, "123456", "PassWord", "Harbor Family Advocacy"]) {
      const { status, json } = await register(newcomer({ password, confirmPassword: password }));
      expect([password, status, json.errors]).toEqual([password, 422, { password: [expect.any(String)] }]);
      expect(json.message).toMatch(/^This password is too common\./);
    }
    expect(await dumpDatabase(db)).toBe(before);
  });

  test("a short password and differing passwords get the specified error messages", async () => {
    const short = await register(newcomer({ password: "12345", confirmPassword: "12345" }));
    expect(short.json.errors.password).toEqual(["Password must be at least 6 characters"]);
    const differing = await register(newcomer({ confirmPassword: "something else" }));
    expect(differing.json.errors.confirmPassword).toEqual(["Passwords don't match"]);
  });

  test("a password of one million characters is refused with 413", async () => {
    expect((await register(newcomer({ password: "x".repeat(1_000_000) }))).status).toBe(413);
  });

  test("a password that equals the right one only in the first 72 bytes is refused with 422", async () => {
    const fields = newcomer({ password: `${"x".repeat(71)}y`, confirmPassword: `${"x".repeat(71)}y` });
    await register(fields);
    const response = await signIn({ email: fields.email, password: `${"x".repeat(71)}yz` });
    expect(response.status).toBe(422);
  });
});

describe("a family signs in", () => {
  test("with capitals and spaces around its address, and gets exactly the user's fields", async () => {
    const { email, password: known } = await family();
    const response = await signIn({ email: ` ${email.toUpperCase()} `, password: known });
    expect(response.status).toBe(200);
    expect(Object.keys(response.json).toSorted()).toEqual(USER_FIELDS);
  });

  test("an unknown address and a wrong password get the same 401 response, including all headers", async () => {
    const { email } = await family();
    const [wrong, unknown] = [
      await signIn({ email, password: "not this one" }),
      await signIn({ email: "nobody@example.com", password: "not this one" }),
    ];
    expect(wrong.status).toBe(401);
    expect(wrong.json).toEqual({ message: "Invalid email or password." });
    expect(unknown.bytes.equals(wrong.bytes)).toBe(true);
    const { date: _, ...headers } = wrong.headers;
    expect(unknown.headers).toMatchObject(headers);
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(wrong.headers));
    expect(wrong.headers["set-cookie"]).toBeUndefined();
  });

  test("an unknown address takes a bcrypt comparison of the same cost as a known one", async () => {
    const { email } = newcomer();
    await register(newcomer({ email }));
    const post = vi.spyOn(MessagePort.prototype, "postMessage");
    const comparisonsFor = async (address: string) => {
      post.mockClear();
      expect((await signIn({ email: address, password: "not this one" })).status).toBe(401);
      const tasks = post.mock.calls.map(([message]) => JSON.stringify(message));
      return tasks.flatMap((task) => /"hash":"(\$2b\$\d\d\$)/.exec(task)?.[1] ?? []);
    };
    expect(await comparisonsFor(email)).toEqual(["$2b$11$"]);
    expect(await comparisonsFor("nobody@example.com")).toEqual(["$2b$11$"]);
    post.mockRestore();
  });

  test("with a password whose accents are in another Unicode normalization form", async () => {
    const composed = "café müller señor".normalize("NFC");
    const spread = composed.normalize("NFD");
    for (const [chosen, typed] of [
      [composed, spread],
      [spread, composed],
    ] as const) {
      const { email } = await family({ password: chosen });
      expect((await signIn({ email, password: typed })).status).toBe(200);
      expect((await signIn({ email, password: chosen })).status).toBe(200);
      expect((await signIn({ email, password: "cafe muller senor" })).status).toBe(401);
    }
  });

  test("with a password that was hashed before Unicode normalization was introduced", async () => {
    const spread = "café müller señor".normalize("NFD");
    const client = await family();
    const hash = hashSync(spread, 4);
    await db.user.update({ where: { id: client.id }, data: { password: hash } });
    for (const typed of [spread, spread.normalize("NFC")])
      expect((await signIn({ email: client.email, password: typed })).status).toBe(200);
    const fields = { currentPassword: spread.normalize("NFC"), newPassword: password, confirmPassword: password };
    expect((await client.post("/api/auth/change-password", fields)).status).toBe(200);
  });

  test("with a password of up to 72 bytes, counted after Unicode normalization", async () => {
    const longest = "é".repeat(36).normalize("NFD");
    const { email } = await family({ password: longest });
    expect((await signIn({ email, password: "é".repeat(36).normalize("NFC") })).status).toBe(200);
    const longer = await register(newcomer({ password: `${longest}é`, confirmPassword: `${longest}é` }));
    expect([longer.status, Object.keys(longer.json.errors)]).toEqual([422, ["password"]]);
    const client = await family({ password: `${"x".repeat(71)}y` });
    const cut = { currentPassword: `${"x".repeat(71)}yz`, newPassword: password, confirmPassword: password };
    expect((await client.post("/api/auth/change-password", cut)).status).toBe(422);
  });

  test("an email address of more than 300 characters is refused with 422", async () => {
    const long = await signIn({ email: `${"a".repeat(300)}@example.com`, password });
    expect([long.status, Object.keys(long.json.errors)]).toEqual([422, ["email"]]);
  });

  test("a password with an added leading space is refused with 401", async () => {
    const { email, password: known } = await family();
    expect((await signIn({ email, password: ` ${known}` })).status).toBe(401);
  });

  test.each([[{ not: "" }], [["x"]], [12], [true], [null], [{ contains: "@" }]])(
    "an email address or password of %j is refused with 422",
    async (value) => {
      const byEmail = await signIn({ email: value, password });
      const byPassword = await signIn({ email: adminEmail, password: value });
      expect([byEmail.status, byPassword.status]).toEqual([422, 422]);
    },
  );

  test("__proto__ and constructor keys in the body don't change the object prototype", async () => {
    const body = `{"email":"${adminEmail}","password":"wrong one","__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}`;
    const response = await visitor().request("POST", "/api/auth/login", {
      headers: { Origin: origin, "Content-Type": "application/json" },
      body,
    });
    expect(response.status).toBe(401);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

describe("reading a user", () => {
  test("a visitor gets 401 from /api/auth/me", async () => {
    const response = await visitor().get("/api/auth/me");
    expect([response.status, response.json]).toEqual([401, { message: "Unauthorized" }]);
  });

  test("the consultant is an administrator and not a client", async () => {
    const response = await (await consultant()).get("/api/auth/me");
    expect(response.json).toMatchObject({ email: adminEmail, isAdmin: true, isClient: false });
  });

  test("a family gets its own user; another family's id and an unknown id get the same 403", async () => {
    const [one, other] = [await family({ firstName: "Imani" }), await family({ firstName: "Wren" })];
    const own = await one.get(`/api/users/${one.id}`);
    expect(own.json).toEqual({
      id: one.id,
      firstName: "Imani",
      lastName: one.lastName,
      email: one.email,
      isClient: true,
      isAdmin: false,
    });
    const foreign = await one.get(`/api/users/${other.id}`);
    const missing = await one.get("/api/users/999999");
    expect([foreign.status, missing.status]).toEqual([403, 403]);
    expect(foreign.bytes.equals(missing.bytes)).toBe(true);
    expect(foreign.text).not.toContain("Wren");
  });

  test("the consultant gets any family's user; an unknown id is 404", async () => {
    const one = await family();
    const client = await consultant();
    expect((await client.get(`/api/users/${one.id}`)).json.email).toBe(one.email);
    expect((await client.get("/api/users/999999")).status).toBe(404);
  });

  test("no response about users contains a password hash or session data", async () => {
    const one = await family();
    const client = await consultant();
    const answers = [
      await one.get("/api/auth/me"),
      await one.get(`/api/users/${one.id}`),
      await one.get("/dashboard"),
      await one.get("/dashboard/settings"),
      await client.get("/dashboard"),
      await client.get("/api/appointments"),
      await signIn({ email: adminEmail, password: adminPassword }),
    ];
    for (const response of answers) expect(response.text).not.toMatch(/\$2[aby]\$|"password"\s*:\s*"|"sess"/);
  });
});

test("a new password needs at least twelve characters for the consultant; six are enough for a family", async () => {
  const admin = await consultant();
  const tried = (newPassword: string) =>
    admin.post("/api/auth/change-password", {
      currentPassword: adminPassword,
      newPassword,
      confirmPassword: newPassword,
    });
  const refused = await tried("eleven char");
  expect([refused.status, refused.json.errors]).toEqual([
    422,
    { newPassword: [expect.stringContaining("at least 12 characters")] },
  ]);
  expect((await admin.get("/dashboard/settings")).visibleText).toContain("At least 12 characters.");
  expect((await tried("twelve chars")).status).toBe(200);
  expect((await signIn({ email: adminEmail, password: "twelve chars" })).status).toBe(200);
  const back = { currentPassword: "twelve chars", newPassword: adminPassword, confirmPassword: adminPassword };
  expect((await admin.post("/api/auth/change-password", back)).status).toBe(200);
  const own = await family();
  const change = { currentPassword: own.password, newPassword: "otter7", confirmPassword: "otter7" };
  expect((await own.post("/api/auth/change-password", change)).status).toBe(200);
});

describe("a family changes its password", () => {
  const change = (client: TestClient, fields: unknown) => client.post("/api/auth/change-password", fields);
  const newPassword = "nine grey pelicans";

  test("and is signed out on other devices but not on this one; only the new password works", async () => {
    const client = await family();
    const phone = visitor();
    await signIn({ email: client.email, password: client.password }, phone);
    expect((await phone.get("/api/auth/me")).status).toBe(200);
    const response = await change(client, {
      currentPassword: client.password,
      newPassword,
      confirmPassword: newPassword,
    });
    expect([response.status, response.json.message]).toEqual([200, "Your password has been successfully updated."]);
    expect((await phone.get("/api/auth/me")).status).toBe(401);
    expect((await client.get("/api/auth/me")).status).toBe(200);
    expect((await signIn({ email: client.email, password: client.password })).status).toBe(401);
    expect((await signIn({ email: client.email, password: newPassword })).status).toBe(200);
  });

  test.each([
    [{ currentPassword: "not the one", newPassword, confirmPassword: newPassword }, "currentPassword", ""],
    [{ newPassword, confirmPassword: newPassword }, "currentPassword", "Current password is required"],
    [
      { currentPassword: "", newPassword, confirmPassword: newPassword },
      "currentPassword",
      "Current password is required",
    ],
    [
      { currentPassword: password, newPassword: "12345", confirmPassword: "12345" },
      "newPassword",
      "New password must be at least 6 characters",
    ],
    [
      { currentPassword: password, newPassword: "letmein", confirmPassword: "letmein" },
      "newPassword",
      "This password is too common.",
    ],
    [{ currentPassword: password, newPassword, confirmPassword: "other" }, "confirmPassword", "Passwords don't match"],
    [{ currentPassword: password, newPassword }, "confirmPassword", "Passwords don't match"],
    [{ currentPassword: password, newPassword: ["x"], confirmPassword: ["x"] }, "newPassword", ""],
    [{ currentPassword: { not: "" }, newPassword, confirmPassword: newPassword }, "currentPassword", ""],
  ])("%j is refused with an error for %s, and nothing changes", async (fields, field, words) => {
    const client = await family({ password });
    const before = await dumpDatabase(db);
    const response = await change(client, fields);
    expect(response.status).toBe(422);
    expect(response.json.errors[field]).toEqual([expect.stringContaining(words)]);
    expect(await dumpDatabase(db)).toBe(before);
  });

  test("of four concurrent changes one succeeds and the others get 422", async () => {
    const client = await family();
    const words = Array.from({ length: 4 }, (_, index) => `${newPassword} ${index}`);
    const responses = await Promise.all(
      words.map((word) =>
        change(client.clone(), { currentPassword: client.password, newPassword: word, confirmPassword: word }),
      ),
    );
    expect(responses.filter(({ status }) => status === 422)).toHaveLength(3);
    const made = responses.findIndex(({ status }) => status === 200);
    expect((await signIn({ email: client.email, password: words[made] })).status).toBe(200);
  });

  test("a client that signs in with the old password during the change has no session afterwards", async () => {
    const client = await family();
    const fields = { currentPassword: client.password, newPassword, confirmPassword: newPassword };
    const others = Array.from({ length: 12 }, () => visitor());
    const changed = change(client, fields);
    for (const other of others) {
      void signIn({ email: client.email, password: client.password }, other);
      await client.get("/api/auth/me");
    }
    expect((await changed).status).toBe(200);
    const late = await signIn({ email: client.email, password: client.password });
    expect(late.status).toBe(401);
    for (const other of others) expect((await other.get("/api/auth/me")).status).toBe(401);
  });

  test("a visitor without a session gets 401", async () => {
    const response = await change(visitor(), { currentPassword: password, newPassword, confirmPassword: newPassword });
    expect([response.status, response.json]).toEqual([401, { message: "Unauthorized" }]);
  });
});
