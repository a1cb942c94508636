import { copyDatabase } from "../support/database/copy-database.ts";
import { freePort } from "../support/free-port.ts";
import type { Family } from "../support/people.ts";
import { startServer } from "../support/servers/server-process.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { adminEmail } from "../support/test-environment.ts";
import { compareMail, createExpectedMail } from "./expected-mail.ts";
import { type PlannedVisit, planVisits } from "./mail-plan.ts";
import { seededRandom } from "./seeded-random.ts";

export type MailRun = {
  template: string;
  visits: number;
  families: number;
  /** Server processes on the one database. */
  processes: number;
  /** How often a process is killed while it delivers, at a moment chosen by chance. */
  kills: number;
  seed: number;
};

type Site = Awaited<ReturnType<typeof startServer>> & { control: string };

/** A Friday noon in the practice. Two days later its clocks go forward. */
const FROM = Date.parse("2027-03-12T17:00:00Z");
const HOUR_MS = 3_600_000;
/** A family's session ends after 24 hours without activity, and after 7 days. */
const ACTIVE_EVERY_MS = 12 * HOUR_MS;
const SIGN_IN_EVERY_MS = 6 * 24 * HOUR_MS;
const MAX_ROUNDS = 300;
const REFUSED_FOR_NOW = 451;

/**
 * Families book, move and cancel over a week whose clock is moved, while the mail server refuses every third delivery and
 * processes are killed as they deliver; then what has arrived is compared with what was to arrive.
 */
export async function runMail(run: MailRun) {
  const random = seededRandom(run.seed);
  const smtp = await startSmtpServer();
  const folder = temporaryFolder("mail-run");
  const databaseUrl = await copyDatabase(run.template, folder);
  const expected = createExpectedMail(adminEmail);
  const visits = planVisits({ visits: run.visits, families: run.families, from: FROM }, random);
  const counts = { refused: 0, kills: 0, steps: 0, hurried: 0 };
  let clock = FROM - HOUR_MS;
  let isDelivering = false;
  /** Indices of the processes that are being killed. */
  const victims = new Set<number>();
  const chanceOfKill = (2 * run.kills) / (run.visits * 6);

  const sites = await Promise.all(Array.from({ length: run.processes }, () => startSite()));

  async function startSite(earlier?: Site): Promise<Site> {
    const port = earlier ? new URL(earlier.control).port : String(await freePort());
    const address: Record<string, string> = earlier
      ? { PORT: earlier.environment.PORT, APP_ORIGIN: earlier.environment.APP_ORIGIN }
      : {};
    const overrides = {
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      SMTP_URL: smtp.url,
      CLOCK: String(clock),
      CONTROL_PORT: port,
      ...address,
    };
    const site = await startServer({ overrides, script: "tests/faults/server-with-clock.ts" });
    return Object.assign(site, { control: `http://127.0.0.1:${port}` });
  }

  smtp.refuse = ({ number }) => {
    if (killByChance()) return REFUSED_FOR_NOW;
    if (number % 3 !== 0) return null;
    counts.refused += 1;
    return REFUSED_FOR_NOW;
  };
  // The mail server has the message; whether the process hears so before it dies is chance, too.
  smtp.onAccepted = () => void killByChance();

  function killByChance(): boolean {
    if (!isDelivering || counts.kills >= run.kills || random.chance() > chanceOfKill) return false;
    const victim = Math.floor(random.chance() * sites.length);
    if (victims.has(victim)) return false;
    victims.add(victim);
    counts.kills += 1;
    setTimeout(() => sites[victim]?.kill("SIGKILL"), random.chance() < 0.5 ? 0 : random.chance() * 4);
    return true;
  }

  /** Starts another process in the place of each that was killed. */
  async function replaceVictims(): Promise<void> {
    await Promise.all(
      [...victims].map(async (index) => {
        await sites[index]!.ended;
        sites[index] = await startSite(sites[index]);
      }),
    );
    victims.clear();
  }

  /** A command to one process; null when it dies of it. */
  async function send(site: Site, command: string): Promise<{ next: number | null } | null> {
    const response = await fetch(`${site.control}${command}?at=${clock}`).catch(() => null);
    if (response && !response.ok) throw new Error(`${command}: ${await response.text()}`);
    return response && ((await response.json()) as { next: number | null });
  }

  const sendAll = (command: string) => Promise.all(sites.map((site) => send(site, command)));

  /** Delivers what is due now; what is refused waits. */
  async function deliverOnce(): Promise<void> {
    expected.clockMoved(clock);
    isDelivering = true;
    const answers = await sendAll("/tick");
    isDelivering = false;
    if (answers.filter((answer) => answer === null).length > victims.size) throw new Error("A process died.");
    await replaceVictims();
  }

  /** Moves the clock to `at`, then on from attempt to attempt until nothing waits to be delivered. */
  async function settle(at: number): Promise<void> {
    clock = Math.max(clock, at);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await deliverOnce();
      const { next = null } = (await send(sites[0]!, "/next")) ?? {};
      if (next === null) return;
      clock = Math.max(clock, next);
    }
    throw new Error("Mail still waits to be delivered.");
  }

  const families = await registerAll(sites, run.families);
  for (const { email } of families) expected.registered(email);
  const activity = new Map(families.map((family) => [family, { signedInAt: clock, activeAt: clock }]));

  async function stayActive(family: Family): Promise<void> {
    const times = activity.get(family)!;
    if (clock - times.activeAt < ACTIVE_EVERY_MS) return;
    times.activeAt = clock;
    const { email, password } = family;
    if (clock - times.signedInAt < SIGN_IN_EVERY_MS) return expectStatus(200, await family.get("/api/auth/me"));
    times.signedInAt = clock;
    expectStatus(200, await family.post("/api/auth/login", { email, password }));
  }

  const ids = new Map<PlannedVisit, number>();
  const familyOf = (visit: PlannedVisit) => families[visit.family]!;

  async function book(visit: PlannedVisit): Promise<void> {
    const [start = 0] = visit.starts;
    const fields = { title: "Hourly Consulting", type: "emergency", duration: 15, appointmentDate: iso(start) };
    const response = await familyOf(visit).post("/api/appointments/in-person", fields);
    expectStatus(201, response);
    ids.set(visit, response.json.id);
    expected.booked(response.json.id, { to: familyOf(visit).email, start, at: clock });
  }

  async function move(visit: PlannedVisit): Promise<void> {
    const [id, start] = [ids.get(visit)!, visit.starts[1]!];
    const family = familyOf(visit);
    const headers = { Origin: family.origin, "Content-Type": "application/json" };
    const body = JSON.stringify({ appointmentDate: iso(start) });
    expectStatus(200, await family.request("PATCH", `/api/appointments/${id}`, { headers, body }));
    expected.moved(id, { start, at: clock });
  }

  async function cancel(visit: PlannedVisit): Promise<void> {
    expectStatus(200, await familyOf(visit).delete(`/api/appointments/${ids.get(visit)!}`));
    expected.canceled(ids.get(visit)!);
  }

  for (const [at, step] of stepsOf(visits)) {
    counts.steps += 1;
    await settle(at);
    for (const family of families) await stayActive(family);
    await Promise.all(step.book.map(book));
    const changes = [...step.move, ...step.cancel];
    const hurried = changes.filter(({ bookAt }) => bookAt === at);
    counts.hurried += hurried.length;
    if (hurried.length > 0) await deliverOnce();
    await Promise.all([...step.move.map(move), ...step.cancel.map(cancel)]);
    if (step.book.length + changes.length > 0) await settle(at);
  }
  // The consultant's mail of the last hour.
  await settle(clock + HOUR_MS);

  for (const site of sites) site.kill("SIGTERM");
  await Promise.all(sites.map(({ ended }) => ended));
  await smtp.stop();
  const days = Math.round((clock - FROM) / (24 * HOUR_MS));
  return { ...compareMail(expected.messages, smtp.mails), ...counts, attempts: smtp.attempts, days };
}

async function registerAll(sites: Site[], count: number): Promise<Family[]> {
  const families: Family[] = [];
  // Another password than that of the tests' ready-made accounts: each registers as everybody does.
  const password = "three rivers and a bridge";
  for (let number = 0; number < count; number += 1)
    families.push(await sites[number % sites.length]!.family({ intake: true, password }));
  return families;
}

type Step = Record<"book" | "move" | "cancel", PlannedVisit[]>;

/** What happens at each instant, in order; at some of them only reminders are due. */
function stepsOf(visits: readonly PlannedVisit[]): [at: number, step: Step][] {
  const steps = new Map<number, Step>();
  const at = (instant: number) => {
    const step = steps.get(instant) ?? { book: [], move: [], cancel: [] };
    steps.set(instant, step);
    return step;
  };
  for (const visit of visits) {
    at(visit.bookAt).book.push(visit);
    if (visit.moveAt !== undefined) at(visit.moveAt).move.push(visit);
    if (visit.cancelAt !== undefined) at(visit.cancelAt).cancel.push(visit);
    for (const start of visit.starts) for (const hours of [24, 1]) at(start - hours * HOUR_MS);
  }
  return [...steps].filter(([instant]) => instant >= FROM).sort(([one], [other]) => one - other);
}

const iso = (instant: number) => new Date(instant).toISOString();

function expectStatus(status: number, response: { status: number; text: string }): void {
  if (response.status !== status)
    throw new Error(`${response.status} instead of ${status}: ${response.text.slice(0, 300)}`);
}
