// A proof rather than a measurement: 1,000 bookings of overlapping times at once leave exactly one, on each database.
import { Agent, request } from "node:http";
import { type Family, peopleAt } from "../tests/support/people.ts";
import { type Kind, countAppointments, openDatabases } from "./databases.ts";
import { startProduct } from "./processes.ts";
import { isQuick } from "./race.ts";
import { type Finding, isMet } from "./report.ts";

const BOOKINGS = 1_000;
const FAMILIES = 20;
const TIMES = isQuick ? 1 : 3;
const DAY = 86_400_000;
const DURATIONS = [60, 75, 90, 120];
const STARTS_MINUTES = [0, 5, 15, 30, 40];

type Answered = { status: number; text: string };

export async function bookings(): Promise<Finding[]> {
  return [...(await onDatabase("SQLite")), ...(await onDatabase("PostgreSQL"))];
}

async function onDatabase(kind: Kind): Promise<Finding[]> {
  const databases = await openDatabases(kind);
  const url = await databases.make("bookings");
  const product = await startProduct({ DATABASE_URL: url });
  try {
    const people = peopleAt(product.origin);
    const families: Family[] = [];
    for (let number = 0; number < FAMILIES; number += 1) families.push(await people.family({ intake: true }));
    // A connection for each booking, closed after it.
    const agent = new Agent({ keepAlive: false });

    const findings: Finding[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const slot = sundayNoon(3 + time);
      const began = performance.now();
      const answers = await Promise.all(
        Array.from({ length: BOOKINGS }, (_, index) =>
          book(agent, families[index % FAMILIES] as Family, wish(slot, index)),
        ),
      );
      const took = ((performance.now() - began) / 1000).toFixed(1);
      const statuses = Object.groupBy(answers, ({ status }) => status);
      const count = (status: number) => statuses[status]?.length ?? 0;
      const note = `in ${took} s: ${Object.entries(statuses)
        .map(([status, list]) => `${list?.length} × ${status}`)
        .join(", ")}`;
      findings.push(exactly(`${kind}: of 1,000 at once, booked`, count(201), 1, note));
      findings.push(exactly(`${kind}: told that it is taken`, count(409), BOOKINGS - 1, oddAnswer(answers)));
      const later = await book(agent, families[0] as Family, wish(slot + 4 * 3_600_000, 0));
      if (later.status !== 201) throw new Error(`${kind}: a later booking is refused: ${later.status} ${later.text}`);
    }
    findings.push(exactly(`${kind}: appointments in the database`, await countAppointments(url), 2 * TIMES));
    return worst(findings);
  } finally {
    await product.stop();
    await databases.stop();
  }
}

function exactly(what: string, value: number, wanted: number, note = ""): Finding {
  return { goal: "", what, value, atLeast: wanted, atMost: wanted, unit: "answers", isCounted: true, note };
}

/** One line a question: the round that went worst, or the last of those that went well. */
function worst(findings: Finding[]): Finding[] {
  const byQuestion = Object.groupBy(findings, ({ what }) => what);
  return Object.values(byQuestion).flatMap((list = []) => {
    const failed = list.find((finding) => !isMet(finding));
    return [failed ?? (list.at(-1) as Finding)];
  });
}

/** All of them hold the time at 12:50 of the day, so that any two overlap. */
function wish(slot: number, index: number) {
  const start = slot + (STARTS_MINUTES[index % STARTS_MINUTES.length] as number) * 60_000;
  return {
    title: "Initial Consultation",
    appointmentDate: new Date(start).toISOString(),
    duration: DURATIONS[index % DURATIONS.length] as number,
    type: "consultation",
  };
}

/** On Sundays the office is open from 9 to 19, so that four hours later is open too. */
function sundayNoon(weeks: number): number {
  const today = Math.floor(Date.now() / DAY) * DAY;
  const weekday = new Date(today).getUTCDay();
  return today + (7 - weekday + 7 * weeks) * DAY + 16 * 3_600_000;
}

function book(agent: Agent, family: Family, wished: object): Promise<Answered> {
  const { hostname, port } = new URL(family.origin);
  const headers = {
    Origin: family.origin,
    "Sec-Fetch-Site": "same-origin",
    "Content-Type": "application/json",
    Cookie: [...family.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
  };
  return send(
    agent,
    { hostname, port, path: "/api/appointments/in-person", method: "POST", headers },
    JSON.stringify(wished),
  );
}

function send(agent: Agent, options: object, body?: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = request({ ...options, agent }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text })).on("error", reject);
    });
    asked.on("error", (error) => resolve({ status: 0, text: error.message }));
    asked.end(body);
  });
}

function oddAnswer(answers: Answered[]): string {
  const odd = answers.find(({ status }) => status !== 201 && status !== 409);
  return odd ? `${odd.status}: ${odd.text.slice(0, 120)}` : "";
}
