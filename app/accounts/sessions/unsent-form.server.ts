import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createContext, createCookie, type RouterContextProvider } from "react-router";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { HOUR_SECONDS, SECOND_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { hasStreamedBodyEnded } from "../../http/request-body.server.ts";
import { nodeRequestContext } from "../../http/request-context.server.ts";
import { readFormTextEntries } from "../../http/form.server.ts";
import type { UnsentForm } from "../../ui/unsent-form-context.ts";
import { appendCookie, findExpiredSession, getCookieHeader, getPossiblyRestrictedSession } from "./session.server.ts";
import { readSid } from "./session-cookie.server.ts";
import { type StoredForm, updateSession } from "./session-store.server.ts";
import { COOKIE_NAMES } from "../../http/request-cookies.server.ts";

const LIFETIME_SECONDS = HOUR_SECONDS;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Matches the field names of this application's forms; only the page knows which form it is. */
const FIELD_NAME_PATTERN = /^[a-z][a-zA-Z0-9]{0,39}$/;
/** Matches the names of secrets, and of fields that a page or its buttons add and nobody types. */
const EXCLUDED_FIELD_PATTERN = /password|token|source|key$|version$|^(intent|code|cents)$/i;

/** The content of the cookie: the id of the session, and the key of its stored form. */
type FormKey = { sid: string; key: Buffer };
/** The outcome for a form that was not accepted. Nothing is stored for a session that was ended elsewhere. */
export type UnsentFormOutcome = "stored" | "discarded" | "nothing-typed";

/** Whether this request has stored its form. If so, it must not discard it, because a later form has the same key. */
const formStoredContext = createContext(false);

const formKeyCookie = createCookie(COOKIE_NAMES.unsentForm, {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: env.isPublic,
  secrets: env.sessionSecrets,
  maxAge: LIFETIME_SECONDS,
});

/**
 * Stores the text fields of a form for one hour, for the page at `path`, if it was submitted after its session expired
 * or before the password was requested again. They are encrypted in the session's row. The key is in a cookie of this
 * browser, and only the person of that session can read them. Files, passwords and payment tokens are left out. A later
 * form of the same session replaces it under the same key, whichever response the browser receives first.
 */
export async function saveUnsentForm(
  context: Readonly<RouterContextProvider>,
  form: Request | FormData,
  path: string,
): Promise<UnsentFormOutcome> {
  const session = getPossiblyRestrictedSession(context);
  const cookieHeader = getCookieHeader(context);
  const sid = session?.sid ?? (await readSid(cookieHeader));
  // For an upload whose session ended while it arrived, the body is already read, and reading it again would never end.
  const isConsumed = form instanceof Request && hasStreamedBodyEnded(context.get(nodeRequestContext));
  if (isConsumed) return "discarded";
  const values = sid === null ? null : await readNonSecretTextFields(form);
  if (sid === null || !values || Object.keys(values).length === 0) return "nothing-typed";
  const expiredSession = session ? null : await findExpiredSession(cookieHeader);
  const userId = session?.person.id ?? expiredSession?.userId;
  if (userId === undefined) return "discarded";
  const formKey = await readFormKey(cookieHeader);
  const key = formKey?.sid === sid ? formKey.key : randomBytes(KEY_BYTES);
  const unsentForm: UnsentForm = { path, values, isConfirmation: session !== null };
  const stored: StoredForm = { encrypted: encryptUnsentForm(unsentForm, key, userId), savedAt: now().getTime() };
  if (session) updateSession(session, (data) => ({ ...data, ...stored }));
  if (expiredSession) {
    const row = JSON.stringify({ ...(JSON.parse(expiredSession.sess) as object), ...stored });
    await db.session.updateMany({ where: { sid }, data: { sess: row } });
  }
  context.set(formStoredContext, true);
  appendCookie(context, await formKeyCookie.serialize(`${sid}.${key.toString("base64url")}`));
  return "stored";
}

/**
 * Checks whether this browser has the key of a form stored for the page at `path`. The person to whom it belongs is
 * only revealed after signing in.
 */
export async function hasUnsentForm(request: Request, path: string): Promise<boolean> {
  const formKey = await readFormKey(request.headers.get("cookie"));
  const row = formKey && (await db.session.findFirst({ where: { sid: formKey.sid, expire: { lte: now() } } }));
  if (!formKey || !row?.userId) return false;
  return (
    decryptUnexpiredUnsentForm(JSON.parse(row.sess) as Partial<StoredForm>, formKey.key, row.userId)?.path === path
  );
}

/** Returns the stored form of this person and browser, or null. */
export async function findUnsentForm(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<UnsentForm | null> {
  const session = getPossiblyRestrictedSession(context);
  const formKey = session ? await readFormKey(request.headers.get("cookie")) : null;
  if (!session || !formKey) return null;
  const { person } = session;
  const stored = formKey.sid === session.sid ? session.data : await findEncryptedUnsentForm(formKey.sid, person.id);
  return decryptUnexpiredUnsentForm(stored, formKey.key, person.id);
}

/** Returns the query of a page that reads its fields from the URL, with the stored form merged in. */
export async function mergeUnsentFormIntoQuery(
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

/** Deletes the stored form of the page at `path` after the form was submitted. */
export async function discardUnsentForm(
  context: Readonly<RouterContextProvider>,
  request: Request,
  path: string,
): Promise<void> {
  if (context.get(formStoredContext)) return;
  const unsentForm = await findUnsentForm(context, request);
  const formKey = unsentForm?.path === path ? await readFormKey(request.headers.get("cookie")) : null;
  const session = getPossiblyRestrictedSession(context);
  if (!session || !formKey) return;
  if (formKey.sid === session.sid) {
    updateSession(session, ({ encrypted: _, savedAt: __, ...data }) => data);
  } else await db.session.deleteMany({ where: { sid: formKey.sid, expire: { lte: now() } } });
  appendCookie(context, await formKeyCookie.serialize("", { maxAge: 0 }));
}

async function findEncryptedUnsentForm(sid: string, userId: number): Promise<Partial<StoredForm>> {
  const row = await db.session.findFirst({ where: { sid, userId, expire: { lte: now() } }, select: { sess: true } });
  return JSON.parse(row?.sess ?? "{}") as Partial<StoredForm>;
}

/** Returns the form if it was stored less than one hour ago with this key for this person; otherwise null. */
function decryptUnexpiredUnsentForm({ encrypted, savedAt = 0 }: Partial<StoredForm>, key: Buffer, userId: number) {
  const isCurrent = encrypted !== undefined && now().getTime() - savedAt < LIFETIME_SECONDS * SECOND_MS;
  return isCurrent ? decryptUnsentForm(encrypted, key, userId) : null;
}

async function readNonSecretTextFields(form: Request | FormData): Promise<UnsentForm["values"] | null> {
  const entries = form instanceof Request ? await readFormTextEntries(form).catch(() => null) : form;
  if (!entries) return null;
  const texts = new Map<string, string[]>();
  for (const [name, value] of entries) {
    if (typeof value !== "string" || !FIELD_NAME_PATTERN.test(name) || EXCLUDED_FIELD_PATTERN.test(name)) continue;
    const existingValues = texts.get(name);
    if (existingValues) existingValues.push(value);
    else texts.set(name, [value]);
  }
  return Object.fromEntries([...texts].map(([name, all]) => [name, all.length === 1 ? all[0]! : all]));
}

async function readFormKey(cookieHeader: string | null): Promise<FormKey | null> {
  const text: unknown = await formKeyCookie.parse(cookieHeader).catch(() => null);
  const [sid = "", encodedKey = ""] = typeof text === "string" ? text.split(".") : [];
  const key = Buffer.from(encodedKey, "base64url");
  return key.length === KEY_BYTES ? { sid, key } : null;
}

function encryptUnsentForm(form: UnsentForm, key: Buffer, userId: number): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(String(userId)));
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(form)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString("base64");
}

function decryptUnsentForm(encoded: string, key: Buffer, userId: number): UnsentForm | null {
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
