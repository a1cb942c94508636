import { createContext } from "react";

/** The visits whose families wait for the consultant just now, by their appointments; nobody else is told of any. */
export const WaitingVisits = createContext<readonly number[]>([]);
