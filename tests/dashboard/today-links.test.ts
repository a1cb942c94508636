// Proves the links of today's visits, that dialogs return to the dashboard with its filters, and which visit is first.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";

/** Friday, 10:00 AM in the practice. */
const NOW = new Date("2026-11-20T15:00:30Z");
const DASHBOARD = "/dashboard?q=alvarez&status=unpaid";

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  setTestClock(() => NOW);
  maria = await family({ firstName: "Maria", lastName: "Alvarez", intake: true });
});
beforeEach(async () => {
  await setTime(NOW);
  await db.appointment.deleteMany();
});

/** Sets the clock and signs the consultant in again, whose session ends after 15 idle minutes. */
async function setTime(time: Date) {
  setTestClock(() => time);
  admin = await consultant();
}

/** Saves a visit of Maria's on the day of NOW; `start` is the time of day in the practice. */
function bookVisit(title: string, start: string, changes: Record<string, unknown> = {}) {
  const appointmentDate = new Date(`2026-11-20T${start}:00-05:00`);
  const visit = { userId: maria.id, type: "consultation", duration: 60, paymentAmountCents: 7500 };
  return db.appointment.create({ data: { ...visit, title, appointmentDate, ...changes } });
}

/** The visits at the top of the dashboard, in order. */
async function readTop(path = "/dashboard"): Promise<Element[]> {
  const { document } = await admin.get(path);
  if (!document.querySelector(".today-current")) throw new Error("This is not the dashboard.");
  return [...document.querySelectorAll(".today-current .day-visit")];
}

/** The address of the link in a row whose text begins so. */
function hrefOf(row: Element | undefined, text: string): string {
  const link = [...(row?.querySelectorAll("a") ?? [])].find((each) => each.textContent.trim().startsWith(text));
  return link?.getAttribute("href") ?? "";
}

describe("a row of today's visits", () => {
  test("opens details, payment, intake form and move as dialogs that return to the filtered dashboard", async () => {
    const { id } = await bookVisit("Running visit", "09:30", { isLiveVideoCall: true });
    const [row] = await readTop(DASHBOARD);
    const filters = DASHBOARD.replace("/dashboard", "");
    const details = `/dashboard/appointments/${id}`;
    const dialogs = {
      "Maria Alvarez": [`${details}${filters}`, "Appointment details"],
      "$75 due": [`${details}/payment${filters}`, "Payment"],
      Intake: [
        `/dashboard/intake-form?userId=${maria.id}&${filters.slice(1)}`,
        "Intake Form Details: Leo, Maria Alvarez",
      ],
      Move: [`${details}/reschedule${filters}`, "Move"],
    };
    for (const [text, [href = "", title = ""]] of Object.entries(dialogs)) {
      expect([text, hrefOf(row, text)]).toEqual([text, href]);
      const { document, visibleText } = await admin.get(href);
      expect(document.querySelector("dialog h2")?.textContent).toContain(title);
      expect([text, document.querySelector('dialog a[aria-label="Close"]')?.getAttribute("href")]).toEqual([
        text,
        DASHBOARD,
      ]);
      expect(visibleText).toContain("1 appointment found for “alvarez”.");
    }
  });

  test("links to the video call and to a new note with this visit selected", async () => {
    const { id } = await bookVisit("Running visit", "09:30", { isLiveVideoCall: true });
    const [row] = await readTop(DASHBOARD);
    expect(hrefOf(row, "Join call now")).toBe(`/video-call/${id}`);
    const { document: call } = await admin.get(`/video-call/${id}`);
    expect(call.querySelector("h1")?.textContent).toBe("Waiting Room");
    expect(call.querySelector(`main a[href="/families/${maria.id}"]`)).not.toBeNull();
    expect(hrefOf(row, "Note")).toBe(`/families/${maria.id}?visit=${id}#new-note`);
    const { document: page } = await admin.get(`/families/${maria.id}?visit=${id}`);
    expect(page.querySelector("h1")?.textContent).toBe("Maria Alvarez");
    expect(page.querySelector("#new-note textarea")).not.toBeNull();
    expect(page.querySelector("select[name=visit] option[selected]")?.getAttribute("value")).toBe(String(id));
  });

  test("returns to the filtered dashboard after recording the payment and after finishing the visit", async () => {
    const { id } = await bookVisit("Just over", "08:30");
    const [row] = await readTop(DASHBOARD);
    const payment = await admin.form(hrefOf(row, "$75 due"), { intent: "taken", method: "cash" });
    expect(payment.headers.location).toBe(DASHBOARD);
    const [paid] = await readTop(DASHBOARD);
    expect(paid?.textContent).not.toContain("due");
    const finished = await admin.form(hrefOf(paid, "Finish visit"), { status: "completed" });
    expect(finished.headers.location).toBe(DASHBOARD);
    expect(await db.appointment.findUnique({ where: { id } })).toMatchObject({ status: "completed" });
  });
});

test("the current visit stays first after its end, until its status is set or the next visit starts", async () => {
  const { id } = await bookVisit("First visit", "09:30", { duration: 45 });
  await bookVisit("Second visit", "11:00");
  const namesAt = async (time: string) => {
    await setTime(new Date(`2026-11-20T${time}:00-05:00`));
    return (await readTop()).map((row) => /(First|Second) visit/.exec(row.textContent)?.[1]);
  };
  expect(await namesAt("09:29")).toEqual(["First"]);
  for (const time of ["09:30", "10:14", "10:15", "10:59"]) expect(await namesAt(time)).toEqual(["First", "Second"]);
  expect(await namesAt("11:00")).toEqual(["Second", "First"]);
  expect(await namesAt("20:00")).toEqual(["First", "Second"]);
  await admin.form(`/dashboard/appointments/${id}`, { status: "completed" });
  expect(await namesAt("20:01")).toEqual(["Second"]);
  expect((await admin.get("/dashboard")).cardText("Earlier today")).toContain("First visit");
});

test("the next visit that a day without visits names for the consultant is not a canceled one", async () => {
  await bookVisit("Called off", "10:00", { appointmentDate: new Date("2026-11-21T15:00Z"), status: "cancelled" });
  await bookVisit("To come", "10:00", { appointmentDate: new Date("2026-11-23T15:00Z") });
  const text = (await admin.get("/dashboard")).cardText("Today");
  expect(text).toContain("Next visit: Maria Alvarez, Mon, Nov 23, 2026 at 10:00 AM ET");
});
