import { createDatabaseClient } from "../../app/db/database-client.server.ts";
import type { TestClient } from "../support/http-client.ts";
import type { startServer } from "../support/servers/server-process.ts";
import type { Role } from "./request-inputs.ts";

export type Site = Awaited<ReturnType<typeof startServer>>;
export type People = Awaited<ReturnType<typeof createFuzzerAccounts>>;

/** Weekdays from here on are booked one after the other, each at ten. */
const FIRST_VISIT = Date.parse("2027-01-04T15:00:00Z");
const DAY_MS = 86_400_000;
const DAYS = 600;
/** Shorter than any session may last without a request. */
const SESSION_MS = 600_000;
const MAX_TRIES = 20;

/**
 * A family with something in every list, the consultant, and a family whose sign-in has run out. A session that a
 * request ended is restored in the database: signing in anew would hash a password for every few dozen requests.
 */
export async function createFuzzerAccounts(site: Site) {
  const family = await site.family({ intake: true });
  const consultant = await site.consultant();
  const ended = await site.family();
  const clients: Record<Role, TestClient> = { visitor: site.visitor(), family, consultant, ended };
  const database = await createDatabaseClient(site.environment.DATABASE_URL);
  let days = 0;
  let latestVisit = 1;

  const book = async () => {
    for (let tries = 0; tries < 7; tries += 1) {
      const appointmentDate = new Date(FIRST_VISIT + (days++ % DAYS) * DAY_MS).toISOString();
      const visit = { title: "Initial Consultation", duration: 60, isLiveVideoCall: true, appointmentDate };
      const response = await family.clone().post("/api/appointments", visit);
      if (response.status === 201) return void (latestVisit = response.json.id);
    }
  };
  await book();
  await book();
  const request = { firstName: "Ada", lastName: "Kim", email: "ada@example.com", serviceNeeds: "IEP", consent: true };
  await family.post("/api/consultation-requests", request);
  await consultant.form(`/families/${family.id}`, { text: "Called." });
  await database.session.updateMany({ where: { userId: ended.id }, data: { expire: new Date(Date.now() - 60_000) } });
  const sessions = await database.session.findMany({ where: { userId: { not: ended.id } } });

  const isSignedIn = async (role: Role) => (await clients[role].clone().get("/api/auth/me")).status === 200;
  const restore = async (role: Role) => {
    // Another request that is under way may end it again at once.
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      if (await isSignedIn(role)) return;
      await database.user.updateMany({ where: { id: family.id }, data: { closedAt: null, eraseAfter: null } });
      for (const row of sessions) {
        const session = { ...row, ...renewed(row.sess) };
        await database.session.upsert({ where: { sid: row.sid }, create: session, update: session });
      }
    }
    throw new Error(`The session of the ${role} can't be restored.`);
  };
  let restoring = Promise.resolve();
  return {
    clients,
    /** The visit that was booked last: the earlier ones get cancelled, moved and deleted. */
    latestVisit: () => latestVisit,
    /** Somebody signed out, changed a password, closed an account or asked for its erasure. */
    restore: (role: Role) => {
      if (role === "family" || role === "consultant") restoring = restoring.then(() => restore(role));
      return restoring;
    },
    book,
    close: () => database.$disconnect(),
  };
}

/** A session's data as if its person had signed in just now. */
function renewed(sess: string) {
  const time = Date.now();
  const data = { ...(JSON.parse(sess) as object), signedInAt: time, activeAt: time };
  return { sess: JSON.stringify(data), expire: new Date(time + SESSION_MS) };
}
