import { createCookie, type RouterContextProvider } from "react-router";
import { db } from "../db/client.server.ts";
import { env } from "../env.server.ts";
import { DISPLAY_PREFERENCES_COOKIE } from "../http/same-origin.server.ts";
import { normalizePreferences } from "./display-preferences.ts";
import { appendCookie, getSession } from "./sessions/session.server.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

const preferencesCookie = createCookie(DISPLAY_PREFERENCES_COOKIE, {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: env.isPublic,
  maxAge: YEAR_SECONDS,
});

type Context = Readonly<RouterContextProvider>;

/** How pages shall look for whoever visits: as the account says, else as this browser was told; words, or nothing. */
export async function findDisplayPreferences(context: Context, request: Request): Promise<string> {
  const saved = getSession(context)?.comfort;
  if (saved != null) return saved;
  const fromCookie: unknown = await preferencesCookie.parse(request.headers.get("cookie")).catch(() => null);
  return typeof fromCookie === "string" ? normalizePreferences(fromCookie.split(" ")) : "";
}

/** Remembers the words: in the account, so that every device knows; for a visitor in this browser, for a year. */
export async function saveDisplayPreferences(context: Context, values: Iterable<unknown>): Promise<void> {
  const comfort = normalizePreferences(values);
  const session = getSession(context);
  if (session) await db.user.update({ where: { id: session.person.id }, data: { comfort } });
  else appendCookie(context, await preferencesCookie.serialize(comfort, comfort ? {} : { maxAge: 0 }));
}
