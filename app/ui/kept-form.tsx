import { createContext, useContext } from "react";
import { useLocation } from "react-router";

/** What was typed into the form at `address` (path and query) and could not be sent because the sign-in had run out. */
export type KeptForm = { address: string; values: Record<string, string | string[]> };

const KeptFormContext = createContext<KeptForm | null>(null);

export const KeptFormProvider = KeptFormContext.Provider;

/** The words that wait for the form of this page, or null. */
export function useKeptValues(): KeptForm["values"] | null {
  const kept = useContext(KeptFormContext);
  const { pathname, search } = useLocation();
  return kept?.address === pathname + search ? kept.values : null;
}
