// Goal 4: is this time free? Over HTTP, beside a trivial Express answer, and over a million appointments beside a thousand.
import { peopleAt } from "../tests/support/people.ts";
import { type Kind, countAppointments, openDatabases, seedAppointments } from "./databases.ts";
import { type Running, startFloor, startProduct } from "./processes.ts";
import { isQuick, race, ratio, type Target } from "./race.ts";
import { type Finding, ofRace } from "./report.ts";

const FEW = 1_000;
const MANY = isQuick ? 100_000 : 1_000_000;
const DAY = 86_400_000;
/** Appointments fill the three weeks before this day; the three weeks after it are free. */
const BUSY_UNTIL = Math.floor(Date.now() / DAY) * DAY + 30 * DAY;
const ASKED_DAYS = 18;
/** Mixes the questions, so that any stretch of them is like the whole. */
const STRIDE = 101;
const ASKED_TIMES = ["09:00", "09:15", "10:30", "11:45", "12:00", "15:00", "15:15", "16:30", "18:45", "19:00"];
const FREE_JSON = JSON.stringify({ available: true, reason: null });

export async function availability(): Promise<Finding[]> {
  return [...(await onDatabase("SQLite")), ...(await onDatabase("PostgreSQL"))];
}

async function onDatabase(kind: Kind): Promise<Finding[]> {
  const databases = await openDatabases(kind);
  const running: Running[] = [];
  try {
    const targets: Target[] = [];
    const answers: string[][] = [];
    for (const [name, count] of [
      ["few", FEW],
      ["many", MANY],
    ] as const) {
      const url = await databases.make(name);
      await seedAppointments(url, count, BUSY_UNTIL);
      if ((await countAppointments(url)) !== count) throw new Error(`There are not ${count} appointments on ${kind}.`);
      const product = await startProduct({ DATABASE_URL: url });
      running.push(product);
      const target = await asking(name, product);
      targets.push(target);
      answers.push(await answersOf(target));
    }
    checkAnswers(answers);
    const express = await startFloor("json");
    running.push(express);
    targets.push({ name: "express", at: express, paths: ["/json"], check: isFreeAnswer });
    const { few, many, express: floor } = await race(targets);
    return [
      ofRace("4", `availability / trivial Express JSON, ${kind}`, 0.15, ratio(few!, floor!)),
      ofRace(
        "4",
        `availability, ${MANY.toLocaleString("en-US")} / ${FEW.toLocaleString("en-US")} appointments, ${kind}`,
        0.85,
        ratio(many!, few!),
      ),
    ];
  } finally {
    await Promise.all(running.map((each) => each.stop()));
    await databases.stop();
  }
}

/** A signed-in family asks about taken and free times of the six weeks around the day until which all is busy. */
async function asking(name: string, at: Running): Promise<Target> {
  const family = await peopleAt(at.origin).family();
  const cookie = [...family.cookies].map(([key, value]) => `${key}=${value}`).join("; ");
  const days = Array.from({ length: 2 * ASKED_DAYS }, (_, index) =>
    new Date(BUSY_UNTIL + (index - ASKED_DAYS) * DAY).toISOString().slice(0, 10),
  );
  const inOrder = days.flatMap((day) =>
    ASKED_TIMES.map((time) => `/api/appointments/availability?date=${day}&time=${time}&duration=15`),
  );
  const paths = inOrder.map((_, index) => inOrder[(index * STRIDE) % inOrder.length] as string);
  return {
    name,
    at,
    paths,
    headers: { Cookie: cookie },
    check: (body) => void (JSON.parse(body) as { available: boolean }).available,
  };
}

async function answersOf({ at, paths, headers }: Target): Promise<string[]> {
  const answers: string[] = [];
  for (const path of paths) {
    const answer = await fetch(at.origin + path, { headers });
    answers.push(await answer.text());
    if (answer.status !== 200) throw new Error(`${path} is answered with ${answer.status}: ${answers.at(-1)}`);
  }
  return answers;
}

/** The same questions have the same answers however many appointments there are, and not all are alike. */
function checkAnswers([few = [], many = []]: string[][]) {
  if (few.some((answer, index) => answer !== many[index]))
    throw new Error("The same question is answered otherwise over many appointments.");
  const free = few.filter((answer) => answer === FREE_JSON).length;
  const taken = few.filter((answer) => /taken|booked|someone/i.test(answer)).length;
  if (free === 0 || taken === 0)
    throw new Error(`Of ${few.length} times ${free} are free and ${taken} taken: nothing was looked up.`);
}

function isFreeAnswer(body: string) {
  if (body !== FREE_JSON) throw new Error(`Express answers ${body}`);
}
