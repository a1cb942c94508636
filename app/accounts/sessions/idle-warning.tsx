import { useCallback, useEffect, useState } from "react";
import { MINUTE_MS } from "../../duration.ts";
import { watchSignOut } from "../../ui/sign-out-channel.ts";
import type { IdleDialog, SignedOutOverlay } from "./session-dialogs.tsx";
import { registerSignedOutOverlay, saveFormAndGoToLogin } from "./redirect-to-login.ts";

const WARNING_MS = 2 * MINUTE_MS;
/** The maximum delay of setTimeout. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** `personId` is null where the server says nothing of the session. */
type SessionExpiry = { remainingMs: number; personId: number | null };
type Dialogs = { IdleDialog: typeof IdleDialog; SignedOutOverlay: typeof SignedOutOverlay };

/**
 * Warns two minutes before the session ends for inactivity. Another tab may have been active meanwhile, so the server's
 * remaining time is fetched before the warning appears. Leaves the page once the session has ended, or covers it; what
 * it shows of one person is not shown to another who signs in. The dialogs are loaded when one is needed.
 */
export function IdleWarning({ remainingMs, personId }: { remainingMs: number; personId: number }) {
  const [remaining, setRemaining] = useState(remainingMs);
  const [isSignedOut, setSignedOut] = useState(false);
  const [dialogs, setDialogs] = useState<Dialogs>();
  const isWarning = remaining <= WARNING_MS + 1000;
  const needsDialog = isWarning || isSignedOut;
  useEffect(() => setRemaining(remainingMs), [remainingMs]);

  const applyExpiry = useCallback(
    async (request: Promise<SessionExpiry | null>) => {
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
    const delayMs = isWarning ? Math.min(remaining + 500, MINUTE_MS) : Math.min(remaining - WARNING_MS, MAX_TIMER_MS);
    const timer = setTimeout(check, delayMs);
    return () => clearTimeout(timer);
  }, [remaining, isWarning, check]);

  useEffect(() => watchSignOut(check), [check]);

  useEffect(() => registerSignedOutOverlay(() => setSignedOut(true)), []);

  useEffect(() => {
    // A page that can be neither left nor covered leads to the sign-in all the same.
    const leave = () => isSignedOut && window.location.reload();
    if (needsDialog) void import("./session-dialogs.tsx").then(setDialogs, leave);
  }, [needsDialog, isSignedOut]);
  if (!dialogs || !needsDialog) return null;
  if (isSignedOut) return <dialogs.SignedOutOverlay onCheck={check} />;
  return <dialogs.IdleDialog remainingMs={remaining} onStay={() => void applyExpiry(extendSession())} />;
}

/** When the session ends; null when it has ended. Asking does not extend it. */
function fetchExpiry(): Promise<SessionExpiry | null> {
  return requestExpiry("?refresh", "GET");
}

/** Extends the session. Returns what `fetchExpiry` does. */
function extendSession(): Promise<SessionExpiry | null> {
  return requestExpiry("", "POST");
}

/** An overloaded or restarting server, or none, tells nothing about the session: check again in a minute. */
const UNKNOWN_EXPIRY: SessionExpiry = { remainingMs: WARNING_MS + MINUTE_MS, personId: null };

async function requestExpiry(query: string, method: "GET" | "POST"): Promise<SessionExpiry | null> {
  try {
    const response = await fetch(`/stay-signed-in${query}`, { method });
    if (!response.ok) return UNKNOWN_EXPIRY;
    const expiry = response.headers.get("content-type")?.includes("json")
      ? ((await response.json()) as SessionExpiry | null)
      : null;
    return expiry && expiry.remainingMs > 0 ? expiry : null;
  } catch {
    return UNKNOWN_EXPIRY;
  }
}
