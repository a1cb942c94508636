import { createContext, useContext } from "react";
import { useLocation } from "react-router";

/**
 * The fields of the form at `path` (with its query) that were submitted but not accepted: the session had expired, or
 * with `isConfirmation` the password was required first.
 */
export type UnsentForm = { path: string; values: Record<string, string | string[]>; isConfirmation?: boolean };

const UnsentFormContext = createContext<UnsentForm | null>(null);

export const UnsentFormProvider = UnsentFormContext.Provider;

const SessionTagContext = createContext(0);

export const SessionTagProvider = SessionTagContext.Provider;

/**
 * Identifies the session without revealing it, so that data that a tab stores for one session is not shown to another.
 */
export function useSessionTag(): number {
  return useContext(SessionTagContext);
}

/** Returns the unsent form of this page, or null. */
export function useUnsentForm(): UnsentForm | null {
  const unsentForm = useContext(UnsentFormContext);
  const { pathname, search } = useLocation();
  return unsentForm?.path === pathname + search ? unsentForm : null;
}
