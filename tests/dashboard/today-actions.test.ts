// Proves when today's rows offer to join and to finish a visit, and how due follow-ups are shown.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";

/** Friday, 10:00 AM in the practice. */
const START = new Date("2026-11-20T15:00:00Z");
const MINUTE_MS = 60_000;
const LINK = "https://meet.example.org/room?pwd=A%20b";

let admin: TestClient;
let maria: Family;
let noor: Family;

beforeAll(async () => {
  setTestClock(() => START);
  maria = await family({ firstName: "Maria", lastName: "Alvarez" });
  noor = await family({ firstName: "Noor", lastName: "Haddad" });
});
beforeEach(async () => {
  await setTime(0);
  await db.appointment.deleteMany();
  await db.followUp.deleteMany();
});

/** Sets the clock to so many minutes from START and signs the consultant in again, whose session ends after 15 of them. */
async function setTime(minutes: number) {
  setTestClock(() => new Date(START.getTime() + minutes * MINUTE_MS));
  admin = await consultant();
}

/** Saves a visit of Maria's at START that takes 45 minutes, by meeting link. */
function bookVisit(changes: Record<string, unknown> = {}) {
  const visit = { userId: maria.id, title: "Hourly Consulting", type: "consultation", duration: 45, meetingLink: LINK };
  return db.appointment.create({ data: { ...visit, appointmentDate: START, ...changes } });
}

/** The buttons of today's rows or of the visit's details, each with its variant. */
async function readButtons(path: string, within: string) {
  const { document } = await admin.get(path);
  const buttons = [...document.querySelectorAll(`${within} .button`)];
  return buttons.map(({ textContent, className }) => {
    const [, variant] = /button-(\w+)/.exec(className) ?? [];
    return `${variant}: ${textContent.trim()}`;
  });
}

const inRow = () => readButtons("/dashboard", ".day-visit");
const WITH = "with Maria Alvarez, 10:00 AM, today";
const OPEN = `primary: Open meeting link ${WITH} (opens in a new tab)`;
const FINISH = `Finish visit ${WITH}`;

describe("a visit today with an external meeting link", () => {
  test("shows the link from 10 minutes before the start until the end, and Finish visit from the start on", async () => {
    const { id } = await bookVisit();
    const offered: [minutes: number, buttons: string[]][] = [
      [-11, []],
      [-10, [OPEN]],
      [0, [OPEN, `secondary: ${FINISH}`]],
      [44, [OPEN, `secondary: ${FINISH}`]],
      [45, [`primary: ${FINISH}`]],
    ];
    for (const [minutes, buttons] of offered) {
      await setTime(minutes);
      expect([minutes, await inRow()]).toEqual([minutes, buttons]);
      const details = await readButtons(`/dashboard/appointments/${id}`, "dialog .actions");
      const isOpen = buttons.includes(OPEN);
      expect([minutes, details[0]?.startsWith("primary: Open meeting link with Maria Alvarez (opens")]).toEqual([
        minutes,
        isOpen,
      ]);
      expect(details.filter((each) => each.includes("Open meeting link"))).toHaveLength(isOpen ? 1 : 0);
    }
    await setTime(0);
    expect((await admin.form(`/dashboard/appointments/${id}/after`, { status: "completed" })).status).toBe(302);
    expect(await inRow()).toEqual([]);
  });

  test("opens the stored URL in a new tab with rel=noopener noreferrer", async () => {
    const { id } = await bookVisit();
    for (const path of ["/dashboard", `/dashboard/appointments/${id}`]) {
      const { document } = await admin.get(path);
      const links = [...document.querySelectorAll("a.button")].filter(({ textContent }) =>
        textContent.startsWith("Open meeting link"),
      );
      expect(links.length).toBeGreaterThan(0);
      for (const link of links)
        expect(["href", "target", "rel"].map((name) => link.getAttribute(name))).toEqual([
          LINK,
          "_blank",
          "noopener noreferrer",
        ]);
    }
  });

  test.each([
    ["cancelled", { status: "cancelled" }],
    ["a no-show", { status: "no-show" }],
    ["completed", { status: "completed" }],
    ["in person", { meetingLink: null }],
    ["by video on this site", { isLiveVideoCall: true }],
    ["at an address that is a script", { meetingLink: "javascript:alert(1)" }],
    ["at an address that is no web page", { meetingLink: "Call me at 555-0112" }],
  ])("shows no meeting link when the visit is %s", async (_, changes) => {
    const { id } = await bookVisit(changes);
    for (const path of ["/dashboard", `/dashboard/appointments/${id}`])
      expect((await admin.get(path)).text).not.toContain("Open meeting link");
  });

  test("shows its URL to no other family, and no link button on its own family's dashboard", async () => {
    const { id } = await bookVisit();
    for (const path of ["/dashboard", "/appointments", `/dashboard/appointments/${id}`, "/dashboard/latest?refresh"]) {
      const { text } = await noor.get(path);
      expect([path, text.includes("meet.example.org")]).toEqual([path, false]);
    }
    const ownDashboard = await maria.get("/dashboard");
    expect(ownDashboard.text).not.toContain("Open meeting link");
    expect((await maria.get(`/dashboard/appointments/${id}`)).text).not.toContain("Open meeting link");
  });
});

describe("a visit today", () => {
  test("has Finish visit in its row from its start on, by video and in person", async () => {
    await bookVisit({ isLiveVideoCall: true, meetingLink: null });
    expect(await inRow()).toEqual([`primary: Join call now ${WITH}`, `secondary: ${FINISH}`]);
    await db.appointment.updateMany({ data: { isLiveVideoCall: false } });
    expect(await inRow()).toEqual([`secondary: ${FINISH}`]);
    await setTime(-1);
    expect(await inRow()).toEqual([]);
  });

  test("marked no-show has no call link in its row; its details link to the call while the room is open", async () => {
    const { id } = await bookVisit({ isLiveVideoCall: true, meetingLink: null, status: "no-show" });
    await bookVisit({ appointmentDate: new Date(START.getTime() + 60 * MINUTE_MS), meetingLink: null });
    expect(await inRow()).toEqual([]);
    const { document } = await admin.get(`/dashboard/appointments/${id}`);
    const room = [...document.querySelectorAll(`dialog a[href="/video-call/${id}"]`)];
    expect(room.map(({ textContent }) => textContent.trim())).toEqual(["Reopen the call"]);
    await setTime(76);
    const later = await admin.get(`/dashboard/appointments/${id}`);
    expect(later.document.querySelector('dialog a[href^="/video-call/"]')).toBeNull();
  });
});

test("a due follow-up shows how many days late it is and its text without the date; later ones are not listed", async () => {
  const rows = [
    ["Call the school about the bus", "2026-11-18"],
    ["Write to the clinic", "2026-11-19"],
    ["Send the plan", "2026-11-20"],
    ["Not yet", "2026-11-21"],
  ] as const;
  for (const [text, dueDay] of rows)
    await db.followUp.create({ data: { userId: maria.id, text, dueDay, isShared: false, createdAt: START } });
  const { document } = await admin.get("/dashboard");
  const shown = [...document.querySelectorAll(".attention-row")].map((row) => [
    row.querySelector(".badge")?.textContent,
    row.querySelector("p > .clip-2")?.textContent,
  ]);
  expect(shown).toEqual([
    ["2 days late", "Call the school about the bus"],
    ["1 day late", "Write to the clinic"],
    ["due today", "Send the plan"],
  ]);
});
