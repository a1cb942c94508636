import { createContext } from "react";

/** The number under which this very request stands in the log; null where there is none, as in the browser. */
export const RequestIdContext = createContext<string | null>(null);
