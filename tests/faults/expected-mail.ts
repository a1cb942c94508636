import type { ReceivedMail } from "../support/servers/smtp-server.ts";

/** The mails to the consultant of what families did; several changes can be in one. */
const CHANGES_EVENT = "visits-changed";
const HOUR_MS = 3_600_000;
/** How long before the start each reminder goes out, and how late at the latest. Source: docs/product.md, Mail. */
const REMINDERS = [
  { event: "visit-reminder-24h", leadMs: 24 * HOUR_MS, latestMs: 2 * HOUR_MS },
  { event: "visit-reminder-1h", leadMs: HOUR_MS, latestMs: HOUR_MS / 12 },
];

type LiveVisit = { to: string; start: number; since: number; isLive: boolean; reminded: Set<string> };

/**
 * What a family and the consultant are to be told of visits, by what happened to them and when; knows nothing of the
 * product's tables.
 */
export function createExpectedMail(consultant: string) {
  const messages: string[] = [];
  const visits = new Map<number, LiveVisit>();
  const tell = (event: string, { to, start }: LiveVisit) => messages.push(`${event} ${to} ${formatStart(start)}`);
  const tellConsultant = (change: string) => messages.push(`${CHANGES_EVENT} ${consultant} ${change}`);

  return {
    messages,
    registered: (to: string) => void messages.push(`account-made ${to} `),
    booked(id: number, { to, start, at }: { to: string; start: number; at: number }) {
      const visit = { to, start, since: at, isLive: true, reminded: new Set<string>() };
      visits.set(id, visit);
      tell("visit-booked", visit);
      tellConsultant(`Booked: ${formatStart(start)}`);
    },
    moved(id: number, { start, at }: { start: number; at: number }) {
      const before = visits.get(id)!.start;
      const visit = Object.assign(visits.get(id)!, { start, since: at, reminded: new Set<string>() });
      tell("visit-moved", visit);
      tellConsultant(`Moved: ${formatStart(start)} (before: ${formatStart(before)})`);
    },
    canceled(id: number) {
      const visit = Object.assign(visits.get(id)!, { isLive: false });
      tell("visit-cancelled", visit);
      tellConsultant(`Canceled: ${formatStart(visit.start)}`);
    },
    /** The time has come to `at`: the reminders that are due then. */
    clockMoved(at: number) {
      for (const visit of visits.values())
        for (const { event, leadMs, latestMs } of REMINDERS) {
          const dueAt = visit.start - leadMs;
          const isDue = visit.isLive && visit.since <= dueAt && dueAt <= at && at < visit.start - latestMs;
          if (!isDue || visit.reminded.has(event)) continue;
          visit.reminded.add(event);
          tell(event, visit);
        }
    },
  };
}

/** What did not arrive and what arrived unasked, when mails that repeat a Message-ID count once. */
export function compareMail(expected: readonly string[], received: readonly ReceivedMail[]) {
  const distinct = new Map(received.map((mail) => [mail.messageId, mail]));
  const arrived = [...distinct.values()].flatMap(describeMail);
  return {
    messages: expected.length,
    repeated: received.length - distinct.size,
    lost: subtract(expected, arrived),
    unexpected: subtract(arrived, expected),
    outOfOrder: findOutOfOrder([...distinct.values()]),
  };
}

/** Mails about a visit that arrived after one of a later state of it: a calendar file names both. */
function findOutOfOrder(received: readonly ReceivedMail[]): string[] {
  const latest = new Map<string, number>();
  return received.flatMap(({ event, to, calendar }) => {
    const uid = /^UID:(.+)$/m.exec(calendar?.text ?? "")?.[1]?.trim();
    if (uid === undefined) return [];
    const sequence = Number(/^SEQUENCE:(\d+)/m.exec(calendar?.text ?? "")?.[1]);
    const before = latest.get(`${uid} ${to}`) ?? 0;
    latest.set(`${uid} ${to}`, Math.max(before, sequence));
    return sequence < before ? [`${event} ${to} ${uid}: ${sequence} after ${before}`] : [];
  });
}

function describeMail({ event, to, text }: ReceivedMail): string[] {
  if (event === CHANGES_EVENT)
    return (text.match(/^(?:Booked|Moved|Canceled): .+$/gm) ?? []).map((change) => `${event} ${to} ${change}`);
  return [`${event} ${to} ${/^(?:When|It was on): (.+)$/m.exec(text)?.[1] ?? ""}`];
}

/** The entries of `list` without those of `other`, each as often as it is there. */
function subtract(list: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const each of other) left.set(each, (left.get(each) ?? 0) + 1);
  return list.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count <= 0;
  });
}

/** As a mail names a start: "Mon, Mar 15, 2027 at 10:00 AM ET". */
function formatStart(start: number): string {
  const zone = { timeZone: "America/New_York" } as const;
  const day = { weekday: "short", month: "short", day: "numeric", year: "numeric" } as const;
  const time = { hour: "numeric", minute: "2-digit" } as const;
  const [date, clock] = [day, time].map((parts) => new Date(start).toLocaleString("en-US", { ...zone, ...parts }));
  return `${date} at ${(clock ?? "").replaceAll("\u202f", " ")} ET`;
}
