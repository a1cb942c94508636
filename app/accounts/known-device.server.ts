import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { createCookie } from "react-router";
import { DAY_SECONDS } from "../duration.ts";
import { env } from "../env.server.ts";

const YEAR_SECONDS = 365 * DAY_SECONDS;
const DEVICE_ID_BYTES = 9;
const HASH_BYTES = 16;
/** Accounts that share one browser. */
const MAX_ACCOUNTS = 3;
const COOKIE_PATTERN = /^[\w-]{12}(\.[\w-]{22}){1,3}$/;

/**
 * A browser in which these accounts have signed in. `id` is random; `accounts` are keyed hashes, which reveal no
 * address.
 */
export type KnownDevice = { id: string; accounts: string[] };

const cookie = createCookie(`${env.isPublic ? "__Host-" : ""}known-device`, {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: env.isPublic,
  secrets: env.sessionSecrets,
  maxAge: YEAR_SECONDS,
});

/** The device from a Cookie header; null without a valid signature. */
export async function readKnownDevice(cookieHeader: string | null): Promise<KnownDevice | null> {
  const text: unknown = cookieHeader ? await cookie.parse(cookieHeader).catch(() => null) : null;
  if (typeof text !== "string" || !COOKIE_PATTERN.test(text)) return null;
  const [id = "", ...accounts] = text.split(".");
  return { id, accounts };
}

/** Whether the account of `email` has signed in on this device before, under any of the current secrets. */
export function isKnownTo(device: KnownDevice, email: string): boolean {
  return env.sessionSecrets.some((secret) => {
    const hash = Buffer.from(accountHash(device.id, email, secret));
    return device.accounts.some((each) => timingSafeEqual(Buffer.from(each), hash));
  });
}

/** The Set-Cookie header after a sign-in. Holds the last three accounts for a year. */
export async function knownDeviceCookie(cookieHeader: string | null, email: string): Promise<string> {
  const device = await readKnownDevice(cookieHeader);
  const id = device?.id ?? randomBytes(DEVICE_ID_BYTES).toString("base64url");
  const hash = accountHash(id, email, env.sessionSecrets[0] ?? "");
  const accounts = [hash, ...(device?.accounts ?? []).filter((each) => each !== hash)].slice(0, MAX_ACCOUNTS);
  return cookie.serialize([id, ...accounts].join("."));
}

function accountHash(id: string, email: string, secret: string): string {
  const hash = createHmac("sha256", secret).update(`known-device ${id} ${email}`).digest();
  return hash.subarray(0, HASH_BYTES).toString("base64url");
}
