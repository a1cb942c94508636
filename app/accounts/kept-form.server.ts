import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createCookie, type RouterContextProvider } from "react-router";
import { now } from "../clock.ts";
import { db } from "../db.server.ts";
import { env } from "../env.server.ts";
import { readEntries } from "../http/form.server.ts";
import type { UnsentForm } from "../ui/kept-form.tsx";
import { alsoSetCookie, findEnded, visitOf } from "./session.server.ts";

const KEPT_MINUTES = 60;
const KEPT_MS = KEPT_MINUTES * 60_000;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** As our forms name their fields. Which form it was is not known here: its page knows only its own names. */
const FIELD_NAME = /^[a-z][a-zA-Z0-9]{0,39}$/;
/** What must not wait anywhere, and what a page's own buttons add. */
const LEFT_OUT = /password|token|source|key$|^intent$/i;

/** What the row of the ended sign-in holds; base64. */
type Sealed = { sealed: string; keptAt: number };
/** What this browser's cookie holds: that sign-in, and what opens its row. */
type Key = { sid: string; key: Buffer };

const cookie = createCookie(`${env.isPublic ? "__Host-" : ""}kept`, {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: env.isPublic,
  secrets: env.sessionSecrets,
  maxAge: KEPT_MINUTES * 60,
});

/**
 * Keeps the typed words of a form that came after its sign-in had run out, for an hour, for the page at `address`.
 * It lies sealed in the row of that sign-in, which only the key in this browser's cookie opens, and is handed only to
 * the person whose sign-in it was. Files, passwords and payment tokens are left out. Says whether anything is kept.
 */
export async function keepForm(
  context: Readonly<RouterContextProvider>,
  request: Request,
  address: string,
): Promise<boolean> {
  const ended = await findEnded(request.headers.get("cookie"));
  const values = ended && (await readTyped(request));
  if (!values || Object.keys(values).length === 0) return false;
  const { sid, userId, sess } = ended;
  const key = randomBytes(KEY_BYTES);
  const kept: Sealed = { sealed: seal({ path: address, values }, key, userId), keptAt: now().getTime() };
  const row = JSON.stringify({ ...(JSON.parse(sess) as object), ...kept });
  await db.session.updateMany({ where: { sid }, data: { sess: row } });
  alsoSetCookie(context, await cookie.serialize(`${sid}.${key.toString("base64url")}`));
  return true;
}

/** Whether this browser holds the key to something kept; for whom, only the sign-in will tell. */
export async function hasKeptForm(request: Request): Promise<boolean> {
  return (await keyOf(request)) !== null;
}

/** What this person typed in this browser before the sign-in ran out, or null. */
export async function findKeptForm(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<UnsentForm | null> {
  const person = visitOf(context)?.person;
  const key = person ? await keyOf(request) : null;
  if (!person || !key) return null;
  const where = { sid: key.sid, userId: person.id, expire: { lte: now() } };
  const row = await db.session.findFirst({ where, select: { sess: true } });
  const { sealed, keptAt = 0 } = JSON.parse(row?.sess ?? "{}") as Partial<Sealed>;
  return sealed && now().getTime() - keptAt < KEPT_MS ? unseal(sealed, key.key, person.id) : null;
}

/** The same as a page's query: for pages that read their fields from the address, the query itself where nothing is kept. */
export async function keptQuery(
  context: Readonly<RouterContextProvider>,
  request: Request,
  url: URL,
): Promise<URLSearchParams> {
  const kept = await findKeptForm(context, request);
  if (kept?.path !== url.pathname + url.search) return url.searchParams;
  const query = new URLSearchParams(url.searchParams);
  for (const [name, value] of Object.entries(kept.values)) query.set(name, [value].flat()[0] ?? "");
  return query;
}

/** What was kept for the page at `address` has been sent from there now. */
export async function forgetKeptForm(
  context: Readonly<RouterContextProvider>,
  request: Request,
  address: string,
): Promise<void> {
  const kept = await findKeptForm(context, request);
  const key = kept?.path === address ? await keyOf(request) : null;
  if (!key) return;
  await db.session.deleteMany({ where: { sid: key.sid, expire: { lte: now() } } });
  alsoSetCookie(context, await cookie.serialize("", { maxAge: 0 }));
}

async function readTyped(request: Request): Promise<UnsentForm["values"] | null> {
  const entries = await readEntries(request).catch(() => null);
  if (!entries) return null;
  const texts = new Map<string, string[]>();
  for (const [name, value] of entries) {
    if (!FIELD_NAME.test(name) || LEFT_OUT.test(name)) continue;
    const same = texts.get(name);
    if (same) same.push(value);
    else texts.set(name, [value]);
  }
  return Object.fromEntries([...texts].map(([name, all]) => [name, all.length === 1 ? all[0]! : all]));
}

async function keyOf(request: Request): Promise<Key | null> {
  const text: unknown = await cookie.parse(request.headers.get("cookie")).catch(() => null);
  const [sid = "", secret = ""] = typeof text === "string" ? text.split(".") : [];
  const key = Buffer.from(secret, "base64url");
  return key.length === KEY_BYTES ? { sid, key } : null;
}

function seal(kept: UnsentForm, key: Buffer, userId: number): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(String(userId)));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(kept)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

function unseal(sealed: string, key: Buffer, userId: number): UnsentForm | null {
  const bytes = Buffer.from(sealed, "base64");
  const start = NONCE_BYTES + TAG_BYTES;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(String(userId)))
      .setAuthTag(bytes.subarray(NONCE_BYTES, start));
    return JSON.parse(
      Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]).toString(),
    ) as UnsentForm;
  } catch {
    return null;
  }
}
