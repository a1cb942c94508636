import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../time-units.ts";
import { networksOf } from "../../http/client-ip.server.ts";
import { keyedHash } from "../../http/network-hash.server.ts";
import {
  peekAllLimiters,
  createRateLimiter,
  createNetworkLimiter,
  consumeAllLimiters,
  type KeyedLimiters,
} from "../../http/rate-limit.server.ts";
import type { Refusal } from "../../http/outcome.ts";
import type { KnownDevice } from "../known-device.server.ts";

const SIGN_IN_WINDOW_SECONDS = 15 * MINUTE_SECONDS;
/**
 * Accounts are hashed into 64^3 groups, so that invented addresses can't exhaust the memory. The hash is keyed, so that
 * nobody can compute an address in the group of another account.
 */
const ACCOUNT_GROUP_LENGTH = 3;

const networkSignInAttemptLimiter = createNetworkLimiter("sign-in", 60, SIGN_IN_WINDOW_SECONDS);
const networkFailureLimiter = createNetworkLimiter("sign-in-wrong", 10, SIGN_IN_WINDOW_SECONDS);
/** Shared by all unknown devices. */
const accountFailureLimiter = createRateLimiter("sign-in-account", 20, HOUR_SECONDS);
const dailyAccountFailureLimiter = createRateLimiter("sign-in-account-day", 60, DAY_SECONDS);
const deviceAttemptLimiter = createRateLimiter("sign-in-device", 60, SIGN_IN_WINDOW_SECONDS);
const deviceFailureLimiter = createRateLimiter("sign-in-device-wrong", 10, SIGN_IN_WINDOW_SECONDS);
const dailyDeviceFailureLimiter = createRateLimiter("sign-in-device-day", 60, DAY_SECONDS);
/** Shared by all known devices of an account, because anyone with the password can create any number of them. */
const knownDeviceNetworkAttemptLimiter = createRateLimiter("sign-in-known-network", 60, SIGN_IN_WINDOW_SECONDS);
const knownDeviceAttemptLimiter = createRateLimiter("sign-in-known", 180, SIGN_IN_WINDOW_SECONDS);
const dailyKnownDeviceFailureLimiter = createRateLimiter("sign-in-known-day", 200, DAY_SECONDS);

/** Counted for passkeys only: wrong passwords don't block sign-ins by passkey, and vice versa. */
const networkPasskeyAttemptLimiter = createNetworkLimiter("passkey-sign-in", 60, SIGN_IN_WINDOW_SECONDS);
const networkPasskeyFailureLimiter = createNetworkLimiter("passkey-sign-in-wrong", 10, SIGN_IN_WINDOW_SECONDS);
const devicePasskeyAttemptLimiter = createRateLimiter("passkey-sign-in-device", 60, SIGN_IN_WINDOW_SECONDS);
const devicePasskeyFailureLimiter = createRateLimiter("passkey-sign-in-device-wrong", 10, SIGN_IN_WINDOW_SECONDS);

const reauthenticationLimiter = createRateLimiter("change-password", 30, SIGN_IN_WINDOW_SECONDS);
const reauthenticationFailureLimiter = createRateLimiter("change-password-wrong", 10, SIGN_IN_WINDOW_SECONDS);
const dailyReauthenticationFailureLimiter = createRateLimiter("change-password-day", 60, DAY_SECONDS);
/** Shared by all sessions of an account. Reaching it takes more than three sessions, each with its own sign-in. */
const dailyAccountReauthenticationFailureLimiter = createRateLimiter("change-password-account-day", 200, DAY_SECONDS);

/**
 * Limited because each confirmation writes an entry of the audit trail. A confirmation is valid in its session for ten
 * minutes.
 */
const confirmationLimiter = createRateLimiter("identity-confirmation", 20, SIGN_IN_WINDOW_SECONDS);
const dailyConfirmationLimiter = createRateLimiter("identity-confirmation-day", 120, DAY_SECONDS);
/** Shared by all sessions of an account, like the limit of wrong passwords. */
const dailyAccountConfirmationLimiter = createRateLimiter("identity-confirmation-account-day", 400, DAY_SECONDS);

/** Where a signed-in person enters a password or code again: the session, and the client's IP address. */
export type ReauthenticationSource = { sid: string; ip: string };

/**
 * An allowed attempt. `recordResult` counts a wrong password, and returns a refusal if concurrent attempts have used up
 * the limit, so that their results are not revealed.
 */
type AllowedAttempt = { ok: true; recordResult: (isRight: boolean) => Promise<Refusal | null> };

/**
 * Counts a sign-in before the password is compared. A device on which this account has signed in before has its own
 * limit, so that a person who guesses passwords elsewhere can't lock out the owner. All other devices share the limits
 * of their network and of the account. `knownDevice` is the result of `matchKnownDevice`.
 */
export async function consumeSignInLimits(
  email: string,
  ip: string,
  knownDevice: KnownDevice | null,
): Promise<(AllowedAttempt & { isKnownDevice: boolean }) | Refusal> {
  const allowedAttempt = await (knownDevice
    ? consumeKnownDeviceLimits(email, ip, knownDevice)
    : consumeNewDeviceLimits(email, ip));
  return allowedAttempt.ok ? { ...allowedAttempt, isKnownDevice: knownDevice !== null } : allowedAttempt;
}

function consumeKnownDeviceLimits(email: string, ip: string, { id }: KnownDevice): Promise<AllowedAttempt | Refusal> {
  const key = `${id} ${email}`;
  return beginLimitedAttempt(
    [
      [deviceAttemptLimiter, key],
      [knownDeviceNetworkAttemptLimiter, `${networksOf(ip).at(-1)} ${email}`],
      [knownDeviceAttemptLimiter, email],
    ],
    [
      [deviceFailureLimiter, key],
      [dailyDeviceFailureLimiter, key],
      [dailyKnownDeviceFailureLimiter, email],
    ],
  );
}

function consumeNewDeviceLimits(email: string, ip: string): Promise<AllowedAttempt | Refusal> {
  const account = keyedHash("sign-in", email).slice(0, ACCOUNT_GROUP_LENGTH);
  return beginLimitedAttempt(
    [[networkSignInAttemptLimiter, ip]],
    [
      [networkFailureLimiter, ip],
      [accountFailureLimiter, account],
      [dailyAccountFailureLimiter, account],
    ],
  );
}

/**
 * Counts a sign-in by passkey before its response is verified, for the known device of its account, otherwise for the
 * network. The account has no total limit: a passkey can't be guessed, and anonymous clients could use up the total.
 */
export function consumePasskeyLimits(ip: string, knownDevice: KnownDevice | null): Promise<AllowedAttempt | Refusal> {
  return knownDevice
    ? beginLimitedAttempt(
        [[devicePasskeyAttemptLimiter, knownDevice.id]],
        [[devicePasskeyFailureLimiter, knownDevice.id]],
      )
    : beginLimitedAttempt([[networkPasskeyAttemptLimiter, ip]], [[networkPasskeyFailureLimiter, ip]]);
}

/**
 * Counts a password or code that a signed-in person enters again, for example to change the password. Each session has
 * its own limits, so that a person with a copied session can't prevent the owner, who signs in elsewhere, from changing
 * the password.
 */
export function consumeReauthenticationLimits(userId: number, sid: string): Promise<AllowedAttempt | Refusal> {
  return beginLimitedAttempt(
    [[reauthenticationLimiter, sid]],
    [
      [reauthenticationFailureLimiter, sid],
      [dailyReauthenticationFailureLimiter, sid],
      [dailyAccountReauthenticationFailureLimiter, String(userId)],
    ],
  );
}

/**
 * Counts a password, code or passkey that is requested again before an important step, right or wrong, in addition to
 * `consumeReauthenticationLimits`. Refusal: tooMany. New sign-ins and changes of the password are not counted.
 */
export async function consumeIdentityConfirmationLimits(userId: number, sid: string): Promise<Refusal | null> {
  return (
    (await confirmationLimiter.consume(sid)) ??
    (await dailyConfirmationLimiter.consume(sid)) ??
    dailyAccountConfirmationLimiter.consume(String(userId))
  );
}

async function beginLimitedAttempt(
  attemptLimits: KeyedLimiters,
  failureLimits: KeyedLimiters,
): Promise<AllowedAttempt | Refusal> {
  const refusal = (await consumeAllLimiters(attemptLimits)) ?? (await peekAllLimiters(failureLimits));
  return (
    refusal ?? {
      ok: true,
      recordResult: (isRight) => (isRight ? peekAllLimiters(failureLimits) : consumeAllLimiters(failureLimits)),
    }
  );
}
