// The product as a process of its own whose clock a test moves: a request to CONTROL_PORT names the time, and does what the
// jobs for reminders and mail do then. Everything else, the jobs' own timers too, runs as it always does.
import { createServer } from "node:http";

type Build = { entry: { module: typeof import("../../app/entry.server.tsx") } };

const buildUrl = new URL("../../build/server/index.js", import.meta.url).href;
const { testing } = ((await import(buildUrl)) as Build).entry.module;
let time = Number(process.env.CLOCK);
testing.setTestClock(() => new Date(time));

async function handle(command: string, at: number): Promise<{ next: number | null }> {
  if (command === "/next") return { next: await findNextAttempt() };
  time = at;
  if (command === "/tick") {
    await testing.writeVisitReminders();
    await testing.deliverDueMessages();
  }
  return { next: null };
}

/**
 * When the next message is due that was refused or is due already, in ms since 1970; null when there is none. One that
 * gathers what happens within an hour is not waited for; one about a visit waits for the earlier ones of its account.
 */
async function findNextAttempt(): Promise<number | null> {
  const where = { state: "pending", OR: [{ attempts: { gt: 0 } }, { nextAttemptAt: { lte: new Date(time) } }] };
  const select = { userId: true, appointmentId: true, nextAttemptAt: true };
  const rows = await testing.db.message.findMany({ where, orderBy: { id: "asc" }, select });
  const isFirst = ({ userId, appointmentId }: (typeof rows)[number], index: number) =>
    appointmentId === null || rows.findIndex((row) => row.appointmentId !== null && row.userId === userId) === index;
  const times = rows.filter(isFirst).map(({ nextAttemptAt }) => nextAttemptAt.getTime());
  return times.length === 0 ? null : Math.min(...times);
}

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://control");
  handle(pathname, Number(searchParams.get("at"))).then(
    (answer) => response.end(JSON.stringify(answer)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(process.env.CONTROL_PORT), "127.0.0.1");

await import("../../server.ts");
