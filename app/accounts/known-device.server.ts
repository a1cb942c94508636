import { randomBytes, timingSafeEqual } from "node:crypto";
import { createCookie } from "react-router";
import { DAY_SECONDS } from "../time-units.ts";
import { env } from "../env.server.ts";
import { keyedHash } from "../http/network-hash.server.ts";
import { COOKIE_NAMES } from "../http/request-cookies.server.ts";

const YEAR_SECONDS = 365 * DAY_SECONDS;
const DEVICE_ID_BYTES = 9;
/**
 * Length in base64url characters: 66 bits for the account key, which distinguishes at most three accounts, and 132 bits
 * for the credential hash.
 */
const ACCOUNT_KEY_LENGTH = 11;
const CREDENTIAL_HASH_LENGTH = 22;
/** Maximum number of accounts remembered in one browser. */
const MAX_ACCOUNTS = 3;
const COOKIE_PATTERN = /^[\w-]{12}(\.[\w-]{33}){1,3}$/;

/**
 * A browser in which these accounts have signed in. `id` is random. Each entry of `accounts` consists of two keyed
 * hashes, which reveal no address: of the account's id, then of its address and password.
 */
export type KnownDevice = { id: string; accounts: string[] };
/** The current state of an account; `password` is its hash. */
export type DeviceAccount = { id: number; email: string; password: string };

const cookie = createCookie(COOKIE_NAMES.knownDevice, {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: env.isPublic,
  secrets: env.sessionSecrets,
  maxAge: YEAR_SECONDS,
});

/** Returns the device from a Cookie header; null without a valid signature. */
export async function parseKnownDeviceCookie(cookieHeader: string | null): Promise<KnownDevice | null> {
  const text: unknown = cookieHeader ? await cookie.parse(cookieHeader).catch(() => null) : null;
  if (typeof text !== "string" || !COOKIE_PATTERN.test(text)) return null;
  const [id = "", ...accounts] = text.split(".");
  return { id, accounts };
}

/**
 * Returns the device if `account` has signed in on it before, under any of the current secrets; otherwise null. A
 * device is no longer known after the password or the address changes, so that a previous user of the account counts as
 * new.
 */
export function matchKnownDevice(device: KnownDevice | null, account: DeviceAccount | null): KnownDevice | null {
  if (!device || !account) return null;
  const isKnown = env.sessionSecrets.some((secret) => {
    const entry = Buffer.from(hashDeviceAccount(device.id, account, secret));
    return device.accounts.some((each) => timingSafeEqual(Buffer.from(each), entry));
  });
  return isKnown ? device : null;
}

/** Returns the Set-Cookie header to send after a sign-in. The cookie holds the last three accounts for one year. */
export async function knownDeviceCookie(cookieHeader: string | null, account: DeviceAccount): Promise<string> {
  const device = await parseKnownDeviceCookie(cookieHeader);
  const id = device?.id ?? randomBytes(DEVICE_ID_BYTES).toString("base64url");
  const entry = hashDeviceAccount(id, account, env.sessionSecrets[0]);
  const keys = env.sessionSecrets.map((secret) => hashDeviceAccountId(id, account, secret));
  const others = (device?.accounts ?? []).filter((each) => !keys.includes(each.slice(0, ACCOUNT_KEY_LENGTH)));
  return cookie.serialize([id, entry, ...others.slice(0, MAX_ACCOUNTS - 1)].join("."));
}

function hashDeviceAccount(deviceId: string, account: DeviceAccount, secret: string | undefined): string {
  const { id, email, password } = account;
  const credentialHash = keyedHash("known device", `${deviceId} ${id} ${email} ${password}`, secret);
  return hashDeviceAccountId(deviceId, account, secret) + credentialHash.slice(0, CREDENTIAL_HASH_LENGTH);
}

function hashDeviceAccountId(deviceId: string, { id }: DeviceAccount, secret: string | undefined): string {
  return keyedHash("account of a device", `${deviceId} ${id}`, secret).slice(0, ACCOUNT_KEY_LENGTH);
}
