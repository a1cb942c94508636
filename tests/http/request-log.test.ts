// Proves what is logged, and that the log has no personal data.
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { textFile, uploadFile } from "../support/uploads.ts";
import { type Family, intakeForm } from "../support/people.ts";
import { startServer } from "../support/servers/server-process.ts";
import type { RequestOptions } from "../support/http-client.ts";

/** What must never be read in a log, one for each kind of thing that people tell us; the number passes as a card's. */
const card = ["4000", "0000", "0000", "1000"].join("");
const canaries = {
  name: "Quetzalcoatlina",
  email: "canary.bird@example.com",
  phone: "(732) 555-0199",
  diagnosis: "Canariensis syndrome",
  password: "sings-at-dawn-in-yellow",
  card,
  agent: "CanaryBrowser/9",
  file: "canary-report.txt",
  query: "canary-in-the-query",
  id: "480048",
  cookie: "canary-cookie",
};

let site: Awaited<ReturnType<typeof startServer>>;
let maria: Family;
/** How many requests were sent that are written down, and what their answers said of their numbers. */
const numbers: unknown[] = [];

// Node's own client refuses to send line breaks and escapes in a header; \t and quotes pass.
const headers = { "User-Agent": `${canaries.agent}\t {"level":"fatal"} \\n \\u001b[31m`, "X-Note": canaries.name };

async function send(person: Family, method: string, path: string, sent: RequestOptions = {}) {
  const all = { Origin: site.origin, "Sec-Fetch-Site": "same-origin", ...headers, ...sent.headers };
  const response = await person.request(method, path, { ...sent, headers: all });
  numbers.push(response.headers["x-request-id"]);
  return response;
}

/** Begins to send a body that says it is longer, and closes the connection; resolves when that has been logged. */
async function giveUp(path: string, begin: string) {
  const { host, port } = new URL(site.origin);
  const socket = connect(Number(port), "127.0.0.1");
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${site.origin}\r\nUser-Agent: ${canaries.agent}\r\n`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n${begin}`);
  // The requests of one address start in order: when these have been answered, that one is being read.
  for (let count = 0; count < 3; count += 1) await maria.get(`/register?page=${count}`);
  numbers.push(undefined, undefined, undefined);
  socket.destroy();
  await site.waitForOutput(/"cut":true/);
  numbers.push(undefined);
}

const form = (fields: Record<string, string>) => ({
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString(),
});
const json = (value: unknown) => ({ headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) });

/** Every field that any form of ours has, filled with what must not be seen. */
const everything = {
  firstName: canaries.name,
  lastName: `${canaries.name}\n{"level":"fatal"}`,
  email: canaries.email,
  phone: canaries.phone,
  phoneNumber: canaries.phone,
  emailAddress: canaries.email,
  fullName: canaries.name,
  childName: canaries.name,
  diagnosis: canaries.diagnosis,
  otherConcerns: canaries.diagnosis,
  message: canaries.diagnosis,
  description: canaries.diagnosis,
  notes: canaries.diagnosis,
  note: canaries.diagnosis,
  text: canaries.diagnosis,
  reason: canaries.diagnosis,
  title: canaries.diagnosis,
  password: canaries.password,
  confirmPassword: canaries.password,
  currentPassword: canaries.password,
  newPassword: canaries.password,
  sourceId: canaries.card,
  number: canaries.card,
  appointmentDate: canaries.query,
  redirectTo: `/${canaries.query}`,
  customFileName: canaries.file,
  intent: canaries.query,
};

/** The addresses that take a form, with an id that is nobody's in the place of each parameter. */
const FORMS = [
  "/login",
  "/register",
  `/reset-password/${canaries.query}`,
  `/calendar/${canaries.query}.ics`,
  "/request-consultation",
  "/dashboard/settings",
  "/dashboard/intake-form",
  "/appointments/new",
  "/appointments/intake-form",
  "/appointments/pay",
  `/appointments/${canaries.id}/cancel`,
  `/documents/${canaries.id}/delete`,
  `/documents/${canaries.id}/sharing`,
  `/dashboard/requests/${canaries.id}/schedule`,
  `/dashboard/appointments/${canaries.id}/payment`,
  "/dashboard/reset-link",
  `/families/${canaries.id}`,
  "/calendar/hours",
];
const CALLS = [
  "/api/auth/register",
  "/api/auth/login",
  "/api/auth/change-password",
  "/api/appointments",
  "/api/appointments/in-person",
  "/api/consultation-requests",
  "/api/intake-forms",
  "/api/payments/process",
  "/api/payments/webhook",
];

beforeAll(async () => {
  site = await startServer({ template: inject("template") });
  maria = await site.family({ firstName: canaries.name, email: canaries.email, password: canaries.password });
  for (const path of FORMS) await send(maria, "POST", path, form(everything));
  for (const path of CALLS) {
    await send(maria, "POST", path, json(everything));
    // Half of a body: what reads JSON quotes what it could not read.
    await send(maria, "POST", path, {
      ...json({}),
      body: `{"password": "${canaries.password}", ${canaries.diagnosis}`,
    });
  }
  const answers = { ...intakeForm(maria), fullName: canaries.name, diagnosis: canaries.diagnosis };
  await send(maria, "POST", "/api/intake-forms", json(answers));
  await send(maria, "GET", `/documents?q=${canaries.query}`);
  await send(maria, "GET", `/api/documents/${canaries.id}?name=${canaries.name}`);
  await send(maria, "GET", `/${canaries.query}/${canaries.email}`);
  await send(maria, "GET", "/dashboard", { headers: { Cookie: `session=${canaries.cookie}` } });
  await send(maria, "DELETE", `/api/documents/${canaries.id}`);
  await send(maria, "POST", "/login", { ...form(everything), headers: { Origin: "https://evil.example" } });
  await send(maria, "GET", "/", { headers: { Host: `${canaries.name}.example` } });
  const file = await uploadFile(maria, { fileName: canaries.file, bytes: textFile(2000) });
  numbers.push(file.headers["x-request-id"]);
  await send(maria, "GET", `/api/documents/${file.json.id}/download`);
  await giveUp("/api/auth/login", `{"password": "${canaries.password}`);
  site.kill("SIGTERM");
  await site.ended;
});

afterAll(() => site.kill("SIGKILL"));

type Line = Record<string, unknown>;
const lines = () =>
  site
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Line);

describe("the log of a family's requests", () => {
  test("has no personal data from forms, headers, paths, cookies or IP addresses", () => {
    expect(site.output()).toContain('"method":"POST"');
    for (const [what, canary] of Object.entries(canaries)) {
      const isRead = site.output().toLowerCase().includes(canary.toLowerCase());
      expect([what, isRead]).toEqual([what, false]);
    }
    for (const value of maria.cookies.values()) expect(site.output()).not.toContain(value.slice(0, 20));
    for (const other of ["127.0.0.1", "\u001b", "evil.example"]) expect(site.output()).not.toContain(other);
  });

  test("has one line per request with a unique request ID, which responses without a server error don't include", () => {
    const written = lines().filter(({ method }) => method !== undefined);
    const ids = written.map(({ id }) => String(id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^\d{8}$/.test(id))).toBe(true);
    expect(numbers.every((number) => number === undefined)).toBe(true);
    // Those of the set-up, too: nothing was sent that is not written down.
    expect(written).toHaveLength(numbers.length + 1);
  });

  test("has the route pattern, method, status code, duration and size of each request, and no unlisted fields", () => {
    const written = lines().filter(({ method }) => method !== undefined);
    const names = new Set(written.flatMap((line) => Object.keys(line)));
    expect([...names].toSorted()).toEqual(["bytes", "cut", "id", "level", "method", "ms", "route", "status", "time"]);
    const routes = new Set(written.map(({ route }) => route));
    for (const route of [
      "/login",
      "/reset-password/:token",
      "/calendar/:file",
      "/api/documents/:id",
      "/api/documents/:id/download",
      "/api/documents",
      "/dashboard/appointments/:id/payment",
      "/documents",
      "/*",
      "rejected",
    ]) {
      expect(routes).toContain(route);
    }
    const download = written.find(({ route }) => route === "/api/documents/:id/download");
    expect(Number(download?.bytes)).toBeGreaterThan(2000);
  });

  test("has an aborted request with status code 499 and without its body", () => {
    const cut = lines().filter((line) => line.cut !== undefined);
    expect(cut).toEqual([
      {
        level: "info",
        time: expect.any(String),
        id: expect.stringMatching(/^\d{8}$/),
        method: "POST",
        route: "/api/auth/login",
        status: 499,
        ms: expect.any(Number),
        bytes: expect.any(Number),
        cut: true,
      },
    ]);
  });

  test("has no line injected by user input", () => {
    const others = site
      .output()
      .split("\n")
      .filter((line) => line && !line.startsWith("{"));
    expect(others.map((line) => line.split(" ")[0])).toEqual(["Harbor", "Sign"]);
    expect(lines().every(({ level }) => ["info", "warn", "error"].includes(String(level)))).toBe(true);
  });
});
