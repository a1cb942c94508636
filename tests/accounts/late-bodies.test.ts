// Proves that a request whose body arrives after its session has ended does nothing.
import { request as httpRequest } from "node:http";
import { expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { signInAs } from "../support/people.ts";
import { consultant, db, family, origin } from "../support/site.ts";

const NEW_PASSWORD = "a-new-long-password-7";
const FORM = "application/x-www-form-urlencoded";

type Held = { release: () => Promise<{ status: number; location: string }> };

/** Sends the headers of a request and the first byte of its body; `release` sends the rest. */
async function hold(person: TestClient, path: string, body: string, contentType = FORM): Promise<Held> {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const { host } = new URL(origin);
  const headers = { Host: host, Origin: origin, Cookie: cookie, "Content-Type": contentType };
  const sent = httpRequest(`${origin}${path}`, {
    method: "POST",
    agent: false,
    headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
  });
  const answered = new Promise<{ status: number; location: string }>((resolve, reject) => {
    sent.once("error", reject).once("response", (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? "" });
    });
  });
  await new Promise<void>((resolve) => sent.write(body.slice(0, 1), () => resolve()));
  // By the time this is answered, the server has read the headers that were sent before it.
  expect((await person.get("/api/auth/me")).status).toBe(200);
  return {
    release: () => {
      sent.end(body.slice(1));
      return answered;
    },
  };
}

/** A family, and the same family on a second device. */
async function onTwoDevices() {
  const maria = await family({ intake: true });
  return { maria, thief: await signInAs(origin, maria.email, maria.password) };
}

async function changePassword(person: TestClient & { password: string }) {
  const fields = { currentPassword: person.password, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
  expect((await person.post("/api/auth/change-password", fields)).status).toBe(200);
}

test("a profile that another device was still sending when the password was changed is not saved", async () => {
  const { maria, thief } = await onTwoDevices();
  const held = await hold(thief, "/dashboard/profile", "firstName=Mallory&lastName=Other&phone=732-555-0100");
  await changePassword(maria);
  const { status, location } = await held.release();
  expect([status, location]).toEqual([302, expect.stringContaining("/login")]);
  expect(await db.user.findUniqueOrThrow({ where: { id: maria.id } })).toMatchObject({ firstName: maria.firstName });
});

test("a request of the API that another device was still sending when the password was changed is 401", async () => {
  const { maria, thief } = await onTwoDevices();
  const body = JSON.stringify({ name: "Mallory", phone: "732-555-0100", email: maria.email, serviceNeeds: "Anything" });
  const held = await hold(thief, "/api/intake-forms", body, "application/json");
  await changePassword(maria);
  expect((await held.release()).status).toBe(401);
});

test("a password link that was still being asked for when the consultant signed out is not made", async () => {
  const { email, id: userId } = await family();
  const held = await hold(await consultant(), "/dashboard/reset-link", `email=${encodeURIComponent(email)}`);
  const { id } = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
  await db.session.deleteMany({ where: { userId: id } });
  const { status, location } = await held.release();
  expect([status, location]).toEqual([302, expect.stringContaining("/login")]);
  expect(await db.passwordReset.count({ where: { userId } })).toBe(0);
});
