import { createContext, useContext } from "react";
import { useLocation } from "react-router";

/** What was typed into the form at `address` (path and query) and could not be sent because the sign-in had run out. */
export type UnsentForm = { path: string; values: Record<string, string | string[]> };

const UnsentFormContext = createContext<UnsentForm | null>(null);

export const UnsentFormProvider = UnsentFormContext.Provider;

/** The unsent values for this page's form, or null. */
export function useUnsentValues(): UnsentForm["values"] | null {
  const unsentForm = useContext(UnsentFormContext);
  const { pathname, search } = useLocation();
  return unsentForm?.path === pathname + search ? unsentForm.values : null;
}
