// Proves the list of signed-in devices, how a device is signed out, and sign-in on a shared device.
import { afterEach, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { consultant, family, setTestClock, visitor, db } from "../support/site.ts";
import { connectSignaling } from "../support/signaling-client.ts";

const MINUTE = 60_000;
const ANDROID =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36";
const PATH = "/dashboard/settings/devices";

type Device = { id: number; current: boolean; createdAt: string; lastSeenAt: string; device: string };

const isSignedIn = async (client: TestClient) => (await client.get("/api/auth/me")).status === 200;
const devicesOf = async (client: TestClient): Promise<Device[]> => (await client.get("/api/auth/sessions")).json;
const signIn = async (email: string, password: string, userAgent: string, fields = {}) => {
  const client = visitor();
  const response = await client.post("/api/auth/login", { email, password, ...fields }, { "User-Agent": userAgent });
  expect(response.status).toBe(200);
  return { client, response };
};

afterEach(() => setTestClock(null));

describe("the list of signed-in devices", () => {
  test("shows the current device first, with readable names and without session ids", async () => {
    const own = await family();
    await signIn(own.email, own.password, ANDROID);
    const response = await own.get("/api/auth/sessions");
    expect(response.status).toBe(200);
    expect(response.json).toEqual([
      {
        id: expect.any(Number),
        current: true,
        createdAt: expect.any(String),
        lastSeenAt: expect.any(String),
        device: "Unknown device",
      },
      {
        id: expect.any(Number),
        current: false,
        createdAt: expect.any(String),
        lastSeenAt: expect.any(String),
        device: "Chrome on Android",
      },
    ]);
    for (const { sid } of await db.session.findMany({ where: { userId: own.id } }))
      expect(response.text).not.toContain(sid);
    for (const { id } of response.json) expect(Number.isSafeInteger(id) && id > 0).toBe(true);
  });

  test("shows only known browser and system names from the User-Agent header", async () => {
    const own = await family();
    for (const userAgent of [
      "<script>alert(1)</script>",
      `Chrome/${"9".repeat(7000)}`,
      "Fïrefox".slice(0, 1),
      "Windows",
    ])
      await signIn(own.email, own.password, userAgent);
    const names = new Set((await devicesOf(own)).map(({ device }) => device));
    expect(names).toEqual(new Set(["Unknown device", "Chrome", "A browser on Windows"]));
  });

  test("lets a user sign out another device at once, which also closes its WebSocket", async () => {
    const own = await family();
    const { client: phone } = await signIn(own.email, own.password, ANDROID);
    const socket = await connectSignaling(phone, 1);
    const [, other] = await devicesOf(own);
    const response = await own.delete(`/api/auth/sessions/${other?.id}`);
    expect([response.status, response.json]).toEqual([200, { message: "The device is signed out." }]);
    expect(await isSignedIn(phone)).toBe(false);
    expect(await socket.closed).toMatchObject({ code: 1008 });
    expect(await isSignedIn(own)).toBe(true);
    expect((await own.delete(`/api/auth/sessions/${other?.id}`)).status).toBe(404);
  });

  test("lets a user sign out the current device", async () => {
    const own = await family();
    const [current] = await devicesOf(own);
    expect((await own.delete(`/api/auth/sessions/${current?.id}`)).status).toBe(200);
    expect(await isSignedIn(own)).toBe(false);
  });

  test("returns the same 404 for another family's device and an unknown or malformed id, and signs nobody out", async () => {
    const [own, other] = [await family(), await family()];
    const [theirs] = await devicesOf(other);
    const responses = await Promise.all(
      [theirs?.id, 1, 0, -1, "abc", "99999999999"].map((id) => own.delete(`/api/auth/sessions/${id}`)),
    );
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect((await own.form(PATH, { id: String(theirs?.id) })).status).toBe(404);
    expect(await isSignedIn(other)).toBe(true);
  });

  test("doesn't show a device whose session has expired", async () => {
    const own = await family();
    await signIn(own.email, own.password, ANDROID, { sharedDevice: true });
    expect(await devicesOf(own)).toHaveLength(2);
    setTestClock(() => new Date(Date.now() + 31 * MINUTE));
    expect(await devicesOf(own)).toHaveLength(1);
  });

  test("is linked from Account Settings, and its page signs a device out without JavaScript", async () => {
    const own = await family();
    const { client: phone } = await signIn(own.email, own.password, ANDROID);
    expect((await own.get("/dashboard/settings")).document.querySelector(`a[href="${PATH}"]`)).not.toBeNull();
    const page = await own.get(PATH);
    expect(page.visibleText).toContain("Chrome on Android");
    const id = page.document.querySelector('input[name="id"]')?.getAttribute("value") ?? "";
    const response = await own.form(PATH, { id });
    expect([response.status, response.headers.location]).toEqual([302, PATH]);
    expect((await own.follow(response)).visibleText).toContain("Device Signed Out");
    expect(await isSignedIn(phone)).toBe(false);
    const again = await own.form(PATH, { id });
    expect([again.status, again.visibleText.includes("This device is no longer signed in.")]).toEqual([404, true]);
    expect((await own.form(PATH, { id: "nothing" })).status).toBe(422);
  });
});

describe("a sign-in on a shared device", () => {
  test("gets a session cookie without an expiration date and no known-device cookie", async () => {
    const { email, password } = await family();
    const { response } = await signIn(email, password, ANDROID, { sharedDevice: true });
    const cookies = response.headers["set-cookie"] ?? [];
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatch(/^session=/);
    expect(cookies[0]).not.toMatch(/max-age|expires/i);
  });

  test("ends after 30 idle minutes, while the user's own device stays signed in", async () => {
    const own = await family();
    const { client } = await signIn(own.email, own.password, ANDROID, { sharedDevice: true });
    setTestClock(() => new Date(Date.now() + 29 * MINUTE));
    expect(await isSignedIn(client)).toBe(true);
    setTestClock(() => new Date(Date.now() + 58 * MINUTE));
    expect(await isSignedIn(client)).toBe(true);
    setTestClock(() => new Date(Date.now() + 89 * MINUTE));
    expect([await isSignedIn(client), await isSignedIn(own)]).toEqual([false, true]);
  });

  test("is chosen by a checkbox on the sign-in page, which is unchecked by default", async () => {
    const { email, password } = await family();
    const page = await visitor().get("/login");
    const box = page.document.querySelector('input[name="sharedDevice"]');
    expect([box?.getAttribute("type"), box?.hasAttribute("checked")]).toEqual(["checkbox", false]);
    const response = await visitor().form("/login", { email, password, sharedDevice: "on" });
    expect([response.status, response.headers["set-cookie"]?.length]).toEqual([302, 1]);
    const wrong = await visitor().form("/login", { email, password: "not the password", sharedDevice: "on" });
    expect(wrong.document.querySelector('input[name="sharedDevice"]')?.hasAttribute("checked")).toBe(true);
  });

  test("can be chosen at registration and at password reset, too, which also sign in", async () => {
    const fields = { firstName: "Ann", lastName: "Berg", email: `library.${process.pid}@example.com` };
    const passwords = { password: "a rainy day in May", confirmPassword: "a rainy day in May" };
    const made = await visitor().form("/register", { ...fields, ...passwords, sharedDevice: "on" });
    const own = await family();
    const admin = await consultant();
    const linked = await admin.form("/dashboard/reset-link", { email: own.email });
    const reset = /\/reset-password\/[\w-]+/.exec(linked.text)?.[0] ?? "";
    const { password: newPassword, confirmPassword } = passwords;
    const chosen = await visitor().form(reset, { newPassword, confirmPassword, sharedDevice: "on" });
    for (const { status, headers } of [made, chosen]) {
      expect([status, headers["set-cookie"]?.length]).toEqual([302, 1]);
      expect(headers["set-cookie"]?.[0]).not.toMatch(/max-age|expires/i);
    }
    const usual = await visitor().form("/register", { ...fields, ...passwords, email: `own.${fields.email}` });
    expect(usual.headers["set-cookie"]?.join()).toMatch(/max-age/i);
  });

  test("is refused with 422 when sharedDevice is not a boolean", async () => {
    const { email, password } = await family();
    const response = await visitor().post("/api/auth/login", { email, password, sharedDevice: "yes" });
    expect([response.status, response.json.errors]).toEqual([
      422,
      { sharedDevice: ["Shared device must be true or false."] },
    ]);
  });
});
