import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createCookie, type RouterContextProvider } from "react-router";
import { now } from "../../clock.ts";
import { db } from "../../db/client.server.ts";
import { HOUR_SECONDS, SECOND_MS } from "../../duration.ts";
import { env } from "../../env.server.ts";
import { readEntries } from "../../http/form.server.ts";
import type { UnsentForm } from "../../ui/unsent-form.tsx";
import { appendCookie, findExpiredSession, getSession } from "./session.server.ts";

const LIFETIME_SECONDS = HOUR_SECONDS;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The pattern of field names in this product's forms; which form it is, only its page knows. */
const FIELD_NAME = /^[a-z][a-zA-Z0-9]{0,39}$/;
/** Secrets, and fields that a page's buttons add. */
const EXCLUDED_FIELDS = /password|token|source|key$|^intent$/i;

/** Added to the expired session's data; `encrypted` is base64. */
type StoredForm = { encrypted: string; savedAt: number };
/** The cookie: the id of the expired session, and the key of its stored form. */
type FormKey = { sid: string; key: Buffer };

const formKeyCookie = createCookie(`${env.isPublic ? "__Host-" : ""}kept`, {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: env.isPublic,
  secrets: env.sessionSecrets,
  maxAge: LIFETIME_SECONDS,
});

/**
 * Stores the text fields of a form that was submitted after its session had expired, for an hour, for the page at
 * `path`. They are encrypted in the session's row; the key is in a cookie of this browser, and only the person of that
 * session can read them. Files, passwords and payment tokens are left out. Returns whether anything was stored.
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
  const stored: StoredForm = { encrypted: encrypt({ path, values }, key, userId), savedAt: now().getTime() };
  const row = JSON.stringify({ ...(JSON.parse(sess) as object), ...stored });
  await db.session.updateMany({ where: { sid }, data: { sess: row } });
  appendCookie(context, await formKeyCookie.serialize(`${sid}.${key.toString("base64url")}`));
  return true;
}

/** Whether this browser has the key of a stored form. Whose it is, only signing in shows. */
export async function hasUnsentForm(request: Request): Promise<boolean> {
  return (await readFormKey(request)) !== null;
}

/** The stored form of this person and browser, or null. */
export async function findUnsentForm(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<UnsentForm | null> {
  const person = getSession(context)?.person;
  const formKey = person ? await readFormKey(request) : null;
  if (!person || !formKey) return null;
  const where = { sid: formKey.sid, userId: person.id, expire: { lte: now() } };
  const row = await db.session.findFirst({ where, select: { sess: true } });
  const { encrypted, savedAt = 0 } = JSON.parse(row?.sess ?? "{}") as Partial<StoredForm>;
  return encrypted && now().getTime() - savedAt < LIFETIME_SECONDS * SECOND_MS
    ? decrypt(encrypted, formKey.key, person.id)
    : null;
}

/** The query of a page that reads its fields from the URL, with the stored form merged in. */
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

/** Deletes the stored form of the page at `path`, which has been submitted now. */
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
