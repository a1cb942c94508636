import { createContext, useContext } from "react";
import { useLocation } from "react-router";

/** The fields of the form at `path` (with its query) that could not be submitted because the session had expired. */
export type UnsentForm = { path: string; values: Record<string, string | string[]> };

const UnsentFormContext = createContext<UnsentForm | null>(null);

export const UnsentFormProvider = UnsentFormContext.Provider;

const SessionTagContext = createContext(0);

export const SessionTagProvider = SessionTagContext.Provider;

/** Names the session without revealing it: what a tab keeps for one session is not shown to another. */
export function useSessionTag(): number {
  return useContext(SessionTagContext);
}

/** The unsent values for this page's form, or null. */
export function useUnsentValues(): UnsentForm["values"] | null {
  const unsentForm = useContext(UnsentFormContext);
  const { pathname, search } = useLocation();
  return unsentForm?.path === pathname + search ? unsentForm.values : null;
}
