// Proves booking, the intake form during booking, and canceling through the HTML pages without JavaScript.
import { beforeAll, describe, expect, test } from "vitest";
import { intakeForm, type Family } from "../support/people.ts";
import { consultant, db, family, setTestClock, visitor } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
const MINUTE = 60_000;
setTestClock(() => NOW);

/** Saturdays at ten, each handed out once, as the page writes them. */
let weeks = 0;
const nextWallTime = () =>
  `${new Date(Date.parse("2026-12-05Z") + weeks++ * 7 * 86_400_000).toISOString().slice(0, 10)}T10:00`;

const fields = (changes: Record<string, string> = {}) => ({
  title: "Initial Consultation",
  service: "",
  description: "Reading takes all evening.",
  appointmentDate: nextWallTime(),
  duration: "90",
  type: "consultation",
  meetingLink: "",
  paymentMethod: "in-person",
  ...changes,
});

const book = (person: Family, changes: Record<string, string> = {}) =>
  person.form("/appointments/new", fields(changes));
const valueOf = (page: Document, name: string) =>
  page.querySelector(`[name="${name}"]`)?.getAttribute("value") ?? page.querySelector(`[name="${name}"]`)?.textContent;
/** The chosen service, or the family's own words. */
const titleOf = (page: Document) =>
  page.querySelector('[name="title"][checked]')?.getAttribute("value") || valueOf(page, "ownTitle");

let maria: Family;

beforeAll(async () => {
  maria = await family({ intake: true, firstName: "Maria", lastName: "Alvarez" });
});

describe("the appointments page", () => {
  test("shows a new family that it has no appointments, and no past appointments section", async () => {
    const { visibleText: words } = await (await family()).get("/appointments");
    expect(words).toContain("No upcoming appointments");
    expect(words).toContain("Schedule your first consultation to get started");
    expect(words).not.toContain("Past Appointments");
  });

  test("sends visitors to sign in and the consultant to her dashboard", async () => {
    for (const path of ["/appointments", "/appointments/new", "/appointments/pay", "/appointments/1/cancel"]) {
      const { status, headers } = await visitor().get(path);
      expect([status, headers.location]).toEqual([302, `/login?redirectTo=${encodeURIComponent(path)}`]);
    }
    const admin = await consultant();
    expect((await admin.get("/appointments")).headers.location).toBe("/dashboard");
    expect((await admin.form("/appointments/new", fields())).status).toBe(403);
  });

  test("offers to book a past or canceled visit again, with its service", async () => {
    const person = await family({ intake: true });
    const visit = { title: "Hourly Consulting", type: "consultation", userId: person.id };
    await db.appointment.create({ data: { ...visit, appointmentDate: new Date("2026-11-19T15:00:00Z") } });
    const canceled = { status: "cancelled", type: "emergency", appointmentDate: new Date("2026-11-21T15:00:00Z") };
    await db.appointment.create({ data: { ...visit, ...canceled } });
    const { document, visibleText } = await person.get("/appointments");
    expect(document.querySelector(`main path[d="M12 7.25v5.5M12 16.4v.2"]`)).toBeNull();
    expect(visibleText).toContain("No upcoming appointments");
    expect(visibleText).not.toContain("first consultation");
    const again = [...document.querySelectorAll("main a")].filter((link) => link.textContent?.startsWith("Book again"));
    const target = "/appointments?service=Hourly%20Consulting";
    expect(again.map((link) => link.getAttribute("href"))).toEqual(["/appointments/new", target, target]);
    expect(titleOf((await person.get(target)).document)).toBe("Hourly Consulting");
  });

  test("shows the Waiting Room 10 minutes before a video visit, Happening now during it, and completed after it", async () => {
    const person = await family({ intake: true });
    const start = new Date("2026-11-21T15:00Z");
    await person.post("/api/appointments", {
      title: "Hourly Consulting",
      appointmentDate: start.toISOString(),
      isLiveVideoCall: true,
      notes: "Bring the plan",
    });
    const at = async (minutes: number) => {
      setTestClock(() => new Date(start.getTime() + minutes * MINUTE));
      return (await person.get("/appointments")).visibleText;
    };
    try {
      expect(await at(-11)).not.toContain("Waiting Room");
      expect(await at(-10)).toContain("Waiting Room");
      const during = await at(30);
      expect(during).toContain("Happening now");
      expect(during).toContain("Now");
      expect(during).toContain("Join call now");
      expect(during).not.toContain("Waiting Room");
      const late = await at(89);
      expect(late).not.toContain("Happening now");
      expect(late).toContain("Join call now");
      const after = await at(91);
      expect(after).toContain("completed");
      expect(after).toContain("Notes: Bring the plan");
      expect(after).not.toContain("Join call now");
    } finally {
      setTestClock(() => NOW);
    }
  });

  test("escapes titles, marks meeting links noopener noreferrer, and hides other families' appointments", async () => {
    const person = await family({ intake: true });
    await person.post("/api/appointments", {
      title: "Our <b>own</b> talk",
      appointmentDate: "2027-03-07T15:00:00Z",
      meetingLink: "https://meet.example.com/a?b=1&c=2",
    });
    const response = await person.get("/appointments");
    const link = response.document.querySelector('a[href^="https://meet"]');
    expect([link?.getAttribute("href"), link?.getAttribute("rel")]).toEqual([
      "https://meet.example.com/a?b=1&c=2",
      "noopener noreferrer",
    ]);
    expect(response.visibleText).toContain("Our <b>own</b> talk");
    expect((await maria.get("/appointments")).text).not.toContain("own</b>");
  });
});

describe("the ?service= parameter", () => {
  test("opens the booking dialog with the service, its description and its duration filled in", async () => {
    const response = await maria.get("/appointments?service=Initial%20Consultation");
    expect(response.status).toBe(200);
    expect(titleOf(response.document)).toBe("Initial Consultation");
    expect(valueOf(response.document, "description")).toBe("Request for Initial Consultation service");
    expect(valueOf(response.document, "duration")).toBe("90");
    expect(response.visibleText).toContain("Intake Form must be filled out to proceed with appointment");
    expect(response.document.querySelector('label:has([name="title"][checked])')?.textContent).toBe(
      "Initial Consultation$7590 minutes · Start here",
    );
  });

  test("with Add-On Services offers the individual add-ons to choose from", async () => {
    const { document: page } = await maria.get("/appointments?service=Add-On+Services");
    const options = [...page.querySelectorAll('select[name="title"] option')].map((option) =>
      option.getAttribute("value"),
    );
    expect(options).toEqual([
      "",
      "Document Preparation",
      "School Meeting Attendance",
      "Follow-up Consultation",
      "Resource Research and Compilation",
    ]);
    const choice = { title: "Document Preparation", service: "Add-On Services" };
    await book(maria, { ...choice, description: valueOf(page, "description") ?? "" });
    const booked = await db.appointment.findFirstOrThrow({ where: { userId: maria.id, title: choice.title } });
    expect(booked.description).toBe("Request for Document Preparation service");
  });

  test.each([
    ["markup", "<script>alert(1)</script><b>", "<script>alert(1)</script><b>"],
    ["line breaks", "a\r\nSet-Cookie: x=1\u0000\u2028b", "a Set-Cookie: x=1 b"],
    ["a replacement character", "a\ud800b", "a\ufffdb"],
  ])("with %s in its value is shown as plain text", async (_, service, title) => {
    const response = await maria.get(`/appointments?service=${encodeURIComponent(service.toWellFormed())}`);
    expect([response.status, titleOf(response.document)]).toEqual([200, title]);
    expect(response.text).not.toContain("<script>alert");
  });

  test("with 5,000 characters is cut to the 255 that a title can have", async () => {
    const response = await maria.get(`/appointments?service=${"x".repeat(5000)}`);
    expect([response.status, titleOf(response.document)?.length]).toEqual([200, 255]);
  });
});

const CONFIRMATION = /^\/appointments\/\d+\/booked$/;

describe("booking without JavaScript", () => {
  test("an in-person booking redirects to its confirmation and appears in the appointments list", async () => {
    const response = await book(maria);
    expect([response.status, response.headers.location]).toEqual([302, expect.stringMatching(CONFIRMATION)]);
    const { visibleText: words } = await maria.follow(response);
    expect(words).toContain("Appointment Booked!");
    expect(words).toContain("Payment of $75 is collected in person.");
    expect(words).toContain("Saturday, December");
    expect((await maria.get("/appointments")).visibleText).toContain("Sat, Dec");
  });

  test("requesting a day's free times lists them and keeps the typed fields", async () => {
    const typed = fields({
      title: "Monthly Retainer",
      date: "2026-12-07",
      intent: "times",
      meetingLink: "not yet a link",
    });
    const { document: page, visibleText: words } = await maria.follow(await maria.form("/appointments/new", typed));
    expect(titleOf(page)).toBe("Monthly Retainer");
    expect(valueOf(page, "meetingLink")).toBe("not yet a link");
    expect(valueOf(page, "description")).toBe("Reading takes all evening.");
    expect(words).toContain("Monday, December 7, 2026 (ET)");
    const slots = [...page.querySelectorAll('input[name="slot"]')].map((slot) => slot.getAttribute("aria-label"));
    expect(slots[0]).toBe("Monday, December 7, 2026, 9:00 AM Eastern");
    expect(slots).toContain("Monday, December 7, 2026, 5:30 PM Eastern");
    expect(slots).not.toContain("Monday, December 7, 2026, 6:00 PM Eastern");
  });

  test("a chosen free time overrides a typed time, and gets 422 if the day was changed afterward", async () => {
    const slot = "2026-12-14T14:00:00.000Z";
    const wrongDay = await book(maria, { slot, date: "2026-12-15" });
    expect(wrongDay.status).toBe(422);
    expect(wrongDay.visibleText).toContain("The day was changed after you chose a time.");
    expect((await book(maria, { slot, date: "2026-12-14" })).status).toBe(302);
    expect(await db.appointment.count({ where: { userId: maria.id, appointmentDate: new Date(slot) } })).toBe(1);
  });

  test("a day without free times names the next open day", async () => {
    const { visibleText: words } = await maria.get("/appointments/new?date=2026-12-08&duration=240");
    expect(words).toContain(
      "Nothing is open on Tuesday, December 8, 2026. The next open day is Wednesday, December 9, 2026.",
    );
  });

  test.each([
    [
      "no payment method",
      { paymentMethod: "" },
      422,
      "Payment Method Required",
      "Please select a payment method to continue",
    ],
    ["the past", { appointmentDate: "2026-11-19T10:00" }, 422, "Invalid Date", "Cannot book appointments in the past"],
    ["no time", { appointmentDate: "" }, 422, "Invalid Date", "Choose a date and time."],
    [
      "a time skipped by the clock change",
      { appointmentDate: "2027-03-14T02:30" },
      422,
      "Invalid Date",
      "Clocks go forward that night",
    ],
    [
      "a time outside office hours",
      { appointmentDate: "2026-12-08T10:00" },
      422,
      "Time Slot Unavailable",
      "On Tuesdays the office is open 6:30pm-9pm.",
    ],
    ["no title", { title: "" }, 422, "Scheduling Failed", "Enter a service type."],
    [
      "an add-on category as title",
      { title: "Add-On Services" },
      422,
      "Scheduling Failed",
      "Choose which of the Add-On Services",
    ],
    ["an invalid link", { meetingLink: "javascript:alert(1)" }, 422, "Scheduling Failed", "begins with https://"],
    ["a 10-minute visit", { duration: "10" }, 422, "Scheduling Failed", "from 15 to 240"],
  ])(
    "%s is refused with its message in the error summary, and the typed fields are kept",
    async (_, changes, status, title, text) => {
      const before = await db.appointment.count();
      const response = await book(maria, changes);
      expect(response.status).toBe(status);
      expect(response.document.title).toMatch(/^Error: Schedule Appointment/);
      const summary = response.document.querySelector("[data-error-summary]")?.textContent ?? "";
      expect(summary).toContain(title);
      expect(summary).toContain(text);
      expect(valueOf(response.document, "description")).toBe("Reading takes all evening.");
      expect(response.visibleText).not.toContain("is taken");
      // Once in the summary and once at its field: no message floats over them.
      expect(response.document.querySelector(".toast")).toBeNull();
      expect(await db.appointment.count()).toBe(before);
    },
  );

  test.each(["soon", "-271821-04-20T00:00:00Z", "+275760-09-13T00:00:00Z", "9".repeat(5000)])(
    "an invalid slot value (%#) gets 422, and the booking page still opens afterward",
    async (slot) => {
      const person = await family({ intake: true });
      expect((await book(person, { slot, title: "" })).status).toBe(422);
      for (const path of ["/appointments/new", "/appointments", "/"]) expect((await person.get(path)).status).toBe(200);
    },
  );

  test("browsing to other days redirects with a valid date only; other text never reaches the URL", async () => {
    const person = await family();
    const locationFor = async (changes: Record<string, string>) => (await book(person, changes)).headers.location;
    expect(await locationFor({ from: "2026-12-07" })).toBe("/appointments/new?from=2026-12-07#free-times");
    expect(await locationFor({ from: "\u{301}".repeat(9000) })).toBe("/appointments/new#free-times");
    expect(await locationFor({ intent: "times", date: "x".repeat(50_000) })).toBe("/appointments/new#free-times");
  });

  test("a taken time gets 409 without naming the family that booked it", async () => {
    const appointmentDate = nextWallTime();
    const other = await family({ intake: true });
    expect((await book(other, { appointmentDate })).status).toBe(302);
    const response = await book(maria, { appointmentDate });
    expect(response.status).toBe(409);
    expect(response.visibleText).toContain("Time Slot Unavailable");
    expect(response.visibleText).toContain("This time slot is already taken.");
    expect(response.text).not.toContain(other.lastName + "<");
  });

  test("the fields of a refused booking are restored in another client with the same session", async () => {
    await book(maria, { title: "Starter Support Package", paymentMethod: "" });
    const { document: page } = await maria.clone().get("/appointments/new");
    expect(titleOf(page)).toBe("Starter Support Package");
  });
});

describe("the intake form during booking", () => {
  test("a family without an intake form fills it in first; submitting it completes the booking", async () => {
    const person = await family();
    const dialog = await person.get("/appointments/new");
    expect(dialog.visibleText).toContain("Proceed");
    const response = await book(person);
    expect([response.status, response.headers.location]).toEqual([302, "/appointments/intake-form"]);
    expect((await person.get("/appointments/intake-form")).visibleText).toContain(
      "We'll finish booking “Initial Consultation” when you submit this form.",
    );
    const last = await submitIntakeSteps(person);
    expect(last.headers.location).toMatch(CONFIRMATION);
    const { visibleText: words } = await person.follow(last);
    expect(words).toContain("Appointment Booked!");
    expect(words).toContain("Intake Form Submitted!");
    expect((await person.get("/dashboard")).visibleText).not.toContain("Intake Form Submitted!");
    expect(await db.appointment.count({ where: { userId: person.id } })).toBe(1);
    expect(await db.hold.count({ where: { userId: person.id } })).toBe(0);
    expect(await db.draft.count({ where: { userId: person.id } })).toBe(0);
  });

  test.each([
    ["no payment method", { paymentMethod: "" }, "Please select a payment method to continue", 1],
    ["a time before opening", { appointmentDate: "2026-12-08T10:00" }, "On Tuesdays the office is open 6:30pm-9pm.", 0],
    ["a past time", { appointmentDate: "2026-11-19T10:00" }, "is in the past, so it can't be booked anymore", 0],
    ["an invalid link", { meetingLink: "no link" }, "begins with https://", 1],
    ["no service", { title: "" }, "Enter a service type.", 1],
  ])("Proceed with %s opens the intake form; what is missing is shown after it", async (_, changes, text, holds) => {
    const person = await family();
    const response = await book(person, changes);
    expect([response.status, response.headers.location]).toEqual([302, "/appointments/intake-form"]);
    expect(await db.hold.count({ where: { userId: person.id } })).toBe(holds);
    expect((await person.get("/appointments/intake-form")).visibleText.includes("We'll finish booking")).toBe(
      holds > 0 && !("paymentMethod" in changes),
    );
    const last = await submitIntakeSteps(person);
    expect(last.headers.location).toBe("/appointments/new?again=intake");
    const { document: page, visibleText: words } = await person.follow(last);
    for (const each of ["Intake Form Submitted!", "One thing is left for your booking.", text])
      expect(words).toContain(each);
    expect(valueOf(page, "description")).toBe("Reading takes all evening.");
    expect(await db.appointment.count({ where: { userId: person.id } })).toBe(0);
  });

  test("if another family books the time after the hold expired, one click books another time, fields kept", async () => {
    const person = await family();
    const appointmentDate = nextWallTime();
    await book(person, { appointmentDate });
    await db.hold.updateMany({ where: { userId: person.id }, data: { expiresAt: NOW } });
    expect((await person.get("/appointments/intake-form")).visibleText).toContain(" is still free");
    expect((await book(maria, { appointmentDate })).status).toBe(302);
    const lost = await person.get("/appointments/intake-form?step=client");
    expect(lost.visibleText).toContain("10:00 AM is taken. Everything else you chose is saved.");
    expect(lost.document.querySelectorAll("button[name=take]").length).toBe(4);
    const last = await submitIntakeSteps(person);
    expect(last.headers.location).toBe("/appointments/new?again=intake");
    const again = await person.follow(last);
    expect(again.visibleText).toContain("is taken; everything else you chose is saved, so just pick another");
    expect(again.document.querySelector("[data-error-summary]")).toBeNull();
    expect(again.visibleText).toContain("Schedule Appointment");
    expect(valueOf(again.document, "description")).toBe("Reading takes all evening.");
    const take = again.document.querySelector("button[name=take]")?.getAttribute("value") ?? "";
    expect((await person.form("/appointments/new", { take })).headers.location).toMatch(
      /^\/appointments\/\d+\/booked$/,
    );
    const booked = await db.appointment.findFirstOrThrow({ where: { userId: person.id } });
    expect([booked.appointmentDate.toISOString(), booked.description]).toEqual([take, "Reading takes all evening."]);
  });

  test("without a booking draft, submitting the intake form returns to the appointments list", async () => {
    const person = await family();
    expect((await submitIntakeSteps(person)).headers.location).toBe("/appointments");
    expect((await person.get("/appointments")).visibleText).toContain("Intake Form Submitted!");
  });
});

test("a visit longer than its service's standard length is flagged to the family and the consultant", async () => {
  const person = await family({ intake: true, lastName: "Longwood" });
  await book(person, { title: "Hourly Consulting", duration: "90", paymentMethod: "online" });
  expect((await person.get("/appointments/pay")).visibleText).toContain("your consultant will confirm this length");
  await person.form("/appointments/pay", { intent: "in-person" });
  await book(person, { title: "Initial Consultation", duration: "90" });
  const { visibleText: words } = await person.get("/appointments");
  expect(words.split("90 minutes, your consultant will confirm this length").length).toBe(2);
  const admin = await consultant();
  expect((await admin.get("/dashboard?q=Longwood")).visibleText).toContain("90 minutes, longer than sold");
  const { id } = await db.appointment.findFirstOrThrow({ where: { userId: person.id, title: "Hourly Consulting" } });
  expect((await admin.get(`/dashboard/appointments/${id}`)).visibleText).toContain("90 minutes, longer than sold");
});

describe("choosing online payment", () => {
  test("opens the payment page without booking; choosing to pay in person there books the visit unpaid", async () => {
    const person = await family({ intake: true });
    expect((await person.get("/appointments/new")).visibleText).not.toMatch(/not (open|built) yet/);
    const response = await book(person, { paymentMethod: "online", title: "Monthly Retainer" });
    expect(response.headers.location).toBe("/appointments/pay");
    const { visibleText: words } = await person.get("/appointments/pay");
    for (const text of ["Complete Payment", "Payment Required", "Monthly Retainer", "$400", "Pay in person instead"])
      expect(words).toContain(text);
    expect(await db.appointment.count({ where: { userId: person.id } })).toBe(0);
    for (const intent of ["", "free"]) {
      expect((await person.form("/appointments/pay", { intent })).headers.location).toBe("/appointments/pay");
    }
    const { visibleText: after } = await person.follow(await person.form("/appointments/pay", { intent: "in-person" }));
    expect(after).toContain("Appointment Booked!");
    expect(
      await db.appointment.count({
        where: { userId: person.id, paymentStatus: "pending", paymentAmountCents: 40_000 },
      }),
    ).toBe(1);
  });

  test("without a booking draft, the payment page redirects to booking and its form to the list", async () => {
    const person = await family({ intake: true });
    expect((await person.get("/appointments/pay")).headers.location).toBe("/appointments/new");
    expect((await person.form("/appointments/pay", { intent: "in-person" })).headers.location).toBe("/appointments");
  });
});

describe("cancelling", () => {
  const made = async (person: Family, changes = {}) =>
    (
      await person.post("/api/appointments", {
        title: "Monthly Retainer",
        appointmentDate: "2027-04-04T14:00:00Z",
        ...changes,
      })
    ).json.id as number;

  test("shows the appointment and the terms, cancels it after confirmation, and fails a second time", async () => {
    const id = await made(maria);
    const { visibleText: words } = await maria.get(`/appointments/${id}/cancel`);
    expect(words).toMatch(/Monthly Retainer ?Sun, Apr 4, 2027 at 10:00 AM ET/);
    expect(words).toContain("Canceling is free up to 24 hours before.");
    const { visibleText: after } = await maria.follow(await maria.form(`/appointments/${id}/cancel`, {}));
    expect(after).toContain("Appointment Cancelled");
    expect(after).toContain("cancelled");
    const again = await maria.follow(await maria.form(`/appointments/${id}/cancel`, {}));
    expect(again.visibleText).toContain("Cancellation Failed");
    expect(again.visibleText).toContain("Failed to cancel appointment. This visit is already canceled.");
    expect((await maria.get(`/appointments/${id}/cancel`)).headers.location).toBe("/appointments");
  });

  test.each([
    [
      "less than 24 hours before",
      "2027-04-03T14:00:01Z",
      "our terms ask for a 50% fee: $200. You haven't paid yet, and nothing is charged here.",
    ],
    ["24 hours before", "2027-04-03T14:00:00Z", "Canceling is free"],
    ["after the start", "2027-04-04T14:30:00Z", "in full: $400."],
  ])("%s shows the fee that the terms set", async (_, moment, text) => {
    const person = await family({ intake: true });
    const id = await made(person);
    try {
      setTestClock(() => new Date(moment));
      const again = await signedInAgain(person);
      expect((await again.get(`/appointments/${id}/cancel`)).visibleText).toContain(text);
    } finally {
      setTestClock(() => NOW);
      await db.appointment.deleteMany({ where: { id } });
    }
  });

  test("another family's appointment gets 404 like an unknown id, and it stays scheduled", async () => {
    const owner = await family({ intake: true });
    const id = await made(owner, { appointmentDate: "2027-04-11T14:00:00Z" });
    const other = await family();
    for (const address of [`/appointments/${id}/cancel`, "/appointments/999999/cancel", "/appointments/abc/cancel"]) {
      expect((await other.get(address)).status).toBe(404);
      expect((await other.form(address, {})).status).toBe(404);
    }
    expect(await db.appointment.count({ where: { id, status: "scheduled" } })).toBe(1);
  });
});

/** The four sections one after the other, then the last button. */
async function submitIntakeSteps(person: Family) {
  const story = intakeForm(person);
  for (const step of ["client", "child", "concerns", "additional"]) {
    const response = await person.form(`/appointments/intake-form?step=${step}`, { ...story, intent: "continue" });
    expect([step, response.status]).toEqual([step, 302]);
  }
  return person.form("/appointments/intake-form?step=check", {});
}

async function signedInAgain(person: Family) {
  const client = visitor();
  await client.post("/api/auth/login", { email: person.email, password: person.password });
  return client;
}
