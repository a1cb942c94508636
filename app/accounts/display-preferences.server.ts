import { familyIdOf } from "./person.ts";
import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { createCookie, type RouterContextProvider } from "react-router";
import { inTransaction } from "../db/database-client.server.ts";
import { DAY_SECONDS } from "../time-units.ts";
import { env } from "../env.server.ts";
import { DISPLAY_PREFERENCES_COOKIE } from "../http/request-cookies.server.ts";
import { normalizePreferences } from "./display-preferences.ts";
import { appendCookie, getPossiblyRestrictedSession } from "./sessions/session.server.ts";

const YEAR_SECONDS = 365 * DAY_SECONDS;

const preferencesCookie = createCookie(DISPLAY_PREFERENCES_COOKIE, {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: env.isPublic,
  maxAge: YEAR_SECONDS,
});

type Context = Readonly<RouterContextProvider>;

/**
 * Returns the display preferences of the account, otherwise those of the browser's cookie, as space-separated values.
 * Empty if none are set.
 */
export async function findDisplayPreferences(context: Context, request: Request): Promise<string> {
  const saved = getPossiblyRestrictedSession(context)?.displayPreferences;
  if (saved != null) return saved;
  const fromCookie: unknown = await preferencesCookie.parse(request.headers.get("cookie")).catch(() => null);
  return typeof fromCookie === "string" ? normalizePreferences(fromCookie.split(" ")) : "";
}

/** Saves display preferences in the account or, for a visitor, in a cookie for one year. */
export async function saveDisplayPreferences(context: Context, values: Iterable<unknown>): Promise<void> {
  const displayPreferences = normalizePreferences(values);
  const session = getPossiblyRestrictedSession(context);
  if (session) {
    const { id } = session.person;
    await inTransaction(async (transaction) => {
      await transaction.user.update({ where: { id }, data: { displayPreferences } });
      recordAuditInTransaction(transaction, {
        action: "settings-changed",
        familyId: familyIdOf(session.person),
        objectId: id,
      });
    });
  } else
    appendCookie(
      context,
      await preferencesCookie.serialize(displayPreferences, displayPreferences ? {} : { maxAge: 0 }),
    );
}
