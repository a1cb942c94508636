// Proves that the site works behind a TLS-terminating proxy: host, scheme and client address.
import { createServer, request as forward } from "node:http";
import { connect } from "node:net";
import { afterAll, describe, expect, inject, test } from "vitest";
import { TestClient } from "../support/http-client.ts";
import { multipart, uploadParts, BOUNDARY } from "../support/uploads.ts";
import { turnOnSecondFactor } from "../support/authenticator-app.ts";
import { createPeople, intakeForm } from "../support/people.ts";
import { startServer } from "../support/servers/server-process.ts";
import { adminEmail, adminPassword } from "../support/test-environment.ts";
import { openHours } from "../support/bookings.ts";

const ORIGIN = "https://practice.example";
const PUBLIC = { APP_ORIGIN: ORIGIN, PAYMENTS: "off", FLY_APP_NAME: "practice", RATE_LIMITS: "on" };
const site = await startServer({ template: inject("template"), overrides: PUBLIC });
const hours = openHours();

/**
 * What stands in front of the process on Fly.io: it ends the encryption, says so, and says whose request it is; what a
 * visitor wrote into that header itself is gone. It leaves other forwarding headers as they came, and adds to them.
 */
const proxy = createServer((request, response) => {
  const address = request.socket.remoteAddress ?? "";
  const before = request.headers["x-forwarded-for"];
  const headers = {
    ...request.headers,
    "fly-client-ip": address,
    "x-forwarded-for": before ? `${String(before)}, ${address}` : address,
    "x-forwarded-proto": "https",
    "x-forwarded-port": "443",
    via: "2 fly.io",
  };
  const { method, url: path } = request;
  const sent = forward({ hostname: "127.0.0.1", port: site.environment.PORT, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  sent.on("error", () => response.destroy());
  request.pipe(sent);
});
const port = await new Promise<string>((resolve) => {
  proxy.listen(0, "127.0.0.1", () => resolve(String((proxy.address() as { port: number }).port)));
});

afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  site.kill("SIGTERM");
  await site.ended;
});

let visitors = 0;
/** A browser of its own household, in front of the proxy. */
function browser() {
  const client = new TestClient(ORIGIN, port);
  visitors += 1;
  client.ip = `127.0.3.${visitors}`;
  return client;
}

const account = (name: string) => ({
  firstName: name,
  lastName: "Alvarez",
  email: `${name}@example.com`.toLowerCase(),
  phone: "",
  password: "rain on the tin roof",
  confirmPassword: "rain on the tin roof",
});

describe("behind a TLS-terminating proxy", () => {
  test("a family registers, submits its intake form, books, uploads, cancels and signs in again with Secure cookies", async () => {
    const maria = browser();
    const joined = await maria.form("/register", account("Maria"));
    expect([joined.status, joined.headers.location]).toEqual([302, "/"]);
    const [cookie = ""] = joined.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^__Host-session=/);
    for (const word of ["Secure", "HttpOnly", "Path=/", "SameSite=Lax"]) expect(cookie).toContain(word);
    expect(cookie).not.toMatch(/domain=/i);
    expect((await maria.get("/dashboard")).visibleText).toContain("Maria");

    const story = await maria.post(
      "/api/intake-forms",
      intakeForm({ name: "Maria Alvarez", email: "maria@example.com" }),
    );
    expect(story.status).toBe(201);
    const appointmentFields = {
      title: "Hourly Consulting",
      slot: hours.next().value,
      duration: "60",
      type: "consultation",
    };
    const booked = await maria.form("/appointments/new", { ...appointmentFields, paymentMethod: "in-person" });
    expect([booked.status, booked.headers.location]).toEqual([
      302,
      expect.stringMatching(/^\/appointments\/\d+\/booked$/),
    ]);
    const [{ id }] = (await maria.get("/api/appointments")).json;

    const upload = await maria.request("POST", "/documents/new", {
      headers: { Origin: ORIGIN, "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` },
      body: multipart(uploadParts()),
    });
    expect([upload.status, upload.headers.location]).toEqual([302, "/documents"]);
    expect((await maria.form(`/appointments/${id}/cancel`, {})).status).toBe(302);
    const request = {
      firstName: "Maria",
      lastName: "Alvarez",
      email: "maria@example.com",
      serviceNeeds: "IEP",
      urgency: "routine",
      consent: "on",
    };
    expect((await browser().form("/request-consultation", request)).status).toBe(302);
    const left = await maria.form("/logout", {});
    expect([left.status, left.headers.location]).toEqual([302, "/"]);
    expect((await maria.get("/dashboard")).headers.location).toMatch(/^\/login/);
    const back = await maria.form("/login?redirectTo=/documents", account("Maria"));
    expect([back.status, back.headers.location]).toEqual([302, "/documents"]);
  });

  test("form posts from scripts to .data URLs are accepted and set the same cookies", async () => {
    const noor = browser();
    const joined = await noor.form("/register.data", account("Noor"));
    expect(joined.status).toBe(202);
    expect([...noor.cookies.keys()]).toEqual(["__Host-session", "__Host-known-device"]);
    expect((await noor.get("/dashboard.data")).status).toBe(200);
    expect((await noor.form("/logout.data", {})).status).toBe(202);
  });

  test("the consultant gets the same __Host- cookies and must set up the second factor first", async () => {
    const admin = browser();
    const response = await admin.form("/login", { email: adminEmail, password: adminPassword });
    expect([response.status, [...admin.cookies.keys()]]).toEqual([302, ["__Host-session", "__Host-known-device"]]);
    // In public she sets up the second step before anything else.
    expect((await admin.get("/families")).headers.location).toBe("/second-factor");
  });

  test("every kind of response has a Strict-Transport-Security header for two years", async () => {
    for (const path of [
      "/",
      "/login?unkept",
      "/dashboard",
      "/api/auth/me",
      "/nothing-here",
      "/robots.txt",
      "/healthz",
    ]) {
      const { headers } = await browser().get(path);
      const actual = [path, headers["strict-transport-security"]];
      expect(actual).toEqual([path, "max-age=63072000; includeSubDomains"]);
    }
  });

  test("a POST from another origin gets 403, including the same host over http or on another port", async () => {
    const devon = browser();
    await devon.form("/register", account("Devon"));
    for (const from of ["http://practice.example", "https://practice.example:444", "https://evil.example", "null"]) {
      const response = await devon.form("/logout", {}, { Origin: from, "X-Forwarded-Host": "evil.example" });
      expect([from, response.status]).toEqual([from, 403]);
    }
    expect((await devon.get("/api/auth/me")).status).toBe(200);
  });

  test("a request with another Host header gets 421; /healthz and /readyz answer under any host", async () => {
    for (const name of ["practice.fly.dev", "10.0.0.7:3000", "www.practice.example", "practice.example.evil.example"]) {
      for (const path of ["/", "/login", "/api/auth/me", "/robots.txt"]) {
        expect([name, path, (await browser().get(path, { Host: name })).status]).toEqual([name, path, 421]);
      }
      for (const path of ["/healthz", "/readyz"]) expect((await browser().get(path, { Host: name })).status).toBe(200);
    }
  });

  test("wrong passwords from one address get 429 despite forged address headers; another address can sign in", async () => {
    const attackerClient = browser();
    const guess = (number: number) =>
      attackerClient.post(
        "/api/auth/login",
        { email: adminEmail, password: "not this one" },
        {
          "Fly-Client-IP": `203.0.113.${number}`,
          "X-Forwarded-For": `203.0.113.${number}`,
          "X-Real-IP": `203.0.113.${number}`,
        },
      );
    for (let number = 1; number <= 10; number += 1) await guess(number);
    expect((await guess(11)).status).toBe(429);
    const owner = browser();
    expect((await owner.post("/api/auth/login", { email: adminEmail, password: adminPassword })).status).toBe(200);
  });

  test("new families in one IPv6 /56 or /48 share a limit on unpaid bookings; beyond it a booking gets 429", async () => {
    const people = createPeople(ORIGIN, site.environment.PORT);
    const book = async (network: string, appointmentDate: string, duration: number) => {
      visitors += 1;
      const family = await people.family({ intake: true, address: `127.0.3.${visitors}` });
      const appointmentFields = { title: "Hourly Consulting", appointmentDate, duration, type: "consultation" };
      return (await family.post("/api/appointments", appointmentFields, { "Fly-Client-IP": `2001:db8:${network}::1` }))
        .status;
    };
    const saturday = (hour: number) => new Date(Date.parse("2027-03-06T05:00Z") + hour * 3_600_000).toISOString();
    expect([await book("7:100", saturday(9), 240), await book("7:1ff", saturday(13), 240)]).toEqual([201, 201]);
    expect([await book("7:123", saturday(33), 15), await book("7:200", saturday(33), 240)]).toEqual([429, 201]);
    expect([await book("7:300", saturday(37), 15), await book("8:100", saturday(37), 60)]).toEqual([429, 201]);
  });
});

test("of seven unfinished large request bodies from one IPv6 /56, one gets 429", async () => {
  const senders = await Promise.all(
    Array.from({ length: 7 }, async (_, subnet) => {
      const socket = connect({ port: Number(site.environment.PORT), host: "127.0.0.1" });
      let received = "";
      socket.on("data", (part: Buffer) => (received += part.toString("latin1"))).on("error", () => {});
      await new Promise((resolve) => socket.once("connect", resolve));
      const visitor = `Fly-Client-IP: 2001:db8:7:${subnet + 1}::1\r\nContent-Type: application/json\r\n`;
      const head = `POST /api/consultation-requests HTTP/1.1\r\nHost: practice.example\r\nOrigin: ${ORIGIN}\r\n${visitor}`;
      socket.write(`${head}Content-Length: 262144\r\n\r\n{`);
      return { socket, status: () => /HTTP\/1\.1 (\d+)/.exec(received)?.[1] };
    }),
  );
  await expect.poll(() => senders.filter(({ status }) => status() === "429").length).toBe(1);
  expect(senders.filter(({ status }) => !status())).toHaveLength(6);
  for (const { socket } of senders) socket.destroy();
});

test("without email settings the consultant sees the invitation link, and the family registers with it", async () => {
  const admin = browser();
  await admin.form("/login", { email: adminEmail, password: adminPassword });
  await turnOnSecondFactor(admin, adminPassword);
  const invited = { firstName: "Jane", lastName: "Doe", email: "jane@example.com" };
  const shown = await admin.form("/families/invitations", invited);
  const link = new URL(shown.document.querySelector("output.secret")?.textContent ?? "");
  expect([shown.status, link.origin]).toEqual([200, ORIGIN]);
  const jane = browser();
  expect((await jane.form(link.pathname, account("Jane"))).headers.location).toBe("/appointments/intake-form");
  expect((await jane.get("/api/auth/me")).json.email).toBe("jane@example.com");
});
