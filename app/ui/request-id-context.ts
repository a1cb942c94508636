import { createContext } from "react";

/** The id of the current request in the log; null in the browser. */
export const RequestIdContext = createContext<string | null>(null);
