import type { RouterContextProvider } from "react-router";
import type { Outcome } from "../../http/outcome.ts";
import type { Account } from "../account.server.ts";
import { expiredPendingSignInCookie, readPendingSignIn } from "../second-factor/pending-sign-in.server.ts";
import { appendCookie } from "../sessions/session.server.ts";
import { completeSignIn, type VerifiedCredentials } from "../sign-in/sign-in.server.ts";

/**
 * Completes a sign-in with a passkey, which may be the second step after the password. If the device was marked as
 * shared in the password step of the same account, that applies here too. Refusal: unauthorized.
 */
export async function completePasskeySignIn(
  context: Readonly<RouterContextProvider>,
  verified: VerifiedCredentials,
  { cookieHeader, ...options }: { cookieHeader: string | null } & NonNullable<Parameters<typeof completeSignIn>[2]>,
): Promise<Outcome<Account>> {
  const pending = await readPendingSignIn(cookieHeader);
  const isPendingShared = pending?.userId === verified.account.id && pending.sharedDevice;
  const sharedDevice = options.sharedDevice === true || isPendingShared;
  const result = await completeSignIn(context, verified, { ...options, sharedDevice });
  if (result.ok && pending) appendCookie(context, await expiredPendingSignInCookie());
  return result;
}
