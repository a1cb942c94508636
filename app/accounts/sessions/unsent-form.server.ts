import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createCookie, type RouterContextProvider } from "react-router";
import { now } from "../../clock.ts";
import { db } from "../../db/client.server.ts";
import { env } from "../../env.server.ts";
import { readEntries } from "../../http/form.server.ts";
import type { UnsentForm } from "../../ui/unsent-form.tsx";
import { appendCookie, findExpiredSession, getSession } from "./session.server.ts";

const LIFETIME_MINUTES = 60;
const LIFETIME_MS = LIFETIME_MINUTES * 60_000;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** As our forms name their fields. Which form it was is not known here: its page knows only its own names. */
const FIELD_NAME = /^[a-z][a-zA-Z0-9]{0,39}$/;
/** What must not wait anywhere, and what a page's own buttons add. */
const EXCLUDED_FIELDS = /password|token|source|key$|^intent$/i;

/** What the row of the ended sign-in holds; base64. */
type StoredForm = { sealed: string; keptAt: number };
/** What this browser's cookie holds: that sign-in, and what opens its row. */
type FormKey = { sid: string; key: Buffer };

const formKeyCookie = createCookie(`${env.isPublic ? "__Host-" : ""}kept`, {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: env.isPublic,
  secrets: env.sessionSecrets,
  maxAge: LIFETIME_MINUTES * 60,
});

/**
 * Keeps the typed words of a form that came after its sign-in had run out, for an hour, for the page at `address`.
 * It lies sealed in the row of that sign-in, which only the key in this browser's cookie opens, and is handed only to
 * the person whose sign-in it was. Files, passwords and payment tokens are left out. Says whether anything is kept.
 */
export async function saveUnsentForm(
  context: Readonly<RouterContextProvider>,
  request: Request,
  path: string,
): Promise<boolean> {
  const expiredSession = await findExpiredSession(request.headers.get("cookie"));
  const values = expiredSession && (await readTextFields(request));
  if (!values || Object.keys(values).length === 0) return false;
  const { sid, userId, sess } = expiredSession;
  const key = randomBytes(KEY_BYTES);
  const stored: StoredForm = { sealed: encrypt({ path: path, values }, key, userId), keptAt: now().getTime() };
  const row = JSON.stringify({ ...(JSON.parse(sess) as object), ...stored });
  await db.session.updateMany({ where: { sid }, data: { sess: row } });
  appendCookie(context, await formKeyCookie.serialize(`${sid}.${key.toString("base64url")}`));
  return true;
}

/** Whether this browser holds the key to something kept; for whom, only the sign-in will tell. */
export async function hasUnsentForm(request: Request): Promise<boolean> {
  return (await readFormKey(request)) !== null;
}

/** What this person typed in this browser before the sign-in ran out, or null. */
export async function findUnsentForm(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<UnsentForm | null> {
  const person = getSession(context)?.person;
  const formKey = person ? await readFormKey(request) : null;
  if (!person || !formKey) return null;
  const where = { sid: formKey.sid, userId: person.id, expire: { lte: now() } };
  const row = await db.session.findFirst({ where, select: { sess: true } });
  const { sealed, keptAt = 0 } = JSON.parse(row?.sess ?? "{}") as Partial<StoredForm>;
  return sealed && now().getTime() - keptAt < LIFETIME_MS ? decrypt(sealed, formKey.key, person.id) : null;
}

/** The same as a page's query: for pages that read their fields from the address, the query itself where nothing is kept. */
export async function prefillQuery(
  context: Readonly<RouterContextProvider>,
  request: Request,
  url: URL,
): Promise<URLSearchParams> {
  const unsentForm = await findUnsentForm(context, request);
  if (unsentForm?.path !== url.pathname + url.search) return url.searchParams;
  const query = new URLSearchParams(url.searchParams);
  for (const [name, value] of Object.entries(unsentForm.values)) query.set(name, [value].flat()[0] ?? "");
  return query;
}

/** What was kept for the page at `address` has been sent from there now. */
export async function discardUnsentForm(
  context: Readonly<RouterContextProvider>,
  request: Request,
  path: string,
): Promise<void> {
  const unsentForm = await findUnsentForm(context, request);
  const formKey = unsentForm?.path === path ? await readFormKey(request) : null;
  if (!formKey) return;
  await db.session.deleteMany({ where: { sid: formKey.sid, expire: { lte: now() } } });
  appendCookie(context, await formKeyCookie.serialize("", { maxAge: 0 }));
}

async function readTextFields(request: Request): Promise<UnsentForm["values"] | null> {
  const entries = await readEntries(request).catch(() => null);
  if (!entries) return null;
  const texts = new Map<string, string[]>();
  for (const [name, value] of entries) {
    if (!FIELD_NAME.test(name) || EXCLUDED_FIELDS.test(name)) continue;
    const same = texts.get(name);
    if (same) same.push(value);
    else texts.set(name, [value]);
  }
  return Object.fromEntries([...texts].map(([name, all]) => [name, all.length === 1 ? all[0]! : all]));
}

async function readFormKey(request: Request): Promise<FormKey | null> {
  const text: unknown = await formKeyCookie.parse(request.headers.get("cookie")).catch(() => null);
  const [sid = "", encodedKey = ""] = typeof text === "string" ? text.split(".") : [];
  const key = Buffer.from(encodedKey, "base64url");
  return key.length === KEY_BYTES ? { sid, key } : null;
}

function encrypt(form: UnsentForm, key: Buffer, userId: number): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(String(userId)));
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(form)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString("base64");
}

function decrypt(encoded: string, key: Buffer, userId: number): UnsentForm | null {
  const bytes = Buffer.from(encoded, "base64");
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
