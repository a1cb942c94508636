// A correctness check rather than a measurement: of 1,000 concurrent overlapping bookings exactly one succeeds.
import { Agent, request } from "node:http";
import { type Family, createPeople } from "../tests/support/people.ts";
import { type DatabaseKind, countAppointments, openDatabases } from "./databases.ts";
import { startProduct } from "./processes.ts";
import { isQuick } from "./compare-rates.ts";
import { type Finding, isMet } from "./report.ts";

const BOOKINGS = 1_000;
const FAMILIES = 20;
const ROUNDS = isQuick ? 1 : 3;
const DAY_MS = 86_400_000;
const DURATIONS = [60, 75, 90, 120];
const STARTS_MINUTES = [0, 5, 15, 30, 40];

type BookingResponse = { status: number; text: string };

export async function concurrentBookings(): Promise<Finding[]> {
  return [...(await checkOnDatabase("SQLite")), ...(await checkOnDatabase("PostgreSQL"))];
}

async function checkOnDatabase(kind: DatabaseKind): Promise<Finding[]> {
  const databases = await openDatabases(kind);
  const url = await databases.create("bookings");
  const product = await startProduct({ DATABASE_URL: url });
  try {
    const people = createPeople(product.origin);
    const families: Family[] = [];
    for (let number = 0; number < FAMILIES; number += 1) families.push(await people.family({ intake: true }));
    // A new connection for each booking.
    const agent = new Agent({ keepAlive: false });

    const findings: Finding[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const slot = sundayNoon(3 + round);
      const startedAt = performance.now();
      const responses = await Promise.all(
        Array.from({ length: BOOKINGS }, (_, index) =>
          postBooking(agent, families[index % FAMILIES] as Family, bookingRequest(slot, index)),
        ),
      );
      const elapsedSeconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      const statuses = Object.groupBy(responses, ({ status }) => status);
      const count = (status: number) => statuses[status]?.length ?? 0;
      const note = `in ${elapsedSeconds} s: ${Object.entries(statuses)
        .map(([status, list]) => `${list?.length} × ${status}`)
        .join(", ")}`;
      findings.push(exactFinding(`${kind}: of 1,000 concurrent bookings, created`, count(201), 1, note));
      findings.push(exactFinding(`${kind}: refused as taken`, count(409), BOOKINGS - 1, unexpectedResponse(responses)));
      const later = await postBooking(agent, families[0] as Family, bookingRequest(slot + 4 * 3_600_000, 0));
      if (later.status !== 201) throw new Error(`${kind}: a later booking is refused: ${later.status} ${later.text}`);
    }
    findings.push(exactFinding(`${kind}: appointments in the database`, await countAppointments(url), 2 * ROUNDS));
    return worstOfEach(findings);
  } finally {
    await product.stop();
    await databases.stop();
  }
}

function exactFinding(label: string, value: number, expected: number, note = ""): Finding {
  return { goal: "", label, value, atLeast: expected, atMost: expected, unit: "responses", isCounted: true, note };
}

/** One finding per label: a round that failed, or else the last one. */
function worstOfEach(findings: Finding[]): Finding[] {
  const byLabel = Object.groupBy(findings, ({ label }) => label);
  return Object.values(byLabel).flatMap((list = []) => {
    const failed = list.find((finding) => !isMet(finding));
    return [failed ?? (list.at(-1) as Finding)];
  });
}

/** Every booking of a slot contains the minute 12:50, so any two overlap. */
function bookingRequest(slot: number, index: number) {
  const start = slot + (STARTS_MINUTES[index % STARTS_MINUTES.length] as number) * 60_000;
  return {
    title: "Initial Consultation",
    appointmentDate: new Date(start).toISOString(),
    duration: DURATIONS[index % DURATIONS.length] as number,
    type: "consultation",
  };
}

/** 16:00 UTC, noon or 11:00 in the practice: Sunday hours are 9:00 to 19:00, so four hours later is bookable too. */
function sundayNoon(weeks: number): number {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const weekday = new Date(today).getUTCDay();
  return today + (7 - weekday + 7 * weeks) * DAY_MS + 16 * 3_600_000;
}

function postBooking(agent: Agent, family: Family, body: object): Promise<BookingResponse> {
  const { hostname, port } = new URL(family.origin);
  const headers = {
    Origin: family.origin,
    "Sec-Fetch-Site": "same-origin",
    "Content-Type": "application/json",
    Cookie: [...family.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
  };
  return sendRequest(
    agent,
    { hostname, port, path: "/api/appointments/in-person", method: "POST", headers },
    JSON.stringify(body),
  );
}

function sendRequest(agent: Agent, options: object, body?: string): Promise<BookingResponse> {
  return new Promise((resolve, reject) => {
    const clientRequest = request({ ...options, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text })).on("error", reject);
    });
    clientRequest.on("error", (error) => resolve({ status: 0, text: error.message }));
    clientRequest.end(body);
  });
}

function unexpectedResponse(responses: BookingResponse[]): string {
  const unexpected = responses.find(({ status }) => status !== 201 && status !== 409);
  return unexpected ? `${unexpected.status}: ${unexpected.text.slice(0, 120)}` : "";
}
