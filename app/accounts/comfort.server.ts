import { createCookie, type RouterContextProvider } from "react-router";
import { db } from "../db.server.ts";
import { env } from "../env.server.ts";
import { DISPLAY_PREFERENCES_COOKIE } from "../http/own-site.server.ts";
import { comfortOf } from "./comfort.ts";
import { alsoSetCookie, visitOf } from "./session.server.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

const cookie = createCookie(DISPLAY_PREFERENCES_COOKIE, {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: env.isPublic,
  maxAge: YEAR_SECONDS,
});

type Context = Readonly<RouterContextProvider>;

/** How pages shall look for whoever visits: as the account says, else as this browser was told; words, or nothing. */
export async function findComfort(context: Context, request: Request): Promise<string> {
  const chosen = visitOf(context)?.comfort;
  if (chosen != null) return chosen;
  const told: unknown = await cookie.parse(request.headers.get("cookie")).catch(() => null);
  return typeof told === "string" ? comfortOf(told.split(" ")) : "";
}

/** Remembers the words: in the account, so that every device knows; for a visitor in this browser, for a year. */
export async function saveComfort(context: Context, words: Iterable<unknown>): Promise<void> {
  const comfort = comfortOf(words);
  const visit = visitOf(context);
  if (visit) await db.user.update({ where: { id: visit.person.id }, data: { comfort } });
  else alsoSetCookie(context, await cookie.serialize(comfort, comfort ? {} : { maxAge: 0 }));
}
