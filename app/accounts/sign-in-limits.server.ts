import { createHash } from "node:crypto";
import { networksOf } from "../http/client-ip.server.ts";
import { checkAll, rateLimit, networkLimit, useAll } from "../http/rate-limit.server.ts";
import type { Refusal } from "../http/outcome.ts";
import { isKnownTo, type KnownDevice } from "./known-device.server.ts";

const QUARTER_HOUR_SECONDS = 15 * 60;
const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Accounts are counted in so many groups, so that made-up addresses can't fill the memory. */
const ACCOUNT_GROUP_BYTES = 2;

const tries = networkLimit("sign-in", 60, QUARTER_HOUR_SECONDS);
const wrongOfNetwork = networkLimit("sign-in-wrong", 10, QUARTER_HOUR_SECONDS);
/** From all unknown devices together, wherever they are. */
const wrongOfAccount = rateLimit("sign-in-account", 20, HOUR_SECONDS);
const wrongOfAccountADay = rateLimit("sign-in-account-day", 60, DAY_SECONDS);
const triesOfDevice = rateLimit("sign-in-device", 60, QUARTER_HOUR_SECONDS);
const wrongOfDevice = rateLimit("sign-in-device-wrong", 10, QUARTER_HOUR_SECONDS);
const wrongOfDeviceADay = rateLimit("sign-in-device-day", 60, DAY_SECONDS);
/** Over all known devices of an account: whoever knows a password can make as many of them as they like. */
const triesOfKnownDevicesOfNetwork = rateLimit("sign-in-known-network", 60, QUARTER_HOUR_SECONDS);
const triesOfKnownDevices = rateLimit("sign-in-known", 180, QUARTER_HOUR_SECONDS);
const wrongOfKnownDevicesADay = rateLimit("sign-in-known-day", 200, DAY_SECONDS);

const changes = rateLimit("change-password", 30, QUARTER_HOUR_SECONDS);
const wrongCurrent = rateLimit("change-password-wrong", 10, QUARTER_HOUR_SECONDS);
const wrongCurrentADay = rateLimit("change-password-day", 60, DAY_SECONDS);

/**
 * A try that may be made. `judge` is told how it ended and counts a wrong one; tries that ran at the same time may have
 * used up the limit meanwhile, and then nobody hears whether this one was right.
 */
type Admitted = { ok: true; judge: (isRight: boolean) => Promise<Refusal | null> };

/**
 * Counts a sign-in before its password is compared. A device on which this very account signed in before has a budget
 * of its own, within that of all known devices of the account: whoever guesses from elsewhere, or from the same
 * network, can't keep the owner out. Everybody else shares the budget of the network and that of the account.
 */
export async function admitSignIn(
  email: string,
  ip: string,
  device: KnownDevice | null,
): Promise<(Admitted & { isKnownDevice: boolean }) | Refusal> {
  const isKnownDevice = device !== null && isKnownTo(device, email);
  const admitted = await (isKnownDevice ? admitKnownDevice(email, ip, device) : admitNewDevice(email, ip));
  return admitted.ok ? { ...admitted, isKnownDevice } : admitted;
}

function admitKnownDevice(email: string, ip: string, { id }: KnownDevice): Promise<Admitted | Refusal> {
  const key = `${id} ${email}`;
  return admit(
    [
      [triesOfDevice, key],
      [triesOfKnownDevicesOfNetwork, `${networksOf(ip).at(-1)} ${email}`],
      [triesOfKnownDevices, email],
    ],
    [
      [wrongOfDevice, key],
      [wrongOfDeviceADay, key],
      [wrongOfKnownDevicesADay, email],
    ],
  );
}

function admitNewDevice(email: string, ip: string): Promise<Admitted | Refusal> {
  const account = createHash("sha256").update(email).digest().subarray(0, ACCOUNT_GROUP_BYTES).toString("hex");
  return admit(
    [[tries, ip]],
    [
      [wrongOfNetwork, ip],
      [wrongOfAccount, account],
      [wrongOfAccountADay, account],
    ],
  );
}

/** The same for the current password that a change asks for; whoever is at the keyboard is signed in already. */
export function admitPasswordChange(userId: number): Promise<Admitted | Refusal> {
  const key = String(userId);
  const wrong = [[wrongCurrent, key] as const, [wrongCurrentADay, key] as const];
  return admit([[changes, key]], wrong);
}

type Counted = Parameters<typeof useAll>[0];

async function admit(all: Counted, wrong: Counted): Promise<Admitted | Refusal> {
  const refusal = (await useAll(all)) ?? (await checkAll(wrong));
  return refusal ?? { ok: true, judge: (isRight) => (isRight ? checkAll(wrong) : useAll(wrong)) };
}
