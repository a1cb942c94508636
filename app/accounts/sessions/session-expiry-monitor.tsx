import { useCallback, useEffect, useState } from "react";
import { MINUTE_MS } from "../../time-units.ts";
import { watchPossibleSignOut } from "../../ui/sign-out-channel.ts";
import type { IdleDialog, SignedOutOverlay } from "./session-dialogs.tsx";
import { registerSignedOutOverlay, saveFormAndGoToLogin } from "./redirect-to-login.ts";

const EXPIRY_WARNING_MS = 2 * MINUTE_MS;
/** Maximum delay of setTimeout. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** `personId` is null if the server returned no information about the session. */
type SessionExpiryInfo = { remainingMs: number; personId: number | null };
type Dialogs = { IdleDialog: typeof IdleDialog; SignedOutOverlay: typeof SignedOutOverlay };

/**
 * Warns two minutes before the session ends for inactivity. Another tab may have been active, so the remaining time is
 * fetched from the server before the warning appears. Once the session has ended, leaves the page or covers it. If
 * another person signs in, the page is reloaded, so that it does not show the first person's data. The dialogs are
 * loaded when one is needed.
 */
export function SessionExpiryMonitor({ remainingMs, personId }: { remainingMs: number; personId: number }) {
  const [remaining, setRemaining] = useState(remainingMs);
  const [isSignedOut, setSignedOut] = useState(false);
  const [dialogs, setDialogs] = useState<Dialogs>();
  const isWarning = remaining <= EXPIRY_WARNING_MS + 1000;
  const needsDialog = isWarning || isSignedOut;
  useEffect(() => setRemaining(remainingMs), [remainingMs]);

  const applyExpiry = useCallback(
    async (request: Promise<SessionExpiryInfo | null>) => {
      const expiry = await request;
      if (!expiry) return saveFormAndGoToLogin();
      setRemaining(expiry.remainingMs);
      if (expiry.personId === null) return;
      if (expiry.personId !== personId) return window.location.reload();
      setSignedOut(false);
    },
    [personId],
  );
  const check = useCallback(() => void applyExpiry(fetchExpiry()), [applyExpiry]);

  useEffect(() => {
    const delayMs = isWarning
      ? Math.min(remaining + 500, MINUTE_MS)
      : Math.min(remaining - EXPIRY_WARNING_MS, MAX_TIMER_MS);
    const timer = setTimeout(check, delayMs);
    return () => clearTimeout(timer);
  }, [remaining, isWarning, check]);

  useEffect(() => watchPossibleSignOut(check), [check]);

  useEffect(() => registerSignedOutOverlay(() => setSignedOut(true)), []);

  useEffect(() => {
    // If the overlay can't be loaded, reloads the page, which leads to the sign-in page.
    const reloadIfSignedOut = () => isSignedOut && window.location.reload();
    if (needsDialog) void import("./session-dialogs.tsx").then(setDialogs, reloadIfSignedOut);
  }, [needsDialog, isSignedOut]);
  if (!dialogs || !needsDialog) return null;
  if (isSignedOut) return <dialogs.SignedOutOverlay onCheck={check} />;
  return <dialogs.IdleDialog remainingMs={remaining} onStay={() => void applyExpiry(extendSession())} />;
}

/** Returns when the session ends; null if it has ended. Does not extend it. */
function fetchExpiry(): Promise<SessionExpiryInfo | null> {
  return requestExpiry("?refresh", "GET");
}

/** Extends the session. Returns the same as `fetchExpiry`. */
function extendSession(): Promise<SessionExpiryInfo | null> {
  return requestExpiry("", "POST");
}

/**
 * Used if the server does not respond or responds with an error, for example while it restarts. The session may still
 * be open, so this leads to a new check in a minute.
 */
const UNKNOWN_EXPIRY: SessionExpiryInfo = { remainingMs: EXPIRY_WARNING_MS + MINUTE_MS, personId: null };

async function requestExpiry(query: string, method: "GET" | "POST"): Promise<SessionExpiryInfo | null> {
  try {
    const response = await fetch(`/stay-signed-in${query}`, { method });
    if (!response.ok) return UNKNOWN_EXPIRY;
    const expiry = response.headers.get("content-type")?.includes("json")
      ? ((await response.json()) as SessionExpiryInfo | null)
      : null;
    return expiry && expiry.remainingMs > 0 ? expiry : null;
  } catch {
    return UNKNOWN_EXPIRY;
  }
}
