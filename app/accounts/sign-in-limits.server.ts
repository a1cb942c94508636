import { createHash } from "node:crypto";
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
 * of its own: whoever guesses from elsewhere, or from the same network, can't keep the owner out. Everybody else
 * shares that of the network and that of the account.
 */
export function admitSignIn(email: string, address: string, device: KnownDevice | null): Promise<Admitted | Refusal> {
  if (device && isKnownTo(device, email)) {
    const key = `${device.id} ${email}`;
    const wrong = [[wrongOfDevice, key] as const, [wrongOfDeviceADay, key] as const];
    return admit([[triesOfDevice, key]], wrong);
  }
  const account = createHash("sha256").update(email).digest().subarray(0, ACCOUNT_GROUP_BYTES).toString("hex");
  return admit(
    [[tries, address]],
    [
      [wrongOfNetwork, address],
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
