import { randomBytes } from "node:crypto";
import Database from "better-sqlite3";
import { TERMS_VERSION } from "../../app/practice/site-content.ts";

type Fields = { email: string; firstName: string; lastName: string };
type Testing = typeof import("../../app/process/test-exports.server.ts");

/**
 * Writes accounts and sessions as registration and sign-in do, without the 150 ms of CPU time of a password's hash.
 * `startSession` returns the Set-Cookie values of the sign-in; `isFirst` is the session that begins with registration.
 */
export type Accounts = {
  createFamily: (fields: Fields) => Promise<number>;
  startSession: (email: string, options?: { isFirst?: true }) => Promise<string[]>;
};

export const familyPassword = "rain on the tin roof";
/** Whoever was written directly can sign in, too, at a bcrypt cost that takes a millisecond. */
const FAMILY_PASSWORD_HASH = "$2b$04$Zpqm7nUjIaDqZitTkOlJjuFR5YmGLfBosd3tWCRs4GAWzC7hbYnrG";

/** On the site of this process. */
export function accountsOfSite({ db, createSession, signInCookies }: Testing): Accounts {
  return {
    createFamily: async (fields) => {
      const data = { ...fields, password: FAMILY_PASSWORD_HASH, termsVersion: TERMS_VERSION };
      return (await db.user.create({ data, select: { id: true } })).id;
    },
    startSession: async (email, options = {}) => {
      const person = await db.user.findUniqueOrThrow({ where: { email } });
      const session = await createSession(person, options);
      if (!session) throw new Error(`${email} could not be signed in.`);
      return signInCookies(session, null);
    },
  };
}

const DAY_MS = 86_400_000;

/** On the SQLite database of a process of its own, which is not public: its cookie has no prefix. */
export function accountsInDatabase(url: string, secret: string): Accounts {
  const query = (sql: string, values: unknown[]) => {
    const database = new Database(url.slice("file:".length), { fileMustExist: true });
    try {
      return database.prepare(sql).get(...values) as { id: number } | undefined;
    } finally {
      database.close();
    }
  };
  return {
    createFamily: async ({ email, firstName, lastName }) => {
      const time = Date.now();
      const row = query(
        `INSERT INTO users (email, password, "firstName", "lastName", "createdAt", "updatedAt", "termsVersion")
         VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
        [email, FAMILY_PASSWORD_HASH, firstName, lastName, time, time, TERMS_VERSION],
      );
      if (!row) throw new Error(`${email} was not written.`);
      return row.id;
    },
    startSession: async (email, options) => {
      const sid = randomBytes(32).toString("base64url");
      const time = Date.now();
      const sess = JSON.stringify({ signedInAt: time, activeAt: time, notices: [], ...options });
      const row = query(
        `INSERT INTO sessions (sid, sess, expire, "userId")
         SELECT ?, ?, ? + CASE WHEN "isAdmin" THEN ? ELSE ? END, id FROM users WHERE email = ? RETURNING "userId" AS id`,
        [sid, sess, time, DAY_MS / 96, DAY_MS, email],
      );
      if (!row) throw new Error(`${email} could not be signed in.`);
      // Only tests with a process of its own need the library, whose import takes 0.1 s of CPU time.
      const { createCookie } = await import("react-router");
      return [await createCookie("session", { path: "/", secrets: [secret] }).serialize(sid)];
    },
  };
}
