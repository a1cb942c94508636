// Proves that hostile field names, too many entries and too much text in a form are refused or ignored.
import { globSync, readFileSync } from "node:fs";
import { Agent } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { hashSecretToken } from "../../app/secret-token.server.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, origin, setTestClock, visitor } from "../support/site.ts";

const DAY_MS = 86_400_000;
const MAX_ENTRIES = 200;
const MAX_ANSWER_BYTES = 64 * 1024;

const FORMS: Record<string, "visitor" | "family" | "consultant"> = {
  "/login": "visitor",
  "/register": "visitor",
  "/request-consultation": "visitor",
  "/legal-request": "visitor",
  "/reset-password/x": "visitor",
  "/forgot-password": "visitor",
  "/comfort": "visitor",
  "/login/passkey": "visitor",
  "/passkeys": "family",
  "/confirm-identity": "family",
  "/change-email": "family",
  "/dashboard/settings": "family",
  "/dashboard/intake-form?step=concerns": "family",
  "/appointments/new": "family",
  "/appointments/pay": "family",
  "/dashboard/reset-link": "consultant",
  "/mail-wording/visit-booked": "consultant",
  "/calendar/hours": "consultant",
};

/** Names out of which a form library makes lists, objects and instructions of its own. */
const HOSTILE_NAMES: Record<string, string> = {
  "a list index of a million": "email[1000000]",
  "a nested list": "email[9999][9999]",
  "three thousand nested objects": `email${".a".repeat(3000)}`,
  "three thousand nested lists": `email${"[0]".repeat(3000)}`,
  __proto__: "__proto__.isAdmin",
  "__proto__ below a field": "email.__proto__.isAdmin",
  "constructor.prototype": "constructor.prototype.isAdmin",
  "a form library's intent": "__intent__",
  "a form library's state": "__state__",
  "an empty name": "",
  "an unclosed bracket": "email[",
};
/** The shape of a browser's new passkey. */
const NEW_CREDENTIAL = JSON.stringify({
  id: "AA",
  rawId: "AA",
  type: "public-key",
  response: { attestationObject: "AA", clientDataJSON: "AA" },
});
const INSTRUCTIONS = ["x", "{", "{bad", "null", "[]", '{"type":"insert","payload":{"name":"email","index":1000000}}'];

let people: Record<"visitor" | "family" | "consultant", TestClient>;
let maria: Family;

beforeAll(async () => {
  maria = await family({ intake: true });
  people = { visitor: visitor(), family: maria, consultant: await consultant() };
});

afterEach(() => setTestClock(null));

function post(browser: TestClient, path: string, body: string | Buffer, type = "application/x-www-form-urlencoded") {
  const client = browser.clone();
  client.agent = new Agent();
  return client.request("POST", path, { headers: { Origin: origin, "Content-Type": type }, body });
}

/** The answer to bytes that no HTTP client would send. */
async function raw(request: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  // Not ended: Node drops the answer to whoever has closed its side before that is written.
  socket.write(request);
  return text(socket);
}

/** A page's form in the way a script may send it. */
function multipart(entries: [name: string, value: string][]): [body: string, type: string] {
  const parts = entries.map(
    ([name, value]) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return [`${parts.join("")}--edge--\r\n`, "multipart/form-data; boundary=edge"];
}

describe.each(Object.keys(FORMS))("the form at %s", (path) => {
  const who = FORMS[path] ?? "visitor";
  const addresses = [path, path.replace(/(\?|$)/, ".data$1")];

  test.each(Object.keys(HOSTILE_NAMES))(
    "handles a hostile field name (%s) without a server error or a large response",
    async (name) => {
      const field = HOSTILE_NAMES[name] ?? "";
      for (const address of addresses) {
        for (const value of field.startsWith("__") ? INSTRUCTIONS : ["x"]) {
          const sent: [string, string?][] = [
            [new URLSearchParams([[field, value]]).toString()],
            multipart([[field, value]]),
          ];
          for (const [body, type] of sent) {
            const response = await post(people[who], address, body, type);
            expect([address, value, response.status < 500]).toEqual([address, value, true]);
            expect(response.bytes.length).toBeLessThan(MAX_ANSWER_BYTES);
          }
        }
      }
      expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    },
  );

  test("refuses 201 entries with 400, whatever their names", async () => {
    for (const entry of ["email=a", "=", "a", "primaryConcerns=x", ""]) {
      const body = Array.from({ length: MAX_ENTRIES + 1 }, () => entry).join("&");
      expect([entry, (await post(people[who], path, body)).status]).toEqual([entry, 400]);
    }
    const entries = Array.from({ length: MAX_ENTRIES + 1 }, (): [string, string] => ["email", "a"]);
    expect((await post(people[who], path, ...multipart(entries))).status).toBe(400);
    expect((await post(people[who], path, "email=a&".repeat(1_500))).status).toBe(400);
  });
});

describe("a form with too much text", () => {
  const MAX_CHARACTERS = 64 * 1024;
  const words = (length: number, count = 1) =>
    Array.from({ length: count }, () => `email=${"<".repeat(length / count)}`).join("&");

  test("gets 413 over 65,536 characters, in one field or in many", async () => {
    for (const count of [1, 128]) {
      expect((await post(visitor(), "/request-consultation", words(MAX_CHARACTERS, count))).status).toBe(422);
      expect((await post(visitor(), "/request-consultation", `${words(MAX_CHARACTERS, count)}&x=a`)).status).toBe(413);
    }
  });

  test("is not stored as a draft", async () => {
    const response = await post(maria, "/appointments/new", `title=${"<".repeat(MAX_CHARACTERS + 1)}`);
    expect(response.status).toBe(413);
    expect((await maria.get("/appointments/new")).bytes.length).toBeLessThan(2 * MAX_CHARACTERS);
  });

  test("gets 400 when its multipart body has too many lines", async () => {
    const [whole, type] = multipart([["email", `a${"\n".repeat(20_000)}`]]);
    expect((await post(visitor(), "/request-consultation", whole, type)).status).toBe(400);
    expect(
      (await post(visitor(), "/request-consultation", `--edge\r\n${"X: y\r\n".repeat(40_000)}`, type)).status,
    ).toBe(400);
  });
});

test.each(["/login", "/api/auth/login"])(
  "%s accepts a body in 258 one-byte chunks; one more closes the connection",
  async (path) => {
    const type = path.startsWith("/api") ? "application/json" : "application/x-www-form-urlencoded";
    const piece = path.startsWith("/api") ? " " : "a";
    const send = (pieces: number) => {
      const head = `POST ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nOrigin: ${origin}\r\nConnection: close`;
      const body = `${`1\r\n${piece}\r\n`.repeat(pieces)}0\r\n\r\n`;
      return raw(`${head}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n${body}`);
    };
    expect(await send(258)).toMatch(/^HTTP\/1\.1 (400|422) /);
    expect(await send(259)).toBe("");
  },
);

test("a static file is sent whole with 200, whatever Range is requested", async () => {
  const whole = await visitor().get("/robots.txt");
  for (const range of [
    "bytes=9-1",
    "bytes=0-",
    "bytes=-1",
    "bytes=999999-",
    "bytes=a-b",
    `bytes=${"0-1,".repeat(3000)}`,
  ]) {
    const response = await visitor().get("/robots.txt", { Range: range });
    expect([range, response.status, response.text]).toEqual([range, 200, whole.text]);
  }
});

test("the redirect of a visitor to /login includes the requested URL only when it is short enough", async () => {
  const kept = await visitor().get(`/dashboard?${"x".repeat(4_000)}`);
  expect(kept.headers.location).toMatch(/^\/login\?redirectTo=/);
  for (const query of ["x".repeat(4_090), "'%".repeat(4_000)]) {
    expect((await visitor().get(`/dashboard?${query}`)).headers.location).toBe("/login");
  }
});

describe("a form with unexpected entries", () => {
  const strange: [string, string][] = [
    ["__intent__", "{bad"],
    ["__state__", "{"],
    ["email.a", "x"],
    ["email[30000000]", "x"],
    ["isAdmin", "on"],
  ];

  test("is processed as if unknown fields were absent, up to the limit of 200 entries", async () => {
    for (const length of [strange.length, MAX_ENTRIES - 2]) {
      const more = Array.from({ length }, (_, index) => strange[index % strange.length] as [string, string]);
      const fields: [string, string][] = [["email", maria.email], ["password", maria.password], ...more];
      const encoded = await post(visitor(), "/login", new URLSearchParams(fields).toString());
      expect([encoded.status, encoded.headers.location]).toEqual([302, "/"]);
      const parts = await post(visitor(), "/login", ...multipart(fields));
      expect([parts.status, parts.headers.location]).toEqual([302, "/"]);
    }
  });

  test("does not show unknown fields again when it is returned with errors", async () => {
    const response = await post(visitor(), "/register", "firstName=Ada&__state__=%7B%7D&nickname=Sunny");
    expect(response.status).toBe(422);
    expect(response.document.querySelector("[name=firstName]")?.getAttribute("value")).toBe("Ada");
    expect(response.text).not.toContain("Sunny");
  });

  test("treats a file sent for a text field as an empty field", async () => {
    const body = `--edge\r\nContent-Disposition: form-data; name="email"; filename="a.txt"\r\n\r\nx\r\n--edge--\r\n`;
    const response = await post(visitor(), "/login", body, "multipart/form-data; boundary=edge");
    expect(response.status).toBe(422);
    expect(response.visibleText).toContain("Enter your email address.");
  });
});

test("a list field takes repeated entries of its own name and ignores indexed names", async () => {
  const browser = await family();
  const chosen = ["Insurance / Benefits Support", "Finding Referrals / Providers"];
  const path = "/dashboard/intake-form?step=concerns";
  await browser.form(path, {
    primaryConcerns: chosen,
    "primaryConcerns[2]": "Understanding a Diagnosis or Evaluation",
  });
  const boxes = [...(await browser.get(path)).document.querySelectorAll("input[name=primaryConcerns][checked]")];
  expect(new Set(boxes.map((box) => box.getAttribute("value")))).toEqual(new Set(chosen));
});

describe("a form sent after its session expired", () => {
  const later = () => setTestClock(() => new Date(Date.now() + DAY_MS + 60_000));
  const kept = () => db.session.count({ where: { sess: { contains: `"savedAt":` } } });

  test("is not stored when it has too many entries", async () => {
    const browser = await family();
    later();
    const names = Array.from({ length: 42_000 }, (_, number) => number.toString(36));
    const response = await post(browser, "/appointments/new", names.join("&"));
    expect([response.status, response.headers.location]).toEqual([302, "/login"]);
    expect(await kept()).toBe(0);
  });

  test("is not stored when none of its field names belongs to a form of the site", async () => {
    const browser = await family();
    later();
    const names = ["__proto__", "constructor.prototype", "a[30000000]", "a.b", "1", "__intent__", "", "x".repeat(41)];
    const response = await post(browser, "/appointments/new", names.map((name) => `${name}=x`).join("&"));
    expect([response.status, response.headers.location]).toEqual([302, "/login"]);
    expect(await kept()).toBe(0);
  });
});

describe("a refused form gets 422 with an error summary before its fields", () => {
  type Refused = { file: string; who: "visitor" | "family" | "consultant"; path: () => string; fields?: object };
  const date = new Date("2026-12-05T15:00Z");
  const records = { appointment: 0, started: 0, request: 0, note: 0, case: 0, token: "" };

  beforeAll(async () => {
    const visit = { title: "Hourly Consulting", type: "consultation", userId: maria.id, appointmentDate: date };
    records.appointment = (await db.appointment.create({ data: { ...visit, paymentAmountCents: 7500 } })).id;
    const earlier = { ...visit, appointmentDate: new Date("2026-11-02T15:00Z") };
    records.started = (await db.appointment.create({ data: earlier })).id;
    const asker = { firstName: "Jane", lastName: "Doe", email: "j@example.org", serviceNeeds: "IEP" };
    const request = await db.consultationRequest.create({ data: { ...asker, urgency: "routine", consent: true } });
    records.request = request.id;
    records.note = (await db.familyNote.create({ data: { userId: maria.id, text: "-" } })).id;
    const days = { receivedDay: "2026-11-23", dueDay: "2026-12-23" };
    records.case = (await db.complianceCase.create({ data: { ...days, kind: "privacy", text: "-" } })).id;
    const invitation = { email: "ana@example.org", firstName: "", lastName: "", isMailed: true };
    const expiresAt = new Date(Date.now() + DAY_MS);
    await db.invitation.create({ data: { ...invitation, expiresAt, tokenHash: hashSecretToken("for-ana") } });
    const link = await people.consultant.form("/dashboard/reset-link", { email: (await family()).email });
    records.token = /\/reset-password\/([\w-]{43})/.exec(link.text)?.[1] ?? "";
  });

  const REFUSED: Refused[] = [
    { file: "accounts/login", who: "visitor", path: () => "/login" },
    { file: "accounts/register", who: "visitor", path: () => "/register" },
    { file: "accounts/passwords/forgot-password", who: "visitor", path: () => "/forgot-password" },
    { file: "accounts/passwords/reset-password", who: "visitor", path: () => `/reset-password/${records.token}` },
    { file: "consultation-requests/consultation-request-form", who: "visitor", path: () => "/request-consultation" },
    { file: "accounts/email/change-email", who: "family", path: () => "/change-email" },
    { file: "dashboard/account-settings", who: "family", path: () => "/dashboard/settings" },
    { file: "dashboard/edit-profile", who: "family", path: () => "/dashboard/profile" },
    {
      file: "intake/section-step",
      who: "family",
      path: () => "/dashboard/intake-form?step=child",
      fields: { intent: "continue", childName: "" },
    },
    { file: "booking/booking-dialog/booking-dialog", who: "family", path: () => "/appointments/new" },
    {
      file: "booking/visit-answers/visit-questions",
      who: "family",
      path: () => `/appointments/${records.appointment}/questions`,
    },
    { file: "booking/waiting-list/waiting-list", who: "family", path: () => "/appointments/waiting-list" },
    {
      file: "booking/move/move-own-appointment",
      who: "family",
      path: () => `/appointments/${records.appointment}/move`,
    },
    { file: "documents/upload/upload-form", who: "family", path: () => "/documents/new" },
    { file: "documents/upload/upload-form", who: "consultant", path: () => "/documents/new" },
    { file: "accounts/second-factor/second-factor-settings", who: "family", path: () => "/second-factor" },
    {
      file: "accounts/passkeys/passkeys-page",
      who: "family",
      path: () => "/passkeys",
      fields: { step: "add", credential: NEW_CREDENTIAL },
    },
    { file: "compliance/legal-request", who: "visitor", path: () => "/legal-request" },
    { file: "consultation-requests/record-phone-request", who: "consultant", path: () => "/requests/new" },
    { file: "compliance/new-compliance-case", who: "consultant", path: () => "/compliance/new" },
    { file: "compliance/compliance-case", who: "consultant", path: () => `/compliance/${records.case}` },
    { file: "consents/consent", who: "family", path: () => "/consents/recording", fields: { version: "2026-11-23" } },
    { file: "data-rights/delete-account", who: "family", path: () => "/dashboard/settings/delete-account" },
    { file: "dashboard/create-password-reset-link", who: "consultant", path: () => "/dashboard/reset-link" },
    {
      file: "dashboard/appointment/cancel-appointment",
      who: "consultant",
      path: () => `/dashboard/appointments/${records.appointment}/cancel`,
      fields: { reason: "x".repeat(5_000) },
    },
    { file: "dashboard/calendar/hours-overrides", who: "consultant", path: () => "/calendar/hours" },
    {
      file: "dashboard/appointment/record-visit-outcome",
      who: "consultant",
      path: () => `/dashboard/appointments/${records.started}/after`,
    },
    {
      file: "dashboard/practice-details/practice-details",
      who: "consultant",
      path: () => "/practice-details",
      fields: { taxId: "as above" },
    },
    { file: "dashboard/consultant-profile/consultant-profile", who: "consultant", path: () => "/consultant-profile" },
    { file: "dashboard/calendar/weekly-hours", who: "consultant", path: () => "/calendar/weekly-hours" },
    {
      file: "dashboard/scheduling/schedule-consultation-request",
      who: "consultant",
      path: () => `/dashboard/requests/${records.request}/schedule`,
    },
    {
      file: "dashboard/appointment/appointment-details",
      who: "consultant",
      path: () => `/dashboard/appointments/${records.appointment}`,
    },
    {
      file: "dashboard/scheduling/reschedule",
      who: "consultant",
      path: () => `/dashboard/appointments/${records.appointment}/reschedule`,
    },
    {
      file: "dashboard/appointment/appointment-payment",
      who: "consultant",
      path: () => `/dashboard/appointments/${records.appointment}/payment`,
      fields: { intent: "taken" },
    },
    {
      file: "dashboard/scheduling/book-for-family",
      who: "consultant",
      path: () => `/families/${maria.id}/appointments/new`,
    },
    { file: "messages/wording/edit-wording", who: "consultant", path: () => "/mail-wording/visit-booked" },
    { file: "checkout/billing/billing-overview-page", who: "consultant", path: () => "/money" },
    { file: "booking/invitations/invitation", who: "visitor", path: () => "/invitation/for-ana" },
    { file: "dashboard/invitations/invitations", who: "consultant", path: () => "/families/invitations" },
    { file: "families/family-notes", who: "consultant", path: () => `/families/${maria.id}` },
    { file: "families/delete-family", who: "consultant", path: () => `/families/${maria.id}/delete` },
    { file: "families/new-follow-up", who: "consultant", path: () => `/families/${maria.id}/follow-ups/new` },
    { file: "families/edit-note", who: "consultant", path: () => `/families/${maria.id}/notes/${records.note}/edit` },
  ];
  /** What they say is about the card or the whole form, which has no field of ours, or comes after another step: payment-pages, draft, devices, calendar-feed, second-factor, passkeys and step-up.test.ts. */
  const WITHOUT_FIELDS = [
    "checkout/pay",
    "payments/simulated-checkout",
    "intake/check-answers-step",
    "accounts/sessions/signed-in-devices",
    "accounts/terms/accept-terms",
    "booking/feed/calendar-link",
    "accounts/second-factor/sign-in-code",
    "accounts/passkeys/sign-in-with-passkey",
    "accounts/step-up/confirm-identity",
  ];

  test.each(REFUSED)("$file, for the $who", async ({ who, path, fields = {} }) => {
    const isUpload = path() === "/documents/new";
    const response = isUpload
      ? await post(people[who], path(), ...multipart([["description", "-"]]))
      : await people[who].form(path(), fields as Record<string, string>);
    expect(response.status).toBe(422);
    const { document } = response;
    expect(document.title).toMatch(/^Error: /);
    const [summary, ...more] = document.querySelectorAll("[data-error-summary]");
    expect([summary?.getAttribute("role"), more]).toEqual(["alert", []]);
    const controls = "[data-error-summary], input:not([type=hidden]), select, textarea";
    expect(summary?.closest("dialog, main")?.querySelector(controls)).toBe(summary);
    const links = [...(summary?.querySelectorAll("a[href^='#']") ?? [])];
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) {
      const id = link.getAttribute("href")?.slice(1) ?? "";
      const field = document.getElementById(id);
      const beside = [...document.querySelectorAll(`[id^="${id}"]`)].map((element) => element.textContent).join(" ");
      expect([id, field !== null, beside.includes(link.textContent ?? "?")]).toEqual([id, true, true]);
    }
  });

  test("every file with an ErrorSummary is tested above or listed as an exception", () => {
    const files = globSync("app/**/*.tsx").filter((file) => readFileSync(file, "utf8").includes("<ErrorSummary"));
    const tried = [...REFUSED.map(({ file }) => file), ...WITHOUT_FIELDS].map((file) => `app/${file}.tsx`);
    expect(files.toSorted()).toEqual([...new Set(tried)].toSorted());
  });
});
