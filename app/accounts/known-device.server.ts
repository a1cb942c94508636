import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { createCookie } from "react-router";
import { env } from "../env.server.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;
const DEVICE_ID_BYTES = 9;
const NAME_BYTES = 16;
/** People who share one browser. */
const MAX_ACCOUNTS = 3;
const FORM = /^[\w-]{12}(\.[\w-]{22}){1,3}$/;

/** A browser in which these accounts have signed in; `id` is random, `accounts` are keyed hashes that tell nothing. */
export type KnownDevice = { id: string; accounts: string[] };

const cookie = createCookie(`${env.isPublic ? "__Host-" : ""}known-device`, {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: env.isPublic,
  secrets: env.sessionSecrets,
  maxAge: YEAR_SECONDS,
});

/** The device that a Cookie header names under our signature, or null. */
export async function readKnownDevice(cookieHeader: string | null): Promise<KnownDevice | null> {
  const text: unknown = cookieHeader ? await cookie.parse(cookieHeader).catch(() => null) : null;
  if (typeof text !== "string" || !FORM.test(text)) return null;
  const [id = "", ...accounts] = text.split(".");
  return { id, accounts };
}

/** Whether the account of `email` has signed in on this device before, under any of the secrets in force. */
export function isKnownTo(device: KnownDevice, email: string): boolean {
  return env.sessionSecrets.some((secret) => {
    const name = Buffer.from(nameOf(device.id, email, secret));
    return device.accounts.some((each) => timingSafeEqual(Buffer.from(each), name));
  });
}

/** The Set-Cookie line after a sign-in of `email`; a device remembers its last three accounts for a year. */
export async function rememberDevice(cookieHeader: string | null, email: string): Promise<string> {
  const device = await readKnownDevice(cookieHeader);
  const id = device?.id ?? randomBytes(DEVICE_ID_BYTES).toString("base64url");
  const name = nameOf(id, email, env.sessionSecrets[0] ?? "");
  const accounts = [name, ...(device?.accounts ?? []).filter((each) => each !== name)].slice(0, MAX_ACCOUNTS);
  return cookie.serialize([id, ...accounts].join("."));
}

function nameOf(id: string, email: string, secret: string): string {
  const hash = createHmac("sha256", secret).update(`known-device ${id} ${email}`).digest();
  return hash.subarray(0, NAME_BYTES).toString("base64url");
}
