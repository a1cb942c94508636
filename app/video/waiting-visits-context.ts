import { createContext } from "react";

/** The visits whose families wait for the consultant just now, by their appointments; nobody else is told of any. */
export const WaitingVisitsContext = createContext<readonly number[]>([]);
